"""Derivations drawn: brackets over both sentences, numbers, and a list."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from otherwords.build.grammar import SyncParser
from otherwords.build.grammar.sync_parser import Derivation
from otherwords.errors import InputError
from otherwords.study.report.derivation import draw

RULES = ["[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]", "[X] ||| king ||| queen"]
SOURCE, TARGET = "king 's horse".split(), "the horse of queen".split()


@pytest.fixture
def trees():
    _, found = SyncParser(RULES, identity=True).derive(SOURCE, TARGET)
    return found


def drawing(html):
    return ET.fromstring(re.search(r"<svg.*</svg>", html, re.DOTALL).group())


def test_every_constituent_is_over_both_sentences(trees):
    html = draw(trees, SOURCE, TARGET, rules=RULES)
    words = [node.text for node in drawing(html).iter("{http://www.w3.org/2000/svg}text")]
    assert words[:7] == SOURCE + TARGET
    for label in ("X 1", "X 2", "X 3"):
        assert words.count(label) == 2
    assert "<li>1 X: king &#x27;s horse = the horse of queen by [X]" in html
    assert "king = queen by [X] ||| king ||| queen</li>" in html


def test_lines_cross_where_the_order_changes(trees):
    html = draw(trees, SOURCE, TARGET)
    lines = [
        (float(left), float(right))
        for left, right in re.findall(r'd="M([\d.]+) [\d.]+L([\d.]+) [\d.]+"', html)
    ]
    assert len(lines) == 2  # king | queen and horse | horse
    (one_top, one_bottom), (other_top, other_bottom) = lines
    assert (one_top < other_top) != (one_bottom < other_bottom)


def test_outer_brackets_are_further_from_the_words(trees):
    html = draw(trees, SOURCE, TARGET)
    heights = [float(height) for height in re.findall(r'd="M[\d.]+ [\d.]+V([\d.]+)H', html)]
    above, below = heights[0::2], heights[1::2]
    assert above[0] < min(above[1:])
    assert below[0] > max(below[1:])


def test_hostile_words_are_harmless():
    evil = '<img src=x onerror="alert(1)">\x00'
    html = draw([Derivation(evil, (0, 1), (0, 1), 0)], [evil], [evil], rules=[evil])
    assert "<img" not in html
    drawing(html)


def test_nothing_and_depth_are_drawn():
    drawing(draw([], [], []))
    node = Derivation("X", (0, 1), (0, 1), None)
    for _ in range(3000):
        node = Derivation("X", (0, 1), (0, 1), None, (node,))
    assert draw([node], ["a"], ["b"]).count("<li>") == 3001


@pytest.mark.parametrize("ends", [(0, 2), (1, 1), (-1, 1)])
def test_other_sentences_are_refused(ends):
    with pytest.raises(InputError, match="not the sentences"):
        draw([Derivation("X", ends, (0, 1), 0)], ["a"], ["b"])
