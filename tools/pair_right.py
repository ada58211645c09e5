"""Harmless edits: a sentence that says the same in slightly other words.

`RIGHT` names them. Several mirror a change of `tools.pair_wrong` that is not harmless: the parts
of "A and B" may change places, those of "A hit B" may not; "not possible" is "impossible".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tools.pair_phrase import Draw, Phrase, phrases
from tools.pair_tables import COMPARED
from tools.pair_words import Words
from tools.pair_wrong import adjuncts, folded

__all__ = ["RIGHT", "edit"]

_SHORT = (
    ("do not", "don't"), ("does not", "doesn't"), ("did not", "didn't"), ("is not", "isn't"),
    ("are not", "aren't"), ("was not", "wasn't"), ("were not", "weren't"), ("will not", "won't"),
    ("cannot", "can't"), ("can not", "can't"), ("could not", "couldn't"), ("has not", "hasn't"),
    ("would not", "wouldn't"), ("should not", "shouldn't"), ("have not", "haven't"),
    ("had not", "hadn't"), ("must not", "mustn't"), ("it is", "it's"), ("that is", "that's"),
    ("he is", "he's"), ("she is", "she's"), ("there is", "there's"), ("i am", "I'm"),
    ("you are", "you're"), ("we are", "we're"), ("they are", "they're"), ("i will", "I'll"),
    ("you will", "you'll"), ("he will", "he'll"), ("we will", "we'll"), ("they will", "they'll"),
    ("i have", "I've"), ("we have", "we've"), ("you have", "you've"), ("they have", "they've"),
    ("what is", "what's"), ("let us", "let's"), ("i would", "I'd"), ("who is", "who's"),
)  # fmt: skip
# Either side may stand for the other.
_PHRASES = """
in order to = so as to|a lot of = many|a number of = several|because = since|because = as
because of = due to|due to = owing to|however = nevertheless|but = yet
such as = for example|begin = start|began = started|begins = starts|beginning = starting
buy = purchase|bought = purchased|help = assist|helped = assisted|show = demonstrate
showed = demonstrated|shows = demonstrates|use = utilize|used = utilized
obtained = acquired|big = large|bigger = larger|fast = quick|quickly = rapidly|nearly = almost
about = approximately|maybe = perhaps|enough = sufficient|often = frequently
sometimes = at times|usually = as a rule|always = at all times|never = at no time
must = have to|could = was able to
should = ought to|said = stated
said = remarked|says = states|told = informed|asked = inquired|answered = replied
children = kids|child = kid|mother = mom|father = dad|man = guy|woman = lady|people = persons
car = automobile|sofa = couch|movie = film|store = shop|house = home|street = road
everyone = everybody|nobody = no one|someone = somebody
anyone = anybody|no = not any|none = not one|only = solely|only = just|more than = over
less than = under|at least = no fewer than|at most = no more than|fewer than = under
until = till|while = whereas|although = though|although = even though|if = provided that
unless = if not|before = prior to|after = following|during = in the course of
again = once more|together = jointly|immediately = at once|immediately = right away
suddenly = all of a sudden|finally = at last|finally = in the end|soon = shortly|now = at present
today = this day|important = significant|difficult = hard|easy = simple|correct = right
happy = glad|sad = unhappy|angry = mad|afraid = scared|ill = sick|rich = wealthy|poor = needy
small = little|strange = odd|beautiful = lovely|ugly = unattractive|near = close to
far from = a long way from|under = beneath|above = over|behind = in back of|inside = within
toward = towards|upon = on|among = amongst|need = require|needs = requires|needed = required
want = wish|wanted = wished|end = finish|ended = finished
choose = select|chose = selected|allow = permit|allowed = permitted|allows = permits
forbid = prohibit|forbidden = prohibited|try = attempt|tried = attempted|happen = occur
happened = occurred|die = pass away|died = passed away|kill = slay|killed = slain
speak = talk|spoke = talked|look at = gaze at|go up = ascend|came down = descended
give back = return|gave back = returned|put out = extinguished|set up = established
carry out = perform|carried out = performed|find out = discover|found out = discovered
take part in = participate in|think about = consider|did not succeed = failed
refuse = decline|refused = declined|agree = consent|agreed = consented|reject = turn down
rejected = turned down|cancel = call off|cancelled = called off|postponed = put off
increase = rise|increased = rose|decrease = drop|decreased = dropped|grew = increased
percent = per cent|% = percent|kilometers = km|the united states = the US|okay = OK
television = TV|telephone = phone|photograph = photo|mr. = mister|for example = for instance
in addition = besides|as well = too|instead of = rather than|in front of = before
not possible = impossible|not able = unable|not happy = unhappy|not legal = illegal
not known = unknown|not clear = unclear|not likely = unlikely|not necessary = unnecessary
not certain = uncertain|not correct = incorrect|not fair = unfair|not important = unimportant
not allowed = forbidden|not alive = dead|not the same = different|not far from = near
failed to = did not manage to|refused to = was not willing to|remember = do not forget
"""
_NUMBERS = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve".split(),
        map(str, range(2, 13)),
        strict=True,
    )
) | {"twenty": "20", "thirty": "30", "fifty": "50", "hundred": "100"}
_MONTHS = {
    "January": "Jan.", "February": "Feb.", "August": "Aug.", "September": "Sept.",
    "October": "Oct.", "November": "Nov.", "December": "Dec.", "Monday": "Mon.",
    "Tuesday": "Tues.", "Wednesday": "Wed.", "Thursday": "Thurs.", "Friday": "Fri.",
}  # fmt: skip
_OPENERS = (
    "indeed,", "in fact,", "well,", "actually,", "as a matter of fact,", "it is true that",
    "it is a fact that", "the fact is that",
)  # fmt: skip
_SUBORDINATORS = (
    "when",
    "if",
    "because",
    "although",
    "while",
    "after",
    "before",
    "since",
    "unless",
)
_LETTERS = {"NN": "n", "NNS": "n", "JJ": "a", "RB": "r", "VB": "v", "VBD": "v", "VBZ": "v",
            "VBP": "v", "VBN": "v", "VBG": "v"}  # fmt: skip


def _table() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in _PHRASES.strip().replace("\n", "|").split("|"):
        one, other = pair.split(" = ")
        found.setdefault(one, []).append(other)
        if other not in ("no", "before", "over", "under", "home", "as", "since", "following"):
            found.setdefault(other.lower(), []).append(one)
    return found


_EQUAL = _table()
_KNOWN = re.compile(
    r"(?<![\w'’-])("
    + "|".join(map(re.escape, sorted(_EQUAL, key=len, reverse=True)))
    + r")(?![\w'’-])",
    re.IGNORECASE,
)


def edit(kind: str, phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """The text with a harmless edit of a kind of `RIGHT`; None if it is not possible."""
    text = RIGHT[kind](phrase, words, draw)
    if text is None or text == phrase.text or not text.strip():
        return None
    return " ".join(text.split())


def _like(word: str, old: str) -> str:
    return word[:1].upper() + word[1:] if old[:1].isupper() else word


def _contracted(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """Do not and don't."""
    lower = phrase.text.lower().replace("’", "'")
    for long, short in draw.order(_SHORT):
        for old, new in ((long, short), (short, long)):
            found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", lower)
            if found and (found.end() + 1 < len(lower) or old.endswith("t")):
                begin, end = found.span()
                return phrase.text[:begin] + _like(new, phrase.text[begin:]) + phrase.text[end:]
    return None


