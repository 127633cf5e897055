"""What types are found with: what names mean, and what is known so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached, used_by

from .domain import NOTHING, UNKNOWN, Type
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
    """What names mean: bindings, and variables narrowed by a guard.

    `later`: what a name that a guard has narrowed holds in the next state, for it may stand for a variable.
    """

    bindings: Mapping[core.Binding, Type | Closure] = field(default_factory=dict)
    narrowed: Mapping[core.Variable, Type] = field(default_factory=dict)
    later: Mapping[core.Binding, Type | Closure] = field(default_factory=dict)

    def bind(self, more: Mapping[core.Binding, Type | Closure]) -> Scope:
        if not more:
            return self
        later = {name: type_ for name, type_ in self.later.items() if name not in more}
        return replace(self, bindings={**self.bindings, **more}, later=later)

    def hold(self, name: core.Binding, type_: Type) -> Scope:
        """With what a guard says of a name."""
        later = {name: self.bindings[name], **self.later} if name in self.bindings else self.later
        return replace(self, bindings={**self.bindings, name: type_}, later=later)

    def primed(self) -> Scope:
        """What names mean under a prime: what a guard says of this state is not so of the next one."""
        return replace(self, bindings={**self.bindings, **self.later}, narrowed={}, later={})

    def narrow(self, variable: core.Variable, type_: Type) -> Scope:
        return replace(self, narrowed={**self.narrowed, variable: type_})


@dataclass(slots=True)
class Frame:
    """A recursive definition that is being typed."""

    arguments: list[Type]
    result: Type = NOTHING
    changed: bool = False


Instance = tuple[core.Definition, tuple[tuple[core.Binding, core.OperatorArgument | core.Lambda], ...]]
"""A recursive definition with the operators around it: in what a fold is given there may be another fold."""


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
    active: dict[Instance, Frame] = field(default_factory=dict)
    constants: dict[core.Constant, Type] = field(default_factory=dict)
    assigned: dict[tuple[int, bool], tuple[core.Expression, bool]] = field(default_factory=dict)

    _around: dict[core.Definition, tuple[core.Binding, ...]] = field(default_factory=dict)
    _reached: dict[int, tuple[core.Expression, frozenset[core.Definition]]] = field(default_factory=dict)

    def of(self, e: core.Expression, scope: Scope) -> Type:
        """The type of `e`."""
        form = self.forms.get(type(e))
        return UNKNOWN if form is None else form(self, e, scope)

    def follow(self, formula: core.Expression, scope: Callable[[], Scope]) -> None:
        """Note what a formula, whose type is known, passes to the recursive definitions that are being typed."""
        if self.active:
            applied = self._recursive_in(formula)
            if any(definition in applied for definition, _ in self.active):
                self.of(formula, scope())

    def instance(self, definition: core.Definition, scope: Scope) -> Instance:
        """The definition, and which operators the names mean that it applies and that are bound around it."""
        if definition not in self._around:
            self._around[definition] = tuple(dict.fromkeys(_operators_around(definition)))
        bound = ((name, scope.bindings.get(name)) for name in self._around[definition])
        return definition, tuple((name, meaning.operator) for name, meaning in bound if isinstance(meaning, Closure))

    def _recursive_in(self, e: core.Expression) -> frozenset[core.Definition]:
        """The recursive definitions that an expression may apply."""
        if id(e) not in self._reached:
            used = (definition for node in reached(e) for definition in used_by(node))
            self._reached[id(e)] = e, frozenset(definition for definition in used if definition.recursive)
        return self._reached[id(e)][1]


def _operators_around(definition: core.Definition) -> Iterator[core.Binding]:
    for node in reached(definition.body):
        match node:
            case core.CallParameter(binding=name) | core.OperatorArgument(target=core.Binding() as name):
                if name not in definition.parameters:
                    yield name


Form = Callable[[Typing, Any, Scope], Type]
