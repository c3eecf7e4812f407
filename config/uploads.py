"""A limit on what one request may upload; Django itself sets none."""

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload


class LimitUploadHandler(FileUploadHandler):
    """Stop reading an upload that is over the limit, and leave word of it on the request."""

    def handle_raw_input(self, input_data, META, content_length, boundary, encoding=None):  # noqa: N803 - Django's names
        """Begin to count."""
        self.received = 0
        self.limit = settings.UPLOAD_LIMIT_MB * 1_000_000
        self.request.upload_too_large = False

    def receive_data_chunk(self, raw_data, start):
        """Pass the bytes on as long as they are within the limit."""
        self.received += len(raw_data)
        if self.received > self.limit:
            self.request.upload_too_large = True
            raise StopUpload(connection_reset=False)  # read the rest, so that the browser hears our answer
        return raw_data

    def file_complete(self, file_size):
        """Leave the finished file to the next handler."""
