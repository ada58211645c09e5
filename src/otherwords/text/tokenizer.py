"""The Penn Treebank tokenizer, with the place of every token in the raw text."""

from __future__ import annotations

from otherwords import _native
from otherwords.errors import InputError, UsageError, near
from otherwords.text.sentence import Sentence

__all__ = ["TOKENIZERS", "check_tokenizer", "token_texts", "tokenize"]

TOKENIZERS = ("none", "penn")


def tokenize(text: str, tokenizer: str = "penn") -> Sentence:
    """Tokens of a text: Treebank rules (`penn`) or white space alone (`none`).

    >>> tokenize("They can't pay $3.50, he said.").tokens
    ('They', 'ca', "n't", 'pay', '$', '3.50', ',', 'he', 'said', '.')
    >>> tokenize("naïve café", "none").spans
    ((0, 5), (6, 10))
    """
    check_tokenizer(tokenizer)
    spans = _spans(text, tokenizer)
    return Sentence(text, tuple(text[begin:end] for begin, end in spans), spans)


def token_texts(text: str) -> list[str]:
    """Only the Treebank tokens.

    >>> token_texts("It works.")
    ['It', 'works', '.']
    """
    return [text[begin:end] for begin, end in _spans(text, "penn")]


def _spans(text: str, tokenizer: str) -> tuple[tuple[int, int], ...]:
    try:
        return tuple(_native.token_spans(text, tokenizer))
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error


def check_tokenizer(name: str) -> str:
    """The name, if there is such a tokenizer."""
    if name not in TOKENIZERS:
        raise UsageError(f"unknown tokenizer '{name}'; {near(str(name), TOKENIZERS)}")
    return name
