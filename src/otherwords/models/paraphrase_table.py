"""The packed table of paraphrases: phrase -> paraphrases with p(paraphrase|phrase).

ParaEval (§3) looks phrases up in it. It is packed from any source of pairs (`pack`, `load`), the
native side (native/phrases/paraphrase_table.hpp) reads it from a mapped file. Hashes of phrases are
kept, never their text. `docs/models.md` has its layout.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.phrases.paraphrase_packing import VERSION, Packer, pack
from otherwords.build.phrases.pivot_packing import Packed
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.files import STDIN, starts_with
from otherwords.models import container
from otherwords.models.cache import cached_path, trim
from otherwords.models.checks import check_bounds, check_index, check_range
from otherwords.models.container import MAGIC, Model

__all__ = ["KIND", "METEOR", "PackedTable", "ParaphraseTable", "pack_file", "pack_table"]

KIND = "paraphrase-table"
METEOR = "meteor"  # the name of METEOR's table


class ParaphraseTable:
    """Phrases and their paraphrases; p(b|a) has the direction that the source gave it.

    Phrases are taken in lower case, with single spaces between their words. Look-ups never
    write: any number of threads may share a table.

    >>> packed = pack(["a car", "an auto"], ["an auto", "a car"], [0.5, 1])
    >>> table = ParaphraseTable.of(packed)
    >>> table.probability("a car", "an auto"), table.probability("an auto", "A car")
    (0.5, 1.0)
    >>> len(table), table.pairs, table.longest
    (2, 2, 2)
    """

    pack = staticmethod(pack)

    def __init__(self, model: Model) -> None:
        self.model = model
        try:
            self.native = _native.ParaphraseTable(dict(model.arrays))
            _check(model.arrays)
        except ValueError as error:
            raise ModelError(f"{model.path}: {error}") from error

    @classmethod
    def of(cls, packed: Packed, name: str = "packed in memory") -> ParaphraseTable:
        """A table that is in no file."""
        return cls(container.in_memory(name, KIND, packed.arrays, packed.provenance))

    @classmethod
    def load(cls, name_or_path: str | Path, form: str = "auto") -> ParaphraseTable:
        """Open a packed file, any file of pairs, or the table of that name (`meteor`).

        A file of pairs (see `phrases.paraphrase_files`) is packed once into the user's cache and
        opened from there afterwards, until it changes.
        """
        path = _find(name_or_path)
        if starts_with(path, MAGIC):
            return cls(container.read(path, KIND))
        stdin = str(path) == STDIN
        place = None if stdin else cached_path(path, f"paraphrases {VERSION} {form}")
        if place is None:
            return cls.of(pack_file(path, form), str(path))
        with suppress(ModelError):  # not there yet, or damaged
            found = cls(container.read(place, KIND))
            with suppress(OSError):
                os.utime(place)  # it was used now
            return found
        packed = pack_file(path, form)
        with suppress(InputError, ModelError):  # a full disk, a folder that cannot be written
            container.write(place, KIND, packed.arrays, packed.provenance)
            trim(place)
            return cls(container.read(place, KIND))
        return cls.of(packed, str(path))

    @property
    def digest(self) -> str:
        """What signatures say of the table: the same pairs, the same digest."""
        return self.model.short_digest

    def __len__(self) -> int:
        """How many phrases there are, on either side of a pair."""
        return len(self.native)

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.native.pairs

    @property
    def longest(self) -> int:
        """Words of the longest phrase."""
        return self.native.longest

    def probability(self, a: str, b: str) -> float:
        """p(b|a), at most 2.2 % off; 0 if the table does not have the pair."""
        try:
            return self.native.probability(a, b)
        except UnicodeEncodeError as error:
            raise InputError("a lone surrogate in a phrase") from error


def pack_file(name_or_path: str | Path, form: str = "auto") -> Packed:
    """Pack a file of pairs; the provenance names it, without its folder, and its format."""
    from otherwords.build.phrases.paraphrase_files import PairFile

    path = _find(name_or_path)
    file, packer = PairFile(path, form), Packer()
    for pairs in file:
        packer.add(*pairs[:3], path=path, lines=pairs.lines)
    packer.skipped.update(file.skipped)
    packed = packer.packed()
    source = {"source": path.name, "format": file.form, "packing": VERSION}
    return Packed(packed.arrays, {**source, **packed.provenance})


@dataclass(frozen=True)
class PackedTable:
    """What was packed into a model file."""

    path: str
    pairs: int
    phrases: int
    skipped: Mapping[str, int]  # pairs by the reason why they were left out

    def __str__(self) -> str:
        skipped = "".join(f"; {why.replace('_', ' ')}: {n:,}" for why, n in self.skipped.items())
        return f"{self.path}: {self.pairs:,} pairs of {self.phrases:,} phrases{skipped}"


def pack_table(name_or_path: str | Path, output: str, form: str = "auto") -> PackedTable:
    """Pack a file of pairs into the model file `output`, which opens at once."""
    if output == STDIN:
        raise UsageError("a model cannot be printed; give its name with -o")
    packed = pack_file(name_or_path, form)
    container.write(output, KIND, packed.arrays, packed.provenance)
    found = packed.provenance
    return PackedTable(output, found["pairs"], found["phrases"], found["skipped"])


def _find(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if str(name_or_path) == METEOR and not os.path.isfile(path):
        return _meteor()
    if str(name_or_path) != STDIN and not os.path.exists(path):
        message = f"there is no such file; a file of paraphrases is needed, or '{METEOR}'"
        raise InputError(message, path=path)
    return path


def _meteor() -> Path:
    """METEOR's English table inside the package pycocoevalcap, which is not imported."""
    package = importlib.util.find_spec("pycocoevalcap")
    for folder in (package and package.submodule_search_locations) or ():
        path = Path(folder) / "meteor" / "data" / "paraphrase-en.gz"
        if path.is_file():
            return path
    raise UsageError("METEOR's table is not installed; pip install 'otherwords[meteor]'")


def _check(arrays: Mapping[str, NDArray[Any]]) -> None:
    keys, targets = arrays["keys"], arrays["targets"]
    check_index("keys", keys, arrays["buckets"])
    check_bounds("targets", arrays["bounds"], len(targets))
    check_range("targets", targets, len(keys))
    if len(keys) and arrays["longest"][0] == 0:
        raise ValueError("the longest phrase has no words")
