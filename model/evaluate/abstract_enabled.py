"""ENABLED of an action that came through INSTANCE with expressions in place of variables.

There the action's variables are the instantiated module's: `x' = 1` says of the abstract x that it can become 1, even
where x stands for an expression that no single assignment makes 1 (*Specifying Systems* 17.8). So each expression
that stands for a variable and is primed becomes a variable of its own, whose value now is the expression's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from rmqproof.model.evaluate.system import InterpretedSystem, State
from rmqproof.model.tla import core
from rmqproof.model.tla.module_place import module_at
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.split import opened
from rmqproof.model.tla.walk import children, rebuild

Wrap = Callable[[core.Expression], core.Expression]


@dataclass(frozen=True, slots=True)
class AbstractEnabled:
    """`expression` with the variables that were made, each of which has the value of an expression now; and its
    truth."""

    expression: core.Expression
    standing: tuple[tuple[core.Variable, core.Expression], ...]
    test: Callable[[State], bool]


def abstract_enabled(system: InterpretedSystem, step: core.AngleAction, wrap: Wrap) -> AbstractEnabled | None:
    """ENABLED of the step; None where no primed expression stands for a variable."""
    variables = system.model.specification.variables
    change = _Change(len(variables))
    condition = core.Builtin(step.at, "/\\", (change.action(step.action), change.changed(step)))
    if not change.standing:
        return None
    found = tuple(change.standing.values())
    specification = replace(system.model.specification, variables=(*variables, *(variable for variable, _ in found)))
    wider = InterpretedSystem(core.Model(specification, None, None, words=system.model.words), system.runtime)
    wider._constants.update(system._constants)
    enabled = core.Builtin(step.at, "ENABLED", (condition,))
    whole = wrap(enabled)
    test = wider.careful_condition(whole)
    standing = tuple((variable, wrap(expression)) for variable, expression in found)
    values = [system.state_value(expression) for _, expression in standing]
    return AbstractEnabled(
        whole, standing, lambda state: bool(test((*state[:-1], *(value(state) for value in values), 0)))
    )


@dataclass(slots=True)
class _Change:
    """`standing` are the expressions found, with the variables that they become."""

    first: int
    standing: dict[Any, tuple[core.Variable, core.Expression]] = field(default_factory=dict)

    def action(self, node: core.Expression) -> core.Expression:
        if isinstance(node, core.Call) and node.definition.level >= core.ACTION and not node.definition.recursive:
            return self.action(opened(node))
        if isinstance(node, core.Builtin) and node.operator == "'":
            return core.Builtin(node.at, "'", (self._primed(node.arguments[0], node.at),))
        if isinstance(node, core.Builtin) and node.operator == "UNCHANGED":
            return self._unchanged(node.arguments[0], node.at)
        if isinstance(node, core.AngleAction):
            return core.Builtin(node.at, "/\\", (self.action(node.action), self.changed(node)))
        return rebuild(node, self.action)

    def changed(self, step: core.AngleAction) -> core.Expression:
        """The step changes its subscript."""
        after = core.Builtin(step.at, "'", (self._primed(step.subscript, step.at),))
        return core.Builtin(step.at, "#", (after, step.subscript))

    def _unchanged(self, node: core.Expression, at: Location) -> core.Expression:
        while isinstance(node, core.Call) and not node.definition.recursive and not _substituted(node, at):
            node = opened(node)
        if isinstance(node, core.TupleExpression):
            return core.Builtin(at, "/\\", tuple(self._unchanged(item, at) for item in node.items))
        after = core.Builtin(at, "'", (self._primed(node, at),))
        return core.Builtin(at, "=", (after, node))

    def _primed(self, node: core.Expression, at: Location) -> core.Expression:
        """The expression under a prime at this place, with the variables."""
        if isinstance(node, core.VariableReference):
            return node
        if _substituted(node, at):
            return core.VariableReference(node.at, self._variable(node))
        if isinstance(node, core.Call) and node.definition.level == core.STATE and not node.definition.recursive:
            return self._primed(opened(node), at)
        return rebuild(node, lambda part: self._primed(part, at))

    def _variable(self, node: core.Expression) -> core.Variable:
        key: Any = node.at
        name = f"{node.at}"
        if isinstance(node, core.Call) and not node.arguments:
            key, name = node.definition, node.definition.name
        if key not in self.standing:
            self.standing[key] = (core.Variable(name, node.at, self.first + len(self.standing)), node)
        return self.standing[key][0]


def _substituted(node: core.Expression, at: Location) -> bool:
    """Whether an expression that varies comes from another module than the place where it is primed."""
    if not _varies(node):
        return False
    here = module_at(at)
    if isinstance(node, core.Call):
        return module_at(node.definition.at) != here and "!" not in node.definition.name
    return module_at(node.at) != here


def _varies(node: core.Expression) -> bool:
    if isinstance(node, core.VariableReference):
        return True
    if isinstance(node, core.Call) and node.definition.level == core.STATE:
        return True
    return any(_varies(part) for part in children(node))
