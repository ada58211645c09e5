"""Cleaning of bitext: what is dropped, under which code, and what is an error."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.bitext.pairs import BITEXT_CODES, HARMLESS, LineReport, PairLimits, clean
from otherwords.errors import InputError, UsageError

GOOD = b"a house\tune maison\n"
CASES = {
    "E101": b"caf\xe9\tcaf\xc3\xa9 noir\n",
    "E103": b"a\0b\tc\n",
    "E601": b"one\ttwo\tthree\n",
    "W503": b"a bell \x07\tune cloche\n",
    "W504": b"something\t \xc2\xa0\n",
    "W601": b"a " * 151 + b"\t" + b"b " * 30 + b"\n",
    "W602": b"a b c d e f g h i j\ta\n",
    "W603": b"a  house \tune\xe3\x80\x80maison\r\n",
    "W604": b"Paris\tParis\n",
}


def cleaned(tmp_path, content, limits=None, name="bitext.tsv", **options):
    path = tmp_path / name
    path.write_bytes(content)
    report = LineReport()
    return list(clean([str(path)], limits, report=report, **options)), report


def test_every_code_has_a_case_and_a_line_in_the_manual():
    assert sorted(CASES) == sorted(set(BITEXT_CODES) - HARMLESS)
    manual = (Path(__file__).parents[1] / "docs" / "validate.md").read_text(encoding="utf-8")
    for code, (_, title) in BITEXT_CODES.items():
        assert f"| {code} | {title} |" in manual


@pytest.mark.parametrize("code", sorted(CASES))
def test_drops_it_and_nothing_else(tmp_path, code):
    pairs, report = cleaned(tmp_path, GOOD + CASES[code] + b"the end\tla fin\n")
    assert pairs == [("a house", "une maison"), ("the end", "la fin")]
    assert report.dropped == {code: 1}
    assert (report.read, report.kept) == (3, 2)
    (finding,) = (found for found in report.findings() if found.code == code)
    assert (finding.line, finding.count) == (2, 1)
    assert finding.severity == ("error" if code[0] == "E" else "warning")


def test_a_column_too_few(tmp_path):
    pairs, report = cleaned(tmp_path, b"only one\n" + GOOD + b"again one\n\n")
    assert len(pairs) == 1
    assert report.dropped == {"E601": 2, "W504": 1}


def test_first_lines_and_how_many_more(tmp_path):
    _, report = cleaned(tmp_path, GOOD + b"\tx\n" * 12)
    lines = [str(found).removeprefix(str(tmp_path)) for found in report.findings()]
    assert lines[0] == "/bitext.tsv:2: W504 empty segment"
    assert lines[-1] == "/bitext.tsv: W504 and 7 more: empty segment"
    assert len(lines) == 6


def test_bom_and_crlf_are_noted_and_do_no_harm(tmp_path):
    content = b"\xef\xbb\xbfa house\tune maison\r\nthe end\tla fin\r\n"
    pairs, report = cleaned(tmp_path, content)
    assert pairs == [("a house", "une maison"), ("the end", "la fin")]
    assert report.dropped == {}
    assert dict(report.counts) == {"W501": 1, "W502": 1}


def test_forms(tmp_path):
    expected = [("a house", "une maison"), ("the end", "la fin")]
    tsv = b"a house\tune maison\nthe end\tla fin"
    assert cleaned(tmp_path, tsv)[0] == expected
    assert cleaned(tmp_path, tsv.replace(b"\t", b" ||| "))[0] == expected
    assert cleaned(tmp_path, gzip.compress(tsv), name="x")[0] == expected
    assert cleaned(tmp_path, b"a|||b\tc\n")[0] == [("a|||b", "c")]
    left, right = tmp_path / "left", tmp_path / "right"
    left.write_bytes(b"a house\nthe end\n")
    right.write_bytes(gzip.compress(b"une maison\nla fin\n"))
    assert list(clean([(str(left), str(right))])) == expected
    report = LineReport()
    assert list(clean([(str(left), str(right)), str(tmp_path / "x")], report=report)) == expected
    assert report.dropped == {"W603": 2}


def test_limits(tmp_path):
    content = b"a\ta\na\ta\na b c d\te\n"
    assert cleaned(tmp_path, content)[0] == [("a b c d", "e")]
    keep = PairLimits(keep_duplicates=True, keep_identical=True, ratio=3)
    assert cleaned(tmp_path, content, keep)[0] == [("a", "a"), ("a", "a")]
    assert cleaned(tmp_path, content, PairLimits(longest=3))[1].dropped == {"W601": 1, "W604": 2}
    for options in ({"longest": 0}, {"ratio": 0.5}, {"ratio": float("nan")}):
        with pytest.raises(UsageError):
            PairLimits(**options)


def test_characters_of_scripts_without_spaces_are_words(tmp_path):
    # 12 words and 12 characters: by spaces alone the ratio would be 12.
    content = "one two three four five six seven eight nine ten eleven twelve\t"
    content += "一二三四五六七八九十百千\n"
    assert len(cleaned(tmp_path, content.encode())[0]) == 1
    assert len(cleaned(tmp_path, content.encode(), PairLimits(longest=11))[0]) == 0


def test_errors(tmp_path):
    left, right = tmp_path / "left", tmp_path / "right"
    left.write_text("a\nb\nc\n")
    right.write_text("x y\nz\n")
    with pytest.raises(InputError, match=rf"{right}:3: the file ends before line 3, which {left}"):
        list(clean([(str(left), str(right))]))
    with pytest.raises(InputError, match="no such file"):
        list(clean([str(tmp_path / "none")]))
    left.write_bytes(gzip.compress(GOOD * 1000)[:-9])
    with pytest.raises(InputError, match="truncated or damaged"):
        list(clean([str(left)]))


@given(st.lists(st.sampled_from([GOOD, *CASES.values()]) | st.binary(max_size=12), max_size=20))
@settings(max_examples=80, deadline=None)
def test_every_line_is_accounted_for(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("clean") / "x"
    content = b"".join(line.rstrip(b"\n") + b"\n" for line in lines)
    path.write_bytes(b"# TSV\t#\n" + content)
    report = LineReport()
    for left, right in clean([str(path)], report=report):
        assert left == " ".join(left.split())
        assert right.strip()
        assert not {"\0", "\n", "\t"} & set(left + right)
    assert report.read == content.count(b"\n") + 1
    assert report.kept + sum(report.dropped.values()) == report.read


@pytest.mark.data
def test_real_bitext(shared):
    report = LineReport()
    pairs = clean([str(shared / "bitext" / "tatoeba-cmn.tsv.gz")], report=report)
    assert sum(1 for _ in pairs) > 0.99 * report.read
