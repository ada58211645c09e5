"""Damaged sentences for the training of fluency: every kind changes what it says."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from damage import DAMAGES, damaged

WORDS = "she told him that the old bridge in the village would open again".split()
OTHERS = "red apples fall from these trees when strong winds blow".split()


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_changes_a_sentence_the_same_way_every_time(kind: str) -> None:
    made = [damaged(WORDS, kind, Random(seed), OTHERS) for seed in range(20)]
    assert made == [damaged(WORDS, kind, Random(seed), OTHERS) for seed in range(20)]
    assert all(words != WORDS for words in made)
    assert any(made)


@pytest.mark.parametrize("kind", ["shuffle", "shuffle near", "swap", "move"])
def test_moved_words_are_the_same_words(kind: str) -> None:
    for seed in range(10):
        words = damaged(WORDS, kind, Random(seed), OTHERS)
        assert words is None or sorted(words) == sorted(WORDS)


def test_one_word_is_exchanged() -> None:
    for kind, wanted in {"article": "the", "preposition": "in", "pronoun": "she him"}.items():
        words = damaged(WORDS, kind, Random(1), OTHERS)
        assert words is not None
        gone = sorted({word for word in WORDS if words.count(word) < WORDS.count(word)})
        assert len(gone) == 1
        assert gone[0] in wanted.split()


def test_a_list_has_content_words_only() -> None:
    listed = damaged(WORDS, "list", Random(0), OTHERS)
    assert listed is not None
    assert {word for word in listed if word != ","} == {
        *("told", "him", "old", "bridge", "village", "would", "open", "again")
    }


def test_nothing_to_damage_is_none() -> None:
    assert damaged(["Go"], "article", Random(0), OTHERS) is None
    assert damaged(["Go", "away"], "list", Random(0), OTHERS) is None
    assert damaged(["Go", "away"], "swap", Random(0), OTHERS) is None
