"""Which parameters stand for a variable of the next state, so that `parameter = e` gives it its value."""

from __future__ import annotations

from typing import NamedTuple

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions


class Passed(NamedTuple):
    """`as_next`: parameters that some call passes `v'`; `unseen`: those of operators that are passed as arguments,
    of which the calls are not seen."""

    as_next: frozenset[core.Binding] = frozenset()
    unseen: frozenset[core.Binding] = frozenset()

    def may_be_next(self, parameter: core.Binding) -> bool:
        return parameter in self.as_next or parameter in self.unseen


NONE_PASSED = Passed()


def passed_in(e: core.Expression | None) -> Passed:
    """What calls in `e`, and in the definitions that it uses, pass: `v'` itself, or a parameter that stands for it."""
    calls: list[core.Call] = []
    unseen: set[core.Binding] = set()
    entered: set[core.Definition] = set()
    waiting = [e] if e is not None else []
    while waiting:
        part = waiting.pop()
        used: core.Definition | None = None
        if isinstance(part, core.Call):
            used = part.definition
            if part.arguments:
                calls.append(part)
        elif isinstance(part, core.OperatorArgument) and isinstance(part.target, core.Definition):
            used = part.target
            unseen.update(used.parameters)
        elif isinstance(part, core.Lambda):
            unseen.update(part.parameters)
        if used is not None and used not in entered:
            entered.add(used)
            waiting.append(used.body)
        waiting += with_definitions(part)
    found: frozenset[core.Binding] = frozenset()
    while True:
        more = frozenset(
            parameter
            for call in calls
            for parameter, argument in zip(call.definition.parameters, call.arguments, strict=True)
            if _is_next(argument, found)
        )
        if more == found:
            return Passed(found, frozenset(unseen))
        found = more


def _is_next(e: core.Expression, parameters: frozenset[core.Binding]) -> bool:
    if isinstance(e, core.Reference):
        return e.binding in parameters
    return isinstance(e, core.Builtin) and e.operator == "'" and isinstance(e.arguments[0], core.VariableReference)
