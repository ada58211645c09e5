"""Whether a rewrite says the same as its original: a learnt pair model, and values.

The stack `pair` of the embedded encoder reads both texts at once and answers two questions of
inference: does the rewrite follow from the original, and the original from the rewrite? The first
answer shows what was added or contradicted, the second what is missing. A further output is graded
similarity, and the stack `sentence` says how close the two are in topic. Values such as numbers,
dates and names are read by rules (`text.values`): each must survive, and none may be new. With the
probabilities of entailment in both directions,

    meaning = (entailed * entails) ** (e / 2) * (t * cosine + (1 - t) * similar) ** (1 - e)
              * v ** values

`values` counts the changed values, and half of the missing and new ones. The temperature of the
probabilities, e, t and v are fitted (`models/meaning.owm`). docs/meaning.md describes how they were
learnt.

A text of several sentences is read in passages (`metrics.passages`), and its lowest passage counts;
a brief one is read whole as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from otherwords.errors import UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import NEURAL_AT_ONCE, Span, Traits, Verdict, text_of
from otherwords.metrics.edits import Edit, Turn, try_edits, word_spans
from otherwords.metrics.facts import Finding
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import PairMetric, plain
from otherwords.metrics.passages import Passage, TextPair
from otherwords.metrics.registry import register
from otherwords.models import container
from otherwords.models.container import Model, load_once
from otherwords.models.encoder import Encoder
from otherwords.models.seen import Seen
from otherwords.stats.arrays import Array, logistic
from otherwords.text.sentence import Text
from otherwords.text.values import Difference, read_values

KIND = "meaning"
STACKS = ("sentence", "pair")
STRICTNESS = ("low", "normal", "high")
MOST_VALUES = 2  # values that count
WEIGHTS = {"changed": 1.0, "missing": 0.5, "added": 0.5}  # what a value counts
DIGITS = 6  # decimals of scores
LARGEST = 1e6  # absolute value of any number in the model
# A passage among many may be lower by chance, by so many log odds per e-fold of passages. Chosen so
# that as many right texts of 20 sentences as of one are below a limit.
CHANCE = 0.6
# The weight of a passage in the score of a brief text, beside the texts read whole; a sentence
# without a counterpart weighs less. docs/results/texts.md has the figures.
PAIRED, ALONE = 2 / 3, 1 / 4
MOST_FINDINGS = 8  # passages that are explained
AT_ONCE = 1 << 20  # characters of texts that are read at once
_NUMBERS = ("temperature", "entailment", "topic", "value")
_LOWER = Traits(low=0.0, high=1.0, higher_is_better=False, english=True)


@dataclass(frozen=True, kw_only=True)
class MeaningModel:
    """How the answers of the pair model become one score, and the limits of the gate.

    `temperature` divides the logits, so that probabilities are calibrated. `entailment`, `topic`
    and `value` are e, t and v of the formula above. `limits` has one limit of `meaning` for each of
    `STRICTNESS`, and `alarms` the share of right rewrites below it in held-out data.
    """

    temperature: float
    entailment: float
    topic: float
    value: float
    limits: Array
    alarms: Array
    provenance: Mapping[str, Any]
    digest: str = field(default="", compare=False)
    seen: Seen | None = field(default=None, compare=False)  # what it was trained on

    @classmethod
    def load(cls, name_or_path: str | Path = KIND) -> Self:
        """Open a file by its path, or an embedded model by its name; opened once per process."""
        return load_once(KIND, name_or_path, cls._of, "model of meaning")

    @classmethod
    def _of(cls, model: Model) -> Self:
        numbers = dict(zip(_NUMBERS, map(float, model.arrays["numbers"]), strict=True))
        limits, alarms = (model.arrays[name].astype(np.float64) for name in _BOUNDS)
        if not 0.01 <= numbers["temperature"] <= LARGEST:
            raise ValueError("its temperature is out of range")
        if not all(0 <= numbers[name] <= 1 for name in _NUMBERS[1:]):
            raise ValueError("its numbers are out of range")
        if any(array.shape != (len(STRICTNESS),) for array in (limits, alarms)):
            raise ValueError("it has no limit for each strictness")
        if not all(((array >= 0) & (array <= 1)).all() for array in (limits, alarms)):
            raise ValueError("its limits are out of range")
        if not isinstance(model.provenance["encoder"], str):
            raise TypeError("it does not say which encoder it was trained with")
        return cls(
            **numbers,
            limits=limits,
            alarms=alarms,
            provenance=model.provenance,
            digest=model.short_digest,
            seen=Seen.of_arrays(model.arrays),
        )

    def limit(self, strictness: str) -> float:
        """The least `meaning` of a rewrite that is not blocked."""
        if strictness not in STRICTNESS:
            raise UsageError(f"strictness must be low, normal or high, not {strictness!r}")
        return float(self.limits[STRICTNESS.index(strictness)])

    def save(self, path: str | Path) -> None:
        arrays = {
            "numbers": np.array([getattr(self, name) for name in _NUMBERS]),
            **{name: getattr(self, name) for name in _BOUNDS},
            **(self.seen.arrays if self.seen else {}),
        }
        container.write(path, KIND, arrays, self.provenance)

    def probabilities(self, logits: Array) -> Array:
        """Calibrated probabilities of entailment, neutral and contradiction."""
        powers = np.exp((logits - logits.max(axis=1, keepdims=True)) / self.temperature)
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def join(self, answers: Answers, values: Array) -> Array:
        """The meaning of each pair, 0 to 1; `values` is the weight of the values that differ."""
        forward, backward = (self.probabilities(side)[:, 0] for side in answers[:2])
        topic = self.topic * answers.cosine + (1 - self.topic) * answers.similar
        inferred = (forward * backward) ** (self.entailment / 2)
        kept = self.value ** np.minimum(values, MOST_VALUES)
        return np.asarray(inferred * topic ** (1 - self.entailment) * kept)


_BOUNDS = ("limits", "alarms")


class Answers(NamedTuple):
    """What the pair model says of each pair.

    `forward` (from the original to the rewrite) and `backward` are logits of entailment, neutral
    and contradiction. `similar` is graded similarity, `cosine` that of the sentence vectors.
    """

    forward: Array
    backward: Array
    similar: Array
    cosine: Array


class PairReader:
    """The two stacks of an encoder that read pairs of texts."""

    def __init__(self, encoder: str | Path = "encoder") -> None:
        self.sentence, self.pair = (Encoder.load(encoder, stack) for stack in STACKS)
        self.digest = self.pair.digest

    def ask(
        self,
        rewrites: Sequence[str],
        originals: Sequence[str],
        threads: int = 1,
        known: Mapping[str, Array] | None = None,
    ) -> Answers:
        """Answers for pairs of texts; a text or pair that stands several times is read once.

        Each pair is read in both orders, and the logits are averaged. A value that the rewrite
        gives in another form is read in the original's form. `known` has vectors of texts that were
        encoded before.
        """
        rewrites = [unify(*texts) for texts in zip(rewrites, originals, strict=True)]
        numbers: dict[str, int] = {}
        left, right = (
            np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
            for texts in (originals, rewrites)
        )
        both = np.stack([np.concatenate([left, right]), np.concatenate([right, left])])
        pairs, places = np.unique(both, axis=1, return_inverse=True)
        outputs = self.pair.compare(list(numbers), pairs[0], pairs[1], threads=threads).outputs
        read, swapped = np.split(outputs.astype(np.float64)[places.reshape(-1)], 2)
        by_text = self.encode(numbers, threads, known or {})
        vectors = np.array([by_text[text] for text in numbers])
        return Answers(
            (read[:, :3] + swapped[:, 3:6]) / 2,
            (read[:, 3:6] + swapped[:, :3]) / 2,
            logistic((read[:, 6] + swapped[:, 6]) / 2),
            np.clip((vectors[left] * vectors[right]).sum(axis=1), 0.0, 1.0),
        )

    def encode(
        self, texts: Iterable[str], threads: int, known: Mapping[str, Array]
    ) -> dict[str, Array]:
        """The sentence vectors of texts, and those that are known."""
        new = list(dict.fromkeys(text for text in texts if text not in known))
        vectors = self.sentence.encode(new, threads=threads).astype(np.float64)
        return {**known, **dict(zip(new, vectors, strict=True))}


def unify(rewrite: str, original: str) -> str:
    """The rewrite with equal values written as in the original.

    >>> unify("The train departs at 17:00.", "The train leaves at 5 pm.")
    'The train departs at 5 pm.'
    """
    forms = {(value.kind, value.normal): value.text for value in read_values(original)}
    if not forms:
        return rewrite
    for value in reversed(read_values(rewrite)):
        form = forms.get((value.kind, value.normal), value.text)
        if value.kind != "name" and form != value.text:
            rewrite = rewrite[: value.start] + form + rewrite[value.end :]
    return rewrite


class Question(NamedTuple):
    """What the model is asked about a passage: the words of the rewrite and of the original."""

    number: int  # place of the pair
    pair: TextPair
    passage: Passage
    texts: tuple[str, str]

    @classmethod
    def whole(cls, rewrite: str, original: str) -> Self:
        pair = TextPair(rewrite, original)
        pair.is_long = False
        return cls(0, pair, pair.whole, pair.question(pair.whole))

    @property
    def is_copy(self) -> bool:
        return fold(self.texts[0]) == fold(self.texts[1])


class Judgement(NamedTuple):
    """What `meaning` says of a rewrite: the text's scores, and those of its passages.

    `whole` is the meaning of a brief text of several sentences, read whole.
    """

    scores: Array
    passages: list[Passage]
    rows: Array
    differences: list[Difference]
    whole: float | None = None

    @property
    def lowest(self) -> float:
        """The meaning of the lowest passage: what the gate judges by."""
        return float(self.rows[:, 0].min())

    @property
    def moved(self) -> list[Passage]:
        """The passages that change places: neighbours in the original, in reverse order here."""
        pairs = [passage for passage in self.passages if passage.alone is None]
        return [
            passage
            for before, after in pairwise(pairs)
            if before.rewrite > after.rewrite
            for passage in (before, after)
        ]

    def describe(self, rewrite: str, original: str) -> list[dict[str, Any]]:
        """The passages with their texts and scores, and whether they are moved."""
        names, moved = Meaning.columns[:4], set(self.moved)
        return [
            {
                "original": original[slice(*passage.original)],
                "rewrite": rewrite[slice(*passage.rewrite)],
                "spans": [passage.original, passage.rewrite],
                **dict(zip(names, row.tolist(), strict=True)),
                **({"moved": True} if passage in moved else {}),
            }
            for passage, row in zip(self.passages, self.rows, strict=True)
        ]


def _join(
    questions: Sequence[Question], rows: Array, differences: list[Difference], whole: float | None
) -> Judgement:
    """The scores of a text: its lowest passage, and its worst faults.

    One of many passages may be low by chance, the more so the more they are rewritten: the limit
    that fits a single passage would block nearly every long text.
    """
    is_alone = np.array([question.passage.alone is not None for question in questions])
    if len(questions) > 1:
        changed = np.array([share_changed(*question.texts) for question in questions])
        changed[is_alone] = 0.0
        times = np.maximum(changed * np.count_nonzero(changed), 1.0) ** CHANCE
        odds = rows[:, 0] * times
        rows[:, 0] = odds / (odds + 1 - rows[:, 0])
    rows = np.round(rows, DIGITS)
    meaning = rows[:, 0]
    if whole is not None:
        weights = np.where(is_alone, ALONE, PAIRED)
        meaning = np.round(meaning**weights * whole ** (1 - weights), DIGITS)
    scores = np.array([meaning.min(), *rows[:, 1:].max(axis=0)])
    passages = [question.passage for question in questions]
    return Judgement(scores, passages, rows, differences, whole)


def share_changed(rewrite: str, original: str) -> float:
    """The share of different words.

    >>> share_changed("He left early.", "He left late.")
    0.33333333333333337
    """
    mine, theirs = (set(_WORD.findall(text.lower())) for text in (rewrite, original))
    return 1 - 2 * len(mine & theirs) / max(len(mine) + len(theirs), 1)


_WORD = re.compile(r"\w+")


@register
class Meaning(PairMetric):
    """How much a rewrite means the same as its original, 0 to 1, and 1 for a copy.

    Further columns are the probabilities that the rewrite contradicts the original, omits
    something, or adds something. With several references the best one counts. With `values`
    (default) the values of both texts are compared as well. `encoder` is the path of a packed
    encoder with the stacks `sentence` and `pair`, `model` that of the model of meaning trained with
    it.
    """

    name = "meaning"
    version = 4
    cost = "slow"
    use = "Whether a rewrite keeps the meaning."
    traits = Traits(low=0.0, high=1.0, against="source", english=True)
    parts: ClassVar[Mapping[str, Traits]] = dict.fromkeys(
        ("contradicted", "missing", "added"), _LOWER
    )
    columns = ("meaning", "contradicted", "missing", "added", "segments")
    at_once = NEURAL_AT_ONCE
    has_findings = True

    def __init__(
        self,
        *,
        values: bool = True,
        model: str | Path = KIND,
        encoder: str | Path = "encoder",
        **common: Any,
    ) -> None:
        super().__init__(values=values, model=model, encoder=encoder, **common)
        self.values = check_flag("values", values)
        self.model = MeaningModel.load(model)
        self.encoder = PairReader(encoder)
        trained = self.model.provenance["encoder"]
        if trained != self.encoder.digest:
            raise UsageError(
                f"the model of meaning was trained with the encoder {trained}, this one is "
                f"{self.encoder.digest}; give the two that belong together"
            )
        self.seen = self.model.seen

    def signature_parts(self) -> dict[str, str]:
        return {
            "values": "yes" if self.values else "no",
            "model": self.model.digest,
            "encoder": self.encoder.digest,
        }

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """Meaning, then the probabilities of contradicted, missing and added content."""
        return np.array([judged.scores for judged in self.judge(left, right, threads)]).reshape(
            -1, 4
        )

    def judge(
        self, left: Sequence[Text], right: Sequence[Text], threads: int = 1
    ) -> list[Judgement]:
        """The scores of rewrites on the left of originals on the right, and what led to them."""
        texts = [(text_of(a), text_of(b)) for a, b in zip(left, right, strict=True)]
        return [judged for batch in _batches(texts) for judged in self._judge(batch, threads)]

    def _judge(self, texts: Sequence[tuple[str, str]], threads: int) -> Iterator[Judgement]:
        pairs = [TextPair(*both) for both in texts]
        words = (
            word for pair in pairs if pair.is_long for side in (0, 1) for word in pair.words(side)
        )
        vectors = self.encoder.encode(words, threads, {})
        questions = [
            Question(number, pair, passage, pair.question(passage))
            for number, pair in enumerate(pairs)
            for passage in pair.passages(vectors)
        ]
        bounds = np.searchsorted(
            [question.number for question in questions], range(len(pairs) + 1)
        ).tolist()
        wholes = {
            number: Question(number, pair, pair.whole, pair.question(pair.whole))
            for number, pair in enumerate(pairs)
            if pair.is_brief
        }
        counts, differences = self._compare_values(pairs, questions, bounds)
        totals = [counts[slice(*bounds[number : number + 2])].sum(axis=0) for number in wholes]
        asked = [*questions, *wholes.values()]
        answers = self._ask(asked, threads, vectors)
        rows = self._rows(asked, answers, np.array([*counts, *totals]))
        whole = dict(zip(wholes, rows[len(questions) :, 0].tolist(), strict=True))
        for number, (begin, end) in enumerate(pairwise(bounds)):
            yield _join(
                questions[begin:end], rows[begin:end], differences[number], whole.get(number)
            )

    def _compare_values(
        self, pairs: Sequence[TextPair], questions: Sequence[Question], bounds: Sequence[int]
    ) -> tuple[Array, list[list[Difference]]]:
        """The changed, missing and added values: counts by question, and a list for each pair."""
        counts = np.zeros((len(questions), len(_VERDICTS)))
        differences: list[list[Difference]] = [[] for _ in pairs]
        for number, (begin, end) in enumerate(pairwise(bounds)) if self.values else ():
            passages = [question.passage for question in questions[begin:end]]
            for place, difference in pairs[number].differences(passages):
                differences[number].append(difference)
                counts[begin + place, _VERDICTS.index(difference.verdict)] += 1
        return counts, differences

    def _ask(
        self, questions: Sequence[Question], threads: int, vectors: Mapping[str, Array]
    ) -> Answers:
        rewrites, originals = ([question.texts[side] for question in questions] for side in (0, 1))
        return self.encoder.ask(rewrites, originals, threads, vectors)

    def _rows(self, questions: Sequence[Question], answers: Answers, counts: Array) -> Array:
        """Meaning, and contradicted, missing and added content, of each passage."""
        meaning = self.model.join(answers, counts @ list(WEIGHTS.values()))
        forward, backward = (self.model.probabilities(side) for side in answers[:2])
        faults = np.column_stack(
            [np.maximum(forward[:, 2], backward[:, 2]), backward[:, 1], forward[:, 1]]
        )
        faults = 1 - (1 - faults) * 0.5 ** np.minimum(counts, MOST_VALUES)
        rows = np.column_stack([meaning, faults])
        for place, (row, question) in enumerate(zip(rows, questions, strict=True)):
            if question.passage.alone == 0:  # do the nearest sentences cover it?
                row[:] = (forward[place, 0], 0.0, 0.0, 1 - forward[place, 0])
            elif question.passage.alone == 1:
                row[:] = (backward[place, 0], 0.0, 1 - backward[place, 0], 0.0)
            elif question.is_copy and not counts[place].any():
                row[:] = (1.0, 0.0, 0.0, 0.0)
            elif not all(question.texts):
                row[:] = (0.0, 0.0, not question.texts[0], not question.texts[1])
        return rows

    def _turns(
        self, rewrite: str, original: str, judged: Judgement, place: int, most: int
    ) -> list[Turn]:
        """The edits of one passage."""
        passage = judged.passages[place]
        (here, _), (there, _) = passage.rewrite, passage.original
        if passage.alone is not None:
            change = 1 - float(judged.rows[place, 0])
            return [Turn(Edit(passage.rewrite, passage.original), 1.0, change)]
        turns = try_edits(
            self._read,
            rewrite[slice(*passage.rewrite)],
            original[slice(*passage.original)],
            most,
            [
                (_move(difference.rewrite, -here), _move(difference.original, -there))
                for difference in judged.differences
                if passage.has(difference.rewrite, difference.original)
            ],
        )
        return [
            Turn(
                Edit(_move(turn.edit.hypothesis, here), _move(turn.edit.reference, there)),
                turn.score,
                turn.change,
            )
            for turn in turns
        ]

    def _read(self, rewrites: Sequence[str], originals: Sequence[str]) -> Array:
        """The meaning of passages that are read whole."""
        questions = [Question.whole(*texts) for texts in zip(rewrites, originals, strict=True)]
        pairs = [question.pair for question in questions]
        counts, _ = self._compare_values(pairs, questions, range(len(pairs) + 1))
        answers = self._ask(questions, 1, {})
        return self._rows(questions, answers, counts)[:, 0]

    def findings(
        self, rewrite: str, original: str, judged: Judgement | None = None
    ) -> list[Finding]:
        """Why the meaning is not kept: values that differ, and in each other passage below the
        limit the edit that restores it best. `judged` is the judgement, if it is known.
        """
        if judged is None:
            [judged] = self.judge([rewrite], [original])
        findings = [
            Finding(
                difference.kind,
                _FAULTS[_VERDICTS.index(difference.verdict)],
                1.0,
                difference.rewrite,
                difference.original,
                difference.rewrite_text,
                difference.original_text,
            )
            for difference in judged.differences
        ]
        limit = self.model.limit("normal")
        order = np.argsort(judged.rows[:, 0], kind="stable").tolist()
        low = [place for place in order if judged.rows[place, 0] < limit]
        explained = {
            place
            for place in low
            for difference in judged.differences
            if judged.passages[place].has(difference.rewrite, difference.original)
        }
        rest = [place for place in low if place not in explained]
        for place in rest[:MOST_FINDINGS] or ([] if findings else order[:1]):
            row, passage = judged.rows[place], judged.passages[place]
            verdict = _FAULTS[int(np.argmax(row[1:4]))]
            turns = self._turns(rewrite, original, judged, place, most=24)
            edit = turns[0].edit if turns else Edit(passage.rewrite, passage.original)
            places = edit.hypothesis, edit.reference
            texts = rewrite[slice(*places[0])], original[slice(*places[1])]
            findings.append(Finding("meaning", verdict, 1 - float(row[0]), *places, *texts))
        return findings

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        rewrite, *originals = (
            plain(text_of(text)) for text in (segments.hypotheses[0], *segments.targets[0])
        )
        return tuple(self._spans(rewrite, original) for original in originals)

    def _spans(self, rewrite: str, original: str) -> tuple[Span, ...]:
        """What is wrong, and which words are the same or stand for each other.

        Words say the same if the rewrite clearly keeps the meaning, or would keep it once what was
        found is repaired.
        """
        [judged] = self.judge([rewrite], [original])
        meaning, findings = judged.lowest, []
        if meaning < self.model.limit("normal") or judged.differences:
            findings = self.findings(rewrite, original)
            repaired = repair(rewrite, findings)
            [after] = self.judge([repaired], [original])
            meaning = max(meaning, after.lowest)
        is_kept = meaning >= self.model.limit("high")
        return *findings, *word_spans(rewrite, original, "equivalent" if is_kept else "unknown")

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        rewrite, original = text_of(hypothesis), text_of(target)
        [judged] = self.judge([rewrite], [original])
        values = [difference._asdict() for difference in judged.differences]
        if len(judged.passages) > 1:
            whole = {} if judged.whole is None else {"whole": round(judged.whole, DIGITS)}
            return {"passages": judged.describe(rewrite, original), **whole, "values": values}
        answers = self.encoder.ask([plain(rewrite)], [plain(original)])
        names = ("entailment", "neutral", "contradiction")
        shown: dict[str, Any] = {
            name: dict(
                zip(names, np.round(self.model.probabilities(side)[0], 4).tolist(), strict=True)
            )
            for name, side in (
                ("original to rewrite", answers.forward),
                ("rewrite to original", answers.backward),
            )
        }
        shown["similarity"] = round(float(answers.similar[0]), 4)
        shown["cosine"] = round(float(answers.cosine[0]), 4)
        return {**shown, "values": values}


def _move(span: tuple[int, int], by: int) -> tuple[int, int]:
    return max(span[0] + by, 0), max(span[1] + by, 0)


def _batches(texts: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    """Runs of texts that are not too long together."""
    begin, size = 0, 0
    for place, (rewrite, original) in enumerate(texts):
        size += len(rewrite) + len(original)
        if size > AT_ONCE:
            yield texts[begin : place + 1]
            begin, size = place + 1, 0
    yield texts[begin:]


_VERDICTS = tuple(WEIGHTS)  # what can happen to a value
_FAULTS: tuple[Verdict, ...] = ("contradicted", "missing", "added")


def repair(rewrite: str, findings: Sequence[Finding]) -> str:
    """The rewrite with the original's words where something was found; what is missing goes to the
    end.

    >>> missing = Finding("date", "missing", 1.0, (0, 0), (9, 15), "", "Friday")
    >>> repair("They left.", [missing])
    'They left Friday.'
    """
    for finding in sorted(findings, key=lambda finding: finding.hypothesis, reverse=True):
        begin, end = finding.hypothesis
        if begin == end == 0:
            begin = end = len(rewrite.rstrip(" .!?"))
        words = finding.reference_text
        rewrite = Edit((begin, end), (0, len(words))).apply(rewrite, words)
    return rewrite


def fold(text: str) -> str:
    """The text without case and extra white space: what the encoder cannot tell apart.

    >>> fold("He  paid. ") == fold("he paid.")
    True
    """
    return " ".join(text.lower().split())
