"""The rules of the Treebank's tokenizer.sed (MacIntyre 1995), one substitution after the other."""

from __future__ import annotations

import re

RULES = [
    (r'^"|(?<=[ ([{<])"', ' " '),
    (r"\.\.\.", " ... "),
    (r"[,;:@#$%&]", r" \g<0> "),
    (r"([^.])([.])([\])}>\"']*)[ \t]*$", r"\1 \2\3 "),  # only the last period
    (r"[?!]", r" \g<0> "),
    (r"[\]\[(){}<>]", r" \g<0> "),
    ("--", " -- "),
    ("^|$", " "),
    ('"', ' " '),
    (r"([^'])' ", r"\1 ' "),
    *((rf"({clitic}) ", r" \1 ") for clitic in ("'[sSmMdD]", "'ll", "'re", "'ve", "n't")),
    *((rf"({clitic}) ", r" \1 ") for clitic in ("'LL", "'RE", "'VE", "N'T")),
    (r"(?<= )([Cc]an)(not) ", r"\1 \2 "),
    (r"(?<= )([Dd]')(ye) ", r"\1 \2 "),
    (r"(?<= )([Gg]im|[Ll]em)(me) ", r"\1 \2 "),
    (r"(?<= )([Gg]on|[Ww]an)(na) ", r"\1 \2 "),
    (r"(?<= )([Gg]ot)(ta) ", r"\1 \2 "),
    (r"(?<= )([Mm]ore)('n) ", r"\1 \2 "),
    (r"(?<= )('[Tt])(is|was) ", r"\1 \2 "),
]


def tokenize(text):
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    return text.split()
