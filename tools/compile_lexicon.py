"""Compile the embedded lexicon from a WordNet `dict/` folder.

    python tools/compile_lexicon.py /usr/share/wordnet

Debian's package `wordnet-base` has the folder. What is kept: hashes of the one-token
lemmas with their parts of speech; for each the set of its synonyms over all senses and
parts of speech (MAXSIM §2.1), as numbers; morphy's exception lists, whose lemmas are single
words; and 32-bit hashes of pairs of antonyms (`tools/opposites.py`). A synonym that only one
lemma has can never be shared, so it is left out.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from opposites import opposites
from otherwords.models import container
from otherwords.models.arrays import bucket_bounds, hash_words
from otherwords.text.lexicon import NONE, synsets_path

CLASSES = {"noun": ("n", 1), "verb": ("v", 2), "adj": ("a", 4), "adv": ("r", 8)}
HERE = Path(__file__).parent
EMBEDDED = HERE.parent / "src" / "otherwords" / "models" / "lexicon.owm"


def synsets(folder: Path, name: str) -> Iterator[list[str]]:
    """The words of each synset of `data.<name>`, lower-cased, markers such as `(p)` cut off."""
    for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue  # the licence
        fields = line.split(" ")
        count = int(fields[3], 16)
        words = fields[4 : 4 + 2 * count : 2]
        yield [word.split("(")[0].lower() for word in words]


def exceptions(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Irregular form and its first lemma; forms of several words cannot be tokens."""
    for line in (folder / f"{name}.exc").read_text(encoding="utf-8").splitlines():
        form, *lemmas = line.split()
        if lemmas and "_" not in form and "_" not in lemmas[0]:
            yield form, lemmas[0]


def closed_class() -> Iterator[tuple[str, str, str]]:
    """Our own list of the tokens that the Treebank cuts off: class, form, lemma."""
    for line in (HERE / "clitics.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word_class, form, lemma = line.split("\t")
            yield word_class, form, lemma


def compile_words(folder: Path) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The tables of lemmas, classes and synonym sets; and the number of each lemma among synonyms,
    which shows that two lemmas share a synset: each is a synonym of the other.
    """
    classes: dict[str, int] = defaultdict(int)
    synonyms: dict[str, set[str]] = defaultdict(set)
    for name, (_, bit) in CLASSES.items():
        for words in synsets(folder, name):
            for word in words:
                classes[word] |= bit
                synonyms[word].update(words)
    lemmas = sorted(word for word in classes if "_" not in word)
    shared: dict[str, int] = defaultdict(int)
    for lemma in lemmas:
        for word in synonyms[lemma]:
            shared[word] += 1
    numbers = {word: i for i, word in enumerate(sorted(w for w, n in shared.items() if n > 1))}
    hashes = hash_words(lemmas)
    order = np.argsort(hashes)
    sets = [sorted(numbers[w] for w in synonyms[lemmas[i]] if w in numbers) for i in order.tolist()]
    own = np.array([numbers.get(lemmas[i], NONE) for i in order.tolist()], dtype=np.uint32)
    return {
        "words": hashes[order],
        "word_buckets": bucket_bounds(hashes[order]),
        "classes": np.array([classes[lemmas[i]] for i in order.tolist()], dtype=np.uint8),
        "synonym_bounds": bounds([len(s) for s in sets]),
        "synonyms": np.array([n for s in sets for n in s], dtype=np.uint32),
    }, own


def compile_exceptions(folder: Path) -> dict[str, np.ndarray]:
    """The table of irregular forms, keyed by class and form; our own classes in capitals."""
    table: dict[str, str] = {}
    for word_class, form, lemma in closed_class():
        table[f"{word_class.upper()} {form}"] = lemma
    for name, (letter, _) in CLASSES.items():
        for form, lemma in exceptions(folder, name):
            table.setdefault(f"{letter} {form}", lemma)
    keys = sorted(table)
    hashes = hash_words(keys)
    order = np.argsort(hashes)
    lemmas = [table[keys[i]].encode() for i in order.tolist()]
    return {
        "exceptions": hashes[order],
        "exception_buckets": bucket_bounds(hashes[order]),
        "exception_bounds": bounds([len(lemma) for lemma in lemmas]),
        "lemmas": np.frombuffer(b"".join(lemmas), dtype=np.uint8),
    }


def compile_opposites(folder: Path) -> dict[str, np.ndarray]:
    """Hashes of the pairs of direct and of indirect antonyms, the words in alphabetical order."""
    direct, near = (
        np.unique(hash_words([f"{a} {b}" for a, b in sorted(pairs)]) >> np.uint64(32))
        for pairs in opposites(folder)
    )
    return {
        "antonyms": direct.astype(np.uint32),
        "near_antonyms": near.astype(np.uint32),
        "antonym_counts": np.array([len(direct), len(near)], dtype=np.uint32),
    }


def bounds(lengths: list[int]) -> np.ndarray:
    """Where each of consecutive pieces starts, and where the last ends."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.uint32)


def fingerprint(folder: Path) -> str:
    """SHA-256 over the files that were read."""
    digest = hashlib.sha256()
    for name in CLASSES:
        for file in (f"data.{name}", f"{name}.exc"):
            digest.update((folder / file).read_bytes())
    counts = folder / "cntlist.rev"  # which words are used; a user's folder may lack it
    digest.update(counts.read_bytes() if counts.is_file() else b"")
    return digest.hexdigest()


def main() -> None:
    """Compile and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dict", type=Path, help="WordNet's dict/ folder")
    parser.add_argument("-o", "--output", type=Path, default=EMBEDDED)
    args = parser.parse_args()
    arrays, own = compile_words(args.dict)
    arrays |= compile_exceptions(args.dict) | compile_opposites(args.dict)
    provenance = {
        "source": "WordNet 3.0, Princeton University (dict/ folder)",
        "licence": "WordNet 3.0 License",
        "sha256": fingerprint(args.dict),
        "lemmas": len(arrays["words"]),
        "exceptions": len(arrays["exceptions"]),
        "antonyms": len(arrays["antonyms"]) + len(arrays["near_antonyms"]),
        "tool": "tools/compile_lexicon.py",
    }
    container.write(args.output, "lexicon", arrays, provenance)
    size = args.output.stat().st_size
    print(f"{args.output.name}: {len(arrays['words'])} lemmas, {size / 1e6:.2f} MB")
    beside = synsets_path(args.output)
    written = {"lexicon": container.read(args.output, "lexicon").digest}
    container.write(beside, "synsets", {"own": own}, {**provenance, **written})
    print(f"{beside.name}: {beside.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
