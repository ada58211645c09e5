"""Outputs that are no rewrite of their original: empty, a refusal, cut off, a loop, ...

Rules read the output beside the original: what the original has too is no fault. The phrases are in
outputs.tsv.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import takewhile
from pathlib import Path

from otherwords.text.identifier import Identifier
from otherwords.text.language import (
    ENGLISH,
    FOREIGN,
    english_share,
    has_foreign_words,
    is_foreign,
    words_of,
)
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentences import is_closing, split_sentences

Span = tuple[int, int]

CODES: Mapping[str, str] = {
    "empty": "empty output",
    "markup-only": "output without words",
    "language": "output in another language than the original",
    "refusal": "output that refuses the task or reports an error",
    "preface": "output that begins with a preface or the prompt",
    "remark": "output that ends with a remark about itself",
    "template": "output with a placeholder or a mark of a prompt",
    "loop": "output that repeats itself",
    "cut-off": "output that ends within a sentence",
    "damaged": "output with lost or control characters",
}
_HEAD = 300  # characters at the start or end in which the writer may speak of itself
_SHOWN = 40  # characters of a text in a reason
_END = 80  # characters that show whether a sentence ends
_LONGEST = 40  # words of the longest phrase whose repetition is a loop
_SHORT = 0.5  # an output below this share of its original's length may lack its end
_LONG = 1.1  # the same for one whose other sentences have their marks
_ENOUGH = 6  # words of an original that is long enough to see this
_ECHOED = 1.5  # words of an output that repeats its original, by those of the original
_SAME = 0.4  # a share of words from the original that no refusal has
_FEW = 4  # words that are enough to tell a language
_LEAST, _ENGLISH = 0.2, 0.5  # shares of English words that no English text, no other language has

_DAMAGE = re.compile("[\ufffd\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_LISTED = re.compile(r"^[ \t]*(?:\d{1,3}[.)]|[-*+•])[ \t]*$", re.M)
_MARKUP = re.compile(r"<!--.{0,1000}?-->|</?[A-Za-z][^<>]*>|&(?:[a-z]+|#\w+);", re.S)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_RUN = re.compile(r"[^\W_]+")
_STUTTER = re.compile(r"([^\W\d_]{1,4}?)\1{11,}")
_MARKS = re.compile(
    r"\{\{.{0,80}?\}\}|\$\{.{0,80}?\}|\{[A-Za-z_][\w .-]{0,40}\}|\{\d?\}|%\(\w+\)s|"
    r"%[sd]\b|%[A-Z_]{2,}%|<<.{1,40}?>>|<\|.{1,40}?\|>|\[/?[A-Z][A-Z_ ]+\]|"
    r"\[\[.{1,40}?\]\]|__[A-Z]+__|_{3,}|"
    r"</?(?:s|unk|pad|bos|eos|mask|sep|cls)>|\\[nt](?![a-z])|\\u[0-9a-f]{4}|\bX{3,}\b|"
    r"</?(?!(?:abbr|b|big|blockquote|br|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|"
    r"ins|kbd|li|mark|ol|p|pre|q|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b)"
    r"[A-Za-z][\w -]*>|\[(?i:insert|your|name|add|enter|company|date|recipient)\b[^\]\n]{0,60}\]|"
    r"(?i:\#{2,} *(?:response|instruction|input|output|assistant|user|system)\b:?)|"
    r"(?im:^(?:assistant|user|system|human|instruction|prompt):)"
)
_GAP = r"[\s,;*_\"“”()—–-]*"  # between the words of a phrase
_FINAL = re.compile(
    r"(?:[.!?…。！？।؟:;]|[\"”»)\]}`>|]|[\u2600-\U0001faff])[\"'”’»)\]}*_`~\s]*\Z|(?:://|@|#)\S+\Z"
)
_OPEN = re.compile(r"[,(\[{]\Z|\w-\Z")  # no text ends so, but for what its original does
_ENDS = frozenset('.!?:;")]}`>|@#')  # an ASCII text without any of them has no end


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an output is no rewrite: a code of `CODES`, one line, and the place in the output."""

    code: str
    reason: str
    span: Span


