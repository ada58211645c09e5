"""All derivations of a sentence by a small grammar, one by one: the decoder's naive twin.

A derivation is (words of the target, features). Glue joins pieces from left to right, every word
may pass through, and rules cover at most `span_limit` words. Rules whose source side is one
nonterminal must not lead back to their own label.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.rule import Rule

PENALTY = 0.4342944819032518  # 1 / ln 10
Derivation = tuple[tuple[str, ...], dict[str, float]]


def added(*parts: dict[str, float]) -> dict[str, float]:
    """The sums of features."""
    names = {name for part in parts for name in part}
    return {name: sum(part.get(name, 0.0) for part in parts) for name in names}


class BruteForce:
    """Rules of text and the options of the search."""

    def __init__(self, rules: list[Rule], span_limit: int = 10, known: bool = True) -> None:
        self.rules, self.span_limit, self.known = rules, span_limit, known
        self.words = {
            symbol for rule in rules for symbol in (*rule.source, *rule.target)
            if isinstance(symbol, str)
        }  # fmt: skip

    def all(self, words: list[str]) -> list[Derivation]:
        """Every derivation of the sentence."""
        return list(self._start(words, len(words)))

    def _start(self, words: list[str], end: int) -> Iterator[Derivation]:
        labels = {rule.lhs for rule in self.rules} | {"X"}
        for label in sorted(labels):
            yield from self._node(words, 0, end, label)
            for middle in range(1, end):
                for left, more in self._start(words, middle):
                    for right, features in self._node(words, middle, end, label):
                        yield (*left, *right), added(more, features, {"Glue": 1.0})

    def _node(self, words: list[str], begin: int, end: int, label: str) -> Iterator[Derivation]:
        if end - begin > self.span_limit:
            return
        if label == "X" and end == begin + 1 and (self.known or words[begin] not in self.words):
            yield (words[begin],), {"PassThrough": 1.0}
        for rule in self.rules:
            if rule.lhs != label:
                continue
            for children in self._match(words, begin, end, rule.source):
                yield self._joined(rule, children)

    def _match(self, words, begin, end, side) -> Iterator[dict[int, Derivation]]:
        if not side:
            if begin == end:
                yield {}
            return
        first, rest = side[0], side[1:]
        if isinstance(first, str):
            if begin < end and words[begin] == first:
                yield from self._match(words, begin + 1, end, rest)
            return
        for middle in range(begin + 1, end + 1 - len(rest)):
            if not rest and middle != end:
                continue
            for child in self._node(words, begin, middle, first.label):
                for others in self._match(words, middle, end, rest):
                    yield {first.index: child, **others}

    @staticmethod
    def _joined(rule: Rule, children: dict[int, Derivation]) -> Derivation:
        words: list[str] = []
        for symbol in rule.target:
            words += [symbol] if isinstance(symbol, str) else children[symbol.index][0]
        return tuple(words), added(dict(rule.features), *(one[1] for one in children.values()))


def total(derivation: Derivation, lm, weights: dict[str, float]) -> float:
    """The model's total: rule features, glue, pass-through, words and the language model."""
    words, features = derivation
    computed = {
        "WordPenalty": -PENALTY * len(words),
        "LanguageModel": float(lm.score([list(words)])[0]),
        "LanguageModel_OOV": float(lm.scores([list(words)]).unknown[0]),
    }
    return sum(weights.get(name, 0) * value for name, value in {**features, **computed}.items())
