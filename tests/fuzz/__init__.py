"""Random damage to everything that is read: text, Parquet, model files, command lines.

    python -m tests.fuzz --seconds 60

`mutators` change an input and keep most of its structure, `readers`, `models` and `commands` have
the targets, `harness` runs them in a child process that may die. docs/reliability.md describes it.
"""
