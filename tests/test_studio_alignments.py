"""The alignment page without a browser: its rows, its log, its answers, its commands."""

from __future__ import annotations

import json
import pkgutil
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from otherwords.build.bitext.gold import read_gold
from otherwords.cli import studio as studio_cli
from otherwords.errors import InputError
from otherwords.study import studio
from otherwords.study.studio import Log, read_log
from otherwords.study.studio.alignment import ALIGNMENT, AlignmentLog, AlignmentRow, links_of
from otherwords.study.studio.alignment_page import align_page, align_rows, read_gold_rows
from otherwords.study.studio.annotators import find_two, rows_to_adjudicate
from otherwords.study.studio.page import ConflictError
from otherwords.study.studio.server import Access, app
from tests.browser import KEY, let_in

EXAMPLE = Path(__file__).parents[1] / "examples" / "alignment" / "pairs.jsonl"
BASE = "http://127.0.0.1:8123"


def row(source="a b c", target="x y", sure=(), possible=(), **more):
    links = {"sure": list(sure), "possible": list(possible)}
    value = {"source": source.split(), "target": target.split(), **links, **more}
    return AlignmentRow(value, links)


@pytest.fixture
def start(tmp_path):
    """A log with rows, open."""
    logs = []

    def opened(rows, name="work.log"):
        log = Log(tmp_path / name, ALIGNMENT)
        logs.append(log)
        found = AlignmentLog(log.events, log.path)
        found.add_rows(rows, log)
        return log, found

    yield opened
    for log in logs:
        log.close()


def annotate(path, name, rows, sets, done=True):
    """The work of one annotator: `sets` has the cells of each row."""
    with Log(path, ALIGNMENT) as log:
        found = AlignmentLog(log.events, str(path))
        if rows:
            found.add_rows(rows, log)
        for number, cells in enumerate(sets):
            if cells:
                found.write(log, "set", name, {"row": number, "step": 0, "cells": cells})
            step = found.work(name, number).step
            if done:
                found.write(log, "done", name, {"row": number, "step": step, "done": True})


def test_what_is_written_is_what_is_read_again(start):
    log, found = start([row(sure=["0-0"], possible=["1-1"])])
    found.write(log, "set", "ann", {"row": 0, "step": 0, "cells": [[2, 1, "sure"], [0, 0, "none"]]})
    found.write(log, "set", "ann", {"row": 0, "step": 1, "cells": [[1, 1, "sure"]]})
    found.write(log, "undo", "ann", {"row": 0, "step": 2})
    again = AlignmentLog(read_log(log.path), log.path)
    for one in (found, again):
        work = one.work("ann", 0)
        assert links_of(work.marks) == {"sure": ["2-1"], "possible": ["1-1"]}
        assert (work.step, work.position, len(work.history)) == (3, 1, 2)
        assert one.work("bob", 0).marks == {(0, 0): "sure", (1, 1): "possible"}
        assert one.annotators == ["ann"]


MARK = st.sampled_from(["sure", "possible", "none"])
CELLS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), MARK), min_size=1, max_size=4)
DOING = st.lists(
    st.one_of(st.tuples(st.just("set"), CELLS), st.sampled_from([("undo", None), ("redo", None)])),
    max_size=12,
)


@settings(max_examples=50)
@given(DOING)
def test_undo_and_redo_are_a_list_of_states(tmp_path_factory, doing):
    states, position = [{(0, 0): "sure"}], 0
    path = tmp_path_factory.mktemp("log") / "work.log"
    with Log(path, ALIGNMENT) as log:
        found = AlignmentLog(log.events, log.path)
        found.add_rows([row(sure=["0-0"])], log)
        for step, (kind, cells) in enumerate(doing):
            more = {"cells": [list(cell) for cell in cells]} if cells else {}
            work = found.write(log, kind, "ann", {"row": 0, "step": step, **more})
            if kind == "set":
                marks = dict(states[position])
                for i, j, mark in cells:
                    marks[i, j] = mark
                marks = {link: mark for link, mark in marks.items() if mark != "none"}
                states[position + 1 :] = [marks]
                position += 1
            elif kind == "undo":
                position = max(position - 1, 0)
            else:
                position = min(position + 1, len(states) - 1)
            assert work.marks == states[position]
    again = AlignmentLog(read_log(path), str(path)).work("ann", 0)
    assert again.marks == states[position]


