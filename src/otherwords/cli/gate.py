"""`otherwords gate`: rules that a system must keep; for continuous integration."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from otherwords.cli import options
from otherwords.cli.output import Destination, append, check_output
from otherwords.cli.parameters import argument, option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.metrics.base import Metric
    from otherwords.scoring.gate import GateResult, Rules
    from otherwords.scoring.gate_scores import GateInput


rule = partial(option, panel="Rules")
SUMMARY = "GITHUB_STEP_SUMMARY"  # the file that GitHub shows on the page of a run


@dataclass(frozen=True)
class RuleOptions:
    """The rules, and how --fail-if-worse tests."""

    fail_under: list[str] | None = rule(
        "Fail if a score is below [METRIC=]VALUE (TER: above it); repeatable."
    )
    min_delta: list[str] | None = rule(
        "Fail unless a score is better than the baseline by [METRIC=]VALUE; a negative "
        "value allows a loss; repeatable."
    )
    fail_if_worse: bool = rule("Fail if a score is significantly worse than the baseline.")
    significance: float | None = rule(
        "Set the significance level of --fail-if-worse over all metrics (default: 0.05)."
    )
    no_contradictions: bool = rule(
        "Fail if a segment says something else than its reference (without references: its "
        "source), or changes a value; the default if no other rule is given."
    )
    strictness: options.Strictness | None = rule(options.STRICTNESS_HELP)
    accept: str | None = rule("Accept these findings: lines of `gate -f jsonl`.")
    allow: list[str] | None = rule(
        "Allow outputs that are no rewrites with these codes: refusal, preface, remark, template, "
        "loop, cut-off, damaged; repeatable."
    )
    min_meaning: float | None = rule("Fail if meaning of any segment is below this value.")
    min_difference: float | None = rule("Fail if difference of any segment is below this value.")
    require_agreement: tuple[str, str] | None = rule(
        "Fail if the LLM judge whose --scores are used agrees less with people than this: FILE of "
        "`meta judge`, then kappa=VALUE or other measures, with judge=NAME, model=NAME or "
        "prompt=FILE if the file must be about these.",
        metavar="FILE MEASURE=VALUE,...",
    )
    paired: options.Paired | None = options.tested(
        "Use this paired test for --fail-if-worse (default: randomization)."
    )
    resamples: options.ResamplesNumber = None
    seed: options.Seed = None

    @property
    def rules(self) -> Rules:
        """The `Rules` of the library; options without effect are refused."""
        from otherwords.scoring.gate import Rules
        from otherwords.scoring.sampling import Sampling

        tests = options.those_given(test=self.paired, resamples=self.resamples, seed=self.seed)
        options.refuse_idle(
            self.fail_if_worse,
            "--fail-if-worse",
            significance=self.significance,
            paired=self.paired,
            **tests,
        )
        return Rules(
            fail_under=self.fail_under,
            min_delta=self.min_delta,
            fail_if_worse=self.fail_if_worse and options.or_default(self.significance, 0.05),
            sampling=Sampling(**tests),
            no_contradictions=self.strictness or self.no_contradictions,
            accept=self.accept,
            allow=self.allow or (),
            min_meaning=self.min_meaning,
            min_difference=self.min_difference,
        )


def gate_command(
    *,
    texts: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    ruled: RuleOptions,
    to: Destination,
    system: str | None = argument(
        "System output, one segment per line, or rows (JSONL, CSV, ...): FILE or "
        "NAME=FILE; with --rows the name of a system.",
        "SYSTEM",
    ),
    baseline: str | None = options.read(
        "Compare with this baseline: a file of --save-baseline, or another system's "
        "output; with --rows also the name of a system."
    ),
    save_baseline: str | None = options.written(
        "Store scores and statistics for later tests if the gate passes."
    ),
    examples: int = options.written(
        "Show at most this many segments of each broken rule.", min=0, max=100_000, default=50
    ),
    threads: options.Threads = 1,
) -> int:
    """Check a system by rules: exit with 0 if it keeps all of them, with 1 if it breaks one.

    Example: otherwords gate -s originals.txt rewrites.txt

    Every output must be a rewrite: one that is empty, refuses, is cut off or in another language
    than the original fails, as does a segment that no rule can judge.

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.scoring.calibration import Requirement
    from otherwords.scoring.gate import gate

    files = [] if texts.jsonl else options.paths_of([file for file in (system, baseline) if file])
    read = [*files, *texts.files, *choice.files, *others.files, ruled.accept]
    read += (ruled.require_agreement or ())[:1]
    to.check(*read, baseline, gate=True)
    # The file that the baseline was read from may be replaced by the new one.
    check_output(save_baseline, *(path for path in read if path != baseline))
    if save_baseline is not None and save_baseline in (to.output, "-"):
        raise UsageError("--save-baseline needs a separate file")
    rules = replace(ruled.rules, **options.those_given(segment_against=choice.against))
    if not rules.names and save_baseline is None:
        rules = replace(rules, no_contradictions=True)
    gate_input = texts.gate_input(system, baseline)
    scored = choice.metrics or rules.need_metrics or baseline or save_baseline
    metrics = _metrics(choice, others, gate_input, scored=bool(scored))
    agreement = (
        Requirement(*ruled.require_agreement).check(metrics) if ruled.require_agreement else []
    )
    with counting("segments checked") as progress:
        result = gate(
            metrics,
            gate_input.rows,
            rules=rules,
            baseline=gate_input.baseline,
            threads=threads,
            any_language=texts.any_language,
            progress=progress,
        )
    result = replace(result, checks=[*agreement, *result.checks])
    if save_baseline is not None and result.passed:
        result.scores.write(save_baseline)
    to.show(replace(result, shown=examples))
    _report(result, to.output, save_baseline)
    return 0 if result.passed else 1


def _metrics(
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    gate_input: GateInput,
    *,
    scored: bool,
) -> Mapping[str, Metric]:
    """The metrics of the corpus rules; none if all rules are about segments."""
    metrics = choice.build(gate_input.rows[0], defaults=not others.scores) if scored else {}
    every, _ = others.add(metrics, gate_input.all_rows)
    options.refuse_idle(bool(every), "-m", tokenizer=choice.tokenizer, set=choice.settings)
    return every


def _report(result: GateResult, output: str | None, save_baseline: str | None) -> None:
    """Say on standard error what the output does not, and write GitHub's summary of the run."""
    if output not in (None, "-") and not result.passed:
        print(f"{result.caption()}; see {output}", file=sys.stderr)
    if save_baseline is not None and not result.passed:
        print(f"{save_baseline} is not written: the gate failed", file=sys.stderr)
    if os.environ.get(SUMMARY):
        # An empty line, so that the next summary does not continue the last list.
        append([*result.render("markdown"), ""], os.environ[SUMMARY])
