"""The aligner against every alignment enumerated, and against what it must find."""

from __future__ import annotations

import gzip
import math
import os
import subprocess
import sys
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.bitext import (
    Aligner,
    Bitext,
    Links,
    Training,
    agreement,
    encode,
    read_gold,
    symmetrise,
)
from otherwords.build.bitext.aligner import HEURISTICS, looks_monolingual, monolingual
from otherwords.build.bitext.alignment import GoldText, join_bitexts
from otherwords.build.bitext.gold import Gold, between_different_words
from otherwords.build.bitext.links import SYMMETRISATIONS
from otherwords.build.bitext.pairs import read_text_pairs
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models import container
from tests.interrupt import interrupted
from tests.oracles import alignment as oracle

# Two of the left words share their first five letters, and two of the right ones.
LEFT = st.sampled_from("house houses a b".split())
RIGHT = st.sampled_from("maison maisons x y".split())
PAIRS = st.lists(
    st.tuples(st.lists(LEFT, min_size=1, max_size=3), st.lists(RIGHT, min_size=1, max_size=3)),
    min_size=1,
    max_size=4,
)
LONGER = st.lists(
    st.tuples(st.lists(LEFT, max_size=9), st.lists(RIGHT, max_size=9)), min_size=1, max_size=150
)


def bitext(pairs):
    sides = zip(*pairs, strict=True)
    return Bitext(*(encode([" ".join(words) for words in side], "none") for side in sides))


def trained(pairs, model1, hmm, **options):
    options = {"null_probability": 0.2, "alpha": 0.1, "stem_weight": 2.0, **options}
    twin = oracle.Aligner(pairs, **options)
    for number in range(model1):
        twin.model1(number == model1 - 1)
    for _ in range(hmm):
        twin.hmm()
    how = Training(model1_iterations=model1, hmm_iterations=hmm, **options)
    return Aligner.train(bitext(pairs), how), twin


def probabilities(aligner, name):
    """t of every pair of words that the table has."""
    rows = aligner.arrays["rows"].tolist()
    return {
        (word, aligner.right[other]): float(value)
        for number, word in enumerate(aligner.left)
        for other, value in zip(
            aligner.arrays["right"][rows[number] : rows[number + 1]].tolist(),
            aligner.arrays[name][rows[number] : rows[number + 1]].tolist(),
            strict=True,
        )
    }


def posteriors(aligner, text):
    links, values = aligner.align(text, threshold=0)
    return [
        dict(
            zip(
                links.sentence(number),
                values[links.bounds[number] : links.bounds[number + 1]].tolist(),
                strict=True,
            )
        )
        for number in range(text.size)
    ]


def check_tables(aligner, twin):
    for name, expected in (("to_right", twin.to_right), ("to_left", twin.to_left)):
        found = probabilities(aligner, name)
        for pair, value in expected.items():
            assert found.get(pair, 0.0) == pytest.approx(value, rel=2e-3, abs=2e-4)


def check_posteriors(aligner, twin, pairs):
    for (left, right), found in zip(pairs, posteriors(aligner, bitext(pairs)), strict=True):
        for link, value in twin.link_posteriors(left, right).items():
            assert found.get(link, 0.0) == pytest.approx(value, abs=2e-3)


@given(PAIRS, st.integers(1, 3), st.floats(0, 1), st.floats(0, 5))
@settings(max_examples=40, deadline=None)
def test_model1_is_that_of_the_definition(pairs, iterations, alpha, stem_weight):
    check_tables(*trained(pairs, iterations, 0, alpha=alpha, stem_weight=stem_weight))


@given(PAIRS, st.floats(0.01, 0.9))
@settings(max_examples=25, deadline=None)
def test_posteriors_are_those_of_all_alignments_enumerated(pairs, null_probability):
    aligner, twin = trained(pairs, 1, 0, null_probability=null_probability)
    check_posteriors(aligner, twin, pairs)


@given(PAIRS, st.floats(0.01, 0.9), st.floats(0.01, 1), st.floats(0, 5))
@settings(max_examples=25, deadline=None)
def test_an_iteration_of_both_hmms(pairs, null_probability, alpha, stem_weight):
    options = {"null_probability": null_probability, "alpha": alpha, "stem_weight": stem_weight}
    aligner, twin = trained(pairs, 1, 1, **options)
    check_tables(aligner, twin)
    check_posteriors(aligner, twin, pairs)
    for name, (inner, first) in zip(("right_jumps", "left_jumps"), twin.jumps, strict=True):
        jumps = aligner.arrays[name]
        assert jumps[: oracle.WINDOW * 2 + 1] == pytest.approx(list(inner.values()), abs=1e-5)
        assert jumps[-oracle.WINDOW :] == pytest.approx(list(first.values()), abs=1e-5)


