import contextlib
import gzip
import io
import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.cli import main
from otherwords.corpus.formats import detect
from otherwords.corpus.problems import CODES, Finding
from otherwords.corpus.validation import validate
from otherwords.errors import InputError

DOCS = Path(__file__).parents[1] / "docs" / "validate.md"
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

Files = dict[str, str | bytes]


def row(**keys: object) -> str:
    return json.dumps({"hypothesis": "a", "references": ["b"], **keys}) + "\n"


def output(text: str) -> str:
    return row(hypothesis=text, references=["The hare runs very fast over the fields today."])


def sgml(kind: str, *segments: str, doc: str = "docid=d sysid=s") -> str:
    lines = "".join(f"<seg id={i}>{text}</seg>\n" for i, text in enumerate(segments, 1))
    return f"<{kind}>\n<doc {doc}>\n{lines}</doc>\n</{kind}>\n"


NUMBERED = [f"Fox {number} sleeps." for number in range(20)]
TEXT = "Foxes sleep.\nHares run.\n"

# Code -> the files given together, and the place (line, column) of the one finding.
CASES: dict[str, tuple[Files, int | None, int | None]] = {
    "E101": ({"a.txt": b"Foxes\ncaf\xe9s here\n"}, 2, 4),
    "E102": ({"a.txt.gz": gzip.compress(TEXT.encode())[:-3]}, 2, None),
    "E103": ({"a.txt": "Foxes\nsl\0eep\n"}, 2, 3),
    "E104": ({"a.txt": TEXT, "b.txt": TEXT + "More.\n"}, None, None),
    "E105": ({"a.txt": ""}, None, None),
    "E106": ({"a.txt": b"PK\x03\x04zipped"}, None, None),
    "E107": ({"a.txt": b"a" * (65 << 20)}, 1, None),
    "E108": ({"a.txt.gz": gzip.compress(b"a b\n" * (17 << 20))}, None, None),
    "E201": ({"a.jsonl": row() + '{"hypothesis" "a"}\n'}, 2, 15),
    "E202": ({"a.jsonl": "3\n"}, 1, None),
    "E203": ({"a.jsonl": '{"paraphrase": "a"}\n'}, 1, None),
    "E204": ({"a.jsonl": row(source=3)}, 1, None),
    "E205": ({"a.jsonl": row(human={"da": float("nan")})}, 1, None),
    "E206": ({"a.jsonl": row(source="\ud800")}, 1, None),
    "E207": ({"a.jsonl": row(original="c")}, 1, None),
    "E208": ({"a.jsonl": row(reference="c")}, 1, None),
    "E209": ({"a.jsonl": '{"mt": "a", "output": "b", "ref": "c"}\n'}, 1, None),
    "E210": ({"a.csv": "mt,ref\na,b\nc\n\nd,e\n"}, 3, None),
    "E211": ({"a.csv": 'mt,ref\na,b\n"c,d\ne,f\n'}, 3, None),
    "E212": ({"a.jsonl": "mt,ref\na,b\n"}, 1, None),
    "E213": ({"a.parquet": b"PAR1 and no more"}, None, None),
    "E215": ({"a.jsonl": '{"hypothesis": "a", "references": ["b"], "hypothesis": "c"}\n'}, 1, None),
    "E216": ({"a.tsv": 'mt\tref\n"x\ty\nz"\tw\n'}, 2, None),
    "E401": ({"a.xml": "<?xml version='1.0'?>\n<dataset></doc>"}, 2, 12),
    "E402": ({"a.sgm": "<refset>\n<seg id=1>a</seg></refset>"}, 2, None),
    "E403": ({"a.sgm": "<refset><doc docid=d>\n<seg>a</seg></doc></refset>"}, 2, None),
    "E404": ({"a.sgm": sgml("refset", "a", "b").replace("id=2", "id=1")}, 4, None),
    "E405": ({"a.sgm": sgml("refset", "a", "b").replace("a</seg>", "a")}, 3, None),
    "E406": ({"a.xml": "<?xml version='1.0'?><TEI/>"}, None, None),
    "E407": ({"a.sgm": sgml("refset", "a", "b"), "b.sgm": sgml("tstset", "c")}, None, None),
    "W501": ({"a.txt": "\ufeff" + TEXT}, 1, 1),
    "W502": ({"a.txt": TEXT.replace("\n", "\r\n")}, None, None),
    "W503": ({"a.txt": "Foxes \x07sleep.\n"}, 1, 7),
    "W504": ({"a.txt": "Foxes\n\nHares\n"}, 2, None),
    "W505": ({"a.txt": "Foxes\u2028sleep.\n"}, 1, 6),
    "W506": ({"a.txt": "Foxes &amp; hares.\n"}, 1, 7),
    "W507": ({"a.txt": "fox " * 500 + "fox\n"}, 1, None),
    "W508": ({"a.txt": "".join(f"{line}\n" for line in NUMBERED + NUMBERED[:6])}, None, None),
    "W509": ({"a.txt": "".join(f"{line[:-1]} .\n" for line in NUMBERED)}, 1, None),
    "W510": ({"a.txt": "Foxes sleep. \n"}, 1, 13),
    "W511": ({"a.txt": "Foxes\tsleep.\n"}, 1, 6),
    "W512": ({"a.jsonl": row(source="a")}, 1, None),
    "W513": ({"a.txt": "caf\ufffd\n"}, 1, 4),
    "W514": ({"a.txt": "café".encode().decode("latin-1") + "\n"}, 1, 4),
    "W515": ({"a.txt": TEXT, "b.txt": TEXT}, None, None),
    "W516": ({"a.txt": "cafe\u0301\n"}, 1, None),
    "W519": (
        {"a.jsonl": "".join(row(system=s, item=i) for s, i in ("s1", "s2", "t1"))},
        None,
        None,
    ),
    "W529": ({"a.jsonl": row(system="s", item="1") + row(system="s", item="1")}, 2, None),
    "W520": (
        {"a.jsonl": row(system="s", item="1") + row(system="t", item="1", references=["c"])},
        2,
        None,
    ),
    "W518": ({"a.jsonl": '{"hypothesis": "a"}\n'}, 1, None),
    "W521": ({"a.jsonl": output("---")}, 1, None),
    "W522": ({"a.jsonl": output("Le lièvre court vite dans les champs et la forêt.")}, 1, None),
    "W523": ({"a.jsonl": output("I cannot help with that.")}, 1, None),
    "W524": ({"a.jsonl": output("Here is the new text: A hare runs.")}, 1, None),
    "W525": ({"a.jsonl": output("A hare runs. Would you like me to change it?")}, 1, None),
    "W526": ({"a.jsonl": output("A {{animal}} runs fast.")}, 1, None),
    "W527": ({"a.jsonl": output("A hare runs, a hare runs, a hare runs.")}, 1, None),
    "W528": ({"a.jsonl": output("Over the fields a hare runs to the")}, 1, None),
}


