"""ParaEval on real text: the share that is proven, integer programs, what must hold."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import otherwords
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.sentence import tokenize
from otherwords.text.stemmer import stem
from tests.oracles import paraeval as oracle

pytestmark = pytest.mark.data


class Embedded:
    """The embedded pivots, asked phrase by phrase through the public lookups."""

    def __init__(self):
        self.pivots = ParaphraseModel.load().pivots
        self.longest = max(table.longest for table in self.pivots.values())
        self.edges = cache(self.edges)
        self.stems = cache(self.stems)

    def stems(self, phrase):
        return " ".join(stem(phrase.split(" ")))

    def edges(self, phrase):
        return {
            (language, edge.words): edge
            for language, table in self.pivots.items()
            for edge in table.edges(self.stems(phrase))
        }

    def sets(self, a, b):
        return self.edges(a).keys() & self.edges(b).keys()

    def probability(self, a, b):
        if not self.sets(a, b):
            return 0.0
        a, b = self.stems(a), self.stems(b)
        there, back = (
            np.mean([table.paraphrase_probability(*pair) for table in self.pivots.values()])
            for pair in ((a, b), (b, a))
        )
        return float(np.sqrt(min(there, 1.0) * min(back, 1.0)))


@pytest.fixture(scope="module")
def embedded():
    return Embedded()


@pytest.fixture(scope="module")
def texts(wmt15):
    return [row["hypothesis"] for row in wmt15], [row["references"] for row in wmt15]


EXACT = {"matching": "exact", "languages": ["de", "es", "fr", "zh"]}


def words_of(line):
    return [token.lower() for token in tokenize(line).tokens]


def weigh(word):
    return int(any(map(str.isalnum, word)))


@pytest.fixture(scope="module")
def several(texts):
    """Short hypotheses, each with its reference and two texts that have little to do with it."""
    hypotheses, references = texts
    short = [
        i
        for i, (mine, (reference,)) in enumerate(zip(*texts, strict=True))
        if mine.isascii() and reference.isascii() and 5 < len(mine.split()) < 16
    ][::9][:60]
    assert len(short) == 60
    return [
        (hypotheses[i], [references[i][0], hypotheses[i - 1], references[(i + 7) % 2000][0]])
        for i in short
    ]


@pytest.mark.parametrize("name", ["paraeval-f", "paraeval-summary"])
def test_nearly_all_segments_are_proven(texts, name):
    metric = otherwords.metric(name)
    proven = metric.statistics(*texts)[:, metric.columns.index("proven")]
    assert len(proven) == 2000
    assert proven.mean() >= 0.995


@pytest.mark.parametrize("least", [0.1, 0.002])
def test_precision_equals_an_integer_program(several, embedded, least):
    metric = otherwords.metric("paraeval-p", min_probability=least, **EXACT)
    found = proven = paraphrased = 0
    for hypothesis, references in several[:: 1 if least > 0.01 else 3]:
        lines = [line for line in references if line.isascii()]
        others = [words_of(line) for line in lines]
        problem = oracle.Problem(words_of(hypothesis), others, embedded, weigh, least=least)
        matched, total, _, sure, _ = metric.statistics([hypothesis], [lines])[0]
        best = oracle.milp(problem)
        assert total == problem.total
        assert matched <= best
        assert matched == best or not sure
        found += 1
        proven += sure
        paraphrased += best > oracle.solve_words(problem)
    assert proven >= 0.95 * found
    assert paraphrased >= found / 6  # or it would show little


def test_recall_and_weights_equal_integer_programs(several, embedded):
    plain = otherwords.metric("paraeval-r", min_probability=0.01, **EXACT)
    weighted = otherwords.metric("paraeval-f", min_probability=0.01, idf=0, power=0.25, recall=1)
    for hypothesis, (reference, *_) in several[::4]:
        mine, theirs = words_of(hypothesis), words_of(reference)
        problem = oracle.Problem(theirs, [mine], embedded, weigh, least=0.01)
        matched, total, words, sure, _ = plain.statistics([hypothesis], [reference])[0]
        assert (total, words) == (problem.total, sum(map(weigh, mine)))
        best = oracle.milp(problem)
        assert matched == best or (matched < best and not sure)
        row = weighted.statistics([hypothesis], [reference])[0] * 64
        for counted, other, value in ((mine, theirs, row[0]), (theirs, mine, row[3])):
            problem = oracle.Problem(
                counted, [other], embedded, lambda w: 64 * weigh(w), least=0.01, power=0.25
            )
            best = oracle.milp(problem)
            assert value == best or (value < best and row[6] < 64)


@pytest.mark.parametrize("name", ["paraeval-p", "paraeval-r", "paraeval-f"])
def test_greedy_is_close_and_never_above(texts, name):
    exact, greedy = (
        otherwords.metric(
            name, **{**EXACT, "min_probability": 0.1, "matching": matching}
        ).statistics(*texts)
        for matching in ("exact", "greedy")
    )
    assert (greedy[:, 0] <= exact[:, 0]).all()
    assert greedy[:, 0].sum() > 0.98 * exact[:, 0].sum()


@pytest.mark.parametrize("least", [0.1, 0.01])
def test_another_reference_never_lowers_precision(texts, least):
    """Extra references are other systems' translations of other sentences."""
    hypotheses, references = texts
    metric = otherwords.metric("paraeval-p", min_probability=least, **EXACT)
    extra = [*hypotheses[1:], hypotheses[0]], [*hypotheses[5:], *hypotheses[:5]]
    many = [[*one, a, b] for one, a, b in zip(references, *extra, strict=True)]
    rows = [metric.statistics(hypotheses, [one[:n] for one in many]) for n in (1, 2, 3)]
    for few, more in pairwise(rows):
        proven = more[:, 3] == 1  # what was given up on may have missed something
        assert proven.mean() > 0.98
        assert (few[:, 0] <= more[:, 0])[proven].all()
        assert metric.aggregate(few) <= metric.aggregate(more)


