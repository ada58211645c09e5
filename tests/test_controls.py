"""Control paraphrases: the scores of PEM §5.1, and sentences that deserve them."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from collections import Counter
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otherwords import _native
from otherwords.corpus.inputs import read_rows
from otherwords.errors import InputError, UsageError
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.training.controls import CONTROL_KINDS, controls_of
from otherwords.text.sentence import tokenize

ALL = tuple(CONTROL_KINDS)
TEXT = ["The cat sat.", "A dog ran home.", "Nobody can't see it!", "Yes", "the the The"]
ORIGINALS = [(f"s{number}", text) for number, text in enumerate(TEXT)]

words = st.sampled_from(["a", "A", "b", "cat", "Mr.", "can't", "été", "It's", ".", ","])
sentences = st.lists(words, max_size=6).map(" ".join) | st.text(max_size=8)
corpora = st.lists(sentences, min_size=1, max_size=8)


def plain(text: str) -> str:
    """What is left of a text without its case and spacing."""
    return _native.lower(" ".join(tokenize(text).tokens))


def made(originals, kind, **options):
    """Original -> control."""
    return {c.source: c.hypothesis for c in controls_of(originals, kinds=[kind], **options)}


def close(count: int, trials: int, share: float) -> bool:
    """Within five standard deviations of a binomial."""
    return abs(count - trials * share) < 5 * sqrt(trials * share * (1 - share))


def test_scores_of_the_paper():
    assert {
        kind: tuple(CONTROL_KINDS[kind].values()) for kind in ("copy", "random", "unigram")
    } == {
        "copy": (5, 5, 1, 2),
        "random": (1, 5, 5, 1),
        "unigram": (1, 1, 5, 1),
    }
    for control in controls_of(ORIGINALS, kinds=ALL):
        assert list(control.scores) == ["adequacy", "fluency", "dissimilarity", "overall"]
        assert control.scores == CONTROL_KINDS[control.kind]


def test_three_controls_of_each_distinct_original():
    rows = [*ORIGINALS, ORIGINALS[1], (None, "No one."), (None, "No one."), ("s9", "No one.")]
    expected = [*ORIGINALS, (None, "No one."), ("s9", "No one.")]
    found = controls_of(rows)
    assert [(c.item, c.source, c.kind) for c in found] == [
        (*original, kind) for original in expected for kind in ("copy", "random", "unigram")
    ]
    assert controls_of([]) == []


@given(corpora, st.integers(0, 2**63))
def test_each_kind_is_what_it_says(texts, seed):
    originals = [(None, text) for text in texts]
    vocabulary = {token for text in texts for token in tokenize(text).tokens}
    kinds = ("copy", "unigram", "shuffle")
    found = {
        (c.kind, c.source): c.hypothesis for c in controls_of(originals, kinds=kinds, seed=seed)
    }
    for text in texts:
        tokens = list(tokenize(text).tokens)
        assert found["copy", text] == text
        unigram = found.get(("unigram", text))
        assert unigram is None or tokens
        if unigram is not None:
            assert len(unigram.split(" ")) == len(tokens)
            assert set(unigram.split(" ")) <= vocabulary
            assert _native.lower(unigram) != plain(text)
        shuffle = found.get(("shuffle", text))
        assert (shuffle is None) == (len(set(plain(text).split(" "))) < 2)
        if shuffle is not None:
            assert sorted(shuffle.split(" ")) == sorted(tokens)
            assert _native.lower(shuffle) != plain(text)


@given(corpora, st.integers(0, 2**63))
def test_a_random_control_is_another_original(texts, seed):
    assume(len({plain(text) for text in texts} - {""}) > 1)
    for source, hypothesis in made([(None, text) for text in texts], "random", seed=seed).items():
        assert hypothesis in texts
        assert plain(hypothesis) not in ("", plain(source))


@pytest.mark.parametrize("texts", [["Yes."], ["Yes.", "yes ."], ["Yes.", ""], [""]])
def test_no_other_sentence_to_draw(texts):
    with pytest.raises(InputError, match="there is only one"):
        controls_of([(str(number), text) for number, text in enumerate(texts)])
    assert controls_of([(None, text) for text in texts], kinds=["copy"])


def test_empty_and_uniform_originals():
    corpus = [("1", ""), ("2", "so So so"), ("3", "x y")]
    assert made(corpus, "copy")[""] == ""
    assert made(corpus, "random")[""] in ("so So so", "x y")
    assert set(made(corpus, "unigram")) == {"so So so", "x y"}
    assert set(made(corpus, "shuffle")) == {"x y"}
    assert made([(None, "so so"), (None, "SO")], "unigram") == {}


def test_words_come_with_the_frequencies_of_the_corpus():
    texts = [f"the the the old old w{number}" for number in range(1000)]
    drawn = Counter(" ".join(made([(None, text) for text in texts], "unigram").values()).split())
    assert sum(drawn.values()) == 6000
    assert close(drawn["the"], 6000, 3 / 6)
    assert close(drawn["old"], 6000, 2 / 6)
    assert len(drawn) > 500  # 1 - 1/e of the rare words are expected


def test_a_repeated_original_does_not_count_twice():
    rows = [("1", "a a a a")] * 500 + [("2", "b b b b")]
    drawn = Counter()
    for seed in range(200):
        drawn.update(" ".join(made(rows, "unigram", seed=seed).values()).split())
    # The original itself is drawn again: 15 of the 16 equally likely sentences remain.
    assert close(drawn["a"], 1600, 1 / 2)


def test_sentences_and_orders_are_drawn_evenly():
    others, orders = Counter(), Counter()
    for seed in range(1000):
        others[made(ORIGINALS[:4], "random", seed=seed)[TEXT[1]]] += 1
        orders[made([(None, "a b c")], "shuffle", seed=seed)["a b c"]] += 1
    assert set(others) == set(TEXT[:4]) - {TEXT[1]}
    assert all(close(count, 1000, 1 / 3) for count in others.values())
    assert len(orders) == 5
    assert all(close(count, 1000, 1 / 5) for count in orders.values())


def test_draws_are_the_high_bits_of_the_raw_stream():
    """What keeps a seed's sentences the same for ever and everywhere."""
    tokens = [token for text in TEXT for token in tokenize(text).tokens]
    length = len(tokenize(TEXT[0]).tokens)
    stream = np.random.PCG64(np.random.SeedSequence(7, spawn_key=(2,)))
    places = [(int(raw) >> 32) * len(tokens) >> 32 for raw in stream.random_raw(length)]
    assert made(ORIGINALS, "unigram", seed=7)[TEXT[0]] == " ".join(tokens[n] for n in places)


