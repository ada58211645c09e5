"""Train the pair model on rows of `tools/pair_data.py` and `tools/pair_natural.py` and write the
part that is embedded.

    python -m tools.train_pair --data pairs.jsonl.gz:10000 --data natural.jsonl.gz --out FILE.owm \\
        [--repeat written=3] [--seed 0] [--leave-out kind=negation] [--leave-out source=paws]

Needs PyTorch, which the package does not depend on. A checkpoint is written every few minutes
beside the output (`OUT.checkpoint`); the same command goes on from it and ends in the same bytes on
the same machine with the same number of threads. The last one stays: with it the same command
fits and writes again without training. `--start` goes on from a finished model with other rows.

The loss is the cross entropy of the four outputs where a label is known; within a group, that
every right candidate is above every wrong one; and, for each word piece, whether it is what makes
the pair wrong (`marks_of`). Some units (a group or a judged pair; all groups of one written
original) are left out of training: on them `tools.pair_fit` fits the calibration, the join with the
findings of `facts` and the threshold.
"""

from __future__ import annotations

import argparse
import bisect
import difflib
import gzip
import itertools
import json
import os
import random
import resource
import time
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tools.pair_fit import calibrated, joined, report, threshold
from tools.pair_model import OUTPUTS, PairModel, Reader, Texts, base, batch, pair_of, predict
from tools.pair_states import Stored
from torch.nn import functional

from otherwords.encoders.pair_model import FINDINGS
from otherwords.encoders.pair_model import joined as measured
from otherwords.metrics.facts import FEATURES, finding_features
from otherwords.models import container
from otherwords.models.seen import filter_of

Row = dict[str, Any]
TOKENS = 1536  # of a batch, with padding
BLOCK = 4096  # rows that are sorted by length together
FEW = 100  # one unit in so many is kept for the join and the calibration
KEPT = {  # or so many, by source
    "written": 10, "stsb": 20, "wmt21-deen": 20, "twitter-url": 40, "paws": 40,
}  # fmt: skip
RATE = 1.2e-4  # of the layers of the encoder
NEW = 10  # times that: the rate of what is new
SHARES = (0, 1, 0, 1, 0, 2)  # the passes of units that come once
AHEAD = 32  # steps whose texts are read together
WARM = 0.06  # share of steps
OTHERS = 0.4  # weight of the loss of the other outputs
RANKED = 1.0  # weight of the loss of order within groups
MOST = 0.4  # share of pieces that differ, above which they do not say what is wrong
MARKED = 0.7  # weight of the loss of word pieces
SOURCES = {  # of rows: what they were made from
    "bible": "bible-en-multi (public domain)",
    "alignment": "mtref, Edinburgh alignments (Apache-2.0)",
    "wmt21-deen": "WMT 2021 German-English references and outputs (research)",
    "tatoeba": "Tatoeba (CC BY 2.0 FR)",
    "everyday": "Tatoeba (CC BY 2.0 FR)",
    "twitter-url": "twitter-url (research)",
    "stsb": "STS-B train (CC BY-SA 4.0)",
    "paws": "PAWS-QQP (free for any purpose)",
    "europarl": "Europarl (free to use)",
    "captions": "Multi30k English (research)",
    "news": "News Commentary",
    "docs": "MDN (CC BY-SA 2.5), Kubernetes and other documentation (CC BY 4.0, Apache-2.0)",
    "written": "tools/pair_written (this project)",
}
WORDS = "WordNet 3.0 (WordNet licence)"  # of the edits


def data(text: str) -> tuple[Path, int]:
    """A file of rows, and how many of them are trained on: FILE or FILE:PAIRS.

    >>> data("pairs.jsonl.gz:100")[1]
    100
    """
    path, _, pairs = text.rpartition(":")
    return (Path(path), int(pairs)) if path and pairs.isdigit() else (Path(text), 0)


def repeated(text: str) -> tuple[str, int]:
    """SOURCE=TIMES."""
    source, _, times = text.partition("=")
    return source, int(times)


def read(
    files: Sequence[tuple[Path, int]], leave_out: Sequence[str]
) -> tuple[list[list[Row]], list[list[Row]]]:
    """The units, groups or judged pairs, to train on and those that are kept out of training, all
    without the kinds and sources that are left out."""
    banned: dict[str, set[str]] = {"kind": set(), "source": set(), "cell": set()}
    for one in leave_out:
        name, _, values = one.partition("=")
        if name not in banned:
            raise SystemExit(f"--leave-out is kind=... or source=... or cell=..., not {one!r}")
        banned[name].update(values.split(","))
    trained: list[list[Row]] = []
    kept: list[list[Row]] = []
    for path, most in files:
        units: dict[str, list[Row]] = {}
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file):
                row = json.loads(line)
                if not any(row[name] in some for name, some in banned.items()):
                    units.setdefault(row["group"] or f"judged:{number}", []).append(row)
        some = list(units.values())
        random.Random(0).shuffle(some)
        kept += [unit for unit in some if is_kept(unit)]
        some = [unit for unit in some if not is_kept(unit)]
        ends = list(itertools.accumulate(map(len, some)))
        trained += some[: bisect.bisect_left(ends, most) + 1] if most else some
    return trained, kept


