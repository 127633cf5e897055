"""The report as SARIF 2.1.0, the form in which code scanning takes what an analysis found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rmqproof.model.report.cases import Case, Diagnostic, path_of
from rmqproof.model.tla.source import Location
from rmqproof.version import VERSION

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(cases: Sequence[Case]) -> str:
    """A result for each problem; the text of a counterexample stands in the results of level error."""
    results = [_result(case, problem) for case in cases for problem in case.problems]
    driver = {
        "name": "rmqproof",
        "version": VERSION,
        "rules": [{"id": rule} for rule in sorted({result["ruleId"] for result in results})],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _result(case: Case, problem: Diagnostic) -> dict[str, Any]:
    shown = problem.level == "error" and case.text
    place = {
        "physicalLocation": _place(problem.at) if problem.at is not None else {"artifactLocation": _uri(case.file)}
    }
    result: dict[str, Any] = {
        "ruleId": problem.rule,
        "level": str(problem.level),
        "message": {"text": f"{case.name}: {problem.message}" + (f"\n\n{case.text}" if shown else "")},
        "locations": [place],
    }
    if problem.related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _place(at), "message": {"text": what}}
            for number, (what, at) in enumerate(problem.related, 1)
        ]
    return result


def _place(at: Location) -> dict[str, Any]:
    region = dict(zip(("startLine", "startColumn", "endLine", "endColumn"), at.in_file, strict=True))
    return {"artifactLocation": _uri(at.source.name), "region": region}


def _uri(name: str) -> dict[str, str]:
    path = path_of(name)
    return {"uri": Path(path).as_uri() if Path(path).is_absolute() else quote(path)}
