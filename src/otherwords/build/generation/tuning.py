"""PRO: tuning the weights of a decoder for a metric (Hopkins & May 2011).

Each iteration decodes the sentences, adds the outputs to those of earlier iterations, samples pairs
of outputs of the same sentence, and trains a logistic regression on the differences of their
features to predict which of the two the metric prefers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation.decoder import Decoder, check_weights
from otherwords.errors import InputError, UsageError, require
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.io.files import make_folder, packed_write, read_bytes
from otherwords.scoring.score import score
from otherwords.stats.intervals import percentiles
from otherwords.stats.resampling import resample
from otherwords.tables.table import Column, Number, Table
from otherwords.tables.tabular import Tabular

Array = NDArray[np.float64]
References = Sequence[Sequence[str]]
Done = dict[str, Any]  # a finished iteration: weights, best outputs, new outputs
RESAMPLES = 1000


@dataclass(frozen=True)
class Pro:
    """The options of PRO; defaults are those of the paper's section 4 where it gives them."""

    iterations: int = 8
    k: int = 200  # outputs per sentence and iteration
    unique: bool = False  # only outputs with different words
    samples: int = 5000  # pairs sampled from each sentence (Γ)
    kept: int = 50  # the pairs with the largest difference that are kept (Ξ)
    least: float = 0.05  # minimum metric difference, as a share of its spread (α)
    interpolation: float = 0.5  # share of the new weights (Ψ)
    held_out: float = 0.2  # share of sentences for choosing the best iteration
    strength: float = 1.0  # penalty of the regression
    seed: int = 0

    def __post_init__(self) -> None:
        for name, most in (
            ("iterations", 1000),
            ("k", 100_000),
            ("samples", 10**7),
            ("kept", 10**6),
        ):
            check_whole(name, getattr(self, name), 1, most)
        check_flag("unique", self.unique)
        check_number("least", self.least, 0, 1)
        check_number("interpolation", self.interpolation, 0.001, 1)
        check_number("held_out", self.held_out, 0, 0.9)
        check_number("strength", self.strength, 0, 1e9)
        check_whole("seed", self.seed, 0, 2**63 - 1)


@dataclass(frozen=True)
class Iteration:
    """The metric on the tuning sentences and on the held-out ones, and the weights."""

    number: int
    tuned: float
    held_out: float | None
    weights: Mapping[str, float]


@dataclass(frozen=True)
class TuningResult(Tabular):
    """The curve, the weights of the best iteration, and the gain with its interval."""

    metric: str
    curve: tuple[Iteration, ...]
    best: int
    before: Number
    after: Number
    gain: Number
    on: str  # the sentences of `before`, `after` and `gain`
    model_warnings: tuple[str, ...] = ()

    @property
    def weights(self) -> dict[str, float]:
        return dict(self.curve[self.best].weights)

    def tables(self) -> list[Table]:
        curve = Table(
            "curve",
            [Column("iteration"), Column("tuned", decimals=3), Column("held out", decimals=3)],
            [[str(step.number), step.tuned, step.held_out] for step in self.curve],
            caption=f"{self.metric} after each iteration; {self.best} is the best",
        )
        figures = Table(
            "gain",
            [Column("weights"), Column(self.metric, decimals=3)],
            [["before", self.before], ["after", self.after], ["difference", self.gain]],
            caption=f"On the {self.on} sentences, with 95 % intervals",
        )
        return [curve, figures]

    def warnings(self) -> tuple[str, ...]:
        return self.model_warnings

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "weights": self.weights}


