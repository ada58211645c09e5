"""Grammar rules by brute force, from Chiang (2007), Zollmann & Venugopal (2006) and Thrax's rules.

Every box of the alignment matrix is tried, every choice of boxes inside it becomes
nonterminals, and every limit is asked of the finished rule.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

DEFAULT = "X"


@dataclass(frozen=True)
class Limits:
    """What a rule may be; as Thrax has it for Hiero."""

    phrase_length: int = 10
    arity: int = 2
    lexicality: int = 1
    adjacent: bool = False
    loose: bool = False
    abstract: bool = False
    source_symbols: int = 5
    target_symbols: int = 5
    nonlexical_x: bool = True


def is_initial(links, box, loose):
    """A box (i1, i2, j1, j2), ends excluded, that some link is in and none leaves sideways."""
    i1, i2, j1, j2 = box
    inside = [(i, j) for i, j in links if i1 <= i < i2 and j1 <= j < j2]
    leaving = [(i, j) for i, j in links if (i1 <= i < i2) != (j1 <= j < j2)]
    if not inside or leaving:
        return False
    lefts, rights = {i for i, _ in inside}, {j for _, j in inside}
    return loose or (i1 in lefts and i2 - 1 in lefts and j1 in rights and j2 - 1 in rights)


def initial_boxes(lengths, links, limits):
    """All boxes that are initial phrase pairs."""
    left, right = lengths
    spans = [
        [(a, b) for a in range(n) for b in range(a + 1, min(n, a + limits.phrase_length) + 1)]
        for n in (left, right)
    ]
    boxes = [(*s, *t) for s in spans[0] for t in spans[1]]
    return [box for box in boxes if is_initial(links, box, limits.loose)]


def contains(outer, inner):
    return (
        outer[0] <= inner[0]
        and inner[1] <= outer[1]
        and outer[2] <= inner[2]
        and inner[3] <= outer[3]
    )


def disjoint(a, b):
    return (a[1] <= b[0] or b[1] <= a[0]) and (a[3] <= b[2] or b[3] <= a[2])


def is_allowed(box, holes, links, limits):
    """Whether the box with these boxes taken out (sorted by source) keeps to the limits."""
    if any(not disjoint(a, b) for a, b in itertools.combinations(holes, 2)):
        return False
    if not limits.adjacent and any(a[1] == b[0] for a, b in itertools.pairwise(holes)):
        return False
    words = [
        (box[2 * s + 1] - box[2 * s]) - sum(hole[2 * s + 1] - hole[2 * s] for hole in holes)
        for s in (0, 1)
    ]
    if holes:
        if words[0] + len(holes) > limits.source_symbols:
            return False
        if words[1] + len(holes) > limits.target_symbols:
            return False
    inside = [(i, j) for i, j in links if box[0] <= i < box[1]]
    left_over = [(i, j) for i, j in inside if not any(hole[0] <= i < hole[1] for hole in holes)]
    if len(left_over) < limits.lexicality:
        return False
    return limits.abstract or words != [0, 0]


def instances(source, target, links, label, limits):
    """(left-hand side, source, target, alignment) of every rule; `label` names a box."""
    boxes = initial_boxes((len(source), len(target)), links, limits)
    for box in boxes:
        inner = sorted(other for other in boxes if contains(box, other))
        for arity in range(limits.arity + 1):
            for holes in itertools.combinations(inner, arity):
                if not is_allowed(box, holes, links, limits):
                    continue
                labels = [label(hole) for hole in holes]
                if holes and not limits.nonlexical_x and DEFAULT in [label(box), *labels]:
                    continue
                yield written(source, target, links, box, holes, label(box), labels)


def written(source, target, links, box, holes, lhs, labels):
    """The rule as text, and the links between its words as positions in its sides."""
    sides, places = [], []
    for words, s in ((source, 0), (target, 1)):
        begins = {hole[2 * s]: number for number, hole in enumerate(holes)}
        symbols, place, at = [], {}, box[2 * s]
        while at < box[2 * s + 1]:
            if at in begins:
                number = begins[at]
                symbols.append(f"[{labels[number]},{number + 1}]")
                at = holes[number][2 * s + 1]
            else:
                place[at] = len(symbols)
                symbols.append(words[at])
                at += 1
        sides.append(" ".join(symbols))
        places.append(place)
    kept = sorted(
        (places[0][i], places[1][j]) for i, j in links if i in places[0] and j in places[1]
    )
    return lhs, sides[0], sides[1], " ".join(f"{i}-{j}" for i, j in kept)


def node_spans(text):
    """(labels above each span from the top down, words) of a tree in brackets."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    spans, words, stack = [], [], []
    for at, token in enumerate(tokens):
        if token == "(":
            stack.append((len(words), tokens[at + 1], len(spans)))
            spans.append(None)
        elif token == ")":
            begin, name, number = stack.pop()
            spans[number] = (begin, len(words), name)
        elif tokens[at - 1] != "(":
            words.append(token)
    labels = {}
    for begin, end, name in spans:
        labels.setdefault((begin, end), []).append(name.replace(",", "COMMA"))
    return labels, words


