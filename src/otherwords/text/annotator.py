"""String -> columns: tokenize, tag and lemmatize many texts at once.

Metrics work on `Columns`, the numbers of all sentences side by side
(native/core/text/annotate.hpp); users look at a `Sentence`. Both come from an `Annotator`, which
says which tokenizer and models are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from typing import Any

from otherwords import _native
from otherwords._native import Columns
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text, check_tokenizer, tokenize
from otherwords.text.tagger import Tagger

SPACY_MODEL = "en_core_web_sm"


class Annotator:
    """Turns raw text into tokens with tags and lemmas.

    `annotator` is `embedded` (our own models), `spacy` or `spacy:MODEL`. Sentences that are already
    annotated are kept; only missing layers are added. Lemmas are those of WordNet's morphology;
    with `own_lemmas` also those of function words (these: this) and of plurals that WordNet lacks.

    >>> Annotator().sentence("The children flew off.").lemmas
    ('the', 'child', 'fly', 'off', '.')
    """

    def __init__(
        self,
        *,
        tokenizer: str = "penn",
        annotator: str = "embedded",
        lexicon: str | None = None,
        tagger: str | None = None,
        case: bool = False,
        own_lemmas: bool = True,
    ) -> None:
        self.is_embedded = annotator == "embedded"
        if not self.is_embedded and str(annotator).partition(":")[0] != "spacy":
            raise UsageError(f"unknown annotator '{annotator}'; choose embedded or spacy[:MODEL]")
        self.tokenizer = check_tokenizer(tokenizer)
        self.annotator = annotator
        if not self.is_embedded and tokenizer == "none":
            raise UsageError("tokenizer 'none' goes with the embedded annotator, not with spaCy")
        self.case = check_flag("case", case)
        self.own_lemmas = own_lemmas
        self.lexicon = Lexicon.load(lexicon)
        self.tagger = Tagger.load(tagger)

    @property
    def signature(self) -> dict[str, str]:
        """The tokenizer and models that a score depends on, for its signature."""
        return {
            "case": "kept" if self.case else "folded",
            "tok": self.tokenizer if self.is_embedded else spacy_signature(self.annotator),
            "tagger": self.tagger.digest,
            "lexicon": self.lexicon.digest,
        }

    def sentence(self, text: Text) -> Sentence:
        """Annotate one text with tokens, tags and lemmas."""
        if isinstance(text, str):
            if not self.is_embedded:
                return self._complete(parse_with_spacy([text], self.annotator)[0])
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
        if self.is_embedded and dependencies is None and set(map(type, texts)) <= {str}:
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
        if not self.is_embedded:
            texts = parse_with_spacy(texts, self.annotator)
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
                "`Sentence` with heads and relations, or annotator='spacy'"
            )
        kept = [dependencies.get(relation.lower(), "") for relation in sentence.relations]
        relations += kept
        heads += [head if name else -1 for head, name in zip(sentence.heads, kept, strict=True)]
    if not case:
        lemmas = [_native.lower(lemma) for lemma in lemmas]
    lengths = [len(sentence.tokens) for sentence in sentences]
    return _native.pack(lengths, tags, lemmas, words, heads, relations)


# spaCy as the annotator, for users who have it (`pip install otherwords[spacy]`).


def spacy_signature(annotator: str) -> str:
    """Name and version of the spaCy pipeline."""
    meta = _pipeline(annotator).meta
    return f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}"


def parse_with_spacy(texts: Sequence[Text], annotator: str) -> list[Sentence]:
    """Parse raw texts with spaCy; annotated sentences are returned unchanged."""
    pipeline = _pipeline(annotator)
    raw = iter(pipeline.pipe([text for text in texts if isinstance(text, str)]))
    return [_convert_doc(next(raw)) if isinstance(text, str) else text for text in texts]


@cache
def _pipeline(annotator: str) -> Any:
    model = annotator.partition(":")[2] or SPACY_MODEL
    if find_spec("spacy") is None:
        raise ModelError("spaCy is not installed; pip install 'otherwords[spacy]'")
    import spacy

    try:
        return spacy.load(model)
    except OSError as error:
        raise ModelError(
            f"spaCy has no pipeline '{model}' here; install it, or give spacy:PATH"
        ) from error


def _convert_doc(doc: Any) -> Sentence:
    tokens = [token for token in doc if not token.is_space]
    position = {token.i: place for place, token in enumerate(tokens)}
    parsed = doc.has_annotation("DEP")
    return Sentence(
        doc.text,
        tuple(token.text for token in tokens),
        tuple((token.idx, token.idx + len(token.text)) for token in tokens),
        tuple(token.tag_ for token in tokens) if doc.has_annotation("TAG") else None,
        tuple(token.lemma_ for token in tokens) if doc.has_annotation("LEMMA") else None,
        tuple(_head(token, position) for token in tokens) if parsed else None,
        tuple(token.dep_ for token in tokens) if parsed else None,
    )


def _head(token: Any, position: dict[int, int]) -> int:
    return -1 if token.head.i == token.i else position.get(token.head.i, -1)
