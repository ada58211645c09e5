"""Options that several commands share, each declared once, and groups of such options.

A command that takes a group (a dataclass such as `Texts`) has all of the group's options
(`cli/parameters.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from otherwords.cli.parameters import argument, option
from otherwords.errors import InputError, UsageError

if TYPE_CHECKING:
    from otherwords.corpus.rows import Row
    from otherwords.metrics.base import Metric
    from otherwords.scoring import sampling as scoring
    from otherwords.scoring.gate_scores import GateInput
    from otherwords.stats.intervals import Kind, Resampling
    from otherwords.study.agreement.arrays import Scoring


_T = TypeVar("_T")

# Options of each panel of `--help`.
read = partial(option, panel="Input")
scored = partial(option, panel="Metrics")
tested = partial(option, panel="Statistics")
limit = partial(option, panel="Limits")
written = partial(option, panel="Output")
running = partial(option, panel="Resources")


Against = Literal["references", "source"]  # The texts that hypotheses are compared with.


Paired = Literal["bootstrap", "randomization"]  # Paired significance tests.


Corrections = Literal["holm", "bh", "none"]  # Corrections of p-values for the number of tests.


Strictness = Literal["low", "normal", "high"]  # How strictly a rewrite is judged.


STRICTNESS_HELP = (
    "Judge this strictly whether the meaning is kept (default: normal). In tests, low, normal and "
    "high blocked 2, 5 and 10 % of right rewrites, 56, 83 and 91 % of close wrong ones, and 39, 52 "
    "and 67 % of free wrong ones."
)


SystemFiles = Annotated[
    list[str] | None,
    argument(
        "System outputs, one segment per line: FILE or NAME=FILE; - is standard input.", "SYSTEM..."
    ),
]
ReferenceFiles = Annotated[
    list[str] | None,
    read("Read references, one segment per line; repeatable.", "-r", "--reference", metavar="FILE"),
]
SourceFile = Annotated[
    str | None, read("Read sources, one segment per line.", "-s", "--source", metavar="FILE")
]
Rows = Annotated[
    list[str] | None,
    read(
        "Read rows: JSONL, JSON, CSV, TSV, Parquet, WMT XML, or a test set of "
        "mt-metrics-eval (FOLDER or FOLDER/SRC-TGT); repeatable.",
        "--rows",
        "--jsonl",
        metavar="FILE",
    ),
]
ColumnNames = Annotated[
    list[str] | None,
    read(
        "Read fields from these columns (default: by their names).",
        "--columns",
        metavar="FIELD=COLUMN,...",
    ),
]
Documents = Annotated[
    str | None,
    read(
        "Read document ids, one per line; segments of a document are resampled together.",
        "--docs",
        metavar="FILE",
    ),
]
AnyLanguage = Annotated[bool, read("Do not check that the text is English.", "--any-language")]
Controls = Annotated[
    bool | None,
    read(
        "Include systems named control-* (default: only in the papers' tables).",
        "--controls/--no-controls",
    ),
]
HumanScores = Annotated[
    str | None,
    read("Correlate with these human scores, separated by commas (default: all).", "--human"),
]
SystemHuman = Annotated[
    str | None,
    read(
        "Read human scores of systems: a JSON object, or TSV for the papers: system, score...",
        "--system-human",
        metavar="FILE",
    ),
]


def complete_metrics(incomplete: str) -> list[str]:
    """Complete the last of several metric names, for the shell.

    >>> complete_metrics("bleu,max")
    ['bleu,maxsim']
    """
    from otherwords.metrics.registry import metric_names

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in metric_names() if name.startswith(last.lower())]


CorrectionName = Annotated[
    Corrections | None,
    tested(
        "Correct p-values for the number of tests by Holm or by Benjamini & Hochberg, or not at "
        "all (default: holm)."
    ),
]
Intervals = Annotated[bool, tested("Print bootstrap intervals.", "--ci")]
ResamplesNumber = Annotated[
    int | None, tested("Run this many resamples or trials (default: 1000).", "--resamples")
]
Seed = Annotated[int | None, tested("Set the seed of the resampling (default: 0).")]
PairedTest = Annotated[Paired | None, tested("Test each system against the baseline.", "--paired")]
Baseline = Annotated[
    str | None,
    tested("Test against this system (default: the first).", "--baseline", metavar="SYSTEM"),
]
Output = Annotated[str | None, written("Write to this file.", "-o", "--output", metavar="FILE")]
Threads = Annotated[int, option("Run this many threads.", min=1, max=1024)]


@dataclass(frozen=True)
class Texts:
    """The texts that system outputs are compared with: parallel files, or rows."""

    references: ReferenceFiles = None
    source: SourceFile = None
    jsonl: Rows = None
    columns: ColumnNames = None
    docs: Documents = None
    any_language: AnyLanguage = False

    @property
    def files(self) -> list[str | None]:
        return [*(self.references or []), *(self.jsonl or []), self.source, self.docs]

    def rows(self, systems: Sequence[str]) -> tuple[Row, Iterator[Row]]:
        """The first row, which shows what there is to compare with, and all rows."""
        from otherwords.corpus.formats import parse_columns
        from otherwords.corpus.inputs import first_row, read_inputs

        columns = parse_columns(self.columns)
        files = self.references or [], self.source, self.docs, self.jsonl or []
        try:
            return first_row(read_inputs(systems, *files, columns))
        except InputError as error:
            from otherwords.metrics.registry import metric_names

            if error.path in systems and error.path in metric_names():
                advice = "is a metric, not a file; several metrics are -m NAME,NAME"
                raise UsageError(f"'{error.path}' {advice}") from error
            raise

    def gate_input(self, system: str | None, baseline: str | None) -> GateInput:
        from otherwords.corpus.formats import parse_columns
        from otherwords.scoring.gate_scores import read_gate_input

        files = self.references or [], self.source, self.docs, self.jsonl or []
        return read_gate_input(system, *files, baseline, parse_columns(self.columns))


@dataclass(frozen=True)
class JudgedRows:
    """Rows with human scores, and how they are scored."""

    jsonl: Rows
    columns: ColumnNames = None
    controls: Controls = None
    any_language: AnyLanguage = False
    threads: Threads = 1

    def scoring(self, progress: Callable[[int], None]) -> Scoring:
        from otherwords.study.agreement.arrays import Scoring

        return Scoring(self.threads, self.any_language, progress)

    def read(self) -> list[Row]:
        from otherwords.corpus.formats import parse_columns
        from otherwords.corpus.inputs import read_inputs

        return list(read_inputs(rows=self.jsonl or [], columns=parse_columns(self.columns)))


@dataclass(frozen=True)
class MetricNames:
    """Metrics and their options."""

    metrics: list[str] | None = scored(
        "Use these metrics, separated by commas; repeatable (default: see above).",
        "-m",
        "--metrics",
        "--metric",
        metavar="METRIC,...",
        complete=complete_metrics,
    )
    tokenizer: str | None = scored("Tokenize with penn; none if the text is tokenized already.")
    settings: list[str] | None = scored(
        "Set an option, such as maxsim.case=true or encoder=auto; repeatable.",
        "--set",
        metavar="[METRIC.]OPTION=VALUE",
    )

    @property
    def files(self) -> list[str]:
        """The values of the settings, any of which may be a model file that is read."""
        return [setting.partition("=")[2] for setting in self.settings or []]

    def build(
        self,
        default: Sequence[str] | Row,
        *,
        against: str | None = None,
        defaults: bool = True,
    ) -> dict[str, Metric]:
        """The metrics by label: those of -m, else `default`, or the default ones for such a row;
        without `defaults`, only those of -m.
        """
        from otherwords.cli.progress import counting
        from otherwords.corpus.rows import Row
        from otherwords.scoring.choice import default_metrics, parse_metrics, split_names

        row = default if isinstance(default, Row) else None
        names: Sequence[str] = self.metrics or ()
        if not names and defaults:
            names = default_metrics(default, against) if isinstance(default, Row) else default
        common = {"against": against, "tokenizer": self.tokenizer}
        if not names:
            refuse_idle(False, "-m", **common, set=self.settings)
            return {}
        with counting("metrics ready", total=len(split_names(names))) as progress:
            return parse_metrics(
                names,
                those_given(**common),
                self.settings or [],
                row=row,
                progress=progress,
            )


@dataclass(frozen=True)
class MetricChoice(MetricNames):
    """`MetricNames`, and what the metrics compare with."""

    against: Against | None = scored(
        "Compare with the references or with the source (default: by metric)."
    )

    def build(self, default: Sequence[str] | Row, **more: Any) -> dict[str, Metric]:
        return super().build(default, against=self.against, **more)

    def build_one(self, default: str, command: str) -> Metric:
        """The metric of a command that takes one."""
        metrics = self.build([default])
        if len(metrics) > 1:
            raise UsageError(f"{command} takes one metric; -m names {len(metrics)}")
        return next(iter(metrics.values()))


@dataclass(frozen=True)
class OtherMetrics:
    """Metrics of other programs, by files of their scores."""

    scores: list[str] | None = read(
        "Read scores of other metrics, FILE or NAME=FILE: one per line, SYSTEM SCORE "
        "(mt-metrics-eval), or TSV or JSONL with id, or system and item; repeatable."
    )
    lower_is_better: str | None = read(
        "Treat lower scores as better for these metrics of --scores, separated by commas."
    )

    @property
    def files(self) -> list[str]:
        return paths_of(self.scores)

    @property
    def given(self) -> dict[str, Any]:
        return {
            "scores": self.scores or [],
            "lower_is_better": names_of(self.lower_is_better) or [],
        }

    def add(
        self, metrics: Mapping[str, Metric], rows: Iterable[Row]
    ) -> tuple[Mapping[str, Metric], Iterator[Row]]:
        """Add the metrics of the files; if there are any, all rows are kept in memory."""
        if not self.scores and not self.lower_is_better:
            return metrics, iter(rows)
        from otherwords.scoring.outside_scores import add_outside_scores

        every = list(rows)
        return add_outside_scores(every, metrics, *self.given.values()), iter(every)


@dataclass(frozen=True)
class Sampling:
    """How intervals are computed."""

    confidence: float | None = tested("Set the confidence of the intervals (default: 0.95).")
    resamples: ResamplesNumber = None
    seed: Seed = None

    @property
    def given(self) -> dict[str, Any]:
        return those_given(confidence=self.confidence, resamples=self.resamples, seed=self.seed)

    def sampling(
        self,
        test: Paired | None = None,
        *,
        intervals: bool = True,
        correction: Corrections | None = None,
    ) -> scoring.Sampling:
        """The `Sampling` of the library, with a paired test of systems if there is one."""
        from otherwords.scoring.sampling import Sampling

        known = those_given(test=test, correction=correction) | self.given
        return Sampling(**known if intervals else {**known, "confidence": None})

    def resampling(self, kind: Kind = "percentile") -> Resampling:
        from otherwords.stats.intervals import Resampling

        return Resampling(kind, **self.given)


@dataclass(frozen=True)
class Tests(Sampling):
    """Intervals and paired tests."""

    correction: CorrectionName = None
    ci: Intervals = False
    paired: PairedTest = None
    baseline: Baseline = None

    def wanted(self, docs: str | None) -> scoring.Sampling | None:
        """How to resample scores, or `None`; options without effect are refused."""
        refuse_idle(self.ci, "--ci", confidence=self.confidence)
        refuse_idle(self.paired is not None, "--paired", baseline=self.baseline)
        if self.ci or self.paired:
            return self.sampling(self.paired, intervals=self.ci, correction=self.correction)
        refuse_idle(
            *(False, "--ci or --paired"),
            correction=self.correction,
            resamples=self.resamples,
            seed=self.seed,
            docs=docs,
        )
        return None


def or_default(value: _T | None, default: _T) -> _T:
    """The value of an option, or its default; `None` says that it was not given."""
    return default if value is None else value


def those_given(**options: Any) -> dict[str, Any]:
    """The options that were given, as the library takes them.

    >>> those_given(case=True, tokenizer=None)
    {'case': True}
    """
    return {name: value for name, value in options.items() if value is not None}


def names_of(text: str | None) -> list[str] | None:
    """Names that are separated by commas; `None` if there is no text.

    >>> names_of("copy, random,")
    ['copy', 'random']
    """
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def paths_of(files: Sequence[str] | None) -> list[str]:
    """The paths of files that may be named: FILE or NAME=FILE."""
    from otherwords.corpus.parallel import split_name

    return [split_name(file)[1] for file in files or []]


def refuse_idle(useful: bool, wanted: str, **options: Any) -> None:
    """Refuse options that do nothing because another one (`wanted`) is missing.

    >>> refuse_idle(False, "--ci", confidence=0.9)
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: --confidence does nothing without --ci
    """
    for name, value in options.items():
        if value is not None and value is not False and not useful:
            raise UsageError(f"--{name.replace('_', '-')} does nothing without {wanted}")
