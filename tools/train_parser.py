"""Train the embedded parser: trees in, `parser.owm` out.

    python tools/train_parser.py --trees ../shared/data/trees/train.tsv.gz \
        --tagged ../shared/data/tagged/train.conll.gz

One document in eight is never trained on, and the model that is measured on those is the one
that is written. The same input and options give the same bytes. `--tags FILE` keeps the tags of
the training sentences, which take minutes to make, for the next time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from binarise import Labels, binary_nodes
from evalb import Counts, score_tree
from otherwords import _build
from otherwords.build.trees.parser import Parser
from otherwords.build.trees.tree import Tree
from otherwords.models.container import Model, write
from otherwords.text.sentence import Sentence
from otherwords.text.tagger import Tagger
from tree_data import Parsed, genre_of, jackknifed, read_parsed, split, with_penn_style

EMBEDDED = Path(__file__).parents[1] / "src" / "otherwords" / "models" / "parser.owm"
LEAST_CHAINS = 5  # a chain of phrases that is rarer is no label of its own


def main() -> None:
    """Train, measure, write."""
    options = arguments()
    train, dev = split(read_parsed(options.trees))
    train = with_penn_style(train)
    train_tags, dev_tags = tags_of(train, dev, options)
    arrays = trained([parsed.tree for parsed in train], train_tags, options)
    sources = provenance(options, train, dev)
    measure(Parser(Model(options.output, "parser", "", sources, arrays)), dev, dev_tags)
    write(options.output, "parser", arrays, sources)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--trees", type=Path, required=True, help="document TAB tree, gzip")
    parser.add_argument("--tagged", type=Path, required=True, help="what the tagger is trained on")
    parser.add_argument("--tags", type=Path, help="a JSON file of tags, made if it is not there")
    parser.add_argument("--output", type=Path, default=EMBEDDED)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3, help="shuffles whose weights are averaged")
    parser.add_argument("--cutoff", type=int, default=4, help="least count of a feature")
    parser.add_argument("--loss", type=int, default=30, help="by how much a gold span must win")
    parser.add_argument("--dropout", type=int, default=20, help="per cent of features hidden")
    parser.add_argument("--resolution", type=int, default=4, help="quantised steps an update")
    parser.add_argument("--least", type=int, default=3, help="least weight kept")
    parser.add_argument("--least-best", type=int, default=4, help="least best weight of a feature")
    parser.add_argument("--most-bytes", type=int, default=5_900_000, help="of the features")
    parser.add_argument("--beam", type=int, default=400, help="of labels below a span's best")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def tags_of(
    train: list[Parsed], dev: list[Parsed], options: argparse.Namespace
) -> tuple[list[list[str]], list[list[str]]]:
    """The tags that the parser learns from and is measured with."""
    if options.tags is not None and options.tags.exists():
        kept = json.loads(options.tags.read_text(encoding="utf-8"))
        return kept["train"], kept["dev"]
    made = jackknifed(train, dev, options.tagged)
    if options.tags is not None:
        kept = dict(zip(("train", "dev"), made, strict=True))
        options.tags.write_text(json.dumps(kept), encoding="utf-8")
    return made


def training_options(options: argparse.Namespace) -> dict[str, int]:
    """The options that the native training takes."""
    names = "epochs runs cutoff loss dropout resolution least least_best most_bytes seed".split()
    return {name: getattr(options, name) for name in names}


def trained(
    trees: Sequence[Tree], tags: list[list[str]], options: argparse.Namespace
) -> dict[str, NDArray[Any]]:
    """The arrays of the model."""
    started = time.process_time()
    below_root = [tree.children[0] for tree in trees]
    labels = Labels(below_root, LEAST_CHAINS)
    tag_names = sorted({tag for row in tags for tag in row})
    nodes = [
        (node.begin, node.end, node.split, labels.number(node.label))
        for tree in below_root
        for node in binary_nodes(tree)
    ]
    words = [list(tree.words) for tree in trees]
    flat = np.array(nodes, dtype=np.int32).reshape(-1)
    weights = _build.train_parser(
        words,
        tags,
        flat,
        labels.names,
        tag_names,
        Tagger.load().native,
        **training_options(options),
    )
    arrays = {
        "label_names": np.frombuffer("\n".join(labels.names).encode(), dtype=np.uint8),
        "tag_names": np.frombuffer("\n".join(tag_names).encode(), dtype=np.uint8),
        "beam": np.array([options.beam], dtype=np.int32),
        **weights,
    }
    size = sum(array.nbytes for array in arrays.values()) / 1e6
    seconds = time.process_time() - started
    count = len(arrays["features"]) // 2 - 1
    print(f"{count} features, {size:.2f} MB, trained in {seconds:.0f} CPU seconds", flush=True)
    return arrays


def measure(parser: Parser, dev: list[Parsed], tags: list[list[str]]) -> None:
    """Print the scores on the documents that were not trained on, by genre."""
    sentences = [
        Sentence.from_tokens(parsed.tree.words, tags=row)
        for parsed, row in zip(dev, tags, strict=True)
    ]
    guesses = parser.parse(sentences)
    by_genre: dict[str, Counts] = defaultdict(Counts)
    for parsed, guess in zip(dev, guesses, strict=True):
        counts = score_tree(parsed.tree, guess)
        by_genre[genre_of(parsed.document)] += counts
        by_genre["all"] += counts
    for genre, counts in sorted(by_genre.items()):
        print(
            f"{genre:14} {counts.sentences:5} sentences  P {counts.precision:.4f} "
            f"R {counts.recall:.4f} F1 {counts.f1:.4f} tags {counts.tag_accuracy:.4f} "
            f"exact {counts.exact_match:.4f}"
        )


def provenance(
    options: argparse.Namespace, train: list[Parsed], dev: list[Parsed]
) -> dict[str, Any]:
    """Where the model comes from."""
    return {
        "what": "constituency parser, trained by tools/train_parser.py",
        "treebank": {
            "file": options.trees.name,
            "sources": "GUM (CC BY 4.0 and per-genre terms)",
            "trees": len(train),
            "held_out": sorted({parsed.document for parsed in dev}),
        },
        "tags": "by taggers trained without the document, with the lexicon of the embedded one",
        "tagger": Tagger.load().digest,
        "training": training_options(options),
        "decoding": {"beam": options.beam},
    }


if __name__ == "__main__":
    main()
