"""A tagged sentence that edits are made on: replace, leave out, exchange and move its tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from otherwords.stats.resampling import Stream
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, tokenize
from otherwords.text.tagger import Tagger

__all__ = ["Draw", "Phrase", "phrases"]

T = TypeVar("T")
Range = tuple[int, int]
NOUNS = ("NN", "NNS", "NNP", "NNPS")
_INSIDE = ("DT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", *NOUNS)
_ENDS = (".", "!", "?", '"', "”", "''", "'", ")")


class Draw:
    """Random choices from a stream."""

    def __init__(self, seed: int, *key: int) -> None:
        self.stream = Stream(seed, *key)

    def pick(self, things: Sequence[T]) -> T:
        """One of the things."""
        (drawn,) = self.stream.below([len(things)])
        return things[drawn]

    def chance(self, share: float) -> bool:
        """True as often as the share says."""
        (drawn,) = self.stream.below([1_000_000])
        return drawn < share * 1_000_000

    def order(self, things: Iterable[T]) -> list[T]:
        """The things in random order."""
        return self.stream.shuffled(list(things))


class Phrase:
    """Tokens of a text with their tags; every edit gives a new text."""

    def __init__(self, sentence: Sentence, tags: Sequence[str]) -> None:
        self.text = sentence.text
        self.tokens = sentence.tokens
        self.spans = sentence.spans
        self.tags = tuple(tags)
        self.low = [token.lower().replace("’", "'") for token in sentence.tokens]

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def lemmas(self) -> list[str]:
        """Base forms."""
        return Lexicon.load().lemmatize(list(self.tokens), list(self.tags))

    @cached_property
    def end(self) -> int:
        """The place after the last token that is no closing sign."""
        end = len(self)
        while end > 0 and self.tokens[end - 1] in _ENDS:
            end -= 1
        return end

    def part(self, begin: int, end: int) -> str:
        """The text of tokens."""
        return self.text[self.spans[begin][0] : self.spans[end - 1][1]] if begin < end else ""

    def find(self, *words: str) -> list[int]:
        """Places of these words, given in lower case."""
        return [n for n, token in enumerate(self.low) if token in words]

    def put(self, words: dict[int, str]) -> str:
        """The text with some tokens replaced; a capital at the start is kept."""
        text, last = "", 0
        for place, word in sorted(words.items()):
            begin, end = self.spans[place]
            if self.text[begin : begin + 1].isupper() and self.tokens[place] != "I":
                word = word[:1].upper() + word[1:]
            text += self.text[last:begin] + word
            last = end
        return text + self.text[last:]

    def insert(self, place: int, words: str) -> str:
        """The text with words before a token, or at the end."""
        if place >= len(self):
            return f"{self.text} {words}"
        begin = self.spans[place][0]
        head, tail = self.text[:begin], self.text[begin:]
        if place == 0:
            return self.upper(f"{words} {self.lowered(0)}{self.text[self.spans[0][1] :]}")
        return f"{head.rstrip()} {words} {tail}" if tail[:1].isalnum() else f"{head} {words}{tail}"

    def cut(self, begin: int, end: int) -> str:
        """The text without some tokens, tidied up."""
        head = self.text[: self.spans[begin][0]].rstrip()
        tail = self.text[self.spans[end - 1][1] :].lstrip()
        if begin == 0:
            return self.upper(tail.lstrip(" ,;:"))
        if head.endswith(",") and tail[:1] in (",", ".", ";", "!", "?"):
            head = head[:-1]
        glue = "" if not tail or tail[0] in ".,;:!?)" or tail.startswith(("'", "’")) else " "
        return head + glue + tail

    def swap(self, one: Range, other: Range) -> str:
        """Two runs of tokens, the first before the second, each in the other's place."""
        (a, b), (c, d) = sorted((one, other))
        first = self.lowered(a) + self.text[self.spans[a][1] : self.spans[b - 1][1]]
        second = self.part(c, d)
        middle = self.text[self.spans[b - 1][1] : self.spans[c][0]]
        head, tail = self.text[: self.spans[a][0]], self.text[self.spans[d - 1][1] :]
        text = head + second + middle + (first if a == 0 else self.part(a, b)) + tail
        return self.upper(text) if a == 0 else text

    def lowered(self, place: int) -> str:
        """A token without the capital that only the start of a sentence gives it."""
        token = self.tokens[place]
        if self.tags[place] in ("NNP", "NNPS") or token in ("I", "God", "Lord") or place > 0:
            return token
        return token if token[1:].isupper() else token[:1].lower() + token[1:]

    def upper(self, text: str) -> str:
        """With a capital at the start if this text has one."""
        return text[:1].upper() + text[1:] if self.text[:1].isupper() else text

    @cached_property
    def noun_phrases(self) -> list[Range]:
        """Runs of determiners, adjectives and nouns that end in a noun, and pronouns."""
        found: list[Range] = []
        begin = 0
        while begin < len(self):
            tag = self.tags[begin]
            if tag == "PRP":
                found.append((begin, begin + 1))
            if tag not in _INSIDE or not self.tokens[begin][:1].isalnum():
                begin += 1
                continue
            end = begin + 1
            while end < len(self) and self.tags[end] in _INSIDE:
                if self.tags[end] in ("DT", "PRP$"):
                    break
                end += 1
            last = end
            while last > begin and self.tags[last - 1] not in NOUNS:
                last -= 1
            if last > begin:
                found.append((begin, last))
            begin = end
        return found

    @cached_property
    def names(self) -> list[Range]:
        """Runs of proper names, written with a capital."""
        runs: list[Range] = []
        for n, (token, tag) in enumerate(zip(self.tokens, self.tags, strict=True)):
            if tag in ("NNP", "NNPS") and token[:1].isupper() and token.isalpha():
                if runs and runs[-1][1] == n:
                    runs[-1] = (runs[-1][0], n + 1)
                else:
                    runs.append((n, n + 1))
        return runs


def phrases(texts: Sequence[str]) -> list[Phrase]:
    """Texts, tokenised and tagged."""
    sentences = [tokenize(text) for text in texts]
    tags = Tagger.load().tag([list(sentence.tokens) for sentence in sentences], threads=2)
    return [Phrase(*pair) for pair in zip(sentences, tags, strict=True)]
