"""Word pieces, pooling and greedy matching as docs/vectors.md defines them, in plain Python."""

from __future__ import annotations

import math
import unicodedata


def pieces(text, vocabulary):
    """BERT's uncased tokenizer, after its description (Devlin et al. 2019), for characters that
    all versions of Unicode agree on."""
    words, word = [], ""
    for c in text:
        category = unicodedata.category(c)
        if c in "\t\n\r" or category == "Zs" or c in "\u2028\u2029":
            words, word = [*words, word], ""
        elif category in ("Cc", "Cf", "Co") or c in "\0\ufffd":
            continue
        elif _is_chinese(ord(c)):
            words, word = [*words, word, c], ""
        else:
            for part in unicodedata.normalize("NFD", c):
                if unicodedata.category(part) == "Mn":
                    continue
                if is_punctuation(part):
                    words, word = [*words, word, part], ""
                else:
                    word += part.lower()
    return [piece for word in [*words, word] if word for piece in _split(word, vocabulary)]


def _split(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                break
        else:
            return ["[UNK]"]
        found.append(piece)
        start = end
    return found if len(word) <= 100 else ["[UNK]"]


def is_punctuation(c):
    """Whether a character is a word of its own as a sign."""
    ascii_sign = c.isascii() and c.isprintable() and not c.isalnum() and c != " "
    return ascii_sign or unicodedata.category(c).startswith("P")


def _is_chinese(code):
    return 0x4E00 <= code <= 0x9FFF or 0x3400 <= code <= 0x4DBF


def pooled(rows, weights):
    """The weighted sum of the rows, of length 1."""
    return _unit([sum(w * row[k] for w, row in zip(weights, rows, strict=True)) for k in _of(rows)])


def mixed(rows, mix):
    """Each row and `mix` times its neighbours, of length 1."""
    out = []
    for i, row in enumerate(rows):
        near = [rows[j] for j in (i - 1, i + 1) if 0 <= j < len(rows)]
        out.append(_unit([row[k] + mix * sum(other[k] for other in near) for k in _of(rows)]))
    return out


def precision_recall(left, right, left_weights, right_weights):
    """Of greedy matching of rows of length 1."""
    if not left or not right:
        return [float(not left and not right)] * 2
    cosines = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in right] for x in left]
    best = (
        [max(0.0, *row) for row in cosines],
        [max(0.0, *column) for column in zip(*cosines, strict=True)],
    )
    return [
        sum(w * c for w, c in zip(weights, some, strict=True)) / sum(weights)
        for weights, some in zip((left_weights, right_weights), best, strict=True)
    ]


def _of(rows):
    return range(len(rows[0]))


def _unit(row):
    length = math.sqrt(sum(x * x for x in row))
    return [x / length for x in row] if length else row


def soft_summary(mine, others, rarity, signs):
    """Of rows of length 1 of a text with their best partners: the nine numbers of soft_features."""
    if not mine or not others:
        return [0.0] * 9
    best = [
        min(1.0, max(0.0, *(sum(a * b for a, b in zip(x, y, strict=True)) for y in others)))
        for x in mine
    ]
    weights = [1.8 if sign else rare for rare, sign in zip(rarity, signs, strict=True)]
    classes = {"function": [], "content": [], "signs": []}
    for value, rare, sign in zip(best, rarity, signs, strict=True):
        classes["signs" if sign else "function" if rare < 6 else "content"].append(value)
    total = sum(weights)
    lowest = sorted(best)[: max(1, len(best) // 4)]
    return [
        sum(w * v for w, v in zip(weights, best, strict=True)) / total,
        sum(best) / len(best),
        sum(lowest) / len(lowest),
        lowest[0],
        *(sum(some) / len(some) if some else 1.0 for some in classes.values()),
        sum(w for w, v in zip(weights, best, strict=True) if v < 0.5) / total,
        math.log1p(sum(w * (1 - v) for w, v in zip(weights, best, strict=True)) / 6),
    ]