def find_faults(output: str, original: str, *, language: bool = True) -> list[Fault]:
    """The faults of an output, most serious first; `language` compares the languages too.

    >>> [fault.code for fault in find_faults("Sure! Here is the new text:\\n\\nHi.", "Hello.")]
    ['preface']
    >>> print(find_faults("Dear {name}, thank you.", "Dear Ann, thanks.")[0].reason)
    '{name}' is not in the original
    >>> find_faults("Dear {name}, thank you.", "Dear {name}, thanks.")
    []
    """
    if nothing := find_nothing(output, original):
        return [nothing]
    pair = _Pair(output, original)
    rules = [_find_refusal, _find_preface, _find_remark, _find_marks, _find_loop, _find_damage]
    faults = [fault for rule in [_find_language] * language + rules if (fault := rule(pair))]
    # What refuses, repeats itself or is in another language has no end of the original to lose.
    if {"language", "refusal", "loop"}.isdisjoint(fault.code for fault in faults):
        faults += filter(None, [_find_end(pair)])
    return faults


class _Pair:
    """An output and its original, with their words in lower case."""

    def __init__(self, output: str, original: str) -> None:
        self.output, self.original = output, original
        self.words, self.known = (_WORD.findall(_plain(text)) for text in (output, original))

    @cached_property
    def places(self) -> list[re.Match[str]]:
        """Where the words of the output are."""
        return list(_WORD.finditer(_plain(self.output)))

    def fault(self, code: str, why: str, begin: int, end: int | None = None) -> Fault:
        """`why` is said of the text at this place."""
        span = begin, len(self.output) if end is None else end
        return Fault(code, f"{_short(self.output[slice(*span)])} {why}", span)


def find_nothing(output: str, original: str) -> Fault | None:
    """The fault of an output without words, where the original has some."""
    whole = 0, len(output)
    if output[:3].isalnum() and len(output) > 9:
        return None
    if all(c.isspace() or unicodedata.category(c)[0] == "C" for c in output):
        return Fault("empty", "the output is empty", whole)
    if output.strip().lower() in _lists()["nothing"] and len(original.split()) > 1:
        return Fault("empty", f"the output is only {_short(output)}", whole)
    if not _has_words(output) and _has_words(original):
        return Fault("markup-only", f"the output has no word: {_short(output)}", whole)
    return None


def _has_words(text: str) -> bool:
    rest = _LISTED.sub("", _MARKUP.sub("", text))
    return any(c.isalnum() or unicodedata.category(c) == "So" for c in rest)


def _find_language(pair: _Pair) -> Fault | None:
    theirs, ours = is_other_language(pair.original), is_other_language(pair.output)
    if theirs and ours:
        return None
    if not theirs and not ours:
        # No sign of another language, but hardly a word of English or of the original.
        few = _LEAST * len(pair.words)
        if sum(word in ENGLISH or word in pair.known for word in pair.words) > few:
            return None
        words, known = words_of([pair.output]), words_of([pair.original])
        if len(words) < _FEW or english_share(words) > _LEAST or english_share(known) < _ENGLISH:
            return None
    elif theirs:
        return find_english(pair.output, pair.original)
    elif Identifier.load().identify([pair.original])[0] not in ("en", ""):
        return None  # too short to be sure of its words
    return Fault("language", "the original is English, the output is not", (0, len(pair.output)))


def find_english(output: str, original: str) -> Fault | None:
    """The fault of an output in English, where the original is in another language."""
    if not is_other_language(original) or is_other_language(output):
        return None
    words = words_of([output])
    if len(words) < _FEW or english_share(words) < _ENGLISH:
        return None
    return Fault("language", "the output is English, the original is not", (0, len(output)))


@lru_cache(maxsize=4096)  # a reference is read for each system, an output for several checks
def is_other_language(text: str) -> bool:
    """Whether a text is clearly not English.

    >>> is_other_language("Il pleut, et nous n'avons pas de parapluie.")
    True
    """
    # Most texts need no look at the lexicon.
    if text.isascii() and FOREIGN.isdisjoint(text.lower().split()):
        return False
    words = words_of([text])
    # "train", "pour" and "part" are also French.
    return is_foreign(words) or (
        has_foreign_words(words) and bool(Identifier.load().is_other([text])[0])
    )


def _find_refusal(pair: _Pair) -> Fault | None:
    words, known = set(pair.words), set(pair.known)
    if sum(len(word) > 3 for word in words & known) > _SAME * len(words):
        return None
    kinds = ["refusal", *(["inability"] if known.isdisjoint(_lists()["first"]) else [])]
    head = _plain(pair.output[:_HEAD])
    runs = _RUN.findall(head)
    for kind in kinds:
        if _key_words(kind).isdisjoint(runs):  # most texts need no search for phrases
            continue
        if (match := _finder(kind).search(head)) is not None:
            original = _plain(pair.original)
            if any(_finder(other).search(original) for other in (kind, "SELF")):
                return None
            return pair.fault("refusal", "is not in the original", *match.span())
    return None


