"""Organisers who answer at the same moment, on both databases: one deed, one notification a person, nothing lost."""

import pytest

pytestmark = [pytest.mark.services, pytest.mark.slow]

AT_ONCE = """
from campaign.models import Campaign, Notification, Rejection, Run, Task, TrailEntry, User
from campaign.services.acting import By
from campaign.services.runs import rejections
from campaign.services.setup import campaigns
from campaign.services.visibility import publication
from campaign.services.telling.audit import fingerprint
from tests.services.threads import at_once
from evaluation.services.bulk_deeds import outlook

campaign, organiser = Campaign.objects.get(slug="demo"), User.objects.get(username="organiser")
task = Task.objects.get(slug="focused", track__campaign=campaign)
runs = list(task.runs.valid().for_lists())
"""


@pytest.fixture(scope="module")
def at_once(quiet_site):
    """Return a function that runs code in a site's Django, in front of the demo's open task and its runs."""
    return lambda code: quiet_site.python(AT_ONCE + code)


def test_eight_answers_reject_once_and_eight_take_it_back_once(at_once):
    rejected, deeds, told, entries, back, standing = at_once("""
seen = outlook("reject", runs).seen
answers = at_once(*[lambda: len(rejections.reject(runs, by=By(organiser), reason="A copy.", seen=seen))] * 8)
deed = Rejection.objects.get()
told = Notification.objects.filter(about=f"rejection {deed.pk}")
told = told.count() == told.values("user").distinct().count() > 0
seen = outlook("reinstate", list(rejections.runs_of(deed))).seen
back = at_once(*[lambda: len(rejections.take_back(deed, by=By(organiser), seen=seen)[0])] * 8)
standing = task.runs.valid().count() == len(runs)
entries = TrailEntry.objects.filter(deed="rejected", campaign=campaign).count()
print(json.dumps([answers, Rejection.objects.count(), told, entries, back, standing]))
""")

    stale = "The runs changed after you were asked. Nothing was done."
    assert sorted(rejected) == ["10"] + [stale] * 7
    assert (deeds, told, entries, standing) == (1, True, 1, True)
    assert sorted(back) == ["10"] + [stale] * 7


def test_eight_answers_publish_once(at_once):
    answers, entries = at_once("""
seen = publication.seen_tasks([task])
answers = at_once(*[lambda: len(publication.publish([task], by=By(organiser), seen=seen))] * 8)
print(json.dumps([answers, TrailEntry.objects.filter(deed="published", campaign=campaign).count()]))
""")

    assert sorted(answers) == ["1"] + ["The tasks changed after you were asked. Nothing was done."] * 7
    assert entries == 1


def test_of_eight_tabs_one_saves_and_seven_read_what_it_saved(at_once):
    answers, saved = at_once("""
seen, shown = fingerprint(campaigns.shown_settings(campaign)), dict.fromkeys(campaigns.SETTINGS)
entered = {name: getattr(campaign, name) for name in shown}
save = lambda number: lambda: campaigns.change_campaign(
    campaign, by=By(organiser), seen=seen, **(entered | {"summary": f"line {number}"})
).summary
answers = at_once(*[save(number) for number in range(8)])
print(json.dumps([answers, Campaign.objects.get(pk=campaign.pk).summary]))
""")

    assert answers.count(saved) == 1
    assert sum(f"summary is now “{saved}”" in answer for answer in answers) == 7
