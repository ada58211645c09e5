"""`otherwords metrics`: every metric is described."""

from __future__ import annotations

import json

import otherwords


def test_every_metric_has_a_cost_and_a_use(ok):
    found = json.loads(ok("metrics", "-f", "json"))["metrics"]
    assert [one["metric"] for one in found] == sorted(otherwords.list_metrics())
    assert {one["cost"] for one in found} <= {"fast", "medium", "slow"}
    assert all(one["use"] for one in found)
    pem = next(one for one in found if one["metric"] == "pem")
    assert (pem["compares"], pem["low"], pem["high"]) == ("source", 1, 5)
    assert pem["parts"] == ["adequacy", "fluency", "dissimilarity"]
    ter = next(one for one in found if one["metric"] == "ter")
    assert (ter["higher_is_better"], ter["high"]) == (False, None)


def test_readers_see_what_to_choose(ok, tmp_path):
    lines = ok("metrics").splitlines()
    names = [line.partition(" ")[0] for line in lines]
    assert lines[0] == "Against references"
    assert names[1:6] == ["metric", "otherwords-mt", "maxsim", "chrf", "bleu"]  # defaults first
    assert names.index("Against", 6) < names.index("otherwords-rewrite") < names.index("pem")
    assert lines.index("Against both") < names.index("ibleu")
    assert sorted(otherwords.list_metrics()) == sorted({*names} & {*otherwords.list_metrics()})
    assert any(line.startswith("ter ") and "from 0" in line and "lower" in line for line in lines)
    ok("metrics", "-o", tmp_path / "metrics.md")
    assert "| metric | range |" in (tmp_path / "metrics.md").read_text()
    assert "relative to sacreBLEU's sentence BLEU" in ok("metrics", "ter")
