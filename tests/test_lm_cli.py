"""`otherwords lm estimate` and `otherwords lm query`."""

from __future__ import annotations

import gzip
import io
import json

import numpy as np
import pytest

from otherwords.build.lm import estimate, load_model

TEXT = ["The cat sat.", "The dog sat on the cat.", "", "A dog saw the cat."]


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["lm.arpa", "lm.arpa.gz", "lm.owm"])
def test_estimate_and_query(ok, text, tmp_path, name):
    model = tmp_path / name
    assert ok("lm", "estimate", "--order", 3, "-o", model, text) == ""
    scores = [float(line) for line in ok("lm", "query", model, text).split()]
    np.testing.assert_allclose(scores, estimate(TEXT, order=3).score(TEXT), atol=1e-5)
    assert ok("lm", "query", model, text, "--threads", 3) == ok("lm", "query", model, text)


def test_several_files_and_standard_input(ok, text, tmp_path, monkeypatch):
    packed = tmp_path / "text.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    ok("lm", "estimate", "-o", tmp_path / "two.owm", text, packed)
    assert load_model(tmp_path / "two.owm").digest == estimate(TEXT * 2).digest

    class Stdin:
        buffer = io.BytesIO(text.read_bytes() * 2)

    monkeypatch.setattr("sys.stdin", Stdin)
    ok("lm", "estimate", "-o", tmp_path / "stdin.owm")
    assert (tmp_path / "stdin.owm").read_bytes() == (tmp_path / "two.owm").read_bytes()


def test_tokenized_text_is_taken_as_it_is(ok, text, tmp_path):
    model = tmp_path / "lm.arpa"
    ok("lm", "estimate", "--tokenizer", "none", "-o", model, text)
    expected = estimate(TEXT, tokenizer="none").score(TEXT)
    assert load_model(model).words
    assert {"The", "sat."} <= set(load_model(model).words)
    shown = [float(x) for x in ok("lm", "query", model, text, "--tokenizer", "none").split()]
    np.testing.assert_allclose(shown, expected, atol=1e-5)
    ok("lm", "estimate", "--tokenizer", "none", "--no-case", "-o", model, text)
    assert "The" not in load_model(model).words


def test_per_token_and_summary(ok, text, tmp_path):
    model = tmp_path / "lm.owm"
    ok("lm", "estimate", "-o", model, text)
    query = tmp_path / "query.txt"
    query.write_text("The bird sat.\n\n")
    rows = [line.split("\t") for line in ok("lm", "query", model, query, "--per-token").split("\n")]
    assert [row[0] for row in rows] == ["The", "bird", "sat", ".", "</s>", "", "</s>", "", ""]
    assert [row[2] for row in rows if len(row) == 3][:2] == ["2", "0"]
    total = sum(float(row[1]) for row in rows if len(row) == 3)
    printed = json.loads(ok("lm", "query", model, query, "--summary", "-f", "json"))
    summary = {row["measure"]: row["value"] for row in printed["summary"]}
    assert (summary["sentences"], summary["tokens"], summary["unknown"]) == (2, 4, 1)
    assert float(summary["log10 probability"]) == pytest.approx(total, abs=1e-3)
    assert float(summary["perplexity"]) == pytest.approx(10 ** (-total / 6), rel=1e-3)
    shown = ok("lm", "query", model, query, "--summary").splitlines()
    assert shown[2].split() == ["tokens", "4"]


def test_options_that_make_it_small(ok, text, tmp_path):
    def built(*options):
        ok("lm", "estimate", "-o", tmp_path / "lm.owm", text, *options)
        return load_model(tmp_path / "lm.owm")

    full = built()
    assert built("--prune", "0,0,1").sizes[2] < full.sizes[2]
    assert sum(built("--prune-entropy", "0.01").sizes) < sum(full.sizes)
    assert built("--quantize", "8").provenance["quantize"] == 8
    assert built("--min-count", "2").sizes[0] < full.sizes[0]
    budget = full.nbytes - 200
    assert built("--max-bytes", budget).nbytes <= budget


def test_refusals(refused, text, tmp_path):
    model = tmp_path / "lm.owm"
    text.write_text("fine\n<s> here\n")
    reserved = refused("lm", "estimate", "--tokenizer", "none", "-o", model, text)
    assert f"{text}:2: the text holds the reserved word <s>" in reserved
    assert not model.exists()
    assert "must end in .arpa" in refused("lm", "estimate", "-o", tmp_path / "lm.bin", text)
    assert "go with an .owm" in refused(
        "lm", "estimate", "-o", tmp_path / "lm.arpa", "--quantize", 8, text
    )
    assert "numbers with commas" in refused("lm", "estimate", "-o", model, "--prune", "x", text)
    assert "prune must be a whole number" in refused(
        "lm", "estimate", "-o", model, "--prune", "0,1.5", text
    )
    assert "order must be" in refused("lm", "estimate", "-o", model, "--order", 0, text)
    text.write_text("")
    assert "there is no text" in refused("lm", "estimate", "-o", model, text)
    text.write_bytes(b"caf\xe9\n")
    assert f"{text}:1:4: byte 0xe9" in refused("lm", "estimate", "-o", model, text)
    assert "no \\data\\ line" in refused("lm", "query", text, text)
    assert "no such file" in refused("lm", "query", model, text)
    assert "both the model and the text" in refused("lm", "query", "-")
    assert "--format does nothing without --summary" in refused(
        "lm", "query", model, text, "-f", "json"
    )
    both = ("--summary", "--per-token")
    assert "not both" in refused("lm", "query", model, text, *both)
    assert not list(tmp_path.glob("*.owm"))


def test_help(ok):
    assert "estimate" in ok("lm", "--help")
    assert "--prune-entropy" in ok("lm", "estimate", "--help")


def test_orders_without_ngrams(ok, tmp_path):
    text, packed, plain = tmp_path / "t", tmp_path / "t.owm", tmp_path / "t.arpa"
    text.write_text("cat\ndog\nbird\n")
    ok("lm", "estimate", "--order", "5", "--quantize", "8", "-o", packed, text)
    ok("lm", "estimate", "--order", "5", "-o", plain, text)
    assert ok("lm", "query", packed, text) == ok("lm", "query", plain, text)
