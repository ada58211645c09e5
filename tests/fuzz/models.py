"""Targets: the arrays of every kind of model, changed behind sound checksums.

A loader checks counts, order, ranges and UTF-8 once. What passes is used: the result may differ,
as it does for another model, but nothing crashes and every number is finite.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import otherwords
from otherwords.build.bitext.aligner import Aligner
from otherwords.build.bitext.pairs import read_bitext
from otherwords.build.lm import load_model
from otherwords.build.trees.parser import Parser
from otherwords.metrics.fluency import FluencyModel
from otherwords.metrics.mt import Combination
from otherwords.metrics.pem import Regression
from otherwords.models import container
from otherwords.models.container import Model, embedded
from otherwords.models.encoder import Encoder
from otherwords.models.language_model import LanguageModel
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.models.paraphrase_table import ParaphraseTable
from otherwords.models.seen import Seen
from otherwords.text.lexicon import Lexicon
from otherwords.text.tagger import Tagger
from tests.calls import call
from tests.fuzz import mutators, seeds
from tests.fuzz.folders import use_encoder
from tests.fuzz.harness import Target
from tests.tiny_transformer import packed_pair

KINDS = [
    "lexicon", "synsets", "tagger", "parser", "lm", "lm quantized", "aligner",
    "paraphrase-table", "paraphrase", "pem", "rewrite", "otherwords-mt", "fluency", "seen",
    "transformer",
]  # fmt: skip
TEXTS = ["The old cat sat on the mats in 1999 .", "Qwertz, the dog didn't see a naïve café.", ""]
PHRASES = ["a car", "the house", "old", "qwertz"]


def _small(folder: Path) -> dict[str, Path]:
    """Small models of the kinds that commands make."""
    left, right = "the old house\na big car\n" * 6, "la vieille maison\nune grande voiture\n" * 6
    made = {name: folder / f"{name}.owm" for name in "lm lmq aligner table built".split()}
    pairs = "".join(map("\t".join, zip(left.splitlines(True), right.splitlines(True), strict=True)))
    (folder / "bitext.tsv").write_text(pairs.replace("\n\t", "\t"), encoding="utf-8")
    (folder / "text.txt").write_text(left, encoding="utf-8")
    (folder / "rules.txt").write_text(seeds.RULES, encoding="utf-8")
    (folder / "pairs.tsv").write_text(seeds.PARAPHRASES[0], encoding="utf-8")
    calls = [
        ["lm", "estimate", "text.txt", "--order", "3", "-o", "lm.owm"],
        ["lm", "estimate", "text.txt", "--order", "3", "--quantize", "4", "-o", "lmq.owm"],
        ["align", "bitext.tsv", "--save", "aligner.owm", "-o", "links.txt"],
        ["model", "pack", "pairs.tsv", "-o", "table.owm"],
        ["build", "-o", "built.owm", "--pivot", "fr=bitext.tsv", "--lm", "text.txt",
         "--keep-duplicates"],
    ]  # fmt: skip
    for words in calls:
        code, _ = call(words, folder)
        assert code == 0, words
    return made


@dataclass(frozen=True)
class ModelTarget(Target):
    """Changes one array, sometimes two, of what `container.read` gives."""

    sound: Callable[[], Model] = field(kw_only=True)


def _target(name: str, path: Path, use: Callable[[Model], Any]) -> ModelTarget:
    sound = functools.cache(functools.partial(container.read, path))

    def make(rng: Random) -> Model:
        model = sound()
        arrays = dict(model.arrays)
        for _ in range(min(rng.choice((1, 1, 1, 2)), len(arrays))):
            key = rng.choice(list(arrays))
            if rng.random() < 0.02:
                del arrays[key]
            else:
                arrays[key] = mutators.array(rng, np.asarray(arrays[key]))
        provenance = model.provenance
        if rng.random() < 0.05:
            changed = mutators.json_value(rng, dict(provenance))
            if isinstance(changed, dict) and _is_json(changed):
                provenance = changed
        return Model(Path("changed.owm"), model.kind, "0" * 64, provenance, arrays)

    def run(model: Model, folder: Path) -> Any:
        with np.errstate(all="ignore"):
            return use(model)

    return ModelTarget(f"model {name}", make, run, sound=sound)


def _is_json(value: Any) -> bool:
    """Whether a header can hold it."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except ValueError:
        return False
    return True


def _from_file(load: Callable[[Path], Any], folder: Path) -> Callable[[Model], Any]:
    """For loaders that take a path: the model as a file, which is never of the same name twice."""
    count = 0

    def use(model: Model) -> Any:
        nonlocal count
        count += 1
        path = folder / f"changed{count}.owm"
        container.write(path, model.kind, model.arrays, model.provenance)
        try:
            return load(path)
        finally:
            path.unlink()

    return use


def _lexicon(model: Model) -> Any:
    lexicon = Lexicon(model)
    lexicon.lemmatize("The geese ran better quickly".split(), "DT NNS VBD JJR RB".split())
    pairs = [("car", "auto"), ("big", "small"), ("run", "go"), ("qwertz", "car")]
    return [lexicon.native.synonyms(*pair) for pair in pairs], lexicon.antonyms


