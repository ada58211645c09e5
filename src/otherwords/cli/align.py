"""`otherwords align`: a bitext in, links between its words out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import BitextTokenizer, Case, Threads, read_bitext, tell
from otherwords.cli.output import align as columns
from otherwords.cli.output import check_output, emit, emit_bytes
from otherwords.cli.progress import counting
from otherwords.errors import InputError, UsageError

if TYPE_CHECKING:
    from otherwords.bitext.aligner import Aligner
    from otherwords.bitext.corpus import Bitext
    from otherwords.bitext.gold import Agreement

__all__ = ["align_command"]


class Heuristic(StrEnum):
    """How the two directions become one alignment."""

    posterior = "posterior"
    intersection = "intersection"
    union = "union"
    grow_diag = "grow-diag"
    grow_diag_final = "grow-diag-final"
    grow_diag_final_and = "grow-diag-final-and"


def align_command(
    bitext: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BITEXT...]",
            help="Files of two columns (tab or |||), or two files with a comma between them.",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write links here instead of printing.")
    ] = None,
    save: Annotated[str | None, typer.Option("--save", help="Write the trained model.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Align with a saved model.")] = None,
    posteriors: Annotated[
        bool, typer.Option("--posteriors", help="Links with their posteriors, i-j:p.")
    ] = False,
    heuristic: Annotated[
        Heuristic, typer.Option("--heuristic", help="Posterior threshold, or a symmetrisation.")
    ] = Heuristic.posterior,
    threshold: Annotated[
        float, typer.Option("--threshold", help="Posterior that a link must exceed.", min=0, max=1)
    ] = 0.3,
    tokenizer: BitextTokenizer = "auto",
    case: Case = False,
    monolingual: Annotated[
        bool | None,
        typer.Option(
            "--monolingual/--bilingual",
            help="Both sides are English: words alike are evidence. Found out if not given.",
        ),
    ] = None,
    iterations: Annotated[
        int, typer.Option("--iterations", help="Of each model.", min=1, max=100)
    ] = 5,
    gold: Annotated[
        str | None,
        typer.Option("--gold", help="JSONL of gold links: align its sentences, print agreement."),
    ] = None,
    gold_base: Annotated[
        int, typer.Option("--gold-base", help="Gold positions count from 0 or 1.", min=0, max=1)
    ] = 0,
    gold_swap: Annotated[
        bool | None,
        typer.Option(
            "--gold-swap/--no-gold-swap",
            help="The gold source is the right column. Found out by its words if not given.",
        ),
    ] = None,
    alignment: Annotated[
        str | None,
        typer.Option("--alignment", help="With --gold: judge these links i-j, do not align."),
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="Of the agreement: text, json.")] = (
        "text"
    ),
    threads: Threads = 1,
) -> int:
    """Align the words of a bitext: Pharaoh links i-j, from 0, left column first."""
    from otherwords.bitext.corpus import check_tokenizers

    check_tokenizers(tokenizer)
    if form not in ("text", "json"):
        raise UsageError(f"the agreement is printed as text or json, not as '{form}'")
    if model is not None and save is not None:
        raise UsageError("--save is for a model that is trained; --model names one that is")
    read = [part for path in bitext or [] for part in path.split(",")]
    check_output(output, *read, gold, alignment, model)
    check_output(save, *read, gold, output)
    if save is not None and save == output:
        raise UsageError(f"{save} cannot be both the model and the links")
    if alignment is not None:
        if gold is None or bitext:
            raise UsageError("--alignment goes with --gold alone: its links are judged")
        _print_agreement(_given(alignment, gold, gold_base), form, output)
        return 0
    settings = _Settings(heuristic.value, threshold, iterations, monolingual, threads, save, model)
    if gold is not None:
        tokenizer, case = settings.reading(tokenizer, case)
        text, report = read_bitext(bitext, tokenizer, case) if bitext else (None, None)
        scores = _judged(gold, gold_base, gold_swap, text, tokenizer, case, settings)
        _print_agreement(scores, form, output)
        if report is not None:
            tell(report)
        return 0
    from otherwords.bitext.links import pharaoh

    tokenizer, case = settings.reading(tokenizer, case)
    text, report = read_bitext(bitext or ["-"], tokenizer, case)
    if not report.kept:
        tell(report)
        raise InputError("no line is a pair that can be aligned", path=(bitext or ["-"])[0])
    aligner = settings.aligner(text, tokenizer, case)
    links, values = aligner.align(
        text, heuristic=heuristic.value, threshold=threshold, threads=threads
    )
    found = pharaoh(links, values if posteriors else None)
    emit_bytes((f"{line}\n".encode() for line in found), output)
    tell(report)
    return 0


class _Settings:
    """How to get an aligner, and to use it."""

    def __init__(
        self,
        heuristic: str,
        threshold: float,
        iterations: int,
        monolingual: bool | None,
        threads: int,
        save: str | None,
        model: str | None,
    ) -> None:
        self.heuristic = heuristic
        self.threshold = threshold
        self.threads = threads
        self._iterations = iterations
        self._monolingual = monolingual
        self._save = save
        self._model = model
        self._loaded: Aligner | None = None

    def reading(self, tokenizer: str, case: bool) -> tuple[str, bool]:
        """How text is read: as the saved model's was, unless a tokenizer is named."""
        from otherwords.bitext.aligner import Aligner

        if self._model is None:
            return tokenizer, case
        self._loaded = Aligner.load(self._model)
        if tokenizer != "auto":
            return tokenizer, case
        return self._loaded.tokenizer, self._loaded.case or case

    def aligner(self, text: Bitext, tokenizer: str, case: bool) -> Aligner:
        """The saved one, or one trained on the text."""
        from otherwords.bitext.aligner import Aligner, Training, looks_monolingual

        if self._loaded is not None:
            return self._loaded
        one = looks_monolingual(text) if self._monolingual is None else self._monolingual
        training = Training(
            model1_iterations=self._iterations, hmm_iterations=self._iterations, monolingual=one
        )
        with counting("iterations") as tell:
            aligner = Aligner.train(text, training, threads=self.threads, tick=lambda: tell(1))
        aligner.tokenizer, aligner.case = tokenizer, case
        if self._save is not None:
            aligner.save(self._save)
        return aligner