def is_kept(unit: Sequence[Row]) -> bool:
    """Is this unit left out of training? What was written together stays together."""
    row = unit[0]
    item = row.get("item") or row["a"] + row["source"]
    return zlib.crc32(item.encode()) % KEPT.get(row["source"], FEW) == 0


def passes(units: Sequence[list[Row]], repeated: Mapping[str, int]) -> list[list[int]]:
    """Units by number in three passes: those that come again, and of the others half in the first
    and a third in the second, so that training ends with what is natural.
    """
    found: list[list[int]] = [[], [], []]
    for n, unit in enumerate(units):
        times = min(repeated.get(unit[0]["source"], 1), len(found))
        for one in (
            (SHARES[n % len(SHARES)],) if times == 1 else range(len(found) - times, len(found))
        ):
            found[one].append(n)
    return found


def batches(
    units: Sequence[list[Row]], order: Sequence[int], sizes: Sequence[int], rng: random.Random
) -> list[list[int]]:
    """Units by number in batches of about the same length and size, in random order."""
    order = list(order)
    rng.shuffle(order)
    found: list[list[int]] = []
    for start in range(0, len(order), BLOCK):
        current: list[int] = []
        rows = 0
        for n in sorted(order[start : start + BLOCK], key=lambda n: sizes[n]):
            if current and (rows + len(units[n])) * sizes[n] > TOKENS:
                found.append(current)
                current, rows = [], 0
            current.append(n)
            rows += len(units[n])
        found.append(current)
    rng.shuffle(found)
    return found


def changed(old: Sequence[int], new: Sequence[int]) -> list[float]:
    """For each word piece of a new text 1 if the old one does not have it there.

    >>> changed([5, 6, 7], [5, 8, 7])
    [0.0, 1.0, 0.0]
    """
    found = [0.0] * len(new)
    for what, _, _, begin, end in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if what != "equal":
            found[begin:end] = [1.0] * (end - begin)
    return found


def marks_of(
    unit: Sequence[Row], texts: Sequence[tuple[list[int], list[int]]]
) -> list[list[float]]:
    """For each word piece of each pair whether it is wrong; -1 is not known.

    Nothing is wrong in right candidates; in a close wrong one it is what differs from the original,
    in a far wrong one what differs from the right text it was made from, unless that is much.
    """
    far = next(
        (
            texts[n][1]
            for n, r in enumerate(unit)
            if r["kind"] in ("equal", "written") and r["cell"] == "right-far"
        ),
        None,
    )
    found = []
    for row, (one, other) in zip(unit, texts, strict=True):
        wrong = [[-1.0] * len(one), [-1.0] * len(other)]
        if row["cell"].startswith("right"):
            wrong = [[0.0] * len(one), [0.0] * len(other)]
        elif row["cell"] == "wrong-close" and row["kind"] not in ("other", "shuffle", "question"):
            marks = [changed(other, one), changed(one, other)]
            if sum(map(sum, marks)) < MOST * (len(one) + len(other)):
                wrong = marks
        elif row["cell"] == "wrong-far" and far is not None and row["kind"] != "other":
            marks = changed(far, other)
            if sum(marks) < MOST * len(marks):
                wrong[1] = marks
        found.append(wrong[0] + wrong[1])
    return found


def marked(states: torch.Tensor, rows: Sequence[Sequence[float]]) -> torch.Tensor:
    """The loss of word pieces; `states` are their outputs."""
    truth = torch.full(states.shape, -1.0)
    for n, row in enumerate(rows):
        truth[n, : len(row)] = torch.tensor(row)
    known = (truth >= 0).float()
    each = functional.binary_cross_entropy_with_logits(
        states, truth.clamp(min=0), reduction="none", pos_weight=torch.tensor(4.0)
    )
    return MARKED * (each * known).sum() / known.sum().clamp(min=1)


