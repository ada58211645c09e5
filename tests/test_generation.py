"""The decoder against brute force and against cdec; weights; bad input."""

from __future__ import annotations

import gzip
import json
import lzma
import random
from dataclasses import replace

import pytest

from otherwords.build.generation import (
    Decoder,
    Search,
    compress,
    read_weights,
    write_weights,
)
from otherwords.build.generation.decoder import MOST_WORDS
from otherwords.build.generation.files import DecoderFiles, ParaphraseResult, paraphrase_file
from otherwords.build.lm import estimate, load_model, save_model
from otherwords.cli import main
from otherwords.errors import InputError, UsageError
from tests.oracles.decoder import BruteForce, total
from tests.oracles.rule import parse_rule

WORDS = "a b c d".split()
LABELS = ["X", "NP", "VP"]
WEIGHTS = {
    "LanguageModel": 0.8, "LanguageModel_OOV": -0.7, "WordPenalty": -0.4, "Glue": -0.3,
    "PassThrough": -1.1, "p": -0.6, "q": 0.5,
}  # fmt: skip


@pytest.fixture(scope="module")
def lm():
    rng = random.Random(3)
    text = [" ".join(rng.choices([*WORDS, "x", "y"], k=rng.randint(2, 6))) for _ in range(60)]
    return estimate(text, order=3, tokenizer="none")


def random_rules(rng, labels, count):
    rules = set()
    while len(rules) < count:
        arity = rng.choice([0, 0, 1, 1, 2])
        marked = [(rng.choice(labels), k + 1) for k in range(arity)]
        sides = []
        for vocabulary, least in ((WORDS, 0 if arity else 1), ([*WORDS, "x", "z"], 0)):
            words = rng.choices(vocabulary, k=rng.randint(least, 2))
            symbols = [*words, *(f"[{label},{k}]" for label, k in marked)]
            if vocabulary is not WORDS:
                rng.shuffle(symbols)
            else:  # nonterminals are numbered by the source side
                places = sorted(rng.sample(range(len(symbols)), arity))
                symbols = list(words)
                for place, (label, k) in zip(places, marked, strict=True):
                    symbols.insert(place, f"[{label},{k}]")
            sides.append(" ".join(symbols))
        if not all(sides):
            continue
        lhs = rng.choice(labels)
        unary = sides[0].startswith("[") and " " not in sides[0]
        if unary and labels.index(lhs) <= labels.index(marked[0][0]):  # no circles of labels
            continue
        p, q = rng.randint(0, 8) / 4, rng.randint(0, 3)
        rules.add(f"[{lhs}] ||| {sides[0]} ||| {sides[1]} ||| p={p} q={q}")
    return sorted(rules)


@pytest.mark.parametrize("labels", [["X"], LABELS])
@pytest.mark.parametrize("seed", range(12))
def test_equals_brute_force(lm, labels, seed):
    rng = random.Random(seed)
    lines = random_rules(rng, labels, 14)
    span_limit = rng.choice([2, 3, 10])
    known = rng.random() < 0.7
    search = Search(0, span_limit, "all" if known else "unknown")
    decoder = Decoder(lines, lm, WEIGHTS, search=search)
    naive = BruteForce([parse_rule(line) for line in lines], span_limit, known)
    for _ in range(3):
        words = rng.choices([*WORDS, "new"], k=rng.randint(1, 4))
        expected = naive.all(words)
        totals = sorted((total(one, lm, WEIGHTS) for one in expected), reverse=True)
        [found] = decoder.decode([" ".join(words)], k=50)
        assert [one.total for one in found.outputs] == pytest.approx(totals[:50], abs=2e-5)
        best = {}
        for one in expected:
            text = " ".join(one[0])
            best[text] = max(best.get(text, -1e9), total(one, lm, WEIGHTS))
        [unique] = decoder.decode([" ".join(words)], k=20, unique=True)
        made = [one.target for one in unique.outputs]
        assert len(set(made)) == len(made) == min(20, len(best))
        wanted = sorted(best.values(), reverse=True)[:20]
        assert [best[text] for text in made] == pytest.approx(wanted, abs=2e-5)


