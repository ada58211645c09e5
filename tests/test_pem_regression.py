"""The regression of the paper (PEM §4.5) and its file."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from sklearn.svm import SVR

from otherwords import ModelError
from otherwords.metrics.pem import CRITERIA, FEATURES, Pem, Regression
from otherwords.models import container
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.study.training.regression import (
    Kernel,
    fit,
)
from tests.pem_inputs import points_to_regress as points

WIDTH = len(FEATURES)
KNOWN = {"features": list(FEATURES), "settings": {}, "model": "none"}


def fitted(seed=0, **provenance):
    return fit(points(seed=seed), Kernel(1.0, 0.3, 0.05), {**KNOWN, **provenance})


# --- the regression


@pytest.mark.parametrize("seed", range(5))
def test_predicts_what_scikit_learn_predicts(seed):
    seen, unseen = points(seed=seed), points(50, seed + 100).features
    center, scale = seen.features.mean(0), seen.features.std(0)
    svr = SVR(C=1.0, gamma=0.3, epsilon=0.05).fit((seen.features - center) / scale, seen.targets)
    expected = svr.predict((unseen - center) / scale)
    assert 1 < expected.min() < expected.max() < 5
    stored = fit(seen, Kernel(1.0, 0.3, 0.05))  # in the single precision of its file
    assert stored.predict(unseen).tolist() == pytest.approx(expected, abs=1e-6)
    vectors = np.ascontiguousarray(svr.support_vectors_)
    exact = replace(stored, support=vectors, coefficients=svr.dual_coef_[0].copy())
    assert exact.predict(unseen).tolist() == pytest.approx(expected, abs=2e-9)
    for threads in (2, 5):
        assert stored.predict(unseen, threads).tobytes() == stored.predict(unseen).tobytes()


def test_constant_features_are_fitted():
    seen = points()
    features = seen.features.copy()
    features[:, 2] = 4.0
    some = seen._replace(features=features)
    center, scale = features.mean(0), features.std(0)
    scale[2] = 1.0
    svr = SVR(C=2.0, gamma=0.1, epsilon=0.1)
    svr.fit((features - center) / scale, seen.targets)
    found = fit(some, Kernel(2.0, 0.1, 0.1)).predict(features)
    assert found.tolist() == pytest.approx(svr.predict((features - center) / scale), abs=1e-5)


def test_scores_stay_on_the_scale():
    far = points(target=lambda x: 3 + 20 * x[:, 0])
    scores = fit(far, Kernel(100.0, 0.3, 0.1)).predict(far.features)
    assert (scores.min(), scores.max()) == (1.0, 5.0)


def shapley(regression, features):
    """The mean, over all orders of the criteria, of what each adds when its turn comes."""
    total = dict.fromkeys(CRITERIA, 0.0)
    for order in permutations(CRITERIA):
        point = regression.center.copy()
        before = regression.predict(point[None])[0]
        for name in order:
            place = FEATURES.index(CRITERIA[name])
            point[place] = features[place]
            after = regression.predict(point[None])[0]
            total[name] += (after - before) / 6
            before = after
    return total


@pytest.mark.parametrize("seed", range(5))
def test_contributions_sum_to_the_score(seed):
    regression, features = fitted(seed), points(1, seed + 50).features[0]
    parts = regression.contributions(features)
    average, score = regression.predict(np.array([regression.center, features]))
    assert 1 < score < 5
    assert parts["average"] == average
    assert list(parts) == ["average", *CRITERIA]
    assert sum(parts.values()) == pytest.approx(score, abs=1e-8)
    assert {name: parts[name] for name in CRITERIA} == pytest.approx(shapley(regression, features))


@pytest.mark.parametrize("name", list(CRITERIA))
def test_an_average_criterion_contributes_nothing(name):
    regression, features = fitted(), points(1, 9).features[0]
    place = FEATURES.index(CRITERIA[name])
    features[place] = regression.center[place]
    parts = regression.contributions(features)
    assert parts[name] == 0
    assert all(parts[other] != 0 for other in CRITERIA if other != name)


def test_explain_tells_the_contributions():
    reported = Pem().explain("She went away early.", source="She left early.")
    contributions = reported.details["contributions"]
    assert 1 < reported.score < 5
    assert sum(contributions.values()) == pytest.approx(reported.score, abs=1e-8)
    assert list(reported.components) == [*Pem.columns]


# --- its file


def test_round_trip(tmp_path):
    regression, features = fitted(), points(30, 7).features
    regression.save(tmp_path / "a.pem")
    again = Regression.load(tmp_path / "a.pem")
    assert again.predict(features).tobytes() == regression.predict(features).tobytes()
    assert again.provenance == regression.provenance
    again.save(tmp_path / "b.pem")
    assert (tmp_path / "a.pem").read_bytes() == (tmp_path / "b.pem").read_bytes()
    assert len(again.digest) == 8


def test_files_that_are_no_regression(tmp_path):
    with pytest.raises(ModelError, match="this is a paraphrase model; a pem model is needed"):
        Regression.load("paraphrase")
    with pytest.raises(ModelError, match="this is a pem model; a paraphrase model is needed"):
        Pem(model="pem")
    with pytest.raises(ModelError, match="no such file"):
        Regression.load(tmp_path / "none.pem")
    (tmp_path / "text.pem").write_text("not a model")
    with pytest.raises(ModelError):
        Regression.load(tmp_path / "text.pem")


def test_truncated_and_flipped_files(tmp_path):
    path = tmp_path / "a.pem"
    fitted().save(path)
    whole = path.read_bytes()
    for size in [*range(0, 100, 9), *range(100, len(whole), 211), len(whole) - 1]:
        path.write_bytes(whole[:size])
        with pytest.raises(ModelError):
            Regression.load(path)
    for place in range(0, len(whole), 101):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with suppress(ModelError):  # a bit between two arrays changes nothing
            assert Regression.load(path).predict(np.zeros((1, WIDTH))) >= 1


ONES = np.ones(WIDTH)
DAMAGE = {
    "other features": ({}, {"features": [*FEATURES[:-1], "length"]}),
    "no features": ({}, {"features": None}),
    "fewer features": ({"center": ONES[:2]}, {}),
    "flat support vectors": ({"support": ONES}, {}),
    "narrow support vectors": ({"support": np.ones((2, WIDTH - 1))}, {}),
    "a coefficient too many": ({"coefficients": np.ones(10_000)}, {}),
    "a kernel of three": ({"kernel": np.ones(3)}, {}),
    "a scale of 0": ({"scale": 0 * ONES}, {}),
    "a scale that is no number": ({"scale": np.nan * ONES}, {}),
}
UNNOTICED = {
    "a center that is no number": ({"center": np.nan * ONES}, {}),
    "an infinite scale": ({"scale": np.inf * ONES}, {}),
    "a bias that is no number": ({"kernel": np.array([0.3, np.nan])}, {}),
    "a negative gamma": ({"kernel": np.array([-1e4, 3])}, {}),
    "support vectors that are no numbers": ({"support": np.full((1, WIDTH), np.nan)}, {}),
    "settings that are none": ({}, {"settings": 5}),
    "settings of languages that are none": ({}, {"settings": {"languages": 5}}),
}


def damaged(path, arrays, provenance):
    """A file with sound checksums whose content is not what training writes."""
    regression = fitted(model=ParaphraseModel.load().digest)
    whole = {
        "support": regression.support.astype(np.float32),
        "coefficients": regression.coefficients.astype(np.float32),
        "kernel": np.array([regression.gamma, regression.bias]),
        "center": regression.center,
        "scale": regression.scale,
    }
    if len(arrays.get("support", whole["support"])) == 1:
        whole["coefficients"] = np.ones(1)
    container.write(path, "pem", {**whole, **arrays}, {**regression.provenance, **provenance})
    return path


def test_a_whole_file_is_taken(tmp_path):
    path = damaged(tmp_path / "a.pem", {}, {})
    assert 1 <= Pem(regression=path).statistics(["She left."], sources=["She went."])[0, 0] <= 5


@pytest.mark.parametrize("kind", list(DAMAGE))
def test_damaged_files(tmp_path, kind):
    path = damaged(tmp_path / "a.pem", *DAMAGE[kind])
    with pytest.raises(ModelError, match=r"a\.pem: the regression is damaged"):
        Pem(regression=path)


@pytest.mark.parametrize("kind", list(UNNOTICED))
def test_damage_that_checksums_do_not_notice(tmp_path, kind):
    path = damaged(tmp_path / "a.pem", *UNNOTICED[kind])
    with pytest.raises(ModelError):
        Pem(regression=path)


@pytest.mark.parametrize("name", ["support", "coefficients", "kernel", "center", "scale"])
def test_a_missing_array(tmp_path, name):
    path = tmp_path / "a.pem"
    fitted().save(path)
    arrays = dict(container.read(path).arrays)
    del arrays[name]
    container.write(path, "pem", arrays, KNOWN)
    with pytest.raises(ModelError, match=name):
        Regression.load(path)
