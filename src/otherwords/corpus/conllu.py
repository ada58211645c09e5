"""CoNLL-U: sentences that a parser or an annotator has tokenised, tagged and parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from otherwords.errors import InputError
from otherwords.io.files import read_lines
from otherwords.text.sentence import Sentence

_COLUMNS = 10
_UNKNOWN = "_"
_ID = re.compile(r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")
_HEAD = re.compile(r"[0-9]{1,9}")
_TEXT = re.compile(r"#\s*text\s*= ?(.*)", re.DOTALL)
_SPACE = re.compile(r"\s+")
_Span = tuple[int, int]


def read_conllu(path: str | Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file, one at a time; each block is a segment.

    The syntactic words are the tokens; empty nodes (`1.1`) are left out, and white space
    inside a word becomes `_`. A layer that is `_` throughout a sentence is not known; of one
    that is known in part,

    - lemmas: a word without one is its own lemma;
    - tags are XPOS if every word has it, else UPOS if every word has it, else not known,
      so that no sentence mixes two tag sets;
    - heads: an error, because half a tree is no tree;
    - relations: a word without one gets `dep`.

    The text is that of `# text = ` when the forms are found in it, in order, else the words
    joined by spaces. The words of a multiword token have separate places if together
    they spell it (`can` + `not`), else they share its place (`de` + `el` in `del`).

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "text.conllu")
    ...     _ = path.write_text('1\\tCats\\tcat\\tNOUN\\tNNS\\t_\\t0\\troot\\t_\\t_\\n\\n')
    ...     [sentence.lemmas for sentence in read_conllu(path)]
    [('cat',)]
    """
    yield from sentences(read_lines(path), str(path))


def sentences(lines: Iterable[str], name: str) -> Iterator[Sentence]:
    """Parse the lines of a CoNLL-U file into sentences."""
    for block in blocks(enumerate(lines, 1)):
        yield build(block, [parse_line(line, name, number) for number, line in block.lines], name)