def test_cube_pruning_finds_no_more_and_with_room_no_less(lm):
    rng = random.Random(5)
    lines = random_rules(rng, LABELS, 40)
    text = [" ".join(rng.choices(WORDS, k=6)) for _ in range(10)]
    best = [
        one.outputs[0].total for one in Decoder(lines, lm, WEIGHTS, search=Search(0)).decode(text)
    ]
    for limit in (1, 5, 1000):
        decoder = Decoder(lines, lm, WEIGHTS, search=Search(limit))
        found = [one.outputs[0].total for one in decoder.decode(text)]
        assert all(a <= b + 1e-6 for a, b in zip(found, best, strict=True))
    assert found == pytest.approx(best)


def test_several_grammars(lm, tmp_path):
    lines = ["[X] ||| a ||| x ||| p=1", "[NP] ||| b [X,1] ||| [X,1] y ||| q=2"]
    (tmp_path / "first").write_text(lines[0] + "\n")
    (tmp_path / "second").write_text(lines[1] + "\n")
    weights = {"PassThrough": -9, "Glue": -9, "q": 1, "p": 1, "r": 1}
    decoder = Decoder([tmp_path / "first", tmp_path / "second"], lm, weights)
    [found] = decoder.decode(["b a"])
    assert found.outputs[0].target == "x y"
    assert found.outputs[0].features["q"] == 2
    assert decoder.idle_weights == ["r"]


def test_threads_and_filter_change_nothing(lm):
    rng = random.Random(6)
    lines = random_rules(rng, LABELS, 60)
    text = [" ".join(rng.choices([*WORDS, "new"], k=5)) for _ in range(20)]
    decoder = Decoder(lines, lm, WEIGHTS)
    one = [found.to_dict() for found in decoder.decode(text, k=5)]
    assert one == [found.to_dict() for found in decoder.decode(text, k=5, threads=3)]
    kept = Decoder(lines, lm, WEIGHTS, sentences=["a b"])
    assert kept.size < decoder.size
    assert kept.decode(["a b"], k=9) == decoder.decode(["a b"], k=9)


def test_a_derivation_says_where_its_rules_stand(lm):
    lines = ["[X] ||| a [X,1] c [X,2] ||| [X,2] x [X,1] ||| p=0", "[X] ||| b d ||| z"]
    weights = {"PassThrough": -1, "Glue": -5, "p": 1, "LanguageModel": 0.001}
    [found] = Decoder(lines, lm, weights).decode(["a b d c d"])
    assert found.outputs[0].target == "d x z"
    assert found.outputs[0].derivation == [
        0, 5, "[S] ||| [X] ||| [1]",
        [0, 5, "[X] ||| a [X] c [X] ||| [2] x [1]",
         [1, 3, "[X] ||| b d ||| z"], [4, 5, "[X] ||| d ||| d"]],
    ]  # fmt: skip


def test_features_of_the_decoder(lm):
    lines = ["[X] ||| a b ||| cc ||| p=1", "[X] ||| c ||| c"]
    weights = {
        "PhrasePenalty": 0.5, "WordDifference": 0.25, "CharacterDifference": 2, "IdentityRule": 1,
        "PassThrough": -50, "Glue": -0.125,
    }  # fmt: skip
    decoder = Decoder(lines, lm, weights)
    [found] = decoder.decode(["a b c"])
    assert found.outputs[0].features == {
        "Glue": 1, "PhrasePenalty": 2, "WordDifference": -1, "CharacterDifference": -1,
        "IdentityRule": 1, "p": 1, "LanguageModel_OOV": 1,
        "WordPenalty": pytest.approx(-2 * 0.4342944819),
    }  # fmt: skip
    assert decoder.idle_weights == []
    decoder.reweight({"nothing": 1, "p": 1})
    assert decoder.idle_weights == ["nothing"]