@given(PAIRS)
@settings(max_examples=10, deadline=None)
def test_several_iterations(pairs):
    aligner, twin = trained(pairs, 2, 2)
    check_tables(aligner, twin)
    check_posteriors(aligner, twin, pairs)


def test_evidence_is_counted_in_every_iteration(monkeypatch):
    monkeypatch.setattr("otherwords.build.bitext.aligner.PIVOTED", 0.0)
    pairs = [("car house".split(), "cars auto".split()), (["car"], ["car"])]
    text = bitext(pairs)
    found = monolingual(text, 10)
    evidence = {
        (text.left.words[e], text.right.words[f]): float(count)
        for e, f, count in zip(*(column.tolist() for column in found), strict=True)
    }
    assert evidence == {("car", "cars"): 2.0, ("car", "auto"): 1.0, ("car", "car"): 5.0}
    twin = oracle.Aligner(pairs, evidence=evidence)
    twin.model1(True)
    twin.hmm()
    how = Training(model1_iterations=1, hmm_iterations=1, monolingual=True)
    aligner = Aligner.train(text, how)
    check_tables(aligner, twin)
    check_posteriors(aligner, twin, pairs)


def test_what_other_languages_translate_alike_is_evidence():
    def worth(left, right):
        return float(monolingual(bitext([([left], [right])]), 10).counts.sum())

    assert worth("however", "but") > 1  # what a synonym of WordNet is worth
    assert worth("house", "but") == 0
    assert worth("house", "house") == 5


def test_one_word_each_by_hand():
    """p(real) = .8 t / (.8 t + .2), as the empty word emits the only word with certainty."""
    text = bitext([(["a"], ["x"])])
    how = Training(model1_iterations=1, hmm_iterations=0, alpha=0.5, stem_weight=0)
    aligner = Aligner.train(text, how)
    # One entry: its count + alpha is the sum of the row, so that t = 1.
    assert probabilities(aligner, "to_right") == {("a", "x"): 1.0}
    assert posteriors(aligner, text) == [{(0, 0): pytest.approx(0.8, abs=1e-6)}]


def test_the_empty_word_does_not_collect_rare_words():
    """Rare words are the garbage that IBM models collect; here each has its one translation."""
    rare = [(f"the r{n} is".split(), f"le q{n} est".split()) for n in range(30)]
    aligner = Aligner.train(bitext(rare))
    links, _ = aligner.align(bitext(rare))
    assert all(links.sentence(n) == [(0, 0), (1, 1), (2, 2)] for n in range(30))


def test_words_that_one_side_only_has_stay_alone():
    pairs = [(f"n{k % 7} v{k % 5}".split(), f"m{k % 7} do w{k % 5}".split()) for k in range(70)]
    links, _ = Aligner.train(bitext(pairs)).align(bitext(pairs))
    assert {tuple(links.sentence(k)) for k in range(70)} == {((0, 0), (1, 2))}


def test_words_in_another_order():
    pairs = [(f"n{k % 7} v{k % 5}".split(), f"w{k % 5} m{k % 7}".split()) for k in range(70)]
    links, _ = Aligner.train(bitext(pairs)).align(bitext(pairs))
    assert {tuple(links.sentence(k)) for k in range(70)} == {((0, 1), (1, 0))}


def test_a_stem_translates_as_its_other_words_do():
    """Seen once, `houses` is distinguished from its neighbour by what is known of `house`."""
    pairs = [(f"house w{n}".split(), f"maison v{n}".split()) for n in range(20)]
    pairs.append(("zzz houses".split(), "yyy maisons".split()))
    with_stems, without = (
        probabilities(
            Aligner.train(bitext(pairs), Training(hmm_iterations=0, stem_weight=weight)), "to_right"
        )
        for weight in (2, 0)
    )
    assert with_stems["houses", "maisons"] > 1.5 * with_stems["houses", "yyy"]
    assert without["houses", "maisons"] == without["houses", "yyy"]


@given(LONGER)
@settings(max_examples=25, deadline=None)
def test_same_bytes_for_any_number_of_threads(pairs):
    text = bitext(pairs)
    first = Aligner.train(text)
    for threads in (2, 3):
        other = Aligner.train(text, threads=threads)
        assert first.arrays.keys() == other.arrays.keys()
        for name, array in first.arrays.items():
            assert array.tobytes() == other.arrays[name].tobytes()
    for heuristic in HEURISTICS:
        found = [first.align(text, heuristic=heuristic, threads=threads) for threads in (1, 2, 3)]
        assert len({b"".join(a.tobytes() for a in (*links, p)) for links, p in found}) == 1


