"""From grammars to text: decode paraphrases and compressions, tune weights.

>>> from otherwords.generation import Decoder
>>> from otherwords.lm import estimate
>>> rules = ["[X] ||| buy ||| purchase ||| p=1", "[X] ||| a [X,1] ||| one [X,1] ||| p=2"]
>>> model = estimate(["purchase one car", "buy a car"], order=2, tokenizer="none")
>>> decoder = Decoder(rules, model, {"LanguageModel": 1, "PassThrough": -1, "p": 0.5})
>>> decoder.decode(["buy a car"])[0].outputs[0].target
'purchase one car'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.generation.compression import compress as compress
    from otherwords.generation.compression import compression_pairs as compression_pairs
    from otherwords.generation.decoder import Decoded as Decoded
    from otherwords.generation.decoder import Decoder as Decoder
    from otherwords.generation.decoder import Output as Output
    from otherwords.generation.decoder import Search as Search
    from otherwords.generation.files import ParaphraseResult as ParaphraseResult
    from otherwords.generation.files import open_decoder as open_decoder
    from otherwords.generation.files import paraphrase_file as paraphrase_file
    from otherwords.generation.files import read_sentences as read_sentences
    from otherwords.generation.tuning import Pro as Pro
    from otherwords.generation.tuning import TuningResult as TuningResult
    from otherwords.generation.tuning import tune as tune
    from otherwords.generation.weights import read_weights as read_weights
    from otherwords.generation.weights import write_weights as write_weights

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.generation.compression": "compress compression_pairs",
        "otherwords.generation.decoder": "Decoded Decoder Output Search",
        "otherwords.generation.files": (
            "ParaphraseResult open_decoder paraphrase_file read_sentences"
        ),
        "otherwords.generation.tuning": "Pro TuningResult tune",
        "otherwords.generation.weights": "read_weights write_weights",
    },
)
