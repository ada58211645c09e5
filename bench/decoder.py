"""The decoder compared with cdec's results on the same grammars, language model and weights.

    python -m bench.decoder [--data ../shared/data] [NAME.SEARCH ...]
    python -m bench.decoder --rules 5000000
    python -m bench.decoder --pro c a

Prints for each file of decoder/ how many best totals are equal to cdec's, better or worse, how
many 10-best lists are equal, the mean totals, and sentences per CPU second next to cdec's on its
own machine (decoder/speed.json has its sentences; the rows here are the development part).
With --rules it prints instead the memory that a grammar of so many rules takes, all of them kept:
made rules of one to three words per side, six in ten with a nonterminal, 60,000 different words,
and the twelve features of `otherwords extract grammar`.
With --pro it tunes to BLEU by PRO from pro.json's weights of +-1: on all sentences of a set, and on
each half of them to decode the other half, which gives the gain on text that was held out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.agreement import table
from otherwords.build.generation import Decoder, Pro, Search, read_weights, tune
from otherwords.build.generation.tuning import Goal, TuningResult
from otherwords.build.lm import LanguageModel, estimate, load_model

FILES = ("c1.pop30", "c1.pop200", "c1.pop1000", "c2.pop30", "c2.pop200", "c2.pop1000",
         "a1.pop200", "a2.pop200", "c1.full", "c2.full", "a1.full", "c1.fulluniq")  # fmt: skip
CLOSE = 2e-3


def compared(folder: Path, name: str, model: LanguageModel, work: Path) -> list[str]:
    """One line of the table."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    grammar = work / rows[0]["grammar"]
    if not grammar.exists():
        packed = (folder / f"{rows[0]['grammar']}.grammar.xz").read_bytes()
        grammar.write_bytes(lzma.decompress(packed))
    limit = name.partition(".pop")[2]
    search = Search(int(limit) if limit else None, rows[0]["span_limit"])
    weights = read_weights(folder / "weights" / rows[0]["weights"])
    decoder = Decoder(grammar, model, weights, search=search)
    text = [" ".join(row["source"]) for row in rows]
    start = time.process_time()
    found = decoder.decode(text, k=10, unique=rows[0].get("unique", False))
    seconds = time.process_time() - start
    ours = [[one.total for one in decoded.outputs] for decoded in found]
    theirs = [[one["total"] for one in row["kbest"]] for row in rows]
    equal = better = lists = 0
    for mine, other in zip(ours, theirs, strict=True):
        near = abs(mine[0] - other[0]) < CLOSE
        equal += near
        better += not near and mine[0] > other[0]
        pairs = list(zip(mine, other, strict=False))
        lists += len(mine) == len(other) and all(abs(a - b) < CLOSE for a, b in pairs)
    means = [sum(one[0] for one in some) / len(rows) for some in (ours, theirs)]
    return [
        name, f"{len(rows)}", f"{equal}", f"{better}", f"{len(rows) - equal - better}",
        f"{lists}", f"{means[0]:.6f}", f"{means[1]:.6f}", f"{len(rows) / seconds:.1f}",
        _cdec_speed(folder, name),
    ]  # fmt: skip


def _cdec_speed(folder: Path, name: str) -> str:
    weights, _, search = name.partition(".pop")
    for one in json.loads((folder / "speed.json").read_text()):
        if (one["decoder"], one["weights"], str(one.get("pop"))) == ("cdec", weights, search):
            return f"{one['sentences_per_cpu_s']:.1f}"
    return "n/a"


FEATURES = ("count=1 e_given_f_lex=%.5f e_given_f_phrase=%.5f f_given_e_lex=%.5f "
            "f_given_e_phrase=%.5f rarity=1 lexical=0 phrasal=1 syntactic=0 word_difference=%d "
            "character_difference=%d")  # fmt: skip


def write_rules(path: Path, count: int, block: int = 50_000) -> None:
    """So many rules: in every block the same forms with other words."""
    rng = np.random.default_rng(1)
    forms = []
    for _ in range(block):
        sides = [["w%d"] * size for size in rng.integers(1, 4, 2)]
        if rng.random() < 0.6:
            for side in sides:
                side.insert(rng.integers(len(side) + 1), "[X,1]")
        values = (*(9 * rng.random(4)), *(rng.integers(-5, 6, 2)))
        forms.append(
            f"[X] ||| {' '.join(sides[0])} ||| {' '.join(sides[1])} ||| {FEATURES % values}\n"
        )
    with path.open("w") as file:
        for begin in range(0, count, block):
            some = "".join(forms[: count - begin])
            words = (60_000 * rng.random(some.count("%d")) ** 3).astype(int)
            file.write(some % tuple(words.tolist()))


