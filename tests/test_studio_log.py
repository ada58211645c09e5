"""The studio's log: what was acknowledged stays, whatever happens to the process."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.errors import InputError
from otherwords.study.studio import Log, read_log


def kinds(path):
    return [event["kind"] for event in read_log(path)]


def test_a_log_goes_on_where_it_ended(tmp_path):
    path = tmp_path / "work.log"
    with Log(path, "alignment") as log:
        log.append({"kind": "one", "text": "caf\u00e9 \U0001f600"})
    first = path.read_bytes()
    with Log(path, "alignment") as log:
        assert [event["kind"] for event in log.events] == ["log", "one"]
        log.extend([{"kind": "two"}, {"kind": "three"}])
    assert path.read_bytes().startswith(first)
    assert kinds(path) == ["log", "one", "two", "three"]
    assert read_log(path)[1]["text"] == "caf\u00e9 \U0001f600"


@given(st.integers(0, 10_000), st.integers(0, 3))
def test_any_cut_loses_only_the_line_it_is_in(tmp_path_factory, place, more):
    path = tmp_path_factory.mktemp("log") / "work.log"
    with Log(path, "alignment") as log:
        whole_lines = [os.path.getsize(path)]
        for number in range(4):
            log.append({"kind": "event", "number": number, "text": "\u00e9" * number})
            whole_lines.append(os.path.getsize(path))
    place = whole_lines[0] + place % (whole_lines[-1] - whole_lines[0] + 1)
    os.truncate(path, place)
    # A line without its end is whole if only the end is missing.
    kept = sum(place >= end - 1 for end in whole_lines[1:])
    numbers = [event.get("number") for event in read_log(path)[1:]]
    assert numbers == list(range(kept))
    before = path.read_bytes()
    for number in range(more):
        with Log(path, "alignment") as log:
            log.append({"kind": "event", "number": 100 + number})
    assert path.read_bytes().startswith(before)
    again = [event["number"] for event in read_log(path)[1:]]
    assert again == [*range(kept), *(100 + number for number in range(more))]


def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "work.log"
    code = (
        "import sys; from otherwords.study.studio import Log\n"
        "log = Log(sys.argv[1], 'alignment'); number = 0\n"
        "while True:\n"
        "    log.append({'kind': 'event', 'number': number}); print(number, flush=True)\n"
        "    number += 1\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as process:
        reported = [int(process.stdout.readline()) for _ in range(20)]
        process.send_signal(signal.SIGKILL)
        reported += [int(line) for line in process.stdout.read().split()]
    numbers = [event["number"] for event in read_log(path)[1:]]
    assert numbers[: len(reported)] == reported


def test_one_writer_at_a_time(tmp_path):
    path = tmp_path / "work.log"
    with Log(path, "alignment"):
        with pytest.raises(InputError, match="in use by another studio"):
            Log(path, "alignment")
        assert kinds(path) == ["log"]  # reading needs no lock
    Log(path, "alignment").close()


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "work.log"
    for content in (b"hello\n", b'{"kind": "links"}\n', b'{"source": "a"}\n', b"[1]\n\n"):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"work\.log:1: this is no"):
            Log(path, "alignment")
        assert path.read_bytes() == content
    path.write_bytes(gzip.compress(b'{"kind": "log", "version": 1, "purpose": "alignment"}\n'))
    with pytest.raises(InputError, match="this is not a log"):
        Log(path, "alignment")
    path.write_text(json.dumps({"kind": "log", "version": 9, "purpose": "alignment"}) + "\n")
    with pytest.raises(InputError, match="version 9"):
        read_log(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="nothing in this log"):
        read_log(path)
    with pytest.raises(InputError, match="cannot be opened"):
        Log(tmp_path, "alignment")
    with pytest.raises(InputError, match="cannot be opened"):
        Log(tmp_path / "no" / "work.log", "alignment")


def test_a_log_of_another_purpose(tmp_path):
    path = tmp_path / "work.log"
    Log(path, "judgement").close()
    with pytest.raises(InputError, match="purpose 'judgement', not 'alignment'"):
        Log(path, "alignment")
    with pytest.raises(InputError, match="not 'alignment'"):
        read_log(path, "alignment")


def test_damage_in_the_middle_is_reported(tmp_path):
    path = tmp_path / "work.log"
    with Log(path, "alignment") as log:
        log.append({"kind": "one"})
        log.append({"kind": "two"})
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([lines[0], lines[1][:9], *lines[2:]]))
    with pytest.raises(InputError, match=r"work\.log:2: this is no event"):
        read_log(path)


def test_what_cannot_be_written(tmp_path):
    with Log(tmp_path / "work.log", "alignment") as log:
        for value in ("\ud800", float("nan")):
            with pytest.raises(InputError, match="cannot be written to a log"):
                log.append({"kind": "one", "value": value})
        assert len(log.events) == 1
        assert kinds(log.path) == ["log"]


def test_a_full_disk_is_reported_and_passed_over(tmp_path, monkeypatch):
    path = tmp_path / "work.log"
    write = os.write

    def full(file, data):
        write(file, data[:7])
        raise OSError(28, "No space left on device")

    with Log(path, "alignment") as log:
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(InputError, match="No space left"):
            log.append({"kind": "one"})
        monkeypatch.setattr(os, "write", write)
        log.append({"kind": "two"})
        assert [event["kind"] for event in log.events] == ["log", "two"]
    assert kinds(path) == ["log", "two"]


def test_what_failed_does_not_come_back(tmp_path, monkeypatch):
    path = tmp_path / "work.log"
    sync = os.fsync

    def broken(file):
        raise OSError(5, "Input/output error")

    with Log(path, "alignment") as log:
        before = path.read_bytes()
        monkeypatch.setattr(os, "fsync", broken)
        with pytest.raises(InputError, match="Input/output error"):
            log.append({"kind": "one"})
        monkeypatch.setattr(os, "fsync", sync)
        assert path.read_bytes() == before


@pytest.mark.parametrize("change", ["removed", "replaced", "appended", "cut"])
def test_a_log_that_is_not_the_file_any_more_takes_nothing(tmp_path, change):
    """Each append was acknowledged and lost, or put into a file that somebody else writes."""
    path = tmp_path / "work.log"
    with Log(path, "alignment") as log:
        log.append({"kind": "one"})
        if change in ("removed", "replaced"):
            path.rename(tmp_path / "old.log")
        if change == "replaced":
            path.write_bytes((tmp_path / "old.log").read_bytes())
        if change == "appended":
            with path.open("ab") as file:
                file.write(b'{"kind": "foreign"}\n')
        if change == "cut":
            os.truncate(path, 3)
        for _ in range(2):
            with pytest.raises(InputError, match="started again"):
                log.append({"kind": "two"})
        assert [event["kind"] for event in log.events] == ["log", "one"]


def test_the_folder_of_a_new_log_is_synced(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("otherwords.study.studio.log.sync_folder", synced.append)
    for _ in range(2):
        Log(tmp_path / "work.log", "alignment").close()
    assert synced == [tmp_path]
