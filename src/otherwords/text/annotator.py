"""String -> columns: tokenize, tag and lemmatize many texts at once.

Metrics work on `Columns`, the numbers of all sentences side by side
(native/core/text/annotate.hpp); users look at a `Sentence`. Both come from an `Annotator`, which
says which tokenizer and models are used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from otherwords import _native
from otherwords._native import Columns
from otherwords.errors import InputError
from otherwords.io.arguments import check_flag
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text, check_tokenizer, tokenize
from otherwords.text.tagger import Tagger

BATCH = 1 << 12  # lines tagged at a time


class Annotator:
    """Turns raw text into tokens with tags and lemmas.

    Sentences that are already annotated are kept; only missing layers are added. Lemmas are those
    of WordNet's morphology; with `own_lemmas` also those of function words (these: this) and of
    plurals that WordNet lacks.

    >>> Annotator().sentence("The children flew off.").lemmas
    ('the', 'child', 'fly', 'off', '.')
    """

    def __init__(
        self,
        *,
        tokenizer: str = "penn",
        lexicon: str | None = None,
        tagger: str | None = None,
        case: bool = False,
        own_lemmas: bool = True,
    ) -> None:
        self.tokenizer = check_tokenizer(tokenizer)
        self.case = check_flag("case", case)
        self.own_lemmas = own_lemmas
        self.lexicon = Lexicon.load(lexicon)
        self.tagger = Tagger.load(tagger)

    @property
    def signature(self) -> dict[str, str]:
        """The tokenizer and models that a score depends on, for its signature."""
        return {
            "case": "kept" if self.case else "folded",
            "tok": self.tokenizer,
            "tagger": self.tagger.digest,
            "lexicon": self.lexicon.digest,
        }

    def sentence(self, text: Text) -> Sentence:
        """Annotate one text with tokens, tags and lemmas."""
        if isinstance(text, str):
            text = tokenize(text, self.tokenizer)
        return self._complete(text)

    def columns(
        self,
        texts: Sequence[Text],
        *,
        dependencies: Mapping[str, str] | None = None,
        threads: int = 1,
    ) -> Columns:
        """Many texts as numbers. `dependencies` names the relations that are kept, by the labels
        of parsers in lower case; both sides must then be parsed.
        """
        if dependencies is None and set(map(type, texts)) <= {str}:
            try:
                return _native.annotate(
                    list(texts),
                    self.tagger.native,
                    self.lexicon.native,
                    self.tokenizer,
                    self.case,
                    not self.own_lemmas,
                    threads,
                )
            except UnicodeEncodeError as error:
                message = f"a text has a lone surrogate: {error.object[:40]!r}"
                raise InputError(message) from error
        sentences = [self.sentence(text) for text in texts]
        return _pack(sentences, case=self.case, dependencies=dependencies)

    def _complete(self, sentence: Sentence) -> Sentence:
        if sentence.tags is None:
            sentence = replace(sentence, tags=tuple(self.tagger.tag(sentence.tokens)))
        if sentence.lemmas is None:
            tags = sentence.tags or ()
            lemmas = self.lexicon.lemmatize(
                sentence.tokens, tags, case=self.case, own=self.own_lemmas
            )
            sentence = replace(sentence, lemmas=tuple(lemmas))
        return sentence


def _pack(
    sentences: Sequence[Sentence], *, case: bool, dependencies: Mapping[str, str] | None
) -> Columns:
    """Pack sentences that have tags and lemmas."""
    lemmas: list[str] = []
    tags: list[str] = []
    words: list[bool] = []
    heads: list[int] = []
    relations: list[str] = []
    for sentence in sentences:
        lemmas += sentence.lemmas or ()
        tags += sentence.tags or ()
        words += [_native.has_alphanumeric(token) for token in sentence.tokens]
        if dependencies is None:
            continue
        if sentence.heads is None or sentence.relations is None:
            raise InputError(
                f"no dependencies are known of {sentence.text[:60]!r}; give a "
                "`Sentence` with heads and relations"
            )
        kept = [dependencies.get(relation.lower(), "") for relation in sentence.relations]
        relations += kept
        heads += [head if name else -1 for head, name in zip(sentence.heads, kept, strict=True)]
    if not case:
        lemmas = [_native.lower(lemma) for lemma in lemmas]
    lengths = [len(sentence.tokens) for sentence in sentences]
    return _native.pack(lengths, tags, lemmas, words, heads, relations)


# Text files, one segment per line


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
