"""Estimating and querying language models, against the equations and against KenLM."""

from __future__ import annotations

import gzip
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import _build
from otherwords.build.lm import LanguageModel, estimate, load_model, save_model
from otherwords.build.lm.estimation import TextEncoder, estimate_ids
from otherwords.errors import InputError, ModelError, UsageError
from tests.oracles.kneser_ney import KneserNey

WORDS = st.sampled_from("a b c d e f".split())
SENTENCES = st.lists(st.lists(WORDS, max_size=8), min_size=1, max_size=30)
QUERIES = [[], ["a"], ["a", "b", "c"], ["z", "a"], ["b", "b", "z", "a", "a", "c", "d"]]


def joined(sentences):
    return [" ".join(sentence) for sentence in sentences]


def same_scores(model, oracle, sentences):
    expected = [oracle.log10(sentence) for sentence in sentences]
    np.testing.assert_allclose(model.score(joined(sentences)), expected, atol=2e-4)
    np.testing.assert_allclose(model.score(sentences), expected, atol=2e-4)


@given(SENTENCES, st.integers(1, 5))
@settings(max_examples=150, deadline=None)
def test_the_model_is_that_of_the_equations(sentences, order):
    model = estimate(joined(sentences), order=order, tokenizer="none")
    oracle = KneserNey(sentences, order)
    same_scores(model, oracle, sentences + QUERIES)
    found = model.provenance["discounts"]
    np.testing.assert_allclose(found, [list(d) for d in oracle.discounts[1:]])


@given(SENTENCES, st.integers(2, 4), st.lists(st.integers(0, 3), min_size=1, max_size=2))
@settings(max_examples=80, deadline=None)
def test_pruning_by_count_is_that_of_the_equations(sentences, order, thresholds):
    prune = [0, *sorted(thresholds)][:order]
    model = estimate(joined(sentences), order=order, tokenizer="none", prune=prune)
    oracle = KneserNey(sentences, order, prune=prune)
    same_scores(model, oracle, sentences + QUERIES)
    assert sum(model.sizes) == len(oracle.probability) + 1  # <s>


@given(SENTENCES, st.integers(2, 4), st.sampled_from([1e-5, 1e-3, 1e-2]))
@settings(max_examples=60, deadline=None)
def test_entropy_pruning_is_that_of_the_equations(sentences, order, threshold):
    # A threshold that no n-gram hits exactly: rounding must not decide.
    threshold *= 1.01234567
    model = estimate(joined(sentences), order=order, tokenizer="none", prune_entropy=threshold)
    oracle = KneserNey(sentences, order)
    oracle.prune_by_entropy(threshold)
    if sum(model.sizes) == len(oracle.probability) + 1:
        same_scores(model, oracle, sentences + QUERIES)
    else:  # floats and doubles may disagree about a borderline n-gram, not about many
        assert abs(sum(model.sizes) - len(oracle.probability) - 1) <= 2


@given(SENTENCES, st.integers(1, 4), st.sampled_from([0.0, 1e-3]))
@settings(max_examples=60, deadline=None)
def test_probabilities_of_all_words_sum_to_one(sentences, order, threshold):
    model = estimate(
        joined(sentences),
        order=order,
        tokenizer="none",
        prune=[0, 1][:order],
        prune_entropy=threshold,
    )
    vocabulary = {word for sentence in sentences for word in sentence} | {"unseen"}
    for context in ([], ["a"], ["a", "b"], ["c", "a", "b"]):
        rows = [model.tokens([*context, word])[len(context)] for word in sorted(vocabulary)]
        total = sum(10**log10 for _, log10, _ in rows) + 10 ** model.tokens(context)[-1][1]
        assert total == pytest.approx(1, abs=1e-4)


def test_a_bigram_model_by_hand():
    # "a b" and "a c": discounts fall back to .5, 1, 1.5 (no counts of 2 among the unigrams).
    model = estimate(["a b", "a c"], order=2, tokenizer="none")
    assert model.provenance["fallback"] == [1, 2]
    # Adjusted counts: a 1 (after <s>), b 1, c 1, </s> 2: 5 in all; each leaves its discount,
    # 3 x .5 + 1 = 2.5, to the five words a, b, c, </s>, <unk>.
    share = 2.5 / 5 / 5
    b = 0.5 / 5 + share
    # After a: b once, c once; they leave 2 x .5 of 2.
    after_a = 0.5 / 2 + 0.5 * b
    assert model.tokens("a b")[1][1] == pytest.approx(math.log10(after_a), abs=1e-6)
    word, unknown, length = model.tokens("z")[0]
    assert (word, length) == ("z", 0)
    after_begin = 1 / 2  # <s> a twice, discount 1 of 2
    assert unknown == pytest.approx(math.log10(after_begin * share), abs=1e-6)


