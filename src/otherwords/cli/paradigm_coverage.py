"""`otherwords paradigm coverage`: which sentence pairs grammars derive."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import Case, Memory, Temporary, Threads
from otherwords.cli.extract_grammar import Kind
from otherwords.cli.options import Output, named_files
from otherwords.cli.output import Format, check_output, emit
from otherwords.cli.paradigm import Human, Resume, grammar_files, work_folder
from otherwords.cli.progress import counting
from otherwords.errors import UsageError
from otherwords.io.files import atomic_write

if TYPE_CHECKING:
    from otherwords.cli.paradigm_tables import Entry
    from otherwords.diagnostics.certainty import Resampling
    from otherwords.diagnostics.paradigm_stages import CoverageWork, Parsed

__all__ = ["coverage_command"]


def coverage_command(
    pairs: Annotated[
        str,
        typer.Option("--pairs", help="JSONL of gold alignments or of texts, or two columns."),
    ],
    grammars: Annotated[
        list[str] | None,
        typer.Argument(
            help="Joshua, Thrax or PPDB text, .gz, Parquet or an index.", metavar="[NAME=]FILE..."
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            "--folds", help="Grammars of the pairs themselves, by group.", min=2, max=1000
        ),
    ] = None,
    kinds: Annotated[
        list[Kind] | None,
        typer.Option("--kind", help="Of the grammars of --folds; may be repeated."),
    ] = None,
    identity: Annotated[
        bool, typer.Option("--identity", help="X -> w | w for every word of both sentences.")
    ] = False,
    pass_through: Annotated[
        bool, typer.Option("--pass-through", help="The same for words unknown to the grammar.")
    ] = False,
    glue: Annotated[
        bool, typer.Option("--glue/--no-glue", help="Constituents one after the other.")
    ] = True,
    goal: Annotated[str, typer.Option("--goal", help="The label of a sentence without glue.")] = (
        "S"
    ),
    max_steps: Annotated[
        int, typer.Option("--max-steps", help="Work on a pair, at most.", min=1)
    ] = 10_000_000,
    max_seconds: Annotated[
        float, typer.Option("--max-seconds", help="The same by the clock; 0 is no limit.", min=0)
    ] = 0.0,
    tokenizer: Annotated[
        str, typer.Option("--tokenizer", help="Of texts: auto, penn, words, none...")
    ] = "auto",
    case: Case = False,
    possible: Annotated[
        bool, typer.Option("--possible", help="Grammars of sure and possible gold links.")
    ] = False,
    texts: Annotated[
        str | None, typer.Option("--texts", help="Names of the texts to take, with commas.")
    ] = None,
    derivations: Annotated[
        str | None,
        typer.Option("--derivations", help="Write how pairs are derived: JSONL, drawn if .html."),
    ] = None,
    paraphrases: Annotated[
        list[str] | None,
        typer.Option(
            "--paraphrases",
            metavar="NAME=FILE",
            help="Sentences made with a grammar, JSONL: their BLEU, PRECIS and PINC.",
        ),
    ] = None,
    human: Human = None,
    ci: Annotated[bool, typer.Option("--ci", help="Bootstrap intervals over groups.")] = False,
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resampling.")] = 0,
    resume: Resume = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Count the sentence pairs that grammars derive, and those of each group (PARADIGM §4.1)."""
    from otherwords.cli.paradigm_tables import CoverageFindings, render
    from otherwords.diagnostics.certainty import Resampling
    from otherwords.diagnostics.pair_groups import read_pair_groups
    from otherwords.diagnostics.paradigm_stages import CoverageWork, Parsing, Resources
    from otherwords.diagnostics.table7 import paraphrase_scores, read_human

    files, made = named_files(grammars or []), named_files(paraphrases or [])
    own = [kind.value for kind in dict.fromkeys(kinds or [Kind.hiero])] if folds else []
    names = _names(files, own, bool(kinds), made)
    check_output(output, pairs, *grammar_files(files), *made.values(), human)
    check_output(derivations, pairs, *files.values(), *made.values(), human, output)
    people = read_human(human, names) if human is not None else {}
    how = Resampling(resamples, confidence, seed)
    chosen = [name.strip() for name in texts.split(",")] if texts else []
    groups = read_pair_groups(
        pairs, tokenizer=tokenizer, case=case, possible=possible, texts=chosen
    )
    reading = {"tokenizer": tokenizer, "case": case, "possible": possible, "texts": chosen}
    others = {name: paraphrase_scores(file, threads=threads) for name, file in made.items()}
    parsing = Parsing(glue, goal, identity, pass_through, max_steps, max_seconds)
    with work_folder(resume) as cache, counting("pairs parsed") as progress:
        work = CoverageWork(
            cache,
            pairs,
            groups,
            reading,
            parsing,
            derivations is not None,
            Resources(threads, memory, temporary),
        )
        parsed = _parsed(work, files, own, folds or 0, progress)
        if derivations is not None:
            _write_derivations(parsed, derivations)
    entries = [
        _entry(name, rules, one, work, how if ci else None, others.get(name, {}))
        for name, rules, one in parsed
    ]
    told = [f"case:{'kept' if case else 'folded'}|tok:{tokenizer}", parsing.signature]
    told += [f"texts:{','.join(chosen)}"] if chosen else []
    told += [f"folds:{folds}|links:{'possible' if possible else 'sure'}"] if folds else []
    told += [how.signature] if ci else []
    signature = "|".join(["paradigm-coverage|v:1", *told])
    emit(render(CoverageFindings(entries, groups, signature, people), form), output)
    return 0


