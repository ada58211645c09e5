"""Closed classes of English words that the kinds of findings look for."""

from __future__ import annotations

__all__ = [
    "AUXILIARIES",
    "CATEGORIES",
    "CONVERSE",
    "LEVELS",
    "LIGHT",
    "NATIONS",
    "QUANTITIES",
    "category",
]

# Verbs that carry tense, voice or mood rather than content.
AUXILIARIES = frozenset("be have do will would shall should may might can could must get".split())

# Words with little content of their own: their absence is no omission.
LIGHT = frozenset(
    """also too very so just then there here thus hence therefore however moreover furthermore
    well now still yet already even again rather quite really actually indeed please oh yes
    really simply such other own same thing one way kind sort lot make take give go come let
    say tell get put become seem run place time order fact case number term possible part own
    whole entire full amount""".split()
)

# Verbs that say the same with their arguments exchanged.
CONVERSE = frozenset(
    frozenset(pair.split())
    for pair in """buy sell|purchase sell|acquire sell|borrow lend|give receive|give get|give take
    send receive|send get|teach learn|lead follow|own belong|employ work|hire join|let rent
    precede follow|beat lose|defeat lose|inherit leave|pay receive|pay earn|hand receive
    hand take|export import""".replace("\n", "|").split("|")
)

_EXCLUSIVE = {
    "month": """january february march april may june july august september october november
        december""",
    "weekday": "monday tuesday wednesday thursday friday saturday sunday",
    "direction": """north south east west northeast northwest southeast southwest""",
    "day": "yesterday today tomorrow",
    "season": "spring summer autumn winter",
    "part of day": "morning noon afternoon evening midnight",
    "hand": "left right",
    "sex": "man woman",
    "child": "boy girl",
    "parent": "father mother",
    "offspring": "son daughter",
    "sibling": "brother sister",
    "spouse": "husband wife",
    "uncle": "uncle aunt",
    "monarch": "king queen",
    "colour": "red orange yellow green blue purple brown black white pink",
    "metal": "gold silver bronze",
    "length": "millimetre centimetre metre kilometre inch foot yard mile",
    "mass": "gram kilogram tonne pound ounce",
    "time": "second minute hour day week fortnight month year decade century",
    "volume": "litre millilitre gallon pint barrel",
    "money": "dollar euro pound yuan yen rupee franc rouble cent",
    "power": "watt kilowatt megawatt gigawatt",
}
_NATIONS = """spain spanish|france french|netherlands dutch|holland dutch|switzerland swiss
    wales welsh|britain british|england english|ireland irish|poland polish|denmark danish
    finland finnish|thailand thai|philippines filipino|america american|us american|usa american
    uk british|greece greek|iceland icelandic|norway norwegian|germany german|portugal portuguese
    china chinese|lebanon lebanese|israel israeli|us america|uk britain"""
NATIONS = frozenset(frozenset(pair.split()) for pair in _NATIONS.replace("\n", "|").split("|"))
_SAME = {
    "fall": "autumn",
    "northern": "north",
    "southern": "south",
    "eastern": "east",
    "western": "west",
    "meter": "metre",
    "m": "metre",
    "km": "kilometre",
    "kilometer": "kilometre",
    "centimeter": "centimetre",
    "cm": "centimetre",
    "millimeter": "millimetre",
    "mm": "millimetre",
    "ft": "foot",
    "feet": "foot",
    "kg": "kilogram",
    "kilo": "kilogram",
    "lb": "pound",
    "ton": "tonne",
    "liter": "litre",
    "hr": "hour",
    "min": "minute",
    "$": "dollar",
    "us$": "dollar",
    "usd": "dollar",
    "€": "euro",
    "eur": "euro",
    "£": "pound",
    "¥": "yen",
    "rmb": "yuan",
    "renminbi": "yuan",
    "grey": "gray",
    "mum": "mother",
    "mom": "mother",
    "dad": "father",
    "jan": "january",
    "feb": "february",
    "mar": "march",
    "apr": "april",
    "jun": "june",
    "jul": "july",
    "aug": "august",
    "sep": "september",
    "sept": "september",
    "oct": "october",
    "nov": "november",
    "dec": "december",
    "mon": "monday",
    "tue": "tuesday",
    "wed": "wednesday",
    "thu": "thursday",
    "fri": "friday",
}
_SAME |= {f"{word}.": whole for word, whole in _SAME.items() if len(word) <= 4}

# Quantifiers and adverbs of frequency by what they say, 0 nothing to 5 everything; phrases first.
_LEVELS = {
    0.0: "no none neither nobody never nothing nowhere",
    1.0: """few little hardly rarely seldom minority barely scarcely almost+no almost+none
        nearly+none hardly+any almost+never hardly+ever only+a+few only+one very+few not+many
        just+one only+some""",
    1.5: "a+few a+handful occasionally a+little once+in+a+while a+couple",
    2.0: """some several certain various sometimes somebody someone something a+number+of part+of
        partly a+part+of""",
    2.5: "half half+of half+the",
    3.0: """many much often frequently quite+a+few plenty a+lot lots numerous countless dozens
        hundreds thousands a+great+many a+large+number regularly""",
    4.0: """most majority usually mostly mainly generally almost+all nearly+all almost+every
        nearly+every almost+everyone nearly+everyone almost+always nearly+always the+bulk""",
    5.0: """all every each both entire whole always everyone everybody everything invariably
        the+whole constantly entirely""",
}
LEVELS = {
    tuple(phrase.split("+")): level for level, all_ in _LEVELS.items() for phrase in all_.split()
}
QUANTITIES = {phrase[0]: level for phrase, level in LEVELS.items() if len(phrase) == 1}

# Words that exclude each other within their category; "may" is a month only with a capital.
CATEGORIES: dict[str, tuple[str, str]] = {
    word: (name, word) for name, words in _EXCLUSIVE.items() for word in words.split()
}
CATEGORIES |= {word: CATEGORIES[whole] for word, whole in _SAME.items() if whole in CATEGORIES}


def category(lemma: str) -> tuple[str, str] | None:
    """The category of a word of which only one can hold, and its name there.

    >>> category("km"), category("Monday".lower()), category("house")
    (('length', 'kilometre'), ('weekday', 'monday'), None)
    """
    return CATEGORIES.get(lemma)
