"""PARADIGM's coverage and overlap against naive loops and grammars made by hand."""

from __future__ import annotations

import gzip
import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from otherwords.build.engine import DuckEngine
from otherwords.build.grammar import SyncParser, read_grammar, sweep
from otherwords.build.grammar.shared_rules import size_thresholds
from otherwords.build.grammar.sync_parser import Parse, Verdict
from otherwords.errors import InputError, UsageError
from otherwords.study.agreement.system_correlation import (
    correlations,
    paraphrase_scores,
    read_human,
)
from otherwords.study.paradigm.coverage import (
    coverage,
    coverage_estimates,
)
from otherwords.study.paradigm.pairs import (
    PairGroup,
    PairsFile,
    SentencePair,
    as_bitext,
    links_of,
    own_grammar,
    pairs_of,
    read_pair_groups,
    source_trees,
    split_groups,
)
from otherwords.study.paradigm.stages import (
    CoverageWork,
    Parsing,
    Resources,
    derivation_records,
    parse_pairs,
)
from otherwords.study.parametric.estimates import GroupResampling
from tests.oracles import sync as oracle
from tests.test_sync_parser import random_rule

LONGEST = 3
SENTENCES = st.lists(st.sampled_from("ab"), min_size=1, max_size=LONGEST).map(tuple)


def pair(source, target, links=None):
    return SentencePair(tuple(source.split()), tuple(target.split()), tuple(source.split()), links)


@st.composite
def random_groups(draw):
    """Groups of equivalent sentences: every two of them are a pair."""
    several = draw(st.lists(st.lists(SENTENCES, min_size=2, max_size=4), min_size=1, max_size=5))
    return [
        PairGroup(
            str(number),
            tuple(SentencePair(one, other, one) for one, other in combinations(group, 2)),
        )
        for number, group in enumerate(several)
    ]


@settings(max_examples=60)
@given(st.lists(random_rule(), max_size=6), random_groups())
def test_all_and_any_are_those_of_a_naive_loop(rules, groups):
    language = oracle.glued(oracle.language(rules, LONGEST), LONGEST)
    derived = [[(p.source, p.target) in language for p in g.pairs] for g in groups]
    lengths = [
        len(side)
        for p in pairs_of(groups)
        if (p.source, p.target) in language
        for side in (p.source, p.target)
    ]
    every = [one for group in derived for one in group]
    parses = parse_pairs(SyncParser(rules), pairs_of(groups))
    found = coverage(groups, parses).scores
    assert found["all"] == pytest.approx(sum(every) / len(every))
    assert found["any"] == pytest.approx(sum(map(any, derived)) / len(derived))
    assert found["length"] == (pytest.approx(np.mean(lengths)) if lengths else None)


def test_limits_are_reported_apart_and_count_as_not_derived():
    groups = [PairGroup("1", (pair("a", "b"), pair("a", "c"))), PairGroup("2", (pair("a", "d"),))]
    parses = [Parse(verdict, 3) for verdict in (Verdict.accepted, Verdict.steps, Verdict.time)]
    found = coverage(groups, parses)
    assert found.scores == {"all": 1 / 3, "any": 1 / 2, "length": 1.0}
    assert [found.verdicts[one] for one in (Verdict.steps, Verdict.time, Verdict.rejected)] == [
        1,
        1,
        0,
    ]
    with pytest.raises(InputError, match="2 parses but 3 sentence pairs"):
        coverage(groups, parses[:2])


def test_intervals_are_over_groups():
    # One group has three of three pairs derived, the other none of one: a draw has all pairs
    # derived, none, or three of four. The middle 95 % of the draws reach from 0 to 1.
    groups = [PairGroup("1", (pair("a", "b"),) * 3), PairGroup("2", (pair("a", "c"),))]
    parser = SyncParser(["[X] ||| a ||| b"])
    found = coverage(groups, parse_pairs(parser, pairs_of(groups)))
    assert found.scores["all"] == 3 / 4
    estimates = coverage_estimates(found, GroupResampling(resamples=200))
    assert (estimates["all"].low, estimates["all"].high) == (0, 1)
    assert estimates["length"].low is None  # of one group: no draw has another
    alone = coverage(groups[:1], parse_pairs(parser, pairs_of(groups[:1])))
    assert coverage_estimates(alone, GroupResampling())["all"].low is None


