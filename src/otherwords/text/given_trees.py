"""Trees from elsewhere: a file of brackets, or any parser that is run as a command.

Either way the trees must be those of the text: their words are compared with its tokens, and
every difference is reported with its line.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.text.sentence import Sentence
from otherwords.text.trees import Tree, numbered_trees, unescape, without_empty

__all__ = ["Mismatch", "MismatchError", "check_trees", "parse_with", "read_given", "trees_from"]


@dataclass(frozen=True)
class Mismatch:
    """A tree that is not that of its sentence. `line` is where the tree starts in its file."""

    line: int
    message: str


class MismatchError(InputError):
    """A file of trees that are not those of the text; `mismatches` are all differences."""

    def __init__(self, path: str, mismatches: Sequence[Mismatch]) -> None:
        super().__init__(mismatches[0].message, path=path, line=mismatches[0].line)
        self.mismatches = tuple(mismatches)

    @property
    def lines(self) -> list[str]:
        """Every difference with its place."""
        return [f"{self.path}:{found.line}: {found.message}" for found in self.mismatches]


def trees_from(path: str, sentences: Sequence[Sentence]) -> list[Tree]:
    """The trees of a file, one per sentence, whose words are those of the text."""
    trees, mismatches = read_given(path, sentences)
    if mismatches:
        raise MismatchError(path, mismatches)
    return trees


def read_given(
    path: str | Path, sentences: Sequence[Sentence]
) -> tuple[list[Tree], list[Mismatch]]:
    """The trees of a file, one per sentence, and how they differ from the text."""
    return check_trees(list(numbered_trees(read_lines(path), str(path))), sentences)


def check_trees(
    trees: Sequence[tuple[Tree, int]], sentences: Sequence[Sentence]
) -> tuple[list[Tree], list[Mismatch]]:
    """A tree a sentence, and how they differ. Sentences without words need no tree.

    >>> from otherwords.text.trees import parse_tree
    >>> text = [Sentence.from_tokens(["a", "dog"])]
    >>> check_trees([(parse_tree("(NP (DT a) (NN cat))"), 7)], text)[1]
    [Mismatch(line=7, message="word 2 is 'cat' in the tree and 'dog' in the text")]
    """
    given = [(without_empty(tree), line) for tree, line in trees]
    if len(given) != len(sentences):
        spoken = sum(bool(sentence.tokens) for sentence in sentences)
        if len(given) != spoken:
            line = given[-1][1] if given else 1
            message = f"{len(given)} trees for {len(sentences)} sentences ({spoken} with words)"
            return [tree for tree, _ in given], [Mismatch(line, message)]
        rest = iter(given)
        given = [next(rest) if s.tokens else (Tree("ROOT"), 0) for s in sentences]
    found = []
    for (tree, line), sentence in zip(given, sentences, strict=True):
        difference = _difference(tree.words, sentence.tokens)
        if difference:
            found.append(Mismatch(line, difference))
    return [tree for tree, _ in given], found


def _difference(words: Sequence[str], tokens: Sequence[str]) -> str | None:
    for number, (word, token) in enumerate(zip(words, tokens, strict=False), 1):
        if unescape(word) != unescape(token):
            return f"word {number} is {word!r} in the tree and {token!r} in the text"
    if len(words) != len(tokens):
        return f"the tree has {len(words)} words and the text {len(tokens)}"
    return None


def parse_with(command: str, sentences: Sequence[Sentence]) -> list[Tree]:
    """The trees that a command prints for tokenised sentences, which it reads one per line.

    It is run once, without a shell. Empty sentences are not shown to it.
    """
    arguments = _arguments(command)
    spoken = [sentence for sentence in sentences if sentence.tokens]
    text = "".join(" ".join(sentence.tokens) + "\n" for sentence in spoken)
    printed = _run(arguments, text.encode()) if spoken else ""
    name = f"output of {arguments[0]}"
    try:
        numbered = list(numbered_trees(printed.split("\n"), name))
    except InputError as error:
        raise InputError(f"{error}; a parser must print nothing but brackets") from error
    trees, mismatches = check_trees(numbered, sentences)
    for mismatch in mismatches:
        raise InputError(mismatch.message, path=name, line=mismatch.line)
    return trees


def _arguments(command: str) -> list[str]:
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the parser's command cannot be read: {error}") from error
    if not arguments:
        raise UsageError("the parser's command is empty")
    return arguments


def _run(arguments: Sequence[str], text: bytes) -> str:
    try:
        done = subprocess.run(arguments, input=text, capture_output=True, check=False)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"the parser {arguments[0]} cannot be run: {reason}") from error
    if done.returncode:
        said = _last_line(done.stderr.decode("utf-8", "replace").splitlines())
        raise InputError(f"the parser {arguments[0]} failed with code {done.returncode}{said}")
    try:
        return done.stdout.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the parser {arguments[0]} printed what is not UTF-8") from error


def _last_line(lines: Iterable[str]) -> str:
    kept = [line.strip() for line in lines if line.strip()]
    return f": {kept[-1][:200]}" if kept else ""
