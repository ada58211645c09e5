"""The checks of a gate as SARIF 2.1.0 (code scanning) and as JUnit XML (test reports)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from otherwords.scoring.gate_scores import Contradiction, Offence
from otherwords.scoring.problems import Problem

if TYPE_CHECKING:
    from otherwords.scoring.gate import Check, GateResult

_Segment = Contradiction | Offence | Problem | None  # None: the fault is of the corpus
_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def sarif(result: GateResult) -> dict[str, Any]:
    """A SARIF document: one result for each segment or corpus score that breaks a rule."""
    from otherwords import __version__

    results = [
        {"ruleId": check.rule, "level": "error", "message": {"text": text}, **_location(segment)}
        for check in result.checks
        for text, segment in _faults(result, check)
    ]
    rules = [{"id": rule} for rule in dict.fromkeys(check.rule for check in result.checks)]
    driver = {"name": "otherwords", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def junit(result: GateResult) -> Iterator[str]:
    """The lines of a JUnit report: one test case for each check."""
    checks = [check for check in result.checks if check.passed is not None]
    failed = sum(not check.passed for check in checks)
    suite = f'name={_attribute(result.system)} tests="{len(checks)}" failures="{failed}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuite {suite}>"
    for check in checks:
        case = f'<testcase classname="otherwords" name={_attribute(f"{check.rule} {check.metric}")}'
        if check.passed:
            yield f"  {case}/>"
            continue
        texts = [_where(segment) + text for text, segment in _faults(result, check)]
        message = _attribute("\n".join(texts))
        yield f"  {case}><failure message={message}/></testcase>"
    yield "</testsuite>"


def _faults(result: GateResult, check: Check) -> Iterator[tuple[str, _Segment]]:
    """What breaks the rule of a check that failed, and where."""
    if check.passed is not False:
        return
    if check.score is not None:
        yield f"{check.metric} is {check.score.value:.4g}; wanted: {check.wanted}", None
    elif check.rule == "no-contradictions":
        for contradiction in result.contradictions:
            yield contradiction.sentence, contradiction
    elif check.rule in ("outputs", "judged"):
        for problem in result.problems:
            if (problem.scored == "not") == (check.rule == "judged"):
                yield problem.reason, problem
    for offence in result.offences:
        if offence.rule == check.rule:
            wanted = f"wanted: at least {offence.limit:g}"
            yield f"{check.metric} is {offence.score:.4g}; {wanted}", offence


def _location(segment: _Segment) -> dict[str, Any]:
    if segment is None or segment.path is None:
        return {}
    path = Path(segment.path)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if segment.line is not None:
        place["region"] = {"startLine": segment.line}
    return {"locations": [{"physicalLocation": place}]}


def _where(segment: _Segment) -> str:
    return "" if segment is None else f"segment {segment.item}: "


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", text))
