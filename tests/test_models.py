"""Model files: whole or refused, with the reason; and the commands that look into them."""

from __future__ import annotations

import json
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.errors import DamagedModelError, ModelError
from otherwords.models import container
from otherwords.models.container import embedded_names, find, read, verify, write

ARRAYS = {
    "a/x": np.arange(5, dtype=np.uint64),
    "a/deep/y": np.array([[1.5, 2.5]]),
    "a/empty": np.zeros((2, 0), np.int8),
    "b/x": np.array([True, False, True]),
    "c": np.array(7, dtype=">i2"),
}
PROVENANCE = {"by": "us", "from": [{"file": "é.tsv", "lines": 3}]}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "small.owm"
    write(path, "test", ARRAYS, PROVENANCE)
    return path


def test_round_trip(small):
    for opened in (read(small), read(small, "test"), verify(small)):
        assert list(opened.arrays) == list(ARRAYS)
        for name, array in ARRAYS.items():
            assert np.array_equal(opened.arrays[name], array)
            assert opened.arrays[name].shape == array.shape
        assert opened.provenance == PROVENANCE
    with pytest.raises(ValueError, match="read-only"):
        read(small).arrays["a/x"][0] = 1


def test_sections(small):
    model = read(small)
    assert list(model.section("a")) == ["x", "deep/y", "empty"]
    assert list(model.section("a/deep")) == ["y"]
    assert model.section("a/de") == model.section("none") == {}
    assert model.sections() == ["a", "b"]
    assert model.sections("a") == ["deep"]


def test_no_more_than_one_array_is_copied(tmp_path):
    import tracemalloc

    big = {name: np.zeros(1 << 20, dtype=np.uint64)[::2] for name in "abcdef"}
    tracemalloc.start()
    write(tmp_path / "x.owm", "test", big, {})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.5 * (4 << 20)  # all six would be 24 MB


