"""A search with the reference evaluator, as plain as can be."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rmqproof.model.reference import EvaluationError, NotInReference, OutOfWork, Reference
from rmqproof.model.tla import core
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from tools.fuzz.verdict import ERROR, Report

WORK = 3_000_000
"""Expressions that may be evaluated for one specification."""
SO_FAR = "nothing so far"
"""The verdict of a search that ended before it had explored everything."""


class NotCovered(Exception):
    """The reference evaluator says nothing of this specification."""


def reference(spec: Path) -> Report:
    """What is found of a specification with the configuration beside it, in `WORK`.

    Raise `NotCovered` for SYMMETRY, for liveness, and for what takes too much work.
    """
    try:
        model = load_model(spec, spec.with_suffix(".cfg"))
    except TlaError as error:
        return Report(ERROR, detail=str(error))
    if any(each.liveness or each.always for each in model.properties):
        raise NotCovered
    return _found(model, WORK)


def searched(files: ModelFiles, most: int | None = None) -> Report:
    """What is found of a model, whatever the work, with no word on liveness. Raise `NotCovered` for SYMMETRY.

    `most`: distinct states, of which the search ends soon after so many; it tells then of the levels that it expanded.
    """
    model = load_model(
        files.spec, files.config, search_path=files.search_path, texts=files.texts, overrides=files.overrides
    )
    return _found(model, None, most)


def _found(model: core.Model, work: int | None, most: int | None = None) -> Report:
    if model.symmetry is not None:
        raise NotCovered("SYMMETRY")
    reference = Reference(model, work)
    try:
        if not all(_may_be_true(reference, decided.expression) for decided in model.decided):
            return Report(ERROR, detail="a constant of the configuration is FALSE")
        asked = (each.body for each in model.specification.assumptions if not each.axiom)
        if not all(_true(reference, body) for body in asked):
            return Report("assumption failure")
        return _Search(reference, most).run()
    except EvaluationError as error:
        return Report(ERROR, detail=str(error))
    except (NotInReference, OutOfWork, RecursionError) as error:
        raise NotCovered(str(error)) from error


def _true(reference: Reference, assumption: core.Expression) -> bool:
    """As in TLC, an assumption that cannot be evaluated is one that fails."""
    try:
        return reference.holds(assumption)
    except EvaluationError:
        return False


def _may_be_true(reference: Reference, constant: core.Expression) -> bool:
    """What the configuration asks of every state, and depends on none: without a value it is left to the search."""
    try:
        return reference.holds(constant)
    except EvaluationError:
        return True


class _Search:
    """Breadth first, in TLC's order (tlc2.tool.ModelChecker): what is outside of a constraint is examined, not kept."""

    def __init__(self, reference: Reference, most: int | None) -> None:
        self.reference = reference
        self.model = reference.model
        self.most = most
        self.depths: dict[Any, int] = {}
        self.total = 0
        self.levels: list[tuple[int, int]] = []
        """For each level that was begun, distinct and generated states when it was."""

    def run(self) -> Report:
        queue: deque[tuple[Any, int]] = deque()
        for state in self.reference.initial_states():
            self.total += 1
            new = self.reference.within(state) and self._new(state, 1)
            if new:
                queue.append((state, 1))
            if (new or not self.reference.within(state)) and (broken := self._broken(state)):
                return self._report("safety failure", 1, broken)
            if not all(self.reference.holds(each, state) for prop in self.model.properties for each in prop.initial):
                return Report("liveness failure")
        while queue:
            state, depth = queue.popleft()
            if depth > len(self.levels):
                self.levels.append((len(self.depths), self.total))
            if self.most is not None and len(self.depths) > self.most and depth > 1:
                return self._so_far()
            stuck = True
            for after in self._after(state):
                stuck = False
                self.total += 1
                inside = self.reference.within(after) and self.reference.allowed(state, after)
                new = inside and self._new(after, depth + 1)
                if new:
                    queue.append((after, depth + 1))
                if (new or not inside) and (broken := self._broken(after)):
                    return self._report("safety failure", depth + 1, broken)
                if not self._taken(state, after):
                    return Report("liveness failure")
            if stuck and self.model.check_deadlock:
                return self._report("deadlock failure", depth)
        return self._report("success", max(self.depths.values(), default=None))

    def _after(self, state: Any) -> Iterator[Any]:
        return (successor.state for successor in self.reference.successors(state))

    def _new(self, state: Any, depth: int) -> bool:
        self.reference.put_in_order(state)
        seen = state
        if self.model.view is not None:
            seen = self.reference.evaluate(self.model.view.body, state=state)
            self.reference.put_in_order((seen,))
        if seen in self.depths:
            return False
        self.depths[seen] = depth
        return True

    def _broken(self, state: Any) -> str:
        for invariant in self.model.invariants:
            if not self.reference.holds(invariant.body, state):
                return invariant.name
        return ""

    def _taken(self, state: Any, after: Any) -> bool:
        """Whether a step satisfies every [][A]_v."""
        steps = (step for each in self.model.properties for step in each.steps)
        return all(self.reference.holds(step, state, after) for step in steps)

    def _so_far(self) -> Report:
        """Of all levels but the one that was being expanded, as if what they lead to were outside of a constraint."""
        (distinct, _), (_, total) = self.levels[-2:]
        return Report(SO_FAR, distinct, total, len(self.levels) - 1)

    def _report(self, verdict: str, depth: int | None, violated: str = "") -> Report:
        return Report(verdict, len(self.depths), self.total, depth, violated)
