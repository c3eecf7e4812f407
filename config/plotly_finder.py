"""Serves plotly.js, and nothing else, out of the plotly package, so that there is no copy of it to keep up to date."""

from pathlib import Path

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

STATIC_NAME = "plotly/plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds `plotly/plotly.min.js`."""

    def __init__(self, *args, **kwargs):
        self.folder = Path(plotly.__file__).parent / "package_data"
        self.storage = FileSystemStorage(location=self.folder)
        self.storage.prefix = "plotly"

    def find(self, path, find_all=False, **kwargs):
        """Return where plotly.js lies, if that is what was asked for."""
        if path != STATIC_NAME:
            return []
        found = str(self.folder / "plotly.min.js")
        return [found] if find_all else found

    def list(self, ignore_patterns):
        """Name the one file for collectstatic."""
        yield "plotly.min.js", self.storage
