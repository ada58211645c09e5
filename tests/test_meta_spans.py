"""Error spans in the form of xCOMET and ESA, and their agreement with people's."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords.scoring.explanations import ErrorSpan, error_spans
from otherwords.stats.intervals import Resampling
from otherwords.study.agreement import measure_spans
from otherwords.study.agreement.spans import MEASURES, read_spans
from tests.oracles import spans as oracle

TEXT = "the cat sat on the mat"
KEYS = ("text", "start", "end", "severity", "confidence")


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def segment(spans, text=TEXT, system="north", **more):
    listed = [dict(zip(("start", "end", "severity"), span, strict=True)) for span in spans]
    return {"system": system, "hypothesis": text, "error_spans": listed, **more}


def mqm(path, lines):
    header = "system doc doc_id seg_id rater source target category severity".split()
    rows = [header, *([*line[:1], "d", "1", "1", line[1], "src", *line[2:]] for line in lines)]
    path.write_text("".join("\t".join(row) + "\n" for row in rows))
    return str(path)


span = st.tuples(
    st.integers(0, 10), st.integers(11, 22), st.sampled_from(["minor", "major", "critical"])
)
segments = st.lists(st.tuples(st.lists(span, max_size=3), st.lists(span, max_size=3)), min_size=1)


@settings(max_examples=40)
@given(segments)
def test_measures_against_the_naive_twin(tmp_path_factory, pairs):
    folder = tmp_path_factory.mktemp("spans")
    texts = [f"{TEXT} {number}" for number in range(len(pairs))]
    mine = write(
        folder / "mine.jsonl",
        [segment(one, text) for (one, _), text in zip(pairs, texts, strict=True)],
    )
    theirs = write(
        folder / "theirs.jsonl",
        [segment(other, text) for (_, other), text in zip(pairs, texts, strict=True)],
    )
    [line] = measure_spans([theirs], [f"mine={mine}"]).lines
    found = [line.measures[name].value for name in MEASURES]
    assert found == pytest.approx(list(oracle.agreement(pairs)))


def test_by_hand(tmp_path):
    human = write(tmp_path / "human.jsonl", [segment([(4, 7, "major"), (15, 18, "minor")])])
    found = write(tmp_path / "found.jsonl", [segment([(4, 11, "minor")])])
    [line] = measure_spans([human], [f"found={found}"]).lines
    # 3 characters of both, all with another severity; 7 found, 6 marked by people
    assert line.measures["f1"].value == pytest.approx(6 / 13)
    assert line.measures["severity-f1"].value == pytest.approx(3 / 13)
    assert line.measures["precision"].value == pytest.approx(3 / 7)
    assert line.measures["recall"].value == pytest.approx(3 / 6)
    assert line.marked == pytest.approx(7 / len(TEXT))


def test_mqm_and_esa_and_xcomet_say_the_same(tmp_path):
    expected = [0] * 4 + [2] * 3 + [0] * 8 + [1] * 3 + [0] * 4
    tsv = mqm(
        tmp_path / "mqm.tsv",
        [
            ("north", "rater1", "the <v>cat</v> sat on the mat", "Accuracy", "Major"),
            ("north", "rater1", "the cat sat on <v>the</v> mat", "Fluency", "Minor"),
            ("north", "rater1", "the <v>cat sat</v> on the mat", "Other", "Neutral"),
        ],
    )
    esa = write(
        tmp_path / "esa.jsonl",
        [
            {
                "system": "north",
                "tgt": TEXT,
                "annotator": "rater1",
                "esa_score": 60,
                "esa_spans": [
                    {"start_i": 4, "end_i": 7, "severity": "major"},
                    {"start_i": 15, "end_i": 18, "severity": "undecided"},
                    {"start_i": "missing", "end_i": "missing", "severity": "major"},
                ],
            }
        ],
    )
    errors = [
        {"text": "cat", "start": 4, "end": 7, "severity": "critical", "confidence": 0.9},
        {"text": "the", "start": 15, "end": 18, "severity": "minor", "confidence": 0.6},
    ]
    comet = tmp_path / "comet.json"
    comet.write_text(
        json.dumps({"out/north.txt": [{"mt": f" {TEXT} ", "COMET": 0.7, "errors": []}]})
    )
    [plain] = read_spans(str(comet))
    assert plain.severities.tolist() == [0] * len(TEXT)
    comet.write_text(json.dumps({"out/north.txt": [{"mt": TEXT, "COMET": 0.7, "errors": errors}]}))
    for path in (tsv, esa, str(comet)):
        [marked] = read_spans(path)
        assert marked.severities.tolist() == expected, path
        assert marked.key == ("north", TEXT)


def test_two_marks_in_one_line_and_errors_in_the_source(tmp_path):
    path = mqm(
        tmp_path / "mqm.tsv",
        [
            ("north", "a", "<v>the</v> cat sat on the <v>mat</v>", "Style", "Minor"),
            ("north", "a", TEXT, "Accuracy/Omission", "Major"),
            ("south", "a", TEXT, "No-error", "No-error"),
        ],
    )
    first, second = read_spans(path)
    assert first.severities.nonzero()[0].tolist() == [0, 1, 2, 19, 20, 21]
    assert not second.severities.any()


def test_errors_that_judges_marked_in_the_studio(tmp_path):
    errors = [{"judge": "Ann", "text": "cat", "start": 4, "end": 7, "severity": "major"}]
    judges = [{"judge": "Ann", "adequacy": 3}, {"judge": "Ben", "adequacy": 5}]
    row = {"system": "north", "hypothesis": TEXT, "human": {"adequacy": 4}, "judges": judges}
    path = write(tmp_path / "rows.jsonl", [{**row, "errors": errors}, row])
    found = [(marked.rater, int(marked.severities.sum())) for marked in read_spans(path)]
    assert found == [("Ann", 6), ("Ben", 0), ("Ann", 0), ("Ben", 0)]


def test_people_are_compared_with_each_other(tmp_path):
    human = mqm(
        tmp_path / "mqm.tsv",
        [
            ("north", "a", "the <v>cat</v> sat on the mat", "Accuracy", "Major"),
            ("north", "b", "the <v>cat sat</v> on the mat", "Accuracy", "Major"),
        ],
    )
    found = write(tmp_path / "found.jsonl", [segment([(4, 7, "major")], metric="ours")])
    result = measure_spans([human], [found], resampling=Resampling(resamples=20))
    ours, people = result.lines
    assert (ours.metric, people.metric) == ("ours", "people")
    assert people.measures["f1"].value == pytest.approx(2 * 3 / (3 + 7))
    assert ours.measures["recall"].value == pytest.approx((3 + 3) / (3 + 7))


def test_a_metric_that_lacks_segments_is_named(tmp_path):
    human = write(tmp_path / "human.jsonl", [segment([(0, 3, "minor")]), segment([], "a dog")])
    found = write(tmp_path / "found.jsonl", [segment([(0, 3, "minor")])])
    notes = measure_spans([human], [f"found={found}"]).notes()
    assert "found has no spans for 1 of 2 annotations" in notes


@pytest.mark.parametrize("name", ["facts", "meaning", "otherwords-rewrite", "otherwords-mt"])
def test_findings_of_metrics_are_spans(name):
    original, rewrite = "We meet on 3 March at noon.", "Our meeting is on 13 March at noon."
    metric = otherwords.metric(name)
    source = {"source": original} if metric.against == "source" else {"references": original}
    spans = error_spans(metric.explain(rewrite, **source))
    assert any("13" in found.text and found.severity == "major" for found in spans)
    for found in spans:
        assert found.text == rewrite[found.start : found.end]
        assert 0 <= found.confidence <= 1


def test_the_reference_with_the_fewest_findings_counts():
    facts = otherwords.metric("facts")
    references = ["He paid 20 euros.", "He paid 30 euros."]
    assert error_spans(facts.explain("He paid 30 euros.", references)) == ()


def test_score_writes_spans_that_meta_reads(tmp_path, ok):
    (tmp_path / "ours.txt").write_text("He paid 30 euros.\nShe left.\n")
    (tmp_path / "ref.txt").write_text("He paid 20 euros.\nShe left.\n")
    command = ("score", tmp_path / "ours.txt", "-r", tmp_path / "ref.txt", "-m", "facts")
    lines = ok(*command, "--explain", "spans", "-f", "jsonl")
    first, second = map(json.loads, lines.splitlines())
    assert tuple(first["error_spans"][0]) == KEYS
    assert second["error_spans"] == []
    document = json.loads(ok(*command, "--explain", "spans", "-f", "json"))
    assert document["segments"] == [first, second]
    assert "Error spans: 1 in 2 segments" in ok(*command, "--explain", "spans")
    (tmp_path / "spans.jsonl").write_text(lines)
    human = write(
        tmp_path / "human.jsonl",
        [
            segment([(8, 16, "major")], "He paid 30 euros.", "ours"),
            segment([], "She left.", "ours"),
        ],
    )
    arguments = ("meta", "spans", human, "--predicted", tmp_path / "spans.jsonl", "-f", "json")
    [line] = json.loads(ok(*arguments))["spans"]
    assert (line["metric"], line["precision"]["value"]) == ("facts", 1.0)
    assert line["recall"]["value"] == 0.25
    assert "[" in ok(*arguments[:-2], "--ci", "--resamples", 20)


def test_wrong_files_and_calls(tmp_path, refused):
    (tmp_path / "t.txt").write_text("She left.\n")
    command = ("score", tmp_path / "t.txt", "-r", tmp_path / "t.txt", "-m", "bleu")
    assert "bleu has no findings" in refused(*command, "--explain", "spans")
    human = write(tmp_path / "human.jsonl", [segment([(0, 3, "minor")])])
    far = write(tmp_path / "far.jsonl", [segment([(0, 99, "minor")])])
    odd = write(tmp_path / "odd.jsonl", [segment([(0, 3, "terrible")])])
    other = write(tmp_path / "other.jsonl", [segment([], "another text")])
    plain = write(tmp_path / "plain.jsonl", [{"hypothesis": TEXT}])
    table = tmp_path / "table.tsv"
    table.write_text("a\tb\n1\t2\n")
    for path, message in (
        (far, "far.jsonl:1: a span from 0 to 99 is not in a text of 22 characters"),
        (odd, "the severity 'terrible' is not one of"),
        (other, "no segment is one of people's"),
        (plain, "a list of error_spans are needed"),
        (table, "not MQM: there is no column"),
        (tmp_path / "nosuch.jsonl", "nosuch.jsonl"),
    ):
        assert message in refused("meta", "spans", human, "--predicted", path)


def test_an_error_span_has_the_keys_of_xcomet():
    assert tuple(ErrorSpan.__dataclass_fields__) == KEYS


def test_spans_that_would_give_a_wrong_number_are_refused(tmp_path, refused):
    human = write(tmp_path / "human.jsonl", [segment([(4, 7, "minor")])])
    bytes_ = segment([(3, 6, "minor")], "é the cat")  # 3 to 6 in bytes is "the"
    bytes_["error_spans"][0]["text"] = "the"
    for name, records, message in (
        ("true", [segment([(True, 3, "minor")])], "true.jsonl:1: a span from True to 3 is not in"),
        ("bytes", [bytes_], "bytes.jsonl:1: a span says 'the', but characters 3 to 6 are 'he '"),
        ("empty", [], "empty.jsonl: there are no segments here"),
    ):
        path = write(tmp_path / f"{name}.jsonl", records)
        assert message in refused("meta", "spans", human, "--predicted", path)
    again = ("--predicted", f"a={human}", "--predicted", f"a={human}")
    assert "another file has spans of a" in refused("meta", "spans", human, *again)
    for text in ("the <v>cat", "the cat</v>", "<v>the <v>cat</v>"):
        path = mqm(tmp_path / "mqm.tsv", [("north", "a", text, "Style", "Minor")])
        message = refused("meta", "spans", path, "--predicted", human)
        assert "mqm.tsv:2: <v> and </v> do not alternate" in message


def test_a_text_decoded_from_tokens_is_the_same(tmp_path):
    record = segment([(3, 7, "minor")])
    record["error_spans"][0]["text"] = "cat"  # the place has the space before it
    assert list(read_spans(write(tmp_path / "x.jsonl", [record])))
