"""The studio: agreement of GIZA++ with annotators, and what a start and a change cost.

python -m bench.studio
"""

from __future__ import annotations

import gzip
import json
import statistics
import tempfile
import time
from pathlib import Path
from threading import Thread
from urllib.request import Request, urlopen

from bench.data import DATA
from otherwords.build.bitext.gold import read_gold
from otherwords.study.diagnostics.annotators import Aligned, annotator_agreement
from otherwords.study.studio import Log
from otherwords.study.studio.access import COOKIE, Access
from otherwords.study.studio.align_page import align_page
from otherwords.study.studio.alignment_rows import align_rows, gold_rows
from otherwords.study.studio.alignments import PURPOSE, AlignmentLog, AlignmentRow
from otherwords.study.studio.page import Page
from otherwords.study.studio.server import app, listen, server

ROUNDS = 300
ACCESS = Access(b"bench")


def agreement() -> None:
    """GIZA++'s links against the sure and possible ones of mtref-dev."""
    gold = read_gold(str(DATA / "alignment" / "mtref-dev.jsonl.gz"))
    with gzip.open(DATA / "alignment" / "mtref-dev-giza.jsonl.gz", "rt") as lines:
        giza = [json.loads(line)["alignments"]["giza"] for line in lines]
    pairs = [
        Aligned(len(row.source), len(row.target), row.possible, frozenset(map(_link, links)))
        for row, links in zip(gold, giza, strict=True)
    ]
    start = time.perf_counter()
    found = annotator_agreement(pairs)
    seconds = time.perf_counter() - start
    for name, one in found.items():
        print(f"{name}: {one.value:.3f}")
    print(f"agreement on {len(pairs)} rows: {seconds:.2f} s")


def _link(text: str) -> tuple[int, int]:
    i, _, j = text.partition("-")
    return int(i), int(j)


def starting(path: Path) -> list[AlignmentRow]:
    """The rows of edinburgh-train, from their links and from our aligner."""
    start = time.perf_counter()
    rows, _ = gold_rows(str(path))
    print(f"reading {len(rows)} rows: {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    align_rows(rows)
    print(f"aligning them: {time.perf_counter() - start:.2f} s")
    return rows


def changing(rows: list[AlignmentRow]) -> None:
    """A change, from its request to the answer that it is on the disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "work.log"))
        with Log(path, PURPOSE) as log:
            found = AlignmentLog(log.events, path)
            found.add_rows(rows, log)
            _requests(align_page(log, "ann", found))
        start = time.perf_counter()
        with Log(path, PURPOSE) as log:
            AlignmentLog(log.events, path)
        print(f"opening the log again: {time.perf_counter() - start:.2f} s")


def _requests(page: Page) -> None:
    with listen() as bound:
        uvicorn = server(app([page], access=ACCESS))
        thread = Thread(target=uvicorn.run, kwargs={"sockets": [bound]})
        thread.start()
        address = f"http://127.0.0.1:{bound.getsockname()[1]}/api/align/set"
        times = [_request(address, step) for step in range(ROUNDS)]
        uvicorn.should_exit = True
        thread.join()
    middle, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"a change saved: median {1e3 * middle:.1f} ms, one in twenty above {1e3 * slow:.1f} ms")


def _request(address: str, step: int) -> float:
    body = json.dumps({"row": 0, "step": step, "cells": [[0, 0, ("sure", "none")[step % 2]]]})
    headers = {"content-type": "application/json", "cookie": f"{COOKIE}={ACCESS.cookie}"}
    start = time.perf_counter()
    with urlopen(Request(address, body.encode(), headers)) as answer:
        answer.read()
    return time.perf_counter() - start


if __name__ == "__main__":
    agreement()
    changing(starting(DATA / "alignment" / "edinburgh-train.jsonl.gz"))
