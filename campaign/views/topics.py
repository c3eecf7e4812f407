"""Topics to take away."""

import io
import json

from django.http import Http404
from django.views.decorators.http import require_safe

from campaign.views.finding import track_or_404
from campaign.views.sending import attachment
from limelight.formats.topics.inex import TOPIC_FIELDS, TopicRecord
from limelight.formats.topics.writing import write_topics


@require_safe
def topics_file(request, campaign, track, file_format):
    """Hand out a track's topics as XML that can be uploaded again, or as JSON."""
    track = track_or_404(request.user, campaign, track)
    if file_format not in WRITTEN:
        raise Http404(f"Topics are written as XML and JSON, not as {file_format}.")
    return attachment(WRITTEN[file_format](track), f"{track.campaign.slug}-{track.slug}-topics.{file_format}")


def _as_xml(track):
    target = io.BytesIO()
    numbered = track.topics.values_list("number", *TOPIC_FIELDS)
    write_topics(
        [TopicRecord(number, **dict(zip(TOPIC_FIELDS, said, strict=True))) for number, *said in numbered], target
    )
    return target.getvalue()


def _as_json(track):
    told = {
        "campaign": track.campaign.slug,
        "track": track.slug,
        "topics": list(track.topics.values("number", *TOPIC_FIELDS)),
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


WRITTEN = {"xml": _as_xml, "json": _as_json}
"""What topics can be written as, by the end of the address."""
