"""Targets: folders of several files, one of which is damaged.

Encoders as sentence-transformers writes them, test sets of mt-metrics-eval,
and cached stages of `build`.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from otherwords.build.encoders import pack_folder
from otherwords.build.engine.stages import Pipeline, Stage, Workspace, log_lines
from otherwords.corpus.inputs import read_rows
from otherwords.models.encoder import Encoder
from otherwords.scoring.outside_scores import read_outside_scores
from tests import tiny_encoder
from tests.fuzz import mutators
from tests.fuzz.harness import Target
from tests.more_calls import EVAL_SET

TEXTS = ["The small car sat .", "", "rain? 1999", "the cat " * 30]
_count = itertools.count()


def _damaged(
    name: str,
    files: dict[str, bytes],
    use: Callable[[Path], Any],
    change: Callable[[Random, bytes], bytes] | None = None,
) -> Iterator[Target]:
    """One target for each file: the folder is written again with that file changed."""
    for file, whole in files.items():

        def make(rng: Random, whole: bytes = whole, file: str = file) -> bytes:
            made = change(rng, whole) if change else mutators.text(rng, [whole])
            return mutators.text(rng, [made]) if change and rng.random() < 0.1 else made

        def run(data: bytes, folder: Path, file: str = file) -> Any:
            place = folder / f"folder{next(_count)}"
            for other, content in files.items():
                path = place / other
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data if other == file else content)
            try:
                return use(place)
            finally:
                shutil.rmtree(place)

        yield Target(f"{name} {file}", make, run)


# Encoders


def use_encoder(encoder: Encoder) -> Any:
    """All that metrics ask of an encoder."""
    places = np.array([0, 1, 2, 3]), np.array([3, 0, 0, 1])
    assert len(encoder.pieces(TEXTS[0]).names) == len(encoder.states(TEXTS)[0])
    return (
        encoder.encode(TEXTS),
        encoder.states(TEXTS, ends=True),
        encoder.cosines(TEXTS, *places),
        encoder.match(TEXTS, *places, weights=encoder.rarity),
        encoder.links(TEXTS[0], TEXTS[2]),
        encoder.count(TEXTS),
    )


def _encoder(folder: Path) -> Any:
    with np.errstate(all="ignore"):
        return use_encoder(Encoder(pack_folder(folder)))


def _json_document(rng: Random, data: bytes) -> bytes:
    return json.dumps(mutators.json_value(rng, json.loads(data))).encode()


def _safetensors(rng: Random, data: bytes) -> bytes:
    """The header with a value changed, or numbers that are turned or extreme."""
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    if rng.random() < 0.5:
        text = json.dumps(mutators.json_value(rng, header)).encode()
        return len(text).to_bytes(8, "little") + text + body
    numbers = mutators.array(rng, np.frombuffer(body, np.float32))
    if rng.random() < 0.3:
        name = rng.choice(list(header))
        begin, end = header[name]["data_offsets"]
        numbers = np.frombuffer(body, np.float32).copy()
        numbers[begin // 4 : end // 4] = rng.choice([0.0, 1e38, -1e38, 1e-38, 3.4e38])
    return data[: 8 + size] + numbers.tobytes()


def _of_encoder(rng: Random, data: bytes) -> bytes:
    return (_json_document if data[:1] in b"{[" else _safetensors)(rng, data)


def encoder_targets(folder: Path) -> Iterator[Target]:
    """A folder of sentence-transformers: each of its files."""
    place = tiny_encoder.write_folder(folder / "encoder")
    modules = [
        {"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    extra = {
        "modules.json": modules,
        "1_Pooling/config.json": {"pooling_mode_mean_tokens": True, "word_embedding_dimension": 32},
        "sentence_bert_config.json": {"max_seq_length": 20, "do_lower_case": False},
        "tokenizer_config.json": {"model_max_length": 512},
    }
    files = {one: (place / one).read_bytes() for one in ("config.json", "tokenizer.json")}
    files |= {name: json.dumps(value).encode() for name, value in extra.items()}
    weights = (place / "model.safetensors").read_bytes()
    files["model.safetensors"] = weights
    yield from _damaged("encoder", files, _encoder, _of_encoder)


# Test sets of mt-metrics-eval


def _eval_set(folder: Path) -> Any:
    rows = list(read_rows(str(folder / "de-en")))
    scores = folder / "metric-scores" / "de-en"
    given = [read_outside_scores(str(file), rows) for file in sorted(scores.glob("*.score"))]
    assert all(given)  # a score that is missing is NaN in them, and n/a where it is shown
    return [row.human for row in rows]


# Cached stages of a build


def _stages() -> list[Stage]:
    def first(workspace: Workspace) -> None:
        (workspace.folder / "numbers.txt").write_text("1\n2\n")
        workspace.log("made", lines=2)

    def second(workspace: Workspace) -> None:
        numbers = (workspace.result("first") / "numbers.txt").read_text().split()
        (workspace.folder / "sum.txt").write_text(str(sum(map(int, numbers))))

    return [Stage("first", 1, first), Stage("second", 1, second, needs=["first"])]


def _cached(folder: Path) -> None:
    """What was damaged is made again, so that the result is always the same."""
    results = Pipeline(folder, _stages()).run()
    assert (results["second"] / "sum.txt").read_text() == "3", "a damaged result was used"
    assert list(log_lines(results)) == ['{"stage": "first", "event": "made", "lines": 2}']


def cache_targets(folder: Path) -> Iterator[Target]:
    """The cache of `build` and of `paradigm coverage`."""
    place = folder / "cache-of-stages"
    _cached(place)
    files = {
        str(path.relative_to(place)): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and path.name != "lock"
    }
    for target in _damaged("cache", files, _cached):
        name = re.sub("-[0-9a-f]{16}", "", target.name)
        yield Target(name, target.make, target.run)


def folder_targets(folder: Path) -> Iterator[Target]:
    """All folders that are read."""
    yield from encoder_targets(folder)
    yield from _damaged("eval-set", {k: v.encode() for k, v in EVAL_SET.items()}, _eval_set)
    yield from cache_targets(folder)
