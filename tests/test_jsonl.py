import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.corpus.inputs import has_pairs, read_pairs, read_rows
from otherwords.corpus.rows import Judgement, Row
from otherwords.errors import InputError

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture
def read(tmp_path: Path):
    def reader(content: str | bytes, name: str = "a.jsonl") -> list[Row]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(read_rows(path, format="jsonl"))

    return reader


def test_all_keys(read):
    line = json.dumps(
        {
            "hypothesis": "Foxes sleep.",
            "references": ["The foxes sleep.", None, ""],
            "source": "Füchse schlafen.",
            "system": "s1",
            "item": "d1:1",
            "id": 17,
            "doc": "d1",
            "human": {"da": 0.5, "mqm": -3, "none": None},
            "langs": "de-en",
        }
    )
    assert read(line) == [
        Row(
            "Foxes sleep.",
            ("The foxes sleep.", ""),
            "Füchse schlafen.",
            "s1",
            "d1:1",
            "d1",
            {"da": 0.5, "mqm": -3.0},
            id="17",
            langs="de-en",
        )
    ]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ('{"hypothesis": ""}', Row("")),
        ('{"hypothesis": "a", "references": "b"}', Row("a", ("b",))),
        ('{"hypothesis": "a", "reference": "b"}', Row("a", ("b",))),
        ('{"hypothesis": "a", "reference": null, "references": ["b"]}', Row("a", ("b",))),
        ('{"hypothesis": "a", "references": null, "source": null}', Row("a")),
        ('{"hypothesis": "a", "references": []}', Row("a")),
        ('{"hypothesis": "a", "system": null, "human": null}', Row("a")),
        ('{"hypothesis": "a", "id": 3, "doc": 4}', Row("a", item="3", doc="4", id="3")),
        ('{"hypothesis": "a", "judges": null, "systems": null}', Row("a")),
        (
            '{"hypothesis": "a", "judges": [{"judge": 7, "da": 3, "mqm": null}, {"da": 2.5}]}',
            Row("a", judges=(Judgement({"da": 3.0}, "7"), Judgement({"da": 2.5}))),
        ),
        ('{"hypothesis": "a", "systems": ["x", "y", "x"]}', Row("a", systems=("x", "y"))),
        ('{"hypothesis": "\\ud83e\\udd8a"}', Row("🦊")),
        ('{"hypothesis": "a\u2028b"}', Row("a\u2028b")),
        ('{"hypothesis": "a", "references": ["b"], "ref": 7}', Row("a", ("b",))),
        ('{"hyp": "a", "refs": ["b"], "src": "c"}', Row("a", ("b",), "c")),
        ('{"mt": "a", "ref": "b", "docid": "d"}', Row("a", ("b",), doc="d")),
        ('{"Prediction": "a", "Reference": "b"}', Row("a", ("b",))),
        ('{"candidate": "a", "ref_2": "c", "ref_1": "b"}', Row("a", ("b", "c"))),
        ('{"output": "a", "human.da": 3}', Row("a", human={"da": 3.0})),
    ],
)
def test_what_may_be_left_out_or_said_otherwise(read, line, row):
    assert read(line) == [row]


@pytest.mark.parametrize(
    "content",
    [
        '\ufeff{"hypothesis": "a"}\n{"hypothesis": "b"}',
        '{"hypothesis": "a"}\r\n{"hypothesis": "b"}\r\n',
        '{"hypothesis": "a"}\n \n{"hypothesis": "b"}\n\n',
        gzip.compress(b'{"hypothesis": "a"}\n{"hypothesis": "b"}\n'),
    ],
    ids=["bom", "crlf", "blank lines", "gzip"],
)
def test_the_same_in_other_wrapping(read, content):
    assert read(content) == [Row("a"), Row("b")]


