"""Language check, once per corpus: the models are English and would score French as nonsense."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords import _native
from otherwords.errors import LanguageError
from otherwords.text.identifier import Identifier
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Text, token_spans

SAMPLE_TEXTS = 50
FEWEST_WORDS = 6
MOST_ENGLISH = 0.35  # a larger share of English words means English
LEAST_FOREIGN = 0.1
NAMES = {
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}
# What is possible in other languages, by what a text is compared with.
_POSSIBLE = {
    "references": "score translations into other languages with otherwords-mt or chrf++",
    "source": "rewrites in other languages have no metric of meaning, only counts of characters "
    "and words: chrf++ with against=source, pinc",
}
# Frequent words of English that are rare in languages of the same script.
ENGLISH = frozenset(
    "the of and to is that it for was with you his they this have from not are be by were which "
    "would there their what who had but your we she her him my been when how could should about "
    "because these those than them our its into do does did has i at as on he all or if n't 's "
    "'m 're 've 'll no yes up out more can will just very".split()
)
# Frequent words of other languages in Latin script that are not English words.
FOREIGN = frozenset(
    # French, German, Spanish, Italian, Portuguese, Romanian, Dutch, Swedish, Danish
    "le la les des du et est une pour dans que qui pas sur avec nous vous ce cette sont mais elle "
    "der das und ist nicht ein eine zu den dem mit sich auf für wir sie ich auch es wie dass "
    "el los las del y en por con para una más pero como su al lo esta está son "
    "il che di non per gli della sono questo anche nel dei ma "
    "não um uma dos da os se mas ele isso foi ao na "
    "și este nu în că sunt pe cu "
    "het een van dat niet zijn voor maar ook naar wij deze "
    "och att det som är inte på av jag vi till og ikke jeg af "
    # Finnish, Estonian, Czech, Polish, Hungarian, Turkish, Indonesian
    "ja ei että oli mutta kuin myös hän ning kui mis aga oma "
    "je že jsem ale jak byl nie się jest że już czy "
    "és hogy nem egy az ez meg ve bir bu için değil yang dan ini untuk dengan".split()
)


def check_english(texts: Sequence[Text], what: str, against: str | None = None) -> None:
    """Raise `LanguageError` if the texts are clearly in another language or script.

    `against` is what a metric compares with: the error says what is possible instead.

    >>> french = ["Il pleut des cordes, et nous n'avons pas de parapluie."]
    >>> check_english(french, "this", "references")
    Traceback (most recent call last):
    ...
    otherwords.errors.LanguageError: this does not look like English (but like French); ...
    """
    if is_foreign(words_of(texts[:SAMPLE_TEXTS])):
        raise LanguageError(f"{what} {explain_other(texts, against)}")


def explain_other(texts: Sequence[Text], against: str | None) -> str:
    """Say that texts are not English, what they look like, and what is possible instead."""
    plain = [text if isinstance(text, str) else text.text for text in texts[:SAMPLE_TEXTS]]
    [code] = Identifier.load().identify([" ".join(plain)])
    like = f" (but like {NAMES[code]})" if code in NAMES else ""
    possible = "" if against is None else f"{_POSSIBLE[against]}; "
    return f"does not look like English{like}; {possible}if it is English, set `any_language`"


def is_foreign(words: Sequence[str]) -> bool:
    """Whether most words have no Latin letter, or few are English and some clearly foreign.

    Names and made-up words are not evidence of another language.

    >>> is_foreign(["мэр", "сказал"]), is_foreign("qwe rtz uio asd fgh jkl".split())
    (True, False)
    """
    if 2 * sum(map(_is_other_script, words)) > len(words):
        return True
    return has_foreign_words(words) and english_share(words) <= MOST_ENGLISH


def has_foreign_words(words: Sequence[str]) -> bool:
    """Whether some of enough words are frequent in another language or have a non-ASCII letter."""
    foreign = [word for word in words if word in FOREIGN or not word.isascii()]
    is_likely = len(words) >= FEWEST_WORDS and len(foreign) / len(words) >= LEAST_FOREIGN
    return is_likely and len(set(foreign)) > 1


def _is_other_script(word: str) -> bool:
    """Whether a word has no Latin letter: the digits of 3月3日 are none."""
    if word.isascii():
        return not word
    return not any(c < "\u0250" and c.isalpha() for c in word)


def english_share(words: Sequence[str]) -> float:
    """The share of lower-cased words that are frequent in English or in WordNet.

    >>> english_share(["the", "wolf", "zxqv"]) > 0.6
    True
    """
    lexicon = Lexicon.load()
    known = sum(word in ENGLISH or (len(word) > 3 and word in lexicon) for word in words)
    return known / len(words) if words else 1.0


def _tokens(text: str) -> list[str]:
    """Its tokens, without the checks of a `Sentence`: every row is read for its language."""
    return [text[begin:end] for begin, end in token_spans(text)]


def words_of(texts: Sequence[Text]) -> list[str]:
    """The tokens with letters, in lower case.

    >>> words_of(["It's 3 p.m."])
    ['it', "'s", 'p.m.']
    """
    return [
        _native.lower(token)
        for text in texts
        for token in (_tokens(text) if isinstance(text, str) else text.tokens)
        if token.isalpha() or any(c.isalpha() for c in token)
    ]
