"""The decoder, which finds the best paraphrases by a synchronous grammar, and its weights.

CKY over the source, cube pruning with a pop limit for each label and span (Chiang 2007), k best
derivations by lazy enumeration (Huang & Chiang 2005, algorithm 3). The model is linear: the total
is the sum of weight times feature, and a feature without a weight counts 0. docs/generation.md
defines the features.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords import _build
from otherwords.build.engine.parquet import is_parquet
from otherwords.build.grammar.index import read_texts
from otherwords.build.grammar.sync_parser import PASS_THROUGH
from otherwords.build.grammar.table import Grammar
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_flag, check_whole
from otherwords.io.files import packed_write, read_bytes, read_lines
from otherwords.io.values import load_json, parse_float
from otherwords.models.language_model import LanguageModel

COMPUTED: tuple[str, ...] = _build.COMPUTED_FEATURES  # features that the decoder computes
_MOST_CANDIDATES = 20_000_000
MOST_WORDS = 600  # longest sentence; a derivation nests once for each word

GrammarSource = str | Path | Grammar | Iterable[str]


@dataclass(frozen=True)
class Search:
    """Settings of the search.

    Cube pruning takes `pop_limit` candidates for each label and span; with 0 it takes all.
    Rules of the grammar cover at most `span_limit` words. `pass_through` says which words may stay
    as they are: all, those that no rule translates, or none. With `glue`, glue rules join
    constituents.
    """

    pop_limit: int = 200
    span_limit: int = 10
    pass_through: str = "all"
    glue: bool = True

    def __post_init__(self) -> None:
        check_whole("pop_limit", self.pop_limit, 0, 1_000_000)
        check_whole("span_limit", self.span_limit, 1, 1000)
        check_flag("glue", self.glue)
        if self.pass_through not in PASS_THROUGH:
            raise UsageError(f"pass_through must be one of {', '.join(PASS_THROUGH)}")

    @property
    def settings(self) -> tuple[int, int, int, bool, bool, bool]:
        known, unknown = self.pass_through == "all", self.pass_through != "none"
        return (self.pop_limit, self.span_limit, _MOST_CANDIDATES, self.glue, known, unknown)


@dataclass(frozen=True)
class Output:
    """One derivation: its words, the total, the features that are not 0, and the tree.

    A node of the tree is `[i, j, "[X] ||| source ||| target", child, ...]`: words i to j - 1, the
    children in the order of the source; `[1]`, `[2]` on the target side are the children.
    """

    target: str
    total: float
    features: Mapping[str, float]
    derivation: Sequence[Any] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "target": self.target,
            "total": self.total,
            "features": dict(self.features),
            "derivation": self.derivation,
        }


@dataclass(frozen=True)
class Decoded:
    """The outputs of a sentence, best first; if there are none, `note` says why."""

    source: str
    outputs: tuple[Output, ...]
    note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        outputs = [output.to_dict() for output in self.outputs]
        document = {"source": self.source, "kbest": outputs}
        return document if self.note is None else {**document, "note": self.note}


class Decoder:
    """Paraphrases sentences with one or more grammars, a language model and weights.

    Sentences are split at spaces: tokenize them as the grammar's text was.

    Parameters
    ----------
    grammars
        Files (Joshua, Thrax or PPDB text, or our Parquet) or lines of rules.
    lm
        The language model.
    weights
        Weights of features.
    sentences
        Load only rules whose source words all occur in these, so that large grammars fit into
        memory.
    search
        How the decoder searches.
    """

    def __init__(
        self,
        grammars: GrammarSource | Sequence[str | Path | Grammar],
        lm: LanguageModel,
        weights: Mapping[str, float],
        *,
        sentences: Iterable[str] | None = None,
        search: Search | None = None,
    ) -> None:
        self.search = search or Search()
        self._rules = _build.DecoderRules()
        if sentences is not None:
            self._rules.keep_for(sorted({word for line in sentences for word in _words(line)}))
        for grammar in _each_grammar(grammars):
            self._read(grammar)
        self._rules.finish()
        self._lm = lm
        self._native = _build.Decoder(self._rules, lm.native, not lm.case)
        self.weights: dict[str, float] = {}
        self.reweight(weights)

    @property
    def size(self) -> int:
        return self._rules.size

    @property
    def feature_names(self) -> list[str]:
        """The features of the rules, then those that the decoder computes."""
        return [*self._rules.features(), *COMPUTED]

    @property
    def idle_weights(self) -> list[str]:
        """Names of weights without a feature, of rules or of the decoder."""
        known = set(self.feature_names)
        return [name for name, value in self.weights.items() if value and name not in known]

    def warnings(self) -> list[str]:
        if not self.size:
            return ["no rule was read whose words all occur in the sentences"]
        if not self.idle_weights:
            return []
        names = ", ".join(self.idle_weights)
        return [f"no rule that was read has these features, so their weights do nothing: {names}"]

    def reweight(self, weights: Mapping[str, float]) -> None:
        """Set other weights; the grammar does not change."""
        self.weights = check_weights(weights)
        self._native.set_weights(list(self.weights.items()))

    def decode(
        self,
        sentences: Sequence[str],
        *,
        k: int = 1,
        unique: bool = False,
        derivations: bool = True,
        threads: int = 1,
    ) -> list[Decoded]:
        """Find the k best outputs of each sentence.

        Parameters
        ----------
        sentences
            Words separated by spaces.
        k
            Outputs per sentence.
        unique
            Only outputs with different words.
        derivations
            Include derivations; without them, long lists take half the time.
        threads
            The number of threads; results do not depend on it.
        """
        check_whole("k", k, 1, 100_000)
        check_whole("threads", threads, 1, 1024)
        texts = [_words(line) for line in sentences]
        flags = check_flag("unique", unique), check_flag("derivations", derivations)
        read = [text if len(text) <= MOST_WORDS else [] for text in texts]
        results = self._native.decode(read, self.search.settings, k, *flags, threads)
        return [self._to_decoded(*pair) for pair in zip(texts, results, strict=True)]

    def _to_decoded(self, text: list[str], result: list[Any] | str) -> Decoded:
        source = " ".join(text)
        if isinstance(result, str):
            return Decoded(source, (), result)
        outputs = tuple(
            Output(" ".join(words), total, features, tree)
            for total, words, features, tree in result
        )
        if outputs:
            return Decoded(source, outputs)
        return Decoded(source, (), self._reason(text))

    def _reason(self, text: list[str]) -> str:
        if len(text) > MOST_WORDS:
            return f"it has {len(text):,} words; at most {MOST_WORDS} are decoded"
        limit = self.search.span_limit
        if not text:
            return "the line is empty"
        if not self.search.glue and len(text) > limit:
            return f"it has more than {limit} words, the most that rules cover without glue"
        reason = "no rules whose labels fit together cover all of its words"
        if not self.search.glue:
            reason += " in one piece; glue would join pieces"
        if self.search.pass_through == "none":
            reason += "; words do not pass through"
        return reason

    def _read(self, grammar: GrammarSource) -> None:
        name = str(grammar) if isinstance(grammar, (str, Path)) else None
        self._rules.begin()
        for text in _texts(grammar):
            if fault := self._rules.add(text):
                line, message = fault
                raise InputError(message, path=name, line=line)


def _each_grammar(grammars: Any) -> list[GrammarSource]:
    if isinstance(grammars, (str, Path, Grammar)):
        return [grammars]
    listed = list(grammars)
    if listed and isinstance(listed[0], str) and " ||| " in listed[0]:
        return [listed]
    if not listed:
        raise UsageError("a grammar is needed")
    return listed


def _texts(grammar: GrammarSource) -> Iterator[bytes]:
    if isinstance(grammar, Grammar):
        yield from grammar.texts()
    elif isinstance(grammar, (str, Path)):
        if is_parquet(str(grammar)):
            yield from _texts(Grammar.open(grammar))
        else:
            yield from read_texts(Path(grammar))
    else:
        yield "".join(f"{line}\n" for line in grammar).encode()


def _words(line: str) -> list[str]:
    try:
        line.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"a lone surrogate at character {error.start + 1} of a text") from error
    return [word for word in line.replace("\t", " ").split(" ") if word]


LARGEST = 1e9  # features have 32 bits, so no total can overflow


def read_weights(path: str | Path) -> dict[str, float]:
    """Read weights: JSON, or lines of `name value`, `name=value` or `name: value`.

    Empty lines and lines that begin with # are skipped.
    """
    name = str(path)
    if read_bytes(path, 64).lstrip().startswith(b"{"):
        try:
            weights = load_json(read_bytes(path))
        except (ValueError, RecursionError) as error:
            raise InputError(f"this is not JSON: {error}", path=name) from error
        if not weights:
            raise InputError("there are no weights here", path=name)
        try:
            return check_weights(weights)
        except UsageError as error:
            raise InputError(str(error), path=name) from error
    weights = {}
    for number, line in enumerate(read_lines(path), 1):
        words = line.replace("=", " ").split()
        if not words or line.startswith("#"):
            continue
        try:
            [feature, text] = words
            feature, value = feature.removesuffix(":"), parse_float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError("a name and a number are needed", path=name, line=number)
        if abs(value) > LARGEST:
            message = f"the weight of '{feature}' must be from -1e9 to 1e9, not {text}"
            raise InputError(message, path=name, line=number)
        if feature in weights:
            raise InputError(f"'{feature}' has a weight already", path=name, line=number)
        weights[feature] = value
    if not weights:
        raise InputError("there are no weights here", path=name)
    return weights


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights as floats; refuse other values.

    >>> check_weights({"LanguageModel": 1})
    {'LanguageModel': 1.0}
    """
    checked = {}
    for name, value in dict(weights).items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or value != value:
            raise UsageError(f"the weight of '{name}' must be a number, not {value!r:.40}")
        if abs(value) > LARGEST:
            raise UsageError(f"the weight of '{name}' must be from -1e9 to 1e9, not {value!r:.40}")
        checked[str(name)] = float(value)
    return checked


def write_weights(weights: Mapping[str, float], path: str | Path) -> None:
    """Write weights: JSON if the name ends in .json, else one `name value` per line."""
    checked = check_weights(weights)
    with packed_write(path) as file:
        if str(path).endswith((".json", ".json.gz")):
            file.write((json.dumps(checked, indent=2) + "\n").encode())
        else:
            file.writelines(f"{name} {value!r}\n".encode() for name, value in checked.items())