class Labeller:
    """Zollmann & Venugopal's labels of the spans of a tree, in Thrax's order."""

    def __init__(self, labels, length, kinds=("constituent", "+", "/", "\\", "++")):
        self.labels, self.length, self.kinds = labels, length, kinds

    def constituent(self, i, j):
        names = self.labels.get((i, j))
        return names[-1] if names else None

    def candidates(self, i, j):
        name = self.constituent
        for kind in self.kinds:
            if kind == "constituent":
                yield name(i, j)
            elif kind == "+":
                for mid in range(i + 1, j):
                    yield joined("+", name(i, mid), name(mid, j))
            elif kind == "/":
                for end in range(j + 1, self.length + 1):
                    yield joined("/", name(i, end), name(j, end))
            elif kind == "\\":
                for start in range(i - 1, -1, -1):
                    yield joined("\\", name(start, j), name(start, i))
            else:
                for a in range(i + 1, j - 1):
                    for b in range(a + 1, j):
                        yield joined("+", name(i, a), name(a, b), name(b, j))

    def __call__(self, i, j):
        return next((one for one in self.candidates(i, j) if one), DEFAULT)


def joined(sign, *names):
    return sign.join(names) if all(names) else None


def sentence_label(tree, side, kinds=()):
    """The function that names a box: by the tree of a side, or X."""
    if tree is None:
        return lambda box: DEFAULT
    labels, words = node_spans(tree)
    namer = Labeller(labels, len(words), ("constituent", *kinds))
    return lambda box: namer(*(box[:2] if side == "left" else box[2:]))


def is_nonterminal(symbol):
    return symbol.startswith("[")


def word_counts(pairs):
    """Links of words; a word without any is linked to None, and counts in None's total only."""
    counts, lefts, rights = Counter(), Counter(), Counter()
    for source, target, links in pairs:
        for i, j in links:
            counts[source[i], target[j]] += 1
            lefts[source[i]] += 1
            rights[target[j]] += 1
        for i in set(range(len(source))) - {i for i, _ in links}:
            counts[source[i], None] += 1
            rights[None] += 1
        for j in set(range(len(target))) - {j for _, j in links}:
            counts[None, target[j]] += 1
            lefts[None] += 1
    return counts, lefts, rights


def lexical_weights(source, target, alignment, words):
    """-ln of lex(source | target) and of lex(target | source) (Koehn et al. 2003, eq. 8)."""
    counts, lefts, rights = words
    f, e = source.split(), target.split()
    links = [tuple(map(int, link.split("-"))) for link in alignment.split()]
    backward = forward = Fraction(1)
    for i, word in enumerate(f):
        if not is_nonterminal(word):
            linked = [e[b] for a, b in links if a == i] or [None]
            backward *= sum(Fraction(counts[word, o], rights[o]) for o in linked) / len(linked)
    for j, word in enumerate(e):
        if not is_nonterminal(word):
            linked = [f[a] for a, b in links if b == j] or [None]
            forward *= sum(Fraction(counts[o, word], lefts[o]) for o in linked) / len(linked)
    return -math.log(backward), -math.log(forward)


def grammar(pairs, labels, limits, min_count=1, identity=True):
    """Every rule with its alignment and features, as Thrax defines them."""
    seen: Counter = Counter()
    for (source, target, links), label in zip(pairs, labels, strict=True):
        seen.update(instances(source, target, links, label, limits))
    counts: Counter = Counter()
    for (*rule, _), number in seen.items():
        counts[tuple(rule)] += number
    counts = Counter({rule: number for rule, number in counts.items() if number >= min_count})
    words = word_counts(pairs)
    rules = {}
    for rule, number in counts.items():
        _, source, target = rule
        if source == target and not identity:
            continue
        alignment = min(
            (links for *other, links in seen if tuple(other) == rule),
            key=lambda links: (-seen[(*rule, links)], len(links.split()), links),
        )
        pair = sum(n for (_, f, e), n in counts.items() if (f, e) == (source, target))
        f_lex, e_lex = lexical_weights(source, target, alignment, words)
        f_words = [word for word in source.split() if not is_nonterminal(word)]
        e_words = [word for word in target.split() if not is_nonterminal(word)]
        arity = len(source.split()) - len(f_words)
        rules[rule] = (
            alignment,
            {
                "count": number,
                "e_given_f_lex": e_lex,
                "e_given_f_phrase": -math.log(
                    Fraction(pair, sum(n for (_, f, _), n in counts.items() if f == source))
                ),
                "f_given_e_lex": f_lex,
                "f_given_e_phrase": -math.log(
                    Fraction(pair, sum(n for (_, _, e), n in counts.items() if e == target))
                ),
                "rarity": math.exp(1 - number),
                "lexical": int(arity == 0 and len(f_words) == 1),
                "phrasal": int(arity == 0 and len(f_words) > 1),
                "syntactic": int(arity > 0),
                "word_difference": len(e_words) - len(f_words),
                # Thrax counts the characters of words and one space between any two symbols.
                "character_difference": (len("".join(e_words)) + len(target.split()) - 1)
                - (len("".join(f_words)) + len(source.split()) - 1),
            },
        )
    return rules
