"""The parser: a span-based chart parser over hashed surface features, after Hall, Durrett & Klein
2014, "Less grammar, more features".

The kernel is native/core/text/parser.cpp; tools/train_parser.py trains the embedded model; see
docs/decisions/parser.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.trees.tree import Tree
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.io.files import STDIN, lines_of, paths_of
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


def parse_files(
    files: Sequence[str] = (STDIN,),
    *,
    model: str | None = None,
    tokenizer: str = "penn",
    threads: int = 1,
    tick: Callable[[int], None] = lambda done: None,
) -> Iterator[Tree]:
    """Parse the lines of files, one sentence per line.

    Parameters
    ----------
    files
        The text.
    model
        The parser's model file (default: the embedded one).
    tokenizer
        How lines are tokenized: `penn`, or `none` for tokens separated by spaces.
    threads
        The number of threads; the trees do not depend on it.
    tick
        Called with the number of sentences parsed since the last call.
    """
    check_tokenizer(tokenizer)
    files = paths_of(files)
    if files.count(STDIN) > 1:
        raise UsageError("standard input can be read only once; name a file")
    parser = Parser.load(model)
    lines = lines_of(files)
    batches = iter(lambda: list(islice(lines, BATCH)), [])
    parse = partial(parser.parse, tokenizer=tokenizer)
    # With one thread, parse in the caller's.
    for trees in in_order(parse, batches, threads if threads > 1 else 0):
        yield from trees
        tick(len(trees))
