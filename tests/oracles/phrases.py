"""Phrase pairs, their scores and pivoting, straight from the definitions, with dictionaries."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

Link = tuple[int, int]


def boxes(links: set[Link], left: int, right: int, longest: int) -> set[tuple[int, int, int, int]]:
    """Och & Ney (2004): a link inside, and none from inside of one side to outside of the other."""
    found = set()
    for (i1, i2), (j1, j2) in product(_spans(left, longest), _spans(right, longest)):
        inside = [(i1 <= i <= i2, j1 <= j <= j2) for i, j in links]
        if (True, True) in inside and all(a == b for a, b in inside):
            found.add((i1, i2, j1, j2))
    return found


def _spans(length: int, longest: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(length) for b in range(a, min(a + longest, length))]


def minimal(all_boxes: set[tuple[int, int, int, int]]) -> set[tuple[int, int, int, int]]:
    """Those that no other one is inside of."""

    def within(a, b):
        return b[0] <= a[0] and a[1] <= b[1] and b[2] <= a[2] and a[3] <= b[3]

    return {a for a in all_boxes if not any(b != a and within(b, a) for b in all_boxes)}


def instances(pairs, longest):
    """(left phrase, right phrase, links inside) of each box of each (left, right, links)."""
    for left, right, links in pairs:
        for i1, i2, j1, j2 in boxes(links, len(left), len(right), longest):
            inside = frozenset(
                (i - i1, j - j1) for i, j in links if i1 <= i <= i2 and j1 <= j <= j2
            )
            yield " ".join(left[i1 : i2 + 1]), " ".join(right[j1 : j2 + 1]), inside


def word_links(pairs) -> Counter:
    """Links of words; a word without any is linked to None."""
    counts: Counter = Counter()
    for left, right, links in pairs:
        counts.update((left[i], right[j]) for i, j in links)
        counts.update((w, None) for i, w in enumerate(left) if i not in {i for i, _ in links})
        counts.update((None, w) for j, w in enumerate(right) if j not in {j for _, j in links})
    return counts


def best_alignment(alignments: Counter, target: str) -> frozenset[Link]:
    """The most frequent; then the last when target words are compared by their source words."""

    def by_target(links):
        return [sorted(i for i, j in links if j == t) for t in range(len(target.split()))]

    return max(alignments, key=lambda links: (alignments[links], by_target(links)))


def lexical_weight(words, others, links, probability) -> Fraction:
    """Koehn, Och & Marcu (2003), eq. 8; links are (place in words, place in others)."""
    weight = Fraction(1)
    for place, word in enumerate(words):
        linked = [others[j] for i, j in links if i == place]
        terms = [probability(word, other) for other in (linked or [None])]
        weight *= sum(terms) / len(terms)
    return weight


def phrase_table(pairs, longest):
    """(source, target) -> p(s|t), lex(s|t), p(t|s), lex(t|s), links, c(t), c(s), c(s, t)."""
    words = word_links(pairs)
    lefts: Counter = Counter()
    rights: Counter = Counter()
    for (a, b), n in words.items():
        lefts[a] += n
        rights[b] += n
    alignments: dict = defaultdict(Counter)
    for source, target, links in instances(pairs, longest):
        alignments[source, target][links] += 1
    sources: Counter = Counter()
    targets: Counter = Counter()
    for (source, target), found in alignments.items():
        sources[source] += found.total()
        targets[target] += found.total()
    table = {}
    for (source, target), found in alignments.items():
        links = best_alignment(found, target)
        back = {(j, i) for i, j in links}
        s, t = source.split(), target.split()
        both = found.total()
        table[source, target] = (
            Fraction(both, targets[target]),
            lexical_weight(s, t, links, lambda a, b: Fraction(words[a, b], rights[b])),
            Fraction(both, sources[source]),
            lexical_weight(t, s, back, lambda b, a: Fraction(words[a, b], lefts[a])),
            links,
            targets[target],
            sources[source],
            both,
        )
    return table


def pivot(languages, *, identity=False, min_step=0):
    """Bannard & Callison-Burch (2005): {(e1, e2): p(e2|e1)}; a language is {(e, f): count}."""
    total: dict = defaultdict(Fraction)
    known: dict = defaultdict(Fraction)
    for counts in languages:
        english: Counter = Counter()
        foreign: Counter = Counter()
        for (e, f), n in counts.items():
            english[e] += n
            foreign[f] += n
        for e in english:
            known[e] += 1
        for (e1, f), n in counts.items():
            for (e2, g), m in counts.items():
                there, back = Fraction(n, english[e1]), Fraction(m, foreign[f])
                if f == g and min(there, back) >= min_step:
                    total[e1, e2] += there * back
    return {
        (e1, e2): value / known[e1] for (e1, e2), value in total.items() if identity or e1 != e2
    }
