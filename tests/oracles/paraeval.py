"""ParaEval by its definition: all matches are listed, all solutions tried.

Zhou, Lin & Hovy (2006), §3.3, (docs/decisions/paraeval.md). A solution picks spans of the
counted text that do not overlap; each is matched with an equal word or with a paraphrase in one
of the other texts. `solve` tries everything, `milp` asks SciPy's solver about the same items.
`paraeval_sets` next to it has the paper's sets alone, without probabilities.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint
from scipy.optimize import milp as scipy_milp


class Pairs:
    """A table of pairs {(a, b): p(b|a)}; a phrase of the counted text with all its paraphrases is
    a set. What is known one way round only is taken the other way round as well.
    """

    def __init__(self, known):
        self.known = known
        self.longest = max((len(a.split()) for pair in known for a in pair), default=1)

    def __repr__(self):
        return f"Pairs({self.known})"

    def probability(self, a, b):
        there, back = self.known.get((a, b), 0.0), self.known.get((b, a), 0.0)
        return sqrt((there or back) * (back or there))

    def sets(self, a, b):
        return {a} if self.probability(a, b) else set()


class Pivots:
    """Tables {phrase: {pivot: (p(f|e), p(e|f))}}, one a language; a pivot phrase of a language
    is the set of all that translate to it. Probabilities are means over the languages.
    """

    def __init__(self, languages):
        self.languages = languages
        self.longest = max((len(e.split()) for one in languages.values() for e in one), default=1)

    def __repr__(self):
        return f"Pivots({self.languages})"

    def one_way(self, a, b):
        """p(b|a), Bannard & Callison-Burch (2005), eq. 2; no more than 1 if the table is odd."""
        total = 0.0
        for table in self.languages.values():
            mine, theirs = table.get(a, {}), table.get(b, {})
            total += sum(mine[f][0] * theirs[f][1] for f in mine if f in theirs)
        return min(total / len(self.languages), 1.0)

    def probability(self, a, b):
        return sqrt(self.one_way(a, b) * self.one_way(b, a))

    def sets(self, a, b):
        return {
            (language, f)
            for language, table in self.languages.items()
            for f in table.get(a, {}).keys() & table.get(b, {}).keys()
        }


class Match(NamedTuple):
    """Words begin..end of the counted text with words of another; it counts against one of the
    `sets`, if there are any.
    """

    begin: int
    end: int
    other: int
    other_begin: int
    other_end: int
    probability: float = 1.0
    sets: frozenset = frozenset()
    is_word: bool = False


class Problem:
    """A counted text and the others, all of them lists of words, and what words weigh."""

    def __init__(
        self,
        counted,
        others,
        relation,
        weigh,
        *,
        least=0.0,
        min_length=1,
        power=0.0,
        same=False,
        identity="set",
    ):
        self.counted, self.others, self.weigh, self.power = counted, others, weigh, power
        self.relation, self.least, self.min_length = relation, least, min_length
        self.one_phrase = identity == "set"
        self.paraphrases = sorted(
            [*self._paraphrases(), *(self._same() if same else ())], key=lambda match: match[:6]
        )
        self.words = [
            Match(i, i + 1, o, j, j + 1, sets=self._sets_of_word(word), is_word=True)
            for i, word in enumerate(counted)
            for o, other in enumerate(others)
            for j, same in enumerate(other)
            if word == same and weigh(word)
        ]
        self.word_clips = {w: max(other.count(w) for other in others) for w in set(counted)}
        self.set_clips = self._set_clips()
        for one in {one for match in self.items() for one in match.sets if self.one_phrase}:
            if isinstance(one, frozenset):
                self.set_clips[one] = max(
                    most_disjoint(
                        frozenset((b, e) for b, e, phrase in self._spans(other) if phrase in one)
                    )
                    for other in others
                )

    @cached_property
    def _phrases(self):
        return {phrase for text in (self.counted, *self.others) for *_, phrase in self._spans(text)}

    def _linked(self, mine, theirs):
        """The sets of two phrases that may be matched; none if they may not."""
        probability = self.relation.probability(mine, theirs)
        if mine == theirs or not probability or probability < self.least:
            return set()
        return self.relation.sets(mine, theirs)

    def _one_phrase(self, mine, licence):
        """What counts as one phrase with `mine`: itself and its paraphrases by this licence."""
        return frozenset(
            {mine} | {other for other in self._phrases if licence in self._linked(mine, other)}
        )

    def _sets_of_word(self, word):
        if not self.one_phrase or not any(word == phrase for *_, phrase in self._spans([word])):
            return frozenset()
        licences = set().union(*(self._linked(word, other) for other in self._phrases))
        return frozenset(self._one_phrase(word, licence) for licence in licences)

    def _spans(self, words):
        for begin in range(len(words)):
            for end in range(begin + 1, min(begin + self.relation.longest, len(words)) + 1):
                if sum(self.weigh(word) > 0 for word in words[begin:end]) >= self.min_length:
                    yield begin, end, " ".join(words[begin:end])

    def _paraphrases(self):
        for begin, end, mine in self._spans(self.counted):
            for o, other in enumerate(self.others):
                for other_begin, other_end, theirs in self._spans(other):
                    if mine == theirs:
                        continue
                    probability = self.relation.probability(mine, theirs)
                    if probability and probability >= self.least:
                        sets = frozenset(self.relation.sets(mine, theirs))
                        if self.one_phrase:
                            sets = frozenset(self._one_phrase(mine, one) for one in sets)
                        yield Match(begin, end, o, other_begin, other_end, probability, sets)

    def _same(self):
        """Two or three words that are the same in another text, with all that is between them;
        every place there is a set of its own.
        """
        for begin, o in product(range(len(self.counted)), range(len(self.others))):
            for other_begin, size in product(
                range(len(self.others[o])), range(2, len(self.counted) + 1)
            ):
                mine = self.counted[begin : begin + size]
                theirs = self.others[o][other_begin : other_begin + size]
                words = [self.weigh(word) > 0 for word in mine]
                if mine != theirs or len(mine) < size or not (words[0] and words[-1]):
                    continue
                if sum(words) in (2, 3):
                    end, other_end = begin + size, other_begin + size
                    sets = frozenset({("same", o, other_begin, other_end)})
                    yield Match(begin, end, o, other_begin, other_end, 1.0, sets)

    def _set_clips(self):
        """The most phrases of a set that stand side by side in one of the others."""
        phrases = {}
        for match in self.paraphrases:
            for one in match.sets:
                place = phrases.setdefault((one, match.other), set())
                place.add((match.other_begin, match.other_end))
        clips = Counter()
        for (one, _), spans in phrases.items():
            clips[one] = max(clips[one], most_disjoint(frozenset(spans)))
        return clips

    def value(self, match):
        """The weight of its words, or what the probability leaves of it; a whole number."""
        weight = sum(self.weigh(word) for word in self.counted[match.begin : match.end])
        if match.is_word or not self.power:
            return weight
        return int(match.probability**self.power * weight)

    def tier(self, match):
        """1: several words on a side, 2: one word on both, 3: the word itself."""
        if match.is_word:
            return 3
        mine = self.counted[match.begin : match.end]
        theirs = self.others[match.other][match.other_begin : match.other_end]
        return 1 if max(sum(self.weigh(w) > 0 for w in side) for side in (mine, theirs)) > 1 else 2

    def items(self, tiers=(1, 2, 3)):
        every = [*self.paraphrases, *self.words]
        return [item for item in every if self.value(item) and self.tier(item) in tiers]

    @property
    def total(self):
        return sum(map(self.weigh, self.counted))


@cache
def most_disjoint(spans):
    if not spans:
        return 0
    one = min(spans)
    clear = frozenset(s for s in spans if s[0] >= one[1] or s[1] <= one[0])
    return max(1 + most_disjoint(clear), most_disjoint(spans - {one}))


class State:
    """What a solution in the making has used up."""

    def __init__(self, problem):
        self.problem = problem
        self.covered, self.used = set(), set()
        self.counts = self.words, self.sets = Counter(), Counter()

    def room(self, match, licence=None):
        problem = self.problem
        if self.covered & set(range(match.begin, match.end)):
            return False
        if any((match.other, j) in self.used for j in range(match.other_begin, match.other_end)):
            return False
        if match.is_word:
            word = problem.counted[match.begin]
            if self.words[word] >= problem.word_clips[word]:
                return False
        return licence is None or self.sets[licence] < problem.set_clips[licence]

    def take(self, match, licence=None, sign=1):
        """Use up what the match needs, or give it back."""
        change = set.update if sign > 0 else set.difference_update
        change(self.covered, range(match.begin, match.end))
        change(self.used, {(match.other, j) for j in range(match.other_begin, match.other_end)})
        if match.is_word:
            self.words[self.problem.counted[match.begin]] += sign
        if licence is not None:
            self.sets[licence] += sign


def licences(match):
    return sorted(match.sets, key=lambda one: str(sorted(one, key=str))) or [None]


def solve(problem, tiers=(1, 2, 3), taken=()):
    """The most that matches of these tiers can add to those that are taken (with a single other
    text, where no set runs out before its words).
    """
    state = State(problem)
    for match in taken:
        state.take(match, licences(match)[0])
    starting = {}
    for item in problem.items(tiers):
        starting.setdefault(item.begin, []).append(item)
    size = len(problem.counted)
    behind = [sum(map(problem.weigh, problem.counted[i:])) for i in range(size + 1)]
    known = {}

    def rest(place):
        """The most that the words from here on can add; the same state has the same answer."""
        key = (place, frozenset(state.used), *(frozenset((+n).items()) for n in state.counts))
        if key not in known:
            known[key] = most(place)
        return known[key]

    def most(place):
        if place == size:
            return 0
        best = rest(place + 1)
        for item in starting.get(place, ()):
            for licence in licences(item):
                if best == behind[place]:  # there is no more
                    return best
                if state.room(item, licence):
                    state.take(item, licence)
                    best = max(best, problem.value(item) + rest(item.end))
                    state.take(item, licence, -1)
        return best

    return rest(0)


def solve_words(problem):
    """The most without paraphrases: modified unigram precision's numerator (§2.1)."""
    counts = Counter(word for word in problem.counted if problem.weigh(word))
    return sum(
        min(count, problem.word_clips[word]) * problem.weigh(word) for word, count in counts.items()
    )


