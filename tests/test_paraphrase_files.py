"""Readers of files of paraphrases, and `otherwords model pack`."""

from __future__ import annotations

import gzip
import json
import math

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.build.phrases.packing import PairFile
from otherwords.build.phrases.pivoting import PARAPHRASES
from otherwords.errors import InputError, UsageError
from otherwords.models import paraphrase_files
from otherwords.models.paraphrase_table import ParaphraseTable, pack_file

# The shape of PPDB's lines, 1.0 and 2.0, with made-up phrases and numbers.
PPDB1 = (
    "[NP] ||| the old car ||| the ancient auto ||| Abstract=0 Adjacent=0 Lex(e|f)=62.90141 "
    "p(LHS|e)=0 p(e|LHS)=16.1 p(e|f)=0.69315 p(e|f,LHS)=0.35667 p(f|e)=1.38629 "
    "p(f|e,LHS)=1.20397 AGigaSim=0 ||| 0-0 1-1"
)
PPDB2 = (
    "[JJ] ||| big ||| large ||| PPDB2.0Score=5.2 -logp(LHS|e1)=0.1 -logp(e1|LHS)=16.5 "
    "-logp(e1|e2)=2.39790 -logp(e1|e2,LHS)=9 -logp(e2|e1)=1.38629 -logp(e2|e1,LHS)=9 "
    "MVLSASim=NA ||| 0-0 ||| Equivalence"
)
RULE = PPDB2.replace("||| big |||", "||| big [NP/PP,1] |||")


def rows(path, form="auto"):
    file = PairFile(path, form)
    found = [
        row
        for pairs in file
        for row in zip(pairs.phrases, pairs.paraphrases, pairs.probabilities, strict=True)
    ]
    return file.form, found


def close(found, expected):
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], abs=1e-5)


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        ("a b ||| c ||| .1 .2 .3 .4 ||| 0-0 ||| 1 2 1\n", "moses", [("a b", "c", 0.3)]),
        ("a ||| b ||| .1 .2 .3\n", "moses", [("a", "b", 0.3)]),
        ("a|||b ||| c ||| 1\n", "moses", [("a|||b", "c", 1)]),
        ("a ||| b ||| 0.5\n", "moses", [("a", "b", 0.5)]),
        ("[x] ||| b ||| 0.5 ||| 0-0 ||| 1\n", "moses", [("[x]", "b", 0.5)]),
        ("&#124;&#124;&#124; ||| b ||| 0.5\n", "moses", [("|||", "b", 0.5)]),
        # ln 2 = 0.69315, ln 4 = 1.38629
        (f"{PPDB1}\n{PPDB2}\n", "ppdb",
         [("the old car", "the ancient auto", 1 / 2), ("big", "large", 1 / 4)]),
        ("0.5\na\nb c\n0.25\nb c\na\n", "meteor", [("a", "b c", 0.5), ("b c", "a", 0.25)]),
        ("a\tb\nc\td\t0.5\n", "tsv", [("a", "b", 1), ("c", "d", 0.5)]),
        ("0.5\tb\n", "tsv", [("0.5", "b", 1)]),
        ("phrase\tparaphrase\tprobability\tpivots\tlanguages\na\tb\t0.5\t3\t2\n", "tsv",
         [("a", "b", 0.5)]),
    ],
)  # fmt: skip
def test_formats(text, form, expected, tmp_path):
    path = tmp_path / "table"
    raw = text.encode()
    for content in (raw, gzip.compress(raw), b"\xef\xbb\xbf" + raw, raw.replace(b"\n", b"\r\n")):
        path.write_bytes(content)
        found = rows(path)
        assert found[0] == form
        close(found[1], expected)
        close(rows(path, form)[1], expected)


def test_many_batches(tmp_path, monkeypatch):
    monkeypatch.setattr(paraphrase_files, "BATCH", 3)
    path = tmp_path / "table"
    expected = [(f"a{i}", f"b{i}", 1 / (i + 1)) for i in range(10)]
    path.write_text("".join(f"{a}\t{b}\t{p}\n" for a, b, p in expected))
    close(rows(path)[1], expected)
    path.write_text("".join(f"{p}\n{a}\n{b}\n" for a, b, p in expected))
    close(rows(path)[1], expected)
    path.write_text(path.read_text().replace("\na7\n", "\n \n"))
    with pytest.raises(InputError, match=f"{path}:22: a phrase is empty"):
        pack_file(PairFile(path))


