"""`otherwords rank`: each source's candidates in the order that scoring them one by one gives."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import otherwords
from otherwords.corpus.inputs import read_candidates
from otherwords.errors import InputError, LanguageError, UsageError
from otherwords.scoring import rank as ranking
from otherwords.scoring.rank import rank
from otherwords.text.sentence import tokenize

EXAMPLE = Path(__file__).parents[1] / "examples" / "candidates.jsonl"
SOURCE = "She missed the train because she woke up late."
COPY = SOURCE
CLOSE = "She missed the train because she woke up so late."
FREE = "She got up late and so she did not catch the train."
OTHER = "The weather in the mountains will be fine tomorrow."
PARTS = ("meaning", "fluency", "difference")

words = st.sampled_from(["a", "the", "cat", "dog", "sat", "ran", "."])
texts = st.lists(words, max_size=5).map(" ".join)
groups = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=6)), min_size=1, max_size=6)


def one_by_one(source, candidates, metric, **options):
    """Scores and places, best first, each candidate scored by itself."""
    lower = not otherwords.metric(metric).traits.higher_is_better
    scored = []
    for place, text in enumerate(candidates, 1):
        scorer = otherwords.metric(metric, against="source", **options)
        score = scorer.segment_scores(scorer.statistics([text], sources=[source]))[0]
        scored.append((score if lower else -score, place, float(score)))
    return [(place, score) for _, place, score in sorted(scored)]


def order(found):
    return [(one.place, one.score) for one in found.ranked]


@given(
    groups, st.sampled_from(["pinc", "ter", "difference", "otherwords-rewrite"]), st.integers(1, 8)
)
def test_the_order_is_that_of_the_scores(pairs, metric, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "BATCH", size)
        found = rank(pairs, metric, against="source", any_language=True)
    assert [one.source for one in found] == [source for source, _ in pairs]
    for one, (source, candidates) in zip(found, pairs, strict=True):
        assert order(one) == one_by_one(source, candidates, metric)
        assert [r.hypothesis for r in one.ranked] == [candidates[r.place - 1] for r in one.ranked]
        assert [r.rank for r in one.ranked] == list(range(1, len(candidates) + 1))


def test_the_candidate_with_the_best_pem_is_first():
    """PEM §7: argmax PEM(P, R), over given candidates."""
    candidates = [OTHER, COPY, FREE, CLOSE]
    [found] = rank([(SOURCE, candidates)], "pem")
    assert order(found) == one_by_one(SOURCE, candidates, "pem")
    scores = otherwords.score("pem", candidates, sources=[SOURCE] * 4).segments
    assert found.ranked[0].score == max(scores)


def test_the_score_and_its_parts():
    [found] = rank([(SOURCE, [OTHER, COPY, FREE])])
    assert [one.place for one in found.ranked] == [3, 2, 1]
    for one in found.ranked:
        assert tuple(one.parts) == PARTS
        for part in PARTS:
            alone = otherwords.score(part, [one.hypothesis], sources=[SOURCE]).corpus
            assert one.parts[part] == pytest.approx(alone, abs=1e-9)
    assert 0.125 < found.ranked[1].score < 0.375  # a copy stays, and is worth about .25
    assert found.signature == otherwords.metric("otherwords-rewrite").signature
    assert (found.item, found.ranked[0].system, found.ranked[0].item) == (None, None, None)


def test_ties_keep_the_order_of_the_input_and_duplicates_stay():
    [found] = rank([("a b", ["a b c", "a b", "a b c", "a b"])], "pinc")
    assert [one.place for one in found.ranked] == [1, 3, 2, 4]
    assert [one.rank for one in found.ranked] == [1, 2, 3, 4]
    many = ["a c" if place % 3 else "a b" for place in range(200)]
    [found] = rank([("a b", many)], "pinc")
    places = [one.place - 1 for one in found.ranked]
    assert places == [n for n in range(200) if n % 3] + list(range(0, 200, 3))


def test_lower_is_better_is_turned_round():
    [found] = rank([(SOURCE, [OTHER, CLOSE, COPY])], "ter", against="source")
    assert [one.place for one in found.ranked] == [3, 2, 1]
    assert [one.score for one in found.ranked] == sorted(one.score for one in found.ranked)


def test_top():
    whole = rank([(SOURCE, [OTHER, COPY, FREE])])[0]
    for top in (1, 2, 3, 9):
        assert rank([(SOURCE, [OTHER, COPY, FREE])], top=top)[0].ranked == whole.ranked[:top]


def test_threads_and_batches_change_nothing(monkeypatch):
    pairs = [(SOURCE, [OTHER, COPY, FREE]), (FREE, [SOURCE, CLOSE]), (OTHER, [FREE])] * 3
    expected = rank(pairs)
    assert rank(pairs, threads=3) == expected
    monkeypatch.setattr(ranking, "BATCH", 1)
    assert rank(pairs) == expected


def test_metrics_with_options_and_sentences():
    made = otherwords.metric("pinc", orders=1)
    pairs = [(tokenize(SOURCE), [tokenize(FREE), tokenize(COPY)])]
    [found] = rank(pairs, made)
    # 6 of 13 words are new: got, and, so, did, not, catch.
    assert order(found) == [(1, pytest.approx(6 / 13)), (2, 0)]
    assert list(rank(pairs, "pinc", orders=1)) == [found]
    assert found.signature.endswith("|input:annotated")
    assert list(rank([], "pinc")) == []


@pytest.mark.parametrize(
    ("pairs", "options", "error", "message"),
    [
        ([("a", [])], {}, InputError, "source 1 has no candidates"),
        ([("a", ["b"]), ("a", "b")], {}, InputError, "source 2 must be a pair"),
        (["ab"], {}, InputError, "source 1 must be a pair"),
        ({"some": ["b"]}, {}, InputError, "source 1 must be a pair"),
        ([(None, ["b"])], {}, InputError, "source 1 must be a pair"),
        ([7], {}, InputError, "source 1 must be a pair"),
        ([("a", ["b", None])], {}, InputError, "candidate 2 of source 1 must be text"),
        ([("a", ["\ud800"])], {}, InputError, "surrogate"),
        ([("a", ["b"])], {"metric": "meanin"}, UsageError, "did you mean 'meaning'"),
        ([("a", ["b"])], {"metric": "chrf"}, InputError, "chrf needs a reference"),
        ([("a", ["b"])], {"top": 0}, UsageError, "top must be"),
        ([("a", ["b"])], {"top": 1.5}, UsageError, "top must be"),
        ([("a", ["b"])], {"threads": 0}, UsageError, "threads must be"),
        (
            [("a", ["b"])],
            {"metric": otherwords.metric("pinc"), "orders": 2},
            UsageError,
            "metric.s name",
        ),
    ],
)
def test_wrong_arguments(pairs, options, error, message):
    with pytest.raises(error, match=message):
        rank(pairs, **options)


def test_another_language():
    french = "Le maire a déclaré que le vieux pont est fermé et que nous ne passons plus."
    with pytest.raises(LanguageError, match="the candidates"):
        rank([(french, [french])])
    assert rank([(french, [french])], any_language=True)
    assert rank([(french, [french])], "pinc")


# The command.


@pytest.fixture
def write(tmp_path):
    def file(*rows, name="in.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return file


def row(hypothesis, source=SOURCE, **more):
    return {"source": source, "hypothesis": hypothesis, **more}


def documents(printed):
    return json.loads(printed)["rankings"]


def lines_of(printed):
    return [json.loads(line) for line in printed.splitlines()]


def test_json_of_the_example(ok):
    given = [json.loads(line) for line in EXAMPLE.read_text(encoding="utf-8").splitlines()]
    assert [len(one["candidates"]) for one in given] == [4, 4, 4]
    found = documents(ok("rank", EXAMPLE, "-f", "json"))
    for document, one in zip(found, given, strict=True):
        assert list(document) == ["item", "source", "ranked", "signature"]
        assert (document["item"], document["source"]) == (one["item"], one["source"])
        keys = ["rank", "hypothesis", "score", *PARTS, "place"]
        assert all(list(ranked) == keys for ranked in document["ranked"])
        assert [
            (ranked["place"], pytest.approx(ranked["score"])) for ranked in document["ranked"]
        ] == one_by_one(one["source"], one["candidates"], "otherwords-rewrite")
        assert document["signature"] == otherwords.metric("otherwords-rewrite").signature


def test_rows_are_grouped_by_source(ok, write):
    path = write(
        row("a c", "a b", item="x", system="one"),
        row("d e", "c d", item="y", system="one"),
        row("e f", "a b", item="x", system="two"),
        row("c d", "c d", item="z"),
        row("a b", "a b", item="x"),
    )
    first, second = documents(ok("rank", path, "-m", "pinc", "-f", "json"))
    assert (first["item"], first["source"]) == ("x", "a b")
    assert [(one["place"], one.get("system")) for one in first["ranked"]] == [
        (2, "two"),
        (1, "one"),
        (3, None),
    ]
    assert "item" not in first["ranked"][0]
    # The rows of the second source have names of their own: it has its number.
    assert (second["item"], second["source"]) == ("2", "c d")
    assert [(one["place"], one["item"]) for one in second["ranked"]] == [(1, "y"), (2, "z")]


def test_a_line_is_a_list_of_its_own(ok, write):
    line = {"source": "a b", "candidates": ["a b", "c"]}
    found = documents(ok("rank", write(line, {**line, "id": 7}), "-m", "pinc", "-f", "json"))
    assert [one["item"] for one in found] == ["1", "7"]
    assert [[one["place"] for one in document["ranked"]] for document in found] == [[2, 1]] * 2


def test_references(ok, write):
    line = {"source": "a b", "references": ["x y z w"], "candidates": ["a b", "x y z w"]}
    path = write(line)
    assert documents(ok("rank", path, "-m", "chrf", "-f", "json"))[0]["ranked"][0]["place"] == 2
    [found] = documents(ok("rank", path, "-m", "chrf", "-f", "json", "--against", "source"))
    assert found["ranked"][0]["place"] == 1
    assert found["signature"].endswith("|against:source")


def test_text(ok, write):
    path = write(row(COPY, system="b"), row(FREE, system="a\tb"), row(OTHER))
    lines = ok("rank", path, "--top", "2", "--signatures").splitlines()
    assert lines[:3] == ["1: a b is best by otherwords-rewrite, then b.", "", f"1: {SOURCE}"]
    del lines[:2]
    assert lines[1].split() == ["rank", "score", *PARTS, "place", "system", "candidate"]
    scores = otherwords.score("otherwords-rewrite", [FREE, COPY], sources=[SOURCE] * 2).segments
    assert lines[2].split()[:2] == ["1", f"{scores[0]:.4f}"]
    assert lines[2].endswith(f"      2  a b     {FREE}")
    assert lines[3].split()[:2] == ["2", f"{scores[1]:.4f}"]
    assert lines[4:] == ["", otherwords.metric("otherwords-rewrite").signature]
    assert [line.index(one) for line, one in zip(lines[2:4], (FREE, COPY), strict=True)] == [
        lines[1].index("candidate")
    ] * 2


@pytest.mark.parametrize(
    ("candidates", "top", "verdict"),
    [
        (["a b", "c d", "a c"], None, "candidate 2 is best by pinc, then 3 and 1"),
        (["a b", "c d", "e f"], None, "candidates 2 and 3 are equally good by pinc, then 1"),
        (["a", "c", "b"], 1, "candidate 2 is best by pinc"),
        (
            ["a b", *"cadbef"],
            None,
            "candidates 2, 4 and 2 others are equally good by pinc, then 1, 3 and 5",
        ),
        (["c d"], None, "candidate 1 is best by pinc"),
    ],
)
def test_the_verdict_comes_first(candidates, top, verdict):
    lines = str(rank([("a b", candidates)], "pinc", orders=1, top=top)).splitlines()
    assert lines[0] == f"1: {verdict}."


def test_the_verdict_on_contradictions():
    source = "The bridge is open."
    found = rank([(source, ["The bridge is closed."])], no_contradictions=True)
    assert str(found).startswith("1: no candidate is left.")


def test_tsv_and_json(ok):
    rows = list(csv.DictReader(io.StringIO(ok("rank", EXAMPLE, "-f", "tsv")), delimiter="\t"))
    found = json.loads(ok("rank", EXAMPLE, "-f", "json"))
    assert found["otherwords"] == otherwords.__version__
    lines = lines_of(ok("rank", EXAMPLE, "-f", "jsonl"))
    flat = [
        (document["item"], document["source"], document["signature"], one)
        for document in found["rankings"]
        for one in document["ranked"]
    ]
    for line, cells, (item, source, signature, one) in zip(lines, rows, flat, strict=True):
        assert {key: "" if value is None else str(value) for key, value in line.items()} == cells
        assert (cells["item"], cells["source"], cells["signature"]) == (item, source, signature)
        assert cells["hypothesis"] == one["hypothesis"]
        assert all(float(cells[key]) == one[key] for key in ("rank", "score", *PARTS, "place"))


def test_formats_by_name_and_packed_files(ok, tmp_path, monkeypatch):
    expected = ok("rank", EXAMPLE, "-f", "jsonl")
    packed = tmp_path / "in.gz"
    crlf = EXAMPLE.read_bytes().replace(b"\n", b"\r\n\r\n")
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + crlf))
    assert ok("rank", packed, "-o", tmp_path / "out.jsonl.gz") == ""
    assert gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).decode() == expected
    for form in ("jsonl", "json", "tsv", "text", "csv", "html"):
        ok("rank", EXAMPLE, "-o", tmp_path / f"out.{form}")
        written = (tmp_path / f"out.{form}").read_text(encoding="utf-8")
        assert written == ok("rank", EXAMPLE, "-f", form, "--signatures")
    ok("rank", EXAMPLE, "-o", tmp_path / "out.tsv", "-f", "jsonl")
    assert (tmp_path / "out.tsv").read_text(encoding="utf-8") == expected

    class Stdin:
        buffer = io.BytesIO(EXAMPLE.read_bytes())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert ok("rank", "-", "-f", "jsonl", "--threads", "2") == expected


def test_a_stream_is_read_batch_by_batch(monkeypatch):
    monkeypatch.setattr(ranking, "BATCH", 3)
    read = []

    def pairs():
        for number in range(100):
            read.append(number)
            yield "a b", ["a", "b"]

    found = iter(ranking.rank(pairs(), otherwords.metric("pinc")))
    next(found)
    assert len(read) == 2


def test_settings(ok, refused):
    folded, kept = (
        documents(ok("rank", EXAMPLE, "-m", "pinc", "-f", "json", "--set", f"case={case}"))[0]
        for case in ("false", "true")
    )
    assert folded["signature"] != kept["signature"]
    assert "has an option 'colour'" in refused("rank", EXAMPLE, "--set", "colour=red")
    assert "rank takes one metric" in refused("rank", EXAMPLE, "-m", "pinc,ter")
    assert "no metric is named" in refused("rank", EXAMPLE, "-m", ",")
    assert "top must be" in refused("rank", EXAMPLE, "--top", "0")
    assert "parquet" in refused("rank", EXAMPLE, "-f", "parquet")
    assert "--tokenizer does nothing" in refused(
        "rank", EXAMPLE, "-m", "chrf", "--tokenizer", "none"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"source": "a", "candidates": []}, "the list of candidates is empty"),
        ({"source": "a", "candidates": "b"}, "candidates must be a list of strings"),
        ({"source": "a", "candidates": None}, "candidates must be a list of strings"),
        ({"source": "a", "candidates": ["b", 3]}, "candidates[1] must be a string"),
        ({"source": "a", "candidates": ["b", None]}, "candidates[1] must be a string"),
        ({"candidates": ["b"]}, "source must be a string; found null"),
        ({"source": ["a"], "candidates": ["b"]}, "source must be a string; found a list"),
        ({"original": "a", "candidates": ["b"]}, "did you mean 'source'?"),
        ({"source": "a", "candidates": ["b"], "hypothesis": "b"}, "both 'candidates' and"),
        ({"source": "a", "candidates": ["b"], "item": 1.5}, "item must be"),
        ({"source": "a", "candidates": ["b"], "references": 3}, "references must be"),
        ({"source": "a", "paraphrases": ["b"]}, "the keys are: 'source', 'paraphrases'"),
        ({"hypothesis": "a"}, "no 'source'"),
        (row(None), "hypothesis must be a string"),
        (row("a"), "are mixed"),
        ({}, "the object is empty"),
        ([], "each line must be a JSON object"),
    ],
)
def test_wrong_lines(refused, write, tmp_path, line, message):
    path, output = write({"source": "a", "candidates": ["b"]}, line), tmp_path / "out.jsonl"
    error = refused("rank", path, "-o", output)
    assert f"{path}:2: " in error
    assert message in error
    assert not output.exists()
    assert message in refused("rank", path)


def test_rows_before_lists(refused, write):
    path = write(row("a"), row("b"), {"source": "a", "candidates": ["b"]})
    assert f"{path}:3: " in refused("rank", path)


def test_wrong_files(refused, tmp_path):
    path = tmp_path / "in.jsonl"
    fine = b'{"source": "a", "candidates": ["b"]}\n'
    for content, where, message in (
        (b"", "", "there are no candidates here"),
        (b"\n  \n", "", "there are no candidates here"),
        (fine + b'{"source": "a", ', "2:", "not JSON"),
        (fine + b'{"source": "a", "candidates": ["\\ud800"]}', "2:", "surrogate"),
        (fine + b'{"source": "caf\xe9"}', "2:", "not UTF-8"),
        (fine + b"a\0", "2:", "NUL byte"),
        (gzip.compress(fine * 99)[:-9], "", "truncated or damaged"),
    ):
        path.write_bytes(content)
        error = refused("rank", path)
        assert f"{path}:{where}" in error
        assert message in error
    path.write_bytes(fine)
    assert "both read and written" in refused("rank", path, "-o", path)
    assert path.read_bytes() == fine
    assert "no such file" in refused("rank", tmp_path / "none.jsonl")
    assert f"{path}:1: chrf needs a reference" in refused("rank", path, "-m", "chrf")


def test_not_english(refused, run, write):
    french = "Le maire a déclaré que le vieux pont est fermé et que nous ne passons plus."
    path = write({"source": french, "candidates": [french]})
    assert f"the text of {path}, given to otherwords-rewrite," in refused("rank", path)
    assert run("rank", path, "--any-language")[0] == 0


@pytest.mark.data
def test_real_rows(shared, ok):
    path = shared / "paraphrase" / "shakespeare-dev.jsonl.gz"
    found = documents(ok("rank", path, "-f", "json"))
    given = list(read_candidates(path))
    assert [one["source"] for one in found] == [group.source for group in given]
    assert sum(len(one["ranked"]) for one in found) == sum(len(group.rows) for group in given)
    assert all(one["item"] == group.rows[0].item for one, group in zip(found, given, strict=True))
    for document in found:
        scores = [one["score"] for one in document["ranked"]]
        assert scores == sorted(scores, reverse=True)
