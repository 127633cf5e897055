"""A module elaborated in an environment: its names, and what its constants and variables stand for there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.library import ModuleText
from rmqproof.model.tla.resolve.symbols import AliasSymbol, ContextSymbol, Entry, Frame, Kind, Locals, Symbol
from rmqproof.model.tla.standard import StandardOperator

Definable = syntax.OperatorDefinition | syntax.FunctionDefinition | syntax.Assume | syntax.Theorem
END = 1 << 60  # a position that sees a whole module


Waiting = list[tuple[Symbol, core.Definition, Frame | None]]
"""Definitions whose bodies are still to be resolved."""


@dataclass(eq=False, slots=True)
class Collector:
    """The definitions that instances inside one LET bring about; they become definitions of that LET."""

    definitions: list[core.Definition] = field(default_factory=list)
    queue: Waiting = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Environment:
    """What the constants and variables of a module and of those it extends mean.

    `substitutions` None: themselves. Every definition made in this environment has the parameters of `context` first.
    `frame` and `collector` are those of the LET that the instance stands in. `checked`: resolve every definition, used
    or not, to find its errors. `passed`: for a variable in whose place INSTANCE puts a variable of the instance around
    it, as it is, what that one stands for. `has_variables`: the module of the instance declares some.
    """

    prefix: str = ""
    substitutions: dict[str, Symbol] | None = None
    context: tuple[ContextSymbol, ...] = ()
    frame: Frame | None = None
    collector: Collector | None = None
    checked: bool = False
    elaborations: dict[str, Elaboration] = field(default_factory=dict)
    passed: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    has_variables: bool = False


@dataclass(eq=False, slots=True)
class NestedModule:
    """A module written inside another one, at `position`; the unit after `visible` can name it, and so can modules
    that extend the outer one."""

    text: ModuleText
    owner: Elaboration
    position: int
    visible: int
    generic: Elaboration | None = None


@dataclass(eq=False, slots=True)
class Elaboration:
    """`owner` and `position`: where a nested module stands. `operators` are its own definitions in order."""

    text: ModuleText
    environment: Environment
    owner: Elaboration | None
    position: int
    names: dict[str, Entry] = field(default_factory=dict)
    modules: dict[str, NestedModule] = field(default_factory=dict)
    operators: list[OperatorSymbol] = field(default_factory=list)
    assumptions: list[tuple[syntax.Assume, Elaboration, int]] = field(default_factory=list)
    theorems: list[tuple[syntax.Theorem, Elaboration, int]] = field(default_factory=list)

    def find(self, name: str, position: int) -> Entry | None:
        """What `name` means to the unit at `position`."""
        module: Elaboration | None = self
        while module is not None:
            entry = module.names.get(name)
            if entry is not None and entry.position < position:
                return entry
            position = module.position
            module = module.owner
        return None

    def find_module(self, name: str, position: int) -> NestedModule | None:
        module: Elaboration | None = self
        while module is not None:
            nested = module.modules.get(name)
            if nested is not None and nested.visible < position:
                return nested
            position = module.position
            module = module.owner
        return None

    def visible(self, position: int) -> Iterator[str]:
        module: Elaboration | None = self
        while module is not None:
            yield from (name for name, entry in module.names.items() if entry.position < position)
            position = module.position
            module = module.owner

    def declared(self) -> dict[str, Entry]:
        """The constants and variables, those of extended modules included."""
        return {name: entry for name, entry in self.names.items() if entry.kind in (Kind.CONSTANT, Kind.VARIABLE)}


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A place where names are looked up."""

    module: Elaboration
    position: int
    locals: Locals | None

    def find(self, name: str) -> Symbol | None:
        if self.locals is not None:
            symbol = self.locals.find(name)
            if symbol is not None:
                return symbol
        entry = self.module.find(name, self.position)
        return entry.symbol if entry is not None else None


# --- what only a module in its environment makes a symbol of --------------------------------------------------------


@dataclass(eq=False, slots=True)
class OperatorSymbol(Symbol):
    """A definition (or a named assumption or theorem) of a module, in one elaboration of that module."""

    unit: Definable
    home: Elaboration
    position: int
    recursive: bool = False  # declared so
    is_part: bool = False  # of another definition, named by a path into it
    definition: core.Definition | None = field(default=None, init=False)


@dataclass(eq=False, slots=True)
class BuiltinSymbol(Symbol):
    """`text`: the module's definition, where the operator computes what that says."""

    operator: StandardOperator
    text: OperatorSymbol | None = None


@dataclass(eq=False, slots=True)
class SubstitutedSymbol(Symbol):
    """A constant or variable of an instantiated module that stands for an expression."""

    value: syntax.Expression
    site: Site
    environment: Environment
    definition: core.Definition | None = field(default=None, init=False)


@dataclass(eq=False, slots=True)
class InstanceSymbol(Symbol):
    """`I` in `I(x) == INSTANCE M`; `parameters` are its own."""

    parameters: tuple[ContextSymbol, ...]
    elaboration: Elaboration
    _members: dict[str, AliasSymbol] = field(default_factory=dict, init=False)

    def member(self, name: str) -> Symbol | None:
        """What `I!name` means. A definition has a symbol of its own here: replacing `I!Op` leaves the module alone."""
        entry = self.elaboration.names.get(name)
        if entry is None or entry.local or entry.kind in (Kind.CONSTANT, Kind.VARIABLE):
            return None
        if entry.kind is Kind.INSTANCE:
            return entry.symbol
        symbol = entry.symbol
        return self._members.setdefault(name, AliasSymbol(name, symbol.at, symbol.arities, symbol))


def highest_level(module: Elaboration | None, name: str) -> int | None:
    """How high the level may be of what INSTANCE puts in the place of `name`; None where it may be any.

    It goes for what an instance of a module with variables has as parameters: what is put there itself is checked where
    it stands.
    """
    while module is not None:
        entry = module.names.get(name)
        if entry is not None:
            environment = module.environment
            if environment.substitutions is None or not environment.has_variables:
                return None
            return {Kind.CONSTANT: core.CONSTANT, Kind.VARIABLE: core.STATE}.get(entry.kind)
        module = module.owner
    return None


def stands_for(module: Elaboration | None, name: str) -> tuple[tuple[str, str], ...]:
    """The instance and the name, where that is a variable in whose place INSTANCE puts something; then those of the
    instances around it whose variable it is, too."""
    while module is not None:
        entry = module.names.get(name)
        if entry is not None:
            environment = module.environment
            if entry.kind is not Kind.VARIABLE or environment.substitutions is None:
                return ()
            return ((environment.prefix, name), *environment.passed.get(name, ()))
        module = module.owner
    return ()