@pytest.mark.parametrize(
    ("search", "text", "reason"),
    [
        (Search(), "", "the line is empty"),
        (Search(pass_through="none"), "q", "words do not pass through"),
        (Search(glue=False), "a b", "no rules whose labels fit together cover all of its words in"),
        (Search(glue=False), "a b", "one piece; glue would join pieces"),
        (Search(glue=False, span_limit=2), "a b a", "it has more than 2 words, the most"),
    ],
)
def test_no_derivation_says_why(lm, search, text, reason):
    [found] = Decoder(["[X] ||| a ||| b"], lm, WEIGHTS, search=search).decode([text])
    assert found.outputs == ()
    assert reason in found.note


def test_long_sentences_and_exhaustive_search_that_is_too_large(lm):
    rng = random.Random(7)
    lines = random_rules(rng, ["X"], 200)
    long = " ".join(rng.choices(WORDS, k=500))
    [found] = Decoder(lines, lm, WEIGHTS, search=Search(5)).decode([long])
    assert len(found.outputs) == 1
    [found] = Decoder(lines, lm, WEIGHTS, search=Search(0)).decode([long])
    assert found.outputs or "too large" in found.note


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[X] ||| a", "3 to 6 fields"),
        ("X ||| a ||| b", "a label in brackets"),
        ("[X] ||| a [X] ||| b [X]", "is not a nonterminal"),
        ("[X] ||| a [X,1] ||| b", "do not have the same nonterminals"),
        ("[X] ||| a ||| b ||| p=x", "is not a feature"),
        ("[X] ||| a ||| b ||| p=1 p=2", "occurs twice"),
        ("[X] ||| [X,1] [X,1] ||| [X,1] [X,1]", "twice"),
        ("[X] ||| ||| b", "empty"),
    ],
)
def test_bad_rules(lm, line, reason, tmp_path):
    path, good = tmp_path / "grammar", tmp_path / "good"
    good.write_text("[X] ||| a ||| b ||| p=1\n")
    path.write_text(f"{good.read_text()}{line}\n")
    for grammars in ([path], [good, path]):
        with pytest.raises(InputError, match=f"grammar:2: .*{reason}"):
            Decoder(grammars, lm, WEIGHTS)


def test_weights_in_files(tmp_path):
    for name in ("w.json", "w.txt", "w.txt.gz"):
        write_weights({"a": 1, "b": -0.25}, tmp_path / name)
        assert read_weights(tmp_path / name) == {"a": 1.0, "b": -0.25}
    lines = tmp_path / "lines"
    lines.write_text("# as Joshua, cdec and YAML write them\na 1\n\nb = -0.25\nc=2\nd: 1e-3\n")
    assert read_weights(lines) == {"a": 1.0, "b": -0.25, "c": 2.0, "d": 0.001}
    bad = tmp_path / "bad"
    for text, reason in (("a 1\na 2\n", "bad:2: 'a' has a weight"), ("a\n", "bad:1: a name and")):
        bad.write_text(text)
        with pytest.raises(InputError, match=reason):
            read_weights(bad)
    bad.write_text('{"a": "x"}')
    with pytest.raises(InputError, match="bad: the weight of 'a'"):
        read_weights(bad)
    for text in ('{"a": 1e300}', "b 1\na -1e300\n"):  # totals would overflow
        bad.write_text(text)
        with pytest.raises(InputError, match="the weight of 'a' must be from -1e9 to 1e9"):
            read_weights(bad)
    with pytest.raises(UsageError, match="pop_limit"):
        Search(-1)


