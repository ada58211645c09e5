"""Synchronous parsing against all pairs that a small grammar derives, and against cdec."""

from __future__ import annotations

import gzip
import json
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.grammar import SyncParser, read_grammar
from otherwords.build.grammar.sync_parser import Verdict
from otherwords.errors import InputError, UsageError
from tests.oracles import sync as oracle
from tests.oracles.rule import Nonterminal, Rule

LONGEST = 4


def parser(*lines, **options):
    return SyncParser(lines, **options)


def verdict(one, source, target):
    return one.parse([source], [target])[0].verdict


@st.composite
def random_rule(draw):
    """A rule of one to three symbols, with at most two nonterminals: abstract and unary too."""
    slots = [
        Nonterminal(label, k + 1)
        for k, label in enumerate(draw(st.lists(st.sampled_from("XY"), max_size=2)))
    ]
    sides = []
    for _ in range(2):
        least = 0 if slots else 1
        words = draw(st.lists(st.sampled_from("ab"), min_size=least, max_size=2))
        sides.append(tuple(draw(st.permutations([*slots, *words]))))
    return Rule(draw(st.sampled_from("XY")), *sides)


def every_pair():
    sentences = [words for n in range(LONGEST) for words in product("ab", repeat=n)]
    return list(product(sentences, sentences))


@settings(max_examples=150)
@given(st.lists(random_rule(), max_size=6), st.booleans())
def test_verdicts_are_those_of_brute_force(rules, glue):
    language = oracle.language(rules, LONGEST - 1)
    wanted = oracle.glued(language, LONGEST - 1) if glue else language.get("X", set())
    pairs = every_pair()
    found = SyncParser(rules, glue=glue, goal="X").parse(*zip(*pairs, strict=True))
    assert {p for p, parse in zip(pairs, found, strict=True) if parse.verdict == "accepted"} == (
        wanted
    )
    assert {parse.verdict for parse in found} <= {"accepted", "rejected"}


@settings(max_examples=60)
@given(
    st.lists(random_rule(), max_size=4),
    st.lists(st.sampled_from("abc"), max_size=LONGEST - 1),
    st.lists(st.sampled_from("abc"), max_size=LONGEST - 1),
)
def test_free_words_are_rules(rules, source, target):
    words = sorted(set(source) & set(target))
    known = {symbol for rule in rules for symbol in rule.source if isinstance(symbol, str)}
    for options, free in (
        ({"pass_through": "all"}, words),
        ({"pass_through": "unknown"}, [word for word in words if word not in known]),
    ):
        more = [*rules, *(Rule("X", (word,), (word,)) for word in free)]
        wanted = oracle.glued(oracle.language(more, LONGEST - 1), LONGEST - 1)
        found = SyncParser(rules, **options).parse([source], [target])
        assert (found[0].verdict == "accepted") == ((tuple(source), tuple(target)) in wanted)


def test_known_words_pass_through_as_in_joshua():
    """Joshua "creates an OOV entry for every word", also for `said`, which the grammar has."""
    pair = "he said he said that", "he said he said"
    rule = "[X] ||| said that ||| said"
    assert verdict(parser(rule, pass_through="all"), *pair) == "accepted"
    assert verdict(parser(rule, pass_through="unknown"), *pair) == "rejected"
    with pytest.raises(UsageError, match="all, unknown, none"):
        parser(rule, pass_through="some")


def replayed(node, rules, source, target):
    """The pair of words that a derivation makes, each step checked."""
    if node.rule is None:
        word = source[node.source[0]]
        assert target[node.target[0]] == word
        return (word,), (word,)
    rule = rules[node.rule]
    assert rule.lhs == node.label
    slots = [symbol for symbol in rule.source if isinstance(symbol, Nonterminal)]
    assert [child.label for child in node.children] == [slot.label for slot in slots]
    made = [replayed(child, rules, source, target) for child in node.children]
    fillers = {slot.index: pair for slot, pair in zip(slots, made, strict=True)}
    pair = tuple(oracle.filled(side, fillers, s) for s, side in enumerate(oracle.sides(rule)))
    assert pair[0] == tuple(source[slice(*node.source)])
    assert pair[1] == tuple(target[slice(*node.target)])
    return pair


@settings(max_examples=80)
@given(st.lists(random_rule(), max_size=6), st.booleans(), st.booleans())
def test_derivations_derive(rules, glue, identity):
    one = SyncParser(rules, glue=glue, goal="X", pass_through="all" if identity else "none")
    for source, target in every_pair():
        parse, nodes = one.derive(source, target)
        assert parse == one.parse([source], [target])[0]
        assert bool(nodes) == (parse.verdict == "accepted")
        made = [replayed(node, rules, source, target) for node in nodes]
        if nodes:
            assert sum((pair[0] for pair in made), ()) == source
            assert sum((pair[1] for pair in made), ()) == target
            assert glue or [node.label for node in nodes] == ["X"]


