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
from otherwords.metrics.pem import CRITERIA, FEATURES, Pem, PemFeatures
from otherwords.metrics.rewrite import Join, OtherwordsRewrite, RewriteFeatures
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.study.training import regression as training
from otherwords.study.training.controls import CONTROL_KINDS
from otherwords.study.training.pem import JudgedPairs, judged_pairs, overall_of, task_of, train
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
        expected = regression.predict(some.where(held_out).measured)
        assert predicted[held_out].tolist() == expected.tolist()


def test_choose_finds_the_planted_kernel():
    """Scores that swing with one feature: wide kernels cannot follow them, in any order."""

    def swings(x):
        return 3 + np.sin(6 * x[:, 0])

    some = points(300, target=swings)
    some = some._replace(features=some.features * (np.arange(len(FEATURES)) == 0))
    some = some._replace(measured=some.features)
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
    points_ = some._replace(features=quick, measured=quick, targets=flat, judged=judged)
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
    assert report.split is not None
    assert report.split.sentence > 0.7
    assert (report.pairs, report.originals, report.folds, report.seed) == (150, 30, 5, 0)
    assert report.learnt == {"alpha": regression.alpha, "reward_difference": regression.reward}
    human, mine = (
        np.array([row[name] for row in report.residuals]) for name in ("human", "predicted")
    )
    assert human.tolist() == judged.overall.tolist()
    assert report.pearson == pytest.approx(np.corrcoef(human, mine)[0, 1])
    assert report.error == pytest.approx(np.sqrt(np.mean((human - mine) ** 2)))
    assert regression.provenance["model"] == ParaphraseModel.load().digest
    assert regression.provenance["controls"] == ["copy", "random", "unigram"]


def test_controls_are_reported(trained):
    judged, _, report = trained
    assert list(report.controls) == ["copy", "random", "unigram"]
    task = task_of(judged, RewriteFeatures())
    fold = folds_of(task.groups, 5, 0)
    predicted = np.empty(len(fold))
    for number in range(5):
        predicted[fold == number] = task.learn(fold != number)[2][fold == number]
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
    assert found["meaning"] == 0 < 0.4 < found["overall"]


def test_errors_of_held_out_pairs_make_the_interval(trained):
    judged, joint, report = trained
    low, high = joint.interval(np.array([row["predicted"] for row in report.residuals]), 0.9)
    inside = (low <= judged.overall) & (judged.overall <= high)
    assert 0.88 <= inside.mean() <= 0.95


def test_the_split_of_the_paper_with_and_without_controls():
    """PEM §6.1, §6.2: the last third of the originals, sentences and systems, counted again."""
    rows = [replace(row, system="abc"[n % 3]) for n, row in enumerate(synthetic(15, 6))]
    # A text that two systems produced counts for both.
    rows[-1] = replace(rows[-1], systems=("a", "b"))
    judged = judged_pairs(rows, "overall")
    _, report = train(judged, PemFeatures(), grid=QUICK[:1])
    last = set(list(dict.fromkeys(judged.originals))[10:])
    some = task_of(judged, PemFeatures(), grid=QUICK[:1])
    texts = [*judged.originals, *(control.source for control in judged.controls)]
    tested = np.array([text in last for text in texts])
    predicted = some.learn(~tested)[2]
    systems = [[row.system] for row in rows[:-1]] + [["a", "b"]]
    systems += [[f"control-{control.kind}"] for control in judged.controls]

    def expected(wanted):
        means = {}
        for place in np.flatnonzero(wanted):
            for name in systems[place]:
                means.setdefault(name, []).append((predicted[place], some.targets[place]))
        of_systems = np.array([np.mean(one, axis=0) for one in means.values()])
        sentence = np.corrcoef(predicted[wanted], some.targets[wanted])[0, 1]
        return len(means), sentence, np.corrcoef(of_systems.T)[0, 1]

    found = report.split
    alone, both = expected(tested & some.judged), expected(tested)
    assert (found.pairs, found.controls) == (30, 15)
    assert (found.systems, found.systems + 3) == (alone[0], both[0]) == (3, 6)
    assert (found.sentence, found.system) == pytest.approx(alone[1:])
    assert (found.sentence_controls, found.system_controls) == pytest.approx(both[1:])
    shown = {row[0]: row[1] for table in report.tables() for row in table.rows}
    start = "Pearson on the last third of the originals"
    assert shown[f"{start}, without controls"] == found.sentence
    assert shown[f"{start}, with controls"] == found.sentence_controls
    assert shown[f"{start}, over 3 systems"].value == found.system
    assert shown[f"{start}, over 3 systems and 3 kinds of controls"].value == found.system_controls
    assert report.to_dict()["split"]["system_controls"] == found.system_controls