def test_kinds_do_not_disturb_each_other():
    together = controls_of(ORIGINALS, kinds=ALL, seed=3)
    for kind in ALL:
        alone = controls_of(ORIGINALS, kinds=[kind], seed=3)
        assert alone == [control for control in together if control.kind == kind]
    assert controls_of(ORIGINALS, kinds=["copy", "copy"]) == controls_of(ORIGINALS, kinds=["copy"])


def test_seeds_differ():
    texts = [(None, f"word{number} and more of it") for number in range(50)]
    for kind in ("random", "unigram", "shuffle"):
        assert made(texts, kind, seed=1) == made(texts, kind, seed=1)
        assert made(texts, kind, seed=1) != made(texts, kind, seed=2)


def test_scale():
    def scores(scale):
        (control,) = controls_of([(None, "a")], kinds=["copy"], scale=scale)
        return tuple(control.scores.values())

    assert scores(Scale(0, 100)) == (100, 100, 0, 25)
    assert scores(Scale(-1, 1)) == (1, 1, -1, -0.5)
    assert scores(Scale(1, 4)) == (4, 4, 1, 1.75)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": ["copies"]}, "did you mean 'copy'"),
        ({"kinds": "copy"}, "a list of names"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(UsageError, match=message):
        controls_of(ORIGINALS, **options)


@pytest.mark.parametrize("original", ["ab", ("1", None), (1, "a"), ("a",), None])
def test_wrong_originals(original):
    with pytest.raises(InputError, match="original 2 must be"):
        controls_of([(None, "fine"), original])


# The command.


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "originals.txt"
    path.write_text("\n".join([*TEXT[:4], "", TEXT[0]]) + "\n", encoding="utf-8")
    return path


def jsonl(tmp_path, *rows):
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps({"hypothesis": "x", **row}) + "\n" for row in rows))
    return path


