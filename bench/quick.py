"""A few ratios to peers in a few minutes: exits with 1 if one has fallen by half.

python -m bench --quick

The text is in tests/data, and the peers are NumPy and sacreBLEU, so that this runs wherever the
tests run. All times are CPU seconds of one thread. A round has the job and its peer in turns, and
the best of the ratios counts: other work on the machine cannot make it larger.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import otherwords
from bench.figures import Figure, peak, table
from bench.startup import cpu, environment_of

TEXTS = Path(__file__).parents[1] / "tests" / "data" / "outputs.jsonl"
SEGMENTS, SYSTEMS = 500, 9
ROUNDS = 3

Work = Callable[[], object]


class Job(NamedTuple):
    """A job, its peer, and the usual ratio of the peer's time to that of the job; below 1 the job
    takes longer.
    """

    name: str
    run: Callable[[], float]
    peer: str
    run_peer: Callable[[], float]
    usual: float


def texts() -> tuple[list[str], dict[str, list[str]]]:
    """References, and systems that lack more and more of their words."""
    rows = [json.loads(line) for line in TEXTS.read_text(encoding="utf-8").splitlines()]
    right = [" ".join(row["original"].split()) for row in rows if row["kind"] == "right"]
    references = [f"{right[n % len(right)]} Number {n}." for n in range(SEGMENTS)]
    systems = {
        f"system {k}": [
            " ".join(word for place, word in enumerate(text.split(), n) if place % (k + 4))
            for n, text in enumerate(references)
        ]
        for k in range(SYSTEMS)
    }
    return references, systems


def timed(work: Work) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def sentence_chrf(references: list[str], hypotheses: list[str]) -> None:
    """sacreBLEU's chrF of each segment."""
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF()
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        metric.sentence_score(hypothesis, [reference])


def paired_bootstrap(references: list[str], systems: dict[str, list[str]]) -> None:
    """sacreBLEU's paired bootstrap of all systems against the first, by chrF."""
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.significance import PairedTest

    metrics = {"chrF": CHRF(references=[references])}
    PairedTest(list(systems.items()), metrics, references=None, test_type="bs", n_samples=1000)()


def compare(references: list[str], systems: dict[str, list[str]]) -> None:
    """The same tests, and all tables of `compare --all`."""
    sampling = otherwords.Sampling(test="bootstrap", resamples=1000, resamples_max=1000)
    result = otherwords.compare("chrf", systems, references, sampling=sampling)
    result.to_dict()


def jobs(folder: Path) -> list[Job]:
    """All jobs, with their usual ratios."""
    references, systems = texts()
    one = systems["system 3"]
    score = partial(otherwords.score, references=references)
    lines = folder / "lines.txt"
    lines.write_text("".join(f"{line}\n" for line in references[:10]), encoding="utf-8")
    start = partial(cpu, environment=environment_of(str(folder)))
    command = ["-m", "otherwords", "score", "-m", "maxsim", "-r", str(lines), str(lines)]
    chrf = partial(timed, partial(sentence_chrf, references, one))

    def scoring(name: str, usual: float) -> Job:
        run = partial(timed, partial(score, name, one))
        return Job(f"score {name}", run, "sacreBLEU's sentence chrF", chrf, usual)

    return [
        scoring("maxsim", 6.0),
        scoring("chrf", 8.0),
        scoring("otherwords-mt", 0.09),
        Job(
            f"compare of {SYSTEMS} systems, all tables",
            partial(timed, partial(compare, references, systems)),
            "sacreBLEU's paired bootstrap",
            partial(timed, partial(paired_bootstrap, references, systems)),
            2.7,
        ),
        Job(
            "start of score -m maxsim",
            partial(start, [sys.executable, *command]),
            "import numpy",
            partial(start, [sys.executable, "-c", "import numpy"]),
            0.44,
        ),
    ]


def main() -> int:
    """Print the table; 1 if a ratio is below half of the usual one."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for job in jobs(Path(folder)):
            job.run(), job.run_peer()  # models loaded, modules compiled
            rounds = [(job.run(), job.run_peer()) for _ in range(ROUNDS)]
            ours, theirs = max(rounds, key=lambda taken: taken[1] / taken[0])
            shown = f"{ours:.3f} s", f"{job.peer} {theirs:.3f} s"
            ratio = theirs / ours
            figures.append(Figure(job.name, *shown, ratio, ours, peak(), least=job.usual / 2))
    print(table(figures))
    return int(any(figure.is_missed for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
