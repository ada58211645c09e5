"""Changes of what clauses have to do with each other: who acts, what comes first, what is why."""

from __future__ import annotations

import re

from tools import pair_tables as tables
from tools.pair_phrase import Draw, Phrase
from tools.pair_words import Words

__all__ = ["linked", "related", "voiced"]

_OBJECTS = ("me", "him", "her", "us", "them")
_PLAIN = ("be", "have", "become", "seem", "do", "come", "go", "get", "remain", "look", "feel")
_LINKS = {
    "before": ("after",), "after": ("before",),
    "ahead of": ("after",), "prior to": ("after", "following"), "following": ("before",),
    "until": ("after", "since"), "since": ("until", "before"), "as soon as": ("long before",),
    "then": ("but first",), "earlier": ("later",), "later": ("earlier",),
    "first": ("last",), "previously": ("later",), "afterwards": ("beforehand",),
    "because of": ("despite", "in spite of"), "because": ("although", "even though"),
    "due to": ("despite", "regardless of"), "owing to": ("despite",), "thanks to": ("despite",),
    "despite": ("because of", "due to"), "in spite of": ("because of",),
    "although": ("because", "since"), "even though": ("because",), "though": ("because",),
    "therefore": ("nevertheless",), "as a result": ("for all that",), "led to": ("prevented",),
    "caused": ("prevented", "was caused by"), "causes": ("prevents", "is caused by"),
    "resulted in": ("resulted from",), "so that": ("in case",), "unless": ("if", "once"),
    "if": ("unless", "even if"), "only if": ("even if",), "even if": ("only if",),
    "instead of": ("in addition to",), "as well as": ("instead of", "but not"),
    "in addition to": ("instead of",), "rather than": ("as well as",), "except": ("including",),
    "including": ("except",), "without": ("with",), "while": ("after", "before"),
}  # fmt: skip
_KNOWN = re.compile(
    r"(?<![\w'’-])(" + "|".join(sorted(_LINKS, key=len, reverse=True)) + r")(?![\w'’-])",
    re.IGNORECASE,
)


def linked(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """Another order in time, or another cause, condition or contrast."""
    found = list(_KNOWN.finditer(phrase.text))
    if not found:
        return None
    one = draw.pick(found)
    new = draw.pick(_LINKS[one.group().lower()])
    new = new[0].upper() + new[1:] if one.group()[0].isupper() else new
    return phrase.text[: one.start()] + new + phrase.text[one.end() :]


def related(phrase: Phrase, draw: Draw) -> str | None:
    """Another relation of time, place, cause or condition."""
    if "because" in phrase.low and phrase.low.index("because") > 2 and draw.chance(0.4):
        n = phrase.low.index("because")
        if "of" not in phrase.low[n : n + 2] and phrase.end - n > 3:
            return phrase.swap((0, n), (n + 1, phrase.end))
    places = [n for n, word in enumerate(phrase.low) if word in tables.PREPOSITIONS]
    strong = [n for n in places if phrase.low[n] not in tables.RARE_PREPOSITIONS]
    places = strong if strong and draw.chance(0.8) else places
    places = [n for n in places if phrase.tags[n] in ("IN", "TO", "WRB", "CC", "RB", "RP")]
    places = [n for n in places if phrase.tags[n + 1 : n + 2] != ("VB",)]
    if not places:
        return None
    n = draw.pick(places)
    return phrase.put({n: draw.pick(tables.PREPOSITIONS[phrase.low[n]])})


def voiced(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """The one who acts is acted on: "A hit B" as "A was hit by B", and back."""
    ends, starts = {e: b for b, e in phrase.noun_phrases}, dict(phrase.noun_phrases)
    for n in draw.order(range(1, len(phrase) - 1)):
        if n not in ends or not phrase.low[n].isalpha():
            continue
        first, second = phrase.tags[n], phrase.tags[n + 1]
        if phrase.low[n] in ("was", "were") and second == "VBN":
            if phrase.low[n + 2 : n + 3] == ["by"] and n + 3 in starts:
                past = words.form(phrase.lemmas[n + 1], "VBD")
                return phrase.put({n: past, n + 1: "", n + 2: ""})
            continue
        if first != "VBD" or phrase.lemmas[n] in _PLAIN or n + 1 not in starts:
            continue
        if second == "CD" or (second == "PRP" and phrase.low[n + 1] not in _OBJECTS):
            continue
        run = ends[n], n
        many = phrase.tags[n - 1] in ("NNS", "NNPS") or phrase.low[run[0]] in ("we", "they", "you")
        was = "were" if many else "was"
        return phrase.put({n: f"{was} {words.form(phrase.lemmas[n], 'VBN')} by"})
    return None
