"""Aligning the words of files: `otherwords align`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from otherwords.build.bitext.aligner import Aligner, Training, looks_monolingual
from otherwords.build.bitext.clean import LineReport
from otherwords.build.bitext.corpus import Bitext, Side, check_tokenizers
from otherwords.build.bitext.intermediate import compose
from otherwords.build.bitext.links import Links, pharaoh
from otherwords.build.bitext.reading import read_bitext
from otherwords.corpus.findings import Finding
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, paths_of

__all__ = ["AlignedBitext", "AlignmentSettings", "align_files", "align_through"]

ITERATIONS = 5


@dataclass(frozen=True)
class AlignmentSettings:
    """How text is read and aligned, by an aligner that is trained on it or by a saved `model`.

    A model stores how its text was read; a tokenizer other than `auto` overrides this. For training
    there are `iterations` (of each model; 5), `monolingual` (unless given, the words decide),
    `prune` (leave out pairs of words with a smaller share of the co-occurrences of both; 0) and
    `save`, the file that the trained aligner is written to.
    """

    model: str | None = None
    save: str | None = None
    iterations: int | None = None
    monolingual: bool | None = None
    tokenizer: str = "auto"
    case: bool = False
    heuristic: str = "posterior"
    threshold: float = 0.3
    threads: int = 1
    prune: float | None = None

    def __post_init__(self) -> None:
        check_tokenizers(self.tokenizer)
        for name in ("save", "iterations", "monolingual", "prune"):
            if self.model is not None and getattr(self, name) is not None:
                raise UsageError(
                    f"'{name}' is for training; the aligner {self.model} is already trained"
                )

    @cached_property
    def loaded(self) -> Aligner | None:
        """The saved aligner, if there is one."""
        return None if self.model is None else Aligner.load(self.model)

    @property
    def reading(self) -> tuple[str, bool]:
        """The tokenizer and whether case is kept."""
        if self.loaded is None or self.tokenizer != "auto":
            return self.tokenizer, self.case
        return self.loaded.tokenizer, self.loaded.case or self.case

    def read(
        self, paths: Sequence[str], warn: Callable[[Finding], None]
    ) -> tuple[Bitext, LineReport]:
        """The words of bitexts."""
        tokenizer, case = self.reading
        return read_bitext(paths, tokenizer, case=case, warn=warn)

    def aligner(self, text: Bitext, tick: Callable[[], None]) -> Aligner:
        """The saved aligner, or one that is trained on the text, and saved if that is wanted."""
        if self.loaded is not None:
            return self.loaded
        count = ITERATIONS if self.iterations is None else self.iterations
        one = looks_monolingual(text) if self.monolingual is None else self.monolingual
        training = Training(
            model1_iterations=count,
            hmm_iterations=count,
            prune=self.prune or 0.0,
            monolingual=one,
        )
        aligner = Aligner.train(text, training, threads=self.threads, tick=tick)
        aligner.tokenizer, aligner.case = self.reading
        if self.save is not None:
            aligner.save(self.save)
        return aligner

    def align(self, aligner: Aligner, text: Bitext) -> tuple[Links, NDArray[np.float32]]:
        """The links of a bitext, and the posterior of each."""
        return aligner.align(
            text, heuristic=self.heuristic, threshold=self.threshold, threads=self.threads
        )


@dataclass(frozen=True)
class AlignedBitext:
    """A bitext with the links of its words, their posteriors, and a report on bad lines. Composed
    links have no posteriors.
    """

    bitext: Bitext
    links: Links
    posteriors: NDArray[np.float32] | None
    report: LineReport

    def lines(self, *, posteriors: bool = False) -> Iterator[str]:
        """Pharaoh links `i-j`, or `i-j:p` with posteriors, one line per sentence pair."""
        if posteriors and self.posteriors is None:
            raise UsageError("links through another text have no posteriors")
        return pharaoh(self.links, self.posteriors if posteriors else None)


def align_files(
    paths: Sequence[str] = (STDIN,),
    settings: AlignmentSettings | None = None,
    *,
    warn: Callable[[Finding], None] = lambda finding: None,
    tick: Callable[[], None] = lambda: None,
) -> AlignedBitext:
    """Align the words of bitexts, which are read in sequence. `warn` is called with findings about
    lines, `tick` after each training iteration.
    """
    how, paths = settings or AlignmentSettings(), paths_of(paths)
    text, report = how.read(paths, warn)
    if not report.kept:
        raise InputError("no line holds a sentence pair that can be aligned", path=paths[0])
    links, posteriors = how.align(how.aligner(text, tick), text)
    return AlignedBitext(text, links, posteriors, report)


def align_through(
    first: Sequence[str],
    second: Sequence[str],
    settings: AlignmentSettings | None = None,
    *,
    warn: Callable[[Finding], None] = lambda finding: None,
    tick: Callable[[], None] = lambda: None,
) -> AlignedBitext:
    """Align two translations of one text through it (ParaMetric §7.1).

    Both bitexts have a translation on the left and the same source text on the right, line by
    line. One aligner, trained on both or saved, links each translation with the source; words of
    the two translations that are linked to the same source word are linked with each other.
    """
    how, paths = settings or AlignmentSettings(), [paths_of(first), paths_of(second)]
    if STDIN in (*paths[0], *paths[1]):
        raise UsageError("two bitexts are read side by side: give files, not '-'")
    size = how.read(paths[0], lambda finding: None)[0].size
    text, report = how.read([*paths[0], *paths[1]], warn)
    if text.size != 2 * size:
        lines = f"{size} lines here but {text.size - size} in {paths[1][0]}"
        raise InputError(f"both bitexts must have the same source: {lines}", path=paths[0][0])
    for number in range(size):
        if text.right.sentence(number) != text.right.sentence(size + number):
            message = f"the source of pair {number + 1} is not that of {paths[1][0]}"
            raise InputError(message, path=paths[0][0], line=number + 1)
    if not report.kept:
        raise InputError("no line holds a sentence pair that can be aligned", path=paths[0][0])
    links, _ = how.align(how.aligner(text, tick), text)
    halves = [_part(links, 0, size), _part(links, size, 2 * size)]
    sides = (_side(text.left, 0, size), _side(text.left, size, 2 * size))
    return AlignedBitext(Bitext(*sides), compose(*halves), None, report)


def _part(links: Links, begin: int, end: int) -> Links:
    """The links of some of the sentence pairs."""
    bounds = links.bounds[begin : end + 1]
    part = slice(bounds[0], bounds[-1])
    return Links(links.left[part], links.right[part], bounds - bounds[0])


def _side(side: Side, begin: int, end: int) -> Side:
    """Some of the sentences of a side."""
    bounds = side.bounds[begin : end + 1]
    return Side(side.tokens[bounds[0] : bounds[-1]], bounds - bounds[0], side.words)