def test_a_write_sent_twice_is_done_once_and_a_late_one_refused(start):
    log, found = start([row()])
    event = {"row": 0, "step": 0, "cells": [[0, 0, "sure"]]}
    found.write(log, "set", "ann", event)
    found.write(log, "set", "ann", event)
    assert len(log.events) == 3
    with pytest.raises(ConflictError, match="another window"):
        found.write(log, "set", "ann", {"row": 0, "step": 0, "cells": [[0, 1, "sure"]]})
    with pytest.raises(ConflictError):
        found.write(log, "undo", "ann", {"row": 0, "step": 7})
    found.write(log, "set", "bob", event)  # everyone has their own steps
    # A write that failed half way may be in the log twice; it counts once.
    log.append({**event, "kind": "set", "annotator": "ann"})
    assert AlignmentLog(read_log(log.path), log.path).work("ann", 0).step == 1


@pytest.mark.parametrize(
    ("kind", "given", "reported"),
    [
        ("set", {}, "row must be a whole number"),
        ("set", {"row": 1, "step": 0}, "row must be a whole number from 0 to 0, not 1"),
        ("set", {"row": True, "step": 0}, "row must be"),
        ("set", {"row": 0, "step": "0"}, "step must be"),
        ("set", {"row": 0, "step": 0}, "cells must be a list"),
        ("set", {"row": 0, "step": 0, "cells": []}, "cells must be a list"),
        ("set", {"row": 0, "step": 0, "cells": [[0, 0, "sure"]] * 7}, "cells must be a list"),
        ("set", {"row": 0, "step": 0, "cells": [[0, 0]]}, "a cell is"),
        ("set", {"row": 0, "step": 0, "cells": [[0, 0, "maybe"]]}, "a cell is"),
        ("set", {"row": 0, "step": 0, "cells": [[0, 0, ["sure"]]]}, "a cell is"),
        ("set", {"row": 0, "step": 0, "cells": [[3, 0, "sure"]]}, "i must be"),
        ("set", {"row": 0, "step": 0, "cells": [[0, -1, "sure"]]}, "j must be"),
        ("set", {"row": 0, "step": 0, "cells": [[0.0, 0, "sure"]]}, "i must be"),
        ("done", {"row": 0, "step": 0, "done": 1}, "done must be true or false"),
    ],
)
def test_bad_writes_change_nothing(start, kind, given, reported):
    log, found = start([row()])
    with pytest.raises(InputError, match=reported):
        found.write(log, kind, "ann", given)
    assert len(log.events) == 2


def test_the_page_over_http(start):
    log, found = start([row(id="<b>1</b>", sure=["0-0"]), row("d", "")])
    with TestClient(app([align_page(log, "ann", found)], access=Access(KEY)), BASE) as client:
        let_in(client)
        assert "<script type=" in client.get("/align").text
        state = client.get("/api/align/state").json()
        assert state == {"annotator": "ann", "names": [], "done": [False, False]}
        shown = client.get("/api/align/row?row=0").json()
        assert (shown["source"], shown["marks"]) == (["a", "b", "c"], [[0, 0, "sure"]])
        assert shown["about"] == {"id": "<b>1</b>"}
        for wrong in ("2", "-1", "x", "", "\u0663", "1" * 5000):
            assert client.get("/api/align/row", params={"row": wrong}).status_code == 400
        cells = [[1, 1, "possible"]]
        sent = {"row": 0, "step": 0, "cells": cells}
        done = client.post("/api/align/set", json=sent)
        assert done.json() == {"step": 1}
        late = {"row": 0, "step": 0, "done": True}
        assert client.post("/api/align/done", json=late).status_code == 409
        client.cookies.clear()
        assert client.post("/api/align/set", json=sent).status_code == 403
        let_in(client)
        shown = client.get("/api/align/row?row=0").json()
        assert shown["history"] == [[[1, 1, "none", "possible"]]]
    assert [event["kind"] for event in read_log(log.path)] == ["log", "row", "row", "set"]


