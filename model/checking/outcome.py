"""What checking one model came to: the search's result, a verdict for each property, the behaviour to show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Any

from rmqproof.model.checking import exit_status
from rmqproof.model.checking.coverage import Coverage
from rmqproof.model.checking.expectation import Expectation
from rmqproof.model.records import dataclass
from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.itf import itf_text
from rmqproof.model.search.result import FindingKind, Result, Verdict, Violation
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import Location


class Standing(StrEnum):
    HOLDS = "holds"
    VIOLATED = "violated"
    UNDECIDED = "not decided"
    """The search ended before it was over, or looked at random behaviours only."""
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class PropertyOutcome:
    """`depth`: states of the behaviour that violates it."""

    name: str
    kind: str
    standing: Standing
    sentence: str = ""
    depth: int | None = None
    trivial: bool = False
    """What it assumes was never true, so it says nothing here."""


@dataclass(frozen=True, slots=True)
class DeclaredProperty:
    """A property that the configuration asks for. `checked` false: the search does not check (all of) it."""

    name: str
    kind: str
    sentence: str = ""
    checked: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is the exit status that the result has of itself, whatever was expected."""

    files: ModelFiles
    result: Result
    properties: tuple[PropertyOutcome, ...] = ()
    behaviour: Behaviour | None = None
    shown: Behaviour | None = None
    """The behaviour as ALIAS shows it."""
    expectation: Expectation | None = None
    written: dict[str, Path] = field(default_factory=dict)
    """Files written about the behaviour, by format."""
    error_status: int | None = None
    """The status of an error before the search."""
    error: Exception | None = None
    """The error itself."""
    coverage: Coverage | None = None
    """What was evaluated, where that was counted."""
    places: Mapping[str, Location] = field(default_factory=dict)
    """Where the properties and actions are defined; `deadlock` stands for the next-state relation."""

    @property
    def violated(self) -> str:
        """The name of what is violated, empty when nothing is."""
        return self.result.violation.name if self.result.violation is not None else ""

    @property
    def status(self) -> int:
        if self.error_status is None or self.result.judged.refuted:
            return exit_status.of_result(self.result)
        return self.error_status

    @property
    def difference(self) -> str:
        """How the result differs from what the configuration expects; empty when it does not."""
        if self.expectation is None:
            return "the configuration has no EXPECT line"
        if self.status == exit_status.INTERRUPTED:
            return "interrupted"
        result = self.result
        name = "" if result.verdict is Verdict.DEADLOCK and not self.expectation.name else self.violated
        counts = {"distinct": result.distinct, "total": result.total, "depth": result.depth}
        return self.expectation.difference(result.verdict, name, counts)

    def json(self) -> dict[str, Any]:
        """The object of `--json`: the words of the tlaplus/Examples manifest first, then what else is known."""
        result = self.result
        random = result.behaviours is not None
        trace = self.written.get("itf.json")
        return {
            "result": str(result.verdict),
            "distinctStates": None if random else result.distinct,
            "totalStates": result.total,
            "stateDepth": result.depth,
            "seconds": round(result.seconds, 3),
            "engine": result.engine,
            "workers": result.workers,
            "violated": self.violated or None,
            "trace": str(trace) if trace is not None else None,
            "message": result.message,
            "specification": str(self.files.spec),
            "config": str(self.files.config) if self.files.config is not None else None,
            "exitStatus": self.status,
            "exhaustive": result.exhaustive,
            "expected": str(self.expectation) if self.expectation is not None else None,
            "asExpected": not self.difference if self.expectation is not None else None,
            "properties": [
                {
                    "name": p.name,
                    "kind": p.kind,
                    "verdict": str(p.standing),
                    "trivial": p.trivial,
                    "depth": p.depth,
                    "sentence": p.sentence,
                }
                for p in self.properties
            ],
            "behaviourLength": len(result.behaviour) or None,
            "loop": result.violation.loop if result.violation is not None else None,
            "initialStates": result.initial,
            "queue": result.queue,
            "constrained": result.cut,
            "collision": {"optimistic": result.collision.optimistic, "observed": result.collision.observed},
            "coverage": {
                a.action: {"enabled": a.enabled, "total": a.total, "distinct": a.distinct} for a in result.coverage
            },
            "findings": [{"kind": str(f.kind), "subject": f.subject, "sentence": f.sentence} for f in result.findings],
            "files": {kind: str(path) for kind, path in self.written.items()},
            "reference": {
                "replayed": result.judged.replayed,
                "states": result.judged.examined,
                "steps": result.judged.steps,
                "leftOut": result.judged.left_out or None,
                "refuted": result.judged.refuted or None,
            },
            "seed": result.seed,
            "behaviours": result.behaviours,
            "counterexample": json.loads(itf_text(self.behaviour)) if self.behaviour is not None else None,
        }


def property_outcomes(declared: tuple[DeclaredProperty, ...], result: Result) -> tuple[PropertyOutcome, ...]:
    """Where each property stands after the search. A property is violated or holds by its name."""
    violations: dict[str, Violation] = {violation.name: violation for violation in result.violations}
    trivial = {finding.subject for finding in result.findings if finding.kind is FindingKind.TRIVIAL}
    outcomes = []
    for prop in declared:
        violation = violations.get(prop.name)
        if violation is not None:
            standing = Standing.VIOLATED
        elif not prop.checked:
            standing = Standing.NOT_CHECKED
        else:
            standing = Standing.HOLDS if result.exhaustive else Standing.UNDECIDED
        depth = violation.depth if violation is not None else None
        outcomes.append(PropertyOutcome(prop.name, prop.kind, standing, prop.sentence, depth, prop.name in trivial))
    return tuple(outcomes)