@given(LONGER, st.floats(0, 1), st.sampled_from(HEURISTICS))
@settings(max_examples=40, deadline=None)
def test_links_are_sound(pairs, threshold, heuristic):
    text = bitext(pairs)
    links, values = Aligner.train(text).align(text, heuristic=heuristic, threshold=threshold)
    assert np.isfinite(values).all()
    assert (values >= 0).all()
    assert (values <= 1.00001).all()
    for number, (left, right) in enumerate(pairs):
        found = links.sentence(number)
        assert found == sorted(set(found))
        assert all(i < len(left) and j < len(right) for i, j in found)


def test_long_sentences_have_posteriors_too():
    words = [f"w{n % 90}" for n in range(200)]
    text = bitext([(words, words[::-1]), (words, words), (["w1"], words), ([], words)])
    links, values = Aligner.train(text).align(text, threshold=0)
    assert np.isfinite(values).all()
    assert links.bounds[-1] == links.bounds[-2]


def test_a_pair_that_is_too_long_has_no_links():
    text = bitext([(["a"] * 11, ["x"]), (["a"], ["x"])])
    links, _ = Aligner.train(text, Training(max_words=10)).align(text)
    assert [links.sentence(n) for n in (0, 1)] == [[], [(0, 0)]]


def test_nothing_at_all():
    text = Bitext(encode([], "none"), encode([], "none"))
    links, values = Aligner.train(text).align(text)
    assert links.bounds.tolist() == [0]
    assert len(values) == 0


def test_hash_seed_does_not_matter(tmp_path):
    code = (
        "import sys, hashlib\n"
        "from otherwords.build.bitext import *\n"
        "left, right = ['a big cat', 'cats', 'a dog'], ['the large cat', 'cat', 'dogs']\n"
        "text = Bitext(encode(left), encode(right))\n"
        "a = Aligner.train(text, Training(monolingual=True))\n"
        "a.save(sys.argv[1])\n"
        "digest = hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest()\n"
        "print(*pharaoh(*a.align(text)), digest)\n"
    )
    shown = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code, str(tmp_path / "model.owm")]
        shown.add(subprocess.check_output(command, env=environment))
    assert len(shown) == 1


def test_saved_and_opened_it_gives_the_same_links(tmp_path):
    pairs = [(f"the n{k % 9} v{k % 4}".split(), f"le m{k % 9} w{k % 4}".split()) for k in range(40)]
    text = bitext(pairs)
    aligner = Aligner.train(text)
    aligner.save(tmp_path / "m.owm")
    opened = Aligner.load(tmp_path / "m.owm")
    assert opened.training == aligner.training
    new = bitext([("v1 unknown the".split(), "le w1 nouveau".split()), *pairs[::-1]])
    for given_text in (text, new):
        one, other = aligner.align(given_text), opened.align(given_text)
        assert [a.tobytes() for a in one[0]] == [a.tobytes() for a in other[0]]
        assert one[1].tobytes() == other[1].tobytes()
    # Words that it does not know are linked by their places, for want of better.
    assert opened.align(new)[0].sentence(0) == [(0, 1), (1, 2), (2, 0)]
    opened.save(tmp_path / "again.owm")
    assert (tmp_path / "again.owm").read_bytes() == (tmp_path / "m.owm").read_bytes()


def test_new_words_that_look_alike_are_linked_within_one_language():
    text = bitext([("a cat sat".split(), "the cat sat".split())] * 5)
    aligner = Aligner.train(text, Training(monolingual=True))
    new = bitext([("unheard-of zebras".split(), "zebras unheard-of".split())])
    assert aligner.align(new)[0].sentence(0) == [(0, 1), (1, 0)]
    assert Aligner.train(text).align(new)[0].sentence(0) == [(0, 0), (1, 1)]


def _changed(aligner, name, array):
    arrays = {**aligner.arrays, name: array}
    return Aligner(arrays, aligner.left, aligner.right, aligner.training)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("rows", lambda a: a[::-1].copy()),
        ("rows", lambda a: a[:-1]),
        ("rows", lambda a: a.astype(np.int64)),
        ("to_right", lambda a: np.full_like(a, np.nan)),
        ("to_left", lambda a: a + 2),
        ("left_share", lambda a: -a),
        ("right_jumps", lambda a: np.zeros_like(a)),
        ("left_jumps", lambda a: a[1:]),
        ("right_jumps", lambda a: np.full_like(a, np.inf)),
    ],
)
def test_a_model_with_unsound_arrays_is_refused(tmp_path, name, change):
    aligner = Aligner.train(bitext([("a b".split(), "x y".split())]))
    broken = _changed(aligner, name, change(aligner.arrays[name]))
    broken.save(tmp_path / "m.owm")
    with pytest.raises(ModelError, match=r"m\.owm"):
        Aligner.load(tmp_path / "m.owm")


