"""`encoder-cos` and `encoder-f1`, and the matching of states behind them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import otherwords
from otherwords import ModelError, UsageError, _native
from otherwords.build.encoders import Vocabulary, pack_encoder
from otherwords.metrics.encoder import EncoderCos, EncoderF1
from otherwords.models.encoder import Encoder
from tests import tiny_encoder
from tests.oracles import bert
from tests.tiny_transformer import PIECES, packed_pair, random_stack

TEXTS = [
    "The cat sat on the mat.",
    "He bought a small car.",
    "a",
    "",
    "Prices rose in May by 3 %, and the ship's course is the same?",
    "He bought a small ship.",
    "the small ship " * 30,  # in windows
]
ORIGINAL = "The company will hire two hundred workers."
REWORDED = "Two hundred employees will be taken on by the firm."
UNRELATED = "It rained all night in the mountains."
NAMES = ["encoder-cos", "encoder-f1"]


@cache
def tiny(instructions=None):
    model = pack_encoder({"sentence": random_stack()}, Vocabulary(tuple(PIECES)))
    return Encoder(model, instructions=instructions)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_encoder.write_folder(tmp_path_factory.mktemp("tiny") / "model")


def pairs(left, right):
    return np.array(left), np.array(right)


def test_matching_is_bertscore():
    encoder, (left, right) = tiny(), pairs([0, 1, 4, 6], [1, 5, 0, 1])
    found = encoder.match(TEXTS, left, right)
    states = encoder.states(TEXTS, ends=True)
    for i, j, mine, theirs in zip(left, right, found.left, found.right, strict=True):
        precision, recall = bert.bertscore(states[i], states[j])
        assert mine[:2] == pytest.approx([precision, precision], abs=1e-5)
        assert theirs[:2] == pytest.approx([recall, recall], abs=1e-5)
    vectors = encoder.encode(TEXTS)
    expected = (vectors[left] * vectors[right]).sum(axis=1)
    assert found.cosines == pytest.approx(expected, abs=1e-5)
    assert encoder.cosines(TEXTS, left, right).tolist() == found.cosines.tolist()


def test_weights_are_those_of_bertscore():
    encoder = tiny()
    lines = [TEXTS[0], TEXTS[1], TEXTS[5]]
    counts = encoder.count(lines)
    weights = np.log(4 / (1 + counts)).astype(np.float32)
    sets = [set(encoder.pieces(line).names) for line in lines]

    def by_hand(text):
        names = encoder.pieces(text).names
        return [np.log(4 / (1 + sum(name in one for one in sets))) for name in names]

    found = encoder.match(TEXTS, *pairs([1], [5]), weights=weights)
    states = encoder.states([TEXTS[1], TEXTS[5]], ends=True)
    expected = bert.bertscore(*states, by_hand(TEXTS[1]), by_hand(TEXTS[5]))
    assert (found.left[0, 0], found.right[0, 0]) == pytest.approx(expected, abs=1e-5)
    nothing = encoder.match(TEXTS, *pairs([1], [5]), weights=0 * weights)
    assert nothing.left[0, 0] == nothing.left[0, 1]
    with pytest.raises(ValueError, match="weights do not fit"):
        encoder.match(TEXTS, *pairs([1], [5]), weights=weights[1:])


def test_summaries_are_what_their_names_say():
    encoder = tiny()
    one, other = (
        s / np.linalg.norm(s, axis=1)[:, None] for s in encoder.states(TEXTS[:2], ends=True)
    )
    cosines = one @ other.T
    found = encoder.match(TEXTS, *pairs([0], [1]))
    for row, best in ((found.left[0], cosines.max(axis=1)), (found.right[0], cosines.max(axis=0))):
        best = np.sort(best[1:-1])
        lowest = best[: -(-len(best) // 4)]
        expected = [best.mean(), best.mean(), lowest.mean(), best[0], (best < 0.5).mean()]
        assert row == pytest.approx(expected, abs=1e-5)


def test_pairs_with_an_empty_text():
    left, right = pairs([3, 3, 0, 0], [3, 0, 3, 0])
    found = tiny().match(TEXTS, left, right)
    full, nothing = [1, 1, 1, 1, 0], [0, 0, 0, 0, 1]
    assert found.left.tolist() == found.right.tolist() == [full, nothing, nothing, full]
    assert found.cosines.tolist() == tiny().cosines(TEXTS, left, right).tolist() == [1, 0, 0, 1]


def test_links_are_the_best_partners():
    encoder = tiny()
    one, other = (s / np.linalg.norm(s, axis=1)[:, None] for s in encoder.states(TEXTS[:2]))
    cosines = one @ other.T
    found = encoder.links(TEXTS[0], TEXTS[1])
    assert found.left_partners.tolist() == cosines.argmax(axis=1).tolist()
    assert found.right_partners.tolist() == cosines.argmax(axis=0).tolist()
    assert found.left_cosines == pytest.approx(cosines.max(axis=1), abs=1e-5)
    assert found.right_cosines == pytest.approx(cosines.max(axis=0), abs=1e-5)
    same = encoder.links(TEXTS[0], TEXTS[0])
    assert same.left_partners.tolist() == list(range(len(same.left_partners)))
    assert set(same.left_cosines.tolist()) == {1.0}
    assert encoder.links("cat", "").left_cosines.tolist() == [0.0]


def test_matching_has_the_same_bytes_everywhere():
    """More pieces than are held at once, so that pairs are cut into blocks."""
    texts = [f"{text} {'cat ' * (n % 30)}{n}" for n in range(400) for text in TEXTS]
    left = np.arange(len(texts))
    right = left[::-1] // 7 * 7
    made = set()
    for instructions in ("plain", "avx2", "avx512"):
        try:
            encoder = tiny(instructions)
        except UsageError:
            continue
        for threads in (1, 2):
            made.add(
                b"".join(a.tobytes() for a in encoder.match(texts, left, right, threads=threads))
            )
    alone = [tiny().match(texts, left[i : i + 1], right[i : i + 1]) for i in range(0, 2800, 199)]
    assert len(made) == 1
    whole = tiny().match(texts, left, right)
    assert [one.left[0].tolist() for one in alone] == whole.left[::199].tolist()


def test_a_pair_stack_has_no_vectors():
    encoder = Encoder(packed_pair(), "pair")
    with pytest.raises(ValueError, match="compares two texts"):
        encoder.encode(["a"])


@pytest.mark.parametrize("name", NAMES)
def test_a_rewording_is_nearer_than_another_text(name):
    found = otherwords.score(name, [REWORDED, UNRELATED], [ORIGINAL, ORIGINAL]).segments
    assert found[0] > found[1] + 0.2


@pytest.mark.parametrize("name", NAMES)
def test_the_best_reference_counts(name):
    both = otherwords.score(name, [REWORDED], [[UNRELATED, ORIGINAL]]).corpus
    assert both == otherwords.score(name, [REWORDED], [ORIGINAL]).corpus


def test_f1_is_that_of_precision_and_recall():
    [[score, precision, recall, one]] = EncoderF1().statistics([REWORDED], [ORIGINAL])
    assert score == pytest.approx(2 * precision * recall / (precision + recall))
    assert one == 1
    [[_, turned, back, _]] = EncoderF1().statistics([ORIGINAL], [REWORDED])
    assert (turned, back) == (recall, precision)


def test_spans_of_an_explanation_fit_the_texts():
    hypothesis, reference = "“Naïve” employees left…", "Naive workers left."
    [spans] = EncoderF1().explain(hypothesis, reference).matches
    found = {(span.hypothesis_text, span.reference_text): span for span in spans}
    assert found["Naïve", "Naive"].kind == "same word"
    assert found["employees", "workers"].kind == "similar word"
    for span in spans:
        assert hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
        assert reference[slice(*span.reference)] == span.reference_text
    assert EncoderCos().explain("", reference).matches == ((),)


def test_idf_of_a_file(tmp_path):
    lines = tmp_path / "references.txt"
    lines.write_text("\n".join([ORIGINAL, UNRELATED, "The firm will close."]))
    plain, weighed, own = (EncoderF1(idf=idf) for idf in (False, str(lines), True))
    assert len({one.signature for one in (plain, weighed, own)}) == 3
    encoder = Encoder.load()
    weights = np.log(4 / (1 + encoder.count(lines.read_text().split("\n")))).astype(np.float32)
    expected = encoder.match([REWORDED, ORIGINAL], *pairs([0], [1]), weights=weights)
    [row] = weighed.statistics([REWORDED], [ORIGINAL])
    assert row[1:3] == pytest.approx([expected.left[0, 0], expected.right[0, 0]])
    assert len({one.statistics([REWORDED], [ORIGINAL])[0, 0] for one in (plain, weighed, own)}) == 3
    with pytest.raises(otherwords.OtherwordsError):
        EncoderF1(idf=str(tmp_path / "none.txt"))
    lines.write_text("\n \n")
    with pytest.raises(otherwords.OtherwordsError, match="there are no segments here"):
        EncoderF1(idf=str(lines))
    with pytest.raises(UsageError, match="idf must be"):
        EncoderF1(idf=3)


def test_an_encoder_of_ones_own(folder, tmp_path, ok, refused):
    out = ok(
        "model", "encoder", folder, "-o", tmp_path / "tiny.owm", "--layers", "1", "--bits", "4"
    )
    metric = otherwords.metric("encoder-f1", encoder=str(tmp_path / "tiny.owm"))
    assert metric.encoder.digest in out
    assert metric.encoder.digest in metric.signature
    assert metric.score_one("The cat sat.", "The cat sat.") == 1.0
    assert 0 <= metric.score_one("The cat sat.", "He bought rain.") < 1
    with pytest.raises(UsageError, match="no frequencies of its own"):
        otherwords.metric("encoder-f1", encoder=str(tmp_path / "tiny.owm"), idf=True)
    assert "no such folder" in refused("model", "encoder", tmp_path / "x", "-o", tmp_path / "y")
    error = refused("model", "encoder", folder, "-o", tmp_path / "y.owm", "--layers", "9")
    assert "layers must be" in error
    assert not (tmp_path / "y.owm").exists()
    with pytest.raises(ModelError, match="pack its encoder into a file: otherwords model encoder"):
        otherwords.metric("encoder-cos", encoder=str(folder))
    with pytest.raises(ModelError, match="no stack 'pair'; it has sentence"):
        otherwords.metric("meaning", encoder=str(tmp_path / "tiny.owm"))
    with pytest.raises(UsageError, match="no option 'encoder'"):
        otherwords.metric("otherwords-mt", encoder=str(tmp_path / "tiny.owm"))


@pytest.mark.parametrize("name", NAMES)
def test_threads_change_nothing(name):
    texts = [f"{text} {'cat ' * n}" for n in range(3) for text in TEXTS]
    references = [[text] for text in reversed(texts)]
    one, two = (
        otherwords.metric(name).statistics(texts, references, threads=threads) for threads in (1, 2)
    )
    assert one.tobytes() == two.tobytes()
    assert _native.TextEncoder  # the kernel, not a framework


@pytest.mark.data
def test_agreement_on_sts_benchmark(shared):
    """all-MiniLM-L6-v2 has .870 there; ../shared/data/README.md."""
    from otherwords.corpus.inputs import read_rows
    from otherwords.stats.coefficients import pearson

    rows = list(read_rows(shared / "similarity" / "stsb-en-dev.jsonl.gz"))[::3]
    texts = [row.hypothesis for row in rows], [row.source for row in rows]
    found = otherwords.score("encoder-cos", *texts, threads=2).segments
    assert pearson(found, np.array([row.human["adequacy"] for row in rows])) > 0.85
