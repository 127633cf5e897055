"""Builders of resolved trees, for tests that need no parser."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.tla.core import (
    Binder,
    Binding,
    Builtin,
    Definition,
    Expression,
    Literal,
    Model,
    Reference,
    Specification,
    Variable,
    VariableReference,
)
from rmqproof.model.tla.source import Location, Source

AT = Location(Source("test", "a line\n"), 1, 1, 1, 2)


def literal(value: int | str | bool) -> Literal:
    return Literal(AT, value)


def builtin(operator: str, *arguments: Expression) -> Builtin:
    return Builtin(AT, operator, arguments)


def binding(name: str) -> Binding:
    return Binding(name, AT)


def reference(bound: Binding) -> Reference:
    return Reference(AT, bound)


def binder(bound: Binding, domain: Expression) -> Binder:
    return Binder((bound,), False, domain)


def variables(*names: str) -> tuple[list[Variable], list[VariableReference]]:
    declared = [Variable(name, AT, index) for index, name in enumerate(names)]
    return declared, [VariableReference(AT, variable) for variable in declared]


def model(
    declared: Sequence[Variable],
    initial: Expression | None,
    next: Expression | None = None,
    definitions: Sequence[Definition] = (),
    invariants: Sequence[Definition] = (),
) -> Model:
    named = {definition.name: definition for definition in definitions}
    specification = Specification("Test", (), tuple(declared), named, (), (), tuple(range(len(declared))))
    return Model(specification, initial, next, invariants=tuple(invariants))
