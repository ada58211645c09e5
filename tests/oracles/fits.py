"""Whether a rule fits into a sentence pair, by trying every way to lay its sides on it."""

from __future__ import annotations

from itertools import product


def fits(rule, source, target):
    return all(_side(side, words) for side, words in ((rule.source, source), (rule.target, target)))


def _side(side, words):
    """Whether the side covers some span of the words, one word or more for a nonterminal."""
    return any(
        _covers(side, words[begin:end])
        for begin in range(len(words))
        for end in range(begin + 1, len(words) + 1)
    )


def _covers(side, stretch):
    lengths = [(1,) if isinstance(symbol, str) else range(1, len(stretch) + 1) for symbol in side]
    for chosen in product(*lengths):
        if sum(chosen) != len(stretch):
            continue
        at, sound = 0, True
        for symbol, length in zip(side, chosen, strict=True):
            sound = sound and (not isinstance(symbol, str) or stretch[at] == symbol)
            at += length
        if sound:
            return True
    return False
