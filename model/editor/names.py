"""Every name in a module: where it stands, and what it names there.

Found in the syntax tree, so that it works for what a configuration replaces and while a model cannot be checked. Names
of records' fields and of labels, strings and comments are no names of this kind. A name that a module of the standard
library defines names nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rmqproof.model.tla import syntax
from rmqproof.model.tla.library import Library, ModuleText
from rmqproof.model.tla.source import Location, Source, TlaError

_NAME = re.compile(r"[A-Za-z0-9_]*[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name stands for: the place of its declaration. `outer`: of a module, and not of a formula."""

    name: str
    file: str
    line: int
    column: int
    outer: bool


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at a place, in the file's lines."""

    symbol: Symbol
    source: Source
    line: int
    column: int

    @property
    def at(self) -> Location:
        return Location(self.source, self.line, self.column, self.line, self.column + len(self.symbol.name))


Scope = dict[str, Symbol]
Exports = Mapping[str, Symbol]


class Names:
    """The names of one file; `library` finds what it extends."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._exported: dict[str, Exports] = {}
        self._modules: dict[str, syntax.Module] = {}
        """Those that stand in the file, by their names."""
        self._instances: dict[Symbol, str] = {}
        """The module of each instance that has a name."""
        self.found: list[Occurrence] = []
        self.scope: Mapping[str, Symbol] = {}
        """What a name stands for in the whole of the module that was read."""

    def read(self, text: ModuleText) -> list[Occurrence]:
        """All names of a module that was read from a file."""
        if text.tree is not None:
            self._module(text.tree, {})
        return self.found

    # --- modules -----------------------------------------------------------------------------------------------

    def _module(self, module: syntax.Module, around: Scope) -> None:
        self._modules[module.name] = module
        scope = dict(around)
        for extended in module.extends:
            scope.update(self._exports(extended.name))
        for unit in module.units:
            if isinstance(unit, syntax.Module):
                self._modules[unit.name] = unit
            scope.update(self._declared(unit, module.name))
        for unit in module.units:
            self._unit(unit, scope)
        self.scope = scope  # that of the outermost module is the last one

    def _exports(self, name: str) -> Exports:
        """What a module gives those that extend it. Empty for one that is not there, or is only known by its name."""
        known = self._exported.get(name)
        if known is not None:
            return known
        self._exported[name] = {}
        module = self._modules.get(name) or self._text_of(name)
        if module is None:
            return {}
        found: Scope = {}
        for extended in module.extends:
            found.update(self._exports(extended.name))
        for unit in module.units:
            if not getattr(unit, "local", False):
                found.update(self._declared(unit, name))
        self._exported[name] = found
        return found

    def _text_of(self, name: str) -> syntax.Module | None:
        try:
            text = self._library.module(name)
        except (TlaError, RecursionError):
            return None
        return None if text.shipped else text.tree

    def _declared(self, unit: syntax.Unit, module: str) -> Scope:
        """The names that a unit gives its module."""
        match unit:
            case syntax.Constants(parameters=names) | syntax.Variables(names=names):
                return {name.name: self._symbol(name.name, name.at) for name in names}
            case syntax.Recursive(parameters=names):
                return {}
            case syntax.OperatorDefinition() | syntax.FunctionDefinition() | syntax.ModuleDefinition():
                symbol = self._symbol(unit.name, unit.at)
                if isinstance(unit, syntax.ModuleDefinition):
                    self._instances[symbol] = unit.instance.module
                return {unit.name: symbol}
            case syntax.Assume(name=name) | syntax.Theorem(name=name) if name:
                return {name: self._symbol(name, unit.at)}
            case syntax.Instance() if not unit.local:
                return {
                    name: symbol
                    for name, symbol in self._exports(unit.module).items()
                    if name not in {substitution.name for substitution in unit.substitutions}
                }
            case syntax.Instance():
                return dict(self._exports(unit.module))
        return {}

    def _symbol(self, name: str, at: Location, outer: bool = True) -> Symbol:
        line, column = _place_of(name, at)
        return Symbol(name, at.source.name, line, column, outer)

    # --- units -------------------------------------------------------------------------------------------------

    def _unit(self, unit: syntax.Unit, scope: Scope) -> None:
        match unit:
            case syntax.Module():
                self._module(unit, scope)
            case (
                syntax.Constants(parameters=names) | syntax.Variables(names=names) | syntax.Recursive(parameters=names)
            ):
                for name in names:
                    self._met(name.name, name.at, scope)
            case syntax.OperatorDefinition():
                self._met(unit.name, unit.at, scope)
                self._walk(unit.body, self._bound(unit.parameters, scope))
            case syntax.FunctionDefinition():
                self._met(unit.name, unit.at, scope)
                self._walk(unit.body, self._bounds(unit.bounds, scope))
            case syntax.ModuleDefinition():
                self._met(unit.name, unit.at, scope)
                self._instance(unit.instance, self._bound(unit.parameters, scope))
            case syntax.Instance():
                self._instance(unit, scope)
            case syntax.Assume() | syntax.Theorem():
                if unit.name:
                    self._met(unit.name, unit.at, scope)
                self._walk(unit.body, scope)

    def _instance(self, instance: syntax.Instance, scope: Scope) -> None:
        inside = self._exports(instance.module)
        for substitution in instance.substitutions:
            if substitution.name in inside:
                self._add(inside[substitution.name], substitution.at)
            self._walk(substitution.value, scope)

    # --- formulas ----------------------------------------------------------------------------------------------

    def _walk(self, node: Any, scope: Scope) -> None:
        match node:
            case syntax.Apply():
                self._apply(node, scope)
            case syntax.Quantified(bounds=bounds, body=body) | syntax.FunctionConstructor(bounds=bounds, body=body):
                self._walk(body, self._bounds(bounds, scope))
            case syntax.SetMap(bounds=bounds, body=body):
                self._walk(body, self._bounds(bounds, scope))
            case syntax.Choose() | syntax.SetFilter():
                if node.domain is not None:
                    self._walk(node.domain, scope)
                self._walk(node.body, self._bound(_names_of(node.pattern), scope))
            case syntax.TemporalQuantified(names=names, body=body) | syntax.Lambda(parameters=names, body=body):
                self._walk(body, self._bound(names, scope))
            case syntax.Label():
                self._walk(node.body, scope)
            case syntax.Let():
                inner = dict(scope)
                for unit in node.units:
                    inner.update(self._local(unit))
                for unit in node.units:
                    self._unit(unit, inner)
                self._walk(node.body, inner)
            case syntax.AssumeProve():
                self._assume(node, dict(scope))
            case syntax.Substitution() | syntax.Instance():
                pass
            case _ if is_dataclass(node):
                for part in fields(node):
                    self._walk(getattr(node, part.name), scope)
            case tuple():
                for part in node:
                    self._walk(part, scope)

    def _local(self, unit: syntax.Unit) -> Scope:
        """What a definition of LET declares."""
        declared = self._declared(unit, "")
        inner = {name: Symbol(name, one.file, one.line, one.column, outer=False) for name, one in declared.items()}
        for name, one in declared.items():
            if one in self._instances:
                self._instances[inner[name]] = self._instances[one]
        return inner if not isinstance(unit, syntax.Instance) else declared

    def _assume(self, node: syntax.AssumeProve, scope: Scope) -> None:
        for each in node.assumptions:
            if isinstance(each, syntax.NewSymbol):
                if each.domain is not None:
                    self._walk(each.domain, scope)
                scope = self._bound([each.parameter], scope)
            elif isinstance(each, syntax.AssumeProve):
                self._assume(each, dict(scope))
            else:
                self._walk(each, scope)
        self._walk(node.goal, scope)

    def _apply(self, node: syntax.Apply, scope: Scope) -> None:
        inside: Mapping[str, Symbol] = scope
        after: Location | None = None
        for prefix in node.prefix:
            symbol = inside.get(prefix.name)
            if symbol is not None:
                self._add(symbol, prefix.at, after)
            self._walk(prefix.arguments, scope)
            module = self._instances.get(symbol) if symbol is not None else None
            inside = self._exports(module) if module is not None else {}
            after = prefix.at
        symbol = inside.get(node.name)
        if symbol is not None and _NAME.fullmatch(node.name):
            self._add(symbol, node.at, after)
        self._walk(node.arguments, scope)

    def _bounds(self, bounds: Iterable[syntax.Bound], scope: Scope) -> Scope:
        bounds = tuple(bounds)
        for bound in bounds:
            if bound.domain is not None:
                self._walk(bound.domain, scope)
        return self._bound([name for bound in bounds for one in bound.patterns for name in _names_of(one)], scope)

    def _bound(self, names: Iterable[syntax.Identifier | syntax.Parameter], scope: Scope) -> Scope:
        inner = dict(scope)
        for name in names:
            if _NAME.fullmatch(name.name):
                inner[name.name] = symbol = self._symbol(name.name, name.at, outer=False)
                self._add(symbol, name.at)
        return inner

    def _met(self, name: str, at: Location, scope: Scope) -> None:
        if _NAME.fullmatch(name) and name in scope:
            self._add(scope[name], at)

    def _add(self, symbol: Symbol, at: Location, after: Location | None = None) -> None:
        line, column = _place_of(symbol.name, at, after)
        self.found.append(Occurrence(symbol, at.source, line, column))


def _names_of(pattern: syntax.Pattern) -> Iterator[syntax.Identifier]:
    if isinstance(pattern, syntax.TuplePattern):
        yield from pattern.names
    else:
        yield pattern


def _place_of(name: str, at: Location, after: Location | None = None) -> tuple[int, int]:
    """Where the name stands in a stretch of the text: its first whole word of that name, behind `after`."""
    line, column = (at.line, at.column) if after is None else (after.end_line, after.end_column)
    lines = at.source.text.split("\n")
    word = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])")
    for number in range(line, at.end_line + 1):
        found = word.search(lines[number - 1], column - 1 if number == line else 0)
        if found is not None:
            return number, found.start() + 1
    return at.line, at.column
