"""Embedded models and the file format that they and a user's own models share."""

from __future__ import annotations

from pathlib import Path

__all__ = ["embedded"]


def embedded(name: str) -> Path:
    """The file of an embedded model.

    >>> embedded("lexicon").name
    'lexicon.owm'
    """
    return Path(__file__).parent / f"{name}.owm"
