"""Rows as users have them: JSON, tables, parallel text, WMT files, frames.

>>> from otherwords.corpus.rows import Row
>>> row = Row("a cat sat", references=("the cat sat",), system="A")
>>> row.system, row.references
('A', ('the cat sat',))
"""
