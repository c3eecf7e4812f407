"""The shapes of what the API answers about campaigns, tasks, topics and runs."""

from datetime import datetime

from ninja import Field, Schema

from campaign.api.pagination import Page


class TaskLine(Schema):
    """A task as its campaign lists it."""

    address: str = Field(description="campaign/track/task, as in the addresses of the API.")
    name: str
    kind: str
    opens_at: datetime
    closes_at: datetime = Field(description="The deadline, in UTC.")
    is_open: bool
    quota: int | None = Field(description="Runs a team may submit; null where there is no limit.")
    page: str = Field(description="The task's board on this site.")


class Standing(Schema):
    """Where one of my teams stands in a task."""

    team: str = Field(description="The team's short name, as a submission gives it.")
    name: str
    may_submit: bool
    reason: str = Field(description="Why not, if not.")
    quota_left: int | None = Field(description="Runs that may still be submitted; null where there is no limit.")


class TaskDetail(TaskLine):
    """A task with its rules, and where my teams stand in it."""

    description: str
    result_limit: int = Field(description="Results a topic.")
    topic_budget: int | None = Field(description="Characters a topic; null where there is no budget.")
    article_budget: int | None = Field(description="Characters an article; null where there is no budget.")
    is_published: bool
    own_scores_visible: str = Field(description="at-once, at-deadline, at-publication or never.")
    other_scores_visible: str
    names_visible: str
    runs_visible: str = Field(description="What runs returned: ranked lists, passages and files.")
    assessments_visible: str
    my_teams: list[Standing] = Field(description="Empty without a token.")


class TrackLine(Schema):
    """A track with its tasks."""

    slug: str
    name: str
    description: str
    topic_count: int
    topics_visible: bool = Field(description="Whether you may read the topics.")
    tasks: list[TaskLine]


class CampaignLine(Schema):
    """A campaign as the list has it."""

    slug: str
    name: str
    year: int
    summary: str
    page: str


class CampaignDetail(CampaignLine):
    """A campaign with its tracks and tasks."""

    description: str
    tracks: list[TrackLine]


class Topic(Schema):
    """A request for information."""

    number: str
    title: str
    castitle: str
    phrasetitle: str
    description: str
    narrative: str


class RunState(Schema):
    """Where a run stands."""

    id: int
    state: str = Field(
        description="received, checking, rejected, valid, evaluating, scored, failed (on our side) or withdrawn."
    )
    sentence: str = Field(description="The same in words: what happened, and what happens next.")
    since: datetime
    is_final: bool = Field(description="Whether nothing more happens by itself.")


class RunLine(RunState):
    """A run as its team sees it."""

    name: str
    code: str = Field(description="Random: the run's name on boards while names are hidden.")
    team: str
    task: str = Field(description="campaign/track/task")
    description: str
    query: str
    topic_fields: list[str]
    is_official: bool
    file_name: str
    sha256: str
    size: int
    submitted_at: datetime
    withdrawn_at: datetime | None
    result_type: str
    result_count: int | None
    answered_topics: int | None
    error_count: int
    warning_count: int
    page: str


class Problem(Schema):
    """One thing that the check found."""

    field: str = "file"
    line: int | None
    message: str
    rule: str
    severity: str
    topic: str | None = None
    member: str | None = Field(None, description="The file inside an archive.")
    times: int = Field(1, description="Above 1 where a last sentence sums up what is not listed.")


class Report(Schema):
    """Everything that the check found in a run."""

    id: int
    state: str
    error_count: int
    warning_count: int
    problems: list[Problem]


class DryRunReport(Schema):
    """Everything that the check found in a file that was not submitted."""

    is_valid: bool
    result_count: int | None
    answered_topics: int | None
    error_count: int
    warning_count: int
    problems: list[Problem]


class SubmissionFields(Schema):
    """What a team says about the file it submits."""

    team: str = Field("", description="The team's short name; may be left out by members of one team only.")
    name: str = Field("", description="The run's name; left out, it is made from the file's name.")
    description: str = Field("", description="How the run was made, in a line or two.")
    query: str = Field("", description="automatic or manual.")
    topic_fields: list[str] = Field(
        [], description="title, castitle, phrasetitle, description, narrative; send the field once for each."
    )


class CampaignPage(Page):
    """A page of campaigns."""

    results: list[CampaignLine]


class TopicPage(Page):
    """A page of topics."""

    results: list[Topic]


class RunPage(Page):
    """A page of runs."""

    results: list[RunLine]
