"""Trees of files of text, and their scores against gold trees: `otherwords parse`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, lines_of, paths_of, read_lines
from otherwords.io.processes import in_order
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.evalb import Counts, Settings, score_tree
from otherwords.text.given_trees import parse_with, trees_from
from otherwords.text.parser import Parser, sentence_of
from otherwords.text.sentence import Sentence
from otherwords.text.tokenizer import check_tokenizer
from otherwords.text.trees import Tree, numbered_trees, without_empty

__all__ = ["ParseScores", "TreeSource", "parse_files", "score_parses"]

BATCH = 32  # sentences of a thread between two ticks, so that Ctrl-C is answered soon


@dataclass(frozen=True)
class TreeSource:
    """Where trees come from: our parser (the embedded `model`, or a file), or others.

    `command` reads tokenized lines and prints brackets; `file` has brackets, whose words must be
    those of the text.
    """

    model: str | None = None
    command: str | None = None
    file: str | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        if sum(given is not None for given in (self.model, self.command, self.file)) > 1:
            raise UsageError(
                "give only one of a parser model, a parser command and a file of trees"
            )

    def trees(
        self, sentences: Iterator[Sentence], tick: Callable[[int], None] = lambda done: None
    ) -> Iterator[Tree]:
        """The tree of each sentence; `tick` is called with how many more are done."""
        if self.file is not None:
            yield from trees_from(self.file, list(sentences))
        elif self.command is not None:
            yield from parse_with(self.command, list(sentences))
        else:
            ours = Parser.load(self.model)
            batches = iter(lambda: list(islice(sentences, BATCH)), [])
            # One thread needs no other than the caller's.
            for trees in in_order(ours.parse, batches, self.threads if self.threads > 1 else 0):
                yield from trees
                tick(len(trees))


@dataclass(frozen=True)
class ParseScores(Tabular):
    """Scores of parses against gold trees, as evalb has them, and how they were counted."""

    counts: Counts
    settings: Settings

    @property
    def scores(self) -> dict[str, float]:
        """Shares, by name."""
        return {
            "precision": self.counts.precision,
            "recall": self.counts.recall,
            "f1": self.counts.f1,
            "tags": self.counts.tag_accuracy,
            "exact": self.counts.exact_match,
        }

    def tables(self) -> Iterator[Table]:
        """One row of scores."""
        columns = [Column(name, decimals=4) for name in self.scores]
        yield Table("scores", columns, [list(self.scores.values())])

    def notes(self) -> Sequence[str]:
        """What was counted."""
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
        """Scores, counts and settings."""
        how = {
            "punctuation": sorted(self.settings.punctuation),
            "equal": dict(self.settings.equal),
            "functions": self.settings.functions,
        }
        return {"scores": self.scores, "counts": asdict(self.counts), "settings": how}


def parse_files(
    files: Sequence[str] = (STDIN,),
    source: TreeSource | None = None,
    *,
    tokenizer: str = "penn",
    tick: Callable[[int], None] = lambda done: None,
) -> Iterator[Tree]:
    """The trees of the lines of files, one sentence per line."""
    source = source or TreeSource()
    check_tokenizer(tokenizer)
    files = paths_of(files)
    if [*files, source.file].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file")
    return source.trees((sentence_of(line, tokenizer) for line in lines_of(files)), tick)


def score_parses(
    gold: str,
    files: Sequence[str] = (),
    source: TreeSource | None = None,
    *,
    tokenizer: str = "penn",
    settings: Settings | None = None,
    tick: Callable[[int], None] = lambda done: None,
) -> ParseScores:
    """Score parses of files, or of the words of the gold trees, against a file of gold trees."""
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