def test_ppdb_rules_and_scores_above_one(tmp_path):
    path = tmp_path / "ppdb"
    above = PPDB2.replace("-logp(e2|e1)=1.38629", "-logp(e2|e1)=-0.63").replace("big", "huge")
    path.write_text(f"{RULE}\n{PPDB2}\n{above}\n")
    packed = pack_file(PairFile(path))
    assert packed.provenance["skipped"] == {"rules_with_nonterminals": 1, "scores_lowered_to_1": 1}
    table = ParaphraseTable.of(packed)
    assert table.probability("huge", "large") == 1
    assert table.probability("big", "large") == 1 / 4
    assert table.probability("large", "big") == 0
    assert math.exp(-1.38629) == pytest.approx(1 / 4, rel=1e-4)


def test_scores_of_meteor_above_one(tmp_path):
    path = tmp_path / "m"
    path.write_text("227.9\na\nb\n0.5\na\nc\n")
    packed = pack_file(PairFile(path))
    assert packed.provenance["skipped"] == {"scores_lowered_to_1": 1}
    assert ParaphraseTable.of(packed).probability("a", "b") == 1


def test_what_is_counted(tmp_path):
    path = tmp_path / "t"
    long = " ".join("x" * 17)
    path.write_text(f"a\tA \na\tb\t0\na\tb\t.5\nA\tb\t1\na\t{long}\n{long}\ta\n")
    packed = pack_file(PairFile(path))
    assert packed.provenance == {
        "source": "t", "format": "tsv", "packing": 1, "phrases": 2, "pairs": 1, "longest": 1,
        "rows": 6,
        "skipped": {"pairs_of_long_phrases": 2, "pairs_of_equal_phrases": 1,
                    "pairs_of_probability_0": 1, "repeated_pairs": 1},
    }  # fmt: skip
    assert ParaphraseTable.of(packed).probability("a", "b") == 1


def test_what_pivot_writes(ok, refused, tmp_path):
    moses = tmp_path / "fr.txt"
    moses.write_text(
        "".join(f"{word} ||| voiture ||| .5 1 1 1 ||| 0-0 ||| 4 2 2\n" for word in ("car", "auto"))
    )
    tsv, parquet, sets = tmp_path / "p.tsv", tmp_path / "p.parquet", tmp_path / "sets"
    ok("pivot", moses, "-o", tsv)
    ok("pivot", moses, "-o", parquet)
    one, other = pack_file(PairFile(tsv)), pack_file(PairFile(parquet))
    assert (one.provenance["format"], other.provenance["format"]) == ("tsv", "parquet")
    assert ParaphraseTable.of(one).digest == ParaphraseTable.of(other).digest
    # One foreign phrase: p(auto|car) = p(voiture|car) p(auto|voiture) = 1 * 0.5
    assert ParaphraseTable.of(one).probability("car", "auto") == 0.5
    with pytest.raises(InputError, match=r"otherwords model pack .*p.parquet -o"):
        ParaphraseTable.load(parquet)
    for form in ("parquet", "tsv"):
        ok("pivot", moses, "--sets", "-f", form, "-o", sets)
        with pytest.raises(InputError, match="without --sets"):
            list(PairFile(sets))
        assert "2 phrases" in ok("model", "pack", sets, "-o", tmp_path / "x.owm")
    assert "without --sets" in refused("model", "pack", sets, "-f", "tsv", "-o", tmp_path / "x.owm")
    columns = {"phrase": ["a", None], "paraphrase": ["b", "c"], "probability": [0.5, 1.0],
               "pivots": [1, 1], "languages": [1, 1]}  # fmt: skip
    pq.write_table(pa.table(columns, schema=PARAPHRASES), parquet)
    with pytest.raises(InputError, match="row 2: column 'phrase'"):
        pack_file(PairFile(parquet))
    columns["phrase"] = ["a", ""]
    pq.write_table(pa.table(columns, schema=PARAPHRASES), parquet)
    with pytest.raises(InputError, match=f"{parquet}: row 2: a phrase is empty"):
        pack_file(PairFile(parquet))


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("", "", "the file is empty"),
        ("hello world\n", ":1", "this is not a table of paraphrases: lines `a ||| b ||| scores`"),
        ("0.5\na\n", ":1", "this is not a table"),
        ("a ||| b ||| 1\nc ||| d\n", ":2", "2 fields; a ||| b ||| scores are needed"),
        ("a ||| b ||| 1\nc ||| d ||| .1 .2\n", ":2", "2 scores; one, or"),
        ("a ||| b ||| 1\nc ||| d |||\n", ":2", "0 scores"),
        ("a ||| b ||| 1\nc ||| d ||| 2\n", ":2", "'2' is not a probability"),
        ("a ||| b ||| 1\n||| d ||| 1\n", ":2", "a phrase is empty"),
        ("a\tb\t1\nc\td\tnan\n", ":2", "'nan' is not a probability"),
        ("a\tb\t1\nc\n", ":2", "1 columns; two phrases"),
        ("a\tb\t1\tx\n", ":1", "4 columns"),
        ("source\ttarget\tscore\n", ":1", "'score' is not a probability"),
        ("a\tb\n\tc\n", ":2", "a phrase is empty"),
        (
            "phrase\tparaphrase\tprobability\tpivots\tlanguages\na\tb\n",
            ":2",
            "2 columns; the first",
        ),
        (f"{PPDB2}\nx ||| y\n", ":2", "2 fields; [LHS]"),
        (f"{PPDB2}\n[X] ||| a ||| b ||| Lex(e|f)=1 ||| 0-0\n", ":2", "neither p(e|f)"),
        (f"{PPDB2}\n[X] ||| a ||| b ||| p(e|f)=NA ||| 0-0\n", ":2", "not a negative logarithm"),
        (f"{PPDB2}\n[X] ||| a ||| b ||| p(e|f)=inf ||| 0-0\n", ":2", "not a negative logarithm"),
        ("0.5\na\nb\n0.5\na\n", ":5", "ends inside an entry"),
        ("0.5\na\nb\nc\na\nb\n", ":4", "'c' is not a score"),
        ("0.5\na\nb\n-1\na\nb\n", ":4", "-1 is not a probability"),
        ("0.5\na\nb\ninf\na\nb\n", ":4", "inf is not a probability"),
        ("0.5\na\nb\n0.5\n\nb\n", ":4", "a phrase is empty"),
        ("a\tb\nc\t\0\n", ":2", "NUL"),
    ],
)
def test_bad_lines(text, where, message, refused, tmp_path):
    path, out = tmp_path / "table", tmp_path / "out.owm"
    path.write_text(text)
    reported = refused("model", "pack", path, "-o", out)
    assert f"{path}{where}" in reported
    assert message in reported
    assert not out.exists()


