"""Phrase tables of others as a paraphrase model (`pack_pivots`)."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

import otherwords
from otherwords.build.lm import load_model
from otherwords.build.phrases.packing import pack_pivots
from otherwords.cli import main
from otherwords.errors import InputError, UsageError
from otherwords.models.paraphrase_model import ParaphraseModel

TABLE = """\
a ||| x ||| 0.5 1 0.1 1 ||| 0-0 ||| 4 20 2
a ||| y ||| 0.6 1 0.9 1 ||| 0-0 ||| 30 20 18
b ||| y ||| 0.4 1 1.0 1 ||| 0-0 ||| 30 12 12
"""
ARPA = """\
\\data\\
ngram 1=5

\\1-grams:
-1 <s>
-1 </s>
-1 <unk>
-0.5 a
-0.5 b

\\end\\
"""
AS_GIVEN = {"tokenizer": "none", "case": True, "stem": False}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "phrase-table.gz"
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.write(TABLE)
    return path


def test_a_moses_table_scores_as_the_paper_has_it(table, tmp_path):
    """GOLDEN.md: the edge of exactly .1 falls; 2 x .9 / (.9 + 1)."""
    made = pack_pivots(tmp_path / "m.owm", {"zh": table})
    assert made.counts == {"phrases of zh": 2, "translations into zh": 3}
    found = otherwords.score("pem.adequacy", ["a"], sources=["b"], model=made.path, **AS_GIVEN)
    assert found.corpus == pytest.approx(2 * 0.9 / 1.9, rel=1e-9)


def test_a_language_model_comes_along(table, tmp_path):
    arpa = tmp_path / "lm.arpa"
    arpa.write_text(ARPA)
    made = pack_pivots(tmp_path / "m.owm", {"zh": table, "fr": table}, lm=arpa)
    assert made.counts["n-grams"] == 5
    model = ParaphraseModel.load(made.path)
    assert model.languages == ["fr", "zh"]
    assert model.language_model is not None
    assert model.language_model.sizes == load_model(arpa).sizes
    again = pack_pivots(tmp_path / "n.owm", {"fr": table, "zh": table}, lm=arpa)
    assert Path(again.path).read_bytes() == Path(made.path).read_bytes()


def test_a_language_model_of_stems_comes_along(ok, table, tmp_path):
    """With SRILM's model of stems (PEM §6.1), `runs` is looked up as `run`."""
    arpa = tmp_path / "lm.arpa"
    arpa.write_text(ARPA.replace("0.5 a", "0.5 run"))
    argv = ["model", "pack", "--pivot", f"zh={table}", "--lm", arpa]
    ok(*argv, "-o", tmp_path / "words.owm")
    ok(*argv, "--lm-stems", "-o", tmp_path / "stems.owm")
    words, stems = (
        otherwords.metric("pem.fluency", model=tmp_path / f"{kind}.owm").score_one(
            "runs", source=""
        )
        for kind in ("words", "stems")
    )
    assert stems == (-0.5 - 1) / 2  # the word and the end of the sentence
    assert words < stems


def test_tables_that_are_refused(tmp_path):
    bad = tmp_path / "bad"
    for text, message in {
        "": "bad: the file is empty",
        "a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\nb ||| x ||| 1 1 1 1\n": r"bad:2: .*no counts",
        "a ||| x ||| 1 1 2 1 ||| 0-0 ||| 1 1 1\n": r"bad:1: .*not a probability",
        "a ||| x ||| 1 1 0 1 ||| 0-0 ||| 1 1 1\n": r"bad: .*row 1: p\(f\|e\) is 0",
    }.items():
        bad.write_text(text)
        with pytest.raises(InputError, match=message):
            pack_pivots(tmp_path / "m.owm", {"zh": bad})
    with pytest.raises(UsageError, match="no phrase table"):
        pack_pivots(tmp_path / "m.owm", {})
    with pytest.raises(UsageError, match="not the name of a language"):
        pack_pivots(tmp_path / "m.owm", {"a b": bad})
    assert not (tmp_path / "m.owm").exists()


# --- by command


def run(*arguments):
    return main([str(one) for one in arguments])