def write(folder: Path, files: Files) -> list[str]:
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in files]


def test_every_code_has_a_case_and_a_line_in_the_manual():
    assert sorted(CASES) == sorted(CODES)
    manual = DOCS.read_text()
    for code, (severity, title) in CODES.items():
        assert f"| {code} | {title} |" in manual, code
        assert severity == {"E": "error", "W": "warning"}[code[0]]


@pytest.mark.parametrize("code", CASES)
def test_finds_it_and_nothing_else(tmp_path, code):
    files, line, column = CASES[code]
    paths = write(tmp_path, files)
    (finding,) = validate(paths)
    assert (finding.code, finding.severity) == (code, CODES[code].severity)
    assert (finding.line, finding.column) == (line, column)
    assert finding.path in paths


CLEAN: Files = {
    "a.txt": TEXT,
    "b.txt.gz": gzip.compress("Füchse schlafen.\nHasen laufen.\n".encode()),
    "c.jsonl": row(source="c", human={"da": 1}) + "\n" + row(source="d"),
    "c.json": "[" + row(source="c") + ",\n" + row(source="d") + "]",
    "c.csv": "mt,ref,human.da\na,b,1.5\nd,e,\n",
    "c.tsv": "mt\tref\na\tb\n",
    "e.sgm": sgml("refset", "a", "b") + sgml("srcset", "c", "d") + sgml("tstset", "e & f", "g"),
    "f.xml": b"<?xml version='1.0' encoding='latin-1'?><dataset><doc id='x'><src lang='fr'>"
    b"<seg id='1'>caf\xe9</seg></src></doc></dataset>",
}


def test_clean_files(tmp_path):
    assert list(validate(write(tmp_path, CLEAN))) == []