def test_a_log_goes_on_with_its_rows_or_more_of_them(start):
    log, found = start([row()])
    found.add_rows([row(), row("d e", "z")], log)
    assert len(found.rows) == 2
    with pytest.raises(InputError, match="row 2 differs"):
        found.add_rows([row(), row("d e", "w")], log)
    with pytest.raises(InputError, match="2 rows, the input 1"):
        found.add_rows([row()], log)


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "set", "row": 5, "cells": [[0, 0, "sure"]]},
        {"kind": "set", "row": -1, "cells": [[0, 0, "sure"]]},
        {"kind": "set", "row": 0, "cells": [[9, 0, "sure"]]},
        {"kind": "set", "row": 0, "cells": [[0, 0, "surely"]]},
        {"kind": "done", "row": 0, "done": "no"},
        {"kind": "done", "row": 0, "done": True, "annotator": 7},
        {"kind": "done", "row": 0, "done": True, "annotator": ["ann"]},
        {"kind": "row", "value": {"source": ["a"]}, "links": {}},
        {"kind": "row", "value": [1], "links": {}},
        {"kind": "row", "value": {"source": ["a"], "target": [1]}, "links": {}},
        {"kind": "row", "value": {"source": ["a"], "target": ["b"]}, "links": ["0-0"]},
        {"kind": "row", "value": {"source": ["a"], "target": ["b"]}, "links": {"sure": ["0"]}},
        {"kind": "row", "value": {"source": ["a"], "target": ["b"]}, "links": {"sure": ["0-1"]}},
    ],
)
def test_damaged_events_are_reported(event):
    head = {"kind": "log", "version": 1, "purpose": ALIGNMENT}
    events = [head, row().event, {"annotator": "ann", "step": 0, **event}]
    with pytest.raises(InputError, match=r"w\.log: event 3 is not an event of an alignment"):
        AlignmentLog(events, "w.log")


def test_all_keys_of_the_input_come_out_again(ok, tmp_path):
    path = tmp_path / "work.log"
    annotate(path, "ann", read_gold_rows(str(EXAMPLE))[0], [None] * 4)
    exported = tmp_path / "gold.jsonl"
    ok("studio", "export", "--log", path, "-o", exported)
    given = [json.loads(line) for line in EXAMPLE.read_text().splitlines()]
    found = [json.loads(line) for line in exported.read_text().splitlines()]
    assert [list(one) for one in found] == [list(one) for one in given]
    for one, other in zip(found, given, strict=True):
        for links in ("sure", "possible"):
            assert sorted(one.pop(links)) == sorted(other.pop(links))
        assert one == other
    assert read_gold(str(exported)) == read_gold(str(EXAMPLE))
    out = ok("align", "--gold", exported, "--alignment", _pharaoh(exported, tmp_path))
    assert "0.0000" in out.splitlines()[1]  # AER of the gold against itself
    out = ok("parametric", "--gold", exported, "--alignments", _pharaoh(exported, tmp_path))
    assert "1.0" in out


def _pharaoh(gold, tmp_path):
    path = tmp_path / "links.txt"
    rows = read_gold(str(gold))
    path.write_text("".join(" ".join(f"{i}-{j}" for i, j in sorted(r.sure)) + "\n" for r in rows))
    return path


