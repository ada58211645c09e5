"""`otherwords parametric`: paraphrasers scored against alignments by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from otherwords.cli import options
from otherwords.cli.bitexts import Case, GoldBase
from otherwords.cli.options import read, written
from otherwords.cli.output import Destination
from otherwords.cli.parameters import option
from otherwords.cli.progress import counting

if TYPE_CHECKING:
    from otherwords.study.parametric.estimates import GroupResampling


scored = partial(option, panel="Scoring")


Gold = Annotated[
    str,
    read(
        "Read gold alignments: JSONL (source, target, sure, possible, group, domain), GIZA's A3, "
        "or two columns of text with --gold-links.",
        "--gold",
    ),
]
GoldLinks = Annotated[
    str | None,
    read("Read the links i-j of a --gold of two columns, one line per pair.", "--gold-links"),
]
Alignments = Annotated[
    list[str] | None,
    read(
        "Score these links i-j, one line per gold row; repeatable.",
        "--alignments",
        metavar="[NAME=]FILE",
    ),
]
Tables = Annotated[
    list[str] | None,
    read(
        "Score this paraphrase table: TSV, Moses, PPDB, METEOR, Parquet; repeatable.",
        "--table",
        metavar="[NAME=]FILE",
    ),
]


@dataclass(frozen=True)
class Paraphrasers:
    """Alignments and tables to score, and the gold that they are compared with."""

    gold: Gold
    alignments: Alignments = None
    tables: Tables = None
    gold_links: GoldLinks = None
    gold_base: GoldBase = None

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of the scoring functions."""
        from otherwords.build.bitext.gold import GoldFile
        from otherwords.corpus.parallel import named_files

        return {
            "gold": GoldFile(self.gold, options.or_default(self.gold_base, 0), self.gold_links),
            "alignments": named_files(self.alignments or []),
            "tables": named_files(self.tables or []),
        }

    @property
    def files(self) -> list[str]:
        inputs = self.given
        gold = [self.gold, *([] if self.gold_links is None else [self.gold_links])]
        return [*gold, *inputs["alignments"].values(), *inputs["tables"].values()]


def group_resampling(
    sampling: options.Sampling, paired: options.Paired | None = None
) -> GroupResampling:
    """Return how groups are resampled."""
    from otherwords.study.parametric.estimates import GroupResampling

    return GroupResampling(**options.those_given(test=paired), **sampling.given)


By = Literal["domain", "length"]  # Parts whose scores are also shown.


def parametric_command(
    *,
    sampling: options.Sampling,
    to: Destination,
    paraphrasers: Paraphrasers,
    max_length: int = scored("Limit phrases to this many words.", min=1, max=20, default=5),
    sure_only: bool = scored(
        "Extract gold phrase pairs from sure links (default: sure and possible)."
    ),
    min_probability: float | None = scored(
        "Drop paraphrases of --table below this probability (default: 0.01).", min=0, max=1
    ),
    case: Case = False,
    paired: options.PairedTest = None,
    baseline: options.Baseline = None,
    by: list[By] | None = written("Show scores by domain or by length; repeatable."),
) -> int:
    """Score paraphrasers against manual alignments (ParaMetric)."""
    from otherwords.study.parametric.result import PhraseRules, parametric

    options.refuse_idle(paired is not None, "--paired", baseline=baseline)
    options.refuse_idle(bool(paraphrasers.tables), "--table", min_probability=min_probability)
    to.check(*paraphrasers.files)
    with counting("systems scored") as progress:
        result = parametric(
            rules=PhraseRules(
                max_length,
                not sure_only,
                options.or_default(min_probability, 0.01),
                case,
            ),
            resampling=group_resampling(sampling, paired),
            by=by or [],
            baseline=baseline,
            progress=progress,
            **paraphrasers.given,
        )
    to.show(result)
    return 0