@pytest.fixture
def files(lm, tmp_path):
    save_model(lm, tmp_path / "lm.owm")
    (tmp_path / "grammar").write_text("[X] ||| a ||| b ||| p=1\n[X] ||| a ||| x ||| p=2\n")
    (tmp_path / "weights").write_text("LanguageModel 0.1\np -1\nPassThrough -1\nq 1\n")
    (tmp_path / "text").write_text("a c\n\nA a\n")
    return tmp_path


def paraphrased(files, search=None, **options):
    paths = [files / "grammar"], files / "lm.owm", files / "weights"
    model = DecoderFiles(*paths, search, tokenizer="none")
    return paraphrase_file(files / "text", model, **options)


def test_files(files):
    result = paraphrased(files)
    assert isinstance(result, ParaphraseResult)
    assert len(list(result.render("text"))) == 3
    several = list(paraphrased(files, k=2).render("text"))
    assert several[0].startswith("0 ||| ")
    rows = [json.loads(line) for line in paraphrased(files, k=2).render("jsonl")]
    assert [len(row["kbest"]) for row in rows] == [2, 0, 2]
    assert set(rows[0]["kbest"][0]) == {"target", "total", "features", "derivation"}
    assert list(result.warnings()) == [
        "no rule that was read has these features, so their weights do nothing: q",
        "line 2: the line is empty",
    ]


def test_weights_are_not_idle_because_there_are_no_words(files):
    (files / "text").write_text("\n\n")
    assert list(paraphrased(files).warnings()) == ["line 1 and 1 more line: the line is empty"]


def test_lines_that_fail_for_one_reason_are_one_warning(files):
    (files / "text").write_text("a a a\na a a a\n")
    found = paraphrased(files, search=Search(glue=False, span_limit=2))
    reason = "it has more than 2 words, the most that rules cover without glue"
    assert list(found.warnings())[-1] == f"line 1 and 1 more line: {reason}"


def test_a_grammar_without_a_rule_for_the_sentences_is_reported(files):
    for rules in ("", "[X] ||| other ||| words ||| p=1\n"):
        (files / "grammar").write_text(rules)
        found = list(paraphrased(files).warnings())
        assert found[0] == "no rule was read whose words all occur in the sentences"


def test_outputs_without_derivations_are_the_same(lm):
    rules = ["[X] ||| a ||| b ||| p=1", "[X] ||| a [X,1] ||| [X,1] x ||| p=2"]
    decoder = Decoder(rules, lm, {"LanguageModel": 1, "p": -1, "PassThrough": -1})
    whole = decoder.decode(["a a c", "a"], k=5)
    bare = decoder.decode(["a a c", "a"], k=5, derivations=False)
    for one, other in zip(whole, bare, strict=True):
        assert [replace(output, derivation=[]) for output in one.outputs] == list(other.outputs)


CDEC = ["c1.full", "c2.full", "a1.full", "c1.fulluniq", "c1.pop200", "a2.pop200", "c2.pop200"]


