"""Codes of runs: random, short, and never taken for something else."""

import string

from django.urls import reverse

from campaign.codes import LENGTH, LETTERS, SIGNS, new_code
from campaign.models import Run


def test_codes_are_random_and_use_every_sign():
    codes = [new_code() for _ in range(5_000)]

    assert len(set(codes)) == len(codes)
    assert {len(code) for code in codes} == {LENGTH}
    assert set("".join(codes)) == set(SIGNS)
    assert {code[0] for code in codes} == set(LETTERS)
    assert codes not in (sorted(codes), sorted(codes, reverse=True))


def test_no_sign_looks_like_another_or_needs_an_escape():
    assert set(SIGNS) <= set(string.ascii_lowercase + string.digits)
    assert not set(SIGNS) & set("01loieauy")


def test_each_run_has_a_code_that_stays_and_finds_it(world):
    first, second = world.submit(name="one"), world.submit(name="two")

    assert first.code != second.code
    assert Run.objects.get(code=second.code) == second
    first.save()
    assert Run.objects.get(pk=first.pk).code == first.code


def test_its_team_and_the_organisers_see_the_code_and_organisers_find_the_run_by_it(world, client):
    run = world.submit()

    client.force_login(world.alice)
    assert run.code in client.get(run.get_absolute_url()).content.decode()
    client.force_login(world.organiser)
    found = client.get(reverse("desk-runs", args=["small"]), {"words": run.code}).content.decode()
    assert run.get_absolute_url() in found
    other = client.get(reverse("desk-runs", args=["small"]), {"words": "zzzzzzzzzz"}).content.decode()
    assert run.get_absolute_url() not in other
