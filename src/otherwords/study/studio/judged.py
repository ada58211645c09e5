"""Logs of judgements in, judged rows out: what `meta` and `train pem` read."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from otherwords.errors import InputError
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.studio.judgements import PURPOSE, Scores, Task, understood
from otherwords.study.studio.log import read_log
from otherwords.study.studio.pairs import Origin, PairToJudge, joined
from otherwords.study.studio.reliability import Reliability, reliability

__all__ = ["LoggedJudgements", "judged_rows", "read_judgements"]


@dataclass(frozen=True)
class LoggedJudgements:
    """The pairs of all logs, each once, and what every judge said of them."""

    pairs: tuple[PairToJudge, ...]
    criteria: tuple[str, ...]
    scale: Scale
    scores: dict[str, Scores]

    def reliability(self) -> list[Reliability]:
        """How each judge did on the controls."""
        return [
            reliability(judge, self.pairs, scores, self.scale)
            for judge, scores in self.scores.items()
        ]


def read_judgements(paths: Sequence[str]) -> LoggedJudgements:
    """The judgements of one or more logs. Logs of other pairs may be mixed, other scales not.

    A pair of several logs is one, and comes from all that they say.
    """
    places: dict[tuple[str, str, str | None], int] = {}
    pairs: list[PairToJudge] = []
    criteria: dict[str, None] = {}
    scores: dict[str, Scores] = {}
    scale: Scale | None = None
    for path in paths:
        task, said = _read(path)
        if scale not in (None, task.scale):
            message = f"judged on the scale {task.scale}, but {paths[0]} on {scale}; export apart"
            raise InputError(message, path=path)
        scale = task.scale
        criteria.update(dict.fromkeys(task.criteria))
        here = []
        for pair in task.pairs:
            key = pair.original, pair.text, pair.control
            if key not in places:
                places[key] = len(pairs)
                pairs.append(pair)
            before = pairs[places[key]]
            pairs[places[key]] = replace(before, origins=joined((*before.origins, *pair.origins)))
            here.append(places[key])
        for judge, given in said.items():
            mine = scores.setdefault(judge, {})
            for number, some in given.items():
                mine[here[number]] = {**mine.get(here[number], {}), **some}
    assert scale is not None
    return LoggedJudgements(tuple(pairs), tuple(criteria), scale, dict(sorted(scores.items())))


def _read(path: str) -> tuple[Task, dict[str, Scores]]:
    task, said = understood(read_log(path, PURPOSE), path)
    if task is None:
        raise InputError("nothing was judged here yet", path=path)
    return task, said


def judged_rows(
    judged: LoggedJudgements, *, without: Collection[str] = (), controls: bool = True
) -> Iterator[dict[str, Any]]:
    """Rows of the judged JSONL; the system of a control is `control-` with its kind.

    `without` are judges who do not count.
    """
    kept = {judge: mine for judge, mine in judged.scores.items() if judge not in without}
    for number, pair in enumerate(judged.pairs):
        said = [
            {"judge": judge, **_ordered(mine[number], judged.criteria)}
            for judge, mine in kept.items()
            if mine.get(number)
        ]
        if said and (controls or pair.control is None):
            yield from (_row(pair, origin, said, judged.criteria) for origin in pair.origins)


def _ordered(scores: dict[str, int], criteria: Sequence[str]) -> dict[str, int]:
    return {name: scores[name] for name in criteria if name in scores}


def _row(
    pair: PairToJudge, origin: Origin, said: list[dict[str, Any]], criteria: Sequence[str]
) -> dict[str, Any]:
    known = {"item": origin.item, "doc": origin.doc}
    row: dict[str, Any] = {key: value for key, value in known.items() if value is not None}
    row["system"] = origin.systems[0]
    if len(origin.systems) > 1:
        row["systems"] = list(origin.systems)
    if origin.source is not None:
        row["source"] = origin.source
    if origin.references:
        row["references"] = list(origin.references)
    row["hypothesis"] = pair.text
    row["human"] = {
        name: math.fsum(given) / len(given)
        for name in criteria
        if (given := [one[name] for one in said if name in one])
    }
    return {**row, "judges": said}
