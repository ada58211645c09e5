"""`otherwords score`: system outputs and references in, a table of scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting
from otherwords.errors import InputError, UsageError, near
from otherwords.tables.tabular import Format

if TYPE_CHECKING:
    from otherwords.corpus.parallel import EvalSet
    from otherwords.metrics.base import Metric
    from otherwords.scoring.results import Results
    from otherwords.scoring.sampling import Sampling
    from otherwords.tables.tabular import Tabular


@dataclass(frozen=True)
class View:
    """The part of the scores that is shown."""

    common: bool = options.read("Score only the segments that all systems have.")
    strict_input: bool = options.read("Fail if a row cannot be scored or is no rewrite.")
    segments: bool = options.written("Print the score of each segment.")
    texts: bool = options.written("Print the texts with --segments.")
    explain: str | None = options.written(
        "Explain segment N of each system (from 1), or the segment id=ITEM, or the worst=K and "
        "best=K segments, by=METRIC (default: the first of -m); separated by commas. spans: the "
        "error spans of all segments.",
        metavar="WHICH",
    )
    metric_scores: str | None = options.written(
        "Write metric-scores/SRC-TGT/NAME-REF.{seg,sys}.score (mt-metrics-eval) into this "
        "folder; --rows must be one language pair of a test set."
    )

    def check(self, tests: Sampling | None, form: Format) -> None:
        """Refuse options that do nothing together."""
        options.refuse_idle(self.segments, "--segments", texts=self.texts)
        others = {
            "--ci": tests is not None and tests.confidence,
            "--paired": tests is not None and tests.test,
            "--segments": self.segments,
            "--common": self.common,
            "--metric-scores": self.metric_scores,
        }
        refused = ["--segments"] if self.examples else list(others)
        for name in refused:
            if self.explain and others[name]:
                raise UsageError(f"--explain {self.explain} does not go with {name}")
        if self.metric_scores is not None and self.common:
            raise UsageError("--metric-scores cannot be combined with --common")
        if self.segments and tests is not None and form is not Format.json:
            raise UsageError("--segments with --ci or --paired needs --format json")

    @property
    def segment(self) -> int | str | None:
        """The number or the id of the one segment that is explained."""
        if not self.explain or self.explain == "spans":
            return None
        if self.explain.isdecimal():
            return int(self.explain)
        if self.explain.startswith("id=") or "=" not in self.explain:
            return self.explain.removeprefix("id=")
        return None

    @property
    def examples(self) -> dict[str, str]:
        """How many worst and best segments to explain, and the metric that decides."""
        if self.explain in (None, "spans") or self.segment is not None:
            return {}
        parts = dict(part.strip().partition("=")[::2] for part in self.explain.split(","))
        numbers = [parts[kind] for kind in ("worst", "best") if kind in parts]
        if (
            not set(parts) <= {"worst", "best", "by"}
            or not numbers
            or not all(number.isdecimal() and int(number) for number in numbers)
        ):
            raise UsageError(
                "--explain is a segment N, id=ITEM, spans, or worst=K,best=K,by=METRIC, not "
                f"'{self.explain}'"
            )
        return parts

    def check_metric(self, metrics: Mapping[str, Metric]) -> None:
        """Refuse, before anything is scored, to choose examples by a metric that is not scored."""
        label = self.examples.get("by")
        if label is not None and label not in metrics:
            hint = near(label, metrics)
            raise UsageError(f"--explain by={label}: this is not one of the metrics; {hint}")

    def test_set(self, inputs: options.Texts) -> EvalSet | None:
        """The test set whose scores are written for mt-metrics-eval."""
        if self.metric_scores is None:
            return None
        from otherwords.corpus.formats import parse_columns
        from otherwords.integrations.mt_metrics_eval import only_set

        return only_set(inputs.jsonl or [], parse_columns(inputs.columns))

    def of(self, results: Results) -> Tabular:
        """The view of the results that the options ask for."""
        if self.common:
            results = results.common()
        if self.segments:
            return results.by_segment(texts=self.texts)
        if chosen := self.examples:
            worst, best = (int(chosen.get(kind, 0)) for kind in ("worst", "best"))
            return results.with_extremes(worst, best, chosen.get("by"))
        return results


def score_command(
    *,
    inputs: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    tests: options.Tests,
    view: View,
    to: Destination,
    systems: options.SystemFiles = None,
    threads: options.Threads = 1,
) -> int:
    """Score system outputs with one or several metrics.

    Example: otherwords score -r reference.txt old.txt new.txt

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.scoring.score import score

    to.check(*options.paths_of(systems), *inputs.files, *choice.files, *others.files)
    sampling = tests.wanted(inputs.docs)
    view.check(sampling, to.format())
    test_set = view.test_set(inputs)
    first, rows = inputs.rows(systems or [])
    metrics, rows = others.add(choice.build(first, defaults=not others.scores), rows)
    if view.segment is not None:
        from otherwords.scoring.explanations import explain_rows

        to.show(explain_rows(rows, metrics, view.segment, any_language=inputs.any_language))
        return 0
    if view.explain == "spans":
        from otherwords.scoring.explanations import find_spans

        to.show(find_spans(rows, metrics))
        return 0
    view.check_metric(metrics)
    with counting("segments scored", total=_count_lines(systems or [])) as progress:
        results = score(
            metrics,
            list(rows) if view.texts or view.examples else rows,
            sampling=sampling,
            baseline=tests.baseline,
            threads=threads,
            any_language=inputs.any_language,
            progress=progress,
        )
    if view.strict_input and (problems := results.problems):
        first_problem = problems[0]
        raise InputError(
            f"{first_problem.code}: {first_problem.reason}",
            path=first_problem.path,
            line=first_problem.line,
        )
    if view.metric_scores is not None and test_set is not None:
        from otherwords.integrations.mt_metrics_eval import write_metric_scores

        write_metric_scores(results, test_set, view.metric_scores)
    to.show(view.of(results))
    return 0


def _count_lines(systems: Sequence[str]) -> int | None:
    """How many segments there are; `None` if this takes more than counting the lines of texts."""
    from otherwords.corpus.inputs import is_text
    from otherwords.corpus.parallel import split_name
    from otherwords.io.files import read_lines

    paths = [split_name(system)[1] for system in systems]
    if not paths or not all(Path(path).is_file() and is_text(path) for path in paths):
        return None
    return sum(1 for path in paths for _ in read_lines(path))
