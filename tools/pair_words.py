"""Words for changed sentences: opposites, words of the same class, synonyms, inflected forms.

Relations are those of a WordNet `dict/` folder (3.0), forms those of a tagged corpus and, where
it has none, the regular ones. Only words that WordNet's sense-tagged text holds (`cntlist.rev`)
are given, and only in their most frequent sense, so that what comes out is what readers expect.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from tools.opposites import synsets_of

__all__ = ["Words"]

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_NUMBERS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_HYPERNYM, _ANTONYM = "@", "!"
_VOWELS = "aeiou"
DOMINANT = 0.6  # share of a word's uses that its first sense must have
# Opposite verbs beyond WordNet's, by base form; the second may replace the first and back.
_VERBS = """
hire fire|hire dismiss|buy sell|lend borrow|arrive leave|arrive depart|accept refuse|accept reject
approve reject|allow forbid|allow ban|permit prohibit|win lose|gain lose|rise fall|increase decrease
increase reduce|grow shrink|expand shrink|raise lower|raise cut|push pull|open close|start stop
begin end|begin finish|continue stop|succeed fail|praise criticize|praise condemn|support oppose
back oppose|love hate|like dislike|remember forget|find lose|build destroy|build demolish
create destroy|save waste|spend save|send receive|give take|give receive|teach learn|ask answer
enter leave|join leave|attack defend|confirm deny|admit deny|agree disagree|improve worsen
strengthen weaken|include exclude|hide reveal|hide show|appear disappear|remain leave|stay leave
keep discard|protect endanger|free arrest|release arrest|release detain|rescue abandon|help hinder
encourage discourage|cause prevent|enable prevent|trust distrust|respect despise|obey disobey
follow precede|lead follow|marry divorce|live die|survive die|wake sleep|laugh cry|smile frown
lock unlock|load unload|pack unpack|tie untie|cover uncover|connect disconnect|install remove
install uninstall|enable disable|add remove|add subtract|insert delete|create delete|import export
encrypt decrypt|upload download|show hide|lift drop|fill empty|freeze melt|heat cool|win forfeit
invest withdraw|deposit withdraw|advance retreat|ascend descend|climb descend|inhale exhale
borrow return|promote demote|reward punish|forgive blame|acquit convict|sign veto|launch cancel
schedule cancel|extend shorten|lengthen shorten|widen narrow|fasten loosen|tighten loosen
ease tighten|unite divide|gather scatter|bless curse|exalt humble|rejoice mourn|plant uproot
sow reap|believe doubt|welcome deplore|adopt reject|ratify reject|simplify complicate
accelerate slow|maximize minimize|deny grant|refuse grant|honor dishonor|harm heal|hurt heal
"""
_ADJECTIVES = """
cheap expensive|safe dangerous|legal illegal|possible impossible|likely unlikely|able unable
public private|domestic foreign|internal external|temporary permanent|optional mandatory
optional required|voluntary compulsory|guilty innocent|rural urban|urban rural|former current
previous next|first last|major minor|male female|military civilian|natural artificial|raw cooked
direct indirect|formal informal|official unofficial|conscious unconscious|visible invisible
available unavailable|valid invalid|positive negative|optimistic pessimistic|generous stingy
brave cowardly|polite rude|honest dishonest|loyal disloyal|friendly hostile|stable unstable
sufficient insufficient|adequate inadequate|effective ineffective|fair unfair|just unjust
righteous wicked|holy unholy|clean unclean|full empty|heavy light|loud quiet|sharp blunt
smooth rough|wet dry|tight loose|sick healthy|ill healthy|married single|rich poor|broad narrow
ancient modern|maximum minimum|upper lower|inner outer|vertical horizontal|synchronous asynchronous
enabled disabled|local remote|local global|static dynamic|single multiple|sunny rainy|hot cold
"""
_CLASSES = """
red blue green yellow white black brown orange purple pink gray
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
January February March April May June July August September October November December
north south east west
northern southern eastern western
spring summer autumn winter
morning afternoon evening night
morning noon evening midnight
yesterday today tomorrow
second minute hour day week month year decade century
seconds minutes hours days weeks months years decades centuries
daily weekly monthly yearly hourly
kilometers miles meters feet
km miles metres yards
grams kilograms tons pounds
dollars euros pounds yen pesos
cents dollars
liters gallons
celsius fahrenheit
French German Spanish Italian British American Russian Chinese Japanese Indian Dutch Turkish Greek
France Germany Spain Italy Britain America Russia China Japan India Turkey Greece Brazil Mexico
London Paris Berlin Madrid Rome Moscow Beijing Tokyo Boston Chicago Vienna Lisbon Cairo Delhi
father mother brother sister uncle aunt son daughter cousin grandfather grandmother
fathers mothers brothers sisters uncles sons daughters
man woman boy girl child
men women boys girls children
dog cat horse cow sheep bird goat
dogs cats horses cows birds goats
bus train car plane bicycle ship truck
president minister senator governor mayor king queen
doctor nurse lawyer teacher engineer farmer driver cook
doctors nurses lawyers teachers engineers farmers drivers
school hospital church museum library hotel restaurant bank
guitar piano violin drum flute
tea coffee milk water juice wine beer
breakfast lunch dinner
football basketball tennis baseball hockey soccer
first second third fourth fifth sixth seventh
"""


class Words:
    """Relations and forms of words, each asked for by base form and `n`, `v`, `a` or `r`."""

    def __init__(self, wordnet: Path, tagged: Path) -> None:
        synsets = dict(synsets_of(wordnet))
        self._counts = _counts(wordnet)
        self._senses = {
            (letter, lemma): numbers
            for letter, name in _FILES.items()
            for lemma, numbers in _index(wordnet / f"index.{name}", letter)
        }
        self._synsets = synsets
        self._children: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for key, synset in synsets.items():
            for pointer in synset.pointers:
                if pointer.symbol == _HYPERNYM:
                    self._children[pointer.target].append(key)
        self._opposites: dict[tuple[str, str], set[str]] = defaultdict(set)
        for (letter, _), synset in synsets.items():
            for pointer in synset.pointers:
                if pointer.symbol == _ANTONYM:
                    theirs = synsets[pointer.target].members(pointer.theirs)
                    for mine in synset.members(pointer.mine):
                        self._opposites[letter, mine].update(theirs)
        for letter, table in (("v", _VERBS), ("a", _ADJECTIVES)):
            for pair in table.replace("\n", "|").strip("|").split("|"):
                one, other = pair.split()
                self._opposites[letter, one].add(other)
                self._opposites[letter, other].add(one)
        self.classes: dict[str, list[str]] = {}
        for line in _CLASSES.strip().splitlines():
            for word in line.split():
                others = [other for other in line.split() if other != word]
                self.classes[word] = self.classes.get(word, []) + others
        self._forms, self._seen = _forms(tagged)

    def opposites(self, lemma: str, letter: str) -> list[str]:
        """Antonyms that are in use, in alphabetical order."""
        found = self._opposites.get((letter, lemma), ())
        return sorted(one for one in found if self._plain(one, letter) and one != lemma)

    def sisters(self, lemma: str, letter: str) -> list[str]:
        """Words of the same class: the same hypernym, and no synonym of it in any sense."""
        first = self._first(lemma, letter)
        if first is None:
            return []
        parents = [p.target for p in self._synsets[first].pointers if p.symbol == _HYPERNYM]
        mine = set(self._senses.get((letter, lemma), ()))
        near = {word for key in mine for word in self._synsets[key].words}
        found = set()
        for parent in parents:
            if len(self._children[parent]) > 150:
                continue  # "person" and the like: no class at all
            for child in self._children[parent]:
                for word in self._synsets[child].words:
                    senses = self._senses.get((letter, word), [])
                    if (
                        senses[:1] == [child]
                        and word not in near
                        and not mine & set(senses)
                        and self._plain(word, letter)
                    ):
                        found.add(word)
        return sorted(found)

    def synonyms(self, lemma: str, letter: str) -> list[str]:
        """Words of the first synset, if that is what both words mostly mean."""
        first = self._first(lemma, letter)
        if first is None or not self._is_dominant(lemma, letter):
            return []
        return sorted(
            word
            for word in set(self._synsets[first].words)
            if word != lemma
            and self._plain(word, letter)
            and self._senses.get((letter, word), [])[:1] == [first]
            and self._is_dominant(word, letter)
        )

    def form(self, lemma: str, tag: str) -> str:
        """The form of a base form that has a Penn tag."""
        known = self._forms.get((lemma, tag))
        return known if known is not None else regular(lemma, tag)

    def _first(self, lemma: str, letter: str) -> tuple[str, str] | None:
        senses = self._senses.get((letter, lemma))
        return senses[0] if senses and self._counts[letter, lemma] else None

    def _plain(self, word: str, letter: str) -> bool:
        return word.isalpha() and (
            sum(self._counts[letter, word].values()) > 0 or word in self._seen
        )

    def _is_dominant(self, lemma: str, letter: str) -> bool:
        counts = self._counts[letter, lemma]
        return bool(counts) and counts[1] >= DOMINANT * sum(counts.values())


def regular(lemma: str, tag: str) -> str:
    """The regular form of a word.

    >>> [regular("try", "VBD"), regular("stop", "VBG"), regular("big", "JJR")]
    ['tried', 'stopping', 'bigger']
    """
    final = lemma[-1:]
    consonant_y = final == "y" and lemma[-2:-1] not in _VOWELS
    doubled = (
        len(lemma) < 6
        and final.isalpha()
        and final not in _VOWELS + "wxy"
        and lemma[-2:-1] in _VOWELS
        and lemma[-3:-2] not in (*_VOWELS, "")
    )
    stem = lemma + final if doubled else lemma
    if tag in ("NNS", "VBZ"):
        if consonant_y:
            return lemma[:-1] + "ies"
        return lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh")) else "s")
    if tag in ("VBD", "VBN"):
        if consonant_y:
            return lemma[:-1] + "ied"
        return lemma + "d" if final == "e" else stem + "ed"
    if tag == "VBG":
        return lemma[:-1] + "ing" if final == "e" and lemma[-2:] != "ee" else stem + "ing"
    if tag in ("JJR", "JJS", "RBR", "RBS"):
        ending = "er" if tag.endswith("R") else "est"
        if len(lemma) > 6:
            return ("more " if ending == "er" else "most ") + lemma
        if consonant_y:
            return lemma[:-1] + "i" + ending
        return lemma + ending[1:] if final == "e" else stem + ending
    return lemma


def _index(path: Path, letter: str) -> Iterable[tuple[str, list[tuple[str, str]]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            yield fields[0], [(letter, offset) for offset in fields[-int(fields[2]) :]]


def _counts(folder: Path) -> dict[tuple[str, str], Counter[int]]:
    """How often each sense of a word is used, by its number."""
    found: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, sense, count = line.split()
        lemma, _, rest = key.partition("%")
        found[_NUMBERS[rest[0]], lemma][int(sense)] += int(count)
    return found


def _forms(path: Path) -> tuple[dict[tuple[str, str], str], set[str]]:
    """The most frequent form of each base form and tag, and all base forms."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                form, lemma, tag, *_ = line.rstrip("\n").split("\t")
                if form.isalpha() and lemma.isalpha():
                    counts[lemma.lower(), tag][form.lower()] += 1
    forms = {key: max(sorted(some), key=some.__getitem__) for key, some in counts.items()}
    return forms, {lemma for lemma, _ in forms}
