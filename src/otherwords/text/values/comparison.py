"""Values of a text that its rewrite loses, adds or changes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from otherwords.text.lexicon import Lexicon
from otherwords.text.tagger import Tagger
from otherwords.text.values.lexicon import words
from otherwords.text.values.reading import Atom, Reading, Readings, read

Span = tuple[int, int]


class Difference(NamedTuple):
    """A value that a rewrite does not keep.

    `verdict` is "missing", "added" or "changed". The span of the text that has no such value is
    (0, 0) and its text is empty.
    """

    kind: str
    verdict: str
    original: Span
    rewrite: Span
    original_text: str
    rewrite_text: str


NUMERIC = ("number", "quantity", "money", "percentage", "date", "time")
_STRINGS = ("url", "email", "phone", "version", "code", "file", "hashtag", "handle")
_SMALL = 3  # a plain number up to this one can stand in words that are not read
_YEAR = 31557600.0  # seconds
_CONVERSION = 0.015  # tolerance between units: a year is not exactly 52 weeks
_ROUNDING = 0.1  # tolerance where a text says "about" or gives a bound
_NEAR_COPY = 0.5  # share of words in common
_TAGGED = 80  # characters that tag the first word of a sentence
_PRONOUNS = frozenset("he him his she her hers they them their it its".split())
_MOST_OPERANDS = 24  # of a derivation: beyond, texts are tables


def compare_values(original: str, rewrite: str) -> list[Difference]:
    """The values of a text that its rewrite misses, adds or changes.

    >>> compare_values("Pay two hundred euros.", "You owe EUR 200.")
    []
    >>> compare_values("It runs for 24 months.", "It runs for three years.")
    [Difference(kind='quantity', verdict='changed', original=(12, 21), rewrite=(12, 23),
                original_text='24 months', rewrite_text='three years')]
    """
    first, second = read(original), read(rewrite)
    pairs = _numbers(first, second)
    for kind in _STRINGS:
        pairs += _pair(_lost_strings(kind, first, second), _lost_strings(kind, second, first))
    pairs += _reversed("emoji", first, second)
    if not any(one.kind == "time" for one in first.found + second.found):
        pairs += _reversed("daytime", first, second)
    pairs += _names(first, second)
    found = [_difference(first.text, second.text, *pair) for pair in pairs]
    return sorted(found, key=lambda one: (one.original, one.rewrite))


Pair = tuple[Reading | None, Reading | None]


def _difference(
    original: str, rewrite: str, lost: Reading | None, new: Reading | None
) -> Difference:
    there, here = ((one.start, one.end) if one else (0, 0) for one in (lost, new))
    either = lost or new
    assert either
    verdict = "changed" if lost and new else "missing" if lost else "added"
    texts = original[slice(*there)], rewrite[slice(*here)]
    return Difference(either.kind, verdict, there, here, *texts)


def _pair(lost: Sequence[Reading], new: Sequence[Reading]) -> list[Pair]:
    return list(zip_longest(lost, new))


# Numbers


class _Amounts:
    """The amounts of one text, to look others up in."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        by_dimension: dict[str, set[tuple[float, float, bool]]] = {}
        self.raws: set[float] = set()
        self.plain: set[float] = set()
        self._ordered: list[float] | None = None
        for reading in readings:
            for atom in reading.atoms:
                entry = atom.amount, atom.raw, reading.about
                by_dimension.setdefault(atom.dimension, set()).add(entry)
                if atom.dimension not in ("month", "weekday"):
                    self.raws.add(atom.raw)
                if atom.dimension in ("", "nth"):
                    self.plain.add(atom.raw)
                if atom.dimension == "s":
                    self.raws.add(round(atom.amount / _YEAR, 6))  # aged ten, a century
        self.sorted = {name: sorted(entries) for name, entries in by_dimension.items()}

    def has(self, atom: Atom, about: bool) -> bool:
        """Whether an amount is among these, in any unit, or as a number without one."""
        name, amount, raw = atom
        if name in ("", "nth"):
            if raw in self.raws:
                return True
        elif raw in self.plain and name not in ("month", "weekday"):
            return True
        if name == "s" and round(amount / _YEAR, 6) in self.plain:
            return True
        if name.startswith("clock"):
            return self._has_clock(atom)
        if name == "century" and self._has_raw(100 * amount - 100, 100 * amount):
            return True
        if name == "" and 100 <= amount < 2200 and "century" in self.sorted:
            centuries = {entry[0] for entry in self.sorted["century"]}
            if amount // 100 in centuries or amount // 100 + 1 in centuries:
                return True
        entries = self.sorted.get(name, [])
        reach = _ROUNDING * abs(amount)
        index = bisect_left(entries, (amount - reach,))
        while index < len(entries) and entries[index][0] <= amount + reach:
            other, other_raw, other_about = entries[index]
            index += 1
            distance = abs(other - amount)
            if distance <= 1e-6 * abs(amount):
                return True
            if name in ("year", "day", "month", "weekday", "century", "decade"):
                continue
            if about or other_about:
                return True
            converted = (
                raw
                and other_raw
                and abs(amount * other_raw - other * raw) > 1e-6 * abs(amount * other_raw)
            )
            if converted and distance <= _CONVERSION * abs(amount):
                return True
            if index > 64:  # hostile text
                break
        return False

    def _has_raw(self, low: float, high: float) -> bool:
        if self._ordered is None:
            self._ordered = sorted(self.raws)
        index = bisect_left(self._ordered, low)
        return index < len(self._ordered) and self._ordered[index] <= high

    def _has_clock(self, atom: Atom) -> bool:
        for name in ("clock", "clock12"):
            sure = name == "clock" and atom.dimension == "clock"
            for shift in (0,) if sure else (-720, 0, 720):
                entries = self.sorted.get(name, [])
                index = bisect_left(entries, (atom.amount + shift - 0.5,))
                if index < len(entries) and entries[index][0] <= atom.amount + shift + 0.5:
                    return True
        return False


