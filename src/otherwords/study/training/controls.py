"""Control paraphrases: artificial paraphrases with known scores (PEM §5.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherwords import _native
from otherwords.corpus.formats import Chosen
from otherwords.corpus.inputs import read_records
from otherwords.corpus.jsonl import row_of
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_whole
from otherwords.io.files import read_lines
from otherwords.stats.resampling import Stream
from otherwords.study.agreement.human_scores import FIVE, Scale
from otherwords.tables.table import Cell, Column, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import Sentence, tokenize

Original = tuple[str | None, str]  # item and sentence

CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")


def _scores(*values: float) -> dict[str, float]:
    return dict(zip(CRITERIA, values, strict=True))


# The position of a kind selects its stream of random numbers, so add new kinds at the end.
CONTROL_KINDS: dict[str, dict[str, float]] = {
    "copy": _scores(5.0, 5.0, 1.0, 2.0),
    "random": _scores(1.0, 5.0, 5.0, 1.0),
    "unigram": _scores(1.0, 1.0, 5.0, 1.0),
    "shuffle": _scores(2.0, 1.0, 3.0, 1.0),  # ours, not the paper's
    "deleted": _scores(2.0, 1.0, 3.0, 1.0),  # PARADIGM §6; the scores are ours
}
DEFAULT = ("copy", "random", "unigram")
TRIES = 100


@dataclass(frozen=True)
class Control:
    """An artificial paraphrase (`hypothesis`) of an original (`source`) and its fixed scores."""

    kind: str
    source: str
    hypothesis: str
    item: str | None
    scores: Mapping[str, float]


def controls_of(
    originals: Iterable[tuple[str | None, str]],
    *,
    kinds: Iterable[str] = DEFAULT,
    seed: int = 0,
    scale: Scale = FIVE,
) -> list[Control]:
    """Make controls of every distinct original, in order; `originals` are (item, sentence).

    - `copy`: the original itself;
    - `random`: another original, sampled uniformly;
    - `unigram`: as many tokens as the original has, sampled from the unigram model (relative
      frequencies) of the originals;
    - `shuffle`, not in the paper: the original's tokens in another order;
    - `deleted`, from PARADIGM (§6): the original without half of its words, sampled at random.

    All but the copy differ from their original by more than case and spacing; where that is
    impossible there is no control. Each kind has its own random stream, so its sentences do not
    depend on other kinds. The fixed scores, defined on 1 to 5, are mapped onto `scale`.

    >>> made = controls_of([("1", "It rains."), ("2", "She sings.")])
    >>> [(control.item, control.kind, control.hypothesis) for control in made[:2]]
    [('1', 'copy', 'It rains.'), ('1', 'random', 'She sings.')]
    >>> made[1].scores
    {'adequacy': 1.0, 'fluency': 5.0, 'dissimilarity': 5.0, 'overall': 1.0}
    """
    wanted = _check_kinds(kinds)
    seed = check_whole("seed", seed, 0, 2**63)
    distinct = list(dict.fromkeys(_pair(*numbered) for numbered in enumerate(originals, 1)))
    sentences = [tokenize(source) for _, source in distinct]
    texts = {
        kind: list(_MAKERS[kind](sentences, Stream(seed, list(CONTROL_KINDS).index(kind))))
        for kind in wanted
    }
    scores = {
        kind: {name: scale.from_five(score) for name, score in CONTROL_KINDS[kind].items()}
        for kind in wanted
    }
    return [
        Control(kind, source, hypothesis, item, scores[kind])
        for number, (item, source) in enumerate(distinct)
        for kind in wanted
        if (hypothesis := texts[kind][number]) is not None
    ]


@dataclass(frozen=True)
class ControlResult(Tabular):
    """The controls of a corpus, as rows to score or to append to judged rows."""

    made: Sequence[Control]
    originals: Sequence[Original]
    kinds: Sequence[str]

    def tables(self) -> Iterator[Table]:
        names = ("id", "item", "system", "source", "hypothesis", "human")
        places = {original: place for place, original in enumerate(self.originals, 1)}
        rows: list[list[Cell]] = []
        for control in self.made:
            place = places[control.item, control.source]
            item = f"original:{place}" if control.item is None else control.item
            system = f"control-{control.kind}"
            texts = (control.source, control.hypothesis)
            rows.append([f"{place}:{system}", item, system, *texts, dict(control.scores)])
        yield Table("controls", [Column(name, left=True) for name in names], rows)

    def warnings(self) -> Iterator[str]:
        counts = Counter(control.kind for control in self.made)
        for kind in self.kinds:
            if missing := len(self.originals) - counts[kind]:
                yield f"{missing} of {len(self.originals)} originals have no {kind} control"


def make_controls(
    path: str,
    *,
    jsonl: bool = False,
    columns: Chosen | None = None,
    kinds: Sequence[str] = DEFAULT,
    seed: int = 0,
    scale: Scale = FIVE,
) -> ControlResult:
    """Make controls of the originals in a file: one sentence per line, or the sources of rows.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "text.txt")
    ...     _ = path.write_text('A cat sleeps.\\nIt rains.\\n')
    ...     [one.hypothesis for one in make_controls(str(path), kinds=["copy"]).made]
    ['A cat sleeps.', 'It rains.']
    """
    originals = list(dict.fromkeys(read_originals(path, jsonl=jsonl, columns=columns)))
    if not originals:
        raise InputError("there are no originals here", path=path)
    try:
        controls = controls_of(originals, kinds=kinds, seed=seed, scale=scale)
    except InputError as error:
        raise InputError(error.message, path=path) from error
    return ControlResult(controls, originals, kinds)


def read_originals(
    path: str, *, jsonl: bool = False, columns: Chosen | None = None
) -> Iterator[Original]:
    """Read the item and sentence of each original; blank lines are skipped.

    A row's `item` names its original; its `id` does not.
    """
    if not jsonl:
        yield from ((None, line) for line in read_lines(path) if line and not line.isspace())
        return
    for number, record in read_records(path, columns=columns):
        row = row_of(record, path, number)
        if row.source is None:
            raise InputError("no 'source': controls need the original", path=path, line=number)
        named = record.get("item") not in (None, "")
        yield row.item if named else None, str(row.source)


def parse_kinds(names: str) -> list[str]:
    """Parse kinds of controls, separated by commas.

    >>> parse_kinds("copy, random")
    ['copy', 'random']
    """
    kinds = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not kinds:
        raise UsageError("no kind of control is named; for example `kinds` copy,random")
    return kinds


def _check_kinds(kinds: Iterable[str]) -> list[str]:
    if isinstance(kinds, str):
        raise UsageError(f"kinds must be a list of names, not the string {kinds!r}")
    wanted = list(dict.fromkeys(kinds))
    for kind in wanted:
        if kind not in CONTROL_KINDS:
            raise UsageError(f"unknown kind of control '{kind}'; {near(str(kind), CONTROL_KINDS)}")
    return wanted


def _pair(number: int, original: Any) -> tuple[str | None, str]:
    if not isinstance(original, str) and isinstance(original, Sequence) and len(original) == 2:
        item, source = original
        if isinstance(source, str) and (item is None or isinstance(item, str)):
            return item, source
    raise InputError(f"original {number} must be an item (or None) and a sentence: {original!r}")


def _copies(originals: Sequence[Sentence], _: Stream) -> Iterator[str]:
    return (original.text for original in originals)


def _randoms(originals: Sequence[Sentence], stream: Stream) -> Iterator[str]:
    pool: dict[str, str] = {}
    for original in originals:
        if original.tokens:  # an empty control would not be fluent
            pool.setdefault(_fold(original.tokens), original.text)
    texts = list(pool.values())
    places = {key: place for place, key in enumerate(pool)}
    for original in originals:
        own = places.get(_fold(original.tokens), len(texts))
        others = len(texts) - (own < len(texts))
        if not others:
            raise InputError(
                "a random control is another sentence of the same corpus, but there is only"
                " one; give more originals, or leave the kind 'random' out"
            )
        (drawn,) = stream.below([others])
        yield texts[drawn + (drawn >= own)]


def _unigrams(originals: Sequence[Sentence], stream: Stream) -> Iterator[str | None]:
    words = [token for original in originals for token in original.tokens]

    def draw(tokens: Sequence[str]) -> list[str]:
        return [words[drawn] for drawn in stream.below([len(words)] * len(tokens))]

    return (_unlike(original, draw) for original in originals)


def _shuffles(originals: Sequence[Sentence], stream: Stream) -> Iterator[str | None]:
    return (_unlike(original, stream.shuffled) for original in originals)


def _deletions(originals: Sequence[Sentence], stream: Stream) -> Iterator[str | None]:
    for original in originals:
        words = [n for n, token in enumerate(original.tokens) if _native.has_alphanumeric(token)]
        deleted = set(stream.shuffled(words)[: len(words) // 2])
        yield without(original, deleted) if deleted else None


def without(sentence: Sentence, deleted: set[int]) -> str:
    """Delete some tokens from the text, and the spaces that are no longer needed."""
    text = ""
    for place, (begin, end) in enumerate(sentence.spans):
        if place in deleted:
            continue
        word = sentence.text[begin:end]
        touches = place > 0 and sentence.spans[place - 1][1] == begin
        joined = touches and (place - 1 not in deleted or not word[:1].isalnum())
        text += word if joined or not text else f" {word}"
    return text


def _unlike(original: Sentence, draw: Callable[[Sequence[str]], list[str]]) -> str | None:
    """Draw sentences until one differs from the original; None if there seems to be none.

    A sentence with two different words equals its shuffle at most half of the time.
    """
    own = _fold(original.tokens)
    for _ in range(TRIES):
        tokens = draw(original.tokens)
        if _fold(tokens) != own:
            return " ".join(tokens)
    return None


def _fold(tokens: Sequence[str]) -> str:
    return _native.lower(" ".join(tokens))


_MAKERS: dict[str, Callable[[Sequence[Sentence], Stream], Iterator[str | None]]] = {
    "copy": _copies,
    "random": _randoms,
    "unigram": _unigrams,
    "shuffle": _shuffles,
    "deleted": _deletions,
}
