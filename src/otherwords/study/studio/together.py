"""The page on which all systems' outputs for one input are judged at once (PARADIGM §6).

A judge sees the input and its outputs in random order, the positive and the negative control
among them. Log, export and checks are those of single pairs: a score is a score of a pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from otherwords.study.studio.judgements import Session, Task
from otherwords.study.studio.log import Log
from otherwords.study.studio.page import Page, asked

__all__ = ["TogetherSession", "together_page"]


class TogetherSession(Session):
    """One judge at work; a place of the page is an input, with all places of its pairs."""

    def __init__(self, log: Log, judge: str, task: Task | None = None) -> None:
        super().__init__(log, judge, task)
        places = groupby(range(len(self.order)), key=self._original)
        self.inputs = [list(some) for _, some in places]

    def _original(self, place: int) -> str:
        return self.task.pairs[self.order[place]].original

    def _is_judged(self, number: int) -> bool:
        return all(self.is_done(place) for place in self.inputs[number])

    @property
    def next_place(self) -> int:
        """The first input that is not done, or the last one."""
        numbers = range(len(self.inputs))
        return next((n for n in numbers if not self._is_judged(n)), len(self.inputs) - 1)

    def _progress(self) -> dict[str, Any]:
        done = sum(map(self._is_judged, range(len(self.inputs))))
        return {**super()._progress(), "done": done, "total": len(self.inputs)}

    def _at(self, place: int) -> dict[str, Any]:
        number = next(n for n, places in enumerate(self.inputs) if place in places)
        return {**super()._at(place), "input": number}

    def input(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """An input with its texts, and what the judge has said of each."""
        number = asked(query, "input", len(self.inputs))
        pairs = [super(TogetherSession, self)._at(place) for place in self.inputs[number]]
        texts = [{name: pair[name] for name in ("place", "text", "scores")} for pair in pairs]
        original = pairs[0]["original"]
        return {"input": number, "original": original, "texts": texts, **self._progress()}


def together_page(session: TogetherSession) -> Page:
    """The page at /together."""
    return Page(
        "together",
        "together.html",
        reads={"state": session.state, "input": session.input},
        writes={"score": session.score, "undo": session.undo},
        log=session.log.path,
    )
