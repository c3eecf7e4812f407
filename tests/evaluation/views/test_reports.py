"""Reports on pages: five of a rule, the others folded, a way to each rule, and a way back to the form."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.services.runs.checks import check_run
from limelight.rules.headings import grouped
from tests.pages import source_of
from tests.world import GOOD_RUN

TWELVE_OVERLAPS = b"".join(b"1 Q0 a %d 9 many %d 50\n" % (n, n) for n in range(1, 14))
TWO_RULES = TWELVE_OVERLAPS + b"7 Q0 a 1 9 many 0 5\n8 Q0 a 1 9 many 0 5\n"
MANY_FAULTS = b"".join(b"1 Q0 a %d 9 many %d x\n" % (n, n) for n in range(1, 301)) + b"1 Q0 a 400 9 many y 5\n"


def outside_of_folds(page):
    return re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)


@pytest.fixture
def submitted(client, world):
    client.force_login(world.alice)

    def page(content):
        run = world.submit(content)
        check_run(run.pk)
        return run, source_of(client.get(f"/runs/{run.pk}/"))

    return page


def test_a_report_folds_after_five_of_a_rule(submitted):
    _, page = submitted(TWELVE_OVERLAPS)

    assert page.count("which overlaps line") == 12
    assert outside_of_folds(page).count("which overlaps line") == 5
    assert "<summary>7 more of this kind</summary>" in page


def test_a_report_of_several_rules_leads_to_each(submitted):
    _, page = submitted(TWO_RULES)

    jumps = re.findall(r'<a class="(\w+)" href="#([\w-]+)">([^<]+)</a> <span class="quiet">(\d+)</span>', page)

    assert jumps == [
        ("error", "error-overlap", "The same text twice", "12"),
        ("error", "error-unknown-topic", "Topics not in the track", "2"),
        ("warning", "warning-missing-topics", "Topics without an answer", "1"),
    ]
    for _, anchor, _, _ in jumps:
        assert page.count(f'id="{anchor}"') == 1


def test_a_report_of_one_rule_needs_no_jumps(submitted):
    _, page = submitted(b"1 Q0 a 1 9 R 0 5\n2 Q0 a 1 9 R 0 5\n3 Q0 a 1 9 R 0 x\n")

    assert '<nav class="jumps"' not in page


def test_what_the_page_leaves_out_is_in_the_whole_report(submitted, client):
    run, page = submitted(MANY_FAULTS)

    [untold] = re.findall(r"And (\d+) more, in the whole report below", page)
    assert page.count("isn&#x27;t a whole number") + int(untold) == 301
    assert source_of(client.get(f"/runs/{run.pk}/report.txt")).count("isn't a whole number") == 301


def test_a_rejected_run_leads_back_to_the_form(submitted, client):
    run, page = submitted(TWELVE_OVERLAPS)

    assert f'href="/campaigns/small/ad-hoc/focused/submit/?replaces={run.pk}">Submit again</a>' in page
    assert "Submit again" not in submitted(GOOD_RUN.replace(b"good", b"fine"))[1]


def test_a_dry_run_folds_and_leads_back_to_the_form(client, world):
    client.force_login(world.alice)
    fields = {"file": SimpleUploadedFile("mine.fol", MANY_FAULTS), "team": world.alices.pk, "dry-run": "yes"}
    by_script = {"X-Requested-With": "XMLHttpRequest"}

    page = source_of(client.post("/campaigns/small/ad-hoc/focused/submit/", fields, headers=by_script))

    assert outside_of_folds(page).count("isn&#x27;t a whole number") == 5
    assert 'which the <a href="/api/">API</a> tells in full' in page
    assert '<a class="action" href="#submission">' in page


def test_topics_that_cannot_be_read_have_the_same_report(client, world):
    client.force_login(world.organiser)
    twice = b"<inex-topic-file>\n" + b'<topic id="1"/>\n' * 12 + b"<topic/>\n" * 2 + b"</inex-topic-file>"

    response = client.post(
        "/desk/campaigns/small/tracks/ad-hoc/topics/", {"file": SimpleUploadedFile("topics.xml", twice)}
    )

    page = source_of(response)
    assert response.status_code == 422
    assert outside_of_folds(page).count("was already given in line 2") == 5
    assert 'href="#error-missing-field"' in page


def test_counts_never_fall_below_what_is_shown():
    problems = [{"rule": "overlap", "line": n, "severity": "error"} for n in range(7)]

    [group] = grouped(problems, {})

    assert (group.count, group.hidden, group.untold) == (7, 2, 0)