def _find_preface(pair: _Pair) -> Fault | None:
    if echo := _find_echo(pair):
        return echo
    match = _preface().match(_plain(pair.output[:_HEAD]))
    if match is None or _preface().match(_plain(pair.original[:_HEAD])):
        return None
    if match["act"] and _finder("act").search(_plain(pair.original)):
        return None
    if match["opener"] and len(pair.known) < _ENOUGH:
        return None
    return pair.fault("preface", "is no part of the text", 0, match.end())


def _find_echo(pair: _Pair) -> Fault | None:
    """The original itself, word for word, before or behind about as much text again."""
    known, size = pair.known, len(pair.known)
    if size < _ENOUGH or len(pair.words) < _ECHOED * size:
        return None
    for first in (0, len(pair.words) - size):
        if pair.words[first : first + size] == known:
            place = pair.places[first].start(), pair.places[first + size - 1].end()
            return pair.fault("preface", "is the original itself beside more text", *place)
    return None


def _find_remark(pair: _Pair) -> Fault | None:
    begin = max(0, len(pair.output) - _HEAD)
    match = _remark().search(_plain(pair.output[begin:]))
    if match is None or _remark().search(_plain(pair.original)):
        return None
    return pair.fault("remark", "is no part of the text", begin + match.start("remark"))


def _find_marks(pair: _Pair) -> Fault | None:
    marks = [match.span() for match in _MARKS.finditer(pair.output)]
    marks += [match.span() for match in _finder("template").finditer(_plain(pair.output))]
    for begin, end in marks:
        if pair.output[begin:end].lower() not in pair.original.lower():
            return pair.fault("template", "is not in the original", begin, end)
    return None


def _find_damage(pair: _Pair) -> Fault | None:
    match = _DAMAGE.search(pair.output)
    if match is None or _DAMAGE.search(pair.original):
        return None
    reason = f"character {match.start() + 1} is U+{ord(match[0]):04X}"
    return Fault("damaged", reason, match.span())