def test_goes_on_after_a_finding_of_each_kind(tmp_path):
    content = b'{"text": 1}\n\xff\n[1]\n' + row(hypothesis="").encode() + b"\n{\n"
    findings = list(validate(write(tmp_path, {"a.jsonl": content})))
    found = [(finding.line, finding.code) for finding in findings]
    assert found == [(2, "E101"), (6, "E201"), (3, "E202"), (1, "E203"), (4, "W504")]


def test_goes_on_in_sgml(tmp_path):
    content = sgml("tstset", "a", "b", "c", "d").replace("a</seg>", "a").replace(" id=3", "")
    findings = list(validate(write(tmp_path, {"a.sgm": content})))
    assert [(found.line, found.code) for found in findings] == [(5, "E403"), (3, "E405")]


@pytest.mark.parametrize("cap", [0, 1, 5, None])
def test_cap(tmp_path, cap):
    (path,) = write(tmp_path, {"a.txt": "\n" * 8 + " x\n"})
    findings = [found for found in validate([path], cap=cap) if found.code == "W504"]
    shown = [found for found in findings if found.line is not None]
    assert len(shown) == (8 if cap is None else cap)
    assert sum(found.count for found in findings) == 8
    if cap is not None:
        assert findings[-1].message == f"and {8 - cap} more: empty segment"


def test_line_counts_are_compared_only_among_text_files(tmp_path):
    files = {"a.txt": TEXT, "c.jsonl": row() * 3}
    assert list(validate(write(tmp_path, files))) == []


def test_tokenised_references_beside_raw_hypotheses(tmp_path):
    content = "".join(row(hypothesis=line, references=[line[:-1] + " ."]) for line in NUMBERED)
    (finding,) = validate(write(tmp_path, {"a.jsonl": content}))
    assert (finding.code, finding.message) == (
        "W509",
        "references: 20 of 20 segments look tokenised",
    )


def test_the_same_output_of_two_systems_is_no_duplicate(tmp_path):
    content = "".join(row(hypothesis=x, system=s) for x in NUMBERED for s in ("s1", "s2"))
    assert list(validate(write(tmp_path, {"a.jsonl": content}))) == []


def test_missing_file_and_directory_are_reported_at_once(tmp_path):
    (path,) = write(tmp_path, {"a.txt": ""})
    with pytest.raises(InputError, match="no such file"):
        validate([path, tmp_path / "none.txt"])
    with pytest.raises(InputError, match="directory"):
        validate([tmp_path])
    with pytest.raises(InputError, match="cannot be opened"):
        validate(["a\0b"])


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"hypothesis": 3}\n')))
    assert [found.code for found in validate(["-"])] == ["E204"]
    assert not sys.stdin.buffer.closed


@pytest.mark.parametrize(
    ("name", "head", "format"),
    [
        ("a.JSONL.gz", b"", "jsonl"),
        ("a.jsonl", b"<dataset>", "jsonl"),
        ("a", b'\xef\xbb\xbf{"id": 1, "hypothesis": "a"}', "jsonl"),
        ("a.txt", b"<refset>", "wmt"),
        ("a.txt", b"1\ttab", "text"),
        ("a", b"", "text"),
    ],
)
def test_detect(name, head, format):
    assert detect(name, head) == format


@pytest.fixture
def command(capsys):
    def run(paths: list[str], *options: str) -> tuple[int, str]:
        code = main(["validate", *options, *paths])
        return code, capsys.readouterr().out

    return run


def test_command_is_content_with_clean_files(tmp_path, command):
    assert command(write(tmp_path, CLEAN), "--strict") == (0, "nothing found in 8 files\n")


def test_command_prints_findings(tmp_path, command):
    paths = write(tmp_path, {"a.txt": "Foxes\n\n", "b.txt": "Füchse\n"})
    code, output = command(paths)
    assert code == 1
    assert output.splitlines() == [
        f"{paths[0]}:2: W504 the segment is empty",
        f"{paths[1]}: E104 the line count is 1, but that of {paths[0]} is 2",
        "",
        "1 error, 1 warning in 2 files",
    ]


def test_command_writes_tables(tmp_path, command):
    paths = write(tmp_path, {"a.txt": "Foxes\n\n"})
    assert command(paths, "-o", str(tmp_path / "found.csv")) == (0, "")
    head, line = (tmp_path / "found.csv").read_text().splitlines()
    assert head == "code,severity,path,line,column,message,count"
    assert line == f"W504,warning,{paths[0]},2,,the segment is empty,1"


def test_strict_counts_warnings(tmp_path, command):
    paths = write(tmp_path, {"a.txt": "Foxes\n\n"})
    assert command(paths)[0] == 0
    assert command(paths, "--strict")[0] == 1


