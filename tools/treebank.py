"""Tagged sentences, and the ways in which the text to be tagged may differ from them.

The treebanks split words at hyphens and keep quotes and brackets as they are; Penn-style
tokenisers do neither. Machine translation comes in lower case and headlines in capitals.
Copies of sentences in those styles teach the tagger not to depend on the treebanks' own.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Tagged", "penn_style", "read_treebank", "with_other_styles"]

_BRACKETS = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}
_QUOTE_TAGS = ("``", "''")
_BEFORE_A_NOUN = ("amod", "compound", "nummod")
_MADE_ADJECTIVE = {"NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBP", "IN", "RB", "RP"}
_MADE_NOUN = {"VB", "VBG", "VBP", "VBZ", "IN", "RB", "RP"}


@dataclass(frozen=True)
class Tagged:
    """A sentence with its tags and dependencies (heads from 1, 0 for the root)."""

    forms: list[str]
    tags: list[str]
    heads: list[int]
    relations: list[str]

    def in_case(self, change: Callable[[str], str]) -> Tagged:
        """The same with changed forms."""
        return Tagged([change(form) for form in self.forms], self.tags, self.heads, self.relations)


def read_treebank(path: Path) -> list[Tagged]:
    """The sentences of a gzipped file of form, lemma, tag, head, relation."""
    sentences = []
    rows: list[list[str]] = []
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in [*file, "\n"]:
            if line != "\n":
                rows.append(line.rstrip("\n").split("\t"))
            elif rows:
                forms, _, tags, heads, relations = (
                    list(column) for column in zip(*rows, strict=True)
                )
                sentences.append(Tagged(forms, tags, [int(head) for head in heads], relations))
                rows = []
    return sentences


def with_other_styles(
    sentences: list[Tagged], every_lower: int, every_upper: int
) -> Iterator[Tagged]:
    """The sentences, Penn-style copies where those differ, and some copies in one case."""
    for i, sentence in enumerate(sentences):
        yield sentence
        penn = penn_style(sentence)
        if penn.forms != sentence.forms:
            yield penn
        if every_lower and i % every_lower == 0:
            yield penn.in_case(str.lower)
        if every_upper and i % every_upper == every_upper // 2:
            yield penn.in_case(str.upper)


def penn_style(sentence: Tagged) -> Tagged:
    """The sentence as a Penn tokeniser gives it: hyphenated words whole, brackets and quotes coded.

    >>> s = Tagged(["a", "well", "-", "known", "(", "man"],
    ...            ["DT", "RB", "HYPH", "VBN", "-LRB-", "NN"],
    ...            [6, 4, 2, 6, 6, 0],
    ...            ["det", "advmod", "punct", "amod", "punct", "root"])
    >>> penn = penn_style(s)
    >>> list(zip(penn.forms, penn.tags))
    [('a', 'DT'), ('well-known', 'JJ'), ('-LRB-', '-LRB-'), ('man', 'NN')]
    """
    forms, tags = [], []
    for begin, end in _units(sentence.tags):
        forms.append(
            "".join(
                _penn_form(f, t)
                for f, t in zip(sentence.forms[begin:end], sentence.tags[begin:end], strict=True)
            )
        )
        tags.append(_unit_tag(sentence, begin, end))
    return Tagged(forms, tags, [], [])


def _penn_form(form: str, tag: str) -> str:
    if form == '"' and tag in _QUOTE_TAGS:
        return tag
    return _BRACKETS.get(form, form)


def _units(tags: list[str]) -> Iterator[tuple[int, int]]:
    """Spans of words, those joined by hyphens in one."""
    begin = 0
    while begin < len(tags):
        end = begin + 1
        while end + 1 < len(tags) and tags[end] == "HYPH" and tags[begin] != "HYPH":
            end += 2
        yield begin, end
        begin = end


def _unit_tag(sentence: Tagged, begin: int, end: int) -> str:
    """The tag that the Penn Treebank would give a hyphenated word, as a rule."""
    first, last = sentence.tags[begin], sentence.tags[end - 1]
    if end - begin == 1 or first == "AFX":
        return last
    if last in _MADE_ADJECTIVE and _before_a_noun(sentence, begin, end):
        return "JJ"
    if last in {"VBN", "VBD"}:
        return "JJ"
    return "NN" if last in _MADE_NOUN else last


def _before_a_noun(sentence: Tagged, begin: int, end: int) -> bool:
    return any(
        sentence.heads[i] > end and sentence.relations[i].startswith(_BEFORE_A_NOUN)
        for i in range(begin, end)
    )
