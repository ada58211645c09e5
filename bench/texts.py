"""Whole texts: sentences, their alignment, errors planted in documents, growth with length.

    python -m bench.texts splitter [--part dev|train] [--show N]
    python -m bench.texts alignment | documents | written [--show] | brief | growth

The gold sentences of ../shared/data/tagged are joined to paragraphs of five: with spaces, and
with a line break after each sentence that has no final mark, as headings and lines of letters have.
A sentence counts as found if both its ends are right. Other programs: pySBD and spaCy's
sentencizer, where they are installed.

Documents have twelve sentences or verses: those of ../shared/data/tagged, whose rewrite is a copy;
Bible verses in two translations, one of which is the rewrite; and written sentences with right and
wrong rewrites (tools/pair_written/held). The texts of examples/texts.jsonl were written whole, by
someone who had not seen this code.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tools.inference_data import read_rows
from tools.train_meaning import auc

from bench.agreement import table
from bench.data import DATA, tagged
from otherwords.metrics.meaning import Judgement, Meaning
from otherwords.metrics.passages import Passage, TextPair
from otherwords.metrics.rewrite import OtherwordsRewrite
from otherwords.metrics.sentence_alignment import Points, align_sentences
from otherwords.models.encoder import Encoder
from otherwords.scoring.detectors import Detector
from otherwords.text.sentences import split_sentences
from otherwords.text.values import read_values

Span = tuple[int, int]
ROOT = Path(__file__).resolve().parents[1]
PARAGRAPH = 5
FINAL = re.compile(r"[.!?…][\"'”’)\]]*$")


def join_tokens(tokens: list[tuple[str, str]]) -> str:
    """The text of (form, tag) tokens, with spaces where writing has them."""
    parts: list[str] = []
    glue = True
    open_quote = False
    for place, (form, tag) in enumerate(tokens):
        closes = form in ".,;:!?%)]}…" or form in ("...", "''", "”", "’", "..", "!!", "??", "?!")
        closes = closes or tag in ("HYPH", "POS") or form.startswith(("'", "’")) or form == "n't"
        if form == '"':
            closes = open_quote or (place > 0 and place == len(tokens) - 1)
            opens = open_quote = not closes
        else:
            opens = form in "([{$#“‘``/" or tag == "HYPH"
        if not glue and not closes and form != "/":
            parts.append(" ")
        parts.append(form)
        glue = opens
    return "".join(parts)


def paragraphs(part: str, with_lines: bool) -> Iterator[tuple[str, list[Span]]]:
    """Texts with the gold spans of their sentences."""
    sentences = [
        join_tokens([(form, tag) for form, _, tag in sentence]) for sentence in tagged(part)
    ]
    for begin in range(0, len(sentences), PARAGRAPH):
        text, spans = "", []
        for sentence in sentences[begin : begin + PARAGRAPH]:
            if text:
                text += " " if FINAL.search(text) or not with_lines else "\n"
            spans.append((len(text), len(text) + len(sentence)))
            text += sentence
        yield text, spans


def splitters() -> dict[str, Callable[[str], list[Span]]]:
    """The splitters that are installed."""
    found: dict[str, Callable[[str], list[Span]]] = {"otherwords": split_sentences}
    try:
        import pysbd

        segmenter = pysbd.Segmenter(language="en", clean=False)
        found["pySBD"] = lambda text: _trimmed(text, segmenter.segment(text))
    except ImportError:
        print("pySBD is not installed")
    try:
        import spacy

        nlp = spacy.blank("en")
        nlp.add_pipe("sentencizer")
        found["spaCy sentencizer"] = lambda text: _trimmed(
            text, [sentence.text_with_ws for sentence in nlp(text).sents]
        )
    except ImportError:
        print("spaCy is not installed")
    return found


def _trimmed(text: str, pieces: list[str]) -> list[Span]:
    """The spans of pieces that follow one another in the text."""
    spans, position = [], 0
    for piece in pieces:
        inner = piece.strip()
        start = text.find(inner, position)
        if inner and start >= 0:
            position = start + len(inner)
            spans.append((start, position))
    return spans


def measure_splitters(part: str, show: int) -> None:
    """Print F1 and time of every splitter."""
    rows = []
    for with_lines in (False, True):
        texts = list(paragraphs(part, with_lines))
        for name, split in splitters().items():
            split(texts[0][0])
            counts: Counter[str] = Counter()
            started = time.perf_counter()
            guessed = [split(text) for text, _ in texts]
            seconds = time.perf_counter() - started
            for (text, gold), spans in zip(texts, guessed, strict=True):
                right = len(set(gold) & set(spans))
                counts.update(right=right, gold=len(gold), found=len(spans))
                if name == "otherwords" and right < len(gold) and show > 0:
                    show -= 1
                    print("\n".join(repr(text[slice(*span)]) for span in spans), end="\n\n")
            precision, recall = (counts["right"] / counts[what] for what in ("found", "gold"))
            f1 = 2 * precision * recall / (precision + recall)
            speed = sum(len(text) for text, _ in texts) / seconds / 1e6
            rows.append(
                [
                    "line breaks" if with_lines else "spaces",
                    name,
                    *(f"{100 * value:.1f}" for value in (precision, recall, f1)),
                    f"{speed:.2f}",
                ]
            )
    table(["joined by", "splitter", "precision", "recall", "F1", "MB per second"], rows)


def verses() -> list[dict[str, str]]:
    """The Bible, one verse after the other, in its translations."""
    import gzip

    with gzip.open(DATA / "multi" / "bible-en-multi.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line)["texts"] for line in file]


def halves(text: str) -> list[str] | None:
    """A sentence cut in two at the mark nearest to its middle."""
    cuts = [found.end() for found in re.finditer(r"[;:,.?!] ", text)]
    cuts = [cut for cut in cuts if 15 < cut < len(text) - 15]
    if not cuts:
        return None
    cut = min(cuts, key=lambda one: abs(one - len(text) / 2))
    return [text[:cut].strip(), text[cut:].strip()]


def edit_verses(
    rng: random.Random, bible: list[dict[str, str]]
) -> tuple[list[str], list[str], set]:
    """Two translations of a passage as sentences, and their links.

    One verse in ten each is dropped, has a strange one before it, is split on the left, or on the
    right; and one block of up to three sentences is moved.
    """
    while True:
        begin = rng.randrange(len(bible) - 20)
        run = bible[begin : begin + 20]
        names = sorted(set.intersection(*map(set, run)) - {"JPS"})
        if len(names) > 1:
            break
    one, other = rng.sample(names, 2)
    left: list[tuple[str, int]] = []
    right: list[tuple[str, int]] = []
    for number, verse in enumerate(run):
        kind = rng.random()
        mine, theirs = halves(verse[one]), halves(verse[other])
        if kind < 0.1:
            left.append((verse[one], number))
            continue
        if kind < 0.2:
            strange = rng.choice(bible)
            right.append((strange.get(other) or next(iter(strange.values())), -1))
        is_split = kind > 0.8
        left += [
            (part, number) for part in (mine if is_split and kind < 0.9 and mine else [verse[one]])
        ]
        right += [
            (part, number)
            for part in (theirs if is_split and kind > 0.9 and theirs else [verse[other]])
        ]
    size = rng.randint(1, 3)
    begin = rng.randrange(len(right) - size)
    block = right[begin : begin + size]
    del right[begin : begin + size]
    place = rng.randrange(len(right) + 1)
    right[place:place] = block
    gold = {(i, j) for i, (_, a) in enumerate(left) for j, (_, b) in enumerate(right) if a == b}
    return [text for text, _ in left], [text for text, _ in right], gold


def measure_alignment(count: int = 200) -> None:
    """Print precision, recall and F1 of links between sentences."""
    encoder = Encoder.load("encoder", "sentence")
    bible, rng = verses(), random.Random(11)
    counts: Counter[str] = Counter()
    seconds = 0.0
    for _ in range(count):
        left, right, gold = edit_verses(rng, bible)
        vectors = [encoder.encode(side, threads=2).astype(float) for side in (left, right)]
        started = time.perf_counter()
        groups = align_sentences(Points.of(left, vectors[0]), Points.of(right, vectors[1]))
        seconds += time.perf_counter() - started
        links = {
            (i, j) for group in groups for i in range(*group.left) for j in range(*group.right)
        }
        lone = {
            i for group in groups for i in range(*group.left) if group.right[0] == group.right[1]
        }
        dropped = set(range(len(left))) - {i for i, _ in gold}
        counts.update(right=len(links & gold), gold=len(gold), found=len(links))
        counts.update(dropped=len(dropped), seen=len(dropped & lone), lone=len(lone))
    precision, recall = counts["right"] / counts["found"], counts["right"] / counts["gold"]
    f1 = 2 * precision * recall / (precision + recall)
    print(f"links: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}; {count} texts")
    print(
        f"dropped sentences: {counts['seen']} of {counts['dropped']} found, "
        f"{counts['lone'] - counts['seen']} false; {1000 * seconds / count:.1f} ms per text"
    )


class Document(NamedTuple):
    """Sentences of an original and of its rewrite, one for one."""

    original: list[str]
    rewrite: list[str]
    wrong: tuple[str, ...] = ()  # wrong rewrites of the same sentences, if any are known


class Planted(NamedTuple):
    """A rewrite with one error, and the sentence that is wrong: of the rewrite or the original."""

    rewrite: list[str]
    place: int
    is_missing: bool = False


def bible_documents(rng: random.Random, count: int) -> Iterator[Document]:
    """Runs of 12 verses: Berean Standard Bible, and the Bible in Basic English as its rewrite."""
    bible = [verse for verse in verses() if {"BSB", "BBE"} <= verse.keys()]
    whole = [all(FINAL.search(verse[name]) for name in ("BSB", "BBE")) for verse in bible]
    while count:
        begin = rng.randrange(len(bible) - 12)
        if all(whole[begin : begin + 12]):
            run = bible[begin : begin + 12]
            yield Document([verse["BSB"] for verse in run], [verse["BBE"] for verse in run])
            count -= 1


def copied_documents(rng: random.Random, count: int) -> Iterator[Document]:
    """Runs of 12 sentences of web and other texts, and copies of them."""
    sentences = [join_tokens([(form, tag) for form, _, tag in one]) for one in tagged("train")]
    while count:
        begin = rng.randrange(len(sentences) - 12)
        run = sentences[begin : begin + 12]
        if all(FINAL.search(one) and len(one.split()) > 3 for one in run):
            yield Document(run, run)
            count -= 1


def written_groups() -> list[dict]:
    """Written sentences that training kept out, with rewrites."""
    groups = [
        group
        for path in sorted((ROOT / "tools/pair_written/held").glob("*.jsonl"))
        for group in read_rows(path)
    ]
    return [group for group in groups if all(group.get(key) for key in ("rc", "rf", "wc"))]


def written_documents(rng: random.Random, count: int) -> Iterator[Document]:
    """Twelve of the written groups that training kept out: one sentence each, a right rewrite that
    is close or far, and a wrong one that is close.
    """
    groups = written_groups()
    for _ in range(count):
        run = rng.sample(groups, 12)
        yield Document(
            [group["text"] for group in run],
            [group[rng.choice(("rc", "rf"))] for group in run],
            tuple(group["wc"] for group in run),
        )


NAMES = ("Hanley", "Obuya", "Petrescu", "Lindgren", "Tamura")
VERB = re.compile(r"\b(is|was|are|were|will|can|could|should|would|has|had|have)\b(?! not|n't)")


def plant(kind: str, document: Document, other: Document, rng: random.Random) -> Planted | None:
    """The rewrite with one error of a kind, if a sentence allows it."""
    texts = list(document.rewrite)
    places = rng.sample(range(len(texts)), len(texts))
    if kind == "wrong":
        texts[places[0]] = document.wrong[places[0]]
        return Planted(texts, places[0])
    if kind == "omission":
        place = places[0]
        return Planted(texts[:place] + texts[place + 1 :], place, is_missing=True)
    if kind == "addition":
        place = places[0]
        return Planted([*texts[:place], rng.choice(other.rewrite), *texts[place:]], place)
    if kind == "swapped":
        first, second = sorted(places[:2])
        texts[first], texts[second] = texts[second], texts[first]
        return Planted(texts, first)
    for place in places:
        text = texts[place]
        new = text
        if kind == "number":
            for found in [one for one in read_values(text) if one.kind == "number"][:1]:
                digits = found.text.isdigit()
                more = str(int(found.text) + rng.randint(2, 9)) if digits else "seventeen"
                new = text[: found.start] + more + text[found.end :]
        elif kind == "negation":
            new = VERB.sub(r"\1 not", text, count=1)
        else:
            inner = re.search(r"(?<=[a-z] )[A-Z][a-z]{3,}\b", text)
            if inner and "name" in {one.kind for one in read_values(text)}:
                new = text[: inner.start()] + rng.choice(NAMES) + text[inner.end() :]
        if new != text:
            texts[place] = new
            return Planted(texts, place)
    return None


KINDS = ("number", "negation", "name", "omission", "addition", "swapped")


def measure_documents(count: int) -> None:
    """Print how many planted errors are found and located, and how many clean documents blocked."""
    detector = Detector()
    sources = (("copies", copied_documents), ("Bible", bible_documents))
    for name, make in (*sources, ("written", written_documents)):
        rng = random.Random(3)
        documents = list(make(rng, count))
        found: dict[str, Counter[str]] = defaultdict(Counter)
        alarms = 0
        for number, document in enumerate(documents):
            original = " ".join(document.original)
            [clean] = detector.metric.judge([" ".join(document.rewrite)], [original], 2)
            alarms += bool(blamed(clean, detector))
            kinds = (*KINDS, *["wrong"] * len(KINDS)) if document.wrong else KINDS
            kind = kinds[number % len(kinds)]
            planted = plant(kind, document, documents[number - 1], rng)
            if planted is None:
                continue
            [judged] = detector.metric.judge([" ".join(planted.rewrite)], [original], 2)
            texts = document.original if planted.is_missing else planted.rewrite
            begin = len(" ".join(texts[: planted.place]))
            span = begin, begin + len(texts[planted.place]) + 1
            wrong = judged.moved if kind == "swapped" else blamed(judged, detector)
            side = 1 if planted.is_missing else 0
            located = any(p.spans[side][0] < span[1] and span[0] < p.spans[side][1] for p in wrong)
            found[kind].update(all=1, found=bool(wrong), located=located)
        table(
            [f"{name}: error", "documents", "found", "located"],
            [
                [kind, *(str(counts[what]) for what in ("all", "found", "located"))]
                for kind, counts in found.items()
            ],
        )
        print(f"false alarms on {name}: {alarms} of {count}\n")


def blamed(judged: Judgement, detector: Detector) -> list:
    """The passages for which the gate blocks a text."""
    limit = detector.metric.model.limit(detector.strictness)
    return [
        passage
        for passage, row in zip(judged.passages, judged.rows, strict=True)
        if row[0] < limit
        or any(passage.has(one.rewrite, one.original) for one in judged.differences)
    ]


def measure_written(show: bool) -> None:
    """Print what the gate says of the written texts and their wrong twins."""
    detector = Detector()
    cells = []
    for text in read_rows(ROOT / "tests" / "data" / "texts.jsonl"):
        twins = [{"kind": "right", "text": text["right"]}, *text["wrong"]]
        blocked = detector.contradicted([(twin["text"], text["text"]) for twin in twins])
        said = [
            f"{t['kind']} {'blocked' if b else 'passes'}"
            for t, b in zip(twins, blocked, strict=True)
        ]
        cells.append([text["id"], *said])
    table(["text", "right rewrite", "first error", "second error"], cells)
    print()
    measure_twenty(detector, show)


class Twin(NamedTuple):
    """A right or wrong rewrite of a text in examples/texts.jsonl.

    `words` are those of the error: of the original if they were left out, of the rewrite otherwise.
    """

    name: str
    kind: str
    wording: str
    original: str
    rewrite: str
    words: str = ""

    def is_in(self, passages: list[Passage]) -> bool:
        """Whether one of the passages has words of the error."""
        side = int(self.kind == "omission")
        begin = (self.rewrite, self.original)[side].index(self.words)
        end = begin + len(self.words)
        spans = (passage.spans[side] for passage in passages)
        return any(span[0] < end and begin < span[1] for span in spans)


def read_twins() -> Iterator[Twin]:
    """The right and wrong rewrites of the twenty texts."""
    for row in read_rows(ROOT / "examples" / "texts.jsonl"):
        name, original = row["id"], row["text"]
        for wording in ("close", "free"):
            yield Twin(name, "right", wording, original, row[f"right_{wording}"])
        for wrong in row["wrong"]:
            yield Twin(
                name, wrong["kind"], wrong["wording"], original, wrong["text"], wrong["words"]
            )


def measure_twenty(detector: Detector, show: bool) -> None:
    """Print how many of the twenty texts' rewrites are blocked, whether for the error, and AUC."""
    twins = list(read_twins())
    judged = detector.metric.judge([t.rewrite for t in twins], [t.original for t in twins], 2)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for twin, one in zip(twins, judged, strict=True):
        wrong = blamed(one, detector)
        is_blocked = bool(wrong or one.differences)
        is_right = twin.kind == "right"
        lowest = one.passages[int(one.rows[:, 0].argmin())]
        said = {
            "all": 1,
            "blocked": is_blocked,
            "blamed": not is_right and twin.is_in(wrong),
            "lowest": not is_right and twin.is_in([lowest]),
        }
        group = "right" if is_right else "wrong"
        counts[f"{group}, {twin.wording}"].update(said)
        if not is_right:
            counts[twin.kind].update(said)
        if show and is_blocked == is_right:
            show_twin(twin, one, wrong)
    cells = [
        [name, *(str(found[what]) for what in ("all", "blocked", "blamed", "lowest"))]
        for name, found in sorted(counts.items(), key=lambda item: (", " not in item[0], item[0]))
    ]
    table(["rewrites", "texts", "blocked", "error blamed", "error in lowest passage"], cells)
    scores = np.array([one.scores[0] for one in judged])
    right = np.array([twin.kind == "right" for twin in twins])
    for wording in ("close", "free"):
        rows = np.array([twin.wording == wording for twin in twins])
        print(f"AUC of meaning, {wording}: {auc(scores[rows], right[rows]):.3f}")
    print(f"AUC of meaning, all: {auc(scores, right):.3f}")


