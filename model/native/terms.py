"""What the compiler computes with: C expressions with their types, and what names mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from rmqproof.model.actions.naming import StepName
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type, join_all


@dataclass(frozen=True, slots=True)
class Change:
    """An element in which a function differs from the variable's value: C names of its rank, -1 for none, and value."""

    rank: str
    value: str


@dataclass(frozen=True, slots=True)
class Made:
    """How a structure is made where it is wanted: after the declaration and the statements, which may stand once in any
    block, it lies at `place`, an lvalue. `own`: that is the variable that is declared, of which nothing else knows."""

    declaration: str
    statements: str
    place: str
    own: bool = True

    def behind(self, statements: str) -> Made:
        """The same behind statements, which stand in the same block."""
        return replace(self, statements=f"{statements} {self.statements}")

    @property
    def text(self) -> str:
        return f"{self.declaration} {self.statements}"


@dataclass(frozen=True, slots=True)
class C:
    """A C expression. `risky`: it can fail; `lvalue`: it is a name or a path of fields (or a number), free
    to be written twice."""

    code: str
    type: Type
    risky: bool = False
    lvalue: bool = False
    changes: tuple[Change, ...] = ()
    """Of a variable's next value: all that differs from its value; empty: that is not known."""
    kept: Kept | None = None
    """Where it lies, if it was computed before and fails when it is used."""
    made: Made | None = None
    """Of a structure: how to have it without a copy of what `code` gives."""

    @classmethod
    def of(cls, made: Made, type_: Type, risky: bool = False) -> C:
        """What is made so."""
        return cls(f"({{ {made.text} {made.place}; }})", type_, risky, made=made)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was computed: where the value lies, and the name of the variable with its failure, which is zero if it has
    none."""

    place: str
    failure: str

    def value(self, type_: Type) -> C:
        """The value, which fails when it is used."""
        return C(f"(*(raise_(c, {self.failure}), &{self.place}))", type_, True, True, kept=self)


@dataclass(frozen=True, slots=True)
class Closure:
    """An operator passed as an argument, or defined by LET, with what its free names mean.

    `instance`: of a recursive one of LET, the same for all that one evaluation of the LET defines.
    """

    operator: core.OperatorArgument | core.Lambda | core.Definition
    env: Env
    instance: object = None


@dataclass(frozen=True, slots=True)
class Named:
    """A LET definition, or an argument that may be primed: `body` in the scope `env`.

    `value` is what it was computed to in `env`'s state; without one it is compiled where it is used.
    """

    body: core.Expression
    env: Env
    value: C | None = None


@dataclass(frozen=True, slots=True)
class Recursion:
    """A recursive function inside its own body: a C function of what it captures, and of the key."""

    name: str
    key: Type
    value: Type
    captured: tuple[C, ...]


@dataclass(frozen=True, slots=True)
class Lifted:
    """A recursive operator as a C function; `captured`: what a call passes of the names around its definition."""

    name: str
    parameters: list[Type]
    result: Type
    captured: tuple[C, ...]


@dataclass(frozen=True, slots=True)
class Env:
    """What names mean.

    `primed` holds the next state's variables as far as they are assigned, None where there is no next state. `current`
    points at the state that plain variables are read from; with `next` they are read from `primed` instead. `after`
    points at the next state where it is complete.
    """

    bindings: Mapping[core.Binding, Bound] = field(default_factory=dict)
    local: Mapping[core.Definition, Named | Closure] = field(default_factory=dict)
    primed: Mapping[core.Variable, C] | None = None
    current: str = "s"
    next: bool = False
    after: str = ""
    step: StepName[C] = field(default_factory=StepName)

    def bind(self, more: Mapping[core.Binding, Bound]) -> Env:
        return replace(self, bindings={**self.bindings, **more}) if more else self

    def define(self, definition: core.Definition, meaning: Named | Closure) -> Env:
        return replace(self, local={**self.local, definition: meaning})

    def assign(self, variable: core.Variable, value: C) -> Env:
        return replace(self, primed={**(self.primed or {}), variable: value})

    def shifted(self) -> Env:
        """The scope in which plain variables are the next state's."""
        if self.after:
            return replace(self, current=self.after, after="", primed=None)
        return replace(self, next=True)

    def named_as(self, other: Env) -> Env:
        """This scope, with the step's name as it is there."""
        return replace(self, step=other.step)

    def passed(self, parameter: core.Binding) -> tuple[core.Expression, Env] | None:
        bound = self.bindings.get(parameter)
        return (bound.body, self.inside(bound.env)) if isinstance(bound, Named) else None

    def within(self, definition: core.Definition) -> Env:
        meaning = self.local.get(definition)
        return self.inside(meaning.env) if isinstance(meaning, Named) else self

    def same_state(self, other: Env) -> bool:
        return self.current == other.current and self.next == other.next

    def inside(self, captured: Env) -> Env:
        """The captured scope, with the states as they are known here."""
        return replace(
            captured,
            primed=self.primed,
            current=self.current,
            next=self.next or captured.next,
            after=self.after,
            step=self.step,
        )


Bound = C | Closure | Named | Recursion
Body = Callable[[C], str]
Loop = Callable[[Body], tuple[str, bool]]
"""Statements with a body, and whether they may fail."""


def type_of_elements(loop: Loop) -> Type:
    """The type for all that the body of a loop is given."""
    types: list[Type] = []

    def note(element: C) -> str:
        types.append(element.type)
        return ""

    loop(note)
    return join_all(types)
