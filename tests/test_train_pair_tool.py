"""The tools that make the pairs of the pair model and train it."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tools.pair_phrase import Draw, phrases
from tools.pair_words import Words, regular

from otherwords.models import container
from otherwords.models.seen import Seen
from tests import tiny_encoder

DICT = Path("/usr/share/wordnet")  # Debian's wordnet-base
needs_wordnet = pytest.mark.skipif(not DICT.is_dir(), reason="wordnet-base is not installed")
TEXTS = [
    "The company hired five cooks in May because the old hotel was full.",
    "Ann Miller paid for all the tickets before the train left Berlin.",
    "The red car is faster than the blue bus.",
    "He must not open the letter from his brother.",
    "Nora told Peter that the shop sells bread and milk.",
]
TAGGED = "hired hire VBD\nfired fire VBD\ncooks cook NNS\nsells sell VBZ\nbuys buy VBZ\n"


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    path = tmp_path_factory.mktemp("tagged") / "train.conll.gz"
    path.write_bytes(gzip.compress(TAGGED.replace(" ", "\t").encode()))
    return Words(DICT, path)


@pytest.fixture(scope="module")
def pool(words):
    from tools.pair_wrong import Pool

    return Pool(phrases(TEXTS), words)


def possible(change, text, seeds=60):
    """All texts that a change gives for some seeds."""
    (phrase,) = phrases([text])
    return {made for seed in range(seeds) if (made := change(phrase, Draw(seed))) is not None}


def test_regular_forms():
    forms = [("try", "VBZ"), ("plan", "VBD"), ("make", "VBG"), ("happy", "JJR"), ("church", "NNS")]
    assert [regular(*one) for one in forms] == ["tries", "planned", "making", "happier", "churches"]


@needs_wordnet
@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("negation", "He must not open it.", "He must open it."),
        ("negation", "She is here.", "She is not here."),
        ("antonym", "The company hired him.", "The company fired him."),
        ("number", "She saw two men.", "She saw five men."),
        ("quantifier", "All of them came.", "Some of them came."),
        ("modality", "You must pay.", "You may pay."),
        ("relation", "He left before the storm.", "He left after the storm."),
        ("comparison", "The car is faster than the bus.", "The bus is faster than the car."),
        ("roles", "The dog chased the man.", "The man chased the dog."),
        ("link", "He came because of the rain.", "He came despite the rain."),
        ("link", "She left ahead of the vote.", "She left after the vote."),
        ("voice", "The dog chased the man.", "The dog was chased by the man."),
        ("voice", "The man was chased by the dog.", "The man chased the dog."),
        ("class", "It closed on Monday.", "It closed on Friday."),
        ("no-adjunct", "He paid the bill in Rome.", "He paid the bill."),
        ("no-modifier", "The old man slept.", "The man slept."),
        ("tense", "She sold the car.", "She will sell the car."),
    ],
)
def test_changes_of_a_fact(kind, text, expected, pool):
    from tools.pair_wrong import change

    assert expected in possible(lambda phrase, draw: change(kind, phrase, pool, draw), text)


@needs_wordnet
@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("contraction", "They do not know.", "They don't know."),
        ("conjuncts", "Ann saw the cat and the dog.", "Ann saw the dog and the cat."),
        ("fronting", "The shop closed in May.", "In May, the shop closed."),
        (
            "clauses",
            "She stayed home because it rained hard.",
            "Because it rained hard, she stayed home.",
        ),
        ("passive", "The dog chased the cat.", "The cat was chased by the dog."),
        ("digits", "She saw three men.", "She saw 3 men."),
        ("mirror", "The car is older than the bus.", "The bus is younger than the car."),
        ("possessive", "He sold the house of Peter.", "He sold Peter's house."),
    ],
)
def test_harmless_edits(kind, text, expected, words):
    from tools.pair_right import edit

    assert expected in possible(lambda phrase, draw: edit(kind, phrase, words, draw), text)


@needs_wordnet
def test_groups_have_right_and_wrong_and_are_the_same_each_time(words):
    from tools.pair_data import groups_of

    pairs = [
        (text, TEXTS[0].replace("hired", "employed") if n == 0 else None)
        for n, text in enumerate(TEXTS)
    ]
    made = list(groups_of("test", pairs, words, 3))
    assert made == list(groups_of("test", pairs, words, 3))
    assert made != list(groups_of("test", pairs, words, 4))
    for group in {row["group"] for row in made}:
        rows = [row for row in made if row["group"] == group]
        assert {row["cell"].split("-")[0] for row in rows} == {"right", "wrong"}
        for row in rows:
            assert (row["same"] >= 0.9) == row["cell"].startswith("right")
            assert row["a"] != row["b"]
    labelled = {row["kind"]: row for row in made if row["cell"].startswith("wrong")}
    for kind, row in labelled.items():
        if kind.startswith("no-"):
            assert (row["missing"], row["added"]) == (1.0, 0.0)
        if kind.startswith("more-"):
            assert (row["missing"], row["added"]) == (0.0, 1.0)


@needs_wordnet
def test_kinds_left_out_do_not_occur(words):
    from tools.pair_data import WEIGHTS, groups_of

    pairs = [(text, None) for text in TEXTS]
    banned = [kind for kind in WEIGHTS if kind != "negation"]
    made = list(groups_of("test", pairs, words, 0, banned))
    assert {row["kind"] for row in made if row["cell"].startswith("wrong")} == {"negation"}


def test_overlap_is_matched():
    import random

    from tools.pair_data import matched, overlap

    rows = [{"a": "a b c d", "b": "a b c d", "same": 1.0}] * 30
    rows += [{"a": "a b c d", "b": "a b c d", "same": 0.0}] * 10
    rows += [{"a": "a b c d", "b": "e f g h", "same": 0.0}] * 50
    kept = matched(rows, random.Random(0), 1000)
    assert sorted((row["same"], overlap(row["a"], row["b"])) for row in kept) == (
        [(0.0, 1.0)] * 10 + [(1.0, 1.0)] * 10
    )


# Training, with an encoder of a few kilobytes


def written(path: Path) -> Path:
    rows = []
    for n in range(24):
        one, other = (
            ("the cat sat", "the cat may sat") if n % 2 else ("the dog rose", "dog the rose")
        )
        for cell, b, same in (("right-close", one + " .", 1.0), ("wrong-close", other, 0.0)):
            labels = {"contradicted": 1 - same, "missing": 0.0, "added": None}
            kind = "marks" if same else "negation"
            row = {"a": f"{one} {n}", "b": b, "same": same, **labels, "cell": cell, "kind": kind}
            rows.append({**row, "source": "x", "group": f"g{n}"})
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


def trained(monkeypatch, data, out, folder, *more):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from tools import train_pair

    monkeypatch.setattr(train_pair, "TOKENS", 64)
    monkeypatch.setattr(train_pair, "FEW", 4)
    arguments = ["--data", str(data), "--out", str(out), "--base", str(folder)]
    monkeypatch.setattr(sys, "argv", ["train_pair", *arguments, "--threads", "1", *more])
    train_pair.main()
    return container.read(out)


def test_a_trained_file_gives_the_same_logits_and_bytes(tmp_path, monkeypatch):
    folder = tiny_encoder.write_folder(tmp_path / "encoder")
    data = written(tmp_path / "rows.jsonl.gz")
    one = trained(monkeypatch, data, tmp_path / "one.owm", folder)
    trained(monkeypatch, data, tmp_path / "two.owm", folder)
    from tools.pair_model import opened, predict

    from otherwords.encoders.bert_folder import read_folder
    from otherwords.encoders.pair import PairModel

    assert one.digest == container.read(tmp_path / "two.owm").digest
    assert one.arrays["calibration"].shape == (4, 2)
    assert one.arrays["findings"].shape == (2, 16)
    assert one.provenance["base"] == read_folder(folder).digest
    model, texts, _ = opened(tmp_path / "one.owm", read_folder(folder))
    pairs = [("the cat sat", "the dog"), ("the dog", "the cat sat"), ("a", "the car rose in may")]
    found = predict(model, texts, pairs)
    logits = found[:, :4]
    assert np.allclose(logits[0], logits[1][[0, 1, 3, 2]])
    packed = PairModel.load(tmp_path / "one.owm", folder, bits=32)
    right, left = zip(*pairs, strict=True)
    assert np.allclose(found, packed.measured(left, right), atol=2e-3)  # states of 16 bits
    assert np.allclose(logits, packed.logits(left, right), atol=2e-3)
    codes = [name for name in one.arrays if name.endswith("codes")]
    assert all(one.arrays[name].dtype == np.int8 for name in codes)
    assert {name.split("/")[0] for name in codes} == {"matrix", "head"}


def test_a_stopped_training_goes_on_to_the_same_bytes(tmp_path, monkeypatch):
    folder = tiny_encoder.write_folder(tmp_path / "encoder")
    data = written(tmp_path / "rows.jsonl.gz")
    whole = trained(monkeypatch, data, tmp_path / "whole.owm", folder)
    from tools import train_pair

    save, calls = train_pair.os.replace, []

    def stop(*paths):
        save(*paths)
        calls.append(paths)
        if len(calls) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(train_pair.os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        trained(monkeypatch, data, tmp_path / "part.owm", folder, "--save-minutes", "0")
    assert (tmp_path / "part.owm.checkpoint").is_file()
    monkeypatch.setattr(train_pair.os, "replace", save)
    part = trained(monkeypatch, data, tmp_path / "part.owm", folder)
    assert part.digest == whole.digest


def test_training_goes_on_from_a_model(tmp_path, monkeypatch):
    folder = tiny_encoder.write_folder(tmp_path / "encoder")
    data = written(tmp_path / "rows.jsonl.gz")
    first = trained(monkeypatch, data, tmp_path / "first.owm", folder)
    lines = gzip.decompress(data.read_bytes()).decode().replace("sat", "ran").replace("dog", "car")
    (tmp_path / "more.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    start = ("--start", str(tmp_path / "first.owm"), "--start-data", str(data))
    more = trained(monkeypatch, tmp_path / "more.jsonl.gz", tmp_path / "m.owm", folder, *start)
    alone = trained(monkeypatch, tmp_path / "more.jsonl.gz", tmp_path / "alone.owm", folder)
    assert len({one.digest for one in (first, more, alone)}) == 3
    for count in ("pairs", "calibrated on"):
        both = first.provenance[count] + alone.provenance[count]
        assert more.provenance[count] == both, count
    from tools.train_pair import read

    units, _ = read([(data, 0)], [])
    pairs = [(row["a"], row["b"]) for unit in units for row in unit]
    seen = Seen.of_arrays(more.arrays)
    assert seen is not None
    assert seen.found(pairs).all()


def test_kept_states_change_nothing(tmp_path, monkeypatch):
    folder = tiny_encoder.write_folder(tmp_path / "encoder")
    data = written(tmp_path / "rows.jsonl.gz")
    without = trained(monkeypatch, data, tmp_path / "without.owm", folder)
    states = tmp_path / "states"
    more = ("--states", str(states))
    assert trained(monkeypatch, data, tmp_path / "one.owm", folder, *more).digest == without.digest
    lines = (states / "texts.jsonl").read_bytes()
    (states / "texts.jsonl").write_bytes(lines[:-5])  # as a break leaves it
    with (states / "states.f16").open("ab") as file:
        file.write(b"half")
    assert trained(monkeypatch, data, tmp_path / "two.owm", folder, *more).digest == without.digest
    assert sorted((states / "texts.jsonl").read_bytes().split()) == sorted(lines.split())


def test_written_groups_give_both_originals(monkeypatch, tmp_path):
    from tools import pair_natural

    row = {
        "kind": "time_order", "genre": "news", "text": "t", "rc": "rc", "wc": "wc", "rf": "rf",
        "wf": "wf",
    }  # fmt: skip
    (tmp_path / "x.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.setattr(pair_natural, "WRITTEN", tmp_path)
    [found] = pair_natural.written()
    assert (found["kind"], found["name"]) == ("time order", "x:0")
    assert len(list(pair_natural.groups_of_written(found))) == 6  # no rule edits "rf"
    rows = list(pair_natural.groups_of_written({**found, "edit": "rf, too"}))
    cells = {(row["a"], row["b"]): row["cell"] for row in rows}
    assert cells["t", "wf"] == cells["rf", "wc"] == "wrong-far"
    assert cells["rf", "wf"] == "wrong-close"
    assert Counter(cells.values()) == dict.fromkeys(set(cells.values()), 2)
    assert len({frozenset(pair) for pair in cells}) == 8  # the model does not see their order
    assert all((row["same"] > 0.9) == row["cell"].startswith("right") for row in rows)
    assert {row["item"] for row in rows} == {"x:0"}


@needs_wordnet
def test_written_far_texts_are_edited_by_rule(words):
    from tools.pair_natural import edited

    far = "It is not possible to open the shop."
    for number, found in enumerate(edited([{"rf": far}] * 20, words)):
        assert found["edit"].lower().split() != far.lower().split(), number


def test_the_join_learns_the_order_within_groups():
    from tools.pair_fit import joined

    from otherwords.encoders.pair_model import JOINED

    rng = np.random.default_rng(0)
    rows, more = [], []
    for group in range(60):
        for cell in ("right-far", "wrong-far"):
            same = float(cell == "right-far")
            row = {"source": "x", "cell": cell, "group": f"g{group}", "same": same}
            rows.append({**row, "contradicted": 1 - same})
            # the first column is the group's own level, the second says little beside it
            more.append([group / 60, group / 60 + 0.02 * same, *[0.0] * (len(JOINED) - 2)])
    found = joined(rng.normal(size=(120, 4)), np.array(more), rows)
    assert found.shape == (2, len(JOINED) + 2)
    assert found[0, 2] > 0 > found[0, 1]


def test_a_kind_left_out_is_not_trained_on(tmp_path):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from tools.train_pair import read

    data = written(tmp_path / "rows.jsonl.gz")
    trained, kept = read([(data, 0)], [])
    assert sum(map(len, trained + kept)) == 48
    assert sum(map(len, read([(data, 10)], [])[0])) == 10
    left = [row for units in read([(data, 0)], ["kind=negation"]) for unit in units for row in unit]
    assert {row["kind"] for row in left} == {"marks"}
    with pytest.raises(SystemExit, match="leave-out"):
        read([(data, 0)], ["colour=red"])


def test_changed_word_pieces_are_marked():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    from tools.train_pair import changed, marks_of

    assert changed([1, 2, 3, 4], [1, 9, 3, 4, 5]) == [0, 1, 0, 0, 1]
    pieces = [([101, 1, 2, 102], [101, 1, 3, 102])]
    (marks,) = marks_of([{"kind": "antonym", "cell": "wrong-close"}], pieces)
    assert marks == [0, 0, 1, 0, 0, 0, 1, 0]
    (marks,) = marks_of([{"kind": "marks", "cell": "right-close"}], pieces)
    assert set(marks) == {0}
    (marks,) = marks_of([{"kind": "other", "cell": "wrong-far"}], pieces)
    assert set(marks) == {-1}
    # a far wrong text is compared with the right one that it was made from, if they are alike
    far = [{"kind": "written", "cell": "right-far"}, {"kind": "tense", "cell": "wrong-far"}]
    right = [101, 7, 8, 9, 102]
    _, marks = marks_of(far, [([101, 1, 102], right), ([101, 1, 102], [101, 7, 5, 9, 102])])
    assert marks == [-1, -1, -1, 0, 0, 1, 0, 0]
    _, marks = marks_of(far, [([101, 1, 102], right), ([101, 1, 102], [101, 4, 5, 6, 102])])
    assert set(marks) == {-1}
