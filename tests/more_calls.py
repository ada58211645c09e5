"""Calls next to those that `tests.calls` records: generation, encoders, files of neighbours.

Their outputs are compared with each other and not with a record: `tests.determinism` runs them in
several environments, `tests.fuzz` with damaged inputs.
"""

from __future__ import annotations

from pathlib import Path

from tests import tiny_encoder
from tests.calls import Workspace

CALLS = """
paraphrase        paraphrase text.txt MODEL -k 5 -f jsonl -o >reworded.jsonl --threads *
compress          compress text.txt MODEL --ratio 0.9 -f json --threads *
tune              tune text.txt -r text.txt MODEL --iterations 1 --k 10 --save >tuned.json -f json
                  --threads *
encoder           model encoder tiny -o >tiny.owm
encoder-4         model encoder tiny --bits 4 -o >tiny4.owm
score-encoder     score examples/translation/free.txt -r examples/translation/reference.txt
                  -m encoder-f1,encoder-cos --set encoder=tiny4.owm -f json --segments --threads *
score-eval-set    score --rows set/de-en -m chrf -f json --segments
score-given       score --rows set/de-en -m chrf --scores mine=set/mine.seg.score -f json
meta-given        meta --rows set/de-en --human mqm -m chrf --scores mine=set/mine.seg.score
                  --ci --resamples 50 -f json
gate-baseline     gate examples/translation/free.txt -r examples/translation/reference.txt -m chrf
                  --fail-under 1 --save-baseline >base.json
gate              gate examples/translation/literal.txt -r examples/translation/reference.txt
                  -m chrf --baseline base.json --fail-if-worse --resamples 50 -f json
compare-page      compare examples/translation/free.txt examples/translation/literal.txt
                  -r examples/translation/reference.txt -m chrf --resamples 20 --html >page.html
"""
WORDS = {"MODEL": "-g hiero.txt --lm lm.arpa -w weights.txt"}
WEIGHTS = "LanguageModel 1\np -0.5\nWordPenalty -0.5\n"
EVAL_SET = {
    "sources/de-en.txt": "Es regnet\nZwei\n",
    "documents/de-en.docs": "news d1\nnews d2\n",
    "references/de-en.refA.txt": "It rains\nTwo\n",
    "system-outputs/de-en/one.txt": "Rain\nTwo\n",
    "system-outputs/de-en/two.txt": "It pours\n2\n",
    "human-scores/de-en.mqm.seg.score": "one\t-1.5\none\tNone\ntwo\t0\ntwo\t-5\n",
    "metric-scores/de-en/mine-refA.seg.score": "one\t0.5\none\t1\ntwo\t0\ntwo\tNone\n",
    "metric-scores/de-en/mine-refA.sys.score": "one\t0.5\ntwo\t1e-3\n",
    "mine.seg.score": "one\t0.5\none\t1\ntwo\t0\ntwo\t0.25\n",
}


def calls() -> dict[str, list[str]]:
    """The words of each call by its name."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in CALLS.strip("\n").splitlines():
        name = line[:18].strip() or name  # long lines are continued
        words = [part for word in line[18:].split() for part in WORDS.get(word, word).split()]
        found.setdefault(f"more {name}", []).extend(words)
    return found


def extended(folder: Path, threads: tuple[str, ...] = ("1", "2")) -> Workspace:
    """A workspace with these calls and their inputs next to its own."""
    workspace = Workspace(folder, threads)
    (folder / "weights.txt").write_text(WEIGHTS, encoding="utf-8")
    for name, text in EVAL_SET.items():
        path = folder / "set" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    tiny_encoder.write_folder(folder / "tiny")
    for name, words in calls().items():
        workspace.calls[name] = ("data", words)
        workspace.makers |= {word[1:]: name for word in words if word.startswith(">")}
    return workspace