def test_a_model_without_an_array_is_refused(tmp_path):
    aligner = Aligner.train(bitext([(["a"], ["x"])]))
    aligner.save(tmp_path / "m.owm")
    model = container.read(tmp_path / "m.owm")
    for name in model.arrays:
        rest = {key: array for key, array in model.arrays.items() if key != name}
        container.write(tmp_path / "less.owm", "aligner", rest, model.provenance)
        with pytest.raises(ModelError, match=r"less\.owm"):
            Aligner.load(tmp_path / "less.owm")
    for provenance in ({}, {"training": 3}, {"training": {"alpha": -1}}, {"training": {"x": 1}}):
        container.write(tmp_path / "odd.owm", "aligner", model.arrays, provenance)
        with pytest.raises(ModelError, match=r"odd\.owm"):
            Aligner.load(tmp_path / "odd.owm")


def test_options_out_of_range():
    text = bitext([(["a"], ["x"])])
    for wrong in ({"alpha": math.nan}, {"null_probability": 1}, {"model1_iterations": 0}):
        with pytest.raises(UsageError):
            Training(**wrong)
    aligner = Aligner.train(text)
    with pytest.raises(UsageError, match="did you mean 'grow-diag'"):
        aligner.align(text, heuristic="grow-dia")
    with pytest.raises(UsageError, match="threshold"):
        aligner.align(text, threshold=math.nan)
    with pytest.raises(UsageError, match="threads"):
        Aligner.train(text, threads=0)


# Symmetrisation

MATRIX = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


def linked(*sentences):
    flat = [link for links in sentences for link in sorted(links)]
    bounds = np.cumsum([0, *(len(links) for links in sentences)]).astype(np.int64)
    left, right = (np.array([link[k] for link in flat], np.uint32) for k in (0, 1))
    return Links(left, right, bounds)


@given(st.lists(st.tuples(MATRIX, MATRIX), max_size=4), st.sampled_from(SYMMETRISATIONS))
@settings(max_examples=200, deadline=None)
def test_symmetrisation_is_koehns(pairs, heuristic):
    found = symmetrise(
        linked(*(there for there, _ in pairs)), linked(*(back for _, back in pairs)), heuristic
    )
    for number, (there, back) in enumerate(pairs):
        expected = oracle.symmetrise(there, back, heuristic)
        assert found.sentence(number) == sorted(expected)


@given(MATRIX, MATRIX)
@settings(max_examples=100, deadline=None)
def test_symmetrisations_contain_each_other(there, back):
    found = {
        name: set(symmetrise(linked(there), linked(back), name).sentence(0))
        for name in SYMMETRISATIONS
    }
    for last in ("grow-diag-final", "grow-diag-final-and"):
        for small, large in pairwise(("intersection", "grow-diag", last, "union")):
            assert found[small] <= found[large]


def test_symmetrisation_by_hand():
    """From 0-0, 1-1 and then 2-1 are grown; 5-4 joins two words alone, 5-5 then only one."""
    there = linked({(0, 0), (1, 1), (2, 1), (3, 3)})
    back = linked({(0, 0), (3, 3), (5, 4), (5, 5)})
    both, grown = [(0, 0), (3, 3)], [(0, 0), (1, 1), (2, 1), (3, 3)]
    assert symmetrise(there, back, "intersection").sentence(0) == both
    assert symmetrise(there, back, "grow-diag").sentence(0) == grown
    assert symmetrise(there, back, "grow-diag-final-and").sentence(0) == [*grown, (5, 4)]
    assert symmetrise(there, back, "grow-diag-final").sentence(0) == [*grown, (5, 4), (5, 5)]


def test_symmetrisation_refuses_what_does_not_fit():
    with pytest.raises(UsageError, match="did you mean 'union'"):
        symmetrise(linked(), linked(), "unions")
    with pytest.raises(InputError, match="number of sentences"):
        symmetrise(linked({(0, 0)}), linked(), "union")
    with pytest.raises(InputError, match="10,000 words"):
        symmetrise(linked({(4_000_000_000, 0)}), linked({(0, 0)}), "union")
    with pytest.raises(InputError, match="do not fit"):
        symmetrise(linked({(0, 0)})._replace(bounds=np.array([0, 9])), linked({(0, 0)}), "union")


