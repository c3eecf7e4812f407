"""Files that come with a form, and what is said where one is larger than the site takes."""

from django.conf import settings

COMPRESS = "Compress it with gzip and submit that."


def is_too_large(request):
    """Return whether a request brought more than its page takes."""
    return getattr(request, "upload_too_large", False)


def too_large(instead=COMPRESS):
    """Say that a file is too large, and what to do instead."""
    return f"This file is larger than {settings.UPLOAD_LIMIT_MB} MB. {instead}"


def refuse_too_large(form, request, instead=COMPRESS):
    """Say in place of a form's other complaint about its file that it is too large."""
    if is_too_large(request):
        form.full_clean()
        form.errors.pop("file", None)
        form.add_error("file", too_large(instead))


class WithFile:
    """A form with a file, which a deed takes as an upload and its name."""

    def answers(self):
        """Return what was entered, the file, and how it is called."""
        entered = dict(self.cleaned_data)
        upload = entered.pop("file")
        return entered | {"upload": upload, "file_name": upload.name}
