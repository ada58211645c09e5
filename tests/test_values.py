"""Values that a rewrite keeps in another form, and values that it changes."""

import pytest

from otherwords.text.values import compare_values

SAME = [
    # The first word of a sentence has a capital without being a name.
    ("Kids must leave by noon.", "Children have to go by noon."),
    ("Examine the box first.", "Explore the box first."),
    ("Whoever breaks it pays.", "Anyone who breaks it pays."),
    ("Wolves came down to the farm.", "Geese came down to the farm."),
    ("Add 2 l of milk.", "Add two litres of milk."),
    ("It happened in the 1990 s.", "It happened in the 1990s."),
    ("We met at two in the morning.", "We met at 2 am, at night."),
    ("She called last evening.", "She called last night."),
    ("Anna gave Tom her keys.", "She gave him her keys."),
    ("Call 555-0100 at once.", "Now call 555 0100."),
    ("The rent is 1.000 euros.", "The rent is one thousand euros."),
    ("It was -5 degrees at the lake.", "At the lake it was five degrees below zero."),
    ("Keep it at 3-5 degrees.", "Keep it at 3 to 5 degrees."),
    # A third is a fraction or an ordinal.
    ("She knocked three times.", "She gave a third loud knock."),
    ("Prices fell by a third.", "Prices are a third lower."),
]
CHANGED = [
    ("Sarah paid the bill.", "Peter paid the bill.", "Sarah", "Peter"),
    ("Maria is late again.", "Thomas is late again.", "Maria", "Thomas"),
    ("Take 5 mg of the drug.", "Take 5 g of the drug.", "5 mg", "5 g"),
    ("It was -5 degrees here.", "It was 5 degrees here.", "-5 degrees", "5 degrees"),
    ("Call 555-0100 at once.", "Call 555-0199 at once.", "555-0100", "555-0199"),
    ("Flight LH454 has 4 stops.", "Flight LH454 has 5 stops.", "4", "5"),
    ("It was a seventh attempt.", "It was a third attempt.", "seventh", "third"),
    ("Come on Monday morning.", "Come on Monday evening.", "morning", "evening"),
]


@pytest.mark.parametrize(("original", "rewrite"), SAME)
def test_right_rewrites_keep_their_values(original: str, rewrite: str) -> None:
    assert compare_values(original, rewrite) == []
    assert compare_values(rewrite, original) == []


@pytest.mark.parametrize(("original", "rewrite", "lost", "new"), CHANGED)
def test_wrong_values_are_found(original: str, rewrite: str, lost: str, new: str) -> None:
    found = compare_values(original, rewrite)
    assert [(one.verdict, one.original_text, one.rewrite_text) for one in found] == [
        ("changed", lost, new)
    ]