# LinkAgreement


@given(st.lists(st.tuples(MATRIX, MATRIX, MATRIX), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_agreement_is_that_of_och_and_ney(rows):
    words = tuple("abcdefg")
    gold = [Gold(words, words, frozenset(s), frozenset(s | p)) for _, s, p in rows]
    proposed = [a for a, _, _ in rows]
    score = agreement(proposed, gold)
    if not any(a or s for a, s, _ in rows):
        assert score.aer == 0
        return
    expected = oracle.aer(proposed, [s for _, s, _ in rows], [p for _, _, p in rows])
    assert (score.precision, score.recall, score.f1, score.aer) == pytest.approx(expected)


def test_agreement_by_hand():
    gold = [Gold(("a", "b"), ("A", "c"), frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (1, 1)}))]
    score = agreement([[(0, 0), (0, 1)]], gold)
    assert (score.precision, score.recall, score.f1, score.aer) == (0.5, 0.5, 0.5, 0.5)
    # a and A are the same word, b and c are not.
    score = between_different_words([[(0, 0), (0, 1)]], gold)
    assert (score.proposed, score.sure, score.right_sure) == (1, 1, 0)
    assert (score.precision, score.recall, score.f1, score.aer) == (0, 0, 0, 1)


def test_one_language_is_recognised():
    english = ["The old house is on a hill .", "We have seen it from the road ."]
    other = ["The house on the hill is old .", "From the road we saw it ."]
    french = ["La vieille maison est sur une colline .", "Nous l' avons vue de la route ."]
    assert looks_monolingual(Bitext(encode(english), encode(other)))
    assert not looks_monolingual(Bitext(encode(english), encode(french)))
    assert not looks_monolingual(Bitext(encode(french), encode(french)))


# Real text


@pytest.mark.data
def test_french(shared):
    rows = read_gold(str(shared / "alignment" / "fren-hansards-dev.jsonl.gz"))
    rows = [row.swapped() for row in rows]
    judged = GoldText.of(rows, ("penn", "words"), case=False)
    path = shared / "bitext" / "europarl-fr.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        lines = [line.rstrip("\n").split("\t") for line in islice(file, 10_000)]
    sides = zip(*lines, strict=True)
    more = Bitext(
        *(encode(side, name) for side, name in zip(sides, ("penn", "words"), strict=True))
    )
    aligner = Aligner.train(join_bitexts(judged.bitext, more))
    score = agreement(judged.links(aligner.align(judged.bitext)[0]), rows)
    assert score.aer < 0.14


@pytest.mark.data
def test_english(shared):
    rows = read_gold(str(shared / "alignment" / "edinburgh-train.jsonl.gz"))
    judged = GoldText.of(rows, ("penn", "penn"), case=False)
    assert looks_monolingual(judged.bitext)
    aligner = Aligner.train(judged.bitext, Training(monolingual=True))
    found = judged.links(aligner.align(judged.bitext)[0])
    assert agreement(found, rows).aer < 0.135
    score = between_different_words(found, rows)
    assert score.recall > 0.38
    assert score.precision > 0.72


@pytest.mark.data
def test_all_lines_of_a_real_bitext_are_kept_in_step(shared):
    pairs = read_text_pairs([str(shared / "bitext" / "docs-de.tsv.gz")])
    assert len(pairs.left) == len(pairs.right) == pairs.report.read


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("work", ["train", "align"])
def test_ctrl_c_is_answered_within_a_second(work, threads):
    """One iteration, or the alignment, of this text takes many seconds."""
    calls = {
        "train": f"Aligner.train(bitext, Training(1, 1), threads={threads})",
        "align": f"small.align(bitext, threads={threads})",
    }
    assert interrupted(LONG_BITEXT, calls[work]) < 5  # below one on a machine that is not busy


LONG_BITEXT = """
import numpy as np
from otherwords.build.bitext import Aligner, Bitext, Side, Training, encode
pairs, words = 30_000, 40
draw = np.random.default_rng(3)
vocabulary = [f"w{number}" for number in range(500)]
bounds = np.arange(0, (pairs + 1) * words, words)
bitext = Bitext(
    *(
        Side(draw.integers(0, 500, pairs * words).astype(np.uint32), bounds, vocabulary)
        for _ in range(2)
    )
)
small = Aligner.train(Bitext(*(encode(["w1 w2"], "none") for _ in range(2))))
"""