def is_feasible(problem, solution):
    """Whether the matches are some that may be made, and do not take more than there is."""
    possible = set(problem.items())
    state = State(problem)

    def place(rest):
        if not rest:
            return True
        match, *others = rest
        for licence in licences(match):
            if match in possible and state.room(match, licence):
                state.take(match, licence)
                if place(others):
                    return True
                state.take(match, licence, -1)
        return False

    return place(list(solution))


def greedy(problem, tiers=((1, 2, 3),)):
    """Paraphrases, the longest of the counted text first, then by where they are; then words.

    With several others, words of sets are paraphrases of themselves, the first of their place. What
    is left of them is matched after that as words, which only their own clip limits (§3.3).
    """
    state, value = State(problem), 0
    several = len(problem.others) > 1
    for group in tiers:

        def order(m):
            in_set = bool(m.sets) and (several or not m.is_word)
            place = m.begin, not m.is_word, m.other, m.other_begin, m.other_end
            return not in_set, m.begin - m.end, *place

        items = problem.items(group)
        if several:
            items += [m._replace(sets=frozenset()) for m in items if m.is_word and m.sets]
        for item in sorted(items, key=order):
            (licence,) = licences(item)  # more than one would leave the choice open
            if state.room(item, licence):
                state.take(item, licence)
                value += problem.value(item)
    return value


def milp(problem):
    """The best value by integer programming: a variable per match, a row per limit."""
    chosen = [(item, licence) for item in problem.items() for licence in licences(item)]
    if not chosen:
        return 0
    limits, rows = {}, {}

    def use(what, most, column):
        limits[what] = most
        rows.setdefault(what, []).append(column)

    for column, (item, licence) in enumerate(chosen):
        for i in range(item.begin, item.end):
            use(("counted", i), 1, column)
        for j in range(item.other_begin, item.other_end):
            use(("other", item.other, j), 1, column)
        if item.is_word:
            word = problem.counted[item.begin]
            use(("word", word), problem.word_clips[word], column)
        if licence is not None:
            use(("set", licence), problem.set_clips[licence], column)
    matrix = np.zeros((len(rows), len(chosen)))
    for row, columns in enumerate(rows.values()):
        matrix[row, columns] = 1
    values = np.array([problem.value(item) for item, _ in chosen], float)
    solution = scipy_milp(
        -values,
        constraints=LinearConstraint(matrix, ub=np.array(list(limits.values()), float)),
        integrality=np.ones(len(chosen)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    assert solution.success, solution.message
    return round(-solution.fun)
