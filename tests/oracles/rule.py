"""Rules as Python objects: a naive reader and writer of their lines."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from otherwords.build.grammar.table import (
    alignment_text,
    escape,
    parse_alignment,
    parse_features,
    parse_lhs,
    split_fields,
    words_of,
)
from otherwords.io.files import read_lines

_NONTERMINAL = re.compile(r"\[([^\s\[\]]+),([1-9][0-9]{0,2})\]")
_CODES = {"&#124;": "|", "&#91;": "[", "&#93;": "]"}


@dataclass(frozen=True)
class Nonterminal:
    label: str
    index: int

    def __str__(self):
        return f"[{self.label},{self.index}]"


@dataclass(frozen=True)
class Rule:
    """A left-hand side and two sides of words and nonterminals."""

    lhs: str
    source: tuple[str | Nonterminal, ...]
    target: tuple[str | Nonterminal, ...]
    features: Mapping[str, float] = field(default_factory=dict, hash=False)
    alignment: tuple[tuple[int, int], ...] = ()
    relation: str | None = None

    @property
    def arity(self):
        return sum(isinstance(symbol, Nonterminal) for symbol in self.source)

    @property
    def type(self):
        if self.arity:
            return "syntactic"
        return "lexical" if len(self.source) == 1 else "phrasal"

    def __str__(self):
        names = list(self.features)
        unnamed = names == [str(place) for place in range(len(names))]
        values = [(name, number_text(value)) for name, value in self.features.items()]
        features = " ".join(value if unnamed else f"{name}={value}" for name, value in values)
        sides = [side_text(self.source), side_text(self.target)]
        fields = [f"[{self.lhs}]", *sides, features, alignment_text(self.alignment)]
        fields.append(self.relation or "")
        while not fields[-1]:
            fields.pop()
        return " ||| ".join(fields)


def side_text(side):
    return " ".join(escape(symbol) if isinstance(symbol, str) else str(symbol) for symbol in side)


def number_text(value):
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def parse_rule(line):
    fields = [*split_fields(line), "", "", ""]
    sides = (tuple(map(_symbol, words_of(text))) for text in fields[1:3])
    features, links = parse_features(fields[3]), parse_alignment(fields[4])
    return Rule(parse_lhs(fields[0]), *sides, features, links, fields[5] or None)


def _symbol(word):
    if match := _NONTERMINAL.fullmatch(word):
        return Nonterminal(match[1], int(match[2]))
    plain = word
    for code, character in _CODES.items():
        plain = plain.replace(code, character)
    return plain if escape(plain) == word else word


def rules_of(grammar):
    return [parse_rule(line) for line in grammar.lines()]


def read_rules(path):
    return (parse_rule(line) for line in read_lines(path) if line.strip())


def write_rules(rules, path):
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "wb") as file:
        file.writelines(f"{rule}\n".encode() for rule in rules)
