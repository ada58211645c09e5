"""String -> Sentence: tokens, stems, lemmas, tags, synonyms.

>>> from otherwords.text.annotator import Annotator
>>> Annotator().sentence("The children flew off.").tags
('DT', 'NNS', 'VBD', 'RP', '.')
"""
