"""The constituency parser: a span-based chart parser over hashed surface features.

After Hall, Durrett & Klein 2014, "Less grammar, more features". The kernel is
native/core/text/parser.cpp; tools/train_parser.py trains the embedded model; see
docs/decisions/parser.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.models.container import Loadable, Model
from otherwords.text.sentence import Sentence
from otherwords.text.tagger import Tagger
from otherwords.text.tokenizer import tokenize
from otherwords.text.trees import Tree

__all__ = ["ROOT", "Parser", "sentence_of"]

ROOT = "ROOT"


def sentence_of(text: str | Sentence | Sequence[str], tokenizer: str = "penn") -> Sentence:
    """Raw text, tokens or an annotated sentence as a sentence.

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
    """Parses sentences into trees. Every sentence gets a tree, whatever its words and length.

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
        """The tree of each sentence, given as raw text, as tokens or annotated.

        Tags that a sentence has are kept, others are the tagger's. The tree of an empty
        sentence is a root without children. The trees do not depend on the number of threads.

        >>> [tree.tags for tree in Parser.load().parse([["Go", "!"], []])]
        [('VB', '.'), ()]
        """
        if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
            raise UsageError(f"the parser needs a list of sentences, not {sentences!r:.40}")
        threads = check_whole("threads", threads, 1, 4096)
        given = [sentence_of(sentence, tokenizer) for sentence in sentences]
        words = [list(sentence.tokens) for sentence in given]
        tags = self._tags(given, threads)
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
        """The tree of phrases (begin, end, label), each given before those inside it."""
        pairs = zip(tags, words, strict=True)
        nodes = [(Tree(tag, (), word), end) for end, (tag, word) in enumerate(pairs, 1)]

        def parts(begin: int, end: int) -> list[Tree]:
            found = []
            while begin < end:
                node, begin = nodes[begin]
                found.append(node)
            return found

        # From the last to the first, all that is inside a phrase is built before it.
        for begin, end, label in phrases[::-1].tolist():
            children = parts(begin, end)
            for name in reversed(self._chains[label]):
                children = [Tree(name, children)]
            nodes[begin] = (children[0], end)
        return Tree(ROOT, parts(0, len(words)))
