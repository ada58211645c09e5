"""ParaEval (Zhou, Lin & Hovy 2006): translations against references, crediting paraphrases.

`paraeval_matching` finds the words of a hypothesis in its references (precision, §3.3) and those
of every single reference in the hypothesis (recall, §5); here their counts become scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.metrics.base import Array, Explanation, Metric, Span, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import Reading, as_read, sentence_of
from otherwords.metrics.paraeval_matching import (
    Found,
    Matching,
    ParaphraseSource,
    Search,
    Texts,
    Weights,
)
from otherwords.metrics.registry import cached, register
from otherwords.text.sentence import Sentence, Text

__all__ = [
    "ParaEvalF",
    "ParaEvalPrecision",
    "ParaEvalRecall",
    "ParaEvalSummary",
    "paraeval_f",
    "paraeval_precision",
    "paraeval_recall",
    "paraeval_summary",
]

LEAST = 0.1  # probability of a paraphrase that counts as much as the words themselves
LEAST_WEIGHTED = 0.001  # of one that counts by its probability
TIERS = {1: "paraphrase", 2: "one-word paraphrase", 3: "word"}


class _ParaEval(Metric):
    """What all variants share: the paraphrases, the matching and how text is read.

    `table` is `paraphrase` (the embedded pivots), another model of pivots, `meteor`, a file of
    pairs, what `pivot --sets` writes, or `none`; `languages` chooses some of a model's pivots.
    Paraphrases need a probability of `min_probability` and `min_length` words on both sides
    (§4.2). `matching` is `greedy`, as in the paper, or `exact`. A word of a paraphrase set that is
    matched as itself counts against the clip of its `set`, as Figure 4 has it, or with
    `identity="word"` against its own alone; with one reference the two are the same. Tokens without
    a letter or digit are no words unless `punctuation` is set.
    """

    version = 2  # 1 charged a word that matches itself to no set
    traits = Traits(low=0.0, high=1.0, english=True)
    # As the paper has it: all phrases that share a Chinese translation (§3.2), paraphrases before
    # words (§3.3).
    pivot: ClassVar[str | None] = "zh"
    least: ClassVar[float] = 0.0  # probability of a paraphrase of a model
    exact: ClassVar[bool] = False
    tiered: ClassVar[bool] = False

    def __init__(
        self,
        *,
        table: str | Path = "paraphrase",
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
            table=table,
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
        if languages is None and table == "paraphrase":
            languages = self.pivot
        paraphrases = ParaphraseSource(table, languages)
        # Whoever gives pairs or sets of phrases wants them all.
        of_model = paraphrases.model is not None and not paraphrases.given
        least = self.least if of_model else 0.0
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
        """What words and matches count: all the same."""
        return Weights()

    def signature_parts(self) -> dict[str, str]:
        """All that the matching depends on."""
        return self.matching.signature

    def spans(self, segment: Segments, *, recall: bool) -> tuple[tuple[Span, ...], ...]:
        """What was found of the hypothesis, or of each reference, as spans of both."""
        found, of_references = Texts(segment, self.matching).found()
        hypothesis = self._sentence(segment.hypotheses[0])
        references = [self._sentence(target) for target in segment.targets[0]]
        if recall:
            found = [_turned(one, r) for r, row in enumerate(of_references) for one in row]
        spans: list[list[Span]] = [[] for _ in references]
        for one in sorted(found):
            spans[one.other].append(self._span(one, hypothesis, references[one.other]))
        return tuple(map(tuple, spans))

    def _sentence(self, text: Text) -> Sentence:
        return sentence_of(text, self.matching.reading.tokenizer)

    def _span(self, found: Found, hypothesis: Sentence, reference: Sentence) -> Span:
        mine = hypothesis.tokens[found.begin : found.end]
        theirs = reference.tokens[found.other_begin : found.other_end]
        licence = self.matching.paraphrases.licence(mine, theirs) if found.tier < 3 else ""
        if found.tier < 3 and self.matching.reading.same(mine, theirs):
            licence = "the same words"
        left = _stretch(hypothesis, found.begin, found.end)
        right = _stretch(reference, found.other_begin, found.other_end)
        return Span(
            TIERS[found.tier] + (f" ({licence})" if licence else ""),
            found.probability,
            left,
            right,
            hypothesis.text[slice(*left)],
            reference.text[slice(*right)],
        )

    def explain_segment(self, segment: Segments) -> Explanation:
        """The score of one segment; the texts are shown as read, except for typography."""
        return as_read(super().explain_segment(segment))


def _turned(found: Found, reference: int) -> Found:
    """A span of a reference found in the hypothesis, seen from the hypothesis."""
    return Found(
        found.other_begin,
        found.other_end,
        reference,
        found.begin,
        found.end,
        found.tier,
        found.probability,
    )


def _stretch(sentence: Sentence, begin: int, end: int) -> tuple[int, int]:
    return sentence.spans[begin][0], sentence.spans[end - 1][1]


@register
class ParaEvalPrecision(_ParaEval):
    """Precision (§3.3): the share of the hypothesis' words found in any of the references.

    Corpus scores are ratios of sums (§2.1).
    """

    name = "paraeval-p"
    columns = ("matched", "words", "shortest reference", "proven", "segments")

    def compute(self, segments: Segments, threads: int) -> Array:
        """Words found, all words, words of the shortest reference."""
        texts = Texts(segments, self.matching)
        counts, _ = texts.counts(precision=True, recall=False, threads=threads)
        return precision_columns(texts, counts)

    def from_sums(self, sums: Array) -> float:
        """Words found over all words."""
        return ratio(*sums[:3])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """What was found of the hypothesis."""
        return self.spans(segments, recall=False)


@register
class ParaEvalRecall(_ParaEval):
    """Recall (§5): the share of a single reference's words found in the hypothesis.

    `recall` chooses the reference: the `mean` of all, the `best`, or the number of one.
    """

    name = "paraeval-r"
    columns: tuple[str, ...] = ("recalled", "reference words", "words", "proven", "segments")

    def __init__(self, *, recall: str | int = "mean", **options: Any) -> None:
        self.recall = check_recall(recall)
        super().__init__(recall=recall, **options)

    def signature_parts(self) -> dict[str, str]:
        """Which reference, and the matching."""
        return {"recall": str(self.recall), **super().signature_parts()}

    def compute(self, segments: Segments, threads: int) -> Array:
        """Words of the reference found, all its words, words of the hypothesis."""
        texts = Texts(segments, self.matching)
        _, counts = texts.counts(precision=False, recall=True, threads=threads)
        return recall_columns(texts, counts, self.recall)

    def from_sums(self, sums: Array) -> float:
        """Words found over all words of the references."""
        return ratio(*sums[:3])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """What was found of each reference."""
        return self.spans(segments, recall=True)


@register
class ParaEvalF(ParaEvalRecall):
    """F of precision and single-reference recall, PR / (alpha P + (1 - alpha) R), with weights,
    which the paper leaves to future work (§7).

    A paraphrase counts its probability to the power `power`, a word its information -log10 p(word)
    to the power `idf`; 0 switches either off. `alpha` is MAXSIM's. All pivot languages count.
    """

    name = "paraeval-f"
    columns = (*ParaEvalPrecision.columns[:3], *ParaEvalRecall.columns)
    pivot = None
    least = LEAST_WEIGHTED
    exact = True

    def __init__(
        self, *, power: float = 0.25, idf: float = 0.5, alpha: float = 0.8, **options: Any
    ) -> None:
        self._weights = Weights(words=idf, matches=power)
        self.alpha = check_number("alpha", alpha, 0, 1)
        super().__init__(alpha=alpha, power=power, idf=idf, **options)

    def weights(self) -> Weights:
        """As the options say."""
        return self._weights

    def signature_parts(self) -> dict[str, str]:
        """Alpha, and what recall depends on."""
        return {"alpha": f"{self.alpha:.12g}", **super().signature_parts()}

    def compute(self, segments: Segments, threads: int) -> Array:
        """The counts of precision, then those of recall."""
        texts = Texts(segments, self.matching)
        mine, theirs = texts.counts(precision=True, recall=True, threads=threads)
        precision = precision_columns(texts, mine)
        recall = recall_columns(texts, theirs, self.recall)
        recall[:, 3] = np.minimum(recall[:, 3], precision[:, 3])
        return np.hstack([precision[:, :3], recall])

    def from_sums(self, sums: Array) -> float:
        """Their F."""
        return float(self.segment_scores(sums[None])[0])

    def segment_scores(self, statistics: Array) -> Array:
        """The F of each segment."""
        precision, recall = ratios(statistics[:, :3]), ratios(statistics[:, 3:6])
        both, mean = precision * recall, self.alpha * precision + (1 - self.alpha) * recall
        scores: Array = np.divide(both, mean, out=np.zeros(len(statistics)), where=both != 0)
        return scores

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """What was found of the hypothesis."""
        return self.spans(segments, recall=False)


@register
class ParaEvalSummary(ParaEvalRecall):
    """Recall of a summary (Zhou, Lin, Munteanu & Hovy 2006): paraphrases of several words first,
    then of single words, then the words themselves, with an optimal matching in each tier.
    """

    name = "paraeval-summary"
    pivot = None
    least = LEAST
    exact = True
    tiered = True


def precision_columns(texts: Texts, counts: Array) -> Array:
    """Words of the hypothesis found, all of them, words of the shortest reference, proven, 1."""
    starts = np.cumsum(texts.sizes) - texts.sizes
    shortest = np.minimum.reduceat(texts.reference_words, starts)
    return np.column_stack([counts[:, :2], shortest, counts[:, 2], np.ones(len(counts))])


def recall_columns(texts: Texts, counts: Array, recall: str | int) -> Array:
    """Words of the reference found, all of them, words of the hypothesis, proven, 1.

    The mean over references is that of their recalls, for a reference of mean length.
    """
    sizes, (matched, words, proven) = texts.sizes, counts.T
    starts = np.cumsum(sizes) - sizes
    alone = np.repeat(texts.hypothesis_words == 0, sizes)
    recalls = np.divide(matched, words, out=alone.astype(np.float64), where=words > 0)
    if recall == "mean":
        total = np.add.reduceat(words, starts) / sizes
        mean = np.add.reduceat(recalls, starts) / sizes
        found = np.where(sizes == 1, matched[starts], mean * total)
    else:
        chosen = starts + [
            _chosen(mine, lengths, recall, segment)
            for segment, (mine, lengths) in enumerate(
                zip(np.split(recalls, starts[1:]), np.split(words, starts[1:]), strict=True), 1
            )
        ]
        found, total = matched[chosen], words[chosen]
    proven = np.minimum.reduceat(proven, starts)
    ones = np.ones(len(sizes))
    return np.column_stack([found, total, texts.hypothesis_words, proven, ones])


def _chosen(recalls: Array, words: Array, recall: str | int, segment: int) -> int:
    """The reference that counts: the one asked for, or the best, the longest of several best."""
    if isinstance(recall, str):
        return int(np.lexsort((words, recalls))[-1])
    if recall > len(recalls):
        raise InputError(
            f"segment {segment} has no reference {recall}, which recall={recall} needs; "
            f"it has {len(recalls)}"
        )
    return recall - 1


def ratio(found: float, words: float, others: float) -> float:
    """Words found over all words. Where there are none, 1 if the others have none either.

    >>> ratio(3, 4, 5), ratio(0, 0, 5), ratio(0, 0, 0)
    (0.75, 0.0, 1.0)
    """
    return float(found / words) if words else float(not others)


def ratios(rows: Array) -> Array:
    """The `ratio` of each row.

    >>> ratios(np.array([[3.0, 4, 5], [0, 0, 5], [0, 0, 0]])).tolist()
    [0.75, 0.0, 1.0]
    """
    found, words, others = rows.T
    shares: Array = np.divide(found, words, out=(others == 0).astype(float), where=words != 0)
    return shares


def check_recall(recall: Any) -> str | int:
    """`mean`, `best`, or the number of a reference."""
    if isinstance(recall, str) and not recall.isdecimal():
        if recall not in ("mean", "best"):
            hint = near(recall, ["mean", "best"])
            raise UsageError(f"unknown recall '{recall}'; {hint}; or the number of a reference")
        return recall
    return check_whole("recall", int(recall) if isinstance(recall, str) else recall, 1, 10**6)


def paraeval_precision(
    hypothesis: Text, references: Text | Sequence[Text], **options: Any
) -> float:
    """ParaEval's precision of one segment.

    >>> paraeval_precision("the the cat", ["the dog", "a cat"], table="none")
    0.6666666666666666
    """
    return cached("paraeval-p", options).score_one(hypothesis, references)


def paraeval_recall(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """ParaEval's recall of one segment.

    >>> paraeval_recall("the the cat", ["the dog", "a cat"], table="none")
    0.5
    """
    return cached("paraeval-r", options).score_one(hypothesis, references)


def paraeval_f(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """ParaEval's weighted F of one segment.

    >>> paraeval_f("a cat sat on the mat", "a cat sat on the mat")
    1.0
    """
    return cached("paraeval-f", options).score_one(hypothesis, references)


def paraeval_summary(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """ParaEval's recall of a summary.

    >>> paraeval_summary("It rained. The river rose.", "The river rose.")
    1.0
    """
    return cached("paraeval-summary", options).score_one(hypothesis, references)
