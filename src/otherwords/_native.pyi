"""What scoring calls of native/core: see the bindings there."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

def hash_words(words: Sequence[str]) -> NDArray[np.uint64]: ...
def lower(text: str) -> str: ...
def has_alphanumeric(text: str) -> bool: ...
def length_in_words(text: str) -> int: ...
def token_spans(text: str, tokenizer: str) -> list[tuple[int, int]]: ...

class Lexicon:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    def lemmatize(
        self, words: list[str], tags: list[str], keep_case: bool, wordnet_alone: bool = False
    ) -> list[str]: ...
    def synonyms(self, a: str, b: str) -> bool: ...
    def synonym_mask(
        self,
        left: list[str],
        right: list[str],
        lefts: NDArray[np.uint32],
        rights: NDArray[np.uint32],
    ) -> NDArray[np.uint8]: ...
    def __contains__(self, lemma: str) -> bool: ...

class Tagger:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    @property
    def tag_names(self) -> list[str]: ...
    def tag(self, sentences: list[list[str]], threads: int = 1) -> list[list[str]]: ...
    def tag_codes(self, sentences: list[list[str]], threads: int = 1) -> NDArray[np.uint8]: ...
    def tag_texts(
        self, texts: list[str], tokenizer: str, before_tag: str, after_tag: str, threads: int = 1
    ) -> list[str]: ...

class Parser:
    def __init__(self, arrays: dict[str, NDArray[Any]], tagger: Tagger) -> None: ...
    @property
    def label_names(self) -> list[str]: ...
    def parse(
        self, sentences: list[list[str]], tags: list[list[str]], threads: int = 1
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]]: ...

def best_binary_tree(
    label_names: list[str],
    tag_names: list[str],
    tags: list[str],
    labels: NDArray[np.float32],
    left: NDArray[np.float32],
    right: NDArray[np.float32],
    left_rules: NDArray[np.float32],
    right_rules: NDArray[np.float32],
    beam: float,
) -> list[tuple[int, int, int, int]]: ...

class Columns:
    @property
    def sentences(self) -> int: ...
    @property
    def tokens(self) -> int: ...

def annotate(
    texts: Sequence[Any],
    tagger: Tagger,
    lexicon: Lexicon,
    tokenizer: str,
    keep_case: bool,
    wordnet_alone: bool,
    threads: int,
) -> Columns: ...
def pack(
    lengths: list[int],
    tags: list[str],
    lemmas: list[str],
    words: list[bool],
    heads: list[int],
    relations: list[str],
) -> Columns: ...
def maxsim_counts(
    columns: Columns,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    lexicon: Lexicon,
    orders: int,
    dependencies: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def maxsim_matches(
    columns: Columns, left: int, right: int, lexicon: Lexicon, orders: int, dependencies: bool
) -> list[tuple[int, int, int, int, float]]: ...
def word_order(
    tokens: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    words: int,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    threads: int,
) -> NDArray[np.float64]: ...
def common_ngrams(
    codes: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    words: int,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    longest: int,
    threads: int,
) -> NDArray[np.float64]: ...
def hash_strings(bytes: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.uint64]: ...
def count_words(bytes: NDArray[np.uint8], bounds: NDArray[np.int64]) -> NDArray[np.uint32]: ...
def split_words(
    bytes: NDArray[np.uint8], bounds: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]: ...
def phrase_keys(phrases: list[str]) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...

class ParaEvalOptions:
    def __init__(
        self,
        min_probability: float,
        min_length: int,
        exact: bool,
        tiered: bool,
        power: float,
        one_phrase: bool,
    ) -> None: ...

class ParaEval:
    def __init__(
        self,
        tables: ParaphraseTable | list[PivotTable],
        longest: int,
        options: ParaEvalOptions,
        tokens: NDArray[np.uint32],
        bounds: NDArray[np.int64],
        forms: list[str],
        weights: NDArray[np.uint32],
        hypotheses: NDArray[np.int64],
        references: NDArray[np.int64],
        reference_bounds: NDArray[np.int64],
    ) -> None: ...
    def counts(
        self, precision: bool, recall: bool, threads: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def matches(
        self,
    ) -> tuple[
        list[tuple[int, int, int, int, int, int, float]],
        list[list[tuple[int, int, int, int, int, int, float]]],
    ]: ...

class ParaphraseTable:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def pairs(self) -> int: ...
    @property
    def longest(self) -> int: ...
    def lookup(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]: ...
    def targets(self, phrase: str) -> list[tuple[int, float]]: ...
    def probability(self, a: str, b: str) -> float: ...

class PivotTable:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def edge_count(self) -> int: ...
    def count(self, phrase: str) -> float: ...
    def count_phrases(
        self, sentences: list[list[str]], longest: int, threads: int
    ) -> NDArray[np.float64]: ...
    def edges(self, phrase: str) -> list[tuple[tuple[str, ...], float, float]]: ...
    def lookup(
        self, keys: NDArray[np.uint64], threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32]]: ...
    def paraphrase_probability(self, source: str, target: str) -> float: ...
    def paraphrase_probabilities(
        self,
        left: list[str],
        right: list[str],
        lefts: NDArray[np.uint32],
        rights: NDArray[np.uint32],
    ) -> NDArray[np.float32]: ...
    def share_pivot(self, a: str, b: str) -> bool: ...

class BagOptions:
    def __init__(
        self,
        longest: int,
        orders: int,
        edge_threshold: float,
        gram_threshold: float,
        renormalise: bool,
    ) -> None: ...

def pivot_overlap(
    table: PivotTable,
    total: float,
    options: BagOptions,
    tokens: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    vocabulary: list[str],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.uint8]]: ...
def word_overlap(
    tokens: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    vocabulary: list[str],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    orders: int,
    threads: int,
) -> NDArray[np.float64]: ...
def predict_rbf(
    support: NDArray[np.float64],
    coefficients: NDArray[np.float64],
    gamma: float,
    bias: float,
    points: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]: ...
def pivot_segments(
    table: PivotTable, total: float, options: BagOptions, words: list[str]
) -> list[tuple[int, int]]: ...
def pivot_bag(
    table: PivotTable, total: float, options: BagOptions, words: list[str]
) -> list[tuple[str, float]]: ...
def encode(
    texts: list[str], tokenizer: str, keep_case: bool
) -> tuple[NDArray[np.uint32], NDArray[np.int64], list[str]]: ...

class PackedLm:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    def score_texts(
        self, texts: list[str], tokenizer: str, keep_case: bool, threads: int
    ) -> tuple[
        NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]
    ]: ...
    def score_tokens(
        self, tokens: list[str], bounds: NDArray[np.int64], keep_case: bool, threads: int
    ) -> tuple[
        NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]
    ]: ...
    def score_each(self, tokens: list[str], keep_case: bool) -> list[tuple[float, int, bool]]: ...

def pair_counts(
    x: NDArray[np.float64],
    y: NDArray[np.uint32],
    units: NDArray[np.uint32],
    times: NDArray[np.uint16],
    epsilon: float,
    threads: int,
) -> NDArray[np.int64]: ...
def pair_counts_each(
    x: NDArray[np.float64], y: NDArray[np.float64], epsilon: float, threads: int
) -> NDArray[np.int64]: ...
def spearman_rho(
    x: NDArray[np.uint32],
    y: NDArray[np.uint32],
    units: NDArray[np.uint32],
    times: NDArray[np.uint16],
    threads: int,
) -> NDArray[np.float64]: ...
def tie_threshold(
    x: NDArray[np.float64], y: NDArray[np.float64], sizes: NDArray[np.uint32], limit: int
) -> float: ...

class TextEncoder:
    def __init__(self, arrays: dict[str, NDArray[Any]], stack: str, instructions: str) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def outputs(self) -> int: ...
    @property
    def instructions(self) -> str: ...
    def pieces(self, text: str) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]: ...
    def encode(self, texts: list[str], threads: int) -> NDArray[np.float32]: ...
    def states(
        self, texts: list[str], ends: bool, threads: int
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]: ...
    def compare(
        self, texts: list[str], left: NDArray[np.int64], right: NDArray[np.int64], threads: int
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]: ...
    def cosines(
        self, texts: list[str], left: NDArray[np.int64], right: NDArray[np.int64], threads: int
    ) -> NDArray[np.float64]: ...
    def match(
        self,
        texts: list[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        weights: NDArray[np.float32],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def links(
        self, one: str, other: str
    ) -> tuple[
        NDArray[np.uint32], NDArray[np.float32], NDArray[np.uint32], NDArray[np.float32]
    ]: ...
    def count(self, texts: list[str], threads: int) -> NDArray[np.uint32]: ...

class AveragingEncoder:
    def __init__(self, arrays: dict[str, NDArray[Any]], instructions: str) -> None: ...
    @property
    def outputs(self) -> int: ...
    def pieces(self, text: str) -> NDArray[np.uint32]: ...
    def encode(self, texts: list[str], threads: int) -> NDArray[np.float32]: ...

def unit_cosines(
    rows: NDArray[np.float32], width: int, left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.float64]: ...
def apply_linear(
    rows: NDArray[np.float32],
    panels: NDArray[np.int8],
    scales: NDArray[np.float32],
    bias: NDArray[np.float32],
    inputs: int,
    gelu: bool,
    instructions: str,
) -> NDArray[np.float32]: ...
def score_tokenwise(
    texts: list[str],
    tagger: Tagger,
    words: PackedLm,
    units: PackedLm,
    tokenizer: str,
    threads: int,
) -> tuple[
    NDArray[np.int64],
    NDArray[np.uint8],
    NDArray[np.uint8],
    NDArray[np.uint32],
    NDArray[np.float32],
    NDArray[np.float32],
    NDArray[np.uint32],
    NDArray[np.float32],
    NDArray[np.float32],
]: ...

finding_kinds: tuple[str, ...]
finding_verdicts: tuple[Literal["equivalent", "contradicted", "missing", "added", "unknown"], ...]

class FactsTexts:
    def forms(self) -> list[str]: ...

class FactsModels:
    def __init__(
        self,
        lexicon: Lexicon,
        tagger: Tagger,
        pivots: list[PivotTable],
        near: NDArray[np.uint32],
        direct: NDArray[np.uint32],
        words: str,
    ) -> None: ...
    def read(
        self,
        texts: Sequence[str | tuple[str, list[str], list[int], list[str]]],
        threads: int,
    ) -> FactsTexts: ...
    def compare(
        self,
        texts: FactsTexts,
        stems: list[str],
        letters: list[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        swapped: NDArray[np.uint8],
        letter_case: bool,
        with_findings: bool,
        threads: int,
    ) -> tuple[
        NDArray[np.float64],
        NDArray[np.int64],
        NDArray[np.uint8],
        NDArray[np.uint8],
        NDArray[np.float64],
        NDArray[np.uint32],
    ]: ...