def test_command_in_json(tmp_path, command):
    (path,) = write(tmp_path, {"a.txt": "\n" * 7})
    code, output = command([path], "--format", "json")
    result = json.loads(output)
    assert (code, result["errors"], result["warnings"]) == (0, 0, 7)
    assert Finding(**result["findings"][0]) == Finding(
        "W504", "warning", path, 1, None, "the segment is empty"
    )
    assert result["findings"][-1]["count"] == 4


def test_command_on_an_undecodable_name(tmp_path, command):
    path = str(tmp_path / "f\udcfc.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n")
    assert "f\\udcfc.txt:1: W504" in command([path])[1]


def test_missing_file_is_an_input_error(tmp_path, command, capsys):
    assert command([str(tmp_path / "none.txt")]) == (2, "")


names = st.sampled_from(["a.txt", "a.jsonl", "a.sgm", "a.xml", "a"])
corpora = st.sampled_from([c for files, *_ in CASES.values() for c in files.values()])


@patient
@given(names, corpora | st.binary(max_size=50), st.integers(0, 200), st.booleans())
def test_any_bytes_under_any_name(tmp_path_factory, name, content, cut, packed):
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    data = (gzip.compress(data) if packed else data)[: -cut or None]
    path = tmp_path_factory.mktemp("any") / name
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        for finding in validate([path, path]):
            assert finding.code in CODES


@pytest.mark.parametrize(
    "content",
    [
        b"<srcset><doc docid=1><seg id=1>a" + b" " * 200_000 + b"b</seg></doc></srcset>",
        b"<srcset><doc " + b"a" * 50_000 + b"><seg id=1>x</seg>",
        b"<srcset>" + b'<doc docid="x>' * 20_000,
    ],
    ids=["spaces", "attribute", "quotes"],
)
def test_odd_markup_comes_to_an_end(tmp_path, content):
    # A quadratic scanner would need hours for these.
    assert all(f.code in CODES for f in validate(write(tmp_path, {"a.sgm": content})))


def test_entities_do_not_explode(tmp_path):
    entities = "".join(f"<!ENTITY {b} '{f'&{a};' * 50}'>" for a, b in pairwise("abcdefgh"))
    content = (
        f"<?xml version='1.0'?><!DOCTYPE d [<!ENTITY a '{'x' * 1000}'>{entities}]>"
        "<dataset><doc id='d'><src><seg id='1'>&h;</seg></src></doc></dataset>"
    )
    assert "E401" in {found.code for found in validate(write(tmp_path, {"a.xml": content}))}


def test_rows_of_a_system_in_two_files(tmp_path):
    both = [row(system="s", item="1") + row(system="s", item="2"), row(system="s", item="2")]
    other = row(system="t", item="1")
    paths = [tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.jsonl")]
    for path, text in zip(paths, [*both, other], strict=True):
        path.write_text(text)
    twice, apart = validate(paths)
    assert str(twice) == (
        f"{paths[1]}:1: W529 's' has a second row for the segment '2'; "
        f"the first is in line 2 of {paths[0]}"
    )
    assert str(apart) == (
        f"{paths[2]}: W519 systems have different segments (s 2, t 1; 1 in common): "
        "t lacks 1, the first is '2'"
    )


def test_several_texts_without_a_system_for_one_item_are_fine(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(2 * row(item="1"))
    assert list(validate([path])) == []


def test_formats_for_readers_are_tables(ok, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("hyp.txt").write_text("one\n\nthree\n")
    assert "| hyp.txt:2 | W504 | the segment is empty |" in ok(
        "validate", "hyp.txt", "-f", "markdown"
    )
    assert r"hyp.txt:2 & W504 & the segment is empty \\" in ok("validate", "hyp.txt", "-f", "latex")
    assert "<td>W504</td>" in ok("validate", "hyp.txt", "-f", "html")
    assert ok("validate", "hyp.txt").startswith("hyp.txt:2: W504 the segment is empty\n\n")


def test_findings_of_validate_are_one_line(ok, tmp_path):
    """Systems may be called anything; so may the file."""
    path = tmp_path / "a\nb.csv"
    path.write_text('system,item,hypothesis\na,1,x\n"The\n-boat",2,y\n')
    found = ok("validate", path)
    assert "W519 systems have different segments (a 1, The\\n-boat 1;" in found
    assert not [line for line in found.splitlines() if line.startswith(("-boat", "b.csv"))]
