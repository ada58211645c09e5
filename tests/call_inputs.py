"""What `tests.calls` gives to metrics and commands: options, and texts written for it."""

from __future__ import annotations

import json
from itertools import product

# Options of metrics next to their defaults; several options of one variant have spaces between
# them.
EVERY = ["against=source", "against=references", "case=True", "case=False", "tokenizer=none"]
_STEPS = ["punctuation=True", "punctuation=True case=True"]
_BAGS = ["orders=4 edge_threshold=0.1 ngram_threshold=0.01 renormalise=False"]  # PEM's paper
_BAGS += ["languages=fr", "languages=de,zh", "longest=1", "stem=False"]
_TABLES = ["model=none", "languages=fr", "min_probability=0.1", "min_length=2"]
_TABLES += ["matching=greedy", "punctuation=True"]
_RECALL = ["recall=best", "recall=1"]
REQUIRED = {"combine": {"model": "otherwords-mt"}}  # options without a default
VARIANTS = {
    "maxsim": ["alpha=0.5", "orders=1", "orders=4 alpha=0.9", "dependencies=True", "syn=synset"],
    "paraeval-p": _TABLES,
    "paraeval-r": [*_TABLES, *_RECALL],
    "paraeval-summary": [*_TABLES, *_RECALL],
    "paraeval-f": ["power=0", "idf=0", "power=1 idf=1 alpha=0.5", "min_probability=0.05"],
    "pem": _BAGS,
    "otherwords-rewrite": _BAGS,
    "pem.adequacy": [*_BAGS, "orders=2", "edge_threshold=0.2", "renormalise=True"],
    "difference": ["orders=1", "orders=4", "stem=False", "stem=german"],
    "bleu": ["tokenizer=char", "tokenizer=zh", "tokenizer=intl"],
    "ibleu": ["alpha=0.5", "alpha=0.9 case=True"],
    "precis": ["target=0.8", "target=0.5 severity=1"],
    "pinc": ["orders=1", "orders=2"],
    "mup": _STEPS,
    "gm": [*_STEPS, "orders=2"],
    "bp-bleu": [*_STEPS, "orders=2"],
}

# Hypothesis, references, source: what is empty, odd or equal.
EDGES = [
    ("", ["Nothing was said."], "Nothing was said."),
    ("Nothing was said.", [""], ""),
    ("...", ["!"], "?"),
    ("The same sentence.", ["The same sentence."], "The same sentence."),
    ("THE SAME SENTENCE!", ["the same sentence"], "The Same Sentence"),
    (
        "“It’s late,” she said – “isn’t it?”",
        ['"It\'s late," she said - "isn\'t it?"'],
        "It's late.",
    ),
    ("The café's naïve owner paid 1,234.50 €.", ["The cafe owner paid 1234.50."], "He paid."),
    ("They can't've known, could they?", ["They could not have known."], "They did not know."),
    ("word", ["other"], "thing"),
    ("a a a a a a", ["a b a b"], "b b b"),
]

_TEXT = """\
The old ship left its harbour early because a storm was near.
"It isn't raining," she said; they'd waited for 1,234.5 hours!
The café’s naïve owner doesn’t know whose dogs were barking.

Nobody wanted to wait until the children had eaten their apples.
"""
_NOUNS = {"house": "maison", "car": "voiture", "table": "table", "ship": "barque"}
_WORDS = {"the": "la", "is": "est", "red": "rouge", "here": "ici"} | _NOUNS
_FRENCH = _WORDS | {"big": "grande", "large": "grande", "old": "vieille"}
_GERMAN = {"the": "die", "is": "ist", "red": "rot", "here": "hier", "big": "große"} | {
    "large": "große",
    "old": "alte",
    "house": "Hütte",
    "car": "Karre",
    "table": "Tafel",
    "ship": "Barke",
}


def _bitext(words: dict[str, str]) -> str:
    """Sentences of a small grammar, translated word by word."""
    ends = ("is red", "here", "is here", "")
    lines = []
    for noun, adjective, end in product(_NOUNS, ("big", "large", "old"), ends):
        english = f"the {adjective} {noun} {end}".split()
        lines.append(" ".join(english) + "\t" + " ".join(words[word] for word in english))
    return "\n".join(lines) + "\n"


