"""ParaEval (Zhou, Lin & Hovy 2006): translations against references, crediting paraphrases.

native/core/metrics/paraeval.cpp matches the words of a hypothesis in its references (precision,
§3.3) and those of each reference in the hypothesis (recall, §5). This module has the sources of
paraphrases and the scores. docs/decisions/paraeval.md has the decisions where the paper is silent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError, near
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.metrics.base import Explanation, Metric, Span, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PoolAndPlaces, Reading, as_read, read, running, sentence_of
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.models.container import find
from otherwords.models.paraphrase_files import is_sets, read_sets
from otherwords.models.paraphrase_model import KIND, ParaphraseModel, choose_languages
from otherwords.models.paraphrase_table import METEOR, ParaphraseTable
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem

NONE = "none"  # the table without paraphrases
ONE = 64  # weight 1 in the kernel's integers, where words have weights
MOST_WORDS = 1 << 20  # words per text; the sums of more could overflow the kernel's integers
RAREST = 1e-7  # relative frequency of an unseen word


class ParaphraseSource:
    """A source of paraphrases: phrases that share a pivot translation, or a table of pairs.

    `table` names a paraphrase model (the embedded one is `paraphrase`), a table of pairs in any
    format that `models.paraphrase_table` reads, sets as `pivot --sets` writes them, `meteor`, or
    `none`. `given` says that the user gave pairs or sets, whose words are not stemmed.
    """

    def __init__(self, table: str | Path, languages: str | Sequence[str] | None) -> None:
        self.model: ParaphraseModel | None = None
        self.pairs: ParaphraseTable | None = None
        self.given = False
        if not isinstance(table, (str, Path)):
            raise UsageError(f"table must be a name or a path, not {table!r}")
        if str(table) == NONE:
            self.languages: list[str] = []
        elif _is_model(table):
            self.model = ParaphraseModel.load(table)
            self.given = not self.model.is_stemmed
            self.languages = choose_languages(self.model, languages)
        elif str(table) != METEOR and not Path(table).exists():
            names = f"'{KIND}', '{METEOR}', '{NONE}'"
            raise InputError(f"there is no such file; give one, or a name: {names}", path=table)
        elif is_sets(table):
            self.model, self.given = read_sets(table), True
            self.languages = choose_languages(self.model, languages)
        else:
            self.pairs, self.given = ParaphraseTable.load(table), True
            self.languages = []
            if not self.pairs.pairs:
                message = "the table has no pair that can match; 'none' is for words alone"
                raise InputError(message, path=table)
        if languages is not None and self.model is None:
            raise UsageError(f"languages need a model with pivot languages; '{table}' has none")

    @property
    def native(self) -> _native.ParaphraseTable | list[_native.PivotTable]:
        if self.pairs is not None:
            return self.pairs.native
        return [self._pivots[language].native for language in self.languages]

    @property
    def _pivots(self) -> dict[str, Any]:
        return self.model.pivots if self.model is not None else {}

    @cached_property
    def longest(self) -> int:
        return max((self._pivots[name].longest for name in self.languages), default=1)

    def forms(self, words: Sequence[str], *, case: bool = False) -> list[str]:
        """The words as the table has them: stems for pivots, lower case for pairs and sets. If
        case counts, no table has words with capitals.
        """
        return Reading(case=case, stem=self.model is not None and not self.given).forms(words)

    @property
    def signature(self) -> dict[str, str]:
        if self.model is not None:
            what = "sets" if self.given else "model"
            return {"pivots": "+".join(self.languages), what: self.model.digest}
        return {"table": NONE if self.pairs is None else self.pairs.digest}

    def licence(self, left: Sequence[str], right: Sequence[str]) -> str:
        """The shared translation that makes two phrases most likely paraphrases (§3.2)."""
        a, b = (" ".join(self.forms(words)) for words in (left, right))
        best, name = 0.0, ""
        for language in self.languages:
            table = self._pivots[language]
            theirs = {edge.words: edge for edge in table.edges(b)}
            for mine in table.edges(a):
                if (other := theirs.get(mine.words)) is None:
                    continue
                shared = mine.forward * other.backward * other.forward * mine.backward
                if shared > best:
                    best, name = shared, f"{language}: {' '.join(mine.words)}"
        return name


def _is_model(table: str | Path) -> bool:
    """Whether the table is a paraphrase model, by its name or its header."""
    try:
        return container.kind_of(find(table)) == KIND
    except ModelError:  # perhaps a file of pairs; ParaphraseTable reports what is wrong with it
        return False


@dataclass(frozen=True)
class Search:
    """Options of the matching.

    Paraphrases need `min_probability`, and `min_length` words on both sides (§4.2). `matching` is
    `exact`, or `greedy`: the longest phrases first, or the most likely matches if these have
    weights. A word of a paraphrase set that matches itself counts against the clip of its `set` or
    of the `word` alone, by `identity` (§3.3).
    """

    min_probability: float = 0.0
    min_length: int = 1
    matching: str = "exact"
    identity: str = "set"

    def __post_init__(self) -> None:
        check_number("min_probability", self.min_probability, 0, 1)
        object.__setattr__(self, "min_length", check_whole("min_length", self.min_length, 1, 16))
        if self.matching not in ("exact", "greedy"):
            hint = near(str(self.matching), ["exact", "greedy"])
            raise UsageError(f"unknown matching '{self.matching}'; {hint}")
        if self.identity not in ("set", "word"):
            hint = near(str(self.identity), ["set", "word"])
            raise UsageError(f"unknown identity '{self.identity}'; {hint}")

    def native(self, *, tiered: bool, power: float) -> _native.ParaEvalOptions:
        return _native.ParaEvalOptions(
            self.min_probability,
            self.min_length,
            self.matching == "exact",
            tiered,
            power,
            self.identity == "set",
        )

    @property
    def signature(self) -> dict[str, str]:
        return {
            "p": f"{self.min_probability:.12g}",
            "length": str(self.min_length),
            "matching": self.matching,
            "identity": self.identity,
        }


@dataclass(frozen=True)
class Weights:
    """Weights of words and matches; with 0 all of them have the same weight.

    A word has the weight (-log10 p)^`words`, where p is the relative frequency of its stem in the
    text behind the embedded pivots. A paraphrase has its probability to the power `matches`.
    """

    words: float = 0.0
    matches: float = 0.0

    def __post_init__(self) -> None:
        check_number("idf", self.words, 0, 2)
        check_number("power", self.matches, 0, 4)

    @property
    def unit(self) -> int:
        """Weight 1 in the kernel's integers."""
        return ONE if self.words or self.matches else 1

    @property
    def signature(self) -> dict[str, str]:
        if self.unit == 1:
            return {}
        parts = {"idf": f"{self.words:.12g}", "power": f"{self.matches:.12g}"}
        return parts | ({"rarity": ParaphraseModel.load().digest} if self.words else {})

    def of(self, words: Sequence[str], *, punctuation: bool) -> NDArray[np.uint32]:
        """The weight of each token; 0 for punctuation unless it counts."""
        counted = np.array([punctuation or _native.has_alphanumeric(word) for word in words], bool)
        if not self.words:
            return counted.astype(np.uint32) * np.uint32(self.unit)
        weights = np.round(self.unit * information(words) ** self.words)
        return np.where(counted, np.maximum(weights, 1), 0).astype(np.uint32)


