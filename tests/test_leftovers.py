"""What is written and what is left: signals, kills, other containers, the order of steps."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys

import pytest

from otherwords.io import processes
from otherwords.io.files import atomic_write

SLOW = """
import time, click
from otherwords.io.files import atomic_write
from otherwords.io.processes import working_folder
from otherwords.cli import entry
import otherwords.cli, otherwords.cli.app
@click.command()
@click.argument("target")
def slow(target):
    with atomic_write(target + "/out") as file, working_folder(target) as folder:
        (folder / "part").write_text("x")
        print("ready", flush=True)
        time.sleep(60)
otherwords.cli.app.command = lambda: slow
entry()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_leaves_nothing(number, code, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, tmp_path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(number)
        assert process.communicate(timeout=30)[1] == b""
        assert process.returncode == code
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, tmp_path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        other = tmp_path / "kept"
        with atomic_write(other) as file:  # the first process is alive
            file.write(b"x")
        assert len(list(tmp_path.iterdir())) == 3
        process.kill()
    with atomic_write(other) as file:
        file.write(b"y")
    assert list(tmp_path.iterdir()) == [other]
    assert other.read_bytes() == b"y"


def test_processes_of_another_container_are_alive(tmp_path):
    """They have numbers of their own, so that nothing says whether they are."""
    other = "from otherwords.io.files import atomic_write\nimport sys\n"
    other += "with atomic_write(sys.argv[1]) as file: file.write(b'x')"
    apart = ["unshare", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode:
        pytest.skip("no process can get numbers of its own here")
    with atomic_write(tmp_path / "out") as file:
        file.write(b"y")
        subprocess.run([*apart, sys.executable, "-c", other, tmp_path / "other"], check=True)
    assert (tmp_path / "out").read_bytes() == b"y"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_private_file_stays_private(tmp_path):
    """New files have the rights that the user's mask leaves, old ones keep theirs."""
    mask = os.umask(0o027)
    try:
        for name, before, after in (("new", None, 0o640), ("private", 0o600, 0o600)):
            path = tmp_path / name
            if before is not None:
                path.write_text("old")
                path.chmod(before)
            with atomic_write(path) as file:
                (written,) = [one for one in tmp_path.iterdir() if one.name.startswith(".")]
                assert stat.S_IMODE(written.stat().st_mode) == after
                file.write(b"x")
            assert stat.S_IMODE(path.stat().st_mode) == after
    finally:
        os.umask(mask)


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    """First its bytes, then its name, then the folder that holds the name."""
    steps = []
    sync, name = os.fsync, os.replace

    def synced(descriptor):
        mode = os.fstat(descriptor).st_mode
        size = os.fstat(descriptor).st_size
        steps.append("folder" if stat.S_ISDIR(mode) else f"file of {size} bytes")
        sync(descriptor)

    def named(source, target):
        steps.append(f"named {os.path.basename(target)}")
        name(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", named)
    with atomic_write(tmp_path / "out") as file:
        file.write(b"x" * 100)
    assert steps == ["file of 100 bytes", "named out", "folder"]


def test_files_of_a_machine_with_the_same_name_are_kept(tmp_path, monkeypatch):
    """On shared storage: its process ids mean nothing here, whatever its host is called."""
    dead = 2**22 + 1  # above the largest process id of Linux
    mine = tmp_path / processes.unique_name().replace(f"-{os.getpid()}-", f"-{dead}-")
    (tmp_path / "boot").write_text("another boot\n")
    with monkeypatch.context() as other:
        other.setattr(processes, "_BOOT", tmp_path / "boot")
        theirs = tmp_path / processes.unique_name().replace(f"-{os.getpid()}-", f"-{dead}-")
    mine.mkdir()
    theirs.mkdir()
    processes.remove_stale(tmp_path)
    assert (mine.exists(), theirs.exists()) == (False, True)
