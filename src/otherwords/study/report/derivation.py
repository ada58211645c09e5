"""Synchronous derivations drawn as HTML: which constituents of a sentence pair belong together.

    parse, trees = parser.derive(source, target)
    html = f"<style>{page.CSS}</style>" + derivation.draw(trees, source.split(), target.split())

The source is drawn above the target. Every constituent is a bracket over its words on both sides,
with its label and number. A line joins the two sides of constituents that contain no others. A list
below has the same content for readers who cannot see the drawing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherwords.build.grammar.sync_parser import Derivation, Step, derivation_of
from otherwords.errors import InputError
from otherwords.io.files import atomic_write
from otherwords.study.report.page import Section, document, example_html
from otherwords.study.report.plot import LETTER
from otherwords.study.report.spans import plain_html
from otherwords.study.report.style import SERIES

GAP, STEP, SIDES, BETWEEN = 14.0, 20.0, 10.0, 56.0


@dataclass(frozen=True)
class _Line:
    """A sentence: its words, where each begins and ends, and the height of its baseline.

    Brackets are stacked above it if `up` is -1, else below.
    """

    words: Sequence[str]
    places: Sequence[tuple[float, float]]
    base: float
    up: int

    def span(self, ends: tuple[int, int]) -> tuple[float, float]:
        """The horizontal extent of a span of words."""
        return self.places[ends[0]][0], self.places[ends[1] - 1][1]

    def bracket(self, level: int) -> float:
        """The vertical position of a bracket of that level."""
        return self.base + self.up * (STEP * (level + 1) - 2) - 4


def write_derivations(path: str, grammars: Mapping[str, Iterable[bytes]]) -> None:
    """Write lines of JSON by grammar to a file: as they are, or as a page if it ends with .html."""
    with atomic_write(path) as out:
        if path.casefold().endswith(".html"):
            records = {name: map(json.loads, lines) for name, lines in grammars.items()}
            out.write(derivations_page(records).encode())
            return
        for lines in grammars.values():
            out.writelines(lines)


def derivations_page(grammars: Mapping[str, Iterable[Mapping[str, Any]]]) -> str:
    """A page of the records of `diagnostics.paradigm.derivation_records`, by name of grammar."""
    sections = [
        Section(f"grammar-{number}", name, html="\n".join(_examples(records)))
        for number, (name, records) in enumerate(grammars.items(), 1)
    ]
    lead = "Which words of a sentence pair belong together, by one derivation of each grammar."
    return document("Synchronous derivations", lead, sections)


def _examples(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The pairs of a grammar, each with a drawing that opens."""
    empty = True
    for record in records:
        empty = False
        rules = [node["rule"] for node in record["derivation"]]
        steps = [_step(node, place) for place, node in enumerate(record["derivation"])]
        drawing = draw(derivation_of(steps), record["source"], record["target"], rules=rules)
        sides = (" ".join(record[side]) for side in ("source", "target"))
        yield example_html(f"{record['group']}: {' = '.join(sides)}", [drawing])
    if empty:
        yield "<p>No pair is derived.</p>"


def _step(node: Mapping[str, Any], place: int) -> Step:
    (i, j), (s, t) = node["source"], node["target"]
    return (-1 if node["rule"] is None else place, node["label"], i, j, s, t, node["depth"])


def draw(
    derivation: Sequence[Derivation],
    source: Sequence[str],
    target: Sequence[str],
    *,
    rules: Sequence[str] = (),
) -> str:
    """The derivation as an HTML fragment; the look is that of `report.page`.

    `rules[i]` is the text of rule i, shown in the list.

    >>> from otherwords.build.grammar import SyncParser
    >>> _, trees = SyncParser(["[X] ||| a ||| b"]).derive("a", "b")
    >>> html = draw(trees, ["a"], ["b"])
    >>> "<li>1 X: a = b</li>" in html
    True
    """
    nodes = list(_nodes(derivation))
    _check(nodes, len(source), len(target))
    return f"{_svg(nodes, source, target)}\n{_list(nodes, source, target, rules)}"


