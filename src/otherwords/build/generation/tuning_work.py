"""Finished iterations of PRO on disk, so that a killed run continues with the same result."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.build.generation.goals import Lists
from otherwords.errors import InputError, UsageError
from otherwords.io.files import make_folder, packed_write, read_bytes

__all__ = ["TuningWork"]

Done = dict[str, Any]  # weights, best outputs, outputs that were new


class TuningWork:
    """A folder with a file for each iteration, named by a digest of all that goes into it.

    Without a folder nothing is kept.
    """

    def __init__(self, folder: str | Path | None, task: object) -> None:
        text = json.dumps(task, sort_keys=True, ensure_ascii=False, default=str)
        self._key = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        if folder == "":  # a path of it would be the folder where the command runs
            raise UsageError("resume needs the name of a folder, not ''")
        self._folder = None if folder is None else Path(folder)
        if self._folder is not None:
            make_folder(self._folder)

    def _path(self, number: int) -> Path | None:
        name = f"tuning-{self._key}-{number}.json.gz"
        return None if self._folder is None else self._folder / name

    def read(self, number: int) -> Done | None:
        """What an iteration found, if it was finished."""
        path = self._path(number)
        if path is None or not path.exists():
            return None
        try:
            digest, _, text = read_bytes(path).partition(b"\n")
            if digest != _digest(text):
                raise ValueError("its bytes differ from those that were written")
            done: Done = json.loads(text)
            return done
        except ValueError as error:
            message = "this iteration is not finished; remove it and run again"
            raise InputError(message, path=str(path)) from error

    def write(self, number: int, done: Done) -> None:
        """Keep what an iteration found; the file appears when it is complete."""
        path = self._path(number)
        if path is not None:
            text = json.dumps(done, ensure_ascii=False).encode()
            with packed_write(path) as file:
                file.write(_digest(text) + b"\n" + text)


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).hexdigest().encode()


def added_since(lists: Lists, sizes: list[int]) -> list[list[Any]]:
    """The outputs behind the first so many of each sentence: sentence, words, features, gain."""
    return [
        [i, lists.targets[i][place], lists.features[i][place].tolist(), lists.gains[i][place]]
        for i, size in enumerate(sizes)
        for place in range(size, len(lists.gains[i]))
    ]


def add_again(lists: Lists, added: list[list[Any]]) -> None:
    """Put the outputs of a finished iteration back."""
    for i, target, row, gain in added:
        lists.add(i, target, np.array(row))
        lists.gains[i].append(gain)
