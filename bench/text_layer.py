"""How good the text layer is: tags and lemmas on the gold of tagged/dev, the check for English.

python -m bench.text_layer
"""

from __future__ import annotations

import time
from collections import Counter

from bench.data import DATA, rows, tagged
from otherwords.io.files import read_lines
from otherwords.text.language import FEWEST_WORDS, SAMPLE_TEXTS, is_foreign, words_of
from otherwords.text.lexicon import Lexicon
from otherwords.text.tagger import Tagger


def main() -> None:
    """Print accuracies, the commonest misses, and tokens per second."""
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
    """How often the check for English refuses single segments, and samples of 50 lines."""
    texts: dict[str, list[str]] = {}
    for row in rows("mt/wmt15-daseg"):
        texts.setdefault("English (hypotheses)", []).append(str(row.hypothesis))
        texts.setdefault(str(row.item)[:2], []).append(str(row.source))
    for name, segments in texts.items():
        judged = [words for text in segments if len(words := words_of([text])) >= FEWEST_WORDS]
        share = sum(map(is_foreign, judged)) / len(judged)
        print(f"refused as not English, single segments of wmt15-daseg, {name}: {share:.1%}")
    for path in sorted((DATA / "bitext").glob("europarl-*.tsv.gz")):
        columns = zip(*(line.split("\t")[:2] for line in read_lines(path)), strict=True)
        for name, lines in zip(("English", "foreign"), columns, strict=True):
            starts = range(0, len(lines) - SAMPLE_TEXTS, 100 * SAMPLE_TEXTS)
            refused = [is_foreign(words_of(lines[i : i + SAMPLE_TEXTS])) for i in starts]
            print(
                f"refused as not English, {len(refused)} samples of {SAMPLE_TEXTS} lines, "
                f"{path.name.split('.')[0]}, {name} side: {sum(refused) / len(refused):.1%}"
            )


if __name__ == "__main__":
    main()
