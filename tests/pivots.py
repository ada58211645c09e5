"""Small pivot tables for tests, and the example of the paper (GOLDEN.md, PEM §4.3)."""

from __future__ import annotations

from otherwords.models.pivot_table import PivotTable

HELLO, MORNING = "Hello , Querrien .", "Morning , sir ."
GOLDEN = [  # phrase, pivot phrase, N(phrase), p(pivot | phrase)
    ("Hello ,", "Bonjour ,", 10, 0.9),
    ("Hello ,", "Salut ,", 10, 0.1),
    ("Morning , sir .", "Bonjour , monsieur .", 5, 1.0),
    (".", ".", 50, 1.0),
]


def packed(rows):
    """The arrays of a table with these rows."""
    phrases, pivots, counts, forward = zip(*rows, strict=True)
    return PivotTable.pack(phrases, pivots, counts, forward, [1.0] * len(rows)).arrays


def table_of(rows):
    """The table itself."""
    return PivotTable.open(packed(rows))
