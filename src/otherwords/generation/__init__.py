"""From grammars to text: decode paraphrases and compressions, tune weights.

>>> from otherwords.generation import Decoder
>>> from otherwords.lm import estimate
>>> rules = ["[X] ||| buy ||| purchase ||| p=1", "[X] ||| a [X,1] ||| one [X,1] ||| p=2"]
>>> model = estimate(["purchase one car", "buy a car"], order=2, tokenizer="none")
>>> decoder = Decoder(rules, model, {"LanguageModel": 1, "PassThrough": -1, "p": 0.5})
>>> decoder.decode(["buy a car"])[0].outputs[0].target
'purchase one car'
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
