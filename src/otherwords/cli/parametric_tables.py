"""The results of `otherwords parametric` in every output format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from otherwords import __version__
from otherwords.cli.output import Format, align, latex_table, rendered, tsv_line
from otherwords.diagnostics.certainty import Estimate
from otherwords.diagnostics.parametric import ALIGN, LINKS, LISTS, Counted, Score

__all__ = ["Findings", "Part", "render"]

_NOTHING = Estimate(None)


@dataclass(frozen=True)
class Part:
    """A system on the groups of a domain, or on all of them."""

    system: str
    domain: str
    groups: int
    estimates: Mapping[Score, Estimate]
    counted: Sequence[Counted]  # of phrases of up to 1, 2, ... words

    def of(self, name: str, length: int | None = None) -> Estimate:
        """A score; none if the system gives nothing to make it of."""
        return self.estimates.get(Score(name, length), _NOTHING)


@dataclass(frozen=True)
class Findings:
    """All that one run has to say."""

    parts: Sequence[Part]
    signature: str
    confidence: float
    baseline: str | None
    by_length: bool
    rows: int

    @property
    def lengths(self) -> range:
        """The lengths of phrases that are scored."""
        return range(1, len(self.parts[0].counted) + 1)


def render(found: Findings, form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form,
        found,
        document=_document,
        records=_records,
        tsv=_tsv,
        latex=_latex,
        text=_text,
    )


def _text(found: Findings) -> Iterator[str]:
    for table in _tables(found):
        yield from align(table, left=1 + _has_domains(found))
        yield ""
    yield from _notes(found)


def _latex(found: Findings) -> Iterator[str]:
    for table in _tables(found):
        yield from latex_table(table)
    for note in _notes(found):
        yield "% " + tsv_line([note])


def _has_domains(found: Findings) -> bool:
    return any(part.domain != found.parts[0].domain for part in found.parts)


def _tables(found: Findings) -> Iterator[list[list[str]]]:
    """Phrases as the paper's Table 2, or 3 by length; and links, where there are any."""
    domain = ["domain"] if _has_domains(found) else []
    names = [*ALIGN, *LISTS]
    lengths = list(found.lengths) if found.by_length else [found.lengths[-1]]
    yield [
        ["system", *domain, "words", *names],
        *(
            [*_labels(part, domain), f"<= {length}", *_shown(part, names, length)]
            for length in lengths
            for part in found.parts
        ),
    ]
    linked = [part for part in found.parts if Score(LINKS[0]) in part.estimates]
    if linked:
        rows = [[*_labels(part, domain), *_shown(part, LINKS, None)] for part in linked]
        yield [["system", *domain, *LINKS], *rows]


def _labels(part: Part, domain: Sequence[str]) -> list[str]:
    return [part.system, *([part.domain] if domain else [])]


def _shown(part: Part, names: Sequence[str], length: int | None) -> Iterator[str]:
    for name in names:
        one = part.of(name, length)
        text = "n/a" if one.value is None else f"{one.value:.4f}"
        if one.interval is not None:
            text += f" ± {(one.interval.high - one.interval.low) / 2:.4f}"
        if one.comparison is not None:
            text += f" (p = {one.comparison.p:.3f}){'*' if one.comparison.p < 0.05 else ' '}"
        yield text


def _notes(found: Findings) -> Iterator[str]:
    whole = found.parts[0]
    counted = whole.counted[-1]
    yield (
        f"gold: {found.rows} sentence pairs in {whole.groups} groups, {counted.gold_pairs} phrase "
        f"pairs of up to {found.lengths[-1]} words"
    )
    if found.baseline is not None:
        yield f"p: against {found.baseline}, two-sided; * p < 0.05"
    yield f"±: half the {100 * found.confidence:g} % bootstrap interval over groups"
    yield found.signature


def _document(found: Findings) -> dict[str, Any]:
    document: dict[str, Any] = {
        "otherwords": __version__,
        "signature": found.signature,
        "rows": found.rows,
        "max_length": found.lengths[-1],
        "systems": [_entry(part, found) for part in found.parts],
    }
    if found.baseline is not None:
        document["baseline"] = found.baseline
    return document


def _entry(part: Part, found: Findings) -> dict[str, Any]:
    longest = found.lengths[-1]
    scores = {name: _numbers(part.of(name, longest)) for name in (*ALIGN, *LISTS)}
    return {
        "system": part.system,
        "domain": part.domain,
        "groups": part.groups,
        "scores": scores | {name: _numbers(part.of(name)) for name in LINKS},
        "lengths": [
            {
                "length": length,
                "counts": asdict(part.counted[length - 1]),
                "scores": {name: _numbers(part.of(name, length)) for name in (*ALIGN, *LISTS)},
            }
            for length in found.lengths
        ],
    }


def _numbers(one: Estimate) -> dict[str, Any]:
    shown: dict[str, Any] = {"score": one.value}
    if one.interval is not None:
        shown["interval"] = asdict(one.interval)
    if one.comparison is not None:
        shown["comparison"] = asdict(one.comparison)
    return shown


def _each(found: Findings) -> Iterator[tuple[Part, Score, Estimate]]:
    for part in found.parts:
        for score, one in part.estimates.items():
            yield part, score, one


def _records(found: Findings) -> Iterator[dict[str, Any]]:
    for part, score, one in _each(found):
        place = {"system": part.system, "domain": part.domain}
        yield {
            **place,
            "metric": score.name,
            "length": score.length,
            **_numbers(one),
            "signature": found.signature,
        }


def _tsv(found: Findings) -> Iterator[str]:
    compared = ["difference", "p"] if found.baseline is not None else []
    names = ["system", "domain", "metric", "length", "score", "low", "high", *compared]
    yield tsv_line([*names, "signature"])
    for part, score, one in _each(found):
        around = [one.interval.low, one.interval.high] if one.interval else [None, None]
        tested = [one.comparison.difference, one.comparison.p] if one.comparison else [None, None]
        numbers = [one.value, *around, *(tested if compared else [])]
        cells = ["" if number is None else repr(number) for number in numbers]
        length = "" if score.length is None else score.length
        yield tsv_line([part.system, part.domain, score.name, length, *cells, found.signature])
