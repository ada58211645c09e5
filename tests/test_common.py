"""What every registered metric must do; a new metric is tested by being registered."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import otherwords
from otherwords import InputError, Sentence, UsageError
from otherwords.metrics import registry
from otherwords.metrics.registry import metric_classes

METRICS = sorted(metric_classes())
HYPOTHESES = [
    "The cat sat on the mat, and the dog slept.",
    "He didn't buy the small car yesterday.",
    "Prices rose by 3.5 % in May.",
    "Nobody knew why the ship had changed its course.",
    "Is it raining again?",
]
REFERENCES = [
    ["A cat was sitting on the mat while the dog slept.", "The cat sat upon a mat."],
    ["Yesterday he did not purchase the little automobile.", "He didn't buy the car."],
    ["In May prices went up by 3.5 percent.", "Prices rose 3.5 % in May."],
    ["No one knew why the vessel altered course.", "Nobody knew why the ship changed course."],
    ["Does it rain again?", "Is it raining once more?"],
]
SOURCES = [
    "The cat sat down on the mat. The dog was asleep.",
    "He did not buy that small car.",
    "In May, prices rose by 3.5 %.",
    "It is not known why the ship changed course.",
    "Is there rain again?",
]
SAME = "It is exactly the same sentence on both sides."

# A flag of metrics that have no choice of case.
FLAGS = {"meaning": "values", "otherwords-rewrite": "values", "rouge-l": "stem"}
FLAGS |= dict.fromkeys(("encoder-f1", "encoder-cos"))  # None: it has no flag
REQUIRED = {"combine": {"model": "otherwords-mt"}}  # options without a default
# What a copy of the source scores where that is not the lowest score.
COPY = {"pem": (1.5, 2.5), "pem.adequacy": (1.0, 1.0), "pem.fluency": (-10, 0)}
COPY |= {"otherwords-rewrite": (0.125, 0.375), "meaning": (1.0, 1.0), "fluency": (0.5, 1.0)}

pytestmark = pytest.mark.parametrize("name", METRICS)


def make(name, **options):
    return registry.metric(name, **REQUIRED.get(name, {}), **options)


def scored(name, hypotheses=HYPOTHESES, references=REFERENCES, sources=SOURCES, **options):
    options = {**REQUIRED.get(name, {}), **options} if isinstance(name, str) else options
    return otherwords.score(name, hypotheses, references, sources, any_language=True, **options)


def within(name, values):
    low, high = metric_classes()[name].traits.range
    values = np.asarray(values)
    return (
        np.isfinite(values).all() and (low - 1e-9 <= values).all() and (values <= high + 1e-9).all()
    )


def test_result(name):
    result = scored(name)
    assert isinstance(result.corpus, float)
    assert result.segments.shape == (5,)
    assert result.segments.dtype == np.float64
    assert within(name, [result.corpus, *result.segments])
    assert result.statistics.shape == (5, len(result.metric.columns))
    assert result.signature.startswith(f"{name}|v:")
    assert otherwords.list_metrics()[name] == result.metric.traits


def test_permuting_segments(name):
    order = [3, 0, 4, 1, 2]
    result = scored(name)
    moved = scored(
        name,
        [HYPOTHESES[i] for i in order],
        [REFERENCES[i] for i in order],
        [SOURCES[i] for i in order],
    )
    assert moved.corpus == result.corpus
    assert moved.segments.tolist() == result.segments[order].tolist()


def test_permuting_references(name):
    turned = [several[::-1] for several in REFERENCES]
    result, moved = scored(name), scored(name, references=turned)
    assert moved.corpus == pytest.approx(result.corpus, abs=1e-12)
    assert moved.segments == pytest.approx(result.segments, abs=1e-12)


def test_threads_do_not_matter(name):
    hypotheses, references, sources = HYPOTHESES * 30, REFERENCES * 30, SOURCES * 30
    results = [scored(name, hypotheses, references, sources, threads=n) for n in (1, 2, 5)]
    assert len({result.statistics.tobytes() for result in results}) == 1


def test_empty_hypothesis(name):
    result = scored(name, ["", *HYPOTHESES[1:]])
    assert within(name, [result.corpus, *result.segments])


def test_empty_reference(name):
    result = scored(name, references=[[""], *REFERENCES[1:]], sources=["", *SOURCES[1:]])
    assert within(name, [result.corpus, *result.segments])


def test_everything_empty(name):
    result = scored(name, ["", " "], [[""], ["\t"]], ["", ""])
    assert within(name, [result.corpus, *result.segments])


def test_missing_reference(name):
    """`None` next to a reference is skipped; a segment with nothing to compare is an error."""
    single = [several[0] for several in REFERENCES]
    beside = [[several[0], None] for several in REFERENCES]
    assert scored(name, references=beside).corpus == scored(name, references=single).corpus
    if metric_classes()[name].traits.needs_references:
        with pytest.raises(InputError, match="segment 2 has no reference"):
            scored(name, references=[REFERENCES[0], None, *REFERENCES[2:]])
        with pytest.raises(UsageError, match="needs references"):
            scored(name, references=None)


def test_missing_source(name):
    traits = metric_classes()[name].traits
    if traits.needs_source or traits.against == "source":
        with pytest.raises(UsageError, match="needs sources; segment 2 has none"):
            scored(name, sources=[SOURCES[0], None, *SOURCES[2:]])
    else:
        assert scored(name, sources=None).corpus == scored(name).corpus


def test_against(name):
    """Comparing with the source is comparing with it as the only reference."""
    options = {"sources": SOURCES}
    as_source = scored(name, references=REFERENCES, against="source", **options)
    as_reference = scored(name, references=SOURCES, against="references", **options)
    assert as_source.segments.tolist() == as_reference.segments.tolist()
    with pytest.raises(UsageError, match="against must be"):
        scored(name, against="both")


@pytest.mark.filterwarnings("ignore::otherwords.errors.NormalFormWarning")
def test_non_ascii(name):
    odd = ["Ünïcødé naïve café — “quoted” … 中文 😀", "\u200b\ufeff e\u0301", "\x00\x07 a", "é"]
    result = scored(name, odd, [[text] for text in odd], odd)
    assert within(name, [result.corpus, *result.segments])


@pytest.mark.filterwarnings("ignore::otherwords.errors.SlowWarning")  # TER says so
@pytest.mark.parametrize("text", [" ".join(f"word{i % 700}" for i in range(10_000))])
def test_ten_thousand_tokens(name, text):
    result = scored(name, [text], [text], [text])
    assert within(name, [result.corpus])


def test_identical_pair(name):
    traits = metric_classes()[name].traits
    if name == "ibleu":  # the reference is a paraphrase of a source that shares nothing with it
        result = scored(name, [SAME], [SAME], ["Quite unlike words, these ones!"], alpha=1)
    else:
        result = scored(name, [SAME], [SAME], [SAME])
    if name in COPY:
        assert COPY[name][0] <= result.corpus <= COPY[name][1]
        return
    best = traits.high if traits.higher_is_better and traits.against == "references" else traits.low
    assert result.corpus == pytest.approx(best)
    assert result.segments[0] == pytest.approx(best)


def test_symmetric_if_it_says_so(name):
    one, other = HYPOTHESES[1], REFERENCES[1][0]
    there = scored(name, [one], [other], [other]).corpus
    back = scored(name, [other], [one], [one]).corpus
    if metric_classes()[name].traits.symmetric:
        assert there == pytest.approx(back)


def test_pickling(name):
    metric = make(name)
    again = pickle.loads(pickle.dumps(metric))
    assert again.signature == metric.signature
    assert scored(again).corpus == scored(metric).corpus


def test_merging_statistics(name):
    metric = make(name)
    whole = metric.statistics(HYPOTHESES, REFERENCES, SOURCES)
    parts = [
        metric.statistics(HYPOTHESES[a:b], REFERENCES[a:b], SOURCES[a:b])
        for a, b in ((0, 2), (2, 5))
    ]
    assert metric.aggregate(np.vstack(parts)) == metric.aggregate(whole)
    summed = np.array([part.sum(axis=0) for part in parts])
    assert metric.aggregate(summed) == pytest.approx(metric.aggregate(whole), abs=1e-12)


def test_annotated_sentences_are_taken(name):
    sentences = [Sentence.from_tokens(text.split()) for text in HYPOTHESES]
    result = scored(name, sentences)
    assert within(name, [result.corpus, *result.segments])


def test_explain(name):
    result = scored(name)
    explained = result.explain(1)
    assert explained.score == pytest.approx(result.segments[1], abs=1e-12)
    assert set(explained.components) == set(result.metric.columns)
    assert explained.hypothesis == HYPOTHESES[1]
    with pytest.raises(UsageError, match="no segment 5"):
        result.explain(5)


def test_interval_holds_the_score(name):
    sampled = scored(name, sampling=otherwords.Sampling(resamples=200))
    [interval] = sampled.numbers.values()
    assert within(name, [interval.low, interval.high])
    assert interval.low <= interval.high


def test_bad_input(name):
    with pytest.raises(InputError, match="5 hypotheses but 4 references"):
        scored(name, references=REFERENCES[:4])
    with pytest.raises(InputError, match="nothing to score"):
        scored(name, [], [], [])
    with pytest.raises(UsageError, match="not a single text"):
        scored(name, "one text", REFERENCES[:1], SOURCES[:1])
    with pytest.raises(UsageError, match="hypothesis of segment 1 must be text, not int"):
        scored(name, [1], REFERENCES[:1], SOURCES[:1])
    with pytest.raises(UsageError, match="has no option 'nonsense'"):
        make(name, nonsense=1)


def test_what_counts_as_a_list(name):
    class Column:
        """What a pandas column or table offers."""

        def __init__(self, values):
            self.values = values

        def __iter__(self):
            return iter(["a column name"])

        def to_numpy(self):
            return np.array(self.values, dtype=object)

    expected = scored(name).segments.tolist()
    table = Column([list(several) for several in REFERENCES])
    assert scored(name, Column(HYPOTHESES), table, Column(SOURCES)).segments.tolist() == expected
    once = scored(name, iter(HYPOTHESES), iter(REFERENCES), (s for s in SOURCES))
    assert once.segments.tolist() == expected
    with pytest.raises(UsageError, match="not a dict"):
        scored(name, dict.fromkeys(HYPOTHESES))
    with pytest.raises(InputError, match="half of a surrogate pair at character 3"):
        scored(name, ["ab\ud800", *HYPOTHESES[1:]])


def test_results_do_not_follow_the_callers_lists(name):
    hypotheses = list(HYPOTHESES)
    result = scored(name, hypotheses)
    hypotheses[0] = "changed"
    assert result.explain(0).score == pytest.approx(result.segments[0], abs=1e-12)
    assert isinstance(hash(result), int)
    with pytest.raises(UsageError, match=r"no segment 0\.5"):
        result.explain(0.5)


def test_a_made_metric_takes_no_options(name):
    with pytest.raises(UsageError, match=r"[Pp]ass options together with the metric.s name"):
        scored(make(name), case=True)


def test_given_tokens_are_signed(name):
    sentences = [Sentence.from_tokens(["can't", "go"])]
    result = scored(name, sentences, [sentences], sentences)
    assert result.signature.endswith("|input:annotated")
    with pytest.raises(InputError, match="half of a surrogate pair in a token"):
        Sentence.from_tokens(["a"], lemmas=["\ud800"])


def test_flags_are_flags(name):
    flag = FLAGS.get(name, "case")
    if flag is None:
        return
    for value in ("yes", None, 1):
        with pytest.raises(UsageError, match=f"{flag} must be true or false"):
            make(name, **{flag: value})


def test_signature_changes_with_an_option(name):
    metric = metric_classes()[name]
    flag = FLAGS.get(name, "case")
    flags = [{}] if flag is None else [{flag: value} for value in (True, False)]
    assert len({make(name, **given).signature for given in flags}) == len(flags)
    against = "source" if metric.traits.against == "references" else "references"
    assert f"against:{against}" in make(name, against=against).signature


def test_scores_can_be_written_as_json(name):
    result = scored(name)
    json.dumps([result.corpus, result.segments.tolist(), result.signature], allow_nan=False)
