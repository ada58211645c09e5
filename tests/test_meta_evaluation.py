"""Meta-evaluation of rows: groups, missing values, draws and tests, against loops."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords.corpus.rows import Judgement, Pair, Row
from otherwords.errors import UsageError
from otherwords.scoring.outside_scores import OutsideMetric
from otherwords.stats.intervals import Resampling
from otherwords.stats.resampling import resample
from otherwords.stats.significance import swaps
from otherwords.study.agreement import Coefficients, Comparisons, Scoring, agreement, coefficients
from otherwords.study.agreement.evaluation import COEFFICIENTS
from tests.oracles import meta as oracle

NAN = math.nan


def made(*, systems=4, items=9, missing=0.15, seed=3, langs=2, metrics=2, doc=False):
    """Rows with human scores of few values, and metrics that see some of what people see."""
    rng = random.Random(seed)
    rows, scores = [], [{} for _ in range(metrics)]
    for item in range(items):
        for system in range(systems):
            quality = rng.gauss(system / 3, 1)
            name = f"i{item}", f"s{system}"
            human = {} if rng.random() < missing else {"da": float(round(quality))}
            rows.append(
                Row(
                    "text",
                    ("text",),
                    system=name[1],
                    item=name[0],
                    human=human,
                    id="-".join(name),
                    langs=f"l{item % langs}",
                    doc=f"d{item // 2}" if doc else None,
                )
            )
            for one in scores:
                if rng.random() >= missing:
                    one[name[1], name[0]] = round((quality + rng.gauss(0, 1)) * 4) / 32
    return rows, {f"m{n}": OutsideMetric(f"m{n}", one) for n, one in enumerate(scores)}


def as_lines(rows, metric, sign=1.0):
    return [
        (
            row.system,
            row.item,
            row.langs,
            sign * metric.scores.get((row.system, row.item), NAN),
            row.human.get("da", NAN),
        )
        for row in rows
    ]


def expected_of(level, name, lines, group):
    if level == "segment" and name == "better-worse":
        if group == "system":
            return NAN
        parts = {line[2] for line in lines} if group == "langs" else [None]
        return oracle.mean_known(
            [
                oracle.better_worse(
                    oracle.derived_pairs([x for x in lines if lang in (None, x[2])])
                )
                for lang in parts
            ]
        )
    if level == "segment":
        return oracle.segment_level(name, lines, group)
    parts = {line[2] for line in lines} if group == "langs" else [None]
    return oracle.mean_known(
        [oracle.system_level(name, [x for x in lines if lang in (None, x[2])]) for lang in parts]
    )


def close(found, expected):
    found = NAN if found is None else found
    np.testing.assert_allclose(found, expected, atol=1e-9)


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["none", "item", "system", "langs"]),
    st.sampled_from([0.0, 0.15, 0.6]),
)
def test_every_coefficient_is_that_of_loops(seed, group, missing):
    rows, metrics = made(seed=seed, missing=missing, metrics=1)
    if not any(row.human for row in rows):
        return
    found = agreement(rows, metrics, "da", coefficients=Coefficients(group=group))
    for (level, name), one in found.metrics[0].estimates.items():
        if name == "soft-accuracy":
            continue
        close(one.value, expected_of(level, name, as_lines(rows, metrics["m0"]), group))
        assert one.value is not None or one.reason


def test_lower_is_better_is_reversed():
    rows, metrics = made(metrics=1)
    scores = {key: -value for key, value in metrics["m0"].scores.items()}
    turned = OutsideMetric("m0", scores, higher_is_better=False)
    plain = agreement(rows, metrics, "da", resampling=Resampling(resamples=20))
    found = agreement(rows, {"m0": turned}, "da", resampling=Resampling(resamples=20))
    assert found.metrics[0].estimates == plain.metrics[0].estimates
    assert "m0: lower is better, so its scores are reversed" in found.remarks
    known = np.isfinite(found.metrics[0].segments)
    assert (found.metrics[0].segments[known] == -plain.metrics[0].segments[known]).all()


UNITS = ["segments", "documents"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("group", ["none", "item", "system", "langs"])
def test_draws_are_rows_repeated(unit, group):
    rows, metrics = made(metrics=1, doc=True, missing=0.1, items=8)
    how = Resampling(resamples=6, seed=0)
    names = ["pearson", "spearman", "kendall", "better-worse"]
    found = agreement(
        rows,
        metrics,
        "da",
        unit=unit,
        resampling=how,
        coefficients=Coefficients(group=group, names=names),
    )
    kept = [row for row in rows if row.human]
    key = {"segments": "item", "documents": "doc"}[unit]
    names_of = list(dict.fromkeys(getattr(row, key) for row in kept))
    assert (found.unit, found.size) == (unit, len(names_of))
    for number, draw in enumerate(resample(len(names_of), 6, 0)):
        for (level, name), one in found.metrics[0].estimates.items():
            if one.draws is None:
                continue
            expected = drawn_by_hand(kept, metrics["m0"], key, names_of, draw, level, name, group)
            close(one.draws[number], expected)


def drawn_by_hand(rows, metric, key, names, draw, level, name, group):
    """Rows repeated as units were sampled. Copies of an item are groups of their own."""
    lines = []
    for copy, place in enumerate(draw):
        for row, line in zip(rows, as_lines(rows, metric), strict=True):
            if getattr(row, key) == names[place]:
                lines.append((copy, line))
    if name == "better-worse":

        def part(lang):
            chosen = [(c, x) for c, x in lines if lang in (None, x[2])]
            pairs = []
            for one in {c for c, _ in chosen}:
                pairs += oracle.derived_pairs([x for c, x in chosen if c == one])
            return oracle.better_worse(pairs)

        if group == "system":
            return NAN
        langs = {x[2] for _, x in lines} if group == "langs" else [None]
        return oracle.mean_known([part(lang) for lang in langs])
    if level == "segment" and group == "item":
        marked = [(f"{x[0]}.{c}", f"{x[1]}.{c}", x[2], x[3], x[4]) for c, x in lines]
        return oracle.segment_level(name, marked, group)
    return expected_of(level, name, [x for _, x in lines], group)


def test_accuracy_keeps_its_threshold_in_draws():
    rows, metrics = made(metrics=1, missing=0, items=20)
    found = agreement(rows, metrics, "da", resampling=Resampling(resamples=5))
    mine = found.metrics[0]
    estimate = mine.estimates["segment", "accuracy"]
    lines = as_lines(rows, metrics["m0"])
    by_item = [[x for x in lines if x[1] == item] for item in dict.fromkeys(x[1] for x in lines)]
    for number, draw in enumerate(resample(20, 5, 0)):
        right = total = 0
        rows_drawn = [(place, x) for place in draw for x in by_item[place]]
        for n, (_, a) in enumerate(rows_drawn):
            for _, b in rows_drawn[:n]:
                if a is not b:
                    kinds = oracle.pair_kinds([a[3], b[3]], [a[4], b[4]], mine.threshold + 1e-9)
                    right += kinds[0] + kinds[4]
                    total += 1
        close(estimate.draws[number], right / total)


def test_threads_and_seeds():
    rows, metrics = made(items=40)

    def run(threads, seed):
        found = agreement(
            rows,
            metrics,
            "da",
            resampling=Resampling(resamples=50, seed=seed),
            scoring=Scoring(threads=threads),
            comparisons=Comparisons(compare="all", trials=50, seed=seed),
        )
        return found.metrics[0].estimates, found.differences

    assert run(1, 0) == run(3, 0)
    assert run(1, 0) != run(1, 1)


def test_systems_and_their_human_scores():
    rows, metrics = made(metrics=1, missing=0)
    found = agreement(rows, metrics, "da")
    lines = as_lines(rows, metrics["m0"])
    for number, system in enumerate(found.systems):
        mine = [x for x in lines if x[0] == system]
        assert found.system_people[number] == pytest.approx(sum(x[4] for x in mine) / len(mine))
        assert found.metrics[0].systems[number] == pytest.approx(
            sum(x[3] for x in mine) / len(mine)
        )
    # The same scores of systems, given from outside, and rows that were not judged.
    bare = [Row("text", system=row.system, item=row.item) for row in rows]
    given_scores = dict(zip(found.systems, found.system_people, strict=True))
    how = Resampling(resamples=30)
    other = agreement(bare, metrics, "human", system_human=given_scores, resampling=how)
    for name in ("pearson", "spearman", "accuracy"):
        same = found.metrics[0].estimates["system", name]
        assert other.metrics[0].estimates["system", name].value == same.value
    segment = other.metrics[0].estimates["segment", "pearson"]
    assert (segment.value, segment.reason) == (None, "segments were not judged")
    assert other.metrics[0].estimates["system", "soft-accuracy"].value is None
    assert other.metrics[0].estimates["system", "pearson"].low is not None
    lacking = agreement(bare, metrics, "human", system_human={**given_scores, "x": 1.0})
    assert "systems with a human score, without rows: x" in lacking.remarks
    with pytest.raises(UsageError, match="none of the systems with a human score has a row"):
        agreement(bare, metrics, "human", system_human={"x": 1.0})


def test_differences_are_on_shared_rows():
    rows, metrics = made(items=30)
    found = agreement(
        rows,
        metrics,
        "da",
        resampling=Resampling(resamples=40),
        comparisons=Comparisons(compare="m1"),
    )
    both = set(metrics["m0"].scores) & set(metrics["m1"].scores)
    shared = {
        label: OutsideMetric(label, {key: one.scores[key] for key in both})
        for label, one in metrics.items()
    }
    again = agreement(
        rows,
        shared,
        "da",
        resampling=Resampling(resamples=40),
        comparisons=Comparisons(compare="m1"),
    )
    assert found.differences == again.differences
    assert len(found.differences) == sum(map(len, COEFFICIENTS.values()))
    for one in again.differences:
        estimates = [again.metric(label).estimates[one.level, one.coefficient] for label in shared]
        assert one.value == pytest.approx(estimates[0].value - estimates[1].value)
        assert one.low <= one.value <= one.high
    tests = {(one.level, one.coefficient): set(one.p) for one in found.differences}
    assert tests["segment", "pearson"] == {"bootstrap", "williams", "perm-both"}
    assert tests["segment", "accuracy"] == {"bootstrap"}
    assert tests["system", "pearson"] == {"bootstrap", "williams", "perm-systems"}
    assert tests["segment", "better-worse"] == {"bootstrap", "perm-both"}


def test_metrics_that_are_no_means_exchange_systems():
    rng = random.Random(1)
    words = "a b c d e f g".split()
    references = [" ".join(rng.choices(words, k=6)) for _ in range(12)]
    rows = [
        Row(
            " ".join(rng.choices(words, k=6)),
            (references[n // 5],),
            system=f"s{n % 5}",
            item=str(n // 5),
            human={"da": rng.random()},
        )
        for n in range(60)
    ]
    metrics = {name: otherwords.metric(name) for name in ("bleu", "chrf")}
    found = agreement(
        rows,
        metrics,
        "da",
        coefficients=Coefficients(level="system"),
        comparisons=Comparisons(compare="bleu"),
        scoring=Scoring(any_language=True),
    )
    assert {test for one in found.differences for test in one.p} == {"williams", "perm-systems"}


def test_p_values_are_adjusted_within_a_coefficient():
    rows, metrics = made(items=30, metrics=4)
    found = agreement(
        rows,
        metrics,
        "da",
        comparisons=Comparisons(compare="all", trials=99),
        coefficients=Coefficients(names=["pearson"]),
    )
    mine = [one for one in found.differences if one.level == "segment"]
    assert [(one.one, one.other) for one in mine][:3] == [("m0", "m1"), ("m0", "m2"), ("m0", "m3")]
    smallest = min(mine, key=lambda one: one.p["williams"])
    assert smallest.adjusted["williams"] == pytest.approx(min(1, 6 * smallest.p["williams"]))
    assert all(one.adjusted[test] >= p for one in mine for test, p in one.p.items())


def test_pairs():
    texts = ["a b c d e", "a b c x y", "x y z u v", "a b c d x"]
    reference = ("a b c d e",)

    def pair(better, worse, item, langs="fr-en"):
        return Pair(
            *(Row(texts[n], reference, item=item, langs=langs) for n in (better, worse)), None
        )

    pairs = [pair(0, 1, "1"), pair(0, 2, "1"), pair(1, 3, "2"), pair(2, 1, "2", "de-en")]
    how = Resampling(resamples=30)
    metrics = {name: otherwords.metric(name) for name in ("chrf", "bleu")}
    found = agreement(
        pairs,
        metrics,
        resampling=how,
        comparisons=Comparisons(compare="bleu", trials=20),
        scoring=Scoring(any_language=True),
    )
    scores = dict(zip([r.hypothesis for r in found.rows], found.metrics[0].segments, strict=False))
    assert scores["a b c d e"] > scores["a b c d x"] > scores["a b c x y"] > scores["x y z u v"]
    # chrF orders two pairs as people do, and two the other way.
    estimate = found.metrics[0].estimates["segment", "better-worse"]
    assert (estimate.value, estimate.size) == (0.0, 4)
    assert "perm-both" in found.differences[0].p
    by_langs = agreement(
        pairs, metrics, coefficients=Coefficients(group="langs"), scoring=Scoring(any_language=True)
    )
    # French: 2 of 3 right; German: wrong.
    mean = (1 / 3 - 1) / 2
    close(by_langs.metrics[0].estimates["segment", "better-worse"].value, mean)
    with pytest.raises(UsageError, match="grouped by langs"):
        agreement(pairs, metrics, coefficients=Coefficients(group="item"))
    with pytest.raises(UsageError, match="unit must be segments or documents"):
        agreement(pairs, metrics, unit="systems")
    with pytest.raises(UsageError, match="--margin does not go with better/worse pairs"):
        agreement(pairs, metrics, coefficients=Coefficients(margin=1))


def test_judges():
    rng = np.random.default_rng(2)
    rows, scores = [], {}
    for n in range(60):
        quality = rng.normal()
        judges = [
            Judgement({"da": float(round(quality + rng.normal()))}, name)
            for name in "abc"
            if rng.random() < 0.8
        ]
        rows.append(Row("x", item=str(n), judges=tuple(judges), human={"da": quality}))
        scores["system", str(n)] = quality + rng.normal()
    control = Row("x", system="control-copy", item="c", judges=(Judgement({"da": 99.0}, "a"),))
    metrics = {"m": OutsideMetric("m", scores)}
    how = Resampling(resamples=50)
    found = agreement([*rows, control], metrics, "da", controls=True, resampling=how).judges
    table = {
        name: [next((j.scores["da"] for j in row.judges if j.judge == name), NAN) for row in rows]
        for name in "abc"
    }
    judgements = [[None if math.isnan(v) else v for v in table[name]] for name in "abc"]
    for measure, estimate in found.alpha.items():
        close(estimate.value, oracle.alpha(judgements, measure))
        assert estimate.low < estimate.value < estimate.high
    assert agreement(rows[:3], metrics, "da").judges is not None
    assert agreement([Row("x", human={"da": 1.0}, item="0")], metrics, "da").judges is None


def test_controls_count_only_if_asked():
    rows, metrics = made(metrics=1)
    control = Row("x", system="control-copy", item="i0", human={"da": 5.0})
    without = agreement([*rows, control], metrics, "da")
    assert "rows of controls, left out: 1" in without.remarks
    assert "control-copy" not in without.systems
    assert "control-copy" in agreement([*rows, control], metrics, "da", controls=True).systems
    with pytest.raises(UsageError, match="all rows are controls"):
        agreement([control], metrics, "da")


def test_what_cannot_be_asked():
    rows, metrics = made()
    for options, message in (
        ({"human": "dad"}, "no row has the human score 'dad'; did you mean 'da'"),
        ({"comparisons": Comparisons("m9")}, "the baseline 'm9' is not one of the metrics"),
        ({"coefficients": Coefficients(group="judge")}, "group must be"),
        ({"coefficients": Coefficients(level="word")}, "level must be"),
        ({"coefficients": Coefficients(names=["pearsn"])}, "did you mean 'pearson'"),
        ({"unit": "documents"}, "no row has one"),
        ({"coefficients": Coefficients(margin=-1)}, "margin must be"),
        ({"coefficients": Coefficients(ties="maybe")}, "ties must be"),
    ):
        with pytest.raises(UsageError, match=message):
            agreement(rows, metrics, **{"human": "da", **options})
    with pytest.raises(UsageError, match="two metrics"):
        agreement(rows, {"m0": metrics["m0"]}, "da", comparisons=Comparisons(compare="all"))
    with pytest.raises(UsageError, match="no metric"):
        agreement(rows, {}, "da")
    with pytest.raises(UsageError, match="computed elsewhere"):
        metrics["m0"].statistics(["a"], ["b"])
    with pytest.raises(UsageError, match="unit must be segments or documents"):
        agreement(rows, metrics, "da", unit="systems")


def test_groups_without_a_value_are_left_out_and_counted():
    rows, metrics = made(metrics=1, missing=0, items=3, langs=1)
    constant = [
        Row("x", system=f"s{n}", item="same", human={"da": 1.0}, langs="l0") for n in range(4)
    ]
    metrics["m0"].scores.update({(f"s{n}", "same"): float(n) for n in range(4)})
    found = agreement([*rows, *constant], metrics, "da", coefficients=Coefficients(group="item"))
    one = found.metrics[0].estimates["segment", "pearson"]
    assert (one.groups, one.left_out) == (3, 1)
    assert any(
        note.startswith("m0, segment level: 1 of 4 groups have no pearson")
        for note in found.remarks
    )


def test_one_segment_has_no_interval():
    rows = [Row("x", system=f"s{n}", item="i", human={"da": float(n)}) for n in range(4)]
    metric = OutsideMetric("m", {(f"s{n}", "i"): n + n % 2 for n in range(4)})
    found = agreement(rows, {"m": metric}, "da", resampling=Resampling(resamples=10))
    one = found.metrics[0].estimates["segment", "pearson"]
    assert (one.value is not None, one.low) == (True, None)
    assert "there are no intervals: the set is a single one of the segments" in found.remarks


# Simulations: the numbers are the same in every run.


def simulated(rng, rows, strength, metrics=2):
    """Rows of one system with continuous scores, and metrics equally good."""
    people = rng.normal(size=rows)
    found = [Row("x", item=str(n), human={"da": float(v)}) for n, v in enumerate(people)]
    noise = math.sqrt(1 - strength**2)
    scores = [strength * people + noise * rng.normal(size=rows) for _ in range(metrics)]
    return found, {
        f"m{k}": OutsideMetric(f"m{k}", {("system", str(n)): float(v) for n, v in enumerate(one)})
        for k, one in enumerate(scores)
    }


def test_intervals_cover_the_truth_at_their_rate():
    rng = np.random.default_rng(20)
    # Of a binormal with correlation r: Kendall's is 2 asin(r) / pi, Spearman's 6 asin(r/2) / pi.
    truth = {
        "pearson": 0.6,
        "spearman": 6 / math.pi * math.asin(0.3),
        "kendall": 2 / math.pi * math.asin(0.6),
        "accuracy": 0.5 + math.asin(0.6) / math.pi,
    }
    inside = dict.fromkeys(truth, 0)
    trials = 200
    for _ in range(trials):
        rows, metrics = simulated(rng, 80, 0.6, metrics=1)
        found = agreement(
            rows,
            metrics,
            "da",
            resampling=Resampling(resamples=200, confidence=0.9),
            coefficients=Coefficients(level="segment", names=list(truth)),
        )
        for name, value in truth.items():
            one = found.metrics[0].estimates["segment", name]
            inside[name] += one.low <= value <= one.high
    for name, count in inside.items():
        assert 0.83 < count / trials < 0.96, name  # .9, two standard errors being .042


def test_paired_tests_err_at_their_level():
    rng = np.random.default_rng(21)
    false = {"williams": 0, "perm-both": 0, "bootstrap": 0}
    trials = 300
    for _ in range(trials):
        rows, metrics = simulated(rng, 60, 0.5)
        found = agreement(
            rows,
            metrics,
            "da",
            resampling=Resampling(resamples=200),
            coefficients=Coefficients(level="segment", names=["pearson"]),
            comparisons=Comparisons(compare="m0", trials=200),
        )
        for test, p in found.differences[0].p.items():
            false[test] += p < 0.05
    for test, count in false.items():
        assert 0.02 < count / trials < 0.09, test  # .05, two standard errors being .025


def test_only_draws_keep_the_rows_of_a_segment_together():
    """Eight systems, metrics equally good whose errors are partly those of the segment."""
    rng = np.random.default_rng(23)
    false = {"williams": 0, "perm-both": 0, "bootstrap": 0}
    systems, segments, trials = 8, 40, 100
    keys = [(f"s{one}", str(n)) for one in range(systems) for n in range(segments)]
    for _ in range(trials):
        hard = rng.normal(size=segments)
        people = hard + 0.7 * rng.normal(size=(systems, segments))
        rows = [
            Row("x", system=system, item=item, human={"da": value})
            for (system, item), value in zip(keys, people.ravel().tolist(), strict=True)
        ]
        metrics = {}
        for label in ("m0", "m1"):
            mine = hard + 0.8 * rng.normal(size=segments)
            scores = (mine + 0.7 * rng.normal(size=(systems, segments))).ravel().tolist()
            metrics[label] = OutsideMetric(label, dict(zip(keys, scores, strict=True)))
        found = agreement(
            rows,
            metrics,
            "da",
            resampling=Resampling(resamples=100),
            coefficients=Coefficients(level="segment", names=["pearson"]),
            comparisons=Comparisons(compare="m0", trials=100),
        )
        for test, p in found.differences[0].p.items():
            false[test] += p < 0.05
    assert false["bootstrap"] / trials < 0.1
    assert false["perm-both"] / trials > 0.1 < false["williams"] / trials


def test_paired_tests_find_a_real_difference():
    rng = np.random.default_rng(22)
    rows, metrics = simulated(rng, 400, 0.8, metrics=1)
    worse = simulated(rng, 400, 0.1, metrics=1)[1]["m0"]
    found = agreement(
        rows,
        {**metrics, "worse": worse},
        "da",
        resampling=Resampling(),
        comparisons=Comparisons(compare="worse"),
    )
    for one in found.differences:
        if one.value is not None:
            assert max(one.adjusted.values()) < 0.01


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_large_groups_are_exchanged_as_small_ones_are(name):
    rng = np.random.default_rng(23)
    people = np.round(rng.normal(size=150) * 2)
    left, right = (people + 2 * rng.normal(size=150) for _ in range(2))
    left, right = (np.round((side - side.mean()) / side.std(), 1) for side in (left, right))
    over = coefficients._Over(name, people, [np.arange(80), np.arange(80, 150)])
    assert over.is_wide
    for swapped in swaps(20, 150, 0):
        x, y = np.where(swapped, right, left), np.where(swapped, left, right)
        expected = over(x) - over(y)
        np.testing.assert_allclose(over.exchanged(left, right, swapped), expected, atol=1e-9)