def memory(count: int) -> None:
    """Reads so many rules and decodes with them."""
    model = estimate(["w1 w2 w3"], order=2, tokenizer="none")
    weights = {"e_given_f_phrase": -1.0, "LanguageModel": 1.0, "PassThrough": -1.0}
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "grammar"
        write_rules(path, count)
        before, start = _peak(), time.process_time()
        decoder = Decoder([path], model, weights)
        seconds = time.process_time() - start
        decoder.decode([" ".join(f"w{7 * k}" for k in range(1, 30))] * 8)
        print(
            f"{decoder.size:,} rules, {path.stat().st_size / 1e6:.0f} MB of text: read in", end=" "
        )
        print(f"{seconds:.0f} CPU s; peak memory {before:.0f} MB before, {_peak():.0f} MB after")


def tuned(folder: Path, name: str, model: LanguageModel, work: Path) -> None:
    """BLEU before and after PRO on a set, and on halves that were not tuned on."""
    grammar = work / name
    grammar.write_bytes(lzma.decompress((folder / f"{name}.grammar.xz").read_bytes()))
    pairs = json.loads((folder / f"{name}.sents.json").read_text())["dev"]
    sources, references = ([" ".join(pair[side]) for pair in pairs] for side in (0, 1))
    start = json.loads((folder / "pro.json").read_text())["start"]
    decoder = Decoder(grammar, model, start, search=Search(200))

    def after(rows: range, pro: Pro) -> TuningResult:
        decoder.reweight(start)
        some = [sources[i] for i in rows], [[references[i]] for i in rows]
        return tune(decoder, *some, metric="bleu", pro=pro)

    whole = after(range(len(pairs)), replace(PRO, held_out=0))
    print(f"{name}: BLEU on all {len(pairs)} sentences, which were tuned on:", end=" ")
    print(f"{whole.before.value:.1f} -> {whole.after.value:.1f} (iteration {whole.best})")
    outputs = [[""] * len(pairs), [""] * len(pairs)]
    for half in (0, 1):
        after(range(half, len(pairs), 2), PRO)
        rest = range(1 - half, len(pairs), 2)
        for place, weights in enumerate((start, decoder.weights)):
            decoder.reweight(weights)
            for i, one in zip(rest, decoder.decode([sources[i] for i in rest]), strict=True):
                outputs[place][i] = one.outputs[0].target
    goal = Goal("bleu", sources, [[text] for text in references], 1)
    uniform, found, gain = goal.difference(outputs[0], outputs[1], range(len(pairs)), 0)
    print(f"{name}: BLEU of the halves that were held out: {uniform.value:.1f} ->", end=" ")
    print(f"{found.value:.1f}, {gain.value:+.1f} [{gain.low:+.1f}, {gain.high:+.1f}]", flush=True)


PRO = Pro(iterations=8, k=200, samples=5000, kept=50)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the table and the peak of memory."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("names", nargs="*", default=FILES)
    parser.add_argument("--rules", type=int)
    parser.add_argument("--pro", nargs="+", choices=("a", "c"), default=())
    given = parser.parse_args()
    if given.rules:
        memory(given.rules)
        return
    folder = given.data / "decoder"
    header = ["file", "sentences", "equal", "better", "worse", "10-best equal", "mean", "cdec",
              "sentences/CPU s", "cdec"]  # fmt: skip
    with tempfile.TemporaryDirectory() as work:
        arpa = Path(work) / "lm.arpa"
        arpa.write_bytes(lzma.decompress((folder / "lm3.arpa.xz").read_bytes()))
        model = load_model(arpa, tokenizer="none", case=True)
        for name in given.pro:
            tuned(folder, name, model, Path(work))
        if given.pro:
            return
        table(header, [compared(folder, name, model, Path(work)) for name in given.names])
    print(f"\npeak memory: {_peak():.0f} MB")


if __name__ == "__main__":
    main()
