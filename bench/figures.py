"""A figure beside its peer's, for the table that `python -m bench` prints at its end."""

from __future__ import annotations

import json
import os
import resource
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "OTHERWORDS_FIGURES"  # the variable that names the file


@dataclass(frozen=True)
class Figure:
    """What a job took, what its peer or its limit is, and the ratio of the two.

    The goal is a ratio: `least` or `most`, neither if none is set. `cpu` are the seconds of the job
    that is named.
    """

    job: str
    ours: str
    peer: str
    ratio: float
    cpu: float
    peak: float
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        """In words, with whether it is missed.

        >>> Figure("two threads", "2 s", "3 s", 1.5, 3.0, 100, least=1.7).goal
        'at least 1.7, missed'
        """
        missed = ", missed" if self.is_missed else ""
        if self.least is not None:
            return f"at least {self.least:g}{missed}"
        return "-" if self.most is None else f"at most {self.most:g}{missed}"

    @property
    def is_missed(self) -> bool:
        """Whether the ratio misses the goal."""
        too_low = self.least is not None and self.ratio < self.least
        return too_low or (self.most is not None and self.ratio > self.most)


def record(figure: Figure) -> None:
    """Add a figure to the file of this run, if there is one."""
    if name := os.environ.get(FILE):
        with Path(name).open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(figure)) + "\n")


def read(path: Path) -> list[Figure]:
    """All figures of a run."""
    return [Figure(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def table(figures: list[Figure]) -> str:
    """One line per figure, in Markdown."""
    head = ("job", "ours", "peer", "ratio", "goal", "CPU s", "peak MB")
    rows = [
        (f.job, f.ours, f.peer, f"{f.ratio:.2f}", f.goal, f"{f.cpu:.1f}", f"{f.peak:.0f}")
        for f in figures
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = tuple("-" * width for width in widths)
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"
        for row in (head, rule, *rows)
    )


def peak() -> float:
    """Megabytes of this process at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
