"""Distil the embedded encoder: a sentence encoder and our English in, `encoder.owm` out.

    python tools/distil_vectors.py --data ../shared/data --teacher FOLDER [--cache FOLDER]

`tools/teacher.py` says how to get the teacher. A word piece is described by what the teacher makes
of it alone ([CLS] piece [SEP]): the pooled vector, the state at the piece, the input embedding. One
linear map of these, solved in closed form, and a small penalised difference per piece, learnt by
gradient, make the sum of a sentence's pieces point where the teacher's sentence vector points.

About 15 minutes of CPU on one thread, 12 of them for the teacher; `--cache` keeps what the teacher
said. The same input gives the same bytes on the same machine.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import sparse

from characters import bert_characters
from distil_data import (
    LEFT_OUT,
    PAIRS,
    SINGLES,
    TEACHER_SAW,
    TREEBANK,
    Pair,
    pairs,
    seen_pairs,
    singles,
)
from encoder_packing import pack
from otherwords.encoders.static import StaticEncoder
from otherwords.models.container import write
from teacher import Teacher

OUTPUT = Path(__file__).parents[1] / "src" / "otherwords" / "models" / "encoder.owm"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

Matrix = NDArray[np.float32]


@dataclass(frozen=True)
class Options:
    """How the student is made; docs/decisions/vectors.md has the reasons."""

    dimensions: int = 256
    smoothing: float = 0.1  # a in the weight a / (a + p) of a piece of probability p (Arora 2017)
    ridge: float = 1e-3  # of the map, as a share of the mean variance
    epochs: int = 3
    batch: int = 512  # sentences
    rate: float = 0.003
    similarity: float = 10.0  # weight of the error of all similarities within a batch
    pair: float = 4.0  # weight of the error of the similarity of pairs
    penalty: float = 0.05  # of the differences
    human: float = 0.5  # share of the human score in the wanted similarity of a judged pair
    seed: int = 0


@dataclass(frozen=True)
class Lesson:
    """Sentences as rows of pieces, what the teacher says of them, and pairs of sentences."""

    sentences: list[NDArray[np.int64]]
    targets: Matrix
    pairs: NDArray[np.int64]  # numbers of two sentences, row by row
    wanted: Matrix  # the similarity that each pair should have


def main() -> None:
    """Ask the teacher, learn, write."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--teacher", type=Path, required=True)
    arguments.add_argument("--cache", type=Path, help="folder to keep the teacher's answers in")
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    given = arguments.parse_args()
    started, options = time.process_time(), Options()
    teacher = Teacher(given.teacher)
    names = teacher.vocabulary()
    real = [p for p in names if p not in SPECIAL and not p.startswith("[unused")]
    listed = [piece for piece in real if piece.isascii()]
    some, alone = pairs(given.data), singles(given.data)
    texts = list(dict.fromkeys([t for p in some for t in (p.one, p.other)] + alone))
    ids = teacher.encode(texts)
    targets = cached(given.cache, "targets", lambda: teacher.pooled(ids))
    described = cached(given.cache, "pieces", lambda: descriptions(teacher, names))
    print(f"{len(texts)} sentences, {time.process_time() - started:.0f} CPU seconds", flush=True)
    numbers = {piece: i for i, piece in enumerate(names)}
    row_of = np.full(len(names), -1)
    row_of[[numbers[piece] for piece in listed]] = np.arange(len(listed))
    rows = [row_of[one][row_of[one] >= 0] for one in ids]
    lesson = Lesson(rows, targets, *wanted_similarities(some, texts, targets, options.human))
    counts = np.bincount(np.concatenate(rows), minlength=len(listed))
    vectors, weights = learn(lesson, described[row_of >= 0], counts, options)
    rarity = np.log(counts.sum() / np.maximum(counts, 0.5))
    others = [piece for piece in real if not piece.isascii()]
    arrays = pack(listed, vectors, weights, rarity, others, bert_characters())
    arrays |= seen_pairs(some).arrays
    origin = provenance(teacher, options, len(texts), int(counts.sum()))
    write(given.output, StaticEncoder.kind, arrays, origin)
    seconds = time.process_time() - started
    print(f"{given.output.stat().st_size:,} bytes in {seconds:.0f} CPU seconds")


