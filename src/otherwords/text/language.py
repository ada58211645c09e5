"""Is this English? Asked once a corpus, so that no one scores French with an English tagger."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords import _native
from otherwords.errors import LanguageError
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Text
from otherwords.text.tokenizer import tokenize

__all__ = ["check_english", "english_share", "words_of"]

SAMPLE_TEXTS = 50
# Fewest words of a sample and the share of English words below which it is refused
# (docs/text.md has the shares of real samples).
LIMITS = ((100, 0.3), (20, 0.2))
# Frequent words of English that are rare in languages of the same script.
FUNCTION_WORDS = frozenset(
    "the of and to is that it for was with you his they this have from not are be by were which "
    "would there their what who had but your we she her him my been when how could should about "
    "because these those than them our its into don't do does did has i at as on he all or if "
    "n't 's 'm 're 've 'll no yes up out more can will just very".split()
)


def check_english(texts: Sequence[Text], what: str) -> None:
    """Raise `LanguageError` if the texts are plainly in another language or script.

    >>> check_english(["Il pleut des cordes, et nous n'avons pas de parapluie. " * 3], "this")
    Traceback (most recent call last):
    ...
    otherwords.errors.LanguageError: this does not look like English (...)
    """
    words = words_of(texts[:SAMPLE_TEXTS])
    foreign = sum(not any(c < "\u0250" for c in word) for word in words)
    if foreign > len(words) / 2:
        _refuse(what, f"{foreign} of {len(words)} words in another script")
    share = english_share(words)
    least = next((limit for fewest, limit in LIMITS if len(words) >= fewest), 0.0)
    if share < least:
        _refuse(what, f"{share:.0%} English words in a sample of {len(words)}")


def english_share(words: Sequence[str]) -> float:
    """Share of lower-cased words that are English: frequent ones, or in WordNet by themselves.

    >>> english_share(["the", "wolf", "zxqv"]) > 0.6
    True
    """
    lexicon = Lexicon.load()
    known = sum(word in FUNCTION_WORDS or (len(word) > 3 and word in lexicon) for word in words)
    return known / len(words) if words else 1.0


def words_of(texts: Sequence[Text]) -> list[str]:
    """The tokens with letters, in lower case.

    >>> words_of(["It's 3 p.m."])
    ['it', "'s", 'p.m.']
    """
    return [
        _native.lower(token)
        for text in texts
        for token in (tokenize(text) if isinstance(text, str) else text).tokens
        if any(c.isalpha() for c in token)
    ]


def _refuse(what: str, found: str) -> None:
    raise LanguageError(
        f"{what} does not look like English ({found}); "
        "if it is English all the same, pass any_language=True (--any-language)"
    )
