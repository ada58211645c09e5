"""Values in English text: numbers, dates, money, names, addresses, codes."""

from __future__ import annotations

import re
from typing import NamedTuple

from otherwords.text.values.lexicon import Words, words


class Value(NamedTuple):
    """One value of a text: `text[start:end]`, and a form in which equal values are equal."""

    kind: str
    start: int
    end: int
    text: str
    normal: str


class Atom(NamedTuple):
    """One comparable part of a value: an amount of a dimension ("" is a plain number)."""

    dimension: str
    amount: float
    raw: float  # the number before its unit was applied


class Reading(NamedTuple):
    """A value as the comparison sees it."""

    kind: str
    start: int
    end: int
    atoms: tuple[Atom, ...]  # of numbers; a string has none
    normal: str
    firm: bool  # a doubtful reading can explain another value and is never missing or added
    about: bool  # said to be rounded, or a bound
    initial: bool = False  # a name that starts a sentence with its first word
    is_ratio: bool = False  # a part or a multiple: half, twice, three times


class Readings(NamedTuple):
    """All readings of a text, and what the comparison of names needs to know of it."""

    text: str
    found: list[Reading]
    words: frozenset[str]  # lower case
    cased: bool  # whether capitals say which words are names


_DOMAINS = "com|org|net|edu|gov|io|info|eu|uk|de|fr|it|es|nl|ch|at|ca|au|us|ru|cn|jp|in|app|dev"
_FILES = (
    "txt|pdf|docx?|xlsx?|pptx?|csv|tsv|json|xml|ya?ml|toml|html?|md|py|js|ts|cpp|java|sh|exe|"
    "jpe?g|png|gif|svg|zip|gz|tar|mp3|mp4|log|ini|cfg|conf|bak|sql"
)
_PLAIN = r"""
  (?P<abbreviation>(?<!\w)(?:[^\W\d_]\.){2,6})
| (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)
| (?P<other>\S)
"""
# Every repetition that another alternative can follow is bounded: time is linear in the text.
_SPECIAL = rf"""
  (?P<email>(?<![\w.+-])[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{2,63}}){{1,4}})
| (?P<url>(?:https?://|(?<!\w)www\.)[^\s<>"“”]+
  |(?<![\w@.-])(?:[A-Za-z0-9-]{{1,63}}\.){{1,3}}(?:{_DOMAINS})(?![\w-])(?!\.\w)(?:/[^\s<>"“”]*)?)
| (?P<file>(?<![\w./\\-])[A-Za-z]:\\[^\s"]{{1,200}}
  |(?<![\w./:-])(?:~|\.{{1,2}})?(?:/[\w.+-]{{1,80}}){{2,12}}
  |(?<![\w./-])[\w-]{{1,80}}(?:\.[\w-]{{1,20}}){{0,2}}\.(?:{_FILES})(?!\w))
| (?P<handle>(?<![\w@/.])@\w{{1,50}})
| (?P<hashtag>(?<![\w\#&])\#[^\W\d]\w{{0,80}})
| (?P<isodate>(?<![\w-])\d{{4}}-\d{{2}}-\d{{2}}(?![\w-])|(?<![\w-])\d{{4}}-\d{{2}}-\d{{2}}(?=T\d\d))
| (?P<slashdate>(?<![\w./-])\d{{1,2}}(?P<between>[/.-])\d{{1,2}}(?P=between)
  (?:\d{{4}}|\d{{2}})(?![\w/-])(?!\.\d))
| (?P<phone>(?<![\w+])\+\d{{1,3}}(?:[ .-]?\(?\d{{2,5}}\)?){{2,5}}(?![\w:])
  |(?<![\w.-])\(?\d{{3}}\)?[ .-]\d{{3}}[.-]\d{{4}}(?![\w-])|(?<![\w.,-])\d{{3}}-\d{{4}}(?![\w-])
  |(?<![\w.,-])0\d{{2,4}}[ /-]\d{{3,8}}(?:[ -]\d{{3,4}})?(?![\w-]))
| (?P<version>(?<![\w.])v?\d{{1,6}}(?:\.\d{{1,6}}){{2,4}}(?![\w.]?\w)
  |(?<!\w)v\d{{1,3}}(?:\.\d{{1,6}}){{0,4}}(?!\w))
| (?P<clock>(?<![\d:.,])(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?![\d:]))
| (?P<code>(?<![\w-])(?:[A-Za-z]{{1,12}}|[A-Z]{{1,6}}-)\d[A-Za-z0-9]{{0,20}}
  (?:-[A-Za-z0-9]{{1,20}}){{0,3}}(?!\w))
| (?P<number>\d{{1,3}}(?:,\d{{3}}){{1,6}}(?:\.\d+)?(?![.,]?\d)
  |\d{{1,3}}(?:\.\d{{3}}){{1,6}}(?:,\d+)?(?![.,]?\d)
  |(?<!\d[.,])\d+[.,]\d+(?![.,]?\d)|\d+)
"""
_PLAIN_TOKENS = re.compile(_PLAIN, re.VERBOSE)
_NEEDS_SPECIAL = re.compile(r"[\d@#\\]|/\w|\w\.\w|[:;=]['-]?[()D]|<3|[☀-➿\U0001F000-\U0001FAFF]")
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}
_ORDINAL_ENDS = frozenset({"st", "nd", "rd", "th"})
_HALVES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 720, "p.m.": 720, "p.m": 720}
_DAYTIMES = {"morning": 0, "afternoon": 720, "evening": 720, "night": 720}
_OPENING = frozenset("\"“”'‘’`([{«*•_")
_ENDING = frozenset(".!?:;…—–-|")
_BEFORE_MONTH = frozenset("in since until by of last next early late before after from".split())
# Words after a fraction (a third of them, a third less); any other makes it an ordinal.
_AFTER_SHARE = frozenset(
    "of the less more fewer lower higher as than in on by to from and or is are was were".split()
)
_MULTIPLES = frozenset("twice thrice double doubled doubles tripled triples trebled".split())
_BETWEEN = frozenset("extra full more additional further long whole straight other short".split())
_AT = frozenset({"at", "until", "till", "from", "by", "before", "after"})
_THOUSANDS = re.compile(r"\d+\.\d{3}")  # 194.924 in other languages
_LONGEST_NUMBER = 18  # digits; more are a code
Tokens = list[tuple[str, str, int, int]]  # group, lower-case text, start, end


