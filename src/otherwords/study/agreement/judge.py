"""Judges of judges: how far the answers of an LLM judge can be trusted, by those of people.

Answers are labels or scores. Of several answers to an item, the most frequent label or the mean
score counts. Items are resampled for intervals; shares have Wilson's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.inputs import read_plain_records
from otherwords.errors import InputError, UsageError
from otherwords.io.values import parse_float
from otherwords.scoring.calibration import digest_prompt
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import (
    Measure,
    cohen_kappa_resampled,
    fleiss_kappa_resampled,
    krippendorff_resampled,
    pearson_resampled,
    spearman_resampled,
    weighted_kappa_resampled,
)
from otherwords.stats.intervals import Estimate, Resampling, round_value, wilson
from otherwords.stats.resampling import Counts
from otherwords.study.agreement.arrays import estimate_over
from otherwords.study.agreement.result import estimate_dict, number_of
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular

Answers = tuple[str, ...]
_POSITIVE = ("1", "true", "yes", "pass", "passed", "correct", "good", "positive")
_TEXTS = ("text", "hypothesis", "output", "response")
_NO_ITEMS = Estimate(None, 0, reason="no such item")
_MEANINGS = {
    "accuracy": "items where the judge answers as people do",
    "tpr": "of the items that people call positive, those that the judge does",
    "tnr": "of the items that people call negative, those that the judge does",
    "kappa": "Cohen's kappa of the judge with people",
    "weighted-kappa": "Cohen's kappa with squared differences",
    "pearson": "correlation of the judge's scores with people's",
    "spearman": "rank correlation of the judge's scores with people's",
    "shift": "mean of the judge's scores minus that of people's",
    "fleiss": "Fleiss' kappa of people and the judge together",
    "fleiss-people": "Fleiss' kappa of people",
    "alpha": "Krippendorff's alpha of people and the judge together",
    "alpha-people": "Krippendorff's alpha of people",
    "base-rate": "items that people call positive",
    "judge-rate": "items that the judge calls positive",
    "prevalence": "positive items among those without people's answers, corrected by tpr and tnr",
    "self-consistency": "pairs of the judge's answers to an item that are equal",
    "swap-consistency": "items shown in both orders with the same answer",
    "position-bias": "choices of what was shown first, judge minus people",
    "length-bias": "choices of the longer text, judge minus people",
    "length-correlation": "rank correlation of length with judge minus people",
}


@dataclass(frozen=True)
class JudgedItem:
    """The answers of people and of the judge to an item.

    `first` has the option that was shown first for each answer of the judge ("" if unknown),
    `lengths` the characters of the text, by option if there are two.
    """

    key: str
    human: Answers
    judge: Answers
    first: Answers = ()
    lengths: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Disagreement:
    """An item where the judge and people differ: by how much scores do, or by the share of answers
    that would have to change.
    """

    item: str
    human: str
    judge: str
    distance: float


@dataclass(frozen=True)
class JudgeResult(Tabular):
    """The agreement of a judge with people on the items that both answered.

    `kind` is labels or scores; `prompt` is the SHA-256 of the judge's prompt. As JSON this is the
    calibration file of `gate --require-agreement`.
    """

    judge: str
    model: str | None
    prompt: str | None
    kind: str
    positive: str | None
    items: int
    measures: Mapping[str, Estimate]
    disagreements: Sequence[Disagreement]
    remarks: Sequence[str]
    resampling: Resampling
    shown: int = 10

    def tables(self) -> Iterator[Table]:
        columns = [Column("measure", "", left=True), Column("value", decimals=3, interval="range")]
        columns += [Column("items"), Column("meaning", left=True, minor=True)]
        rows: list[list[Cell]] = [
            [name, number_of(value, self.resampling), value.size, _MEANINGS[name]]
            for name, value in self.measures.items()
        ]
        yield Table("measures", columns, rows, f"{self.judge} against people, {self.items:,} items")
        columns = [Column(name, left=True) for name in ("item", "human", "judge")]
        columns += [Column("distance", decimals=2)]
        rows = [list(vars(entry).values()) for entry in self.disagreements]
        caption = f"Disagreements, worst first: {len(rows):,} of {self.items:,} items"
        if len(rows) > self.shown:
            caption += f" (the first {self.shown:,}; -f json has all)"
        yield Table("disagreements", columns, rows[: self.shown], caption)

    def records(self) -> Iterator[Table]:
        yield from replace(self, shown=len(self.disagreements)).tables()

    def notes(self) -> list[str]:
        how = self.resampling
        resamples = f"{how.resamples} resamples of items, seed {how.seed}"
        names = {"positive": self.positive, "model": self.model, "prompt": self.prompt}
        known = [f"{name}: {value}" for name, value in names.items() if value is not None]
        return [
            f"[low, high]: {100 * how.confidence:g} % interval, {resamples}",
            *self.remarks,
            *known,
        ]

    def to_dict(self) -> dict[str, Any]:
        names = "judge model prompt kind positive items".split()
        return {
            **{name: getattr(self, name) for name in names},
            "measures": {
                name: estimate_dict(value, self.resampling) for name, value in self.measures.items()
            },
            "disagreements": [asdict(entry) for entry in self.disagreements],
            "notes": self.notes(),
        }


def measure_judge(
    answers: Any,
    *,
    humans: Any = None,
    human: str | Sequence[str] = "human",
    judge: str | Sequence[str] = "judge",
    positive: str | float | None = None,
    name: str = "judge",
    model: str | None = None,
    prompt: str | Path | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
) -> JudgeResult:
    """Measure how far the answers of an LLM judge agree with those of people.

    Parameters
    ----------
    answers
        Files of JSONL, JSON, CSV, TSV or Parquet, a frame, or mappings. Records of the same `id`
        (or `system` and `item`) are repeats. `first` names the option that was shown first; `text`
        is the judged text, `text.OPTION` one of two.
    humans
        Other records with the answers of people, such as those of `studio export`.
    human, judge
        The columns of the answers; a cell may be a list. `human` may also name a human score.
    positive
        The label that counts as positive, or the least score that does.
    name, model, prompt
        What the calibration is tied to; `prompt` is the file of the judge's prompt.
    resampling
        How items are resampled for intervals.

    >>> labels = [("pass", "pass"), ("pass", "pass"), ("fail", "fail"), ("fail", "pass")]
    >>> result = measure_judge([{"human": one, "judge": other} for one, other in labels])
    >>> result.measures["kappa"].value, result.measures["tnr"].value
    (0.5, 0.5)
    """
    columns = [[names] if isinstance(names, str) else list(names) for names in (human, judge)]
    items, label, kind = _find_kind(_read_items(answers, humans, *columns), positive)
    both = [item for item in items if item.human and item.judge]
    if not both:
        names = " and ".join(", ".join(map(repr, column)) for column in columns)
        raise UsageError(f"no item has answers of both people and the judge, in {names}")
    if kind == "labels":
        _check_labels(both)
    work = _Work(both, kind == "scores", label, resampling)
    alone = [item for item in items if item.judge and not item.human]
    measures = {**work.measures(), **work.prevalence(alone)}
    shown = {option for item in both for option in item.first if option}
    remarks = {
        "items without an answer of the judge, left out": sum(not item.judge for item in items),
        "items on which people are divided, only in alpha and fleiss": int((~work.known).sum()),
        "rates need a positive label (--positive); labels": len(work.codes)
        * (label is None and kind == "labels"),
        "options shown first, none of them an answer": len(shown) * shown.isdisjoint(work.codes),
    }
    return JudgeResult(
        name,
        model,
        None if prompt is None else digest_prompt(prompt),
        kind,
        label,
        len(both),
        {key: measures[key] for key in _MEANINGS if key in measures},
        work.disagreements(),
        [f"{what}: {many:,}" for what, many in remarks.items() if many],
        resampling,
    )


def _read_items(answers: Any, humans: Any, human: list[str], judge: list[str]) -> list[JudgedItem]:
    """Join the records of each item, and the answers of people from other records."""
    items: dict[str, JudgedItem] = {}
    for place, record in _records(answers):
        item = _item(record, human if humans is None else [], judge, place)
        before = items.setdefault(item.key, item)
        if before is item:
            continue
        if item.human and before.human and sorted(item.human) != sorted(before.human):
            path, line = place
            message = f"'{item.key}' has other human answers in another record"
            raise InputError(message, path=path, line=line)
        items[item.key] = replace(
            before,
            human=before.human or item.human,
            judge=before.judge + item.judge,
            first=before.first + item.first,
        )
    if not any(item.judge for item in items.values()):
        raise UsageError(f"no record has an answer of the judge in '{', '.join(judge)}'")
    if humans is None:
        return list(items.values())
    theirs = [_item(record, human, [], place) for place, record in _records(humans)]
    if not any(item.human and item.key in items for item in theirs):
        keys = "id, or system and item"
        raise UsageError(f"people and the judge have no item in common; items are named by {keys}")
    for item in theirs:
        if item.key in items:
            mine = items[item.key]
            lengths = mine.lengths or item.lengths
            items[item.key] = replace(mine, human=mine.human + item.human, lengths=lengths)
    return list(items.values())


def _records(sources: Any) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    """The records of one or several sources, with their places."""
    several = isinstance(sources, (list, tuple)) and not isinstance(
        next(iter(sources), {}), Mapping
    )
    for source in sources if several else [sources]:
        path = str(source) if isinstance(source, (str, Path)) else type(source).__name__
        for number, record in read_plain_records(source):
            yield (path, number), record


def _item(
    record: Mapping[str, Any], human: list[str], judge: list[str], place: tuple[str, int]
) -> JudgedItem:
    try:
        return _parse_item(record, human, judge, place)
    except UsageError as error:
        raise InputError(str(error), path=place[0], line=place[1]) from error


def _parse_item(
    record: Mapping[str, Any], human: list[str], judge: list[str], place: tuple[str, int]
) -> JudgedItem:
    key = record.get("id")
    if key is None and record.get("item") is not None:
        key = "/".join(str(record[name]) for name in ("system", "item") if name in record)
    text: Any = next((record[name] for name in _TEXTS if record.get(name)), {})
    texts = dict(text) if isinstance(text, Mapping) else {"": text}
    texts |= {n.removeprefix("text."): record[n] for n in record if n.startswith("text.")}
    mine = _answers(record, judge)
    return JudgedItem(
        str(place[1]) if key is None else str(key),
        _people(record, human, place) if human else (),
        mine,
        (_label(record.get("first")) or "",) * len(mine),
        {_label(option) or "": len(str(text)) for option, text in texts.items() if text},
    )


def _people(record: Mapping[str, Any], names: list[str], place: tuple[str, int]) -> Answers:
    """The answers of people: in columns, or as the human scores of rows (docs/inputs.md)."""
    scores = record.get("human")
    if not isinstance(scores, Mapping):
        return _answers(record, names)
    if names == ["human"]:
        names = list(scores)
        if len(names) > 1:
            message = f"there are several human scores; name one with `human`: {', '.join(names)}"
            raise InputError(message, path=place[0], line=place[1])
    judges = [entry for entry in record.get("judges") or () if isinstance(entry, Mapping)]
    single = [answer for entry in judges for answer in _answers(entry, names)]
    return tuple(single) or _answers(scores, names)


def _answers(record: Mapping[str, Any], names: Iterable[str]) -> Answers:
    values = (record.get(name) for name in names)
    listed = (part for value in values for part in (value if isinstance(value, list) else [value]))
    return tuple(label for value in listed if (label := _label(value)) is not None)


def _label(value: Any) -> str | None:
    """An answer as a label in lower case, a number in its shortest form; `None` if there is none.

    >>> _label(" PASS"), _label("1.0"), _label(True), _label(""), _label(float("nan"))
    ('pass', '1', 'true', None, None)
    """
    if isinstance(value, (Mapping, list)):
        raise UsageError(f"an answer must be a label or a number, not {value!r:.60}")
    text = "" if value is None else str(value).strip().casefold()
    number = _number(text)
    if number is None:
        return text or None
    if np.isinf(number):
        raise UsageError(f"an answer must be a label or a finite number, not {text:.60}")
    return None if np.isnan(number) else f"{number:.12g}"


def _number(text: str) -> float | None:
    try:
        return parse_float(text)
    except ValueError:
        return None


def _find_kind(
    items: list[JudgedItem], positive: str | float | None
) -> tuple[list[JudgedItem], str | None, str]:
    """The items, the positive label, and whether answers are labels or scores.

    A limit turns scores into labels.
    """
    seen = {answer for item in items for answer in (*item.human, *item.judge)}
    wanted = _label(positive)
    if len(seen) < 3 or any(_number(answer) is None for answer in seen):
        if wanted is not None and wanted not in seen:
            known = ", ".join(sorted(seen)[:20])
            raise UsageError(f"no answer is '{wanted}'; the answers are: {known}")
        if wanted is None and len(seen) < 3:
            wanted = next((label for label in _POSITIVE if label in seen), None)
        return items, wanted, "labels"
    if wanted is None:
        return items, None, "scores"
    limit = _number(wanted)
    if limit is None:
        raise UsageError(f"the answers are scores; positive is the least of them, not '{wanted}'")
    high, low = f"at least {wanted}", f"below {wanted}"

    def cut(answers: Answers) -> Answers:
        return tuple(high if float(answer) >= limit else low for answer in answers)

    return [replace(i, human=cut(i.human), judge=cut(i.judge)) for i in items], high, "labels"


def _check_labels(items: Iterable[JudgedItem]) -> None:
    """Refuse people and a judge who name the same things by other labels."""
    people, judge = (
        {answer for item in items for answer in side(item)}
        for side in (attrgetter("human"), attrgetter("judge"))
    )
    if min(len(people), len(judge)) > 1 and people.isdisjoint(judge):
        theirs, its = (", ".join(sorted(labels)[:5]) for labels in (people, judge))
        raise UsageError(
            f"people and the judge have no label in common (people: {theirs}; judge: {its}); "
            "use the same labels"
        )


class _Work:
    """The measures of items that both people and the judge answered."""

    def __init__(
        self,
        items: list[JudgedItem],
        is_scores: bool,
        positive: str | None,
        resampling: Resampling,
    ) -> None:
        self.items, self.is_scores, self.resampling = items, is_scores, resampling
        labels = sorted({answer for item in items for answer in (*item.human, *item.judge)})
        numbers = map(float, labels if is_scores else range(len(labels)))
        self.codes = dict(zip(labels, numbers, strict=True))
        divided = [not is_scores and _is_divided(item.human) for item in items]
        self.people = np.where(divided, np.nan, [self._usual(item.human) for item in items])
        self.judge = np.array([self._usual(item.judge) for item in items])
        self.known = np.isfinite(self.people)
        self.positive = positive

    def _usual(self, answers: Answers) -> float:
        """The mean score, or the most frequent label, of equals the first."""
        if self.is_scores:
            return float(np.mean([self.codes[answer] for answer in answers]))
        return self.codes[_most_frequent(answers)]

    def measures(self) -> dict[str, Estimate]:
        people, judge = self.people[self.known], self.judge[self.known]
        units = np.arange(len(people))
        if self.is_scores:
            sides = judge, people
            result = {
                "weighted-kappa": self._estimate(partial(weighted_kappa_resampled, *sides), units),
                "pearson": self._estimate(partial(pearson_resampled, *sides, units), units),
                "spearman": self._estimate(partial(spearman_resampled, *sides, units), units),
                "shift": self._estimate(partial(_mean, judge - people), units),
            }
        else:
            kappa = self._estimate(partial(cohen_kappa_resampled, judge, people), units)
            result = {"accuracy": self._share(people == judge), "kappa": kappa}
            if self.positive is not None:
                right, called = self._is_positive()
                result |= {"base-rate": self._share(right), "judge-rate": self._share(called)}
                result |= {
                    "tpr": self._share(called[right]),
                    "tnr": self._share(~called[~right]),
                }
        return {**result, **self._raters(), **self._repeats(), **self._biases()}

    def _is_positive(self) -> list[NDArray[np.bool_]]:
        """Whether people, and the judge, call each item positive."""
        code = self.codes.get(str(self.positive), np.nan)
        return [side[self.known] == code for side in (self.people, self.judge)]

    def _raters(self) -> dict[str, Estimate]:
        """Alpha and Fleiss' kappa of people, and of people with the judge as one of them."""
        result = {}
        people = [[self.codes[answer] for answer in item.human] for item in self.items]
        joined = [[*said, judge] for said, judge in zip(people, self.judge.tolist(), strict=True)]
        measure: Measure = "interval" if self.is_scores else "nominal"
        for name, said in (("", joined), ("-people", people)):
            raters = Counter(map(len, said)).most_common(1)[0][0]
            if max(map(len, said)) < 2:
                continue
            matrix = np.array(list(zip_longest(*said, fillvalue=np.nan)))
            alpha = partial(krippendorff_resampled, matrix, measure)
            result[f"alpha{name}"] = self._estimate(alpha, said)
            if raters > 1 and not self.is_scores:
                values = np.array([answers for answers in said if len(answers) == raters])
                counts = [(values == code).sum(axis=1) for code in self.codes.values()]
                fleiss = partial(fleiss_kappa_resampled, np.array(counts, float).T)
                result[f"fleiss{name}"] = self._estimate(fleiss, values)
        return result

    def _repeats(self) -> dict[str, Estimate]:
        """Whether the judge repeats its answers, and whether it does so for swapped options."""
        same, swapped = [], []
        for item in self.items:
            times = len(item.judge)
            if times > 1:
                pairs = sum(many * (many - 1) for many in Counter(item.judge).values())
                same.append(pairs / (times * (times - 1)))
            by_first: dict[str, list[str]] = {}
            for first, answer in zip(item.first, item.judge, strict=True):
                by_first.setdefault(first, []).append(answer)
            if len(by_first) > 1 and "" not in by_first:
                swapped.append(len(set(map(_most_frequent, by_first.values()))) == 1)
        result = {}
        if same:
            result["self-consistency"] = self._estimate(partial(_mean, np.array(same)), same)
        if swapped:
            result["swap-consistency"] = self._share(np.array(swapped))
        return result

    def _biases(self) -> dict[str, Estimate]:
        biases = {
            "position-bias": self._choices(lambda item, place: item.first[place]),
            "length-bias": self._choices(lambda item, place: _longer(item.lengths)),
        }
        if all("" in item.lengths for item in self.items):  # single texts
            lengths = np.array([float(item.lengths[""]) for item in self.items])[self.known]
            sides = [side[self.known] for side in (self.people, self.judge)]
            if not self.is_scores:
                sides = [side.astype(float) for side in self._is_positive()]
            units = np.arange(len(lengths))
            if self.is_scores or self.positive is not None:
                apart = partial(spearman_resampled, sides[1] - sides[0], lengths, units)
                biases["length-correlation"] = self._estimate(apart, units)
        return {name: bias for name, bias in biases.items() if bias is not None}

    def _choices(self, favoured: Callable[[JudgedItem, int], str]) -> Estimate | None:
        """How much more often the judge chooses the favoured option than people do."""
        options = {name for item in self.items for name in (*item.first, *item.lengths)} - {""}
        apart = []
        for item in np.array(self.items, dtype=object)[self.known]:
            chosen = _most_frequent(item.human)
            picks = [
                (answer == option) - (chosen == option)
                for place, answer in enumerate(item.judge)
                if (option := favoured(item, place)) and {answer, chosen} <= options
            ]
            if picks:
                apart.append(sum(picks) / len(picks))
        return self._estimate(partial(_mean, np.array(apart)), apart) if apart else None

    def prevalence(self, others: Sequence[JudgedItem]) -> dict[str, Estimate]:
        """The share of positive items among those that only the judge answered, corrected by its
        rates on the items of people (Rogan & Gladen 1978).
        """
        if self.positive is None or not others:
            return {}
        right, called = self._is_positive()
        usual = [_most_frequent(item.judge) for item in others]
        shares, size = np.array([label == self.positive for label in usual]), len(right)

        def correct(times: Counts) -> Array:
            known, new = times[:, :size].astype(float), times[:, size:].astype(float)
            with np.errstate(divide="ignore", invalid="ignore"):
                tpr = known @ (right & called) / (known @ right)
                tnr = known @ ~(right | called) / (known @ ~right)
                corrected = (_mean(shares, new) + tnr - 1) / (tpr + tnr - 1)
            return np.where(tpr + tnr > 1, np.clip(corrected, 0, 1), np.nan)

        found = estimate_over(correct, size + len(shares), self.resampling, len(shares))
        reason = "" if found.value is not None else "the judge is no better than chance"
        return {"prevalence": replace(found, reason=reason)}

    def disagreements(self) -> list[Disagreement]:
        entries = []
        for item, people, judge in zip(self.items, self.people, self.judge, strict=True):
            one, other = Counter(item.human), Counter(item.judge)
            distance = abs(people - judge)
            if not self.is_scores:
                shares = (
                    one[key] / one.total() - other[key] / other.total() for key in one | other
                )
                distance = sum(map(abs, shares)) / 2
            if people != judge:
                distance = round_value(float(distance))
                entries.append(Disagreement(item.key, _shown(one), _shown(other), distance))
        return sorted(entries, key=lambda entry: -entry.distance)

    def _share(self, hits: NDArray[np.bool_]) -> Estimate:
        size, many = len(hits), int(hits.sum())
        if not size:
            return _NO_ITEMS
        low, high = map(round_value, wilson(many, size, self.resampling.confidence))
        return Estimate(round_value(many / size), size, low=low, high=high)

    def _estimate(self, measure: Callable[[Counts], Array], units: Sized) -> Estimate:
        if not len(units):
            return _NO_ITEMS
        found = estimate_over(measure, len(units), self.resampling)
        reason = "" if found.value is not None else "constant"
        return replace(found, reason=reason)


def _most_frequent(answers: Sequence[str]) -> str:
    return Counter(answers).most_common(1)[0][0]


def _is_divided(answers: Answers) -> bool:
    (_, most), *others = Counter(answers).most_common(2)
    return bool(others) and others[0][1] == most


def _shown(answers: Counter[str]) -> str:
    return ", ".join(f"{key} x{many}" if many > 1 else key for key, many in answers.most_common())


def _longer(lengths: Mapping[str, int]) -> str:
    """The option with the longest text; "" if there are not two of different lengths."""
    option = max(lengths, key=lengths.__getitem__, default="")
    return option if len(set(lengths.values())) > 1 else ""


def _mean(values: NDArray[Any], times: Counts) -> Array:
    return np.asarray(times.astype(float) @ values / times.sum(axis=1))
