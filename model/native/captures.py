"""What a C function that is lifted out of its place needs from around it: every value becomes a parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type

from .errors import NotCompilable
from .questions import names_used
from .terms import Bound, C, Closure, Env, Named, Recursion


@dataclass(slots=True)
class Captures:
    """The values that are captured, by their C text and type, with the names of the parameters that bring them."""

    values: dict[tuple[str, Type], str] = field(default_factory=dict)
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

    def parameters(self, c_type: Callable[[Type], str]) -> str:
        return "".join(f", {c_type(type_)} {name}" for (_, type_), name in self.values.items())

    @property
    def given(self) -> str:
        """The arguments of a call from where the values are known."""
        return "".join(f", {code}" for code, _ in self.values)

    @property
    def outside(self) -> tuple[C, ...]:
        """The values, as they are known where the function stands."""
        return tuple(C(code, type_, False, True) for code, type_ in self.values)

    @property
    def inside(self) -> tuple[C, ...]:
        """The values, as they are known inside of the function."""
        return tuple(C(name, type_, False, True) for (_, type_), name in self.values.items())

    @property
    def passed(self) -> str:
        """The arguments of a call from inside of the function."""
        return "".join(f", {name}" for name in self.values.values())

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
        name = self.values.setdefault((value.code, value.type), f"p{len(self.values)}_")
        return C(name, value.type, False, True)
