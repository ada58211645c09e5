"""The fixture of PEM §4.3 on a packed pivot table (GOLDEN.md)."""

from __future__ import annotations

import pytest

from otherwords.models.pivot_table import PivotTable
from tests.oracles.pivot_bags import bag, f1, network, segment

PHRASES = ["Hello ,", "Hello ,", "Morning , sir .", "."]
PIVOTS = ["Bonjour ,", "Salut ,", "Bonjour , monsieur .", "."]


@pytest.fixture
def table():
    packed = PivotTable.pack(PHRASES, PIVOTS, [10, 10, 5, 50], [0.9, 0.1, 1.0, 1.0], [1.0] * 4)
    return PivotTable.open(packed.arrays)


def bag_of(text, table):
    def edges(phrase):
        return [(edge.words, edge.forward) for edge in table.edges(phrase)]

    phrases = segment(text.split(), table.count, table.total)
    return bag(network(phrases, edges, threshold=0), threshold=0)


def test_bags_of_the_paper(table):
    hello, morning = bag_of("Hello , Querrien .", table), bag_of("Morning , sir .", table)
    assert sum(hello.values()) == pytest.approx(10, abs=0.22)
    assert sum(morning.values()) == pytest.approx(10)
    assert hello[("Bonjour",)] == pytest.approx(0.9, rel=0.025)  # 8 bits hold it to 2.2 %
    assert hello[("Salut", ",", "Querrien", ".")] == pytest.approx(0.1, rel=0.025)
    assert hello[(",", "Querrien")] == pytest.approx(1.0, rel=0.025)
    assert f1(hello, morning) == f1(morning, hello) == pytest.approx(0.38, abs=0.0084)
