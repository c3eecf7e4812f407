"""What a team may still change about a run: its name, its file, whether it is official."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from campaign.models import Membership, Run, TrailEntry
from campaign.services.acting import By
from campaign.services.permissions.submitting import may_submit, standing_of
from campaign.services.refusals import Refused
from campaign.services.runs.renaming import make_official, make_unofficial, rename_run
from campaign.services.runs.submissions import submit_run, withdraw_run
from tests.pages import source_of
from tests.world import BROKEN_RUN, GOOD_RUN, checked

OTHER_RUN = GOOD_RUN.replace(b"9.5", b"9.6")


def close(world):
    world.task.closes_at = timezone.now() - timedelta(minutes=1)
    world.task.save()


def test_a_run_is_renamed(world):
    run = world.submit(name="before")

    rename_run(run, by=By(world.alice), name="after")

    run.refresh_from_db()
    assert run.name == "after"


@pytest.mark.parametrize("name", ["", "a b", "=cmd", "x" * 65, "a\x00b"])
def test_a_new_name_keeps_to_the_pattern(world, name):
    run = world.submit(name="before")

    with pytest.raises(Refused, match=r"^A run name has 1 to 64 letters"):
        rename_run(run, by=By(world.alice), name=name)

    run.refresh_from_db()
    assert run.name == "before"


def test_a_name_that_is_taken_stays_taken(world):
    world.submit(name="taken")
    run = world.submit(OTHER_RUN, name="before")

    with pytest.raises(Refused, match=r"^Lund already has a run named taken in this task\. Choose another name\.$"):
        rename_run(run, by=By(world.alice), name="taken")


def test_a_published_run_keeps_its_name(world):
    run = world.submit()
    world.task.published_at = timezone.now()
    world.task.save()
    run.refresh_from_db()

    with pytest.raises(Refused, match=r"^The results are published under this name\.$"):
        rename_run(run, by=By(world.alice), name="after")


def test_a_team_has_one_official_run_a_task(world):
    first, second = world.submit(name="first"), world.submit(OTHER_RUN, name="second")
    others = world.submit(user=world.bob, team=world.bobs, name="others")

    make_official(first)
    make_official(others)
    make_official(second)

    assert set(Run.objects.filter(is_official=True).values_list("name", flat=True)) == {"second", "others"}
    make_unofficial(second)
    assert set(Run.objects.filter(is_official=True).values_list("name", flat=True)) == {"others"}


def test_the_official_run_is_chosen_before_the_deadline(world):
    run = world.submit()
    close(world)
    run.refresh_from_db()

    with pytest.raises(Refused, match=r"^The official run could be chosen until the deadline on "):
        make_official(run)

    assert not Run.objects.filter(is_official=True).exists()


def test_a_rejected_or_withdrawn_run_cannot_be_official(world):
    rejected = checked(world.submit(BROKEN_RUN, name="broken"))
    withdrawn = world.submit(name="gone")
    withdraw_run(withdrawn)

    with pytest.raises(Refused, match=r"^Only a run that passed the check can be official\.$"):
        make_official(rejected)
    with pytest.raises(Refused, match=r"^This run is withdrawn\.$"):
        make_official(withdrawn)


def test_a_run_is_replaced_in_one_step_and_hands_its_name_and_mark_on(world):
    old = checked(world.submit(name="best"))
    make_official(old)

    new = world.submit(OTHER_RUN, name="", replaces=old)

    old.refresh_from_db()
    assert old.withdrawn_at and not old.is_official
    assert (new.name, new.is_official, new.replaces) == ("best", True, old)


def test_a_refused_replacement_leaves_the_old_run_standing(world):
    old = checked(world.submit(name="best"))
    world.task.quota = 1
    world.task.save()

    with pytest.raises(Refused, match=r"^Lund has used its only run for this task\."):
        world.submit(OTHER_RUN, name="best", replaces=old)

    old.refresh_from_db()
    assert old.withdrawn_at is None
    assert Run.objects.count() == 1


def test_a_run_in_flight_gives_its_place_to_the_one_that_replaces_it(world):
    world.task.quota = 1
    world.task.save()
    old = world.submit(name="best")

    new = world.submit(OTHER_RUN, name="best", replaces=old)

    assert list(Run.objects.standing()) == [new]
    assert standing_of(world.alice, world.alices, world.task).left == 0


def test_a_run_is_replaced_once(world):
    old = world.submit(name="best")
    world.submit(OTHER_RUN, name="best", replaces=old)

    with pytest.raises(Refused, match=r"^best has been withdrawn or replaced already\.$"):
        world.submit(OTHER_RUN + b"\n", name="next", replaces=old)


def test_the_standing_tells_which_runs_take_a_place(world):
    world.task.quota = 5
    world.task.save()
    valid, gone = checked(world.submit(name="valid")), checked(world.submit(OTHER_RUN, name="gone"))
    withdraw_run(gone)
    checked(world.submit(BROKEN_RUN, name="broken"))
    in_flight = world.submit(OTHER_RUN + b"\n", name="in-flight")

    standing = standing_of(world.alice, world.alices, world.task)

    assert standing.left == 2
    assert (standing.scored, standing.withdrawn, standing.in_flight) == ([valid], [gone], [in_flight])
    assert standing.taking == [valid, gone, in_flight]


def test_organisers_submit_for_a_team_under_the_same_rules(world):
    run = world.submit(user=world.organiser)

    assert (run.team, run.submitted_by) == (world.alices, world.organiser)
    close(world)
    assert "closed" in may_submit(world.organiser, world.alices, world.task).reason


# Pages ----------------------------------------------------------------------------------------------------------------


def test_the_pages_rename_and_mark(client, world):
    run = world.submit()
    client.force_login(world.alice)

    renamed = source_of(client.post(f"/runs/{run.pk}/rename/", {"name": " better "}, follow=True))
    marked = source_of(client.post(f"/runs/{run.pk}/official/", {"official": "yes"}, follow=True))
    unmarked = source_of(client.post(f"/runs/{run.pk}/official/", {"official": "no"}, follow=True))

    assert "The run is now named better." in renamed
    assert "better is now the official run of Lund." in marked
    assert "better is no longer the official run of Lund." in unmarked


def test_a_refusal_is_shown_on_the_page(client, world):
    run = world.submit()
    close(world)
    client.force_login(world.alice)

    page = source_of(client.post(f"/runs/{run.pk}/official/", follow=True))

    assert "The official run could be chosen until the deadline on" in page
    assert f"?replaces={run.pk}" not in page


@pytest.mark.parametrize("address", ["rename", "official", "withdraw"])
def test_another_team_changes_nothing(client, world, address):
    run = world.submit()
    client.force_login(world.bob)

    response = client.post(f"/runs/{run.pk}/{address}/", {"name": "stolen", "official": "yes"})

    run.refresh_from_db()
    assert response.status_code == 404
    assert (run.name, run.is_official, run.withdrawn_at) == ("good", False, None)


def test_the_form_replaces_a_run_and_is_filled_in_from_it(client, world):
    old = world.submit(name="best", description="The best we have.", query="manual", topic_fields=["title"])
    client.force_login(world.alice)
    address = "/campaigns/small/ad-hoc/focused/submit/"

    page = source_of(client.get(f"{address}?replaces={old.pk}"))
    fields = {"file": SimpleUploadedFile("b.fol", OTHER_RUN), "team": world.alices.pk, "name": "best"}
    response = client.post(address, fields | {"replaces": old.pk})

    assert "<h1>Replace best</h1>" in page
    assert "The best we have." in page and 'value="best"' in page
    assert Run.objects.standing().get().replaces == old
    assert response.url == Run.objects.standing().get().get_absolute_url()


@pytest.mark.parametrize("number", ["", "abc", "999", "1e3", "٣", "9" * 30])
def test_a_strange_number_replaces_nothing(client, world, number):
    client.force_login(world.alice)

    page = source_of(client.get(f"/campaigns/small/ad-hoc/focused/submit/?replaces={number}"))

    assert "<h1>Submit a run</h1>" in page


def test_an_organiser_is_not_led_to_replace_a_team_s_run(client, world):
    run = world.submit()
    world.campaign.organisers.add(world.visitor_with_account)
    link = f"?replaces={run.pk}"

    client.force_login(world.alice)
    assert link in client.get(f"/runs/{run.pk}/").content.decode()

    client.force_login(world.visitor_with_account)
    assert link not in client.get(f"/runs/{run.pk}/").content.decode()


def test_nobody_replaces_the_run_of_another_team(client, world):
    theirs = world.submit(user=world.bob, team=world.bobs)
    client.force_login(world.alice)
    fields = {"file": SimpleUploadedFile("b.fol", OTHER_RUN), "team": world.alices.pk, "name": "mine"}

    client.post("/campaigns/small/ad-hoc/focused/submit/", fields | {"replaces": theirs.pk})

    theirs.refresh_from_db()
    assert theirs.withdrawn_at is None
    assert Run.objects.get(name="mine").replaces is None


def test_an_organiser_submits_for_a_team_but_replaces_none_of_its_runs(world):
    run = world.submit(name="best")
    world.campaign.organisers.add(world.visitor_with_account)

    with pytest.raises(Refused, match=r"^Only members of a team replace its runs\.$"):
        world.submit(OTHER_RUN, user=world.visitor_with_account, team=world.alices, name="best", replaces=run)

    assert Run.objects.standing().get() == run


def test_our_script_gets_answers_that_keep_the_form_on_the_page(client, world):
    client.force_login(world.alice)
    address, script = "/campaigns/small/ad-hoc/focused/submit/", {"X-Requested-With": "XMLHttpRequest"}

    def send(**fields):
        file = SimpleUploadedFile("b.fol", fields.pop("content", GOOD_RUN))
        return client.post(address, {"file": file, "team": world.alices.pk} | fields, headers=script)

    refused, dry, sent = send(name="a b"), send(**{"dry-run": "yes"}), send(name="mine")

    assert refused.status_code == 422
    assert list(refused.json()["errors"]) == ["name"]
    assert "would be valid" in source_of(dry) and "<html" not in source_of(dry)
    assert sent.json() == {"address": Run.objects.get().get_absolute_url()}


def test_only_the_beginning_is_read(world):
    class Long(BytesIO):
        asked = 0

        def read(self, size=-1):
            Long.asked = max(Long.asked, size)
            return super().read(size)

    submit_run(world.task, by=By(world.alice), team=world.alices, upload=Long(GOOD_RUN), file_name="long.fol")

    assert 0 < Long.asked <= 1 << 20


def test_my_runs_can_be_narrowed_to_a_team_and_a_task(client, world):
    other_task = world.new_task("thorough", closes_at=world.task.closes_at)
    Membership.objects.create(team=world.bobs, user=world.alice)
    world.submit(name="focused-run")
    world.submit(name="thorough-run", task=other_task)
    world.submit(name="delft-run", user=world.bob, team=world.bobs)
    client.force_login(world.alice)

    def shown(query):
        page = source_of(client.get(f"/runs/?{query}"))
        return {name for name in ("focused-run", "thorough-run", "delft-run") if name in page}

    assert shown("") == {"focused-run", "thorough-run", "delft-run"}
    assert shown("team=delft") == {"delft-run"}
    assert shown(f"task={other_task.pk}") == {"thorough-run"}
    assert shown(f"team=delft&task={other_task.pk}") == set()
    assert shown("team=%00&task=%00&page=x") == {"focused-run", "thorough-run", "delft-run"}


def test_many_runs_come_in_pages(client, world, monkeypatch):
    monkeypatch.setattr("evaluation.views.runs.RUNS_A_PAGE", 2)
    for number in range(3):
        world.submit(GOOD_RUN + b"#\n" * number, name=f"run-{number}")
    client.force_login(world.alice)

    first, second = source_of(client.get("/runs/")), source_of(client.get("/runs/?page=2"))

    assert "run-2" in first and "run-0" not in first and "1 to 2 of 3" in first
    assert "run-0" in second and "run-2" not in second


def test_a_name_that_an_organiser_gives_is_in_the_trail(client, world):
    run = world.submit()
    for user in (world.alice, world.organiser):
        client.force_login(user)
        client.post(f"/runs/{run.pk}/rename/", {"name": f"named-by-{user.username}"})

    entry = TrailEntry.objects.get()
    assert (entry.actor, entry.subject) == (world.organiser, "run named-by-alice of Lund")
    assert entry.details["changes"] == {"name": ["named-by-alice", "named-by-organiser"]}
