"""How the embedded `otherwords-mt` is trained (`tools/train_combine.py`), on small sets of ours."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from tools import combine_data, train_combine
from tools.combine_data import chosen_rows, read

from otherwords.corpus.rows import Row
from otherwords.metrics.mt import Combine
from tests.test_train_combine import rows

FAMILIES = ("words", "order", "findings")


def zipped(path, several):
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in several)


@pytest.fixture
def data(tmp_path):
    """Every set that the tool reads, with a few rows each."""
    folder = tmp_path / "data" / "mt"
    folder.mkdir(parents=True)
    for number, (name, human) in enumerate(combine_data.SETS.items()):
        langs = ("cs-en", "es-en", "et-en", "zh-en")[number]
        made = [one | {"human": {human: one["human"]["da"]}} for one in rows(langs, number)]
        zipped(folder / f"{name}.jsonl.gz", made)
    ranked = [
        {"better": one["reference"], "worse": one["hypothesis"], "reference": one["reference"]}
        for one in rows("fr-en", 9)
    ]
    zipped(folder / "wmt13-fren-rr.jsonl.gz", ranked)
    for name in combine_data.SYSTEMS.values():
        made = [
            one | {"item": str(number // 3), "system": f"s{number % 3}", "human": {}}
            for number, one in enumerate(rows("x-en", 5))
        ]
        zipped(folder / f"{name}.jsonl.gz", made)
        (folder / f"{name}-human.json").write_text(json.dumps({"s0": 1.0, "s1": 0.0, "s2": -1.0}))
    return tmp_path / "data"


def test_the_same_bytes_again_and_what_it_was_trained_on(data, tmp_path):
    judged = read(data, FAMILIES)
    for name in ("a.owm", "b.owm"):
        train_combine.train(judged if name == "a.owm" else read(data, FAMILIES)).save(
            tmp_path / name
        )
    assert (tmp_path / "a.owm").read_bytes() == (tmp_path / "b.owm").read_bytes()
    metric = Combine(model=tmp_path / "a.owm")
    ceiling = metric.combination.ceiling
    assert (ceiling.level, ceiling.strength) == pytest.approx(
        (train_combine.CEILING.level, train_combine.CEILING.strength)
    )
    system = next(iter(rows("x-en", 5)))
    assert metric.seen.share([(system["hypothesis"], system["reference"])]) == 1
    assert metric.seen.share([("Nobody has seen this.", "Never.")]) == 0


def test_damaged_translations_have_one_word_less_or_more(data):
    good = [
        ("The old ship left near the big market today.", "The ship left."),
        ("A young dog waited under the green tree.", "A dog waited."),
        ("Too short.", "Too short."),
    ]
    better, worse = combine_data._contrasts(good)
    assert better[::2] == good[:2]
    for (text, reference), (made, same) in zip(better, worse, strict=True):
        assert reference == same
        assert abs(len(made.split()) - len(text.split())) == 1
    assert (better, worse) == combine_data._contrasts(good)
    contrasts = read(data, FAMILIES).contrasts
    assert contrasts.better.shape == contrasts.worse.shape
    assert np.isfinite(contrasts.differences).all()


def test_systems_of_the_language_pair_are_held_out_with_it(data, monkeypatch):
    judged = read(data, FAMILIES)
    domains = judged.statistics.domains
    seen = []
    monkeypatch.setattr(
        train_combine, "fit", lambda pool, setting, differences, lowering: seen.append(differences)
    )
    train_combine._lines(judged, domains, train_combine.CHOICES[:1])
    train_combine._lines(judged, domains[:-1], train_combine.CHOICES[:1])
    assert [len(one) for one in seen] == [3, 2]  # preferences, damage, zh-en's systems


def test_segments_are_spread_over_a_set(monkeypatch):
    monkeypatch.setattr(combine_data, "ITEMS", 3)
    several = [
        Row(id=f"{item}-{system}", item=str(item), system=system, hypothesis="a", references=("b",))
        for item in range(9)
        for system in ("x", "y", "z")
    ]
    kept = chosen_rows(several, {"x": 1.0, "y": 2.0})
    assert [one.item for one in kept] == ["0", "0", "3", "3", "6", "6"]
    assert {one.system for one in kept} == {"x", "y"}
