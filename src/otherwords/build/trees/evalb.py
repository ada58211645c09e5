"""Scores of parses against gold trees, as evalb gives them (Black et al. 1991; Sekine & Collins).

A bracket is right if the gold tree has one with the same label over the same words. What is
left out and what counts as equal is said by `Settings`, and nothing else is done silently.
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
    """What is compared. The defaults are those of evalb's COLLINS.prm.

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
        """Settings as users write them: tags with spaces between them, labels as `A=B`.

        >>> Settings.of(", .", ["PRT=ADVP", "NX=NP"]).equal
        {'PRT': 'ADVP', 'NX': 'NP'}
        """
        tags = PUNCTUATION if punctuation is None else frozenset(punctuation.split())
        if equal is None:
            return cls(tags, functions=functions)
        labels = {}
        for pair in filter(None, equal):
            one, equals, other = pair.partition("=")
            if not (one and equals and other) or "=" in other:
                raise UsageError(f"labels that count as one are written A=B, not '{pair}'")
            labels[one] = other
        return cls(tags, equal=labels, functions=functions)

    def label(self, label: str) -> str:
        """A label as it is compared.

        >>> Settings().label("NP-SBJ"), Settings().label("PRT")
        ('NP', 'ADVP')
        """
        kept = label if self.functions else clean_label(label)
        passed: set[str] = set()
        while kept in self.equal and kept not in passed:
            passed.add(kept)
            kept = self.equal[kept]
        return min(passed) if kept in passed else kept

    def tag(self, tag: str) -> str:
        """A tag as it is compared."""
        return tag if self.functions else clean_label(tag)


@dataclass(frozen=True)
class Counts:
    """What one or many sentences add up to.

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
        """The share of sentences of which all brackets are right and none is missing."""
        return self.exact / self.sentences if self.sentences else 0.0


def score_tree(gold: Tree, guess: Tree, settings: Settings | None = None) -> Counts:
    """The counts of one sentence.

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
    kept = [tag not in settings.punctuation for tag in gold.tags]
    wanted, found = _brackets(gold, kept, settings), _brackets(guess, kept, settings)
    matched = (wanted & found).total()
    pairs = zip(gold.tags, guess.tags, kept, strict=True)
    tags = [settings.tag(one) == settings.tag(other) for one, other, counts in pairs if counts]
    return Counts(
        matched,
        wanted.total(),
        found.total(),
        _crossing(wanted, found),
        sum(tags),
        len(tags),
        int(wanted == found),
        1,
    )


def _check_words(gold: Tree, guess: Tree) -> None:
    wanted, found = gold.words, guess.words
    if len(wanted) != len(found):
        raise InputError(f"the gold tree has {len(wanted)} words and the parse {len(found)}")
    for number, (one, other) in enumerate(zip(wanted, found, strict=True), 1):
        if unescape(one) != unescape(other):
            raise InputError(f"word {number} is {one!r} in the gold tree, {other!r} in the parse")


def _brackets(
    tree: Tree, kept: Sequence[bool], settings: Settings
) -> Counter[tuple[str, int, int]]:
    """Labels with the spans that they have once the words that do not count are gone."""
    places = [0]
    for counts in kept:
        places.append(places[-1] + counts)
    found: Counter[tuple[str, int, int]] = Counter()
    for span in tree.spans():
        label, begin, end = settings.label(span.label), places[span.begin], places[span.end]
        if label not in settings.roots and begin < end:
            found[label, begin, end] += 1
    return found


def _crossing(gold: Iterable[tuple[str, int, int]], guessed: Counter[tuple[str, int, int]]) -> int:
    """Guessed brackets that overlap a gold one without one holding the other."""
    spans = {(begin, end) for _, begin, end in gold}
    return sum(
        count
        for (_, begin, end), count in guessed.items()
        if any(a < begin < b < end or begin < a < end < b for a, b in spans)
    )


@dataclass(frozen=True)
class ParseScores(Tabular):
    """Scores of parses against gold trees, as evalb has them, and how they were counted."""

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
        equal = " ".join(f"{one}={other}" for one, other in settings.equal.items()) or "none"
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
        Where the trees come from (default: the embedded parser).
    tokenizer
        How the text is tokenized.
    settings
        What is compared (default: as evalb's COLLINS.prm has it).
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