@dataclass
class Block:
    """The numbered lines between two blank lines: `text` from the comments, then the words."""

    number: int
    text: str | None = None
    lines: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line below the comments: a word, a multiword token (`range`) or an empty node."""

    line: int
    kind: str
    first: int
    last: int
    form: str
    lemma: str
    upos: str
    xpos: str
    head: int | None
    relation: str


def blocks(lines: Iterable[tuple[int, str]]) -> Iterator[Block]:
    """Split numbered lines into blocks at blank lines."""
    block: Block | None = None
    for number, line in lines:
        if not line or line.isspace():
            if block:
                yield block
            block = None
            continue
        block = block or Block(number)
        if line.startswith("#"):
            match = _TEXT.fullmatch(line)
            block.text = match[1] if match else block.text
        else:
            block.lines.append((number, line))
    if block:
        yield block


def parse_line(line: str, path: str, number: int) -> Entry:
    """Parse the ten columns of a line, each checked separately."""
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise InputError(_wrong_columns(line), path=path, line=number, code="E301")
    match = _ID.fullmatch(columns[0])
    if not match:
        message = f"ID must be a number such as 3, 3-4 or 3.1; found {columns[0]!r}"
        raise InputError(message, path=path, line=number, code="E302")
    form, lemma, upos, xpos = (_SPACE.sub("_", column.strip()) for column in columns[1:5])
    kind = {None: "word", "-": "range", ".": "empty"}[match[2]]
    if not form:
        raise InputError("FORM is empty", path=path, line=number, code="E308")
    head = _head(columns[6], path, number) if kind == "word" else None
    first = int(match[1])
    last = int(match[3]) if kind == "range" else first
    relation = columns[7].strip()
    if kind == "range":
        form = columns[1].strip()
    return Entry(number, kind, first, last, form, lemma, upos, xpos, head, relation)


def _wrong_columns(line: str) -> str:
    count = line.count("\t") + 1
    if count == 1 and len(line.split()) == _COLUMNS:
        return "the columns are separated by spaces; CoNLL-U needs tabs"
    if line.lstrip().startswith(("{", "<")):
        kind = "JSON" if line.lstrip().startswith("{") else "XML"
        return f"this looks like {kind}; CoNLL-U has {_COLUMNS} columns, separated by tabs"
    plural = "column" if count == 1 else "columns"
    return f"{count} {plural} where CoNLL-U has {_COLUMNS}, separated by tabs"


def _head(column: str, path: str, number: int) -> int | None:
    if column in ("", _UNKNOWN):
        return None
    if not _HEAD.fullmatch(column):
        message = f"HEAD must be the number of a word, or 0 for the root; found {column!r}"
        raise InputError(message, path=path, line=number, code="E304")
    return int(column)


def build(block: Block, entries: Sequence[Entry], path: str) -> Sentence:
    """Build the sentence of a block and check it as a whole."""
    check_ids(entries, path)
    words = [entry for entry in entries if entry.kind == "word"]
    if not words:
        message = "a block without words; CoNLL-U cannot hold an empty sentence"
        raise InputError(message, path=path, line=block.number, code="E307")
    heads = _heads(words, path)
    relations = _fill([word.relation for word in words], ["dep"] * len(words))
    tokens = tuple(word.form for word in words)
    text, spans = _place(block, entries)
    return Sentence(
        text=text,
        tokens=tokens,
        spans=spans,
        tags=_complete(word.xpos for word in words) or _complete(word.upos for word in words),
        lemmas=_fill([word.lemma for word in words], tokens),
        heads=heads,
        relations=None if heads is None else relations,
    )


def check_ids(entries: Iterable[Entry], path: str) -> None:
    """Check that words count from 1, ranges precede their first word, and none overlap."""
    words = 0
    last = Entry(0, "range", 0, 0, "", "", "", "", None, "")
    for entry in entries:
        words += entry.kind == "word"
        expected = words + (entry.kind == "range")
        if entry.first != expected:
            message = f"the IDs are out of order: found {entry.first}, expected {expected}"
            raise InputError(message, path=path, line=entry.line, code="E303")
        if entry.kind == "range":
            if not last.last < entry.first <= entry.last:
                message = f"the range {entry.first}-{entry.last} runs backwards or overlaps another"
                raise InputError(message, path=path, line=entry.line, code="E303")
            last = entry
    if last.last > words:
        message = f"the range {last.first}-{last.last} ends after the last word, {words}"
        raise InputError(message, path=path, line=last.line, code="E303")


def _heads(words: Sequence[Entry], path: str) -> tuple[int, ...] | None:
    known = [word.head for word in words if word.head is not None]
    if not known:
        return None
    for word in words:
        if word.head is None:
            message = "HEAD is missing here, though other words of the sentence have one"
            raise InputError(message, path=path, line=word.line, code="E304")
        if word.head > len(words):
            message = f"HEAD is {word.head}, but the sentence has {len(words)} words"
            raise InputError(message, path=path, line=word.line, code="E305")
    heads = tuple(head - 1 for head in known)
    circle = _circle(heads)
    if circle is not None:
        message = f"the heads of word {circle + 1} lead back to itself"
        raise InputError(message, path=path, line=words[circle].line, code="E306")
    return heads


def _circle(heads: Sequence[int]) -> int | None:
    """A token whose chain of heads never reaches the root."""
    safe = [False] * len(heads)
    for start in range(len(heads)):
        trail: list[int] = []
        seen: set[int] = set()
        token = start
        while token >= 0 and not safe[token]:
            if token in seen:
                return token
            seen.add(token)
            trail.append(token)
            token = heads[token]
        for token in trail:
            safe[token] = True
    return None


def _complete(column: Iterable[str]) -> tuple[str, ...] | None:
    values = tuple(column)
    return None if "" in values or _UNKNOWN in values else values


def _fill(column: Sequence[str], instead: Sequence[str]) -> tuple[str, ...] | None:
    if all(value in ("", _UNKNOWN) for value in column):
        return None
    pairs = zip(column, instead, strict=True)
    return tuple(other if value in ("", _UNKNOWN) else value for value, other in pairs)


def _place(block: Block, entries: Sequence[Entry]) -> tuple[str, tuple[_Span, ...]]:
    units = [entry for entry in entries if entry.kind != "empty"]
    if block.text is not None:
        spans = _find(units, block.text)
        if spans is not None:
            return block.text, spans
    plain = Sentence.from_tokens([entry.form for entry in units if entry.kind == "word"])
    return plain.text, plain.spans


def _find(units: Sequence[Entry], text: str) -> tuple[_Span, ...] | None:
    spans: list[_Span] = []
    end = 0
    position = 0
    while position < len(units):
        unit = units[position]
        count = unit.last - unit.first + 1
        span = _search(unit.form, text, end)
        if span is None:
            return None
        end = span[1]
        position += 1
        if unit.kind == "range":
            words = [word.form for word in units[position : position + count]]
            spans += _within(words, unit.form, span)
            position += count
        else:
            spans.append(span)
    return tuple(spans)


def _search(form: str, text: str, start: int) -> _Span | None:
    place = text.find(form, start)
    if place >= 0:
        return place, place + len(form)
    # White space inside a word became "_".
    pattern = re.escape(form).replace("_", r"[_\s]")
    match = re.compile(pattern).search(text, start) if "_" in form else None
    return match.span() if match else None


def _within(words: Sequence[str], form: str, span: _Span) -> list[_Span]:
    if "".join(words) != form:
        return [span] * len(words)
    spans = []
    start = span[0]
    for word in words:
        spans.append((start, start + len(word)))
        start += len(word)
    return spans


def write_conllu(parsed: Iterable[Sentence]) -> Iterator[str]:
    r"""The lines of a CoNLL-U file, without line ends; a blank line follows each sentence.

    Tags go to XPOS. Words that share a place in the text become a multiword token.

    >>> it = Sentence("It's.", ("It", "'s", "."), ((0, 2), (2, 4), (4, 5)))
    >>> print(*write_conllu([it]), sep="\n")
    # text = It's.
    1	It	_	_	_	_	_	_	_	SpaceAfter=No
    2	's	_	_	_	_	_	_	_	SpaceAfter=No
    3	.	_	_	_	_	_	_	_	_
    <BLANKLINE>
    """
    for number, sentence in enumerate(parsed, 1):
        if not sentence.tokens:
            raise InputError(f"segment {number} is empty; CoNLL-U cannot hold an empty sentence")
        yield "# text = " + sentence.text.translate({10: " ", 13: " "})
        yield from _word_lines(sentence)
        yield ""


def _word_lines(sentence: Sentence) -> Iterator[str]:
    column = _columns(sentence)
    shared_until = 0
    for token, span in enumerate(sentence.spans):
        after = token + 1
        while after < len(sentence.spans) and sentence.spans[after] == span:
            after += 1
        if token >= shared_until and after > token + 1:
            shared_until = after
            form = _field(sentence.text[slice(*span)])
            yield f"{token + 1}-{after}\t{form}" + "\t_" * 7 + "\t" + _misc(sentence, after)
        misc = _UNKNOWN if token < shared_until else _misc(sentence, after)
        yield "\t".join((str(token + 1), *column(token), _UNKNOWN, misc))


def _columns(sentence: Sentence) -> Callable[[int], tuple[str, ...]]:
    """FORM to DEPREL of a token."""

    def layer(values: Sequence[str] | None, token: int) -> str:
        return _UNKNOWN if values is None else _field(values[token])

    def columns(token: int) -> tuple[str, ...]:
        head = _UNKNOWN if sentence.heads is None else str(sentence.heads[token] + 1)
        lemma, tag = layer(sentence.lemmas, token), layer(sentence.tags, token)
        relation = layer(sentence.relations, token)
        return (sentence.tokens[token], lemma, _UNKNOWN, tag, _UNKNOWN, head, relation)

    return columns


def _field(value: str) -> str:
    return _SPACE.sub(" ", value).strip() or _UNKNOWN


def _misc(sentence: Sentence, after: int) -> str:
    """The MISC column: `SpaceAfter=No` if no white space precedes the token `after`."""
    if after == len(sentence.tokens):
        return _UNKNOWN
    touches = sentence.spans[after - 1][1] == sentence.spans[after][0]
    return "SpaceAfter=No" if touches else _UNKNOWN