Scores = tuple["Agreement", "Agreement"]


def _judged(
    path: str,
    base: int,
    swap: bool | None,
    text: Bitext | None,
    tokenizer: str,
    case: bool,
    settings: _Settings,
) -> Scores:
    """Trains on the bitext and the gold file's sentences; the agreement on these."""
    from otherwords.bitext.corpus import check_tokenizers, choose_tokenizer
    from otherwords.bitext.gold import agreement, between_different_words, read_gold
    from otherwords.bitext.judging import GoldText, is_swapped, joined

    rows = read_gold(path, base)
    if swap or (swap is None and text is not None and is_swapped(rows, text)):
        rows = [row.swapped() for row in rows]
    chosen = [
        choose_tokenizer([" ".join(words) for words in side]) if name == "auto" else name
        for name, side in zip(
            check_tokenizers(tokenizer),
            ([row.source for row in rows], [row.target for row in rows]),
            strict=True,
        )
    ]
    judged = GoldText.of(rows, (chosen[0], chosen[1]), case=case)
    whole = judged.bitext if text is None else joined(judged.bitext, text)
    aligner = settings.aligner(whole, tokenizer, case)
    links, _ = aligner.align(
        judged.bitext,
        heuristic=settings.heuristic,
        threshold=settings.threshold,
        threads=settings.threads,
    )
    found = judged.links(links)
    return agreement(found, rows), between_different_words(found, rows)


def _given(alignment: str, path: str, base: int) -> Scores:
    """The agreement of links that another tool made."""
    from otherwords.bitext.gold import agreement, between_different_words, read_gold
    from otherwords.bitext.judging import GoldText
    from otherwords.bitext.links import read_links

    rows = read_gold(path, base)
    links = read_links(alignment, GoldText.of(rows, ("none", "none"), case=True).bitext, path)
    found = [links.sentence(number) for number in range(len(rows))]
    return agreement(found, rows), between_different_words(found, rows)


def _print_agreement(scores: Scores, form: str, output: str | None) -> None:
    names = ("all", "different words")
    if form == "json":
        found = {name: _numbers(score) for name, score in zip(names, scores, strict=True)}
        emit([json.dumps(found)], output)
        return
    emit(_table(dict(zip(names, scores, strict=True))), output)


def _numbers(score: Agreement) -> dict[str, float]:
    return {
        "aer": score.aer,
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "links": score.proposed,
        "sure": score.sure,
    }


def _table(scores: dict[str, Agreement]) -> Iterator[str]:
    heads = ["links", *_numbers(next(iter(scores.values())))]
    heads[-2:] = ["proposed", "sure"]
    rows = [
        [
            name,
            *(
                f"{value:.4f}" if isinstance(value, float) else str(value)
                for value in _numbers(score).values()
            ),
        ]
        for name, score in scores.items()
    ]
    yield from columns([heads, *rows])
