"""`otherwords parse`: text in, constituency trees out; or scores against gold trees."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from enum import StrEnum
from itertools import islice
from typing import Annotated

import typer

from otherwords.cli.options import Threads
from otherwords.cli.output import align, check_output, emit
from otherwords.cli.progress import counting
from otherwords.cli.texts import Files, Output, TokenizerOption, lines_of
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, read_lines
from otherwords.text.evalb import Counts, Settings, score_tree
from otherwords.text.given_trees import Mismatch, parse_with, read_given
from otherwords.text.parser import Parser, sentence_of
from otherwords.text.sentence import Sentence
from otherwords.text.tokenizer import check_tokenizer
from otherwords.text.trees import Tree, numbered_trees, without_empty

__all__ = ["parse_command"]

BATCH = 1024  # sentences in memory at a time

Parse = Callable[[Sequence[Sentence]], list[Tree]]


class ScoreFormat(StrEnum):
    """Output formats of scores."""

    text = "text"
    json = "json"


def parse_command(
    files: Files = None,
    tokenizer: TokenizerOption = "penn",
    threads: Threads = 1,
    pretty: Annotated[
        bool, typer.Option("--pretty", help="Indented trees instead of one a line.")
    ] = False,
    model: Annotated[
        str | None, typer.Option("--model", help="A parser model instead of the embedded one.")
    ] = None,
    parser: Annotated[
        str | None,
        typer.Option("--parser", help="A command: tokenized lines in, brackets out."),
    ] = None,
    trees: Annotated[
        str | None,
        typer.Option("--trees", help="A file of brackets, checked against the text (exit 1)."),
    ] = None,
    gold: Annotated[
        str | None,
        typer.Option(
            "--gold", help="Gold brackets to score against; without FILE, on their words."
        ),
    ] = None,
    punctuation: Annotated[
        str, typer.Option(help="With --gold: tags of words that do not count.")
    ] = ", : `` '' .",
    equal: Annotated[
        list[str] | None,
        typer.Option("--equal", help="With --gold: A=B, labels that are one; '' for none."),
    ] = None,
    functions: Annotated[
        bool, typer.Option("--functions", help="With --gold: NP-SBJ is not NP.")
    ] = False,
    form: Annotated[
        ScoreFormat, typer.Option("--format", "-f", help="Of the scores.")
    ] = ScoreFormat.text,
    output: Output = None,
) -> int:
    """Parse English text, a line a sentence, into Penn Treebank brackets.

    The trees are the embedded parser's, or a command's (--parser), or a file's (--trees). With
    --gold they are not printed but scored as evalb does.
    """
    if sum(given is not None for given in (model, parser, trees)) > 1:
        raise UsageError("the trees are either --model's, --parser's or --trees'")
    check_tokenizer(tokenizer)
    check_output(output, *(files or []), trees, gold)
    texts = files or ([] if gold else [STDIN])
    if [*texts, trees, gold].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file")
    if gold is None:
        if equal is not None or functions or form is not ScoreFormat.text:
            raise UsageError("--equal, --functions and --format are for scores; they need --gold")
        sentences = (sentence_of(line, tokenizer) for line in lines_of(files))
        if trees is not None:
            return _emit_given(trees, list(sentences), pretty, output)
        emit(_shown(_parsed(sentences, model, parser, threads), pretty), output)
        return 0
    if pretty:
        raise UsageError("--pretty is for trees; with --gold scores are printed")
    wanted = [(without_empty(tree), line) for tree, line in numbered_trees(read_lines(gold), gold)]
    settings = Settings(
        frozenset(punctuation.split()), equal=_equal_labels(equal), functions=functions
    )
    if files:
        text = [sentence_of(line, tokenizer) for line in lines_of(files)]
    else:
        text = [Sentence.from_tokens(tree.words) for tree, _ in wanted]
    if trees is not None:
        guesses, mismatches = read_given(trees, text)
        if mismatches:
            return _report(trees, mismatches)
    else:
        guesses = list(_parsed(iter(text), model, parser, threads))
    emit(_scores(_scored(gold, wanted, guesses, settings), settings, form), output)
    return 0


def _parsed(
    sentences: Iterator[Sentence], model: str | None, command: str | None, threads: int
) -> Iterator[Tree]:
    """The trees of the sentences, by a command (all at once) or by our parser."""
    if command is not None:
        yield from parse_with(command, list(sentences))
        return
    ours = Parser.load(model)
    with counting("sentences") as count:
        while batch := list(islice(sentences, BATCH)):
            yield from ours.parse(batch, threads=threads)
            count(len(batch))


def _shown(trees: Iterator[Tree], pretty: bool) -> Iterator[str]:
    return (tree.pretty() if pretty else str(tree) for tree in trees)


def _emit_given(path: str, sentences: Sequence[Sentence], pretty: bool, output: str | None) -> int:
    trees, mismatches = read_given(path, sentences)
    if mismatches:
        return _report(path, mismatches)
    emit(_shown(iter(trees), pretty), output)
    return 0


def _report(path: str, mismatches: Sequence[Mismatch]) -> int:
    emit((f"{path}:{found.line}: {found.message}" for found in mismatches), None)
    return 1


def _equal_labels(pairs: Sequence[str] | None) -> dict[str, str]:
    if pairs is None:
        return dict(Settings().equal)
    labels = {}
    for pair in pairs:
        one, equals, other = pair.partition("=")
        if pair and (not (one and equals and other) or "=" in other):
            raise UsageError(f"labels that are one are given as A=B, not '{pair}'")
        if pair:
            labels[one] = other
    return labels


def _scored(
    path: str, wanted: Sequence[tuple[Tree, int]], guesses: Sequence[Tree], settings: Settings
) -> Counts:
    if len(wanted) != len(guesses):
        raise InputError(f"{len(wanted)} gold trees but {len(guesses)} sentences", path=path)
    total = Counts()
    for (tree, line), guess in zip(wanted, guesses, strict=True):
        try:
            total += score_tree(tree, guess, settings)
        except InputError as error:
            raise InputError(error.message, path=path, line=line) from error
    return total


def _scores(counts: Counts, settings: Settings, form: ScoreFormat) -> Iterator[str]:
    shown = {
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "tags": counts.tag_accuracy,
        "exact": counts.exact_match,
    }
    how = {
        "punctuation": sorted(settings.punctuation),
        "equal": dict(settings.equal),
        "functions": settings.functions,
    }
    if form is ScoreFormat.json:
        everything = {"scores": shown, "counts": asdict(counts), "settings": how}
        yield json.dumps(everything, ensure_ascii=False)
        return
    yield from align([list(shown), [f"{value:.4f}" for value in shown.values()]], left=0)
    yield (
        f"{counts.sentences} sentences, {counts.gold} gold and {counts.guessed} guessed brackets, "
        f"{counts.crossing} crossing"
    )
    equal = " ".join(f"{one}={other}" for one, other in settings.equal.items()) or "none"
    left_out = " ".join(sorted(settings.punctuation)) or "none"
    yield f"punctuation left out: {left_out}; labels made equal: {equal}; " + (
        "function labels compared" if settings.functions else "function labels ignored"
    )
