"""All targets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.commands import command_targets
from tests.fuzz.folders import folder_targets
from tests.fuzz.harness import Target
from tests.fuzz.models import model_targets
from tests.fuzz.readers import parquet_targets, text_targets


def all_targets(folder: Path) -> Iterator[Target]:
    yield from text_targets()
    yield from parquet_targets(folder)
    yield from folder_targets(folder)
    yield from model_targets(folder)
    yield from command_targets(folder)
