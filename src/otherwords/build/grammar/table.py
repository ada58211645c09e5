"""Grammars in files: Parquet with one row per rule, and text of Joshua, Thrax and PPDB.

A line of text is `[VP] ||| want [VP,1] ||| propose [VP,1] ||| count=2 ||| 0-0`: the left-hand side,
the two sides, whose nonterminals have the same labels and are numbered by the source side, then the
features, named or not, the links between the words, and in PPDB 2.0 the entailment relation.
"""

from __future__ import annotations

import math
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from otherwords import _build
from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import (
    form_of,
    is_parquet,
    metadata_of,
    open_parquet,
    read_batches,
    row_count,
    table_digest,
    write_parquet,
)
from otherwords.errors import InputError, near
from otherwords.io.files import (
    STDIN,
    Target,
    open_bytes,
    read_lines,
    write_to,
)
from otherwords.io.processes import working_folder
from otherwords.io.values import parse_float
from otherwords.models.arrays import Strings
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

KIND = "grammar"
GRAMMAR_FORMATS = ("joshua", "parquet")
TYPES = ("lexical", "phrasal", "syntactic")
BATCH = 1 << 16
_LINES_AT_ONCE = 1 << 13
_MOST_FEATURES = 1000
_LARGEST = sys.float_info.max
_NONTERMINAL = r" \[[^ \[\]]+,([1-9][0-9]{0,2})\] "
_LABEL = re.compile(r"\[([^\s\[\]]+)\]")
_LINK = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")
_BARS = "|||"
_ESCAPES = {"|": "&#124;", "[": "&#91;", "]": "&#93;"}
_FIELD_END = re.compile(r"(?<![^ \t])\|\|\|(?![^ \t])")
_TEXTS = dict.fromkeys(("lhs", "source", "target", "alignment", "relation"), pa.string())

_Parsed = TypeVar("_Parsed")


def rule_schema(features: Sequence[str]) -> pa.Schema:
    """Return the columns of a grammar; features are f0, f1..., as they can have any names."""
    return pa.schema({**_TEXTS, **{f"f{place}": pa.float64() for place in range(len(features))}})