def loss_of(logits: torch.Tensor, rows: Sequence[Row], units: Sequence[int]) -> torch.Tensor:
    """The loss of a batch; `units` says which rows belong together."""
    truth = torch.tensor(
        [[row[name] if row[name] is not None else -1 for name in OUTPUTS] for row in rows],
        dtype=torch.float32,
    )
    known = (truth >= 0).float()
    each = (
        functional.binary_cross_entropy_with_logits(logits, truth.clamp(min=0), reduction="none")
        * known
    )
    total = each[:, 0].sum() / known[:, 0].sum().clamp(min=1) + OTHERS * each[:, 1:].sum() / known[
        :, 1:
    ].sum().clamp(min=1)
    unit = torch.tensor(units)
    grouped = torch.tensor([bool(row["group"]) for row in rows])
    right = grouped & torch.tensor([row["cell"].startswith("right") for row in rows])
    pairs = (unit[:, None] == unit[None, :]) & right[:, None] & (grouped & ~right)[None, :]
    if pairs.any():
        above = logits[:, None, 0] - logits[None, :, 0]
        total = total + RANKED * functional.softplus(-above[pairs]).mean()
    return total


def train(given: argparse.Namespace) -> None:
    """Train, calibrate and write."""
    torch.set_num_threads(given.threads)
    torch.use_deterministic_algorithms(True)
    folder = base(given.base)
    texts = Texts(folder)
    reader = Stored(given.states, texts) if given.states else texts
    units, few = read(given.data, given.leave_out)
    earlier, more = read(given.start_data, given.leave_out)
    once = {(row["a"], row["b"], row["group"]): row for unit in more + few for row in unit}
    kept = list(once.values())
    model = PairModel(folder, seed=given.seed)
    if given.start:
        model.read(container.read(given.start, "pair").arrays)
    rough = [[len(row["a"]) + len(row["b"]) for row in unit] for unit in units]
    sizes, rng = [max(some) // 4 + 6 for some in rough], random.Random(given.seed)
    plan = [
        one
        for some in passes(units, dict(given.repeat))
        for one in batches(units, some, sizes, rng)
    ]
    everything_trained = list(model.named_parameters())
    sorts = [
        {"params": [one for name, one in everything_trained if wanted(name, one)], **more}
        for wanted, more in (
            (lambda n, p: n.startswith("top") and p.ndim == 2, {"weight_decay": 0.01}),
            (lambda n, p: n.startswith("top") and p.ndim == 1, {"weight_decay": 0.0}),
            (lambda n, p: not n.startswith("top"), {"weight_decay": 0.0, "lr": NEW * given.rate}),
        )
    ]
    optimiser = torch.optim.AdamW(sorts, lr=given.rate, betas=(0.9, 0.98))
    begin, steps = given.finish or (len(plan), len(plan))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: share_of_rate(step, len(plan), begin, steps)
    )
    checkpoint = given.out.with_name(given.out.name + ".checkpoint")
    first, spent = 0, 0.0
    if checkpoint.is_file():
        state = torch.load(checkpoint, weights_only=False)
        if state["plan"] != len(plan):
            raise SystemExit(
                f"{checkpoint}: it is of another training; remove it or go on with that"
            )
        for name, one in everything_trained:
            one.data = state["model"][name]
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        first, spent = state["step"], state["cpu"]
    rows = sum(map(len, units))
    print(f"{rows} pairs, {len(plan)} steps from {first}, {len(kept)} pairs kept", flush=True)

    def save(step: int) -> None:
        state = {
            "plan": len(plan), "step": step, "cpu": spent + cpu(),
            "model": {name: one.data for name, one in everything_trained},
            "optimiser": optimiser.state_dict(), "schedule": schedule.state_dict(),
        }  # fmt: skip
        torch.save(state, f"{checkpoint}.part")
        os.replace(f"{checkpoint}.part", checkpoint)

    began, saved, running, marking = time.time(), time.time(), 0.0, 0.0
    for step in range(first, steps):
        if step == first or step % AHEAD == 0:
            ahead = plan[step // AHEAD * AHEAD :][:AHEAD]  # the same wherever training goes on
            near = [n for some in ahead for n in some]
            wanted = dict.fromkeys(t for n in near for r in units[n] for t in (r["a"], r["b"]))
            known = dict(zip(wanted, reader.read(list(wanted)), strict=True))
        some = [row for n in plan[step] for row in units[n]]
        owner = [n for n in plan[step] for _ in units[n]]
        below, cover, side, numbers = batch([pair_of(known[r["a"]], known[r["b"]]) for r in some])
        states = model.states(below, cover, side)
        pair = loss_of(model.head(states, side, numbers), some, owner)
        marks = [
            one
            for n in plan[step]
            for one in marks_of(
                units[n], [(known[r["a"]].ids, known[r["b"]].ids) for r in units[n]]
            )
        ]
        loss = pair + marked(model.wrong(states)[:, :, 0], marks)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([one for _, one in everything_trained], 1.0)
        optimiser.step()
        schedule.step()
        running += float(pair.detach())
        marking += float(loss.detach() - pair.detach())
        if (step + 1) % 50 == 0:
            pace = (time.time() - began) / (step + 1 - first)
            left = pace * (steps - step - 1) / 60
            print(
                f"{step + 1}\tloss {running / 50:.4f} + {marking / 50:.4f}\t{pace:.2f} s/step"
                f"\t{left:.1f} min left",
                flush=True,
            )
            running, marking = 0.0, 0.0
        if time.time() - saved > given.save_minutes * 60:
            save(step + 1)
            if given.publish:
                done = earlier + [units[n] for some in plan[: step + 1] for n in some]
                write(model, folder, reader, kept, done, given, spent + cpu())
            saved = time.time()
    save(steps)
    done = earlier + [units[n] for some in plan[:steps] for n in some]
    write(model, folder, reader, kept, done, given, spent + cpu())


def share_of_rate(step: int, plan: int, begin: int, end: int) -> float:
    """Of the learning rate: up from nothing, then slowly down; from `begin` fast, to `end`.

    >>> [round(share_of_rate(step, 100, 50, 60), 2) for step in (0, 5, 50, 55, 59)]
    [0.17, 1.0, 0.54, 0.27, 0.06]
    """
    warm = max(1, int(WARM * plan))
    share = min((step + 1) / warm, max(0.02, 1 - (step - warm) / (plan - warm + 1)))
    return share * min(1.0, max(0.0, (end + 0.1 - step) / (end + 0.1 - begin)))


def finish(text: str) -> tuple[int, int]:
    """Two steps, BEGIN:END."""
    begin, _, end = text.partition(":")
    return int(begin), int(end)


def cpu() -> float:
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def features_of(found: NDArray[np.float64], pairs: Sequence[tuple[str, str]]) -> Any:
    """`JOINED` of pairs, given their logits and numbers."""
    facts = finding_features([(b, a) for a, b in pairs])
    facts = facts[:, [FEATURES.index(name) for name in FINDINGS]]
    return np.column_stack([facts, measured(found)])


def write(
    model: PairModel, folder: Any, reader: Reader, kept: list[Row], units: list[list[Row]],
    given: argparse.Namespace, spent: float,
) -> None:  # fmt: skip
    """Round, calibrate on what was kept, and write the file; print how well it does there."""
    arrays = model.arrays()
    ready = PairModel(folder).read(arrays)
    pairs = [(row["a"], row["b"]) for row in kept]
    found = predict(ready, reader, pairs)
    logits = found[:, : len(OUTPUTS)]
    arrays["calibration"] = calibrated(logits, kept)
    more = features_of(found, pairs)
    arrays["findings"] = joined(logits, more, kept)
    slope, *weights, shift = arrays["findings"][0]
    same = 1 / (1 + np.exp(-(slope * logits[:, 0] + more @ weights + shift)))
    level = threshold(same, kept)
    report(kept, same)
    arrays.update(filter_of((row["a"], row["b"]) for unit in units for row in unit).arrays)
    sources = sorted({row["source"] for unit in [*units, kept] for row in unit})
    provenance = {
        "what": "pair model: top layers and head on all-MiniLM-L6-v2, 8 bits",
        "base": folder.digest, "outputs": list(OUTPUTS), "layers": folder.shape.layers,
        "sources": [*dict.fromkeys(SOURCES.get(name, name) for name in sources), WORDS],
        "seed": given.seed, "threshold": level,
        "pairs": sum(map(len, units)), "left out": list(given.leave_out),
        "calibrated on": len(kept),
    }  # fmt: skip
    container.write(given.out, "pair", arrays, provenance)
    print(
        f"{given.out}: {given.out.stat().st_size:,} bytes, {spent / 3600:.2f} CPU hours", flush=True
    )


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=data, action="append", required=True, metavar="FILE[:PAIRS]",
        help="rows, and how many of them are trained on (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--repeat", type=repeated, action="append", default=[], metavar="SOURCE=TIMES",
        help="how often the units of a source come (default: once; at most three times)",
    )  # fmt: skip
    parser.add_argument("--start", type=Path, help="a pair model that training goes on from")
    parser.add_argument(
        "--start-data", type=data, action="append", default=[], metavar="FILE[:PAIRS]",
        help="what that model was trained on: its rows count as seen, those kept out of it are "
        "kept here too",
    )  # fmt: skip
    parser.add_argument("--states", type=Path, help="folder of tools.pair_states")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", default="auto", help="folder of the encoder (default: installed)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=RATE, help="learning rate of the layers")
    parser.add_argument("--leave-out", action="append", default=[], metavar="kind=A,B|source=A,B")
    parser.add_argument(
        "--finish", type=finish, metavar="BEGIN:END",
        help="end early: lower the learning rate from one step to another and stop there",
    )  # fmt: skip
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save-minutes", type=float, default=4.0)
    parser.add_argument("--publish", action="store_true", help="write the model at checkpoints too")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
