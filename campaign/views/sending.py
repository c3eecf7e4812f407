"""Files that are written for somebody and sent at once."""

from django.http import HttpResponse

CONTENT_TYPES = {"xml": "application/xml", "zip": "application/zip"}


def attachment(content, name):
    """Return bytes as a file to be saved, never to be shown."""
    kind = CONTENT_TYPES.get(name.rpartition(".")[2], "text/plain; charset=utf-8")
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
