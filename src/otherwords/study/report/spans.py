"""Explanations drawn as HTML: which words of a hypothesis match which of the other text.

    page = f"<style>{spans.CSS}</style>" + spans.draw(result.explain(0))

The hypothesis is above the reference. The colour of matched words and the line below them show the
kind of match. Words that belong together have the same number, and pointing at one highlights the
other. There is no script, style attribute or id, so that a page with a strict content policy may
have any number of fragments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from otherwords.metrics.base import Explanation, Span

LIT = 60  # matches of a drawing that are highlighted together; further ones only have numbers
# Kind of match: background in light and in dark mode, and the line below the words.
_KINDS = {
    "exact": ("#d3f0d3", "#1e4620", "solid"),
    "lemma": ("#cdeeea", "#12474a", "dashed"),
    "synonym": ("#fdeeb5", "#54430a", "dotted"),
    "tag": ("#e8e8e8", "#3d3d3d", "dotted"),
    "paraphrase": ("#ecdcfa", "#472a63", "double"),
    "pivot": ("#d6e6fb", "#1c3d63", "wavy"),
    "dependency": ("#fde0cc", "#5c3213", "dashed"),
    "other": ("#f6dbe4", "#5b2338", "solid"),
}
_SAME = "the same words"
# Prefix of a kind of match, and its class; the first prefix that fits counts.
_CLASSES = {
    "lemma and tag": "exact",
    "word": "exact",
    _SAME: "exact",
    "lemma": "lemma",
    "synonym": "synonym",
    "tag": "tag",
    "similarity": "synonym",
    "paraphrase": "paraphrase",
    "one-word paraphrase": "paraphrase",
    "pivot": "pivot",
    "dependency": "dependency",
}
_LAYER = re.compile(r"(\d+-gram|pivot [^,:]+), (.*)", re.DOTALL)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def _kind_colours(place: int) -> str:
    return "".join(f" --ow-{kind}: {looks[place]};" for kind, looks in _KINDS.items())


def _kind_rules() -> str:
    kinds = "\n".join(
        f".ow-spans .ow-{kind} {{ background: var(--ow-{kind}); text-decoration-style: {line}; }}"
        for kind, (_, _, line) in _KINDS.items()
    )
    lit = ",\n".join(
        f".ow-pair:has(.ow-m{number}:hover) .ow-m{number}" for number in range(1, LIT + 1)
    )
    return f"{kinds}\n{lit} {{ outline: 2px solid var(--ow-line); }}\n"


CSS = f"""\
.ow-spans {{ --ow-ink: #1b1b1b; --ow-faint: #5c5c5c; --ow-line: #767676;{_kind_colours(0)}
  color: var(--ow-ink); line-height: 1.7; }}