def test_plain_text(ok, text):
    rows = [json.loads(line) for line in ok("controls", text).splitlines()]
    assert [(row["system"], row["source"]) for row in rows] == [
        (f"control-{kind}", line) for line in TEXT[:4] for kind in ("copy", "random", "unigram")
    ]
    assert len({row["id"] for row in rows}) == 12
    assert [row["item"] for row in rows[::3]] == [f"original:{n}" for n in (1, 2, 3, 4)]
    assert rows[0]["human"] == {"adequacy": 5, "fluency": 5, "dissimilarity": 1, "overall": 2}
    found = controls_of([(None, line) for line in TEXT[:4]])
    assert [row["hypothesis"] for row in rows] == [control.hypothesis for control in found]


def test_standard_input_and_packed_files(ok, text, tmp_path, monkeypatch):
    packed, output = tmp_path / "originals.gz", tmp_path / "out.jsonl.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.read_bytes().replace(b"\n", b"\r\n")))
    expected = ok("controls", text)
    assert ok("controls", packed) == expected
    assert ok("controls", packed, "-o", output) == ""
    assert gzip.decompress(output.read_bytes()).decode() == expected

    class Stdin:
        buffer = io.BytesIO(text.read_bytes())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert ok("controls", "-") == expected


def test_judged_rows(ok, tmp_path):
    path = jsonl(
        tmp_path,
        {"item": 7, "id": "a", "source": "The cat sat."},
        {"item": 7, "id": "b", "source": "The cat sat."},
        {"item": "8", "id": "c", "source": "A café, naïvely."},
    )
    output = tmp_path / "out.jsonl"
    ok("controls", "--jsonl", path, "-o", output, "--scale", "-1:1", "--kinds", "copy, random")
    rows = list(read_rows(output))
    assert [(row.item, row.system, row.hypothesis) for row in rows] == [
        ("7", "control-copy", "The cat sat."),
        ("7", "control-random", "A café, naïvely."),
        ("8", "control-copy", "A café, naïvely."),
        ("8", "control-random", "The cat sat."),
    ]
    assert rows[0].human == {"adequacy": 1, "fluency": 1, "dissimilarity": -1, "overall": -0.5}


def test_an_id_is_not_an_original(ok, tmp_path):
    rows = [{"id": number, "source": TEXT[number % 2]} for number in range(6)]
    found = ok("controls", "--jsonl", jsonl(tmp_path, *rows), "--kinds", "copy").splitlines()
    assert [json.loads(line)["source"] for line in found] == TEXT[:2]


def test_controls_can_be_scored(ok, text, tmp_path):
    output = tmp_path / "out.jsonl"
    ok("controls", text, "-o", output)
    table = json.loads(ok("score", "-m", "pinc", "--jsonl", output, "-f", "json"))
    scores = {row["system"]: row["scores"]["pinc"]["value"] for row in table["systems"]}
    assert scores["control-copy"] == 0
    assert scores["control-random"] > 0.5


def test_it_says_what_is_left_out(run, text):
    code, out, err = run("controls", text, "--kinds", "copy,shuffle")
    assert code == 0
    assert err == "1 of 4 originals have no shuffle control\n"
    assert len(out.splitlines()) == 7