def _numbers(first: Readings, second: Readings) -> list[Pair]:
    sides = [[one for one in side.found if one.kind in NUMERIC] for side in (first, second)]
    amounts = [_Amounts(side) for side in sides]
    lost = _unique(_without_strings(_without(sides[0], amounts[1]), first.text, second))
    new = _unique(_without_strings(_without(sides[1], amounts[0]), second.text, first))
    if not lost and not new:
        return []
    if max(map(len, sides)) <= _MOST_OPERANDS:
        known = words().reckoning
        reckons = (first.words & known) != (second.words & known)
        shared = len(first.words & second.words) / max(len(first.words | second.words), 1)
        how = _Reckoning(reckons, shared < _NEAR_COPY)
        derived = _derived(lost, new, sides[1], how) | _derived(new, lost, sides[0], how)
        lost = [one for one in lost if id(one) not in derived]
        new = [one for one in new if id(one) not in derived]
    pairs, lost, new = _changed(lost, new)
    pairs += [(one, None) for one in lost if _is_telling(one, second)]
    pairs += [(None, one) for one in new if _is_telling(one, first)]
    return pairs


_COMPARABLE = (("number", "quantity", "money", "percentage"), ("date",), ("time",))


def _changed(
    lost: list[Reading], new: list[Reading]
) -> tuple[list[Pair], list[Reading], list[Reading]]:
    """Pairs of a lost and a new value, those of one dimension first, and the rest."""
    pairs: list[Pair] = []
    keys: list[Callable[[Reading], object]] = [
        lambda one: (one.kind, one.atoms[0].dimension, one.is_ratio),
        lambda one: (
            next(group for group in _COMPARABLE if one.kind in group),
            one.is_ratio or one.kind == "percentage",
        ),
    ]
    for key in keys:
        rest: dict[object, list[Reading]] = {}
        for one in new:
            rest.setdefault(key(one), []).append(one)
        paired = set[int]()
        for one in lost:
            partners = rest.get(key(one))
            if partners:
                partner = partners.pop(0)
                paired |= {id(one), id(partner)}
                if not _is_next(one, partner):
                    pairs.append((one, partner))
        lost = [one for one in lost if id(one) not in paired]
        new = [one for one in new if id(one) not in paired]
    return pairs, lost, new


