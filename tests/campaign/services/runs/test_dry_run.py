"""Dry runs: everything the check says, and nothing kept."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.machinery.limits import RateLimit
from campaign.models import Run
from limelight.rules.headings import HEADINGS, heading, quotes
from tests.folders import ROOT
from tests.pages import source_of
from tests.world import BROKEN_RUN, GOOD_RUN, OVERLAPPING_RUN


@pytest.fixture
def try_out(client, world):
    client.force_login(world.alice)

    def send(content, **headers):
        fields = {"file": SimpleUploadedFile("mine.fol", content), "team": world.alices.pk, "dry-run": "yes"}
        return client.post("/campaigns/small/ad-hoc/focused/submit/", fields, headers=headers)

    return send


def test_a_good_file_would_be_valid_and_nothing_is_kept(try_out, world):
    world.task.quota = 1
    world.task.save()

    page = source_of(try_out(GOOD_RUN))

    assert "would be valid" in page
    assert "4 results for 3 topics." in page
    assert not Run.objects.exists()
    assert try_out(GOOD_RUN).status_code == 200  # no quota was used


def test_a_bad_file_comes_with_its_lines_quoted(try_out):
    page = source_of(try_out(OVERLAPPING_RUN))

    assert "would be rejected" in page
    assert "<b>Line 2:</b> topic 1 returns a at 20-70, which overlaps line 1 (0-50)." in page
    assert '<code class="quote">1 Q0 a 2 9.0 overlapping 20 50</code>' in page
    assert "The same text twice" in page


def test_who_takes_no_part_is_shown_the_way_in_as_by_the_api(try_out, client, world):
    client.force_login(world.visitor_with_account)

    response = try_out(GOOD_RUN)

    assert response.status_code == 403
    assert "Submissions are for registered teams" in source_of(response)


def test_our_script_is_told_in_a_sentence_who_may_try_a_file(try_out, client, world):
    client.force_login(world.visitor_with_account)

    response = try_out(GOOD_RUN, **{"X-Requested-With": "XMLHttpRequest"})

    assert response.status_code == 403
    assert response.json() == {"errors": {"__all__": ["Submissions are for registered teams."]}}


def test_dry_runs_are_limited(try_out, monkeypatch):
    monkeypatch.setattr("campaign.views.submitting.DRY_RUNS", RateLimit("dry-run", most=2, seconds=600))
    statuses = [try_out(BROKEN_RUN).status_code for _ in range(3)]

    response = try_out(GOOD_RUN)

    assert statuses == [200, 200, 429]
    assert 0 < int(response["Retry-After"]) <= 600
    assert "That was a lot of dry runs in a short time." in source_of(response)


def test_every_rule_in_the_documents_has_a_heading():
    rules = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "formats.md").read_text(), re.MULTILINE))

    assert len(rules) > 30
    assert rules <= set(HEADINGS), rules - set(HEADINGS)
    assert all(heading(rule)[0].isupper() for rule in HEADINGS)


def test_quotes_are_cut_and_cleaned(tmp_path):
    file = tmp_path / "run"
    file.write_bytes(b"first\n" + b"x" * 500 + b"\nwith \x07 bell and \xff byte\n")

    with file.open("rb") as stream:
        found = quotes(stream, [1, 2, 3, 4, None])

    assert found[1] == "first"
    assert found[2] == "x" * 160 + " …"
    assert "\x07" not in found.get(3, "")
    assert 4 not in found
