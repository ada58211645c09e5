"""A person with a paraphrase resource and one of the two papers on resources in hand.

ParaMetric from a text with Pharaoh links or from GIZA++'s output, PARADIGM from a file of PPDB.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from bench.parametric import FIGURE, FIRST

PAIRS = "".join(f"{FIRST}\t{text}\n" for text in FIGURE)
LINKS = "".join(f"{links}\n" for links in FIGURE.values())


def giza(first, second, links):
    """GIZA++'s three lines of a pair, the first sentence being the source."""
    linked = [tuple(map(int, link.split("-"))) for link in links.split()]
    places = [" ".join(str(j + 1) for i, j in linked if i == k) for k in range(len(first.split()))]
    words = zip(["NULL", *first.split()], ["", *places], strict=True)
    return [
        f"# Sentence pair (1) source length {len(places)} target length {len(second.split())} "
        "alignment score : 1e-20",
        second,
        " ".join(f"{word} ({{ {place} }})" for word, place in words),
    ]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def figure(folder):
    """Figure 1 of ParaMetric: one first sentence with three others, a group."""
    rows = [
        {
            "source": FIRST.split(),
            "target": text.split(),
            "sure": links.split(),
            "group": "1",
        }
        for text, links in FIGURE.items()
    ]
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("pairs.tsv").write_text(PAIRS)
    Path("pairs.bars").write_text(PAIRS.replace("\t", " ||| "))
    Path("one.txt").write_text(f"{FIRST}\n" * 3)
    Path("other.txt").write_text("".join(f"{text}\n" for text in FIGURE))
    Path("gold.links").write_text(LINKS)
    Path("from-1.links").write_text(
        "".join(
            " ".join(f"{int(i) + 1}-{int(j) + 1}" for i, j in (x.split("-") for x in line.split()))
            + "\n"
            for line in LINKS.splitlines()
        )
    )
    blocks = (giza(FIRST, *pair) for pair in FIGURE.items())
    Path("gold.A3.final").write_text("".join(f"{line}\n" for block in blocks for line in block))
    Path("mine.tsv").write_text("step down\tresign\t0.5\nand\twhile\t0.2\nwant\tneed\t0.1\n")
    return folder


@pytest.mark.parametrize(
    "gold",
    [
        ["gold.jsonl"],
        ["pairs.tsv", "--gold-links", "gold.links"],
        ["pairs.bars", "--gold-links", "gold.links"],
        ["one.txt,other.txt", "--gold-links", "gold.links"],
        ["pairs.tsv", "--gold-links", "from-1.links", "--gold-base", "1"],
        ["gold.A3.final"],
    ],
    ids=["jsonl", "tsv", "bars", "two files", "from 1", "giza"],
)
def test_parametric_from_pharaoh_links_and_from_giza(figure, ok, gold):
    """Two of three paraphrases are in Table 1 of the paper; the links are the gold ones."""
    systems = ("--alignments", "mine=gold.links", "--table", "mine=mine.tsv")
    document = json.loads(ok("parametric", "--gold", *gold, *systems, "-f", "json"))
    assert "3 sentence pairs in 1 groups" in document["notes"][0]
    scores = {one["metric"]: one["score"]["value"] for one in document["scores"]}
    assert (scores["align-precision"], scores["align-recall"], scores["aer"]) == (1, 1, 0)
    assert scores["lb-precision"] == 2 / 3
    lists = "mine: 2 of 3 proposed paraphrases are gold; the gold lists have "
    assert document["notes"][1].startswith(lists)  # as §7.3 counts them
    whole = json.loads(ok("parametric", "--gold", "gold.jsonl", *systems, "-f", "json"))
    assert document == whole
    tables = ok("meta", "paper", "parametric", "--gold", *gold, *systems)
    assert "Table 2: summary" in tables
    assert "0.667" in tables  # three decimals


def test_links_of_other_words_name_the_remedy(figure, refused, ok):
    """`align` cuts `US$` in two, but gold text has its words between blanks."""
    Path("gold.tsv").write_text("US$ 100 a day\tUS$ 100 a day\n")
    Path("gold.links").write_text("0-0 1-1 2-2 3-3\n")
    asked = ("parametric", "--gold", "gold.tsv", "--gold-links", "gold.links")
    ok("align", "gold.tsv", "-o", "mine.links")
    said = refused(*asked, "--alignments", "mine.links")
    assert "`tokenizer` none: those between blanks" in said
    ok("align", "gold.tsv", "--tokenizer", "none", "-o", "mine.links")
    assert "1.000" in ok(*asked, "--alignments", "mine.links")


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (["pairs.tsv"], "pairs.tsv: is text without links: name the file of its links too"),
        (["pairs.tsv", "--gold-links", "from-1.links"], "numbered from 0"),
        (["pairs.tsv", "--gold-links", "short.links"], "there are 2 lines here but 3 in pairs.tsv"),
        (["gold.jsonl", "--gold-links", "gold.links"], "not two columns"),
        (["short.A3"], "short.A3:5: no third line of a sentence pair in GIZA's A3 format"),
        (["past.A3"], "past.A3:3: a link points past the end of the 14 words"),
        (
            ["odd.tsv", "--gold-links", "gold.links"],
            "odd.tsv:1: control character; correct this line",
        ),
    ],
)
def test_gold_that_cannot_be_read(figure, refused, gold, message):
    Path("short.links").write_text("".join(LINKS.splitlines(keepends=True)[:2]))
    lines = Path("gold.A3.final").read_text().splitlines(keepends=True)
    Path("short.A3").write_text("".join(lines[:5]))
    Path("past.A3").write_text("".join([*lines[:2], lines[2].replace("({ 14 })", "({ 15 })")]))
    Path("odd.tsv").write_text(PAIRS.replace("some want", "some\x82 want", 1))
    assert message in refused("parametric", "--gold", *gold, "--table", "mine.tsv")


