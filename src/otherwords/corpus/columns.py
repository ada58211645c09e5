"""Which column holds what: names of columns, the obvious ones and those that a user chooses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from otherwords.errors import InputError, UsageError, near

__all__ = ["Chosen", "Columns", "parse_columns"]

Chosen = Mapping[str, str | Sequence[str]]

FIELDS = (
    *("hypothesis", "reference", "references", "source", "system", "item", "id", "doc", "human"),
    *("judges", "systems", "langs", "better", "worse", "judge", "candidates"),
)
ALIASES = {
    "hypothesis": ("hyp", "candidate", "mt", "output", "prediction"),
    "reference": ("ref",),
    "references": ("refs",),
    "source": ("src",),
    "doc": ("docid", "doc_id"),
}
_PLAIN = {"reference", "references"}
_NUMBERED = re.compile(r"ref(?:erences?)?[ _.-]?([0-9]{1,4})")
HUMAN = "human."
_MOST_PLANS = 1000


def parse_columns(texts: Sequence[str] | None) -> dict[str, list[str]]:
    """What `--columns FIELD=COLUMN,...` chooses; several columns of references are kept in order.

    >>> parse_columns(["hypothesis=paraphrase,source=original", "references=r1,references=r2"])
    {'hypothesis': ['paraphrase'], 'source': ['original'], 'references': ['r1', 'r2']}
    """
    found: dict[str, list[str]] = {}
    for part in (part for text in texts or () for part in text.split(",")):
        name, equals, column = part.partition("=")
        if not equals or not name.strip() or not column.strip():
            raise UsageError(f"--columns takes FIELD=COLUMN,..., not '{part}'")
        found.setdefault(name.strip(), []).append(column.strip())
    Columns(found)
    return found


@dataclass(frozen=True)
class _Plan:
    """What becomes of the columns of a record."""

    kept: tuple[tuple[str, str], ...]  # column, name
    references: tuple[str, ...]  # several columns that make up one list
    human: tuple[tuple[str, str], ...]  # column, name of the score
    others: tuple[str, ...]
    same: bool  # the record may stay as it is


@dataclass
class Columns:
    """Gives the columns of records the names of the fields of a row.

    A column is found by the field's own name, then by that name in another case, then by the
    names that other tools use. Two columns of equal claim are refused.

    >>> Columns().renamed({"MT": "a", "ref": "b", "date": 3})
    {'hypothesis': 'a', 'reference': 'b', 'date': 3}
    >>> Columns({"source": "original"}).renamed({"output": "a", "original": "b"})
    {'source': 'b', 'hypothesis': 'a'}
    >>> Columns().renamed({"mt": "a", "output": "b"})
    Traceback (most recent call last):
    ...
    otherwords.errors.InputError: 'mt' and 'output' could both be the hypothesis; choose with
    --columns hypothesis=mt
    """

    chosen: Chosen = field(default_factory=dict)
    _plans: dict[tuple[str, ...], _Plan] = field(default_factory=dict, repr=False)
    _seen: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        for name, columns in self.chosen.items():
            if name not in FIELDS and not (name.startswith(HUMAN) and len(name) > len(HUMAN)):
                hint = near(name, [*FIELDS, HUMAN + "NAME"])
                raise UsageError(f"--columns: there is no field '{name}'; {hint}")
            if name not in _PLAIN and len(_several(columns)) != 1:
                raise UsageError(f"--columns: '{name}' is one column, not {len(columns)}")

    def renamed(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record by the names of fields; what is no field keeps its name."""
        names = tuple(record)
        plan = self._plans.get(names)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[names] = self._plan(names)
        if plan.same and isinstance(record, dict):
            return record
        found = {name: record[column] for column, name in plan.kept}
        if plan.references:
            found["references"] = [record[column] for column in plan.references]
        if plan.human:
            scores = {name: record[column] for column, name in plan.human}
            found["human"] = {**_object(found.get("human")), **scores}
        found.update((name, record[name]) for name in plan.others)
        return found

    def used(self, names: Sequence[str]) -> list[str]:
        """The columns that hold fields; the others need not be read."""
        plan = self._plan(tuple(names))
        held = {column for column, _ in (*plan.kept, *plan.human)} | set(plan.references)
        return [name for name in names if name in held]

    def _plan(self, names: tuple[str, ...]) -> _Plan:
        kept: dict[str, str] = {}
        references: tuple[str, ...] = ()
        human: list[tuple[str, str]] = []
        taken: set[str] = set()
        for name, columns in self.chosen.items():
            several = _several(columns)
            if not self._seen:  # later lines of JSONL may lack a key
                self._must_have(several, names)
            there = [column for column in several if column in names]
            taken.update(there)
            if name in _PLAIN and len(several) > 1:
                references = tuple(there)
            elif name.startswith(HUMAN):
                human += [(column, name.removeprefix(HUMAN)) for column in there]
            elif there:
                kept[there[0]] = name
        self._seen = True
        done = {*self.chosen, *(_PLAIN if _PLAIN & self.chosen.keys() else ())}
        free = [name for name in names if name not in taken]
        for title in (name for name in FIELDS if name not in done and name not in _PLAIN):
            column = self._find(title, (title,), ALIASES.get(title, ()), free)
            if column is not None:
                kept[column] = title
        if not done & _PLAIN:
            numbered = self._references(free, kept)
            references = tuple(numbered)
        human += [
            (name, name.removeprefix(HUMAN))
            for name in free
            if name.startswith(HUMAN) and name not in self.chosen and len(name) > len(HUMAN)
        ]
        held = {*kept, *references, *(column for column, _ in human)}
        fields = {*kept.values(), *({"references"} if references else ())}
        others = tuple(name for name in free if name not in held and name not in fields | done)
        same = all(column == name for column, name in kept.items())
        dropped = len(held) + len(others) < len(names)
        same = same and not (references or human or dropped)
        return _Plan(tuple(kept.items()), references, tuple(human), others, same)

    def _references(self, free: Sequence[str], kept: dict[str, str]) -> list[str]:
        """Columns such as `ref1`, `ref2`, or one that holds all references of a row."""
        found = {name: _NUMBERED.fullmatch(name.strip().lower()) for name in free}
        numbered = sorted((int(m[1]), name) for name, m in found.items() if m)
        own = [name for name in free if name in _PLAIN]
        if not own:
            aliases = [*ALIASES["reference"], *ALIASES["references"]]
            column = self._find("references", tuple(_PLAIN), aliases, free)
            own = [] if column is None else [column]
        if own and numbered:
            raise _ambiguous("references", [*own, *(name for _, name in numbered)])
        for column in own:
            many = column.strip().lower() in ("references", "refs")
            kept[column] = "references" if many else "reference"
        return [name for _, name in numbered]

    def _find(
        self, title: str, exact: Sequence[str], aliases: Iterable[str], free: Sequence[str]
    ) -> str | None:
        for wanted in (exact, aliases):
            known = set(wanted)
            own = [name for name in free if name in known]
            claims = own if own and wanted is exact else []
            claims = claims or [name for name in free if name.strip().lower() in known]
            if len(claims) > 1:
                raise _ambiguous(title, claims)
            if claims:
                return claims[0]
        return None

    def _must_have(self, columns: Iterable[str], names: Sequence[str]) -> None:
        for column in columns:
            if column not in names:
                message = f"no column '{column}', which --columns names; {shown(names)}"
                raise InputError(message, code="E203")


def shown(names: Iterable[str]) -> str:
    """The names of the columns, for an error."""
    quoted = ", ".join(map(repr, names))
    return f"the columns are: {quoted}"[:200] if quoted else "there are no columns"


def _ambiguous(title: str, claims: Sequence[str]) -> InputError:
    listed = " and ".join([", ".join(map(repr, claims[:-1])), repr(claims[-1])])
    both = "both" if len(claims) == 2 else "all"
    choice = ",".join(
        f"{title}={name}" for name in (claims if title == "references" else claims[:1])
    )
    message = f"{listed} could {both} be the {title}; choose with --columns {choice}"
    return InputError(message, code="E209")


def _several(columns: str | Sequence[str]) -> Sequence[str]:
    return [columns] if isinstance(columns, str) else columns


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
