"""What the benchmark times, each contender in a process of its own (python -m bench.contenders NAME FOLDER …)."""

# ruff: noqa: T201

import json
import sys
import time
from pathlib import Path

from bench.generated import Campaign

MEASURES = ("map", "P_10", "ndcg")


def ours_from_text(campaign, kind, path, measures=None):
    """Score runs from text through the readers that the site uses."""
    from limelight.formats.assessments.reading import read_assessments
    from limelight.formats.runs.reading import read_run
    from limelight.scoring.evaluators import compiled, evaluate

    with campaign.assessments.open("rb") as stream:
        highlights = compiled(read_assessments(stream)[0].judgements)

    def score(number):
        with path(number).open("rb") as stream:
            run, _ = read_run(stream)
        return evaluate(kind, highlights, run, measures=measures).means

    return score


def ours_from_columns(campaign, kind, measures=None):
    """Score runs from the columns that the check keeps beside the file."""
    from limelight.formats.assessments.reading import read_assessments
    from limelight.formats.columns import RunColumns
    from limelight.scoring.evaluators import compiled, evaluate

    with campaign.assessments.open("rb") as stream:
        highlights = compiled(read_assessments(stream)[0].judgements)

    def score(number):
        return evaluate(kind, highlights, RunColumns.load(campaign.columns(number)), measures=measures).means

    return score


def pytrec_eval_peer(campaign):
    """Score whole documents with pytrec_eval."""
    import pytrec_eval

    with campaign.grades.open() as stream:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(stream), {"map", "P", "ndcg"})

    def score(number):
        with campaign.trec(number).open() as stream:
            run = pytrec_eval.parse_run(stream)
        values = evaluator.evaluate(run).values()
        return {name: sum(topic[name] for topic in values) / len(values) for name in MEASURES}

    return score


def ranx_peer(campaign):
    """Score whole documents with ranx."""
    from ranx import Qrels, Run, evaluate

    qrels = Qrels.from_file(str(campaign.grades), kind="trec")

    def score(number):
        run = Run.from_file(str(campaign.trec(number)), kind="trec")
        return evaluate(qrels, run, ["map", "precision@10", "ndcg"], make_comparable=True)

    return score


def ir_measures_peer(campaign):
    """Score whole documents with ir_measures."""
    import ir_measures
    from ir_measures import AP, P, nDCG

    evaluator = ir_measures.evaluator([AP, P @ 10, nDCG], ir_measures.read_trec_qrels(str(campaign.grades)))

    def score(number):
        run = ir_measures.read_trec_run(str(campaign.trec(number)))
        return {str(measure): value for measure, value in evaluator.calc_aggregate(run).items()}

    return score


CONTENDERS = {
    "focused from FOL text": lambda campaign: ours_from_text(campaign, "focused", campaign.fol),
    "focused, all measures, from FOL text": lambda campaign: ours_from_text(campaign, "focused", campaign.fol, "all"),
    "focused from saved columns": lambda campaign: ours_from_columns(campaign, "focused"),
    "focused, all measures, from saved columns": lambda campaign: ours_from_columns(campaign, "focused", "all"),
    "thorough from saved columns": lambda campaign: ours_from_columns(campaign, "thorough"),
    "relevant in context from saved columns": lambda campaign: ours_from_columns(campaign, "relevant-in-context"),
    "best in context from saved columns": lambda campaign: ours_from_columns(campaign, "best-in-context"),
    "documents from TREC text": lambda campaign: ours_from_text(campaign, "document", campaign.trec),
    "documents from saved columns": lambda campaign: ours_from_columns(campaign, "document"),
    "pytrec_eval-terrier": pytrec_eval_peer,
    "ranx": ranx_peer,
    "ir_measures": ir_measures_peer,
}


def peak_memory():
    """Return the largest memory this process had, in MB; the parent's isn't counted, as getrusage would."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def main():
    """Time one contender over the first runs, and print what it took as JSON."""
    name, folder, topic_count, results, run_count = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    campaign = Campaign(Path(folder), topic_count, results, run_count, run_count)
    score = CONTENDERS[name](campaign)
    means = score(0)  # compiled code and caches are not what is timed
    seconds = []
    for number in range(run_count):
        started = time.perf_counter()
        score(number)
        seconds.append(time.perf_counter() - started)
    told = {
        "ns": min(seconds) / campaign.line_count * 1e9,
        "median_ns": sorted(seconds)[len(seconds) // 2] / campaign.line_count * 1e9,
        "runs": run_count,
        "peak": peak_memory(),
        "means": {key: float(value) for key, value in means.items()},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