def test_streams(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"hypothesis": "a"}\n{')
    stream = read_rows(path, format="jsonl")
    assert next(stream) == Row("a")
    with pytest.raises(InputError, match=r"a.jsonl:2:2: not JSON: Expecting property name"):
        next(stream)


BAD = {
    "E201": ('{"hypothesis": "a" "b"}', "not JSON: Expecting ',' delimiter"),
    "E201 array": ('[\n{"hypothesis": "a"}\n]', "looks like a JSON array; .* jq -c '.\\[\\]'"),
    "E201 indented": ('{\n"hypothesis": "a"\n}', "looks like indented JSON"),
    "E212 xml": ("<dataset>", "this is XML or SGML"),
    "E201 deep": ("[" * 100_000, "nested too deep|array"),
    "E201 long": ('{"id": ' + "1" * 5000 + "}", "a number too long"),
    "E202 array": ('[{"hypothesis": "a"}]', "must be a JSON object; this looks like a JSON array"),
    "E202": ('"a"', "must be a JSON object; found a string"),
    "E203": ('{"text": "a"}', "no key 'hypothesis'; the keys are: 'text'"),
    "E203 empty": ("{}", "the object is empty"),
    "E203 vague": ('{"paraphrase": "a"}', "rename 'paraphrase' to 'hypothesis'\\?"),
    "E203 typo": ('{"hypotesis": "a"}', "rename 'hypotesis' to 'hypothesis'\\?"),
    "E204": ('{"hypothesis": null}', "hypothesis must be a string; found null"),
    "E204 list": ('{"hypothesis": ["a"]}', "hypothesis must be a string; found a list"),
    "E204 refs": ('{"hypothesis": "a", "references": 3}', "a list of strings; found a whole"),
    "E204 ref": ('{"hypothesis": "a", "references": ["b", 1.5]}', r"references\[1\] .* 1.5"),
    "E204 source": ('{"hypothesis": "a", "source": {}}', "source .* found an object"),
    "E204 id": ('{"hypothesis": "a", "id": true}', "id .* found true or false"),
    "E204 human": ('{"hypothesis": "a", "human": 3}', "human must be an object"),
    "E204 score": ('{"hypothesis": "a", "human": {"da": "3"}}', r"human\['da'\] must be a number"),
    "E205": ('{"hypothesis": "a", "human": {"da": NaN}}', r"human\['da'\] is nan"),
    "E205 infinite": ('{"hypothesis": "a", "human": {"da": -Infinity}}', r"human\['da'\] is -inf"),
    "E205 large": ('{"hypothesis": "a", "human": {"da": 1e999}}', r"human\['da'\] is inf"),
    "E205 whole": (
        '{"hypothesis": "a", "human": {"da": 1' + "0" * 400 + "}}",
        r"human\['da'\] is inf",
    ),
    "E204 judges": ('{"hypothesis": "a", "judges": {"A": 3}}', "judges must be a list of objects"),
    "E204 judgement": ('{"hypothesis": "a", "judges": [{}, 3]}', r"judges\[1\] must be an object"),
    "E204 judge": ('{"hypothesis": "a", "judges": [{"judge": []}]}', "judge must be a string or a"),
    "E204 judged": (
        '{"hypothesis": "a", "judges": [{"judge": "A", "overall": "good"}]}',
        r"judges\[0\]\['overall'\] must be a number; found a string",
    ),
    "E204 systems": ('{"hypothesis": "a", "systems": "b"}', "systems must be a list of strings"),
    "E204 system": ('{"hypothesis": "a", "systems": ["b", 3]}', r"systems\[1\] must be a string"),
    "E205 judge": ('{"hypothesis": "a", "judges": [{"da": NaN}]}', r"judges\[0\]\['da'\] is nan"),
    "E206": ('{"hypothesis": "a\\ud800"}', r"\\ud800 is half of a surrogate pair"),
    "E207": ('{"hypothesis": "a", "sources": ["b"]}', "'sources' .* did you mean 'source'"),
    "E207 original": ('{"mt": "a", "original": "b"}', "'original' .*--columns source=original"),
    "E209": ('{"mt": "a", "output": "b"}', "'mt' and 'output' could both be the hypothesis"),
    "E209 refs": (
        '{"mt": "a", "ref": "b", "ref2": "c"}',
        "'ref' and 'ref2' .* `columns` references=ref,references=ref2",
    ),
    "E208": ('{"hypothesis": "a", "reference": "b", "references": ["c"]}', "keep one"),
    "E101": (b'{"hypothesis": "caf\xe9"}', "byte 0xe9 is not UTF-8"),
}


@pytest.mark.parametrize("case", BAD)
def test_errors_say_where_and_what(read, case):
    content, message = BAD[case]
    with pytest.raises(InputError, match=message) as caught:
        read(content)
    assert caught.value.code == case.split()[0]
    assert caught.value.line == 1
    assert caught.value.path.endswith("a.jsonl")


def test_errors_name_the_right_line(read):
    with pytest.raises(InputError) as caught:
        read('{"hypothesis": "a"}\n\n{"hypothesis": "b"]\n')
    assert (caught.value.line, caught.value.column) == (3, len('{"hypothesis": "b"]'))


def test_truncated_gzip(read):
    lines = "".join(f'{{"hypothesis": "{i * i}"}}\n' for i in range(1000))
    with pytest.raises(InputError, match="truncated or damaged") as caught:
        read(gzip.compress(lines.encode())[:-100])
    assert 0 < caught.value.line < 1000


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(read_rows(tmp_path / "none.jsonl", format="jsonl"))
    with pytest.raises(InputError, match="directory"):
        list(read_rows(tmp_path, format="jsonl"))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
keys = st.sampled_from(
    "hypothesis references reference source system item id doc human judges systems".split()
)


@patient
@given(st.dictionaries(keys, values))
def test_any_object_is_read_or_refused(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    path.write_text(json.dumps(value))
    with contextlib.suppress(InputError):
        list(read_rows(path, format="jsonl"))


@patient
@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_strings_come_back(tmp_path_factory, text, escaped):
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    line = json.dumps({"hypothesis": text, "references": [text]}, ensure_ascii=escaped)
    path.write_text(line, encoding="utf-8")
    assert list(read_rows(path, format="jsonl")) == [Row(text, (text,))]


@pytest.mark.data
def test_wmt15_segments(shared):
    found = list(read_rows(shared / "mt" / "wmt15-daseg.jsonl.gz"))
    assert len(found) == 2000
    assert all(row.references and row.source and "da" in row.human for row in found)
    assert found[0].item == "cs-en:0"


def test_labels_of_another_kind_do_not_matter(read):
    line = '{"hypothesis": "a", "item": "i", "id": [1], "langs": {"from": "de"}}'
    assert read(line) == [Row("a", item="i")]


def test_pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"id": 1, "reference": "r", "better": "b", "worse": "w", "judge": "j"}\n')
    (pair,) = read_pairs(path)
    assert (pair.better.hypothesis, pair.worse.hypothesis, pair.judge) == ("b", "w", "j")
    assert pair.better.references == pair.worse.references == ("r",)
    assert pair.better.item is None  # the id is that of the pair
    assert has_pairs(path)
    path.write_text('{"hypothesis": "h", "better": true}')
    assert not has_pairs(path)