def test_export_has_what_is_done_by_whom(ok, refused, tmp_path):
    path = tmp_path / "work.log"
    annotate(path, "ann", [row(), row("d", "z")], [[[0, 0, "sure"]], None], done=False)
    assert "ann has marked no row as done" in refused("studio", "export", "--log", path)
    assert len(ok("studio", "export", "--log", path, "--all").splitlines()) == 2
    with Log(path, ALIGNMENT) as log:
        found = AlignmentLog(log.events, log.path)
        found.write(log, "done", "bob", {"row": 1, "step": 0, "done": True})
    message = refused("studio", "export", "--log", path)
    assert "say whose work is meant; in this log is the work of: ann, bob" in message
    assert "did you mean 'bob'" in refused("studio", "export", "--log", path, "--annotator", "bo")
    [one] = ok("studio", "export", "--log", path, "--annotator", "bob").splitlines()
    assert json.loads(one) == {"source": ["d"], "target": ["z"], "sure": [], "possible": []}
    assert "no such file" in refused("studio", "export", "--log", tmp_path / "no.log")
    assert "both read and written" in refused("studio", "export", "--log", path, "-o", path)


def test_rows_without_links_get_those_of_the_aligner():
    rows, linked = read_gold_rows(str(EXAMPLE))
    assert linked
    made = align_rows(rows)
    assert [one.value for one in made] == [one.value for one in rows]
    spring = made[0].sides[0].index("spring"), made[0].sides[1].index("spring")
    assert f"{spring[0]}-{spring[1]}" in made[0].links["sure"]


@pytest.fixture
def served(monkeypatch):
    """`studio align` without a server: what it would serve."""
    pages = []

    def run(given, port, open_browser):
        [page] = given.values()
        state = page.reads["state"]({})
        rows = [page.reads["row"]({"row": str(n)}) for n in range(len(state["done"]))]
        pages[:] = [page, (state, rows)]
        return 0

    monkeypatch.setattr("otherwords.cli.studio._run", run)
    return pages


def test_where_the_work_starts(ok, served, tmp_path):
    texts = tmp_path / "pairs.tsv"
    texts.write_text("A man walks.\tA man is walking.\n\nShe sang\tShe was singing\n")
    links = tmp_path / "links.txt"
    links.write_text("0-0 1-1\n\n0-0\n")
    common = ["studio", "align", "--annotator", "ann", "--log"]
    ok(*common, tmp_path / "1.log", "--jsonl", EXAMPLE)
    assert served[1][1][0]["marks"][0] == [2, 8, "sure"]
    ok(*common, tmp_path / "2.log", "--jsonl", EXAMPLE, "--start", "nothing")
    assert [one["marks"] for one in served[1][1]] == [[]] * 4
    ok(*common, tmp_path / "3.log", "--jsonl", EXAMPLE, "--start", "aligner")
    assert [8, 5, "sure"] in served[1][1][0]["marks"]
    # A log that has rows needs no input, and keeps what it started from.
    ok(*common, tmp_path / "2.log")
    assert [one["marks"] for one in served[1][1]] == [[]] * 4


def test_a_bitext_to_align(run, served, tmp_path):
    texts = tmp_path / "pairs.tsv"
    texts.write_text("A man walks.\tA man is walking.\n\nShe sang\tShe was singing\n")
    links = tmp_path / "links.txt"
    links.write_text("0-0 1-1\n\n0-0\n")
    common = ["studio", "align", "--annotator", "ann", "--bitext", texts, "--log"]
    code, out, err = run(*common, tmp_path / "1.log", "--alignment", links)
    assert (code, out) == (0, "")
    assert f"{texts}:2" in err
    state, rows = served[1]
    assert state["done"] == [False, False]
    assert rows[0]["source"] == ["A", "man", "walks", "."]
    assert rows[0]["marks"] == [[0, 0, "sure"], [1, 1, "sure"]]
    assert rows[1]["marks"] == [[0, 0, "sure"]]
    run(*common, tmp_path / "2.log")
    assert [0, 0, "sure"] in served[1][1][0]["marks"]


