"""The parser on documents that it was not trained on, by genre; its speed and its memory.

python -m bench.parser [scores] [evalb] [speed] [memory]
"""

from __future__ import annotations

import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.data import DATA
from otherwords.build.trees.parser import Parser
from otherwords.build.trees.tree import Tree
from otherwords.models.container import embedded, read
from otherwords.text.sentence import Sentence
from otherwords.text.tagger import Tagger

# The split and the tagger that has not seen it are those of the training tools.
sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))
from evalb import Counts, Settings, score_tree
from tree_data import Parsed, genre_of, read_parsed, split, trained_tagger
from treebank import read_treebank

ROUNDS = 5
STANFORD = 300 / 79  # sentences a CPU second of the Java PCFG, ../shared/data/README.md


def held_out() -> list[Parsed]:
    """The development documents; they must be those that the model names."""
    _, dev = split(read_parsed(DATA / "trees" / "train.tsv.gz"))
    named = read(embedded("parser"), "parser").provenance["treebank"]["held_out"]
    assert named == sorted({parsed.document for parsed in dev})
    return dev


def unseen_tags(dev: Sequence[Parsed]) -> list[list[str]]:
    """Tags by a tagger that was trained without the development documents."""
    hidden = {parsed.tree.words for parsed in dev}
    treebank = read_treebank(DATA / "tagged" / "train.conll.gz")
    tagger = trained_tagger(s for s in treebank if tuple(s.forms) not in hidden)
    return tagger.tag([list(parsed.tree.words) for parsed in dev], 1)


def counted(dev: Sequence[Parsed], tags: Sequence[Sequence[str]] | None) -> dict[str, Counts]:
    """Counts by genre, by corpus (GUM, GENTLE) and of all; with our own tags if none are given."""
    sentences = [
        Sentence.from_tokens(parsed.tree.words, tags=None if tags is None else tags[s])
        for s, parsed in enumerate(dev)
    ]
    result: dict[str, Counts] = defaultdict(Counts)
    for parsed, guess in zip(dev, Parser.load().parse(sentences), strict=True):
        counts = score_tree(parsed.tree, guess)
        for name in (genre_of(parsed.document), parsed.document.split("_")[0], "all"):
            result[name] += counts
    return result


def scores() -> None:
    """Scores with honest tags, with the embedded tagger's and with gold tags."""
    dev = held_out()
    unseen = counted(dev, unseen_tags(dev))
    print("labelled brackets, tags by a tagger that has not seen the documents")
    print(f"{'':14}{'sentences':>10}{'P':>8}{'R':>8}{'F1':>8}{'tags':>8}{'exact':>8}")
    for genre, counts in sorted(
        unseen.items(), key=lambda item: (item[0] == "all", item[0].isupper(), item[0])
    ):
        print(row(genre, counts))
    print(row("embedded tags", counted(dev, None)["all"]))
    print(row("gold tags", counted(dev, [parsed.tree.tags for parsed in dev])["all"]))
    print(row("flat trees", baseline(dev)))


def row(name: str, counts: Counts) -> str:
    """A line of the table."""
    shown = (counts.precision, counts.recall, counts.f1, counts.tag_accuracy, counts.exact_match)
    return f"{name:14}{counts.sentences:10}" + "".join(f"{value:8.4f}" for value in shown)


def baseline(dev: Sequence[Parsed]) -> Counts:
    """What a tree of one S over all words scores."""
    total = Counts()
    for parsed in dev:
        flat = Tree("ROOT", [Tree("S", parsed.tree.leaves())])
        total += score_tree(parsed.tree, flat)
    return total


def evalb() -> None:
    """Our counts of brackets and those of PYEVALB, which takes out no punctuation by default."""
    try:
        from PYEVALB import parser as brackets
        from PYEVALB import scorer
    except ImportError:
        print("PYEVALB is not here")
        return
    settings = Settings(punctuation=frozenset(), equal={})
    gold = [parsed.tree for parsed in held_out()[::4]]
    ours = theirs = (0, 0, 0)
    sentences = 0
    for tree, guess in zip(gold, Parser.load().parse([t.words for t in gold]), strict=True):
        pair = [one.children[0] for one in (tree, guess)]
        if any(one.word is not None for one in pair):
            continue  # a tree without phrases is more than it takes
        found = scorer.Scorer().score_trees(
            *(brackets.create_from_bracket_string(str(one)) for one in pair)
        )
        counts = score_tree(*pair, settings)
        row = (counts.matched, counts.gold, counts.guessed)
        other = (found.matched_brackets, found.gold_brackets, found.test_brackets)
        ours = tuple(a + b for a, b in zip(ours, row, strict=True))
        theirs = tuple(a + b for a, b in zip(theirs, other, strict=True))
        sentences += 1
    print(f"matched, gold and guessed brackets of {sentences} sentences: ours {ours}")
    print(f"{'':>53}PYEVALB {theirs}")


def best(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def speed() -> None:
    """Sentences of 20 words per second on one thread, from tokens to trees."""
    trees = [parsed.tree for parsed in read_parsed(DATA / "trees" / "train.tsv.gz")]
    words = [list(tree.words) for tree in trees if len(tree.words) == 20]
    parser, tagger = Parser.load(), Tagger.load()
    tags = tagger.tag(words)
    kernel = best(lambda: parser._native.parse(words, tags, 1))
    whole = best(lambda: parser.parse(words))
    print(f"{len(words)} sentences of 20 words, one thread, best of {ROUNDS} rounds")
    for name, seconds in (("chart alone", kernel), ("tokens to trees", whole)):
        rate = len(words) / seconds
        print(f"{name:16} {rate:6.0f} sentences/s, {rate / STANFORD:4.0f} x the Java PCFG's 3.8")


def memory() -> None:
    """Time and memory of long sentences."""
    parser = Parser.load()
    parser.parse([["It", "works", "."]])
    words = "Yesterday , the man who lives next door gave my sister a book about whales .".split()
    for length in (20, 50, 100, 200, 2000):
        sentence = (words * (length // len(words) + 1))[:length]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds = best(lambda sentence=sentence: parser.parse([sentence]))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"{length:5} words: {1000 * seconds:7.1f} ms, {grown / 1024:5.1f} MB more at most")


def main() -> None:
    """Run what is asked for, or all."""
    jobs = {"scores": scores, "evalb": evalb, "speed": speed, "memory": memory}
    for name in sys.argv[1:] or jobs:
        jobs[name]()


if __name__ == "__main__":
    main()
