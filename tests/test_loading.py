"""Every kind of model is opened once, by any number of threads, and again when its file changes."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from threading import Barrier

import numpy as np
import pytest

from otherwords.build.trees.parser import Parser
from otherwords.encoders.static import StaticEncoder
from otherwords.errors import ModelError, UsageError
from otherwords.metrics.fluency import FluencyModel
from otherwords.models import container
from otherwords.models.container import embedded, open_once
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.lexicon import Lexicon
from otherwords.text.tagger import Tagger
from otherwords.text.vectors import Vectors
from tests import tiny_encoder, tiny_pair

KINDS = [Lexicon, Tagger, Parser, Vectors, StaticEncoder, ParaphraseModel]
THREADS = 8


def replace(path, content):
    """Put another file in the place of one, as `atomic_write` does."""
    other = path.with_name("other")
    other.write_bytes(content)
    os.utime(other, ns=(1, 1))
    other.replace(path)


def marked(path, mark):
    """The model of a file with another provenance."""
    model = container.read(path)
    container.write(path.with_name("marked"), model.kind, model.arrays, {"mark": mark})
    return path.with_name("marked").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_replaced_file_is_noticed(kind, tmp_path):
    path = tmp_path / "model.owm"
    shutil.copy(embedded(kind.kind), path)
    first, second = marked(path, "a"), marked(path, "b")
    assert len(first) == len(second)
    replace(path, first)
    before = kind.load(path)
    assert kind.load(str(path)) is kind.load(path) is before
    assert before.model.provenance == {"mark": "a"}
    replace(path, second)  # the same size and the same time of change
    assert kind.load(path).model.provenance == {"mark": "b"}
    assert kind.load(path) is not before
    path.unlink()
    with pytest.raises(ModelError, match="no such file"):
        kind.load(path)
    replace(path, first)
    assert kind.load(path).model.provenance == {"mark": "a"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_embedded_model_is_the_default(kind):
    assert kind.load() is kind.load(kind.kind)
    with pytest.raises(UsageError, match="must be a name or a path, not 3"):
        kind.load(3)


def test_fluency_is_opened_again(tmp_path):
    path = tmp_path / "fluency.owm"
    shutil.copy(embedded("fluency"), path)
    before = FluencyModel.open(path)
    assert FluencyModel.open(path) is before
    model = container.read(path)
    container.write(path, model.kind, {**model.arrays, "bias": model.arrays["bias"] + 1}, {})
    text = ["A ship left the harbour."]
    np.testing.assert_allclose(FluencyModel.open(path).logits(text), before.logits(text) + 1)


@pytest.mark.skipif(find_spec("onnxruntime") is None, reason="the extra neural is not installed")
def test_encoders_of_folders_are_opened_again(tmp_path):
    from otherwords.encoders.neural import NeuralEncoder
    from otherwords.encoders.pair import PairModel

    folder = tiny_encoder.write_folder(tmp_path / "folder")
    path = tiny_pair.write_pair(tmp_path / "pair.owm", folder)
    encoder, pair = NeuralEncoder.load(folder), PairModel.load(path, folder)
    assert NeuralEncoder.load(folder) is encoder
    assert PairModel.load(path, folder) is pair
    tiny_pair.write_pair(path, folder, seed=1)
    assert PairModel.load(path, folder).signature != pair.signature
    tiny_encoder.write_folder(folder, seed=1)  # the same names in the same folder
    assert NeuralEncoder.load(folder).signature != encoder.signature
    with pytest.raises(ModelError, match="needs the weights"):
        PairModel.load(path, folder)


def test_threads_open_a_model_once(tmp_path):
    path = tmp_path / "tagger.owm"
    shutil.copy(embedded("tagger"), path)
    together = Barrier(THREADS)

    def load(number):
        together.wait()
        return Tagger.load(path)

    with ThreadPoolExecutor(THREADS) as pool:
        assert len(set(map(id, pool.map(load, range(THREADS))))) == 1


def test_models_used_least_recently_are_closed(tmp_path, monkeypatch):
    monkeypatch.setattr(container, "_opened", {})
    monkeypatch.setattr(container, "_MOST_OPEN", 2)
    made = []

    def open_number(number):
        return open_once(number, [tmp_path], lambda: made.append(number))

    for number in (1, 2, 1, 3, 1, 2):
        open_number(number)
    assert made == [1, 2, 3, 2]


def test_a_model_that_cannot_be_opened_is_tried_again(tmp_path):
    path = tmp_path / "x"
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            open_once((path,), [path], lambda: 1 // 0)
    assert open_once((path,), [path], lambda: 7) == 7