@pytest.mark.data
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in CDEC])
def test_equals_cdec(name, shared, tmp_path):
    folder = shared / "decoder"
    with gzip.open(folder / f"{name}.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    arpa, grammar = tmp_path / "lm.arpa", tmp_path / "grammar"
    arpa.write_bytes(lzma.decompress((folder / "lm3.arpa.xz").read_bytes()))
    packed = (folder / f"{rows[0]['grammar']}.grammar.xz").read_bytes()
    grammar.write_bytes(lzma.decompress(packed))
    model = load_model(arpa, tokenizer="none", case=True)
    weights = read_weights(folder / "weights" / rows[0]["weights"])
    exhaustive = ".full" in name
    search = Search(0 if exhaustive else 200, rows[0]["span_limit"])
    decoder = Decoder(grammar, model, weights, search=search)
    text = [" ".join(row["source"]) for row in rows]
    found = decoder.decode(text, k=10, unique=rows[0].get("unique", False), threads=2)
    ours = [[one.total for one in decoded.outputs] for decoded in found]
    theirs = [[one["total"] for one in row["kbest"]] for row in rows]
    if exhaustive:
        assert [len(one) for one in ours] == [len(one) for one in theirs]
        for mine, other in zip(ours, theirs, strict=True):
            assert mine == pytest.approx(other, abs=2e-3)
    else:
        mean = [sum(one[0] for one in lists) / len(lists) for lists in (ours, theirs)]
        assert mean[0] >= mean[1] - 1e-5


def test_commands(files, capsys):
    text, grammar, lm, weights = (
        str(files / name) for name in ("text", "grammar", "lm.owm", "weights")
    )
    model = ["-g", grammar, "--lm", lm, "-w", weights, "--tokenizer", "none"]
    assert main(["paraphrase", text, *model, "--case", "-f", "jsonl", "--k", "2"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["source"] for row in rows] == ["a c", "", "A a"]
    assert main(["compress", text, *model, "--ratio", "0.4"]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 3
    assert "line 1 and 1 more line: no output has 0.4 of the characters" in printed.err
    saved = files / "tuned"
    tuned = ["tune", text, "-r", text, *model, "--save", str(saved), "--iterations", "1"]
    assert main(tuned) == 0
    assert set(read_weights(saved)) == {"LanguageModel", "p", "PassThrough", "q"}
    out, err = capsys.readouterr()
    assert "difference" in out
    assert "their weights do nothing: q" in err
    for wrong, reason in (
        (["tune", text, "-r", grammar, *model, "--save", str(saved)], "there are 2 lines here but"),
        (["tune", text, "-r", text, "-r", grammar, *model, "--save", str(saved)], "2 lines here"),
        (["compress", text, *model, "--ratio", "2"], "ratio must be a number from 0.01 to 1"),
    ):
        assert main(wrong) == 2
        assert reason in capsys.readouterr().err


def test_compression_keeps_the_limit(lm):
    lines = ["[X] ||| a b ||| c ||| p=1", "[X] ||| a ||| a ||| p=0", "[X] ||| b ||| b ||| p=0"]
    decoder = Decoder(lines, lm, {"p": -5, "PassThrough": -9, "LanguageModel": 0.01})
    weights = dict(decoder.weights)
    [found] = compress(decoder, ["a b a b"], ratio=0.5)
    assert found.outputs[0].target == "c c"
    [found] = compress(decoder, ["a b a b"], ratio=0.8)
    assert found.outputs[0].target in ("c a b", "a b c")
    [found] = compress(decoder, ["a b a b"], ratio=0.2)
    assert "no output has 0.2" in found.note
    assert decoder.weights == weights


def test_a_sentence_of_too_many_words_has_a_reason_and_no_output(tmp_path, run):
    """Derivations nest once for each word: beyond a limit they would overflow the stack."""
    (tmp_path / "text.txt").write_text("a " * MOST_WORDS + "\n" + "a " * 50_000 + "\na\n")
    (tmp_path / "grammar.txt").write_text("[X] ||| a ||| b ||| p=1\n")
    (tmp_path / "lm.arpa").write_text(
        "\\data\\\nngram 1=4\n\n\\1-grams:\n-1 <unk>\n-1 <s>\n-1 </s>\n-1 b\n\n\\end\\\n"
    )
    (tmp_path / "weights.txt").write_text("p 1\nlm_0 1\n")
    files = {name: tmp_path / f"{name}.txt" for name in ("text", "grammar", "weights")}
    argv = ["paraphrase", files["text"], "-g", files["grammar"], "--lm", tmp_path / "lm.arpa"]
    code, out, _ = run(*argv, "-w", files["weights"], "-f", "jsonl")
    assert code == 0
    long, longer, short = map(json.loads, out.splitlines())
    assert len(long["kbest"]) == len(short["kbest"]) == 1
    assert longer["kbest"] == []
    assert longer["note"] == f"it has 50,000 words; at most {MOST_WORDS} are decoded"
