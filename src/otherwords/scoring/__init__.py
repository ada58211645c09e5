"""Score, compare, rank and gate: streams of rows through metrics."""
