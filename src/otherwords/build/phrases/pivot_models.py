"""A paraphrase model from phrase tables that users have: Moses text in, `.owm` out.

PEM §4 needs nothing but a phrase table into a pivot language, and a language model for its
fluency. `otherwords build` makes both from bitexts; this packs those of others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from otherwords.build.lm.files import load_model
from otherwords.build.phrases.moses import read_moses
from otherwords.errors import InputError, UsageError
from otherwords.io.processes import working_folder
from otherwords.models import paraphrase_model
from otherwords.models.language_model import LanguageModel
from otherwords.models.pivot_packing import Packed, Packing, pack

__all__ = ["PackedModel", "pack_pivots"]


@dataclass(frozen=True)
class PackedModel:
    """What was packed: phrases and translations of each language, n-grams by length."""

    path: Path
    phrases: Mapping[str, int]
    translations: Mapping[str, int]
    ngrams: tuple[int, ...]

    def __str__(self) -> str:
        """In words.

        >>> print(PackedModel(Path("m.owm"), {"zh": 2}, {"zh": 3}, (5, 7)))
        m.owm: zh 2 phrases with 3 translations; a language model of 5 + 7 n-grams
        """
        parts = [
            f"{language} {number:,} phrases with {self.translations[language]:,} translations"
            for language, number in self.phrases.items()
        ]
        if self.ngrams:
            counts = " + ".join(f"{number:,}" for number in self.ngrams)
            parts.append(f"a language model of {counts} n-grams")
        return f"{self.path}: {'; '.join(parts)}"


def pack_pivots(
    output: str | Path,
    pivots: Mapping[str, str | Path],
    *,
    lm: str | Path | None = None,
    packing: Packing | None = None,
) -> PackedModel:
    """Pack Moses phrase tables, one per pivot language, and a language model into a model file.

    The source side of the tables is the language that is scored, in the form of the lookup: PEM
    looks up lower-cased Porter stems unless its options differ (`stem=false`, `case=true`).
    Each line needs the counts c(f) c(e) c(e, f) in its fifth field, because sentences are split
    into phrases by their counts (PEM §4.2). `lm` is an ARPA file or a packed language model.
    Probabilities are kept as they are, unless `packing` quantises them.
    """
    if not pivots:
        raise UsageError("no phrase table is given; for example zh=phrase-table.gz")
    for language in pivots:
        if not language.isidentifier():
            raise UsageError(f"'{language}' is not the name of a language; for example zh")
    packing = packing or Packing()
    tables = {language: _packed(path, packing) for language, path in sorted(pivots.items())}
    model = None if lm is None else load_model(lm)
    provenance: dict[str, Any] = {
        "tool": "otherwords model pack",
        "packing": asdict(packing),
        "pivots": {
            language: {"file": Path(pivots[language]).name, "table": table.provenance}
            for language, table in tables.items()
        },
        "lm": None if model is None or lm is None else _origin(model, lm),
    }
    arrays = {language: table.arrays for language, table in tables.items()}
    paraphrase_model.write(output, arrays, None if model is None else model.arrays, provenance)
    return PackedModel(
        Path(output),
        {language: table.provenance["phrases"] for language, table in tables.items()},
        {language: table.provenance["edges"] for language, table in tables.items()},
        () if model is None else tuple(model.sizes),
    )


def _origin(model: LanguageModel, path: str | Path) -> dict[str, Any]:
    reading = {"tokenizer": model.tokenizer, "case": model.case}
    return {"file": Path(path).name, "model": {**model.provenance, **reading}}


def _packed(path: str | Path, packing: Packing) -> Packed:
    import pyarrow.parquet

    names = ["source", "target", "count_source", "p_target", "p_source"]
    with working_folder() as folder:
        table = read_moses(path, folder / "phrases.parquet")
        columns = pyarrow.parquet.read_table(table.path, columns=names)
    if not len(columns):
        raise InputError("the file is empty; a phrase table is needed", path=str(path))
    counts = columns.column("count_source")
    if counts.null_count:
        place = counts.is_null().to_pylist().index(True)
        raise InputError(
            "there are no counts; `||| c(target) c(source) c(both)` is needed after the links",
            path=str(path),
            line=place + 1,
        )
    source, target, _, forward, backward = (columns.column(name) for name in names)
    try:
        return pack(source, target, counts, forward, backward, packing)
    except InputError as error:  # its rows are the lines of the file
        raise InputError(str(error), path=str(path)) from error