def _find_loop(pair: _Pair) -> Fault | None:
    """A phrase that is repeated at once and not in the original: one word five times, two words
    four times, more words three times; or the whole text twice.
    """
    words = pair.words
    if _is_doubled(words) and not _is_doubled(pair.known):
        last = pair.places[len(words) // 2 - 1]
        return pair.fault("loop", "is repeated", pair.places[0].start(), last.end())
    if len(words) - len(set(words)) >= 4:
        original = f" {' '.join(pair.known)} "
        for period in range(1, min(_LONGEST, len(words) // 3) + 1):
            run = 0
            for place in range(period, len(words)):
                run = run + 1 if words[place] == words[place - period] else 0
                if run == period * max(2, 5 - period):
                    phrase = " ".join(words[place - period + 1 : place + 1])
                    if f" {phrase} {phrase} " not in original:
                        first, last = pair.places[place - run - period + 1], pair.places[place]
                        return pair.fault("loop", "is repeated", first.start(), last.end())
    if any(len(word) > 12 for word in words) and (match := _STUTTER.search(pair.output)):
        return pair.fault("loop", "is repeated", *match.span())
    return None


def _is_doubled(words: list[str]) -> bool:
    half, rest = divmod(len(words), 2)
    return half >= _ENOUGH and not rest and words[:half] == words[half:]


def _find_end(pair: _Pair) -> Fault | None:
    """The end of an output that is cut off: a word that ends no sentence, a part of a word, or a
    sentence without its mark in a text that is short or has its other marks.
    """
    if _is_final(pair.output) or not pair.words or not pair.known:
        return None
    if pair.original.isascii() and _ENDS.isdisjoint(pair.original):
        return None
    if not any(_is_final(pair.original[slice(*span)]) for span in split_sentences(pair.original)):
        return None
    text, known = pair.output.rstrip(), pair.known
    spans = split_sentences(text)
    begin = max(spans[-1][0] if spans else 0, len(text) - _SHOWN)
    cut = pair.fault("cut-off", "does not end a sentence", begin, len(text))
    last = pair.words[-1] if _plain(text).endswith(pair.words[-1]) else ""
    if _OPEN.search(text) and not _OPEN.search(pair.original.rstrip()):
        return None if is_closing(text[spans[-1][0] :]) else cut
    if last in _lists()["unfinished"] and last != known[-1]:
        return cut
    wholes = {word for word in known if len(last) > 1 and word.startswith(last) and word.isalpha()}
    lexicon = Lexicon.load()
    if wholes and last not in wholes and last not in lexicon and any(w in lexicon for w in wholes):
        return cut
    if len(known) < _ENOUGH or not text[:1].isupper() or not _is_final(pair.original):
        return None
    others = [text[begin:end] for begin, end in spans[:-1]]
    has_marks = others and all(map(_is_final, others))
    return cut if len(text) < (_LONG if has_marks else _SHORT) * len(pair.original) else None


def _is_final(text: str) -> bool:
    """Whether a text ends as a sentence may: with a mark, a quotation, an address, ..."""
    return _FINAL.search(text.rstrip()[-_END:]) is not None


# Phrases


@cache
def _lists() -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    table = Path(__file__).with_name("outputs.tsv").read_text("utf-8")
    for line in table.splitlines():
        if not line.startswith("#"):
            kind, phrases = line.split("\t")
            lists.setdefault(kind, []).extend(phrases.split(", "))
    return lists


@cache
def _pattern(kind: str) -> str:
    """The phrases of a kind as one regular expression."""
    return "(?:" + "|".join(map(_phrase, _lists()[kind])) + ")"


def _phrase(phrase: str) -> str:
    pattern = ""
    for word in phrase.split():
        if word == "...":
            pattern += r"(?:\W*[\w'-]+){0,4}?" + _GAP
            continue
        choices = "|".join(
            _pattern(choice) if choice.isupper() else re.escape(choice)
            for choice in word.rstrip("?").split("|")
        )
        pattern += rf"(?:(?:{choices})(?![\w']){_GAP}){'?' if word.endswith('?') else ''}"
    return pattern


def _begin(word: str) -> set[str]:
    """The letters and digits, up to another character, that a word of a phrase can begin with."""
    begins: set[str] = set()
    for choice in word.rstrip("?").split("|"):
        if not choice.isupper():
            begins |= set(_RUN.findall(choice)[:1])
            continue
        for phrase in _lists()[choice]:
            for inner in phrase.split():
                begins |= _begin(inner)
                if not inner.endswith("?"):
                    break
    return begins


@cache
def _key_words(kind: str) -> frozenset[str]:
    """For each phrase of a kind, what its longest word that no match lacks can begin with.

    After "..." a match may begin within a word, so these words do not count.
    """
    keys: set[str] = set()
    for phrase in _lists()[kind]:
        sure = takewhile(lambda word: word != "...", phrase.split())
        begins = [_begin(word) for word in sure if not word.endswith("?")]
        keys |= max(begins, key=lambda runs: min(map(len, runs)))
    return frozenset(keys)


@cache
def _finder(kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{_pattern(kind)})(?![\w'])")


@cache
def _preface() -> re.Pattern[str]:
    """A label, an announcement up to its colon or end, or an opener that stands alone."""
    opener = _pattern("opener")
    label = rf"{_pattern('label')}[\s*_\"]*:"
    announced = rf"{_pattern('preface')}(?![\w'])[^:\n.!?]{{0,120}}(?:[:\n]|[.!](?=\s))"
    act = rf"(?P<act>[^:\n]{{0,100}}?(?<![\w']){_pattern('act')}(?![\w'])[^:\n]{{0,80}}[:\n])"
    alone = rf"(?P<opener>{opener}[!\n]\s*(?=\S))"
    return re.compile(
        rf"[^\w\n]*(?:(?:{opener}[\s,.!:—–-]+)*(?:{label}|{announced})|{act}|{alone})"
    )


@cache
def _remark() -> re.Pattern[str]:
    return re.compile(rf"[.!?:\n\"”)*]\s*[(*_]*(?P<remark>{_pattern('remark')}(?![\w']))")


def _plain(text: str) -> str:
    """In lower case and with straight apostrophes; offsets stay the same."""
    lower = text.lower() if text.isascii() else "".join(c.lower()[:1] or c for c in text)
    return lower.replace("’", "'")


def _short(text: str) -> str:
    """The text in quotes, cut, on one line."""
    words = " ".join(text.split())
    return repr(words if len(words) <= _SHOWN else words[: _SHOWN - 3] + "...")
