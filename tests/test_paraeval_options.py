"""ParaEval's scores from its counts; options, odd texts and bad input."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest

import otherwords
from otherwords import InputError, ModelError, Sentence, UsageError
from otherwords.cli import main
from otherwords.models.container import find
from tests.oracles import paraeval as oracle
from tests.paraeval_inputs import write

NAMES = ["paraeval-f", "paraeval-p", "paraeval-r", "paraeval-summary"]
BARE = {"model": "none", "tokenizer": "none", "any_language": True}


@pytest.fixture
def car(tmp_path):
    """A file of one pair."""
    path = tmp_path / "car.tsv"
    path.write_text("a car\tan auto\t0.5\n", encoding="utf-8")
    return path


# --- scores from counts


def test_precision_recall_and_f():
    # a b of "a b x"; a of "a", a b of "a b c d": recalls 1 and 1/2
    texts = ["a b x"], [["a", "a b c d"]]

    def score(name, **options):
        return otherwords.score(name, *texts, **options, **BARE).corpus

    assert score("paraeval-p") == 2 / 3
    assert score("paraeval-r") == score("paraeval-r", recall="mean") == 3 / 4
    assert score("paraeval-r", recall="best") == score("paraeval-r", recall=1) == 1
    assert score("paraeval-r", recall="2") == 1 / 2
    p, r = 2 / 3, 3 / 4
    plain = {"idf": 0, "power": 0}
    assert score("paraeval-f", alpha=0.5, **plain) == pytest.approx(2 * p * r / (p + r))
    assert score("paraeval-f", **plain) == pytest.approx(p * r / (0.8 * p + 0.2 * r))
    assert score("paraeval-f", alpha=1, **plain) == pytest.approx(r)  # as MAXSIM's: 1 is recall
    assert score("paraeval-f", alpha=0, **plain) == pytest.approx(p)
    half = score("paraeval-f", recall=2, alpha=0.5, **plain)
    assert half == pytest.approx(2 * p * 0.5 / (p + 0.5))


def test_corpus_scores_are_ratios_of_sums():
    """§2.1, with different numbers of references."""
    hypotheses = ["a b", "c d e f", ""]
    references = [["a"], ["c d", "c x y z", "q"], [""]]

    def result(name, **options):
        return otherwords.score(name, hypotheses, references, **options, **BARE)

    precision = result("paraeval-p")
    assert precision.segments.tolist() == [1 / 2, 2 / 4, 1]
    assert precision.corpus == 3 / 6
    best = result("paraeval-r", recall="best")
    assert best.segments.tolist() == [1, 1, 1]
    assert best.corpus == 3 / 3
    first = result("paraeval-r", recall=1)
    assert first.corpus == 3 / 3
    mean = result("paraeval-r")
    means = [1, (1 + 1 / 4 + 0) / 3, 1]
    assert mean.segments.tolist() == pytest.approx(means)
    # A segment weighs as much as a reference of mean length: 1 and 7/3 words.
    assert mean.corpus == pytest.approx((1 + means[1] * 7 / 3) / (1 + 7 / 3))


def test_best_is_the_longest_of_the_best():
    texts = ["a b"], [["a", "a b", "c"]]
    result = otherwords.score("paraeval-r", *texts, recall="best", **BARE)
    assert result.statistics[0, :2].tolist() == [2, 2]


@pytest.mark.parametrize("name", NAMES)
def test_empty_texts(name):
    def score(hypothesis, references):
        result = otherwords.score(name, [hypothesis], [references], any_language=True)
        assert np.isfinite(result.statistics).all()
        return result.segments[0]

    assert score("", "") == score(" ", [""]) == score("...", ["!"]) == 1
    assert score("", "a b") == score("a b", "") == score("?", "a b") == 0
    assert score("a b", "a b") == 1
    result = otherwords.score(name, ["", "a b"], ["", "a b"], any_language=True)
    assert result.corpus == 1


def test_a_missing_reference():
    with pytest.raises(InputError, match="segment 2 has no reference 3, which recall=3"):
        otherwords.score("paraeval-r", ["a", "b"], [["a", "b", "c"], ["b", "c"]], recall=3, **BARE)
    with pytest.raises(InputError, match="segment 1 has no reference"):
        otherwords.score("paraeval-p", ["a"], [[]], **BARE)


def test_words_are_looked_up_as_they_are_written(tmp_path):
    """§3.2 joins phrases, not stems: `organ` is no paraphrase of `organization`."""
    segment = ["the organ"], [["the organization"]]
    for name in ("paraeval-p", "paraeval-r"):
        assert otherwords.score(name, *segment).corpus == 1 / 2
        assert otherwords.score(name, *segment, model="paraphrase").corpus == 1.0  # stems, ours
    bitext = tmp_path / "zh.tsv"
    lines = [
        "A big car.\t大车。",
        "A large car.\t大车。",
        "A small house.\t小房。",
        "A house.\t房。",
    ]
    bitext.write_text("\n".join(lines), encoding="utf-8")
    model = tmp_path / "zh.owm"
    assert main(["build", "--pivot", f"zh={bitext}", "--stem", "none", "-o", str(model)]) == 0
    found = otherwords.score("paraeval-p", ["a large car"], [["a big car"]], model=model)
    assert found.corpus == 1.0
    assert otherwords.score("paraeval-p", ["larges"], [["big"]], model=model).corpus == 0.0


def test_punctuation_and_case():
    def precision(hypothesis, reference, **options):
        return otherwords.score("paraeval-p", [hypothesis], [reference], **options).corpus

    assert precision("The cat , slept .", "the dog slept .") == 2 / 3
    assert precision("The cat , slept .", "the dog slept .", punctuation=True) == 3 / 5
    kept = {"case": True, "model": "none"}  # pivots know stems, which have no case
    assert precision("The cat slept", "the dog slept", **kept) == 1 / 3


# --- where paraphrases come from


def test_a_pair_counts_both_ways_round(car):
    options = {"model": car, "power": 0}
    there = otherwords.score("paraeval-f", ["he has a car"], ["he has an auto"], **options)
    back = otherwords.score("paraeval-f", ["he has an auto"], ["he has a car"], **options)
    assert there.corpus == back.corpus == 1
    assert [span.kind for span in there.explain(0).matches[0]] == ["word", "word", "paraphrase"]
    assert there.explain(0).matches[0][2].weight == 0.5
    for least, matched in ((0.5, 1), (0.51, 1 / 2)):
        result = otherwords.score(
            "paraeval-p", ["he has a car"], ["he has an auto"], model=car, min_probability=least
        )
        assert result.corpus == matched


def test_the_geometric_mean_of_both_ways_counts(tmp_path):
    table = write(tmp_path / "t.owm", oracle.Pairs({("car", "auto"): 1.0, ("auto", "car"): 0.25}))
    for least, matched in ((0.5, 1), (0.501, 0)):
        result = otherwords.score(
            "paraeval-p", ["car"], ["auto"], model=table, min_probability=least
        )
        assert result.corpus == matched


def test_short_paraphrases_can_be_left_out(tmp_path):
    """§4.2: three words or more, on both sides."""
    pairs = {("in the end", "when all was done"): 1.0, ("a car", "an old auto"): 1.0}
    table = write(tmp_path / "t.owm", oracle.Pairs(pairs))
    hypothesis, reference = "in the end a car", "when all was done an old auto"
    scores = [
        otherwords.score(
            "paraeval-p", [hypothesis], [reference], model=table, min_length=least
        ).corpus
        for least in (1, 2, 3, 4)
    ]
    assert scores == [1, 1, 3 / 5, 0]


def test_explanations_show_the_text_as_it_is():
    hypothesis = "\u201cIt\u2019s   late\u2026\u201d  he said , WITH REGARD TO trade"
    references = ["He said it 's late", "concerning trade"]
    reported = otherwords.score(
        "paraeval-p", [hypothesis], [references], model="paraphrase"
    ).explain(0)
    spans = [(r, span) for r, several in enumerate(reported.matches) for span in several]
    assert len(spans) >= 5
    for r, span in spans:
        assert reported.hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
        assert reported.references[r][slice(*span.reference)] == span.reference_text
        if span.kind == "word":
            assert span.hypothesis_text.lower() == span.reference_text.lower()
    ends = sorted(span.hypothesis for _, span in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(ends))


def test_licences_are_shared_translations():
    result = otherwords.score("paraeval-p", ["her newspapers"], ["her newspaper"], languages="fr")
    pivots = otherwords.models.paraphrase_model.ParaphraseModel.load().pivots
    (match,) = [one for one in result.explain(0).matches[0] if one.kind != "word"]
    language, words = match.kind.removeprefix("one-word paraphrase (").removesuffix(")").split(": ")
    assert words in {" ".join(edge.words) for edge in pivots[language].edges("newspap")}
    options = {"tokenizer": "none", "languages": "fr"}
    result = otherwords.score("paraeval-p", ["not"], ["n't"], **options)
    (match,) = [one for one in result.explain(0).matches[0] if one.kind != "word"]
    language, words = match.kind.removeprefix("one-word paraphrase (").removesuffix(")").split(": ")
    for stem in ("not", "n't"):
        assert words in {" ".join(edge.words) for edge in pivots[language].edges(stem)}


@pytest.mark.parametrize("name", NAMES)
def test_given_tokens_are_the_words(name):
    line = "The quick dog , in the end , slept ."
    given = Sentence.from_tokens(line.split())
    other = "at last the dog slept ."
    text = otherwords.score(name, [line], [other], tokenizer="none")
    tokens = otherwords.score(name, [given], [other], tokenizer="none")
    assert text.statistics.tolist() == tokens.statistics.tolist()


# --- options


OPTIONS = {
    "languages": "fr",
    "min_probability": 0.3,
    "min_length": 2,
    "identity": "word",
    "case": True,
    "tokenizer": "none",
    "punctuation": True,
    "model": "none",
    "against": "source",
    "recall": "best",
    "alpha": 0.3,
    "power": 0.7,
    "idf": 0.3,
}
OWN = {
    "paraeval-p": set(),
    "paraeval-r": {"recall"},
    "paraeval-f": {"recall", "alpha", "power", "idf"},
    "paraeval-summary": {"recall"},
}


@pytest.mark.parametrize("name", NAMES)
def test_every_option_changes_the_signature(name, car):
    own = OWN[name] | (OPTIONS.keys() - {"recall", "alpha", "power", "idf"})
    settings = [{}, *({option: OPTIONS[option]} for option in sorted(own)), {"model": car}]
    signatures = [otherwords.metric(name, **one).signature for one in settings]
    assert len(set(signatures)) == len(signatures)
    for option in OPTIONS.keys() - own:
        with pytest.raises(UsageError, match=f"no option '{option}'"):
            otherwords.metric(name, **{option: OPTIONS[option]})


def test_the_signature_names_the_table_not_its_place(car, tmp_path):
    again = tmp_path / "again.tsv"
    again.write_bytes(car.read_bytes())
    assert (
        otherwords.metric("paraeval-f", model=car).signature
        == otherwords.metric("paraeval-f", model=again).signature
    )
    again.write_text("a car\tan auto\t0.25\n", encoding="utf-8")
    assert (
        otherwords.metric("paraeval-f", model=car).signature
        != otherwords.metric("paraeval-f", model=again).signature
    )


@pytest.mark.parametrize("name", NAMES)
def test_metrics_can_be_pickled(name, car):
    own = {option: OPTIONS[option] for option in OWN[name]}
    metric = otherwords.metric(name, model=car, matching="greedy", **own)
    copy = pickle.loads(pickle.dumps(metric))
    texts = ["he has a car"], ["he has an auto"]
    assert copy.signature == metric.signature
    assert copy.statistics(*texts).tolist() == metric.statistics(*texts).tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"matching": "best"}, "unknown matching 'best'"),
        ({"recall": "worst"}, "unknown recall 'worst'"),
        ({"recall": "-1"}, "unknown recall"),
        ({"recall": 0}, "recall must be a whole number"),
        ({"recall": 1.5}, "recall must be a whole number"),
        ({"recall": True}, "recall"),
        ({"model": 5}, "model must be a name or a path"),
        ({"model": "none", "languages": "fr"}, "languages need a model with pivot languages"),
        ({"languages": "fi"}, "no pivot language 'fi'"),
        ({"min_probability": 1.1}, "min_probability"),
        ({"min_probability": float("nan")}, "min_probability"),
        ({"min_length": 0}, "min_length"),
        ({"min_length": 17}, "min_length"),
        ({"punctuation": "yes"}, "punctuation"),
        ({"alpha": -0.1}, "alpha"),
        ({"tokenizer": "nltk"}, "tokenizer"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(UsageError, match=message):
        otherwords.metric("paraeval-f", **options)


@pytest.mark.parametrize("options", [{"power": -1}, {"idf": 5}, {"idf": float("inf")}])
def test_weights_out_of_range(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        otherwords.metric("paraeval-f", **options)


def test_languages_are_not_for_pairs(car):
    with pytest.raises(UsageError, match="languages need a model with pivot languages"):
        otherwords.metric("paraeval-f", model=car, languages="fr")


def test_tables_that_are_none(tmp_path, refused):
    line = tmp_path / "line.txt"
    line.write_text("a car\n", encoding="utf-8")
    command = ["score", line, "-r", line, "-m", "paraeval-p", "--set"]
    assert "no such file" in refused(*command, f"model={tmp_path / 'absent.tsv'}")
    whole = find("paraphrase").read_bytes()
    for damaged in (whole[: len(whole) // 2], whole[:40], whole[:300] + b"\xff" * 8 + whole[308:]):
        path = tmp_path / "damaged.owm"
        path.write_bytes(damaged)
        assert str(path) in refused(*command, f"model={path}")
        with pytest.raises(ModelError):
            otherwords.metric("paraeval-f", model=path)
    for content in (b"", b"\0" * 99, b"no table\n", b"a\tb\t7\n", b"a\tb\tnan\n"):
        path.write_bytes(content)
        assert str(path) in refused(*command, f"model={path}")
    assert "directory" in refused(*command, f"model={tmp_path}")
    assert "unknown matching" in refused(*command, "matching=slow")


# --- size


def words_of(size, seed):
    words = "the a of in to house car automobile said told new report year over big large end of"
    return " ".join(np.random.default_rng(seed).choice(words.split(), size))


@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_words(name):
    metric = otherwords.metric(name)
    hypothesis, reference = words_of(10_000, 1), words_of(10_000, 2)
    row = metric.statistics([hypothesis], [reference])
    assert 0.5 < metric.aggregate(row) <= 1
    assert row.tobytes() == metric.statistics([hypothesis], [reference], threads=2).tobytes()


@pytest.mark.parametrize(
    "relation",
    [
        oracle.Pairs({("car", "auto"): 1.0}),
        oracle.Pivots({"fr": {"auto": {"v": (1.0, 1.0)}, "car": {"v": (1.0, 1.0)}}}),
    ],
)
def test_the_same_pair_again_and_again(relation, tmp_path):
    metric = otherwords.metric(
        "paraeval-f",
        model=write(tmp_path / "t.owm", relation),
        tokenizer="none",
        power=0,
        idf=0,
    )
    row = metric.statistics(["car " * 300], ["auto " * 300])[0]
    assert row.tolist() == [300, 300, 300, 300, 300, 300, 1, 1]
    row = metric.statistics(["car " * 10_000], ["auto " * 10_000])[0]
    assert 0 < row[0] <= 10_000
    assert row[0] == 10_000 or not row[6]  # where matches are left out nothing is proven
