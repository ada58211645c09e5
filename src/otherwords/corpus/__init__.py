"""Rows as users have them: JSON, tables, text side by side, WMT files, CoNLL-U, frames.

>>> from otherwords import corpus
>>> row = corpus.Row("a cat sat", references=("the cat sat",), system="A")
>>> row.system, row.references
('A', ('the cat sat',))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.corpus.annotating import lemma_lines as lemma_lines
    from otherwords.corpus.annotating import tag_lines as tag_lines
    from otherwords.corpus.annotating import token_lines as token_lines
    from otherwords.corpus.conllu import read_conllu as read_conllu
    from otherwords.corpus.converting import convert_rows as convert_rows
    from otherwords.corpus.findings import Finding as Finding
    from otherwords.corpus.given_files import SideBySide as SideBySide
    from otherwords.corpus.inputs import read_candidates as read_candidates
    from otherwords.corpus.inputs import read_pairs as read_pairs
    from otherwords.corpus.inputs import read_records as read_records
    from otherwords.corpus.inputs import read_rows as read_rows
    from otherwords.corpus.jsonl import read_jsonl as read_jsonl
    from otherwords.corpus.kinds import detect as detect
    from otherwords.corpus.parallel import named_files as named_files
    from otherwords.corpus.parallel import read_parallel as read_parallel
    from otherwords.corpus.rows import Candidates as Candidates
    from otherwords.corpus.rows import Judgement as Judgement
    from otherwords.corpus.rows import Pair as Pair
    from otherwords.corpus.rows import Row as Row
    from otherwords.corpus.validate import ValidationResult as ValidationResult
    from otherwords.corpus.validate import validate_files as validate_files
    from otherwords.corpus.wmt import read_wmt as read_wmt

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.corpus.annotating": "lemma_lines tag_lines token_lines",
        "otherwords.corpus.conllu": "read_conllu",
        "otherwords.corpus.converting": "convert_rows",
        "otherwords.corpus.kinds": "detect",
        "otherwords.corpus.findings": "Finding",
        "otherwords.corpus.jsonl": "read_jsonl",
        "otherwords.corpus.given_files": "SideBySide",
        "otherwords.corpus.inputs": "read_candidates read_pairs read_records read_rows",
        "otherwords.corpus.parallel": "named_files read_parallel",
        "otherwords.corpus.rows": "Candidates Judgement Pair Row",
        "otherwords.corpus.validate": "ValidationResult validate_files",
        "otherwords.corpus.wmt": "read_wmt",
    },
)
