"""Closed classes of English words that the kinds of findings look for."""

from __future__ import annotations

__all__ = [
    "AUXILIARIES",
    "CATEGORIES",
    "LIGHT",
    "OPPOSED",
    "OPPOSITES",
    "QUANTITIES",
    "are_opposed",
    "category",
]

# Verbs that carry tense, voice or mood rather than content.
AUXILIARIES = frozenset("be have do will would shall should may might can could must get".split())

# Words with little content of their own: their absence is no omission.
LIGHT = frozenset(
    """also too very so just then there here thus hence therefore however moreover furthermore
    well now still yet already even again rather quite really actually indeed please oh yes
    really simply such other own same thing one way kind sort lot make take give go come let
    say tell get put become seem""".split()
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
    "time": "second minute hour day week month year decade century",
    "volume": "litre millilitre gallon pint barrel",
    "money": "dollar euro pound yuan yen rupee franc rouble cent",
    "power": "watt kilowatt megawatt gigawatt",
    "rank": "first second third fourth fifth",
}
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

# Quantifiers and adverbs of frequency by what they say: none, few, some, many, most,
# all.
_SCALE = (
    "no none neither nobody never",
    "few little hardly rarely seldom minority",
    "some several certain various sometimes occasionally somebody someone",
    "many much often frequently",
    "most majority usually mostly mainly generally",
    "all every each both entire whole always everyone everybody everything",
)
QUANTITIES = {word: level for level, words in enumerate(_SCALE) for word in words.split()}

# Words that exclude each other within their category; "may" is a month only with a capital.
CATEGORIES: dict[str, tuple[str, str]] = {
    word: (name, word) for name, words in _EXCLUSIVE.items() for word in words.split()
}
CATEGORIES |= {word: CATEGORIES[whole] for word, whole in _SAME.items() if whole in CATEGORIES}

_OPPOSED = """before after|over under|above below|up down|inside outside|more less|more fewer
    most least|ever never|for against|if unless|to from|toward from|towards from|together apart
    ahead behind|forward backward|increase decrease|increase reduce|increase fall
    increase drop|increase decline|rise fall|rise drop|rise decline|rise decrease|grow shrink
    grow fall|grow decline|raise lower|raise cut|raise reduce|accept reject|accept refuse
    approve reject|allow ban|allow prohibit|allow forbid|permit ban|permit forbid
    support oppose|win lose|succeed fail|begin end|start end|start stop|start finish
    begin stop|open close|reopen close|enter leave|arrive leave|arrive depart|buy sell
    love hate|like hate|like dislike|remember forget|agree disagree|admit deny|confirm deny
    praise criticise|praise criticize|gain lose|find lose|save waste|save spend|borrow lend
    import export|include exclude|attack defend|build destroy|build demolish|create destroy
    live die|survive die|push pull|teach learn|add remove|add subtract|hire fire|hire dismiss
    appoint dismiss|best worst|better worse|good bad|early late|earlier later|domestic foreign
    domestic international|public private|north south|east west|hot cold|warm cool|high low
    higher lower|long short|large small|big small|great small|old new|old young|strong weak
    rich poor|easy difficult|easy hard|simple complex|simple complicated|cheap expensive
    safe dangerous|fast slow|quickly slowly|rapidly slowly|maximum minimum|success failure
    victory defeat|profit loss|peace war|friend enemy|ally enemy|day night|front back
    top bottom|first last|former latter|former current|past future|previous next|last next
    true false|right wrong|full empty|alive dead|guilty innocent|male female|major minor
    upper lower|positive negative|partly fully|partially fully|partly completely
    temporary permanent|voluntary mandatory|voluntary compulsory|optional mandatory
    improve worsen|strengthen weaken|expand shrink
    widen narrow|speed slow|hide reveal|conceal reveal|cause prevent
    guarantee prevent|help hinder|encourage discourage|optimistic pessimistic|formal informal"""
OPPOSITES = frozenset(frozenset(pair.split()) for pair in _OPPOSED.replace("\n", "|").split("|"))
OPPOSED = frozenset(word for pair in OPPOSITES for word in pair)


def are_opposed(a: str, b: str) -> bool:
    """Whether our own list has the two lemmas as opposites.

    >>> are_opposed("before", "after"), are_opposed("before", "during")
    (True, False)
    """
    return frozenset((a, b)) in OPPOSITES


def category(lemma: str) -> tuple[str, str] | None:
    """The category of a word of which only one can hold, and its name there.

    >>> category("km"), category("Monday".lower()), category("house")
    (('length', 'kilometre'), ('weekday', 'monday'), None)
    """
    return CATEGORIES.get(lemma)
