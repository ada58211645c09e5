"""Damaged sentences, to train fluency on: words dropped, doubled, moved, inflected and exchanged,
keyword lists, salads, and the random walks of a search attack.

A kind is a function of the words of a sentence and a source of random numbers. It returns the
damaged words, or None if there is nothing to damage. `bench.gaming` judges by its own edits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

Words = list[str]
Damage = Callable[[Words, Random, Sequence[str]], "Words | None"]

ARTICLES = ("a", "an", "the")
PREPOSITIONS = (
    "of in to for on with at by from about into over under after before between through during "
    "against without within across behind near among towards upon off"
).split()
PRONOUNS = dict(
    zip(
        "i me he him she her we us they them my mine your yours who whom".split(),
        "me i him he her she us we them they mine my yours your whom who".split(),
        strict=True,
    )
)
FORMS = {
    **dict(zip("is are was were am has have does do".split(),
               "are is were was is have has do does".split(), strict=True)),
    **dict(zip("be been being had did this these that those much many".split(),
               "is be be have does these this those that many much".split(), strict=True)),
}  # fmt: skip
SHORT = set(
    "the a an of in to for on with at by from and or but is are was were be been it he she they we "
    "you i that this not as his her their its have has had do does did so if than".split()
)


def inflect(word: str, random: Random) -> str:
    """Another form of a word, often a wrong one."""
    if word in FORMS:
        return FORMS[word]
    if word.endswith("ing"):
        return word[:-3] + random.choice(("", "ed", "s"))
    if word.endswith("ed"):
        return word[:-2] + random.choice(("", "ing", "s"))
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    if word.endswith("ly"):
        return word[:-2]
    return word + random.choice(("s", "ing", "ed", "ly"))


def _places(words: Words, wanted: Callable[[str], bool]) -> list[int]:
    return [place for place, word in enumerate(words) if wanted(word.lower())]


def _is_content(word: str) -> bool:
    return word.isalpha() and word not in SHORT and len(word) > 2


def _exchange(wanted: Callable[[str], bool], by: Callable[[str, Random], str]) -> Damage:
    """Make a damage that exchanges one of the wanted words."""

    def exchange(words: Words, random: Random, _: Sequence[str]) -> Words | None:
        places = _places(words, wanted)
        if not places:
            return None
        place = random.choice(places)
        return [*words[:place], *by(words[place].lower(), random).split(), *words[place + 1 :]]

    return exchange


def _move(words: Words, random: Random, _: Sequence[str]) -> Words | None:
    if len(words) < 4:
        return None
    place = random.randrange(len(words) - 1)
    moved = [*words[:place], *words[place + 1 :]]
    moved.insert(random.randrange(len(moved)), words[place])
    return moved


def _swap(words: Words, random: Random, _: Sequence[str]) -> Words | None:
    if len(words) < 4:
        return None
    place = random.randrange(len(words) - 2)
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def _shuffle(words: Words, random: Random, _: Sequence[str]) -> Words:
    return random.sample(words, len(words))


def _shuffle_near(words: Words, random: Random, _: Sequence[str]) -> Words:
    keys = [place + random.uniform(0, 3) for place in range(len(words))]
    return [word for _, word in sorted(zip(keys, words, strict=True))]


def _repeat(words: Words, random: Random, _: Sequence[str]) -> Words:
    place, size = random.randrange(len(words)), random.choice((1, 1, 2, 3))
    run = words[place : place + size]
    times = random.choice((1, 1, 1, 2, 4))
    return [*words[: place + size], *run * times, *words[place + size :]]


def _list(words: Words, random: Random, _: Sequence[str]) -> Words | None:
    keys = [word for word in words if _is_content(word.lower())]
    if len(keys) < 3:
        return None
    if random.random() < 0.5:
        random.shuffle(keys)
    if random.random() < 0.5:
        return keys
    return [part for word in keys for part in (word, ",")][:-1]


def _cut(words: Words, random: Random, _: Sequence[str]) -> Words | None:
    if len(words) < 6:
        return None
    return words[: random.randrange(len(words) // 3, len(words) * 3 // 4 + 1)]


def _insert(words: Words, random: Random, others: Sequence[str]) -> Words:
    place = random.randrange(len(words))
    return [*words[:place], random.choice(others), *words[place:]]


def _replace(words: Words, random: Random, others: Sequence[str]) -> Words:
    place = random.randrange(len(words))
    return [*words[:place], random.choice(others), *words[place + 1 :]]


def _join(words: Words, random: Random, others: Sequence[str]) -> Words:
    """Splice a run of other words, which stood together, into the sentence."""
    begin, size = random.randrange(max(1, len(others) - 8)), random.randrange(2, 8)
    place = random.randrange(1, len(words) + 1)
    kept = words[:place] if random.random() < 0.5 else words
    return [*kept[:place], *others[begin : begin + size], *kept[place:]]


def _salad(words: Words, random: Random, others: Sequence[str]) -> Words:
    return [random.choice(others) if random.random() < 0.5 else word for word in words]


def _walk(words: Words, random: Random, others: Sequence[str]) -> Words:
    """Some random edits one after the other."""
    edits = (_insert, _replace, _swap, _repeat, _drop_any, _move)
    for _ in range(random.choice((2, 3, 5, 8, 12))):
        words = random.choice(edits)(words, random, others) or words
    return words


def _drop_any(words: Words, random: Random, _: Sequence[str]) -> Words | None:
    if len(words) < 4:
        return None
    place = random.randrange(len(words))
    return [*words[:place], *words[place + 1 :]]


def _misspell(word: str, random: Random) -> str:
    place = random.randrange(1, len(word) - 1)
    way = random.randrange(3)
    if way == 0:
        return word[:place] + word[place + 1 :]
    if way == 1:
        return word[:place] + word[place] + word[place:]
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


DAMAGES: dict[str, Damage] = {
    "drop content": _exchange(_is_content, lambda word, random: ""),
    "drop function": _exchange(lambda word: word in SHORT, lambda word, random: ""),
    "move": _move,
    "swap": _swap,
    "shuffle": _shuffle,
    "shuffle near": _shuffle_near,
    "repeat": _repeat,
    "inflect": _exchange(lambda w: w.isalpha() and (len(w) > 3 or w in FORMS), inflect),
    "article": _exchange(
        lambda word: word in ARTICLES,
        lambda word, random: random.choice([a for a in (*ARTICLES[:2], "") if a != word]),
    ),
    "add article": lambda words, random, _: _insert(words, random, ARTICLES),
    "preposition": _exchange(
        lambda word: word in PREPOSITIONS,
        lambda word, random: random.choice([p for p in PREPOSITIONS if p != word]),
    ),
    "pronoun": _exchange(lambda word: word in PRONOUNS, lambda word, random: PRONOUNS[word]),
    "insert": _insert,
    "replace": _replace,
    "list": _list,
    "cut": _cut,
    "splice": _join,
    "salad": _salad,
    "walk": _walk,
    "misspell": _exchange(lambda word: len(word) > 4 and word.isalpha(), _misspell),
}


def damaged(words: Words, kind: str, random: Random, others: Sequence[str]) -> Words | None:
    """Damage a sentence in one way of `DAMAGES`; None if nothing changes. `others` are words of
    other sentences, in their order.

    >>> damaged("give me a hand".split(), "article", Random(0), ["red"])
    ['give', 'me', 'hand']
    """
    made = DAMAGES[kind](words, random, others)
    if not made or [w.lower() for w in made] == [w.lower() for w in words]:
        return None
    return made
