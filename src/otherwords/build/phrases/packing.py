"""Files of paraphrases in text or Parquet, and the model files packed from them.

`models.paraphrase_files` reads the text formats. Parquet files come from `otherwords pivot`, or are
phrase tables of English and English.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords.build.engine.parquet import metadata_of, open_parquet
from otherwords.build.lm.files import load_model
from otherwords.build.phrases.moses import read_moses
from otherwords.build.phrases.pivoting import PARAPHRASES, Paraphrases
from otherwords.build.phrases.table import PhraseTable
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN
from otherwords.io.processes import working_folder
from otherwords.models import container, paraphrase_files, paraphrase_model, paraphrase_table
from otherwords.models.language_model import LanguageModel
from otherwords.models.paraphrase_files import ParaphraseBatch, is_parquet, is_sets
from otherwords.models.pivot_packing import Packed, Packing, pack
from otherwords.text.stemmer import PORTER

_ROWS = 1 << 19  # rows read at a time; many, because each batch looks up `wanted`


class PairFile(paraphrase_files.PairFile):
    """A file of pairs in text or Parquet; it can be read once."""

    def __init__(
        self,
        path: str | Path,
        form: str = "auto",
        *,
        wanted: Collection[str] | None = None,
        likely: float = 0.0,
    ) -> None:
        """Allow dropping pairs less `likely`, or whose lower-case phrase is not `wanted`."""
        super().__init__(path, form)
        self._likely = likely
        self._wanted = None if wanted is None else pa.array(sorted(wanted), pa.string())

    def __iter__(self) -> Iterator[ParaphraseBatch]:
        if self.form == "auto" and is_parquet(self.path):
            self.form = "parquet"
            return self._parquet()
        return super().__iter__()

    def _parquet(self) -> Iterator[ParaphraseBatch]:
        table: Paraphrases | PhraseTable
        if _kind_of(self.path) == "phrase-table":
            table, names = PhraseTable.open(self.path), ["source", "target", "p_target"]
        else:
            table, names = Paraphrases.open(self.path), PARAPHRASES.names[:3]
            if table.columns != PARAPHRASES.names:
                raise InputError(paraphrase_files.SETS_REFUSED, path=self.path)
        for batch in table.batches(names, _ROWS):
            columns = batch.columns
            if self._likely > 0:
                columns = _filter(columns, pc.greater_equal(columns[2], self._likely))
            if self._wanted is not None:
                columns = _filter(columns, pc.is_in(pc.utf8_lower(columns[0]), self._wanted))
            phrases, paraphrases, probabilities = (column.to_pylist() for column in columns)
            yield ParaphraseBatch(
                phrases, paraphrases, np.array(probabilities, dtype=np.float64), None
            )


def _filter(columns: Sequence[pa.Array], mask: pa.Array) -> list[pa.Array]:
    return [column.filter(mask) for column in columns]


def _kind_of(path: Path) -> str | None:
    with open_parquet(path, {}, "paraphrase table") as file:
        return metadata_of(file).get("kind")


@dataclass(frozen=True)
class PackedModel:
    """A model file that was packed: the numbers of its entries, and of pairs left out by reason."""

    path: str
    counts: Mapping[str, int]
    skipped: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Summarise in words.

        >>> print(PackedModel("m.owm", {"phrases of zh": 2, "translations into zh": 3}))
        m.owm: 2 phrases of zh, 3 translations into zh
        """
        counts = ", ".join(f"{number:,} {name}" for name, number in self.counts.items())
        skipped = "".join(f"; {why.replace('_', ' ')}: {n:,}" for why, n in self.skipped.items())
        return f"{self.path}: {counts}{skipped}"


def pack_table(name_or_path: str | Path, output: str, form: str = "auto") -> PackedModel:
    """Pack a file of pairs or paraphrase sets into a model file, which opens at once.

    Parameters
    ----------
    name_or_path
        The file, or `-` for standard input.
    output
        The model file to write.
    form
        The format of a text file of pairs (default: by its content).
    """
    if output == STDIN:
        raise UsageError("a model cannot be printed; give its name with `output`")
    path = paraphrase_table.find_table(name_or_path)
    if form == "auto":
        sets = None
        if is_sets(path):
            sets = paraphrase_files.read_sets(path)
        elif is_parquet(path) and _kind_of(path) == "paraphrase-sets":
            sets = paraphrase_files.sets_model(_set_rows(path), path)
        if sets is not None:
            container.write(output, paraphrase_model.KIND, sets.model.arrays, sets.model.provenance)
            phrases = sum(len(table) for table in sets.pivots.values())
            return PackedModel(output, {"phrases": phrases})
    packed = paraphrase_table.pack_file(PairFile(path, form))
    container.write(output, paraphrase_table.KIND, packed.arrays, packed.provenance)
    counts = {name: packed.provenance[name] for name in ("pairs", "phrases")}
    return PackedModel(output, counts, packed.provenance["skipped"])


def _set_rows(path: Path) -> Iterator[paraphrase_files.SetRow]:
    for batch in Paraphrases.open(path).batches():
        columns = (column.to_pylist() for column in batch.columns)
        for language, foreign, phrase, probability, count in zip(*columns, strict=True):
            yield language, foreign, phrase, probability, count or 1


def pack_pivots(
    output: str | Path,
    pivots: Mapping[str, str | Path],
    *,
    lm: str | Path | None = None,
    lm_stems: bool = False,
) -> PackedModel:
    """Pack Moses phrase tables, one per pivot language, and a language model into a model file.

    The source side of the tables is the language that is scored, in the form that PEM looks up:
    lower-cased Porter stems unless its options differ (`stem=false`, `case=true`). Each line needs
    the counts c(f) c(e) c(e, f) in its fifth field, because counts decide how sentences are split
    into phrases (PEM §4.2). `lm` is an ARPA file or a packed language model, with `lm_stems` one of
    Porter stems. Probabilities stay exact.
    """
    if not pivots:
        raise UsageError("no phrase table is given; for example zh=phrase-table.gz")
    for language in pivots:
        if not language.isidentifier():
            raise UsageError(f"'{language}' is not the name of a language; for example zh")
    packing = Packing()
    tables = {language: _pack(path, packing) for language, path in sorted(pivots.items())}
    model = None if lm is None else load_model(lm)
    provenance: dict[str, Any] = {
        "tool": "otherwords model pack",
        "packing": asdict(packing),
        "pivots": {
            language: {"file": Path(pivots[language]).name, "table": table.provenance}
            for language, table in tables.items()
        },
        "lm": None if model is None or lm is None else _origin(model, lm, lm_stems),
    }
    arrays = {language: table.arrays for language, table in tables.items()}
    paraphrase_model.write(output, arrays, None if model is None else model.arrays, provenance)
    counts: dict[str, int] = {}
    for language, table in tables.items():
        counts[f"phrases of {language}"] = table.provenance["phrases"]
        counts[f"translations into {language}"] = table.provenance["edges"]
    if model is not None:
        counts["n-grams"] = sum(model.sizes)
    return PackedModel(str(output), counts)


def _origin(model: LanguageModel, path: str | Path, stems: bool) -> dict[str, Any]:
    reading = {"tokenizer": model.tokenizer, "case": model.case}
    stemmer = {"stem": PORTER} if stems else {}
    return {"file": Path(path).name, "model": {**model.provenance, **reading}, **stemmer}


def _pack(path: str | Path, packing: Packing) -> Packed:
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
    except InputError as error:  # its row numbers are line numbers
        raise InputError(str(error), path=str(path)) from error