@pytest.mark.parametrize("punctuation", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_without_paraphrases_it_is_mup(texts, punctuation, number):
    hypotheses, references = texts
    extra = [*hypotheses[1:], "the"]
    several = [[*one, other][:number] for one, other in zip(references, extra, strict=True)]
    options = {"model": "none", "punctuation": punctuation, "matching": "exact"}
    # One output was not translated: English metrics would count it as empty.
    mine = otherwords.score("paraeval-p", hypotheses, several, any_language=True, **options)
    mup = otherwords.score("mup", hypotheses, several, punctuation=punctuation)
    assert mine.segments.tolist() == mup.segments.tolist()
    assert mine.corpus == mup.corpus
    assert mine.statistics[:, 3].all()


def test_threads(texts):
    for name in ("paraeval-p", "paraeval-f"):
        metric = otherwords.metric(name)
        one = metric.statistics(*texts)
        assert one.tobytes() == metric.statistics(*texts, threads=3).tobytes()


def test_spans_of_real_text(texts):
    metric = otherwords.metric("paraeval-p", min_probability=0.01, **EXACT)
    for hypothesis, references in list(zip(*texts, strict=True))[::40]:
        reported = metric.explain(hypothesis, references)
        covered, used = [], []
        for span in reported.matches[0]:
            assert reported.hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
            assert reported.references[0][slice(*span.reference)] == span.reference_text
            covered.append(span.hypothesis)
            used.append(span.reference)
        for spans in (sorted(covered), sorted(used)):
            assert all(one[1] <= other[0] for one, other in pairwise(spans))
        tokens = tokenize(reported.hypothesis)
        counted = [
            weigh(token)
            for token, (begin, end) in zip(tokens.tokens, tokens.spans, strict=True)
            if any(one[0] <= begin and end <= one[1] for one in covered)
        ]
        assert sum(counted) == reported.components["matched"]
