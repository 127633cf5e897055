"""What types are found with: what names mean, and what is known so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rmqproof.model.tla import core

from .domain import (
    NOTHING,
    UNKNOWN,
    Type,
)
from .primed import NONE_PASSED, Passed

ROUNDS_BEFORE_WIDENING = 4
ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Closure:
    """An operator passed as an argument, with what its free names mean."""

    operator: core.OperatorArgument | core.Lambda
    scope: Scope


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean: bindings, and variables narrowed by a guard."""

    bindings: Mapping[core.Binding, Type | Closure] = field(default_factory=dict)
    narrowed: Mapping[core.Variable, Type] = field(default_factory=dict)

    def bind(self, more: Mapping[core.Binding, Type | Closure]) -> Scope:
        return replace(self, bindings={**self.bindings, **more}) if more else self

    def narrow(self, variable: core.Variable, type_: Type) -> Scope:
        return replace(self, narrowed={**self.narrowed, variable: type_})


@dataclass(slots=True)
class Frame:
    """A recursive definition that is being typed."""

    arguments: list[Type]
    result: Type = NOTHING
    changed: bool = False


@dataclass(slots=True)
class Typing:
    """Types of expressions, given the types of the variables."""

    forms: Mapping[type[core.Expression], Form]
    """How the type of each node is found."""
    variables: dict[core.Variable, Type]
    landmarks: tuple[int, ...] = ()
    passed: Passed = NONE_PASSED
    known: dict[object, Type] = field(default_factory=dict)
    """Of operators applied to types."""
    active: dict[core.Definition, Frame] = field(default_factory=dict)
    constants: dict[core.Constant, Type] = field(default_factory=dict)
    assigned: dict[tuple[int, bool], bool] = field(default_factory=dict)

    def of(self, e: core.Expression, scope: Scope) -> Type:
        """The type of `e`."""
        form = self.forms.get(type(e))
        return UNKNOWN if form is None else form(self, e, scope)


Form = Callable[[Typing, Any, Scope], Type]
