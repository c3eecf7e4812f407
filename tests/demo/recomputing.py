"""Pages of results held against the command line: every score, rank, range, share and count that they say."""

import re

import numpy as np
import pytest

from limelight.wording import ordinal
from tests.demo.reader import rows_of, scores_in, text_of, written

RANKS = (1, 5, 10)
LINES = 12
"""Steps are recomputed of so many lines of a list."""


def topic_name(scored):
    """Return what the only measure is called for a single topic."""
    (name,) = next(iter(scored["topics"].values()))
    return name


def check_board(reader, show):
    """Scores, judged shares, ranks, ranges, leaders and the critical difference."""
    page = reader.page(f"?show={show}")
    columns = page.xpath('//table[contains(@class, "board")]//th[contains(@class, "number")]/a/text()')
    rows = page.xpath('//table[contains(@class, "board")]//tr[@data-run]')
    scores, told = reader.scores(*columns), text_of(page.xpath("//main")[0])
    count, official = re.search(r"tested among (\d+) (official )?runs", told).groups()
    family = reader.official_runs() if official else list(reader.runs)
    compared = reader.asked("compare", "--measure", reader.official, runs=[reader.runs[code] for code in family])
    tested = {run["run"]: run for run in compared["runs"]}

    assert (columns[0], int(count)) == (reader.official, len(family))
    means = [scores[code]["mean"][reader.official] for code in reader.runs]
    for row in rows:
        code = row.get("data-run")
        cells = [text_of(cell) for cell in row.xpath('./td[contains(@class, "score")]')]
        assert cells == [f"{scores[code]['mean'][name]:.4f}" for name in columns]
        assert text_of(row.xpath("./td")[-1]) == f"{100 * scores[code]['judged']['share']:.0f} %"
        first, last = tested[code]["ranks"]
        assert row.xpath('string(.//*[@class="range"])') == (f"{first}–{last}" if first < last else f"{first}")
        assert ("leading" in row.get("class")) == tested[code]["leads"]
        rank = 1 + sum(mean > scores[code]["mean"][reader.official] for mean in means)
        assert row.xpath('string(./td[@class="rank"]/b)') == str(rank)
    assert told.count(f"ifferences below {critical_of(compared):.3f} cannot be told from chance") == 2
    assert scores_in(page, ["//figure"]) <= written(mean for run in scores.values() for mean in run["mean"].values())


def critical_of(compared):
    """Return from which difference on runs differ; of two runs it is half the interval of their difference."""
    if len(compared["runs"]) > 2:
        return compared["critical_difference"]
    (pair,) = compared["paired"]
    return (pair["high"] - pair["low"]) / 2


def check_run(reader, code):
    """Score and interval, rank and range, redrawn topics, judged share, every topic, neighbours."""
    page = reader.page(f"runs/{code}/")
    command = page.xpath("string(//footer//pre)").split()
    measures = command[command.index("--measures") + 1].split(",")
    scored = reader.scores(*measures)
    mine, mean = scored[code], scored[code]["mean"][reader.official]
    compared = reader.asked("compare", "--measure", reader.official, "--other-topics")
    (tested,) = [run for run in compared["runs"] if run["run"] == code]
    (redrawn,) = [run for run in compared["other_topics"]["redrawn"] if run["run"] == code]
    told = text_of(page.xpath('//*[@class="standing"]')[0]).replace("\u00a0", " ")

    assert told.startswith(f"{mean:.4f} {reader.official}")
    for measure in measures[1:]:
        assert f"{measure} {mine['mean'][measure]:.4f}" in told
    rank = 1 + sum(run["mean"][reader.official] > mean for run in scored.values())
    first, last = tested["ranks"]
    assert f"Rank {rank} of {len(reader.runs)}." in told
    assert f"from {first} to {last}" in told or (first == last and "apart from every other run" in told)
    low, high = mine["intervals"][reader.official]
    assert f"95 % interval {low:.4f} to {high:.4f}." in told
    assert (
        f"first in {share(redrawn['first'])} of the draws, among the first three in {share(redrawn['top3'])}." in told
    )
    assert f"{100 * mine['judged']['share']:.0f} % of " in told
    name = topic_name(reader.scores(reader.official)[code])
    values = {topic: one[name] for topic, one in mine["topics"].items()}
    field = field_of(reader, scored, name, code)
    table = {cells[0].split()[0]: cells[1:] for cells in rows_of(page, '//details[@class="fold"]//table')}
    for topic, value in values.items():
        numbers = [float(cell.replace("−", "-")) for cell in table[topic] if cell != "ranked list"]
        beside = [field[topic], value - field[topic]] if field else []
        assert numbers == pytest.approx([value, *beside], abs=6e-5)
    means = {run["mean"][reader.official] for run in scored.values()}
    known = {*mine["mean"].values(), *values.values(), *means, *field.values(), low, high}
    known |= {value - field[topic] for topic, value in values.items() if field}
    assert scores_in(page, ['//figure[@class="chart"]']) <= written(known)


