"""What native/ offers to Python; see the bindings.cpp of each folder there."""

from collections.abc import Callable, Sequence
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
    def lemmatize(self, words: list[str], tags: list[str], keep_case: bool) -> list[str]: ...
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

def train_tagger(
    sentences: list[list[str]],
    tags: NDArray[np.uint8],
    tag_count: int,
    lexicon: dict[str, NDArray[Any]],
    **options: int,
) -> dict[str, NDArray[Any]]: ...

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
    def has_word(self, word: str) -> bool: ...

# pem
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

# bitext
_Side = tuple[NDArray[np.uint32], NDArray[np.int64], int]
_Stems = tuple[NDArray[np.uint32], int]
_Links = tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64]]

def encode(
    texts: list[str], tokenizer: str, keep_case: bool
) -> tuple[NDArray[np.uint32], NDArray[np.int64], list[str]]: ...
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
    def phrase_lines(self, starts: list[int], longest: int, threads: int) -> list[bytes]: ...

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
    def lines(
        self, part: NDArray[np.uint8], names: list[str], min_count: int, identity: bool
    ) -> NDArray[np.uint8]: ...
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
    def counts(self) -> dict[str, int]: ...

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
def read_arpa(text: bytes) -> tuple[NgramTable | None, list[str], int, str]: ...

class PackedLm:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    def unpack(self, contexts: bool = False) -> NgramTable: ...
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

class StaticTable:
    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None: ...
    @property
    def dimensions(self) -> int: ...
    def pieces(
        self, text: str
    ) -> tuple[
        list[str],
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.float32],
        NDArray[np.float32],
    ]: ...
    def sentence_vectors(self, texts: list[str], threads: int) -> NDArray[np.float32]: ...
    def cosines(
        self,
        texts: list[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def token_vectors(
        self, texts: list[str], mix: float, threads: int
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]: ...
    def match(
        self,
        texts: list[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        mix: float,
        weighted: bool,
        threads: int,
    ) -> NDArray[np.float64]: ...
    def soft_features(
        self,
        texts: list[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        mixes: list[float],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def links(
        self, one: str, other: str, mix: float
    ) -> tuple[
        NDArray[np.uint32], NDArray[np.float32], NDArray[np.uint32], NDArray[np.float32]
    ]: ...

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
        encoder: StaticTable,
        vectors: dict[str, NDArray[Any]],
        near: NDArray[np.uint32],
        direct: NDArray[np.uint32],
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