def _nodes(trees: Sequence[Derivation]) -> Iterator[Derivation]:
    """All constituents, each before its children, without recursion because trees may be deep."""
    waiting = list(reversed(trees))
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _check(nodes: Sequence[Derivation], source: int, target: int) -> None:
    for node in nodes:
        for (begin, end), size in ((node.source, source), (node.target, target)):
            if not 0 <= begin < end <= size:
                message = f"a constituent {node.label} spans the words {begin}-{end} of {size}"
                raise InputError(f"{message}; these are not the sentences of the derivation")


def _levels(nodes: Sequence[Derivation]) -> list[int]:
    """The depth of the constituents within each."""
    level: dict[int, int] = {}
    for node in reversed(nodes):
        level[id(node)] = 1 + max((level[id(child)] for child in node.children), default=-1)
    return [level[id(node)] for node in nodes]


def _place_words(words: Sequence[str], base: float, up: int) -> _Line:
    places, right = [], SIDES
    for word in words:
        width = max(LETTER * len(word) * 1.15, 24.0)
        places.append((right, right + width))
        right += width + GAP
    return _Line(words, places, base, up)


def _svg(nodes: Sequence[Derivation], source: Sequence[str], target: Sequence[str]) -> str:
    levels = _levels(nodes)
    stack = STEP * (max(levels, default=-1) + 1)
    above = _place_words(source, stack + 24, -1)
    below = _place_words(target, stack + 24 + BETWEEN, 1)
    width = max([line.places[-1][1] for line in (above, below) if line.words] or [0]) + SIDES
    height = below.base + stack + 16
    parts = [*_words(above), *_words(below)]
    for number, (node, level) in enumerate(zip(nodes, levels, strict=True), 1):
        parts += _constituent(node, number, level, above, below)
    title = f"{' '.join(source)} = {' '.join(target)}"
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{plain_html(title)}">'
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot tree" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="Liberation Sans, Arial, sans-serif" font-size="13">'
        f"<title>{plain_html(title)}</title>{''.join(parts)}</svg></div>"
    )


def _words(line: _Line) -> Iterator[str]:
    for word, (begin, end) in zip(line.words, line.places, strict=True):
        middle = (begin + end) / 2
        yield (
            f'<text class="t" x="{middle:.1f}" y="{line.base:.1f}" text-anchor="middle">'
            f"{plain_html(word)}</text>"
        )


def _constituent(
    node: Derivation, number: int, level: int, above: _Line, below: _Line
) -> Iterator[str]:
    yield f'<g class="c{(number - 1) % SERIES}">'
    middles = []
    for line, ends in ((above, node.source), (below, node.target)):
        begin, end = line.span(ends)
        height, foot = line.bracket(level), -line.up * 5
        middles.append((begin + end) / 2)
        yield (
            f'<path class="e" d="M{begin:.1f} {height + foot:.1f}V{height:.1f}H{end:.1f}v{foot}"/>'
        )
        words = height - 3 if line.up < 0 else height + 13
        yield (
            f'<text x="{begin + 2:.1f}" y="{words:.1f}" font-size="11" fill="currentColor">'
            f"{plain_html(node.label)} {number}</text>"
        )
    if not node.children:
        top, bottom = above.base + 6, below.base - 14
        yield f'<path class="e" d="M{middles[0]:.1f} {top:.1f}L{middles[1]:.1f} {bottom:.1f}"/>'
    yield "</g>"


def _list(
    nodes: Sequence[Derivation],
    source: Sequence[str],
    target: Sequence[str],
    rules: Sequence[str],
) -> str:
    """The constituents as a list, in the order of their numbers."""
    items = []
    for number, node in enumerate(nodes, 1):
        words = (" ".join(source[slice(*node.source)]), " ".join(target[slice(*node.target)]))
        said = f"{number} {node.label}: {words[0]} = {words[1]}"
        if node.rule is not None and node.rule < len(rules):
            said += f" by {rules[node.rule]}"
        items.append(f"<li>{plain_html(said)}</li>")
    many = f"{len(nodes)} constituents as a list"
    return f"<details><summary>{many}</summary>\n<ul>{''.join(items)}</ul>\n</details>"
