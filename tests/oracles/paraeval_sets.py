"""ParaEval's precision by brute force, from §3.3 alone: paraphrase sets, identity read two ways.

"We clip candidate *paraphrases* by their maximum reference paraphrase counts. So two completely
different phrases in a reference sentence can be counted as two occurrences of one phrase", and in
Figure 4 the candidate's `bombing`, which is also in a reference as itself, is one of the two
occurrences of the set. The paper does not say what a word of a set is charged to when it is
matched with itself:

- `set`: the phrases of a set are one phrase, identical ones too. Substituting one symbol for all
  of them and taking the modified unigram precision gives the same number (`substituted`).
- `word`: "words not matched by paraphrases" are clipped by their own counts, and only matches of
  different phrases are charged to the set; its clip counts what can be matched so.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple


class Match(NamedTuple):
    """Words begin..end of the candidate, reference, its words, and ways to charge the match.

    Every way is the clips that it counts against, all of them.
    """

    begin: int
    end: int
    reference: int
    other_begin: int
    other_end: int
    charges: tuple[tuple[object, ...], ...]


def matched(candidate, references, sets, identity="set"):
    """The largest number of words of the candidate that may be matched; texts are lists of words,
    sets are collections of phrases.
    """
    live = live_sets([candidate, *references], sets, identity)
    choices = matches(candidate, references, live, identity)
    limits = {}
    for one in live:
        phrases = one.phrases
        if identity == "word":
            mine = {phrase for *_, phrase in spans(candidate)} & phrases
            phrases = {phrase for phrase in phrases if mine - {phrase}}
        limits[one] = clip(phrases, references)
    limits.update({word: max(text.count(word) for text in references) for word in candidate})

    @cache
    def best(place, used, charged):
        """Of the words from `place` on; `used`: words of references, `charged`: counts so far."""
        if place == len(candidate):
            return 0
        found = best(place + 1, used, charged)
        for match in choices:
            words = frozenset(
                (match.reference, k) for k in range(match.other_begin, match.other_end)
            )
            if match.begin != place or words & used:
                continue
            for charge in match.charges:
                counts = Counter(dict(charged)) + Counter(charge)
                if any(counts[one] > limits[one] for one in charge):
                    continue
                rest = best(match.end, used | words, frozenset(counts.items()))
                found = max(found, size(candidate[match.begin : match.end]) + rest)
        return found

    return best(0, frozenset(), frozenset())


class Live(NamedTuple):
    """What a set has of the texts. As one phrase, two sets of the same phrases are the same."""

    number: int
    phrases: frozenset


def live_sets(texts, sets, identity):
    """The sets that have at least two phrases of these texts."""
    present = {phrase for text in texts for *_, phrase in spans(text)}
    found = [
        Live(number if identity == "word" else 0, frozenset(one) & present)
        for number, one in enumerate(sets)
    ]
    return sorted({one for one in found if len(one.phrases) > 1}, key=str)


def matches(candidate, references, live, identity):
    """All pairs of different phrases of one set, and all pairs of the same word."""
    found = []
    for begin, end, mine in spans(candidate):
        for r, text in enumerate(references):
            for other_begin, other_end, theirs in spans(text):
                if mine != theirs:
                    charges = tuple((one,) for one in live if {mine, theirs} <= one.phrases)
                elif " " in mine:
                    continue  # word by word
                else:
                    own = [one for one in live if mine in one.phrases] if identity == "set" else []
                    charges = tuple((mine, one) for one in own) or ((mine,),)
                if charges:
                    found.append(Match(begin, end, r, other_begin, other_end, charges))
    return found


def clip(phrases, references):
    """The most disjoint occurrences of these phrases in one reference."""
    return max(_occurrences(text, phrases) for text in references)


def _occurrences(text, phrases):
    best = [0] * (len(text) + 1)
    for end in range(1, len(text) + 1):
        ends_here = [b for b, e, phrase in spans(text) if e == end and phrase in phrases]
        best[end] = max([best[end - 1], *(best[b] + 1 for b in ends_here)])
    return best[-1]


def substituted(candidate, references, sets):
    """Modified unigram precision's numerator after all words of a set became one symbol.

    Only for disjoint sets of single words: then there is one way to substitute.
    """
    symbols = {word: min(one) for one in sets for word in one}

    def counts(text):
        return Counter(symbols.get(word, word) for word in text if size([word]))

    limits = [counts(text) for text in references]
    return sum(
        min(count, max(limit[symbol] for limit in limits))
        for symbol, count in counts(candidate).items()
    )


def spans(text, longest=3):
    """Begin, end and phrase of every span of up to three words."""
    return [
        (begin, end, " ".join(text[begin:end]))
        for begin in range(len(text))
        for end in range(begin + 1, min(begin + longest, len(text)) + 1)
    ]


def size(words):
    """How many of these tokens are words: punctuation counts nothing."""
    return sum(any(letter.isalnum() for letter in word) for word in words)


def in_tiers(candidate, references, sets):
    """The words that are matched tier after tier, each with its clip; for disjoint sets.

    First phrases of a set, a word of it with itself too if there are several references: the
    longest first, then from left to right, a word with itself before others, then by the references
    in alphabetical order. Then the words that are left, each with itself. A word of a reference is
    used once.
    """
    references = sorted(references, key=" ".join)
    live = live_sets([candidate, *references], sets, "set")
    limits = {one: clip(one.phrases, references) for one in live} if len(references) > 1 else {}
    limits.update({word: max(text.count(word) for text in references) for word in candidate})
    charged, covered, used, kept = Counter(), set(), set(), Counter()

    def take(match, charge):
        """Whether everything that the match needs is free; then it is used."""
        mine = set(range(match.begin, match.end))
        theirs = {(match.reference, k) for k in range(match.other_begin, match.other_end)}
        is_word = candidate[match.begin : match.end] == [charge[0]]
        taken = Counter() if is_word else Counter((r, references[r][k]) for r, k in theirs)
        if is_word:  # any of the places of the word
            taken[match.reference, charge[0]] += 1
        fits = all(kept[r, word] + n <= references[r].count(word) for (r, word), n in taken.items())
        if mine & covered or not fits or (not is_word and theirs & used):
            return
        if any(charged[one] >= limits[one] for one in charge if one in limits):
            return
        covered.update(mine)
        used.update(() if is_word else theirs)
        kept.update(taken)
        charged.update(charge)

    found = matches(candidate, references, live, "set")
    found = [match for match in found if size(candidate[match.begin : match.end])]
    found.sort(key=lambda m: (m.begin - m.end, m.begin, len(m.charges[0]) < 2, *m[2:5]))
    for match in found:
        [charge] = match.charges  # the word, the word and its set, or the set
        if isinstance(charge[-1], Live) and (len(charge) == 1 or len(references) > 1):
            take(match, charge)
    for match in found:
        [charge] = match.charges
        if not isinstance(charge[0], Live):
            take(match, charge[:1])
    return size([candidate[place] for place in covered])