def _special_tokens() -> re.Pattern[str]:
    signs = sorted(words().emoji, key=len, reverse=True)
    emoji = "|".join(map(re.escape, signs))
    return re.compile(f"(?P<emoji>{emoji})|{_SPECIAL}|{_PLAIN}", re.VERBOSE)


_special: list[re.Pattern[str]] = []


def _tokens(text: str) -> Tokens:
    pattern = _PLAIN_TOKENS
    if _NEEDS_SPECIAL.search(text):
        if not _special:
            _special.append(_special_tokens())
        pattern = _special[0]
    found = []
    for match in pattern.finditer(text):
        lower = match[0].lower()
        if lower.endswith(("'s", "’s")):
            lower = lower[:-2]
        found.append((match.lastgroup or "", lower, *match.span()))
    return found


def read_values(text: str) -> list[Value]:
    """The values of an English text, in its order.

    >>> [(value.kind, value.normal) for value in read_values("Pay $40 to Anna Berg by 5 pm.")]
    [('money', '40 dollar'), ('name', 'anna berg'), ('time', '17:00')]
    """
    return [
        Value(one.kind, one.start, one.end, text[one.start : one.end], one.normal)
        for one in read(text).found
        if one.firm
    ]


def read(text: str) -> Readings:
    """The values of a text with the doubtful ones, in its order."""
    tokens = _tokens(text)
    reader = _Reader(text, tokens)
    found = reader.read()
    names, cased = _names(text, tokens, reader.used)
    found += names
    found.sort(key=lambda one: one.start)
    return Readings(text, found, frozenset(token[1] for token in tokens), cased)


def amount_text(amount: float) -> str:
    """A number in its shortest form: 5, 3.5, 0.333333333."""
    return format(amount, ".9g")


def parse_digits(text: str) -> float:
    """The number that digits with separators of thousands and decimals stand for.

    >>> parse_digits("1,200.50"), parse_digits("1.200,50"), parse_digits("3.500.000")
    (1200.5, 1200.5, 3500000.0)
    >>> parse_digits("1,200"), parse_digits("3.5"), parse_digits("0,5")
    (1200.0, 3.5, 0.5)
    """
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return float(text)
    sign, other = text[last], "." if text[last] == "," else ","
    whole, decimals = text[:last].replace(other, ""), text[last + 1 :]
    if sign in whole:  # 1,200,000: the sign separates thousands
        return float(whole.replace(sign, "") + decimals)
    if sign == "," and other not in text and len(decimals) == 3 and text[0] != "0":
        return float(whole + decimals)
    return float(f"{whole}.{decimals}")


def _is_code(text: str) -> bool:
    """Whether letters with digits are a code rather than a word of chat or a typo."""
    letters = re.sub(r"[\W\d_]", "", text)
    digits = sum(map(str.isdigit, text))
    return letters.isupper() or (digits > 1 and text[0].isupper()) or digits > 3 >= len(letters)


