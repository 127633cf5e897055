"""What names mean while an expression is translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.values import Value
from rmqproof.model.tla import core


@dataclass(eq=False)
class Environment:
    """Bindings, and the definitions of the LETs around; `memo` keeps what those without parameters evaluate to."""

    bindings: Mapping[core.Binding, Value | Closure | Pending | ByName]
    definitions: Mapping[core.Definition, Environment] = field(default_factory=dict)
    memo: dict[Any, Value] = field(default_factory=dict)

    def bind(self, more: Mapping[core.Binding, Value | Closure | Pending | ByName]) -> Environment:
        return Environment({**self.bindings, **more}, self.definitions)

    def let(self, definitions: tuple[core.Definition, ...]) -> Environment:
        """The scope of a LET: the definitions see each other."""
        inner = Environment(self.bindings, {})
        inner.definitions = {**self.definitions, **dict.fromkeys(definitions, inner)}
        return inner


@dataclass(frozen=True, eq=False, slots=True)
class Closure:
    """An operator passed as an argument, with what its free names mean."""

    operator: core.OperatorArgument | core.Lambda
    environment: Environment


@dataclass(frozen=True, eq=False, slots=True)
class Pending:
    """An argument, and what must hold for it to have a value: demanded where the operator looks at it."""

    value: Value
    noted: Mapping[str, dict[int, Truth]]


@dataclass(frozen=True, eq=False, slots=True)
class ByName:
    """An argument that the operator looks at in another state, too: evaluated where it is looked at."""

    expression: core.Expression
    environment: Environment


NO_NAMES = Environment({})

State = Sequence[Value]
"""The values of the variables, in their order."""


@dataclass(frozen=True, eq=False, slots=True)
class Context:
    """What names and variables mean at a place."""

    environment: Environment
    now: State | None
    then: State | None

    def within(self, environment: Environment) -> Context:
        return Context(environment, self.now, self.then)