def _jsonl(rows: list[dict]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


_SUBJECTS = "ship car house tree dog river road bridge letter garden window teacher".split()
_RATED = [("The {} went away {} times.", 4.5), ("{} {}", 1.5), ("The {} left {} times.", 2.0)]
_PARAPHRASED = [
    {
        "id": f"{number}:{place}",
        "item": str(number),
        "system": f"s{place}",
        "source": f"The {noun} left {number} times.",
        "hypothesis": paraphrase.format(noun, number),
        "human": {"overall": score + number % 3 / 10, "adequacy": score},
    }
    for number, noun in enumerate(_SUBJECTS)
    for place, (paraphrase, score) in enumerate(_RATED)
]
_TRANSLATED = [
    {
        "id": f"{langs}:{number}",
        "langs": langs,
        "reference": f"The old {noun} vanished near the big market today .",
        "hypothesis": " ".join(
            f"The old {noun} vanished near the big market today .".split()[: 9 - number % 5]
        ),
        "human": {"da": -(number % 5) + number % 3 / 10},
    }
    for langs in ("cs-en", "de-en")
    for number, noun in enumerate(_SUBJECTS)
]

_GOLD = """\
[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| count=2
[NN] ||| answer ||| reply ||| count=1
[VB] ||| answer ||| reply ||| count=1
[VP] ||| step down ||| resign ||| count=1
"""
_SYNTAX = """\
[NN] ||| answer ||| reply ||| p=0.5
[VB] ||| answer ||| reply ||| p=1
[VP] ||| step down ||| resign ||| p=2
[VP] ||| step down ||| quit ||| p=3
"""
_HIERO = """\
[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1] ||| p=0.1
[X] ||| answer ||| reply ||| p=0.2
[X] ||| répondre ||| answer ||| p=0.4
[X] ||| répondre ||| reply ||| p=0.6
"""
_PAIRS = [
    ("1", "they step down", "they resign"),
    ("1", "they step down", "they quit"),
    ("2", "the king 's answer", "the reply of king"),
    ("3", "nothing here", "something else"),
]
_GROUPS = [
    ("g1", "(S (NP (DT the) (NN storm)) (VP (VBD sank) (NP (DT the) (NN ship))))"),
    ("g1", "(S (NP (DT the) (NN gale)) (VP (VBD destroyed) (NP (DT the) (NN vessel))))"),
    ("g2", "(S (NP (PRP she)) (VP (VBD left)))"),
    ("g2", "(S (NP (PRP she)) (VP (VBD went) (ADVP (RB away))))"),
]
_SENTENCES = "g1\tThe storm sank the ship.\ng1\tThe gale destroyed the vessel.\n"


def _alignment_log() -> str:
    """Two annotators of two rows, who agree on most links."""
    head = {"kind": "log", "version": 1, "purpose": "alignment"}
    value = {"source": "she left early".split(), "target": "early she went away".split()}
    start = {"sure": ["0-1"], "possible": []}
    rows = [{"kind": "row", "value": {**value, **start}, "links": start} for _ in range(2)]
    cells = {"ann": [[1, 2, "sure"], [2, 0, "sure"]], "bob": [[1, 3, "possible"], [2, 0, "sure"]]}
    work = [
        {"annotator": name, "row": row, **event}
        for name, marks in cells.items()
        for row in range(2)
        for event in (
            {"kind": "set", "step": 0, "cells": marks[row:]},
            {"kind": "done", "step": 1, "done": True},
        )
    ]
    return _jsonl([head, *rows, *work])


def _judgement_log() -> str:
    """Two judges of a pair and eight controls; bob cannot distinguish them."""
    controls = [kind for kind in ("copy", "random", "reference", "deleted") for _ in range(2)]
    pairs: list[dict] = []
    for number, control in enumerate([None, *controls]):
        original = f"The {_SUBJECTS[number]} left early."
        system = f"control-{control}" if control else "mine"
        origin = {"systems": [system], "item": str(number), "doc": None, "source": original}
        pair = {"kind": "pair", "original": original, "text": f"Text {number}.", "control": control}
        pairs.append({**pair, "origins": [{**origin, "references": []}]})
    good = {None: 4, "copy": 5, "random": 1, "reference": 5, "deleted": 2}
    changed = {None: 4, "copy": 1, "random": 5, "reference": 4, "deleted": 2}
    criteria = ["adequacy", "fluency", "dissimilarity", "overall"]
    task = {"kind": "task", "criteria": criteria, "scale": [1, 5], "seed": 0, "pairs": len(pairs)}
    scores = [
        {"kind": "score", "judge": judge, "pair": pair, "criterion": criterion, "score": score}
        for pair, control in enumerate([None, *controls])
        for criterion in criteria
        for judge, score in (
            ("ann", (changed if criterion == "dissimilarity" else good)[control]),
            ("bob", 1 + pair % 3),
        )
    ]
    head = {"kind": "log", "version": 1, "purpose": "judgement"}
    return _jsonl([head, *pairs, {**task, "digest": "0" * 16}, *scores])


FILES = {
    "text.txt": _TEXT,
    "fr.tsv": _bitext(_FRENCH),
    "de.tsv": _bitext(_GERMAN),
    "docs.txt": "".join(f"document-{line // 4}\n" for line in range(20)),
    "links.txt": "0-1 1-1\n0-0 1-1\n0-0\n6-6 8-8\n",
    "found.txt": "0-0 2-8 7-2 8-5 9-6\n0-0 1-1 7-5 8-6 9-7\n2-1 3-2\n6-6 8-8 1-2\n",
    "paraphrases.tsv": "put off\tpostponed\t0.5\nrepair\tmend\t0.25\nold bridge\tbridge\t0.1\n",
    "paraphrased.jsonl": _jsonl(_PARAPHRASED),
    "translated.jsonl": _jsonl(_TRANSLATED),
    "gold.txt": _GOLD,
    "syntax.txt": _SYNTAX,
    "hiero.txt": _HIERO,
    "human.tsv": "syntax\t1\nhiero\t2\ngold\t3\n",
    "pairs.jsonl": _jsonl(
        [
            {"source": one.split(), "target": other.split(), "sure": ["0-0"], "group": group}
            for group, one, other in _PAIRS
        ]
    ),
    "trees.tsv": "".join(f"{group}\t{tree}\n" for group, tree in _GROUPS),
    "trees.txt": "".join(f"{tree}\n" for _, tree in _GROUPS),
    "groups.tsv": _SENTENCES,
    "align.log": _alignment_log(),
    "judge.log": _judgement_log(),
    "scores.tsv": "id\tother\n"
    + "".join(f"{row['id']}\t{len(row['hypothesis'])}\n" for row in _PARAPHRASED),
    "systems.json": json.dumps({"careful": 4, "free": 5, "literal": 2, "careless": 1}),
    "damaged.jsonl": '{"hypothesis": "one"}\n{"hypothesis": 2\n{"source": "no hypothesis"}\n',
}