def show_twin(twin: Twin, judged: Judgement, wrong: list[Passage]) -> None:
    """Print a rewrite that was misjudged, with the passages that are blamed."""
    print(f"{twin.name}, {twin.kind}, {twin.wording}: {twin.words!r}")
    for passage, row in zip(judged.passages, judged.rows, strict=True):
        if passage in wrong or (not wrong and twin.is_in([passage])):
            said = f"{twin.original[slice(*passage.original)]!r}"
            print(f"  {row[0]:.3f} {said} <> {twin.rewrite[slice(*passage.rewrite)]!r}")
    for value in judged.differences:
        said = f"{value.original_text!r} <> {value.rewrite_text!r}"
        print(f"  {value.kind} {value.verdict}: {said}")


def brief_texts(rng: random.Random, size: int, count: int) -> Iterator[tuple[str, str, bool]]:
    """Written sentences with right rewrites, and the same with one wrong, missing or new one."""
    groups = [group for group in written_groups() if group.get("wf")]
    for _ in range(count):
        run = rng.sample(groups, size)
        original, right = (
            " ".join(group["text"] for group in run),
            [group[rng.choice(("rc", "rf"))] for group in run],
        )
        yield original, " ".join(right), True
        place, kind = rng.randrange(size), rng.choice(("wc", "wf", "missing", "new"))
        if kind == "missing":
            del right[place]
        elif kind == "new":
            right.insert(place, rng.choice(groups)["rc"])
        else:
            right[place] = run[place][kind]
        yield original, " ".join(right), False


