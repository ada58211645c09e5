"""What BERT's uncased tokenizer makes of every character, asked of the `tokenizers` library."""

from __future__ import annotations

import numpy as np
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from encoder_packing import BLANK, CHINESE, PUNCTUATION, REMOVED, Characters

__all__ = ["bert_characters"]

LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)
HANGUL = range(0xAC00, 0xD7A4)  # the native side decomposes them


def bert_characters() -> Characters:
    """Classes and folds of all characters."""
    normalizer, splitter = BertNormalizer(), BertPreTokenizer()
    classes = np.zeros(LAST, np.uint8)
    folds: dict[int, str] = {}
    for code in range(LAST):
        if code in SURROGATES:
            continue
        character = chr(code)
        becomes = normalizer.normalize_str(character)
        parts = splitter.pre_tokenize_str(f"a{character}a")
        if len(parts) == 3:
            classes[code] |= PUNCTUATION
        if not becomes:
            classes[code] |= REMOVED
        elif becomes == " ":
            classes[code] |= BLANK
        elif becomes.startswith(" "):
            classes[code] |= CHINESE
        becomes = becomes.strip()
        if becomes and becomes != character and code >= 0x80 and code not in HANGUL:
            folds[code] = becomes
    return Characters(classes, folds)
