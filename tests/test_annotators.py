"""How far two annotators agree."""

from __future__ import annotations

import gzip
import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.build.bitext.gold import read_gold
from otherwords.errors import InputError
from otherwords.study.parametric.annotators import (
    STATISTICS,
    Aligned,
    annotator_agreement,
    cohen_kappa,
    kupper_hafner,
)
from tests.oracles import annotators as oracle
from tests.oracles.phrases import boxes, minimal


@st.composite
def aligned(draw, longest=3):
    height, width = draw(st.integers(0, longest)), draw(st.integers(0, longest))
    cells = list(product(range(height), range(width)))
    links = [
        frozenset(draw(st.sets(st.sampled_from(cells)))) if cells else frozenset() for _ in range(2)
    ]
    return height, width, *links


def same(found, wanted):
    if wanted is None:
        assert found.value is None
        assert found.reason
    else:
        assert found.value == pytest.approx(float(wanted), abs=1e-12)


@given(
    st.lists(
        st.integers(1, 5).flatmap(
            lambda k: st.tuples(*[st.sets(st.integers(0, k - 1))] * 2, st.just(k))
        )
    )
)
def test_kupper_hafner_is_its_definition(units):
    same(kupper_hafner(units), oracle.kupper_hafner(units))


@given(st.lists(aligned(), max_size=4))
def test_statistics_are_their_definitions(drawn):
    found = annotator_agreement([Aligned(*pair) for pair in drawn])
    assert tuple(found) == STATISTICS
    same(found["kappa"], oracle.kappa(drawn))
    words = []
    for height, width, first, second in drawn:
        for i in range(height):
            words.append(([j for x, j in first if x == i], [j for x, j in second if x == i], width))
        for j in range(width):
            words.append(
                ([i for i, y in first if y == j], [i for i, y in second if y == j], height)
            )
    same(found["c-words"], oracle.kupper_hafner(words))


@given(st.lists(aligned(2), max_size=3))
def test_c_of_links_and_phrases_is_its_definition(drawn):
    found = annotator_agreement([Aligned(*pair) for pair in drawn])
    same(found["c-links"], oracle.kupper_hafner([(a, b, h * w) for h, w, a, b in drawn]))
    phrases = [
        (
            minimal(boxes(a, h, w, max(h, w))),
            minimal(boxes(b, h, w, max(h, w))),
            h * (h + 1) * w * (w + 1) // 4,
        )
        for h, w, a, b in drawn
    ]
    same(found["c-phrases"], oracle.kupper_hafner(phrases))


@given(st.lists(aligned(), min_size=1, max_size=3))
def test_agreement_with_oneself_is_full(drawn):
    pairs = [Aligned(height, width, first, first) for height, width, first, _ in drawn]
    for found in annotator_agreement(pairs).values():
        assert found.value is None or found.value == pytest.approx(1)
        assert (found.value is None) == (found.reason is not None)


@given(st.lists(aligned(), max_size=3))
def test_only_precision_and_recall_have_a_direction(drawn):
    there = annotator_agreement([Aligned(h, w, a, b) for h, w, a, b in drawn])
    back = annotator_agreement([Aligned(h, w, b, a) for h, w, a, b in drawn])
    turned = {"precision": "recall", "recall": "precision"}
    for name in STATISTICS:
        assert there[name].value == back[turned.get(name, name)].value


def test_by_hand():
    # Three units of four attributes: 1/2, 1/2 and 1 observed, 1/4 each expected.
    units = [({1}, {1, 2}), ({2, 3}, {3}), ({4}, {4})]
    found = kupper_hafner([(a, b, 4) for a, b in units])
    assert found.observed == pytest.approx(2 / 3)
    assert found.expected == pytest.approx(1 / 4)
    assert found.value == pytest.approx(5 / 9)
    assert kupper_hafner([(a, b, 5) for a, b in units]).value == pytest.approx(7 / 12)
    # they step down / they resign; the second leaves `down` alone.
    first = frozenset({(0, 0), (1, 1), (2, 1)})
    second = frozenset({(0, 0), (1, 1)})
    found = annotator_agreement([Aligned(3, 2, first, second)])
    # 2 of 3 links observed; min(3, 2) of 6 cells expected.
    assert found["c-links"].value == pytest.approx((2 / 3 - 2 / 6) / (1 - 2 / 6))
    # Words: they 1, step 1, down 0, they 1, resign 1/2; expected 1/2, 1/2, 0, 1/3, 1/3.
    assert found["c-words"].value == pytest.approx((3.5 / 5 - 1 / 3) / (1 - 1 / 3))
    # Phrases: they|they in both; step down|resign in one, step|resign in the other; 6 x 3 in all.
    assert found["c-phrases"].value == pytest.approx((1 / 2 - 2 / 18) / (1 - 2 / 18))
    # Cells: 5 of 6 agree; 3/6 2/6 + 3/6 4/6 by chance.
    assert found["kappa"].value == pytest.approx((5 / 6 - 1 / 2) / (1 - 1 / 2))
    assert (found["precision"].value, found["recall"].value) == (1, pytest.approx(2 / 3))
    assert found["f1"].value == pytest.approx(4 / 5)


def test_what_has_no_value_says_why():
    empty = annotator_agreement([Aligned(2, 2, frozenset(), frozenset())])
    assert {name: one.value for name, one in empty.items()} == dict.fromkeys(STATISTICS)
    assert empty["kappa"].reason == "the expected agreement by chance is 1"
    assert empty["c-links"].reason == "neither annotator has a link"
    assert annotator_agreement([])["kappa"].reason == "there are no word pairs"
    one = frozenset({(0, 0)})
    assert kupper_hafner([({1}, {1}, 1)]).reason == "the expected agreement by chance is 1"
    assert cohen_kappa([Aligned(1, 1, one, one)]).value is None
    assert annotator_agreement([Aligned(2, 2, frozenset(), one)])["recall"].value is None


def test_a_link_outside_is_refused():
    with pytest.raises(InputError, match="link 2-0 is outside of 2 and 1 words"):
        Aligned(2, 1, frozenset(), frozenset({(2, 0)}))


@pytest.mark.data
def test_people_and_giza_on_real_sentences(shared):
    """GIZA++ as a second annotator: less than people with people (.85 on words)."""
    gold = read_gold(str(shared / "alignment" / "mtref-dev.jsonl.gz"))
    with gzip.open(shared / "alignment" / "mtref-dev-giza.jsonl.gz", "rt") as lines:
        giza = [json.loads(line) for line in lines]
    pairs = []
    for row, other in zip(gold, giza, strict=True):
        links = frozenset(tuple(map(int, x.split("-"))) for x in other["alignments"]["giza"])
        pairs.append(Aligned(len(row.source), len(row.target), row.possible, links))
    found = annotator_agreement(pairs)
    assert all(0.6 < found[name].value < 0.85 for name in ("c-words", "c-links", "c-phrases"))
    assert found["c-phrases"].expected < 0.001 < found["c-links"].expected  # of so many boxes
    assert found["kappa"].value == pytest.approx(found["f1"].value, abs=0.03)  # links are rare