class _Reader:
    """Reads values other than names from tokens, from left to right."""

    def __init__(self, text: str, tokens: Tokens) -> None:
        self.text = text
        self.tokens = tokens
        self.words: Words = words()
        self.found: list[Reading] = []
        self.used = bytearray(len(tokens))  # tokens that are no part of a name

    def read(self) -> list[Reading]:
        position = 0
        while position < len(self.tokens):
            group = self.tokens[position][0]
            if group == "word" or group == "other" or group == "abbreviation":
                end = self._word(position)
            elif group == "number":
                end = self._number(position)
            elif group == "clock":
                end = self._clock_digits(position)
            else:
                end = self._special(group, position)
            position = max(end, position + 1)
        return self.found

    # Tokens

    def at(self, position: int) -> str:
        return self.tokens[position][1] if 0 <= position < len(self.tokens) else ""

    def touches(self, position: int) -> bool:
        """Whether a token follows the one before it without a space."""
        tokens = self.tokens
        return 0 < position < len(tokens) and tokens[position][2] == tokens[position - 1][3]

    def add(
        self,
        kind: str,
        first: int,
        end: int,
        atoms: list[Atom],
        normal: str,
        firm: bool = True,
        is_ratio: bool = False,
    ) -> int:
        about = self._about(first, end)
        for index in range(first, end):
            self.used[index] = 1
        start, stop = self.tokens[first][2], self.tokens[end - 1][3]
        self.found.append(
            Reading(kind, start, stop, tuple(atoms), normal, firm, about, False, is_ratio)
        )
        return end

    def _about(self, first: int, end: int) -> bool:
        known = self.words.about
        before = any(self.at(index) in known for index in range(max(first - 3, 0), first))
        return before or (self.at(end) in ("or", "odd", "+") or self.at(end + 1) in ("so", "odd"))

    # Strings

    def _special(self, group: str, position: int) -> int:
        text = self.tokens[position][1]
        if group == "isodate":
            year, month, day = (int(part) for part in text.split("-"))
            return self._date(position, position + 1, year, month, day)
        if group == "slashdate":
            return self._slash_date(position, text)
        if group == "emoji":
            sign = self.words.emoji.get(self.text[slice(*self.tokens[position][2:])], "+")
            return self.add("emoji", position, position + 1, [], sign)
        if group == "code":
            letters = text.rstrip("0123456789")
            if letters in self.words.currencies:
                return self._split_money(position, letters)
        start, end = self.tokens[position][2:]
        if group in ("url", "file"):
            text = text.rstrip(".,;:!?)'’”]}>…")
            end = start + len(text)
            if group == "url":
                text = re.sub(r"^(?:https?://)?(?:www\.)?", "", text).rstrip("/")
        elif group in ("phone", "code"):
            text = re.sub(r"[\W_]+", "", text)
            if group == "code" and not _is_code(self.text[start:end]):
                digits = re.sub(r"\D", "", text)[:_LONGEST_NUMBER]
                atoms = [Atom("", float(digits), float(digits))]  # number27, str8
                return self.add("number", position, position + 1, atoms, text, firm=False)
        elif group == "version":
            text = text.removeprefix("v")
        self.used[position] = 1
        self.found.append(Reading(group, start, end, (), text, True, False))
        return position + 1

    def _split_money(self, position: int, letters: str) -> int:
        """A currency's code before digits without a space: EUR40."""
        code, factor = self.words.currencies[letters]
        raw = float(self.at(position)[len(letters) :][:_LONGEST_NUMBER])
        normal = f"{amount_text(raw * factor)} {code}"
        return self.add("money", position, position + 1, [Atom(code, raw * factor, raw)], normal)

    def _slash_date(self, position: int, text: str) -> int:
        first, second, year = (int(part) for part in re.split(r"[/.-]", text))
        if year < 100:
            year += 2000 if year < 70 else 1900
        if first > 31 or second > 31 or (first > 12 and second > 12) or not (first and second):
            return self.add("code", position, position + 1, [], re.sub(r"\W", "", text))
        if first > 12 or first == second:
            return self._date(position, position + 1, year, second, first)
        if second > 12:
            return self._date(position, position + 1, year, first, second)
        atoms = [Atom("year", year, year)]  # 3/4 is March or April
        return self.add("date", position, position + 1, atoms, f"{year}-{first}/{second}")

    # Numbers

    def _number(self, position: int) -> int:
        text = self.at(position)
        if len(text) > _LONGEST_NUMBER:
            return self.add("code", position, position + 1, [], re.sub(r"\D", "", text))
        slash = self._slash(position)
        if slash:
            return slash
        return self._after_number(position, position + 1, parse_digits(text), words_only=False)

    def _slash(self, position: int) -> int:
        """A fraction, or a day and a month: 3/4, 3/3, 25/12."""
        if not (self.at(position + 1) == "/" and self.touches(position + 1)):
            return 0
        if not (self.touches(position + 2) and self.at(position + 2).isdecimal()):
            return 0
        if (
            not self.at(position).isdecimal()
            or max(len(self.at(position)), len(self.at(position + 2))) > 2
        ):
            return 0
        first, second, end = int(self.at(position)), int(self.at(position + 2)), position + 3
        if self.at(end) == "/":
            return 0
        if first == second and 0 < first <= 12:
            return self._date(position, end, None, first, second, firm=False)
        if 12 < second <= 31 and 0 < first <= 12 and second != 16:
            return self._date(position, end, None, first, second, firm=False)
        if 12 < first <= 31 and 0 < second <= 12:
            return self._date(position, end, None, second, first, firm=False)
        share = first / second if second else 0.0
        firm = 0 < first < second <= 10
        return self.add("number", position, end, [Atom("", share, share)], amount_text(share), firm)

    def _in_words(self, position: int, after_article: bool = False) -> tuple[float, int]:
        """A number in words from a token on, and where it ends; the same position if none."""
        numbers, scales = self.words.numbers, self.words.scales
        total, current, last, end = 0.0, 0.0, "", position
        if after_article:  # a hundred and eighty
            current, last = 1.0, "unit"
        index = position
        while True:
            word = self.at(index)
            if word in numbers:
                value = numbers[word]
                if last == "tens" and value < 10:
                    current += value
                elif last == "teen" and value >= 10 and total == 0 and current in range(10, 21):
                    current = current * 100 + value  # nineteen ninety
                elif last in ("", "scale"):
                    current += value
                else:
                    break
                last = "tens" if value >= 20 else "teen" if value >= 10 else "unit"
                if value == 20 and current == 20 and self.at(index + 1) != "-":
                    last = "teen" if numbers.get(self.at(index + 1), 0) >= 10 else "tens"
            elif word in scales and last:
                scale = scales[word]
                if scale == 100:
                    current *= 100
                else:
                    total, current = total + max(current, 1) * scale, 0.0
                last = "scale"
            else:
                break
            index += 1
            end = index
            joined = self.at(index)
            if (joined == "-" and self.touches(index) and self.touches(index + 1)) or (
                joined == "and" and last == "scale" and self.at(index + 1) in numbers
            ):
                index += 1
        return total + current, end

    def _after_number(self, first: int, end: int, value: float, words_only: bool) -> int:
        """Reads what follows a number (scale, fraction, unit, month) and adds the value."""
        known = self.words
        attached = not words_only and self.touches(end)
        follower = self.at(end)
        if attached and follower in _ORDINAL_ENDS:
            return self._ordinal(first, end + 1, value)
        if attached and follower == "s" and value >= 1000 and value % 10 == 0:
            return self._decade(first, end + 1, value)
        if attached and follower in ("'", "’") and self.at(end + 1) == "s" and value >= 1000:
            return self._decade(first, end + 2, value)
        if attached and follower in known.suffixes:
            value, end = value * known.suffixes[follower], end + 1
        elif attached and follower in ("m", "b") and self._currency_before(first):
            value, end = value * (1e6 if follower == "m" else 1e9), end + 1
        follower = self.at(end)
        gap = 1 if follower == "-" and self.touches(end) and self.touches(end + 1) else 0
        while self.at(end + gap) in known.scales and value:
            value, end = value * known.scales[self.at(end + gap)], end + gap + 1
            gap = 0
        if self.at(end) in _FRACTIONS:
            value, end = value + _FRACTIONS[self.at(end)], end + 1
        if self.at(end) == "dozen":
            value, end = value * 12, end + 1
        if self.at(end) == "and" and self.at(end + 1) in ("a", "one"):
            part = known.parts.get(self.at(end + 2))
            if part:
                value, end = value + 1 / part, end + 3
        gap = 1 if self.at(end) == "-" and self.touches(end) and self.touches(end + 1) else 0
        part = known.parts.get(self.at(end + gap))
        if part and value < part and value == int(value) and (value > 1 or words_only):
            return self._share(first, end + gap + 1, value / part)
        return self._with_unit(first, end, value, words_only)

    def _share(self, first: int, end: int, share: float) -> int:
        """A fraction: of a unit (a quarter of an hour), of a scale (half a million) or alone."""
        index = end + 1 if self.at(end) == "of" else end
        of_the = self.at(index) == "the"
        if self.at(index) in ("a", "an", "one", "the"):
            index += 1
        scale = self.words.scales.get(self.at(index))
        if scale and index > end:
            return self._with_unit(first, index + 1, share * scale, False)
        if self.at(index) == "dozen":
            return self._with_unit(first, index + 1, share * 12, False)
        if self.at(index) in self.words.units and self.at(index) not in ("s", "m", "l", "g", "h"):
            unit = self.words.units[self.at(index)]
            return self._quantity(first, index + 1, share, *unit, firm=not of_the)
        if self.at(index) == "per" and self.at(index + 1) in ("cent", "cents"):
            return self._quantity(first, index + 2, share, "%", 1.0)
        if self.at(end) == "past" and self.at(end + 1) in self.words.numbers:
            hour, stop = self._in_words(end + 1)
            return self._clock(first, stop, hour * 60 + share * 60)
        if self.at(end) == "to" and share == 0.25 and self.at(end + 1) in self.words.numbers:
            hour, stop = self._in_words(end + 1)
            return self._clock(first, stop, hour * 60 - 15)
        atoms = [Atom("", share, share), Atom("%", 100 * share, 100 * share)]
        if share == 0.25:
            atoms.append(Atom("s", 7889400.0, share))  # a quarter of a year
        firm = not (self.at(end) == "-" and self.touches(end + 1))  # quarter-final, half-time
        return self.add("number", first, end, atoms, amount_text(share), firm, is_ratio=True)

    def _currency_before(self, first: int) -> tuple[str, float] | None:
        return self.words.currencies.get(self.at(first - 1)) if first else None

    def _with_unit(self, first: int, end: int, value: float, words_only: bool) -> int:
        known = self.words
        before = self._currency_before(first)
        if before and not before[0].islower():
            before = None
        if before:
            start = first - 1
            if self.at(start) == "$" and self.at(start - 1) in ("us", "a", "c", "nz", "au"):
                start -= int(self.touches(start))
            return self._money(start, end, value, *before)
        gap = 1 if self.at(end) == "-" and self.touches(end) and self.touches(end + 1) else 0
        word = self.at(end + gap)
        if word in _BETWEEN and self.at(end + gap + 1) in known.units:
            gap, word = gap + 1, self.at(end + gap + 1)
        if word == "us" and self.at(end + gap + 1) in known.currencies:
            gap, word = gap + 1, self.at(end + gap + 1)
        if word in known.currencies and word not in ("$", "£", "€"):
            return self._money(first, end + gap + 1, value, *known.currencies[word])
        if word in ("€", "£", "$"):
            return self._money(first, end + 1, value, *known.currencies[word])
        if word in ("pound", "pounds"):
            atoms = [Atom("gbp", value, value), Atom("kg", value * 0.45359237, value)]
            return self.add("quantity", first, end + gap + 1, atoms, f"{amount_text(value)} pound")
        if word == "per" and self.at(end + 1) in ("cent", "cents"):
            return self._quantity(first, end + 2, value, "%", 1.0)
        clock = self._clock_after(first, end, value)
        if clock:
            return clock
        if word in ("square", "sq", "cubic"):
            unit = known.units.get(self.at(end + gap + 1))
            if unit:
                power = 3 if word == "cubic" else 2
                factor = unit[1] ** power
                return self._quantity(first, end + gap + 2, value, f"{unit[0]}^{power}", factor)
        unit = known.units.get(word)
        apart = not words_only and word != "s"  # 5 g; 1990 s is a decade
        if unit and (len(word) > 1 or self.touches(end) or apart):
            if word == "second" and value != 1:
                unit = None
            elif word == "°" and self.at(end + 1) in ("c", "f"):
                end += 1
        elif unit:
            unit = None
        if unit:
            return self._quantity(first, end + gap + 1, value, *unit)
        if not gap and value == int(value) and 1 <= value <= 31:
            month = self._month(end + 1 if self.at(end) == "of" else end)
            if month:
                return self._day_month(first, end, int(value), month)
        attached = not words_only and self.touches(end)
        if attached and self.tokens[end][0] == "word" and self.tokens[end - 1][0] == "number":
            text = re.sub(r"\W", "", self.at(end - 1)) + self.at(end)
            return self.add("code", first, end + 1, [], text, firm=False)
        return self._plain(first, end, value)

    def _out_of(self, end: int, value: float) -> tuple[float, int]:
        """The many of "one in many" or "two out of many", and where it ends; else 0."""
        out = self.at(end) == "out" and self.at(end + 1) == "of"
        if not out and not (self.at(end) == "in" and value <= 3):
            return 0.0, end
        start = end + 2 if out else end + 1
        if start < len(self.tokens) and self.at(start).isdecimal() and len(self.at(start)) < 8:
            many, stop = float(self.at(start)), start + 1
        else:
            many, stop = self._in_words(start)
        fits = stop > start and value < many <= (1e6 if value == 1 else 100)
        known = self.words
        if not fits or self.at(stop) in known.units or self.at(stop) in known.months:
            return 0.0, end
        return many, stop

    def _plain(self, first: int, end: int, value: float) -> int:
        many, stop = self._out_of(end, value)
        if many:
            if self.at(end) == "out":  # four out of five: five stays a number to compare with
                self.add("number", stop - 1, stop, [Atom("", many, many)], amount_text(many), False)
            return self._share(first, stop, value / many)
        atoms = [Atom("", value, value)]
        text = self.at(first)
        if end == first + 1 and self.tokens[first][0] == "number":
            point = text.find(".")
            if _THOUSANDS.fullmatch(text):
                atoms.append(Atom("", value * 1000, value * 1000))
            if 0 < point < 3 and len(text) - point == 3 and self.at(first - 1) in _AT:
                minutes = round((value - int(value)) * 100)
                if value < 24 and minutes < 60:
                    return self._clock(first, end, int(value) * 60 + minutes)
        multiple = self.at(end) in ("times", "fold", "x")
        normal = amount_text(value)
        return self.add("number", first, end, atoms, normal, value not in (0, 1), multiple)

    def _money(self, first: int, end: int, value: float, code: str, factor: float) -> int:
        amount = value * factor
        atoms = [Atom(code, amount, value)]
        if any(_THOUSANDS.fullmatch(self.at(index)) for index in range(first, end)):
            atoms.append(Atom(code, amount * 1000, value * 1000))
        return self.add("money", first, end, atoms, f"{amount_text(amount)} {code}")

    def _quantity(
        self, first: int, end: int, value: float, dimension: str, factor: float, firm: bool = True
    ) -> int:
        """An amount of a unit. One of a unit in words ("one day") is doubtful."""
        amount = value * factor
        firm = firm and not (value == 1 and self.at(first)[:1].isalpha())
        while True:  # two hours and ten minutes, 5 feet 3 inches, an hour and a half
            index = end + 1 if self.at(end) in ("and", ",") else end
            if self.at(end) == "and" and self.at(index) in ("a", "half"):
                index += self.at(index) == "a"
                part = self.words.parts.get(self.at(index))
                if not part:
                    break
                amount, value, end = amount + factor / part, value + 1 / part, index + 1
                firm = True
                continue
            if self.at(end) == ",":
                break
            if index < len(self.tokens) and self.tokens[index][0] == "number":
                if len(self.at(index)) > 6:
                    break
                extra, stop = parse_digits(self.at(index)), index + 1
            else:
                extra, stop = self._in_words(index)
            unit = self.words.units.get(self.at(stop)) if stop > index else None
            below = {1.0: 0.01, 0.3048: 0.0254}.get(factor) if dimension == "m" else None
            if not unit and below and stop > index == end and 0 < extra < 100:
                amount, end = amount + extra * below, stop  # one metre ninety-six
                break
            if not unit or unit[0] != dimension or unit[1] >= factor or dimension == "%":
                break
            factor = unit[1]
            amount, end, firm = amount + extra * factor, stop + 1, True
        if dimension == "degree":
            if self.at(first - 1) == "minus" or (
                self.at(first - 1) in ("-", "−") and self.touches(first) > self.touches(first - 1)
            ):
                amount, first = -amount, first - 1
            elif self.at(end) == "below":
                amount = -amount
        kind = "percentage" if dimension == "%" else "quantity"
        text = f"{amount_text(amount)} {dimension}"
        atoms = [Atom(dimension, amount, value)]
        if dimension == "%":
            atoms.append(Atom("", amount / 100, value))
        return self.add(kind, first, end, atoms, text, firm)

    def _ordinal(self, first: int, end: int, value: float) -> int:
        if self.at(end) in ("hundredth", "thousandth"):
            value, end = value * self.words.ordinals[self.at(end)], end + 1
        stop = end + (self.at(end) == "-")
        if self.at(stop) in ("century", "centuries"):
            atoms = [Atom("century", value, value)]
            return self.add("date", first, stop + 1, atoms, f"century {value:g}")
        month = self._month(end + 1 if self.at(end) == "of" else end)
        if month and 1 <= value <= 31:
            return self._day_month(first, end, int(value), month)
        atoms = [Atom("nth", value, value), Atom("", 1 / value, 1 / value)]
        atoms.append(Atom("%", 100 / value, 100 / value))  # every third, a third of them
        return self.add("number", first, end, atoms, f"{value:g}", value > 2)

    # Dates and times

    def _decade(self, first: int, end: int, value: float) -> int:
        atoms = [Atom("decade", value, value)]
        if value % 100 == 0:
            atoms.append(Atom("century", value // 100 + 1, value))
        return self.add("date", first, end, atoms, f"{value:g}s")

    def _month(self, position: int) -> int:
        """The month that a token names beside a day or a year, or 0."""
        if position >= len(self.tokens):
            return 0
        found = self.words.months.get(self.at(position))
        return found[0] if found and self._capital(position) else 0

    def _capital(self, position: int) -> bool:
        return self.text[self.tokens[position][2]].isupper() or len(self.at(position)) > 4

    def _year_at(self, position: int) -> int | None:
        if position < len(self.tokens) and self.tokens[position][0] == "number":
            text = self.at(position)
            if text.isdecimal() and len(text) == 4 and "1000" <= text <= "2199":
                return int(text)
        return None

    def _day_month(self, first: int, end: int, day: int, month: int) -> int:
        """A day, then its month: 3 March 2024, the third of May."""
        end += 2 if self.at(end) == "of" else 1
        if self.at(end) == "." and self._year_at(end + 1):
            end += 1
        stop = end + 1 if self.at(end) in (",", "of") else end
        year = self._year_at(stop)
        return self._date(first, stop + 1 if year else end, year, month, day)

    def _date(
        self,
        first: int,
        end: int,
        year: int | None,
        month: int | None = None,
        day: int | None = None,
        firm: bool = True,
    ) -> int:
        parts = [("year", year), ("month", month), ("day", day)]
        atoms = [Atom(name, part, part) for name, part in parts if part]
        text = f"{year or '-'}"
        if month:
            text += f"-{month:02d}"
        if day:
            text += f"-{day:02d}"
        return self.add("date", first, end, atoms, text, firm)

    def _month_word(self, position: int) -> int:
        """A month, with the day or year that follows it: March 3rd, March 2024, in March."""
        number, sure = self.words.months[self.at(position)]
        end = position + 1
        if self.at(end) == "." and len(self.at(position)) <= 4 and self.touches(end):
            end += self.at(position) not in ("may", "june", "july")
        day: int | None = None
        stop = end + 1 if self.at(end) == "the" else end
        if stop < len(self.tokens) and self.tokens[stop][0] == "number":
            text = self.at(stop)
            if text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 31:
                if self.at(stop + 1) in _ORDINAL_ENDS and self.touches(stop + 1):
                    day, end = int(text), stop + 2
                elif self.at(stop + 1) not in (":", "/") and not (
                    self.at(stop + 1) == "%" or self.at(stop + 1) in self.words.units
                ):
                    day, end = int(text), stop + 1
        elif self.at(stop) in self.words.ordinals:
            day, end = self.words.ordinals[self.at(stop)], stop + 1
        stop = end + 1 if self.at(end) in (",", "of") else end
        year = self._year_at(stop)
        upper = self.text[self.tokens[position][2]].isupper()
        if not day and not year and not (sure and upper):
            if len(self.at(position)) < 4 and not (upper and self.at(position) == "may"):
                return position + 1
            firm = upper and self.at(position - 1) in _BEFORE_MONTH
            self._date(position, position + 1, None, number, None, firm)
            self.used[position] = upper and position > 0
            return position + 1
        if not self._capital(position):
            return position + 1
        return self._date(position, stop + 1 if year else end, year, number, day)

    def _clock_after(self, first: int, end: int, value: float) -> int:
        """A time of day after an hour: 5 pm, seven in the morning, six o'clock."""
        if not (0 <= value <= 24):
            return 0
        word = self.at(end)
        if word in _HALVES or (
            word in ("p", "a") and self.at(end + 1) == "." and self.at(end + 2) == "m"
        ):
            if word in _HALVES:
                half, stop = _HALVES[word], end + 1
            else:
                half, stop = 720 if word == "p" else 0, end + 3
            hour, minutes = divmod(round(value * 100), 100)
            if value == int(value):
                hour, minutes = int(value), 0
            if word == "am" and self.touches(end) is False and not words_digit(self.at(end - 1)):
                return 0
            return self._clock(first, stop, (hour % 12) * 60 + minutes + half, sure=True)
        if word in ("o'clock", "o’clock"):
            return self._clock(first, end + 1, value * 60)
        daytime = _DAYTIMES.get(self.at(end + 2)) if word == "in" else None
        if daytime is not None and value <= 12 and value == int(value):
            return self._clock(first, end, (value % 12) * 60 + daytime, sure=True)
        return 0

    def _clock_digits(self, position: int) -> int:
        hour, minute = (int(part) for part in self.at(position).split(":")[:2])
        end = position + 1
        half = _HALVES.get(self.at(end))
        if half is not None:
            return self._clock(position, end + 1, (hour % 12) * 60 + minute + half, sure=True)
        return self._clock(position, end, hour * 60 + minute, sure=hour > 12 or hour == 0)

    def _clock(self, first: int, end: int, minutes: float, sure: bool = False) -> int:
        """A time of day; one that is not sure can be twelve hours later."""
        minutes %= 1440
        hour = minutes // 60
        atoms = [Atom("clock" if sure else "clock12", minutes, hour % 12 or 12)]
        return self.add("time", first, end, atoms, f"{hour:02.0f}:{minutes % 60:02.0f}")

    # Words

    def _word(self, position: int) -> int:
        word = self.at(position)
        known = self.words
        if word in known.numbers:
            value, end = self._in_words(position)
            return self._number_words(position, end, value)
        if word in known.holds:
            return self._holding(position, word)
        if word in known.parts:
            return self._part(position, word)
        if word in known.ordinals:
            return self._ordinal(position, position + 1, known.ordinals[word])
        if word in known.scales or word in known.decades:
            return self._vague(position, word)
        if word in known.months:
            return self._month_word(position)
        if word in known.weekdays:
            return self._weekday(position, word)
        if word in known.units:
            if len(word) < 3:
                return position + 1
            end = self._quantity(position, position + 1, 1.0, *known.units[word])
            self.used[position] = 0
            return end
        if word in known.currencies and len(word) > 2:
            code, factor = known.currencies[word]
            self.add("money", position, position + 1, [Atom(code, factor, 1.0)], code, False)
            self.used[position] = 0
            return position + 1
        if word in ("noon", "midday", "midnight"):
            minutes = 0.0 if word == "midnight" else 720.0
            return self._clock(position, position + 1, minutes, sure=True)
        if word in _FRACTIONS:
            return self._share(position, position + 1, _FRACTIONS[word])
        if word in _DAYTIMES:
            self.add("daytime", position, position + 1, [], str(_DAYTIMES[word]), firm=False)
            self.used[position] = 0
        return position + 1

    def _number_words(self, first: int, end: int, value: float) -> int:
        """A number in words, with an ordinal that ends it: twenty-first."""
        gap = 1 if self.at(end) == "-" and self.touches(end) else 0
        ordinal = self.words.ordinals.get(self.at(end + gap))
        if ordinal and ordinal < 10 and value >= 20 and value % 10 == 0:
            return self._ordinal(first, end + gap + 1, value + ordinal)
        if ordinal and ordinal >= 100:
            return self._ordinal(first, end + gap + 1, value * ordinal)
        return self._after_number(first, end, value, words_only=True)

    def _holding(self, position: int, word: str) -> int:
        """A word that holds a number (dozen, twice), or an article before a scale or a unit."""
        value, firm = self.words.holds[word]
        end = position + 1
        if word in ("a", "an", "one"):
            follower = self.at(end)
            if follower in self.words.scales:
                number, stop = self._in_words(end, after_article=True)
                return self._after_number(position, stop, number, words_only=True)
            if follower == "dozen":
                return self._with_unit(position, end + 1, 12.0, True)
            if follower in self.words.parts and follower not in ("second",):
                ordinal, after = self.words.ordinals.get(follower), self.at(end + 1)
                if ordinal and after.isalpha() and after not in _AFTER_SHARE:
                    return self._ordinal(end, end + 1, ordinal)  # a third attempt
                share = 1 / self.words.parts[follower]
                return self._share(position, end + 1, share)
            if follower in ("score", "gross", "pair", "couple"):
                return position + 1
            if follower in self.words.units and len(follower) > 1:
                dimension, factor = self.words.units[follower]
                return self._quantity(position, end + 1, 1.0, dimension, factor)
            if word != "one":
                return position + 1
        if word == "couple" and self.at(end) == "of":
            unit = self.words.units.get(self.at(end + 1))
            if unit:
                atoms = [Atom(unit[0], 2 * unit[1], 2.0)]
                return self.add(
                    "quantity", position, end + 2, atoms, f"{2 * unit[1]:g} {unit[0]}", False
                )
        multiple = word in _MULTIPLES
        atoms = [Atom("", value, value)]
        if multiple:
            atoms.append(Atom("%", 100 * (value - 1), value))
        self.add("number", position, end, atoms, amount_text(value), firm or multiple, multiple)
        if not firm:
            self.used[position] = 0
        return end

    def _part(self, position: int, word: str) -> int:
        """A part without a number before it: half, a third; or the ordinal."""
        share = 1 / self.words.parts[word]
        if word in ("half", "quarter"):
            return self._share(position, position + 1, share)
        if word in self.words.ordinals:
            return self._ordinal(position, position + 1, self.words.ordinals[word])
        self.add(
            "number", position, position + 1, [Atom("", share, share)], amount_text(share), False
        )
        return position + 1

    def _vague(self, position: int, word: str) -> int:
        """Hundreds, millions; the nineties."""
        value = self.words.scales.get(word)
        if value is None:
            value = float(self.words.decades[word])
            atoms = [Atom("decade", 1900 + value, value), Atom("", value, value)]
        else:
            atoms = [Atom("", value, value)]
        return self.add("number", position, position + 1, atoms, amount_text(value), firm=False)

    def _weekday(self, position: int, word: str) -> int:
        number, sure = self.words.weekdays[word]
        upper = self.text[self.tokens[position][2]].isupper()
        if not sure and not upper:
            return position + 1
        atoms = [Atom("weekday", number, number)]
        return self.add("date", position, position + 1, atoms, f"weekday {number}", sure and upper)


def words_digit(text: str) -> bool:
    """Whether a token is in digits."""
    return text[:1].isdigit()


# Names

_MOST_CAPITALS = 0.6  # a text with a larger share of capitals is a title or shouted


class _Name(NamedTuple):
    """A run of words with a capital that is being read."""

    tokens: list[int]
    initial: bool  # whether its first word starts a sentence


def _names(text: str, tokens: Tokens, used: bytearray) -> tuple[list[Reading], bool]:
    """Runs of words with a capital, and whether capitals say which words are names."""
    known = words()
    found: list[Reading] = []
    inner = capitals = 0  # words inside sentences, and those of them with a capital
    initial = True
    run = _Name([], False)
    previous_end = 0
    for index, (group, lower, start, end) in enumerate(tokens):
        if group != "word" and group != "abbreviation":
            if lower == "." and index and _is_short(tokens[index - 1][1]):
                pass
            elif lower in _ENDING:
                run = _close(text, tokens, run, found)
                initial = lower != "-"
            elif lower in _OPENING and start > previous_end:
                run = _close(text, tokens, run, found)
                initial = True
            else:
                run = _close(text, tokens, run, found)
                initial = False
            previous_end = end
            continue
        if start - previous_end > 1 and "\n" in text[previous_end:start]:
            run = _close(text, tokens, run, found)
            initial = True
        previous_end = end
        upper = text[start].isupper()
        if not initial and lower != "i":
            inner += 1
            capitals += upper
        if not upper or used[index] or (lower in known.common and not initial):
            run = _close(text, tokens, run, found)
        else:
            if not run.tokens:
                run = _Name([], initial)
            run.tokens.append(index)
        initial = False
    _close(text, tokens, run, found)
    return found, capitals <= _MOST_CAPITALS * inner


def _close(text: str, tokens: Tokens, run: _Name, found: list[Reading]) -> _Name:
    """Adds a finished run to the names found. A function word that starts it is left out."""
    inside, initial = run
    if inside and initial and tokens[inside[0]][1] in words().common:
        inside, initial = inside[1:], False
    if inside:
        start, end = tokens[inside[0]][2], tokens[inside[-1]][3]
        if text[end - 2 : end] in ("'s", "’s"):
            end -= 2
        normal = " ".join(tokens[index][1].rstrip("'’") for index in inside)
        firm = len(inside) > 1 or not initial
        found.append(Reading("name", start, end, (), normal, firm, False, initial))
    return _Name([], False)


def _is_short(word: str) -> bool:
    """Whether a full stop after a word belongs to it: an initial or a title."""
    return len(word) == 1 or word in words().titles