def tune(
    decoder: Decoder,
    sentences: Sequence[str],
    references: References,
    *,
    metric: str | Mapping[str, float] = "bleu",
    pro: Pro | None = None,
    resume: str | Path | None = None,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> TuningResult:
    """Tune the weights of a decoder by PRO, starting from its current ones.

    The decoder keeps the weights of the best iteration.

    Parameters
    ----------
    decoder
        The decoder.
    sentences, references
        The sentences, and the references of each.
    metric
        A segment metric to improve, or several with their shares.
    pro
        The options of PRO.
    resume
        A folder of finished iterations: a killed run continues from there with the same result.
    threads
        The number of threads; results do not depend on it.
    progress
        Called with 1 after each iteration.
    """
    require("sklearn")
    pro = pro or Pro()
    if len(sentences) != len(references):
        raise UsageError(f"{len(sentences)} sentences but {len(references)} lists of references")
    if len(sentences) < 2:
        raise UsageError("at least two sentences are needed")
    goal = Goal(metric, sentences, references, threads)
    held = _held_out(len(sentences), pro)
    tuned = [i for i in range(len(sentences)) if not held[i]]
    rest = np.flatnonzero(held).tolist()
    start = check_weights(decoder.weights)
    once = {**asdict(pro), "iterations": None}  # a run with more iterations resumes one with fewer
    work = TuningWork(
        resume, [sentences, references, goal.shares, once, start, decoder.description]
    )
    lists = Lists(list(start), len(sentences))
    curve: list[Iteration] = []
    outputs: list[list[str]] = []
    for number in range(pro.iterations + 1):
        done = work.read(number)
        if done is None:
            done = _decode(decoder, sentences, (tuned, rest), lists, goal, pro)
            work.write(number, done)
        else:
            decoder.reweight(done["weights"])
            lists.restore(done["added"])
        outputs.append(done["best"])
        on_tuned = goal.corpus(done["best"], tuned)
        on_rest = goal.corpus(done["best"], rest) if rest else None
        curve.append(Iteration(number, on_tuned, on_rest, dict(decoder.weights)))
        progress(1)
        if number == pro.iterations:
            break
        pairs = _sample_pairs(lists, tuned, pro, number)
        if pairs is None:
            break
        decoder.reweight(_learn(decoder.weights, lists.names, pairs, pro))
    chosen = max(
        range(len(curve)),
        key=lambda k: (goal.sign * (curve[k].tuned if not rest else curve[k].held_out or 0), -k),
    )
    decoder.reweight(curve[chosen].weights)
    before, after, gain = goal.difference(outputs[0], outputs[chosen], rest or tuned, pro.seed)
    on = "held-out" if rest else "tuned"
    return TuningResult(goal.name, tuple(curve), chosen, before, after, gain, on)


def _decode(
    decoder: Decoder,
    sentences: Sequence[str],
    parts: tuple[Sequence[int], Sequence[int]],
    lists: Lists,
    goal: Goal,
    pro: Pro,
) -> Done:
    """Decode all sentences, and add the outputs of the tuning sentences to the lists."""
    tuned, rest = parts
    sizes = [len(targets) for targets in lists.targets]
    best = [""] * len(sentences)
    for rows, k in ((tuned, pro.k), (rest, 1)):
        decoded = decoder.decode(
            [sentences[i] for i in rows],
            k=k,
            unique=pro.unique,
            derivations=False,
            threads=goal.threads,
        )
        for i, sentence in zip(rows, decoded, strict=True):
            best[i] = sentence.outputs[0].target if sentence.outputs else ""
            for output in sentence.outputs if rows is tuned else ():
                lists.add(i, output.target, lists.row(output.features))
    goal.fill(lists, tuned)
    return {"weights": decoder.weights, "best": best, "added": lists.added_since(sizes)}


def _rng(pro: Pro, number: int) -> np.random.Generator:
    """Return an independent generator for an iteration; -1 stands for the split."""
    return np.random.Generator(np.random.PCG64([pro.seed, number + 1]))


def _held_out(count: int, pro: Pro) -> NDArray[np.bool_]:
    """Choose the held-out sentences; none if that would leave fewer than two."""
    held = np.zeros(count, dtype=bool)
    size = round(pro.held_out * count)
    if size >= 2 and count - size >= 2:
        held[_rng(pro, -1).permutation(count)[:size]] = True
    return held


def _sample_pairs(lists: Lists, rows: Sequence[int], pro: Pro, number: int) -> Array | None:
    """Return differences of features, better minus worse, one row per pair kept."""
    spread = np.std([gain for i in rows for gain in lists.gains[i]])
    if not spread > 0:
        return None
    rng = _rng(pro, number)
    differences = []
    for i in rows:
        gains = np.array(lists.gains[i])
        if len(gains) < 2:
            continue
        left, right = rng.integers(0, len(gains), (2, pro.samples))
        difference = gains[left] - gains[right]
        sizes = np.abs(difference)
        order = np.argsort(-sizes, kind="stable")[: pro.kept]
        order = order[sizes[order] > pro.least * spread]
        features = np.array(lists.features[i])
        sign = np.sign(difference[order])[:, None]
        differences.append(sign * (features[left[order]] - features[right[order]]))
    pairs = np.concatenate(differences) if differences else np.empty((0, len(lists.names)))
    return pairs if len(pairs) else None


def _learn(
    weights: Mapping[str, float], names: Sequence[str], pairs: Array, pro: Pro
) -> dict[str, float]:
    """Interpolate the old weights and those of the regression, scaled to the same norm."""
    from sklearn.linear_model import LogisticRegression

    scale = pairs.std(axis=0)
    scale[scale == 0] = 1
    rows = np.concatenate([pairs, -pairs]) / scale
    labels = np.repeat([1, 0], len(pairs))
    strength = 1 / (pro.strength or 1e-9)
    model = LogisticRegression(C=strength, fit_intercept=False, max_iter=1000, tol=1e-6)
    new = model.fit(rows, labels).coef_[0] / scale
    old = np.array([weights[name] for name in names])
    size = float(np.abs(old).sum()) or 1.0
    new *= size / (float(np.abs(new).sum()) or 1.0)
    mixed = pro.interpolation * new + (1 - pro.interpolation) * old
    return dict(zip(names, map(float, mixed), strict=True))


def parse_goal(metrics: Sequence[str]) -> str | dict[str, float]:
    """Parse the metric to improve, or several metrics with shares.

    >>> parse_goal(["bleu"]), parse_goal(["precis=0.7", "pinc=0.3"])
    ('bleu', {'precis': 0.7, 'pinc': 0.3})
    """
    if len(metrics) == 1 and "=" not in metrics[0]:
        return metrics[0]
    shares = {}
    for metric in metrics:
        name, _, text = metric.partition("=")
        try:
            shares[name] = float(text)
        except ValueError as error:
            raise UsageError(f"several metrics need shares, NAME=SHARE, not '{metric}'") from error
    return shares


class Lists:
    """The outputs of all iterations for each sentence, with features and gains."""

    def __init__(self, names: Sequence[str], sentences: int) -> None:
        self.names = list(names)
        self._places = {name: place for place, name in enumerate(self.names)}
        self.known: list[dict[tuple[str, bytes], None]] = [{} for _ in range(sentences)]
        self.features: list[list[Array]] = [[] for _ in range(sentences)]
        self.targets: list[list[str]] = [[] for _ in range(sentences)]
        self.gains: list[list[float]] = [[] for _ in range(sentences)]

    def row(self, features: Mapping[str, float]) -> Array:
        row = np.zeros(len(self.names))
        for name, value in features.items():
            if name in self._places:
                row[self._places[name]] = value
        return row

    def add(self, sentence: int, target: str, row: Array) -> None:
        """Add an output, unless it is already there with the same features."""
        key = (target, row.tobytes())
        if key not in self.known[sentence]:
            self.known[sentence][key] = None
            self.features[sentence].append(row)
            self.targets[sentence].append(target)

    def added_since(self, sizes: list[int]) -> list[list[Any]]:
        """Return outputs beyond the given sizes: sentence, words, features, gain."""
        return [
            [i, self.targets[i][place], self.features[i][place].tolist(), self.gains[i][place]]
            for i, size in enumerate(sizes)
            for place in range(size, len(self.gains[i]))
        ]

    def restore(self, added: list[list[Any]]) -> None:
        for i, target, row, gain in added:
            self.add(i, target, np.array(row))
            self.gains[i].append(gain)


class Goal:
    """The objective that PRO maximises: one metric, or a weighted sum."""

    def __init__(
        self,
        metric: str | Mapping[str, float],
        sentences: Sequence[str],
        references: References,
        threads: int,
    ) -> None:
        self.shares = {metric: 1.0} if isinstance(metric, str) else check_weights(metric)
        if not self.shares:
            raise UsageError("a metric is needed")
        for name, share in self.shares.items():
            if share <= 0:
                raise UsageError(f"the share of {name} must be above 0, not {share:g}")
        self.name = "+".join(self.shares)
        self.sentences, self.references, self.threads = sentences, references, threads
        self.sign = 1.0
        if len(self.shares) == 1:
            [name] = self.shares
            result = self._result(name, [sentences[0]], [0])
            self.sign = 1.0 if result.metric.traits.higher_is_better else -1.0

    def _result(self, name: str, texts: Sequence[str], rows: Sequence[int]) -> Any:
        return score(
            name,
            list(texts),
            references=[list(self.references[i]) for i in rows],
            sources=[self.sentences[i] for i in rows],
            threads=self.threads,
        )

    def corpus(self, texts: Sequence[str], rows: Sequence[int]) -> float:
        chosen = [texts[i] for i in rows]
        total = 0.0
        for name, share in self.shares.items():
            result = self._result(name, chosen, rows)
            total += self._sign(share, result) * float(result.corpus)
        return total

    def _sign(self, share: float, result: Any) -> float:
        """Negate the share of a metric where lower is better, in a sum of several."""
        counts_against = len(self.shares) > 1 and not result.metric.traits.higher_is_better
        return -share if counts_against else share

    def fill(self, lists: Lists, rows: Sequence[int]) -> None:
        """Score the outputs that have no gain yet, all in one call."""
        # Different derivations, also of different iterations, yield the same words.
        known = {(i, lists.targets[i][k]): g for i in rows for k, g in enumerate(lists.gains[i])}
        wanted = [(i, text) for i in rows for text in lists.targets[i][len(lists.gains[i]) :]]
        new = [output for output in dict.fromkeys(wanted) if output not in known]
        if new:
            sums = np.zeros(len(new))
            for name, share in self.shares.items():
                result = self._result(name, [text for _, text in new], [i for i, _ in new])
                better = 1.0 if result.metric.traits.higher_is_better else -1.0
                sums += share * better * result.segments
            known.update(zip(new, map(float, sums), strict=True))
        for i, text in wanted:
            lists.gains[i].append(known[i, text])

    def difference(
        self, before: Sequence[str], after: Sequence[str], rows: Sequence[int], seed: int
    ) -> tuple[Number, Number, Number]:
        """Return the metric before and after and the difference, with bootstrap intervals."""
        draws = list(resample(len(rows), RESAMPLES, seed=seed))
        sums = [np.zeros(len(draws) + 1) for _ in range(2)]
        for name, share in self.shares.items():
            for place, texts in enumerate((before, after)):
                result = self._result(name, [texts[i] for i in rows], rows)
                whole = range(len(rows))
                for d, draw in enumerate([whole, *draws]):
                    statistics = result.statistics[list(draw)]
                    value = float(result.metric.aggregate(statistics))
                    sums[place][d] += self._sign(share, result) * value
        return tuple(map(_with_interval, (sums[0], sums[1], sums[1] - sums[0])))  # type: ignore[return-value]


def _with_interval(values: Array) -> Number:
    low, high = percentiles(values[1:], 0.95)
    return Number(float(values[0]), float(low), float(high), float(high - low) / 2)


class TuningWork:
    """Finished iterations in a folder, so that a killed run continues with the same result.

    Files are named by a digest of their inputs. Without a folder nothing is saved.
    """

    def __init__(self, folder: str | Path | None, task: object) -> None:
        text = json.dumps(task, sort_keys=True, ensure_ascii=False, default=str)
        self._key = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        if folder == "":  # Path("") would be the working folder
            raise UsageError("resume needs the name of a folder, not ''")
        self._folder = None if folder is None else Path(folder)
        if self._folder is not None:
            make_folder(self._folder)

    def _path(self, number: int) -> Path | None:
        name = f"tuning-{self._key}-{number}.json.gz"
        return None if self._folder is None else self._folder / name

    def read(self, number: int) -> Done | None:
        path = self._path(number)
        if path is None or not path.exists():
            return None
        try:
            digest, _, text = read_bytes(path).partition(b"\n")
            if digest != _digest(text):
                raise ValueError("its bytes differ from those that were written")
            done: Done = json.loads(text)
            return done
        except ValueError as error:
            message = "this iteration is not finished; remove it and run again"
            raise InputError(message, path=str(path)) from error

    def write(self, number: int, done: Done) -> None:
        """Save an iteration; the file appears when it is complete."""
        path = self._path(number)
        if path is not None:
            text = json.dumps(done, ensure_ascii=False).encode()
            with packed_write(path) as file:
                file.write(_digest(text) + b"\n" + text)


def _digest(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).hexdigest().encode()
