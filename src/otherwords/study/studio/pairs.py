"""What is put before judges: every text once, several systems mixed, controls slipped in."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, OtherwordsError, UsageError, near
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import text_of
from otherwords.stats.resampling import Stream
from otherwords.study.agreement.human_scores import CONTROL, is_control, systems_of
from otherwords.study.training.controls import CONTROL_KINDS, controls_of

__all__ = [
    "CONTROLS",
    "Against",
    "Origin",
    "PairToJudge",
    "digest",
    "joined",
    "pairs_to_judge",
    "texts_together",
]

CONTROLS = ("copy", "random", "reference", "deleted")
REFERENCE = "reference"  # made by a person, not drawn: PARADIGM's positive control (§6)
TOGETHER = (REFERENCE, "deleted")
_SAMPLE, _KIND_ORDER = 100, 101  # streams of random numbers, after those of the controls

Against = Literal["source", "references"]


@dataclass(frozen=True)
class Origin:
    """Where a text came from: what its row in the judged JSONL will say."""

    systems: tuple[str, ...]
    item: str | None = None
    doc: str | None = None
    source: str | None = None
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class PairToJudge:
    """An original and its paraphrase; `control` is the kind of a control."""

    original: str
    text: str
    control: str | None = None
    origins: tuple[Origin, ...] = field(default=())

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> PairToJudge:
        """The pair that `asdict` and JSON made this of; TypeError if a value is another kind,
        ValueError if an origin has no system.
        """
        origins = tuple(
            Origin(
                tuple(map(_text, one["systems"])),
                _text_or_none(one["item"]),
                _text_or_none(one["doc"]),
                _text_or_none(one["source"]),
                tuple(map(_text, one["references"])),
            )
            for one in found["origins"]
        )
        if not all(one.systems for one in origins):
            raise ValueError("a pair comes from no system")
        control = _text_or_none(found["control"])
        return cls(_text(found["original"]), _text(found["text"]), control, origins)


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise TypeError(f"{found!r:.40} is not text")
    return found


def _text_or_none(found: Any) -> str | None:
    return None if found is None else _text(found)


def digest(pairs: Sequence[PairToJudge]) -> str:
    """A hash of all pairs and where they came from."""
    content = json.dumps([asdict(pair) for pair in pairs], ensure_ascii=False)
    return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()


def pairs_to_judge(
    rows: Iterable[Row],
    *,
    systems: Sequence[str] = (),
    kinds: Iterable[str] = CONTROLS,
    share: float = 0.1,
    sample: int | None = None,
    seed: int = 0,
    against: Against = "source",
) -> list[PairToJudge]:
    """Pairs of the rows, `sample` of them at most, then controls, a `share` of all in the end.

    A pair of texts that several systems, or several items, have in common is one pair. Rows that
    are controls are left out; so are those of other systems than `systems`, if these are named.
    There is at least one control of every kind that can be made.
    """
    wanted = _check_kinds(kinds)
    share = check_number("share", share, 0.0, 0.5)
    seed = check_whole("seed", seed, 0, 2**63)
    real = _grouped(_chosen(list(rows), systems), against)
    if sample is not None:
        kept = Stream(seed, _SAMPLE).shuffled(range(len(real)))
        real = [real[n] for n in sorted(kept[: check_whole("sample", sample, 1, 10**9)])]
    if not wanted:
        return real
    number = math.ceil(share * len(real) / (1 - share) - 1e-9)
    return real + _controls(real, wanted, max(number, len(wanted)), seed, against)


def texts_together(
    rows: Iterable[Row],
    *,
    systems: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
    against: Against = "source",
) -> list[PairToJudge]:
    """All texts of each original, `sample` originals at most, each with two controls (PARADIGM §6).

    The positive one is the original's reference, the negative one the original with half of its
    words deleted at random. A control that says what a system says is left out.
    """
    seed = check_whole("seed", seed, 0, 2**63)
    real = _grouped(_chosen(list(rows), systems), against)
    if sample is not None:
        originals = list(dict.fromkeys(pair.original for pair in real))
        kept = Stream(seed, _SAMPLE).shuffled(range(len(originals)))
        chosen = {originals[n] for n in kept[: check_whole("sample", sample, 1, 10**9)]}
        real = [pair for pair in real if pair.original in chosen]
    taken = {(pair.original, pair.text) for pair in real}
    made = [one for kind in TOGETHER for one in _made(real, kind, seed, against)]
    return real + [one for one in made if (one.original, one.text) not in taken]


def _check_kinds(kinds: Iterable[str]) -> list[str]:
    wanted = list(dict.fromkeys(kinds))
    known = [*CONTROL_KINDS, REFERENCE]
    for kind in wanted:
        if kind not in known:
            raise UsageError(f"unknown kind of control '{kind}'; {near(kind, known)}; or none")
    return wanted


def _chosen(rows: list[Row], systems: Sequence[str]) -> list[Row]:
    rows = [row for row in rows if not is_control(row)]
    known = dict.fromkeys(name for row in rows for name in systems_of(row))
    for name in systems:
        if name not in known:
            raise UsageError(f"there is no system '{name}' in the rows; {near(name, known)}")
    return [row for row in rows if not systems or set(systems_of(row)) & set(systems)]


def _grouped(rows: Sequence[Row], against: Against) -> list[PairToJudge]:
    if not rows:
        raise InputError("there is nothing to judge: no row is left")
    found: dict[tuple[str, str], list[Origin]] = {}
    for row in rows:
        texts = _original(row, against), text_of(row.hypothesis)
        found.setdefault(texts, []).append(_origin(row))
    return [
        PairToJudge(original, text, None, joined(origins))
        for (original, text), origins in found.items()
    ]


def _origin(row: Row) -> Origin:
    source = None if row.source is None else text_of(row.source)
    references = tuple(map(text_of, row.references))
    return Origin(tuple(systems_of(row)), row.item, row.doc, source, references)


def joined(origins: Iterable[Origin]) -> tuple[Origin, ...]:
    """One origin for each item of a document, of all systems that produced the text for it.

    >>> [origin.systems for origin in joined([Origin(("a",), "1"), Origin(("b", "a"), "1")])]
    [('a', 'b')]
    """
    found: dict[tuple[str | None, str | None], Origin] = {}
    for origin in origins:
        key = origin.item, origin.doc
        before = found[key].systems if key in found else ()
        systems = tuple(dict.fromkeys((*before, *origin.systems)))
        found[key] = replace(origin, systems=systems)
    return tuple(found.values())


def _original(row: Row, against: Against) -> str:
    if against == "source" and row.source is not None:
        return text_of(row.source)
    if against == "references" and row.references:
        return text_of(row.references[0])
    lacks, other = ("source", "references") if against == "source" else ("reference", "source")
    message = f"this row has no {lacks} to judge it by; --against {other} takes that"
    raise InputError(message, path=row.path, line=row.line)


def _controls(
    real: Sequence[PairToJudge], kinds: Sequence[str], number: int, seed: int, against: Against
) -> list[PairToJudge]:
    """As many controls, of each kind in turn, each of an original sampled at random."""
    taken = {(pair.original, pair.text) for pair in real}
    waiting = {
        kind: [
            pair
            for pair in _made(real, kind, seed, against)
            if (pair.original, pair.text) not in taken
        ]
        for kind in kinds
    }
    chosen: list[PairToJudge] = []
    while len(chosen) < number and any(waiting.values()):
        for kind in kinds:
            if waiting[kind] and len(chosen) < number:
                chosen.append(waiting[kind].pop())
    return chosen


def _made(real: Sequence[PairToJudge], kind: str, seed: int, against: Against) -> list[PairToJudge]:
    """All controls of a kind that there could be, in random order."""
    first = {pair.original: pair.origins[0] for pair in reversed(real)}
    texts: list[tuple[str, str]] = []
    if kind == REFERENCE:
        skipped = 1 if against == "references" else 0
        texts = [
            (original, origin.references[skipped])
            for original, origin in first.items()
            if len(origin.references) > skipped
        ]
    else:
        try:
            drawn = controls_of([(None, text) for text in first], kinds=[kind], seed=seed)
        except OtherwordsError:  # no other sentence that could be unrelated
            drawn = []
        texts = [(one.source, one.hypothesis) for one in drawn]
    place = [*CONTROL_KINDS, REFERENCE].index(kind)
    return [
        PairToJudge(original, text, kind, (_of_control(first[original], kind),))
        for original, text in Stream(seed, _KIND_ORDER, place).shuffled(texts)
        if kind == "copy" or text != original
    ]


def _of_control(origin: Origin, kind: str) -> Origin:
    return Origin((CONTROL + kind,), origin.item, origin.doc, origin.source, origin.references)