def test_derivations_tell_which_phrase_corresponds_to_which():
    parser = SyncParser(
        ["[X] ||| [X,1] 's [X,2] ||| the [X,2] of [X,1]", "[X] ||| king ||| monarch"],
        pass_through="all",
    )
    groups = [PairGroup("g", (pair("king 's horse", "the horse of monarch"), pair("a", "b")))]
    (record,) = derivation_records(parser, groups, parse_pairs(parser, pairs_of(groups)))
    assert record["group"] == "g"
    top, king, horse = record["derivation"]
    assert (top["depth"], king["depth"]) == (0, 1)
    assert (top["source_text"], top["target_text"]) == ("king 's horse", "the horse of monarch")
    assert top["rule"].startswith("[X] ||| [X,1] 's [X,2] |||")
    assert (king["source_text"], king["target_text"]) == ("king", "monarch")
    assert (king["source"], king["target"]) == ([0, 1], [3, 4])
    assert horse["source_text"] == horse["target_text"] == "horse"
    assert horse["rule"] is None


# Three ways to say each of three things; what is learned from two groups serves the third.
TEXTS = [
    ["he quit his job", "he left his job"],
    ["she quit her job", "she left her job"],
    ["they quit their job", "they left their job", "they went home"],
]


def gold_rows():
    return [
        {
            "source": one.split(),
            "target": other.split(),
            "sure": [f"{i}-{i}" for i in range(len(other.split()))],
            "group": f"g{number}",
        }
        for number, group in enumerate(TEXTS)
        for one, other in combinations(group, 2)
    ]


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(map(json.dumps, gold_rows())))
    return str(path)


def test_folds_learn_from_the_other_groups_only(gold, tmp_path):
    groups = read_pair_groups(gold)
    work = CoverageWork(tmp_path / "kept", gold, groups, parsing=Parsing(pass_through="all"))
    parsed = work.folds("hiero", 3)
    wanted = []
    for number, group in enumerate(groups):  # the naive way: one grammar per group, held in a list
        train = pairs_of(groups[:number] + groups[number + 1 :])
        with DuckEngine() as engine:
            own = own_grammar(train, tmp_path / f"{number}.parquet", engine=engine)
        lines = list(own.lines())
        wanted += parse_pairs(SyncParser(lines, pass_through="all"), group.pairs)
    assert list(parsed.parses) == wanted
    verdicts = [parse.verdict.value for parse in parsed.parses]
    # "quit | left" is learned elsewhere; "went home" is nowhere else.
    assert verdicts == ["accepted"] * 3 + ["rejected"] * 2
    assert coverage(groups, parsed.parses).scores["any"] == 1
    assert parsed.rules > 0


def test_folds_are_of_groups_and_each_is_tested_once(gold):
    groups = read_pair_groups(gold)
    tested = [group.name for _, part in split_groups(groups, 2) for group in part]
    assert sorted(tested) == ["g0", "g1", "g2"]
    for train, part in split_groups(groups, 2):
        assert not {g.name for g in train} & {g.name for g in part}
        assert len(train) + len(part) == 3
    with pytest.raises(InputError, match="cannot be split into 4"):
        split_groups(groups, 4)
    with pytest.raises(UsageError):
        split_groups(groups, 1)


def test_kept_results_are_reused_and_depend_on_content(gold, tmp_path):
    groups = read_pair_groups(gold)
    grammar = tmp_path / "g.txt"
    grammar.write_text("[X] ||| quit ||| left\n")
    kept = tmp_path / "kept"
    seen = []

    def parsed(**options):
        resources = Resources(progress=seen.append)
        work = CoverageWork(kept, gold, groups, parsing=Parsing(**options), resources=resources)
        seen.clear()
        return work.grammar(str(grammar))

    first = parsed(pass_through="all")
    assert sum(seen) == 5
    again = parsed(pass_through="all")
    assert (again, seen) == (first, [])
    parsed(pass_through="none")
    assert sum(seen) == 5
    grammar.write_text("[X] ||| quit ||| resigned\n")
    assert [one.verdict for one in parsed(pass_through="all").parses] != [
        one.verdict for one in first.parses
    ]
    assert sum(seen) == 5


@pytest.mark.parametrize("kind", ["hiero", "syntax", "samt"])
def test_threads_change_nothing(gold, tmp_path, kind):
    groups = read_pair_groups(gold)
    found = [
        CoverageWork(
            tmp_path / str(threads), gold, groups, derivations=True, resources=Resources(threads)
        ).folds(kind, 3)
        for threads in (1, 3)
    ]
    assert found[0].parses == found[1].parses
    lines = [[path.read_bytes() for path in parsed.derivations] for parsed in found]
    assert lines[0] == lines[1]