def descriptions(teacher: Teacher, names: list[str]) -> Matrix:
    """What the teacher says of every piece alone, and a constant."""
    start, end = names.index("[CLS]"), names.index("[SEP]")
    texts = torch.tensor([[start, piece, end] for piece in range(len(names))])
    states = torch.cat([torch.tensor(teacher.states(some.numpy())) for some in texts.split(1024)])
    constant = torch.full((len(names), 1), 0.1)
    parts = [states.mean(dim=1), torch.tensor(teacher.embeddings), states[:, 1]]
    unit = [torch.nn.functional.normalize(part, dim=1) for part in parts]
    rows: Matrix = torch.cat([*unit, constant], dim=1).numpy()
    return rows


def wanted_similarities(
    some: list[Pair], texts: list[str], targets: Matrix, human: float
) -> tuple[NDArray[np.int64], Matrix]:
    """The pairs by number, and the teacher's cosine mixed with human scores on its scale."""
    number = {text: i for i, text in enumerate(texts)}
    places = np.array([[number[pair.one], number[pair.other]] for pair in some])
    cosines = (targets[places[:, 0]] * targets[places[:, 1]]).sum(axis=1)
    wanted = cosines.copy()
    kinds = np.array([pair.kind for pair in some])
    for kind in ("stsb", "twitter"):
        here = kinds == kind
        scores = np.array([pair.human for pair in some if pair.kind == kind], np.float64)
        standard = (scores - scores.mean()) / scores.std()
        on_scale = cosines[here].mean() + standard * cosines[here].std()
        wanted[here] = (1 - human) * cosines[here] + human * on_scale
    return places, wanted.astype(np.float32)


def learn(
    lesson: Lesson, described: Matrix, counts: NDArray[np.int64], options: Options
) -> tuple[Matrix, NDArray[np.float64]]:
    """Vectors of the pieces, and their weights in a sentence."""
    axes = np.linalg.eigh(lesson.targets.T @ lesson.targets)[1][:, ::-1][:, : options.dimensions]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    weights = options.smoothing / (options.smoothing + counts / counts.sum())
    mapped = closed_form(lesson, described, weights, lesson.targets @ axes, options.ridge)
    mapped /= np.median(np.linalg.norm(mapped, axis=1))
    torch.set_num_threads(1)
    student = Student(mapped, weights, lesson, lesson.targets @ axes)
    for epoch in range(options.epochs):
        print(f"epoch {epoch + 1}: loss {student.epoch(epoch, options):.4f}", flush=True)
    return student.vectors(), weights


def closed_form(
    lesson: Lesson,
    described: Matrix,
    weights: NDArray[np.float64],
    wanted: Matrix,
    ridge: float,
) -> Matrix:
    """Vectors by the linear map whose weighted means are nearest to the teacher's vectors."""
    lengths = [len(one) for one in lesson.sentences]
    flat = np.concatenate(lesson.sentences)
    place = np.repeat(np.arange(len(lengths)), lengths)
    shape = len(lengths), len(described)
    bags = sparse.csr_matrix((weights[flat].astype(np.float32), (place, flat)), shape=shape)
    sums = np.maximum(np.asarray(bags.sum(axis=1)).ravel(), 1e-6)
    means = (sparse.diags(1 / sums).astype(np.float32) @ bags) @ described
    square = means.T @ means
    square += np.eye(len(square)) * ridge * np.trace(square) / len(square)
    found: Matrix = (described @ np.linalg.solve(square, means.T @ wanted)).astype(np.float32)
    return found


