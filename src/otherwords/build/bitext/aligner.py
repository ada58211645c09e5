"""Word alignment: IBM model 1, then two HMMs that are trained to agree.

Liang, Taskar & Klein (2006): hidden Markov models (Vogel et al. 1996) of both directions share
their expected counts, the products of their posteriors. The translation tables have sparse
Dirichlet priors (Riley & Gildea 2012) that depend on the stems of words (docs/decisions/bitext.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.bitext.corpus import Bitext, Side
from otherwords.build.bitext.links import SYMMETRISATIONS, Links
from otherwords.errors import ModelError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.models import container
from otherwords.models.arrays import Strings, check_bounds, check_range
from otherwords.models.container import embedded
from otherwords.models.paraphrase_model import PivotTable
from otherwords.text.language import is_foreign
from otherwords.text.lexicon import Lexicon
from otherwords.text.stemmer import stem

KIND = "aligner"
HEURISTICS = ("posterior", *SYMMETRISATIONS)
_STEM = 5  # letters
_OVERLAP = 0.2  # minimum share of common words in a bitext of English and English
_NO_TEXT = Bitext(*(Side(np.zeros(0, np.uint32), np.zeros(1, np.int64), []) for _ in range(2)))


@dataclass(frozen=True)
class Training:
    """Settings of the training; docs/decisions/bitext.md has the reasons for the defaults."""

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
        self.tokenizer = "auto"  # how the training text was read, and text to align should be
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
        """Train an aligner on a bitext.

        Parameters
        ----------
        bitext
            The text; sentences longer than `training.max_words` are skipped.
        training
            Iterations, priors and limits.
        threads
            The number of threads; results do not depend on it.
        tick
            Called after each iteration.
        """
        training = training or Training()
        left, right = bitext
        evidence = monolingual(bitext, training.max_words) if training.monolingual else _NO_EVIDENCE
        arrays = _build.train_aligner(
            left.native,
            right.native,
            evidence,
            model1_iterations=training.model1_iterations,
            hmm_iterations=training.hmm_iterations,
            null_probability=training.null_probability,
            alpha=training.alpha,
            stem_weight=training.stem_weight,
            prune=training.prune,
            left_stems=_stems(left),
            right_stems=_stems(right),
            max_words=training.max_words,
            threads=check_whole("threads", threads, 1, 1024),
            tick=tick,
        )
        return cls(arrays, list(left.words), list(right.words), training)

    def align(
        self,
        bitext: Bitext,
        *,
        heuristic: str = "posterior",
        threshold: float = 0.3,
        threads: int = 1,
    ) -> tuple[Links, NDArray[np.float32]]:
        """Link the words of a bitext; returns the links and the posterior of each.

        Parameters
        ----------
        bitext
            The text; words unknown to the aligner are linked only by similarity.
        heuristic
            `posterior` links words whose posterior, the geometric mean of both directions, is
            above the threshold; the others join the most likely links of each direction.
        threshold
            The threshold of the posterior.
        threads
            The number of threads; results do not depend on it.
        """
        if heuristic not in HEURISTICS:
            raise UsageError(f"unknown heuristic '{heuristic}'; {near(heuristic, HEURISTICS)}")
        known = Bitext(_with_ids(bitext.left, self.left), _with_ids(bitext.right, self.right))
        left, right, bounds, posteriors = _build.align(
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
        """Return the table, with entries added for new words that look like their counterparts."""
        new = len(bitext.left.words) > len(self.left) or len(bitext.right.words) > len(self.right)
        if not self.training.monolingual or not new:
            return self.arrays
        evidence = monolingual(bitext, self.training.max_words)
        unseen = (evidence.left >= len(self.left)) | (evidence.right >= len(self.right))
        left, right, counts = evidence
        new_pairs = Evidence(left[unseen], right[unseen], counts[unseen])
        return _extend(self.arrays, new_pairs, bitext.left)

    def save(self, path: str | Path) -> None:
        arrays = dict(self.arrays)
        for side, words in (("left", self.left), ("right", self.right)):
            arrays[f"{side}/words"], arrays[f"{side}/bounds"] = Strings.of(words)
        reading = {"tokenizer": self.tokenizer, "case": self.case}
        training = asdict(self.training)
        if not self.training.prune:
            del training["prune"]  # keeps the files of unpruned aligners unchanged
        provenance = {"training": training, "reading": reading}
        container.write(path, KIND, arrays, provenance)

    @classmethod
    def load(cls, path: str | Path) -> Aligner:
        model = container.read(path, KIND)
        try:
            training = Training(**model.provenance["training"])
            left, right = (_read_words(model, side) for side in ("left", "right"))
            aligner = cls(model.arrays, left, right, training)
            check_range("right", model.arrays["right"], len(right))
            aligner.align(_NO_TEXT)  # checks all arrays
            reading = model.provenance["reading"]
            aligner.tokenizer, aligner.case = str(reading["tokenizer"]), bool(reading["case"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: this aligner does not fit this version: {error}") from error
        return aligner


def _read_words(model: container.Model, side: str) -> list[str]:
    strings = Strings(model.arrays[f"{side}/words"], model.arrays[f"{side}/bounds"])
    check_bounds(f"{side}/words", strings.bounds, len(strings.bytes))
    return [strings.text(row) for row in range(len(strings.bounds) - 1)]


def looks_monolingual(bitext: Bitext) -> bool:
    """Whether both sides look like English and share many words."""
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
    """Number the first letters of every word."""
    ids: dict[str, int] = {}
    stems = [ids.setdefault(word[:_STEM], len(ids)) for word in side.words]
    return np.array(stems, np.uint32), len(ids)


def _with_ids(side: Side, words: list[str]) -> Side:
    """Renumber a side by the ids of a model; unknown words get the ids after them."""
    if side.words == words:
        return side
    return side.renumber(side.words, {word: number for number, word in enumerate(words)})


def _extend(
    arrays: Mapping[str, NDArray[Any]], evidence: Evidence, left: Side
) -> dict[str, NDArray[Any]]:
    """Add entries for pairs of new words, estimated from their pseudo-counts alone."""
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


# Evidence for two words of one language, in pseudo-counts.
IDENTICAL = 5.0
SAME_STEM = 2.0
SYNONYM = 1.0
ALIKE = 0.5
PIVOTED = 60.0  # multiplied by the probability of the paraphrase
_LEAST = 0.001  # the smallest probability of a paraphrase that counts
_PREFIX = 5
_TAGS = ("NNS", "VBD", "JJR")


class Evidence(NamedTuple):
    """Pairs of word ids with their pseudo-counts."""

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    counts: NDArray[np.float32]


_NO_EVIDENCE = Evidence(np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.float32))


def monolingual(bitext: Bitext, max_words: int) -> Evidence:
    """Find evidence for pairs of words that occur together in a bitext of English and English.

    Identical words, words of one stem, words with a synonym in common, words spelt alike and words
    that other languages translate alike are likely to mean the same. Each kind adds
    pseudo-counts to the prior of the translation table (docs/decisions/bitext.md).

    >>> from otherwords.build.bitext.corpus import encode
    >>> evidence = monolingual(Bitext(encode(["big cars"]), encode(["large car"])), 100)
    >>> sorted(evidence.counts.tolist())[-1] > 2
    True
    """
    left, right = bitext
    lefts, rights = _build.cooccurring(left.native, right.native, max_words)
    counts = np.zeros(len(lefts), np.float32)
    for worth, mask in (
        (ALIKE, _same(_prefixes(left.words), _prefixes(right.words), lefts, rights)),
        (SYNONYM, _synonyms(list(left.words), list(right.words), lefts, rights)),
        (SAME_STEM, _same(stem(left.words), stem(right.words), lefts, rights)),
        (IDENTICAL, _same(list(left.words), list(right.words), lefts, rights)),
    ):
        counts[mask] = worth
    counts += _pivot_worth(stem(left.words), stem(right.words), lefts, rights)
    known = counts > 0
    return Evidence(lefts[known], rights[known], counts[known])


Mask = NDArray[np.bool_]
Ids = NDArray[np.uint32]


def _same(left: list[str], right: list[str], lefts: Ids, rights: Ids) -> Mask:
    """Return which pairs have the same form; empty forms are never the same."""
    ids: dict[str, int] = {"": 0}
    left_ids, right_ids = (
        np.array([ids.setdefault(form, len(ids)) for form in forms], np.int64)
        for forms in (left, right)
    )
    same: Mask = (left_ids[lefts] == right_ids[rights]) & (left_ids[lefts] > 0)
    return same


def _prefixes(words: Sequence[str]) -> list[str]:
    return [w[:_PREFIX] if len(w) >= _PREFIX and w.isalpha() else "" for w in words]


def _synonyms(left: list[str], right: list[str], lefts: Ids, rights: Ids) -> Mask:
    native = Lexicon.load().native
    mask = np.zeros(len(lefts), np.bool_)
    for tag in _TAGS:
        left_lemmas = native.lemmatize(left, [tag] * len(left), False)
        right_lemmas = native.lemmatize(right, [tag] * len(right), False)
        mask |= native.synonym_mask(left_lemmas, right_lemmas, lefts, rights).astype(np.bool_)
    return mask


def _pivot_worth(left: list[str], right: list[str], lefts: Ids, rights: Ids) -> NDArray[np.float32]:
    """Return pseudo-counts of paraphrases in the embedded pivot tables; identical words get 0."""
    model = container.read(embedded("paraphrase"), "paraphrase")
    tables = [PivotTable(model.section(f"pivot/{name}")) for name in model.sections("pivot")]
    total = np.zeros(len(lefts), np.float32)
    for table in tables:
        total += table.native.paraphrase_probabilities(left, right, lefts, rights)
    mean = total / np.float32(len(tables))
    mean[(mean < _LEAST) | _same(left, right, lefts, rights)] = 0
    worth: NDArray[np.float32] = np.float32(PIVOTED) * mean
    return worth
