"""Put expressions in the place of bindings of the core tree, making the parts anew that contain them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.model.tla import core
from rmqproof.model.tla.apply import apply_operator
from rmqproof.model.tla.expression_level import expression_level
from rmqproof.model.tla.walk import rebuild, standing_for

Values = Mapping[core.Binding, core.Expression]


def substitute(node: core.Expression, values: Values) -> core.Expression:
    """`node` with `values` for references to these bindings (operators for operator parameters)."""
    return _Substitution(values).visit(node)


class _Substitution:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.definitions: dict[core.Definition, core.Definition] = {}

    def visit(self, node: core.Expression) -> core.Expression:
        if isinstance(node, core.Reference):
            return standing_for(self.values.get(node.binding, node), node.stands_for, node.stands_also)
        if isinstance(node, core.CallParameter):
            arguments = tuple([self.visit(a) for a in node.arguments])
            operator = self.values.get(node.binding)
            if operator is not None:
                return apply_operator(operator, arguments)
            return core.CallParameter(node.at, node.binding, arguments)
        if isinstance(node, core.OperatorArgument):
            if isinstance(node.target, core.Binding):
                return self.values.get(node.target, node)
            if isinstance(node.target, core.Definition) and node.target in self.definitions:
                return core.OperatorArgument(node.at, self.definitions[node.target], node.arity)
            return node
        if isinstance(node, core.Call):
            definition = self.definitions.get(node.definition, node.definition)
            call = core.Call(node.at, definition, tuple([self.visit(a) for a in node.arguments]))
            return standing_for(call, node.stands_for, node.stands_also)
        if isinstance(node, core.Let):
            return self._let(node)
        result: Any = rebuild(node, self.visit)
        return result  # type: ignore[no-any-return]

    def _let(self, node: core.Let) -> core.Expression:
        """The definitions are copied, since they may use the bindings."""
        for old in node.definitions:
            self.definitions[old] = core.Definition(
                *(old.name, old.module, old.at, old.parameters, old.body),
                *(old.recursive, old.level, old.comment, old.annotations),
            )
        for old in node.definitions:
            copy = self.definitions[old]
            copy.body = self.visit(old.body)
            copy.level = max(old.level, expression_level(copy.body))  # what was put in may be more than a constant
        return core.Let(node.at, tuple(self.definitions[old] for old in node.definitions), self.visit(node.body))
