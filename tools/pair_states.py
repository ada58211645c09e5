"""Keep what the untrained encoder makes of texts, so that several trainings read it once.

    python -m tools.pair_states --data pairs.jsonl.gz:24000 --data natural.jsonl.gz --states FOLDER

`tools.train_pair --states FOLDER` uses the folder and adds what it does not have. States are kept
in 16 bits, 1.5 kB for each word piece; training without a folder rounds them so, too: the folder
changes the time that training takes and not its result. The same command goes on after a break.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from tools.pair_model import Read, Texts, base

CHUNK = 2048  # texts that are written together


class Stored:
    """Texts that were read before, in `texts.jsonl` and `states.f16` of a folder."""

    def __init__(self, folder: Path, texts: Texts) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.texts, self.names, self.states = texts, folder / "texts.jsonl", folder / "states.f16"
        self.width = len(texts.given["embeddings.LayerNorm.weight"])
        self.ids: dict[str, list[int]] = {}
        self.begins: dict[str, int] = {}
        self.pieces = 0
        if self.names.is_file():
            lines = self.names.read_text("utf-8").splitlines(keepends=True)
            whole = [json.loads(line) for line in lines if line.endswith("\n")]
            self._known(whole, texts.ids(whole))
        # a break may have left states without their texts, or half of a line
        with self.names.open("ab") as file:
            file.truncate(sum(len(self._line(text)) for text in self.ids))
        with self.states.open("ab") as file:
            file.truncate(self.pieces * self.width * 4)
        self._open()

    def read(self, texts: Sequence[str]) -> list[Read]:
        """All texts; those that are new are kept."""
        new = [text for text in dict.fromkeys(texts) if text not in self.ids]
        for begin in range(0, len(new), CHUNK):
            self._add(new[begin : begin + CHUNK])
        if new:
            self._open()
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Read:
        ids, begin = self.ids[text], self.begins[text]
        both = np.asarray(self.map[begin : begin + len(ids)], np.float32)
        return Read(ids, both[:, 0], both[:, 1])

    def _add(self, texts: Sequence[str]) -> None:
        found = self.texts.read(texts)
        with self.states.open("ab") as file:
            for one in found:
                file.write(np.stack([one.below, one.after], 1).astype(np.float16).tobytes())
        with self.names.open("ab") as file:
            file.write(b"".join(map(self._line, texts)))
        self._known(texts, [one.ids for one in found])

    def _known(self, texts: Sequence[str], ids: Iterable[list[int]]) -> None:
        for text, mine in zip(texts, ids, strict=True):
            self.ids[text], self.begins[text] = mine, self.pieces
            self.pieces += len(mine)

    def _open(self) -> None:
        shape = (self.pieces, 2, self.width)
        self.map = (
            np.memmap(self.states, np.float16, "r", shape=shape)
            if self.pieces
            else np.zeros(shape, np.float16)
        )

    @staticmethod
    def _line(text: str) -> bytes:
        return json.dumps(text).encode() + b"\n"


def main() -> None:
    """Read the texts of training rows."""
    from tools import train_pair

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=train_pair.data, action="append", required=True, metavar="FILE[:PAIRS]"
    )
    parser.add_argument("--states", type=Path, required=True)
    parser.add_argument("--base", default="auto", help="folder of the encoder (default: installed)")
    given = parser.parse_args()
    torch.set_num_threads(1)
    stored = Stored(given.states, Texts(base(given.base)))
    trained, kept = train_pair.read(given.data, ())
    rows = [row for unit in trained + kept for row in unit]
    wanted = list(dict.fromkeys(row[one] for row in rows for one in ("a", "b")))
    for begin in range(0, len(wanted), CHUNK):
        stored.read(wanted[begin : begin + CHUNK])
        print(f"{begin + CHUNK:,} of {len(wanted):,} texts", flush=True)


if __name__ == "__main__":
    main()
