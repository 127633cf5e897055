"""Where an expression stands while it is compiled: the states it can read, the names around it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace

from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.shape import ANY, Shape
from rmqproof.model.records import dataclass
from rmqproof.model.tla.core import Binding, Definition, Expression, Lambda, OperatorArgument


class Frame:
    """How generated code reads the variables of one state."""

    def read(self, index: int) -> str | None:
        """Text of the value; None where the variable has none yet."""
        raise NotImplementedError

    def whole(self, count: int) -> str:
        """Text of the state as a tuple."""
        raise NotImplementedError

    def assigned(self, index: int) -> bool:
        return self.read(index) is not None


@dataclass(frozen=True, slots=True)
class WholeFrame(Frame):
    """A state that is a Python tuple; only `known` variables have a value (None: all)."""

    name: str
    known: frozenset[int] | None = None

    def read(self, index: int) -> str | None:
        return f"{self.name}[{index}]" if self.known is None or index in self.known else None

    def whole(self, count: int) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class LocalFrame(Frame):
    """A state in Python locals, perhaps not complete."""

    texts: Mapping[int, str]
    tuple_name: str = ""
    shapes: Mapping[int, Shape] = field(default_factory=dict)

    def read(self, index: int) -> str | None:
        return self.texts.get(index)

    def whole(self, count: int) -> str:
        return self.tuple_name or "(" + "".join(f"{self.texts.get(index, 'UNSET')}, " for index in range(count)) + ")"

    def bind(self, index: int, text: str, shape: Shape = ANY) -> LocalFrame:
        return LocalFrame({**self.texts, index: text}, "", {**self.shapes, index: shape})


@dataclass(frozen=True, slots=True, eq=False)
class ByName:
    """A parameter that stands for an expression."""

    node: Expression
    env: Env


@dataclass(frozen=True, slots=True, eq=False)
class OperatorValue:
    """A parameter that stands for an operator; `text`: a Python callable, or None when it is to be inlined."""

    target: Definition | Binding | Lambda | None
    env: Env | None
    text: str | None = None


Entry = Code | ByName | OperatorValue


@dataclass(slots=True)
class Names:
    """Fresh names inside one Python function. They end in _, which no name of a function does."""

    count: int = 0

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{identifier(stem)}_{self.count}_"


@dataclass(frozen=True, slots=True, eq=False)
class Env:
    """Where an expression stands. `walrus`: temporaries may be assigned here. `composed`: inside of A \\cdot B or
    ENABLED, where states that are found on the way do not count as generated. `later`: below a prime. `root`: what the
    Python function around it computes."""

    names: Names
    bindings: Mapping[Binding, Entry] = field(default_factory=dict)
    lets: Mapping[Definition, Code] = field(default_factory=dict)
    current: Frame | None = None
    next: Frame | None = None
    walrus: bool = True
    depth: int = 0
    composed: bool = False
    later: bool = False
    root: Expression | None = None

    def bind(self, more: Mapping[Binding, Entry]) -> Env:
        return replace(self, bindings={**self.bindings, **more})

    def let(self, definition: Definition, code: Code) -> Env:
        return replace(self, lets={**self.lets, definition: code})

    def no_walrus(self) -> Env:
        return replace(self, walrus=False) if self.walrus else self

    def at(self, inner: Env) -> Env:
        """The names of `inner`, the place of this."""
        lets = inner.lets if self.later == inner.later else {}  # what was computed was so of the other state
        return replace(self, bindings=inner.bindings, lets=lets, depth=self.depth + 1)

    def passed(self, parameter: Binding) -> tuple[Expression, Env] | None:
        entry = self.bindings.get(parameter)
        return (entry.node, self.at(entry.env)) if isinstance(entry, ByName) else None

    def within(self, definition: Definition) -> Env:
        return self

    def primed(self) -> Env:
        return replace(self, current=self.next, next=None, later=True)


def identifier(name: str) -> str:
    """A Python name like `name`, which may begin with a digit or be a symbol."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII) or "op"
    return f"_{text}" if text[0].isdigit() else text


def operator_value(argument: Expression, env: Env) -> OperatorValue:
    if isinstance(argument, OperatorArgument):
        if isinstance(argument.target, Binding):
            bound = env.bindings[argument.target]
            assert isinstance(bound, OperatorValue)
            return bound
        return OperatorValue(argument.target, env)
    assert isinstance(argument, Lambda)
    return OperatorValue(argument, env)


def arity_of(argument: Expression) -> int:
    if isinstance(argument, OperatorArgument):
        return argument.arity
    assert isinstance(argument, Lambda)
    return len(argument.parameters)
