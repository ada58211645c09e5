"""`score --explain worst=K,best=K` and `--segments --texts`: where systems are bad and good."""

import json

import pytest

from otherwords.corpus.rows import Row
from otherwords.scoring.score import score

REFERENCE = "one two three four"
# `mup` is the share of words that are right: 4, 2, 0, 3 of 4.
TEXTS = [REFERENCE, "one two x x", "x x x x", "one two three x"]


def rows(*systems):
    return [
        Row(text, (REFERENCE,), "eins zwei", system=system, item=f"i{n}")
        for system in systems
        for n, text in enumerate(TEXTS)
    ]


def test_worst_and_best_are_those_of_each_system():
    found = score(["mup"], rows("a", "b"), any_language=True).with_extremes(2, 1).extremes
    assert [(one.kind, one.system, one.item) for one in found] == [
        *(("worst", "a", "i2"), ("worst", "a", "i1"), ("worst", "b", "i2"), ("worst", "b", "i1")),
        *(("best", "a", "i0"), ("best", "b", "i0")),
    ]
    assert [one.scores["mup"] for one in found[:2]] == [0.0, 0.5]
    assert found[1].explanation.score == 0.5


def test_lower_scores_are_better_where_the_metric_says_so():
    found = score(["mup", "ter"], rows("a")).with_extremes(1, 1, by="ter")
    assert [(one.kind, one.item) for one in found.extremes] == [("worst", "i2"), ("best", "i0")]
    assert found.extremes[0].scores == {"mup": 0.0, "ter": 100.0}


def test_the_first_of_equal_segments():
    same = [Row("x", ("y",), system="a", item=str(n)) for n in range(5)]
    found = score(["mup"], same, any_language=True).with_extremes(2, 2)
    assert [one.item for one in found.extremes] == ["0", "1", "0", "1"]


def test_more_than_there_are():
    found = score(["mup"], rows("a"), any_language=True).with_extremes(worst=99)
    assert len(found.extremes) == 4


def test_segments_that_all_have_alone():
    some = [row for row in rows("a", "b") if (row.system, row.item) != ("b", "i2")]
    found = score(["mup"], some, any_language=True).common().with_extremes(1)
    assert [one.item for one in found.extremes] == ["i1", "i1"]


@pytest.fixture
def path(tmp_path):
    lines = [
        {"system": r.system, "item": r.item, "hypothesis": r.hypothesis, "source": r.source}
        | {"references": list(r.references)}
        for r in rows("a", "b")
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_readers_see_texts_scores_and_reasons(ok, path):
    out = ok("score", "--rows", path, "-m", "mup,chrf", "--any-language", "--explain", "worst=1")
    assert "Worst segments of a by mup" in out
    assert "segment i2: mup 0.0000, chrf " in out
    assert "source      eins zwei" in out
    assert "  text       x x x x\n" in out
    assert f"  reference  {REFERENCE}\n" in out


def test_programs_see_the_same(ok, path):
    argv = ["score", "--rows", path, "-m", "mup", "--any-language", "--explain", "worst=1,best=1"]
    found = json.loads(ok(*argv, "-f", "json"))
    assert [one["item"] for one in found["worst"]] == ["i2", "i2"]
    assert found["best"][0]["hypothesis"] == REFERENCE
    assert found["best"][0]["references"] == [REFERENCE]
    assert found["best"][0]["explanation"]["score"] == 1.0
    lines = [json.loads(line) for line in ok(*argv, "-f", "jsonl").splitlines()]
    assert [line["table"] for line in lines][2:6] == ["worst", "worst", "best", "best"]


def test_segments_with_their_texts(ok, path):
    argv = ["score", "--rows", path, "-m", "mup", "--any-language", "--segments", "--texts"]
    lines = [json.loads(line) for line in ok(*argv, "-f", "jsonl").splitlines()]
    assert lines[1] == {
        "system": "a", "item": "i1", "hypothesis": "one two x x", "references": [REFERENCE],
        "source": "eins zwei", "mup": 0.5,
    }  # fmt: skip
    found = json.loads(ok(*argv, "-f", "json"))
    assert found["systems"][0]["texts"][1]["hypothesis"] == "one two x x"
    assert "one two x x" not in ok(*argv[:-1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--explain", "worst=0"], "a segment N, id=ITEM, spans, or worst=K"),
        (["--explain", "first=1"], "a segment N, id=ITEM, spans, or worst=K"),
        (["--explain", "by=mup"], "a segment N, id=ITEM, spans, or worst=K"),
        (["--texts"], "--texts does nothing without --segments"),
        (["--explain", "worst=1,by=bleu"], "not one of the metrics"),
        (["--explain", "worst=1", "--segments"], "does not go with --segments"),
        (["--explain", "1", "--common"], "--explain 1 does not go with --common"),
    ],
)
def test_misuse(refused, path, options, message):
    assert message in refused("score", "--rows", path, "-m", "mup", *options)
