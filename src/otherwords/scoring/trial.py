"""`otherwords.try_text`: one text judged against its original or its references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from otherwords.errors import LanguageError, UsageError
from otherwords.metrics.base import SIDES, Explanation, text_of
from otherwords.metrics.drawing import CSS, draw, text_lines
from otherwords.metrics.inputs import Against
from otherwords.metrics.meaning import Meaning
from otherwords.metrics.registry import metric as make_metric
from otherwords.scoring.choice import PARAPHRASE, TRANSLATION
from otherwords.scoring.detectors import Detector
from otherwords.scoring.gate import Rules, gate
from otherwords.tables.table import Cell, Column, Lines, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.language import explain_other
from otherwords.text.outputs import is_other_language
from otherwords.text.sentence import Text

_BAR = 24  # characters


@dataclass(frozen=True)
class Trial(Tabular):
    """The verdict on one text: whether it passes `gate`, why not, its scores and a drawing.

    `scores` range from 0 to 1. `explanation` is that of `meaning`.
    """

    reasons: tuple[str, ...]
    scores: Mapping[str, float]
    explanation: Explanation
    signatures: tuple[str, ...]
    is_doubtful: bool = False  # whether it would not pass at the strictness high

    @property
    def passed(self) -> bool:
        return not self.reasons

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        mine, theirs = SIDES[self.explanation.against]
        if not self.passed:
            return f"Blocked: the {mine} does not say the same as the {theirs}."
        if self.is_doubtful:
            return f"Passes with doubts: the {mine} may not say the same as the {theirs}."
        same = " in the same words" if self.scores.get("difference") == 0 else ""
        other = " in other words" if self.scores.get("difference") else ""
        return f"Passes: the {mine} says the same as the {theirs}{same or other}."

    def tables(self) -> Iterator[Lines]:
        yield Lines("verdict", (), self.verdict)
        width = max(map(len, self.scores))
        yield Lines("scores", [f"{n:<{width}}  {_bar(x)}  {x:.2f}" for n, x in self.scores.items()])
        drawn = f"<style>{CSS}</style>\n{draw(self.explanation)}"
        yield Lines("texts", list(text_lines(self.explanation)), html=drawn)

    def records(self) -> Iterable[Table]:
        columns = [Column(name) for name in ("passed", "reasons", *self.scores)]
        row: list[Cell] = [self.passed, list(self.reasons), *self.scores.values()]
        return [Table("trial", columns, [row])]

    def notes(self) -> Sequence[str]:
        return self.signatures

    def to_dict(self) -> dict[str, Any]:
        explanation = self.explanation
        mine, theirs = SIDES[explanation.against]
        return {
            "passed": self.passed,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "scores": dict(self.scores),
            theirs: explanation.references[0],
            mine: explanation.hypothesis,
            "spans": [asdict(span) for span in explanation.matches[0]],
            "signatures": list(self.signatures),
        }


def _bar(value: float) -> str:
    full = round(_BAR * min(max(value, 0.0), 1.0))
    return "█" * full + "░" * (_BAR - full)


def try_text(
    text: Text,
    original: Text | None = None,
    references: Sequence[Text] = (),
    *,
    any_language: bool = False,
) -> Trial:
    """Judge one text as `gate` does, and say why.

    Parameters
    ----------
    text
        A rewrite of `original`, or a translation.
    original
        What a rewrite must say.
    references
        Right translations; the one that the text contradicts least counts.
    any_language
        Do not check that the text is English.

    >>> trial = try_text("He paid 30 euros.", original="He paid 20 euros.")
    >>> trial.passed, trial.reasons
    (False, ('The rewrite says "30 euros"; the original says "20 euros".',))
    """
    if (original is None) == (not references):
        raise UsageError("give the original of a rewrite, or the references of a translation")
    if isinstance(references, str):
        raise UsageError("references must be a list of texts, not a single text")
    against: Against = "references" if references else "source"
    if not all(text_of(one).strip() for one in references or [original or ""]):
        raise UsageError(f"the {SIDES[against][1]} is empty; there is nothing to compare with")
    if not any_language and is_other_language(text_of(text)):
        raise LanguageError(f"the {SIDES[against][0]} {explain_other([text], against)}")
    texts = [text], [references] if references else None, None if references else [original]
    names = ("meaning", *TRANSLATION) if references else PARAPHRASE
    metrics = {name: make_metric(name, against=against) for name in names}
    rules = Rules(no_contradictions=True, segment_against=against)
    judged = gate(metrics, *texts, rules=rules, any_language=any_language)
    scores: dict[str, float] = {}
    for name, metric in metrics.items():
        row = judged.scores.metrics[name].statistics
        parts = () if references else metric.parts
        scores |= {part: float(row[0, metric.columns.index(part)]) for part in parts}
        scores["overall" if parts else name] = (
            float(metric.segment_scores(row)[0]) / metric.traits.high
        )
    meaning = Meaning(against=against)
    segments = meaning.check(*texts)
    [(target, _)] = Detector().least_contradicted(segments)
    return Trial(
        tuple(judged.reasons),
        scores,
        meaning.explain_segment(replace(segments, targets=[(target,)])),
        tuple(stored.signature for stored in judged.scores.metrics.values()),
        Detector("high").contradicted([(text, target)]) == [True],
    )