@media (prefers-color-scheme: dark) {{
.ow-spans {{ --ow-ink: #eeeeee; --ow-faint: #b5b5b5; --ow-line: #8e8e8e;{_kind_colours(1)} }}
}}
.ow-spans p {{ margin: 0.1em 0; }}
.ow-pair {{ border-left: 3px solid var(--ow-line); padding-left: 0.8em; margin: 0.6em 0; }}
.ow-text {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.1em; }}
.ow-label, .ow-none, .ow-spans summary, .ow-spans small {{
  color: var(--ow-faint); font-size: 0.85em; }}
.ow-spans mark, .ow-spans li bdi[class] {{ color: inherit; border-radius: 3px; padding: 0 0.1em;
  text-decoration-line: underline; text-decoration-color: var(--ow-line);
  text-underline-offset: 0.25em; }}
.ow-legend span {{ font-size: 0.8em; border-radius: 3px; padding: 0 0.3em;
  text-decoration-line: underline; text-decoration-color: var(--ow-line); }}
.ow-spans sup {{ font-size: 0.65em; line-height: 0; margin-left: 0.15em; color: var(--ow-faint);
  user-select: none; }}
.ow-numbers {{ display: flex; flex-wrap: wrap; gap: 0 1.2em; margin: 0.2em 0; font-size: 0.9em; }}
.ow-numbers dt {{ color: var(--ow-faint); line-height: 1.2; }}
.ow-numbers dd {{ margin: 0; font-variant-numeric: tabular-nums; }}
.ow-spans table {{ border-collapse: collapse; font-size: 0.9em; }}
.ow-spans th, .ow-spans td {{ padding: 0.1em 0.7em 0.1em 0; text-align: left;
  vertical-align: top; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }}
.ow-spans th {{ color: var(--ow-faint); font-weight: normal; }}
{_kind_rules()}"""


def draw(explanation: Explanation) -> str:
    """The explanation as an HTML fragment; `CSS` must be in the page.

    >>> from otherwords.metrics.base import Explanation, Span
    >>> match = Span("word", 1.0, (0, 1), (2, 3), "b", "b")
    >>> html = draw(Explanation("paraeval", 0.5, {}, "b c", ("a b",), ((match,),)))
    >>> '<mark class="ow-exact ow-m1" title="1: b = b (word)">b<sup>1</sup></mark> c' in html
    True
    """
    name, score = plain_html(explanation.metric), _number(explanation.score)
    parts = [
        f'<section class="ow-spans" role="group" aria-label="{name} {score}">',
        f'<p class="ow-score"><b>{name}</b> {score}</p>',
        _components(explanation.components),
        *_pairs(explanation),
        _details(explanation.details),
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


def kind_class(kind: str) -> str:
    """The class that draws a kind of match.

    >>> [kind_class(kind) for kind in ("2-gram, lemma", "paraphrase (fr: un chat)", "new")]
    ['lemma', 'paraphrase', 'other']
    """
    _, how = layer_of(kind)
    if how.endswith(f"({_SAME})"):
        return "exact"
    return next((name for start, name in _CLASSES.items() if how.startswith(start)), "other")


def layer_of(kind: str) -> tuple[str, str]:
    """The layer that a match belongs to, and its kind within the layer.

    Each order of n-grams and each pivot language has its own layer, as they cover the same words.
    """
    if match := _LAYER.fullmatch(kind):
        layer, how = match.groups()
        shared = layer.startswith("pivot") and how != _SAME
        return layer, f"pivot: {how}" if shared else how
    return ("dependencies", kind) if kind == "dependency" else ("", kind)


def _pairs(explanation: Explanation) -> list[str]:
    """A drawing for each text that the hypothesis was compared with."""
    references = explanation.references
    return [
        _pair(
            explanation.hypothesis,
            reference,
            explanation.matches[place] if place < len(explanation.matches) else (),
            "compared with" if len(references) == 1 else f"text {place + 1} of {len(references)}",
        )
        for place, reference in enumerate(references)
    ]


def _pair(hypothesis: str, reference: str, matches: Sequence[Span], label: str) -> str:
    layers: dict[str, list[Span]] = {}
    for span in matches:
        layers.setdefault(layer_of(span.kind)[0], []).append(span)
    drawn = [
        _drawing(hypothesis, reference, spans, label, name)
        for name, spans in (layers or {"": []}).items()
    ]
    rest = [
        f"<details><summary>{plain_html(name)}</summary>\n{drawing}\n</details>"
        for name, drawing in zip(list(layers)[1:], drawn[1:], strict=True)
    ]
    return "\n".join([drawn[0], *rest])


def _drawing(
    hypothesis: str, reference: str, matches: Sequence[Span], label: str, layer: str
) -> str:
    """Both texts with their marks, and the matches as a list."""
    spans = sorted(matches, key=lambda span: (span.hypothesis, span.reference))
    left = _mark_text(hypothesis, spans, [span.hypothesis for span in spans])
    right = _mark_text(reference, spans, [span.reference for span in spans])
    caption = f"hypothesis, {layer}" if layer else "hypothesis"
    return "\n".join(
        [
            '<div class="ow-pair">',
            f'<p class="ow-label">{plain_html(caption)}</p>',
            f'<p class="ow-text" dir="auto">{left}</p>',
            f'<p class="ow-label">{label}</p>',
            f'<p class="ow-text" dir="auto">{right}</p>',
            _legend(spans),
            _list(spans),
            "</div>",
        ]
    )


def _legend(spans: Sequence[Span]) -> str:
    """The kinds of matches in a drawing, each in its colour."""
    names: dict[str, str] = {}
    for span in spans:
        how = re.split(r" \(|:", layer_of(span.kind)[1])[0]
        names.setdefault(f"ow-{kind_class(span.kind)}", how)
    keys = [f'<span class="{name}">{plain_html(kind)}</span>' for name, kind in names.items()]
    return f'<p class="ow-legend">{" ".join(keys)}</p>' if keys else ""


def _list(spans: Sequence[Span]) -> str:
    """The matches as a list, for readers who cannot see the marks."""
    if not spans:
        return '<p class="ow-none">nothing matched</p>'
    items = "\n".join(
        f'<li><bdi class="ow-{kind_class(span.kind)}">{plain_html(span.hypothesis_text)}</bdi> = '
        f"<bdi>{plain_html(span.reference_text)}</bdi> "
        f"<small>{plain_html(layer_of(span.kind)[1])}, {_number(span.weight)}</small></li>"
        for span in spans
    )
    many = "1 match" if len(spans) == 1 else f"{len(spans)} matches"
    summary = f"{many} as a list"
    return f'<details class="ow-list"><summary>{summary}</summary>\n<ol>\n{items}\n</ol></details>'


def _mark_text(text: str, spans: Sequence[Span], places: Sequence[tuple[int, int]]) -> str:
    """Cut the text where spans begin or end, and mark each piece with its matches."""
    if not text:
        return '<em class="ow-none">(empty)</em>'
    ends = {min(max(end, 0), len(text)) for place in places for end in place}
    cuts = sorted({0, len(text)} | ends)
    starting: dict[int, list[int]] = {}
    for number, (begin, _) in enumerate(places, 1):
        starting.setdefault(begin, []).append(number)
    open_: list[int] = []
    pieces = []
    for begin, end in pairwise(cuts):
        open_ = [number for number in open_ if places[number - 1][1] > begin]
        open_ += [n for n in starting.get(begin, []) if places[n - 1][1] > begin]
        piece = plain_html(text[begin:end])
        pieces.append(_mark(piece, open_, starting.get(begin, []), spans) if open_ else piece)
    return "".join(pieces)


def _mark(piece: str, numbers: Sequence[int], new: Sequence[int], spans: Sequence[Span]) -> str:
    """Mark a piece by its best match, with the numbers of the matches that begin here."""
    best = max(numbers, key=lambda number: (spans[number - 1].weight, -number))
    classes = [f"ow-{kind_class(spans[best - 1].kind)}", *(f"ow-m{n}" for n in numbers)]
    title = "; ".join(f"{number}: {_describe(spans[number - 1])}" for number in numbers)
    badge = f"<sup>{' '.join(map(str, new))}</sup>" if new else ""
    return f'<mark class="{" ".join(classes)}" title="{plain_html(title)}">{piece}{badge}</mark>'


def _describe(span: Span) -> str:
    how = layer_of(span.kind)[1]
    weight = "" if span.weight == 1 else f", {_number(span.weight)}"
    return f"{span.hypothesis_text} = {span.reference_text} ({how}{weight})"


def _components(components: Mapping[str, float]) -> str:
    shown = {name: value for name, value in components.items() if name != "segments"}
    if not shown:
        return ""
    parts = "".join(
        f"<div><dt>{plain_html(name)}</dt><dd>{_number(value)}</dd></div>"
        for name, value in shown.items()
    )
    return f'<dl class="ow-numbers">{parts}</dl>'


def _details(details: Mapping[str, Any]) -> str:
    return "\n".join(
        f"<details><summary>{plain_html(str(name))}</summary>\n{_value(value)}\n</details>"
        for name, value in details.items()
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
