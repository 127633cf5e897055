"""Which parameters stand for a variable of the next state, so that `parameter = e` gives it its value."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple, Self

from rmqproof.model.actions.names import variable_of
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached


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
    for part in reached(*([e] if e is not None else [])):
        match part:
            case core.Call(arguments=arguments) if arguments:
                calls.append(part)
            case (
                core.OperatorArgument(target=core.Definition(parameters=parameters))
                | core.Lambda(parameters=parameters)
            ):
                unseen.update(parameters)
    found = _Passed()
    while True:
        before = len(found.as_next)
        for call in calls:
            for parameter, argument in zip(call.definition.parameters, call.arguments, strict=True):
                if variable_of(argument, found, primed=True) is not None:
                    found.as_next.setdefault(parameter, argument)
        if len(found.as_next) == before:
            return Passed(frozenset(found.as_next), frozenset(unseen))


@dataclass(slots=True)
class _Passed:
    """A scope in which parameters stand for what some call passes, where that is a variable of the next state."""

    as_next: dict[core.Binding, core.Expression] = field(default_factory=dict)

    def passed(self, parameter: core.Binding) -> tuple[core.Expression, Self] | None:
        found = self.as_next.get(parameter)
        return None if found is None else (found, self)

    def within(self, definition: core.Definition) -> Self:
        return self
