"""Annotates text files, one segment per line: tokens, tags, lemmas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from otherwords.text.annotator import Annotator
from otherwords.text.sentence import Sentence, tokenize

BATCH = 1 << 12  # lines tagged at a time


def token_lines(
    lines: Iterable[str], form: str = "text", *, offsets: bool = False
) -> Iterator[str]:
    """Penn tokens, separated by spaces (with `begin:end` of each if `offsets`) or as JSON.

    >>> list(token_lines(["They can't."], offsets=True))
    ["They:0:4 ca:5:7 n't:7:10 .:10:11"]
    """
    for line in lines:
        sentence = tokenize(line)
        if form == "jsonl":
            yield _json(sentence, spans=sentence.spans)
        elif offsets:
            pairs = zip(sentence.tokens, sentence.spans, strict=True)
            yield " ".join(f"{token}:{begin}:{end}" for token, (begin, end) in pairs)
        else:
            yield " ".join(sentence.tokens)


def tag_lines(
    lines: Iterable[str], form: str = "text", *, tokenizer: str = "penn"
) -> Iterator[str]:
    """Penn tags: `word/TAG`, one token per line (`tsv`), or JSON.

    >>> list(tag_lines(["It works"]))
    ['It/PRP works/VBZ']
    """
    annotator = Annotator(tokenizer=tokenizer, case=True)
    if form == "text":
        for line in _tag_batches(annotator, lines, "/", " "):
            yield line[:-1]
    elif form == "tsv":
        for line in _tag_batches(annotator, lines, "\t", "\n"):
            yield from line.split("\n")
    else:
        for text in lines:
            sentence = tokenize(text, tokenizer)
            yield _json(sentence, tags=annotator.tagger.tag(sentence.tokens))


def _tag_batches(
    annotator: Annotator, lines: Iterable[str], before_tag: str, after_tag: str
) -> Iterator[str]:
    unread = iter(lines)
    while batch := list(islice(unread, BATCH)):
        yield from annotator.tagger.tag_texts(batch, annotator.tokenizer, before_tag, after_tag)


def lemma_lines(
    lines: Iterable[str], form: str = "text", *, tokenizer: str = "penn", case: bool = False
) -> Iterator[str]:
    """Lemmas separated by spaces, or as JSON; in lower case unless `case`.

    >>> list(lemma_lines(["The children flew off."]))
    ['the child fly off .']
    """
    annotator = Annotator(tokenizer=tokenizer, case=case)
    for line in lines:
        sentence = annotator.sentence(line)
        lemmas = sentence.lemmas or ()
        yield " ".join(lemmas) if form == "text" else _json(sentence, lemmas=lemmas)


def _json(sentence: Sentence, **more: Any) -> str:
    return json.dumps(
        {"text": sentence.text, "tokens": sentence.tokens, **more}, ensure_ascii=False
    )
