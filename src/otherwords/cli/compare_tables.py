"""The results of `otherwords compare` in every output format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from otherwords import __version__
from otherwords.cli.output import Format, align, rendered, tsv_line
from otherwords.cli.tables import explanation_lines, latex_lines
from otherwords.metrics.base import text_of
from otherwords.scoring.comparison import Contrast, Example, Findings, WordContrast
from otherwords.scoring.comparison.tables import tables

__all__ = ["render"]

_LINE = "table name system segments first second difference low high p adjusted signature".split()


def render(found: Findings, form: Format) -> Iterable[str]:
    """The lines to print."""
    return rendered(
        form, found, document=_document, records=_records, tsv=_tsv, latex=_latex, text=_text
    )


def _signatures(found: Findings) -> list[str]:
    return list(dict.fromkeys(found.signature(label) for label in found.metrics))


def _text(found: Findings) -> Iterator[str]:
    shown = list(tables(found))
    for table in shown:
        yield table.caption
        yield from align([table.head, *table.rows], left=table.left)
        yield ""
    yield from dict.fromkeys(table.note for table in shown)
    yield ""
    for system, examples in zip(found.pair.names, found.examples, strict=True):
        if examples:
            yield f"Segments on which {system} is better by most ({found.example_metric})"
            yield ""
        for example in examples:
            yield from _example(found, example)
    yield from found.notes
    yield from _signatures(found)


def _example(found: Findings, example: Example) -> Iterator[str]:
    one, other = example.scores
    yield f"segment {example.item}: {one:.4f} against {other:.4f}"
    source = example.rows[0].source
    if source is not None:
        yield f"  source  {text_of(source)}"
    for system, explanation in zip(found.pair.names, example.explanations, strict=True):
        yield from explanation_lines(system, explanation)


def _latex(found: Findings) -> Iterator[str]:
    for table in tables(found):
        yield from latex_lines(table)
    yield from (f"% {tsv_line([line])}" for line in (*found.notes, *_signatures(found)))


def _document(found: Findings) -> dict[str, Any]:
    return {
        "otherwords": __version__,
        "systems": list(found.pair.names),
        "segments": len(found.pair),
        "corpus": [
            {"metric": one.name, **_numbers(one), "segments_better": list(found.wins[one.name])}
            for one in found.corpus
        ],
        "lengths": [
            {"metric": label, "length": one.name, **_numbers(one)}
            for label, contrasts in found.lengths.items()
            for one in contrasts
        ],
        "classes": [_words(one, "class") for one in found.classes],
        "frequencies": [_words(one, "frequency") for one in found.frequencies],
        "ngrams": [
            {"system": system, "order": order, **asdict(phrase), "words": " ".join(phrase.words)}
            for order, sides in found.phrases.items()
            for system, phrases in zip(found.pair.names, sides, strict=True)
            for phrase in phrases
        ],
        "examples": [
            {"better": system, "metric": found.example_metric, **_example_record(one)}
            for system, examples in zip(found.pair.names, found.examples, strict=True)
            for one in examples
        ],
        "notes": list(found.notes),
        "signatures": {label: found.signature(label) for label in found.metrics},
    }


def _numbers(contrast: Contrast) -> dict[str, Any]:
    numbers = asdict(contrast)
    return {"segments": numbers.pop("size"), **{k: v for k, v in numbers.items() if k != "name"}}


def _words(words: WordContrast, what: str) -> dict[str, Any]:
    shares = {"words": words.words, "recall": words.recall, "precision": words.precision}
    return {what: words.contrast.name, **shares, "f1": _numbers(words.contrast)}


def _example_record(example: Example) -> dict[str, Any]:
    source = example.rows[0].source
    return {
        "item": example.item,
        "scores": list(example.scores),
        "difference": example.difference,
        "source": None if source is None else text_of(source),
        "explanations": [asdict(one) for one in example.explanations],
    }


def _records(found: Findings) -> Iterator[dict[str, Any]]:
    document = _document(found)
    systems = document["systems"]
    for table in ("corpus", "lengths", "classes", "frequencies", "ngrams", "examples"):
        for record in document[table]:
            signed = {"signature": found.signature(record["metric"])} if "metric" in record else {}
            yield {"table": table, "systems": systems, **record, **signed}
    yield from ({"table": "notes", "note": note} for note in found.notes)


def _tsv(found: Findings) -> Iterator[str]:
    yield tsv_line(_LINE)
    for one in found.corpus:
        yield _line("corpus", one.name, one, found.signature(one.name))
    for label, contrasts in found.lengths.items():
        for one in contrasts:
            yield _line("length", f"{label} {one.name}", one, found.signature(label))
    kinds: list[tuple[str, Sequence[WordContrast]]] = [
        ("class", found.classes),
        ("frequency", found.frequencies),
    ]
    for name, several in kinds:
        for words in several:
            yield _line(name, words.contrast.name, words.contrast, "")
    for order, sides in found.phrases.items():
        for system, phrases in zip(found.pair.names, sides, strict=True):
            for phrase in phrases:
                first, second = phrase.right
                adjusted = "" if phrase.adjusted is None else repr(phrase.adjusted)
                named = [f"{order}-gram", " ".join(phrase.words), system, sum(phrase.segments)]
                numbers = [first, second, first - second, "", "", repr(phrase.p), adjusted]
                yield tsv_line([*named, *numbers, ""])
    for system, examples in zip(found.pair.names, found.examples, strict=True):
        for example in examples:
            scores = map(repr, [*example.scores, example.difference])
            signature = found.signature(found.example_metric)
            yield tsv_line(["example", example.item, system, 1, *scores, *[""] * 4, signature])


def _line(table: str, name: str, contrast: Contrast, signature: str) -> str:
    numbers = [*contrast.scores, contrast.difference, contrast.low, contrast.high]
    shown = ["" if number is None else repr(number) for number in numbers]
    certain = [repr(contrast.p), repr(contrast.adjusted)]
    return tsv_line([table, name, "", contrast.size, *shown, *certain, signature])
