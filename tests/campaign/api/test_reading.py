"""Reading by program: the same people see the same things as on the pages."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from campaign.machinery.limits import RateLimit
from campaign.models import Campaign, Registration, Run, Topic
from campaign.services.people.tokens import create_token, revoke_token
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Evaluation
from evaluation.services.progress import STATE_WORDS, in_state, progress_of
from tests.world import BROKEN_RUN, score_run

NOTHING_THERE = {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "There is nothing at this address that you may see.",
}


def test_the_list_of_campaigns_is_that_of_the_home_page(world, api):
    Campaign.objects.create(slug="hidden", name="Hidden", year=2027)

    assert api().get("/campaigns").json() == {
        "count": 1,
        "next": None,
        "previous": None,
        "results": [
            {
                "slug": "small",
                "name": "Small",
                "year": 2026,
                "summary": "",
                "page": "http://testserver/campaigns/small/",
            }
        ],
    }


def test_lists_come_in_pages_with_links_to_the_others(world, api):
    for number in range(4):
        Campaign.objects.create(slug=f"more-{number}", name=f"More {number}", year=2020, is_public=True)

    first = api().get("/campaigns?page_size=2").json()
    last = api().get("/campaigns?page_size=2&page=3").json()
    beyond = api().get("/campaigns?page=9").json()

    assert (first["count"], first["previous"]) == (5, None)
    assert first["next"] == "http://testserver/api/v1/campaigns?page_size=2&page=2"
    assert [campaign["slug"] for campaign in first["results"]] == ["small", "more-0"]
    assert [campaign["slug"] for campaign in last["results"]] == ["more-3"]
    assert (last["next"], last["previous"]) == (None, "http://testserver/api/v1/campaigns?page_size=2&page=2")
    assert (beyond["count"], beyond["results"]) == (5, [])


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ("page=0", "page", "Input should be greater than or equal to 1."),
        ("page=x", "page", "Input should be a valid integer, unable to parse string as an integer."),
        ("page_size=101", "page_size", "Input should be less than or equal to 100."),
        ("page=99999999999999999999", "page", "Input should be less than or equal to 1000000."),
    ],
)
def test_a_page_that_cannot_be_is_a_problem_of_its_parameter(world, api, query, field, message):
    response = api().get(f"/campaigns?{query}")

    assert response.status_code == 422
    assert response["Content-Type"] == "application/problem+json"
    assert response.json() == {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": f"{field}: {message}",
        "errors": [{"field": field, "line": None, "message": message}],
    }


def test_a_campaign_tells_its_tasks_with_deadlines_in_utc(world, api):
    world.task.opens_at = datetime(2026, 3, 1, tzinfo=UTC)
    world.task.closes_at = datetime(2026, 3, 4, 11, 59, tzinfo=UTC)
    world.task.quota = 3
    world.task.save()

    [track] = api().get("/campaigns/small").json()["tracks"]

    assert (track["slug"], track["topic_count"], track["topics_visible"]) == ("ad-hoc", 3, True)
    assert track["tasks"] == [
        {
            "address": "small/ad-hoc/focused",
            "name": "Focused",
            "kind": "focused",
            "opens_at": "2026-03-01T00:00:00Z",
            "closes_at": "2026-03-04T11:59:00Z",
            "is_open": False,
            "quota": 3,
            "page": "http://testserver/campaigns/small/ad-hoc/focused/",
        }
    ]


def test_a_hidden_campaign_is_there_only_for_its_people(world, api):
    Campaign.objects.update(is_public=False)
    world.activate()
    paths = ["", "/ad-hoc/focused", "/ad-hoc/topics", "/ad-hoc/topics/1", "/ad-hoc/focused/board"]
    paths.append("/ad-hoc/focused/editions/1")
    for path in paths:
        for user, status in (
            (None, 404),
            (world.visitor_with_account, 404),
            (world.alice, 200),
            (world.organiser, 200),
        ):
            response = api(user).get(f"/campaigns/small{path}")
            assert response.status_code == status, (path, user)
            if status == 404:
                assert response.json() == NOTHING_THERE


def test_gated_topics_are_for_those_who_take_part(world, api):
    Campaign.objects.update(gates_topics=True)

    statuses = [
        api(user).get(f"/campaigns/small/ad-hoc/topics{topic}").status_code
        for user in (None, world.visitor_with_account, world.alice, world.assessor, world.organiser)
        for topic in ("", "/1")
    ]

    assert statuses == [403, 403, 403, 403, 200, 200, 200, 200, 200, 200]
    [track] = api().get("/campaigns/small").json()["tracks"]
    assert track["topics_visible"] is False


def test_topics_come_with_all_their_fields(world, api):
    Topic.objects.filter(number="2").update(castitle="//p[about(., lamp)]", narrative="All about lamps.")

    listed = api().get("/campaigns/small/ad-hoc/topics").json()

    assert [topic["number"] for topic in listed["results"]] == ["1", "2", "3"]
    assert listed["results"][1] == api().get("/campaigns/small/ad-hoc/topics/2").json()
    assert listed["results"][1] == {
        "number": "2",
        "title": "topic 2",
        "castitle": "//p[about(., lamp)]",
        "phrasetitle": "",
        "description": "",
        "narrative": "All about lamps.",
    }


def test_a_task_tells_each_of_my_teams_whether_it_may_submit(world, api):
    world.task.quota = 2
    world.task.save()
    world.submit()

    def my_teams(user):
        return api(user).get("/campaigns/small/ad-hoc/focused").json()["my_teams"]

    standing = {"team": "lund", "name": "Lund", "may_submit": True, "reason": "", "quota_left": 1}
    assert my_teams(world.alice) == [standing]
    assert my_teams(None) == my_teams(world.visitor_with_account) == []
    Registration.objects.filter(team=world.alices).update(state="pending")
    [standing] = my_teams(world.alice)
    assert (standing["may_submit"], standing["reason"]) == (False, "The registration of Lund is waiting for approval.")


def test_my_runs_are_those_of_my_teams(world, api):
    mine, other = world.submit(), world.submit(user=world.bob, team=world.bobs)

    assert [run["id"] for run in api(world.alice).get("/runs").json()["results"]] == [mine.pk]
    assert [run["id"] for run in api(world.bob).get("/runs").json()["results"]] == [other.pk]
    assert api(world.organiser).get("/runs").json()["count"] == 0


def test_a_run_is_told_in_full(world, api):
    world.activate()
    run = world.submit(description="how", query="manual", topic_fields=["title"])
    check_run(run.pk)
    score_run(run.pk)
    run.refresh_from_db()

    told = api(world.alice).get(f"/runs/{run.pk}").json()

    assert told == api(world.alice).get("/runs").json()["results"][0]
    assert told.pop("since") and told.pop("submitted_at").endswith("Z")
    assert told == {
        "id": run.pk,
        "state": "scored",
        "sentence": "Your run is valid: 4 results for 3 of 3 topics.",
        "is_final": True,
        "name": "good",
        "code": run.code,
        "team": "lund",
        "task": "small/ad-hoc/focused",
        "description": "how",
        "query": "manual",
        "topic_fields": ["title"],
        "is_official": False,
        "file_name": "good.fol",
        "sha256": run.sha256,
        "size": run.size,
        "withdrawn_at": None,
        "result_type": "passage",
        "result_count": 4,
        "answered_topics": 3,
        "error_count": 0,
        "warning_count": 0,
        "page": f"http://testserver/runs/{run.pk}/",
    }


@pytest.mark.parametrize("path", ["", "/state", "/report", "/scores"])
def test_another_team_s_run_is_not_there(world, api, path):
    world.activate()
    run = world.submit()
    check_run(run.pk)
    score_run(run.pk)
    expected = {
        world.alice: 200,
        world.organiser: 200,
        world.bob: 404,
        world.visitor_with_account: 404,
        world.assessor: 404,
    }
    for user, status in expected.items():
        assert api(user).get(f"/runs/{run.pk}{path}").status_code == status, user
    assert api(world.bob).get(f"/runs/{run.pk}{path}").json() == NOTHING_THERE
    assert api().get(f"/runs/{run.pk}{path}").status_code == 401


def test_my_runs_can_be_chosen_by_task_and_state(world, api):
    other_task = world.new_task("thorough", closes_at=world.task.closes_at)
    run = world.submit(BROKEN_RUN, name="broken")
    check_run(run.pk)
    world.submit(task=other_task)

    def names(query):
        return [line["name"] for line in api(world.alice).get(f"/runs?{query}").json()["results"]]

    assert names("task=small/ad-hoc/focused") == ["broken"]
    assert names("task=small/ad-hoc/thorough&state=received") == ["good"]
    assert names("state=rejected") == ["broken"]
    assert names("state=scored") == []
    wrong = api(world.alice).get("/runs?state=lost&task=a%00/b/c").json()
    assert [error["field"] for error in wrong["errors"]] == ["task", "state"]


def test_the_filter_by_state_agrees_with_the_word_that_each_run_tells(world):
    world.activate()
    runs = {}
    for name in ("received", "checking", "rejected", "unscored", "queued", "running", "scored", "failed", "unchecked"):
        run = runs[name] = world.submit(name=name)
        if name not in ("received", "checking", "rejected", "unchecked"):
            check_run(run.pk)
        if name in ("queued", "running", "scored", "failed"):
            score_run(run.pk)
    withdraw_run(world.submit(name="withdrawn"))
    Run.objects.filter(name__in=["checking", "rejected"]).update(state="checking")
    Run.objects.filter(name="rejected").update(state="rejected")
    Run.objects.filter(name="unchecked").update(state="failed")
    for name in ("queued", "running", "failed"):
        Evaluation.objects.filter(run=runs[name]).update(state=name)
    words = {run.name: progress_of(run).word for run in Run.objects.all()}

    found = {word: set(in_state(Run.objects.all(), word).values_list("name", flat=True)) for word in STATE_WORDS}

    assert set(words.values()) == set(STATE_WORDS)
    assert found == {word: {name for name, told in words.items() if told == word} for word in STATE_WORDS}


def test_a_report_has_every_problem(world, api):
    run = world.submit(b"1 Q0 a x 9.5 broken 0 50\n" * 300, name="broken")
    check_run(run.pk)

    report = api(world.alice).get(f"/runs/{run.pk}/report").json()

    assert (report["state"], report["error_count"]) == ("rejected", len(report["problems"]))
    assert report["error_count"] >= 300
    assert report["problems"][0] == {
        "field": "file",
        "line": 1,
        "message": "the rank 'x' isn't a whole number. Write digits only.",
        "rule": "number",
        "severity": "error",
        "topic": "1",
        "member": None,
        "times": 1,
    }


# Tokens, limits and addresses that lead nowhere -------------------------------------------------------------------

UNKNOWN = {
    "type": "about:blank",
    "title": "Unauthorized",
    "status": 401,
    "detail": "This token is unknown or revoked. You can make a new one on your page of API tokens.",
}


@pytest.mark.parametrize(
    "header",
    ["Bearer lml_" + 40 * "x", "Bearer", "Bearer ", "Basic YWxpY2U6c2VjcmV0LXdvcmRz", "lml_bare", "Bearer lml_ä"],
)
@pytest.mark.parametrize("path", ["/api/v1/campaigns", "/api/v1/runs"])
def test_a_token_that_opens_nothing_is_never_taken_for_a_visitor(client, world, header, path):
    response = client.get(path, headers={"Authorization": header})

    assert response.status_code == 401
    assert response["Content-Type"] == "application/problem+json"
    assert response["WWW-Authenticate"] == 'Bearer realm="Limelight"'
    assert response.json() == UNKNOWN


@pytest.mark.parametrize("fault", ["revoked", "inactive", "demo"])
def test_a_token_of_somebody_who_cannot_sign_in_opens_nothing(client, world, fault):
    token, secret = create_token(world.alice, "laptop")
    headers = {"Authorization": f"bearer {secret}"}
    assert client.get("/api/v1/runs", headers=headers).status_code == 200
    if fault == "revoked":
        revoke_token(token)
    world.alice.is_active = fault != "inactive"
    world.alice.is_demo = fault == "demo"
    world.alice.save()

    assert client.get("/api/v1/runs", headers=headers).json() == UNKNOWN


def test_the_cookie_of_a_browser_opens_nothing(client, world):
    Campaign.objects.update(is_public=False)
    client.force_login(world.alice)

    assert client.get("/api/v1/campaigns/small").status_code == 404
    response = client.get("/api/v1/runs")

    assert response.status_code == 401
    assert response.json()["detail"] == (
        "Send a token: Authorization: Bearer lml_…. You can make one on your page of API tokens."
    )


@pytest.mark.parametrize(
    "path", ["/api/nowhere", "/api/v1/", "/api/v1/nowhere", "/api/v1/runs/x", "/api/v1/campaigns/"]
)
@pytest.mark.parametrize("debug", [True, False])
def test_an_address_that_leads_nowhere_is_a_problem_too(client, world, settings, path, debug):
    settings.DEBUG = debug

    for response in (client.get(path), client.post(path)):
        assert response["Content-Type"] == "application/problem+json"
        assert response.json() == NOTHING_THERE
        assert int(response["Content-Length"]) == len(response.content)


@pytest.mark.parametrize("number", [0, 999_999, 10**30])
def test_a_number_that_names_nothing_is_not_there(world, api, number):
    for path in (f"/runs/{number}", f"/runs/{number}/scores", f"/campaigns/small/ad-hoc/focused/editions/{number}"):
        assert api(world.alice).get(path).json() == NOTHING_THERE


def test_no_answer_is_kept_on_the_way(client, world, api):
    for response in (api(world.alice).get("/runs"), api().get("/status"), api().get("/nowhere"), client.get("/api/")):
        assert response["Cache-Control"] == "no-store"
    assert client.get("/")["Cache-Control"] == "no-cache"


def test_a_topic_s_number_with_strange_characters_is_not_there(world, api):
    assert api().get("/campaigns/small/ad-hoc/topics/%00").json() == NOTHING_THERE


def test_a_method_that_an_address_does_not_know_is_named(client, world):
    response = client.delete("/api/v1/status")

    assert (response.status_code, response["Allow"]) == (405, "GET")
    assert response.json() == {
        "type": "about:blank",
        "title": "Method Not Allowed",
        "status": 405,
        "detail": "This address answers to GET only.",
    }


def test_a_host_that_is_not_ours_gets_a_problem(client, world):
    response = client.get("/api/v1/status", headers={"Host": "elsewhere.example"})

    assert response.status_code == 400
    assert response.json()["detail"] == "This request makes no sense to us."


def test_a_fault_of_ours_says_so_without_a_traceback(world, api, monkeypatch, caplog):
    monkeypatch.setattr("evaluation.api.boards.current_status", lambda: 1 / 0)

    response = api().get("/status")

    assert response.status_code == 500
    assert response["Content-Type"] == "application/problem+json"
    detail = response.json()["detail"]
    assert detail.startswith("This one is our fault (ref. ")
    assert "ZeroDivision" not in response.content.decode()
    assert detail[28:34] in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_requests_are_limited_for_each_token_and_address(world, api, monkeypatch):
    monkeypatch.setattr("campaign.api.authentication.API_READS", RateLimit("api-read", most=2, seconds=600))
    alice, visitor = api(world.alice), api()
    statuses = [alice.get("/runs").status_code for _ in range(3)] + [visitor.get("/status").status_code]

    response = alice.get("/status")

    assert statuses == [200, 200, 429, 200]
    wait = response["Retry-After"]
    assert 0 < int(wait) <= 600
    assert response.json() == {
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": f"That was more than 2 requests in 600 seconds. Come back in {wait} seconds; nothing is lost.",
    }


def test_behind_a_proxy_addresses_are_those_that_the_proxy_saw(client, world, settings, monkeypatch):
    monkeypatch.setattr("campaign.api.authentication.API_READS", RateLimit("api-read", most=1, seconds=600))

    def status(forwarded):
        return client.get("/api/v1/status", headers={"X-Forwarded-For": forwarded}).status_code

    assert [status("1.1.1.1"), status("2.2.2.2")] == [200, 429]
    settings.BEHIND_PROXY = True
    assert [status("9.9.9.9, 1.1.1.1"), status("9.9.9.9, 2.2.2.2"), status("7.7.7.7, 1.1.1.1")] == [200, 200, 429]


def test_without_a_cache_nothing_is_counted_and_everything_works(world, api, monkeypatch):
    monkeypatch.setattr("campaign.machinery.limits.cache.add", lambda *arguments, **options: 1 / 0)

    assert api().get("/status").status_code == 200


def test_the_status_is_that_of_the_page(world, api, client):
    world.submit()
    Run.objects.update(state_since=timezone.now() - timedelta(minutes=5))

    told, page = api().get("/status").json(), client.get("/status.json").json()

    assert (told["is_well"], told["waiting"], told["working"]) == (page["well"], 1, 0)
    assert [part["name"] for part in told["parts"]] == ["worker", "sweep"]
    assert told["oldest_waiting"] < timezone.now().isoformat()
