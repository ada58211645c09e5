"""Plots as PNG, by the extra `[report]`."""

from __future__ import annotations

from otherwords.errors import UsageError

__all__ = ["check_png", "to_png"]

SCALE = 2.0


def check_png() -> None:
    """Refuse, before any work, if the library that draws PNG is not installed."""
    try:
        import vl_convert  # noqa: F401
    except ImportError as error:
        message = "PNG needs the extra [report]: pip install 'otherwords[report]'; or ask for SVG"
        raise UsageError(f"{message} alone with --plot-format svg") from error


def to_png(svg: str) -> bytes:
    """The drawing as a PNG, twice its size."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg, scale=SCALE))
