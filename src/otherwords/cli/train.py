"""`otherwords train`: a user's own judgements in, a model file and its trustworthiness out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.options import AnyLanguage, Threads, parse_settings
from otherwords.cli.output import check_model_output, emit
from otherwords.cli.progress import counting
from otherwords.corpus.jsonl import read_jsonl
from otherwords.errors import UsageError
from otherwords.meta.judged import Scale, parse_scale
from otherwords.text.language import check_english
from otherwords.training.controls import DEFAULT, KINDS, parse_kinds

if TYPE_CHECKING:
    from otherwords.training.pem import Report


def pem_command(
    jsonl: Annotated[
        list[str], typer.Option("--jsonl", help="Judged rows: source, hypothesis, human.")
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="The regression, a model file.")],
    human: Annotated[str, typer.Option(help="The human score to learn.")] = "overall",
    scale: Annotated[
        str | None,
        typer.Option(help="The judges' scale, if it is not 1:5.", metavar="LOW:HIGH"),
    ] = None,
    meaning: Annotated[
        bool,
        typer.Option("--meaning", help="The people judged meaning only: a copy scored top."),
    ] = False,
    kinds: Annotated[
        str, typer.Option("--controls", help="Kinds of controls to add, or none.")
    ] = ",".join(DEFAULT),
    model: Annotated[str, typer.Option(help="Paraphrase model: a name or a path.")] = "paraphrase",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="option=value of the features.")
    ] = None,
    folds: Annotated[int, typer.Option(help="Parts of the cross-validation.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of folds, controls and intervals.", min=0)] = 0,
    report: Annotated[
        str | None, typer.Option(help="Write the report, with all residuals, as JSON.")
    ] = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Train PEM's regression on judged paraphrases; say how far to trust it."""
    from otherwords.metrics.pem import PemFeatures
    from otherwords.training.pem import judged_pairs, train

    check_model_output(output, report, *jsonl, model)
    features = PemFeatures(model=model, **parse_settings(settings or [], PemFeatures.OPTIONS))
    judged = judged_pairs(
        list(chain.from_iterable(read_jsonl(path) for path in jsonl)),
        human,
        scale=_scale(scale, human),
        kinds=_kinds(kinds),
        seed=seed,
    )
    if not any_language:
        check_english(judged.originals, f"the text of the sources of {jsonl[0]}")
        check_english(judged.paraphrases, f"the text of the hypotheses of {jsonl[0]}")
    with counting("folds done") as progress:
        regression, found = train(
            judged,
            features,
            meaning=meaning,
            folds=folds,
            seed=seed,
            threads=threads,
            tick=lambda: progress(1),
        )
    if report is not None:
        emit([json.dumps(asdict(found), indent=1, ensure_ascii=False)], report)
    regression.save(output)
    emit(_summary(found, output), None)
    return 0


def _scale(text: str | None, human: str) -> Scale | None:
    if text is None:
        return None
    criterion, scale = parse_scale(text)
    if criterion not in ("", human):
        raise UsageError(f"a scale for '{criterion}', but '{human}' is what is learnt")
    return scale


def _kinds(names: str) -> list[str]:
    kinds = [] if names == "none" else parse_kinds(names)
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"unknown control '{kind}'; choose from: {', '.join(KINDS)}, or none")
    return kinds


def _summary(report: Report, output: str) -> Iterator[str]:
    kernel = ", ".join(f"{name} {value:g}" for name, value in report.kernel.items())
    yield f"{output}: trained on {report.pairs} pairs of {report.originals} originals ({kernel})"
    learnt = "people"
    if report.people != report.pearson:
        learnt = "meaning joined with dissimilarity"
        yield f"Pearson with people's scores for meaning: {report.people:.3f}"
    yield (
        f"Pearson with {learnt}, cross-validated by original: {report.pearson:.3f} "
        f"(95 % interval {report.low:.3f} to {report.high:.3f}); "
        f"error {report.error:.2f} on the scale of 1-5"
    )
    if report.split is not None:
        yield (
            "trained on the first two thirds of the originals, tested on the others: "
            f"{report.split:.3f}"
        )
    for kind, mean in report.controls.items():
        yield f"mean score of held-out {kind} controls: {mean:.2f}"