def test_the_split_without_controls_or_systems():
    """What there is not is not printed; fewer than three systems have no correlation."""
    judged = judged_pairs(synthetic(12, 3), "overall", kinds=())
    _, report = train(judged, PemFeatures(), grid=QUICK[:1])
    assert (report.split.controls, report.split.systems) == (0, 1)
    assert report.split.system is report.split.sentence_controls is None
    assert report.split.system_controls is None
    shown = [str(row[0]) for table in report.tables() for row in table.rows]
    assert [one for one in shown if "last third" in one] == [
        "Pearson on the last third of the originals, without controls"
    ]


def test_a_trained_file_scores(trained, tmp_path):
    judged, regression, _ = trained
    regression.save(tmp_path / "my.pem")
    metric = OtherwordsRewrite(regression=tmp_path / "my.pem")
    found = metric.statistics(judged.paraphrases, sources=judged.originals)[:, 0]
    assert np.corrcoef(found, judged.overall)[0, 1] > 0.75
    assert f"regression:{Join.load(tmp_path / 'my.pem').digest}" in metric.signature
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


def test_join_of_the_controls():
    """PEM §5.1: a copy is worth 2 of 5, unrelated or broken text 1."""
    for scores in (CONTROL_KINDS["copy"], CONTROL_KINDS["random"], CONTROL_KINDS["unigram"]):
        adequacy, fluency, different = (np.array([(scores[c] - 1) / 4]) for c in CRITERIA)
        assert overall_of(adequacy, fluency, 0.25 + 0.75 * different) == scores["overall"]


def test_scores_of_meaning_become_overall_scores():
    """Of pairs that mean the same, a copy is worth about 2, all the more the more is changed."""
    judged = JudgedPairs(
        ["the old fish sees the red bird"] * 3,
        ["the old fish sees the red bird", "the old fish sees a green tree", "near river house"],
        np.full(3, 5.0),
        ["1", "2", "3"],
        [],
    )
    found = task_of(judged, RewriteFeatures(), meaning=True).targets
    assert found[0] == pytest.approx(1 + 4 * (1 - OtherwordsRewrite().join.reward) ** 2)
    assert 1.6 < found[0] < 2.2 < found[1] < found[2] <= 5
    assert task_of(judged, RewriteFeatures()).targets.tolist() == [5, 5, 5]


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
    features = RewriteFeatures(**reading)
    train(judged, features, folds=3)[0].save(tmp_path / "my.pem")
    with pytest.raises(UsageError, match="trained with tokenizer=none; give the same here"):
        OtherwordsRewrite(regression=tmp_path / "my.pem")
    as_trained = OtherwordsRewrite(regression=tmp_path / "my.pem", **reading)
    assert as_trained.features.meaning.reading == features.meaning.reading
    train(judged, PemFeatures(orders=2, **reading), grid=QUICK[:1], folds=3)[0].save(
        tmp_path / "paper.pem"
    )
    settings = Pem(regression=tmp_path / "paper.pem", **reading).features.pivots.settings
    assert settings == PemFeatures(orders=2, **reading).pivots.settings
