"""Detects the format of a file from its name and first bytes, and maps its columns to fields."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import BOM, PARQUET

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
Format = Literal["text", "jsonl", "json", "csv", "tsv", "parquet", "wmt"]
TITLES: dict[Format, str] = {
    "text": "text with one segment per line",
    "jsonl": "JSONL",
    "json": "a JSON array",
    "csv": "CSV",
    "tsv": "TSV",
    "parquet": "Parquet",
    "wmt": "XML or SGML",
}
_ENDINGS: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".sgm": "wmt",
    ".sgml": "wmt",
    ".xml": "wmt",
}
_ENDING = {format: ending for ending, format in reversed(_ENDINGS.items())}
_JSONL = re.compile(rb'\s*\{.*"hypothesis"\s*:', re.DOTALL)
_ARRAY = re.compile(rb"\s*\[\s*(\{|\]\s*$)")
_WMT = re.compile(rb"<(dataset|refset|srcset|tstset|mteval)\b")
_HYPOTHESES = {"hypothesis", "better", "candidates"}
HEAD = 4096  # bytes that are enough to detect the format


def parse_columns(texts: Sequence[str] | None) -> dict[str, list[str]]:
    """Parse `--columns FIELD=COLUMN,...`; several columns of references keep their order.

    >>> parse_columns(["hypothesis=paraphrase,source=original", "references=r1,references=r2"])
    {'hypothesis': ['paraphrase'], 'source': ['original'], 'references': ['r1', 'r2']}
    """
    chosen: dict[str, list[str]] = {}
    for part in (part for text in texts or () for part in text.split(",")):
        name, equals, column = part.partition("=")
        if not equals or not name.strip() or not column.strip():
            raise UsageError(f"`columns` takes FIELD=COLUMN,..., not '{part}'")
        chosen.setdefault(name.strip(), []).append(column.strip())
    Columns(chosen)
    return chosen


@dataclass(frozen=True)
class _Plan:
    """How the columns of a record map to fields."""

    kept: tuple[tuple[str, str], ...]  # column, name
    references: tuple[str, ...]  # columns that make up one list
    human: tuple[tuple[str, str], ...]  # column, name of the score
    others: tuple[str, ...]
    same: bool  # the record needs no change


@dataclass
class Columns:
    """Renames the columns of records to the fields of a row.

    A column is found by the field's own name, then by that name in another case, then by the
    names that other tools use. Two columns that fit equally well are refused.

    >>> Columns().renamed({"MT": "a", "ref": "b", "date": 3})
    {'hypothesis': 'a', 'reference': 'b', 'date': 3}
    >>> Columns({"source": "original"}).renamed({"output": "a", "original": "b"})
    {'source': 'b', 'hypothesis': 'a'}
    >>> Columns().renamed({"mt": "a", "output": "b"})
    Traceback (most recent call last):
    ...
    otherwords.errors.InputError: 'mt' and 'output' could both be the hypothesis; choose with
    `columns` hypothesis=mt
    """

    chosen: Chosen = field(default_factory=dict)
    _plans: dict[tuple[str, ...], _Plan] = field(default_factory=dict, repr=False)
    _seen: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        for name, columns in self.chosen.items():
            if name not in FIELDS and not (name.startswith(HUMAN) and len(name) > len(HUMAN)):
                hint = near(name, [*FIELDS, HUMAN + "NAME"])
                raise UsageError(f"`columns`: there is no field '{name}'; {hint}")
            if name not in _PLAIN and len(_as_list(columns)) != 1:
                raise UsageError(f"`columns`: '{name}' is one column, not {len(columns)}")

    def renamed(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Rename a record's columns to fields; other columns keep their names."""
        names = tuple(record)
        plan = self._plans.get(names)
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[names] = self._plan(names)
        if plan.same and isinstance(record, dict):
            return record
        fields = {name: record[column] for column, name in plan.kept}
        if plan.references:
            fields["references"] = [record[column] for column in plan.references]
        if plan.human:
            scores = {name: record[column] for column, name in plan.human}
            fields["human"] = {**_object(fields.get("human")), **scores}
        fields.update((name, record[name]) for name in plan.others)
        return fields

    def used(self, names: Sequence[str]) -> list[str]:
        """The columns that hold fields; the others need not be read."""
        plan = self._plan(tuple(names))
        held = {column for column, _ in (*plan.kept, *plan.human)} | set(plan.references)
        return [name for name in names if name in held]

    def _plan(self, names: tuple[str, ...]) -> _Plan:
        names_of: dict[str, str] = {}
        references: tuple[str, ...] = ()
        human: list[tuple[str, str]] = []
        taken: set[str] = set()
        for name, columns in self.chosen.items():
            wanted = _as_list(columns)
            if not self._seen:  # later lines of JSONL may lack a key
                self._must_have(wanted, names)
            there = [column for column in wanted if column in names]
            taken.update(there)
            if name in _PLAIN and len(wanted) > 1:
                references = tuple(there)
            elif name.startswith(HUMAN):
                human += [(column, name.removeprefix(HUMAN)) for column in there]
            elif there:
                names_of[there[0]] = name
        self._seen = True
        done = {*self.chosen, *(_PLAIN if _PLAIN & self.chosen.keys() else ())}
        free = [name for name in names if name not in taken]
        for title in (name for name in FIELDS if name not in done and name not in _PLAIN):
            column = self._find(title, (title,), ALIASES.get(title, ()), free)
            if column is not None:
                names_of[column] = title
        if not done & _PLAIN:
            references = tuple(self._references(free, names_of))
        human += [
            (name, name.removeprefix(HUMAN))
            for name in free
            if name.startswith(HUMAN) and name not in self.chosen and len(name) > len(HUMAN)
        ]
        held = {*names_of, *references, *(column for column, _ in human)}
        fields = {*names_of.values(), *({"references"} if references else ())}
        others = tuple(name for name in free if name not in held and name not in fields | done)
        same = all(column == name for column, name in names_of.items())
        dropped = len(held) + len(others) < len(names)
        same = same and not (references or human or dropped)
        return _Plan(tuple(names_of.items()), references, tuple(human), others, same)

    def _references(self, free: Sequence[str], names_of: dict[str, str]) -> list[str]:
        """Columns such as `ref1`, `ref2`; a single column of references is added to `names_of`."""
        matches = {name: _NUMBERED.fullmatch(name.strip().lower()) for name in free}
        numbered = sorted((int(match[1]), name) for name, match in matches.items() if match)
        own = [name for name in free if name in _PLAIN]
        if not own:
            aliases = [*ALIASES["reference"], *ALIASES["references"]]
            column = self._find("references", tuple(_PLAIN), aliases, free)
            own = [] if column is None else [column]
        if own and numbered:
            raise _ambiguous("references", [*own, *(name for _, name in numbered)])
        for column in own:
            many = column.strip().lower() in ("references", "refs")
            names_of[column] = "references" if many else "reference"
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
                message = f"no column '{column}', which `columns` names; {shown(names)}"
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
    message = f"{listed} could {both} be the {title}; choose with `columns` {choice}"
    return InputError(message, code="E209")


