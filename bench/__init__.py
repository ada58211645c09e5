"""Benchmarks: ratios to peers measured in the same run, and agreement with human scores."""
