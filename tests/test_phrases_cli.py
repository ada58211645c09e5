"""`otherwords extract phrases` and `otherwords pivot` on files, good and bad."""

from __future__ import annotations

import gzip

import pyarrow.parquet as pq
import pytest

TSV = "the house\tla maison\nhouse\tmaison\nthe home\tla maison\n"
LINKS = "0-0 1-1\n0-0\n0-0 1-1\n"


@pytest.fixture
def files(tmp_path):
    bitext, links = tmp_path / "b.tsv", tmp_path / "a.txt"
    bitext.write_text(TSV)
    links.write_text(LINKS)
    return ["--bitext", str(bitext), "--alignment", str(links)]


def test_a_table(ok, files, tmp_path):
    printed = ok("extract", "phrases", *files)
    assert "house ||| maison ||| 0.6666666666666666 0.6666666666666666 1 1 ||| 0-0 ||| 3 2 2" in (
        printed.splitlines()
    )
    packed, parquet = tmp_path / "t.gz", tmp_path / "t.parquet"
    ok("extract", "phrases", *files, "-o", packed, "--threads", "2")
    assert gzip.decompress(packed.read_bytes()).decode() == printed
    ok("extract", "phrases", *files, "-o", parquet)
    assert pq.read_table(parquet).num_rows == len(printed.splitlines())
    short = ok("extract", "phrases", *files, "--max-length", "1")
    assert all(" ||| " in line and "the house" not in line for line in short.splitlines())


def test_other_forms_of_the_same_bitext(ok, files, tmp_path):
    expected = ok("extract", "phrases", *files)
    path = tmp_path / "b.tsv"
    for content in (
        TSV.replace("\t", " ||| ").encode(),
        gzip.compress(TSV.encode()),
        TSV.replace("house", "House").encode(),
    ):
        path.write_bytes(content)
        assert ok("extract", "phrases", *files) == expected
    path.write_text("The house.\tLa maison.\n")
    (tmp_path / "a.txt").write_text("2-2")
    assert ". ||| . |||" in ok("extract", "phrases", *files, "--tokenizer", "penn")


def test_lines_that_are_off_are_reported_and_stay_in_step(ok, run, files, tmp_path):
    expected = ok("extract", "phrases", *files)
    odd = "\n\tx\na b\na\tb\tc\n"
    (tmp_path / "b.tsv").write_bytes(b"\xef\xbb\xbf" + (TSV + odd).replace("\n", "\r\n").encode())
    (tmp_path / "a.txt").write_text(LINKS + "\n" * 4)
    code, out, err = run("extract", "phrases", *files)
    assert (code, out) == (0, expected)
    codes = [line.split()[1] for line in err.splitlines()]
    assert codes == ["E601", "E601", "W501", "W502", "W504", "W504"]


def test_a_damaged_line_is_named_and_its_links_are_skipped(ok, run, files, tmp_path):
    """U+0082 in one line, as in mtref-dev."""
    expected = ok("extract", "phrases", *files)
    (tmp_path / "b.tsv").write_text(TSV + "a\x82 b\tc\nno columns\n")
    (tmp_path / "a.txt").write_text(LINKS + "0-0 1-0\n0-0\n")
    code, out, err = run("extract", "phrases", *files)
    assert (code, out) == (0, expected)
    assert [line.split()[:2] for line in err.splitlines()] == [
        [f"{tmp_path / 'b.tsv'}:5:", "E601"],
        [f"{tmp_path / 'b.tsv'}:4:", "W503"],
    ]


@pytest.mark.parametrize(
    ("bitext", "links", "message"),
    [
        (TSV, "0-0 1-1\n0-0\n", "a.txt:3: there are 2 lines here but 3 in"),
        (TSV, LINKS + "0-0\n", "a.txt:4: there are more lines here than the 3 of"),
        (TSV, "0-0 1-2\n0-0\n\n", "a.txt:1: link 1-2 points past the end: 2 words left, 2"),
        ("\n" + TSV, "0-0\n\n\n", "a.txt:1: has links, but this line of the bitext is empty"),
        ("\n\n\n", "\n\n\n", "no line holds a sentence pair"),
        ("", "", "no line holds a sentence pair"),
        (TSV, "\n\n0:0\n", "a.txt:3: '0:0' is not a link"),
        (TSV, "\n\n0--1\n", "a.txt:3: '0--1' is not a link"),
        (TSV, "\n\n²-1\n\n", "a.txt:3: '²-1' is not a link"),
        (TSV, "\n\n0-0\0\n\n", "a.txt:3:4: NUL byte"),
    ],
)
def test_bad_files(refused, files, tmp_path, bitext, links, message):
    (tmp_path / "b.tsv").write_text(bitext)
    (tmp_path / "a.txt").write_text(links)
    output = tmp_path / "out"
    assert message in refused("extract", "phrases", *files, "-o", output)
    assert not output.exists()