@dataclass(frozen=True)
class Grammar:
    """A grammar on disk. Sides are as in a line of text; a feature that a rule lacks is null.

    `name` is its name in errors: the file that it was read from.
    """

    path: Path
    rows: int
    features: tuple[str, ...]
    metadata: Mapping[str, Any]
    name: str = field(default="", compare=False)

    @classmethod
    def open(cls, path: str | Path) -> Grammar:
        """Open a Parquet file; refuse it if it is not a grammar."""
        with open_parquet(path, _TEXTS, KIND) as file:
            metadata = metadata_of(file)
            names = metadata.get("features")
            if metadata.get("kind") != KIND or not isinstance(names, list):
                raise InputError(
                    "this Parquet file is not a grammar written by otherwords", path=str(path)
                )
            features = tuple(str(name) for name in names)
            columns = {field.name: field.type for field in rule_schema(features)}
            rows = row_count(path)
        with open_parquet(path, columns, KIND):
            return cls(Path(path), rows, features, metadata, str(path))

    def column(self, feature: str) -> str:
        if feature not in self.features:
            raise InputError(
                f"there is no feature '{feature}'; {near(feature, self.features)}",
                path=self.name,
            )
        return f"f{self.features.index(feature)}"

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows, many at a time; refuse rows that are not valid rules."""
        first = 1
        limits = {f"f{k}": (-_LARGEST, _LARGEST) for k in range(len(self.features))}
        nullable = ["alignment", "relation", *limits]
        schema = rule_schema(self.features)
        for batch in read_batches(self.path, schema, KIND, limits=limits, nullable=nullable):
            if fault := _wrong_rule(batch):
                raise InputError(f"row {first + fault[0]}: {fault[1]}", path=self.path)
            first += len(batch)
            yield batch

    def texts(self) -> Iterator[bytes]:
        """Yield lines of Joshua, many at a time."""
        return text_chunks(self.batches(), self.features)

    def lines(self) -> Iterator[str]:
        return (line for text in self.texts() for line in text.decode().split("\n")[:-1])

    @property
    def digest(self) -> str:
        return table_digest(self.path)


def write_grammar(
    batches: Iterable[pa.RecordBatch],
    path: str | Path,
    features: Sequence[str],
    metadata: Mapping[str, Any] | None = None,
) -> Grammar:
    """Write rows with the columns of `rule_schema(features)` as a Parquet file."""
    described = {"kind": KIND, "features": list(features), **(metadata or {})}
    write_parquet(path, rule_schema(features), batches, described)
    return Grammar.open(path)


def rule_types(batch: pa.RecordBatch, lexical: str = "source") -> pa.Array:
    """Return the type of each row of a grammar (PARADIGM, Figure 2)."""
    sides = [space_symbols(batch[name]) for name in ("source", "target")]
    is_word = [pc.invert(pc.match_substring(side, "  ")) for side in sides]
    single = pc.and_(*is_word) if lexical == "both" else is_word[0]
    words = pc.if_else(single, "lexical", "phrasal")
    return pc.if_else(pc.match_substring_regex(sides[0], _NONTERMINAL), "syntactic", words)


def space_symbols(side: pa.Array) -> pa.Array:
    """Give every symbol its own space on both sides."""
    wide = pc.replace_substring(side, " ", "  ")
    return pc.binary_join_element_wise("", wide, "", " ").cast(pa.large_string())


def drop_labels(side: pa.Array) -> pa.Array:
    """Give all nonterminals one label, for comparisons only."""
    return pc.replace_substring_regex(space_symbols(side), _NONTERMINAL, r" [X,\1] ")


def text_chunks(batches: Iterable[pa.RecordBatch], features: Sequence[str]) -> Iterator[bytes]:
    """Yield rows of a grammar as lines of Joshua, many at a time.

    >>> rows = [{"lhs": "X", "source": "a", "target": "b", "f0": 1.0, "f1": 0.25}]
    >>> batch = pa.RecordBatch.from_pylist(rows, schema=rule_schema(["p", "q"]))
    >>> list(text_chunks([batch], ["p", "q"]))
    [b'[X] ||| a ||| b ||| p=1 q=0.25\\n']
    """
    schema = rule_schema(features)
    for batch in batches:
        for start in range(0, len(batch), _LINES_AT_ONCE):
            rows = batch.slice(start, _LINES_AT_ONCE).cast(schema)
            texts = [Strings.of(rows[name].fill_null("")) for name in _TEXTS]
            values = [
                column.fill_null(math.nan).to_numpy(zero_copy_only=False)
                for column in rows.columns[len(_TEXTS) :]
            ]
            columns = [(text.bytes, text.bounds) for text in texts]
            yield _build.rule_lines(columns, list(features), values)


def _parse_lines(
    path: str, name: str, parse: Callable[[str], _Parsed]
) -> Iterator[tuple[int, _Parsed]]:
    """Yield the numbers and the content of lines that are not empty."""
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            try:
                yield number, parse(line)
            except InputError as error:
                raise InputError(error.message, path=name, line=number) from error


def escape(word: str) -> str:
    """Replace bars and brackets by codes, if a word is `|||` or stands in brackets.

    A word that already has these codes stays the same.

    >>> escape("[X,1]"), escape("|||"), escape("[sic]")
    ('&#91;X,1&#93;', '&#124;&#124;&#124;', '&#91;sic&#93;')
    """
    if word == _BARS or (len(word) > 2 and word[0] == "[" and word[-1] == "]"):
        return "".join(_ESCAPES.get(c, c) for c in word)
    return word


def split_fields(line: str) -> list[str]:
    """Split the fields of a line, three to six."""
    fields = line.split(" ||| ")
    if line.count(_BARS) >= len(fields) or "\t" in line:  # unlike most tools write it
        fields = _FIELD_END.split(line)
    fields = [field.strip(" \t") for field in fields]
    if not 3 <= len(fields) <= 6:
        raise InputError(
            f"a rule has 3 to 6 fields with ||| between them; there are {len(fields)} here"
        )
    return fields


def words_of(text: str) -> list[str]:
    """Split at spaces and tabs; other white space may be inside a word."""
    return [word for word in text.replace("\t", " ").split(" ") if word]


@lru_cache(1 << 16)
def parse_lhs(text: str) -> str:
    """Read the label of a left-hand side in brackets."""
    match = _LABEL.fullmatch(text)
    if match is None:
        raise InputError(f"'{text[:40]}' is not a left-hand side; write a label in brackets: [X]")
    return match[1]


def parse_features(text: str) -> dict[str, float]:
    """Parse features; those without a name are numbered.

    >>> parse_features("0 1.5"), parse_features("Lex(e|f)=1 0.5")
    ({'0': 0.0, '1': 1.5}, {'Lex(e|f)': 1.0, '1': 0.5})
    """
    features = {}
    for place, word in enumerate(words_of(text)):
        name, equals, value = word.rpartition("=")
        try:
            number = parse_float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or (equals and not name):
            raise InputError(f"'{word[:60]}' is not a feature; write a number or name=number")
        if (key := name if equals else str(place)) in features:
            raise InputError(f"the feature '{key[:60]}' occurs twice")
        features[key] = number
    return features


def alignment_text(links: Iterable[tuple[int, int]]) -> str:
    """Write links."""
    return " ".join(f"{i}-{j}" for i, j in links)


def parse_alignment(text: str) -> tuple[tuple[int, int], ...]:
    """Read links."""
    links = []
    for word in words_of(text):
        match = _LINK.fullmatch(word)
        if match is None:
            raise InputError(f"'{word[:40]}' is not a link; write i-j, two places from 0")
        links.append((int(match[1]), int(match[2])))
    return tuple(links)


def grammar_of(path: str | Path, folder: str | Path) -> Grammar:
    """Open a Parquet file, or convert text to one in `folder`."""
    if is_parquet(str(path)):
        return Grammar.open(path)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".parquet", delete=False) as file:
        return read_grammar(path, file.name)


def read_grammar(path: str | Path, parquet: str | Path) -> Grammar:
    """Convert a text grammar to Parquet, holding only a block in memory.

    The file is read twice, first for the names of its features.
    """
    if str(path) != STDIN:
        return _read_grammar(str(path), str(path), parquet)
    with working_folder() as folder:
        copy = folder / "copy"
        with open_bytes(path) as lines, copy.open("wb") as out:
            shutil.copyfileobj(lines, out)
        return _read_grammar(str(copy), STDIN, parquet)


def _read_grammar(path: str, name: str, parquet: str | Path) -> Grammar:
    features = _feature_names(path, name)
    rows = _parse_lines(path, name, lambda line: _row(line, features))
    metadata = {"signature": "grammar-text|v:1"}
    grammar = write_grammar(_batches(rows, features, name), parquet, features, metadata)
    return replace(grammar, name=name)


def _feature_names(path: str, name: str) -> tuple[str, ...]:
    """Collect the names of features in order of appearance."""
    names: dict[str, None] = {}
    seen: set[tuple[str, ...]] = set()

    def collect(line: str) -> None:
        fields = split_fields(line)
        words = words_of(fields[3]) if len(fields) > 3 else []
        own = tuple(word.rpartition("=")[0] or str(place) for place, word in enumerate(words))
        if own not in seen:
            names.update(dict.fromkeys(own))
            if len(seen) < _MOST_FEATURES:
                seen.add(own)
        if len(names) > _MOST_FEATURES:
            raise InputError(f"there are more than {_MOST_FEATURES} different features")

    for _ in _parse_lines(path, name, collect):
        pass
    return tuple(names)


def _row(line: str, features: tuple[str, ...]) -> tuple[Any, ...]:
    fields = split_fields(line)
    source, target = (" ".join(words_of(side)) for side in fields[1:3])
    links = alignment_text(parse_alignment(fields[4])) if len(fields) > 4 and fields[4] else ""
    relation = (fields[5] or None) if len(fields) > 5 else None
    values = _values(fields[3], features) if len(fields) > 3 else [None] * len(features)
    return (parse_lhs(fields[0]), source, target, links, relation, *values)


def _values(text: str, features: tuple[str, ...]) -> list[float | None]:
    """Return the values of a line's features in the order of `features`."""
    if "=" not in text:
        try:
            values = [parse_float(word) for word in words_of(text)]
        except ValueError:
            values = [math.nan]  # refused below
        if all(map(math.isfinite, values)) and _are_places(features):
            return [*values, *[None] * (len(features) - len(values))]
    named = parse_features(text)
    return [named.get(feature) for feature in features]


