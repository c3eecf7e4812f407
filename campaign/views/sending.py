"""Files that are written for somebody and sent at once."""

from django.http import HttpResponse

CONTENT_TYPES = {
    "xml": "application/xml",
    "zip": "application/zip",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "svg": "image/svg+xml",
}


def content_type_of(name):
    """Return what a file of ours is sent as, by the end of its name."""
    return CONTENT_TYPES.get(name.rpartition(".")[2], "text/plain; charset=utf-8")


def attachment(content, name):
    """Return bytes as a file to be saved, never to be shown."""
    kind = content_type_of(name)
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
