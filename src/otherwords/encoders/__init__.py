"""Words and sentences as vectors."""

from __future__ import annotations

from otherwords.encoders.base import Encoder, Tokens
from otherwords.encoders.static import StaticEncoder

__all__ = ["Encoder", "StaticEncoder", "Tokens"]
