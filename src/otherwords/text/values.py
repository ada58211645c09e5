"""Numbers in a text, in digits or words, and words of negation."""

from __future__ import annotations

import re
from collections.abc import Sequence

NEGATIONS = frozenset(
    "not n't no never without nothing nobody none nor neither cannot nowhere".split()
)
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_SMALL += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: float(value) for value, word in enumerate(_SMALL.split())} | {
    word: 10.0 * value for value, word in enumerate(_TENS.split(), 2)
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_WHOLE = {"dozen": 12.0, "half": 0.5, "twice": 2.0, "couple": 2.0, "pair": 2.0}
_VAGUE = frozenset({"one", "zero"})  # "one" is a pronoun more often than a number
_CODE = re.compile("[0-9]")
_DIGITS = re.compile(r"[^\w]?(\d[\d,]*(?:\.\d+)?)(?:st|nd|rd|th|%|k|m)?", re.ASCII)


def values_of(words: Sequence[str]) -> frozenset[float | str]:
    """The numbers in a text, in digits or words, and other words with digits in them.

    >>> sorted(values_of("He paid two hundred and 1,500 for a dozen .".split()))
    [12.0, 200.0, 1500.0]
    >>> values_of(["the", "49ers"])
    frozenset({'49ers'})
    """
    values: list[float | str] = []
    current: float | None = None
    for word in [*map(str.lower, words), ""]:
        if word in _SCALES and current is not None:
            current *= _SCALES[word]
            continue
        value = _UNITS.get(word)
        if value is not None and word not in _VAGUE:
            joins = current is not None and current % 10 == 0 and 20 <= current < 100 and value < 10
            if current is not None and not joins:
                values.append(current)
            current = value + (current or 0.0) if joins else value
            continue
        if current is not None:
            values.append(current)
            current = None
        if word in _WHOLE or word in _SCALES:
            values.append(_WHOLE.get(word) or _SCALES[word])
        elif digits := _DIGITS.fullmatch(word):
            current = float(digits[1].replace(",", ""))
        elif _CODE.search(word):
            values.append(word)
    return frozenset(values)


def is_number(word: str) -> bool:
    """Whether a word is a number or part of one."""
    lower = word.lower()
    return lower in _UNITS or lower in _SCALES or lower in _WHOLE or bool(_CODE.search(lower))
