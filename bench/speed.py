"""Speed on one thread, in CPU seconds: MAXSIM and its peers, `tag`, long texts, in one run.

python -m bench.speed
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import otherwords
from bench.data import rows
from bench.figures import Figure, peak, record
from bench.meteor import Meteor
from bench.phrases import command
from otherwords.corpus.rows import Row

ROUNDS = 5
SHARE = 0.5  # of MAXSIM's speed that paraeval-f should have
LONG = 8000  # words of either text
LONG_SECONDS = 0.3  # that they should take
TAGGED = 100_000  # lines


def timed(work: Callable[[], object]) -> float:
    """Seconds of CPU that the work takes, here and in other threads of this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def fresh(texts: Sequence[str], number: int) -> list[str]:
    """Texts that no round before had: the tagger knows sentences that it has just seen."""
    return [f"{text} Round {number}." for text in texts]


def fresh_rows(segments: Sequence[Row], number: int) -> list[Row]:
    """The same for segments."""
    return [
        replace(
            row,
            hypothesis=f"{row.hypothesis} Round {number}.",
            references=tuple(fresh([str(one) for one in row.references], number)),
        )
        for row in segments
    ]


def ours(name: str, segments: list[Row]) -> Callable[[], object]:
    """A metric of ours, as a user calls it."""
    hypotheses = [str(row.hypothesis) for row in segments]
    references = [row.references for row in segments]
    return lambda: otherwords.score(name, hypotheses, references, threads=1)


def chrf(segments: list[Row]) -> Callable[[], object]:
    """sacreBLEU's sentence chrF."""
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF()
    return lambda: [metric.sentence_score(row.hypothesis, row.references) for row in segments]


def meteor(segments: list[Row], running: Meteor) -> Callable[[], object]:
    """METEOR 1.5, whose own process is not counted: by the clock."""
    texts = [(str(row.hypothesis), [str(one) for one in row.references]) for row in segments]
    return lambda: [running.score(hypothesis, references) for hypothesis, references in texts]


def segment_speed(segments: list[Row]) -> None:
    """In turns, so that a busy moment of the machine hits all alike."""
    rounds = []
    for number in range(ROUNDS + 1):
        texts = fresh_rows(segments, number)
        jobs = {name: ours(name, texts) for name in ("maxsim", "paraeval-p", "paraeval-f")}
        jobs["chrf (sacreBLEU)"] = chrf(texts)
        rounds.append({name: timed(job) for name, job in jobs.items()})
    seconds = {  # the first round has loaded the models
        name: statistics.median(times[name] for times in rounds[1:]) for name in rounds[0]
    }
    print(f"{len(segments)} segments of wmt15-daseg, one thread, median of {ROUNDS} rounds")
    for name, value in seconds.items():
        speed = f"{value:6.2f} CPU s {len(segments) / value:9.0f} segments/s"
        print(f"{name:18} {speed}   maxsim is {value / seconds['maxsim']:5.1f} x as fast")
    speeds = {name: len(segments) / value for name, value in seconds.items()}
    for name, peer, least in (
        ("maxsim", "chrf (sacreBLEU)", None),
        ("paraeval-p", "maxsim", None),
        ("paraeval-f", "maxsim", SHARE),
    ):
        shown = [f"{one} {speeds[one]:,.0f} segments/s" for one in (name, peer)]
        ratio = speeds[name] / speeds[peer]
        record(Figure(name, *shown, ratio, seconds[name], peak(), least))
    if Meteor.available():
        running = Meteor()
        job = meteor(segments, running)
        job()  # Java warmed up
        start = time.perf_counter()
        job()
        value = time.perf_counter() - start
        running.close()
        ratio = value / seconds["maxsim"]
        print(
            f"METEOR 1.5         {value:6.2f} s by the clock      maxsim is {ratio:5.1f} x as fast"
        )
    else:
        print("METEOR 1.5 is left out: no Java or no pycocoevalcap here")


def long_texts(segments: list[Row]) -> None:
    """Two texts of many words, which have more pairs of words than any sentence."""
    sides = (
        [str(row.hypothesis) for row in segments],
        [str(row.references[0]) for row in segments],
    )
    texts = [" ".join(" ".join(side).split()[:LONG]) for side in sides]
    seconds = timed(lambda: otherwords.score("maxsim", texts[:1], texts[1:]))
    print(f"maxsim of two texts of {LONG:,} words: {seconds:.2f} CPU s")
    limit = f"limit {LONG_SECONDS} s"
    job = f"maxsim, two texts of {LONG:,} words"
    ratio = seconds / LONG_SECONDS
    record(Figure(job, f"{seconds:.2f} s", limit, ratio, seconds, peak(), most=1.0))


def tagging(segments: list[Row]) -> None:
    """The command `tag` compared with MAXSIM's own reading of as many lines."""
    lines = [f"{segments[n % len(segments)].hypothesis} Number {n}." for n in range(TAGGED)]
    references = [f"{segments[n % len(segments)].references[0]}" for n in range(TAGGED)]
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.txt")
        text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        for form in ("tsv", "text"):
            seconds, most = command("tag", text, "-f", form, "-o", Path(folder, "tagged"))
            each = 1e6 * seconds / TAGGED
            print(f"tag, {form:4}: {seconds:6.2f} CPU s, {each:4.0f} µs a line, peak {most:.0f} MB")
    score = timed(lambda: otherwords.score("maxsim", lines, references))
    print(f"maxsim of as many segments: {score:6.2f} CPU s")
    shown = f"{each:.0f} µs per line", f"maxsim {1e6 * score / TAGGED:.0f} µs per line"
    record(Figure(f"tag, {TAGGED:,} lines", *shown, seconds / score, seconds, most))


def main() -> None:
    """Print every figure."""
    segments = rows("mt/wmt15-daseg")
    segment_speed(segments)
    long_texts(segments)
    tagging(segments)


if __name__ == "__main__":
    main()
