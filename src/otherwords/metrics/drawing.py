"""Explanations drawn for readers: what two texts say of each other, as HTML and as plain text.

    page = f"<style>{drawing.CSS}</style>" + drawing.draw(result.explain(0))

Each verdict has one colour and one sign, in all drawings: the same words are plain; other words for
the same green (~); missing and added words amber (- and +); contradicted words red (!). Grey (?)
stands where a metric does not decide. In HTML, words that belong together have the same number, and
pointing at one highlights the other. There is no script, style attribute or id, so that a page with
a strict content policy may have any number of fragments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from otherwords.metrics.base import SIDES, Explanation, Span, Verdict

LIT = 60  # matches of a drawing that are highlighted together; further ones only have numbers
FAULTS: tuple[Verdict, ...] = ("contradicted", "missing", "added")


class Look(NamedTuple):
    """How words with a verdict are drawn; colours are backgrounds in light and in dark mode."""

    sign: str
    name: str
    light: str
    dark: str
    line: str


# Where spans overlap, the first of these verdicts counts. The same words are not marked.
LOOKS: Mapping[Verdict, Look] = {
    "contradicted": Look("!", "contradicted", "#fbd3d3", "#6a1e1e", "wavy"),
    "missing": Look("-", "missing", "#fde6ae", "#574008", "dashed"),
    "added": Look("+", "added", "#fde6ae", "#574008", "dotted"),
    "equivalent": Look("~", "other words", "#d3f0d3", "#1e4620", "solid"),
    "unknown": Look("?", "unclear", "#e8e8e8", "#3d3d3d", "dotted"),
}
_PRIORITY = {verdict: place for place, verdict in enumerate((*LOOKS, "same"))}
_LAYER = re.compile(r"(\d+-gram|pivot [^,:]+), (.*)", re.DOTALL)
_WORDS = re.compile(r"\w[\w'’-]*(?:\s+\w[\w'’-]*)*")
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def _colours(dark: bool) -> str:
    return "".join(
        f" --ow-{verdict}: {look.dark if dark else look.light};" for verdict, look in LOOKS.items()
    )


def _rules() -> str:
    looks = "\n".join(
        f".ow-spans .ow-{verdict} {{ background: var(--ow-{verdict}); "
        f"text-decoration-style: {look.line}; }}\n"
        f'.ow-spans .ow-{verdict}::before {{ content: "{look.sign}\\2060"; }}'  # no break after it
        for verdict, look in LOOKS.items()
    )
    lit = ",\n".join(
        f".ow-pair:has(.ow-m{number}:hover) .ow-m{number}" for number in range(1, LIT + 1)
    )
    return f"{looks}\n{lit} {{ outline: 2px solid var(--ow-line); }}\n"


CSS = f"""\
.ow-spans {{ --ow-ink: #1b1b1b; --ow-faint: #5c5c5c; --ow-line: #767676;{_colours(False)}
  color: var(--ow-ink); line-height: 1.7; }}