def test_packed_by_command(table, tmp_path, capsys):
    arpa, output = tmp_path / "lm.arpa", tmp_path / "m.owm"
    arpa.write_text(ARPA)
    assert run("model", "pack", "--pivot", f"zh={table}", "--lm", arpa, "-o", output) == 0
    reported = f"{output}: 2 phrases of zh, 3 translations into zh, 5 n-grams\n"
    assert capsys.readouterr().out == reported
    made = pack_pivots(tmp_path / "n.owm", {"zh": table}, lm=arpa)
    assert Path(made.path).read_bytes() == output.read_bytes()
    (tmp_path / "a").write_text("a\n")
    (tmp_path / "b").write_text("b\n")
    scored = ["score", "-m", "pem.adequacy", "--tokenizer", "none", "--any-language"]
    files = ["-s", tmp_path / "b", tmp_path / "a", "--set", f"model={output}", "-f", "json"]
    settings = [f"--set={one}" for one in ("stem=false", "case=true", "edge_threshold=0")]
    assert run(*scored, *settings, *files) == 0
    # All edges: a -> x .1, y .9 against b -> y 1; 2 x .9 / 2.
    [system] = json.loads(capsys.readouterr().out)["systems"]
    assert system["scores"]["pem.adequacy"]["value"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give one TABLE of paraphrases, or phrase tables with --pivot"),
        (["{table}", "--pivot", "zh={table}"], "give one TABLE of paraphrases, or"),
        (["{table}", "--lm", "{table}"], "--lm does nothing without --pivot"),
        (["--pivot", "zh={table}", "-f", "moses"], "--format does nothing without a table"),
        (["--pivot", "zh={table}", "--pivot", "zh={table}"], "zh: give one phrase table per pivot"),
        (["--pivot", "{table}"], "NAME=FILE"),
        (["--pivot", "zh={table}.absent"], "no such file"),
    ],
)
def test_commands_that_are_refused(table, tmp_path, capsys, arguments, message):
    given = [one.format(table=table) for one in arguments]
    assert run("model", "pack", *given, "-o", tmp_path / "m.owm") == 2
    assert message.lower() in capsys.readouterr().err.lower()


# --- sets of paraphrases

FIGURE4 = """\
blown up ||| 爆炸 ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2
bombing ||| 爆炸 ||| 0.25 1 1 1 ||| 0-0 ||| 4 1 1
explosion ||| 爆炸 ||| 0.25 1 0.5 1 ||| 0-0 ||| 4 2 1
explosion ||| 声 ||| 1 1 0.5 1 ||| 0-0 ||| 1 2 1
car ||| 车 ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2
automobile ||| 车 ||| 0.5 1 1 1 ||| 0-0 ||| 4 2 2
"""


@pytest.mark.parametrize("name", ["sets.tsv", "sets.tsv.gz", "sets.parquet"])
def test_sets_are_read_with_their_clip(tmp_path, capsys, name):
    """ParaEval Figure 4, and GOLDEN.md's `car car`, from what `pivot --sets` writes."""
    table, sets = tmp_path / "table.gz", tmp_path / name
    with gzip.open(table, "wt", encoding="utf-8") as out:
        out.write(FIGURE4)
    assert run("pivot", f"zh={table}", "--sets", "-o", sets) == 0
    if name.endswith(".parquet"):
        with pytest.raises(InputError, match=r"otherwords model pack .*sets.parquet -o"):
            otherwords.score("paraeval-p", ["car"], references=[["car"]], model=sets)
        assert run("model", "pack", sets, "-o", tmp_path / "sets.owm") == 0
        sets = tmp_path / "sets.owm"
    for hypothesis, references, expected in [
        (
            "blown up bombing was happening",
            ["the bombing resulted in an explosion", "there was an explosion"],
            4 / 5,
        ),
        ("car car", ["a car", "an automobile"], 1 / 2),
        ("blown up blown up", ["bombing", "explosion"], 2 / 4),
        ("Automobile", ["CAR"], 1),
    ]:
        options = {"references": [references], "model": sets}
        found = otherwords.score("paraeval-p", [hypothesis], **options)
        assert found.corpus == pytest.approx(expected)
    assert "|p:0|" in found.signature
    assert "|pivots:zh|sets:" in found.signature


