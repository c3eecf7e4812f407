"""What a file of assessments would change, topic by topic, before it counts: lost topics first."""

from dataclasses import asdict, dataclass

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from assessments.services.merging import why_not_merged
from assessments.services.reading import Content
from campaign.machinery.cached import remembered
from campaign.machinery.storage import open_stored
from limelight.analysis.counting import TopicCount, topic_counts
from limelight.analysis.differences import NotComparable, topic_differences
from limelight.formats.assessments.reading import read_assessments

VERSION = 1
LOST, EMPTIED, CHANGED, NEW, SAME = "lost", "without relevant text", "changed", "new", "as before"
ORDER = (LOST, EMPTIED, CHANGED, NEW, SAME)
NUMBERS = ("added", "dropped", "changed", "gained", "lost")


@dataclass(frozen=True, slots=True)
class TopicChange:
    """What a file would do to one topic; counts are None where the topic was not, or would not be, judged.

    `documents` has how many documents are added, dropped and changed and how many characters are gained and lost; it
    is None where the two count differently.
    """

    topic: str
    title: str
    change: str
    before: TopicCount | None
    after: TopicCount | None
    documents: dict | None


@dataclass(frozen=True, slots=True)
class ImportDifference:
    """What a file would change in a version, if it replaced it or were merged into it."""

    version: AssessmentSet
    changes: list
    reason: str
    no_merge: str

    def of(self, *kinds):
        """Return the topics with these kinds of change."""
        return [change for change in self.changes if change.change in kinds]

    @property
    def lost(self):
        """Return the topics that would lose all their judgements if the file replaced the version."""
        return self.of(LOST)

    @property
    def emptied(self):
        """Return the topics that would lose all that is relevant."""
        return self.of(EMPTIED)

    @property
    def different(self):
        """Return the topics in which something would change, those that lose most first."""
        return self.of(LOST, EMPTIED, CHANGED, NEW)

    @property
    def unchanged(self):
        """Return the topics that would stay as they are."""
        return self.of(SAME)

    @property
    def counts(self):
        """Count the topics of each kind, under names that a template can say."""
        names = ("lost", "emptied", "changed", "new", "same")
        return {name: len(self.of(kind)) for name, kind in zip(names, ORDER, strict=True)}

    @property
    def is_a_choice(self):
        """Return whether merging would do something else than replacing."""
        return bool(self.lost) and not self.no_merge


def difference_of(version, *, content, axis, counts, columns_file="", columns=None):
    """Hold a file of assessments against a version: its counts by topic, and its columns or where they are stored."""
    origin = [VERSION, version.content, version.columns_file, content, columns_file]

    def compute():
        return _documents(version, content, columns if columns is not None else _load(columns_file, content))

    found = remembered("import-difference", origin, compute) if columns_file else compute()
    titles = dict(version.track.topics.values_list("number", "title"))
    before, after = _counts_of(version), {count.topic: count for count in counts}
    changes = [
        TopicChange(
            topic,
            titles.get(topic, ""),
            _kind(before.get(topic), after.get(topic), found["topics"].get(topic), found["reason"]),
            before.get(topic),
            after.get(topic),
            found["topics"].get(topic),
        )
        for topic in dict.fromkeys([*before, *after])
    ]
    changes.sort(key=lambda change: ORDER.index(change.change))
    return ImportDifference(version, changes, found["reason"], why_not_merged(version, content, axis))


def difference_of_import(found, version):
    """Hold a file that was read on the desk against a version."""
    outcome = found.outcome
    return difference_of(
        version,
        content=outcome["content"],
        axis=outcome["axis"],
        counts=[TopicCount(**count) for count in outcome["topics"]],
        columns_file=outcome.get("columns_file", ""),
    )


def difference_of_read(read, version):
    """Hold a file that was just read against a version."""
    columns = read.columns
    axis = getattr(columns, "axis", AssessmentSet.Axis.CHARACTERS)
    return difference_of(
        version, content=read.content, axis=axis, counts=topic_counts(columns), columns=columns, columns_file=""
    )


def _load(columns_file, content):
    return load_judgements(columns_file, content) if columns_file else None


def _documents(version, content, columns):
    """Return what changes in documents and characters for each topic, or why that cannot be said."""
    if Content.ELEMENTS in (content, version.content):
        return {"topics": {}, "reason": "Grades of elements are counted by topic, but not compared one by one."}
    try:
        found = topic_differences(load_judgements(version.columns_file, version.content), columns)
    except NotComparable as reason:
        return {"topics": {}, "reason": str(reason)}
    return {"topics": {topic.topic: {name: getattr(topic, name) for name in NUMBERS} for topic in found}, "reason": ""}


def _kind(before, after, documents, reason):
    if after is None:
        return LOST
    if before is None:
        return NEW
    if before.relevant and not after.relevant:
        return EMPTIED
    if reason:
        return SAME if before == after else CHANGED
    return CHANGED if any(documents.values()) else SAME


def _counts_of(version):
    """Count the judgements of each topic of a version; graded elements are all told by its file alone."""

    def compute():
        if version.content != Content.ELEMENTS:
            columns = load_judgements(version.columns_file, version.content)
        else:
            with open_stored(version.stored_file) as stream:
                columns = read_assessments(stream)[0].elements
        return [asdict(count) for count in topic_counts(columns)]

    counts = remembered("assessment-counts", [VERSION, version.columns_file or version.stored_file], compute)
    return {count["topic"]: TopicCount(**count) for count in counts}
