"""ParaEval (Zhou, Lin & Hovy 2006): translations against references, crediting paraphrases.

Precision is the share of a hypothesis' words that are matched in its references (§3.3), recall that
of a reference's words matched in the hypothesis (§5). `paraeval_matching` has the matching;
docs/papers/paraeval.md has the decisions where the paper is silent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.metrics.base import Explanation, Metric, Span, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import Reading, as_read, sentence_of
from otherwords.metrics.paraeval_matching import (
    Match,
    Matching,
    ParaphraseSource,
    Search,
    Texts,
    Weights,
)
from otherwords.metrics.registry import register
from otherwords.models.paraphrase_model import KIND
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Sentence, Text

LEAST = 0.1  # least probability of a paraphrase if all paraphrases count the same
LEAST_WEIGHTED = 0.001  # the same if they count by their probability
TIERS = {1: "paraphrase", 2: "one-word paraphrase", 3: "word"}


class _ParaEval(Metric):
    """Base class of the variants: the paraphrases, the matching and how text is read.

    `model` is `surface` (the embedded Chinese pivots of words as they are written), `paraphrase`
    (those of stems, in four languages), another model of pivots, `meteor`, a file of pairs, what
    `pivot --sets` writes, or `none`; `languages` chooses some of a model's pivots.
    Paraphrases need a probability of `min_probability` and `min_length` words on both sides
    (§4.2). `matching` is `greedy`, as in the paper, or `exact`. A word of a paraphrase set that is
    matched as itself counts against the clip of its `set`, as Figure 4 has it, or with
    `identity="word"` against its own alone; with one reference the two are the same. Tokens without
    a letter or digit are no words unless `punctuation` is set.
    """

    version = 2  # 1 charged a word that matches itself to no set
    traits = Traits(low=0.0, high=1.0, english=True)
    matches_all = True
    longest = 5000
    # As the paper has it: all phrases, as they are written, that share a Chinese translation
    # (§3.2), paraphrases before words (§3.3).
    default_model: ClassVar[str] = "surface"
    pivot: ClassVar[str | None] = "zh"
    least: ClassVar[float] = 0.0  # default of `min_probability` with a model
    exact: ClassVar[bool] = False
    tiered: ClassVar[bool] = False
    explains_recall: ClassVar[bool] = False
    unset: ClassVar[Mapping[str, Any]] = {
        "model": default_model,
        "languages": pivot,
        "min_probability": least,
        "matching": "greedy",
    }

    def __init__(
        self,
        *,
        model: str | Path | None = None,
        languages: str | Sequence[str] | None = None,
        min_probability: float | None = None,
        min_length: int = 1,
        matching: str | None = None,
        identity: str = "set",
        case: bool = False,
        tokenizer: str = "penn",
        punctuation: bool = False,
        **common: Any,
    ) -> None:
        super().__init__(
            model=model,
            languages=languages,
            min_probability=min_probability,
            min_length=min_length,
            matching=matching,
            identity=identity,
            case=case,
            tokenizer=tokenizer,
            punctuation=punctuation,
            **common,
        )
        if model is None:  # only the model of stems has several languages
            model = self.default_model if languages is None else KIND
        if languages is None and model == KIND:
            languages = self.pivot
        paraphrases = ParaphraseSource(model, languages)
        # All pairs or sets that a user provides count.
        is_model = paraphrases.model is not None and not paraphrases.given
        least = self.least if is_model else 0.0
        self.matching = Matching(
            paraphrases,
            Search(
                least if min_probability is None else min_probability,
                min_length,
                matching or ("exact" if self.exact else "greedy"),
                identity,
            ),
            self.weights(),
            Reading(tokenizer, case, stem=False),
            check_flag("punctuation", punctuation),
            self.tiered,
        )

    def weights(self) -> Weights:
        return Weights()

    def signature_parts(self) -> dict[str, str]:
        return self.matching.signature

    def from_sums(self, sums: Array) -> float:
        return float(self.segment_scores(sums[None])[0])

    def segment_scores(self, statistics: Array) -> Array:
        return ratios(statistics[:, :3])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """The matches of the hypothesis, or for recall of each reference, as spans."""
        matches, by_reference = Texts(segments, self.matching).matches()
        hypothesis = self._sentence(segments.hypotheses[0])
        references = [self._sentence(target) for target in segments.targets[0]]
        if self.explains_recall:
            matches = [_swap(match, r) for r, row in enumerate(by_reference) for match in row]
        spans: list[list[Span]] = [[] for _ in references]
        for match in sorted(matches):
            spans[match.other].append(self._span(match, hypothesis, references[match.other]))
        return tuple(map(tuple, spans))

    def _sentence(self, text: Text) -> Sentence:
        return sentence_of(text, self.matching.reading.tokenizer)

    def _span(self, match: Match, hypothesis: Sentence, reference: Sentence) -> Span:
        mine = hypothesis.tokens[match.begin : match.end]
        theirs = reference.tokens[match.other_begin : match.other_end]
        licence = self.matching.paraphrases.licence(mine, theirs) if match.tier < 3 else ""
        same = match.tier == 3 or self.matching.reading.same(mine, theirs)
        if match.tier < 3 and same:
            licence = "the same words"
        left = _offsets(hypothesis, match.begin, match.end)
        right = _offsets(reference, match.other_begin, match.other_end)
        return Span(
            TIERS[match.tier] + (f" ({licence})" if licence else ""),
            "same" if same else "equivalent",
            match.probability,
            left,
            right,
            hypothesis.text[slice(*left)],
            reference.text[slice(*right)],
        )

    def explain_segment(self, segment: Segments) -> Explanation:
        return as_read(super().explain_segment(segment))


def _swap(match: Match, reference: int) -> Match:
    """A span of a reference found in the hypothesis, seen from the hypothesis."""
    return Match(
        match.other_begin,
        match.other_end,
        reference,
        match.begin,
        match.end,
        match.tier,
        match.probability,
    )


def _offsets(sentence: Sentence, begin: int, end: int) -> tuple[int, int]:
    return sentence.spans[begin][0], sentence.spans[end - 1][1]


@register
class ParaEvalPrecision(_ParaEval):
    """Precision (§3.3): the share of the hypothesis' words found in any of the references.

    Corpus scores are ratios of sums (§2.1).
    """

    name = "paraeval-p"
    version = 3  # 2 looked words up as stems and depended on the order of references
    cost = "fast"
    use = "ParaEval's precision."
    columns = ("matched", "words", "shortest reference", "proven", "segments")

    def compute(self, segments: Segments, threads: int) -> Array:
        texts = Texts(segments, self.matching)
        counts, _ = texts.counts(precision=True, recall=False, threads=threads)
        return precision_columns(texts, counts)


@register
class ParaEvalRecall(_ParaEval):
    """Recall (§5): the share of a single reference's words found in the hypothesis.

    `recall` chooses the reference: the `mean` of all, the `best`, or the number of one.
    """

    name = "paraeval-r"
    version = 3  # 2 looked words up as stems
    cost = "fast"
    use = "ParaEval's recall."
    columns: tuple[str, ...] = ("recalled", "reference words", "words", "proven", "segments")
    explains_recall = True

    def __init__(self, *, recall: str | int = "mean", **options: Any) -> None:
        self.recall = check_recall(recall)
        super().__init__(recall=recall, **options)

    def signature_parts(self) -> dict[str, str]:
        return {"recall": str(self.recall), **super().signature_parts()}

    def compute(self, segments: Segments, threads: int) -> Array:
        texts = Texts(segments, self.matching)
        _, counts = texts.counts(precision=False, recall=True, threads=threads)
        return recall_columns(texts, counts, self.recall)


@register
class ParaEvalF(ParaEvalRecall):
    """F of precision and single-reference recall, PR / (alpha P + (1 - alpha) R), with weights,
    which the paper leaves to future work (§7).

    A paraphrase counts its probability to the power `power`, a word its information -log10 p(word)
    to the power `idf`; 0 switches either off. `alpha` is MAXSIM's. All pivot languages count.
    """

    name = "paraeval-f"
    version = _ParaEval.version
    cost = "fast"
    use = "Translations, crediting paraphrases of the reference."
    columns = (*ParaEvalPrecision.columns[:3], *ParaEvalRecall.columns)
    default_model = "paraphrase"
    pivot = None
    least = LEAST_WEIGHTED
    exact = True
    explains_recall = False
    unset: ClassVar[Mapping[str, Any]] = {
        "model": default_model,
        "languages": "(all of the model)",
        "min_probability": least,
        "matching": "exact",
    }

    def __init__(
        self, *, power: float = 0.25, idf: float = 0.5, alpha: float = 0.8, **options: Any
    ) -> None:
        self._weights = Weights(words=idf, matches=power)
        self.alpha = check_number("alpha", alpha, 0, 1)
        super().__init__(alpha=alpha, power=power, idf=idf, **options)

    def weights(self) -> Weights:
        return self._weights

    def signature_parts(self) -> dict[str, str]:
        return {"alpha": f"{self.alpha:.12g}", **super().signature_parts()}

    def compute(self, segments: Segments, threads: int) -> Array:
        texts = Texts(segments, self.matching)
        mine, theirs = texts.counts(precision=True, recall=True, threads=threads)
        precision = precision_columns(texts, mine)
        recall = recall_columns(texts, theirs, self.recall)
        recall[:, 3] = np.minimum(recall[:, 3], precision[:, 3])
        return np.hstack([precision[:, :3], recall])

    def segment_scores(self, statistics: Array) -> Array:
        precision, recall = ratios(statistics[:, :3]), ratios(statistics[:, 3:6])
        both, mean = precision * recall, self.alpha * precision + (1 - self.alpha) * recall
        scores: Array = np.divide(both, mean, out=np.zeros(len(statistics)), where=both != 0)
        return scores


@register
class ParaEvalSummary(ParaEvalRecall):
    """Recall of a summary (Zhou, Lin, Munteanu & Hovy 2006): paraphrases of several words first,
    then of single words, then the words themselves, with an optimal matching in each tier.
    """

    name = "paraeval-summary"
    version = _ParaEval.version
    cost = "fast"
    use = "Summaries against reference summaries (ParaEval's recall)."
    default_model = "paraphrase"
    pivot = None
    least = LEAST
    exact = True
    tiered = True
    unset: ClassVar[Mapping[str, Any]] = {
        "model": default_model,
        "languages": "(all of the model)",
        "min_probability": least,
        "matching": "exact",
    }


def precision_columns(texts: Texts, counts: Array) -> Array:
    """Columns: words matched, words of the hypothesis and the shortest reference, proven, 1."""
    starts = np.cumsum(texts.sizes) - texts.sizes
    shortest = np.minimum.reduceat(texts.reference_words, starts)
    return np.column_stack([counts[:, :2], shortest, counts[:, 2], np.ones(len(counts))])


def recall_columns(texts: Texts, counts: Array, recall: str | int) -> Array:
    """Columns: words matched, words of the reference and the hypothesis, proven, 1.

    With several references, "mean" is the mean of their recalls, for a reference of mean length.
    """
    sizes, (matched, words, proven) = texts.sizes, counts.T
    starts = np.cumsum(sizes) - sizes
    alone = np.repeat(texts.hypothesis_words == 0, sizes)
    recalls = np.divide(matched, words, out=alone.astype(np.float64), where=words > 0)
    if recall == "mean":
        total = np.add.reduceat(words, starts) / sizes
        mean = np.add.reduceat(recalls, starts) / sizes
        recalled = np.where(sizes == 1, matched[starts], mean * total)
    else:
        chosen = starts + [
            _choose(mine, lengths, recall, segment)
            for segment, (mine, lengths) in enumerate(
                zip(np.split(recalls, starts[1:]), np.split(words, starts[1:]), strict=True), 1
            )
        ]
        recalled, total = matched[chosen], words[chosen]
    proven = np.minimum.reduceat(proven, starts)
    ones = np.ones(len(sizes))
    return np.column_stack([recalled, total, texts.hypothesis_words, proven, ones])


def _choose(recalls: Array, words: Array, recall: str | int, segment: int) -> int:
    """The place of the reference asked for, or of the best one; among equals, the longest."""
    if isinstance(recall, str):
        return int(np.lexsort((words, recalls))[-1])
    if recall > len(recalls):
        raise InputError(
            f"segment {segment} has no reference {recall}, which recall={recall} needs; "
            f"it has {len(recalls)}"
        )
    return recall - 1


def ratios(rows: Array) -> Array:
    """Words matched over all words; without words, 1 if the other side has none either, else 0.

    >>> ratios(np.array([[3.0, 4, 5], [0, 0, 5], [0, 0, 0]])).tolist()
    [0.75, 0.0, 1.0]
    """
    matched, words, others = rows.T
    shares: Array = np.divide(matched, words, out=(others == 0).astype(float), where=words != 0)
    return shares


def check_recall(recall: Any) -> str | int:
    """Check that `recall` is "mean", "best", or the number of a reference."""
    if isinstance(recall, str) and not recall.isdecimal():
        if recall not in ("mean", "best"):
            hint = near(recall, ["mean", "best"])
            raise UsageError(f"unknown recall '{recall}'; {hint}; or the number of a reference")
        return recall
    return check_whole("recall", int(recall) if isinstance(recall, str) else recall, 1, 10**6)
