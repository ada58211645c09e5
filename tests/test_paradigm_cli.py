"""`otherwords paradigm` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherwords.study.paradigm import paradigm_coverage, paradigm_overlap

# The gold has a rule seen twice, two that differ in their labels only, and three seen once.
GOLD = """\
[NP] ||| [N,1] 's [N,2] ||| the [N,2] of [N,1] ||| count=2
[NN] ||| answer ||| reply ||| count=1
[VB] ||| answer ||| reply ||| count=1
[VP] ||| step down ||| resign ||| count=1
[DT] ||| some ||| some people ||| count=1
"""
SYNTAX = """\
[NN] ||| answer ||| reply ||| p=0.5
[VB] ||| answer ||| reply ||| p=1
[VP] ||| step down ||| resign ||| p=2
[VP] ||| step down ||| quit ||| p=3
"""
HIERO = """\
[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1] ||| p=0.1
[X] ||| answer ||| reply ||| p=0.2
"""
PAIRS = [
    ("1", "they step down", "they resign"),
    ("1", "they step down", "they quit"),
    ("2", "the king 's answer", "the reply of king"),
    ("3", "nothing here", "something else"),
]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"gold.txt": GOLD, "syntax.txt": SYNTAX, "hiero.txt": HIERO}.items():
        (tmp_path / name).write_text(text)
    rows = [
        {"source": s.split(), "target": t.split(), "sure": ["0-0"], "group": group}
        for group, s, t in PAIRS
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "human.tsv").write_text("syntax\t1\nhiero\t2\ngold\t3\n")
    return tmp_path


OVERLAP = ("paradigm", "overlap", "--gold", "gold.txt", "syntax.txt", "hiero.txt")
COVERAGE = ("paradigm", "coverage", "--pairs", "pairs.jsonl", "syntax.txt", "hiero.txt")


def overlap_of(out, grammar, matching, least, kind="all"):
    (part,) = (
        one
        for one in json.loads(out)["overlap"]
        if (one["grammar"], one["matching"], one["min_count"], one["type"])
        == (grammar, matching, least, kind)
    )
    return tuple(part[name] for name in ("grammar_rules", "gold_rules", "common"))


def coverage_of(out, grammar):
    return {
        one["metric"]: one["score"]["value"]
        for one in json.loads(out)["coverage"]
        if one["grammar"] == grammar
    }


def test_overlap_by_hand(ok):
    out = ok(*OVERLAP, "-f", "json")
    # Strictly two labels of one rule are two rules; else they are one, in both grammars.
    assert overlap_of(out, "syntax", "strict", 1) == (4, 5, 3)
    assert overlap_of(out, "syntax", "non-strict", 1) == (3, 4, 2)
    assert overlap_of(out, "hiero", "strict", 1) == (2, 5, 0)
    assert overlap_of(out, "hiero", "non-strict", 1) == (2, 4, 2)
    assert overlap_of(out, "hiero", "non-strict", 2) == (2, 1, 1)
    assert overlap_of(out, "syntax", "strict", 1, "lexical") == (2, 3, 2)
    assert overlap_of(out, "syntax", "strict", 1, "phrasal") == (2, 1, 1)
    assert overlap_of(out, "hiero", "non-strict", 1, "syntactic") == (1, 1, 1)
    stricter = ok(*OVERLAP, "--lexical", "both", "-f", "json")
    assert overlap_of(stricter, "syntax", "strict", 1, "lexical") == (2, 2, 2)


def test_defaults_are_those_of_the_paper(ok, files):
    same = files / "same.txt"
    same.write_text(SYNTAX + "[NN] ||| answer ||| answer ||| p=1\n")
    out = ok(*OVERLAP, "same.txt", "-f", "json")
    assert overlap_of(out, "same", "strict", 1) == (4, 5, 3)
    assert overlap_of(out, "hiero", "non-strict", 2) == (2, 1, 1)


def test_folds_are_the_grammars_of_the_paper(ok, refused):
    pairs = ("paradigm", "coverage", "--pairs", "pairs.jsonl", "--folds", "2")
    lines = json.loads(ok(*pairs, "-f", "json"))["coverage"]
    assert list(dict.fromkeys(one["grammar"] for one in lines)) == ["hiero", "syntax"]
    assert "|folds:2|links:possible" in lines[0]["signature"]
    assert "|folds:2|links:sure" in ok(*pairs, "--sure-only", "--signatures")
    assert "cannot be split into 10" in refused(*pairs[:4])


def test_rules_with_equal_sides_can_be_left_out(ok):
    for name in ("gold.txt", "hiero.txt"):
        with Path(name).open("a") as file:
            file.write("[X] ||| the [X,1] ||| the [X,1] ||| count=3 p=1\n")
    kept, left = (ok(*OVERLAP, *more, "-f", "json") for more in (("--identity",), ()))
    assert overlap_of(kept, "hiero", "strict", 2) == (3, 2, 1)
    assert overlap_of(left, "hiero", "strict", 2) == (2, 1, 0)
    assert "identity:no" in json.loads(left)["notes"][-1]


def test_overlap_as_text(ok):
    out = ok(*OVERLAP, "--by-type")
    lines = [line.split() for line in out.splitlines()]
    assert "grammar  strict >= 1  strict >= 2  non-strict >= 1  non-strict >= 2" in out
    assert ["(gold)", "5", "1", "4", "1"] in lines
    assert "syntax 3 (60.0%) 0 (0.0%) 2 (50.0%) 0 (0.0%)".split() in lines
    assert "syntax 4 3 0.7500 0.0000 0.6667 0.0000".split() in lines
    assert "by type, strict >= 1\ngrammar  syntactic     phrasal    lexical" in out
    assert "syntax    0 (0.0%)  1 (100.0%)  2 (66.7%)" in out


def test_a_sweep_grows_to_the_whole(ok):
    """Figure 4: rules, precision and recall at each step; three of five gold rules are there."""
    asked = ("meta", "paper", "paradigm", "--gold", "gold.txt", "syntax.txt", "--sweep", "p")

    def points(*options):
        figure = json.loads(ok(*asked, "--points", "4", *options, "-f", "json"))["figure-4"]
        return [
            (one["rules"], one["precision"]["value"], one["recall"]["value"])
            for one in figure
            if one["grammar"] == "syntax"
        ]

    assert points() == [(1, 1.0, 0.2), (2, 1.0, 0.4), (3, 1.0, 0.6), (4, 0.75, 0.6)]
    assert points("--above")[0] == (1, 0.0, 0.0)


def test_coverage_by_hand(ok):
    out = ok(*COVERAGE, "-f", "json")
    assert "4 pairs in 3 groups" in json.loads(out)["notes"][0]
    # "resign" and "quit" by syntax; "'s" by Hiero, where "the" is left over at the front.
    assert coverage_of(out, "syntax") == {"all": 2 / 4, "any": 1 / 3, "length": 2.5}
    assert coverage_of(out, "hiero") == {"all": 0, "any": 0, "length": None}
    bare = ok(*COVERAGE, "--pass-through", "none", "-f", "json")
    assert coverage_of(bare, "syntax")["all"] == 0


def test_goals_and_limits(ok):
    argv = (*COVERAGE, "--no-glue", "--goal", "VP", "-f", "json")
    assert coverage_of(ok(*argv), "syntax")["all"] == 0
    out = ok(*COVERAGE, "--max-steps", "1")
    assert "steps" in out
    assert "reached a limit" in out


def test_intervals_and_text(ok):
    out = ok(*COVERAGE, "--ci", "--resamples", "50", "--signatures")
    assert "grammar rules % (all) % (any) length" in " ".join(out.split())
    assert "50 ± " in out
    assert "4 pairs in 3 groups, 2.8 words per sentence" in out
    assert "half the 95 % bootstrap interval over groups" in out
    assert "paradigm-coverage|v:1|case:folded|tok:auto|goal:glue|pass-through:all" in out


@pytest.mark.parametrize("form", ["jsonl", "tsv", "latex"])
@pytest.mark.parametrize("argv", [OVERLAP, COVERAGE])
def test_every_format(ok, argv, form):
    assert ok(*argv, "-f", form, "-o", "out.txt") == ""
    out = Path("out.txt").read_text()
    assert "syntax" in out
    assert "hiero" in out
    if form == "jsonl":
        assert all(json.loads(line)["signature"] for line in out.splitlines())
    if form == "tsv":
        widths = {line.count("\t") for line in out.splitlines()}
        assert len(widths) == 1


def test_folds_beside_grammars(ok):
    argv = (*COVERAGE[:4], "--folds", "3", "--kind", "hiero", "--kind", "samt")
    lines = json.loads(ok(*argv, "given=syntax.txt", "-f", "json"))["coverage"]
    assert list(dict.fromkeys(one["grammar"] for one in lines)) == ["hiero", "samt", "given"]
    assert "folds:3" in lines[0]["signature"]


def test_signatures_tell_options(ok):
    assert "|folds:3|links:possible" in ok(*COVERAGE[:4], "--folds", "3", "--signatures")
    Path("gold.txt").write_text(GOLD.replace("count=", "seen="))
    assert "|count:seen" in ok(*OVERLAP, "--count-feature", "seen", "--signatures")
    Path("texts.jsonl").write_text(json.dumps({"texts": {"a": "one", "b": "two", "c": "three"}}))
    texts = ("paradigm", "coverage", "--pairs", "texts.jsonl", "syntax.txt")
    assert "|texts:a,b" in ok(*texts, "--texts", "a,b", "--signatures")


def test_derivations_of_all_grammars(ok):
    ok(*COVERAGE, "--derivations", "d.jsonl")
    records = [json.loads(line) for line in Path("d.jsonl").read_text().splitlines()]
    assert [(one["grammar"], one["group"]) for one in records] == [("syntax", "1")] * 2
    spans = [(node["source_text"], node["target_text"]) for node in records[0]["derivation"]]
    assert spans == [("they", "they"), ("step down", "resign")]
    assert records[0]["derivation"][1]["rule"].startswith("[VP] ||| step down ||| resign")


def test_work_that_is_kept(ok):
    first = ok(*COVERAGE, "--resume", "kept", "--derivations", "d.jsonl")
    derived = Path("d.jsonl").read_bytes()
    folders = sorted(path.name for path in Path("kept").glob("coverage-*"))
    assert len(folders) == 2
    times = [path.stat().st_mtime_ns for path in sorted(Path("kept").glob("coverage-*"))]
    again = ok(*COVERAGE, "--resume", "kept", "--derivations", "d.jsonl", "--threads", "2")
    assert (again, Path("d.jsonl").read_bytes()) == (first, derived)
    # Damaged work is done again.
    found = Path("kept") / folders[0] / "found.json"
    found.write_text("{}")
    assert ok(*COVERAGE, "--resume", "kept", "--derivations", "d.jsonl") == first
    after = [path.stat().st_mtime_ns for path in sorted(Path("kept").glob("coverage-*"))]
    assert sum(one != other for one, other in zip(times, after, strict=True)) == 1


def test_human_scores(ok):
    out = ok(*OVERLAP, "gold.txt", "--system-human", "human.tsv", "-f", "json")
    human = {one["score"]: one["spearman"] for one in json.loads(out)["human"]}
    # Recall .6, 0, 1 with people's 1, 2, 3: ranks 2, 1, 3 against 1, 2, 3, rho .5.
    # In every order of three systems rho is at least .5 from 0: p is 1.
    rho = human["recall, strict >= 1"]
    assert (rho["value"], rho["size"]) == (0.5, 3)
    assert rho["comparison"] == {"p": 1.0, "test": "permutation"}
    assert human["precision, strict >= 1"]["value"] == 0.5
    shown = ok(*OVERLAP, "gold.txt", "--system-human", "human.tsv")
    assert "Spearman's rho with human scores" in shown
    assert "+0.50" in shown
    made = {"source": "a b c d e", "hypothesis": "a b c d e", "references": ["a b c d e"]}
    Path("made.jsonl").write_text(json.dumps(made))
    argv = ("gold.txt", "--system-human", "human.tsv", "--paraphrases", "hiero=made.jsonl")
    table = ok(*COVERAGE, *argv)
    assert "bleu  precis  pinc" in table
    assert "100.00  100.00  0.00" in table


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (OVERLAP[:4], "Missing argument"),
        (("paradigm", "overlap", "syntax.txt"), "--gold"),
        ((*OVERLAP, "none.txt"), "none.txt: there is no such file"),
        ((*OVERLAP, "syntax.txt"), "two files are given"),
        ((*OVERLAP, "-"), "give files"),
        ((*OVERLAP[:3], "-", "syntax.txt"), "give files"),
        (("meta", "paper", *OVERLAP[:1], *OVERLAP[2:], "--sweep", "q"), "there is no feature 'q'"),
        (("meta", "paper", *OVERLAP[:1], *OVERLAP[2:], "--above"), "--above does nothing without"),
        ((*OVERLAP, "--count-feature", "n"), "otherwords: gold.txt: rule counts are"),
        ((*COVERAGE, "--sure-only"), "--sure-only does nothing without --folds"),
        ((*COVERAGE, "--goal", "VP"), "--goal does nothing without --no-glue"),
        ((*COVERAGE, "--seed", "3"), "--seed does nothing without --ci"),
        ((*COVERAGE, "--tokenizer", "penn"), "a tokenizer does nothing"),
        ((*OVERLAP, "--system-human", "none.tsv"), "there is no such file"),
        ((*OVERLAP, "--system-human", "gold.txt"), "gold.txt"),
        ((*OVERLAP, "-o", "syntax.txt"), "both read and written"),
        ((*COVERAGE, "--resume", "gold.txt"), "gold.txt"),
        ((*OVERLAP, "--temporary", "nowhere"), "no temporary directory"),
        ((*COVERAGE, "--temporary", "nowhere"), "no temporary directory"),
        (COVERAGE[:4], "cannot be split into 10 folds"),
        ((*COVERAGE, "--kind", "samt"), "--kind does nothing without --folds"),
        ((*COVERAGE[:4], "--folds", "9"), "cannot be split into 9 folds"),
        ((*COVERAGE[:4], "hiero=syntax.txt", "--folds", "2"), "give the file another name"),
        ((*COVERAGE, "--paraphrases", "samt=x.jsonl"), "there is no grammar 'samt'"),
        ((*COVERAGE, "--texts", "KJV"), "no texts to choose from"),
        ((*COVERAGE, "--tokenizer", "odd"), "unknown tokenizer"),
        ((*COVERAGE, "--derivations", "pairs.jsonl"), "both read and written"),
        ((*COVERAGE, "--ci", "--confidence", "2"), "confidence must be"),
        (("paradigm", "coverage", "--pairs", "-", "syntax.txt"), "give a file"),
        (("paradigm", "coverage", "--pairs", "gold.txt", "syntax.txt"), "gold.txt:1"),
        (("paradigm", "coverage", "--pairs", "pairs.jsonl", "pairs.jsonl"), "pairs.jsonl:1"),
    ],
)
def test_what_is_refused(refused, argv, message):
    assert message in refused(*argv)
    assert not Path("d.jsonl").exists()


def test_the_functions_give_what_the_commands_print(ok):
    files = {"syntax": "syntax.txt", "hiero": "hiero.txt"}
    overlap = paradigm_overlap("gold.txt", files)
    assert "\n".join(overlap.render("csv")) + "\n" == ok(*OVERLAP, "-f", "csv")
    coverage = paradigm_coverage("pairs.jsonl", files)
    assert "\n".join(coverage.render("jsonl")) + "\n" == ok(*COVERAGE, "-f", "jsonl")
    assert coverage.grammars[0].scores["all"].value == 2 / 4
    assert ok(*COVERAGE, "-o", "out.md") == ""
    assert "| grammar | rules |" in Path("out.md").read_text()


def test_human_scores_are_a_table_of_their_own(ok):
    argv = (*COVERAGE, "gold.txt", "--system-human", "human.tsv")
    rows = [json.loads(line) for line in ok(*argv, "-f", "jsonl").splitlines()]
    found = {row["score"]: row["spearman"]["value"] for row in rows if row["table"] == "human"}
    # all .5, 0, .25 and any 1/3, 0, 1/3 with 1, 2, 3; length is known of two alone.
    assert found == {"all": -0.5, "any": 0.0, "length": None}
