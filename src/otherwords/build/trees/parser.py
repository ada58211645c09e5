"""Parse trees from our parser, from a parser run as a command, or from a file of brackets.

Ours is a span-based chart parser over hashed surface features, after Hall, Durrett & Klein 2014,
"Less grammar, more features". The kernel is native/core/text/parser.cpp; tools/train_parser.py
trains the embedded model; see docs/decisions/parser.md. The words of trees from elsewhere are
compared with the tokens of the text, and every difference is reported with its line.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.trees.tree import Tree, numbered_trees, unescape, without_empty
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN, lines_of, paths_of, read_lines
from otherwords.io.processes import in_order
from otherwords.models.container import Loadable, Model
from otherwords.text.sentence import Sentence, check_tokenizer, tokenize
from otherwords.text.tagger import Tagger

BATCH = 32  # sentences per thread between two ticks; small, so that Ctrl-C works soon
ROOT = "ROOT"


def sentence_of(text: str | Sentence | Sequence[str], tokenizer: str = "penn") -> Sentence:
    """Make a sentence from raw text, tokens or an annotated sentence.

    >>> sentence_of(["It", "works"]) == sentence_of("It works")
    True
    """
    if isinstance(text, Sentence):
        return text
    if isinstance(text, str):
        return tokenize(text, tokenizer)
    if not isinstance(text, (list, tuple)) or not all(isinstance(word, str) for word in text):
        raise UsageError(f"a sentence is text, a list of tokens or a Sentence, not {text!r:.40}")
    return Sentence.from_tokens(text)


class Parser(Loadable):
    """Parses sentences into trees. Every sentence gets a tree, of any words and any length.

    >>> print(Parser.load().parse(["The cats sleep."])[0])
    (ROOT (S (NP (DT The) (NNS cats)) (VP (VBP sleep)) (. .)))
    """

    kind = "parser"

    def __init__(self, model: Model, tagger: Tagger | None = None) -> None:
        super().__init__(model)
        self.tagger = tagger or Tagger.load()
        try:
            self._native = _native.Parser(dict(model.arrays), self.tagger.native)
            self._chains = [name.split("+") for name in self._native.label_names]
        except (ValueError, TypeError, RuntimeError) as error:  # ValueError: also bytes not UTF-8
            raise ModelError(f"{model.path}: the parser model is damaged: {error}") from error

    def parse(
        self,
        sentences: Sequence[str | Sentence | Sequence[str]],
        *,
        tokenizer: str = "penn",
        threads: int = 1,
    ) -> list[Tree]:
        """Parse sentences given as raw text, as tokens or annotated.

        Tags of annotated sentences are kept; others come from the tagger. The tree of an empty
        sentence is a root without children. The trees do not depend on the number of threads.

        >>> [tree.tags for tree in Parser.load().parse([["Go", "!"], []])]
        [('VB', '.'), ()]
        """
        if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
            raise UsageError(f"the parser needs a list of sentences, not {sentences!r:.40}")
        threads = check_whole("threads", threads, 1, 4096)
        annotated = [sentence_of(sentence, tokenizer) for sentence in sentences]
        words = [list(sentence.tokens) for sentence in annotated]
        tags = self._tags(annotated, threads)
        try:
            begins, ends, labels, bounds = self._native.parse(words, tags, threads)
        except UnicodeEncodeError as error:
            raise InputError(f"a token is not Unicode text: {error}") from error
        phrases = np.stack([begins, ends, labels], axis=1)
        return [
            self._tree(words[s], tags[s], phrases[bounds[s] : bounds[s + 1]])
            for s in range(len(words))
        ]

    def _tags(self, sentences: Sequence[Sentence], threads: int) -> list[list[str]]:
        unknown = [list(sentence.tokens) for sentence in sentences if sentence.tags is None]
        guessed = iter(self.tagger.tag(unknown, threads=threads) if unknown else [])
        return [
            next(guessed) if sentence.tags is None else list(sentence.tags)
            for sentence in sentences
        ]

    def _tree(self, words: list[str], tags: list[str], phrases: NDArray[np.int32]) -> Tree:
        """Build a tree from phrases (begin, end, label), each listed before those inside it."""
        pairs = zip(tags, words, strict=True)
        nodes = [(Tree(tag, (), word), end) for end, (tag, word) in enumerate(pairs, 1)]

        def parts(begin: int, end: int) -> list[Tree]:
            covered = []
            while begin < end:
                node, begin = nodes[begin]
                covered.append(node)
            return covered

        # In reverse order, everything inside a phrase is built before the phrase.
        for begin, end, label in phrases[::-1].tolist():
            children = parts(begin, end)
            for name in reversed(self._chains[label]):
                children = [Tree(name, children)]
            nodes[begin] = (children[0], end)
        return Tree(ROOT, parts(0, len(words)))


@dataclass(frozen=True)
class TreeSource:
    """The source of trees: our parser (the embedded `model` or a file), a command or a file.

    `command` reads tokenized lines and prints brackets; `file` has brackets with the words of
    the text.
    """

    model: str | None = None
    command: str | None = None
    file: str | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        if sum(source is not None for source in (self.model, self.command, self.file)) > 1:
            raise UsageError(
                "give only one of a parser model, a parser command and a file of trees"
            )

    def trees(
        self, sentences: Iterator[Sentence], tick: Callable[[int], None] = lambda done: None
    ) -> Iterator[Tree]:
        """Yield the tree of each sentence; `tick` gets the number of newly finished ones."""
        if self.file is not None:
            yield from _trees_of_file(self.file, list(sentences))
        elif self.command is not None:
            yield from _run_parser(self.command, list(sentences))
        else:
            parser = Parser.load(self.model)
            batches = iter(lambda: list(islice(sentences, BATCH)), [])
            # With one thread, parse in the caller's.
            for trees in in_order(parser.parse, batches, self.threads if self.threads > 1 else 0):
                yield from trees
                tick(len(trees))


def parse_files(
    files: Sequence[str] = (STDIN,),
    source: TreeSource | None = None,
    *,
    tokenizer: str = "penn",
    tick: Callable[[int], None] = lambda done: None,
) -> Iterator[Tree]:
    """Parse the lines of files, one sentence per line.

    Parameters
    ----------
    files, source
        The text, and the source of its trees (default: the embedded parser).
    tokenizer
        How lines are tokenized: `penn`, or `none` for tokens separated by spaces.
    tick
        Called with the number of sentences parsed since the last call.
    """
    source = source or TreeSource()
    check_tokenizer(tokenizer)
    files = paths_of(files)
    if [*files, source.file].count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file")
    return source.trees((sentence_of(line, tokenizer) for line in lines_of(files)), tick)


@dataclass(frozen=True)
class Mismatch:
    """A tree that does not fit its sentence. `line` is where the tree starts in its file."""

    line: int
    message: str


class MismatchError(InputError):
    """A file whose trees do not fit the text; `mismatches` lists all differences."""

    def __init__(self, path: str, mismatches: Sequence[Mismatch]) -> None:
        super().__init__(mismatches[0].message, path=path, line=mismatches[0].line)
        self.mismatches = tuple(mismatches)

    @property
    def lines(self) -> list[str]:
        return [f"{self.path}:{mismatch.line}: {mismatch.message}" for mismatch in self.mismatches]


def _trees_of_file(path: str, sentences: Sequence[Sentence]) -> list[Tree]:
    trees, mismatches = check_trees(list(numbered_trees(read_lines(path), path)), sentences)
    if mismatches:
        raise MismatchError(path, mismatches)
    return trees


def check_trees(
    trees: Sequence[tuple[Tree, int]], sentences: Sequence[Sentence]
) -> tuple[list[Tree], list[Mismatch]]:
    """Match trees with sentences, and list mismatches. Sentences without words need no tree.

    >>> from otherwords.build.trees.tree import parse_tree
    >>> text = [Sentence.from_tokens(["a", "dog"])]
    >>> check_trees([(parse_tree("(NP (DT a) (NN cat))"), 7)], text)[1]
    [Mismatch(line=7, message="word 2 is 'cat' in the tree and 'dog' in the text")]
    """
    numbered = [(without_empty(tree), line) for tree, line in trees]
    if len(numbered) != len(sentences):
        spoken = sum(bool(sentence.tokens) for sentence in sentences)
        if len(numbered) != spoken:
            line = numbered[-1][1] if numbered else 1
            message = f"{len(numbered)} trees for {len(sentences)} sentences ({spoken} with words)"
            return [tree for tree, _ in numbered], [Mismatch(line, message)]
        rest = iter(numbered)
        numbered = [next(rest) if s.tokens else (Tree("ROOT"), 0) for s in sentences]
    mismatches = []
    for (tree, line), sentence in zip(numbered, sentences, strict=True):
        difference = _difference(tree.words, sentence.tokens)
        if difference:
            mismatches.append(Mismatch(line, difference))
    return [tree for tree, _ in numbered], mismatches


def _difference(words: Sequence[str], tokens: Sequence[str]) -> str | None:
    for number, (word, token) in enumerate(zip(words, tokens, strict=False), 1):
        if unescape(word) != unescape(token):
            return f"word {number} is {word!r} in the tree and {token!r} in the text"
    if len(words) != len(tokens):
        return f"the tree has {len(words)} words and the text {len(tokens)}"
    return None


def _run_parser(command: str, sentences: Sequence[Sentence]) -> list[Tree]:
    """Read the trees that a command prints for tokenized sentences, one per input line.

    The command runs once, without a shell, and gets no empty sentences.
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the parser's command cannot be read: {error}") from error
    if not arguments:
        raise UsageError("the parser's command is empty")
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


def _run(arguments: Sequence[str], text: bytes) -> str:
    try:
        done = subprocess.run(arguments, input=text, capture_output=True, check=False)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"the parser {arguments[0]} cannot be run: {reason}") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").split("\n")
        said = next((f": {line.strip()[:200]}" for line in reversed(lines) if line.strip()), "")
        raise InputError(f"the parser {arguments[0]} failed with code {done.returncode}{said}")
    try:
        return done.stdout.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"the parser {arguments[0]} printed what is not UTF-8") from error
