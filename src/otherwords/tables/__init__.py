"""One table for every output: text, Markdown, LaTeX, TSV, CSV, JSON, JSONL, HTML, DataFrame."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
