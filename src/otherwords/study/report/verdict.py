"""The first screen of a report: which system is better, all systems, which metrics to trust."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from otherwords.metrics.drawing import plain_html
from otherwords.scoring.seen import SEEN
from otherwords.study.agreement.result import AgreementResult
from otherwords.study.report.data import ReportData, ResampledScores, Standing
from otherwords.study.report.page import (
    bound_p,
    frame_table,
    join_names,
    spell_number,
)
from otherwords.study.report.plot import Estimated, draw_interval, key_mark
from otherwords.study.report.rows import decimals_of
from otherwords.tables.table import LEVEL, interval_decimals, join_words

WORDS = 20  # the most words of a headline
_COLUMNS = 5  # scores per table
_COEFFICIENTS = {
    ("segment", "pearson"): "Pearson over segments",
    ("system", "accuracy"): "pairs of systems in the right order",
    ("system", "pearson"): "Pearson over systems",
}


def verdict_html(data: ReportData) -> str:
    """The verdict, the systems with their intervals, and how far each metric can be trusted."""
    parts = [f'<p class="verdict">{plain_html(headline(data))}</p>']
    if lines := details(data):
        parts.append(
            '<ul class="also">'
            + "".join(f"<li><b>{plain_html(by)}</b> {plain_html(said)}</li>" for by, said in lines)
            + "</ul>"
        )
    return "\n".join([*parts, *_forests(data), _trust(data)])


def headline(data: ReportData) -> str:
    """The result in at most 20 words."""
    if len(data.names) == 1:
        return _describe_one(data)
    people = data.human_standing
    if not data.standings and people is None:
        few = data.judged.size < 2
        why = "there are too few segments" if few else "all metrics were trained on these rows"
        return f"The {spell_number(len(data.names))} systems cannot be tested: {why}."
    return name_leader(data.standings or ([people] if people else []))


def name_leader(standings: Sequence[Standing]) -> str:
    """The best system and those that are level with it, in at most 20 words."""
    names = standings[0].names
    if _are_level(names, standings):
        who = join_names(names) if len(names) < 3 else f"The {spell_number(len(names))} systems"
        return f"{who} are level{_by(standings, standings)}."
    for last in names if len(names) > 2 else ():
        rest = [name for name in names if name != last]
        is_last = all(standing.beats(name, last) for standing in standings for name in rest)
        if is_last and _are_level(rest, standings):
            return f"{last} is worst; the other {spell_number(len(rest))} are level."
    firsts = [standing.names[0] for standing in standings]
    best = max(firsts, key=lambda name: (firsts.count(name), -firsts.index(name)))
    groups: dict[str, list[Standing]] = {}
    for standing in standings:
        beaten = [name for name in names if standing.beats(name, best)]
        level = [name for name in names if name != best and not standing.beats(best, name)]
        words = f"{standing.names[0]} leads" if beaten else level and f"level with {_who(level)}"
        groups.setdefault(words or "", []).append(standing)
    clear = groups.pop("", [])
    parts = [f"{best} leads{_by(clear, standings)}"]
    for words, agreeing in groups.items():
        more = f"{words}{_by(agreeing, standings)}"
        if len(" ".join([*parts, more]).split()) <= WORDS:
            parts.append(more)
    return "; ".join(parts) + "."


def _are_level(names: Sequence[str], standings: Sequence[Standing]) -> bool:
    return not any(s.beats(*pair) for s in standings for pair in permutations(names, 2))


def _who(names: Sequence[str]) -> str:
    return join_names(names) if len(names) < 3 else f"{spell_number(len(names))} others"


def _by(agreeing: Sequence[Standing], all_: Sequence[Standing]) -> str:
    if len(agreeing) == len(all_) > 2:
        return f" by all {spell_number(len(all_))} metrics"
    return f" by {join_words([standing.label for standing in agreeing], 3)}" if agreeing else ""


def details(data: ReportData) -> list[tuple[str, str]]:
    """For each measure which system is first, which are significantly worse, and which level."""
    lines = [(standing.label, describe(standing)) for standing in data.standings]
    if (people := data.human_standing) is not None:
        lines.append((f"human: {people.label}", describe(people)))
    return lines


def describe(standing: Standing) -> str:
    """The results of one measure in words."""
    first, *others = standing.names
    beaten = [name for name in others if standing.beats(first, name)]
    level = [name for name in others if name not in beaten]
    parts = [f"{first} is first"]
    if beaten:
        p = bound_p(standing.p((first, name) for name in beaten))
        parts.append(f"better than {join_names(beaten)} ({p})")
    if level:
        parts.append(f"level with {join_names(level)}")
    return ", ".join(parts)


def _describe_one(data: ReportData) -> str:
    """One system: which metric agrees with people or, without people, how scores spread."""
    key, size = ("segment", "pearson"), f"{data.segments:,} segments"
    known = {
        metric.label: value
        for metric in (data.agreement.metrics if data.agreement else ())
        if key in metric.estimates and (value := metric.estimates[key].value) is not None
    }
    fair = {label: value for label, value in known.items() if not data.is_seen(label)}
    if known:
        best = max(fair or known, key=lambda label: known[label])
        most = " best" if len(fair) > 1 else ""
        seen = "" if fair else ", but was trained on them"
        about = f"Pearson {known[best]:z.2f} over {size}"
        return f"{best} agrees{most} with {data.human}: {about}{seen}."
    scores = data.scores(data.first)
    known_scores = scores[np.isfinite(scores)]
    if not len(known_scores):
        return f"No segment of {data.names[0]} has a score."
    ends = np.percentile(known_scores, [25, 75, 50])
    low, high, middle = (f"{end:z.{decimals_of(scores)}f}" for end in ends)
    return f"By {data.first}, half of the {size} score {low} to {high}; the median is {middle}."


class _Measure(NamedTuple):
    """The scores in a column of the forest plot."""

    scores: ResampledScores
    is_tested: bool
    higher_is_better: bool


def _forests(data: ReportData) -> Iterator[str]:
    """Tables of all systems, at most five scores in each."""
    measures: dict[str, _Measure] = {}
    tested = {standing.label for standing in data.standings}
    for label, metric in data.metrics.items():
        higher = metric.traits.higher_is_better
        head = label + SEEN * data.is_seen(label) + ("" if higher else " (lower is better)")
        measures[head] = _Measure(data.systems[label], label in tested, higher)
    if data.human is not None:
        people, is_tested = data.people[data.human], data.human_standing is not None
        measures[f"human: {data.human}"] = _Measure(people, is_tested, True)
    heads = list(measures)
    for start in range(0, len(heads), _COLUMNS):
        yield _forest(data, {head: measures[head] for head in heads[start : start + _COLUMNS]})


def _forest(data: ReportData, measures: Mapping[str, _Measure]) -> str:
    """A table of systems, best first, each score with its interval drawn on a shared axis."""
    lead = data.lead
    order = list(lead.names) if lead else [data.names[n] for n in data.ranked(data.first)]
    ranks = lead.ranks if lead else {}
    starts = {group[0] for group in lead.groups} if lead else set()
    cells = {head: _forest_column(data, order, measure) for head, measure in measures.items()}
    lines = []
    for name in order:
        kinds = ["first"] * (name in starts) + ["best"] * (ranks.get(name) == 1)
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        rank = f'<span class="rank">{ranks[name]}</span>' if ranks else ""
        value = plain_html(name)
        shown = key_mark(data.series[name]) + value
        row = "".join(
            f'<td data-head="{plain_html(head)}">{cells[head].get(name, "n/a")}</td>'
            for head in measures
        )
        lines.append(f'<tr{kind}><th scope="row" data-value="{value}">{rank}{shown}</th>{row}</tr>')
    heads = "".join(f'<th scope="col">{plain_html(head)}</th>' for head in ("system", *measures))
    clusters = ""
    if lead is not None and len(data.names) > 1:
        clusters = (
            f"a line separates systems that differ from the best of the cluster above "
            f"(p < {LEVEL:g}, Holm); "
        )
    order_by = f"Best first by {data.first}" if len(order) > 1 else "Scores"
    caption = f"{order_by}; {clusters}± and bars: {data.share} intervals"
    caption += "; shaded: the interval of the best" if len(order) > 1 else ""
    return frame_table(f"forest sorts{' many' * (len(measures) > 4)}", heads, lines, caption)


def _forest_column(data: ReportData, order: Sequence[str], measure: _Measure) -> dict[str, str]:
    numbers = {name: place for place, name in enumerate(data.names)}
    estimates = {
        name: measure.scores.around(numbers[name], data.resampling.confidence)
        for name in order
        if np.isfinite(measure.scores.values[numbers[name]])
    }
    if not estimates:
        return {}
    decimals = interval_decimals(estimates.values())
    ends = [end for estimate in estimates.values() for end in estimate if end is not None]
    pick = max if measure.higher_is_better else min
    best = pick(estimates, key=lambda name: estimates[name][0])
    cells = {}
    for name, estimate in estimates.items():
        text = plain_html(_forest_number(estimate, decimals))
        if name == best and measure.is_tested:
            text = f'<span class="best-value">{text}</span>'
        axis = min(ends), max(ends)
        bar = draw_interval(estimate, axis, estimates[best], series=data.series[name])
        cells[name] = f"{bar}<span>{text}</span>"
    return cells


def _forest_number(estimate: Estimated, decimals: int | None) -> str:
    value, low, high = estimate
    if decimals is None or low is None or high is None:
        return f"{value:.4g}"
    return f"{value:z.{decimals}f} ± {(high - low) / 2:.{decimals}f}"


def _trust(data: ReportData) -> str:
    """The agreement of each metric with human scores here, and whether it was trained on these
    rows.
    """
    trained = {
        label: f"{100 * known.share:.0f} % of these rows"
        for label in data.metrics
        if (known := data.scored[label].familiarity).is_marked
    }
    parts = []
    if data.agreement is None:
        heading = "How far the metrics can be trusted here: there are no human scores"
    else:
        heading = "How far the metrics can be trusted here"
        caption = f"Agreement with {data.human}"
        found = {label: _agreement_facts(data.agreement, label) for label in data.metrics}
        heads = [
            words for words in _COEFFICIENTS.values() if any(words in f for f in found.values())
        ]
        lines = []
        for label, facts in found.items():
            cells = "".join(
                f'<td data-head="{plain_html(head)}">{facts.get(head, "n/a")}</td>'
                for head in heads
            )
            lines.append(f'<tr><th scope="row">{plain_html(label)}</th>{cells}</tr>')
        titles = "".join(f'<th scope="col">{plain_html(head)}</th>' for head in ("metric", *heads))
        parts = [frame_table("sorts", titles, lines, caption)] if heads else []
    said = [f"{label} was trained on {share}" for label, share in trained.items()]
    seen = "; ".join(said) or "No metric was trained on these rows"
    parts.append(f'<p class="note">{plain_html(seen)}.</p>')
    return "\n".join([f'<h2 class="small">{plain_html(heading)}</h2>', *parts])


def _agreement_facts(agreement: AgreementResult, label: str) -> dict[str, str]:
    """The coefficients of a metric with their intervals, by what they measure."""
    estimates = agreement.metric(label).estimates
    return {
        words: f"{estimate.value:z.2f}"
        + ("" if estimate.low is None else f" [{estimate.low:z.2f}, {estimate.high:z.2f}]")
        for key, words in _COEFFICIENTS.items()
        if (estimate := estimates.get(key)) is not None and estimate.value is not None
    }