def information(words: Sequence[str]) -> Array:
    """-log10 of the relative frequency of each word, a mean over the embedded pivots."""
    return _information(tuple(words))


@lru_cache(maxsize=2)  # several statistics of a combination ask for the same words
def _information(words: tuple[str, ...]) -> Array:
    tables = ParaphraseModel.load().pivots.values()
    stems = stem(words)
    shares = [table.counts([stems], 1)[:, 0] / max(table.total_of_length(1), 1) for table in tables]
    return np.asarray(-np.log10(np.maximum(np.mean(shares, axis=0), RAREST)))


class Found(NamedTuple):
    """A match of a span in another text: by a paraphrase of several words (tier 1) or of one word
    (2), or as the word itself (3).
    """

    begin: int
    end: int
    other: int
    other_begin: int
    other_end: int
    tier: int
    probability: float


@dataclass(frozen=True)
class Matching:
    """All settings of a matching. `tiered` matches tier after tier, as for summaries."""

    paraphrases: ParaphraseSource
    search: Search
    weights: Weights
    reading: Reading
    punctuation: bool = False
    tiered: bool = False

    @property
    def signature(self) -> dict[str, str]:
        return {
            **self.search.signature,
            **({"tiers": "one by one"} if self.tiered else {}),
            **self.weights.signature,
            "case": self.reading.signature["case"],
            "tok": self.reading.tokenizer,
            "punct": "kept" if self.punctuation else "no",
            **self.paraphrases.signature,
        }


