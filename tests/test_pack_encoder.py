"""tools/pack_encoder.py: a trimmed vocabulary, weights of pieces, several stacks in one file."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest
from tools import pack_encoder

from otherwords.build.encoders import Vocabulary
from otherwords.build.encoders import pack_encoder as pack
from otherwords.models.encoder import Encoder
from tests import tiny_encoder
from tests.tiny_transformer import PIECES, random_stack

LINES = ["The cat sat.", "He bought a small car", "Prices rose in May", "the small ship"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A file for each kind of English; only one has more than one text."""
    folder = tmp_path_factory.mktemp("data")
    for number, patterns in enumerate(pack_encoder.ENGLISH.values()):
        path = folder / patterns[0].replace("*", "x").replace("[dflmsw]", "s").replace("[ao]", "a")
        path.parent.mkdir(exist_ok=True)
        texts = LINES if number == 0 else ["the cat"]
        columns = pack_encoder._COLUMNS.get(path.parent.name, ("premise",))
        with gzip.open(path, "wt", encoding="utf-8") as file:
            for text in texts:
                if path.name.endswith(".conll.gz"):
                    file.write("".join(f"{word}\tx\n" for word in text.split()) + "\n")
                elif path.name.endswith(".tsv.gz"):
                    file.write(f"{text}\tein Text\n")
                else:
                    file.write(json.dumps({columns[0]: text}) + "\n")
    return folder


def test_the_command(data, tmp_path, monkeypatch, capsys):
    folder = tiny_encoder.write_folder(tmp_path / "tiny")
    made = []
    for name in ("one.owm", "two.owm"):
        argv = ["pack_encoder", str(folder), "--data", str(data), "--pieces", "80"]
        argv += ["--layers", "1", "--output", str(tmp_path / name)]
        monkeypatch.setattr("sys.argv", argv)
        pack_encoder.main()
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]
    encoder = Encoder.load(tmp_path / "one.owm")
    assert encoder.digest in capsys.readouterr().out
    assert encoder.rarity.shape == (80 + 3,)  # with [UNK], [CLS], [SEP]
    assert encoder.pieces("the cat").names == ("the", "cat")
    assert encoder.pieces("dog").names == ("d", "##o", "##g")  # no text has it


def test_frequent_pieces_are_kept_and_rare_ones_weigh_more(data):
    vocabulary = Vocabulary(tuple(PIECES))
    full = pack({"sentence": random_stack()}, vocabulary)
    shares = pack_encoder.piece_shares(full, data)
    ranked = pack_encoder.ranked_pieces(vocabulary, full, shares)
    kinds = len(pack_encoder.ENGLISH)
    letters = [piece for piece in PIECES if len(piece.removeprefix("##")) == 1]
    assert set(ranked[: len(letters)]) == set(letters)
    assert ranked[len(letters) : len(letters) + 2] == ["the", "cat"]
    model = pack_encoder.with_rarity(full, full, shares)
    encoder = Encoder(model)
    [row] = np.flatnonzero(encoder.count(["car"]))
    share = (1 / 4) / kinds  # one text of four, of one kind
    assert encoder.rarity[row] == pytest.approx(-math.log(share), abs=1 / 32)
    [row] = np.flatnonzero(encoder.count(["the"]))
    assert encoder.rarity[row] == pytest.approx(-math.log((kinds - 0.5) / kinds), abs=1 / 32)


def test_a_folder_without_the_data(tmp_path):
    with pytest.raises(SystemExit, match="no English of the kind 'parliament'"):
        next(pack_encoder.texts_by_kind(tmp_path))
