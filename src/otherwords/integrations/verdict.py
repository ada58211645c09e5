"""One text judged alone, in the form that evaluation frameworks ask for.

The adapters in this folder turn a `Verdict` into the result of a framework.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import otherwords
from otherwords.errors import InputError, LanguageError, UsageError, near
from otherwords.io.arguments import check_number
from otherwords.metrics.base import SIDES, Metric
from otherwords.metrics.facts import Finding
from otherwords.scoring.gate import Rules, gate
from otherwords.text.outputs import is_other_language


@dataclass(frozen=True)
class Verdict:
    """The score of a text, whether it passes, why in sentences, and the spans they are about.

    `parts` are the component scores of the metric.
    """

    metric: str
    score: float
    passed: bool
    reasons: tuple[str, ...]
    spans: tuple[Finding, ...] = ()
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        return " ".join(self.reasons)

    @property
    def details(self) -> dict[str, Any]:
        """The details that frameworks store with a score, as JSON values."""
        spans = [asdict(span) for span in self.spans]
        return {"passed": self.passed, **self.parts, "spans": spans}


def verdict(
    original: str | None,
    text: str,
    *,
    references: str | Sequence[str] | None = None,
    metric: str | Metric | None = None,
    limit: float | None = None,
) -> Verdict:
    """Judge a rewrite of an original, or a text that has references.

    It passes if it keeps the meaning of what the metric compares it with, as `gate` judges this:
    by `meaning`, and by numbers, dates and names. Metrics of characters and words, such as chrf++,
    know no meaning: there only the limit counts, and so it does with otherwords-mt and a reference
    in another language. A text that cannot be scored, such as one in another language, does not
    pass and has the lowest score.

    Parameters
    ----------
    original
        The text that was rewritten; `None` if there are only references.
    text
        The text to judge.
    references
        One or several.
    metric
        Gives the score (default: otherwords-rewrite; with references otherwords-mt).
    limit
        The least score that passes; the greatest, if lower scores are better (default: none).

    >>> judged = verdict("We meet on 3 March.", "Our meeting is on 13 March.")
    >>> judged.passed, judged.reason
    (False, 'The rewrite says "13 March"; the original says "3 March".')
    """
    name = metric or ("otherwords-rewrite" if references is None else "otherwords-mt")
    chosen = name if isinstance(name, Metric) else otherwords.metric(name)
    traits = chosen.traits
    check_limit(chosen, limit)
    several = None if references is None else [references]
    listed = [references] if isinstance(references, str) else references or []
    is_foreign = any(isinstance(one, str) and is_other_language(one) for one in listed)
    judges_meaning = _judges_meaning(chosen) and not (is_foreign and not traits.english)
    rules = Rules(
        fail_under=limit, no_contradictions=judges_meaning, segment_against=chosen.against
    )
    try:
        chosen.check([text], several, [original])  # a text that is not given is a wrong call
        judged = gate(chosen, [text], several, [original], rules=rules)
    except (InputError, LanguageError) as error:
        lowest = traits.low if traits.higher_is_better else traits.high
        why = str(error)
        if isinstance(error, LanguageError):
            why = (
                f"{chosen.name} needs English texts; compare texts in other languages with "
                "references, by otherwords-mt and a limit."
            )
        return Verdict(chosen.name, lowest, False, (why,))
    [scored] = judged.scores.metrics.values()
    mine, theirs = SIDES[chosen.against]
    spans = tuple(contradiction.finding for contradiction in judged.contradictions)
    reasons = judged.reasons
    if any(check.rule == "fail-under" and not check.passed for check in judged.checks):
        side = "below" if traits.higher_is_better else "above"
        reasons.append(f"{chosen.name} is {scored.score:.4g}, {side} the limit of {limit:g}.")
    elif not judges_meaning:
        reasons.append(f"{chosen.name} is {scored.score:.4g}.")
        if limit is None:
            reasons.append("The reference is not English: only a limit can decide; give one.")
    return Verdict(
        chosen.name,
        scored.score,
        judged.passed and (judges_meaning or limit is not None),
        tuple(reasons) or (f"The {mine} says the same as the {theirs}.",),
        spans,
        {part: float(scored.statistics[0, chosen.columns.index(part)]) for part in chosen.parts},
    )


def check_limit(metric: Metric, limit: float | None) -> None:
    """Refuse a limit outside the range of a metric, or none where only a limit decides."""
    if limit is not None:
        check_number("limit", limit, *metric.traits.range)
    elif not _judges_meaning(metric):
        raise UsageError(f"{metric.name} does not judge meaning; give a limit")


def _judges_meaning(metric: Metric) -> bool:
    return metric.traits.english or metric.name == "otherwords-mt"


@dataclass(frozen=True)
class Judge:
    """`verdict` for frameworks that keep texts by name.

    `original` and `references` are the names of fields; `metric` and `limit` are those of
    `verdict`.

    >>> Judge("draft")({"draft": "We meet at noon."}, "We meet at noon.").passed
    True
    """

    original: str | None = None
    references: str | None = None
    metric: str | None = None
    limit: float | None = None

    def __post_init__(self) -> None:
        # Settings are refused before the first row.
        check_limit(otherwords.metric(self.metric or "otherwords-rewrite"), self.limit)

    def __call__(self, fields: Mapping[str, Any], text: str) -> Verdict:
        """Judge a text by the fields of its row; the original may be absent if there are
        references.
        """
        needed = self.references or self.original
        if needed not in fields:
            raise UsageError(f"there is no '{needed}' to compare with; {near(str(needed), fields)}")
        return verdict(
            fields.get(self.original or ""),
            text,
            references=fields[self.references] if self.references else None,
            metric=self.metric,
            limit=self.limit,
        )