def test_wrong_requests(refused, served, tmp_path, monkeypatch):
    log = ["studio", "align", "--log", tmp_path / "w.log", "--annotator"]
    assert "is a new log: give it rows" in refused(*log, "ann")
    both = refused(*log, "ann", "--jsonl", EXAMPLE, "--bitext", EXAMPLE)
    assert "only one of --jsonl, --bitext" in both
    assert "an annotator needs a name" in refused(*log, " ", "--jsonl", EXAMPLE)
    assert "--alignment needs --jsonl" in refused(*log, "ann", "--alignment", EXAMPLE)
    assert "--start needs --jsonl" in refused(*log, "ann", "--start", "nothing")
    idle = refused(*log, "ann", "--jsonl", EXAMPLE, "--tokenizer", "penn")
    assert "--tokenizer does nothing without --bitext" in idle
    idle = refused(*log, "ann", "--bitext", EXAMPLE, "--gold-base", "1")
    assert "--gold-base does nothing without --jsonl" in idle
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"source": ["a"], "target": ["b"]}\n')
    assert "have no links" in refused(*log, "ann", "--jsonl", bare, "--start", "given")
    bare.write_text('{"source": ["a"], "target": ["b"], "sure": ["0-1"]}\n')
    assert "bare.jsonl:1: link 0-1 is outside" in refused(*log, "ann", "--jsonl", bare)
    bare.write_text(json.dumps({"source": ["a"] * 301, "target": ["b"]}) + "\n")
    assert "bare.jsonl:1: a side has 301 words" in refused(*log, "ann", "--jsonl", bare)
    bare.write_text("\n")
    assert "no rows here" in refused(*log, "ann", "--jsonl", bare)
    bare.write_text('{"source": "a b", "target": ["b"], "sure": []}\n')
    assert "bare.jsonl:1: no row of gold" in refused(*log, "ann", "--jsonl", bare)
    for value in ("NaN", '"\\ud800"'):
        bare.write_text(f'{{"source": ["a"], "target": ["b"], "score": {value}}}\n')
        assert "bare.jsonl:1: the row cannot be" in refused(*log, "ann", "--jsonl", bare)
    short = tmp_path / "short.txt"
    short.write_text("0-0\n")
    message = refused(*log, "ann", "--jsonl", EXAMPLE, "--alignment", short)
    assert "there are 1 lines here but 4 in" in message
    assert not (tmp_path / "w.log").exists()
    Log(tmp_path / "w.log", ALIGNMENT).close()
    assert "has no rows yet" in refused(*log, "ann")
    assert "no log of the studio" in refused(
        "studio", "align", "--log", EXAMPLE, "--annotator", "ann", "--jsonl", EXAMPLE
    )
    monkeypatch.setattr(studio_cli, "_NEEDED", ("no_such_package",))
    assert "pip install 'otherwords[studio]'" in refused(*log, "ann", "--jsonl", EXAMPLE)


@pytest.fixture
def two(tmp_path):
    """They differ in one link of the first row, and in a mark of the second."""
    rows = [row(sure=["0-0"]), row("d e", "z w", sure=["0-0"]), row("f", "v")]
    paths = tmp_path / "a.log", tmp_path / "b.log"
    annotate(paths[0], "ann", rows, [[[1, 1, "sure"]], [[1, 1, "sure"]], None])
    annotate(paths[1], "bob", rows, [None, [[1, 1, "possible"]], None])
    return paths


