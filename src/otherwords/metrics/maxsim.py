"""MAXSIM (Chan & Ng 2008): maximum-weight matching of n-grams with lemmas, tags, synonyms.

The matching itself is native/core/metrics/maxsim.cpp; here its counts become F scores (eq. 2)
and a mean. `docs/papers/maxsim.md` has the decisions where the paper is silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.metrics.base import MeanMetric, Span, Traits, Verdict
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array
from otherwords.text.annotator import Annotator
from otherwords.text.sentence import Sentence, Text

# The relations of MAXSIM_{n+d} (Chan & Ng 2008, ACL-08: HLT) by the labels of parsers.
RELATIONS = {
    **dict.fromkeys(["nsubj", "nsubj:pass", "nsubjpass", "csubj", "sbj", "subj"], "subject"),
    **dict.fromkeys(["obj", "dobj", "iobj"], "object"),
}
PHASES = {1: "lemma and tag", 2: "lemma", 3: "similarity"}
SYNONYMS = ("word", "synset")


@register
class MaxSim(MeanMetric):
    """Mean over n = 1..`orders` of F_n, each from a matching of the n-grams (MAXSIM §2).

    `alpha` weighs recall against precision in F = PR / (alpha P + (1 - alpha) R); the paper
    submitted 0.8 (§4) and has 0.9 in Table 2. `dependencies` adds the F of dependency triples
    (MAXSIM_{n+d}), subjects and objects; both sides must then be a parsed `Sentence`. Synonyms of
    two words share a `word` (eq. 1: all senses, so that `is` and `knows`, both `live`, are
    synonyms), or more strictly a `synset`. The other options set how text is annotated
    (`text.annotator.Annotator`).
    """

    name = "maxsim"
    version = 2  # 1 had our tokens and lemmas, and left out orders that neither side has
    cost = "fast"
    use = "Translations; the explanation shows which words match."
    traits = Traits(low=0.0, high=1.0, english=True)
    matches_all = True
    unset: ClassVar[Mapping[str, Any]] = {"lexicon": "(embedded)", "tagger": "(embedded)"}

    def __init__(
        self,
        *,
        alpha: float = 0.8,
        orders: int = 3,
        dependencies: bool = False,
        syn: str = "word",
        case: bool = False,
        tokenizer: str = "treebank",
        lexicon: str | None = None,
        tagger: str | None = None,
        **common: Any,
    ) -> None:
        resources: dict[str, Any] = {
            "case": case,
            "tokenizer": tokenizer,
            "lexicon": lexicon,
            "tagger": tagger,
        }
        super().__init__(
            alpha=alpha, orders=orders, dependencies=dependencies, syn=syn, **resources, **common
        )
        self.alpha = check_number("alpha", alpha, 0, 1)
        self.orders = check_whole("orders", orders, 1, 9)
        self.dependencies = check_flag("dependencies", dependencies)
        self._relations = RELATIONS if dependencies else None
        if syn not in SYNONYMS:
            raise UsageError(f"unknown syn '{syn}'; {near(str(syn), SYNONYMS)}")
        self.syn = syn
        self.annotator = Annotator(**resources, own_lemmas=False)
        synonyms = self.annotator.lexicon
        self._lexicon = synonyms.native if syn == "word" else synonyms.strict
        names = [f"f{n}" for n in range(1, self.orders + 1)]
        self.columns = ("score", *names, *(["fd"] if dependencies else []), "segments")

    def signature_parts(self) -> dict[str, str]:
        return {
            "alpha": f"{self.alpha:g}",
            "n": str(self.orders) + ("+d" if self.dependencies else ""),
            **({} if self.syn == "word" else {"syn": self.syn}),
            **self.annotator.signature,
        }

    def compute(self, segments: Segments, threads: int) -> Array:
        """Score and F scores of each segment, averaged over its references (§2.2)."""
        sizes = np.array([len(targets) for targets in segments.targets])
        return statistics_of(self.counts(segments, threads), sizes, self.alpha)

    def counts(self, segments: Segments, threads: int) -> Array:
        """For every hypothesis-reference pair and order: matched, system items, reference items."""
        place: dict[Text, int] = {}  # of distinct texts, each of which is annotated once
        left: list[int] = []
        right: list[int] = []
        for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True):
            here = place.setdefault(hypothesis, len(place))
            for target in targets:
                left.append(here)
                right.append(place.setdefault(target, len(place)))
        columns = self.annotator.columns(list(place), dependencies=self._relations, threads=threads)
        lefts, rights = np.array(left, np.int64), np.array(right, np.int64)
        options = self._lexicon, self.orders, self.dependencies
        try:
            flat: Array = _native.maxsim_counts(columns, lefts, rights, *options, threads)
        except ValueError as error:
            raise InputError(str(error)) from error
        return flat.reshape(len(left), -1, 3)

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        hypothesis = self.annotator.sentence(segments.hypotheses[0])
        return tuple(
            self._spans(hypothesis, self.annotator.sentence(target))
            for target in segments.targets[0]
        )

    def _spans(self, hypothesis: Sentence, reference: Sentence) -> tuple[Span, ...]:
        sides = [hypothesis, reference]
        columns = self.annotator.columns(sides, dependencies=self._relations)
        options = self._lexicon, self.orders, self.dependencies
        matches = _native.maxsim_matches(columns, 0, 1, *options)
        spans = []
        for order, phase, i, j, weight in matches:
            left, right = _stretch(hypothesis, i, order), _stretch(reference, j, order)
            how = _how(phase, order, weight, hypothesis, i, reference, j)
            kind = f"{order}-gram, {how}" if order else "dependency"
            texts = hypothesis.text[slice(*left)], reference.text[slice(*right)]
            verdict: Verdict = "same" if texts[0].lower() == texts[1].lower() else "equivalent"
            if how == "tag only":
                verdict = "unknown"
            spans.append(Span(kind, verdict, weight, left, right, *texts))
        return tuple(spans)


def statistics_of(counts: Array, sizes: NDArray[np.int64], alpha: float) -> Array:
    """Statistics from the counts of all pairs; `sizes` has each segment's number of references.

    >>> counts = np.array([[[3.0, 4.0, 6.0]]])  # of unigrams: P = 3/4, R = 1/2
    >>> statistics_of(counts, np.array([1]), alpha=0.8).round(4).tolist()
    [[0.5357, 0.5357, 1.0]]
    """
    matched, system, reference = np.moveaxis(counts, -1, 0)
    # F of eq. 2: PR / (alpha P + (1 - alpha) R) with P = m/s, R = m/r, so that it is
    # m / (alpha r + (1 - alpha) s); 0 if nothing matched.
    below = alpha * reference + (1 - alpha) * system
    has_f = (matched > 0) & (below > 0)
    f: Array = np.divide(matched, below, out=np.zeros_like(matched), where=has_f)
    has_words = (counts[:, 0, 1:] > 0).any(axis=-1)
    score = np.where(has_words, f.mean(axis=1), 1.0)  # two texts without words are equal
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(np.column_stack([score, f]), starts, axis=0) / sizes[:, None]
    return np.column_stack([means, np.ones(len(means))])


def _stretch(sentence: Sentence, position: int, order: int) -> tuple[int, int]:
    """Character offsets of an item: n words (punctuation in between is skipped), or a triple."""
    if order == 0:
        head = sentence.heads[position] if sentence.heads else position
        first, last = min(position, head), max(position, head)
        return sentence.spans[first][0], sentence.spans[last][1]
    words = [
        place
        for place in range(position, len(sentence.tokens))
        if _native.has_alphanumeric(sentence.tokens[place])
    ]
    return sentence.spans[position][0], sentence.spans[words[order - 1]][1]


def _how(
    phase: int,
    order: int,
    weight: float,
    hypothesis: Sentence,
    i: int,
    reference: Sentence,
    j: int,
) -> str:
    """The phase in words; for two similar words, what makes them similar (eq. 1)."""
    if (phase, order) != (3, 1):
        return PHASES[phase]
    if weight == 1:
        return "synonym and tag"
    tags = hypothesis.tags, reference.tags
    same = tags[0] is not None and tags[1] is not None and tags[0][i] == tags[1][j]
    return "tag only" if same else "synonym"