def _as_list(columns: str | Sequence[str]) -> Sequence[str]:
    return [columns] if isinstance(columns, str) else columns


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def named_kind(name: str) -> Format | None:
    """The format of a file name's ending.

    >>> named_kind("sys.jsonl.gz"), named_kind("a.txt")
    ('jsonl', None)
    """
    stem = name.lower().removesuffix(".gz")
    return next((format for end, format in _ENDINGS.items() if stem.endswith(end)), None)


def is_wmt(head: bytes) -> bool:
    """Whether the first bytes of a file are those of WMT XML or mteval SGML.

    >>> is_wmt(b'<refset setid="test" trglang="en">'), is_wmt(b"<unk> is unknown")
    (True, False)
    """
    head = head.removeprefix(BOM).lstrip().lower()
    return head.startswith(b"<?xml") or (head.startswith(b"<") and bool(_WMT.search(head)))


def sniff(head: bytes, columns: Chosen | None = None) -> Format:
    """Guess the format from the first bytes of a file; `text` if they fit no other format.

    A table must name a hypothesis in its first line.

    >>> sniff(b"src,mt,ref\\nx,y,z\\n"), sniff(b'[{"hypothesis": "a"}]'), sniff(b"Yes, mt.\\n")
    ('csv', 'json', 'text')
    """
    if head.startswith(PARQUET):
        return "parquet"
    head = head.removeprefix(BOM)
    if is_wmt(head):
        return "wmt"
    if _ARRAY.match(head):
        return "json"
    if _JSONL.match(head):
        return "jsonl"
    if head.lstrip().startswith(b"{"):
        with suppress(ValueError, RecursionError):
            record = json.loads(head.lstrip().split(b"\n", 1)[0])
            if isinstance(record, dict) and _has_text(list(record), columns):
                return "jsonl"
    return _table(head, columns) or "text"


def detect(name: str, head: bytes, columns: Chosen | None = None) -> Format:
    """The format of the name's ending, or else of the content.

    >>> detect("sys.jsonl.gz", b""), detect("-", b'<tstset setid="x">'), detect("a.txt", b"Hi")
    ('jsonl', 'wmt', 'text')
    """
    named, sniffed = named_kind(name), sniff(head, columns)
    return "json" if named == "jsonl" and sniffed == "json" else named or sniffed


def check_kind(name: str, format: Format, head: bytes) -> None:
    """Refuse content that clearly has another format.

    >>> check_kind("rows.jsonl", "jsonl", b"source,hypothesis\\na,b\\n")
    Traceback (most recent call last):
    ...
    otherwords.errors.InputError: rows.jsonl:1: this is CSV, not JSONL; let its name end in .csv
    """
    sniffed = sniff(head)
    if format == "parquet" and sniffed == "text" and head:
        raise InputError("this is not Parquet", path=name, line=1, code="E212")
    if sniffed not in ("text", format) and {sniffed, format} != {"jsonl", "json"}:
        advice = f"let its name end in {_ENDING[sniffed]}"
        message = f"this is {TITLES[sniffed]}, not {TITLES[format]}; {advice}"
        raise InputError(message, path=name, line=1, code="E212")


def delimiter_of(header: str, format: Format) -> str:
    """The separator of cells: a tab in TSV; in CSV a comma, or `;` if there is no comma."""
    if format == "tsv":
        return "\t"
    return ";" if ";" in header and "," not in header else ","


def _table(head: bytes, columns: Chosen | None) -> Format | None:
    line = head.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
    tables: tuple[Format, ...] = ("tsv", "csv")
    for format in tables:
        mark = delimiter_of(line, format)
        with suppress(csv.Error):  # a CR inside a line, an unclosed field
            if mark in line and _has_text(next(csv.reader([line], delimiter=mark), []), columns):
                return format
    return None


def _has_text(names: list[str], columns: Chosen | None) -> bool:
    try:
        return bool(_HYPOTHESES & Columns(columns or {}).renamed(dict.fromkeys(names)).keys())
    except InputError as error:
        return (
            error.code == "E209"
        )  # two columns claim the field, so the header does name a hypothesis