class Texts:
    """Hypotheses and references as arrays of word numbers, ready to match.

    `texts` has the same texts if they have been read already with `matching.reading`.
    """

    def __init__(
        self, segments: Segments, matching: Matching, texts: PoolAndPlaces | None = None
    ) -> None:
        flat = [target for targets in segments.targets for target in targets]
        pool, (hypotheses, references) = texts or read(
            [segments.hypotheses, flat], matching.reading
        )
        if len(pool.bounds) > 1 and int(np.diff(pool.bounds).max()) > MOST_WORDS:
            raise InputError(f"a text has more than {MOST_WORDS:,} words; split it")
        self.sizes = np.array([len(targets) for targets in segments.targets])
        paraphrases, weights = matching.paraphrases, matching.weights
        counted = weights.of(pool.words, punctuation=matching.punctuation)
        self._unit = np.array([weights.unit, weights.unit, 1.0])
        sums = running(counted[pool.tokens])
        words = np.diff(sums[pool.bounds]) / weights.unit
        self.hypothesis_words: Array = words[hypotheses]
        self.reference_words: Array = words[references]
        self._native = _native.ParaEval(
            paraphrases.native,
            paraphrases.longest,
            matching.search.native(tiered=matching.tiered, power=weights.matches),
            pool.tokens,
            pool.bounds,
            paraphrases.forms(pool.words, case=matching.reading.case),
            counted,
            hypotheses,
            references,
            running(self.sizes),
        )

    def counts(self, *, precision: bool, recall: bool, threads: int) -> tuple[Array, Array]:
        """For each hypothesis and each reference: words matched, all words, and whether the
        matching is proven optimal. The array that was not asked for is empty.
        """
        mine, theirs = self._native.counts(precision, recall, threads)
        return mine.reshape(-1, 3) / self._unit, theirs.reshape(-1, 3) / self._unit

    def found(self) -> tuple[list[Found], list[list[Found]]]:
        """The matches of the first hypothesis, and of each of its references."""
        mine, theirs = self._native.matches()
        return [Found(*span) for span in mine], [[Found(*span) for span in row] for row in theirs]


LEAST = 0.1  # least probability of a paraphrase if all paraphrases count the same
LEAST_WEIGHTED = 0.001  # the same if they count by their probability
TIERS = {1: "paraphrase", 2: "one-word paraphrase", 3: "word"}


