"""Every kind of model is opened once, by any number of threads, and again when its file changes."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from otherwords.build.trees.parser import Parser
from otherwords.errors import ModelError, UsageError
from otherwords.metrics.fluency import FluencyModel
from otherwords.models import container
from otherwords.models.container import embedded, open_once
from otherwords.models.encoder import Encoder
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.lexicon import Lexicon
from otherwords.text.tagger import Tagger
from tests.tiny_transformer import packed_pair

KINDS = [Lexicon, Tagger, Parser, ParaphraseModel]
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
    joined = np.array(model.arrays["joined"])
    joined[-1] += 1
    container.write(path, model.kind, {**model.arrays, "joined": joined}, model.provenance)
    text = ["A ship left the harbour."]
    np.testing.assert_allclose(FluencyModel.open(path).logits(text), before.logits(text) + 1)


def test_encoders_are_opened_again(tmp_path):
    path = tmp_path / "encoder.owm"
    model = packed_pair()
    container.write(path, model.kind, model.arrays, {"mark": "a"})
    encoder = Encoder.load(path)
    assert Encoder.load(str(path)) is encoder
    container.write(path, model.kind, model.arrays, {"mark": "b"})
    assert Encoder.load(path) is not encoder


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