def test_bad_files(refused, tmp_path):
    path, out = tmp_path / "table", tmp_path / "out.owm"
    path.write_bytes(b"a\tb\nc\t\xff\n")
    assert f"{path}:2:3: byte 0xff" in refused("model", "pack", path, "-o", out)
    path.write_bytes(gzip.compress(b"a\tb\n" * 1000)[:-12])
    assert "truncated or damaged" in refused("model", "pack", path, "-o", out)
    path.write_bytes(b"PAR1 no Parquet")
    assert "cannot be read as Parquet" in refused("model", "pack", path, "-o", out)
    assert "looks like a Parquet" in refused("model", "pack", path, "-o", out, "-f", "tsv")
    path.write_text("a\tb\n")
    assert "both read and written" in refused("model", "pack", path, "-o", path)
    assert "cannot be printed" in refused("model", "pack", path, "-o", "-")
    assert "no directory" in refused("model", "pack", path, "-o", tmp_path / "none" / "x")
    assert "1 fields; a ||| b" in refused("model", "pack", path, "-o", out, "-f", "moses")
    assert "no such file" in refused("model", "pack", tmp_path / "none", "-o", out)
    assert "no such file" in refused("model", "pack", "a\0b", "-o", out)
    assert not out.exists()
    with pytest.raises(UsageError, match="did you mean 'moses'"):
        PairFile(path, "mosses")


def test_the_command(ok, tmp_path):
    path, out = tmp_path / "pairs.gz", tmp_path / "out.owm"
    path.write_bytes(gzip.compress(b"a car\tan auto\t0.5\na\ta\n"))
    assert ok("model", "pack", path, "-o", out) == (
        f"{out}: 1 pairs, 2 phrases; pairs of equal phrases: 1\n"
    )
    info = json.loads(ok("model", "info", out, "-f", "json"))
    assert info["kind"] == "paraphrase-table"
    assert info["provenance"]["source"] == "pairs.gz"
    assert info["provenance"]["skipped"] == {"pairs_of_equal_phrases": 1}
    assert "sound" in ok("model", "verify", out)
    assert ParaphraseTable.load(out).probability("a car", "an auto") == 0.5
    again = tmp_path / "again.owm"
    ok("model", "pack", path, "-o", again, "--format", "tsv")
    assert again.read_bytes() == out.read_bytes()


def test_standard_input(ok, tmp_path, monkeypatch):
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\tb\t0.5\n")))
    ok("model", "pack", "-", "-o", tmp_path / "x.owm")
    assert ParaphraseTable.load(tmp_path / "x.owm").probability("a", "b") == 0.5