def _names(
    files: dict[str, str], own: Sequence[str], has_kinds: bool, made: dict[str, str]
) -> list[str]:
    """The names of all grammars, or an error."""
    if has_kinds and not own:
        raise UsageError("--kind goes with --folds")
    if not files and not own:
        raise UsageError("no grammar is given: name files, or --folds with --kind")
    for kind in own:
        if kind in files:
            raise UsageError(f"'{kind}' names a grammar of --folds; give the file another name")
    names = [*own, *files]
    for name in made:
        if name not in names:
            known = ", ".join(names)
            raise UsageError(f"--paraphrases: there is no grammar '{name}'; there are: {known}")
    return names


def _parsed(
    work: CoverageWork,
    files: dict[str, str],
    own: Sequence[str],
    folds: int,
    progress: Callable[[int], None],
) -> list[tuple[str, int, Parsed]]:
    """Names, sizes and parses of all grammars."""
    found = []
    for kind in own:
        rules, one = work.folds(kind, folds, progress)
        found.append((kind, round(rules), one))
    for name, file in files.items():
        one = work.grammar(file, progress)
        found.append((name, one.rules, one))
    return found


def _entry(
    name: str,
    rules: int,
    parsed: Parsed,
    work: CoverageWork,
    how: Resampling | None,
    others: dict[str, float | None],
) -> Entry:
    from otherwords.cli.paradigm_tables import Entry
    from otherwords.diagnostics.certainty import Estimate
    from otherwords.diagnostics.paradigm import coverage, coverage_estimates

    covered = coverage(work.groups, parsed.parses)
    estimates = {score: Estimate(value) for score, value in covered.scores.items()}
    if how is not None:
        estimates = coverage_estimates(covered, how)
    return Entry(name, rules, estimates, covered, others)


def _write_derivations(parsed: Sequence[tuple[str, int, Parsed]], path: str) -> None:
    """The derivations of all grammars: a page, or lines with the grammar's name in front."""
    with atomic_write(path) as out:
        if path.casefold().endswith(".html"):
            from otherwords.report.derivation import derivations_page

            records = {name: map(json.loads, _lines(one)) for name, _, one in parsed}
            out.write(derivations_page(records).encode())
            return
        for name, _, one in parsed:
            label = json.dumps({"grammar": name}, ensure_ascii=False)[:-1].encode() + b", "
            out.writelines(label + line[1:] for line in _lines(one))


def _lines(parsed: Parsed) -> Iterator[bytes]:
    for part in parsed.derivations:
        with part.open("rb") as lines:
            yield from lines
