"""Is the first state of a countermodel to induction reachable? The explicit search is asked.

A state that satisfies a candidate and has a step to one that does not refutes only that the candidate is inductive. If
the state can be reached the candidate is no invariant; if it cannot, the candidate is too weak.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rmqproof.model.evaluate.literals import literal
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.choice import Request, search
from rmqproof.model.prove.countermodel import Countermodel
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result, Stopped
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

NOT_THIS = "NotThisState"


@dataclass(frozen=True, slots=True)
class Reach:
    """`steps` from an initial state to the state, the fewest; None where it was not met. `whole`: all was explored,
    so that it cannot be reached with these budgets. `distinct` states were met, down to `depth` steps."""

    steps: int | None
    whole: bool
    distinct: int
    depth: int

    def __str__(self) -> str:
        if self.steps is not None:
            return f"reachable: the explicit search meets it after {self.steps} steps"
        if self.whole:
            return f"not reachable: it is none of the {self.distinct:,} reachable states within these bounds"
        return (
            f"not met among {self.distinct:,} states, down to {self.depth} steps from an initial state; "
            "the search was stopped there"
        )


def reach(
    model: core.Model, found: Countermodel, seconds: float, say: Callable[[str], None] = lambda text: None
) -> Reach:
    """Search breadth-first for the first state of the countermodel, with the constants that it has.

    Raise `TlaError` for a model without initial states, or a countermodel without states.
    """
    if model.initial is None or model.next is None or found.now is None:
        raise TlaError("nothing can be reached: the configuration names no initial states and steps", kind="config")
    open_ = [constant for constant in model.specification.constants if constant.name in found.constants]
    before = [constant.value for constant in open_]
    try:
        for constant in open_:
            constant.value = literal(found.constants[constant.name], constant.at)
        plain = replace(
            model, invariants=(_not_this(model, found.now),), properties=(), constraints=(), action_constraints=(),
            symmetry=None, view=None, postconditions=(), check_deadlock=False,
        )  # fmt: skip
        system = system_of(plain)
        control = Control(max_seconds=seconds)

        def in_python(beginning: Control | None = None, instead: bool = False) -> Result:
            return BreadthFirst(system, control=beginning or control, workers=1).run()

        result = search(plain, system, control, Request(workers=1), say, in_python)
    finally:
        for constant, value in zip(open_, before, strict=True):
            constant.value = value
    violation = result.violation
    if violation is not None:
        return Reach(len(violation.behaviour) - 1, False, result.distinct, len(violation.behaviour) - 1)
    if result.stopped is Stopped.INTERRUPTED:
        raise KeyboardInterrupt
    return Reach(None, result.exhaustive, result.distinct, max(0, result.depth - 1))


def _not_this(model: core.Model, state: tuple[object, ...]) -> core.Definition:
    variables = model.specification.variables
    at = variables[0].at
    same = tuple(
        core.Builtin(variable.at, "=", (core.VariableReference(variable.at, variable), literal(value, variable.at)))
        for variable, value in zip(variables, state, strict=True)
    )
    body = core.Builtin(at, "~", (core.Builtin(at, "/\\", same),))
    return core.Definition(NOT_THIS, model.specification.name, at, (), body, level=core.STATE)