class Student:
    """The differences from the mapped vectors, learnt batch by batch; pairs stay together."""

    def __init__(
        self, mapped: Matrix, weights: NDArray[np.float64], lesson: Lesson, wanted: Matrix
    ) -> None:
        self.lesson = lesson
        self.mapped = torch.tensor(mapped)
        self.weights = torch.tensor(weights, dtype=torch.float32)[:, None]
        self.wanted = torch.nn.functional.normalize(torch.tensor(wanted), dim=1)
        self.targets = torch.tensor(lesson.targets)
        self.difference = torch.nn.Embedding(*mapped.shape, sparse=True)
        torch.nn.init.zeros_(self.difference.weight)
        self.optimizer = torch.optim.SparseAdam(list(self.difference.parameters()))

    def vectors(self) -> Matrix:
        """The vectors learnt so far."""
        with torch.no_grad():
            rows: Matrix = (self.mapped + self.difference.weight).numpy()
        return rows

    def epoch(self, epoch: int, options: Options) -> float:
        """One look at all sentences; the mean loss."""
        batches = self._batches(np.random.default_rng([options.seed, epoch]), options.batch)
        losses = []
        for number, (sentences, links) in enumerate(batches):
            done = (epoch + number / len(batches)) / options.epochs
            self.optimizer.param_groups[0]["lr"] = options.rate * max(0.05, 1 - done)
            loss = self._loss(sentences, links, options)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    def _loss(
        self, sentences: list[int], links: list[tuple[int, int]], options: Options
    ) -> torch.Tensor:
        rows = [self.lesson.sentences[i] for i in sentences]
        places = torch.tensor(np.repeat(np.arange(len(rows)), [len(one) for one in rows]))
        pieces, inverse = torch.unique(torch.tensor(np.concatenate(rows)), return_inverse=True)
        difference = self.difference(pieces)
        vectors = (self.mapped[pieces] + difference) * self.weights[pieces]
        sums = torch.zeros(len(rows), vectors.shape[1]).index_add(0, places, vectors[inverse])
        found = torch.nn.functional.normalize(sums, dim=1)
        numbers = torch.tensor(sentences)
        targets = self.targets[numbers]
        loss = (1 - (found * self.wanted[numbers]).sum(dim=1)).mean()
        loss = loss + options.similarity * ((found @ found.T - targets @ targets.T) ** 2).mean()
        loss = loss + options.penalty * (difference**2).sum() / len(rows)
        if links:
            first = torch.tensor([place for place, _ in links])
            wanted = torch.tensor(self.lesson.wanted[[number for _, number in links]])
            cosines = (found[first] * found[first + 1]).sum(dim=1)
            loss = loss + options.pair * ((cosines - wanted) ** 2).mean()
        return loss

    def _batches(
        self, generator: np.random.Generator, size: int
    ) -> list[tuple[list[int], list[tuple[int, int]]]]:
        """Numbers of sentences, and where in them which pair starts."""
        full = [len(one) > 0 for one in self.lesson.sentences]
        paired = set(self.lesson.pairs.ravel().tolist())
        units = [(number,) for number in range(len(full)) if number not in paired and full[number]]
        units += [tuple(pair) for pair in self.lesson.pairs.tolist()]
        batches: list[tuple[list[int], list[tuple[int, int]]]] = [([], [])]
        for unit in generator.permutation(len(units)).tolist():
            if len(batches[-1][0]) >= size:
                batches.append(([], []))
            sentences, links = batches[-1]
            members = units[unit]
            if len(members) == 2:
                if not all(full[number] for number in members):
                    continue
                links.append((len(sentences), unit - len(units) + len(self.lesson.pairs)))
            sentences.extend(members)
        return batches


def cached(folder: Path | None, name: str, make: Any) -> Matrix:
    """What `make` returns, or what it returned when the cache was filled."""
    if folder is None:
        return make()  # type: ignore[no-any-return]
    path = folder / f"{name}.npy"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        np.save(path, make())
    found: Matrix = np.load(path)
    return found


def provenance(teacher: Teacher, options: Options, sentences: int, pieces: int) -> dict[str, Any]:
    """Where the vectors come from."""
    return {
        "what": "vectors of word pieces, distilled by tools/distil_vectors.py",
        "teacher": teacher.name,
        "teacher saw": TEACHER_SAW if teacher.is_known else {},
        "text": {
            "sentences": sentences,
            "pieces": pieces,
            "singles": {**SINGLES, "treebank": TREEBANK},
            "pairs": PAIRS,
            "left out": list(LEFT_OUT),
        },
        "options": asdict(options),
    }


if __name__ == "__main__":
    main()
