"""ParaMetric's scores straight from the definitions (Callison-Burch, Cohn & Lapata 2008, §4-5).

Nothing is shared with the package: phrase pairs are found by trying all boxes.
"""

from __future__ import annotations

from fractions import Fraction

from tests.oracles.phrases import boxes


def groups_of(rows):
    """Rows of one `group` with the same first sentence; a row without a group is one by itself."""
    found: dict[object, list[dict]] = {}
    for number, row in enumerate(rows):
        named = row.get("group") is not None
        key = (row["group"], tuple(row["source"]), row.get("domain")) if named else number
        found.setdefault(key, []).append(row)
    return list(found.values())


def links_of(row, *, possible):
    texts = row["sure"] + (row["possible"] if possible else [])
    return {tuple(map(int, text.split("-"))) for text in texts}


def phrase_pairs(first, second, links, longest):
    """PP with the constraint that the phrases differ."""
    pairs = set()
    for i1, i2, j1, j2 in boxes(links, len(first), len(second), longest):
        left, right = tuple(first[i1 : i2 + 1]), tuple(second[j1 : j2 + 1])
        if left != right:
            pairs.add((left, right))
    return pairs


def phrases_of(sentence, longest):
    return {
        tuple(sentence[a:b])
        for a in range(len(sentence))
        for b in range(a + 1, min(a + longest, len(sentence)) + 1)
    }


def align_scores(rows, alignments, longest, *, possible=False):
    """Align-Precision and Align-Recall, None where they have no value."""
    right = proposed = gold = 0
    for row, links in zip(rows, alignments, strict=True):
        by_hand = phrase_pairs(
            row["source"], row["target"], links_of(row, possible=possible), longest
        )
        found = phrase_pairs(row["source"], row["target"], set(links), longest)
        right += len(found & by_hand)
        proposed += len(found)
        gold += len(by_hand)
    return _ratio(right, proposed), _ratio(right, gold)


def list_scores(rows, paraphrases, longest, *, possible=False):
    """LB-Precision and Rel-Recall of `paraphrases(phrase, sentence)`, phrases being tuples."""
    right = proposed = gold = 0
    for group in groups_of(rows):
        sentence = group[0]["source"]
        for phrase in phrases_of(sentence, longest):
            reference = {
                other
                for row in group
                for one, other in phrase_pairs(
                    sentence, row["target"], links_of(row, possible=possible), longest
                )
                if one == phrase
            }
            found = {
                other
                for other in paraphrases(phrase, sentence)
                if other != phrase and len(other) <= longest
            }
            right += len(found & reference)
            proposed += len(found)
            gold += len(reference)
    return _ratio(right, proposed), _ratio(right, gold)


def _ratio(top, bottom):
    return None if bottom == 0 else Fraction(top, bottom)
