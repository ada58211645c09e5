"""Changed sentences: each is what its kind says, and never the sentence itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import UsageError
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import tokenize

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from changes import CHANGES, OPPOSITES, changed, folded

TEXTS = [
    "The company will hire 200 workers if the new factory in Berlin is approved.",
    "Ann sold two old cars to Peter Smith last year.",
    "He can't come, and she won't stay.",
    "Yes.",
    "",
]
words = st.sampled_from(["a", "The", "cat", "Ann", "sold", "can't", "not", "12", "two", "été", "."])
sentences = st.lists(words, max_size=8).map(" ".join) | st.text(max_size=12)


def one(text: str, kind: str, seed: int = 0) -> str | None:
    return changed([text], kind, seed=seed)[0]


@settings(max_examples=50)
@given(st.lists(sentences, max_size=4), st.sampled_from(list(CHANGES)), st.integers(0, 2**63))
def test_a_change_changes_and_is_the_same_every_time(texts, kind, seed):
    found = changed(texts, kind, seed=seed)
    assert len(found) == len(texts)
    assert found == changed(texts, kind, seed=seed)
    for text, other in zip(texts, found, strict=True):
        assert other is None or (other and folded(other) != folded(text))


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("doubled", "It rains.", "It rains. It rains."),
        ("halved", "Ann sold her car.", "Ann sold."),
        ("halved", "Yes.", None),
        ("negated", "She is here.", "She is not here."),
        ("negated", "They have a dog.", "They do not have a dog."),
        ("negated", "She has left.", "She has not left."),
        ("negated", "It will rain.", "It will not rain."),
        ("negated", "He went home.", "He did not go home."),
        ("negated", "He can't come.", "He can come."),
        ("negated", "She won't stay.", "She will stay."),
        ("negated", "He never sleeps.", "He sleeps."),
        ("negated", "A red house.", None),
        ("antonym", "The best day.", "The worst day."),
        ("antonym", "A cat.", None),
        ("number", "No cats.", None),
        ("name", "No names here.", None),
        ("no-subject", "She sings well.", "Sings well."),
        ("no-verb", "Ann sold cars.", "Ann cars."),
        ("no-noun", "He bought a house.", "He bought a."),
        ("no-determiner", "He bought a house.", "He bought house."),
        ("no-preposition", "He lives in Rome.", "He lives Rome."),
        ("misspelt", "I am it.", None),
    ],
)
def test_examples(kind: str, text: str, expected: str | None) -> None:
    assert one(text, kind) == expected


@pytest.mark.parametrize("seed", range(20))
def test_a_misspelling_is_no_word_and_as_long_within_a_letter(seed: int) -> None:
    text = "workers"
    slip = one(text, "misspelt", seed)
    assert slip is not None
    assert slip not in Lexicon.load()
    assert abs(len(slip) - len(text)) <= 1
    assert slip[0] == text[0] or slip[:2] == text[1::-1]


@pytest.mark.parametrize("seed", range(20))
def test_a_number_becomes_another_of_its_kind(seed: int) -> None:
    other = one("In 1985 she paid.", "number", seed)
    year = tokenize(str(other)).tokens[1]
    assert year.isdigit()
    assert sum(a != b for a, b in zip(year, "1985", strict=True)) == 1
    worded = one("two hundred", "number", seed)
    assert worded is not None
    before, after = worded.split()
    assert (before == "two") != (after == "hundred")


def test_a_name_comes_from_another_sentence() -> None:
    found = changed(["Ann sang.", "Peter Smith slept.", "It rained."], "name")
    assert found == ["Peter Smith sang.", "Ann slept.", None]


@pytest.mark.parametrize("seed", range(5))
def test_repeated_words_stand_side_by_side(seed: int) -> None:
    text = "Prices rose because the harvest in the north had been poor again this year."
    tokens, more = (
        list(tokenize(text).tokens),
        list(tokenize(str(one(text, "repeated", seed))).tokens),
    )
    once = [token for n, token in enumerate(more) if n == 0 or token != more[n - 1]]
    assert once == tokens
    assert len(more) == len(tokens) + len(tokens) // 6


def test_opposites_differ_from_their_words() -> None:
    assert all(word != other for word, other in OPPOSITES.items())
    assert all(word == word.lower() for pair in OPPOSITES.items() for word in pair)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown kind of change 'negate'.*negated"):
        changed(TEXTS, "negate")
