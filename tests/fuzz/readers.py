"""Targets: every reader of text and of Parquet, called as the library calls it."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from otherwords.build.bitext.gold import read_gold
from otherwords.build.bitext.links import read_links
from otherwords.build.bitext.pairs import read_bitext, read_text_pairs
from otherwords.build.engine.parquet import write_parquet
from otherwords.build.generation.decoder import read_weights
from otherwords.build.grammar.index import GrammarIndex
from otherwords.build.grammar.table import (
    Grammar,
    read_grammar,
    rule_schema,
)
from otherwords.build.lm import load_model
from otherwords.build.phrases.lattices import lattice_lines
from otherwords.build.phrases.moses import read_moses, write_moses
from otherwords.build.phrases.packing import PairFile
from otherwords.build.phrases.table import SCHEMA, PhraseTable
from otherwords.build.trees.tree import parse_trees
from otherwords.corpus.conversion import convert_rows
from otherwords.corpus.inputs import read_candidates, read_pairs, read_records, read_rows
from otherwords.corpus.rows import Row
from otherwords.corpus.validation import validate_files
from otherwords.corpus.wmt import read_wmt
from otherwords.errors import OtherwordsError
from otherwords.io.files import read_lines
from otherwords.models.paraphrase_files import read_sets
from otherwords.models.paraphrase_table import pack_file
from otherwords.scoring.outside_scores import read_outside_scores
from otherwords.study.agreement.human_scores import read_judged, read_system_scores
from otherwords.study.studio.annotators import compare_annotators
from otherwords.study.studio.export import export_rows
from otherwords.study.studio.judges import check_judges
from tests.fuzz import mutators, seeds
from tests.fuzz.harness import Target, check_numbers

_count = 0


def _file(data: bytes, folder: Path, suffix: str) -> Path:
    """The input as a file; never the same name twice, as caches know files by names."""
    global _count
    _count += 1
    path = folder / f"input{_count}{suffix}"
    path.write_bytes(data)
    return path


def _reader(name: str, given: list[bytes], suffix: str, read: Callable[[str, Path], Any]) -> Target:
    def run(data: bytes, folder: Path) -> Any:
        path = _file(data, folder, suffix)
        try:
            return read(str(path), folder)
        finally:
            path.unlink()

    return Target(name, partial(mutators.text, seeds=given), run)


def _all(iterator: Iterator[Any]) -> list[Any]:
    return list(iterator)


def _validated(path: str, folder: Path) -> Any:
    """What `validate` finds; a file without errors must be read by the reader of its rows."""
    result = validate_files([path])
    for finding in result.findings if hasattr(result, "findings") else ():
        assert "\n" not in str(finding), "a finding is not one line"
    json.dumps(result.to_dict(), allow_nan=False)
    return None


def _no_constant(text: str) -> None:
    raise AssertionError(f"{text} is written as JSON")


def _texts(row: Row, form: str) -> tuple[Any, ...]:
    """The texts of a row; an empty cell of a table is no text."""
    texts = str(row.hypothesis), *map(str, row.references), row.source
    return tuple(one or None for one in texts) if form in ("csv", "tsv") else texts


def _converted(path: str, folder: Path, *, form: str) -> Any:
    """Rows as they are read again after a conversion."""
    output = folder / f"converted.{form}"
    convert_rows([path], str(output))
    try:
        if form == "jsonl":
            for line in output.read_text(encoding="utf-8").split("\n")[:-1]:
                json.loads(line, parse_constant=_no_constant)
        after = list(read_rows(str(output)))
        rows = list(read_rows(path))
        assert [_texts(one, form) for one in rows] == [_texts(one, form) for one in after], (
            "rows are not the same after convert"
        )
    finally:
        output.unlink(missing_ok=True)


def _grammar(path: str, folder: Path) -> Any:
    """Rules through Parquet, and again as they are written; an index of them."""
    parquet, text = folder / "g.parquet", folder / "g.txt"
    try:
        rules = list(read_grammar(path, parquet).lines())
        text.write_text("".join(f"{rule}\n" for rule in rules), encoding="utf-8", newline="\n")
        assert list(read_grammar(text, parquet).lines()) == rules, "other rules"
        found = GrammarIndex.of(path)
        found.usable("the house of the king", "the king 's home")
        for number in range(min(found.size, 3)):
            found.rule(number)
    finally:
        for one in (parquet, text):
            one.unlink(missing_ok=True)


def _moses(path: str, folder: Path) -> Any:
    """A phrase table, written as text and read again."""
    table, again, text = folder / "t.parquet", folder / "u.parquet", folder / "t.moses"
    try:
        found = read_moses(path, table)
        rows = [row for batch in found.batches() for row in batch.to_pylist()]
        write_moses(found, text)
        repeated = [row for batch in read_moses(text, again).batches() for row in batch.to_pylist()]
        assert len(rows) == len(repeated), "not the same rows after writing"
        return rows
    finally:
        for one in (table, again, text):
            one.unlink(missing_ok=True)


def _paraphrases(path: str, folder: Path) -> Any:
    pack_file(PairFile(path))


def _trees(path: str, folder: Path) -> Any:
    return _all(parse_trees(read_lines(path), path))


def _lm(path: str, folder: Path) -> Any:
    model = load_model(path)
    return model.score(["the ship sank", ""])


def _given(path: str, folder: Path) -> Any:
    return read_outside_scores(path, _JUDGED)


def _log(path: str, folder: Path) -> Any:
    """A log through all that reads logs; each may refuse it."""
    refused: OtherwordsError | None = None
    for read in (
        lambda: list(export_rows([path]).lines()),
        lambda: list(export_rows([path], annotator="ann", everything=True).lines()),
        lambda: json.dumps(check_judges([path]).to_dict(), allow_nan=False),
        lambda: compare_annotators(f"ann={path}", f"bob={path}", everything=True),
    ):
        try:
            read()
        except OtherwordsError as error:
            refused = error
    if refused is not None:
        raise refused


def _links(path: str, folder: Path) -> Any:
    bitext = folder / "links-bitext.tsv"
    if not bitext.exists():
        bitext.write_text("a b\tc d\na b c\td e f\ng\th i\n")
    return read_links(path, read_bitext([str(bitext)])[0], "bitext")


_JUDGED = list(
    read_rows(
        [
            {"id": str(number), "system": system, "item": str(number), "hypothesis": "x"}
            for number, system in enumerate("ab")
        ]
    )
)


def text_targets() -> Iterator[Target]:
    """Formats of text."""
    rows = seeds.jsonl(seeds.ROWS)
    tables = [seeds.CSV.encode(), seeds.tsv(seeds.ROWS), seeds.tsv(seeds.ROWS[:2])]
    wmt = [seeds.XML.encode(), seeds.SGML.encode()]
    texts = [one.encode() for one in seeds.TEXT]
    pairs = [one.encode() for one in seeds.PARAPHRASES]
    rules = [seeds.RULES.encode(), *map(seeds.stored, ("gold.txt", "syntax.txt", "hiero.txt"))]
    logs = [seeds.stored("align.log"), seeds.stored("judge.log")]
    everything = [rows, *tables, *wmt, *texts, json.dumps(seeds.ROWS).encode()]
    yield _reader("lines", texts, ".txt", lambda path, _: _all(read_lines(path)))
    for suffix, given in (
        (".jsonl", [rows]),
        (".json", [json.dumps(seeds.ROWS, indent=1).encode(), rows]),
        (".csv", tables[:1]),
        (".tsv", tables[1:]),
    ):
        yield _reader(f"rows{suffix}", given, suffix, lambda path, _: _all(read_rows(path)))
    yield _reader("records", [rows, *tables], "", lambda path, _: _all(read_records(path)) and None)
    yield _reader(
        "candidates",
        [seeds.jsonl(seeds.CANDIDATES)],
        ".jsonl",
        lambda p, _: _all(read_candidates(p)),
    )
    yield _reader("pairs", [seeds.jsonl(seeds.PAIRS)], ".jsonl", lambda p, _: _all(read_pairs(p)))
    yield _reader(
        "judged", [rows, seeds.jsonl(seeds.PAIRS)], ".jsonl", lambda p, _: read_judged([p])
    )
    yield _reader("wmt", wmt, ".xml", lambda path, _: read_wmt(path))
    for suffix in (".txt", ".jsonl", ".csv", ".xml"):
        yield _reader(f"validate{suffix}", everything, suffix, _validated)
    for form in ("jsonl", "tsv", "csv", "parquet"):
        yield _reader(f"convert-{form}", [rows], ".jsonl", partial(_converted, form=form))
    yield _reader("trees", [seeds.TREES.encode()], ".txt", _trees)
    yield _reader("links", [seeds.LINKS.encode(), seeds.POSTERIORS.encode()], ".txt", _links)
    yield _reader("gold", [seeds.jsonl(seeds.GOLD)], ".jsonl", lambda path, _: read_gold(path))
    bitexts = [one.encode() for one in seeds.BITEXT]
    yield _reader("bitext", bitexts, ".tsv", lambda path, _: read_bitext([path]) and None)
    yield _reader("text-pairs", bitexts, ".txt", lambda path, _: read_text_pairs([path]) and None)
    yield _reader("moses", [seeds.MOSES.encode()], ".moses", _moses)
    yield _reader("paraphrases", pairs[:-1], ".txt", _paraphrases)
    yield _reader("sets", pairs[-1:], ".tsv", lambda path, _: read_sets(path).pivots and None)
    yield _reader("grammar", rules, ".txt", _grammar)
    groups = [seeds.stored("trees.tsv")]
    yield _reader("lattices", groups, ".tsv", lambda path, _: _all(lattice_lines(path)))
    yield _reader("arpa", [seeds.ARPA.encode()], ".arpa", _lm)
    weights = [one.encode() for one in seeds.WEIGHTS]
    yield _reader("weights", weights, "", lambda path, _: read_weights(path))
    yield _reader(
        "system-scores", [seeds.SYSTEMS.encode()], ".json", lambda path, _: read_system_scores(path)
    )
    given = [b"id\tmine\n0\t0.5\n1\t-1\n", b'{"id": "0", "mine": 0.5}\n{"id": "1", "mine": null}\n']
    yield _reader("given-scores.tsv", given[:1], ".tsv", _given)
    yield _reader("given-scores.txt", [b"0.5\n-1\n"], ".txt", _given)
    yield _reader("given-scores.seg", [b"a\t0.5\nb\t1\n", b"a None\nb 1\n"], ".seg.score", _given)
    systems = [b"a\t0.5\nb\t1e-3\n"]
    yield _reader("system-scores.sys", systems, ".sys.score", lambda p, _: read_system_scores(p))
    yield _reader("given-scores.jsonl", given[1:], ".jsonl", _given)
    yield _reader("logs", logs, ".log", _log)


# Parquet: values, types and columns, and bits

_PHRASES = [
    {
        "source": word, "target": "Haus", "p_source": 0.5, "lex_source": 0.5, "p_target": 0.25,
        "lex_target": 0.5, "alignment": "0-0", "count_target": 4, "count_source": 8, "count": 2,
    }
    for word in ("house", "home", "hut")
]  # fmt: skip
_RULES = [
    {"lhs": "X", "source": "a [X,1]", "target": "[X,1] b", "f0": 0.5},
    {"lhs": "NP", "source": "house", "target": "home", "f0": 0.25},
]
_VALUES: list[Any] = [
    None,
    "",
    " ",
    "[X,1]",
    "[X,7]",
    "a  b",
    "0-9",
    "\x00",
    0,
    -1,
    2,
    2**31,
    -(2**62),
]
_VALUES += [0.0, -0.5, 2.0, 1e300, float("nan"), float("inf"), 5e-324, "x" * 2000, "é\u2028"]
_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.int8(),
    pa.int64(),
    pa.float32(),
    pa.float64(),
    pa.binary(),
]
_TYPES += [pa.bool_(), pa.list_(pa.string()), pa.dictionary(pa.int32(), pa.string())]


def _table(rng: Random, rows: list[dict], schema: pa.Schema, metadata: dict[str, Any]) -> bytes:
    """A Parquet file with a value, a type or a column that it should not have."""
    rows = [dict(row) for row in rows]
    fields = [field.with_nullable(True) for field in schema]
    for _ in range(rng.choice((1, 1, 2))):
        place = rng.randrange(len(fields))
        match rng.choices(range(4), (8, 1, 0.5, 0.5))[0]:
            case 0:
                rng.choice(rows)[fields[place].name] = rng.choice(_VALUES)
            case 1:
                fields[place] = pa.field(fields[place].name, rng.choice(_TYPES))
            case 2 if len(fields) > 1:
                del fields[place]
            case _:
                fields.insert(place, fields[place])
    if rng.random() < 0.1:
        metadata = mutators.json_value(rng, metadata)
    out = pa.BufferOutputStream()
    arrays = [_column([row.get(one.name) for row in rows], one.type) for one in fields]
    described = pa.schema(fields, {b"otherwords": json.dumps(metadata).encode()})
    with contextlib.suppress(pa.ArrowException):
        pq.write_table(
            pa.Table.from_arrays(arrays, schema=described), out, write_page_checksum=True
        )
    return out.getvalue().to_pybytes()


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    for given in (values, [value if isinstance(value, str) else None for value in values]):
        with contextlib.suppress(pa.ArrowException, TypeError, OverflowError, ValueError):
            return pa.array(given, kind)
    return pa.nulls(len(values), kind)


def _phrase_table(data: bytes, folder: Path) -> Any:
    path, text = _file(data, folder, ".parquet"), folder / "p.moses"
    try:
        table = PhraseTable.open(path)
        rows = [row for batch in table.batches() for row in batch.to_pylist()]
        write_moses(table, text)
        return [{k: v for k, v in row.items() if v is not None} for row in rows]
    finally:
        path.unlink()
        text.unlink(missing_ok=True)


def _read_again(rules: list[str], folder: Path) -> list[str]:
    text = folder / "p.txt"
    text.write_text("".join(f"{rule}\n" for rule in rules), encoding="utf-8", newline="\n")
    return list(read_grammar(text, folder / "q.parquet").lines())


def _grammar_table(data: bytes, folder: Path) -> Any:
    path = _file(data, folder, ".parquet")
    try:
        rules = list(Grammar.open(path).lines())
        read = _read_again(rules, folder)  # without blank parts, which a table may have
        assert len(read) == len(rules), "other rules"
        assert _read_again(read, folder) == read, "other rules"
        GrammarIndex.of(path)
        return rules
    finally:
        path.unlink()


def _rows_table(data: bytes, folder: Path) -> Any:
    path = _file(data, folder, ".parquet")
    try:
        return list(read_rows(str(path)))
    finally:
        path.unlink()


def _flips(name: str, whole: bytes, suffix: str, read: Callable[[Path], Any]) -> Target:
    """Flipped bits are refused, or change nothing of what is read."""
    reference: list[Any] = []

    def run(data: bytes, folder: Path) -> Any:
        if not reference:
            path = _file(whole, folder, suffix)
            reference.append(read(path))
            path.unlink()
        path = _file(data, folder, suffix)
        try:
            found = read(path)
        finally:
            path.unlink()
        assert found == reference[0], "a flipped bit changes what is read"

    return Target(name, lambda rng: mutators.flipped(rng, whole, rng.choice((1, 1, 2))), run)


def parquet_targets(folder: Path) -> Iterator[Target]:
    """Phrase tables, grammars and rows in Parquet."""
    rules = rule_schema(["p"])
    yield Target(
        "phrase-table.parquet",
        partial(_table, rows=_PHRASES, schema=SCHEMA, metadata={"kind": "phrase-table"}),
        _phrase_table,
    )
    kind = {"kind": "grammar", "features": ["p"]}
    yield Target(
        "grammar.parquet", partial(_table, rows=_RULES, schema=rules, metadata=kind), _grammar_table
    )
    schema = pa.schema([(name, pa.string()) for name in ("id", "system", "hypothesis", "source")])
    rows = [{"id": "1", "system": "a", "hypothesis": "It rains", "source": "Rain"}] * 2
    yield Target(
        "rows.parquet", partial(_table, rows=rows, schema=schema, metadata={}), _rows_table
    )
    phrases, grammar = folder / "phrases.parquet", folder / "rules.parquet"
    write_parquet(
        phrases,
        SCHEMA,
        [pa.RecordBatch.from_pylist(_PHRASES * 40, SCHEMA)],
        {"kind": "phrase-table"},
    )
    write_parquet(grammar, rules, [pa.RecordBatch.from_pylist(_RULES * 60, rules)], kind)
    yield _flips(
        "flips-phrase-table.parquet", phrases.read_bytes(), ".parquet",
        lambda path: [one.to_pylist() for one in PhraseTable.open(path).batches()],
    )  # fmt: skip
    yield _flips(
        "flips-grammar.parquet", grammar.read_bytes(), ".parquet",
        lambda path: list(Grammar.open(path).lines()),
    )  # fmt: skip
    rows_jsonl, rows_parquet = folder / "rows.jsonl", folder / "rows.parquet"
    rows_jsonl.write_bytes(seeds.jsonl(seeds.ROWS * 3))
    convert_rows([str(rows_jsonl)], str(rows_parquet))
    yield _flips(
        "flips-rows.parquet", rows_parquet.read_bytes(), ".parquet",
        lambda path: [replace(one, path=None) for one in read_rows(str(path))],
    )  # fmt: skip
    packed = gzip.compress(seeds.jsonl(seeds.ROWS * 5), mtime=0)
    yield _flips("flips-rows.gz", packed, ".jsonl.gz", lambda path: list(read_rows(str(path))))


__all__ = ["check_numbers", "parquet_targets", "text_targets"]
