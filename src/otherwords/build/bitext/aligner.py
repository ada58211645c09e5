"""Word alignment: IBM model 1, then two HMMs that are trained to agree.

Liang, Taskar & Klein (2006): hidden Markov models (Vogel et al. 1996) of both directions share
their expected counts, the products of their posteriors. The translation tables have sparse
Dirichlet priors (Riley & Gildea 2012) that know the stems of words
(docs/decisions/bitext.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.bitext.corpus import Bitext, Side
from otherwords.build.bitext.evidence import Evidence, monolingual, nothing
from otherwords.build.bitext.links import SYMMETRISATIONS, Links
from otherwords.errors import ModelError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.models import container
from otherwords.models.checks import check_bounds, check_range
from otherwords.models.strings import Strings
from otherwords.text.language import is_foreign

__all__ = ["HEURISTICS", "Aligner", "Training", "looks_monolingual"]

KIND = "aligner"
HEURISTICS = ("posterior", *SYMMETRISATIONS)
_STEM = 5  # letters
_OVERLAP = 0.2
_NO_TEXT = Bitext(*(Side(np.zeros(0, np.uint32), np.zeros(1, np.int64), []) for _ in range(2)))


@dataclass(frozen=True)
class Training:
    """How an aligner is trained; docs/decisions/bitext.md has the reasons for the defaults."""

    model1_iterations: int = 5
    hmm_iterations: int = 5
    null_probability: float = 0.2
    alpha: float = 0.1
    stem_weight: float = 2.0
    prune: float = 0.0
    max_words: int = 1000
    monolingual: bool = False

    def __post_init__(self) -> None:
        check_whole("model1_iterations", self.model1_iterations, 1, 100)
        check_whole("hmm_iterations", self.hmm_iterations, 0, 100)
        check_number("null_probability", self.null_probability, 1e-4, 0.9)
        check_number("alpha", self.alpha, 0, 10)
        check_number("stem_weight", self.stem_weight, 0, 1000)
        check_number("prune", self.prune, 0, 0.1)
        check_whole("max_words", self.max_words, 1, 2000)
        check_flag("monolingual", self.monolingual)


class Aligner:
    """A trained aligner: translation tables and jumps in both directions.

    >>> from otherwords.build.bitext.corpus import encode
    >>> text = Bitext(encode(["a cat", "a dog", "dog"]), encode(["un chat", "un chien", "chien"]))
    >>> links, posteriors = Aligner.train(text).align(text)
    >>> links.sentence(0), links.sentence(1)
    ([(0, 0), (1, 1)], [(0, 0), (1, 1)])
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        left: list[str],
        right: list[str],
        training: Training,
    ) -> None:
        self.arrays = dict(arrays)
        self.left = left
        self.right = right
        self.training = training
        # How its text was read, for text that it will align.
        self.tokenizer = "auto"
        self.case = False

    @classmethod
    def train(
        cls,
        bitext: Bitext,
        training: Training | None = None,
        *,
        threads: int = 1,
        tick: Callable[[], None] = lambda: None,
    ) -> Aligner:
        """Learn from a bitext. `tick` is called after each iteration."""
        how = training or Training()
        left, right = bitext
        evidence = monolingual(bitext, how.max_words) if how.monolingual else nothing()
        arrays = _native.train_aligner(
            left.native,
            right.native,
            evidence,
            model1_iterations=how.model1_iterations,
            hmm_iterations=how.hmm_iterations,
            null_probability=how.null_probability,
            alpha=how.alpha,
            stem_weight=how.stem_weight,
            prune=how.prune,
            left_stems=_stems(left),
            right_stems=_stems(right),
            max_words=how.max_words,
            threads=check_whole("threads", threads, 1, 1024),
            tick=tick,
        )
        return cls(arrays, list(left.words), list(right.words), how)

    def align(
        self,
        bitext: Bitext,
        *,
        heuristic: str = "posterior",
        threshold: float = 0.3,
        threads: int = 1,
    ) -> tuple[Links, NDArray[np.float32]]:
        """The links of a bitext, and the posterior of each.

        `posterior` links words whose posterior, the geometric mean of both directions, is above
        the threshold. The other heuristics join the most likely links of each direction.
        """
        if heuristic not in HEURISTICS:
            raise UsageError(f"unknown heuristic '{heuristic}'; {near(heuristic, HEURISTICS)}")
        known = Bitext(_known(bitext.left, self.left), _known(bitext.right, self.right))
        left, right, bounds, posteriors = _native.align(
            self._table(known),
            known.left.native,
            known.right.native,
            heuristic=heuristic,
            threshold=check_number("threshold", threshold, 0, 1),
            null_probability=self.training.null_probability,
            max_words=self.training.max_words,
            threads=check_whole("threads", threads, 1, 1024),
        )
        return Links(left, right, bounds), posteriors

    def _table(self, bitext: Bitext) -> dict[str, NDArray[Any]]:
        """The arrays; with entries for new words that look like their counterparts."""
        new = len(bitext.left.words) > len(self.left) or len(bitext.right.words) > len(self.right)
        if not self.training.monolingual or not new:
            return self.arrays
        evidence = monolingual(bitext, self.training.max_words)
        unseen = (evidence.left >= len(self.left)) | (evidence.right >= len(self.right))
        left, right, counts = evidence
        new_pairs = Evidence(left[unseen], right[unseen], counts[unseen])
        return _extended(self.arrays, new_pairs, bitext.left)

    def save(self, path: str | Path) -> None:
        """Write the aligner to a model file."""
        arrays = dict(self.arrays)
        for side, words in (("left", self.left), ("right", self.right)):
            arrays[f"{side}/words"], arrays[f"{side}/bounds"] = Strings.of(words)
        reading = {"tokenizer": self.tokenizer, "case": self.case}
        training = asdict(self.training)
        if not self.training.prune:
            del training["prune"]  # the bytes of aligners that nothing was pruned from
        provenance = {"training": training, "reading": reading}
        container.write(path, KIND, arrays, provenance)

    @classmethod
    def load(cls, path: str | Path) -> Aligner:
        """Open an aligner that was saved."""
        model = container.read(path, KIND)
        try:
            training = Training(**model.provenance["training"])
            left, right = (_words(model, side) for side in ("left", "right"))
            aligner = cls(model.arrays, left, right, training)
            check_range("right", model.arrays["right"], len(right))
            aligner.align(_NO_TEXT)  # looks at all arrays
            reading = model.provenance["reading"]
            aligner.tokenizer, aligner.case = str(reading["tokenizer"]), bool(reading["case"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: this aligner does not fit this version: {error}") from error
        return aligner


def _words(model: container.Model, side: str) -> list[str]:
    strings = Strings(model.arrays[f"{side}/words"], model.arrays[f"{side}/bounds"])
    check_bounds(f"{side}/words", strings.bounds, len(strings.bytes))
    return [strings.text(row) for row in range(len(strings.bounds) - 1)]


def looks_monolingual(bitext: Bitext) -> bool:
    """Whether both sides are English: neither is foreign, and they share many words."""
    shared = total = 0
    sample: list[list[str]] = [[], []]
    for number in range(0, bitext.size, max(1, bitext.size // 200)):
        left, right = (side.sentence(number) for side in bitext)
        words = [word for word in left if any(c.isalpha() for c in word)]
        shared += sum(word in right for word in words)
        total += len(words)
        sample[0] += words
        sample[1] += [word for word in right if any(c.isalpha() for c in word)]
    return shared > _OVERLAP * total and not any(map(is_foreign, sample))


def _stems(side: Side) -> tuple[NDArray[np.uint32], int]:
    """The first letters of every word, numbered."""
    ids: dict[str, int] = {}
    stems = [ids.setdefault(word[:_STEM], len(ids)) for word in side.words]
    return np.array(stems, np.uint32), len(ids)


def _known(side: Side, words: list[str]) -> Side:
    """The side in the ids of a model; words that it does not know follow its own."""
    if side.words == words:
        return side
    ids = {word: number for number, word in enumerate(words)}
    mapped = np.array([ids.setdefault(word, len(ids)) for word in side.words], np.uint32)
    tokens = mapped[side.tokens] if len(side.tokens) else side.tokens
    return Side(tokens, side.bounds, list(ids))


def _extended(
    arrays: Mapping[str, NDArray[Any]], evidence: Evidence, left: Side
) -> dict[str, NDArray[Any]]:
    """The table with entries for pairs of new words: their pseudo-counts as if seen alone."""
    sizes = np.diff(arrays["rows"])
    rows = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes.astype(np.int64))
    chance = evidence.counts / (evidence.counts + 1)
    words = np.concatenate([rows, evidence.left])
    others = np.concatenate([arrays["right"], evidence.right])
    order = np.lexsort((others, words))
    counts = np.bincount(words, minlength=len(left.words))
    return {
        **arrays,
        "rows": np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64),
        "right": others[order],
        "to_right": np.concatenate([arrays["to_right"], chance])[order].astype(np.float32),
        "to_left": np.concatenate([arrays["to_left"], chance])[order].astype(np.float32),
    }