def test_the_seed_alone_decides(text):
    def output(hash_seed, seed):
        code = "import sys; from otherwords.cli import main; sys.exit(main(sys.argv[1:]))"
        return subprocess.run(
            [
                sys.executable,
                "-c",
                code,
                "controls",
                text,
                "--kinds",
                ",".join(ALL),
                "--seed",
                seed,
            ],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
            check=True,
        ).stdout

    assert output("1", "5") == output("2", "5")
    assert output("1", "5") != output("1", "6")


def test_wrong_input(refused, tmp_path):
    path, output = tmp_path / "text.txt", tmp_path / "out.jsonl"
    for content, message in (
        (b"", "there are no originals here"),
        (b"\n \n", "there are no originals here"),
        (b"Only one.\nonly one .\n", "there is only one"),
        (b"fine\ncaf\xe9\n", "byte 0xe9 is not UTF-8"),
        (b"a\0b\n", "NUL byte"),
    ):
        path.write_bytes(content)
        error = refused("controls", path, "-o", output)
        assert f"{path}:" in error
        assert message in error
    assert not output.exists()
    assert "no such file" in refused("controls", tmp_path / "none.txt")


def test_wrong_rows(refused, tmp_path):
    path = jsonl(tmp_path, {"source": "a"}, {"item": "2"})
    assert f"{path}:2: no 'source'" in refused("controls", "--jsonl", path)
    path.write_text('{"hypothesis": "x"\n')
    assert f"{path}:1" in refused("controls", "--jsonl", path)
    path.write_text("")
    assert "no originals" in refused("controls", "--jsonl", path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kinds", "copi"], "did you mean 'copy'"),
        (["--kinds", ","], "no kind of control"),
        (["--scale", "5"], "a scale is LOW:HIGH"),
        (["--scale", "1:2:3"], "a scale is LOW:HIGH"),
        (["--scale", "low:high"], "a scale is LOW:HIGH"),
        (["--scale", "5:1"], "from a lower to a higher number"),
        (["--scale", "0:inf"], "from a lower to a higher number"),
        (["--seed", "-1"], "seed must be"),
        (["--seed", 2**64], "seed must be"),
        (["--jsonl", "rows.jsonl"], "give either"),
    ],
)
def test_misuse(refused, text, options, message):
    assert message in refused("controls", text, *options)


def test_neither_file_nor_a_place_for_the_output(refused, text, tmp_path):
    assert "give either" in refused("controls")
    before = text.read_bytes()
    assert "both read and written" in refused("controls", text, "-o", text)
    assert text.read_bytes() == before
    assert "no directory" in refused("controls", text, "-o", tmp_path / "no" / "out.jsonl")


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "originals"), [("parabank", 400), ("shakespeare-dev", 99), ("twitter-para-dev", 377)]
)
def test_judged_sets(ok, shared, tmp_path, name, originals):
    output = tmp_path / "out.jsonl"
    ok("controls", "--jsonl", shared / "paraphrase" / f"{name}.jsonl.gz", "-o", output)
    counts = Counter(row.system for row in read_rows(output))
    assert counts == dict.fromkeys(["control-copy", "control-random", "control-unigram"], originals)


@given(st.lists(st.text(max_size=30), min_size=1, max_size=5), st.integers(0, 3))
def test_deleted_words(texts, seed):
    """Half of the words are gone, the others stand in their order, and nothing else is touched."""
    for text, left in made([(None, text) for text in texts], "deleted", seed=seed).items():
        tokens = [tokenize(one).tokens for one in (text, left)]
        words, kept = (
            [token for token in one if _native.has_alphanumeric(token)] for one in tokens
        )
        if " ".join(tokens[0]) == text:  # where joining words cannot make other tokens
            assert len(kept) == (len(words) + 1) // 2
        rest = iter("".join(text.split()))
        assert all(character in rest for character in "".join(left.split()))


def test_deleted_words_leave_natural_spaces():
    text = 'He said: "Don\'t wait (please)!"'
    found = {made([(None, text)], "deleted", seed=seed)[text] for seed in range(60)}
    assert all("  " not in one and one.endswith('!"') for one in found)
    assert len(found) > 10
    assert made([(None, "Go."), (None, "...")], "deleted") == {}
