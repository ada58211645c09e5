"""Words and n-grams of two systems: ours against compare-mt's, in the same run.

python -m bench.compare [--set mt/mqm21-zhen] [--systems A B]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from bench.data import rows
from otherwords.scoring.compare import compare, select_systems
from otherwords.scoring.compare_pair import (
    FREQUENCIES,
    Segment,
    Words,
    bucket_name,
    contrast_frequencies,
    find_phrases,
    folded,
)

Texts = list[list[str]]  # the words of each


def ours(segments: Sequence[Segment]) -> tuple[dict[str, Any], dict[tuple[str, ...], Any]]:
    """F1 of both systems by frequency, and how often each has an n-gram right."""
    words = Words.of(segments)
    found = contrast_frequencies(words)
    every = find_phrases(words, shown=10**9)
    return (
        {one.contrast.name: one.contrast.scores for one in found},
        {one.words: one.right for sides in every.values() for side in sides for one in side},
    )


def theirs(reference: Texts, systems: Sequence[Texts]) -> tuple[list[Any], list[Any]]:
    """The same by compare-mt, with as many bootstrap samples."""
    from compare_mt.bucketers import FreqWordBucketer
    from compare_mt.ngram_utils import compare_ngrams

    bucketer = FreqWordBucketer(freq_data=reference, bucket_cutoffs=list(FREQUENCIES))
    statistics, *counts = bucketer.calc_statistics(reference, systems)
    bucketer.calc_bucket_details(*counts, num_samples=1000, sample_ratio=1.0)
    matches = [compare_ngrams(reference, output)[1] for output in systems]
    return statistics, matches


def _names() -> list[str]:
    """What compare-mt's buckets are called here; its first one holds words of no reference."""
    return ["0", *(bucket_name(FREQUENCIES, place) for place in range(len(FREQUENCIES)))]


def main() -> None:
    """Print both times, their ratio, and whether the numbers are the same."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", default="mt/mqm21-zhen")
    parser.add_argument("--systems", nargs=2, default=["Borderline", "Facebook-AI"])
    chosen = parser.parse_args()
    systems_rows = select_systems(rows(chosen.set), chosen.systems)
    segments = compare("mup", systems_rows).comparisons[0].segments
    reference = [folded(several[0]) for *_, several in segments]
    systems = [[folded(segment[side]) for segment in segments] for side in (0, 1)]
    start = time.process_time()
    scores, right = ours(segments)
    middle = time.process_time()
    statistics, matches = theirs(reference, systems)
    end = time.process_time()
    same = sum(
        (matches[0][words], matches[1][words]) == tuple(counts) for words, counts in right.items()
    )
    print(f"{len(segments)} segments; n-grams that differ: {len(right)}, same counts: {same}")
    f1 = {name: [side[place][-1] for side in statistics] for place, name in enumerate(_names())}
    largest = max(
        abs(a - b) for name in scores for a, b in zip(scores[name], f1[name], strict=True)
    )
    print(f"buckets of frequency: {len(scores)}, largest difference of F1: {largest:.1e}")
    print(f"CPU seconds: ours {middle - start:.2f}, compare-mt {end - middle:.2f}", end=", ")
    print(f"ratio {(end - middle) / (middle - start):.1f}")


if __name__ == "__main__":
    main()
