"""The pair model in PyTorch: two texts apart in the lower layers of a BERT encoder, together in its
top layers (DeFormer, Cao et al. 2020), and what is trained.

Only `tools/` and `bench/` use this module. `Texts` computes what the untrained encoder makes of
each text, once; `PairModel` is what is trained: the top layers, read by both texts at once, and a
head. `arrays` rounds it to 8 bits as `pair.owm` holds it, `read` takes that back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from otherwords.encoders.bert_folder import Folder, read_folder
from otherwords.encoders.finding import find_encoder
from otherwords.encoders.pair_graph import GIVEN
from otherwords.encoders.pair_model import OUTPUTS, TOP, measures
from otherwords.models import container

__all__ = ["OUTPUTS", "PairModel", "Reader", "Texts", "base", "batch", "opened", "predict"]

LONGEST = 120  # word pieces of one text with the special ones
HEAD = 64
POOLS = 3  # what the head reads of each text: [CLS], mean, maximum
NUMBERS = 9  # of a pair: seven by the untrained encoder, of each text how wrong its worst piece is
SWAPPED_NUMBERS = [0, 2, 1, 4, 3, 6, 5, 8, 7]
MATRICES = (
    *("attention.self.query", "attention.self.key", "attention.self.value"),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def base(path: Path | str = "auto") -> Folder:
    """The encoder that is trained on: a folder, or an installed package."""
    return read_folder(find_encoder(path))


def attend(x: Tensor, weights: Mapping[str, Tensor], heads: int, e: float, bias: Any) -> Tensor:
    """One layer of BERT; `bias` is added to what is compared in the attention."""
    count, length, _ = x.shape

    def linear(x: Tensor, name: str) -> Tensor:
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(x: Tensor, name: str) -> Tensor:
        both = weights[f"{name}.weight"], weights[f"{name}.bias"]
        return functional.layer_norm(x, x.shape[-1:], *both, e)

    q, k, v = (
        linear(x, name).view(count, length, heads, -1).transpose(1, 2) for name in MATRICES[:3]
    )
    mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    mixed = mixed.transpose(1, 2).reshape(count, length, -1)
    x = norm(x + linear(mixed, MATRICES[3]), NORMS[0])
    inner = functional.gelu(linear(x, MATRICES[4]))
    return norm(x + linear(inner, MATRICES[5]), NORMS[1])


class Read(NamedTuple):
    """A text as the untrained encoder reads it: its pieces, their states below the top layers and
    after them."""

    ids: list[int]
    below: NDArray[Any]
    after: NDArray[Any]


class Reader(Protocol):
    """What reads texts: the encoder, or a folder that keeps what it read."""

    def read(self, texts: Sequence[str]) -> list[Read]:
        """All texts."""
        ...


class Texts:
    """The encoder, which is not trained."""

    def __init__(self, folder: Folder, longest: int = LONGEST) -> None:
        assert folder.weights is not None
        self.shape, self.longest = folder.shape, longest
        self.given = {name: torch.from_numpy(np.array(w)) for name, w in folder.weights.items()}
        self.tokenizer: Any = Tokenizer.from_str(folder.tokenizer.decode())
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Word pieces with [CLS] and [SEP], long texts cut."""
        found = [one.ids for one in self.tokenizer.encode_batch(list(texts))]
        return [
            one if len(one) <= self.longest else [*one[: self.longest - 1], one[-1]]
            for one in found
        ]

    @torch.no_grad()
    def read(self, texts: Sequence[str], pieces: int = 2048) -> list[Read]:
        """All texts, those of one length together."""
        ids = self.ids(texts)
        order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
        found: list[Read | None] = [None] * len(ids)
        begin = 0
        while begin < len(order):
            length = len(ids[order[begin]])
            end = begin
            while (
                end < len(order)
                and len(ids[order[end]]) == length
                and (end - begin) * length < pieces
            ):
                end += 1
            some = order[begin:end]
            below, after = self._states(torch.tensor([ids[n] for n in some]))
            both = (one.half().float().numpy() for one in (below, after))  # as they are kept
            for n, low, high in zip(some, *both, strict=True):
                found[n] = Read(ids[n], low, high)
            begin = end
        return [one for one in found if one is not None]

    def _states(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        given, places = self.given, self.given["embeddings.position_embeddings.weight"]
        x = given["embeddings.word_embeddings.weight"][ids] + places[: ids.shape[1]]
        x = x + given["embeddings.token_type_embeddings.weight"][0]
        norm = (given[f"embeddings.LayerNorm.{end}"] for end in ("weight", "bias"))
        x = below = functional.layer_norm(x, x.shape[-1:], *norm, self.shape.epsilon)
        for layer in range(self.shape.layers):
            if layer == self.shape.layers - TOP:
                below = x
            name = f"encoder.layer.{layer}."
            mine = {n.removeprefix(name): w for n, w in given.items() if n.startswith(name)}
            x = attend(x, mine, self.shape.heads, self.shape.epsilon, None)
        return below, x


class Pair(NamedTuple):
    """A pair as the top layers get it: the states of both texts, how well the other text covers
    each piece, numbers of the pair."""

    one: NDArray[Any]
    other: NDArray[Any]
    cover: NDArray[np.float32]
    numbers: NDArray[np.float32]


def pair_of(one: Read, other: Read) -> Pair:
    """Two texts together."""
    cover, numbers = measures(one.ids, one.after, other.ids, other.after)
    return Pair(one.below, other.below, cover, numbers)


class PairModel(nn.Module):
    """The top layers and the head; gives four logits per pair, symmetric in the two texts."""

    def __init__(self, folder: Folder, *, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        assert folder.weights is not None
        layers = folder.shape.layers
        self.heads, self.epsilon = folder.shape.heads, folder.shape.epsilon
        self.layers = range(layers - TOP, layers)
        self.top = nn.ParameterDict(
            {
                _key(name): nn.Parameter(torch.from_numpy(np.array(weight)))
                for name, weight in folder.weights.items()
                if name.startswith("encoder.layer.") and int(name.split(".")[2]) in self.layers
            }
        )
        width = folder.weights["embeddings.LayerNorm.weight"].shape[0]
        # of each head how much it turns to the other text
        self.across = nn.Parameter(
            torch.tensor([1.0, -1.0]).repeat(TOP, self.heads // 2 + 1)[:, : self.heads].clone()
        )
        self.cover = nn.Parameter(torch.randn(2, width) * 0.05)
        self.wrong = nn.Linear(width, 1)
        self.dense = nn.Linear(2 * POOLS * width, min(HEAD, width))
        self.numbers = nn.Linear(NUMBERS, min(HEAD, width), bias=False)
        self.out = nn.Linear(min(HEAD, width) + NUMBERS, len(OUTPUTS) - 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)
        with torch.no_grad():  # at first the similarity of the untrained encoder
            self.out.weight[0, -NUMBERS] = 6.0
            self.out.bias[0] = -4.5

    def forward(self, below: Tensor, cover: Tensor, side: Tensor, numbers: Tensor) -> Tensor:
        """Logits of a batch; `side` is 0 or 1 for the pieces of the texts and -1 beyond."""
        return self.head(self.states(below, cover, side), side, numbers)

    def states(self, below: Tensor, cover: Tensor, side: Tensor) -> Tensor:
        """The states of the last layer."""
        x = below + cover @ self.cover
        other = (side[:, None, :, None] != side[:, None, None, :]).float()
        beyond = (side < 0)[:, None, None, :].float() * -1e4
        for place, layer in enumerate(self.layers):
            name = _key(f"encoder.layer.{layer}.")
            mine = {
                _name(n.removeprefix(name)): w for n, w in self.top.items() if n.startswith(name)
            }
            bias = other * self.across[place][None, :, None, None] + beyond
            x = attend(x, mine, self.heads, self.epsilon, bias)
        return x

    def head(self, x: Tensor, side: Tensor, numbers: Tensor) -> Tensor:
        """Logits of the states of the last layer."""
        wrong = self.wrong(x) / 4
        worst = [wrong.masked_fill((side != one)[:, :, None], -1e4).amax(1) for one in (0, 1)]
        numbers = torch.cat([numbers, *worst], 1)
        pools = []
        for one in (0, 1):
            mine = (side == one)[:, :, None]
            first = (side == one).float().argmax(1)
            pools.append(
                torch.cat(
                    [
                        x[torch.arange(len(x)), first],
                        (x * mine).sum(1) / mine.sum(1),
                        x.masked_fill(~mine, -1e4).amax(1),
                    ],
                    1,
                )
            )
        swapped = numbers[:, SWAPPED_NUMBERS]
        one, other = (
            self.out(
                torch.cat([functional.gelu(self.dense(torch.cat(two, 1)) + self.numbers(n)), n], 1)
            )
            for two, n in ((pools, numbers), (pools[::-1], swapped))
        )
        both = (one[:, :2] + other[:, :2]) / 2
        return torch.cat([both, one[:, 2:], other[:, 2:]], 1)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What `pair.owm` holds of it: matrices in 8 bits, the rest as it is."""
        found: dict[str, NDArray[Any]] = {}
        for key, weight in self.top.items():
            if weight.ndim == 2:
                found |= rounded(f"matrix/{_name(key)}", weight)
            else:
                found[f"vector/{_name(key)}"] = _numpy(weight)
        found |= rounded("head/dense/weight", self.dense.weight)
        for name, one in self._plain():
            found[name] = _numpy(one)
        return found

    def _plain(self) -> Iterator[tuple[str, nn.Parameter]]:
        yield "join/across", self.across
        yield "join/cover", self.cover
        yield "head/wrong/weight", self.wrong.weight
        yield "head/wrong/bias", self.wrong.bias
        yield "head/dense/bias", self.dense.bias
        yield "head/numbers/weight", self.numbers.weight
        yield "head/out/weight", self.out.weight
        yield "head/out/bias", self.out.bias

    @torch.no_grad()
    def read(self, arrays: Mapping[str, NDArray[Any]]) -> PairModel:
        """The same model with the trained part of a file."""

        def tensor(name: str) -> Tensor:
            return torch.from_numpy(np.array(arrays[name]))

        def matrix(name: str) -> Tensor:
            return tensor(f"{name}/codes").float() * tensor(f"{name}/scale")[:, None]

        for key, weight in self.top.items():
            name = _name(key)
            weight.data = matrix(f"matrix/{name}") if weight.ndim == 2 else tensor(f"vector/{name}")
        self.dense.weight.data = matrix("head/dense/weight")
        for name, one in self._plain():
            one.data = tensor(name)
        return self


def _key(name: str) -> str:
    return name.replace(".", "/")


def _name(key: str) -> str:
    return key.replace("/", ".")


def _numpy(tensor: Tensor) -> NDArray[np.float32]:
    return tensor.detach().numpy().astype(np.float32)


def rounded(name: str, weight: Tensor) -> dict[str, NDArray[Any]]:
    """A matrix in 8 bits: codes, and one scale per line."""
    array = _numpy(weight)
    scale = np.maximum(np.abs(array).max(axis=1), 1e-12).astype(np.float32) / np.float32(127)
    codes = np.rint(array / scale[:, None]).astype(np.int8)
    return {f"{name}/codes": codes, f"{name}/scale": scale}


def batch(pairs: Sequence[Pair]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What the model reads of some pairs, padded."""
    longest = max(len(one.cover) for one in pairs)
    below = np.zeros((len(pairs), longest, pairs[0].one.shape[1]), np.float32)
    cover = np.zeros((len(pairs), longest, 2), np.float32)
    side = np.full((len(pairs), longest), -1)
    for n, one in enumerate(pairs):
        second, length = len(one.one), len(one.cover)
        below[n, :second], below[n, second:length] = one.one, one.other
        side[n, :second], side[n, second:length] = 0, 1
        cover[n, :length] = one.cover
    numbers = np.stack([one.numbers for one in pairs])
    return (*map(torch.from_numpy, (below, cover, side, numbers)),)


@torch.no_grad()
def predict(
    model: PairModel, texts: Reader, pairs: Sequence[tuple[str, str]], size: int = 64
) -> NDArray[np.float64]:
    """Logits of pairs, then the numbers of `measures`; [pairs, 11]."""
    out = np.zeros((len(pairs), len(OUTPUTS) + GIVEN))
    for start in range(0, len(pairs), 1024):
        some = pairs[start : start + 1024]
        distinct = list(dict.fromkeys(text for pair in some for text in pair))
        known = dict(zip(distinct, texts.read(distinct), strict=True))
        order = sorted(range(len(some)), key=lambda n: sum(len(known[t].ids) for t in some[n]))
        for begin in range(0, len(order), size):
            mine = order[begin : begin + size]
            made = [pair_of(known[some[n][0]], known[some[n][1]]) for n in mine]
            places = [start + n for n in mine]
            out[places, : len(OUTPUTS)] = model(*batch(made)).double().numpy()
            out[places, len(OUTPUTS) :] = [one.numbers for one in made]
    return out


def opened(path: Path | str, folder: Folder | None = None) -> tuple[PairModel, Texts, NDArray[Any]]:
    """The model of a file, what reads its texts, and its calibration."""
    file = container.read(path)
    folder = folder or base()
    model = PairModel(folder).read(file.arrays)
    return model, Texts(folder), np.array(file.arrays["calibration"])
