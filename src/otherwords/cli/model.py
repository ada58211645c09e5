"""`otherwords model`: what is in a model file, is it whole, and tables packed into one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

import typer

from otherwords.cli.output import align, check_output, emit, indented
from otherwords.errors import DamagedModelError, UsageError
from otherwords.io.files import STDIN
from otherwords.models import embedded, embedded_names, find
from otherwords.models.container import VERSION, Model, read, verify, write

File = Annotated[
    str, typer.Argument(help="A model file or the name of an embedded model.", metavar="FILE")
]


class ModelFormat(StrEnum):
    """Output formats of `model info` and `model list`."""

    text = "text"
    json = "json"


class TableFormat(StrEnum):
    """Formats of tables of paraphrases; `phrases.paraphrase_files` describes them."""

    auto = "auto"
    moses = "moses"
    ppdb = "ppdb"
    meteor = "meteor"
    tsv = "tsv"


Form = Annotated[ModelFormat, typer.Option("--format", "-f", help="Output format.")]


def info_command(file: File, form: Form = ModelFormat.text) -> int:
    """Show the kind, size, arrays and provenance of a model."""
    document = _document(read(find(file)))
    if form is ModelFormat.json:
        emit([json.dumps(document, indent=2, ensure_ascii=False)], None)
    else:
        emit(_description(document), None)
    return 0


def verify_command(file: File) -> int:
    """Check every byte of a model; exit 0 if it is whole, 1 if damaged, 2 if it is no model."""
    try:
        model = verify(find(file))
    except DamagedModelError as error:
        emit([str(error)], None)
        return 1
    emit([f"{model.path}: sound ({model.kind}, {len(model.arrays)} arrays, {model.digest})"], None)
    return 0


def list_command(form: Form = ModelFormat.text) -> int:
    """List the embedded models."""
    documents = [_document(read(embedded(name))) for name in embedded_names()]
    if form is ModelFormat.json:
        shown = [
            {key: document[key] for key in ("name", "kind", "size", "digest")}
            for document in documents
        ]
        emit([json.dumps(shown, indent=2)], None)
        return 0
    rows = [["name", "kind", "digest", "bytes"]]
    for one in documents:
        rows.append([one["name"], one["kind"], one["digest"][:8], f"{one['size']:,}"])
    emit(align(rows, left=3), None)
    return 0


def pack_command(
    table: Annotated[
        str,
        typer.Argument(
            help="Paraphrases: Moses text, PPDB, METEOR's table (`meteor` finds it), columns with "
            "tabs between them, or what `pivot` writes; `.gz` too.",
            metavar="TABLE",
        ),
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="The model file to write.")],
    form: Annotated[
        TableFormat, typer.Option("--format", "-f", help="Format of the table.")
    ] = TableFormat.auto,
) -> int:
    """Pack a table of paraphrases into a model file, which opens at once."""
    from otherwords.phrases.paraphrase_table import KIND, pack_file

    if output == STDIN:
        raise UsageError("a model cannot be printed; give its name with -o")
    check_output(output, table)
    packed = pack_file(table, form)
    write(output, KIND, packed.arrays, packed.provenance)
    found = packed.provenance
    skipped = "".join(
        f"; {reason.replace('_', ' ')}: {count:,}" for reason, count in found["skipped"].items()
    )
    emit([f"{output}: {found['pairs']:,} pairs of {found['phrases']:,} phrases{skipped}"], None)
    return 0


def _document(model: Model) -> dict[str, Any]:
    return {
        "file": str(model.path),
        "name": model.path.stem,
        "kind": model.kind,
        "format": VERSION,
        "size": model.path.stat().st_size,
        "digest": model.digest,
        "arrays": [
            {
                "name": name,
                "type": array.dtype.name,
                "shape": list(array.shape),
                "size": array.nbytes,
            }
            for name, array in model.arrays.items()
        ],
        "provenance": dict(model.provenance),
    }


def _description(document: dict[str, Any]) -> Iterator[str]:
    for key in ("file", "kind", "format"):
        yield f"{key:10}  {document[key]}"
    yield f"{'size':10}  {document['size']:,} bytes"
    yield f"{'digest':10}  {document['digest']}"
    yield ""
    rows = [["array", "type", "shape", "bytes"]]
    for array in document["arrays"]:
        shape = " x ".join(f"{extent:,}" for extent in array["shape"]) or "one number"
        rows.append([array["name"], array["type"], shape, f"{array['size']:,}"])
    yield from align(rows, left=2)
    yield ""
    yield "provenance"
    yield from indented(document["provenance"])
