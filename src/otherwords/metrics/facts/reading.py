"""Text -> units: words with what is known of each, numbers of several words as one unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from otherwords import _native
from otherwords.metrics.facts.numbers import Number, numbers
from otherwords.metrics.facts.words import AUXILIARIES, LIGHT
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem
from otherwords.text.tagger import Tagger
from otherwords.text.vectors import Vectors

__all__ = ["Reader", "Side"]

# Characters that differ in typography only; one for one, so that offsets stay those of the text.
_TYPOGRAPHY = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2010: "-", 0x2011: "-"}
_PREFIXES = frozenset("re co e non un anti pre post ex mid semi self multi sub bi".split())
_BEFORE_MONTHS = frozenset("in of on since until last next by from this".split())
_JOINED = re.compile(r"[\-/–—]")
_CONTENT = ("NN", "VB", "JJ", "RB", "CD", "FW")
_FULL = 9.0  # nats of information from which on a word has the full weight
_LEAST = 0.2


@dataclass(frozen=True)
class Side:
    """One of two texts: parallel lists with an entry for each unit."""

    text: str
    spans: list[tuple[int, int]]
    words: list[str]  # in lower case; a number is "#value"
    forms: list[str]  # as written
    tags: list[str]
    lemmas: list[str]
    stems: list[str]
    content: list[bool]
    weights: list[float]  # 0 for what has no content
    numbers: dict[int, Number] = field(default_factory=dict)

    def __len__(self) -> int:
        """How many units."""
        return len(self.words)

    @cached_property
    def total(self) -> float:
        """The content of the whole text."""
        return sum(self.weights)

    def stretch(self, begin: int, end: int) -> tuple[int, int]:
        """Character offsets of units; the place between two units where there are none."""
        if begin < end:
            return self.spans[begin][0], self.spans[end - 1][1]
        place = self.spans[begin - 1][1] if begin else 0
        return place, place

    def is_name(self, unit: int) -> bool:
        """Whether the unit is written and tagged as a name."""
        if not self.forms[unit][:1].isupper():
            return False
        return self.tags[unit].startswith("NNP") or (self.tags[unit] == "JJ" and unit > 0)


class Reader:
    """Reads many texts at once."""

    def __init__(self) -> None:
        self.lexicon = Lexicon.load()
        self.tagger = Tagger.load()
        self.vectors = Vectors.load()

    def read(self, texts: Sequence[Text], threads: int = 1) -> list[Side]:
        """The sides of the texts, in their order."""
        split = [_tokens(text) for text in texts]
        words = [[form for form, _ in tokens] for tokens in split]
        tags = self.tagger.tag(words, threads=threads) if words else []
        for number, text in enumerate(texts):
            if isinstance(text, Sentence) and text.tags and len(text.tags) == len(words[number]):
                tags[number] = list(text.tags)
        flat = [form for forms in words for form in forms]
        flat_tags = [tag for row in tags for tag in row]
        lemmas = self.lexicon.lemmatize(flat, flat_tags)
        stems = stem(flat)
        information = self.vectors.information(stems).tolist() if stems else []
        sides, begin = [], 0
        for text, tokens, row in zip(texts, split, tags, strict=True):
            end = begin + len(tokens)
            raw = text if isinstance(text, str) else text.text
            layers = lemmas[begin:end], stems[begin:end], information[begin:end]
            sides.append(_side(raw, tokens, row, *layers))
            begin = end
        return sides


def _tokens(text: Text) -> list[tuple[str, tuple[int, int]]]:
    """Tokens with their places; compounds with hyphens are cut where their parts are words."""
    if isinstance(text, Sentence):
        return list(zip(text.tokens, text.spans, strict=True))
    plain = text if text.isascii() else text.translate(_TYPOGRAPHY)
    found = []
    for begin, end in _native.token_spans(plain, "penn"):
        token = plain[begin:end]
        if not token.isalnum() and _JOINED.search(token, 1, end - begin - 1):
            found += [(part, (begin + at, begin + at + len(part))) for part, at in _parts(token)]
        else:
            found.append((token, (begin, end)))
    return found


def _parts(token: str) -> list[tuple[str, int]]:
    pieces = [(m[0], m.start()) for m in re.finditer(r"[^\-/–—]+", token)]
    if not pieces or ("/" in token and all(one.isdigit() for one, _ in pieces)):
        return [(token, 0)]
    if pieces[0][0].lower() in _PREFIXES or not all(one[:1].isalnum() for one, _ in pieces):
        return [(token, 0)]
    for (one, _), (other, _) in pairwise(pieces):
        if one[-1:].isalpha() and other[:1].isdigit():
            return [(token, 0)]  # COVID-19, F-16
    return pieces


def _side(
    text: str,
    tokens: list[tuple[str, tuple[int, int]]],
    tags: list[str],
    lemmas: list[str],
    stems: list[str],
    information: list[float],
) -> Side:
    lower = [form.lower() for form, _ in tokens]
    for at, (form, _) in enumerate(tokens):
        if form == "May" and at and (lower[at - 1] in _BEFORE_MONTHS or lower[at - 1][0].isdigit()):
            tags[at] = "NNP"  # the month, which taggers take for the verb
    side = Side(text, [], [], [], [], [], [], [], [])
    place = 0
    for number in [*numbers(lower, tags), None]:
        stop = len(tokens) if number is None else number.begin
        for at in range(place, stop):
            form = tokens[at][0]
            word = _folded(form, lower[at])
            side.spans.append(tokens[at][1])
            side.words.append(word)
            side.forms.append(form)
            side.tags.append(tags[at])
            side.lemmas.append(lemmas[at])
            side.stems.append(stems[at])
            content = _is_content(form, tags[at], lemmas[at])
            side.content.append(content)
            informative = min(1.0, max(_LEAST, information[at] / _FULL)) if content else 0.0
            side.weights.append(informative * (0.5 if lemmas[at] in LIGHT else 1.0))
        if number is None:
            break
        mark = number.kind[0] if number.kind in ("time", "share", "multiple") else ""
        key = f"#{number.value:.10g}{mark}"
        side.numbers[len(side.words)] = number
        side.spans.append((tokens[number.begin][1][0], tokens[number.end - 1][1][1]))
        side.words.append(key)
        side.forms.append(text[slice(*side.spans[-1])])
        side.tags.append("CD")
        side.lemmas.append(key)
        side.stems.append(key)
        side.content.append(True)
        side.weights.append(0.3 if number.vague else 1.0)
        place = number.end
    return side


def _folded(form: str, lower: str) -> str:
    """The key that makes two tokens the same word: U.S. is US, re-open is reopen."""
    if "." in form[:-1] and form.replace(".", "").isalpha():
        return form.replace(".", "")
    if form.isupper() and 2 <= len(form) <= 5:
        return form
    return lower.replace("-", "") if "-" in lower[1:-1] else lower


def _is_content(form: str, tag: str, lemma: str) -> bool:
    if not tag.startswith(_CONTENT) or lemma in ("not", "n't", "never"):
        return False
    if lemma in AUXILIARIES and not tag.startswith("NN"):
        return False
    return form.isalnum() or any(map(str.isalnum, form))
