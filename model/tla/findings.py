"""What is suspicious about a model before any state is explored: it may check less than it seems to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import StrEnum
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.algorithms import declared_at
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.walk import children


class FindingKind(StrEnum):
    CONSTANT_UNUSED = "constant never used"
    VARIABLE_UNREAD = "variable never read"
    INVARIANT_CONSTANT = "invariant mentions no variable"
    ACTION_UNREACHED = "action never reached"
    SETTING_UNKNOWN = "setting of an unknown name"


@dataclass(frozen=True, slots=True)
class Finding:
    kind: FindingKind
    message: str
    at: Location


def static_findings(model: core.Model) -> tuple[Finding, ...]:
    """The findings in the order of `FindingKind`, then of the text."""
    uses = _Uses()
    if model.initial is not None:
        uses.visit(model.initial, initial=True)
    for root in _roots(model):
        uses.visit(root)
    for assumption in model.specification.assumptions:
        uses.visit(assumption.body)
    return (
        *_constants(model, uses),
        *_variables(model, uses),
        *_invariants(model),
        *_actions(model, uses),
        *(
            Finding(FindingKind.SETTING_UNKNOWN, f"{name} has a value, but no module declares or defines it", at)
            for name, at in model.unknown_settings
        ),
    )


def _roots(model: core.Model) -> Iterator[core.Expression]:
    """What the search evaluates besides the initial predicate."""
    if model.next is not None:
        yield model.next
    yield from model.fairness
    named: Iterable[core.Definition | None] = (
        *model.invariants,
        *(item.definition for item in model.properties),
        *model.constraints,
        *model.action_constraints,
        model.symmetry,
        model.view,
        model.alias,
        *model.postconditions,
    )
    for definition in named:
        if definition is not None:
            yield core.Call(definition.at, definition)


@dataclass(slots=True)
class _Uses:
    """Collects what is used. A variable is read where its value matters for something else than its own next value."""

    definitions: set[core.Definition] = field(default_factory=set)
    constants: set[core.Constant] = field(default_factory=set)
    read: set[core.Variable] = field(default_factory=set)
    asks_checker: bool = False  # whether an operator of TLC is used, whose value may differ from state to state
    _seen: set[tuple[core.Definition, core.Variable | None, bool]] = field(default_factory=set)

    def visit(self, root: core.Expression, initial: bool = False) -> None:
        """In the initial predicate `v = e` sets v; elsewhere `v' = e` does."""
        waiting: list[tuple[Any, core.Variable | None]] = [(root, None)]
        while waiting:
            node, assigned = waiting.pop()
            if isinstance(node, core.VariableReference):
                if node.variable is not assigned:
                    self.read.add(node.variable)
            elif isinstance(node, core.ConstantReference):
                self.constants.add(node.constant)
            elif isinstance(node, core.Builtin) and node.operator == "UNCHANGED":
                continue
            elif isinstance(node, core.Builtin) and node.operator.startswith(("TLC!TLCGet", "TLCExt!")):
                self.asks_checker = True
            elif isinstance(node, core.Builtin) and node.operator in ("=", "\\in"):
                target = _assigned(node.arguments[0], initial)
                if target is None:
                    waiting += [(part, assigned) for part in node.arguments]
                else:
                    waiting.append((node.arguments[1], target))
            elif isinstance(node, core.BoxAction | core.AngleAction | core.Fairness):
                waiting.append((node.action, assigned))
            else:
                waiting += [(part, assigned) for part in children(node)]
                waiting += [(body, assigned) for body in self._bodies(node, assigned, initial)]

    def _bodies(
        self, node: core.Expression, assigned: core.Variable | None, initial: bool
    ) -> Iterator[core.Expression]:
        named: tuple[Any, ...] = ()
        if isinstance(node, core.Call):
            named = (node.definition,)
        elif isinstance(node, core.OperatorArgument):
            named = (node.target,)
        elif isinstance(node, core.Let):
            named = node.definitions
        for definition in named:
            if isinstance(definition, core.Definition) and (definition, assigned, initial) not in self._seen:
                self._seen.add((definition, assigned, initial))
                self.definitions.add(definition)
                yield definition.body


def _assigned(left: core.Expression, initial: bool) -> core.Variable | None:
    """The variable that `left = e` sets."""
    if initial and isinstance(left, core.VariableReference):
        return left.variable
    if isinstance(left, core.Builtin) and left.operator == "'":
        left = left.arguments[0]
        return left.variable if isinstance(left, core.VariableReference) else None
    return None


def _constants(model: core.Model, uses: _Uses) -> Iterator[Finding]:
    for constant in model.specification.constants:
        # a constant that the configuration replaces occurs nowhere, and a setting may have its default for others
        given = constant.value is not None and constant.value.at.source is not constant.at.source
        if given and constant not in uses.constants:
            yield Finding(
                FindingKind.CONSTANT_UNUSED, f"constant {constant.name} does not matter: nothing uses it", constant.at
            )


def _variables(model: core.Model, uses: _Uses) -> Iterator[Finding]:
    initial = model.initial
    if initial is None:
        return
    for variable in model.specification.variables:
        if variable not in uses.read:
            yield Finding(
                FindingKind.VARIABLE_UNREAD,
                f"variable {variable.name} is set but never read: no guard, property or other variable depends on it",
                declared_at(variable.name, variable.at),
            )


def _invariants(model: core.Model) -> Iterator[Finding]:
    for invariant in model.invariants:
        uses = _Uses()
        if invariant.level == core.CONSTANT:
            uses.visit(core.Call(invariant.at, invariant))
        if invariant.level == core.CONSTANT and not uses.asks_checker:
            yield Finding(
                FindingKind.INVARIANT_CONSTANT,
                f"invariant {invariant.name} mentions no variable: it says the same of every state",
                invariant.at,
            )


def _actions(model: core.Model, uses: _Uses) -> Iterator[Finding]:
    if model.next is None:
        return
    for name, definition in model.specification.definitions.items():
        if definition.level == core.ACTION and definition not in uses.definitions:
            yield Finding(
                FindingKind.ACTION_UNREACHED,
                f"action {name} is defined, but neither the next-state action nor a property uses it",
                definition.at,
            )