def _tagger(model: Model) -> Any:
    tagger = Tagger(model)
    assert all(tag in tagger.tags for text in TEXTS for tag in tagger.tag(text.split()))


def _parser(model: Model) -> Any:
    for text, tree in zip(TEXTS, Parser(model).parse([one.split() for one in TEXTS]), strict=True):
        assert list(tree.words) == text.split(), "a tree has other words"


def _transformer(model: Model) -> Any:
    pairs = Encoder(model, "pair")
    texts, places = [*TEXTS, "the cat " * 30], (np.array([0, 1, 3]), np.array([1, 2, 0]))
    return use_encoder(Encoder(model, "sentence")), pairs.compare(texts, *places)


def _lm(model: Model) -> Any:
    language = LanguageModel(model.arrays, tokenizer="none")
    return language.score(["the old house", "a qwertz", ""]), language.tokens("the big car")


def _loaded_lm(path: Path) -> Any:
    language = load_model(path)
    return language.score(["the old house", "a qwertz", ""]), language.tokens("the big car")


def _aligner(path: Path, bitext: Path) -> Any:
    pairs, _ = read_bitext([str(bitext)])
    links, posteriors = Aligner.load(path).align(pairs)
    assert ((posteriors >= 0) & (posteriors <= 1 + 1e-6)).all(), "a posterior that is none"
    return links.left, posteriors


def _table(model: Model) -> Any:
    table = ParaphraseTable(model)
    return [table.probability(one, other) for one in PHRASES for other in PHRASES], len(table)


def _pivots(model: Model) -> Any:
    opened = ParaphraseModel(model)
    found: list[Any] = []
    for table in opened.pivots.values():
        found += [table.count(one) for one in PHRASES]
        found += [table.edges(one) for one in PHRASES]
        found += [table.paraphrase_probability("old", other) for other in PHRASES]
        found += [table.counts([text.split() for text in TEXTS]), table.total]
    language = opened.language_model
    return found, language.score(TEXTS) if language else None


def _pem(path: Path) -> Any:
    return Regression.load(path).predict(np.array([[0.5, 0.25, 0.75], [0, 0, 0], [1, 1, 1]]))


def _rewrite(path: Path) -> Any:
    return otherwords.score(
        "otherwords-rewrite", TEXTS, sources=TEXTS[::-1], join=str(path), any_language=True
    ).segments


def _synsets(model: Model) -> Any:
    """A lexicon with these synsets next to it."""
    lexicon = Lexicon(container.read(embedded("lexicon")))
    arrays, own = lexicon.model.arrays, model.arrays.get("own")
    strict = lexicon.strict_of(model)
    assert own is not None
    assert len(own) == len(arrays["words"])
    strict.synonyms("car", "auto")


def _combination(path: Path) -> Any:
    combination = Combination.load(path)
    width = len(combination.statistics)
    return combination.scores(np.array([np.zeros(width), np.ones(width), np.full(width, -9.0)]))


def _fluency(path: Path) -> Any:
    return FluencyModel.open(path).score([text or "x" for text in TEXTS])


def _seen(model: Model) -> Any:
    try:
        filtered = Seen.of_arrays(model.arrays)
    except ValueError as error:  # loaders make a ModelError of it
        raise otherwords.errors.ModelError(str(error)) from error
    if filtered is not None:
        filtered.found([("It rains.", "Rain falls.")])


def model_targets(folder: Path) -> Iterator[ModelTarget]:
    """One target for each kind of model, embedded or made here."""
    made = _small(folder)
    yield _target("lexicon", embedded("lexicon"), _lexicon)
    yield _target("tagger", embedded("tagger"), _tagger)
    yield _target("parser", embedded("parser"), _parser)
    yield _target("lm", made["lm"], _from_file(_loaded_lm, folder))
    yield _target("lm quantized", made["lmq"], _from_file(_loaded_lm, folder))
    bitext = folder / "bitext.tsv"
    aligner = _from_file(functools.partial(_aligner, bitext=bitext), folder)
    yield _target("aligner", made["aligner"], aligner)
    yield _target("paraphrase-table", made["table"], _table)
    yield _target("paraphrase", made["built"], _pivots)
    yield _target("pem", embedded("pem"), _from_file(_pem, folder))
    yield _target("rewrite", embedded("otherwords-rewrite"), _from_file(_rewrite, folder))
    yield _target("synsets", embedded("lexicon-synsets"), _synsets)
    yield _target("otherwords-mt", embedded("otherwords-mt"), _from_file(_combination, folder))
    yield _target("fluency", embedded("fluency"), _from_file(_fluency, folder))
    yield _target("seen", embedded("pem"), _seen)
    made = packed_pair()
    container.write(folder / "transformer.owm", made.kind, made.arrays, made.provenance)
    yield _target("transformer", folder / "transformer.owm", _transformer)