def test_own_grammars_have_labels_of_the_source(gold, tmp_path):
    groups = read_pair_groups(gold)
    with DuckEngine() as engine:
        trees = source_trees(groups)
        path = tmp_path / "own.parquet"
        own = own_grammar(pairs_of(groups), path, engine=engine, kind="syntax", trees=trees)
    rules = [line.split(" ||| ")[:3] for line in own.lines()]
    assert any(lhs.startswith("[VB") and (s, t) == ("quit", "left") for lhs, s, t in rules)


def test_three_kinds_of_files(tmp_path, gold):
    groups = read_pair_groups(gold)
    assert [(group.name, len(group.pairs)) for group in groups] == [("g0", 1), ("g1", 1), ("g2", 3)]
    assert links_of(pairs_of(groups)).sentence(0) == [(0, 0), (1, 1), (2, 2), (3, 3)]
    bitext = as_bitext(pairs_of(groups))
    assert bitext.right.sentence(4) == ["they", "went", "home"]

    texts = tmp_path / "texts.jsonl"
    rows = [
        {"id": "v1", "texts": {"A": "He quit.", "B": "He left.", "C": "he quit."}},
        {"id": "v2", "texts": {"A": "Alone."}},
        {"texts": {"B": "She wept.", "A": "She cried.", "C": "She sobbed."}},
    ]
    texts.write_text("\n".join(map(json.dumps, rows)))
    verses = read_pair_groups(str(texts))
    assert [(group.name, len(group.pairs)) for group in verses] == [("v1", 1), ("line 3", 3)]
    assert verses[0].pairs[0] == SentencePair(
        ("he", "quit", "."), ("he", "left", "."), ("he", "quit", ".")
    )
    assert links_of(pairs_of(verses)) is None
    chosen = read_pair_groups(PairsFile(str(texts), texts=["B", "A"], case=True))
    assert [(p.source, p.target) for p in pairs_of(chosen)] == [
        (("He", "left", "."), ("He", "quit", ".")),
        (("She", "wept", "."), ("She", "cried", ".")),
    ]

    columns = tmp_path / "pairs.tsv"
    columns.write_text("He quit.\tHe left.\n\nShe wept.\tShe cried.\n")
    lines = read_pair_groups(str(columns))
    assert [group.name for group in lines] == ["line 1", "line 3"]
    assert lines[1].pairs[0].target == ("she", "cried", ".")
    assert lines[1].pairs[0].written == ("She", "wept", ".")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no sentence pairs"),
        ("only one column\n", "1: two texts with a tab"),
        ("a\tb\na\t\n", "2: a column is empty"),
        ('{"texts": {"A": 3}}\n', "1: no row of texts"),
        ('{"texts": {"A": "a", "B": "b"}}\n{"texts": ["a"]}\n', "2: no row of texts"),
        ('{"texts": {"A": "a"}}\n', "no sentence pairs"),
        ('{"source": ["a b"], "target": ["c"], "sure": []}\n', "words have no spaces"),
        ('{"source": ["a"], "target": ["c"], "sure": ["0-7"]}\n', "outside of"),
        ('{"nothing": 1}\n', "1: no row of gold alignments"),
        ("{broken\n", "1: no row of gold alignments"),
    ],
)
def test_bad_files_of_pairs(tmp_path, text, message):
    path = tmp_path / "pairs"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_pair_groups(str(path))


def test_names_of_texts_are_checked(tmp_path, gold):
    path = tmp_path / "t.jsonl"
    path.write_text('{"texts": {"KJV": "a", "WEB": "b"}}\n')
    with pytest.raises(UsageError, match="choose from: KJV, WEB"):
        read_pair_groups(PairsFile(str(path), texts=["KJB"]))
    with pytest.raises(UsageError, match="no texts to choose"):
        read_pair_groups(PairsFile(gold, texts=["KJV"]))
    with pytest.raises(UsageError, match="give a file"):
        read_pair_groups("-")