class _ParaEval(Metric):
    """Base class of the variants: the paraphrases, the matching and how text is read.

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
    least: ClassVar[float] = 0.0  # default of `min_probability` with a model
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

    def spans(self, segment: Segments, *, recall: bool) -> tuple[tuple[Span, ...], ...]:
        """The matches of the hypothesis, or of each reference, as spans of both texts."""
        matches, by_reference = Texts(segment, self.matching).found()
        hypothesis = self._sentence(segment.hypotheses[0])
        references = [self._sentence(target) for target in segment.targets[0]]
        if recall:
            matches = [_swap(match, r) for r, row in enumerate(by_reference) for match in row]
        spans: list[list[Span]] = [[] for _ in references]
        for match in sorted(matches):
            spans[match.other].append(self._span(match, hypothesis, references[match.other]))
        return tuple(map(tuple, spans))

    def _sentence(self, text: Text) -> Sentence:
        return sentence_of(text, self.matching.reading.tokenizer)

    def _span(self, match: Found, hypothesis: Sentence, reference: Sentence) -> Span:
        mine = hypothesis.tokens[match.begin : match.end]
        theirs = reference.tokens[match.other_begin : match.other_end]
        licence = self.matching.paraphrases.licence(mine, theirs) if match.tier < 3 else ""
        if match.tier < 3 and self.matching.reading.same(mine, theirs):
            licence = "the same words"
        left = _offsets(hypothesis, match.begin, match.end)
        right = _offsets(reference, match.other_begin, match.other_end)
        return Span(
            TIERS[match.tier] + (f" ({licence})" if licence else ""),
            match.probability,
            left,
            right,
            hypothesis.text[slice(*left)],
            reference.text[slice(*right)],
        )

    def explain_segment(self, segment: Segments) -> Explanation:
        return as_read(super().explain_segment(segment))


def _swap(match: Found, reference: int) -> Found:
    """A span of a reference found in the hypothesis, seen from the hypothesis."""
    return Found(
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
    cost = "fast"
    use = "ParaEval's precision."
    columns = ("matched", "words", "shortest reference", "proven", "segments")

    def compute(self, segments: Segments, threads: int) -> Array:
        texts = Texts(segments, self.matching)
        counts, _ = texts.counts(precision=True, recall=False, threads=threads)
        return precision_columns(texts, counts)

    def from_sums(self, sums: Array) -> float:
        return ratio(*sums[:3])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.spans(segments, recall=False)


@register
class ParaEvalRecall(_ParaEval):
    """Recall (§5): the share of a single reference's words found in the hypothesis.

    `recall` chooses the reference: the `mean` of all, the `best`, or the number of one.
    """

    name = "paraeval-r"
    cost = "fast"
    use = "ParaEval's recall."
    columns: tuple[str, ...] = ("recalled", "reference words", "words", "proven", "segments")

    def __init__(self, *, recall: str | int = "mean", **options: Any) -> None:
        self.recall = check_recall(recall)
        super().__init__(recall=recall, **options)

    def signature_parts(self) -> dict[str, str]:
        return {"recall": str(self.recall), **super().signature_parts()}

    def compute(self, segments: Segments, threads: int) -> Array:
        texts = Texts(segments, self.matching)
        _, counts = texts.counts(precision=False, recall=True, threads=threads)
        return recall_columns(texts, counts, self.recall)

    def from_sums(self, sums: Array) -> float:
        return ratio(*sums[:3])

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.spans(segments, recall=True)


@register
class ParaEvalF(ParaEvalRecall):
    """F of precision and single-reference recall, PR / (alpha P + (1 - alpha) R), with weights,
    which the paper leaves to future work (§7).

    A paraphrase counts its probability to the power `power`, a word its information -log10 p(word)
    to the power `idf`; 0 switches either off. `alpha` is MAXSIM's. All pivot languages count.
    """

    name = "paraeval-f"
    cost = "fast"
    use = "Translations, crediting paraphrases of the reference."
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

    def from_sums(self, sums: Array) -> float:
        return float(self.segment_scores(sums[None])[0])

    def segment_scores(self, statistics: Array) -> Array:
        precision, recall = ratios(statistics[:, :3]), ratios(statistics[:, 3:6])
        both, mean = precision * recall, self.alpha * precision + (1 - self.alpha) * recall
        scores: Array = np.divide(both, mean, out=np.zeros(len(statistics)), where=both != 0)
        return scores

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return self.spans(segments, recall=False)


@register
class ParaEvalSummary(ParaEvalRecall):
    """Recall of a summary (Zhou, Lin, Munteanu & Hovy 2006): paraphrases of several words first,
    then of single words, then the words themselves, with an optimal matching in each tier.
    """

    name = "paraeval-summary"
    cost = "fast"
    use = "Summaries against reference summaries (ParaEval's recall)."
    pivot = None
    least = LEAST
    exact = True
    tiered = True


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


def ratio(found: float, words: float, others: float) -> float:
    """Words found over all words. Without words, 1 if the other side has none either, else 0.

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
    """Check that `recall` is "mean", "best", or the number of a reference."""
    if isinstance(recall, str) and not recall.isdecimal():
        if recall not in ("mean", "best"):
            hint = near(recall, ["mean", "best"])
            raise UsageError(f"unknown recall '{recall}'; {hint}; or the number of a reference")
        return recall
    return check_whole("recall", int(recall) if isinstance(recall, str) else recall, 1, 10**6)