# Lines of ppdb-1.0-s-all, features cut; PPDB has no rule `said ||| said`.
PPDB = """\
[VBD] ||| said that ||| said ||| p(e|f)=0.5 p(f|e)=1.5 AGigaSim=0.9 ||| 0-0 1-0
[NN] ||| answer ||| reply ||| p(e|f)=1.0 p(f|e)=1.0 AGigaSim=0.8 ||| 0-0
[VB] ||| answer ||| reply ||| p(e|f)=1.2 p(f|e)=1.1 AGigaSim=0.7 ||| 0-0
[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1] ||| p(e|f)=2.0 p(f|e)=2.5 ||| 1-2 3-0
"""
GOLD = """\
[NN] ||| answer ||| reply ||| count=2
[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's [NN,1] ||| count=1
[JJ] ||| big ||| large ||| count=1
[NN] ||| answer ||| answer ||| count=9
"""


@pytest.fixture
def ppdb(folder):
    with gzip.open("ppdb-1.0-s-all.gz", "wt") as file:
        file.write(PPDB)
    Path("gold.txt").write_text(GOLD)
    Path("pairs.tsv").write_text(
        "he said he said that\the said he said\n"
        "we await your answer\twe await your reply\n"
        "we await it\twe wait for it\n"
    )
    return folder


def test_paradigm_from_a_file_of_ppdb(ppdb, ok):
    """Size, overlap, coverage and the paper's tables, in the order of its sections."""
    assert "4" in ok("grammar", "info", "ppdb-1.0-s-all.gz")
    out = ok("paradigm", "overlap", "--gold", "gold.txt", "ppdb=ppdb-1.0-s-all.gz", "-f", "json")
    lines = [
        one for one in json.loads(out)["overlap"] if (one["min_count"], one["type"]) == (1, "all")
    ]
    shares = {
        one["matching"]: [one[name] for name in ("grammar_rules", "gold_rules", "common")]
        for one in lines
    }
    # Without labels the two rules of `answer` are one (§5.3).
    assert shares == {"strict": [4, 3, 2], "non-strict": [3, 3, 2]}
    out = ok("paradigm", "coverage", "--pairs", "pairs.tsv", "ppdb=ppdb-1.0-s-all.gz", "-f", "json")
    assert json.loads(out)["coverage"][0]["score"]["value"] == 2 / 3
    small = ("grammar", "prune", "ppdb-1.0-s-all.gz", "--at-most", "p(e|f)=1.1", "-o", "small.gz")
    ok(*small)
    files = ("PPDB-v0.2-small=small.gz", "PPDB-v0.2-xl=ppdb-1.0-s-all.gz")
    options = ("--pairs", "pairs.tsv", "--sweep", "p(e|f)", "--points", "2")
    out = ok("meta", "paper", "paradigm", "--gold", "gold.txt", *files, *options)
    tables = ("Table 2", "Table 3", "Table 4", "Table 5", "Figure 4", "Table 6")
    assert [name for name in tables if f"\n{name}: " in f"\n{out}"] == list(tables)
    assert "15,831 (5.0%)" in out  # the paper's


def test_words_that_the_grammar_has_pass_through(ppdb, ok):
    """Issue 36: Joshua's OOV rules are for every word, so PPDB derives the first pair."""

    def derived(*options):
        argv = ("paradigm", "coverage", "--pairs", "pairs.tsv", "ppdb-1.0-s-all.gz", *options)
        return 3 * json.loads(ok(*argv, "-f", "json"))["coverage"][0]["score"]["value"]

    assert derived() == derived("--pass-through", "all") == 2
    assert derived("--pass-through", "unknown") == 1
    assert derived("--pass-through", "none") == 0


def test_rules_and_precision_are_of_the_same_rules(ppdb, ok):
    """Equal sides do not count: 3 of 4 rules of the file do, and 2 of these 3 are gold."""
    Path("mine.txt").write_text(
        "[NN] ||| answer ||| reply\n[JJ] ||| big ||| large\n"
        "[NN] ||| answer ||| answer\n[NN] ||| a ||| b\n"
    )
    out = ok("paradigm", "overlap", "--gold", "gold.txt", "mine.txt")
    line = next(line for line in out.splitlines() if "0.6667" in line)
    assert line.split()[:4] == ["mine", "3", "3", "0.6667"]
    assert "mine: 3 of 4 rules count; the others have equal sides or are there twice" in out


