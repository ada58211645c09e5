"""Changes of one fact: a sentence that says something else in almost the same words.

Each change gives a new text, or None where the sentence has nothing to change. `WRONG` names
them, with what the changed text is to the original: contradicted, missing, added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tools import pair_tables as tables
from tools.pair_clause import linked, related, voiced
from tools.pair_phrase import Draw, Phrase, Range
from tools.pair_words import Words

from otherwords.study.training.changes import OPPOSITES

__all__ = ["WRONG", "Pool", "adjuncts", "change", "folded"]

Labels = tuple[float | None, float | None, float | None]  # contradicted, missing, added
CONTRADICTED: Labels = (1.0, 0.0, 0.0)
MISSING: Labels = (0.0, 1.0, 0.0)
ADDED: Labels = (0.0, 0.0, 1.0)
UNKNOWN: Labels = (None, None, None)

_FINITE = ("MD", "VBZ", "VBP", "VBD")
_BE = ("am", "is", "are", "was", "were", "'m", "'re")
_LETTERS = {"NN": "n", "NNS": "n", "JJ": "a", "JJR": "a", "JJS": "a", "RB": "r"} | dict.fromkeys(
    ("VB", "VBZ", "VBP", "VBD", "VBG", "VBN"), "v"
)


class Pool:
    """What other sentences of the same source lend: names, nouns, clauses, whole sentences."""

    def __init__(self, sentences: Sequence[Phrase], words: Words) -> None:
        self.words = words
        self.names = _distinct(p.part(*run) for p in sentences for run in p.names)
        self.clauses = _distinct(
            p.part(begin, end) for p in sentences for begin, end in _clauses(p) if end - begin < 14
        )
        self.adjuncts = _distinct(
            p.part(begin, end) for p in sentences for begin, end in adjuncts(p) if end - begin < 8
        )
        self.texts = [p.text for p in sentences]


def change(kind: str, phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """The text with one change of a kind of `WRONG`; None if it is not possible."""
    text = WRONG[kind][0](phrase, pool, draw)
    if text is None or folded(text) == folded(phrase.text) or not text.strip():
        return None
    return " ".join(text.split())


def _distinct(things: object) -> list[str]:
    return list(dict.fromkeys(things))  # type: ignore[call-overload]


def folded(text: str) -> str:
    """Without case and spaces."""
    return "".join(text.lower().split())


def _replaced(phrase: Phrase, table: dict[str, tuple[str, ...]], draw: Draw) -> str | None:
    places = [n for n, word in enumerate(phrase.low) if word in table]
    if not places:
        return None
    place = draw.pick(places)
    return phrase.put({place: draw.pick(table[phrase.low[place]])})


def _negated(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A negation put in, or taken out where there is one."""
    for n in draw.order(phrase.find("not", "n't", "never", "cannot", "nor")):
        word = phrase.low[n]
        if word == "cannot":
            return phrase.put({n: "can"})
        if word == "n't":
            base = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
            verb = base.get(phrase.low[n - 1], phrase.tokens[n - 1]) if n else ""
            return phrase.put({n - 1: verb, n: ""}) if n else None
        if word != "nor" or draw.chance(0.2):
            return phrase.cut(n, n + 1)
    if phrase.find("no") and draw.chance(0.5):
        return phrase.put({phrase.find("no")[0]: "a"})
    for n in draw.order(range(len(phrase))):
        word, tag = phrase.low[n], phrase.tags[n]
        if tag not in _FINITE:
            continue
        following = phrase.tags[n + 1] if n + 1 < len(phrase) else ""
        perfect = word in ("has", "have", "had") and following in ("VBN", "RB")
        if tag == "MD" or word in _BE or perfect or word in ("do", "does", "did"):
            if word.startswith("'"):
                return phrase.put({n: f"{phrase.tokens[n]} not"})
            clipped = {"will": "won't", "can": "can't", "shall": "shall not", "am": "am not",
                       "may": "may not", "might": "might not"}.get(word, f"{word}n't")  # fmt: skip
            ways = [f"{word} not", f"{word} not", clipped, f"{word} never"]
            ways += [f"{word} no longer"] if draw.chance(0.3) else []
            return phrase.put({n: draw.pick(ways)})
        if word.isalpha():
            support = {"VBZ": "does", "VBP": "do", "VBD": "did"}[tag]
            lemma = phrase.lemmas[n]
            ways = [f"{support} not {lemma}", f"{support}n't {lemma}", f"never {phrase.tokens[n]}"]
            return phrase.put({n: draw.pick([*ways, ways[0]])})
    return None


