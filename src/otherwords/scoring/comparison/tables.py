"""What was found of two systems, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherwords.scoring.comparison.contrasts import Contrast
from otherwords.scoring.comparison.systems import Findings
from otherwords.scoring.comparison.words import Phrase, WordContrast
from otherwords.tables.plain import Table, decimals, p_shown

__all__ = ["tables"]

_HOLM = (
    "p: approximate randomization, two-sided, corrected for the lines of the table (Holm); "
    "* below 0.05"
)
_SIGN = (
    "right: how often each system has it right; more: in how many segments more often than the "
    "other; p: exact sign test over these segments, corrected for all {} tested (Holm), "
    "n/a where fewer than 6 segments differ"
)
_ORDERS = {1: "words", 2: "bigrams", 3: "trigrams", 4: "4-grams"}


def tables(found: Findings) -> Iterator[Table]:
    """All tables that have any line."""
    one, other = found.pair.names
    yield _corpus(found)
    for label, contrasts in found.lengths.items():
        high = found.metrics[label].traits.high
        yield Table(
            f"length-{label}",
            f"{label} by length of the reference in tokens (of the source where there is none)",
            ["length", "segments", one, other, "difference", *_interval(found), "p"],
            [_contrast_row(contrast, high) for contrast in contrasts],
            _HOLM,
        )
    kinds: list[tuple[str, str, Sequence[WordContrast]]] = [
        ("class", "word class", found.classes),
        ("frequency", "frequency in the references", found.frequencies),
    ]
    for name, what, contrasts_of_words in kinds:
        if contrasts_of_words:
            yield _words(found, name, what, contrasts_of_words)
    for length, sides in found.phrases.items():
        for system, mine in zip(found.pair.names, sides, strict=True):
            if mine:
                yield _phrases(found, length, system, mine)


def _interval(found: Findings) -> list[str]:
    share = f"{100 * found.resampling.confidence:g} %"
    return [f"{share} low", f"{share} high"]


def _corpus(found: Findings) -> Table:
    one, other = found.pair.names
    head = ["metric", one, other, "difference", *_interval(found), "p"]
    rows = []
    for contrast in found.corpus:
        metric = found.metrics[contrast.name]
        better, same, worse = found.wins[contrast.name]
        _, _, *numbers = _contrast_row(contrast, metric.traits.high, halves=True)
        name = contrast.name + ("" if metric.traits.higher_is_better else " (lower is better)")
        rows.append([name, *numbers, str(better), str(same), str(worse)])
    segments = f"{len(found.pair):,} segments"
    return Table(
        "corpus",
        f"{one} and {other}, {segments}",
        [*head, f"{one} better", "same", f"{other} better"],
        rows,
        f"±: half the interval; {_HOLM}; better, same: segments",
    )


def _contrast_row(contrast: Contrast, high: float, *, halves: bool = False) -> list[str]:
    scores = [decimals(score, high) for score in contrast.scores]
    if halves and contrast.intervals is not None:
        scores = [
            f"{score} ± {decimals((around[1] - around[0]) / 2, high)}"
            for score, around in zip(scores, contrast.intervals, strict=True)
        ]
    numbers = (contrast.difference, contrast.low, contrast.high)
    gaps = ["n/a" if gap is None else decimals(gap, high) for gap in numbers]
    return [contrast.name, str(contrast.size), *scores, *gaps, p_shown(contrast.adjusted)]


def _words(found: Findings, name: str, what: str, contrasts: Sequence[WordContrast]) -> Table:
    one, other = found.pair.names
    head = [what, "words"]
    head += [f"{part} {system}" for part in ("recall", "precision") for system in (one, other)]
    return Table(
        name,
        f"Words by {what}: how many are right",
        [*head, f"F1 {one}", f"F1 {other}", "difference", "p"],
        [
            [
                words.contrast.name,
                str(words.words),
                *(f"{value:.4f}" for value in (*words.recall, *words.precision)),
                *(f"{value:.4f}" for value in words.contrast.scores),
                f"{words.contrast.difference:z.4f}",
                p_shown(words.contrast.adjusted),
            ]
            for words in contrasts
        ],
        f"difference: of F1; {_HOLM}",
    )


def _phrases(found: Findings, length: int, system: str, phrases: Sequence[Phrase]) -> Table:
    one, other = found.pair.names
    number = found.pair.names.index(system) + 1
    what = _ORDERS[length]
    head = [what, "references", f"right {one}", f"right {other}", f"more {one}", f"more {other}"]
    return Table(
        f"{what}-{number}",
        f"{what[0].upper()}{what[1:]} that {system} gets right more often",
        [*head, "p"],
        [
            [
                " ".join(phrase.words),
                *map(str, (phrase.references, *phrase.right, *phrase.segments)),
                p_shown(phrase.adjusted),
            ]
            for phrase in phrases
        ],
        _SIGN.format(what),
    )
