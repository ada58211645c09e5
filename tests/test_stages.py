"""Stages: killed and resumed, changed and rebuilt, damaged and noticed."""

from __future__ import annotations

import fcntl
import json
import os
import signal

import pytest

from otherwords.build.engine.stages import Pipeline, Stage, log_lines
from otherwords.errors import InputError, UsageError

NAMES = ["clean", "words", "count", "model"]


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def stages(source, most=10, trouble=None, at=None, versions=()):
    """A toy build: clean a text, list its words, count its lines, put the two together.

    `trouble` is called in the stage `at`, when that has written half of its output.
    """

    def upset(workspace, name):
        (workspace.folder / "half").write_text("half")
        if name == at:
            trouble()
        (workspace.folder / "half").unlink()

    def clean(workspace):
        with open(workspace.files["text"], encoding="utf-8") as text:
            lines = [line.strip() for line in text]
        workspace.log("dropped", empty=lines.count(""))
        upset(workspace, "clean")
        (workspace.folder / "text").write_text("\n".join(filter(None, lines)))

    def words(workspace):
        upset(workspace, "words")
        found = sorted(set((workspace.result("clean") / "text").read_text().split()))
        (workspace.folder / "deep").mkdir()
        (workspace.folder / "deep" / "words").write_text(
            " ".join(found[: workspace.parameters["most"]])
        )
        workspace.progress(1, 1)

    def count(workspace):
        upset(workspace, "count")
        lines = (workspace.result("clean") / "text").read_text().count("\n") + 1
        (workspace.folder / "lines").write_text(str(lines))

    def model(workspace):
        upset(workspace, "model")
        parts = [workspace.result("words") / "deep" / "words", workspace.result("count") / "lines"]
        (workspace.folder / "model").write_text("|".join(path.read_text() for path in parts))

    numbers = dict(versions)
    return [
        Stage("clean", numbers.get("clean", 1), clean, files={"text": str(source)}),
        Stage("words", 1, words, needs=["clean"], parameters={"most": most}),
        Stage("count", numbers.get("count", 1), count, needs=["clean"]),
        Stage("model", 1, model, needs=["words", "count"]),
    ]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "text"
    path.write_text("one two\n\nthree\n")
    return path


def run(cache, made):
    """What each stage did, and the model."""
    events = []
    results = Pipeline(cache, made).run(events.append)
    done = {event.stage: event.what for event in events if event.what != "progress"}
    return done, (results["model"] / "model").read_bytes()


def tree(cache):
    return {
        path.relative_to(cache).as_posix(): path.read_bytes()
        for path in cache.rglob("*")
        if path.is_file()
    }


ALL_NEW = dict.fromkeys(NAMES, "finished")
ALL_OLD = dict.fromkeys(NAMES, "reused")


def test_runs_once(tmp_path, source):
    cache = tmp_path / "cache"
    assert run(cache, stages(source)) == (ALL_NEW, b"one three two|2")
    before = tree(cache)
    assert run(cache, stages(source)) == (ALL_OLD, b"one three two|2")
    assert tree(cache) == before


def test_events(tmp_path, source):
    events = []
    results = Pipeline(tmp_path / "cache", stages(source)).run(events.append)
    reported = [(event.what, event.done) for event in events if event.stage == "words"]
    assert reported == [("started", 0), ("progress", 1), ("finished", 0)]
    expected = {"stage": "clean", "event": "dropped", "empty": 1}
    assert [json.loads(line) for line in log_lines(results)] == [expected]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("at", NAMES)
@pytest.mark.parametrize("how", ["raise", "kill", "kill when finished"])
def test_resumes_where_it_was_stopped(tmp_path, source, at, how):
    cache, whole = tmp_path / "cache", tmp_path / "whole"
    assert run(whole, stages(source))[0] == ALL_NEW
    if how == "raise":

        def fail():
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            run(cache, stages(source, trouble=fail, at=at))
    else:
        in_stage = how == "kill"
        child = os.fork()
        if child == 0:

            def progress(event):
                if not in_stage and (event.stage, event.what) == (at, "finished"):
                    kill()

            Pipeline(cache, stages(source, trouble=kill, at=at if in_stage else None)).run(progress)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    done, _ = run(cache, stages(source))
    finished_before = NAMES.index(at) + (how == "kill when finished")
    expected = ["reused"] * finished_before + ["finished"] * (len(NAMES) - finished_before)
    assert list(done.values()) == expected
    assert tree(cache) == tree(whole)


def test_only_what_depends_on_a_change_runs_again(tmp_path, source):
    cache = tmp_path / "cache"
    run(cache, stages(source))
    done, model = run(cache, stages(source, most=1))
    assert done == ALL_OLD | {"words": "finished", "model": "finished"}
    assert model == b"one|2"
    assert run(cache, stages(source))[0] == ALL_OLD
    # A file that comes out the same changes nothing downstream.
    source.write_text("one two\n\n\nthree\n")
    done, _ = run(cache, stages(source))
    assert done == ALL_OLD | {"clean": "finished"}
    # Nor does a new version of a stage that makes the same as the old one.
    done, _ = run(cache, stages(source, versions={"count": 2}))
    assert done == ALL_OLD | {"count": "finished"}
    source.write_text("four\n")
    assert run(cache, stages(source)) == (ALL_NEW, b"four|1")


def test_the_same_content_under_another_name_is_reused(tmp_path, source):
    run(tmp_path / "cache", stages(source))
    other = tmp_path / "other"
    other.write_bytes(source.read_bytes())
    assert run(tmp_path / "cache", stages(other))[0] == ALL_OLD


@pytest.mark.parametrize("damage", ["changed", "removed", "added", "manifest", "no manifest"])
def test_damaged_results_are_made_again(tmp_path, source, damage):
    cache = tmp_path / "cache"
    _, model = run(cache, stages(source))
    before = tree(cache)
    (words,) = cache.glob("words-*")
    if damage == "changed":
        (words / "deep" / "words").write_text("one three tw0")
    elif damage == "removed":
        (words / "deep" / "words").unlink()
    elif damage == "added":
        (words / "more").write_text("")
    elif damage == "manifest":
        (words / "manifest.json").write_text('{"files": 3')
    else:
        (words / "manifest.json").unlink()
    assert run(cache, stages(source)) == (ALL_OLD | {"words": "finished"}, model)
    assert tree(cache) == before


def test_one_build_at_a_time(tmp_path, source):
    cache = tmp_path / "cache"
    run(cache, stages(source))
    with (cache / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="another build uses"):
            run(cache, stages(source))
    assert run(cache, stages(source))[0] == ALL_OLD


def test_missing_file_and_impossible_cache(tmp_path, source):
    with pytest.raises(InputError, match="No such file"):
        run(tmp_path / "cache", stages(tmp_path / "none"))
    with pytest.raises(InputError, match="the cache cannot be used"):
        run(source, stages(source))


def test_stages_in_the_wrong_order_or_twice(tmp_path, source):
    made = stages(source)
    with pytest.raises(ValueError, match="which come later"):
        Pipeline(tmp_path, made[::-1])
    with pytest.raises(ValueError, match="twice"):
        Pipeline(tmp_path, [made[0], made[0]])
