"""One table for every output: text, Markdown, LaTeX, TSV, CSV, JSON, JSONL, HTML, DataFrame."""
