"""Training without cells: the bytes that kept cells give, for any number of threads."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

from otherwords.build.bitext import Aligner, Bitext, Training, encode, pharaoh
from otherwords.errors import UsageError
from tests.oracles import kept_cells


def corpus(seed, pairs, longest, words):
    """Random pairs of Zipfian words, some of one stem, with empty sides among them."""
    chance = random.Random(seed)

    def sentence(prefix):
        size = chance.randint(0, longest)
        return [f"{prefix}{int(words ** chance.random())}" for _ in range(size)]

    return [(sentence("house"), sentence("mai")) for _ in range(pairs)]


def bitext(pairs):
    sides = zip(*pairs, strict=True)
    return Bitext(*(encode([" ".join(words) for words in side], "none") for side in sides))


def table(aligner):
    rows = aligner.arrays["rows"].tolist()
    return {
        (word, aligner.right[aligner.arrays["right"][k]]): (
            float(aligner.arrays["to_right"][k]),
            float(aligner.arrays["to_left"][k]),
        )
        for number, word in enumerate(aligner.left)
        for k in range(rows[number], rows[number + 1])
    }


def all_bytes(aligner):
    return {name: array.tobytes() for name, array in aligner.arrays.items()}


@pytest.mark.parametrize(
    ("seed", "pairs", "longest", "words", "model1", "hmm"),
    [
        (1, 60, 6, 300, 1, 0),
        (2, 60, 6, 300, 3, 0),
        (3, 40, 5, 40, 2, 2),
        (4, 12, 9, 2000, 1, 3),
        (5, 90, 3, 8, 2, 1),
    ],
)
def test_tables_are_those_of_kept_cells(seed, pairs, longest, words, model1, hmm):
    text = corpus(seed, pairs, longest, words)
    twin = kept_cells.Trainer(text)
    for number in range(model1):
        twin.model1(number == model1 - 1)
    for _ in range(hmm):
        twin.hmm()
    how = Training(model1_iterations=model1, hmm_iterations=hmm)
    aligner = Aligner.train(bitext(text), how)
    assert table(aligner) == twin.table()
    for name, jumps in zip(("right_jumps", "left_jumps"), twin.jumps, strict=True):
        assert aligner.arrays[name].tolist() == [*jumps[0], *jumps[1]]


@pytest.mark.parametrize("prune", [0, 0.01])
def test_same_bytes_for_one_two_and_four_threads(prune):
    text = bitext(corpus(6, 700, 12, 3000))  # more than one block of everything
    how = Training(model1_iterations=2, hmm_iterations=2, prune=prune)
    one, two, four = (Aligner.train(text, how, threads=threads) for threads in (1, 2, 4))
    assert all_bytes(one) == all_bytes(two) == all_bytes(four)
    links = [list(pharaoh(*one.align(text, threads=threads))) for threads in (1, 2, 4)]
    assert links[0] == links[1] == links[2]


def kept(pairs, prune):
    """Pairs of words with a share of the expected counts of either word, all cells alike."""
    counts = {}
    for left, right in pairs:
        for e in left:
            for f in right:
                counts[e, f] = counts.get((e, f), 0) + (len(left) * len(right)) ** -0.5
    rows, columns = {}, {}
    for (e, f), count in counts.items():
        rows[e] = rows.get(e, 0) + count
        columns[f] = columns.get(f, 0) + count
    return {(e, f) for (e, f), count in counts.items() if count >= prune * min(rows[e], columns[f])}


@pytest.mark.parametrize("prune", [0.013, 0.07])
def test_pruning_leaves_out_pairs_of_small_shares(prune):
    pairs = corpus(7, 150, 6, 60)
    how = Training(model1_iterations=1, hmm_iterations=0, prune=prune, alpha=0.5)
    found = table(Aligner.train(bitext(pairs), how))
    assert found.keys() == kept(pairs, prune)
    # The prior of a row is that of all its pairs, as if none had been left out.
    whole = table(Aligner.train(bitext(pairs), Training(1, 0, alpha=0.5, stem_weight=0)))
    how = Training(1, 0, alpha=0.5, stem_weight=0, prune=prune)
    for pair, (there, back) in table(Aligner.train(bitext(pairs), how)).items():
        assert there >= whole[pair][0]
        assert back >= whole[pair][1]


def test_pruning_by_nothing_changes_nothing():
    text = bitext(corpus(8, 100, 6, 60))
    assert all_bytes(Aligner.train(text)) == all_bytes(Aligner.train(text, Training(prune=1e-9)))


def test_pruning_spares_what_there_is_evidence_for():
    pairs = [("car a".split(), "automobile x".split())] + [("car b".split(), "y z".split())] * 40
    pairs += [("c d".split(), "automobile w".split())] * 40
    how = Training(1, 0, monolingual=True, prune=0.1)
    assert ("car", "automobile") in table(Aligner.train(bitext(pairs), how))
    assert ("car", "automobile") not in table(
        Aligner.train(bitext(pairs), Training(1, 0, prune=0.1))
    )


def test_a_sentence_all_of_whose_pairs_are_pruned_is_aligned_by_place():
    common = [(f"a b{n % 3}".split(), f"x y{n % 3}".split()) for n in range(90)]
    text = bitext([*common, *((["p"], [f"x{n}"]) for n in range(50)), (["p"], ["x"])])
    links, values = Aligner.train(text, Training(prune=0.1)).align(text, threshold=0)
    assert np.isfinite(values).all()
    assert links.bounds[-1] > 0


def test_prune_out_of_range():
    with pytest.raises(UsageError, match="prune"):
        Training(prune=0.5)


def test_links_as_lines():
    """Lines of the oracle's formatting, empty ones among them, over more than one batch."""
    text = bitext(corpus(9, 30, 4, 20))
    links, values = Aligner.train(text).align(text, threshold=0.01)
    lines = [links.sentence(n) for n in range(text.size)]
    assert list(pharaoh(links)) == [" ".join(f"{i}-{j}" for i, j in line) for line in lines]
    marked, flat = [], iter(values.tolist())
    for line in lines:
        marked.append(" ".join(f"{i}-{j}:{next(flat):.3f}" for i, j in line))
    assert list(pharaoh(links, values)) == marked


MEMORY = """
import resource
import numpy as np
from otherwords.build.bitext import Aligner, Bitext, Side, Training

pairs, words, vocabulary = 40_000, 30, 4_000
chance = np.random.default_rng(1)
ids = [(vocabulary ** chance.random(pairs * words)).astype(np.uint32) for _ in range(2)]
bounds = np.arange(0, pairs * words + 1, words)
names = [f"w{n}" for n in range(vocabulary + 1)]
text = Bitext(*(Side(tokens, bounds, names) for tokens in ids))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
Aligner.train(text, Training(model1_iterations=2, hmm_iterations=0))
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
seen = np.zeros((vocabulary + 1, vocabulary + 1), bool)
for i in range(words):
    for j in range(words):
        seen[ids[0][i::words], ids[1][j::words]] = True
met = int(seen.sum())
print(grown, met, pairs * words * words)
"""


@pytest.mark.long
def test_training_needs_no_memory_for_cells():
    """23 bytes per pair of words and some MB; nothing per cell, nothing twice for the result."""
    output = subprocess.check_output([sys.executable, "-c", MEMORY], text=True)
    grown, met, cells = map(int, output.split())
    assert 4 * cells > 25 * met + 12_000_000  # else nothing is shown
    assert 10 * met > 12_000_000
    assert grown < 25 * met + 12_000_000