def share(value):
    """Write a share of draws as ANALYSES.md does."""
    return "< 1 %" if value < 0.01 else "> 99 %" if value > 0.99 else f"{100 * value:.0f} %"


def check_ranked_list(reader, code, topic):
    """The score, the steps to it, and precision along the list."""
    page = reader.page(f"runs/{code}/topics/{topic}/")
    in_context = "P" not in page.xpath('//table[@class="ranked"]/thead//th/text()')
    beginnings = dict(list(beginnings_of(reader.results(code, topic), in_context))[:LINES])
    files = [reader.write(f"first-{count}", lines) for count, lines in beginnings.items()]
    scored = reader.scores(reader.official, runs=[reader.runs[code], *files])
    name = topic_name(scored[code])
    score = [run["topics"][topic][name] for run in scored.values()]

    assert float(page.xpath('string(//td[contains(@class, "total")])')) == round(score[0], 4)
    rows = page.xpath('//table[@class="ranked"]/tbody/tr[not(@class)]')
    steps = [row.xpath('string(./td[@data-label="step"])').strip() for row in rows[:LINES]]
    expected = [after - before for before, after in zip([0, *score[1:]], score[1:], strict=False)]
    assert [0.0 if step == "–" else float(step.replace("−", "-")) for step in steps] == pytest.approx(
        expected, abs=6e-5
    )
    head, *lines = reader.table(f"runs/{code}/topics/{topic}/account.csv")
    assert sum(float(line[head.index("step")]) for line in lines) == pytest.approx(score[0], abs=1e-12)
    assert [int(line[head.index("rank")]) for line in lines] == list(range(1, len(lines) + 1))
    letter = "gP" if in_context else "P"
    measures = [f"{letter}[{rank}]" for rank in RANKS if not (in_context and rank == 1) and rank <= len(rows)]
    of_lists = reader.scores(*measures)[code]["topics"][topic]
    for measure in measures:
        row = rows[int(measure.partition("[")[2][:-1]) - 1]
        assert float(row.xpath(f'string(./td[@data-label="{letter}"])')) == round(of_lists[measure], 3)


def beginnings_of(results, in_context):
    """Yield the beginnings of a list, line by line, in context document by document; under a name of their own."""
    order = list(dict.fromkeys(line[2] for line in results)) if in_context else range(len(results))
    for count in range(1, len(order) + 1):
        kept = [line for line in results if line[2] in order[:count]] if in_context else results[:count]
        yield count, [[*line[:5], f"first-{count}", *line[6:]] for line in kept]


