"""PEM, its features and its parts (PEM §4) against the paper and naive twins."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords import InputError, ModelError, Sentence, UsageError
from otherwords.build.lm import estimate
from otherwords.metrics.difference import Difference
from otherwords.metrics.fluency import Fluency
from otherwords.metrics.meaning import Meaning
from otherwords.metrics.pairs import Pairs, Reading, word_f1
from otherwords.metrics.pem import Pem, PemAdequacy, PemDissimilarity, PemFeatures, PemFluency
from otherwords.metrics.pivots import Bags
from otherwords.metrics.rewrite import OtherwordsRewrite
from otherwords.models import paraphrase_model as paraphrase
from otherwords.models.paraphrase_model import ParaphraseModel
from tests.oracles import pivot_bags as oracle
from tests.pem_inputs import GOLDEN, HELLO, MORNING, packed

NAMES = ["pem", "pem.adequacy", "pem.fluency", "pem.dissimilarity"]
NAMES += ["otherwords-rewrite", "meaning", "fluency", "difference"]
AS_GIVEN = {"tokenizer": "none", "case": True, "stem": False}
WORDWISE = {"orders": 1, "edge_threshold": 0, "ngram_threshold": 0, "renormalise": True}
UNPRUNED = {"orders": 4, "edge_threshold": 0, "ngram_threshold": 0}
PLAIN = Reading(**AS_GIVEN)


@pytest.fixture
def model(tmp_path):
    """Writes a paraphrase model: `model(fr=rows, de=rows)` gives its path."""

    def written(lm=None, name="model.owm", **languages):
        path = tmp_path / name
        pivots = {language: packed(rows) for language, rows in languages.items()}
        provenance = {} if lm is None else {"lm": {"model": {}}}
        paraphrase.write(path, pivots, None if lm is None else lm.arrays, provenance)
        return path

    return written


# --- the example of the paper


@pytest.mark.parametrize("renormalise", [False, True])
def test_golden_score(model, renormalise):
    options = {"model": model(fr=GOLDEN), "renormalise": renormalise, **UNPRUNED, **AS_GIVEN}
    there = otherwords.score("pem.adequacy", [HELLO], sources=[MORNING], **options)
    back = otherwords.score("pem.adequacy", [MORNING], sources=[HELLO], **options)
    assert there.corpus == pytest.approx(0.38, rel=1e-9)
    assert there.corpus == back.corpus == there.segments[0]
    assert there.parts == {}
    assert "orders:4|edge:0|ngram:0" in there.signature


def test_golden_explanation(model):
    options = {"model": model(fr=GOLDEN), "renormalise": True, **UNPRUNED, **AS_GIVEN}
    reported = otherwords.score("pem.adequacy", [HELLO], sources=[MORNING], **options).explain(0)
    french = reported.details["fr"]
    assert french["hypothesis"] == ["Hello ,", "Querrien", "."]
    assert french["compared with"] == ["Morning , sir ."]
    assert french["shared"] == pytest.approx({",": 1.0, ".": 1.0, "Bonjour": 0.9, "Bonjour ,": 0.9})
    assert french["f1"] == reported.score
    assert reported.score == pytest.approx(2 * sum(french["shared"].values()) / 20, abs=1e-4)


def test_settings_of_the_paper():
    assert Bags() == Bags(4, 4, 0.1, 0.01, False)
    assert Pem().features.pivots.settings == {
        **vars(Bags()),
        "languages": ["zh"],
        "tokenizer": "penn",
        "case": False,
        "stem": True,
    }


# --- features


WORDS = st.lists(st.sampled_from("abc"), max_size=9)


@settings(max_examples=200, deadline=None)
@given(WORDS, WORDS, st.integers(1, 8))
def test_target_f1_equals_counting(left, right, orders):
    pairs = Pairs.of([" ".join(left)], [" ".join(right)], PLAIN)
    expected = [oracle.word_f1(left, right, longest) for longest in range(1, orders + 1)]
    assert word_f1(pairs, orders, 1)[0].tolist() == pytest.approx(expected, abs=1e-12)
    metric = PemDissimilarity(orders=orders, tokenizer="none")
    found = metric.statistics([" ".join(left)], sources=[" ".join(right)])[0, 0]
    assert found == pytest.approx(1 - expected[-1], abs=1e-12)


TEXTS = [
    "She left the house early.",
    "Nobody knew why the ship had changed its course.",
    "Zxqv frobnicates!",
    "",
]


def test_fluency_is_the_mean_of_the_words_and_the_end():
    lm = ParaphraseModel.load().language_model
    found = PemFluency().statistics(TEXTS, sources=TEXTS[::-1])[:, 0]
    scores = lm.scores(TEXTS)
    rare = np.log10(lm.sizes[0])  # an unknown word is one of as many as there are known ones
    total = lm.score(TEXTS) - rare * scores.unknown
    assert found.tolist() == (total / (scores.tokens + 1)).tolist()
    means = [
        np.mean([log10 - rare * (length == 0) for _, log10, length in lm.tokens(text)])
        for text in TEXTS
    ]
    assert found.tolist() == pytest.approx(means, rel=1e-6)


def test_fluency_of_a_model_of_ones_own(model):
    lm = estimate(["the cat sat", "the dog sat", "a dog ran"], order=3)
    path = model(lm, fr=GOLDEN)
    metric = PemFluency(model=path)
    found = metric.statistics(["the dog ran"], sources=["x"])[0, 0]
    assert found == pytest.approx(lm.score(["the dog ran"])[0] / 4)


DOG = [("dog", "chien", 3, 1.0), ("hound", "chien", 3, 1.0)]
CAT = [("cat", "Katze", 3, 1.0), ("dog", "Hund", 3, 1.0)]


def pivots(path, left, right, **options):
    metric = PemAdequacy(model=path, **WORDWISE, **AS_GIVEN, **options)
    return metric.statistics([left], sources=[right])[0, :2].tolist()


def test_languages_that_know_nothing_do_not_count(model):
    path = model(fr=DOG, de=CAT, es=[("bird", "pájaro", 1, 1.0)])
    # French: the same bag; German knows `dog`: nothing in common; Spanish knows neither word.
    assert pivots(path, "dog", "hound") == [0.5, 0.5]
    assert pivots(path, "dog", "hound", languages=["fr"]) == [1, 0]
    assert pivots(path, "dog", "hound", languages="es,fr") == [1, 0]
    assert pivots(path, "dog", "hound", languages="es") == [0, 0]
    # Nobody knows a word: each stands for itself in all languages.
    assert pivots(path, "red fish", "red herring") == [0.5, 0]


def test_mean_and_spread_of_three_languages(model):
    path = model(fr=DOG, de=CAT, it=[("dog", "cane", 3, 1.0), ("cat", "cane", 3, 1.0)])
    # fr: chien is / cat is, 1/2; de: Hund is / Katze is, 1/2; it: cane is / cane is, 1.
    assert pivots(path, "dog is", "cat is") == pytest.approx([2 / 3, np.std([0.5, 0.5, 1])])


def test_languages_option(model):
    path = model(fr=DOG, de=CAT)
    assert PemAdequacy(model=path, languages=["fr", "de", "fr"]).pivots.languages == ["de", "fr"]
    assert "pivots:de|" in PemAdequacy(model=path, languages="de").signature
    with pytest.raises(UsageError, match="no pivot language 'fi'"):
        PemAdequacy(model=path, languages="fi")
    with pytest.raises(ModelError, match="no pivot language"):
        PemAdequacy(model=model(name="none.owm"))


@pytest.mark.parametrize("languages", [5, [3], []])
def test_languages_that_are_no_names(languages):
    with pytest.raises(UsageError, match="languages"):
        PemAdequacy(languages=languages)


def test_a_model_without_a_language_model(model):
    path = model(fr=DOG)
    assert PemAdequacy(model=path).statistics(["dog"], sources=["hound"])[0, 0] == 1
    for metric in (PemFluency(model=path), Fluency(model=path)):
        with pytest.raises(ModelError, match=r"model\.owm: the model has no language model.*--lm"):
            metric.statistics(["dog"], sources=["hound"])
    for metric in (Pem(model=path, regression=regression_for(path)), OtherwordsRewrite(model=path)):
        with pytest.raises(ModelError, match=r"model\.owm: the model has no language model"):
            metric.statistics(["dog"], sources=["hound"])


def regression_for(path):
    """The embedded regression as if it had been trained with another model."""
    known = Pem().regression
    model = ParaphraseModel.load(path)
    settings = {**known.provenance["settings"], "languages": sorted(model.pivots)}
    saved = path.with_name("other.pem")
    provenance = {**known.provenance, "model": model.digest, "settings": settings}
    replace(known, provenance=provenance, seen=None).save(saved)
    return saved


# --- metrics


def test_pruned_bags_are_not_equal():
    metric = PemAdequacy(ngram_threshold=1, tokenizer="none")
    assert metric.statistics(["zebras"], sources=["quarks"])[0, 0] == 0


def test_the_best_of_several_references_counts(model):
    path = model(fr=DOG, de=CAT)
    metric = PemAdequacy(model=path, against="references", **WORDWISE, **AS_GIVEN)
    several = ["cat", "hound", "dog house"]
    alone = [metric.statistics(["dog"], [[text]])[0].tolist() for text in several]
    assert metric.statistics(["dog"], [several])[0].tolist() == max(alone)
    assert metric.statistics(["dog", "cat"], [several, ["cat"]])[:, 0].tolist() == [2 / 3, 1]
    result = otherwords.score(metric, ["dog"], [several], any_language=True)
    assert result.explain(0).details["fr"]["compared with"] == ["dog", "house"]


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("meaning", "otherwords-rewrite")])
def test_a_sentence_equals_its_tokens(name):
    left, right = "The Dogs were barking , loudly .", "Dogs barked loudly at 3.5 % ."
    given = [Sentence.from_tokens(text.split()) for text in (left, right)]
    text = otherwords.score(name, [left], sources=[right], tokenizer="none")
    for pair in (given, [given[0], right], [left, given[1]]):
        tokens = otherwords.score(name, [pair[0]], sources=[pair[1]], tokenizer="none")
        assert tokens.statistics.tolist() == text.statistics.tolist()
    own = otherwords.score(name, given[:1], sources=given[1:])
    assert own.statistics.tolist() == text.statistics.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_are_defined(name):
    odd = ["", " ", "word", "\x00", "é", "?!", "word " * 300, "\u3000"]
    left, right = zip(*product(odd, odd), strict=True)
    metric = otherwords.metrics.registry.metric(name)
    rows = metric.statistics(left, sources=right)
    low, high = metric.traits.range
    assert np.isfinite(rows).all()
    assert ((rows[:, 0] >= low) & (rows[:, 0] <= high)).all()
    for threads in (2, 5):
        again = metric.statistics(left, sources=right, threads=threads)
        assert again.tobytes() == rows.tobytes()


def test_empty_texts():
    def of(metric, left, right):
        return metric.statistics([left], sources=[right])[0, 0]

    for metric in (Meaning(), PemAdequacy()):
        assert of(metric, "", "") == of(metric, "word", "word") == 1
    assert max(of(Meaning(), "", "word"), of(Meaning(), "word", "")) < 0.1
    assert of(PemAdequacy(), "", "word") == of(PemAdequacy(), "word", "") == 0
    assert of(PemDissimilarity(), "", "") == of(Difference(), "", "") == 0
    assert of(PemDissimilarity(), "", "word") == 1
    assert of(Difference(), "", "word") == 0  # no other words
    assert of(OtherwordsRewrite(), "", "She left the house early .") < 0.15


def test_case(model):
    path = model(fr=[("Polish", "polonais", 2, 1.0), ("polish", "polir", 2, 1.0)])

    def adequacy(left, right, **options):
        return PemAdequacy(model=path, **WORDWISE, **options).statistics([left], sources=[right])[
            0, 0
        ]

    assert adequacy("Polish", "polish", stem=False) == 1
    assert adequacy("Polish", "polish", stem=False, case=True) == 0
    assert adequacy("Polish", "polish", case=True) == 0
    # With stems, `polish` is looked up as `polish`, a capitalised word as it is.
    assert adequacy("Polish shoes", "Polish shoe", case=True) == 1
    assert adequacy("Polish Shoes", "Polish Shoe", case=True) == 0.5


def test_stems_meet():
    left, right = ["dogs barking"], ["dog barked"]
    for metric in (PemDissimilarity(), Difference()):
        assert metric.statistics(left, sources=right)[0, 0] == 0
    assert PemDissimilarity(stem=False).statistics(left, sources=right)[0, 0] == 1


def test_another_model_than_the_regression_was_trained_with(model):
    path = model(fr=DOG, de=CAT, es=DOG, zh=DOG)
    with pytest.raises(UsageError, match="trained with the paraphrase model") as refused:
        Pem(model=path)
    assert ParaphraseModel.load(path).digest in str(refused.value)
    assert "otherwords train " in str(refused.value)
    Pem(model=path, regression=regression_for(path))


def test_three_features_by_hand(model):
    """§4.3's example with the paper's thresholds: the edge of exactly .1 falls, the others stay."""
    path = model(estimate([HELLO, MORNING, "Hello , sir ."], order=2), fr=GOLDEN)
    features = PemFeatures(model=path, **AS_GIVEN).measure([HELLO], [MORNING])
    # Without Salut, and not renormalised, `Bonjour ,` weighs .9 with all n-grams it is in: the bag
    # 3.8 + 2.8 + 1.8 + .9 against 10. Common: Bonjour and its comma .9, the period 1, both .9.
    assert features[0, 0] == pytest.approx(2 * 3.7 / (9.3 + 10))
    # Of the English n-grams `,` and `.` are shared: 2 of 10 on both sides.
    assert features[0, 2] == pytest.approx(0.2)
    fluency = PemFluency(model=path, tokenizer="none", case=True)
    assert features[0, 1] == fluency.statistics([HELLO], sources=[MORNING])[0, 0]


def test_pem_is_its_parts_joined():
    left, right = TEXTS[:3], ["She did not leave early.", "No one knew why.", "A different thing!"]
    rows = Pem().statistics(left, sources=right)
    parts = [
        metric.statistics(left, sources=right)[:, 0]
        for metric in (PemAdequacy(), PemFluency(), PemDissimilarity())
    ]
    assert rows[:, 1:4].T.tolist() == [part.tolist() for part in parts]
    adequacy, fluency, dissimilarity = parts
    joined = Pem().regression.predict(np.column_stack([adequacy, fluency, 1 - dissimilarity]))
    assert rows[:, 0].tolist() == pytest.approx(joined.tolist())


@pytest.mark.parametrize(
    "options",
    [
        {"longest": 0},
        {"longest": 17},
        {"orders": 0},
        {"orders": 9},
        {"edge_threshold": -0.1},
        {"edge_threshold": float("nan")},
        {"ngram_threshold": 1.1},
        {"renormalise": "yes"},
        {"stem": 1},
        {"tokenizer": "nltk"},
        {"model": 5},
    ],
)
def test_options_out_of_range(options):
    with pytest.raises(UsageError):
        otherwords.score("pem.adequacy", ["a"], sources=["b"], **options)


def test_sources_are_needed():
    with pytest.raises(UsageError, match="needs sources"):
        otherwords.score("pem", ["It rains."], references=["It is raining."])
    with pytest.raises(InputError, match="2 hypotheses but 1 sources"):
        otherwords.score("pem", ["It rains.", "It pours."], sources=["It is raining."])
