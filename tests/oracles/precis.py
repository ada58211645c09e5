"""PRÉCIS from its definition, on words: Papineni's BLEU, and a penalty for too long a text."""

from __future__ import annotations

import math
from collections import Counter


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def precis(candidates, references, sources, target, severity):
    """Of a corpus with one reference per segment; words are given."""
    logs = []
    for n in range(1, 5):
        matched = total = 0
        for candidate, reference in zip(candidates, references, strict=True):
            mine = ngrams(candidate, n)
            matched += sum((mine & ngrams(reference, n)).values())
            total += sum(mine.values())
        if not matched:
            return 0.0
        logs.append(math.log(matched / total))
    c, r, s = (sum(map(len, side)) for side in (candidates, references, sources))
    brevity = 1 if c > r else math.exp(1 - r / c)
    wanted = r / s if target is None else target
    penalty = 1 if c / s <= wanted else math.exp(severity * (wanted - c / s))
    return 100 * penalty * brevity * math.exp(sum(logs) / 4)
