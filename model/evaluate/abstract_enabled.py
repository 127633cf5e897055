"""ENABLED of an action that came through INSTANCE with expressions in place of variables.

There the action's variables are the instantiated module's: `x' = 1` says of the abstract x that it can become 1, even
where x stands for an expression that no single assignment makes 1 (*Specifying Systems* 17.8). So each expression
that stands for a variable and is primed becomes a variable of its own, whose value now is the expression's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.split import opened
from rmqproof.model.tla.substitute import substitute
from rmqproof.model.tla.walk import rebuild

Wrap = Callable[[core.Expression], core.Expression]


Tested = Callable[[Sequence[core.Variable], core.Expression], Callable[[Any], bool]]
"""A state formula as a test of states that have more variables."""


@dataclass(frozen=True, slots=True)
class AbstractEnabled:
    """`expression` with the variables that were made (`standing`), each of which has the value of an expression now.

    `test`: its truth, of a state that goes on with those values and those of the names that were given.
    """

    expression: core.Expression
    standing: tuple[tuple[core.Variable, core.Expression], ...]
    test: Callable[[Any], bool]


def abstract_enabled(
    tested: Tested,
    count: int,
    action: core.Expression,
    instance: str,
    names: Sequence[core.Binding] = (),
    wrap: Wrap = lambda node: node,
) -> AbstractEnabled | None:
    """ENABLED of the action, as it is written in an instance; None where no variable of its own is needed.

    `count`: of the variables that there are. `names`: bound around the action. `wrap` puts a part into the LETs around.
    """
    change, condition = _changed(action, instance, count)
    if not change.standing:
        return None
    standing = tuple((variable, wrap(expression)) for variable, expression in change.standing.values())
    first = count + len(standing)
    bound = [core.Variable(name.name, name.at, first + number) for number, name in enumerate(names)]
    values = {name: core.VariableReference(name.at, variable) for name, variable in zip(names, bound, strict=True)}
    whole = wrap(core.Builtin(action.at, "ENABLED", (substitute(condition, values) if values else condition,)))
    return AbstractEnabled(whole, standing, tested([*(variable for variable, _ in standing), *bound], whole))


def _changed(action: core.Expression, instance: str, first: int) -> tuple[_Change, core.Expression]:
    change = _Change(instance, first)
    change.action(action)
    shared = frozenset(variable for variable, origins in change.plain.items() if len(origins) > 1)
    change = _Change(instance, first, shared)
    return change, change.action(action)


@dataclass(slots=True)
class _Change:
    """`standing` are the expressions found, with the variables that they become.

    A variable that is put in the place of one variable only can stay what it is; `shared` are the others.
    """

    instance: str
    first: int
    shared: frozenset[core.Variable] = frozenset()
    standing: dict[tuple[str, str], tuple[core.Variable, core.Expression]] = field(default_factory=dict)
    plain: dict[core.Variable, set[tuple[str, str] | None]] = field(default_factory=dict)

    def action(self, node: core.Expression) -> core.Expression:
        if isinstance(node, core.Call) and node.definition.level >= core.ACTION and not node.definition.recursive:
            return self.action(opened(node))
        if isinstance(node, core.Builtin) and node.operator == "'":
            return core.Builtin(node.at, "'", (self._primed(node.arguments[0]),))
        if isinstance(node, core.Builtin) and node.operator == "UNCHANGED":
            return self._unchanged(node.arguments[0], node.at)
        if isinstance(node, core.AngleAction):
            return core.Builtin(node.at, "/\\", (self.action(node.action), self.changed(node)))
        return rebuild(node, self.action)

    def changed(self, step: core.AngleAction) -> core.Expression:
        """The step changes its subscript."""
        after = core.Builtin(step.at, "'", (self._primed(step.subscript),))
        return core.Builtin(step.at, "#", (after, step.subscript))

    def _unchanged(self, node: core.Expression, at: Location) -> core.Expression:
        while isinstance(node, core.Call) and not node.definition.recursive and not self._stands(node):
            node = opened(node)
        if isinstance(node, core.TupleExpression) and not self._stands(node):
            return core.Builtin(at, "/\\", tuple(self._unchanged(item, at) for item in node.items))
        after = core.Builtin(at, "'", (self._primed(node),))
        return core.Builtin(at, "=", (after, node))

    def _primed(self, node: core.Expression) -> core.Expression:
        """The expression under a prime, with the variables."""
        if isinstance(node, core.VariableReference) and node.variable not in self.shared:
            self.plain.setdefault(node.variable, set()).add(self._origin(node))
            return node
        origin = self._origin(node)
        if origin is not None:
            return core.VariableReference(node.at, self._variable(node, origin))
        if isinstance(node, core.Call) and node.definition.level == core.STATE and not node.definition.recursive:
            return self._primed(opened(node))
        return rebuild(node, self._primed)

    def _stands(self, node: core.Expression) -> bool:
        return self._origin(node) is not None

    def _origin(self, node: core.Expression) -> tuple[str, str] | None:
        """The variable of the instance in whose place the expression stands, here or in an instance inside of it."""
        origins = (node.stands_for, *node.stands_also)
        return next((origin for origin in origins if origin is not None and origin[0] == self.instance), None)

    def _variable(self, node: core.Expression, origin: tuple[str, str]) -> core.Variable:
        if origin not in self.standing:
            variable = core.Variable("".join(origin), node.at, self.first + len(self.standing))
            self.standing[origin] = (variable, node)
        return self.standing[origin][0]
