"""What a check came to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from rmqproof.model.api.behaviour import Behaviour
from rmqproof.model.api.errors import RmqproofError, typed
from rmqproof.model.checking.outcome import Outcome, PropertyOutcome, Standing
from rmqproof.model.search.result import ActionCoverage, Collision, Finding, FindingKind, Judged, Verdict

_TRIVIAL = frozenset(
    [FindingKind.CONSTRAINT_CUT_EVERYTHING, FindingKind.NO_STATES, FindingKind.NOTHING_FAIR, FindingKind.TRIVIAL]
)


@dataclass(frozen=True)
class Result:
    """The verdict on a model, and what it rests on. True when every property holds in every reachable state.

    `distinct`, `generated` and `depth` are TLC's three counts. `outcome` has all that the command line knows.
    """

    outcome: Outcome = field(repr=False)
    verdict: Verdict = field(init=False)
    violated: str | None = field(init=False)
    distinct: int = field(init=False)
    generated: int = field(init=False)
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        result = self.outcome.result
        found = {
            "verdict": result.verdict,
            "violated": self.outcome.violated or None,
            "distinct": result.distinct,
            "generated": result.total,
            "depth": result.depth,
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def ok(self) -> bool:
        """Whether the verdict is `success`. A search that was stopped, or simulated, is none."""
        return self.verdict is Verdict.SUCCESS and self.exhaustive

    def __bool__(self) -> bool:
        return self.ok

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.outcome.files.name

    @property
    def exhaustive(self) -> bool:
        """Whether every reachable state inside the constraints was expanded."""
        return self.outcome.result.exhaustive

    @property
    def message(self) -> str:
        """What is wrong, in words; empty for a success."""
        return self.outcome.result.message

    @property
    def seconds(self) -> float:
        return self.outcome.result.seconds

    @property
    def engine(self) -> str:
        return self.outcome.result.engine

    @property
    def workers(self) -> int:
        return self.outcome.result.workers

    @cached_property
    def behaviour(self) -> Behaviour | None:
        """The shortest behaviour that violates a property, or that ends where nothing can be evaluated."""
        shown = self.outcome.behaviour
        return Behaviour(shown) if shown is not None else None

    @property
    def properties(self) -> tuple[PropertyOutcome, ...]:
        """For each property its name, kind, verdict (`standing`), sentence, and the depth of its violation."""
        return self.outcome.properties

    @property
    def holds(self) -> tuple[str, ...]:
        """The names of the properties that hold in every reachable state."""
        return tuple(prop.name for prop in self.properties if prop.standing is Standing.HOLDS)

    @property
    def coverage(self) -> Mapping[str, ActionCoverage]:
        """For each action: in how many states it was enabled, what it generated, how much of that was new."""
        return {action.action: action for action in self.outcome.result.coverage}

    @property
    def never_taken(self) -> tuple[str, ...]:
        """The actions that no reachable state enables."""
        return tuple(f.subject for f in self.findings if f.kind is FindingKind.ACTION_NEVER_TAKEN)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What should be known although no property is violated: the check may prove less than it seems."""
        return self.outcome.result.findings

    @property
    def trivial(self) -> tuple[str, ...]:
        """Why properties hold for want of anything that could violate them, a sentence each; empty when none does."""
        return tuple(finding.sentence for finding in self.findings if finding.kind in _TRIVIAL)

    @property
    def judged(self) -> Judged:
        """What the reference evaluator looked at again, and what it did not."""
        return self.outcome.result.judged

    @property
    def collision(self) -> Collision:
        """The chance that a state was missed because two had one fingerprint."""
        return self.outcome.result.collision

    @property
    def seed(self) -> int | None:
        """Of random behaviours."""
        return self.outcome.result.seed

    @property
    def error(self) -> RmqproofError | None:
        """Why there is no verdict, where something could not be evaluated or was not to be had."""
        failure = self.outcome.result.failure
        cause = self.outcome.error or (failure.error if failure is not None else None)
        return typed(cause) if cause is not None else None

    def raise_error(self) -> Result:
        """The result itself; raise `error` where there is one."""
        error = self.error
        if error is not None:
            raise error
        return self

    def json(self) -> dict[str, Any]:
        """The object that `rmqproof check --json` writes."""
        return self.outcome.json()

    def __str__(self) -> str:
        counts = f"{self.distinct:,} distinct, {self.generated:,} generated, depth {self.depth}"
        said = f": {self.message}" if self.message else ""
        return f"{self.verdict}  {self.model}{said} ({counts}, {self.seconds:.1f} s, {self.engine})"

    def _repr_html_(self) -> str:
        colour = "#15803d" if self.ok else "#b91c1c"
        rows = "".join(
            f"<tr><td>{escape(p.name)}</td><td>{escape(p.kind)}</td><td>{escape(str(p.standing))}</td></tr>"
            for p in self.properties
        )
        notes = "".join(f"<li>{escape(f.sentence)}</li>" for f in self.findings)
        parts = [
            f'<p><b style="color:{colour}">{escape(str(self.verdict))}</b> {escape(self.model)}',
            f": {escape(self.message)}" if self.message else "",
            f"<br>{self.distinct:,} distinct states, {self.generated:,} generated, depth {self.depth}</p>",
            f"<table><tr><th>property</th><th>kind</th><th>verdict</th></tr>{rows}</table>" if rows else "",
            f"<ul>{notes}</ul>" if notes else "",
            self.behaviour._repr_html_() if self.behaviour is not None else "",
        ]
        return "".join(parts)

    def dumps(self) -> str:
        """`json` as text."""
        return json.dumps(self.json(), indent=2, ensure_ascii=False)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. `result`: what was found until then."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result
