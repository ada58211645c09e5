"""Numbers in text: values of digits and words, shares, times of day, ordinals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Number", "numbers"]

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS = {word: float(value) for value, word in enumerate(_SMALL)}
WORDS |= {word: 10.0 * value for value, word in enumerate(_TENS, 2)}
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "dozen": 12.0,
}
SCALES |= {f"{word}s": value for word, value in SCALES.items()}
_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_CURRENCIES = frozenset("$ € £ ¥ us$".split())
_SMALL_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
ORDINALS = {word: float(value) for value, word in enumerate(_SMALL_ORDINALS)}
ORDINALS |= {f"{word[:-1]}ieth": value for word, value in WORDS.items() if word in _TENS}
ORDINALS |= {"hundredth": 1e2, "thousandth": 1e3, "millionth": 1e6}
_PARTS = {"half": 0.5, "halves": 0.5, "quarter": 0.25, "quarters": 0.25}
_PARTS |= {word: 1 / value for word, value in ORDINALS.items() if value > 2}
_PARTS |= {f"{word}s": 1 / value for word, value in ORDINALS.items() if value > 2}
_MULTIPLES = {
    form: value
    for stem, value in (
        ("doubl", 2.0),
        ("tripl", 3.0),
        ("trebl", 3.0),
        ("quadrupl", 4.0),
        ("halv", 0.5),
    )
    for form in (f"{stem}e", f"{stem}es", f"{stem}ed", f"{stem}ing")
}
_MULTIPLES |= {"twice": 2.0, "thrice": 3.0}
_MULTIPLES |= {f"{word}fold": value for word, value in WORDS.items() if value > 1}
_TIMES = {"noon": 720.0, "midday": 720.0, "midnight": 0.0}
_DIGITS = re.compile(
    r"([+\-−]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(st|nd|rd|th|s|k|m|mn|bn|b|tn|%)?",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"(\d{1,2})/(\d{1,2})")
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(am|pm)?", re.IGNORECASE)
_HOUR = re.compile(r"(\d{1,2})(am|pm|a\.m\.?|p\.m\.?)", re.IGNORECASE)
_HALVES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 720, "p.m.": 720, "p.m": 720}
_PERCENT = {"%", "percent", "pct"}
_TOLERANCE = 0.02  # relative error of a value that is rounded
_ROUGH = 0.12  # of a fraction in words: a third is said of thirty percent


_SIGNS = "+-−."
_BEGIN = {
    "a",
    "an",
    "half",
    *WORDS,
    *SCALES,
    *ORDINALS,
    *_TIMES,
    *_MULTIPLES,
}  # words that can begin a number


class Number(NamedTuple):
    """A value and what it counts: `count`, `ordinal`, `share`, `time` (minutes),
    `multiple` or `decade`.

    `rounded` values stand for all that round to them; `vague` ones ("one", "first", "half") are
    often no numbers at all.
    """

    begin: int
    end: int
    value: float
    kind: str
    rounded: bool = False
    vague: bool = False

    def equals(self, other: Number) -> bool:
        """Whether the two can be the same quantity."""
        kinds = {self.kind, other.kind}
        if len(kinds) > 1 and kinds not in ({"count", "ordinal"}, {"count", "time"}):
            return False
        if kinds == {"count", "time"}:
            hours = self.value if self.kind == "count" else other.value
            minutes = other.value if self.kind == "count" else self.value
            return minutes in (60 * hours, 60 * hours + 720)
        if abs(self.value - other.value) <= 1e-9 * max(abs(self.value), abs(other.value)):
            return True
        tolerance = _ROUGH if self.kind == "share" else _TOLERANCE
        close = abs(self.value - other.value) <= tolerance * max(self.value, other.value)
        return close and (self.rounded or other.rounded)


def numbers(words: Sequence[str], tags: Sequence[str]) -> list[Number]:
    """The numbers of a sentence, given its tokens in lower case and their tags.

    >>> [n.value for n in numbers("about two hundred and fifty or 3,000".split(), [""] * 7)]
    [250.0, 3000.0]
    >>> [round(n.value, 2) for n in numbers("one third , 33 percent".split(), [""] * 5)]
    [0.33, 0.33]
    """
    found = []
    end = 0
    for place, word in enumerate(words):
        if place < end or not (word in _BEGIN or word[0] in _SIGNS or word[0].isdigit()):
            continue
        number = _number(words, tags, place)
        if number is not None:
            found.append(number)
            end = number.end
    return found


def _number(words: Sequence[str], tags: Sequence[str], begin: int) -> Number | None:
    word = words[begin]
    if word in _MULTIPLES:
        return Number(begin, begin + 1, _MULTIPLES[word], "multiple")
    if word == "one" and begin and words[begin - 1] in ("no", "any", "every", "some"):
        return None
    if word in _TIMES:
        return Number(begin, begin + 1, _TIMES[word], "time")
    if (clock := _CLOCK.fullmatch(word)) and (":" in word or _half_day(words, begin + 1)):
        return _time(words, begin, float(clock[1]), float(clock[2]), clock[3])
    if hour := _HOUR.fullmatch(word):
        return _time(words, begin, float(hour[1]), 0.0, hour[2])
    read = _digits(words, begin) if word[0] in "+-−.0123456789" else _spelled(words, tags, begin)
    if read is None:
        return None
    value, end, kind, rounded = read
    vague = end == begin + 1 and word in ("one", "first", "half", "second", "quarter", "zero")
    if kind == "count":
        if end < len(words) and words[end] in _HALVES and value <= 24:
            return _time(words, begin, value, 0.0, words[end])
        value, end, kind, rounded = _share(words, end, value, rounded)
        if kind == "count" and end < len(words) and words[end] in ("times", "fold"):
            end, kind = end + 1, "multiple"
    return Number(begin, end, value, kind, rounded, vague)


def _half_day(words: Sequence[str], place: int) -> bool:
    return place < len(words) and words[place] in _HALVES


def _time(
    words: Sequence[str], begin: int, hours: float, minutes: float, half: str | None
) -> Number:
    end = begin + 1
    if half is None and _half_day(words, end):
        half = words[end]
    if _half_day(words, end):
        end += 1
    if half is not None:
        hours = hours % 12 + _HALVES[half.lower()] / 60
    return Number(begin, end, 60 * hours + minutes, "time")


def _digits(words: Sequence[str], begin: int) -> tuple[float, int, str, bool] | None:
    if fraction := _FRACTION.fullmatch(words[begin]):
        below = float(fraction[2])
        return float(fraction[1]) / below if below else 0.0, begin + 1, "share", False
    match = _DIGITS.fullmatch(words[begin])
    if match is None:
        return None
    sign, digits, suffix = match[1], match[2], (match[3] or "").lower()
    value = float(digits.replace(",", "")) * (-1 if sign in ("-", "−") else 1)
    if suffix == "%":
        return value / 100, begin + 1, "share", False
    if suffix == "s":
        return value, begin + 1, "decade", False
    if suffix in ("st", "nd", "rd", "th"):
        return value, begin + 1, "ordinal", False
    if suffix in ("m", "b") and not (begin and words[begin - 1] in _CURRENCIES):
        suffix = ""  # metres, bytes
    end, rounded = begin + 1, suffix in _SHORT
    value *= _SHORT.get(suffix, 1.0)
    if end < len(words) and (part := _FRACTION.fullmatch(words[end])) and float(part[2]):
        value, end = value + float(part[1]) / float(part[2]), end + 1
    while end < len(words) and words[end] in SCALES:
        value, end, rounded = value * SCALES[words[end]], end + 1, True
    return value, end, "count", rounded


def _spelled(
    words: Sequence[str], tags: Sequence[str], begin: int
) -> tuple[float, int, str, bool] | None:
    """Number words from `begin` on: a cardinal, an ordinal, or a fraction."""
    word, following = words[begin], words[begin + 1] if begin + 1 < len(words) else ""
    if word in ("a", "an"):
        if following in SCALES:
            value, end = _compose(words, begin + 1, 1.0)
            return value, end, "count", True
        if following in ("quarter", "half", "third", "fifth") and _then(words, begin + 2, "of"):
            return _PARTS[following], begin + 2, "share", True
        return None
    if word == "half" and tags[begin] != "RB":
        return 0.5, begin + 1, "share", True
    if word in ORDINALS:
        if word == "second" and tags[begin].startswith("NN"):
            return None  # of time
        return ORDINALS[word], begin + 1, "ordinal", False
    if word in SCALES and not word.endswith("s"):
        value, end = _compose(words, begin, 0.0)
        return value, end, "count", True
    if word not in WORDS:
        return None
    value, end = _compose(words, begin, 0.0)
    part = _PARTS.get(words[end]) if end < len(words) and end == begin + 1 else None
    if part is not None and value < 10 and (value > 1) == words[end].endswith("s"):
        return value * part, end + 1, "share", True
    if end < len(words) and words[end] in ORDINALS and value >= 20 and ORDINALS[words[end]] < 10:
        return value + ORDINALS[words[end]], end + 1, "ordinal", False
    return value, end, "count", value >= 100 and end - begin <= 2


def _then(words: Sequence[str], place: int, word: str) -> bool:
    return place < len(words) and words[place] == word


def _compose(words: Sequence[str], begin: int, start: float) -> tuple[float, int]:
    """The value of number words: "two hundred and five thousand" is (2 * 100 + 5) * 1000."""
    total, current, place, last = 0.0, start, begin, float("inf")
    while place < len(words):
        word = words[place]
        if word in WORDS:
            value = WORDS[word]
            if place > begin and not (last >= 100 or (last >= 20 and value < 10)):
                break
            current, last = current + value, value
        elif word in SCALES:
            scale = SCALES[word]
            current = (current or 1.0) * scale
            last = scale
            if scale >= 1000:
                total, current = total + current, 0.0
        elif word == "and" and words[place + 1 : place + 3] == ["a", "half"]:
            current += 0.5
            place += 2
        elif word == "and" and last >= 100 and place + 1 < len(words) and words[place + 1] in WORDS:
            pass
        else:
            break
        place += 1
    return total + current, place


def _share(
    words: Sequence[str], end: int, value: float, rounded: bool
) -> tuple[float, int, str, bool]:
    if end < len(words) and words[end] in _PERCENT:
        return value / 100, end + 1, "share", rounded
    if _then(words, end, "per") and _then(words, end + 1, "cent"):
        return value / 100, end + 2, "share", rounded
    return value, end, "count", rounded
