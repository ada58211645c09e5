"""`preset="paper"`: the metrics exactly as their papers describe them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import otherwords
from otherwords import UsageError
from otherwords.build.lm import estimate
from otherwords.metrics.pem_features import PAPER
from otherwords.metrics.pem_paper import PaperFeatures
from otherwords.metrics.registry import create, option_names, registered
from otherwords.models import paraphrase_model as paraphrase
from tests.pem_inputs import GOLDEN, HELLO, MORNING, packed

ORIGINALS = [
    "Nobody knew why the ship had changed its course.",
    "It rained all day.",
    "The committee put forth a proposal.",
]
PARAPHRASES = [
    "No one understood why the boat had altered its course.",
    "The rain fell the whole day.",
    "The committee put forward a proposal.",
]
OF_PAPERS = [
    "maxsim",
    "paraeval",
    "paraeval-p",
    "paraeval-r",
    "pem",
    "pem-adequacy",
    "pem-dissimilarity",
    "pem-fluency",
]


def scored(name, **options):
    references = None if name.startswith("pem") else [[text] for text in ORIGINALS]
    return otherwords.score(name, PARAPHRASES, references=references, sources=ORIGINALS, **options)


def test_the_metrics_of_the_papers_have_it():
    assert [name for name, one in registered().items() if one.presets] == OF_PAPERS
    having = [name for name, one in registered().items() if "preset" in option_names(one)]
    assert having == OF_PAPERS


@pytest.mark.parametrize("name", OF_PAPERS)
def test_it_is_in_the_signature_and_survives_pickling(name):
    made = create(name, preset="paper")
    assert made.signature.startswith(f"{name}|v:{made.version}|preset:paper|")
    again = pickle.loads(pickle.dumps(made))
    assert again.signature == made.signature
    assert again.preset == "paper"
    assert scored(name, preset="paper").signature == made.signature


@pytest.mark.parametrize("name", OF_PAPERS)
def test_unknown_presets_are_refused(name):
    with pytest.raises(UsageError, match=f"{name} has no preset 'papr'; did you mean 'paper'"):
        create(name, preset="papr")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("maxsim", {"alpha": 0.5}, "preset=paper fixes alpha at 0.8; leave out alpha=0.5"),
        ("maxsim", {"orders": 2}, "fixes orders at 3"),
        ("maxsim", {"case": True}, "fixes case at False"),
        ("paraeval", {"alpha": 0.5}, "fixes alpha at 0.0"),
        ("paraeval-p", {"languages": "fr"}, "fixes languages at zh"),
        ("paraeval-r", {"matching": "exact"}, "fixes matching at greedy"),
        ("pem", {"orders": 1}, "fixes orders"),
        ("pem", {"languages": "fr"}, "fixes languages"),
        ("pem", {"regression": "pem"}, "pem was not trained as the paper trains"),
        ("pem-adequacy", {"edge_threshold": 0.0}, "fixes edge_threshold at 0.1"),
        ("pem-dissimilarity", {"stem": False}, "fixes stem at True"),
    ],
)
def test_other_options_are_refused_beside_it(name, options, message):
    with pytest.raises(UsageError, match=message):
        create(name, preset="paper", **options)


def test_metrics_without_a_paper_have_none():
    for name in ("paraeval-w", "paraeval-summary", "bleu"):
        with pytest.raises(UsageError, match=f"{name} has no option 'preset'"):
            create(name, preset="paper")
    with pytest.raises(UsageError, match="paraeval-w has no presets"):
        otherwords.metrics.ParaEvalWeighted(preset="paper")


def test_maxsim_paper_changes_nothing_but_the_signature():
    plain, paper = scored("maxsim"), scored("maxsim", preset="paper")
    assert np.array_equal(paper.segments, plain.segments)
    assert paper.corpus == plain.corpus
    assert paper.signature.replace("|preset:paper", "") == plain.signature


def test_maxsim_table_2_is_alpha_point_nine():
    paper, set_by_hand = scored("maxsim", preset="paper-table2"), scored("maxsim", alpha=0.9)
    assert np.array_equal(paper.segments, set_by_hand.segments)
    assert not np.array_equal(paper.segments, scored("maxsim").segments)
    assert "|preset:paper-table2|alpha:0.9|" in paper.signature


def test_paraeval_paper_is_precision_first():
    first, precision = scored("paraeval", preset="paper"), scored("paraeval-p", preset="paper")
    assert first.segments == pytest.approx(precision.segments)
    assert first.corpus == pytest.approx(precision.corpus)


def test_paraeval_paper_has_figures_1_and_4(tmp_path):
    references = [["The cat is on the mat.", "There is a cat on the mat."]]
    figure1 = otherwords.score(
        "paraeval", ["the the the the the the the"], references=references, preset="paper"
    )
    assert figure1.corpus == pytest.approx(2 / 7)
    table = tmp_path / "sets.tsv"
    table.write_text("blown up\tbombing\nblown up\texplosion\nbombing\texplosion\n")
    figure4 = otherwords.score(
        "paraeval",
        ["blown up bombing was happening"],
        references=[["the bombing resulted in an explosion", "there was an explosion"]],
        preset="paper",
        table=table,
    )
    assert figure4.corpus == pytest.approx(4 / 5)


def test_paraeval_paper_takes_all_phrases_that_share_a_translation(tmp_path):
    """A paraphrase of any probability: bank -> 岸 .01 shares it with shore -> 岸 .02."""
    rows = [
        ("bank", "银行", 100, 0.99),
        ("bank", "岸", 100, 0.01),
        ("shore", "海滩", 100, 0.98),
        ("shore", "岸", 100, 0.02),
    ]
    path = tmp_path / "zh.owm"
    paraphrase.write(path, {"zh": packed(rows)}, None, {})
    options = {"references": [["the shore"]], "table": path}
    assert otherwords.score("paraeval", ["the bank"], **options, preset="paper").corpus == 1.0
    assert otherwords.score("paraeval-p", ["the bank"], **options).corpus == 0.5


def test_pem_paper_has_three_features_by_hand(tmp_path):
    """§4.3's example with the paper's thresholds: the edge of exactly .1 falls, the others stay."""
    model = tmp_path / "fr.owm"
    lm = estimate([HELLO, MORNING, "Hello , sir ."], order=2)
    paraphrase.write(model, {"fr": packed(GOLDEN)}, lm.arrays, {"lm": {"model": {}}})
    features = PaperFeatures(
        model=model, languages="fr", tokenizer="none", case=True, stem=False
    ).of([HELLO], [MORNING])
    # Without Salut, and not renormalised, `Bonjour ,` weighs .9 with all n-grams it is in: the bag
    # 3.8 + 2.8 + 1.8 + .9 against 10. Common: Bonjour and its comma .9, the period 1, both .9.
    assert features[0, 0] == pytest.approx(2 * 3.7 / (9.3 + 10))
    # Of the English n-grams `,` and `.` are shared: 2 of 10 on both sides.
    assert features[0, 2] == pytest.approx(0.2)
    fluency = otherwords.score(
        "pem-fluency",
        [HELLO],
        sources=[MORNING],
        by="words",
        model=model,
        tokenizer="none",
        case=True,
    )
    assert features[0, 1] == fluency.corpus


def test_pem_paper_is_its_parts_joined():
    paper = scored("pem", preset="paper")
    parts = [
        scored(f"pem-{name}", preset="paper").segments
        for name in ("adequacy", "fluency", "dissimilarity")
    ]
    metric = create("pem", preset="paper")
    assert metric.paper.pivots.bags == PAPER
    assert metric.paper.pivots.languages == ["zh"]
    adequacy, fluency, dissimilarity = map(np.array, parts)
    joined = metric.regression.predict(np.column_stack([adequacy, fluency, 1 - dissimilarity]))
    assert paper.segments == pytest.approx(joined.tolist())


def test_pem_paper_contributions_sum_to_the_score():
    found = scored("pem", preset="paper").explain(0)
    assert sum(found.details["contributions"].values()) == pytest.approx(found.score)
    assert "zh" in found.details