def _rephrased(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """A phrase of the table above for its equal."""
    found = list(_KNOWN.finditer(phrase.text))
    if not found:
        return None
    one = draw.pick(found)
    new = draw.pick(_EQUAL[one.group().lower()])
    return phrase.text[: one.start()] + _like(new, one.group()) + phrase.text[one.end() :]


def _synonym(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """A WordNet synonym for one word."""
    for n in draw.order(range(len(phrase))):
        letter = _LETTERS.get(phrase.tags[n])
        found = words.synonyms(phrase.lemmas[n], letter) if letter else []
        if found and phrase.low[n].isalpha() and phrase.low[n] not in ("one", "ones", "us"):
            new = words.form(draw.pick(found), phrase.tags[n])
            before = phrase.low[n - 1] if n else ""
            if before in ("a", "an"):
                article = "an" if new[0] in "aeiou" else "a"
                return phrase.put({n - 1: article, n: new})
            return phrase.put({n: new})
    return None


def _fronted(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """A phrase of time or place from the end to the start, or back."""
    runs = adjuncts(phrase)
    if runs and runs[0][0] == 0 and phrase.low[runs[0][1] : runs[0][1] + 1] == [","]:
        first = (
            phrase.lowered(0) + phrase.text[phrase.spans[0][1] : phrase.spans[runs[0][1] - 1][1]]
        )
        body = phrase.part(runs[0][1] + 1, phrase.end)
        if "," in body:
            return None
        return f"{phrase.upper(body)} {first}{phrase.text[phrase.spans[phrase.end - 1][1] :]}"
    last = [run for run in runs if run[1] == phrase.end and run[0] > 2]
    if not last or phrase.low[last[0][0]] not in (
        "in", "on", "at", "during", "after", "before", "since", "until", "by", "with", "without"
    ):  # fmt: skip
        return None
    (begin, end) = last[0]
    if phrase.tags[0] in ("WP", "WRB", "VB", "MD") or "?" in phrase.text:
        return None
    body = phrase.lowered(0) + phrase.text[phrase.spans[0][1] : phrase.spans[begin][0]].rstrip()
    tail = phrase.text[phrase.spans[end - 1][1] :]
    return phrase.upper(f"{phrase.part(begin, end)}, {body}{tail}")


def _conjuncts(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """B and A for A and B."""
    ends, starts = {e: b for b, e in phrase.noun_phrases}, dict(phrase.noun_phrases)
    pairs = [
        ((ends[n], n), (n + 1, starts[n + 1]))
        for n in phrase.find("and", "or")
        if n in ends and n + 1 in starts
    ]
    pairs += [
        ((n - 1, n), (n + 1, n + 2))
        for n in phrase.find("and")
        if 0 < n < len(phrase) - 1 and phrase.tags[n - 1] == phrase.tags[n + 1] == "JJ"
    ]
    return phrase.swap(*draw.pick(pairs)) if pairs else None


def _clauses_moved(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """The subordinate clause to the other end; "A before B" as "B after A"; "so" for "because"."""
    if phrase.end < 6 or "?" in phrase.text:
        return None
    tail = phrase.text[phrase.spans[phrase.end - 1][1] :]
    if phrase.low[0] in _SUBORDINATORS and phrase.low.count(",") == 1:
        comma = phrase.low.index(",")
        if comma > 2 and any(t in ("VBD", "VBZ", "VBP", "MD") for t in phrase.tags[1:comma]):
            first = phrase.lowered(0) + phrase.text[phrase.spans[0][1] : phrase.spans[comma - 1][1]]
            return f"{phrase.upper(phrase.part(comma + 1, phrase.end))} {first}{tail}"
    for n in range(3, phrase.end - 3):
        word = phrase.low[n]
        verbs = [
            i for i in range(n + 1, phrase.end) if phrase.tags[i] in ("VBD", "VBZ", "VBP", "MD")
        ]
        if word not in _SUBORDINATORS or not verbs or "," in phrase.low:
            continue
        main = phrase.lowered(0) + phrase.text[phrase.spans[0][1] : phrase.spans[n][0]].rstrip()
        clause = phrase.part(n + 1, phrase.end)
        if word == "because" and draw.chance(0.4):
            return f"{phrase.upper(clause)}, so {main}{tail}"
        mirrored = {"before": "after", "after": "before"}.get(word)
        if mirrored and draw.chance(0.5):
            return f"{phrase.upper(clause)} {mirrored} {main}{tail}"
        return phrase.upper(f"{word} {clause}, {main}{tail}")
    return None


def _mirrored(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """A is older than B: B is younger than A."""
    thans = phrase.find("than")
    if not thans or phrase.find("not", "n't"):
        return None
    before = [run for run in phrase.noun_phrases if run[1] <= thans[0]]
    after = [run for run in phrase.noun_phrases if run[0] == thans[0] + 1]
    place = [n for n in phrase.find(*COMPARED) if n < thans[0]]
    if not before or not after or not place or before[0][0] != 0 or after[0][1] != phrase.end:
        return None
    if any(phrase.tags[run[0]] == "PRP" for run in (before[0], after[0])):
        return None
    other = phrase.put({place[-1]: COMPARED[phrase.low[place[-1]]]})
    if len(other.split()) != len(phrase.text.split()):
        return None
    (again,) = phrases([other])
    return again.swap(before[0], after[0]) if len(again) == len(phrase) else None


def _possessive(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """The house of John: John's house."""
    for n in draw.order(phrase.find("of")):
        ends, starts = {e: b for b, e in phrase.noun_phrases}, dict(phrase.noun_phrases)
        if n not in ends or n + 1 not in starts or n < 2 or phrase.low[ends[n]] != "the":
            continue
        owner = (n + 1, starts[n + 1])
        if phrase.tags[owner[1] - 1] not in ("NNP", "NN") or phrase.tags[owner[0]] == "PRP":
            continue
        if phrase.tags[owner[1] - 1] == "NN" and phrase.low[owner[0]] not in ("the", "my", "his"):
            continue
        head = phrase.text[: phrase.spans[ends[n]][0]]
        tail = phrase.text[phrase.spans[owner[1] - 1][1] :]
        thing = phrase.part(ends[n] + 1, n)
        return phrase.upper(f"{head}{phrase.part(*owner)}'s {thing}{tail}")
    return None


def _digits(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """Three and 3; 1,000 and 1000; Monday and Mon."""
    back = {value: key for key, value in _NUMBERS.items()}
    months = {**_MONTHS, **{short: long for long, short in _MONTHS.items()}}
    for n in draw.order(range(len(phrase))):
        word = phrase.tokens[n]
        for table in (_NUMBERS, back, months):
            known = table.get(word if table is months else word.lower())
            if known and (word != "hundred"):
                return phrase.put({n: known})
        if re.fullmatch(r"\d{1,3}(,\d{3})+", word):
            return phrase.put({n: word.replace(",", "")})
        if re.fullmatch(r"[1-9]\d{4,6}", word):
            return phrase.put({n: f"{int(word):,}"})
    return None


def _no_that(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """He said (that) it rained."""
    for n in draw.order(range(1, len(phrase) - 2)):
        if phrase.lemmas[n] not in ("say", "think", "know", "believe", "hope", "tell", "see"):
            continue
        if phrase.low[n + 1] == "that" and phrase.tags[n + 1] == "IN":
            return phrase.cut(n + 1, n + 2)
        if phrase.tags[n + 1] == "PRP" and phrase.tags[n + 2] in ("VBD", "VBZ", "VBP", "MD"):
            return phrase.put({n: f"{phrase.tokens[n]} that"})
    return None


def _opened(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """Words that add nothing, in front."""
    if "?" in phrase.text or phrase.tags[:1] == ("VB",):
        return None
    return phrase.insert(0, draw.pick(_OPENERS))


def _passive(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """B was hit by A for A hit B, where A and B are the whole of the clause."""
    runs = phrase.noun_phrases
    if len(runs) < 2 or runs[0][0] != 0:
        return None
    (_, verb), (start, end) = runs[0], runs[1]
    if verb + 1 != start or phrase.tags[verb] != "VBD" or not phrase.low[verb].isalpha():
        return None
    if phrase.lemmas[verb] in ("be", "have", "become", "seem", "do", "say", "come", "go"):
        return None
    if end < phrase.end and phrase.tags[end] not in ("IN", ","):
        return None
    subjects = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
    objects = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
    doer, done = phrase.low[0] if verb == 1 else "", phrase.low[start] if end - start == 1 else ""
    agent = (
        subjects.get(doer)
        or phrase.lowered(0) + phrase.text[phrase.spans[0][1] : phrase.spans[verb - 1][1]]
    )
    patient = objects.get(done, phrase.part(start, end))
    plural = phrase.tags[end - 1] in ("NNS", "NNPS") or done in ("us", "them", "you")
    was = "were" if plural or done == "you" else "was"
    past = words.form(phrase.lemmas[verb], "VBN")
    return phrase.upper(
        f"{patient} {was} {past} by {agent}{phrase.text[phrase.spans[end - 1][1] :]}"
    )


def _marks(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """Case, punctuation and spacing, which carry no meaning here."""
    way = draw.pick(("lower", "lower", "end", "tokens", "quotes"))
    if way == "lower":
        return phrase.text.lower()
    if way == "end":
        return phrase.part(0, phrase.end) + (" ." if phrase.end == len(phrase) else "")
    if way == "tokens":
        return " ".join(phrase.tokens)
    return re.sub('["“”‘]', "", phrase.text)


def _misspelt(phrase: Phrase, words: Words, draw: Draw) -> str | None:
    """One letter too few, twice, or exchanged with the next, in a long word."""
    places = [n for n, word in enumerate(phrase.tokens) if len(word) > 5 and word.isalpha()]
    if not places:
        return None
    n = draw.pick(places)
    word = phrase.tokens[n]
    i = draw.pick(range(1, len(word) - 1))
    way = draw.pick((0, 1, 2))
    spelt = (
        word[:i] + word[i + 1 :],
        word[:i] + word[i] + word[i:],
        word[:i] + word[i + 1] + word[i] + word[i + 2 :],
    )[way]
    return phrase.put({n: spelt}) if folded(spelt) != folded(word) else None


RIGHT: dict[str, Callable[[Phrase, Words, Draw], str | None]] = {
    "contraction": _contracted,
    "phrase": _rephrased,
    "synonym": _synonym,
    "fronting": _fronted,
    "conjuncts": _conjuncts,
    "clauses": _clauses_moved,
    "mirror": _mirrored,
    "possessive": _possessive,
    "digits": _digits,
    "that": _no_that,
    "opener": _opened,
    "passive": _passive,
    "marks": _marks,
    "misspelt": _misspelt,
}