def judged_texts() -> Iterator[tuple[str, list[tuple[str, str, bool]]]]:
    """Pairs of sets that people judged."""
    rows = read_rows(DATA / "inference" / "medical-questions.jsonl.gz")
    yield (
        "medical questions",
        [(row["premise"], row["hypothesis"], row["label"] == "equivalent") for row in rows],
    )
    for name, path, key in (
        ("MSRP", "paraphrase/msrp", "paraphrase"),
        ("APT", "rewrites/apt-train", "same"),
    ):
        rows = read_rows(DATA / f"{path}.jsonl.gz")
        yield name, [(row["source"], row["hypothesis"], row["human"][key] > 0.5) for row in rows]


def measure_brief(count: int = 300) -> None:
    """Print how well brief texts are told apart: read whole, in passages, and joined."""
    metric, rng = Meaning(), random.Random(5)
    sets = [(f"{n} written sentences", list(brief_texts(rng, n, count))) for n in (2, 3)]
    cells = []
    for name, rows in (*sets, *judged_texts()):
        brief = [row for row in rows if TextPair(*row[:2]).is_brief][: 2 * count]
        originals, rewrites, right = (list(column) for column in zip(*brief, strict=True))
        judged = metric.judge(rewrites, originals, 2)
        columns = (
            [one.whole for one in judged],
            [one.lowest for one in judged],
            [one.scores[0] for one in judged],
        )
        said = (f"{auc(np.array(column), np.array(right)):.3f}" for column in columns)
        cells.append([name, str(len(brief)), *said])
    table(["AUC of right against wrong", "texts", "whole", "passages", "`meaning`"], cells)


