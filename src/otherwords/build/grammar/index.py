"""An index of a grammar by the rarest words of rules, so that a pair loads only its own rules.

Joshua filters a grammar for each sentence before parsing. Here the grammar is a mapped file in
which a pair looks up its rules. `docs/grammar.md` has its layout; the native side
(native/build/grammar/sync_grammar.hpp) reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.engine.duck import DuckEngine
from otherwords.build.engine.parquet import is_parquet
from otherwords.build.grammar.rule import Rule, escape, parse_rule
from otherwords.build.grammar.table import TYPES, Grammar, describe, grammar_of
from otherwords.errors import DamagedModelError, InputError, ModelError, UsageError
from otherwords.io.files import BOM, decode, open_bytes, starts_with
from otherwords.io.processes import reserve, working_folder
from otherwords.models import container
from otherwords.models.arrays import Strings, bucket_bounds, check_index
from otherwords.models.container import MAGIC, Model
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

KIND = "grammar-index"
STRETCH = 1 << 22  # bytes of text
BATCH = 1 << 16  # rules
_Arrays = dict[str, NDArray[Any]]
Rules = Iterable[Rule | str] | Grammar | Path | str  # a path names a file of text or Parquet


class GrammarIndex:
    """The rules of a grammar, without features, as a mapped file or in memory.

    It opens at once at any size. A pair reads only rules whose rarest source word and rarest target
    word occur in it, and keeps those whose sides fit.

    >>> index = GrammarIndex.of(["[X] ||| a [X,1] ||| [X,1] b", "[X] ||| a c ||| b"])
    >>> index.usable("a d c", "e b"), str(index.rule(0))
    ([0], '[X] ||| a [X,1] ||| [X,1] b')
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        try:
            self.native = _build.SyncGrammar(dict(model.arrays))
            for name in ("words", "labels"):
                keys, buckets = (model.arrays[f"{name}/{part}"] for part in ("keys", "buckets"))
                check_index(f"{name}/keys", keys, buckets)
        except ValueError as error:
            raise DamagedModelError(f"{model.path}: {error}") from error

    @classmethod
    def of(cls, rules: Rules) -> GrammarIndex:
        encoder = _build.RuleEncoder()
        parts = list(_encode(encoder, _open(rules)))
        records = parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.uint32), *parts])
        arrays = _arrays(encoder, records, np.empty_like(records))
        return cls(Model(Path("in memory"), KIND, "", {}, arrays))

    @classmethod
    def build(
        cls,
        grammar: Rules,
        path: str | Path,
        *,
        temporary: str | Path | None = None,
    ) -> GrammarIndex:
        """Write the index of a grammar; the same rules give the same bytes.

        Rules pass through temporary files. The distinct words and about twenty bytes per rule are
        held in memory.

        Parameters
        ----------
        grammar
            A grammar, rules, or a file of text or Parquet. Only the first three fields of text
            are read.
        path
            The output file.
        temporary
            Folder of temporary files (default: the system's).
        """
        encoder = _build.RuleEncoder()
        grammar = _open(grammar)
        with working_folder(temporary) as folder:
            raw, arranged = folder / "records", folder / "arranged"
            try:
                with raw.open("wb") as file:
                    for part in _encode(encoder, grammar):
                        file.write(part.data)
                size = raw.stat().st_size // 4
                reserve(arranged, 4 * size)
            except OSError as error:
                message = f"cannot be written: {error.strerror or error}; --temporary names another"
                raise InputError(message, path=folder.parent) from error
            arrays = _arrays(encoder, _map_file(raw, size, "r"), _map_file(arranged, size, "r+"))
            container.write(path, KIND, arrays, _provenance(encoder, grammar))
        return cls.open(path)

    @classmethod
    def open(cls, path: str | Path) -> GrammarIndex:
        return cls(container.read(path, KIND))

    @property
    def size(self) -> int:
        return self.native.size

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Numbers of rules by type, and the indexed grammar."""
        return self.model.provenance

    @property
    def digest(self) -> str:
        return self.model.short_digest

    def description(self) -> dict[str, Any]:
        """Describe the grammar as `describe` does, as far as the index can."""
        known = dict(self.provenance)
        types = {name: known.pop(name, None) for name in TYPES}
        first = {name: known.pop(name, None) for name in ("rules", "left-hand sides")}
        return {**first, "types": types, **known}

    def rule(self, number: int) -> Rule:
        """Return a rule by its number in the grammar, from 0, without features."""
        if not 0 <= number < self.size:
            raise UsageError(f"there is no rule {number}; there are {self.size:,}, from 0")
        with self.reporting_damage():
            return parse_rule(self.native.rule(number).decode())

    def usable(self, source: str | Sequence[str], target: str | Sequence[str]) -> list[int]:
        """Return the numbers of the rules that a pair can use.

        Both sides fit: their words occur in this order, adjacent where they are adjacent in the
        rule, with at least one word for each nonterminal.
        """
        with self.reporting_damage():
            numbers = self.native.usable(words_of_text(source), words_of_text(target))
        return [int(number) for number in numbers]

    @contextmanager
    def reporting_damage(self) -> Iterator[None]:
        """Turn errors from a damaged file into one that names it."""
        try:
            yield
        except (RuntimeError, UnicodeDecodeError, InputError) as error:
            raise DamagedModelError(f"{self.model.path}: the index is damaged") from error


def is_index(path: str | Path) -> bool:
    """Whether a file looks like an index, or another model of ours."""
    return starts_with(path, MAGIC)


def words_of_text(sentence: str | Sequence[str]) -> list[str]:
    """Return the words of a sentence, escaped as in rules."""
    words = sentence.split(" ") if isinstance(sentence, str) else sentence
    try:
        " ".join(words).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error
    return [escape(word) for word in words if word]


def _open(rules: Rules) -> Rules:
    path = Path(rules) if isinstance(rules, str) else rules
    return Grammar.open(path) if isinstance(path, Path) and is_parquet(str(path)) else path


def _texts(grammar: Grammar) -> Iterator[bytes]:
    """Yield rules as lines without features, many at a time."""
    for batch in grammar.batches():
        lhs, source, target = (batch[name] for name in ("lhs", "source", "target"))
        lines = pc.binary_join_element_wise("[", lhs, "] ||| ", source, " ||| ", target, "\n", "")
        yield Strings.of(lines).bytes.tobytes()


def read_texts(path: Path) -> Iterator[bytes]:
    """Read a text file in blocks of whole lines."""
    first = 1
    with open_bytes(path) as file:
        while lines := file.readlines(STRETCH):
            if first == 1:
                lines[0] = lines[0].removeprefix(BOM)
            text = b"".join(lines)
            if b"\0" in text or not _is_utf8(text):
                for number, line in enumerate(lines, first):
                    decode(line, str(path), number)
            first += len(lines)
            yield text


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _encode(encoder: _build.RuleEncoder, rules: Rules) -> Iterator[NDArray[np.uint32]]:
    """Yield the records of rules, many at a time."""
    try:
        if isinstance(rules, Path):
            yield from map(encoder.add, read_texts(rules))
        elif isinstance(rules, Grammar):
            yield from map(encoder.add, _texts(rules))
        else:
            remaining = iter(rules)
            while block := list(islice(remaining, BATCH)):
                yield encoder.add_rules(block)
    except InputError:
        raise
    except UnicodeEncodeError as error:
        raise InputError("a lone surrogate in a rule") from error
    except ValueError as error:
        message, number = error.args
        if isinstance(rules, Path):
            raise InputError(message, path=rules, line=number) from error
        raise InputError(f"rule {number}: {message}") from error


def _arrays(
    encoder: _build.RuleEncoder, records: NDArray[np.uint32], out: NDArray[np.uint32]
) -> _Arrays:
    """Return the arrays of the index of all encoded rules; `out` becomes one of them."""
    arrays = encoder.arrange(records, out)
    for kind, names in (("words", encoder.words()), ("labels", encoder.labels())):
        keys = names["keys"]
        if (keys[1:] == keys[:-1]).any():
            raise ModelError(f"two {kind} of the grammar have the same 64-bit hash; drop one")
        names["buckets"] = bucket_bounds(keys)
        arrays.update({f"{kind}/{name}": array for name, array in names.items()})
    return {**arrays, "records": out}


def _map_file(path: Path, size: int, mode: Any) -> NDArray[np.uint32]:
    if not size:  # an empty file cannot be mapped
        return np.empty(0, np.uint32)
    return np.memmap(path, np.uint32, mode, shape=(size,))


def _provenance(encoder: _build.RuleEncoder, grammar: Rules) -> dict[str, Any]:
    known: dict[str, Any] = dict(encoder.counts())
    if isinstance(grammar, Grammar):
        known |= {"grammar": grammar.digest, "signature": grammar.metadata.get("signature")}
    return known


@dataclass(frozen=True)
class GrammarDescription(Tabular):
    """Summary of a grammar or its index: numbers of rules, ranges of features, provenance."""

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
    """Describe a file of rules, or the index of a grammar."""
    if is_index(path):
        return GrammarDescription(GrammarIndex.open(path).description())
    with DuckEngine() as engine:
        return GrammarDescription(describe(grammar_of(path, engine.folder)))