def test_sets_that_are_refused(tmp_path):
    path = tmp_path / "sets.tsv"
    head = "language\tforeign\tphrase\tprobability\tcount\n"
    for lines, message in {
        "": "there is no paraphrase set",
        "zh\t车\tcar\t0.5\n": "sets.tsv:2: 4 columns",
        "zh\t车\tcar\tx\t1\n": "sets.tsv:2: 'x' and '1' must be numbers",
        "zh\t车\tcar\t2\t1\n": "sets.tsv:2: probability 2 and count 1 are out of range",
        "zh\t车\t \t.5\t1\n": "sets.tsv:2: a language, a foreign phrase and a phrase",
    }.items():
        path.write_text(head + lines, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            otherwords.score("paraeval-f", ["car"], references=[["car"]], model=path)


# --- German paraphrases, with English as the pivot

GERMAN = """\
Das Auto ist schnell.\tThe car is fast.
Der Wagen ist schnell.\tThe car is fast.
Das Auto ist rot.\tThe car is red.
Der Wagen ist rot.\tThe car is red.
Das Haus ist rot.\tThe house is red.
Das Haus ist groß.\tThe house is big.
Die Häuser sind groß.\tThe houses are big.
Der Hund ist groß.\tThe dog is big.
Der Hund ist schnell.\tThe dog is fast.
Die Hunde sind schnell.\tThe dogs are fast.
Ein Auto kommt.\tA car comes.
Ein Wagen kommt.\tA car comes.
Ein Haus steht dort.\tA house stands there.
Ein Hund kommt.\tA dog comes.
Mein Auto steht dort.\tMy car stands there.
Mein Wagen steht dort.\tMy car stands there.
"""


def test_german_with_english_as_the_pivot(tmp_path, capsys):
    """docs/papers/pem.md: nothing but data ties PEM's pivots to English."""
    bitext, model = tmp_path / "de-en.tsv", tmp_path / "german.owm"
    bitext.write_text(GERMAN, encoding="utf-8")
    assert run("build", "--pivot", f"en={bitext}", "--stem", "german", "-o", model) == 0
    options = {"model": model, "stem": "german", "any_language": True}
    original = ["Das Auto ist schnell."]
    same, other = (
        otherwords.score("pem.adequacy", [text], sources=original, **options)
        for text in ("Der Wagen ist schnell.", "Der Hund ist schnell.")
    )
    assert same.corpus > other.corpus
    assert "|stem:german,uncalibrated|" in same.signature
    inflected = otherwords.score(
        "pem.dissimilarity", ["Häuser"], sources=["Haus"], stem="german", any_language=True
    )
    assert inflected.corpus == 0.0
    with pytest.raises(UsageError, match="the regression was trained with"):
        otherwords.score("pem", original, sources=original, model=model, any_language=True)
    with pytest.raises(UsageError, match="no stemmer for 'klingon'"):
        otherwords.score("pem.adequacy", original, sources=original, stem="klingon")
    assert run("build", "--pivot", f"en={bitext}", "--stem", "klingon", "-o", model) == 2
    assert "no stemmer for 'klingon'" in capsys.readouterr().err


@pytest.mark.data
def test_german_from_the_bitext(shared, tmp_path):
    """The same from everyday sentences: synonyms above other words of the same kind."""
    bitext, model = tmp_path / "de-en.tsv", tmp_path / "german.owm"
    with gzip.open(shared / "bitext" / "tatoeba-deu.tsv.gz", "rt", encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in islice(lines, 40_000)]
    bitext.write_text("".join(f"{left}\t{right}\n" for right, left in pairs), encoding="utf-8")
    assert run("build", "--pivot", f"en={bitext}", "--stem", "german", "-o", model) == 0
    for original, synonym, other in [
        ("Er kauft ein Auto.", "Er kauft einen Wagen.", "Er kauft ein Haus."),
        ("Sie begann zu weinen.", "Sie fing an zu weinen.", "Sie hörte auf zu weinen."),
        ("Ich habe das Handy.", "Ich habe das Mobiltelefon.", "Ich habe das Geld."),
    ]:
        found = otherwords.score(
            "pem.adequacy",
            [synonym, other],
            sources=[original] * 2,
            model=model,
            stem="german",
            any_language=True,
        )
        assert found.segments[0] > found.segments[1]
