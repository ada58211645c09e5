"""Scores of parses against gold trees, as in evalb (Black et al. 1991; Sekine & Collins).

A bracket is right if the gold tree has one with the same label over the same words. `Settings`
says which brackets and tags are ignored and which labels count as equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from otherwords.build.trees.tree import EMPTY, ROOTS, Tree, clean_label, unescape
from otherwords.errors import InputError

PUNCTUATION = frozenset({",", ":", "``", "''", "."})


@dataclass(frozen=True)
class Settings:
    """Settings of the comparison. The defaults are those of evalb's COLLINS.prm.

    `punctuation`: words with these tags in the gold tree are taken out of both trees before
    spans are counted, and do not count as tagged. (evalb goes by each tree's own tags, so that
    one wrong tag makes a pair incomparable.) `roots`: labels that are no brackets. `equal`:
    labels that count as another one, which may count as a third. `functions`: whether NP-SBJ and
    NP differ. Traces (-NONE-) are taken out of both trees.
    """

    punctuation: frozenset[str] = PUNCTUATION
    roots: frozenset[str] = ROOTS
    equal: Mapping[str, str] = field(default_factory=lambda: {"PRT": "ADVP"})
    functions: bool = False

    def label(self, label: str) -> str:
        """Return the form of a label used in comparisons.

        >>> Settings().label("NP-SBJ"), Settings().label("PRT")
        ('NP', 'ADVP')
        """
        current = label if self.functions else clean_label(label)
        passed: set[str] = set()
        while current in self.equal and current not in passed:
            passed.add(current)
            current = self.equal[current]
        return min(passed) if current in passed else current

    def tag(self, tag: str) -> str:
        """Return the form of a tag used in comparisons."""
        return tag if self.functions else clean_label(tag)


@dataclass(frozen=True)
class Counts:
    """Counts over one or more sentences.

    >>> Counts(matched=3, gold=4, guessed=5, sentences=1).f1
    0.6666666666666666
    """

    matched: int = 0
    gold: int = 0
    guessed: int = 0
    crossing: int = 0
    tags: int = 0
    words: int = 0
    exact: int = 0
    sentences: int = 0

    def __add__(self, other: Counts) -> Counts:
        names = [item.name for item in fields(self)]
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def precision(self) -> float:
        """The share of guessed brackets that are right; 0 if there are none."""
        return self.matched / self.guessed if self.guessed else 0.0

    @property
    def recall(self) -> float:
        """The share of gold brackets that were found; 0 if there are none."""
        return self.matched / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.gold + self.guessed
        return 2 * self.matched / total if total else 0.0

    @property
    def tag_accuracy(self) -> float:
        """The share of words with the gold tag."""
        return self.tags / self.words if self.words else 0.0

    @property
    def exact_match(self) -> float:
        """The share of sentences with all brackets right and none missing."""
        return self.exact / self.sentences if self.sentences else 0.0


def score_tree(gold: Tree, guess: Tree, settings: Settings | None = None) -> Counts:
    """Count the brackets and tags of one sentence.

    >>> from otherwords.build.trees.tree import parse_tree
    >>> gold = parse_tree("(S (NP (PRP I)) (VP (VBP eat) (NP (NN rice))) (. .))")
    >>> guess = parse_tree("(S (NP (PRP I)) (VP (VBP eat) (NN rice)) (. .))")
    >>> counts = score_tree(gold, guess)
    >>> counts.matched, counts.gold, counts.guessed
    (3, 4, 3)
    """
    settings = settings or Settings()
    gold, guess = without_empty(gold), without_empty(guess)
    _check_words(gold, guess)
    counted = [tag not in settings.punctuation for tag in gold.tags]
    wanted, guessed = _brackets(gold, counted, settings), _brackets(guess, counted, settings)
    matched = (wanted & guessed).total()
    pairs = zip(gold.tags, guess.tags, counted, strict=True)
    tags = [settings.tag(tag) == settings.tag(other) for tag, other, counts in pairs if counts]
    return Counts(
        matched,
        wanted.total(),
        guessed.total(),
        _crossing(wanted, guessed),
        sum(tags),
        len(tags),
        int(wanted == guessed),
        1,
    )


def without_empty(tree: Tree) -> Tree:
    """Remove empty elements and the phrases they leave empty; labels stay."""
    if EMPTY not in tree.tags:
        return tree
    return tree.rebuild(_keep_filled) or Tree(tree.label)


def _keep_filled(node: Tree, children: tuple[Tree, ...]) -> Tree | None:
    if node.word is not None:
        return None if node.label == EMPTY else node
    return Tree(node.label, children) if children else None


def _check_words(gold: Tree, guess: Tree) -> None:
    wanted, guessed = gold.words, guess.words
    if len(wanted) != len(guessed):
        raise InputError(f"the gold tree has {len(wanted)} words and the parse {len(guessed)}")
    for number, (word, other) in enumerate(zip(wanted, guessed, strict=True), 1):
        if unescape(word) != unescape(other):
            raise InputError(f"word {number} is {word!r} in the gold tree, {other!r} in the parse")


def _brackets(
    tree: Tree, counted: Sequence[bool], settings: Settings
) -> Counter[tuple[str, int, int]]:
    """Count labelled spans over the words that remain after ignored ones are removed."""
    places = [0]
    for counts in counted:
        places.append(places[-1] + counts)
    brackets: Counter[tuple[str, int, int]] = Counter()
    for span in tree.spans():
        label, begin, end = settings.label(span.label), places[span.begin], places[span.end]
        if label not in settings.roots and begin < end:
            brackets[label, begin, end] += 1
    return brackets


def _crossing(gold: Iterable[tuple[str, int, int]], guessed: Counter[tuple[str, int, int]]) -> int:
    """Count guessed brackets that overlap a gold one without nesting."""
    spans = {(begin, end) for _, begin, end in gold}
    return sum(
        count
        for (_, begin, end), count in guessed.items()
        if any(a < begin < b < end or begin < a < end < b for a, b in spans)
    )
