"""String -> Sentence: tokens, stems, lemmas, tags, synonyms, word vectors; trees.

>>> from otherwords import text
>>> text.Annotator().sentence("The children flew off.").tags
('DT', 'NNS', 'VBD', 'RP', '.')
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