def _opposed(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """One word that is its opposite."""
    for n in draw.order(range(len(phrase))):
        word, letter = phrase.low[n], _LETTERS.get(phrase.tags[n])
        found = pool.words.opposites(phrase.lemmas[n], letter) if letter else []
        if found and word not in _BE and phrase.lemmas[n] not in ("have", "do", "be"):
            return phrase.put({n: pool.words.form(draw.pick(found), phrase.tags[n])})
        if word in OPPOSITES and phrase.tags[n] not in ("IN", "TO", "NNP"):
            return phrase.put({n: OPPOSITES[word]})
    return None


def _renumbered(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Another number."""
    for n in draw.order(range(len(phrase))):
        word = phrase.low[n]
        for names in (tables.NUMBERS, tables.LARGE):
            if word in names:
                return phrase.put({n: draw.pick([one for one in names if one != word])})
        digits = [i for i, c in enumerate(word) if c.isascii() and c.isdigit()]
        if digits:
            if word.isdigit() and len(word) < 3 and draw.chance(0.5):
                other = str(int(word) + draw.pick((1, 2, 3, 5, 10, 20)))
                return phrase.put({n: other})
            i = draw.pick(digits)
            other = draw.pick([d for d in "123456789" if d != word[i]])
            return phrase.put({n: phrase.tokens[n][:i] + other + phrase.tokens[n][i + 1 :]})
    return None


def _reclassed(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Another day, month, unit, colour, country, relative: a word of a small class."""
    classes = pool.words.classes
    places = [n for n, token in enumerate(phrase.tokens) if classes.get(token)]
    if not places:
        return None
    n = draw.pick(places)
    return phrase.put({n: draw.pick(classes[phrase.tokens[n]])})


def _renamed(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A name of another sentence."""
    if not phrase.names or len(pool.names) < 5:
        return None
    begin, end = draw.pick(phrase.names)
    own = set(phrase.low[begin:end])
    for _ in range(10):
        other = draw.pick(pool.names)
        if not own & set(other.lower().split()) and abs(len(other.split()) - (end - begin)) < 2:
            head, tail = (
                phrase.text[: phrase.spans[begin][0]],
                phrase.text[phrase.spans[end - 1][1] :],
            )
            return head + other + tail
    return None


def _sister(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """One noun or verb that is another of the same class."""
    for n in draw.order(range(len(phrase))):
        tag, lemma = phrase.tags[n], phrase.lemmas[n]
        letter = _LETTERS.get(tag)
        if letter not in ("n", "v") or lemma in ("be", "have", "do", "say") or n == 0:
            continue
        found = pool.words.sisters(lemma, letter)
        if found:
            return phrase.put({n: pool.words.form(draw.pick(found), tag)})
    return None


def _is_pronoun(phrase: Phrase, run: Range) -> bool:
    return phrase.tags[run[0]] == "PRP"


def _exchanged(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Who did what to whom: two noun phrases in each other's place."""
    runs = [run for run in phrase.noun_phrases if not _is_pronoun(phrase, run)]
    pairs = [
        (one, other)
        for i, one in enumerate(runs)
        for other in runs[i + 1 : i + 4]
        if any(tag.startswith("VB") or tag == "IN" for tag in phrase.tags[one[1] : other[0]])
        and folded(phrase.part(*one)) != folded(phrase.part(*other))
        and "and" not in phrase.low[one[1] : other[0]]
        and "be" not in phrase.lemmas[one[1] : other[0]]
    ]
    return phrase.swap(*draw.pick(pairs)) if pairs else None


def _words_exchanged(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Two words of one kind (adjectives, nouns, names, numbers) in each other's place."""
    pairs = [
        ((i, i + 1), (j, j + 1))
        for i, tag in enumerate(phrase.tags)
        for j in range(i + 2, len(phrase))
        if tag == phrase.tags[j]
        and tag in ("JJ", "NN", "NNS", "NNP", "CD", "VBD", "VBN", "VB", "RB")
        and phrase.low[i] != phrase.low[j]
        and phrase.low[i].isalnum()
        and "and" not in phrase.low[i:j]
        and "or" not in phrase.low[i:j]
    ]
    pairs = [pair for pair in pairs if phrase.tags[pair[0][0]] != "RB" or draw.chance(0.2)]
    return phrase.swap(*draw.pick(pairs)) if pairs else None


def _quantified(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Another quantity: all, some, none; or one where there was none."""
    text = _replaced(phrase, tables.QUANTIFIERS, draw)
    if text is not None:
        return text
    plural = [run for run in phrase.noun_phrases if phrase.tags[run[1] - 1] == "NNS"]
    plural = [run for run in plural if phrase.low[run[0]] in ("the", "these", "those")]
    if not plural or not draw.chance(0.7):
        return None
    begin, _ = draw.pick(plural)
    the = phrase.low[begin]
    return phrase.put({begin: draw.pick((f"some of {the}", f"none of {the}", f"few of {the}"))})


def _modality(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Fact, possibility and duty exchanged."""
    text = _replaced(phrase, tables.MODALS, draw)
    if text is not None:
        return text.replace("  ", " ")
    for n in draw.order(range(len(phrase))):
        tag, word, lemma = phrase.tags[n], phrase.low[n], phrase.lemmas[n]
        if tag == "VBD" and word.isalpha() and word not in ("had", "did"):
            done = pool.words.form(lemma, "VBN") if lemma != "be" else "been"
            return phrase.put({n: f"{draw.pick(tables.HEDGES)} have {done}"})
        if tag in ("VBZ", "VBP") and word.isalpha() and word not in ("has", "have", "do", "does"):
            return phrase.put({n: f"{draw.pick((*tables.HEDGES, 'must'))} {lemma}"})
    return None


def _compared(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A comparison in the other direction."""
    thans = phrase.find("than")
    if thans and draw.chance(0.5):
        before = [run for run in phrase.noun_phrases if run[1] <= thans[0]]
        after = [run for run in phrase.noun_phrases if run[0] > thans[0]]
        if (
            before
            and after
            and not (_is_pronoun(phrase, before[0]) or _is_pronoun(phrase, after[0]))
        ):
            return phrase.swap(before[0], after[0])
    places = phrase.find(*tables.COMPARED)
    if not places:
        return None
    n = draw.pick(places)
    return phrase.put({n: tables.COMPARED[phrase.low[n]]})


def _tense(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Past, present and future exchanged."""
    words = pool.words
    for n in draw.order(range(len(phrase))):
        tag, word, lemma = phrase.tags[n], phrase.low[n], phrase.lemmas[n]
        following = phrase.tags[n + 1] if n + 1 < len(phrase) else ""
        if word == "will" and following == "VB":
            past = words.form(phrase.lemmas[n + 1], "VBD") if phrase.low[n + 1] != "be" else "was"
            return phrase.put({n: past, n + 1: ""}).replace("  ", " ")
        if not word.isalpha() or tag not in ("VBD", "VBZ", "VBP"):
            continue
        if word in ("was", "were"):
            return phrase.put({n: draw.pick(("will be", "is" if word == "was" else "are"))})
        if word in ("is", "are"):
            return phrase.put({n: draw.pick(("will be", "was" if word == "is" else "were"))})
        if lemma in ("have", "do", "be"):
            continue
        if tag == "VBD":
            return phrase.put(
                {n: draw.pick((f"will {lemma}", f"will {lemma}", words.form(lemma, "VBZ")))}
            )
        return phrase.put({n: draw.pick((f"will {lemma}", words.form(lemma, "VBD")))})
    return None


def _unfinished(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Something refused, failed or nearly done instead of done."""
    places = [n for n, tag in enumerate(phrase.tags) if tag == "VBD" and phrase.lemmas[n] != "be"]
    places = [n for n in places if phrase.low[n].isalpha() and phrase.low[n] not in ("had", "did")]
    if not places:
        return None
    n = draw.pick(places)
    how = draw.pick(tables.CATENATIVES)
    return phrase.put({n: f"{how} {phrase.lemmas[n] if how.endswith('to') else phrase.tokens[n]}"})


def _question(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A question instead of a statement."""
    if "?" in phrase.text or phrase.end < 3:
        return None
    for n, tag in enumerate(phrase.tags[:12]):
        if n and (tag == "MD" or (tag in ("VBZ", "VBP", "VBD") and phrase.low[n] in _BE)):
            if draw.chance(0.5):
                body = phrase.lowered(0) + phrase.text[phrase.spans[0][1] : phrase.spans[n][0]]
                tail = phrase.text[phrase.spans[n][1] : phrase.spans[phrase.end - 1][1]]
                return phrase.upper(f"{phrase.low[n]} {body.strip()}{tail}?")
            break
    return f"{phrase.part(0, phrase.end)}?"


def _pronoun(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Another person."""
    return _replaced(phrase, tables.PRONOUNS, draw)


def adjuncts(phrase: Phrase) -> list[Range]:
    """Prepositional phrases: a preposition and the noun phrase after it."""
    ends = dict(phrase.noun_phrases)
    return [
        (n, ends[n + 1])
        for n, tag in enumerate(phrase.tags)
        if tag == "IN" and n + 1 in ends and phrase.low[n] not in ("that", "than", "of", "if")
    ]


def _clauses(phrase: Phrase) -> list[Range]:
    """From a conjunction or a comma with a relative word to the end of the sentence or comma."""
    found = []
    for n in range(3, phrase.end - 2):
        if phrase.low[n] in tables.JOINING and (
            phrase.low[n - 1] == "," or phrase.low[n] not in ("and", "for", "so")
        ):
            verbs = [i for i in range(n + 1, phrase.end) if phrase.tags[i] in _FINITE]
            if verbs:
                found.append((n, phrase.end))
    return found


def _removed(*tags: str, whole: bool = False) -> Callable[[Phrase, Pool, Draw], str | None]:
    """Leaves out one word with such a tag, or the run of words that have it."""

    def remove(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
        places = [
            n
            for n, tag in enumerate(phrase.tags)
            if tag in tags and phrase.low[n].isalpha() and phrase.low[n] not in ("not", "very")
        ]
        if not places or len(phrase) < 4:
            return None
        begin = draw.pick(places)
        end = begin + 1
        while whole and end < len(phrase) and phrase.tags[end] in tags:
            end += 1
        return phrase.cut(begin, end)

    return remove


def _no_subject(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    runs = [
        run
        for run in phrase.noun_phrases
        if run[1] < len(phrase) and phrase.tags[run[1]] in _FINITE
    ]
    return phrase.cut(*draw.pick(runs)) if runs else None


def _no_adjunct(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    runs = adjuncts(phrase)
    return phrase.cut(*draw.pick(runs)) if runs else None


def _no_clause(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    runs = [run for run in _clauses(phrase) if run[0] > 3]
    if not runs:
        return None
    begin, end = draw.pick(runs)
    begin -= phrase.low[begin - 1] == ","
    return phrase.cut(begin, end)


def _no_conjunct(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A and B without one of the two."""
    ends, starts = {e: b for b, e in phrase.noun_phrases}, dict(phrase.noun_phrases)
    pairs = [
        (ends[n], n, starts[n + 1]) for n in phrase.find("and") if n in ends and n + 1 in starts
    ]
    if not pairs:
        return None
    begin, place, end = draw.pick(pairs)
    return phrase.cut(begin, place + 1) if draw.chance(0.5) else phrase.cut(place, end)


def _more_adjunct(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A phrase of time, place, manner or cause that nobody mentioned."""
    borrowed = pool.adjuncts and draw.chance(0.6)
    words = draw.pick(pool.adjuncts) if borrowed else draw.pick(tables.SPANS)
    if phrase.end < 2 or set(words.lower().split()) <= set(phrase.low):
        return None
    if draw.chance(0.25):
        return (
            phrase.upper(f"{words[:1].lower()}{words[1:]}, {phrase.lowered(0)}")
            + phrase.text[phrase.spans[0][1] :]
        )
    place = phrase.end
    breaks = [n for n in phrase.find(",") if n > 2]
    if breaks and draw.chance(0.4):
        place = draw.pick(breaks)
    head = phrase.part(0, place)
    return f"{head} {words}{phrase.text[phrase.spans[place - 1][1] :]}"


def _more_clause(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """A clause that nobody wrote: a borrowed or a general one."""
    borrowed = pool.clauses and draw.chance(0.7)
    words = draw.pick(pool.clauses) if borrowed else draw.pick(tables.CLAUSES)
    if phrase.end < 2 or words.lower() in phrase.text.lower():
        return None
    comma = "" if draw.chance(0.2) else ","
    tail = phrase.text[phrase.spans[phrase.end - 1][1] :]
    return f"{phrase.part(0, phrase.end)}{comma} {words}{tail}"


def _more_word(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """One adjective or adverb more."""
    nouns = [
        n
        for n, tag in enumerate(phrase.tags)
        if tag in ("NN", "NNS") and n and phrase.tags[n - 1] in ("DT", "PRP$", "IN", "CD")
    ]
    verbs = [
        n for n, tag in enumerate(phrase.tags) if tag == "VBD" and n and phrase.lemmas[n] != "be"
    ]
    if nouns and (not verbs or draw.chance(0.6)):
        n = draw.pick(nouns)
        return phrase.put({n: f"{draw.pick(tables.ADJECTIVES)} {phrase.tokens[n]}"})
    if verbs:
        n = draw.pick(verbs)
        return phrase.put({n: f"{draw.pick(tables.ADVERBS)} {phrase.tokens[n]}"})
    return None


def _shuffled(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """All words in another order."""
    inner = [n for n in range(phrase.end) if phrase.tokens[n][:1].isalnum()]
    if len(inner) < 5:
        return None
    tail = phrase.text[phrase.spans[phrase.end - 1][1] :]
    return phrase.upper(" ".join(phrase.tokens[n] for n in draw.order(range(phrase.end)))) + tail


def _other(phrase: Phrase, pool: Pool, draw: Draw) -> str | None:
    """Another sentence of the same source."""
    return draw.pick(pool.texts)


Change = Callable[[Phrase, Pool, Draw], "str | None"]
WRONG: dict[str, tuple[Change, Labels]] = {
    "negation": (_negated, CONTRADICTED),
    "antonym": (_opposed, CONTRADICTED),
    "number": (_renumbered, CONTRADICTED),
    "class": (_reclassed, CONTRADICTED),
    "name": (_renamed, CONTRADICTED),
    "sister": (_sister, CONTRADICTED),
    "roles": (_exchanged, CONTRADICTED),
    "exchange": (_words_exchanged, CONTRADICTED),
    "quantifier": (_quantified, CONTRADICTED),
    "modality": (_modality, CONTRADICTED),
    "relation": (lambda phrase, pool, draw: related(phrase, draw), CONTRADICTED),
    "link": (lambda phrase, pool, draw: linked(phrase, pool.words, draw), CONTRADICTED),
    "voice": (lambda phrase, pool, draw: voiced(phrase, pool.words, draw), CONTRADICTED),
    "comparison": (_compared, CONTRADICTED),
    "tense": (_tense, CONTRADICTED),
    "unfinished": (_unfinished, CONTRADICTED),
    "pronoun": (_pronoun, CONTRADICTED),
    "question": (_question, UNKNOWN),
    "no-modifier": (_removed("JJ", "RB", "JJR", "JJS", "CD"), MISSING),
    "no-noun": (_removed("NN", "NNS"), MISSING),
    "no-verb": (_removed("VB", "VBD", "VBZ", "VBP", "VBN", "VBG"), MISSING),
    "no-name": (_removed("NNP", "NNPS", whole=True), MISSING),
    "no-subject": (_no_subject, MISSING),
    "no-adjunct": (_no_adjunct, MISSING),
    "no-clause": (_no_clause, MISSING),
    "no-conjunct": (_no_conjunct, MISSING),
    "more-adjunct": (_more_adjunct, ADDED),
    "more-clause": (_more_clause, ADDED),
    "more-word": (_more_word, ADDED),
    "shuffle": (_shuffled, UNKNOWN),
    "other": (_other, (None, 1.0, 1.0)),
}