def _is_next(one: Reading, other: Reading) -> bool:
    """Whether an ordinal is one off: the third day in a row is two days after the first."""
    ordinal = "nth" in (one.atoms[0].dimension, other.atoms[0].dimension)
    return ordinal and abs(one.atoms[0].raw - other.atoms[0].raw) == 1


def _is_telling(reading: Reading, other: Readings) -> bool:
    """Whether a value is a finding without a counterpart in the other text."""
    if reading.kind == "number":
        plain = reading.atoms[0].dimension == "" and not reading.is_ratio
        return plain and reading.atoms[0].amount > _SMALL
    if reading.kind in ("date", "time"):
        return not other.words & words().seasons
    return reading.atoms[0].raw != 1


def _without(readings: Sequence[Reading], others: _Amounts) -> list[Reading]:
    lost = []
    for one in readings:
        if one.firm:
            parts = one.kind == "date" and one.atoms[0].dimension in ("year", "month", "weekday")
            kept = all if parts else any
            if not kept(others.has(atom, one.about) for atom in one.atoms):
                lost.append(one)
    return lost


def _without_strings(lost: list[Reading], text: str, others: Readings) -> list[Reading]:
    """Numbers that are no part of a code or phone number of the other text: 555 0100, 555-0100."""
    strings = (
        others.text[one.start : one.end] for one in others.found if one.kind in ("code", "phone")
    )
    parts = {part for string in strings for part in re.findall(r"\d+", string)}
    return [one for one in lost if text[one.start : one.end] not in parts]


def _unique(readings: Sequence[Reading]) -> list[Reading]:
    return list({(one.kind, one.normal): one for one in reversed(readings)}.values())[::-1]


class _Reckoning(NamedTuple):
    """Which arithmetic two texts allow."""

    reckons: bool  # one has words such as "fewer" or "each" that the other has not
    free: bool  # they share few words, so that one may tell of the rest: nine of ten, one in ten


def _derived(
    results: list[Reading], operands: list[Reading], others: Sequence[Reading], how: _Reckoning
) -> set[int]:
    """Values without a match that follow from values of the other text, and what they follow from.

    A sum needs two operands without a match. Any arithmetic is allowed where a part or a multiple
    takes part, or where one text reckons ("three fewer") and the other does not.
    """
    found = set[int]()
    results = [one for one in results if one.kind not in ("date", "time")]
    others = [one for one in others if one.kind not in ("date", "time")]
    unmatched = {id(one) for one in operands}
    lefts = (
        others
        if how.reckons
        else [
            one
            for one in others
            if id(one) in unmatched or one.is_ratio or one.atoms[0].amount == 1
        ]
    )
    for result in results:
        target = result.atoms[0]
        for left in lefts:
            for right in others:
                if right is left:
                    continue
                ratio = result.is_ratio or left.is_ratio or right.is_ratio
                sums = id(right) in unmatched and id(left) in unmatched
                if _combines(target, left.atoms[0], right.atoms[0], sums, ratio, how):
                    found |= {id(result), id(left), id(right)}
        plain = [one for one in operands if one.kind == result.kind]
        if len(plain) > 2 and _equal(sum(one.atoms[0].amount for one in plain), target.amount):
            found |= {id(result), *map(id, plain)}
    return found


