"""The first screen of a report: who is better, in a sentence; systems; which metrics to trust."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otherwords.study.report.data import ReportData
from otherwords.study.report.forest import forests
from otherwords.study.report.spans import plain_html
from otherwords.study.report.standing import Standing, listed, p_bound, spelled

__all__ = ["sentence", "sentences", "verdict_html"]


def sentences(found: ReportData) -> list[str]:
    """What the tests say of the systems: by metrics, then by human scores.

    A system that is better, or worse, than all others is named first, with the metrics that say
    so; of the rest it says whether they differ significantly.
    """
    if len(found.names) < 2:
        return [f"There is one system, {found.names[0]}, and nothing to compare it with."]
    if not found.standings and found.human_standing is None:
        why = (
            "there are too few segments"
            if found.judged.size < 2
            else "all metrics were trained on these rows"
        )
        return [f"The {spelled(len(found.names))} systems cannot be tested: {why}."]
    said = []
    if found.standings:
        text = sentence(found.standings, found.names)
        said.append(f"The{text[3:]}" if text.startswith("the ") else text)
    if (people := found.human_standing) is not None:
        said.append(f"By the human score {people.label}, {sentence([people], found.names, '')}")
    return said


def sentence(standings: Sequence[Standing], names: Sequence[str], who: str = " by ") -> str:
    """What these measures say of the systems; without `who` they are not named."""
    parts, named = [], set()
    for better in (True, False) if len(names) > 2 else (True,):
        for name in names:
            others = [other for other in names if other != name]
            by = [
                one
                for one in standings
                if all(one.beats(*((name, o) if better else (o, name))) for o in others)
            ]
            if by:
                named.add(name)
                p = max(one.p((name, other) for other in others) for one in by)
                all_ = "both others" if len(others) == 2 else f"all {spelled(len(others))} others"
                all_ = others[0] if len(others) == 1 else all_
                how = f"{who}{listed([one.label for one in by])}" if who else ""
                word = "better" if better else "worse"
                parts.append(f"{name} is {word} than {all_}{how} ({p_bound(p)})")
    rest = [name for name in names if name not in named]
    if len(names) == 2 and named:
        silent = [
            one.label for one in standings if not (one.beats(*names) or one.beats(*names[::-1]))
        ]
        parts += [f"by {listed(silent)} the two do not differ significantly"] if silent else []
    elif len(rest) > 1:
        parts += _of_rest(standings, rest, bool(named), who)
    return "; ".join(parts) + "."


def _of_rest(
    standings: Sequence[Standing], rest: Sequence[str], others: bool, who: str
) -> list[str]:
    """Of systems without a clear winner: which one leads, and which are not significantly worse."""
    groups: dict[tuple[str, ...], list[Standing]] = {}
    for one in standings:
        order = [name for name in one.names if name in rest]
        beaten = sorted(name for name in order[1:] if one.beats(order[0], name))
        key = () if not beaten and _level(one, order) else (order[0], *beaten)
        groups.setdefault(key, []).append(one)
    all_ = f"the other {spelled(len(rest))}" if others else f"the {spelled(len(rest))} systems"
    said = []
    for key, by in groups.items():
        labels = [one.label for one in by]
        how = f"{who}{listed(labels)}" if who and (key or len(groups) > 1) else ""
        if not key:
            said.append(f"{all_} do not differ significantly{how}")
            continue
        best, *beaten = key
        ties = [name for name in rest if name not in key]
        among = f"of {all_}, " if others else ""
        worse = listed(beaten) if len(beaten) < 4 else f"{spelled(len(beaten))} of the others"
        rest_ = "the other " if beaten and len(beaten) < 4 else ""
        same = listed(ties) if len(ties) < 4 else f"{rest_}{spelled(len(ties))}"
        p = max(one.p((best, name) for name in beaten) for one in by)
        better = f"better than {worse} ({p_bound(p)})" if beaten else ""
        apart = f"not significantly better than {same}" if ties else ""
        if beaten and not ties:
            said.append(f"{among}{best} is {better}{how}")
            continue
        said.append(f"{among}{best} is first{how}, {' but '.join(filter(None, [better, apart]))}")
    return said


def _level(one: Standing, names: Sequence[str]) -> bool:
    """Whether no two of the systems differ."""
    return not any(one.beats(a, b) for a in names for b in names if a != b)


def verdict_html(found: ReportData) -> str:
    """The verdict, the systems with their intervals, and how far each metric can be trusted."""
    first, *more = sentences(found)
    parts = [f'<p class="verdict">{plain_html(first)}</p>']
    parts.append(f'<p class="also">{plain_html(" ".join(more))}</p>' if more else "")
    parts += forests(found)
    parts.append(_trust(found))
    return "\n".join(part for part in parts if part)


def _trust(found: ReportData) -> str:
    """A line for each metric: agreement with human scores here, and what it was trained on."""
    lines = []
    for label in found.metrics:
        known = found.scored[label].familiarity
        share = f"trained on {100 * known.share:.0f} % of these rows"
        said = [
            *_agreement(found, label),
            share if known.is_marked else "not trained on these rows",
        ]
        lines.append(f"<li><b>{plain_html(label)}</b> {plain_html('; '.join(said))}</li>")
    human = f" (human score {found.human})" if found.human else ""
    words = f"How far the metrics can be trusted here{human}"
    if found.agreement is None:
        words += ": there are no human scores to compare with"
    return f'<h3>{plain_html(words)}</h3>\n<ul class="trust">{"".join(lines)}</ul>'


def _agreement(found: ReportData, label: str) -> Iterator[str]:
    if found.agreement is None:
        return
    estimates = found.agreement.metric(label).estimates
    for where, words in _MEANS.items():
        one = estimates.get(where)
        if one is not None and one.value is not None:
            around = "" if one.low is None else f" [{one.low:z.2f}, {one.high:z.2f}]"
            yield f"{words} {one.value:z.2f}{around}"


_MEANS = {
    ("segment", "pearson"): "Pearson over segments",
    ("system", "accuracy"): "pairs of systems in the right order",
    ("system", "pearson"): "Pearson over systems",
}
