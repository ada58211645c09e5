"""The pair model in PyTorch: a BERT encoder that reads two texts at once, and what is trained.

Only `tools/` and `bench/` use this module. The trained part is either low-rank updates of all
matrices (`low`) or the matrices of the top layers (`top`); both with layer norms, biases and a
head. `arrays` rounds it to 8 bits as `pair.owm` holds it; `rounded` is the model that comes out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from otherwords.encoders.bert_folder import Folder, read_folder
from otherwords.encoders.finding import find_encoder
from otherwords.models import container

__all__ = ["OUTPUTS", "PairModel", "base", "encode", "opened", "pair_tokenizer", "predict"]

OUTPUTS = ("same", "contradicted", "missing", "added")
LONGEST = 160  # word pieces of both texts with the special ones
HEAD = 128
RANK = 64
TOP = 2  # layers of the form `top`
MATRICES = (
    *("attention.self.query", "attention.self.key", "attention.self.value"),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)
NORMS = ("attention.output.LayerNorm", "output.LayerNorm")
FORMS = ("low", "top")


def base(path: Path | str = "auto") -> Folder:
    """The encoder that is trained on: a folder, or an installed package."""
    return read_folder(find_encoder(path))


def pair_tokenizer(folder: Folder) -> Any:
    """The tokenizer of single texts, which adds [CLS] and [SEP]."""
    tokenizer = Tokenizer.from_str(folder.tokenizer.decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def encode(
    tokenizer: Any, pairs: Sequence[tuple[str, str]], room: int = LONGEST
) -> list[tuple[list[int], list[int]]]:
    """Word pieces and token types of pairs; where there is no room the longer text is cut."""
    found = tokenizer.encode_batch([text for pair in pairs for text in pair])
    return [
        joined(one.ids, other.ids, room) for one, other in zip(found[::2], found[1::2], strict=True)
    ]


def joined(one: list[int], other: list[int], room: int) -> tuple[list[int], list[int]]:
    """Two texts as one row, and the types of its pieces.

    >>> joined([1, 5, 6, 7, 2], [1, 8, 2], 6)
    ([1, 5, 6, 2, 8, 2], [0, 0, 0, 0, 1, 1])
    """
    room -= 3
    second = other[1:-1]
    first = one[1:-1][: max(room - len(second), (room + 1) // 2)]
    second = second[: room - len(first)]
    row = [one[0], *first, one[-1], *second, one[-1]]
    return row, [0] * (len(first) + 2) + [1] * (len(second) + 1)


class Low(nn.Module):
    """A matrix that is frozen and a low-rank update that is not."""

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.bias = nn.Parameter(bias.clone())
        self.a = nn.Parameter(torch.randn(rank, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, x: Tensor) -> Tensor:
        """The product with the updated matrix."""
        return functional.linear(x, self.weight, self.bias) + functional.linear(
            functional.linear(x, self.a), self.b
        )


class Full(nn.Module):
    """A matrix that is trained as a whole, or frozen."""

    def __init__(self, weight: Tensor, bias: Tensor, trained: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight.clone(), requires_grad=trained)
        self.bias = nn.Parameter(bias.clone(), requires_grad=trained)

    def forward(self, x: Tensor) -> Tensor:
        """The product."""
        return functional.linear(x, self.weight, self.bias)


class PairModel(nn.Module):
    """The encoder with its trained part and head; gives four logits per pair."""

    def __init__(
        self, folder: Folder, *, form: str = "low", rank: int = RANK, seed: int = 0
    ) -> None:
        super().__init__()
        torch.manual_seed(seed)
        assert folder.weights is not None
        given = {name: torch.from_numpy(np.array(w)) for name, w in folder.weights.items()}
        self.form, self.layers, self.heads = form, folder.shape.layers, folder.shape.heads
        self.epsilon = folder.shape.epsilon
        for name in ("word", "position", "token_type"):
            self.register_buffer(name, given[f"embeddings.{name}_embeddings.weight"])
        self.matrices = nn.ModuleDict()
        self.norms = nn.ParameterDict()
        for layer in range(self.layers):
            trained = form == "low" or layer >= self.layers - TOP
            for part in MATRICES:
                name = f"encoder.layer.{layer}.{part}"
                both = given[f"{name}.weight"], given[f"{name}.bias"]
                self.matrices[_key(name)] = (
                    Low(*both, rank) if form == "low" else Full(*both, trained)
                )
            for part in NORMS:
                for end in ("weight", "bias"):
                    name = f"encoder.layer.{layer}.{part}.{end}"
                    self.norms[_key(name)] = nn.Parameter(given[name].clone(), trained)
        for end in ("weight", "bias"):
            name = f"embeddings.LayerNorm.{end}"
            self.norms[_key(name)] = nn.Parameter(given[name].clone(), form == "low")
        width = given["embeddings.word_embeddings.weight"].shape[1]
        self.dense = nn.Linear(2 * width, min(HEAD, width))
        self.out = nn.Linear(min(HEAD, width), len(OUTPUTS))
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Logits of a batch; `mask` is True where there is a word piece."""
        return self.head(self.states(ids, types, mask), mask)

    def head(self, x: Tensor, mask: Tensor) -> Tensor:
        """Logits of the states of the last layer."""
        weight = mask[:, :, None].to(x.dtype)
        mean = (x * weight).sum(1) / weight.sum(1)
        return self.out(functional.gelu(self.dense(torch.cat([x[:, 0], mean], 1))))

    def states(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """The states of the last layer."""
        count, length = ids.shape
        x = self.word[ids] + self.position[:length] + self.token_type[types]
        x = self._norm(x, "embeddings.LayerNorm")
        seen = mask[:, None, None, :]
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}"
            q, k, v = (
                self.matrices[_key(f"{name}.attention.self.{part}")](x)
                .view(count, length, self.heads, -1)
                .transpose(1, 2)
                for part in ("query", "key", "value")
            )
            mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=seen)
            mixed = mixed.transpose(1, 2).reshape(count, length, -1)
            mixed = self.matrices[_key(f"{name}.attention.output.dense")](mixed)
            x = self._norm(x + mixed, f"{name}.attention.output.LayerNorm")
            inner = functional.gelu(self.matrices[_key(f"{name}.intermediate.dense")](x))
            inner = self.matrices[_key(f"{name}.output.dense")](inner)
            x = self._norm(x + inner, f"{name}.output.LayerNorm")
        return x

    def _norm(self, x: Tensor, name: str) -> Tensor:
        weight, bias = self.norms[_key(f"{name}.weight")], self.norms[_key(f"{name}.bias")]
        return functional.layer_norm(x, x.shape[-1:], weight, bias, self.epsilon)

    def trained(self) -> Iterator[tuple[str, nn.Parameter]]:
        """The parameters that are trained."""
        return ((name, one) for name, one in self.named_parameters() if one.requires_grad)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What `pair.owm` holds of it: matrices in 8 bits, the rest as it is."""
        found: dict[str, NDArray[Any]] = {}
        for key, module in self.matrices.items():
            name = f"{_name(key)}.weight"
            if isinstance(module, Low):
                for part, array in (("a", module.a), ("b", module.b)):
                    codes, scale = rounded(array)
                    found[f"low/{name}/{part}/codes"] = codes
                    found[f"low/{name}/{part}/scale"] = scale
            elif module.weight.requires_grad:
                codes, scale = rounded(module.weight)
                found[f"matrix/{name}/codes"], found[f"matrix/{name}/scale"] = codes, scale
            if module.bias.requires_grad:
                found[f"vector/{_name(key)}.bias"] = _numpy(module.bias)
        for key, norm in self.norms.items():
            if norm.requires_grad:
                found[f"vector/{_name(key)}"] = _numpy(norm)
        for name, layer in (("dense", self.dense), ("out", self.out)):
            found[f"head/{name}/weight"] = _numpy(layer.weight)
            found[f"head/{name}/bias"] = _numpy(layer.bias)
        return found

    @torch.no_grad()
    def read(self, arrays: Mapping[str, NDArray[Any]]) -> PairModel:
        """The same model with the trained part of a file."""

        def tensor(name: str) -> Tensor:
            return torch.from_numpy(np.array(arrays[name]))

        def matrix(name: str) -> Tensor:
            return tensor(f"{name}/codes").float() * tensor(f"{name}/scale")[:, None]

        for key, module in self.matrices.items():
            name = f"{_name(key)}.weight"
            if isinstance(module, Low):
                module.a.data, module.b.data = (matrix(f"low/{name}/{part}") for part in "ab")
            elif f"matrix/{name}/codes" in arrays:
                module.weight.data = matrix(f"matrix/{name}")
            if f"vector/{_name(key)}.bias" in arrays:
                module.bias.data = tensor(f"vector/{_name(key)}.bias")
        for key, norm in self.norms.items():
            if f"vector/{_name(key)}" in arrays:
                norm.data = tensor(f"vector/{_name(key)}")
        for name, layer in (("dense", self.dense), ("out", self.out)):
            layer.weight.data = tensor(f"head/{name}/weight")
            layer.bias.data = tensor(f"head/{name}/bias")
        return self


def _key(name: str) -> str:
    return name.replace(".", "/")


def _name(key: str) -> str:
    return key.replace("/", ".")


def _numpy(tensor: Tensor) -> NDArray[np.float32]:
    return tensor.detach().numpy().astype(np.float32)


def rounded(weight: Tensor) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix in 8 bits: codes, and one scale per line."""
    array = _numpy(weight)
    scale = np.maximum(np.abs(array).max(axis=1), 1e-12).astype(np.float32) / np.float32(127)
    return np.rint(array / scale[:, None]).astype(np.int8), scale


