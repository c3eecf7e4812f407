"""Signs of life from the processes behind the site."""

from django.db import models


class Heartbeat(models.Model):
    """When a part of the machinery last did real work; a silent worker shows here first."""

    name = models.CharField(max_length=100, unique=True)
    at = models.DateTimeField()

    def __str__(self):
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"
