"""From grammars to text: decode paraphrases and compressions, tune weights.

>>> from otherwords.build.generation import Decoder
>>> from otherwords.build.lm import estimate
>>> rules = ["[X] ||| buy ||| purchase ||| p=1", "[X] ||| a [X,1] ||| one [X,1] ||| p=2"]
>>> model = estimate(["purchase one car", "buy a car"], order=2, tokenizer="none")
>>> decoder = Decoder(rules, model, {"LanguageModel": 1, "PassThrough": -1, "p": 0.5})
>>> decoder.decode(["buy a car"])[0].outputs[0].target
'purchase one car'
"""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.generation.decoder import (
        Decoder,
        Output,
        Search,
        read_weights,
        write_weights,
    )
    from otherwords.build.generation.files import (
        DecoderFiles,
        compress,
        compress_file,
        paraphrase_file,
        tune_file,
    )
    from otherwords.build.generation.tuning import Pro, tune

__all__ = [
    "Decoder",
    "DecoderFiles",
    "Output",
    "Pro",
    "Search",
    "compress",
    "compress_file",
    "paraphrase_file",
    "read_weights",
    "tune",
    "tune_file",
    "write_weights",
]
