"""An index of a grammar by the rarest words of rules: a pair looks only at rules that may fit it.

Joshua filters a grammar for each sentence before parsing. `docs/decisions/grammar.md` describes the
arrays; native/build/grammar/sync_grammar.hpp reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.engine.parquet import is_parquet
from otherwords.build.grammar.table import Grammar, escape
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.files import BOM, decode, open_bytes
from otherwords.models.arrays import Strings, bucket_bounds

STRETCH = 1 << 22  # bytes of text
BATCH = 1 << 16  # rules
Rules = Iterable[str] | Grammar | Path | str  # a path names a file of text or Parquet


class GrammarIndex:
    """The rules of a grammar, without features, in memory.

    A pair reads only rules whose rarest source word and rarest target word occur in it, and keeps
    those whose sides fit.

    >>> index = GrammarIndex.of(["[X] ||| a [X,1] ||| [X,1] b", "[X] ||| a c ||| b"])
    >>> index.usable("a d c", "e b"), index.rule(0)
    ([0], '[X] ||| a [X,1] ||| [X,1] b')
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = dict(arrays)
        self.native = _build.SyncGrammar(self.arrays)

    @classmethod
    def of(cls, rules: Rules) -> GrammarIndex:
        """Index lines of text, a grammar, or a file of text or Parquet."""
        encoder = _build.RuleEncoder()
        records = np.concatenate([np.empty(0, np.uint32), *_encode(encoder, _open(rules))])
        out = np.empty_like(records)
        arrays = encoder.arrange(records, out)
        for kind, names in (("words", encoder.words()), ("labels", encoder.labels())):
            keys = names["keys"]
            if (keys[1:] == keys[:-1]).any():
                raise ModelError(f"two {kind} of the grammar have the same 64-bit hash; drop one")
            names["buckets"] = bucket_bounds(keys)
            arrays.update({f"{kind}/{name}": array for name, array in names.items()})
        return cls({**arrays, "records": out})

    @property
    def size(self) -> int:
        return self.native.size

    def rule(self, number: int) -> str:
        """Return a rule by its number in the grammar, from 0, as text without features."""
        if not 0 <= number < self.size:
            raise UsageError(f"there is no rule {number}; there are {self.size:,}, from 0")
        return self.native.rule(number).decode()

    def usable(self, source: str | Sequence[str], target: str | Sequence[str]) -> list[int]:
        """Return the numbers of the rules that a pair can use.

        Both sides fit: their words occur in this order, adjacent where they are adjacent in the
        rule, with at least one word for each nonterminal.
        """
        numbers = self.native.usable(words_of_text(source), words_of_text(target))
        return [int(number) for number in numbers]


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