@lru_cache(16)
def _are_places(features: tuple[str, ...]) -> bool:
    return features == tuple(str(place) for place in range(len(features)))


def _batches(
    rows: Iterator[tuple[int, tuple[Any, ...]]], features: Sequence[str], name: str
) -> Iterator[pa.RecordBatch]:
    schema = rule_schema(features)
    while block := list(islice(rows, BATCH)):
        numbers, cells = zip(*block, strict=True)
        columns = zip(zip(*cells, strict=True), schema, strict=True)
        arrays = [pa.array(list(column), field.type) for column, field in columns]
        batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
        if fault := _wrong_rule(batch):
            raise InputError(fault[1], path=name, line=numbers[fault[0]])
        yield batch


def _wrong_rule(batch: pa.RecordBatch) -> tuple[int, str] | None:
    """Return the first row whose label or sides are not those of a rule, and what is wrong."""
    texts = (Strings.of(batch[name]) for name in ("lhs", "source", "target"))
    return _build.wrong_rule([(text.bytes, text.bounds) for text in texts])


def convert_grammar(
    file: str,
    output: Target,
    *,
    engine: Engine,
    form: str | None = None,
    change: Callable[..., Grammar] | None = None,
) -> None:
    """Write a grammar in another format, or a grammar derived from it.

    Parameters
    ----------
    file
        Joshua, Thrax or PPDB text, or Parquet.
    output
        Where it is written.
    engine
        The engine that does the work.
    form
        `joshua` or `parquet` (default: by the name of the output).
    change
        `prune_grammar` or `pivot_grammar` with their options:
        `partial(prune_grammar, top=1, rank_by="p")`.
    """
    is_text = form_of(form, output, GRAMMAR_FORMATS) == "joshua"
    grammar = grammar_of(file, engine.folder)
    if change is not None:
        path = str(engine.folder / "changed.parquet") if is_text else str(output)
        grammar = change(grammar, path, engine=engine)
    elif not is_text:
        write_grammar(grammar.batches(), str(output), grammar.features, grammar.metadata)
    if is_text:
        with write_to(output) as out:
            out.writelines(grammar.texts())


