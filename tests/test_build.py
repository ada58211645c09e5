"""A whole build with toy steps between cleaning and packing: resumed, byte for byte."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as arrow
import pytest
from pyarrow import parquet

from otherwords.build.bitext.pairs import PairLimits
from otherwords.build.pipeline.model import Build, Step, Steps, build_model
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models import container
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.models.pivot_packing import Packing

FR = "The car\tla voiture\nthe auto\tla voiture\n\nthe tree\tl' arbre\ta column too many\n"
DE = "the car\tdas Auto\nthe auto\tdas Auto\nthe car\tder Wagen\n"


def tokens(workspace):
    language = workspace.parameters["language"]
    text = (workspace.result(f"clean-{language}") / "pairs.tsv").read_text(encoding="utf-8")
    (workspace.folder / "text").write_text(text.lower(), encoding="utf-8")


def align(workspace):
    """Word i of one side is word i of the other."""
    text = (workspace.result(f"tokens-{workspace.parameters['language']}") / "text").read_text()
    links = [" ".join(f"{i}-{i}" for i in range(2)) for _ in text.splitlines()]
    (workspace.folder / "links").write_text("\n".join(links))


def phrases(workspace):
    language = workspace.parameters["language"]
    assert (workspace.result(f"align-{language}") / "links").exists()
    pairs = Counter()
    for line in (workspace.result(f"tokens-{language}") / "text").read_text().splitlines():
        left, right = (side.split() for side in line.split("\t"))
        pairs.update(zip(left, right, strict=True))
        pairs[" ".join(left), " ".join(right)] += 1
    of_source, of_target = Counter(), Counter()
    for (source, target), count in pairs.items():
        of_source[source] += count
        of_target[target] += count
    table = arrow.table(
        {
            "source": [e for e, _ in pairs],
            "target": [f for _, f in pairs],
            "count_source": [of_source[e] for e, _ in pairs],
            "p_target": [count / of_source[e] for (e, _), count in pairs.items()],
            "p_source": [count / of_target[f] for (_, f), count in pairs.items()],
        }
    )
    parquet.write_table(table, workspace.folder / "phrases.parquet")


def lm(workspace):
    with open(workspace.files["0"], encoding="utf-8") as text:
        size = len(text.read().split())
    container.write(workspace.folder / "lm.owm", "lm", {"size": np.array([size])}, {"order": 1})


STEPS = Steps(Step(tokens), Step(align), Step(phrases, 2, {"max_length": 2}), Step(lm))
STAGES = [
    *(f"{s}-{lang}" for lang in ("de", "fr") for s in "clean tokens align phrases pack".split()),
    "lm",
    "model",
]


@pytest.fixture
def wanted(tmp_path):
    (tmp_path / "fr.tsv").write_text(FR, encoding="utf-8")
    (tmp_path / "de.tsv").write_text(DE, encoding="utf-8")
    (tmp_path / "text").write_text("three more words\n")
    files = {"fr": [str(tmp_path / "fr.tsv")], "de": [str(tmp_path / "de.tsv")]}
    return Build(files, [str(tmp_path / "text")])


def made(tmp_path, wanted, cache="cache"):
    """What each stage did, the bytes of the model and of the log."""
    events = []
    output = tmp_path / "m.owm"
    build_model(output, wanted, STEPS, cache=tmp_path / cache, notify=events.append)
    done = {event.stage: event.what for event in events if event.what != "progress"}
    return done, output.read_bytes(), (tmp_path / "m.owm.log.jsonl").read_bytes()


def test_model(tmp_path, wanted):
    done, _, log = made(tmp_path, wanted)
    assert list(done) == STAGES
    model = ParaphraseModel.load(tmp_path / "m.owm")
    assert model.languages == ["de", "fr"]
    assert model.model.section("lm")["size"] == [3]
    french, german = model.pivots["fr"], model.pivots["de"]
    assert french.edges("car") == [(("voiture",), 1.0, 0.5)]
    assert french.paraphrase_probability("the car", "the auto") == 0.5
    assert not french.share_pivot("the car", "the tree")
    # p(auto|auto) of German: das Auto once each for car and auto, der Wagen for car.
    assert german.paraphrase_probability("the auto", "the car") == 0.5
    provenance = model.model.provenance
    french_lines = provenance["pivots"]["fr"]["lines"]
    assert french_lines == {"read": 4, "kept": 2, "dropped": {"E601": 1, "W504": 1}}
    assert provenance["pivots"]["de"]["files"][0]["file"] == "de.tsv"
    assert provenance["steps"]["phrases"] == {"version": 2, "max_length": 2}
    assert provenance["lm"]["model"] == {"order": 1}
    first = next(json.loads(line) for line in log.splitlines() if b"E601" in line)
    assert first["first"] == ["fr.tsv:4"]
    assert str(tmp_path) not in json.dumps(provenance) + log.decode()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("at", STAGES)
def test_killed_at_any_stage_and_run_again(tmp_path, wanted, at):
    _, whole, log = made(tmp_path, wanted, "whole")
    child = os.fork()
    if child == 0:

        def progress(event):
            if event.stage == at:
                os.kill(os.getpid(), signal.SIGKILL)

        build_model(tmp_path / "x.owm", wanted, STEPS, cache=tmp_path / "cache", notify=progress)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert not (tmp_path / "x.owm").exists()
    done, again, log_again = made(tmp_path, wanted)
    assert (again, log_again) == (whole, log)
    assert [what for what in done.values() if what == "reused"] == ["reused"] * STAGES.index(at)


def test_a_change_runs_what_depends_on_it(tmp_path, wanted):
    made(tmp_path, wanted)
    done, _, _ = made(tmp_path, replace(wanted, packing=Packing(min_count=2)))
    assert {stage for stage, what in done.items() if what == "finished"} == {
        "pack-de",
        "pack-fr",
        "model",
    }
    (tmp_path / "fr.tsv").write_text("the car\tla voiture\n")
    done, _, _ = made(tmp_path, wanted)
    assert {stage for stage, what in done.items() if what == "reused"} == {
        *(stage for stage in STAGES if stage.endswith("-de")),
        "lm",
    }


def test_two_files_a_language(tmp_path, wanted):
    for name, column in (("left", 0), ("right", 1)):
        lines = [line.split("\t")[column] for line in DE.splitlines()]
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    pair = f"{tmp_path / 'left'},{tmp_path / 'right'}"
    made(tmp_path, replace(wanted, pivots={"de": wanted.pivots["de"]}))
    german = ParaphraseModel.load(tmp_path / "m.owm").model.section("pivot/de")
    made(tmp_path, replace(wanted, pivots={"de": [pair]}))
    for name, array in ParaphraseModel.load(tmp_path / "m.owm").model.section("pivot/de").items():
        assert array.tobytes() == german[name].tobytes()


def test_what_is_refused(tmp_path, wanted):
    with pytest.raises(UsageError, match="nothing to build"):
        Build({})
    with pytest.raises(UsageError, match="not the name of a language"):
        Build({"../x": []})
    with pytest.raises(UsageError, match="give files, not '-'"):
        Build({"fr": ["-"]})
    with pytest.raises(InputError, match="no line holds a sentence pair"):
        made(tmp_path, replace(wanted, limits=PairLimits(longest=1)))
    with pytest.raises(InputError, match="cannot be opened"):
        made(tmp_path, replace(wanted, lm=[str(tmp_path / "none")]))
    with pytest.raises(ModelError, match="this is a lexicon model"):
        ParaphraseModel.load("lexicon")
    assert not (tmp_path / "m.owm").exists()


def test_damaged_part_names_its_language(tmp_path, wanted):
    made(tmp_path, wanted)
    model = ParaphraseModel.load(tmp_path / "m.owm").model
    arrays = {k: v for k, v in model.arrays.items() if k != "pivot/fr/edges"}
    container.write(tmp_path / "x.owm", "paraphrase", arrays, {})
    with pytest.raises(ModelError, match="fr: the model has no array 'edges'"):
        _ = ParaphraseModel.load(tmp_path / "x.owm").pivots