def test_bad_requests(refused, run, files, tmp_path):
    assert "give its name with --output" in refused("extract", "phrases", *files, "-f", "parquet")
    assert "only once" in refused("extract", "phrases", "--bitext", "-", "--alignment", "-")
    assert "unknown tokenizer" in refused("extract", "phrases", *files, "--tokenizer", "moses")
    for argv in (["extract"], ["extract", "phrases", *files, "--max-length", "8"], ["pivot"]):
        code, out, err = run(*argv)
        assert (code, out) == (2, "")
        assert "Traceback" not in err
    assert "give its name" in refused("pivot", "x", "-f", "parquet")
    assert "no such file" in refused("pivot", "x")
    missing = tmp_path / "none"
    assert "no such file" in refused("pivot", missing, "-o", tmp_path / "out")
    assert "there is no directory" in refused("extract", "phrases", *files, "-o", missing / "x")
    bitext = files[1]
    assert "both read and written" in refused("extract", "phrases", *files, "-o", bitext)


def test_pivoting(ok, refused, files, tmp_path):
    moses, parquet, out = tmp_path / "t.txt.gz", tmp_path / "t.parquet", tmp_path / "p.parquet"
    ok("extract", "phrases", *files, "-o", moses)
    ok("extract", "phrases", *files, "-f", "parquet", "-o", parquet)
    printed = ok("pivot", parquet, "-f", "tsv")
    assert printed.splitlines() == [
        "phrase\tparaphrase\tprobability\tpivots\tlanguages",
        f"home\thouse\t{2 / 3}\t1\t1",
        f"house\thome\t{1 / 3}\t1\t1",
        "the home\tthe house\t0.5\t1\t1",
        "the house\tthe home\t0.5\t1\t1",
    ]
    assert ok("pivot", moses, "-f", "tsv") == printed
    assert ok("pivot", f"fr={moses}", f"fr={parquet}", "-f", "tsv") == printed
    two = ok("pivot", f"fr={moses}", f"de={parquet}", "-f", "tsv")
    assert two.splitlines()[3] == "the home\tthe house\t0.5\t2\t2"
    assert "the\tthe\t1.0" in ok("pivot", parquet, "-f", "tsv", "--identity")
    assert len(ok("pivot", parquet, "-f", "tsv", "--min-probability", ".6").splitlines()) == 2
    sets = ok("pivot", f"fr={parquet}", "--sets", "-f", "tsv").splitlines()
    assert sets[1] == "fr\tla maison\tthe home\t0.5\t1"
    odd = tmp_path / "odd [1] 'name'*.parquet"
    odd.write_bytes(parquet.read_bytes())
    assert ok("pivot", odd, "-f", "tsv") == printed
    ok("pivot", parquet, "-o", out)
    assert pq.read_table(out).num_rows == 4
    assert ok("pivot", parquet, "--top", "1", "--max-length", "1", "--min-count", "2",
              "-f", "tsv").count("\n") == 1  # fmt: skip
    for options, message in [
        (["--sets", "--identity"], "sets of paraphrases have no"),
    ]:
        assert message in refused("pivot", parquet, "-f", "tsv", *options)
    bad = tmp_path / "bad.txt"
    bad.write_text("a ||| b ||| 1 1 1 1\nnonsense\n")
    assert f"{bad}:2: 1 fields" in refused("pivot", bad, "-o", tmp_path / "q")
    assert not (tmp_path / "q").exists()


def test_the_help_needs_no_tables():
    import subprocess
    import sys

    code = (
        "import sys\nfrom otherwords.cli import main\nmain(['extract', 'phrases', '--help'])\n"
        "assert not {'duckdb', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
