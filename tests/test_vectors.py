"""Word vectors."""

from __future__ import annotations

import numpy as np
import pytest

from otherwords import ModelError
from otherwords.models import container
from otherwords.models.container import embedded
from otherwords.text.stemmer import stem
from otherwords.text.vectors import Vectors, pack


@pytest.fixture(scope="module")
def vectors():
    return Vectors.load()


def in_memory(stems, rows, counts, total):
    arrays = pack(stems, np.array(rows, float), np.array(counts), total)
    return Vectors(container.in_memory("mine", Vectors.kind, arrays, {}))


NEAR = [  # word, a word of like meaning, another of the same class and about as frequent
    "car vehicle tree", "buy purchase sing", "big large wooden", "begin start eat",
    "kill murder write", "doctor physician window", "quick fast green", "help assist fall",
    "country nation table", "child kid river", "angry furious empty", "speak talk carry",
    "money cash road", "error mistake garden", "allow permit drink", "important significant blue",
]  # fmt: skip


def test_near_words_have_near_vectors(vectors):
    """No word for itself: a few of these pairs are not near in parliament and Bible."""
    rows = [vectors.lookup(stem(line.split())) for line in NEAR]
    margins = np.array([word @ near - word @ far for word, near, far in rows])
    assert (margins > 0).mean() >= 0.9
    assert margins.mean() > 0.2


def test_vectors_have_length_one(vectors):
    rows = vectors.lookup(["the", "car", "qwertzu", "", "."])
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors.lookup([]).shape == (0, vectors.dimensions)


def test_unknown_words_are_like_none_but_themselves(vectors):
    unknown = [f"qwertz{i}" for i in range(300)]
    assert not vectors.knows(unknown).any()
    rows = vectors.lookup(unknown)
    assert np.array_equal(rows, vectors.lookup(unknown))
    cosines = rows @ rows.T - np.eye(len(rows))
    assert np.abs(cosines).max() < 0.6
    assert abs(cosines.mean()) < 0.01  # random signs


def test_rare_words_tell_more(vectors):
    the, car, qwertzu = vectors.information(["the", "car", "qwertzu"])
    assert 2 < the < 4 < car < qwertzu
    assert qwertzu == pytest.approx(np.log(float(vectors.model.arrays["total"][0])))


def test_packing_keeps_directions_and_counts():
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(400, 64))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    stems = [f"w{i}" for i in range(400)]
    mine = in_memory(stems, rows, np.arange(1, 401), 80_200)
    assert len(mine) == 400
    assert (mine.lookup(stems) * rows).sum(axis=1).min() > 0.97
    assert mine.information(["w99"])[0] == pytest.approx(np.log(80_200 / 100), abs=0.05)
    with pytest.raises(ValueError, match="even"):
        pack(["a"], np.ones((1, 3)), np.array([1]), 1)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("keys", lambda a: a[::-1].copy()),
        ("keys", lambda a: a.astype(np.uint64)),
        ("codes", lambda a: a[:, :1]),
        ("codes", lambda a: a.reshape(-1)),
        ("steps", lambda a: a * 0),
        ("steps", lambda a: a * np.float32("nan")),
        ("counts", lambda a: a[:1]),
        ("total", lambda a: a * np.uint64(0)),
        ("total", None),
    ],
)
def test_damaged_vectors_are_refused(name, change):
    arrays = pack(["a", "b", "c"], np.eye(4)[:3], np.array([1, 2, 3]), 6)
    arrays = {key: value for key, value in arrays.items() if key != name or change}
    if change:
        arrays[name] = change(arrays[name])
    with pytest.raises(ModelError, match="not a model of vectors"):
        Vectors(container.in_memory("mine", Vectors.kind, arrays, {}))


def test_another_model_is_refused():
    with pytest.raises(ModelError, match="lexicon"):
        Vectors.load(embedded("lexicon"))