def _combines(
    target: Atom, left: Atom, right: Atom, sums: bool, ratio: bool, how: _Reckoning
) -> bool:
    amounts: list[float] = []
    trivial = 1.0 in (left.amount, right.amount) and not how.reckons
    if left.dimension == right.dimension == target.dimension:
        year = target.amount >= 1000 <= right.amount
        if (sums or how.reckons or year) and not trivial:
            amounts.append(left.amount + right.amount)
        if how.reckons:
            amounts.append(abs(left.amount - right.amount))
        if how.free:
            amounts.append(right.amount - left.amount)
    of_one_kind = {left.dimension, right.dimension} <= {"", target.dimension}
    if (
        (ratio or how.reckons)
        and (of_one_kind or left.dimension == right.dimension)
        and not trivial
    ):
        amounts.append(left.amount * right.amount)
        if left.amount and right.amount:
            amounts += [left.amount / right.amount, right.amount / left.amount]
    return any(_equal(amount, target.amount) for amount in amounts)


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * abs(other)


# Strings


def _lost_strings(kind: str, texts: Readings, others: Readings) -> list[Reading]:
    mine = [one for one in texts.found if one.kind == kind and one.firm]
    if not mine:
        return []
    normals = {one.normal for one in others.found if one.kind == kind}
    mine = [one for one in mine if one.normal not in normals]
    if not mine:
        return []
    if kind in ("code", "phone", "version", "hashtag", "handle"):
        parts = re.findall(r"\w+", others.text.lower())
        known = {*parts, *map("".join, pairwise(parts))}
        known |= {one.normal for one in others.found}
        squeezed = [re.sub(r"[\W_]+", "", one.normal) for one in mine]
        mine = [one for one, text in zip(mine, squeezed, strict=True) if text not in known]
    return _unique(mine)


def _reversed(kind: str, first: Readings, second: Readings) -> list[Pair]:
    """Emoji or times of day of the other kind; one that is left out or added says little."""
    sides = [[one for one in side.found if one.kind == kind] for side in (first, second)]
    signs = [{one.normal for one in side} for side in sides]
    if signs[0] and signs[1] and not signs[0] & signs[1]:
        return [(sides[0][0], sides[1][0])]
    return []


# Names


def _names(first: Readings, second: Readings) -> list[Pair]:
    """Names that are changed, missing or new.

    A name is changed where both texts have a name with a word that the other text has not. It is
    missing or added where no word of it is in the other text; a single word that dictionaries
    have is then too doubtful.
    """
    if not (first.cased and second.cased):
        return []
    lost, new = _strange_names(first, second), _strange_names(second, first)
    pairs: list[Pair] = []
    if len(lost) <= _MOST_OPERANDS >= len(new):
        for left in list(lost):
            right = next((one for one in new if _is_substitution(left.name, one.name)), None)
            if right:
                pairs.append((left.name, right.name))
                lost.remove(left)
                new.remove(right)
    lost, new = ([one for one in side if one.sure] for side in (lost, new))
    both = min(len(lost), len(new))
    pairs += [(left.name, right.name) for left, right in zip(lost, new, strict=False)]
    pairs += [(one, None) for one in _unsaid(lost[both:], second.words - first.words)]
    pairs += [(None, one) for one in _unsaid(new[both:], first.words - second.words)]
    return pairs


def _unsaid(names: list[_Strange], words_there: frozenset[str]) -> list[Reading]:
    """Names without a counterpart; each pronoun that only the other text has may say one."""
    alone = [one.name for one in names if one.alone]
    return alone[len(_PRONOUNS & words_there) :]


class _Strange(NamedTuple):
    """A name with words that the other text has not."""

    name: Reading
    sure: bool  # not only words of the dictionary are strange
    alone: bool  # strange enough without a counterpart


def _is_substitution(one: Reading, other: Reading) -> bool:
    """Whether two names differ in some of their words: Ward Cedar, Ward Juniper."""
    left, right = one.normal.split(), other.normal.split()
    same = sum(a == b for a, b in zip(left, right, strict=False))
    return len(left) == len(right) and 0 < same < len(left)


