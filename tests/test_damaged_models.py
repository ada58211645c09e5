"""Arrays of models, changed behind sound checksums: counts, order, ranges and UTF-8 are checked.

tests/fuzz/models.py changes them at random.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fuzz.harness import outcome
from tests.fuzz.models import KINDS as MODEL_KINDS
from tests.fuzz.models import model_targets


@pytest.fixture(scope="module")
def small_models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {target.name.removeprefix("model "): target for target in model_targets(folder)}, folder


@pytest.mark.parametrize("kind", MODEL_KINDS)
def test_changed_arrays_are_refused_or_used(kind, small_models):
    """Every kind of model: an error line or finite results, whatever its arrays hold."""
    targets, folder = small_models
    assert sorted(targets) == sorted(MODEL_KINDS)
    found = [outcome(targets[kind], targets[kind].input(26, k), folder) for k in range(60)]
    assert {what for what, _ in found} == {"accepted", "refused"}, found


@pytest.mark.parametrize(
    ("kind", "array", "place", "value"),
    [
        ("lm", "weights_1", 3, float("nan")),
        ("lm quantized", "probability_values_1", 0, float("-inf")),
        ("paraphrase", "lm/probability_values_1", 0, float("nan")),
        ("fluency", "weights", 8, float("nan")),
        ("fluency", "frequencies", 2, float("inf")),
        ("fluency", "joined", 3, float("nan")),
        ("fluency", "context/pooled", 7, float("inf")),
        ("fluency", "context/numbers", 0, float("nan")),
        ("fluency", "context/numbers", 1, -1.0),
        ("fluency", "units/backoff_values_2", 1, float("nan")),
        ("seen", "seen/size", 0, 0),
        ("lexicon", "antonyms", 0, 2**32 - 1),
        ("aligner", "left/words", 0, 255),
        ("lexicon", "lemmas", 0, 255),
        ("pem", "scale", 0, 0.0),
        ("rewrite", "join", 0, 1e7),
        ("rewrite", "join", 1, -0.9),
        ("rewrite", "join", 4, 1.5),
        ("otherwords-mt", "center", 1, float("nan")),
        ("otherwords-mt", "scale", 0, 0.0),
        ("lexicon", "words", 0, 2**64 - 1),
        ("lexicon", "word_buckets", 1, 2**32 - 1),
        ("lexicon", "synonyms", 0, 2**32 - 1),
        ("lexicon", "exception_bounds", 1, 2**32 - 1),
        ("synsets", "own", 1, 2**32 - 2),
        ("tagger", "tag_names", 1, 255),
        ("tagger", "row_tags", 0, 255),
        ("tagger", "row_bounds", 1, 2**32 - 1),
        ("tagger", "word_buckets", 1, 2**32 - 1),
        ("tagger", "feature_keys", 0, 2**64 - 1),
        ("parser", "label_names", 1, 255),
        ("parser", "tag_names", 1, 255),
        ("parser", "features", 1, 2**32 - 1),
        ("parser", "rows", 0, 2**16 - 1),
        ("lm", "sizes", 0, -1),
        ("lm", "vocabulary_buckets", 1, 2**31),
        ("lm", "children_1", 0, 255),
        ("lm", "words_2", 0, 255),
        ("lm quantized", "words_2", 0, 255),
        ("aligner", "rows", 1, 2**63),
        ("aligner", "right", 0, 2**31),
        ("aligner", "left/bounds", 1, -5),
        ("aligner", "to_right", 0, float("nan")),
        ("paraphrase-table", "keys", 0, 2**64 - 1),
        ("paraphrase-table", "buckets", 1, 2**31),
        ("paraphrase-table", "bounds", 1, 2**31),
        ("paraphrase-table", "targets", 0, 2**32 - 1),
        ("paraphrase-table", "longest", 0, 0),
        ("paraphrase", "pivot/fr/words", 0, 255),
        ("paraphrase", "pivot/fr/word_bounds", 1, 255),
        ("paraphrase", "pivot/fr/pivot_words", 0, 255),
        ("paraphrase", "pivot/fr/edges", 0, 255),
        ("paraphrase", "pivot/fr/buckets", 1, 2**31),
        ("paraphrase", "pivot/fr/entries", 8, 255),
        ("transformer", "words/scales", 0, float("inf")),
        ("transformer", "positions/scales", 3, 1e30),
        ("transformer", "pieces/listed", 0, 2**64 - 1),
        ("transformer", "pieces/special", 1, 2**32 - 1),
        ("transformer", "pieces/longest", None, None),
        ("transformer", "characters/starts", 0, 1),
        ("transformer", "characters/classes", 0, 16),
        ("transformer", "characters/fold_bounds", 1, 2**16 - 1),
        ("transformer", "characters/fold_values", 0, 0x110000),
        ("transformer", "characters/modes", None, None),
        ("transformer", "stacks/sentence/settings", 1, 7),
        ("transformer", "stacks/pair/settings", 2, 31),
        ("transformer", "stacks/pair/settings", 3, 3),
        ("transformer", "stacks/pair/settings", 5, 0),
        ("transformer", "stacks/sentence/epsilon", 0, -1.0),
        ("transformer", "stacks/sentence/layers/0/up/bias", 0, float("nan")),
        ("transformer", "stacks/pair/layers/1/norm/weight", 0, 1e9),
        ("transformer", "stacks/pair/head/1/scales", 0, float("-inf")),
    ],
)
def test_a_value_out_of_range_is_refused(kind, array, place, value, small_models):
    targets, folder = small_models
    model = targets[kind].sound()
    arrays = dict(model.arrays)
    if place is None:
        del arrays[array]
    else:
        arrays[array] = arrays[array].copy()
        arrays[array].reshape(-1)[place] = value
    assert outcome(targets[kind], replace(model, arrays=arrays), folder)[0] == "refused"