# Table 7: five systems. Spearman of ranks without ties is 1 - 6 sum d^2 / (5 * 24).
@pytest.mark.parametrize(
    ("ranks", "rho"),
    [
        ([1, 2, 3, 4, 5], 1.0),
        ([5, 4, 2, 3, 1], -0.9),  # sum of d^2 = 16 + 4 + 1 + 1 + 16 = 38
        ([4, 5, 3, 1, 2], -0.8),  # 9 + 9 + 0 + 9 + 9 = 36
        ([2, 1, 3, 5, 4], 0.8),
        ([3, 2, 4, 1, 5], 0.3),  # 4 + 0 + 1 + 9 + 0 = 14
    ],
)
def test_spearman_of_five_systems(ranks, rho):
    names = "abcde"
    human = dict(zip(names, [1.0, 2.0, 3.0, 4.0, 5.0], strict=True))
    scores = {name: rank / 7 for name, rank in zip(names, ranks, strict=True)}
    assert spearman(scores, human) == pytest.approx(rho)
    assert spearman(scores, human) == pytest.approx(spearmanr(ranks, range(5))[0])


def spearman(scores, human):
    return correlations({"score": scores}, {"human": human})["score"]["human"].value


def test_spearman_of_what_is_known():
    human = {"a": 1.0, "b": 2.0, "c": 3.0}
    assert spearman({"a": 0.1, "b": None, "c": 0.3, "d": 0.4}, human) is None
    assert spearman({"a": 0.5, "b": 0.5, "c": 0.5}, human) is None
    assert spearman({}, human) is None


def test_human_scores(tmp_path):
    path = tmp_path / "human.tsv"
    path.write_text("system\tmeaning\tgrammar\na\t3.5\t4\nb\t2\t1\n")
    assert read_human(str(path), ["a", "b", "c"]) == {
        "meaning": {"a": 3.5, "b": 2.0},
        "grammar": {"a": 4.0, "b": 1.0},
    }
    path.write_text("a\t3.5\nb\t2\n")
    assert read_human(str(path), ["a", "b"]) == {"human": {"a": 3.5, "b": 2.0}}
    for text, message in [
        ("", "no human scores"),
        ("a\t1\nb\tx\n", "2: a system and 1 numbers"),
        ("a\t1\nz\t2\n", "2: the system 'z' is not one of"),
        ("a\t1\na\t2\n", "2: the system 'a' occurs twice"),
        ("a\tinf\nb\t1\n", "1: a system and 1 numbers"),
        ("s\tm\tm\na\t1\t2\n", "1: each criterion"),
        ("system\n", "1: each criterion"),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_human(str(path), ["a", "b"])


def test_scores_of_sentences_made_with_a_grammar(tmp_path):
    path = tmp_path / "made.jsonl"
    row = {"source": "the cat sat on it", "hypothesis": "the cat sat on it"}
    path.write_text(json.dumps(row | {"references": ["the cat sat on it"]}))
    assert paraphrase_scores(str(path)) == {
        "bleu": pytest.approx(100),
        "precis": pytest.approx(100),
        "pinc": 0.0,
    }
    path.write_text(json.dumps(row))
    assert paraphrase_scores(str(path)) == {"bleu": None, "precis": None, "pinc": 0.0}
    path.write_text('{"hypothesis": "a"}')
    with pytest.raises(InputError, match="no source"):
        paraphrase_scores(str(path))


@given(st.lists(st.integers(0, 5), max_size=20), st.integers(1, 6), st.booleans())
@settings(max_examples=12)
def test_a_sweep_by_size_takes_in_ever_more_rules(tmp_path_factory, values, points, above):
    folder = tmp_path_factory.mktemp("sweep")
    text = folder / "g.txt"
    text.write_text("".join(f"[X] ||| w{i} ||| v ||| p={v}\n" for i, v in enumerate(values)))
    grammar = read_grammar(text, folder / "g.parquet")
    if not values:
        return
    at = size_thresholds(grammar, "p", points, above=above)
    assert at == sorted(set(at), reverse=above)
    with DuckEngine() as engine:
        found = sweep(grammar, grammar, "p", at, engine=engine, above=above)
    sizes = [one.total.grammar for _, one in found]
    kept = [sum((v >= t) if above else (v <= t) for v in values) for t in at]
    assert sizes == kept
    assert sizes[-1] == len(values)
    assert all(one.total.precision == 1 for _, one in found)


@pytest.mark.data
def test_real_groups(shared):
    groups = read_pair_groups(str(shared / "alignment" / "mtref-dev.jsonl.gz"))
    assert len(pairs_of(groups)) == 2000
    with gzip.open(shared / "alignment" / "mtref-dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        names = {json.loads(line)["group"] for line in lines}
    assert {group.name for group in groups} == names
