"""Translations into other languages, and the identifier of languages.

    python -m bench.languages [agreement|identifier]

`agreement`: Pearson with human scores by set. The figures of otherwords-mt are those of a
combination that has seen no set with the same target language. `identifier`: accuracy on lines left
out of training, cut to a few words, beside py3langid and lingua if they are installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from tools.train_identifier import lines
from tools.train_languages import SETS, fit_sets, read

import otherwords
from bench.agreement import table
from bench.data import DATA, rows
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.text.identifier import Identifier

WORDS = (5, 10, 20)
MOST = 6000  # lines that are identified
CHARACTERS = 2  # of Chinese and Japanese that count as a word


def agreement() -> None:
    """Pearson by set, the target language held out."""
    sets = read(DATA)
    lines_of_table = []
    for name, human in SETS.items():
        [domain] = sets[name].domains
        target = name.rpartition("-")[2]
        others = [
            other.domains[0] for other_name, other in sets.items() if target not in other_name[-2:]
        ]
        held_out = domain.best(fit_sets(others).predict(domain.rows))
        all_scores = [held_out]
        judged = [row for row in rows(f"languages/{name}") if human in row.human]
        scores = np.array([row.human[human] for row in judged])
        for metric in ("chrf++", "bleu"):
            result = otherwords.score(
                metric,
                [row.hypothesis for row in judged],
                references=[list(row.references) for row in judged],
            )
            all_scores.append(np.array(result.segments))
        figures = [f"{pearson(found, scores):.3f}" for found in all_scores]
        if len(set(domain.items.tolist())) < len(scores):
            among = [_deviations(values, domain.items) for values in (*all_scores[:2], scores)]
            figures += [f"{pearson(found, among[2]):.3f}" for found in among[:2]]
        else:
            figures += ["-", "-"]
        lines_of_table.append([name, f"{len(scores):,}", *figures])
    same = [f"{metric}, same segment" for metric in ("otherwords-mt", "chrF++")]
    table(["set", "segments", "otherwords-mt, held out", "chrF++", "BLEU", *same], lines_of_table)


def _deviations(values: Array, items: NDArray[np.int64]) -> Array:
    """Differences from the mean of all outputs for the same segment."""
    means = np.bincount(items, values) / np.maximum(np.bincount(items), 1)
    return np.asarray(values - means[items])


def identifier() -> None:
    """Accuracy and speed of identification."""
    left_out = list(islice(_mixed(), MOST))
    peers: dict[str, Callable[[Sequence[str]], list[str]]] = {
        "otherwords": Identifier.load().identify
    }
    languages = Identifier.load().languages
    if find_spec("py3langid"):
        from py3langid import langid

        langid.set_languages(list(languages))
        peers["py3langid"] = lambda texts: [langid.classify(text)[0] for text in texts]
    if find_spec("lingua"):
        from lingua import IsoCode639_1, LanguageDetectorBuilder

        codes = [getattr(IsoCode639_1, language.upper()) for language in languages]
        lingua = LanguageDetectorBuilder.from_iso_codes_639_1(*codes).build()

        def detect(texts: Sequence[str]) -> list[str]:
            found = map(lingua.detect_language_of, texts)
            return [language.iso_code_639_1.name.lower() if language else "" for language in found]

        peers["lingua"] = detect
    shown = []
    for name, identify in peers.items():
        figures = []
        for size in WORDS:
            texts = [_cut(text, language, size) for language, text in left_out]
            begin = time.process_time()
            answers = identify(texts)
            seconds = time.process_time() - begin
            mine, gold = np.array(answers), np.array([language for language, _ in left_out])
            agree = (mine == "en") == (gold == "en")
            figures += [f"{np.mean(mine == gold):.3f}", f"{np.mean(agree):.4f}"]
        shown.append([name, *figures, f"{len(left_out) / seconds:,.0f}"])
    heads = [f"{kind}, {size} words" for size in WORDS for kind in ("right", "English or not")]
    table(["identifier", *heads, "lines of 20 words per CPU second"], shown)


def _mixed() -> list[tuple[str, str]]:
    """Lines left out of training, languages mixed."""
    every = list(lines(DATA, left_out=True))
    return [every[place] for place in np.random.default_rng(0).permutation(len(every))]


def _cut(text: str, language: str, words: int) -> str:
    if language in ("ja", "zh"):
        return text[: CHARACTERS * words]
    return " ".join(text.split()[:words])


COMMANDS = {"agreement": agreement, "identifier": identifier}

if __name__ == "__main__":
    for command in sys.argv[1:] or list(COMMANDS):
        COMMANDS[command]()