def check_topic(reader, topic):
    """What is relevant, how every run fared, median and quartiles over the teams, and the topic's place by these."""
    track, slug = reader.board.rstrip("/").rsplit("/", 1)
    page = reader.page(f"{track}/topics/{topic}/?runs={slug}&documents=all")
    (section,) = page.xpath(f'//section[@id="{slug}"]')
    scored = reader.scores(reader.official)
    name = topic_name(next(iter(scored.values())))
    (line,) = [one for one in reader.asked("topics", runs=())["topics"] if one["topic"] == topic]

    relevant, characters = line["relevant_documents"], line["highlighted_characters"]
    documents = f"{relevant:,} document{'' if relevant == 1 else 's'}"
    assert f"{documents} with {characters:,} highlighted characters" in text_of(page.xpath("//dl")[0])
    rows = section.xpath(".//tbody/tr")
    assert len(rows) == len(scored)
    for row in rows:
        code = row.xpath("string(./th/a/@href)").split("/")[-2]
        value, mean = (text_of(cell) for cell in row.xpath('./td[contains(@class, "number")]'))
        assert value == f"{scored[code]['topics'][topic][name]:.4f}"
        assert mean == f"{scored[code]['mean'][reader.official]:.4f}"
    told = text_of(section.xpath('.//p[@class="answer"]')[0])
    teams = {one: team_values(reader, scored, name, one) for one in line_topics(scored)}
    low, median, high = np.quantile(teams[topic], (0.25, 0.5, 0.75))
    assert f"Median {median:.4f} over {len(teams[topic])} teams" in told
    assert f"between {low:.4f} and {high:.4f}, {high - low:.4f} apart" in told
    medians = {one: float(np.median(values)) for one, values in teams.items()}
    lower, higher = (1 + sum(sign * (medians[topic] - one) > 0 for one in medians.values()) for sign in (1, -1))
    places = {
        f"the {f'{ordinal(place)} ' if place > 1 else ''}{end} of"
        for place, end in ((lower, "lowest"), (higher, "highest"))
    }
    assert any(f"{place} {len(medians)} topics" in told for place in places)


def line_topics(scored):
    """Return the topics that count."""
    return list(next(iter(scored.values()))["topics"])


def field_of(reader, scored, name, code):
    """Return the median of the other teams on each topic; nothing where these are fewer than four."""
    own, _ = reader.teams[code]
    topics = {topic: team_values(reader, scored, name, topic, without=own) for topic in line_topics(scored)}
    return {topic: float(np.median(values)) for topic, values in topics.items() if len(values) >= 4}


def team_values(reader, scored, name, topic, without=""):
    """Return one value a team on a topic: that of its official run, else the median of its runs."""
    teams = {}
    for code, (team, is_official) in reader.teams.items():
        if team == without:
            continue
        teams.setdefault(team, []).append((is_official, scored[code]["topics"][topic][name]))
    return [
        next((value for is_official, value in runs if is_official), np.median([value for _, value in runs]))
        for runs in teams.values()
    ]


def check_comparisons(reader):
    """Pairs, redrawn topics, how many topics, how steady, both measures, and the file of all topics."""
    page = reader.page("comparisons/?family=all")
    other = page.xpath('string(//select[@name="against"]/option[@selected])')
    compared = reader.asked("compare", "--measure", reader.official, "--other-topics")
    means = {run["run"]: run["mean"] for run in compared["runs"]}
    told = text_of(page.xpath("//main")[0]).replace("\u00a0", " ")

    pairs = f"{compared['significant_pairs']:,} of {compared['pairs']:,} pairs differ"
    assert f"{pairs} (Tukey HSD, 5 %, tested among {len(means)} runs)" in told
    assert f"differences below {compared['critical_difference']:.3f} cannot be told from chance here" in told
    order = [run["run"] for run in compared["runs"]]
    rows = page.xpath('//table[@class="pairs"]/tbody/tr')  # of very many runs it is a drawing
    assert [row.xpath("string(./th/a/@href)").split("/")[-2] for row in rows] in (order, [])
    tested = [(row, column) for row in range(len(order)) for column in range(row + 1, len(order))]
    head, *lines = reader.table("comparisons/pairs.csv?family=all")
    p = [compared["p"][row][column] for row, column in tested]
    assert [float(line[head.index("p")]) for line in lines] == pytest.approx(p, abs=1e-12)
    cells = rows_of(page, '//table[@class="pairs"]')
    for row, line in enumerate(cells):
        assert line[2] == f"{means[order[row]]:.4f}"
        for column in range(row + 1, len(order)):
            here, there = pair_texts(compared, row, column)
            assert (line[3 + column], cells[column][3 + row]) == (here, there)
    others = compared["other_topics"]
    redrawn = rows_of(page, '//table[@class="redrawn"]')
    assert [line[2:] for line in redrawn] == [
        [share(run["first"]), share(run["top3"]), "–".join(str(rank) for rank in sorted(set(run["ranks"])))]
        for run in others["redrawn"]
    ]
    assert f"a difference of {others['found_difference']:.2f} between two runs is found four times out of five" in told
    needed = rows_of(page, '//section[@id="steadiness"]//table')
    assert needed == [
        [f"{one['difference']:.2f}", f"{one['two_runs']:,}", f"{one['all_pairs']:,}"] for one in others["needed"]
    ]
    if others["halves"]:
        mean, low, high = others["halves"]["tau-b"]
        halves = f"Two halves of {others['halves']['topics']} topics agree with each other"
        assert f"{halves}: {mean:.2f} ({low:.2f} to {high:.2f})." in told
        assert f"Generalisability: {others['generalisability']:.3f}." in told
    _check_measures(reader, page, told, other)
    scored = reader.scores(reader.official, other)
    heat = reader.table("comparisons/topics.csv")
    name = topic_name(reader.scores(reader.official)[order[0]])
    for code, line in zip(order, heat[1:], strict=True):
        values = [scored[code]["topics"][topic][name] for topic in heat[0][3:]]
        assert [float(cell) for cell in line[2:]] == pytest.approx([means[code], *values], abs=1e-12)


