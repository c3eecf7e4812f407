"""The campaigns of the site by year, and by the series that they are one of."""

from collections import Counter
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Archive:
    """Campaigns by year, the latest first; `series` are named with how many each has, `asked` is the one shown."""

    years: list
    series: list
    asked: str
    is_unknown: bool


def archive_of(campaigns, asked=""):
    """Lay out campaigns by year; of one series where it is asked for and there is one."""
    campaigns = list(campaigns)
    counts = Counter(campaign.series for campaign in campaigns if campaign.series)
    shown = [campaign for campaign in campaigns if not asked or campaign.series == asked]
    years = [(year, list(rows)) for year, rows in groupby(shown, key=lambda campaign: campaign.year)]
    return Archive(years, sorted(counts.items()), asked, bool(asked) and asked not in counts)
