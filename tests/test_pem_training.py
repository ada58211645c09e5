"""Training PEM (PEM §5.1, §6.1): folds, what is learnt, report."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords import InputError, UsageError
from otherwords.corpus.rows import Row
from otherwords.metrics.meaning import Meaning
from otherwords.metrics.pem import FEATURES, Pem, PemFeatures
from otherwords.metrics.rewrite import Join, OtherwordsRewrite, RewriteFeatures
from otherwords.study.training import regression as training
from otherwords.study.training.pem import judged_pairs, learner_of, train
from otherwords.study.training.regression import (
    GRID,
    Kernel,
    choose,
    cross_validate,
    fit,
    folds_of,
    interval,
)
from tests.pem_inputs import points_to_regress as points

# --- cross-validation


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=80), st.integers(2, 6), st.integers(0, 9))
def test_folds_keep_originals_together(groups, folds, seed):
    names = set(groups)
    if len(names) < folds:
        with pytest.raises(InputError, match=f"{len(names)} originals"):
            folds_of(np.array(groups), folds, seed)
        return
    found = folds_of(np.array(groups), folds, seed).tolist()
    pairs = set(zip(groups, found, strict=True))
    assert len(pairs) == len(names)  # no original in two folds
    sizes = np.bincount([fold for _, fold in pairs], minlength=folds)
    assert sizes.min() > 0
    assert sizes.max() - sizes.min() <= 1
    assert found == folds_of(np.array(groups), folds, seed).tolist()


def test_seeds_deal_differently():
    groups = np.arange(40)
    dealt = {tuple(folds_of(groups, 5, seed).tolist()) for seed in range(4)}
    assert len(dealt) == 4


def test_no_original_is_trained_and_tested_on():
    some = points(groups=12)
    left_out = []

    def kernel_for(training_part):
        left_out.append(set(some.groups) - set(training_part.groups))
        return Kernel()

    ticks = []
    predicted = cross_validate(some, kernel_for, folds=4, seed=1, tick=lambda: ticks.append(1))
    assert sorted(group for groups in left_out for group in groups) == list(range(12))
    assert len(ticks) == len(left_out) == 4
    for groups in left_out:
        held_out = np.isin(some.groups, list(groups))
        regression = fit(some.where(~held_out), Kernel())
        expected = regression.predict(some.where(held_out).features)
        assert predicted[held_out].tolist() == expected.tolist()


def test_choose_finds_the_planted_kernel():
    """Scores that swing with one feature: wide kernels cannot follow them, in any order."""

    def swings(x):
        return 3 + np.sin(6 * x[:, 0])

    some = points(300, target=swings)
    some = some._replace(features=some.features * (np.arange(len(FEATURES)) == 0))
    narrow = Kernel(10.0, 5.0, 0.1)
    grid = [Kernel(1.0, 0.001, 0.1), narrow, Kernel(0.001, 0.1, 0.5)]
    for order in permutations(grid):
        assert choose(some, order, folds=3, seed=0) == narrow
    assert choose(some, grid[:1], folds=3, seed=0) == grid[0]


def test_choose_takes_the_first_at_ties():
    some = points()._replace(targets=np.full(120, 3.0))
    assert choose(some, GRID, folds=3, seed=0) == GRID[0]


def test_choose_ignores_what_people_did_not_judge():
    """The unjudged half would be followed best by the other kernel."""
    some = points(200, target=lambda x: 3 + np.sin(6 * x[:, 0]))
    quick = some.features * (np.arange(len(FEATURES)) == 0)
    judged = np.arange(200) % 2 == 0
    flat = np.where(judged, some.targets, 1.0)
    points_ = some._replace(features=quick, targets=flat, judged=judged)
    agreement = {}
    for kernel in (Kernel(1.0, 0.01, 0.1), Kernel(10.0, 5.0, 0.1)):
        scores = cross_validate(points_, lambda _, k=kernel: k, folds=3, seed=0)
        agreement[kernel] = np.corrcoef(scores[judged], flat[judged])[0, 1]
    best = max(agreement, key=agreement.get)
    assert choose(points_, list(agreement), folds=3, seed=0) == best


def test_choose_among_many_pairs_of_few_originals(monkeypatch):
    monkeypatch.setattr(training, "MOST_TO_CHOOSE", 30)
    assert choose(points(120, groups=6), GRID[:2], folds=3, seed=0) in GRID


def test_choose_looks_at_some_originals_of_many(monkeypatch):
    monkeypatch.setattr(training, "MOST_TO_CHOOSE", 60)
    seen = []
    monkeypatch.setattr(training, "fit", lambda some, k: seen.append(some) or fit(some, k))
    choose(points(120, groups=20), GRID[:2], folds=3, seed=0)
    assert len({group for some in seen for group in some.groups}) == 10


@pytest.mark.parametrize("seed", range(4))
def test_interval_contains_the_correlation(seed):
    draw = np.random.default_rng(seed)
    targets = draw.normal(size=200)
    scores = targets + draw.normal(size=200)
    groups = np.arange(200) // 4
    low, high = interval(scores, targets, groups)
    assert -1 <= low < np.corrcoef(scores, targets)[0, 1] < high <= 1
    assert (low, high) == interval(scores, targets, groups)
    copies = interval(np.tile(scores, 9), np.tile(targets, 9), np.tile(groups, 9))
    assert copies == pytest.approx((low, high))  # copies of all pairs add nothing


# --- training

WORDS = (
    "red old green quiet narrow empty broken wooden fish bird tree house river garden market "
    "soldier doctor window letter engine mountain teacher winter sees takes leaves builds finds "
    "carries watches paints opens follows counts sells repairs near under behind slowly often "
    "again together never quickly outside yesterday"
).split()
QUICK = (Kernel(1.0, 0.1, 0.1), Kernel(10.0, 0.3, 0.1))


def synthetic(originals=30, each=5, seed=0, score=None):
    """Rows whose overall score is a known function of our own features."""
    draw = np.random.default_rng(seed)
    pairs = []
    for _ in range(originals):
        source = draw.choice(WORDS, draw.integers(5, 10))
        for _ in range(each):
            changed = draw.random(len(source)) < draw.random()
            pairs.append((np.where(changed, draw.choice(WORDS, len(source)), source), source))
    left, right = ([" ".join(pair[side]) for pair in pairs] for side in (0, 1))
    known = 1 + 4 * OtherwordsRewrite(reward_difference=0.8).statistics(left, sources=right)[:, 0]
    scores = np.broadcast_to(known if score is None else score, len(left)).tolist()
    return [
        Row(hypothesis, source=source, human={"overall": human}, path="j.jsonl", line=line)
        for line, (hypothesis, source, human) in enumerate(zip(left, right, scores, strict=True), 1)
    ]


@pytest.fixture(scope="module")
def trained():
    judged = judged_pairs(synthetic(), "overall")
    return judged, *train(judged, RewriteFeatures())


def test_training_finds_a_known_function(trained):
    judged, regression, report = trained
    assert report.pearson > 0.75  # controls, whose scores are fixed, pull elsewhere
    assert report.low <= report.pearson <= report.high
    assert (report.pairs, report.originals, report.folds, report.seed) == (150, 30, 5, 0)
    assert report.learnt == {"alpha": regression.alpha, "reward_difference": regression.reward}
    human, mine = (
        np.array([row[name] for row in report.residuals]) for name in ("human", "predicted")
    )
    assert human.tolist() == judged.overall.tolist()
    assert report.pearson == pytest.approx(np.corrcoef(human, mine)[0, 1])
    assert report.error == pytest.approx(np.sqrt(np.mean((human - mine) ** 2)))
    assert regression.provenance["meaning"] == Meaning().signature
    assert regression.provenance["controls"] == ["copy", "random", "unigram"]


def test_controls_are_reported(trained):
    judged, _, report = trained
    assert list(report.controls) == ["copy", "random", "unigram"]
    learn = learner_of(judged, RewriteFeatures())
    fold = folds_of(judged.groups, 5, 0)
    predicted = np.empty(len(fold))
    for number in range(5):
        predicted[fold == number] = learn(fold != number)[2][fold == number]
    for kind, mean in report.controls.items():
        mine = predicted[150:][[control.kind == kind for control in judged.controls]]
        assert mean == pytest.approx(mine.mean())


def test_training_follows_what_judges_reward():
    """Judges of meaning teach a join that gives copies the top, others one that does not."""
    plain = judged_pairs(synthetic(), "overall", kinds=())
    rows = OtherwordsRewrite().statistics(plain.paraphrases, sources=plain.originals)
    meaning = replace(plain, overall=1 + 4 * rows[:, 1])
    found = {
        name: train(one, RewriteFeatures())[0].reward
        for name, one in (("meaning", meaning), ("overall", plain))
    }
    assert found["meaning"] <= 0.1 < 0.4 < found["overall"]


def test_a_trained_file_scores(trained, tmp_path):
    judged, regression, _ = trained
    regression.save(tmp_path / "my.pem")
    metric = OtherwordsRewrite(join=tmp_path / "my.pem")
    found = metric.statistics(judged.paraphrases, sources=judged.originals)[:, 0]
    assert np.corrcoef(found, judged.overall)[0, 1] > 0.75
    assert f"join:{Join.load(tmp_path / 'my.pem').digest}" in metric.signature
    texts = {word.encode() for word in WORDS if len(word) > 4}
    whole = (tmp_path / "my.pem").read_bytes()
    assert not [text for text in texts if text in whole]  # numbers only


@pytest.mark.parametrize("features", [RewriteFeatures, PemFeatures])
def test_the_same_seed_gives_the_same_bytes(tmp_path, features):
    rows = synthetic(12, 3)
    for name, threads in [("a", 1), ("b", 2)]:
        judged = judged_pairs(rows, "overall", seed=4)
        regression, report = train(judged, features(), grid=QUICK, seed=4, threads=threads)
        regression.save(tmp_path / name)
        (tmp_path / f"{name}.report").write_text(repr(report))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a.report").read_text() == (tmp_path / "b.report").read_text()


def test_sets_that_cannot_be_trained_on():
    features = RewriteFeatures()
    one = synthetic(1, 8)
    with pytest.raises(InputError, match="there is only one"):
        judged_pairs(one, "overall")
    with pytest.raises(InputError, match="1 originals are judged; training needs at least 4"):
        train(judged_pairs(one, "overall", kinds=()), features, grid=QUICK)
    same = synthetic(8, 2, score=3.0)
    for kinds in ((), ("copy", "random")):
        with pytest.raises(InputError, match="do not vary"):
            train(judged_pairs(same, "overall", kinds=kinds), features, grid=QUICK)
    with pytest.raises(InputError, match=r"^j\.jsonl:2: .* no source"):
        judged_pairs([one[0], replace(one[1], source=None)], "overall")
    with pytest.raises(InputError, match="no row has a human score 'meaning'"):
        judged_pairs(one, "meaning")
    with pytest.raises(UsageError, match="folds"):
        train(judged_pairs(same, "overall"), features, folds=1)


def test_too_few_originals_are_counted_right():
    judged = judged_pairs(synthetic(3, 8), "overall")
    with pytest.raises(InputError, match="3 originals"):
        train(judged, RewriteFeatures(), grid=QUICK, folds=3)


def test_a_regression_remembers_how_text_was_read(tmp_path):
    judged = judged_pairs(synthetic(6, 3), "overall")
    reading = {"case": True, "tokenizer": "none"}
    train(judged, PemFeatures(orders=2, **reading), grid=QUICK[:1], folds=3)[0].save(
        tmp_path / "paper.pem"
    )
    settings = Pem(regression=tmp_path / "paper.pem", **reading).features.pivots.settings
    assert settings == PemFeatures(orders=2, **reading).pivots.settings
