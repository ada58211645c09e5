"""`otherwords meta paper`: the tables of each paper, on any data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Literal

from otherwords.cli import options
from otherwords.cli.bitexts import Case, Machine
from otherwords.cli.options import read, tested, written
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.paradigm import (
    CountFeature,
    Gold,
    Grammars,
    Paraphrases,
    Resume,
    SystemHuman,
    Texts,
    Tokenizer,
    resources_of,
)
from otherwords.cli.parameters import option
from otherwords.cli.parametric import Paraphrasers, group_resampling
from otherwords.cli.progress import counting
from otherwords.errors import UsageError, require
from otherwords.tables.tabular import Tabular


def pem_command(
    *,
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: str = options.read(
        "Read the overall human score from this field (default: overall).",
        show_default=False,
        default="overall",
    ),
    scale: list[str] | None = options.read(
        "Read the human scores on this scale (default: 1:5); repeatable.",
        metavar="[CRITERION=]LOW:HIGH",
    ),
    protocol: bool = options.read(
        "Repeat the paper's experiment: add controls, train PEM on the first two thirds "
        "of the originals, test it on the rest; --set is for its features."
    ),
    ci: options.Intervals = False,
    plots: str | None = options.written("Write Figures 3, 4 and 5 as SVG into this folder."),
) -> int:
    """Make PEM's tables: Pearson between judges, of criteria, of metrics.

    Without metrics (the default) there is no Table 3, unless --protocol makes it.
    """
    from otherwords.metrics.pem import PemFeatures
    from otherwords.scoring.choice import parse_settings
    from otherwords.study.agreement.human_scores import Scales, parse_scale
    from otherwords.study.papers.pem import pem_tables
    from otherwords.study.report.correlation import pem_plots
    from otherwords.study.report.report import check_folders, write_plots
    from otherwords.study.training.protocol import pem_protocol

    if protocol:
        require("sklearn")
    to.check(*(judged.jsonl or []), *choice.files)
    options.refuse_idle(ci, "--ci", confidence=sampling.confidence, resamples=sampling.resamples)
    options.refuse_idle(ci or protocol, "--ci or --protocol", seed=sampling.seed)
    if protocol and judged.controls is not None:
        raise UsageError("--protocol makes the controls itself")
    check_folders(plots)
    resampling = sampling.resampling()
    features = choice.settings or []
    scorers = (replace(choice, settings=None) if protocol else choice).build([])
    by_criterion = dict(parse_scale(text) for text in scale or [])
    others = by_criterion.pop("", None)
    rows = judged.read()
    with counting("segments scored") as progress:
        shared: dict[str, Any] = {
            "scales": Scales(by_criterion, others),
            "resampling": resampling if ci else None,
            "scoring": judged.scoring(progress),
        }
        if protocol:
            settings = parse_settings(features, (*PemFeatures.OPTIONS, "model"))
            seed = resampling.seed
            result = pem_protocol(rows, scorers, human, settings=settings, seed=seed, **shared)
        else:
            controls = options.or_default(judged.controls, True)
            result = pem_tables(rows, scorers, human, controls=controls, **shared)
    if plots is not None:
        write_plots(pem_plots(result), plots)
    to.show(result)
    return 0


def maxsim_command(
    *,
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: options.HumanScores = None,
    system_human: options.SystemHuman = None,
    reference_number: int | None = options.read(
        "Use only the reference with this number (default: all)."
    ),
    sweep: str = options.scored(
        "Vary alpha over these values (default: alpha=0:1:0.05).",
        metavar="alpha=VALUES",
        show_default=False,
        default="alpha=0:1:0.05",
    ),
    ci: options.Intervals = False,
) -> int:
    """Make MAXSIM's tables: Spearman with human scores over systems, and by alpha.

    Default metrics to compare MAXSIM with: bleu.
    """
    from otherwords.scoring.choice import parse_sweep
    from otherwords.study.papers.maxsim import maxsim_tables

    to.check(*(judged.jsonl or []), *choice.files, system_human)
    options.refuse_idle(ci, "--ci", **sampling.given)
    option, values = parse_sweep(sweep)
    if option != "alpha":
        raise UsageError(f"--sweep varies alpha here, not {option}")
    scorers = choice.build(["bleu"])
    rows = judged.read()
    with counting("segments scored") as progress:
        result = maxsim_tables(
            rows,
            scorers,
            options.names_of(human),
            system_human=system_human,
            reference=reference_number,
            alphas=values,
            resampling=sampling.resampling() if ci else None,
            controls=options.or_default(judged.controls, False),
            scoring=judged.scoring(progress),
        )
    to.show(result)
    return 0


References = Literal["all", "single"]  # All references at once, or also each alone.


IntervalKind = Literal["percentile", "paper"]  # Ways to compute intervals from the resamples.


def paraeval_command(
    *,
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: options.HumanScores = None,
    system_human: options.SystemHuman = None,
    references: References = options.read(
        "Score with all references, or also with each one alone (single) (default: all).",
        show_default=False,
        default="all",
    ),
    humans: bool = options.read("Rank references among systems instead (Figure 5)."),
    sweep: str | None = options.scored(
        "Vary an option of the metrics, such as min_length=1,2,3 or model=surface,mine.tsv,none.",
        metavar="OPTION=VALUES",
    ),
    interval: IntervalKind = options.tested(
        "Compute intervals from percentiles of the resamples, or as the paper does, by "
        "a t interval of their mean (default: percentile).",
        show_default=False,
        default="percentile",
    ),
    plots: str | None = options.written("Write Figure 5 as SVG into this folder, with --humans."),
) -> int:
    """Make ParaEval's tables: correlations with human scores over systems and segments.

    Default metrics: paraeval-p, paraeval-r, paraeval-f, bleu, mup, gm, bp-bleu.
    """
    from otherwords.scoring.choice import parse_sweep
    from otherwords.study.papers.paraeval import METRICS, paraeval_tables, rank_humans
    from otherwords.study.report.correlation import paraeval_plots
    from otherwords.study.report.report import check_folders, write_plots

    to.check(*(judged.jsonl or []), *choice.files, system_human)
    options.refuse_idle(humans, "--humans", plots=plots)
    check_folders(plots)
    single = references == "single"
    result: Tabular
    if humans:
        if human or system_human or sweep or single:
            raise UsageError(
                "--humans cannot be combined with --human, --system-human, --sweep, --references"
            )
        options.refuse_idle(False, "tables of agreement", **sampling.given)
        scorers = choice.build(["paraeval-p,paraeval-f,bleu"])
        with counting("segments scored") as progress:
            result = rank_humans(judged.read(), scorers, scoring=judged.scoring(progress))
        if plots is not None:
            write_plots(paraeval_plots(result.lines), plots)
    else:
        scorers = choice.build([",".join(METRICS)])
        with counting("segments scored") as progress:
            result = paraeval_tables(
                judged.read(),
                scorers,
                options.names_of(human),
                system_human=system_human,
                resampling=sampling.resampling(interval),
                sweep=None if sweep is None else parse_sweep(sweep),
                single=single,
                controls=options.or_default(judged.controls, True),
                scoring=judged.scoring(progress),
            )
    to.show(result)
    return 0


def parametric_paper_command(
    *,
    sampling: options.Sampling,
    to: Destination,
    paraphrasers: Paraphrasers,
    case: Case = False,
    system_human: SystemHuman = None,
    translations: int | None = tested(
        "Also score with 1, 2, ... up to N translations, in groups that have N.", min=2
    ),
) -> int:
    """Make ParaMetric's Tables 2 and 3, next to the paper's; correlate with human scores."""
    from otherwords.study.papers.parametric import parametric_tables

    to.check(*paraphrasers.files, system_human)
    with counting("systems scored") as progress:
        result = parametric_tables(
            human=system_human,
            translations=translations,
            case=case,
            resampling=group_resampling(sampling),
            progress=progress,
            **paraphrasers.given,
        )
    to.show(result)
    return 0


swept = partial(option, panel="Sweep")


def paradigm_paper_command(
    *,
    to: Destination,
    machine: Machine,
    grammars: Grammars,
    gold: Gold,
    pairs: str | None = read("Read sentence pairs to parse (Table 6)."),
    texts: Texts = None,
    tokenizer: Tokenizer = None,
    paraphrases: Paraphrases = None,
    system_human: SystemHuman = None,
    count_feature: CountFeature = None,
    sweep: str | None = swept("Add rules in steps by this feature (Figure 4)."),
    figure: list[str] | None = swept("Draw this grammar in Figure 4; repeatable (default: all)."),
    points: int = swept("Take this many steps in a sweep.", min=1, max=1000, default=10),
    above: bool = swept("Add rules with the largest values first (default: the smallest)."),
    max_seconds: float | None = option(
        "Stop a pair after this many seconds (default: no limit).", min=0
    ),
    ci: options.Intervals = False,
    plot: str | None = written("Write Figure 4 as SVG to this file."),
    resume: Resume = None,
) -> int:
    """Make PARADIGM's Tables 2 to 7 and Figure 4, next to the paper's figures.

    A grammar named like a row of the paper ("MSR Hiero=FILE") is shown with that row.
    """
    from otherwords.corpus.parallel import named_files
    from otherwords.study.papers.paradigm import paradigm_tables
    from otherwords.study.paradigm.overlap import Sweep
    from otherwords.study.paradigm.pairs import PairsFile
    from otherwords.study.parametric.estimates import GroupResampling
    from otherwords.study.report.correlation import check_figure4, figure4_svg

    options.refuse_idle(sweep is not None, "--sweep", above=above, figure=figure, plot=plot)
    options.refuse_idle(
        pairs is not None,
        "--pairs",
        texts=texts,
        tokenizer=tokenizer,
        paraphrases=paraphrases,
        max_seconds=max_seconds,
        ci=ci,
        resume=resume,
    )
    files, phrase_files = named_files(grammars), named_files(paraphrases or [])
    read_files = (gold, *files.values(), *phrase_files.values(), pairs, system_human)
    to.check(*read_files)
    check_output(plot, *read_files, to.output)
    if plot is not None:
        check_figure4(figure or list(files))
    with counting("grammars and pairs") as progress:
        result = paradigm_tables(
            gold,
            files,
            pairs=None
            if pairs is None
            else PairsFile(pairs, tokenizer, texts=options.names_of(texts) or []),
            sweep=None
            if sweep is None
            else Sweep(sweep, points=points, above=above, grammars=figure or []),
            paraphrases=phrase_files,
            human=system_human,
            max_seconds=options.or_default(max_seconds, 0.0),
            count_feature=count_feature,
            resampling=GroupResampling() if ci else None,
            resources=resources_of(machine, resume, progress),
        )
    to.show(result)
    if plot is not None:
        emit([figure4_svg(result.figure4)], plot)
    return 0
