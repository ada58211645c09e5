"""`otherwords train`: train a metric on judged rows, and report how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from otherwords.cli import options
from otherwords.cli.options import AnyLanguage, ColumnNames, Threads, read, written
from otherwords.cli.output import Destination, check_model_output
from otherwords.cli.parameters import option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError, require
from otherwords.study.training.controls import DEFAULT, parse_kinds
from otherwords.tables.tabular import Format, Tabular

if TYPE_CHECKING:
    from otherwords.metrics.pem import PemFeatures
    from otherwords.metrics.rewrite import RewriteFeatures
    from otherwords.study.agreement.human_scores import Scale


training = partial(option, panel="Training")

JudgedRows = Annotated[
    list[str],
    read(
        "Read judged rows: hypothesis, human, and source or references; repeatable.",
        "--rows",
        "--jsonl",
    ),
]
TrainedModel = Annotated[str, written("Write this model file.", "-o", "--output")]
TrainingReport = Annotated[
    str | None,
    written("Write all figures to this file (format: by its name, else JSON).", "--report"),
]
Folds = Annotated[int, training("Cross-validate with this many folds.", "--folds")]
TrainingSeed = Annotated[
    int, training("Set the seed of folds, controls and intervals.", "--seed", min=0)
]


HumanScore = Annotated[str, read("Learn this human score.", "--human")]
HumanScale = Annotated[
    str | None,
    read("Read the human scores on this scale (default: 1:5).", "--scale", metavar="LOW:HIGH"),
]
ParaphraseModel = Annotated[str, read("Use this paraphrase model: a name or a path.", "--model")]
FeatureSettings = Annotated[
    list[str] | None,
    read("Set an option of the features, OPTION=VALUE; repeatable.", "--set"),
]
ControlKinds = Annotated[str, training("Add these kinds of controls, or none.", "--control-kinds")]
KINDS = ",".join(DEFAULT)


@dataclass(frozen=True)
class PairTraining:
    """Judged paraphrases, and how a metric is trained on them."""

    jsonl: JudgedRows
    output: TrainedModel
    columns: ColumnNames = None
    human: HumanScore = "overall"
    scale: HumanScale = None
    any_language: AnyLanguage = False
    model: ParaphraseModel = "paraphrase"
    settings: FeatureSettings = None
    kinds: ControlKinds = KINDS
    folds: Folds = 5
    seed: TrainingSeed = 0
    report: TrainingReport = None
    threads: Threads = 1

    def run(self, features: type[PemFeatures | RewriteFeatures]) -> int:
        """Train with these features, and print the report."""
        from otherwords.corpus.formats import parse_columns
        from otherwords.scoring.choice import parse_settings
        from otherwords.study.training.pem import train_pem
        from otherwords.study.training.regression import Reading, Validation

        require("sklearn")
        check_model_output(self.output, self.report, *self.jsonl, self.model)
        span = _scale_of(self.human, self.scale)
        settings = parse_settings(self.settings or [], features.OPTIONS)
        with counting("folds done") as progress:
            result = train_pem(
                self.jsonl,
                self.output,
                features(model=self.model, **settings),
                reading=Reading(self.human, span, parse_columns(self.columns), self.any_language),
                kinds=[] if self.kinds == "none" else parse_kinds(self.kinds),
                validation=Validation(self.folds, self.seed, self.threads, lambda: progress(1)),
            )
        return show_training(result, self.report)


def pem_command(*, training: PairTraining) -> int:
    """Train PEM's regression on judged paraphrases; report how far to trust it."""
    from otherwords.metrics.pem import PemFeatures

    return training.run(PemFeatures)


def rewrite_command(*, training: PairTraining) -> int:
    """Train otherwords-rewrite on judged paraphrases; report how far to trust it."""
    from otherwords.metrics.rewrite import RewriteFeatures

    return training.run(RewriteFeatures)


def _scale_of(human: str, scale: str | None) -> Scale | None:
    if scale is None:
        return None
    from otherwords.study.agreement.human_scores import parse_scale

    criterion, span = parse_scale(scale)
    if criterion not in ("", human):
        raise UsageError(f"--scale is for '{criterion}', but --human is '{human}'")
    return span


def show_training(result: Tabular, report: str | None) -> int:
    """Print the report of a training, and write it to `report` if given."""
    if report is not None:
        Destination(None, report).show(result, Format.json)
    Destination(None, None).show(result)
    return 0


HeldOut = Literal["langs", "item"]  # Rows that are held out together.


def combine_command(
    *,
    jsonl: JudgedRows,
    output: TrainedModel,
    columns: options.ColumnNames = None,
    human: HumanScore = "da",
    against: options.Against = read(
        "Compare with the references or with the source.", default="references"
    ),
    any_language: options.AnyLanguage = False,
    metrics: str | None = training(
        "Combine these families of statistics and metrics, separated by commas "
        "(default: all families)."
    ),
    group: HeldOut | None = training(
        "Keep each of these in one fold (default: langs if there are several)."
    ),
    folds: Folds = 5,
    seed: TrainingSeed = 0,
    report: TrainingReport = None,
    threads: options.Threads = 1,
) -> int:
    """Train a combination of statistics on human scores; report how far to trust it."""
    from otherwords.corpus.formats import parse_columns
    from otherwords.study.training.combine import train_combination
    from otherwords.study.training.regression import Reading, Validation

    check_model_output(output, report, *jsonl)
    with counting("parts held out") as progress:
        result = train_combination(
            jsonl,
            output,
            reading=Reading(human, None, parse_columns(columns), any_language),
            families=options.names_of(metrics),
            group=group,
            against=against,
            validation=Validation(folds, seed, threads, lambda: progress(1)),
        )
    return show_training(result, report)