def describe(grammar: Grammar) -> dict[str, Any]:
    """Count rules, left-hand sides and types, and find the range of each feature."""
    types: Counter[str] = Counter()
    labels: set[str] = set()
    identical = 0
    features: dict[str, dict[str, float]] = {}
    for batch in grammar.batches():
        types.update(rule_types(batch).to_pylist())
        labels.update(pc.unique(batch["lhs"]).to_pylist())
        identical += pc.sum(pc.equal(batch["source"], batch["target"])).as_py() or 0
        for place, name in enumerate(grammar.features):
            values = batch[f"f{place}"].drop_null()
            if len(values):
                low, high = pc.min_max(values).as_py().values()
                known = features.setdefault(name, {"rules": 0, "min": low, "max": high})
                known["rules"] += len(values)
                known["min"], known["max"] = min(known["min"], low), max(known["max"], high)
    return {
        "rules": grammar.rows,
        "left-hand sides": len(labels),
        "types": {name: types[name] for name in TYPES},
        "identical sides": identical,
        "features": {name: features[name] for name in grammar.features if name in features},
        "signature": grammar.metadata.get("signature"),
    }


@dataclass(frozen=True)
class GrammarDescription(Tabular):
    """Summary of a grammar: numbers of rules, ranges of features, provenance."""

    document: Mapping[str, Any]

    def tables(self) -> Iterator[Table]:
        properties = [
            [name, str(value)]
            for name, value in self.document.items()
            if name not in ("types", "features") and value is not None
        ]
        yield Table(
            "grammar", [Column("property", left=True), Column("value", left=True)], properties
        )
        types = [Column("type", left=True), Column("rules")]
        yield Table("types", types, [[*row] for row in self.document["types"].items()])
        if features := self.document.get("features"):
            columns = [Column("feature", left=True), *map(Column, ("rules", "min", "max"))]
            yield Table(
                "features", columns, [[name, *row.values()] for name, row in features.items()]
            )

    def to_dict(self) -> dict[str, Any]:
        return dict(self.document)


def describe_file(path: str) -> GrammarDescription:
    """Describe a file of rules."""
    with working_folder() as folder:
        return GrammarDescription(describe(grammar_of(path, folder)))
