"""A limit on what one request may upload, lower where a view says so, and temporary files that no process can leave."""

import os
from contextlib import suppress

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http.multipartparser import MultiPartParserError

from campaign.machinery.storage import temporary_file
from campaign.machinery.whole_files import NoRoom, room_needed


class LimitUploadHandler(FileUploadHandler):
    """Stop reading an upload that is over the limit, and leave word of it on the request."""

    def handle_raw_input(self, input_data, META, content_length, boundary, encoding=None):  # noqa: N803 - Django's names
        """Begin to count."""
        self.received = 0
        view = getattr(self.request.resolver_match, "func", None)
        self.limit = getattr(view, "upload_limit", settings.UPLOAD_LIMIT_MB * 1_000_000)
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


class SpoolingUploadHandler(FileUploadHandler):
    """Write an upload to a file without a name, which the system drops with the process.

    Where the disk is full, the rest is read and dropped, so that the browser hears our answer.
    """

    no_room = False

    def new_file(self, *arguments, **options):
        """Open the file to write to."""
        super().new_file(*arguments, **options)
        try:
            spool = temporary_file()
        except NoRoom:
            self.no_room = True
        else:
            self.file = UploadedFile(spool, self.file_name, self.content_type, 0, self.charset, self.content_type_extra)

    def receive_data_chunk(self, raw_data, start):
        """Write the bytes for as long as there is room."""
        if self.no_room:
            return
        try:
            with room_needed():
                self.file.write(raw_data)
                self.file.flush()
        except NoRoom:
            self._give_up()

    def file_complete(self, file_size):
        """Hand the file over, from its beginning."""
        if self.no_room:
            return None
        self.file.seek(0)
        self.file.size = file_size
        return self.file

    def upload_complete(self):
        """End the request where there was no room: what its view was to do is about the file."""
        if self.no_room:
            raise MultiPartParserError("there is no room for this file") from NoRoom()

    def upload_interrupted(self):
        """Drop what came in."""
        if hasattr(self, "file"):
            self.file.close()

    def _give_up(self):
        self.no_room = True
        with suppress(OSError):
            os.ftruncate(self.file.fileno(), 0)
        with suppress(OSError):  # it would write what is left of its buffer
            self.file.close()
