"""What judges are asked, with the instructions (PEM §5.1, PARADIGM §6, in our words)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from otherwords.errors import UsageError, near

__all__ = ["CRITERIA", "DEFAULT", "Criterion", "check_criteria"]


@dataclass(frozen=True)
class Criterion:
    """A question, and what each of five points means, from the lowest to the highest."""

    question: str
    points: tuple[str, str, str, str, str]


_MEANING = (
    "another meaning, or none",
    "little of the meaning",
    "about half of the meaning",
    "nearly all of the meaning",
    "all of the meaning, nothing added",
)
_LANGUAGE = (
    "not a sentence",
    "hard to read, many mistakes",
    "readable, with mistakes",
    "good, with a small flaw",
    "as a careful writer would say it",
)
CRITERIA = {
    "adequacy": Criterion("Does the second sentence mean what the first one means?", _MEANING),
    "fluency": Criterion(
        "Is the second sentence good English? Do not look at the first.", _LANGUAGE
    ),
    "dissimilarity": Criterion(
        "How different are the words and their order? The meaning does not matter here.",
        (
            "the same words in the same order",
            "a word or two changed",
            "about half is different",
            "mostly different",
            "hardly a word in common",
        ),
    ),
    "overall": Criterion(
        "How good a paraphrase is it? A good one says the same, in good English, in words "
        "that are as different as can be. A copy is not a good paraphrase.",
        ("useless", "poor", "middling", "good", "could not be better"),
    ),
    "meaning": Criterion("How much of the meaning is kept?", _MEANING),
    "grammaticality": Criterion("Is the second sentence grammatical?", _LANGUAGE),
}
DEFAULT = ("adequacy", "fluency", "dissimilarity", "overall")


def check_criteria(names: Iterable[str]) -> tuple[str, ...]:
    """The criteria, each once.

    >>> check_criteria(["meaning", "grammaticality"])
    ('meaning', 'grammaticality')
    """
    wanted = tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in CRITERIA:
            raise UsageError(f"unknown criterion '{name}'; {near(name, CRITERIA)}")
    if not wanted:
        raise UsageError("no criterion is named; for example --criteria adequacy,fluency")
    return wanted
