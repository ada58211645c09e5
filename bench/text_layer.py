"""How good the text layer is: tags and lemmas on the gold of tagged/dev, the check for English.

python -m bench.text_layer
"""

from __future__ import annotations

import random
import time
from collections import Counter

from bench.data import DATA, tagged
from otherwords.corpus.files import read_lines
from otherwords.text import Lexicon, Tagger
from otherwords.text.language import SAMPLE_TEXTS, english_share, words_of


def main() -> None:
    """Print accuracies, the commonest misses, and tokens a second."""
    gold = list(tagged("dev"))
    known = {form for sentence in tagged("train") for form, _, _ in sentence}
    tags_report(gold, known)
    lemmas_report(gold)
    language_report()


def tags_report(gold: list[list[tuple[str, str, str]]], known: set[str]) -> None:
    """Accuracy of the tagger: all words, those not seen in training, and lower-cased text."""
    tagger = Tagger.load()
    sentences = [[form for form, _, _ in sentence] for sentence in gold]
    tokens = sum(map(len, sentences))
    tagger.tag(sentences)
    start = time.perf_counter()
    found = tagger.tag(sentences)
    seconds = time.perf_counter() - start
    pairs = [
        (form in known, tag == mine)
        for sentence, tags in zip(gold, found, strict=True)
        for (form, _, tag), mine in zip(sentence, tags, strict=True)
    ]
    unseen = [right for is_known, right in pairs if not is_known]
    lowered = tagger.tag([[form.lower() for form in sentence] for sentence in sentences])
    lower_right = sum(
        tag == mine
        for sentence, tags in zip(gold, lowered, strict=True)
        for (_, _, tag), mine in zip(sentence, tags, strict=True)
    )
    print(f"tags of tagged/dev: {sum(right for _, right in pairs) / tokens:.2%} of {tokens} tokens")
    print(f"  words unseen in training: {sum(unseen) / len(unseen):.2%} of {len(unseen)}")
    print(f"  the text lower-cased: {lower_right / tokens:.2%}")
    print(f"  speed, lists of Python strings in and out: {tokens / seconds:,.0f} tokens/s")


def lemmas_report(gold: list[list[tuple[str, str, str]]]) -> None:
    """Accuracy of the lemmas, with gold tags and with ours, and what is missed."""
    lexicon, tagger = Lexicon.load(), Tagger.load()
    sentences = [[form for form, _, _ in sentence] for sentence in gold]
    for name, tags in (
        ("gold tags", [[tag for _, _, tag in sentence] for sentence in gold]),
        ("our tags", tagger.tag(sentences)),
    ):
        right = total = 0
        misses: Counter[tuple[str, str, str, str]] = Counter()
        for sentence, mine in zip(gold, tags, strict=True):
            lemmas = lexicon.lemmatize([form for form, _, _ in sentence], mine)
            for (form, lemma, tag), found in zip(sentence, lemmas, strict=True):
                total += 1
                right += found == lemma.lower()
                if found != lemma.lower():
                    misses[form.lower(), tag, lemma.lower(), found] += 1
        print(f"lemmas of tagged/dev, case folded, {name}: {right / total:.2%} of {total} tokens")
    classes: Counter[str] = Counter()
    for (_, tag, _, _), count in misses.items():
        classes[tag] += count
    print("  misses by tag:", ", ".join(f"{tag} {n}" for tag, n in classes.most_common(12)))
    print("  commonest (form, tag, gold, ours):")
    for (form, tag, lemma, found), count in misses.most_common(15):
        print(f"    {count:4} {form} {tag}: {lemma}, not {found}")


def language_report() -> None:
    """Share of English words in samples of the bitexts, as the check for English sees it."""
    rng = random.Random(0)
    shares: dict[str, list[float]] = {"English": [], "French, German, Spanish": []}
    for path in sorted((DATA / "bitext").glob("*.tsv.gz")):
        pairs = [line.split("\t")[:2] for line in read_lines(path)]
        latin = not any(name in path.name for name in ("zh", "cmn"))
        for _ in range(20):
            start = rng.randrange(len(pairs) - SAMPLE_TEXTS)
            sample = pairs[start : start + SAMPLE_TEXTS]
            shares["English"].append(english_share(words_of([pair[0] for pair in sample])))
            if latin:
                foreign = words_of([pair[1] for pair in sample])
                shares["French, German, Spanish"].append(english_share(foreign))
    for name, values in shares.items():
        ordered = sorted(values)
        low, middle, high = ordered[0], ordered[len(ordered) // 2], ordered[-1]
        print(
            f"share of English words, {len(ordered)} samples of {SAMPLE_TEXTS} lines of {name}: "
            f"{low:.0%} to {high:.0%}, median {middle:.0%}"
        )


if __name__ == "__main__":
    main()