def test_agreement_in_all_formats(ok, two):
    document = json.loads(ok("studio", "agreement", *two, "-f", "json"))
    assert {(line["first"], line["second"]) for line in document["agreement"]} == {("ann", "bob")}
    scores = {(line["links"], line["statistic"]): line["score"] for line in document["agreement"]}
    # Sure links: {0-0, 1-1} and {0-0} in both rows that have any.
    assert scores["sure", "precision"]["value"] == 1
    assert scores["sure", "recall"]["value"] == 0.5
    # C: half of the links in both; expected 1 of 6 and 1 of 4 cells.
    expected = (1 / 6 + 1 / 4) / 2
    assert scores["sure", "c-links"]["value"] == pytest.approx((0.5 - expected) / (1 - expected))
    assert scores["sure and possible", "recall"]["value"] == 0.75
    text = ok("studio", "agreement", *two)
    assert text.startswith("ann and bob: 3 rows\n")
    assert "F1" in text
    records = [json.loads(x) for x in ok("studio", "agreement", *two, "-f", "jsonl").splitlines()]
    assert len(records) == 14
    lines = ok("studio", "agreement", *two, "-f", "tsv").splitlines()
    assert len(lines) == 15
    assert {line.count("\t") for line in lines} == {9}
    assert "\\toprule" in ok("studio", "agreement", *two, "-f", "latex")


def test_agreement_without_links_is_not_a_number(ok, tmp_path):
    for name in ("a", "b"):
        annotate(tmp_path / f"{name}.log", name, [row()], [None])
    text = ok("studio", "agreement", tmp_path / "a.log", tmp_path / "b.log")
    assert "n/a (sure, c-words): neither annotator has a link" in text
    found = ok("studio", "agreement", tmp_path / "a.log", tmp_path / "b.log", "-f", "json")
    assert "NaN" not in found


def test_agreement_needs_two_on_the_same_rows(refused, ok, two, tmp_path):
    other = tmp_path / "c.log"
    annotate(other, "cid", [row("other", "words")], [None])
    assert "different sentences" in refused("studio", "agreement", two[0], other)
    message = refused("studio", "agreement", two[0])
    assert "two annotators are needed; in this log is the work of: ann" in message
    fresh = tmp_path / "d.log"
    rows = [AlignmentRow(r.value, r.links) for r in AlignmentLog(read_log(two[0]), "").rows]
    annotate(fresh, "dot", rows, [[[0, 0, "none"]]], done=False)
    assert "no row is done by both ann and dot" in refused("studio", "agreement", two[0], fresh)
    assert "3 rows" in ok("studio", "agreement", two[0], fresh, "--all")
    # One log with two names.
    annotate(two[0], "eve", None, [None, None])
    assert "ann and eve: 2 rows" in ok("studio", "agreement", two[0])
    assert "ann and eve: 2 rows" in ok("studio", "agreement", two[0], two[0])
    assert "eve and ann" in ok("studio", "agreement", f"eve={two[0]}", f"ann={two[0]}")


def test_adjudication_starts_from_what_both_say(two):
    rows = rows_to_adjudicate(*find_two(*map(str, two)))
    assert rows[0].links == {"sure": ["0-0"], "possible": []}
    assert rows[1].links == {"sure": ["0-0"], "possible": ["1-1"]}
    assert rows[0].others["ann"]["sure"] == ["0-0", "1-1"]
    assert list(rows[0].others) == ["ann", "bob"]


def test_adjudication_is_a_third_annotator(ok, served, two, tmp_path):
    third = tmp_path / "third.log"
    ok("studio", "align", "--adjudicate", *two, "--annotator", "judge", "--log", third)
    state, rows = served[1]
    assert state["names"] == ["ann", "bob"]
    assert rows[0]["others"] == [[[0, 0, "sure"], [1, 1, "sure"]], [[0, 0, "sure"]]]
    annotate(third, "judge", None, [[[1, 1, "possible"]], None, None])
    exported = [json.loads(x) for x in ok("studio", "export", "--log", third).splitlines()]
    assert exported[0]["possible"] == ["1-1"]
    # The decisions are work like any other: they can be compared.
    assert "ann and judge: 3 rows" in ok("studio", "agreement", two[0], third)


