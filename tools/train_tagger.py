"""Train the embedded tagger: treebank and raw English in, `tagger.owm` out.

    python tools/train_tagger.py --train ../shared/data/tagged/train.conll.gz \
        --dev ../shared/data/tagged/dev.conll.gz --bitext ../shared/data/bitext

The same input and options give the same bytes. With `--hold-out`, every tenth block of the
training sentences takes the place of the dev set and nothing is written: that is how options
are chosen.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _build, _native
from otherwords.models.container import write
from otherwords.text.lexicon import Lexicon
from raw_lexicon import LexiconOptions, lexicon_arrays
from raw_text import RawText, english_lines, rough_tokens
from treebank import Tagged, penn_style, read_treebank, with_other_styles

EMBEDDED = Path(__file__).parents[1] / "src" / "otherwords" / "models" / "tagger.owm"
BLOCK = 250  # sentences; a split by blocks keeps most documents on one side


def main() -> None:
    """Train, measure, write."""
    options = arguments()
    train, dev = split(options)
    started = time.process_time()
    text = RawText.from_sentences(raw_sentences(options, train))
    lexicon = lexicon_arrays(text, LexiconOptions())
    print(f"lexicon: {len(lexicon['word_keys'])} words from {len(text.tokens)} tokens of raw text")
    arrays = {**lexicon, **weights(train, lexicon, options)}
    seconds = time.process_time() - started
    size = sum(array.nbytes for array in arrays.values())
    features = f"{len(arrays['feature_keys'])} features, {size / 1e6:.2f} MB"
    print(f"{features}, trained in {seconds:.0f} CPU seconds")
    measure(_native.Tagger(arrays), train, dev)
    if not options.hold_out:
        write(options.output, "tagger", arrays, provenance(options, train, text))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--train", type=Path, required=True, help="form, lemma, tag, head, relation"
    )
    parser.add_argument("--dev", type=Path, required=True, help="the same, to measure on")
    parser.add_argument(
        "--bitext", type=Path, required=True, help="folder of english TAB foreign, *.tsv.gz"
    )
    parser.add_argument("--output", type=Path, default=EMBEDDED)
    parser.add_argument("--hold-out", action="store_true", help="measure on a part of train")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--runs", type=int, default=3, help="shuffles whose weights are averaged")
    parser.add_argument("--cutoff", type=int, default=3, help="least count of a feature")
    parser.add_argument("--loss", type=int, default=15, help="by how much a gold tag must win")
    parser.add_argument("--dropout", type=int, default=30, help="per cent of features hidden")
    parser.add_argument("--resolution", type=int, default=3, help="quantised steps an update")
    parser.add_argument("--least", type=int, default=2, help="least weight kept")
    parser.add_argument("--least-best", type=int, default=8, help="least best weight of a feature")
    parser.add_argument("--margin", type=int, default=250, help="of a candidate below the best")
    parser.add_argument("--every-lower", type=int, default=6, help="lower-case each n-th sentence")
    parser.add_argument("--every-upper", type=int, default=12, help="upper-case each n-th sentence")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def split(options: argparse.Namespace) -> tuple[list[Tagged], list[Tagged]]:
    """The sentences to train on and those to measure on."""
    train = read_treebank(options.train)
    if not options.hold_out:
        return train, read_treebank(options.dev)
    held = [i // BLOCK % 10 == 5 for i in range(len(train))]
    return (
        [sentence for sentence, out in zip(train, held, strict=True) if not out],
        [sentence for sentence, out in zip(train, held, strict=True) if out],
    )


def raw_sentences(options: argparse.Namespace, train: list[Tagged]) -> Iterator[list[str]]:
    """The raw text that words are learnt from; the treebank's forms are part of it."""
    for line in english_lines(options.bitext):
        yield rough_tokens(line)
    for sentence in train:
        yield sentence.forms


def training_options(options: argparse.Namespace) -> dict[str, int]:
    """The options that the native training takes."""
    names = ("epochs", "runs", "cutoff", "loss", "dropout", "resolution", "least", "least_best")
    return {name: getattr(options, name) for name in (*names, "seed")}


def weights(
    train: list[Tagged], lexicon: dict[str, NDArray[Any]], options: argparse.Namespace
) -> dict[str, NDArray[Any]]:
    """The arrays of the model, but for the lexicon."""
    sentences = list(with_other_styles(train, options.every_lower, options.every_upper))
    names = sorted({tag for sentence in sentences for tag in sentence.tags})
    code = {name: number for number, name in enumerate(names)}
    tags = np.array([code[t] for sentence in sentences for t in sentence.tags], dtype=np.uint8)
    forms = [sentence.forms for sentence in sentences]
    trained = _build.train_tagger(forms, tags, len(names), lexicon, **training_options(options))
    return {
        "tag_names": np.frombuffer("\n".join(names).encode(), dtype=np.uint8),
        "margin": np.array([options.margin], dtype=np.int32),
        **trained,
    }


def measure(tagger: _native.Tagger, train: list[Tagged], dev: list[Tagged]) -> None:
    """Print the accuracy on dev, also in other styles, and the speed."""
    known = {form for sentence in train for form in sentence.forms}
    print(f"accuracy {accuracy(tagger, dev):.4%}")
    print(f"  unknown words {accuracy(tagger, dev, lambda form: form not in known):.4%}")
    print(f"  Penn style    {accuracy(tagger, [penn_style(s) for s in dev]):.4%}")
    print(f"  lower case    {accuracy(tagger, [s.in_case(str.lower) for s in dev]):.4%}")
    print(f"  upper case    {accuracy(tagger, [s.in_case(str.upper) for s in dev]):.4%}")
    print(f"{speed(tagger, dev):,.0f} tokens a CPU second, from Python strings to tag codes")


def accuracy(
    tagger: _native.Tagger, sentences: list[Tagged], counts: Callable[[str], bool] | None = None
) -> float:
    """The share of tokens with the right tag, among those that count."""
    guesses = tagger.tag([sentence.forms for sentence in sentences], 1)
    right = [
        tag == guess
        for sentence, row in zip(sentences, guesses, strict=True)
        for form, tag, guess in zip(sentence.forms, sentence.tags, row, strict=True)
        if counts is None or counts(form)
    ]
    return sum(right) / max(len(right), 1)


def speed(tagger: _native.Tagger, sentences: list[Tagged]) -> float:
    """Tokens a CPU second, the best of five."""
    forms = [sentence.forms for sentence in sentences] * 4
    best = float("inf")
    for _ in range(5):
        started = time.process_time()
        tagger.tag_codes(forms, 1)
        best = min(best, time.process_time() - started)
    return sum(map(len, forms)) / best


def provenance(options: argparse.Namespace, train: list[Tagged], text: RawText) -> dict[str, Any]:
    """Where the model comes from."""
    raw = sorted(path.name for path in options.bitext.glob("*.tsv.gz"))
    return {
        "what": "Penn part-of-speech tagger, trained by tools/train_tagger.py",
        "treebank": {
            "file": options.train.name,
            "sources": "UD English EWT (CC BY-SA 4.0), GUM (CC BY 4.0 and per-genre terms)",
            "sentences": len(train),
            "tokens": sum(len(sentence.forms) for sentence in train),
        },
        "raw_text": {"files": raw, "tokens": int((text.tokens >= 0).sum())},
        "lexicon": asdict(LexiconOptions()),
        "senses": {"wordnet": Lexicon.load().digest},
        "training": training_options(options),
        "decoding": {"margin": options.margin},
        "copies": {"every_lower": options.every_lower, "every_upper": options.every_upper},
    }


if __name__ == "__main__":
    main()
