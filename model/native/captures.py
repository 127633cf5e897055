"""What a C function that is lifted out of its place needs from around it: every value becomes a parameter."""

from __future__ import annotations

from dataclasses import field, replace

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type

from . import parameters
from .context import Context
from .errors import NotCompilable
from .questions import names_used
from .terms import Bound, C, Closure, Env, Named, Recursion


@dataclass(frozen=True, slots=True)
class Captured:
    """A value, as it is known outside and inside of the function, and the name of the parameter that brings it."""

    name: str
    outside: C
    inside: C


@dataclass(slots=True)
class Captures:
    """The values that are captured, by their C text and type."""

    x: Context
    values: dict[tuple[str, Type], Captured] = field(default_factory=dict)
    plain: bool = True
    """Nothing but values is captured: no operator and no definition."""

    def scope(self, e: core.Expression, env: Env) -> Env:
        """What `e` sees of `env` inside of the lifted function, where there is one state.

        Raise `NotCompilable` for what cannot be captured.
        """
        if env.next:
            raise NotCompilable(None, "a recursion over the next state")
        names, definitions = names_used(e, env)
        return Env(
            {name: self._captured(env.bindings[name], env) for name in names},
            {definition: self._definition(env.local[definition], env) for definition in definitions},
        )

    @property
    def declared(self) -> str:
        """The parameters."""
        return "".join(f", {parameters.declared(self.x, v.name, v.outside.type)}" for v in self.values.values())

    @property
    def outside(self) -> tuple[C, ...]:
        """The values, as they are known where the function stands."""
        return tuple(value.outside for value in self.values.values())

    @property
    def inside(self) -> tuple[C, ...]:
        """The values, as they are known inside of the function."""
        return tuple(value.inside for value in self.values.values())

    def _captured(self, meaning: Bound, env: Env) -> Bound:
        match meaning:
            case C():
                return self._value(meaning)
            case Closure() | Named():
                return self._definition(meaning, env)
            case Recursion():
                return replace(meaning, captured=tuple(map(self._value, meaning.captured)))

    def _definition(self, meaning: Named | Closure, env: Env) -> Named | Closure:
        self.plain = False
        if isinstance(meaning, Closure):
            operator = meaning.operator
            body = operator.body if isinstance(operator, core.Definition) else operator
            return replace(meaning, env=self.scope(body, meaning.env))
        if meaning.value is not None and meaning.env.same_state(env):
            # a function may be opened rather than applied
            opened = isinstance(meaning.body, core.FunctionConstructor)
            scope = self.scope(meaning.body, meaning.env) if opened else Env()
            return Named(meaning.body, scope, self._value(meaning.value))
        return Named(meaning.body, self.scope(meaning.body, meaning.env))

    def _value(self, value: C) -> C:
        key, name = (value.code, value.type), f"p{len(self.values)}_"
        if key not in self.values:
            self.values[key] = Captured(name, value, parameters.inside(self.x, name, value.type))
        return self.values[key].inside
