"""Targets that crash and hang, for the test of the harness."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fuzz.harness import Target


class Numbered(Target):
    """The input is its number."""

    def input(self, seed: int, number: int) -> Any:
        return number


def _die(number: int, folder: Path) -> None:
    if number == 3:
        ctypes.string_at(0)


def _hang(number: int, folder: Path) -> None:
    while number == 5:
        pass


def all_targets(folder: Path) -> Iterator[Target]:
    yield Numbered("dies", lambda rng: None, _die)
    yield Numbered("hangs", lambda rng: None, _hang)
