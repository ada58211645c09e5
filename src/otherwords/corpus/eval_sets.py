"""Test sets in the folders of mt-metrics-eval (its README, "File organization").

sources/SRC-TGT.txt                     one segment per line
documents/SRC-TGT.docs                  DOMAIN DOCUMENT of each segment
references/SRC-TGT.NAME.txt
system-outputs/SRC-TGT/NAME.txt         systems, and references that are scored like them
human-scores/SRC-TGT.NAME.seg.score     SYSTEM SCORE, or None, system by system
metric-scores/SRC-TGT/NAME-REF.{seg,sys}.score
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from otherwords.corpus.columns import Chosen
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import read_lines

__all__ = ["EvalSet", "find_eval_sets", "number_of", "read_blocks", "score_pair"]

_OUTPUTS, _SOURCES = "system-outputs", "sources"


@dataclass(frozen=True)
class EvalSet:
    """One language pair of a test set, and the names of the references that are used."""

    folder: Path
    langs: str
    references: tuple[str, ...]
    uses_all: bool = True

    @property
    def reference_name(self) -> str:
        """What files of metric scores are named after."""
        several = len(self.references) > 1
        return "all" if several and self.uses_all else ".".join(self.references) or "src"

    def rows(self) -> Iterator[Row]:
        """The outputs of each system but those that are used as references."""
        sources = _segments(self.folder / _SOURCES / f"{self.langs}.txt")
        texts = [
            self._beside(sources, f"references/{self.langs}.{name}.txt") for name in self.references
        ]
        several = list(zip(*texts, strict=True)) or [()] * len(sources)
        docs: list[str] | list[None] = [None] * len(sources)
        if (self.folder / f"documents/{self.langs}.docs").is_file():
            docs = [_document(*one) for one in self._numbered(sources)]
        files = sorted((self.folder / _OUTPUTS / self.langs).glob("*.txt"))
        human = self._human([file.stem for file in files], len(sources))
        for file in files:
            if file.stem in self.references:
                continue
            outputs = self._beside(sources, f"{_OUTPUTS}/{self.langs}/{file.name}")
            for place, text in enumerate(outputs):
                said = {
                    name: scores[file.stem][place]
                    for name, scores in human.items()
                    if file.stem in scores and not math.isnan(scores[file.stem][place])
                }
                yield Row(
                    *(text, several[place], sources[place], file.stem, str(place + 1)),
                    docs[place],
                    said,
                    langs=self.langs,
                    path=str(file),
                    line=place + 1,
                )

    def _beside(self, sources: Sequence[str], name: str) -> list[str]:
        """The lines of a file that has one for each source."""
        found = _segments(self.folder / name)
        if len(found) != len(sources):
            message = f"there are {len(found)} lines here but {len(sources)} in {_SOURCES}/"
            raise InputError(f"{message}{self.langs}.txt", path=str(self.folder / name))
        return found

    def _numbered(self, sources: Sequence[str]) -> Iterator[tuple[str, int, str]]:
        name = f"documents/{self.langs}.docs"
        for number, line in enumerate(self._beside(sources, name), 1):
            yield str(self.folder / name), number, line

    def _human(self, systems: Sequence[str], segments: int) -> dict[str, dict[str, list[float]]]:
        """The scores of segments by name and system."""
        found = {}
        start, end = f"{self.langs}.", ".seg.score"
        for path in sorted((self.folder / "human-scores").glob(f"{start}*{end}")):
            scores = read_blocks(str(path))
            for system, mine in scores.items():
                if system not in systems:
                    message = f"there is no system '{system}'; {near(system, systems)}"
                    raise InputError(message, path=str(path))
                if len(mine) != segments:
                    message = f"'{system}' has {len(mine)} scores for {segments} segments"
                    raise InputError(message, path=str(path))
            found[path.name.removeprefix(start).removesuffix(end)] = scores
        return found


def find_eval_sets(path: str | Path, columns: Chosen | None = None) -> list[EvalSet]:
    """The language pairs of a test set (`wmt22`), or one of them (`wmt22/en-de`); none if this is
    no such folder. `columns` may choose references by their names (`{"references": ["refA"]}`).
    """
    folder, langs = Path(path), "*"
    if not _has_layout(folder):
        folder, langs = folder.parent, folder.name
    if not _has_layout(folder):
        return []
    known = sorted(file.stem for file in (folder / _SOURCES).glob("*.txt"))
    if langs != "*" and langs not in known:
        raise InputError(f"there is no language pair '{langs}'; {near(langs, known)}", path=folder)
    wanted = known if langs == "*" else [langs]
    return [_with_references(folder, one, columns or {}) for one in wanted]


def _has_layout(folder: Path) -> bool:
    return (folder / _SOURCES).is_dir() and (folder / _OUTPUTS).is_dir()


def _with_references(folder: Path, langs: str, columns: Chosen) -> EvalSet:
    files = (folder / "references").glob(f"{langs}.*.txt")
    known = tuple(sorted(file.stem.removeprefix(f"{langs}.") for file in files))
    chosen: tuple[str, ...] = ()
    for field, names in columns.items():
        if field not in ("reference", "references"):
            raise UsageError(f"--columns {field}: of a test set only the references can be chosen")
        chosen = (names,) if isinstance(names, str) else tuple(names)
    for name in chosen:
        if name not in known:
            raise UsageError(f"{folder}: {langs} has no reference '{name}'; {near(name, known)}")
    return EvalSet(folder, langs, chosen or known, uses_all=not chosen or set(chosen) == set(known))


def _segments(path: Path) -> list[str]:
    return list(read_lines(path))


def _document(path: str, number: int, line: str) -> str:
    cells = line.split()
    if len(cells) != 2:
        message = f"a line is DOMAIN DOCUMENT, not {len(cells)} columns"
        raise InputError(message, path=path, line=number)
    return cells[1]


def read_blocks(path: str) -> dict[str, list[float]]:
    """The scores of each system in a file of `SYSTEM SCORE` lines, NaN where there is none."""
    found: dict[str, list[float]] = {}
    for number, line in enumerate(read_lines(path), 1):
        system, score = score_pair(line, path, number)
        found.setdefault(system, []).append(score)
    return found


def score_pair(line: str, path: str, number: int) -> tuple[str, float]:
    """A line `SYSTEM SCORE`.

    >>> score_pair("Online-A\\t0.25", "comet.seg.score", 1)
    ('Online-A', 0.25)
    """
    cells = line.split()
    if len(cells) != 2:
        message = f"a line is SYSTEM SCORE, not {len(cells)} columns"
        raise InputError(message, path=path, line=number)
    return cells[0], number_of("score", cells[1], path, number)


def number_of(name: str, value: Any, path: str, line: int | None) -> float:
    """A score as a number; NaN if there is none (`None`, `null`, nothing).

    >>> number_of("comet", "0.5", "comet.tsv", 1), number_of("comet", "None", "comet.tsv", 2)
    (0.5, nan)
    """
    if value is None or value in ("", "None"):
        return math.nan
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        shown = json.dumps(value, ensure_ascii=False, default=str)[:60]
        raise InputError(f"the score '{name}' is {shown}, not a number", path=path, line=line)
    return number