def test_adjudication_tells_what_is_not_done_and_what_has_changed(run, served, tmp_path):
    paths = tmp_path / "a.log", tmp_path / "b.log"
    for path, name in zip(paths, ("ann", "bob"), strict=True):
        annotate(path, name, [row(), row("d", "z")], [[[0, 0, "sure"]]])  # the second is open
    settle = ("studio", "align", "--adjudicate", *paths, "--annotator", "eve")
    settle += ("--log", tmp_path / "eve.log")
    assert run(*settle)[2] == (
        "1 rows are not finished by both annotators: the links that both started from may look "
        "like agreement\n"
    )
    with Log(paths[0], ALIGNMENT) as log:
        found = AlignmentLog(log.events, log.path)
        found.write(log, "set", "ann", {"row": 0, "step": 2, "cells": [[1, 1, "sure"]]})
    assert "1 rows were changed by their annotators since this log was begun" in run(*settle)[2]


def test_adjudication_needs_a_log_of_its_own(refused, two):
    assert "give the decisions their own" in refused(
        *("studio", "align", "--adjudicate", two[0], f"bob={two[1]}"),
        *("--annotator", "ann", "--log", two[1]),
    )


def test_adjudication_of_two_of_one_name(two, tmp_path):
    other = tmp_path / "other.log"
    annotate(other, "ann", AlignmentLog(read_log(two[0]), "").rows, [None, None, None])
    rows = rows_to_adjudicate(*find_two(str(two[0]), str(other)))
    assert list(rows[0].others) == ["ann (first)", "ann (second)"]


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    code = "from otherwords.cli import entry; entry()"
    options = ["--jsonl", EXAMPLE, "--annotator", "ann", "--log", tmp_path / "work.log"]
    command = [sys.executable, "-c", code, "studio", "align", *map(str, options)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/\?ticket=\S+", process.stdout.readline())[
                0
            ]
            browser = build_opener(HTTPCookieProcessor())
            with browser.open(address, timeout=10) as answer:
                assert answer.url.endswith("/align")  # the ticket is off the address
            state = address.partition("?")[0] + "api/align/state"
            with browser.open(state, timeout=10) as answer:
                assert json.load(answer)["done"] == [False] * 4
            with pytest.raises(HTTPError, match="403"):  # another process cannot get in
                build_opener().open(state, timeout=10)
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()


def test_a_browser_is_opened_if_asked_for(monkeypatch, capsys):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(
        "otherwords.study.studio.server.serve",
        lambda pages, port, ready, site: ready({"ann": "http://127.0.0.1:1/"}),
    )
    assert studio_cli._run({}, 0, False) == 0
    assert opened == []
    assert studio_cli._run({}, 0, True) == 0
    assert opened == ["http://127.0.0.1:1/"]
    assert capsys.readouterr().out.count("http://127.0.0.1:1/") == 2


def loaded_by(*argv):
    """The modules that a command loads."""
    code = (
        "import sys; from otherwords.cli import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, *map(str, argv)]
    return set(subprocess.run(command, check=True, capture_output=True, text=True).stderr.split())


@pytest.mark.parametrize("command", ["", "align", "judge", "judges", "export", "agreement"])
def test_help_needs_no_server(command):
    modules = loaded_by("studio", *command.split(), "--help")
    assert not {"starlette", "uvicorn", "duckdb", "pyarrow"} & modules
    assert not any(name.startswith("otherwords.study.studio") for name in modules)


def test_commands_without_a_page_need_no_server(two):
    modules = loaded_by("studio", "agreement", *two)
    assert "otherwords.study.studio.annotators" in modules
    assert not {"starlette", "uvicorn", "otherwords.study.studio.server"} & modules


def test_public_names_load():
    assert studio.compare_annotators is not None
    assert all(getattr(studio, name) is not None for name in studio.__all__)
    modules = {one.name for one in pkgutil.iter_modules(studio.__path__)}
    assert modules.isdisjoint(studio.__all__)
