"""The rules of docs/text.md as regular expressions, tried in order at each position."""

from __future__ import annotations

import re

SPACE = "\t-\r \x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
SYMBOLS = (
    "\x80-\xa9\xab-\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u2000-\u200c\u200e-\u200f"
    "\u2012-\u206f\u20a0-\u20cf\u2190-\u245f\u2500-\u2bff\u2e00-\u2e7f\u3000-\u3004"
    "\u3008-\u3020\ue000-\uf8ff\ufe00-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    "\uff5b-\uff65\uffe0-\uffff\U0001f000-\U0001faff\U000e0000-\U0010ffff"
)
W = rf"[^{SPACE}{SYMBOLS},;:@#$%&?!()\[\]{{}}<>\"'`.\-]"
NOT_ALNUM = r"[\x00-/:-@\[-`{-\x7f\xad\u2010\u2011\u200d" + SPACE + SYMBOLS + "]"
ALNUM = rf"(?!{NOT_ALNUM})[\s\S]"
JOINT = (
    rf"(?<!-)-(?!-)"
    rf"|\.(?={W}|-(?!-))"
    rf"|(?<=(?!['’])[\s\S])['’](?={ALNUM})"
    rf"|(?<=[0-9])[,:](?=[0-9])"
)
# At the start of a word nothing stands before it, whatever the text has there.
FIRST = rf"{W}|-(?!-)|\.(?={W}|-(?!-))"
WORD = rf"(?:{FIRST})(?:{W}|{JOINT})*"
URL = r"(?i:https?://|ftp://|www\.)[^" + SPACE + r"<>\"]*[^" + SPACE + r"<>\".,;:!?')\]}]"
MAIL = r"[A-Za-z0-9._+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+"

TOKEN = re.compile(
    rf"(?P<address>{URL}|{MAIL})"
    r"|(?P<run>\.{2,}|-{2,}|''|``)"
    rf"|(?P<apostrophe>['’])"
    rf"|(?P<word>{WORD})"
    rf"|(?P<other>[^{SPACE}])"
)
INITIALISM = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
SKIPPED = re.compile(rf"[{SPACE}\"')\]}}>’”»(\[{{<`‘“«]*")
CLITIC = re.compile(r"(?i)(?:(?<=[\s\S])n['’]t|(?<=[\s\S])['’](?:s|m|d|ll|re|ve))$")
SPLIT = {
    "cannot": 3,
    "gimme": 3,
    "gonna": 3,
    "gotta": 3,
    "lemme": 3,
    "wanna": 3,
    "d'ye": 2,
    "more'n": 4,
}
ABBREVIATIONS = set(
    "adm apr art assn aug ave bros brig capt cf cmdr co col corp cpl dec dept dr ed eds eg est "
    "etc feb fig figs ft gen gov hon ie inc jan jr lt ltd maj messrs mr mrs ms mt nos nov oct pp "
    "prof pvt rep reps rev sen sens sep sept sgt sr st supt univ vol vs".split()
)


def is_lower_letter(c: str) -> bool:
    return bool(re.match(ALNUM, c)) and not c.isdigit() and c.lower() == c


def keeps_period(text: str, begin: int, end: int) -> bool:
    if text[end : end + 1] != "." or text[end + 1 : end + 2] == ".":
        return False
    word = text[begin:end]
    if INITIALISM.fullmatch(word):
        return True
    skipped = SKIPPED.match(text, end + 1)
    rest = text[skipped.end() :]
    if not rest:
        return False
    if rest[0] in ",;:?!" or is_lower_letter(rest[0]):
        return True
    if len(word) == 1 and word.isascii() and word.isupper():
        return True
    if word.lower() in ABBREVIATIONS:
        return True
    return word.lower() in ("no", "p") and rest[0] in "0123456789"


def words(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    clitic = CLITIC.search(text[begin:end])
    if clitic:
        cut = begin + clitic.start()
        return [*words(text, begin, cut), (cut, end)]
    cut = SPLIT.get(text[begin:end].lower())
    return [(begin, begin + cut), (begin + cut, end)] if cut else [(begin, end)]


def apostrophe(text: str, at: int) -> list[tuple[int, int]]:
    word = re.compile(WORD).match(text, at + 1)
    end = word.end() if word else at + 1
    rest = text[at + 1 : end].lower()
    if rest in ("tis", "twas"):
        return [(at, at + 2), (at + 2, end)]
    whole = rest in ("d", "ll", "m", "re", "s", "ve") or re.match("[0-9]", rest)
    return [(at, end if whole else at + 1)]


def tokenize(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    while match := TOKEN.search(text, at):
        begin, end = match.span()
        if match.lastgroup == "apostrophe":
            spans += apostrophe(text, begin)
        elif match.lastgroup != "word":
            spans.append((begin, end))
        elif keeps_period(text, begin, end):
            spans.append((begin, end + 1))
        else:
            spans += words(text, begin, end)
        at = spans[-1][1]
    return spans