@pytest.mark.data
def test_the_answers_of_lmplz(shared):
    with gzip.open(shared / "bitext" / "multi30k-en-de.tsv.gz", "rt", encoding="utf-8") as file:
        lines = [line.split("\t")[0] for line in file]
    model = estimate(lines[:20000], order=4, tokenizer="none", threads=2)
    golden = np.loadtxt(shared / "lm" / "kenlm-order4.tsv")
    scores = model.scores(lines[-200:])
    np.testing.assert_allclose(scores.log10, golden[:, 0], atol=1e-4)
    assert scores.unknown.tolist() == golden[:, 1].tolist()
    printed = [[float(f"{d:.6g}") for d in order] for order in model.provenance["discounts"]]
    assert printed[0] == [0.645481, 1.05499, 1.36234]
    assert printed[3] == [0.89859, 1.15914, 1.37431]


def test_threads_and_batches_change_nothing(text):
    one = estimate(text, order=3, threads=1)
    many = estimate(iter(text), order=3, threads=7)
    assert one.digest == many.digest
    assert one.score(text * 30).tobytes() == one.score(text * 30, threads=5).tobytes()


@pytest.fixture(scope="module")
def text():
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(300)]
    weights = 1 / np.arange(1, 301)
    weights /= weights.sum()
    return [" ".join(rng.choice(words, rng.integers(0, 15), p=weights)) for _ in range(1500)]


@pytest.fixture(scope="module")
def model(text):
    return estimate(text, order=4)


def test_quantised_models_are_small_and_near(model, text):
    small = estimate(text, order=4, quantize=8)
    assert small.nbytes / sum(small.sizes) < 6
    assert small.scores(text).perplexity() == pytest.approx(
        model.scores(text).perplexity(), rel=0.05
    )
    assert estimate(text, order=4, quantize=4).nbytes < small.nbytes


def test_few_values_are_quantised_exactly():
    text = ["a b", "a c", "b c a"]
    exact, coded = (estimate(text, order=3, quantize=bits) for bits in (0, 8))
    assert coded.score(["a b c"]) == exact.score(["a b c"])


def test_pruning_loses_little_for_much(model, text):
    pruned = estimate(text, order=4, prune_entropy=1e-5)
    assert sum(pruned.sizes) < sum(model.sizes)
    assert pruned.sizes[0] == model.sizes[0]
    assert estimate(text, order=4, prune_entropy=1e-4).nbytes < pruned.nbytes


def test_a_model_of_a_given_size(text, model):
    budget = model.nbytes // 3
    small = estimate(text, order=4, quantize=8, max_bytes=budget)
    assert 0.9 * budget < small.nbytes <= budget
    assert estimate(text, order=4, max_bytes=10**9).digest == model.digest
    with pytest.raises(UsageError, match="raise min_count"):
        estimate(text, order=4, max_bytes=100)


def test_rare_words_count_as_unknown():
    text = ["a b", "a b", "a x"]
    model = estimate(text, order=2, min_count=2)
    assert model.sizes[0] == 5
    assert model.score(["a x"]) == model.score(["a y"])
    assert model.scores(["a x", "a b"]).unknown.tolist() == [1, 0]
    assert model.score(["a x"])[0] > estimate(text, order=2).score(["a y"])[0]


def test_case_and_tokenizer_are_the_models_own(tmp_path):
    folded = estimate(["The cat.", "A cat."], order=2)
    assert folded.scores(["THE CAT."]).unknown.tolist() == [0]
    kept = estimate(["The cat.", "A cat."], order=2, tokenizer="none")
    assert kept.scores(["The cat.", "the cat ."]).unknown.tolist() == [0, 3]
    save_model(kept, tmp_path / "kept.owm")
    assert load_model(tmp_path / "kept.owm").signature == kept.signature
    save_model(kept, tmp_path / "kept.arpa")
    assert load_model(tmp_path / "kept.arpa").case  # it has capitals
    save_model(folded, tmp_path / "folded.arpa")
    assert load_model(tmp_path / "folded.arpa").signature == folded.signature