def test_unary_cycles_end():
    one = parser(
        "[A] ||| [B,1] ||| [B,1] x",
        "[B] ||| [A,1] ||| [A,1]",
        "[A] ||| a ||| b",
        "[A] ||| [A,1] ||| [A,1]",
        glue=False,
        goal="A",
    )
    assert verdict(one, "a", "b") == "accepted"
    assert verdict(one, "a", "b" + " x" * 40) == "accepted"
    assert verdict(one, "a", "x b") == "rejected"


def test_abstract_rules_reorder():
    one = parser(
        "[S] ||| [A,1] [B,2] [C,3] ||| [C,3] [A,1] [B,2]",
        "[A] ||| a ||| A",
        "[B] ||| b ||| B",
        "[C] ||| c ||| C",
        glue=False,
    )
    assert verdict(one, "a b c", "C A B") == "accepted"
    assert verdict(one, "a b c", "A B C") == "rejected"


def test_indices_need_not_follow_the_source():
    one = parser("[S] ||| [X,2] and [X,1] ||| [X,1] [X,2]", "[X] ||| a ||| A", "[X] ||| b ||| B")
    assert verdict(one, "a and b", "B A") == "accepted"
    assert verdict(one, "a and b", "A B") == "rejected"


@pytest.mark.parametrize(("source", "target"), [("", ""), ("", "a"), ("a", "")])
def test_nothing_derives_an_empty_sentence(source, target):
    assert verdict(parser("[X] ||| a ||| a", pass_through="all"), source, target) == "rejected"


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 255, 256, 400])
def test_long_sentences(length):
    one = parser("[X] ||| w0 ||| v", "[X] ||| [X,1] turn [X,2] ||| [X,2] [X,1]", pass_through="all")
    words = [f"w{k}" for k in range(length)]
    assert verdict(one, words, ["v", *words[1:]]) == "accepted"
    assert verdict(one, [*words, "turn", "z"], ["z", "v", *words[1:]]) == "rejected"
    assert verdict(one, [*words, "w", "turn", "z"], ["v", *words[1:], "z", "w"]) == "accepted"
    assert verdict(one, words, [*words[1:], "v"]) == "rejected"


def test_limits_are_reported():
    ambiguous = ["[X] ||| [X,1] [X,2] ||| [X,1] [X,2]", "[X] ||| [X,1] [X,2] ||| [X,2] [X,1]"]
    text = " ".join("ab"[k % 3 == 0] for k in range(60))
    limited = parser(*ambiguous, pass_through="all", max_steps=2000)
    first, second = (limited.parse([text], [text])[0] for _ in range(2))
    assert first == second
    assert first.verdict == Verdict.steps
    assert 2000 < first.steps < 2010
    assert verdict(parser(*ambiguous, pass_through="all", max_seconds=1e-9), text, text) == "time"
    assert verdict(parser("[X] ||| a ||| b"), ["a"] * 1024, ["b"]) == "too long"


