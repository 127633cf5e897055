"""What a name can mean while modules are resolved, before it becomes a node of the core tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import Enum

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.source import Location


@dataclass(eq=False, slots=True)
class Symbol:
    """`arities` are those of its own parameters: 0 a value, n an operator of n arguments.

    `replacement` is what the configuration puts in its place for everybody who means this very symbol.
    """

    name: str
    at: Location | None
    arities: tuple[int, ...]
    replacement: Symbol | None = field(default=None, init=False)


@dataclass(eq=False, slots=True)
class BoundSymbol(Symbol):
    """A bound variable, or a parameter of an operator."""

    binding: core.Binding


@dataclass(eq=False, slots=True)
class RecursionSymbol(BoundSymbol):
    """A function's own name inside its definition."""

    used: bool = field(default=False, init=False)


@dataclass(eq=False, slots=True)
class ContextSymbol(Symbol):
    """A parameter of an instance (`x` in `I(x) == INSTANCE M`): each definition of the instance has it as its own."""


@dataclass(eq=False, slots=True)
class ConstantSymbol(Symbol):
    """A declared constant. `stand_in` is a definition to call where the constant takes arguments and has no value."""

    constant: core.Constant
    stand_in: core.Definition | None = field(default=None, init=False)


@dataclass(eq=False, slots=True)
class VariableSymbol(Symbol):
    variable: core.Variable


@dataclass(eq=False, slots=True)
class LetSymbol(Symbol):
    """`unit` and `scope` are there once the definition has been read; the scope has its name."""

    definition: core.Definition
    function_arity: int = 0
    unit: syntax.OperatorDefinition | syntax.FunctionDefinition | None = None
    scope: Locals | None = None


@dataclass(eq=False, slots=True)
class LetPartSymbol(Symbol):
    """A part of a definition of a LET, named inside that LET; it means what it means in `scope`."""

    part: syntax.OperatorDefinition
    scope: Locals | None


@dataclass(eq=False, slots=True)
class AliasSymbol(Symbol):
    """A definition under the name that an INSTANCE gives it: replaced apart from its source."""

    source: Symbol


@dataclass(eq=False, slots=True)
class ValueSymbol(Symbol):
    """A value that the configuration gives, to an operator whatever its arguments. `cases` are (arguments, value) for
    `F(1, 2) = 3`."""

    value: core.Expression | None
    cases: tuple[tuple[tuple[core.Expression, ...], core.Expression], ...] = ()
    definition: core.Definition | None = field(default=None, init=False)


class Kind(Enum):
    CONSTANT = "constant"
    VARIABLE = "variable"
    DEFINITION = "definition"
    INSTANCE = "instance"


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A name of a module. A unit sees the entries whose position is smaller than its own index.

    `passed_on`: it came with a module of the community's, its own or one of a module that it uses. A user's module can
    give such a name a meaning of its own without an error: which names those modules pass on differs between their
    releases, so that specifications that define one are correct with one release, and specifications that rely on it
    with another.
    """

    symbol: Symbol
    position: int
    kind: Kind
    local: bool
    at: Location | None
    passed_on: bool = False


@dataclass(eq=False, slots=True)
class Locals:
    """Names bound inside an expression: parameters, bound variables, definitions of a LET.

    `binder`: a quantifier or another construct binds them, so that a label below has them as parameters. `barrier`:
    labels below do not look further out.
    """

    names: dict[str, Symbol]
    outer: Locals | None
    binder: bool = False
    barrier: bool = False

    def find(self, name: str) -> Symbol | None:
        scope: Locals | None = self
        while scope is not None:
            symbol = scope.names.get(name)
            if symbol is not None:
                return symbol
            scope = scope.outer
        return None

    def parameters_of_label(self) -> list[str]:
        """The names that a label here has as parameters, the outermost first."""
        found: list[str] = []
        scope: Locals | None = self
        while scope is not None and not scope.barrier:
            if scope.binder:
                found = [*scope.names, *found]
            scope = scope.outer
        return found

    def all_names(self) -> Iterator[str]:
        scope: Locals | None = self
        while scope is not None:
            yield from scope.names
            scope = scope.outer


@dataclass(eq=False, slots=True)
class Frame:
    """The bindings that instance parameters have inside one definition; `outer`: around a LET."""

    bindings: dict[ContextSymbol, core.Binding]
    outer: Frame | None

    def find(self, symbol: ContextSymbol) -> core.Binding | None:
        frame: Frame | None = self
        while frame is not None:
            binding = frame.bindings.get(symbol)
            if binding is not None:
                return binding
            frame = frame.outer
        return None
