"""A rule of a synchronous context-free grammar, and its line in Joshua, Thrax and PPDB.

`[VP] ||| want [VP,1] ||| propose [VP,1] ||| count=2 ||| 0-0`: the left-hand side, the two sides,
whose nonterminals have the same labels and are numbered by the source side, then the features,
named or not, the links between the words, and in PPDB 2.0 the entailment relation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from otherwords.errors import InputError
from otherwords.io.values import parse_float

_NONTERMINAL = re.compile(r"\[([^\s\[\]]+),([1-9][0-9]{0,2})\]")
_LABEL = re.compile(r"\[([^\s\[\]]+)\]")
_SPACE = re.compile(r"[ \t\n\r]")
_LINK = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")
_BARS = "|||"
_ESCAPES = {"|": "&#124;", "[": "&#91;", "]": "&#93;"}
_FIELD_END = re.compile(r"(?<![^ \t])\|\|\|(?![^ \t])")


@dataclass(frozen=True, slots=True)
class Nonterminal:
    """A slot in a side of a rule, filled by another rule with this label."""

    label: str
    index: int

    def __str__(self) -> str:
        return f"[{self.label},{self.index}]"


Symbol = str | Nonterminal


@dataclass(frozen=True, slots=True)
class Rule:
    """A left-hand side and two sides of words and nonterminals.

    Features without names are numbered from 0. Rules with the same content are equal.

    >>> rule = parse_rule("[VP] ||| want [VP,1] ||| propose [VP,1] ||| 0.5 1")
    >>> rule.lhs, rule.target, rule.features["1"], rule.type
    ('VP', ('propose', Nonterminal(label='VP', index=1)), 1.0, 'syntactic')
    """

    lhs: str
    source: tuple[Symbol, ...]
    target: tuple[Symbol, ...]
    features: Mapping[str, float] = field(default_factory=dict, hash=False)
    alignment: tuple[tuple[int, int], ...] = ()
    relation: str | None = None

    def __post_init__(self) -> None:
        if not self.source or not self.target:
            raise InputError("a side of the rule is empty")
        sides = (_nonterminals(self.source), _nonterminals(self.target))
        for labels, side in zip(sides, (self.source, self.target), strict=True):
            if len(labels) < sum(isinstance(symbol, Nonterminal) for symbol in side):
                raise InputError("a nonterminal occurs twice on one side")
        if sides[0] != sides[1]:
            raise InputError("the two sides do not have the same nonterminals")
        for symbol in (*self.source, *self.target):
            if isinstance(symbol, str) and (not symbol or _SPACE.search(symbol)):
                raise InputError(f"a word of the rule is empty or has a space: {symbol!r}")
        for label in (self.lhs, *sides[0].values()):
            if not _LABEL.fullmatch(f"[{label}]"):
                raise InputError(f"a label is empty or has brackets or spaces: {label!r}")
        object.__setattr__(self, "features", MappingProxyType(dict(self.features)))

    @property
    def arity(self) -> int:
        """Number of nonterminals of a side."""
        return len(_nonterminals(self.source))

    @property
    def type(self) -> str:
        """`lexical`, `phrasal` or `syntactic` (PARADIGM, Figure 2).

        >>> parse_rule("[DT] ||| some ||| some people").type
        'lexical'
        """
        return rule_type(self.arity, len(self.source))

    def __str__(self) -> str:
        fields = [f"[{self.lhs}]", side_text(self.source), side_text(self.target)]
        fields += [features_text(self.features), alignment_text(self.alignment)]
        return join_fields([*fields, self.relation or ""])


def join_fields(fields: list[str]) -> str:
    """Join the fields of a line, without trailing empty ones.

    >>> join_fields(["[X]", "a", "b", "", "0-0", ""])
    '[X] ||| a ||| b |||  ||| 0-0'
    """
    while not fields[-1]:
        fields.pop()
    return " ||| ".join(fields)


def rule_type(arity: int, source_words: int) -> str:
    """Return the type in PARADIGM's Figure 2, by nonterminals, then by source words."""
    if arity:
        return "syntactic"
    return "lexical" if source_words == 1 else "phrasal"


def _nonterminals(side: tuple[Symbol, ...]) -> dict[int, str]:
    return {symbol.index: symbol.label for symbol in side if isinstance(symbol, Nonterminal)}


def side_text(side: Iterable[Symbol]) -> str:
    """Write the symbols of a side."""
    return " ".join(escape(symbol) if isinstance(symbol, str) else str(symbol) for symbol in side)


def escape(word: str) -> str:
    """Replace bars and brackets by codes, if a word is `|||` or stands in brackets.

    A word that already has these codes stays the same.

    >>> escape("[X,1]"), escape("|||"), escape("[sic]")
    ('&#91;X,1&#93;', '&#124;&#124;&#124;', '&#91;sic&#93;')
    """
    if word == _BARS or _is_bracketed(word):
        return "".join(_ESCAPES.get(c, c) for c in word)
    return word


def _is_bracketed(word: str) -> bool:
    return len(word) > 2 and word[0] == "[" and word[-1] == "]"


def _unescape(word: str) -> str:
    if "&#" not in word:
        return word
    plain = word
    for character, code in _ESCAPES.items():
        plain = plain.replace(code, character)
    return plain if escape(plain) == word else word


def features_text(features: Mapping[str, float]) -> str:
    """Write features by name, or without names if these are 0, 1, 2...

    >>> features_text({"0": 1.0, "1": 0.25}), features_text({"count": 2.0})
    ('1 0.25', 'count=2')
    """
    values = ((name, number_text(value)) for name, value in features.items())
    if list(features) == [str(place) for place in range(len(features))]:
        return " ".join(value for _, value in values)
    return " ".join(f"{name}={value}" for name, value in values)


def number_text(value: float) -> str:
    """Write a number with all its digits, whole ones without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def parse_rule(line: str) -> Rule:
    """Read a rule from a line of three to six fields.

    >>> str(parse_rule("[NN] ||| answer ||| reply ||| p=0.5 ||| 0-0 ||| Equivalence"))
    '[NN] ||| answer ||| reply ||| p=0.5 ||| 0-0 ||| Equivalence'
    """
    fields = split_fields(line)
    lhs = parse_lhs(fields[0])
    source, target = (_side(fields[k]) for k in (1, 2))
    features = parse_features(fields[3]) if len(fields) > 3 else {}
    alignment = parse_alignment(fields[4]) if len(fields) > 4 else ()
    relation = (fields[5] or None) if len(fields) > 5 else None
    return Rule(lhs, source, target, features, alignment, relation)


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


def _side(text: str) -> tuple[Symbol, ...]:
    return tuple(_symbol(word) for word in words_of(text))


def _symbol(word: str) -> Symbol:
    if not _is_bracketed(word):
        return _unescape(word)
    match = _NONTERMINAL.fullmatch(word)
    if match is None:
        message = f"'{word[:40]}' is not a nonterminal; write [X,1]"
        raise InputError(f"{message}, or &#91; and &#93; for the brackets of a word")
    return Nonterminal(match[1], int(match[2]))


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