NASTY = {
    "cycles": [
        "[X] ||| [Y,1] ||| [Y,1] a",
        "[Y] ||| [X,1] ||| a [X,1]",
        "[X] ||| [X,1] ||| [X,1]",
        "[Y] ||| [X,1] [Y,2] ||| [Y,2] [X,1]",
        "[X] ||| a ||| a",
    ],
    "arity": [
        "[X] ||| " + " ".join(f"[X,{k}]" for k in range(1, 9)) + " ||| "
        + " ".join(f"[X,{k}]" for k in range(8, 0, -1)),
    ],
    "labels": [
        *(f"[L{k}] ||| [L{k * 7 % 40},1] [L{k * 3 % 40},2] ||| [L{k * 3 % 40},2] [L{k * 7 % 40},1]"
          for k in range(40)),
        *(f"[L{k}] ||| [L{(k + 1) % 40},1] ||| [L{(k + 1) % 40},1]" for k in range(40)),
        *(f"[L{k}] ||| a ||| a" for k in range(40)),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(NASTY))
@pytest.mark.parametrize("length", [100, 300])
def test_nasty_grammars_end_at_a_limit(name, length):
    text = ["a"] * length
    limited = parser(*NASTY[name], pass_through="all", max_steps=10_000, max_seconds=600)
    found = limited.parse([text], [[*text, "b"]])[0]
    assert found.verdict == "steps"
    assert limited.derive(text, [*text, "b"]) == (found, ())
    hasty = parser(*NASTY[name], pass_through="all", max_seconds=0.01)
    assert verdict(hasty, text, [*text, "b"]) == "time"


def test_a_derivation_of_many_nonterminals_is_found():
    source, target = ["a"] * 24, ["a", "b"] * 24
    parse, nodes = parser(*NASTY["arity"], "[X] ||| a ||| a b").derive(source, target)
    assert parse.verdict == "accepted"
    assert "".join(target[slice(*nodes[-1].target)]).endswith("b")


def test_a_chain_of_unary_rules_may_be_as_long_as_there_are_labels():
    labels = 100_000
    chain = [f"[L{k}] ||| [L{k + 1},1] ||| [L{k + 1},1]" for k in range(labels)]
    long = parser(*chain, f"[L{labels}] ||| a ||| b", glue=False, goal="L0")
    parse, (node,) = long.derive("a", "b")
    assert parse.verdict == "accepted"
    depth = 0
    while node.children:
        (node,) = node.children
        depth += 1
    assert (depth, node.label, node.rule) == (labels, f"L{labels}", labels)


def test_threads_do_not_matter():
    one = parser("[X] ||| [X,1] b [X,2] ||| [X,2] b [X,1]", pass_through="all")
    sources = [" ".join("abc"[(k * n) % 3] for k in range(n % 9)) for n in range(40)]
    targets = [" ".join(reversed(source.split())) for source in sources]
    assert one.parse(sources, targets) == one.parse(sources, targets, threads=3)


def test_words_that_look_like_nonterminals_are_words(tmp_path):
    rule = Rule("X", ("[X,1]", "|||"), ("b",))
    (tmp_path / "g").write_text(f"{rule}\n")
    for rules in ([rule], read_grammar(tmp_path / "g", tmp_path / "g.parquet")):
        assert verdict(SyncParser(rules), ["[X,1]", "|||"], ["b"]) == "accepted"
        assert SyncParser(rules).size == 1


def test_a_grammar_without_rules():
    assert verdict(parser(), "a", "a") == "rejected"
    assert verdict(parser(pass_through="all", glue=False, goal="X"), "a", "a") == "accepted"
    assert verdict(parser(pass_through="all"), "a b", "a b") == "accepted"


def test_bad_arguments_are_reported():
    with pytest.raises(InputError, match="1 sources but 2 targets"):
        parser("[X] ||| a ||| b").parse(["a"], ["b", "b"])
    for line, reason in (
        ("[X] ||| a", "three fields"),
        ("X ||| a ||| b", "brackets"),
        ("[X] ||| ||| b", "empty"),
        ("[X] ||| a ||| ||| 1", "empty"),
        ("[X] ||| [X,1] ||| [Y,1] ||| 1", "same nonterminals"),
        ("[X] ||| [X,1] [X,1] ||| [X,1] [X,1] ||| 1", "twice"),
        ("[X] ||| [X,1] ||| [X,1] [X,1] ||| 1", "same nonterminals"),
    ):
        with pytest.raises(InputError, match=f"rule 3: .*{reason}"):
            parser("[X] ||| a ||| b", "", line)
    with pytest.raises(InputError, match="surrogate"):
        parser("[X] ||| \ud800 ||| b")
    with pytest.raises(InputError, match="surrogate"):
        parser("[X] ||| a ||| b").parse(["\ud800"], ["b"])
    for options in ({"max_steps": 0}, {"max_seconds": -1}, {"glue": 1}):
        with pytest.raises(UsageError):
            parser(**options)


@pytest.mark.data
def test_verdicts_are_those_of_cdec(shared):
    with gzip.open(shared / "grammar" / "cdec-sync-40.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = [
        verdict(parser(*row["rules"], pass_through="all"), row["source"], row["target"])
        for row in rows
    ]
    assert [one == "accepted" for one in found] == [row["reachable"] for row in rows]
    assert found.count("accepted") == 36


@given(st.lists(st.text("[]X,1| \t\\\r\nab\0é", max_size=30), max_size=5))
def test_odd_lines_are_rules_or_refused(lines):
    try:
        one = parser(*lines)
    except InputError:
        return
    assert verdict(one, "a é", "b") in ("accepted", "rejected")
    for number in range(one.size):
        assert " ||| " in one.index.rule(number)


def test_labels_have_no_brackets():
    for label in ("[X]", "X[", "]"):
        with pytest.raises(InputError, match="label"):
            parser(f"[{label}] ||| a ||| b")