def test_perplexity(model, text):
    scores = model.scores(["w1 unseen", "w2"])
    assert scores.tokens.tolist() == [2, 1]
    assert scores.perplexity() == pytest.approx(10 ** (-scores.log10.sum() / 5))
    each = model.tokens("w1 unseen")
    rest = scores.log10.sum() - each[1][1]
    assert scores.perplexity(unknown=False) == pytest.approx(10 ** (-rest / 4))
    assert model.scores([]).perplexity() == 0
    assert sum(log10 for _, log10, _ in each) == pytest.approx(scores.log10[0])


def test_empty_lines_are_sentences():
    model = estimate(["", "", "a"], order=3)
    assert model.sizes == [4, 3, 1]
    assert model.score([""])[0] > model.score(["a"])[0]
    assert np.isfinite(estimate([""], order=4).score(["", "x y"])).all()


def test_words_of_the_model_are_unknown_in_a_text(model):
    assert model.scores(["<s> </s> <unk>"]).unknown.tolist() == [9]  # < s > < /s > < unk >
    assert model.scores([["<s>", "</s>", "<unk>"]]).unknown.tolist() == [3]


def test_long_sentences_and_odd_characters(model):
    long = " ".join(["w1"] * 20000)
    assert np.isfinite(model.score([long, "\u2028 \x0b é 漢字 \U0001f600"])).all()
    assert model.scores([long]).tokens.tolist() == [20000]


def test_bad_arguments(text, model):
    for options, message in [
        ({"order": 0}, "order must be"),
        ({"order": 11}, "order must be"),
        ({"prune": [1]}, "the first threshold must be 0"),
        ({"prune": [0, 2, 1]}, "must not fall"),
        ({"prune": [0] * 5}, "5 thresholds"),
        ({"prune_entropy": math.nan}, "prune_entropy must be"),
        ({"quantize": 9}, "quantize must be"),
        ({"quantize": 1}, "from 2 to 8 bits"),
        ({"tokenizer": "moses"}, "unknown tokenizer"),
        ({"threads": 0}, "threads must be"),
        ({"min_count": 0}, "min_count must be"),
    ]:
        with pytest.raises(UsageError, match=message):
            estimate(text[:20], **options)
    with pytest.raises(InputError, match="no text"):
        estimate([])
    with pytest.raises(InputError, match=r"sentence:2: .* reserved word </s>"):
        estimate(["a", "b </s>"], tokenizer="none")
    with pytest.raises(UsageError, match="not one string"):
        estimate("a b c")
    with pytest.raises(UsageError, match="not one string"):
        model.score("a b c")
    for wrong in ([1], [None], ["a", 1], [["a"], [1]], ["\ud800"]):
        with pytest.raises(InputError):
            model.score(wrong)
    with pytest.raises(UsageError, match="not among the words"):
        estimate_ids(np.array([5], np.uint32), np.array([0, 1]), ["a"])


def test_encoder_leaves_symbols_out_on_request():
    encoder = TextEncoder("none", skip_symbols=True)
    encoder.add(["<s> a </s>", "b"])
    tokens, bounds, words = encoder.take()
    assert (tokens.tolist(), bounds.tolist(), words) == ([0, 1], [0, 1, 2], ["a", "b"])


def test_damaged_arrays_never_crash(text, tmp_path):
    """Whatever the numbers say: an error on opening, or a finite or any score, no crash."""
    rng = np.random.default_rng(3)
    for bits in (0, 8):
        model = estimate(text[:300], order=4, quantize=bits)
        for name, array in model.arrays.items():
            for _ in range(3):
                broken = dict(model.arrays)
                noise = rng.integers(0, 256, array.nbytes, dtype=np.uint8)
                broken[name] = noise.view(array.dtype)
                try:
                    other = LanguageModel(broken)
                except ValueError:
                    continue
                other.score(text[:50])
                _build.unpack(other.native)
            if name != "sizes":  # a model may have fewer orders
                broken[name] = array[:-1]
                with pytest.raises((ValueError, RuntimeError)):
                    LanguageModel(broken)
            del broken[name]
            with pytest.raises((ValueError, RuntimeError)):
                LanguageModel(broken)


def test_a_damaged_or_wrong_file_is_refused(model, tmp_path):
    path = tmp_path / "lm.owm"
    save_model(model, path)
    data = bytearray(path.read_bytes())
    data[-10] ^= 1
    path.write_bytes(data)
    with pytest.raises(ModelError, match="damaged"):
        load_model(path)
    path.write_bytes(data[:-100])
    with pytest.raises(ModelError, match="truncated"):
        load_model(path)
    from otherwords.models.container import embedded

    with pytest.raises(ModelError, match="this is a lexicon model"):
        load_model(embedded("lexicon"))
