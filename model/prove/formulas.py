"""The shape of formulas."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import children


def gives_values(e: core.Expression, initial: bool = False, _seen: frozenset[core.Definition] = frozenset()) -> bool:
    """Whether there is `x' = …`, `x' \\in …` or UNCHANGED in it (for initial states: `x = …`)."""
    if isinstance(e, core.Builtin):
        if e.operator == "UNCHANGED":
            return not initial
        if e.operator in ("=", "\\in"):
            target = e.arguments[0]
            if initial:
                return isinstance(target, core.VariableReference)
            return isinstance(target, core.Builtin) and target.operator == "'"
        if e.operator not in ("/\\", "\\/"):
            return False
    if isinstance(e, core.Call):
        if e.definition in _seen:
            return False
        return gives_values(e.definition.body, initial, _seen | {e.definition})
    if isinstance(e, core.Quantified) and e.kind == "\\A":
        return False
    if isinstance(e, core.Builtin | core.Quantified | core.If | core.Case | core.Let | core.Label):
        return any(gives_values(part, initial, _seen) for part in children(e))
    return isinstance(e, core.BoxAction)


def conjuncts(goal: core.Expression) -> list[tuple[str, core.Expression]]:
    """The parts of a conjunction, through definitions without parameters and primes; with the definitions' names."""
    primed = isinstance(goal, core.Builtin) and goal.operator == "'"
    inside = goal.arguments[0] if isinstance(goal, core.Builtin) and primed else goal
    if isinstance(inside, core.Label):
        return conjuncts(core.Builtin(goal.at, "'", (inside.body,)) if primed else inside.body)
    name = ""
    if isinstance(inside, core.Call) and not inside.arguments and not inside.definition.recursive:
        name = inside.definition.name
        if not (isinstance(inside.definition.body, core.Builtin) and inside.definition.body.operator == "/\\"):
            return [(name, goal)]
        inside = inside.definition.body
    if isinstance(inside, core.Builtin) and inside.operator == "/\\":
        found = []
        for part in inside.arguments:
            again = core.Builtin(part.at, "'", (part,)) if primed else part
            found += [(inner or name, formula) for inner, formula in conjuncts(again)]
        return found
    return [(name, goal)]
