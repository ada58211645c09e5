"""Two threads that use the same models at once; run under ThreadSanitizer by `tests.sanitizers`.

Every kernel is called by two Python threads, each of which asks it for two threads of its own, and
must give both what it gives to one.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import otherwords
from otherwords.build.bitext.aligner import Aligner
from otherwords.build.bitext.corpus import Bitext
from otherwords.build.bitext.links import Links
from otherwords.build.bitext.pairs import read_bitext
from otherwords.build.generation import Decoder
from otherwords.build.grammar.extraction import extract_rules
from otherwords.build.grammar.index import GrammarIndex
from otherwords.build.grammar.sync_parser import SyncParser
from otherwords.build.lm import load_model
from otherwords.build.phrases.extraction import aligned_text, rounds
from otherwords.build.trees.parser import Parser
from otherwords.models.container import embedded
from otherwords.text.tagger import Tagger
from tests.call_inputs import FILES
from tests.fuzz import seeds

TEXTS = FILES["text.txt"].splitlines() * 6
OTHERS = [*TEXTS[1:], TEXTS[0]]
REPEATS = 30  # of the bitext: rules are counted in blocks of some 4,000 words


# `combine` has no model of its own.
OPTIONS = {"combine": {"model": embedded("otherwords-mt")}}


def score(name: str) -> Callable[[], Any]:
    def run() -> Any:
        texts, others = [one or "x" for one in TEXTS], [one or "x" for one in OTHERS]
        given = {"references": [[one] for one in others], "sources": others, "threads": 2}
        result = otherwords.score(name, texts, **given, **OPTIONS.get(name, {}))
        return np.asarray(result.segments).tolist()

    return run


def phrases(bitext: Bitext, links: Links) -> list[Any]:
    """Phrase pairs of small blocks."""
    text = aligned_text(*bitext, links)
    lexicon = text.word_links()
    return [
        (block["left"].tolist(), block["right"].tolist(), block["count"].tolist())
        for starts in rounds(*bitext, 1 << 10, 2)
        for block in text.count_phrases(lexicon, starts, 4, 2)
    ]


def calls(folder: Path) -> dict[str, Callable[[], Any]]:
    """The calls by name; their models are opened before."""
    for name in ("hiero.txt", "text.txt"):
        (folder / name).write_text(FILES[name], encoding="utf-8")
    (folder / "fr.tsv").write_text(FILES["fr.tsv"] * REPEATS, encoding="utf-8")
    bitext, _ = read_bitext([str(folder / "fr.tsv")])
    aligner = Aligner.train(bitext, threads=2)
    links = aligner.align(bitext)[0]
    arpa = folder / "lm.arpa"
    arpa.write_text(seeds.ARPA, encoding="utf-8")
    language = load_model(arpa)
    tagger, parser = Tagger.load(), Parser.load()
    words = [one.split() for one in TEXTS]
    grammar = SyncParser(GrammarIndex.of(seeds.RULES.splitlines()))
    weights = {"LanguageModel": 1.0, "p": -0.5}
    sentences = ["the king 's answer", *TEXTS]
    decoder = Decoder([folder / "hiero.txt"], language, weights, sentences=sentences)
    pairs = ["the house of house"] * 20, ["home 's home"] * 20
    return {
        "extract phrases": lambda: phrases(bitext, links),
        "extract rules": lambda: [
            (rows.tobytes(), parts.tolist())
            for rows, parts in extract_rules(*bitext, links, threads=2)
        ],
        "align": lambda: aligner.align(bitext, threads=2)[1].tolist(),
        "lm": lambda: language.score(TEXTS, threads=2).tolist(),
        "tag": lambda: tagger.tag(words, threads=2),
        "parse": lambda: [str(tree) for tree in parser.parse(TEXTS, threads=2)],
        "synchronous parse": lambda: [str(one) for one in grammar.parse(*pairs, threads=2)],
        "decode": lambda: [str(one) for one in decoder.decode(sentences, k=5, threads=2)],
        **{f"score {name}": score(name) for name in otherwords.list_metrics()},
    }


def twice(call: Callable[[], Any]) -> list[Any]:
    """What two threads get that call at the same time."""
    found: list[Any] = [None, None]
    start = threading.Barrier(2)

    def run(place: int) -> None:
        start.wait()
        found[place] = call()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        wrong = 0
        for name, call in calls(Path(folder)).items():
            both = twice(call)
            same = both[0] is not None and both[0] == both[1] == call()
            wrong += not same
            print(f"{name:20} {'the same in both threads' if same else 'DIFFERENT'}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
