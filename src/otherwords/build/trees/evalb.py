"""Scores of parses against gold trees, as in evalb (Black et al. 1991; Sekine & Collins).

A bracket is right if the gold tree has one with the same label over the same words. `Settings`
says which brackets and tags are ignored and which labels count as equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from otherwords.build.trees.parser import TreeSource, parse_files
from otherwords.build.trees.tree import (
    ROOTS,
    Tree,
    clean_label,
    numbered_trees,
    unescape,
    without_empty,
)
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, paths_of, read_lines
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import Sentence

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

    @classmethod
    def of(
        cls,
        punctuation: str | None = None,
        equal: Sequence[str] | None = None,
        *,
        functions: bool = False,
    ) -> Settings:
        """Parse settings as users write them: tags separated by spaces, labels as `A=B`.

        >>> Settings.of(", .", ["PRT=ADVP", "NX=NP"]).equal
        {'PRT': 'ADVP', 'NX': 'NP'}
        """
        tags = PUNCTUATION if punctuation is None else frozenset(punctuation.split())
        if equal is None:
            return cls(tags, functions=functions)
        labels = {}
        for pair in filter(None, equal):
            label, equals, other = pair.partition("=")
            if not (label and equals and other) or "=" in other:
                raise UsageError(f"labels that count as one are written A=B, not '{pair}'")
            labels[label] = other
        return cls(tags, equal=labels, functions=functions)

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


@dataclass(frozen=True)
class ParseScores(Tabular):
    """Scores of parses against gold trees, as in evalb, with the settings used."""

    counts: Counts
    settings: Settings

    @property
    def scores(self) -> dict[str, float]:
        return {
            "precision": self.counts.precision,
            "recall": self.counts.recall,
            "f1": self.counts.f1,
            "tags": self.counts.tag_accuracy,
            "exact": self.counts.exact_match,
        }

    def tables(self) -> Iterator[Table]:
        columns = [Column(name, decimals=4) for name in self.scores]
        yield Table("scores", columns, [list(self.scores.values())])

    def notes(self) -> Sequence[str]:
        counts, settings = self.counts, self.settings
        equal = " ".join(f"{label}={other}" for label, other in settings.equal.items()) or "none"
        left_out = " ".join(sorted(settings.punctuation)) or "none"
        compared = "compared" if settings.functions else "ignored"
        return [
            f"{counts.sentences} sentences, {counts.gold} gold and {counts.guessed} guessed "
            f"brackets, {counts.crossing} crossing",
            f"punctuation left out: {left_out}; labels made equal: {equal}; "
            f"function labels {compared}",
        ]

    def to_dict(self) -> dict[str, Any]:
        how = {
            "punctuation": sorted(self.settings.punctuation),
            "equal": dict(self.settings.equal),
            "functions": self.settings.functions,
        }
        return {"scores": self.scores, "counts": asdict(self.counts), "settings": how}


def score_parses(
    gold: str,
    files: Sequence[str] = (),
    source: TreeSource | None = None,
    *,
    tokenizer: str = "penn",
    settings: Settings | None = None,
    tick: Callable[[int], None] = lambda done: None,
) -> ParseScores:
    """Score the parses of files, or of the words of the gold trees, against gold trees.

    Parameters
    ----------
    gold
        A file of gold trees.
    files
        The text to parse (default: the words of the gold trees).
    source
        The source of the trees (default: the embedded parser).
    tokenizer
        How the text is tokenized.
    settings
        How trees are compared (default: as in evalb's COLLINS.prm).
    tick
        Called with the number of sentences parsed since the last call.
    """
    source, settings = source or TreeSource(), settings or Settings()
    files = paths_of(files)
    if [*files, source.file, gold].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file")
    wanted = [(without_empty(tree), line) for tree, line in numbered_trees(read_lines(gold), gold)]
    if files:
        guesses = list(parse_files(files, source, tokenizer=tokenizer, tick=tick))
    else:
        words = (Sentence.from_tokens(tree.words) for tree, _ in wanted)
        guesses = list(source.trees(words, tick))
    if len(wanted) != len(guesses):
        raise InputError(f"{len(wanted)} gold trees but {len(guesses)} sentences", path=gold)
    total = Counts()
    for (tree, line), guess in zip(wanted, guesses, strict=True):
        try:
            total += score_tree(tree, guess, settings)
        except InputError as error:
            raise InputError(error.message, path=gold, line=line) from error
    return ParseScores(total, settings)