def test_a_joshua_grammar_without_names_of_features_is_pivoted(folder, ok, refused):
    """p(e|f) and p(f|e) are .5 each, so that p(e2|e1) = .5 * .5 (Ganitkevitch et al. 2011)."""
    half = 0.6931471805599453
    rules = [f"[X] ||| rot ||| {word} ||| 7 {half} {half}" for word in ("red", "scarlet")]
    Path("joshua.txt").write_text("".join(f"{rule}\n" for rule in rules))
    argv = ("grammar", "pivot", "joshua.txt", "--no-identity")
    assert "--features e_given_f=NAME,f_given_e=NAME" in refused(*argv)
    lines = ok(*argv, "--features", "e_given_f=1,f_given_e=2").splitlines()
    assert [line.split(" ||| ")[:3] for line in lines] == [
        ["[X]", "red", "scarlet"],
        ["[X]", "scarlet", "red"],
    ]
    cost = lines[0].split("e_given_f_phrase=")[1].split()[0]
    assert float(cost) == pytest.approx(2 * half)
    assert "there is no feature '9'" in refused(*argv, "--features", "e_given_f=9,f_given_e=2")
    assert "e_given_f" in refused(*argv, "--features", "e_given=1,f_given_e=2")
    assert "features are named" in refused(*argv, "--features", "1,2")


def test_table_7_has_the_figures_of_the_paper(ppdb, ok):
    Path("human.tsv").write_text("system\tmeaning\tgrammar\na\t1\t3\nb\t2\t2\nc\t3\t1\n")
    for number, name in enumerate("abc", 1):
        rules = [f"[NN] ||| w{place} ||| v" for place in range(number)]
        Path(f"{name}.txt").write_text("\n".join(["[NN] ||| answer ||| reply", *rules]) + "\n")
    files = [f"{name}={name}.txt" for name in "abc"]
    out = ok(
        "meta", "paper", "paradigm", "--gold", "gold.txt", *files, "--system-human", "human.tsv"
    )
    assert "Table 7: Spearman's rho" in out
    row = next(line for line in out.splitlines() if line.startswith("precision, strict >= 1"))
    # Precision 1/2, 1/3, 1/4: the opposite order of meaning. The paper has +.6 and +.1.
    numbers = row.removeprefix("precision, strict >= 1").split()
    assert (numbers[0], numbers[2], numbers[-2:]) == ("-1.00", "+1.00", ["+0.6", "+0.1"])


def test_a_gold_grammar_without_rules_is_refused(ppdb, ok, refused):
    """0 of 0 rules is no recall and no precision."""
    Path("empty.txt").write_text("")
    Path("same.txt").write_text("[NN] ||| answer ||| answer\n")
    for gold in ("empty.txt", "same.txt"):
        said = refused("paradigm", "overlap", "--gold", gold, "ppdb-1.0-s-all.gz")
        assert f"{gold}: no rule here counts: there are none, or all have equal sides" in said
    out = ok("paradigm", "overlap", "--gold", "gold.txt", "empty.txt")
    line = next(line for line in out.splitlines() if line.startswith("empty") and "n/a" in line)
    assert line.split()[:4] == ["empty", "0", "0", "n/a"]


def test_human_scores_as_a_json_object(ppdb, ok, refused):
    """The file that MAXSIM's and ParaEval's tables read is read here too."""
    for number, name in enumerate("abc", 1):
        rules = [f"[NN] ||| w{place} ||| v" for place in range(number)]
        Path(f"{name}.txt").write_text("\n".join(["[NN] ||| answer ||| reply", *rules]) + "\n")
    files = [f"{name}={name}.txt" for name in "abc"]
    asked = ("paradigm", "overlap", "--gold", "gold.txt", *files, "--system-human", "human.json")
    Path("human.json").write_text('{"a": 3, "b": 2, "c": 1}')
    assert "+1.00" in ok(*asked)
    Path("human.json").write_text('{"a": 3, "b": 2, "z": 1}')
    assert "human.json: the system 'z' is not one of: a, b, c" in refused(*asked)


def test_equal_sentences_do_not_test_a_grammar(ppdb, ok, refused):
    """Words pass through, so any grammar derives a pair of equal sentences."""
    asked = ("paradigm", "coverage", "--pairs", "pairs.tsv", "ppdb-1.0-s-all.gz")
    before = json.loads(ok(*asked, "-f", "json"))["coverage"]
    lines = Path("pairs.tsv").read_text()
    Path("pairs.tsv").write_text(f"We left\twe left\n{lines}")
    assert json.loads(ok(*asked, "-f", "json"))["coverage"] == before
    assert "pairs of equal sentences, left out: 1" in ok(*asked)
    Path("pairs.tsv").write_text("We left\twe left\n")
    assert "pairs.tsv: every pair has two equal sentences" in refused(*asked)
