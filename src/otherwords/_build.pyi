"""What building resources calls of native/build: see the bindings there."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords._native import PackedLm, Tagger

def train_tagger(
    sentences: list[list[str]],
    tags: NDArray[np.uint8],
    tag_count: int,
    lexicon: dict[str, NDArray[Any]],
    **options: int,
) -> dict[str, NDArray[Any]]: ...
def train_parser(
    sentences: list[list[str]],
    tags: list[list[str]],
    nodes: NDArray[np.int32],
    label_names: list[str],
    tag_names: list[str],
    tagger: Tagger,
    **options: int,
) -> dict[str, NDArray[Any]]: ...
def folded_word_keys(words: list[str]) -> NDArray[np.uint64]: ...
def cluster_words(
    text: NDArray[np.uint32],
    vocabulary: int,
    *,
    classes: int,
    levels: list[int],
    iterations: int,
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]: ...

_Side = tuple[NDArray[np.uint32], NDArray[np.int64], int]
_Stems = tuple[NDArray[np.uint32], int]
_Links = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64]]

def cooccurring(
    left: _Side, right: _Side, max_words: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...
def train_aligner(
    left: _Side,
    right: _Side,
    evidence: tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float32]],
    *,
    model1_iterations: int,
    hmm_iterations: int,
    null_probability: float,
    alpha: float,
    stem_weight: float,
    prune: float,
    left_stems: _Stems,
    right_stems: _Stems,
    max_words: int,
    threads: int,
    tick: Callable[[], None],
) -> dict[str, NDArray[Any]]: ...
def align(
    table: dict[str, NDArray[Any]],
    left: _Side,
    right: _Side,
    *,
    heuristic: str,
    threshold: float,
    null_probability: float,
    max_words: int,
    threads: int,
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64], NDArray[np.float32]]: ...
def pharaoh(links: _Links, posteriors: NDArray[np.float32] | None, begin: int, end: int) -> str: ...
def symmetrise(forward: _Links, backward: _Links, heuristic: str) -> _Links: ...

class WordLinks:
    def __init__(
        self,
        left: NDArray[np.uint32],
        right: NDArray[np.uint32],
        count: NDArray[np.int64],
        left_words: int,
        right_words: int,
    ) -> None: ...
    def table(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64]]: ...

class AlignedText:
    def __init__(
        self,
        left_tokens: NDArray[np.uint32],
        left_bounds: NDArray[np.int64],
        left_words: NDArray[np.uint8],
        left_word_bounds: NDArray[np.int64],
        right_tokens: NDArray[np.uint32],
        right_bounds: NDArray[np.int64],
        right_words: NDArray[np.uint8],
        right_word_bounds: NDArray[np.int64],
        links_left: NDArray[np.uint32],
        links_right: NDArray[np.uint32],
        links_bounds: NDArray[np.int64],
        /,
    ) -> None: ...
    def word_links(self) -> WordLinks: ...
    def count_phrases(
        self, word_links: WordLinks, starts: list[int], longest: int, threads: int
    ) -> list[dict[str, Any]]: ...

_RuleColumns = tuple[
    list[tuple[NDArray[np.uint8], NDArray[np.int64]]],
    NDArray[np.int64],
    list[NDArray[np.float64]],
]

class RuleCounts: ...

class Rules:
    def __init__(
        self,
        text: AlignedText,
        word_links: WordLinks,
        node_begin: NDArray[np.int32],
        node_end: NDArray[np.int32],
        node_label: NDArray[np.int32],
        node_bounds: NDArray[np.int64],
        names: NDArray[np.uint8],
        name_bounds: NDArray[np.int64],
        limits: dict[str, Any],
    ) -> None: ...
    def count(self, begin: int, end: int) -> RuleCounts: ...
    def add(
        self, counts: RuleCounts, threads: int, stretches: int, part_rows: int
    ) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
    def rows(self, begin: int, end: int) -> _RuleColumns: ...
    def columns(self, part: NDArray[np.uint8], min_count: int, identity: bool) -> _RuleColumns: ...
    def forget_totals(self) -> None: ...
    def add_totals(self, rows: NDArray[np.uint8], min_count: int) -> None: ...
    @property
    def parts(self) -> int: ...

def count_features(
    count: NDArray[np.int64],
    both: NDArray[np.int64],
    source_total: NDArray[np.int64],
    target_total: NDArray[np.int64],
) -> list[NDArray[np.float64]]: ...
def costs(probabilities: NDArray[np.float64]) -> NDArray[np.float64]: ...
def rule_lines(
    texts: list[tuple[NDArray[np.uint8], NDArray[np.int64]]],
    names: list[str],
    values: list[NDArray[np.float64]],
) -> bytes: ...
def pivot_steps(
    columns: list[tuple[NDArray[np.uint8], NDArray[np.int64]]],
    forward: NDArray[np.float64],
    backward: NDArray[np.float64],
    orders: list[list[int]] | None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[list[int]]]: ...
def wrong_rule(
    texts: list[tuple[NDArray[np.uint8], NDArray[np.int64]]],
) -> tuple[int, str] | None: ...

class RuleEncoder:
    def __init__(self) -> None: ...
    def add(self, text: bytes) -> NDArray[np.uint32]: ...
    def add_rules(self, rules: list[Any]) -> NDArray[np.uint32]: ...
    def arrange(
        self, records: NDArray[np.uint32], out: NDArray[np.uint32]
    ) -> dict[str, NDArray[Any]]: ...
    def words(self) -> dict[str, NDArray[Any]]: ...
    def labels(self) -> dict[str, NDArray[Any]]: ...

class SyncGrammar:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    @property
    def size(self) -> int: ...
    def parse(
        self,
        sources: list[list[str]],
        targets: list[list[str]],
        options: dict[str, Any],
        threads: int,
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]: ...
    def derive(
        self, source: list[str], target: list[str], options: dict[str, Any]
    ) -> tuple[int, int, list[tuple[int, str, int, int, int, int, int]]]: ...
    def usable(self, source: list[str], target: list[str]) -> NDArray[np.uint32]: ...
    def rule(self, number: int) -> bytes: ...

def links_texts(links: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
def phrase_spans(
    links_left: NDArray[np.uint32],
    links_right: NDArray[np.uint32],
    left_length: int,
    right_length: int,
    longest: int,
    minimal: bool,
) -> NDArray[np.int32]: ...

class EncodedText:
    def __init__(self, tokenizer: str, keep_case: bool) -> None: ...
    def add(self, texts: list[str], skip: bool) -> tuple[int, str] | None: ...
    def words(self) -> list[str]: ...
    def take(self) -> tuple[NDArray[np.uint32], NDArray[np.int64]]: ...

class NgramTable:
    @property
    def sizes(self) -> list[int]: ...
    def pruned(self, threshold: float) -> NgramTable: ...
    def threshold_for(self, bits: int, bytes: int) -> float: ...
    def pack(self, hashes: NDArray[np.uint64], bits: int) -> dict[str, NDArray[Any]]: ...
    def arpa_block(self, words: list[str], length: int, begin: int, end: int) -> bytes: ...

def estimate_lm(
    tokens: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    vocabulary: int,
    order: int,
    prune: list[int],
    fallback: list[float],
    threads: int,
) -> tuple[NgramTable, list[tuple[float, float, float, bool]]]: ...
def unpack(packed: PackedLm) -> NgramTable: ...
def read_arpa(text: bytes) -> tuple[NgramTable | None, list[str], int, str]: ...

COMPUTED_FEATURES: tuple[str, ...]

class DecoderRules:
    def __init__(self) -> None: ...
    def keep_for(self, words: list[str]) -> None: ...
    def begin(self) -> None: ...
    def add(self, text: bytes) -> tuple[int, str] | None: ...
    def finish(self) -> None: ...
    @property
    def size(self) -> int: ...
    def features(self) -> list[str]: ...

class Decoder:
    def __init__(self, rules: DecoderRules, lm: PackedLm, lower_case: bool) -> None: ...
    def set_weights(self, weights: list[tuple[str, float]]) -> None: ...
    def decode(
        self,
        sentences: list[list[str]],
        settings: tuple[int, int, int, bool, bool, bool],
        k: int,
        unique: bool,
        derivations: bool,
        threads: int,
    ) -> list[list[tuple[float, list[str], dict[str, float], list[Any]]] | str]: ...
