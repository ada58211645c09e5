"""String -> columns: tokenise, tag and lemmatise many texts at once.

Metrics work on `Columns`, the numbers of all sentences side by side
(native/core/text/columns.hpp); users look at a `Sentence`. Both come from an `Annotator`, which
says which tokenizer and models are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

from otherwords import _native
from otherwords._native import Columns
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.text import spacy as _spacy
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text
from otherwords.text.tagger import Tagger
from otherwords.text.tokenizer import check_tokenizer, tokenize

__all__ = ["Annotator", "Columns"]


class Annotator:
    """Turns raw text into tokens with tags and lemmas.

    `annotator` is `embedded` (our own models), `spacy` or `spacy:MODEL`. Sentences that are already
    annotated are kept; only missing layers are added.

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
    ) -> None:
        if annotator != "embedded" and not _spacy.is_spacy(str(annotator)):
            raise UsageError(f"unknown annotator '{annotator}'; choose embedded or spacy[:MODEL]")
        self.tokenizer = check_tokenizer(tokenizer)
        self.annotator = annotator
        if annotator != "embedded" and tokenizer == "none":
            raise UsageError("tokenizer 'none' goes with the embedded annotator, not with spaCy")
        self.case = check_flag("case", case)
        for name, path in (("lexicon", lexicon), ("tagger", tagger)):
            if path is not None and not isinstance(path, (str, PathLike)):
                raise UsageError(f"{name} must be the path of a model file, not {path!r}")
        self.lexicon = Lexicon.load(lexicon)
        self.tagger = Tagger.load(tagger)

    @property
    def signature(self) -> dict[str, str]:
        """What the numbers depend on, for the signature of a score."""
        embedded = self.annotator == "embedded"
        return {
            "case": "kept" if self.case else "folded",
            "tok": self.tokenizer if embedded else _spacy.signature(self.annotator),
            "tagger": self.tagger.digest,
            "lexicon": self.lexicon.digest,
        }

    def sentence(self, text: Text) -> Sentence:
        """The text with its tokens, tags and lemmas."""
        if isinstance(text, str):
            if self.annotator != "embedded":
                return self._complete(_spacy.parse([text], self.annotator)[0])
            text = tokenize(text, self.tokenizer)
        return self._complete(text)

    def columns(
        self, texts: Sequence[Text], *, dependencies: bool = False, threads: int = 1
    ) -> Columns:
        """The columns of the texts, in their order."""
        plain = self.annotator == "embedded" and set(map(type, texts)) <= {str}
        if plain and not dependencies:
            return self._native_columns(texts, threads)
        if self.annotator != "embedded":
            texts = _spacy.parse(texts, self.annotator)
        sentences = [self.sentence(text) for text in texts]
        return _pack(sentences, case=self.case, dependencies=dependencies)

    def _native_columns(self, texts: Sequence[Text], threads: int) -> Columns:
        try:
            return _native.annotate(
                list(texts),
                self.tagger.native,
                self.lexicon.native,
                self.tokenizer,
                self.case,
                threads,
            )
        except UnicodeEncodeError as error:
            raise InputError(f"a text has a lone surrogate: {error.object[:40]!r}") from error

    def _complete(self, sentence: Sentence) -> Sentence:
        if sentence.tags is None:
            sentence = replace(sentence, tags=tuple(self.tagger.tag(sentence.tokens)))
        if sentence.lemmas is None:
            tags = sentence.tags or ()
            lemmas = self.lexicon.lemmatize(sentence.tokens, tags, case=self.case)
            sentence = replace(sentence, lemmas=tuple(lemmas))
        return sentence


def _pack(sentences: Sequence[Sentence], *, case: bool, dependencies: bool) -> Columns:
    """Columns of sentences whose tags and lemmas are known."""
    lemmas: list[str] = []
    tags: list[str] = []
    words: list[bool] = []
    heads: list[int] = []
    relations: list[str] = []
    for sentence in sentences:
        lemmas += sentence.lemmas or ()
        tags += sentence.tags or ()
        words += [_native.has_alphanumeric(token) for token in sentence.tokens]
        if not dependencies:
            continue
        if sentence.heads is None or sentence.relations is None:
            raise InputError(
                f"no dependencies are known of {sentence.text[:60]!r}; give CoNLL-U "
                "with heads and relations, or annotator='spacy'"
            )
        heads += sentence.heads
        relations += sentence.relations
    if not case:
        lemmas = [_native.lower(lemma) for lemma in lemmas]
    lengths = [len(sentence.tokens) for sentence in sentences]
    return _native.pack(lengths, tags, lemmas, words, heads, relations)
