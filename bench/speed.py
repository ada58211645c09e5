"""Raw text to segment scores on one thread: MAXSIM against its peers, in the same run.

python -m bench.speed
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import otherwords
from bench.data import rows
from bench.meteor import Meteor
from otherwords.corpus.rows import Row

ROUNDS = 5


def timed(work: Callable[[], object]) -> float:
    """Seconds of CPU and waiting that the work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def maxsim(segments: list[Row]) -> Callable[[], object]:
    """Ours, as a user calls it."""
    hypotheses = [str(row.hypothesis) for row in segments]
    references = [row.references for row in segments]
    return lambda: otherwords.score("maxsim", hypotheses, references, threads=1)


def chrf(segments: list[Row]) -> Callable[[], object]:
    """sacreBLEU's sentence chrF."""
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF()
    return lambda: [metric.sentence_score(row.hypothesis, row.references) for row in segments]


def meteor(segments: list[Row], running: Meteor) -> Callable[[], object]:
    """METEOR 1.5."""
    texts = [(str(row.hypothesis), [str(one) for one in row.references]) for row in segments]
    return lambda: [running.score(hypothesis, references) for hypothesis, references in texts]


def main() -> None:
    """Measure in turns, so that a busy moment of the machine hits all alike."""
    segments = rows("mt/wmt15-daseg")
    jobs = {"maxsim": maxsim(segments), "chrf (sacreBLEU)": chrf(segments)}
    running = Meteor() if Meteor.available() else None
    if running is not None:
        jobs["METEOR 1.5"] = meteor(segments, running)
    else:
        print("METEOR 1.5 is left out: no Java or no pycocoevalcap here")
    for job in jobs.values():
        job()  # models loaded, Java warmed up
    rounds = [{name: timed(job) for name, job in jobs.items()} for _ in range(ROUNDS)]
    seconds = {name: statistics.median(times[name] for times in rounds) for name in jobs}
    print(f"{len(segments)} segments of wmt15-daseg, one thread, median of {ROUNDS} rounds")
    for name, value in seconds.items():
        ratio = value / seconds["maxsim"]
        print(
            f"{name:18} {len(segments) / value:9.0f} segments/s   maxsim is {ratio:5.1f} x as fast"
        )
    if running is not None:
        running.close()


if __name__ == "__main__":
    main()
