"""Sentences for the metrics: tokens with their places in the text, tags, lemmas, a tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from otherwords import _native
from otherwords.errors import InputError, UsageError, near

TOKENIZERS = ("none", "penn", "treebank")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Sentence:
    """Tokens with their places in the raw text and, where known, tags, lemmas and a tree.

    `spans` are character offsets into `text`. `heads` are token positions from 0, -1 for
    the root; `relations` name the dependency to the head. A layer that is `None` is not
    known; `otherwords.text.annotator` fills in tags and lemmas.

    >>> Sentence.from_tokens(["It", "works", "."], tags=["PRP", "VBZ", "."]).text
    'It works .'
    """

    text: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    tags: tuple[str, ...] | None = None
    lemmas: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    relations: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("spans", "tags", "lemmas", "heads", "relations"):
            layer = getattr(self, name)
            if layer is not None and len(layer) != len(self.tokens):
                raise InputError(f"{len(self.tokens)} tokens but {len(layer)} {name}")
        for token in self.tokens:
            if token.split() != [token]:
                raise InputError(f"a token is empty or has white space inside: {token!r}")
        for layer in (self.tokens, self.tags, self.lemmas, self.relations):
            if any(not name.isascii() and _SURROGATE.search(name) for name in layer or ()):
                raise InputError("half of a surrogate pair in a token, tag, lemma or relation")
        for head in self.heads or ():
            if not -1 <= head < len(self.tokens):
                raise InputError(f"a head points to token {head} of {len(self.tokens)}")

    @classmethod
    def from_tokens(
        cls,
        tokens: Sequence[str],
        *,
        tags: Sequence[str] | None = None,
        lemmas: Sequence[str] | None = None,
        heads: Sequence[int] | None = None,
        relations: Sequence[str] | None = None,
    ) -> Sentence:
        """A sentence whose raw text is its tokens joined by single spaces."""
        spans = []
        start = 0
        for token in tokens:
            spans.append((start, start + len(token)))
            start += len(token) + 1
        return cls(
            " ".join(tokens),
            tuple(tokens),
            tuple(spans),
            None if tags is None else tuple(tags),
            None if lemmas is None else tuple(lemmas),
            None if heads is None else tuple(heads),
            None if relations is None else tuple(relations),
        )


Text = str | Sentence


def tokenize(text: str, tokenizer: str = "penn") -> Sentence:
    """Split a text into tokens: by Treebank rules (`penn`), as the Treebank's own script does
    (`treebank`: commas always, periods only at the end), or at white space (`none`).

    >>> tokenize("They can't pay $3,500, he said.").tokens
    ('They', 'ca', "n't", 'pay', '$', '3,500', ',', 'he', 'said', '.')
    >>> tokenize("They can't pay $3,500, he said.", "treebank").tokens
    ('They', 'ca', "n't", 'pay', '$', '3', ',', '500', ',', 'he', 'said', '.')
    >>> tokenize("naïve café", "none").spans
    ((0, 5), (6, 10))
    """
    spans = token_spans(text, tokenizer)
    return Sentence(text, tuple(text[begin:end] for begin, end in spans), spans)


def token_spans(text: str, tokenizer: str = "penn") -> tuple[tuple[int, int], ...]:
    """Where the tokens of a text are.

    >>> token_spans("It works.")
    ((0, 2), (3, 8), (8, 9))
    """
    check_tokenizer(tokenizer)
    try:
        return tuple(_native.token_spans(text, tokenizer))
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error


def check_tokenizer(name: str) -> str:
    """Return the name of a tokenizer, or raise an error if there is no such tokenizer."""
    if name not in TOKENIZERS:
        raise UsageError(f"unknown tokenizer '{name}'; {near(str(name), TOKENIZERS)}")
    return name