def pair_texts(compared, row, column):
    """Return what stands in both cells of a pair: its p-value, of many runs a sign."""
    p = compared["p"][row][column]
    if len(compared["runs"]) <= 15:
        text = f"{p:.3f}" if p > 0.0009 else "< 0.001"
        return text, text
    return ("+", "−") if compared["significant"][row][column] else ("·", "·")


def _check_measures(reader, page, told, other):
    """Hold one measure against the other as `correlate` does."""
    (pair,) = reader.asked("correlate", "--measures", f"{reader.official},{other}", "--other-topics")["pairs"]
    if len(reader.runs) < 10:
        assert f"With {len(reader.runs)} runs a coefficient means little." in told
        return
    lines = [line[1:] for line in rows_of(page, '//section[@id="measures"]//table')]
    assert lines == [
        [f"{pair[name]['value']:.3f}", f"({pair['redrawn'][name][1]:.2f} to {pair['redrawn'][name][2]:.2f})"]
        for name in ("tau-b", "tau-AP", "Pearson")
    ]
    assert f"agrees with itself on all topics by a τ-b of {pair['ceiling']:.2f}." in told


def check_moved(reader, number=2):
    """Ranks and scores before and after, how alike both rankings are, and what each topic contributed."""
    page = reader.page(f"editions/{number}/moved/?runs=all")
    old = _older_assessments(reader)
    moved = reader.asked("moved", "--measure", reader.official, assessments=[old, reader.assessments])
    runs = {run["run"]: run for run in moved["runs"]}

    assert f"{moved['tau-b']:.4f}" == page.xpath('//table[@class="taus"]//td')[0].text_content().strip()
    rows = page.xpath('//table[contains(@class, "moves")]/tbody/tr | //details//table[not(@class)]/tbody/tr')
    assert len(rows) == len(runs)
    for row in rows:
        run = runs[row.xpath("string(./th/a/@href)").split("/")[-2]]
        ranks = {str(run["old_rank"]), str(run["new_rank"])}
        scores = [f"{run[when]:.4f}" for when in ("old_score", "new_score")]
        numbers = [text_of(cell) for cell in row.xpath('./td[contains(@class, "number")]')]
        assert (set(numbers[:-2]), numbers[-2:]) == (ranks, scores)
    changes = [one for run in runs.values() for one in run["topics"]]
    known = {one[what] for one in changes for what in ("old", "new", "contribution") if one[what] is not None}
    known |= {run[name] for run in runs.values() for name in ("old_score", "new_score")}
    assert scores_in(page, ['//p[contains(@class, "passes")]', '//table[@class="taus"]']) <= written(known)


def _older_assessments(reader):
    """Return the assessments of the first edition, by the page of a run there."""
    page = reader.page(f"editions/1/runs/{next(iter(reader.runs))}/")
    content, _ = reader.get(page.xpath('//footer//a[contains(@href, "/imported")]/@href')[0])
    path = reader.folder / "older-assessments"
    path.write_bytes(content)
    return str(path)