def measure_growth() -> None:
    """Print seconds and memory by the length of the texts."""
    bible = [verse for verse in verses() if {"BSB", "BBE"} <= verse.keys()]
    cells = []
    for words in (1250, 2500, 5000, 10000, 20000):
        size = np.searchsorted(np.cumsum([len(verse["BSB"].split()) for verse in bible]), words)
        texts = [" ".join(verse[name] for verse in bible[:size]) for name in ("BSB", "BBE")]
        row = [f"{words:,}"]
        for metric in (Meaning(), OtherwordsRewrite()):
            started = time.process_time()
            metric.measure(texts[:1], texts[1:], 1)
            row.append(f"{time.process_time() - started:.1f}")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        cells.append([*row, f"{peak:.0f}"])
    table(["words", "meaning, CPU s", "otherwords-rewrite, CPU s", "peak MB so far"], cells)


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(required=True, dest="what")
    splitter = commands.add_parser("splitter")
    splitter.add_argument("--part", default="dev", choices=["dev", "train"])
    splitter.add_argument("--show", type=int, default=0)
    parts = {
        "alignment": measure_alignment,
        "brief": measure_brief,
        "growth": measure_growth,
    }
    for name in parts:
        commands.add_parser(name)
    written = commands.add_parser("written")
    written.add_argument("--show", action="store_true", help="print what is misjudged")
    documents = commands.add_parser("documents")
    documents.add_argument("--count", type=int, default=200)
    options = parser.parse_args()
    if options.what == "splitter":
        measure_splitters(options.part, options.show)
    elif options.what == "written":
        measure_written(options.show)
    elif options.what == "documents":
        measure_documents(options.count)
    else:
        parts[options.what]()


if __name__ == "__main__":
    main()