def batch(rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
    """Padded word pieces, token types and mask."""
    longest = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    types = torch.zeros_like(ids)
    mask = torch.zeros(len(rows), longest, dtype=torch.bool)
    for n, (one, kinds) in enumerate(rows):
        ids[n, : len(one)] = torch.tensor(one)
        types[n, : len(one)] = torch.tensor(kinds)
        mask[n, : len(one)] = True
    return ids, types, mask


@torch.no_grad()
def predict(
    model: PairModel, tokenizer: Any, pairs: Sequence[tuple[str, str]], size: int = 64
) -> NDArray[np.float64]:
    """Logits of pairs, the mean of both orders; [pairs, 4]."""
    total = np.zeros((len(pairs), len(OUTPUTS)))
    for swap in (False, True):
        rows = encode(tokenizer, [(b, a) if swap else (a, b) for a, b in pairs])
        order = sorted(range(len(rows)), key=lambda n: len(rows[n][0]))
        for start in range(0, len(order), size):
            some = order[start : start + size]
            logits = model(*batch([rows[n] for n in some])).double().numpy()
            total[some] += (logits[:, [0, 1, 3, 2]] if swap else logits) / 2
    return total


def opened(path: Path | str, folder: Folder | None = None) -> tuple[PairModel, Any, NDArray[Any]]:
    """The model of a file, its tokenizer and its calibration."""
    file = container.read(path)
    folder = folder or base()
    form, rank = str(file.provenance["form"]), int(file.provenance["rank"])
    model = PairModel(folder, form=form, rank=rank).read(file.arrays)
    return model, pair_tokenizer(folder), np.array(file.arrays["calibration"])
