"""What the address of a compare page asks for, and what is said where it cannot be done."""

from django.http import QueryDict

from evaluation.services.comparing.asked import AskedRuns, asked_runs


def asked(query):
    return asked_runs(QueryDict(query))


def test_runs_are_named_in_one_word_or_in_one_for_each_tick():
    assert asked("runs=k7,x2").codes == ("k7", "x2")
    assert asked("runs=k7&runs=x2").codes == ("k7", "x2")
    assert asked("runs=,k7,%20,").codes == ("k7",)
    assert asked("").codes == ()


def test_a_run_that_is_named_twice_is_compared_once_and_that_is_said():
    found = asked("runs=k7,x2,k7")

    assert found.codes == ("k7", "x2")
    assert found.problems == ("“k7” was named more than once, and is compared once.",)


def test_an_unknown_test_is_told_and_the_paired_t_shown():
    found = asked("runs=k7,x2&test=dice")

    assert found.test == "t-test"
    assert found.problems == ("There is no test “dice” here; the paired t is shown.",)


def test_two_to_six_runs_are_enough():
    assert [AskedRuns(codes=("x",) * count).are_enough for count in range(1, 8)] == [False, *[True] * 5, False]


def test_an_address_asks_for_the_same_again_with_some_words_changed():
    found = asked("runs=k7,x2,m4&reference=x2&with=m4&test=bootstrap")

    assert found.address() == "?runs=k7,x2,m4&reference=x2&with=m4&test=bootstrap"
    assert found.address(topic="103", test="") == "?runs=k7,x2,m4&reference=x2&with=m4&topic=103"
    assert asked("runs=k7,x2&topic=a%26b").address() == "?runs=k7,x2&topic=a%26b"


def test_very_many_codes_are_not_all_looked_at():
    assert len(asked("runs=" + ",".join(map(str, range(5_000)))).codes) == 400
