"""spaCy as the annotator, for users who have it (`pip install otherwords[spacy]`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from otherwords.errors import ModelError
from otherwords.text.sentence import Sentence, Text

__all__ = ["is_spacy", "parse", "signature"]

DEFAULT_MODEL = "en_core_web_sm"


def is_spacy(annotator: str) -> bool:
    """Does the name ask for spaCy?

    >>> is_spacy("spacy"), is_spacy("spacy:en_core_web_md"), is_spacy("embedded")
    (True, True, False)
    """
    return annotator == "spacy" or annotator.startswith("spacy:")


def signature(annotator: str) -> str:
    """Name and version of the pipeline."""
    meta = _pipeline(_model_of(annotator)).meta
    return f"spacy:{meta['lang']}_{meta['name']}-{meta['version']}"


def parse(texts: Sequence[Text], annotator: str) -> list[Sentence]:
    """The texts through spaCy; sentences that are annotated already pass as they are."""
    pipeline = _pipeline(_model_of(annotator))
    raw = iter(pipeline.pipe([text for text in texts if isinstance(text, str)]))
    return [_sentence(next(raw)) if isinstance(text, str) else text for text in texts]


def _model_of(annotator: str) -> str:
    return annotator.partition(":")[2] or DEFAULT_MODEL


@cache
def _pipeline(model: str) -> Any:
    if find_spec("spacy") is None:
        raise ModelError("spaCy is not installed; pip install 'otherwords[spacy]'")
    import spacy

    try:
        return spacy.load(model)
    except OSError as error:
        raise ModelError(
            f"spaCy has no pipeline '{model}' here; install it, or give spacy:PATH"
        ) from error


def _sentence(doc: Any) -> Sentence:
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