@media (prefers-color-scheme: dark) {{
.ow-spans {{ --ow-ink: #eeeeee; --ow-faint: #b5b5b5; --ow-line: #8e8e8e;{_colours(True)} }}
}}
.ow-spans p, .ow-spans ul {{ margin: 0.1em 0; }}
.ow-pair {{ border-left: 3px solid var(--ow-line); padding-left: 0.8em; margin: 0.6em 0; }}
.ow-text {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.1em; }}
.ow-label, .ow-none, .ow-spans summary, .ow-spans small {{
  color: var(--ow-faint); font-size: 0.85em; }}
.ow-spans mark, .ow-legend span {{ color: inherit; border-radius: 3px; padding: 0 0.1em;
  text-decoration-line: underline; text-decoration-color: var(--ow-line);
  text-underline-offset: 0.25em; }}
.ow-spans mark::before, .ow-legend span::before {{ font-size: 0.8em; margin-right: 0.15em;
  color: var(--ow-faint); }}
.ow-legend span {{ font-size: 0.8em; padding: 0 0.3em; }}
.ow-spans sup {{ font-size: 0.65em; line-height: 0; margin-left: 0.15em; color: var(--ow-faint);
  user-select: none; }}
.ow-numbers {{ display: flex; flex-wrap: wrap; gap: 0 1.2em; margin: 0.2em 0; font-size: 0.9em; }}
.ow-numbers dt {{ color: var(--ow-faint); line-height: 1.2; }}
.ow-numbers dd {{ margin: 0; font-variant-numeric: tabular-nums; }}
.ow-spans table {{ border-collapse: collapse; font-size: 0.9em; }}
.ow-spans th, .ow-spans td {{ padding: 0.1em 0.7em 0.1em 0; text-align: left;
  vertical-align: top; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }}
.ow-spans th {{ color: var(--ow-faint); font-weight: normal; }}
{_rules()}"""


# What is drawn


def layer_of(kind: str) -> tuple[str, str]:
    """The layer that a match belongs to, and its kind within the layer.

    Each order of n-grams and each pivot language has its own layer, as they cover the same words.
    """
    if match := _LAYER.fullmatch(kind):
        return match.group(1), match.group(2)
    return ("dependencies", kind) if kind == "dependency" else ("", kind)


def layers_of(explanation: Explanation, place: int) -> dict[str, list[Span]]:
    """The spans to draw of the hypothesis and a reference, by layer; neighbours are joined."""
    texts = explanation.hypothesis, explanation.references[place]
    layers: dict[str, list[Span]] = {}
    for span in explanation.matches[place] if place < len(explanation.matches) else ():
        layers.setdefault(layer_of(span.kind)[0], []).append(span)
    layers = {name: join_phrases(spans, *texts) for name, spans in layers.items()} or {"": []}
    if explanation.matches_all:
        layers = {name: [*s, *find_unmatched(s, *texts)] for name, s in layers.items()}
    return layers


def join_phrases(spans: Iterable[Span], hypothesis: str, reference: str) -> list[Span]:
    """The spans in the order of the hypothesis, with neighbours of the same verdict as one.

    >>> words = [Span("word", "same", 1, (0, 1), (0, 1), "a", "a"),
    ...          Span("word", "same", 1, (2, 5), (2, 5), "cat", "cat")]
    >>> [span.hypothesis_text for span in join_phrases(words, "a cat", "a cat")]
    ['a cat']
    """
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.hypothesis, span.reference)):
        last = joined[-1] if joined else span
        near = (
            last is not span
            and last.verdict == span.verdict not in FAULTS
            and _touch(last.hypothesis, span.hypothesis, hypothesis)
            and _touch(last.reference, span.reference, reference)
        )
        if near:
            left = last.hypothesis[0], max(last.hypothesis[1], span.hypothesis[1])
            right = last.reference[0], max(last.reference[1], span.reference[1])
            joined[-1] = replace(
                last,
                kind=last.kind if last.kind == span.kind else "phrase",
                weight=min(last.weight, span.weight),
                hypothesis=left,
                reference=right,
                hypothesis_text=hypothesis[slice(*left)],
                reference_text=reference[slice(*right)],
            )
        else:
            joined.append(span)
    return joined


def _touch(first: tuple[int, int], second: tuple[int, int], text: str) -> bool:
    """Whether no word stands between two spans."""
    return first[0] <= second[0] and not any(map(str.isalnum, text[first[1] : second[0]]))


def find_unmatched(spans: Sequence[Span], hypothesis: str, reference: str) -> Iterator[Span]:
    """Words that no span has: those of the reference are missing, those of the hypothesis added."""
    for text, verdict in ((reference, "missing"), (hypothesis, "added")):
        free = list(text)
        for span in spans:
            begin, end = span.reference if verdict == "missing" else span.hypothesis
            free[begin:end] = "\0" * (end - begin)
        for words in _WORDS.finditer("".join(free)):
            place = words.span()
            if verdict == "missing":
                yield Span("no match", "missing", 1.0, (0, 0), place, "", words.group())
            else:
                yield Span("no match", "added", 1.0, place, (0, 0), words.group(), "")


def cut(text: str, places: Sequence[tuple[int, int]], spans: Sequence[Span]) -> list[_Piece]:
    """The text in pieces, each with the number of the span that marks it, if any."""
    ends = {min(max(end, 0), len(text)) for place in places for end in place}
    by_priority = sorted(
        range(len(spans)), key=lambda n: (_PRIORITY[spans[n].verdict], -spans[n].weight)
    )
    pieces: list[_Piece] = []
    for begin, end in pairwise(sorted({0, len(text)} | ends)):
        inside = (n for n in by_priority if places[n][0] <= begin and end <= places[n][1])
        number = next(inside, None)
        if number is not None and spans[number].verdict == "same":
            number = None
        if pieces and pieces[-1].number == number:
            begin -= len(pieces.pop().text)
        pieces.append(_Piece(text[begin:end], number))
    return [part for piece in pieces for part in _trim(piece)]


def _trim(piece: _Piece) -> Iterator[_Piece]:
    """A marked piece without the white space and commas around it, which are not marked."""
    word = piece.text.strip(" \t\r\n,;:")
    if piece.number is None or word in ("", piece.text):
        yield piece
        return
    begin = piece.text.find(word)
    for text, number in (
        (piece.text[:begin], None),
        (word, piece.number),
        (piece.text[begin + len(word) :], None),
    ):
        if text:
            yield _Piece(text, number)


class _Piece(NamedTuple):
    text: str
    number: int | None


def reasons(explanation: Explanation, place: int = 0) -> list[str]:
    """What is contradicted, missing or added, one sentence each."""
    spans = explanation.matches[place] if place < len(explanation.matches) else ()
    faults = (span for span in spans if span.verdict in FAULTS)
    return list(dict.fromkeys(span.sentence(explanation.against) for span in faults))


# Plain text


def text_lines(explanation: Explanation) -> Iterator[str]:
    """The texts with signs around marked words, what is wrong, and what the signs mean.

    >>> match = Span("number", "contradicted", 1.0, (8, 10), (8, 10), "30", "20")
    >>> explanation = Explanation("facts", 0.5, {}, "He paid 30.", ("He paid 20.",), ((match,),))
    >>> print("\\n".join(text_lines(explanation)))
    reference  He paid ![20].
    text       He paid ![30].
    The text says "30"; the reference says "20".
    (! contradicted)
    """
    mine, theirs = SIDES[explanation.against]
    width = max(len(mine), len(theirs)) + 2
    used: set[Verdict] = set()
    for place, reference in enumerate(explanation.references):
        spans = next(iter(layers_of(explanation, place).values()))
        for side, text, where in (
            (theirs, reference, _theirs(spans)),
            (mine, explanation.hypothesis, _mine(spans)),
        ):
            for line in _signed(text, where, spans):
                yield f"{side:<{width}}{line}"
                side = ""
        yield from reasons(explanation, place)
        used |= _drawn(explanation.hypothesis, reference, spans)
        if explanation.matches_all:
            yield from (_pair_line(span) for span in spans if _is_pair(span))
    if used:
        yield "({})".format(
            ", ".join(f"{LOOKS[v].sign} {LOOKS[v].name}" for v in LOOKS if v in used)
        )


def mark_hypothesis(explanation: Explanation) -> str:
    """The hypothesis with signs around the words that the first reference does not have."""
    spans = next(iter(layers_of(explanation, 0).values())) if explanation.references else []
    return " ".join(_signed(explanation.hypothesis, _mine(spans), spans))


def _mine(spans: Sequence[Span]) -> list[tuple[int, int]]:
    return [span.hypothesis for span in spans]


def _theirs(spans: Sequence[Span]) -> list[tuple[int, int]]:
    return [span.reference for span in spans]


def _drawn(hypothesis: str, reference: str, spans: Sequence[Span]) -> set[Verdict]:
    """The verdicts of words that are marked."""
    pieces = [*cut(hypothesis, _mine(spans), spans), *cut(reference, _theirs(spans), spans)]
    return {spans[piece.number].verdict for piece in pieces if piece.number is not None}


def _is_pair(span: Span) -> bool:
    return span.verdict != "same" and bool(span.hypothesis_text and span.reference_text)


def _pair_line(span: Span) -> str:
    words = f"{LOOKS[span.verdict].sign} {span.hypothesis_text} = {span.reference_text}"
    return f"{words}  [{layer_of(span.kind)[1]}, {_number(span.weight)}]"


def _signed(text: str, places: Sequence[tuple[int, int]], spans: Sequence[Span]) -> list[str]:
    """The lines of a text with signs around marked words, without those that are empty."""
    pieces = (
        piece if number is None else f"{LOOKS[spans[number].verdict].sign}[{piece}]"
        for piece, number in cut(text, places, spans)
    )
    lines = (" ".join(line.split()) for line in "".join(pieces).splitlines())
    return list(filter(None, lines)) or ["(empty)"]


# HTML


def draw(explanation: Explanation) -> str:
    """The explanation as an HTML fragment; `CSS` must be in the page.

    >>> match = Span("word", "equivalent", 1.0, (0, 1), (2, 3), "b", "B")
    >>> html = draw(Explanation("paraeval", 0.5, {}, "b c", ("a B",), ((match,),)))
    >>> '<mark class="ow-equivalent ow-m1" title="b = B (word)">b<sup>1</sup></mark> c' in html
    True
    """
    name, score = plain_html(explanation.metric), _number(explanation.score)
    parts = [
        f'<section class="ow-spans" role="group" aria-label="{name} {score}">',
        f'<p class="ow-score"><b>{name}</b> {score}</p>',
        _components(explanation.components),
        *(_pair(explanation, place) for place in range(len(explanation.references))),
        _details(explanation),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def plain_html(text: str) -> str:
    """Escape text for HTML and attributes; control characters become U+FFFD.

    >>> plain_html('<b "x">\\x00')
    '&lt;b &quot;x&quot;&gt;\\ufffd'
    """
    return escape(seen(text))


def seen(text: str) -> str:
    """Replace characters that HTML must not contain."""
    return _UNSEEN.sub("\ufffd", text)


def _pair(explanation: Explanation, place: int) -> str:
    """A drawing of the hypothesis and a reference, with further layers below it."""
    layers = layers_of(explanation, place)
    drawn = [_drawing(explanation, place, spans) for spans in layers.values()]
    rest = [
        f"<details><summary>{plain_html(name)}</summary>\n{drawing}\n</details>"
        for name, drawing in zip(list(layers)[1:], drawn[1:], strict=True)
    ]
    listed = "".join(f"<li>{plain_html(reason)}</li>" for reason in reasons(explanation, place))
    return "\n".join([drawn[0], f'<ul class="ow-reasons">{listed}</ul>' if listed else "", *rest])


def _drawing(explanation: Explanation, place: int, spans: Sequence[Span]) -> str:
    """Both texts with their marks, and the matches as a list."""
    hypothesis, reference = explanation.hypothesis, explanation.references[place]
    mine, theirs = SIDES[explanation.against]
    number = f" {place + 1} of {len(explanation.references)}"
    theirs += number if len(explanation.references) > 1 else ""
    numbers = _number_pairs(hypothesis, reference, spans)
    left = _mark_text(hypothesis, _mine(spans), spans, numbers)
    right = _mark_text(reference, _theirs(spans), spans, numbers)
    return "\n".join(
        [
            '<div class="ow-pair">',
            f'<p class="ow-label">{theirs}</p>',
            f'<p class="ow-text" dir="auto">{right}</p>',
            f'<p class="ow-label">{mine}</p>',
            f'<p class="ow-text" dir="auto">{left}</p>',
            _legend(_drawn(hypothesis, reference, spans)),
            _list([spans[place] for place in numbers]),
            "</div>",
        ]
    )


def _legend(used: Collection[Verdict]) -> str:
    """The verdicts in a drawing, each in its colour."""
    keys = [f'<span class="ow-{v}">{look.name}</span>' for v, look in LOOKS.items() if v in used]
    return f'<p class="ow-legend">{" ".join(keys)}</p>' if keys else ""


def _number_pairs(hypothesis: str, reference: str, spans: Sequence[Span]) -> dict[int, int]:
    """The numbers of the pairs of which a word is marked, by the place of the span."""
    pieces = [*cut(hypothesis, _mine(spans), spans), *cut(reference, _theirs(spans), spans)]
    marked = sorted({piece.number for piece in pieces if piece.number is not None})
    return {n: i for i, n in enumerate((n for n in marked if _is_pair(spans[n])), 1)}


def _list(pairs: Sequence[Span]) -> str:
    """The pairs of other words as a list, for readers who cannot see the marks."""
    if not pairs:
        return ""
    items = "\n".join(
        f"<li><bdi>{plain_html(span.hypothesis_text)}</bdi> = "
        f"<bdi>{plain_html(span.reference_text)}</bdi> "
        f"<small>{LOOKS[span.verdict].name}: {plain_html(_how(span))}</small></li>"
        for span in pairs
    )
    many = "1 pair" if len(pairs) == 1 else f"{len(pairs)} pairs"
    return (
        f'<details class="ow-list"><summary>{many} as a list</summary>\n<ol>\n{items}\n</ol>'
        "</details>"
    )


def _how(span: Span) -> str:
    weight = "" if span.weight == 1 else f", {_number(span.weight)}"
    return layer_of(span.kind)[1] + weight


def _mark_text(
    text: str,
    places: Sequence[tuple[int, int]],
    spans: Sequence[Span],
    numbers: Mapping[int, int],
) -> str:
    """The text with its spans marked; a pair of spans has the same number in both texts."""
    if not text:
        return '<em class="ow-none">(empty)</em>'
    pieces = []
    begun: set[int] = set()
    for piece, place in cut(text, places, spans):
        if place is None:
            pieces.append(plain_html(piece))
            continue
        span = spans[place]
        classes = [f"ow-{span.verdict}", *([f"ow-m{numbers[place]}"] if place in numbers else [])]
        title = LOOKS[span.verdict].name
        badge = ""
        if place in numbers:
            title = f"{span.hypothesis_text} = {span.reference_text} ({_how(span)})"
            badge = "" if place in begun else f"<sup>{numbers[place]}</sup>"
        begun.add(place)
        pieces.append(
            f'<mark class="{" ".join(classes)}" title="{plain_html(title)}">'
            f"{plain_html(piece)}{badge}</mark>"
        )
    return "".join(pieces)


def _components(components: Mapping[str, float]) -> str:
    shown = {name: value for name, value in components.items() if name != "segments"}
    if not shown:
        return ""
    parts = "".join(
        f"<div><dt>{plain_html(name)}</dt><dd>{_number(value)}</dd></div>"
        for name, value in shown.items()
    )
    return f'<dl class="ow-numbers">{parts}</dl>'


def _details(explanation: Explanation) -> str:
    return "\n".join(
        f"<details><summary>{plain_html(str(name))}</summary>\n{_value(value)}\n</details>"
        for name, value in explanation.details.items()
        if name != "findings"  # those of the metric are its reasons
    )


def _value(value: Any) -> str:
    """A value of a metric's details as HTML."""
    if isinstance(value, Mapping):
        rows = "".join(
            f'<tr><th scope="row"><bdi>{plain_html(str(name))}</bdi></th>'
            f"<td>{_value(item)}</td></tr>"
            for name, item in value.items()
        )
        return f'<table class="ow-details">{rows}</table>' if rows else "none"
    if isinstance(value, list | tuple):
        return " | ".join(f"<bdi>{_value(item)}</bdi>" for item in value) or "none"
    return _number(value) if isinstance(value, float) else plain_html(str(value))


def _number(value: float) -> str:
    return f"{value:.4g}"
