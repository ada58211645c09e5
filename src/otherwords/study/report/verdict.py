"""The first screen of a report: which system is better, all systems, which metrics to trust."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from otherwords.scoring.seen import SEEN
from otherwords.study.report.data import ReportData, ResampledScores, Standing
from otherwords.study.report.page import (
    bound_p,
    frame_table,
    interval_decimals,
    join_names,
    spell_number,
)
from otherwords.study.report.plot import Estimated, draw_interval
from otherwords.study.report.spans import plain_html
from otherwords.tables.table import LEVEL

_COLUMNS = 5  # scores per table
_COEFFICIENTS = {
    ("segment", "pearson"): "Pearson over segments",
    ("system", "accuracy"): "pairs of systems in the right order",
    ("system", "pearson"): "Pearson over systems",
}


def verdict_html(data: ReportData) -> str:
    """The verdict, the systems with their intervals, and how far each metric can be trusted."""
    first, *more = sentences(data)
    parts = [f'<p class="verdict">{plain_html(first)}</p>']
    if more:
        parts.append(f'<p class="also">{plain_html(" ".join(more))}</p>')
    return "\n".join([*parts, *_forests(data), _trust(data)])


def sentences(data: ReportData) -> list[str]:
    """The results of the tests in words: by metrics, then by human scores.

    Systems that are better, or worse, than all others come first, with the metrics by which they
    are. Then follows whether the others differ significantly.
    """
    if len(data.names) < 2:
        return [f"There is one system, {data.names[0]}, and nothing to compare it with."]
    if not data.standings and data.human_standing is None:
        few = data.judged.size < 2
        why = "there are too few segments" if few else "all metrics were trained on these rows"
        return [f"The {spell_number(len(data.names))} systems cannot be tested: {why}."]
    lines = []
    if data.standings:
        text = sentence(data.standings, data.names)
        lines.append(f"The{text[3:]}" if text.startswith("the ") else text)
    if (people := data.human_standing) is not None:
        lines.append(f"By the human score {people.label}, {sentence([people], data.names, '')}")
    return lines


def sentence(standings: Sequence[Standing], names: Sequence[str], who: str = " by ") -> str:
    """The results of these measures in words; an empty `who` leaves out their names."""
    parts, named = [], set()
    for better in (True, False) if len(names) > 2 else (True,):
        for name in names:
            others = [other for other in names if other != name]
            agreeing = [
                standing
                for standing in standings
                if all(standing.beats(*((name, o) if better else (o, name))) for o in others)
            ]
            if agreeing:
                named.add(name)
                p = max(standing.p((name, other) for other in others) for standing in agreeing)
                rest = f"all {spell_number(len(others))} others"
                rest = {1: others[0], 2: "both others"}.get(len(others), rest)
                word = "better" if better else "worse"
                parts.append(f"{name} is {word} than {rest}{_by(agreeing, who)} ({bound_p(p)})")
    rest_names = [name for name in names if name not in named]
    if len(names) == 2 and named:
        silent = [
            standing.label
            for standing in standings
            if not (standing.beats(*names) or standing.beats(*names[::-1]))
        ]
        if silent:
            parts.append(f"by {join_names(silent)} the two do not differ significantly")
    elif len(rest_names) > 1:
        parts += _describe_rest(standings, rest_names, bool(named), who)
    return "; ".join(parts) + "."


def _by(standings: Sequence[Standing], who: str) -> str:
    return f"{who}{join_names([standing.label for standing in standings])}" if who else ""


def _describe_rest(
    standings: Sequence[Standing], rest: Sequence[str], others: bool, who: str
) -> Iterator[str]:
    """Systems without a clear winner: which leads, and which are not significantly worse."""
    groups: dict[tuple[str, ...], list[Standing]] = {}
    for standing in standings:
        order = [name for name in standing.names if name in rest]
        beaten = sorted(name for name in order[1:] if standing.beats(order[0], name))
        differ = beaten or any(standing.beats(a, b) for a in order for b in order if a != b)
        groups.setdefault((order[0], *beaten) if differ else (), []).append(standing)
    number = spell_number(len(rest))
    all_ = f"the other {number}" if others else f"the {number} systems"
    for key, agreeing in groups.items():
        how = _by(agreeing, who) if key or len(groups) > 1 else ""
        if not key:
            yield f"{all_} do not differ significantly{how}"
            continue
        best, *beaten = key
        ties = [name for name in rest if name not in key]
        among = f"of {all_}, " if others else ""
        few = len(beaten) < 4
        worse = join_names(beaten) if few else f"{spell_number(len(beaten))} of the others"
        many = f"{'the other ' if beaten and few else ''}{spell_number(len(ties))}"
        same = join_names(ties) if len(ties) < 4 else many
        p = max(standing.p((best, name) for name in beaten) for standing in agreeing)
        better = f"better than {worse} ({bound_p(p)})" if beaten else ""
        if beaten and not ties:
            yield f"{among}{best} is {better}{how}"
            continue
        apart = f"not significantly better than {same}" if ties else ""
        yield f"{among}{best} is first{how}, {' but '.join(filter(None, [better, apart]))}"


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
        shown = plain_html(name)
        row = "".join(
            f'<td data-head="{plain_html(head)}">{cells[head].get(name, "n/a")}</td>'
            for head in measures
        )
        lines.append(f'<tr{kind}><th scope="row" data-value="{shown}">{rank}{shown}</th>{row}</tr>')
    heads = "".join(f'<th scope="col">{plain_html(head)}</th>' for head in ("system", *measures))
    clusters = ""
    if lead is not None and len(data.names) > 1:
        clusters = (
            f"in clusters by {lead.label}: lines separate systems that differ from the best "
            f"system of the cluster above (p < {LEVEL:g}, Holm); "
        )
    caption = (
        f"Systems {clusters}± and bars: {data.share} intervals; shaded: the interval of the best"
    )
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
        bar = draw_interval(estimate, (min(ends), max(ends)), estimates[best])
        cells[name] = f"{bar}<span>{text}</span>"
    return cells


def _forest_number(estimate: Estimated, decimals: int | None) -> str:
    value, low, high = estimate
    if decimals is None or low is None or high is None:
        return f"{value:.4g}"
    return f"{value:z.{decimals}f} ± {(high - low) / 2:.{decimals}f}"


def _trust(data: ReportData) -> str:
    """A line for each metric: its agreement with human scores here, and whether it was trained on
    these rows.
    """
    lines = []
    for label in data.metrics:
        known = data.scored[label].familiarity
        share = f"trained on {100 * known.share:.0f} % of these rows"
        facts = [
            *_agreement_facts(data, label),
            share if known.is_marked else "not trained on these rows",
        ]
        lines.append(f"<li><b>{plain_html(label)}</b> {plain_html('; '.join(facts))}</li>")
    human = f" (human score {data.human})" if data.human else ""
    heading = f"How far the metrics can be trusted here{human}"
    if data.agreement is None:
        heading += ": there are no human scores to compare with"
    return f'<h3>{plain_html(heading)}</h3>\n<ul class="trust">{"".join(lines)}</ul>'


def _agreement_facts(data: ReportData, label: str) -> Iterator[str]:
    if data.agreement is None:
        return
    estimates = data.agreement.metric(label).estimates
    for key, words in _COEFFICIENTS.items():
        estimate = estimates.get(key)
        if estimate is not None and estimate.value is not None:
            around = "" if estimate.low is None else f" [{estimate.low:z.2f}, {estimate.high:z.2f}]"
            yield f"{words} {estimate.value:z.2f}{around}"