def _strange_names(texts: Readings, others: Readings) -> list[_Strange]:
    names = [one for one in texts.found if one.kind == "name"]
    if not names:
        return []
    known = words()
    matcher = _NameMatcher(texts, others)
    strange = {}
    for one in names:
        parts = one.normal.split()
        if len(parts) > 1 and "".join(part[0] for part in parts) in matcher.present:
            continue
        at_start = one.initial and parts[0] not in known.related and not _is_name(texts.text, one)
        inside = [
            part
            for part in (parts[1:] if at_start else parts)
            if len(part) > 1 and part not in known.common and part not in known.titles
        ]
        gone = [part for part in inside if not matcher.has(part)]
        if not gone:
            continue
        whole = len(gone) == len(inside)
        sure = whole or not all(map(is_common, gone))
        rare = any(part in known.related or not is_common(part) for part in gone)
        alone = whole and (rare or len(gone) > 1) and not (one.initial and len(parts) == 1)
        strange[one.normal] = _Strange(one, sure, alone)
    return list(strange.values())


def _is_name(text: str, reading: Reading) -> bool:
    """Whether the first word of a sentence is a name: its capital does not say so."""
    tokens: list[str] = re.findall(r"\w+|[^\w\s]", text[reading.start : reading.start + _TAGGED])
    return Tagger.load().tag(tokens)[0].startswith("NNP")


class _NameMatcher:
    """Looks up words of names in another text, in other forms too."""

    def __init__(self, texts: Readings, others: Readings) -> None:
        self.related = words().related
        self.present = {_bare(word) for word in others.words}
        runs = [one.normal for one in others.found if one.kind == "name"]
        self.acronyms = {"".join(part[0] for part in run.split()) for run in runs if " " in run}
        # Related words that both texts have say nothing of a third: Portugal, of Lisbon.
        only_here = self.present - {_bare(word) for word in texts.words}
        self.groups = {group for word in only_here for group in self.related.get(word, ())}
        names = {part for run in runs for part in run.split() if len(part) > 3}
        self.prefixes = {name[:size] for name in names for size in range(4, min(len(name), 12) + 1)}
        self.stems = {_stem(name) for name in names}
        self.shortened = {short for name in names for short in _shortened(name)}
        parts = re.findall(r"[^\W_]+", others.text.lower())
        self.joined = {*map("".join, pairwise(parts))}

    def has(self, part: str) -> bool:
        """Whether the other text has this word, a form of it, or another spelling."""
        bare = _bare(part)
        if bare in self.present or bare in self.acronyms or bare in self.joined:
            return True
        if any(group in self.groups for group in self.related.get(bare, ())):
            return True
        if len(part) < 4:
            return False
        return (
            _stem(part) in self.prefixes
            or any(part[:size] in self.stems for size in range(4, min(len(part), 12) + 1))
            or part in self.shortened
            or any(short in self.present for short in _shortened(part))
        )


def _bare(word: str) -> str:
    return word.replace(".", "").replace("'", "").replace("’", "")


def _stem(word: str) -> str:
    return word[: max(4, len(word) - 1)]


def _shortened(word: str) -> list[str]:
    """A word with one letter left out: names are often misspelt so."""
    if not 4 < len(word) < 20:
        return []
    return [word[:index] + word[index + 1 :] for index in range(1, len(word))]


_INFLECTED = ("NN", "NNS", "VBD", "VBG", "VBZ", "JJR", "JJS")


@lru_cache(1 << 16)
def is_common(word: str) -> bool:
    """Whether a lower-case word is one of English, and not only a name."""
    known = words()
    word = word.split("'")[0].split("’")[0]
    if word in known.common or word in known.titles or word in known.numbers:
        return True
    lexicon = Lexicon.load()
    forms = lexicon.lemmatize([word] * len(_INFLECTED), _INFLECTED)
    return any(form in lexicon for form in forms)
