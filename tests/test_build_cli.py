"""`otherwords build` on real stages: small bitexts in, a model that can be looked things up in."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys

import pytest

from otherwords.build.engine.stages import Workspace
from otherwords.models.paraphrase_model import ParaphraseModel

LEXICON = {
    "fr": {"the": "la", "houses": "maison", "car": "voiture", "is": "est", "red": "rouge"}
    | {"big": "grande", "old": "vieille", "large": "grande", "table": "table", "here": "ici"},
    "zh": {"the": "这", "houses": "房子", "car": "汽车", "is": "是", "red": "红的"}
    | {"big": "大的", "old": "老的", "large": "大的", "table": "桌子", "here": "这里"},
}


def pairs(language, number=300):
    """Sentences of a made-up grammar with their translations word by word."""
    draw = random.Random(7)
    lexicon = LEXICON[language]
    glue = "" if language == "zh" else " "
    for _ in range(number):
        noun = draw.choice(["houses", "car", "table"])
        words = ["the", draw.choice(["big", "large", "old"]), noun, "is", "red"]
        words = words[: draw.choice([3, 5])] + draw.choice([[], ["here"]])
        yield " ".join(words), glue.join(lexicon[word] for word in words)


@pytest.fixture
def bitexts(tmp_path):
    paths = {}
    for language in LEXICON:
        text = "".join(f"{left}\t{right}\n" for left, right in pairs(language))
        paths[language] = tmp_path / f"en-{language}.tsv.gz"
        paths[language].write_bytes(gzip.compress(text.encode(), mtime=0))
    return paths


@pytest.fixture
def wanted(bitexts):
    options = [f"--pivot={language}={path}" for language, path in bitexts.items()]
    return [*options, "--lm", bitexts["fr"], "--keep-duplicates"]


def test_what_is_in_the_model(run, ok, wanted, tmp_path):
    output = tmp_path / "m.owm"
    code, _, err = run("build", "-o", output, *wanted)
    assert code == 0
    assert err.splitlines()[-1] == "model: finished"
    model = ParaphraseModel.load(output)
    assert model.languages == ["fr", "zh"]
    french = model.pivots["fr"]
    assert french.edges("hous")[0].words == ("maison",)  # stems of English
    assert french.edges("big tabl")[0].words == ("grande", "table")
    assert french.share_pivot("big", "larg")
    assert not french.share_pivot("big", "old")
    assert french.paraphrase_probability("big", "larg") == pytest.approx(0.5, abs=0.1)
    assert model.pivots["zh"].edges("car")[0].words == ("汽", "车")
    lm = model.language_model
    good, bad = lm.score(["the big car is red", "red is car big the"])
    assert good > bad
    assert "paraphrase" in ok("model", "info", output)
    ok("model", "verify", output)


def test_the_same_bytes_for_any_number_of_threads_and_hash_seed(bitexts, wanted, tmp_path):
    made = []
    for threads, seed in ((1, "1"), (3, "2")):
        output = tmp_path / f"{threads}.owm"
        argv = ["build", "-o", output, *wanted, "--threads", threads]
        command = "from otherwords.cli import entry; entry()"
        subprocess.run(
            [sys.executable, "-c", command, *map(str, argv)],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
        )
        made.append(output.read_bytes())
    assert made[0] == made[1]


STAGES = ["tokens-fr", "align-zh", "phrases-fr", "pack-zh", "lm"]


@pytest.mark.parametrize("stage", STAGES)
def test_killed_and_run_again(run, wanted, tmp_path, stage):
    """The process dies as soon as the stage has written something."""
    output, whole = tmp_path / "m.owm", tmp_path / "whole.owm"
    assert run("build", "-o", whole, *wanted)[0] == 0
    child = os.fork()
    if child == 0:

        def dying(self, *argv, **fields):
            if self._stage == stage:
                os.kill(os.getpid(), signal.SIGKILL)

        Workspace.log = Workspace.progress = dying
        run("build", "-o", output, *wanted)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert not output.exists()
    code, _, err = run("build", "-o", output, *wanted)
    assert code == 0
    assert output.read_bytes() == whole.read_bytes()
    assert "clean-fr: reused" in err


def test_bad_lines_are_counted_and_logged(run, bitexts, tmp_path):
    bad = (
        b"\tempty\na\tb\tc\nno columns\nx\0y\tz\n\xff\tz\n\x07bell\tz\n"
        + b"long " * 5000
        + b"\tx\n"
    )
    source, output = tmp_path / "bad.tsv", tmp_path / "m.owm"
    good = gzip.decompress(bitexts["fr"].read_bytes()).replace(b"\n", b"\r\n")
    source.write_bytes(b"\xef\xbb\xbf" + good + bad)
    assert run("build", "-o", output, f"--pivot=fr={source}")[0] == 0
    log = [json.loads(line) for line in (tmp_path / "m.owm.log.jsonl").read_text().splitlines()]
    codes = {row["code"]: row["lines"] for row in log if "code" in row}
    expected = {"W504": 1, "E601": 2, "E103": 1, "E101": 1, "W503": 1, "W601": 1, "W501": 1}
    assert expected.items() <= codes.items()
    assert codes["W603"] > 200


def test_what_is_refused(refused, bitexts, tmp_path):
    output = tmp_path / "m.owm"
    assert "nothing to build" in refused("build", "-o", output)
    assert "NAME=FILE" in refused("build", "-o", output, "--pivot", "fr")
    assert "No such file" in refused("build", "-o", output, "--pivot=fr=none.tsv")
    empty = tmp_path / "empty.tsv"
    empty.write_text("\n\n")
    assert "no line holds a sentence pair" in refused("build", "-o", output, f"--pivot=fr={empty}")
    two = f"--pivot=fr={empty},{bitexts['fr']}"
    assert "the file ends before line" in refused("build", "-o", output, two)
    assert "jieba" in refused("build", "-o", output, two, "--segmentation", "x")
    assert not output.exists()


def test_jieba_is_missed_before_any_work(run, bitexts, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jieba", None)
    given = (f"--pivot=zh={bitexts['fr']}", "--segmentation", "jieba")
    code, _, said = run("build", "-o", tmp_path / "m.owm", *given)
    assert (code, said.splitlines()[0].startswith("otherwords: the tokenizer 'jieba'")) == (2, True)


def test_a_model_without_a_language_model(run, bitexts, tmp_path):
    output = tmp_path / "m.owm"
    assert run("build", "-o", output, f"--pivot=fr={bitexts['fr']}")[0] == 0
    assert ParaphraseModel.load(output).language_model is None
