"""Shorter sentences that say the same: the decoder under a limit of length (PARADIGM, section 6).

A penalty on characters moves the decoder towards short outputs. Each sentence is decoded under
several penalties; of all outputs that are short enough, the one that the model without penalty
prefers is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from otherwords.build.generation.decoder import Decoded, Decoder, Output
from otherwords.io.arguments import check_number

__all__ = ["compress"]

PENALTIES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)  # added for each character
FEATURE = "CharacterDifference"
CANDIDATES = 50


def compress(
    decoder: Decoder, sentences: Sequence[str], *, ratio: float = 0.7, threads: int = 1
) -> list[Decoded]:
    """The best output of each sentence that has at most `ratio` of its characters.

    If no output is short enough, the shortest one is returned, with a note.
    """
    check_number("ratio", ratio, 0.01, 1)
    weights = dict(decoder.weights)
    found: list[dict[str, Output]] = [{} for _ in sentences]
    decoded: list[Decoded] = []
    for penalty in PENALTIES:
        decoder.reweight({**weights, FEATURE: weights.get(FEATURE, 0.0) - penalty})
        decoded = decoder.decode(sentences, k=CANDIDATES, unique=True, threads=threads)
        for outputs, one in zip(found, decoded, strict=True):
            for output in one.outputs:
                removed = len(output.target) - len(one.source)
                total = output.total + penalty * removed
                known = outputs.get(output.target)
                if known is None or total > known.total:
                    outputs[output.target] = replace(output, total=total)
    decoder.reweight(weights)
    return [
        _chosen(one, list(outputs.values()), ratio)
        for one, outputs in zip(decoded, found, strict=True)
    ]


def _chosen(decoded: Decoded, outputs: list[Output], ratio: float) -> Decoded:
    if not outputs:
        return decoded
    limit = ratio * len(decoded.source)
    short = [one for one in outputs if len(one.target) <= limit]
    if short:
        return replace(decoded, outputs=(max(short, key=lambda one: (one.total, one.target)),))
    shortest = min(outputs, key=lambda one: (len(one.target), -one.total, one.target))
    note = f"no output has {ratio:g} of the characters; this is the shortest"
    return replace(decoded, outputs=(shortest,), note=note)
