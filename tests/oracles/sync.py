"""The pairs that a synchronous grammar derives, by writing all of them down."""

from __future__ import annotations

from itertools import product

from tests.oracles.rule import Nonterminal


def language(rules, longest):
    """For each label all pairs of word tuples of at most `longest` words per side.

    Sides are never empty, so that a rule's pair is at least as long as what it is made of, and
    repeating the rules until nothing is new finds every pair.
    """
    pairs: dict[str, set] = {}
    while True:
        new = {label: set(found) for label, found in pairs.items()}
        for rule in rules:
            slots = [symbol for symbol in rule.source if isinstance(symbol, Nonterminal)]
            for choice in product(*(pairs.get(slot.label, ()) for slot in slots)):
                fillers = {slot.index: pair for slot, pair in zip(slots, choice, strict=True)}
                made = tuple(filled(side, fillers, s) for s, side in enumerate(sides(rule)))
                if max(map(len, made)) <= longest:
                    new.setdefault(rule.lhs, set()).add(made)
        if new == pairs:
            return pairs
        pairs = new


def sides(rule):
    return rule.source, rule.target


def filled(side, fillers, which):
    """The words of a side with its nonterminals replaced."""
    words = []
    for symbol in side:
        words += fillers[symbol.index][which] if isinstance(symbol, Nonterminal) else [symbol]
    return tuple(words)


def glued(pairs, longest):
    """Sequences of pairs of any labels: S -> X, S -> S X."""
    single = set().union(*pairs.values()) if pairs else set()
    found = set(single)
    while True:
        longer = {
            (f + f2, e + e2)
            for (f, e), (f2, e2) in product(found, single)
            if max(len(f + f2), len(e + e2)) <= longest
        }
        if longer <= found:
            return found
        found |= longer
