"""Why segments have their scores: explanations for readers, with what `facts` finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.base import Explanation, Metric, text_of
from otherwords.scoring.stream import SystemScores, explain_row
from otherwords.tables.formats import indented
from otherwords.tables.table import Column, Lines, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import Text

LOSSES = ("contradicted", "missing", "added")

Kind = Literal["worst", "best"]


@dataclass(frozen=True)
class Explanations(Tabular):
    """Why one segment of each system has its score, by each metric."""

    explained: Sequence[tuple[str, Explanation]]

    def tables(self) -> Iterator[Lines]:
        for system, explanation in self.explained:
            yield Lines("explanation", list(explanation_lines(system, explanation)))

    def records(self) -> Iterable[Table]:
        records = self.to_dict()["explanations"]
        columns = [Column(name) for name in records[0]]
        return [Table("explanations", columns, [list(record.values()) for record in records])]

    def to_dict(self) -> dict[str, Any]:
        return {
            "explanations": [
                {"system": system, **_lists(asdict(explanation))}
                for system, explanation in self.explained
            ]
        }


def _lists(value: Any) -> Any:
    """Lists instead of tuples, for JSON."""
    if isinstance(value, dict):
        return {key: _lists(part) for key, part in value.items()}
    return [_lists(part) for part in value] if isinstance(value, (list, tuple)) else value


def explain_rows(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    number: int,
    *,
    any_language: bool = False,
) -> Explanations:
    """Explain the scores of one segment of each system.

    Parameters
    ----------
    rows
        Of all systems; those of other segments are only counted.
    metrics
        By label.
    number
        Of the segment within its system, from 1.
    any_language
        Do not check that the text is English.

    >>> from otherwords.metrics.bleu import Mup
    >>> explain_rows([Row("a cat", ("the cat",))], {"mup": Mup()}, 1).explained[0][1].score
    0.5
    """
    seen: dict[str, int] = {}
    explained = []
    for row in rows:
        seen[row.system] = seen.get(row.system, 0) + 1
        if seen[row.system] == number:
            explained += [
                (row.system, explain_row(metric, row, any_language=any_language))
                for metric in metrics.values()
            ]
    if not explained:
        most = max(seen.values(), default=0)
        raise UsageError(f"there is no segment {number}; they run from 1 to {most}")
    return Explanations(explained)


@dataclass(frozen=True)
class Extreme:
    """One of the worst or best segments of a system, by the metric that explains it."""

    kind: Kind
    system: str
    item: str
    row: Row
    scores: Mapping[str, float]
    explanation: Explanation

    def lines(self) -> Iterator[str]:
        scores = ", ".join(f"{name} {value:.4f}" for name, value in self.scores.items())
        yield f"segment {self.item}: {scores}"
        if self.row.source is not None and self.row.references:
            yield f"  source      {text_of(self.row.source)}"
        yield from explanation_lines(self.system, self.explanation)

    def to_dict(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "item": self.item,
            **texts_of(self.row),
            "scores": dict(self.scores),
            "explanation": asdict(self.explanation),
        }


def find_extremes(
    metrics: Mapping[str, Metric],
    systems: Sequence[SystemScores],
    wanted: Mapping[Kind, int],
    label: str,
) -> list[Extreme]:
    """The worst segments of each system, the worst first, then the best, the best first.

    Parameters
    ----------
    metrics
        By label.
    systems
        With their rows.
    wanted
        How many of each kind.
    label
        Of the metric that decides. Of equal scores the first segment counts more.
    """
    extremes = []
    for kind, number in wanted.items():
        rising = metrics[label].traits.higher_is_better == (kind == "worst")
        for system in systems if number else ():
            scores = {
                name: metric.segment_scores(system.statistics[name])
                for name, metric in metrics.items()
            }
            order = np.argsort(scores[label] if rising else -scores[label], kind="stable")
            extremes += [
                Extreme(
                    kind,
                    system.system,
                    system.items[place],
                    system.rows[place],
                    {name: float(values[place]) for name, values in scores.items()},
                    explain_row(metrics[label], system.rows[place], any_language=True),
                )
                for place in order[:number].tolist()
            ]
    return extremes


def texts_of(row: Row) -> dict[str, Any]:
    """The texts of a row as strings.

    >>> texts_of(Row("a cat", ("the cat",)))
    {'hypothesis': 'a cat', 'references': ['the cat'], 'source': None}
    """
    return {
        "hypothesis": text_of(row.hypothesis),
        "references": [text_of(reference) for reference in row.references],
        "source": None if row.source is None else text_of(row.source),
    }


def explanation_lines(system: str, explanation: Explanation) -> Iterator[str]:
    """An explanation for readers."""
    yield f"{system}  {explanation.metric} {explanation.score:.4f}"
    yield f"  hypothesis  {explanation.hypothesis}"
    parts = ", ".join(f"{name} {value:.4g}" for name, value in explanation.components.items())
    yield f"  parts       {parts}"
    for place, reference in enumerate(explanation.references):
        yield f"  reference   {reference}"
        for span in explanation.matches[place] if explanation.matches else ():
            same = f"{span.hypothesis_text} = {span.reference_text}"
            yield f"    {span.weight:.2f}  {same}  [{span.kind}]"
    details = dict(explanation.details)
    for findings in details.pop("findings", []):
        for finding in findings:
            spans = f"{finding['hypothesis_text'] or '-'} <> {finding['reference_text'] or '-'}"
            verdict = f"{finding['verdict']} {finding['weight']:.2f}"
            yield f"  finding     {verdict}  {spans}  [{finding['kind']}]"
    yield from indented(_readable(details))


def _readable(details: Any) -> Any:
    """Round numbers to four digits, and join lists of phrases with bars."""
    if isinstance(details, float):
        return float(f"{details:.4g}")
    if isinstance(details, dict):
        return {key: _readable(value) for key, value in details.items()}
    if not isinstance(details, list):
        return details
    if any(isinstance(value, dict) for value in details):
        return [_readable(value) for value in details]
    return " | ".join(map(str, details))


def with_findings(explanation: Explanation) -> Explanation:
    """The explanation with a list of findings for each reference in `details`.

    >>> plain = Explanation("mup", 0.5, {}, "He paid 30 euros.", ("He paid 20 euros.",))
    >>> [[finding]] = with_findings(plain).details["findings"]
    >>> finding["kind"], finding["verdict"], finding["hypothesis_text"]
    ('number', 'contradicted', '30')
    """
    if "findings" in explanation.details:
        return explanation
    from otherwords.metrics.facts import findings

    by_reference = [
        [asdict(finding) for finding in findings(explanation.hypothesis, reference)]
        for reference in explanation.references
    ]
    return replace(explanation, details={**explanation.details, "findings": by_reference})


def losses(pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[dict[str, float]]:
    """Of each pair (hypothesis, reference): the shares that are contradicted, missing and added.

    >>> [shares] = losses([("He paid 30 euros.", "He paid 20 euros.")])
    >>> shares["contradicted"] > 0 == shares["missing"] == shares["added"]
    True
    """
    from otherwords.metrics.facts import FEATURES, finding_features

    rows = finding_features(pairs, threads).tolist()
    places = [FEATURES.index(name) for name in LOSSES]
    return [{name: row[place] for name, place in zip(LOSSES, places, strict=True)} for row in rows]
