"""Whether a system passed its gate, and what it broke: what `otherwords gate` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from otherwords.metrics.facts import Finding
from otherwords.scoring.gating.offences import Contradiction, Offence
from otherwords.scoring.gating.stored import StoredScores
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Cell, Column, Number, Table, shown_p
from otherwords.tables.tabular import Tabular

__all__ = ["Check", "GateResult"]

_NOTHING = "(nothing)"


@dataclass(frozen=True)
class Check:
    """One rule, applied: to a metric's corpus score, or to every segment (`offending` ones).

    `score` has the test against the baseline where there was one. `passed` is `None` where a
    metric has no rule.
    """

    rule: str
    metric: str
    passed: bool | None
    wanted: str
    limit: float | None = None
    score: Number | None = None
    baseline: float | None = None
    offending: int | None = None

    @property
    def difference(self) -> float | None:
        """The score less that of the baseline."""
        if self.score is None or self.score.value is None or self.baseline is None:
            return None
        return self.score.value - self.baseline

    def to_dict(self) -> dict[str, Any]:
        """The check as a JSON object."""
        found = {
            "rule": self.rule,
            "metric": self.metric,
            "passed": self.passed,
            "limit": self.limit,
            "score": None if self.score is None else number_dict(self.score),
            "baseline": self.baseline,
            "difference": self.difference,
            "offending": self.offending,
        }
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, eq=False)
class GateResult(Tabular):
    """The checks of a system with the segments that broke a rule.

    `scores` can be stored as the next baseline. `shown` limits the segments in tables for readers;
    formats for programs have all of them.
    """

    scores: StoredScores
    checks: Sequence[Check]
    contradictions: Sequence[Contradiction] = ()
    offences: Sequence[Offence] = ()
    baseline: str | None = None
    signatures: Mapping[str, str] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    shown: int = 50

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.passed is not False for check in self.checks)

    @property
    def system(self) -> str:
        """The name of the system."""
        return self.scores.name

    def __bool__(self) -> bool:
        return self.passed

    def tables(self) -> Iterator[Table]:
        """The checks, then the segments that broke a rule."""
        columns = [Column("check", left=True), Column("metric", left=True), Column("found")]
        columns += [Column("baseline"), Column("difference"), Column("p")]
        columns += [Column("wanted", left=True), Column("result", left=True)]
        rows = [_shown_check(check) for check in self.checks]
        used = [place for place in range(len(columns)) if any(row[place] != "" for row in rows)]
        yield Table(
            "checks",
            [columns[place] for place in used],
            [[row[place] for place in used] for row in rows],
            caption=self.caption(),
        )
        if self.contradictions:
            left = [
                *("segment", "where", "kind", "in the text"),
                "in the source or reference",
            ]
            rows = [
                [
                    *(one.item, _where(one), _name(one.finding)),
                    one.finding.hypothesis_text or _NOTHING,
                    one.finding.reference_text or _NOTHING,
                ]
                for one in self.contradictions
            ]
            columns = [Column(name, left=True) for name in left]
            yield self._cut("contradictions", "Contradictions", columns, rows)
        for rule in dict.fromkeys(one.rule for one in self.offences):
            rows = [
                [one.item, _where(one), one.score, one.hypothesis]
                for one in self.offences
                if one.rule == rule
            ]
            columns = [Column("segment", left=True), Column("where", left=True)]
            columns += [Column("score", decimals=4), Column("text", left=True)]
            yield self._cut(rule, f"Segments below {rule}", columns, rows)

    def caption(self) -> str:
        """The verdict in one line."""
        failed = sum(check.passed is False for check in self.checks)
        ruled = sum(check.passed is not None for check in self.checks)
        if not ruled:
            return f"No rules: {self.system}, {len(self.scores.keys):,} segments"
        verdict = "passed" if self.passed else f"failed ({failed} of {ruled} checks)"
        against = "" if self.baseline is None else f" against {self.baseline}"
        return f"Gate {verdict}: {self.system}{against}, {len(self.scores.keys):,} segments"

    def _cut(self, name: str, caption: str, columns: list[Column], rows: list[list[Cell]]) -> Table:
        if len(rows) > self.shown:
            caption += f" (the first {self.shown:,} of {len(rows):,}; -f json has all)"
        return Table(name, columns, rows[: self.shown], caption=caption)

    def records(self) -> Iterator[Table]:
        """Checks, contradictions and offences in full."""
        yield Table(
            "checks",
            [Column(name) for name in "rule metric passed limit score baseline offending".split()],
            [
                [c.rule, c.metric, c.passed, c.limit, c.score, c.baseline, c.offending]
                for c in self.checks
            ],
        )
        for name, found in (
            ("contradictions", [_contradiction(one) for one in self.contradictions]),
            ("offences", [asdict(one) for one in self.offences]),
        ):
            if found:
                rows = [list(one.values()) for one in found]
                yield Table(name, [Column(key) for key in found[0]], rows)

    def notes(self) -> Sequence[str]:
        """How the test was made, what was accepted; signatures."""
        return [*self.remarks, *dict.fromkeys(self.signatures.values())]

    def to_dict(self) -> dict[str, Any]:
        """The verdict, the checks and the segments that broke a rule."""
        return {
            "passed": self.passed,
            "system": self.system,
            "baseline": self.baseline,
            "segments": len(self.scores.keys),
            "checks": [check.to_dict() for check in self.checks],
            "contradictions": [_contradiction(one) for one in self.contradictions],
            "offences": [asdict(one) for one in self.offences],
            "signatures": dict(self.signatures),
        }


def _shown_check(check: Check) -> list[Cell]:
    p = None if check.score is None else check.score.corrected
    result = {True: "passed", False: "failed", None: "no rule"}[check.passed]
    found: Cell = check.score.value if check.score is not None else ""
    if check.offending is not None:
        found = f"{check.offending:,} segment{'' if check.offending == 1 else 's'}"
    return [
        *(check.rule, check.metric, found),
        "" if check.baseline is None else check.baseline,
        "" if check.difference is None else f"{check.difference:+.6g}",
        "" if p is None else shown_p(p),
        *(check.wanted, result),
    ]


def _where(one: Contradiction | Offence) -> str:
    return ":".join(str(part) for part in (one.path, one.line) if part is not None)


def _name(finding: Finding) -> str:
    """The kind of a contradiction; of words that are missing or added the verdict."""
    return finding.kind if finding.verdict == "contradicted" else finding.verdict


def _contradiction(one: Contradiction) -> dict[str, Any]:
    finding = one.finding
    return {
        "item": one.item,
        "path": one.path,
        "line": one.line,
        "kind": finding.kind,
        "verdict": finding.verdict,
        "weight": finding.weight,
        "hypothesis_text": finding.hypothesis_text,
        "target_text": finding.reference_text,
        "hypothesis_span": list(finding.hypothesis),
        "target_span": list(finding.reference),
        "hypothesis": one.hypothesis,
        "target": one.target,
    }