@given(st.data())
@settings(max_examples=250, deadline=None)
def test_any_flipped_bit_is_noticed(small, tmp_path_factory, data):
    raw = bytearray(small.read_bytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path = tmp_path_factory.mktemp("flip") / "x.owm"
    path.write_bytes(raw)
    for opening in (read, verify):
        with pytest.raises(ModelError, match=str(path)):
            opening(path)


def test_any_truncation_is_noticed(small, tmp_path):
    raw = small.read_bytes()
    path = tmp_path / "x.owm"
    for length in range(len(raw)):
        path.write_bytes(raw[:length])
        with pytest.raises(ModelError, match=r"truncated|damaged|the file is empty"):
            read(path)
    path.write_bytes(raw + b"\0")
    with pytest.raises(DamagedModelError, match="bytes too many"):
        read(path)


def test_content_of_large_files_is_checked_once(small, tmp_path, monkeypatch):
    """Until the file changes, which the cache knows it by."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(container, "CHECKED_ON_OPENING", 100)
    raw = bytearray(small.read_bytes())
    path = tmp_path / "x.owm"
    path.write_bytes(raw)
    read(path)
    [stamp] = (tmp_path / "cache" / "otherwords").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(container, "_check_content", lambda file: pytest.fail("again"))
        read(path)
    raw[-1] ^= 1
    path.write_bytes(raw)
    for _ in range(2):
        with pytest.raises(DamagedModelError, match="array 'c' is damaged"):
            read(path)
    with pytest.raises(DamagedModelError, match="array 'c' is damaged"):
        verify(path)
    assert list(stamp.parent.iterdir()) == [stamp]
    path.write_bytes(raw[:-1])
    with pytest.raises(DamagedModelError, match="truncated"):
        read(path)


def forged(path, small, change):
    """The small model with another header, whose checksum is right."""
    raw = small.read_bytes()
    magic, version, length, _ = struct.unpack("<16sIII", raw[:28])
    start = 28 + length + -(28 + length) % 64
    header = change(json.loads(raw[28 : 28 + length]))
    if not isinstance(header, bytes):
        header = json.dumps(header).encode()
    head = struct.pack("<16sIII", magic, version, len(header), zlib.crc32(header)) + header
    path.write_bytes(head + bytes(-len(head) % 64) + raw[start:])


@pytest.mark.parametrize(
    "change",
    [
        lambda header: [],
        lambda header: b"{" * 100_000,
        lambda header: b"\xff\xfe",
        lambda header: {},
        lambda header: {**header, "kind": 3},
        lambda header: {**header, "provenance": 3},
        lambda header: {**header, "size": -1},
        lambda header: {**header, "size": 1e3},
        lambda header: {**header, "arrays": 1},
        lambda header: {**header, "arrays": header["arrays"][:-1]},
        lambda header: {**header, "arrays": header["arrays"][::-1]},
        *(
            lambda header, entry=entry: {
                **header,
                "arrays": [header["arrays"][0] | entry, *header["arrays"][1:]],
            }
            for entry in (
                {"dtype": "O"},
                {"dtype": ">u8"},
                {"dtype": "no"},
                {"shape": [6]},
                {"shape": [-5]},
                {"shape": [10**30]},
                {"shape": "5"},
                {"offset": 64},
                {"offset": -64},
                {"offset": True},
                {"name": None},
                {"name": "c"},
                {"crc32": "x"},
            )
        ),
        lambda header: {
            **header,
            "arrays": [
                one | ({"shape": [0, 10**30]} if one["name"] == "a/empty" else {})
                for one in header["arrays"]
            ],
        },
    ],
)
def test_forged_headers_are_refused(small, tmp_path, change):
    path = tmp_path / "x.owm"
    forged(path, small, change)
    with pytest.raises(DamagedModelError):
        read(path)


def test_digest_that_is_not_that_of_the_content(small, tmp_path):
    path = tmp_path / "x.owm"
    forged(path, small, lambda header: {**header, "digest": "0" * 64})
    with pytest.raises(DamagedModelError, match="digest"):
        verify(path)


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(TypeError, match="'a'"):
        write(tmp_path / "x.owm", "test", {"a": np.array(["text"])}, {})
    with pytest.raises(ValueError, match="JSON compliant"):
        write(tmp_path / "x.owm", "test", {}, {"a": float("nan")})
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "x.owm", "test", {}, {})
    assert verify(tmp_path / "x.owm").arrays == {}


class TestCommands:
    def test_embedded_models(self, ok):
        listed = json.loads(ok("model", "list", "--format", "json"))
        assert [one["name"] for one in listed["models"]] == list(embedded_names())
        for name in embedded_names():
            assert name in ok("model", "list")
            assert "sound" in ok("model", "verify", name)
            document = json.loads(ok("model", "info", name, "-f", "json"))
            assert document["size"] == find(name).stat().st_size
            assert document["digest"] == read(find(name)).digest

    def test_a_file_goes_before_an_embedded_name_and_that_before_a_folder(
        self, ok, small, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "lexicon").mkdir()
        assert "kind      lexicon" in ok("model", "info", "lexicon")
        (tmp_path / "tagger").write_bytes(small.read_bytes())
        assert "kind      test" in ok("model", "info", "tagger")

    def test_info(self, ok, small):
        shown = ok("model", "info", small)
        for line in (
            "kind      test",
            "by: us",
            "a/deep/y  float64       1 x 2     16",
            "lines: 3",
        ):
            assert line in shown
        document = json.loads(ok("model", "info", small, "--format", "json"))
        assert document["provenance"] == PROVENANCE
        assert document["arrays"][2] == {
            "name": "a/empty", "type": "int8", "shape": [2, 0], "size": 0
        }  # fmt: skip

    def test_verify_damaged(self, run, refused, small, tmp_path):
        path = tmp_path / "x.owm"
        path.write_bytes(small.read_bytes()[:-1])
        code, out, err = run("model", "verify", path)
        assert (code, err) == (1, "")
        assert "truncated" in out
        assert "truncated" in refused("model", "info", path)

    def test_what_is_no_model(self, refused, tmp_path):
        other = tmp_path / "text"
        other.write_text("some text that is longer than the magic bytes of a model")
        for command in ("info", "verify"):
            assert "not an otherwords model" in refused("model", command, other)
            assert "Is a directory" in refused("model", command, tmp_path)
            assert "did you mean 'lexicon'?" in refused("model", command, "lexikon")


def test_a_forged_digest_is_refused(small, tmp_path):
    """Signatures print it; the checksums of the header can be made to fit."""
    raw = small.read_bytes()
    digest = read(small).digest.encode()
    length = container._PREFIX.unpack(raw[: container._PREFIX.size])[2]
    start = container._PREFIX.size
    header = raw[start : start + length].replace(digest, b"0" * len(digest))
    prefix = container._PREFIX.pack(container.MAGIC, container.VERSION, length, zlib.crc32(header))
    path = tmp_path / "forged.owm"
    path.write_bytes(prefix + header + raw[start + length :])
    for opened in (read, verify):
        with pytest.raises(DamagedModelError, match="digest is not that of its content"):
            opened(path)
