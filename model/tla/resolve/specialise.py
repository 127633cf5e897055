"""Calls that pass an operator which looks behind the value of its argument: `Of(UNCHANGED, x)`, `Of(LAMBDA e : e', x)`.

What such an operator is applied to has to reach it as an expression, also through the operator that it is passed to. So
the call is made one of a copy in which the operator stands where the parameter stood: `LET Of(e) == UNCHANGED e IN
Of(x)`. After that only operators on values are passed, which every reader of the core tree knows to handle.
"""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.tla.by_name import ByName
from rmqproof.model.tla.expression_level import expression_level
from rmqproof.model.tla.resolve.problems import Problems
from rmqproof.model.tla.substitute import substitute
from rmqproof.model.tla.walk import children, rebuild, standing_for

_DEPTH = 50  # a recursive operator that wraps the operator passed to it anew each time would never end

Key = tuple[core.Definition, tuple[tuple[int, object], ...]]


class Specialiser:
    """Rewrites expressions; the bodies of a LET's definitions are changed in place."""

    def __init__(self, by_name: ByName, problems: Problems) -> None:
        self.by_name = by_name
        self.problems = problems
        self._open: dict[Key, core.Definition] = {}  # copies in whose bodies the walk is

    def specialised(self, node: core.Expression) -> core.Expression:
        """`node`, rewritten if something in it has to be; the definitions of a LET are asked about for themselves."""
        return self.expression(node) if self._concerns(node) else node

    def _concerns(self, node: core.Expression) -> bool:
        if isinstance(node, core.Call) and any(map(self._looks_behind, node.arguments)):
            return True
        return any(map(self._concerns, children(node)))

    def expression(self, node: core.Expression) -> core.Expression:
        if isinstance(node, core.Call) and any(map(self._looks_behind, node.arguments)):
            return standing_for(self._call(node), node.stands_for)
        if isinstance(node, core.Let):
            for definition in node.definitions:
                definition.body = self.expression(definition.body)
                definition.level = max(definition.level, expression_level(definition.body))
        return rebuild(node, self.expression)

    def _looks_behind(self, argument: core.Expression) -> bool:
        if isinstance(argument, core.Lambda):
            return self.by_name.of_operator(argument)
        return (
            isinstance(argument, core.OperatorArgument)
            and not isinstance(argument.target, core.Binding)
            and self.by_name.of_operator(argument.target)
        )

    def _call(self, node: core.Call) -> core.Expression:
        definition = node.definition
        pairs = list(zip(definition.parameters, node.arguments, strict=True))
        passed = {parameter: argument for parameter, argument in pairs if self._looks_behind(argument)}
        rest = [(parameter, self.expression(argument)) for parameter, argument in pairs if parameter not in passed]
        arguments = tuple([argument for _, argument in rest])
        operators = ((place, _identity(a)) for place, a in enumerate(node.arguments) if self._looks_behind(a))
        key = (definition, tuple(operators))
        known = self._open.get(key)
        if known is not None:
            return core.Call(node.at, known, arguments)
        if len(self._open) > _DEPTH:
            self.problems.add(
                f"{definition.name} passes on operators without end, each made of the one before",
                node.at,
                "Pass values where the operator primes its argument or looks at it in other states.",
            )
            return node
        parameters = tuple(parameter for parameter, _ in rest)
        copy = replace(definition, parameters=parameters, body=substitute(definition.body, passed))
        self._open[key] = copy
        copy.body = self.expression(copy.body)
        copy.level = max(definition.level, expression_level(copy.body))
        del self._open[key]
        return core.Let(node.at, (copy,), core.Call(node.at, copy, arguments))


def _identity(operator: core.Expression) -> object:
    return operator.target if isinstance(operator, core.OperatorArgument) else operator
