"""Elaborate modules: what their names mean, through EXTENDS, INSTANCE and nesting. Bodies are left for later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.library import Library, ModuleText
from rmqproof.model.tla.resolve.environment import (
    BuiltinSymbol,
    Collector,
    Elaboration,
    Environment,
    InstanceSymbol,
    NestedModule,
    OperatorSymbol,
    Site,
    SubstitutedSymbol,
    stands_for,
)
from rmqproof.model.tla.resolve.language import LANGUAGE
from rmqproof.model.tla.resolve.name_table import of_the_community
from rmqproof.model.tla.resolve.problems import Problems
from rmqproof.model.tla.resolve.symbols import (
    AliasSymbol,
    ConstantSymbol,
    ContextSymbol,
    Entry,
    Frame,
    Kind,
    Locals,
    Symbol,
    VariableSymbol,
)
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.standard import TABLE_MODULES, as_written

BEFORE = -1  # the position of what EXTENDS brings


_NOT_AMONG_RECURSIVE = syntax.Constants | syntax.Variables | syntax.Assume | syntax.Theorem | syntax.Module


@dataclass(frozen=True, slots=True)
class InstanceCheck:
    """What an INSTANCE substitutes; `levels` checks it against what the module declares."""

    at: Location
    module: Elaboration
    values: tuple[tuple[Entry, Symbol], ...]


@dataclass(slots=True)
class Elaborator:
    library: Library
    problems: Problems = field(default_factory=Problems)
    generic: Environment = field(default_factory=lambda: Environment(checked=True))
    order: list[Elaboration] = field(default_factory=list)  # generic elaborations, the extended ones first
    instances: list[InstanceCheck] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)  # the modules being read, to notice circles

    # --- modules ---------------------------------------------------------------------------------------------------

    def external(self, name: str, at: Location | None) -> Elaboration:
        """The module as itself: its constants and variables are its own."""
        found = self.generic.elaborations.get(name)
        if found is not None:
            return found
        if name in self._open:
            circle = " -> ".join([*self._open[self._open.index(name) :], name])
            raise TlaError(f"modules depend on each other in a circle: {circle}", at)
        return self.elaborate(self.library.module(name, at), self.generic)

    def elaborate(
        self, text: ModuleText, environment: Environment, owner: Elaboration | None = None, position: int = BEFORE
    ) -> Elaboration:
        key = text.name if owner is None else f"{id(owner)}!{text.name}"
        found = environment.elaborations.get(key)
        if found is not None:
            return found
        module = Elaboration(text, environment, owner, position)
        self._open.append(text.name)
        if text.tree is None:
            self._table(module)
        else:
            self._extend(module, text.tree)
            pending: dict[str, tuple[int, syntax.Parameter]] = {}
            for index, unit in enumerate(text.tree.units):
                self._unit(module, index, unit, pending)
            for name, (_, parameter) in pending.items():
                self.problems.add(f"{name} is declared RECURSIVE but never defined", parameter.at)
        self._open.pop()
        environment.elaborations[key] = module
        if environment.checked:
            self.order.append(module)
        return module

    def _table(self, module: Elaboration) -> None:
        for name in TABLE_MODULES[module.text.name]:
            self._merge(module, self.external(name, None), None)
        for operator in module.text.builtins.values():
            symbol = BuiltinSymbol(operator.name, None, operator.arities, operator)
            module.names[operator.name] = Entry(symbol, BEFORE, Kind.DEFINITION, False, None)

    def _extend(self, module: Elaboration, tree: syntax.Module) -> None:
        for name in tree.extends:
            nested = module.owner.find_module(name.name, module.position) if module.owner else None
            if nested is not None:
                extended = self.elaborate(nested.text, module.environment, nested.owner, nested.position)
            else:
                extended = self.external(name.name, name.at)
                if module.environment.substitutions is not None and extended.declared():
                    extended = self.elaborate(extended.text, module.environment)
            self._merge(module, extended, name.at)

    def _merge(self, module: Elaboration, extended: Elaboration, at: Location | None) -> None:
        for name, entry in extended.names.items():
            if entry.local:
                continue
            passed_on = entry.passed_on or of_the_community(extended.text)
            present = module.names.get(name)
            if present is None or (present.passed_on and not passed_on and present.symbol is entry.symbol):
                module.names[name] = Entry(entry.symbol, BEFORE, entry.kind, False, entry.at, passed_on)
            elif present.symbol is not entry.symbol and _declares(present.kind) != _declares(entry.kind):
                self.problems.add(
                    f"{name} is {_article(entry.kind)} in module {extended.text.name} and "
                    f"{_article(present.kind)} in another module that {module.text.name} extends",
                    at,
                    "Rename one of them, or use INSTANCE under a name for one of the modules.",
                )
        for name, nested in extended.modules.items():
            module.modules.setdefault(name, replace(nested, visible=BEFORE))
        known = {id(unit) for unit, _, _ in module.assumptions}
        module.assumptions += [item for item in extended.assumptions if id(item[0]) not in known]
        known = {id(theorem) for theorem, _, _ in module.theorems}
        module.theorems += [item for item in extended.theorems if id(item[0]) not in known]

    # --- units -----------------------------------------------------------------------------------------------------

    def _unit(
        self,
        module: Elaboration,
        index: int,
        unit: syntax.Unit,
        pending: dict[str, tuple[int, syntax.Parameter]],
    ) -> None:
        if isinstance(unit, syntax.OperatorDefinition):
            arities = tuple(parameter.arity for parameter in unit.parameters)
            self._operator(module, index, unit, unit.name, arities, unit.local, pending)
        elif isinstance(unit, syntax.FunctionDefinition):
            self._operator(module, index, unit, unit.name, (), unit.local, pending)
        elif pending and isinstance(unit, _NOT_AMONG_RECURSIVE):
            self.problems.add(
                f"between RECURSIVE {next(iter(pending))} and its definition only definitions may stand", unit.at
            )
        elif isinstance(unit, syntax.Constants):
            self._constants(module, index, unit)
        elif isinstance(unit, syntax.Variables):
            self._variables(module, index, unit)
        elif isinstance(unit, syntax.Recursive):
            for parameter in unit.parameters:
                if self._is_new(module, index, parameter.name, parameter.at):
                    pending[parameter.name] = (index, parameter)
        elif isinstance(unit, syntax.Instance):
            self._unnamed_instance(module, index, unit)
        elif isinstance(unit, syntax.ModuleDefinition):
            site = Site(module, index, None)
            if self._is_new(module, index, unit.name, unit.at):
                symbol = self.instance(unit, site, module.environment.frame, None)
                module.names[unit.name] = Entry(symbol, index, Kind.INSTANCE, unit.local, unit.at)
        elif isinstance(unit, syntax.Assume):
            module.assumptions.append((unit, module, index))
            if unit.name:
                self._operator(module, index, unit, unit.name, (), False, pending)
        elif isinstance(unit, syntax.Theorem):
            module.theorems.append((unit, module, index))
            if unit.name:
                self._operator(module, index, unit, unit.name, (), False, pending)
        elif isinstance(unit, syntax.Module):
            self._nested(module, index, unit)

    def _operator(
        self,
        module: Elaboration,
        index: int,
        unit: syntax.OperatorDefinition | syntax.FunctionDefinition | syntax.Assume | syntax.Theorem,
        name: str,
        arities: tuple[int, ...],
        local: bool,
        pending: dict[str, tuple[int, syntax.Parameter]],
    ) -> None:
        position = index
        declared = pending.pop(name, None)
        if declared is not None:
            position, parameter = declared
            if parameter.arity != len(arities):
                self.problems.add(
                    f"{name} is declared RECURSIVE with {counted(parameter.arity, 'parameter')} "
                    f"and defined with {counted(len(arities), 'parameter')}",
                    unit.at,
                    f"Declare it at {parameter.at} as its definition is: a _ for each parameter.",
                )
        elif not self._is_new(module, index, name, unit.at):
            return
        builtin = module.text.builtins.get(name)
        symbol: Symbol
        if builtin is not None and builtin.arities == arities:
            written = module.text.shipped and builtin.qualified in as_written()
            text = OperatorSymbol(name, unit.at, arities, unit, module, index) if written else None
            symbol = BuiltinSymbol(name, unit.at, arities, builtin, text)
        else:
            symbol = OperatorSymbol(name, unit.at, arities, unit, module, index, declared is not None)
            module.operators.append(symbol)
        module.names[name] = Entry(symbol, position, Kind.DEFINITION, local, unit.at)

    def _is_new(self, module: Elaboration, index: int, name: str, at: Location) -> bool:
        if name in LANGUAGE:
            self.problems.add(f"{name} is part of the language and cannot be defined again", at)
            return False
        present = module.find(name, index)
        if present is None or (present.passed_on and not module.text.shipped):
            return True
        where = f" at {present.at}" if present.at else ""
        self.problems.add(
            f"{name} is already {_article(present.kind)}{where}",
            at,
            "Give one of them another name."
            if where and present.at is not None and present.at.source is at.source
            else f"It comes from a module that is extended here. Give it another name{_by_config(present)}.",
        )
        return False

    def _declare(self, module: Elaboration, index: int, kind: Kind, name: str, symbol: Symbol, at: Location) -> None:
        present = module.find(name, index)
        if name in LANGUAGE:
            self._is_new(module, index, name, at)
        elif present is None or (present.passed_on and not module.text.shipped):
            module.names[name] = Entry(symbol, index, kind, False, at)
        elif present.kind is not kind or len(present.symbol.arities) != len(symbol.arities):
            self._is_new(module, index, name, at)  # SANY lets the same declaration through twice, with a warning

    def _constants(self, module: Elaboration, index: int, unit: syntax.Constants) -> None:
        given = module.environment.substitutions or {}
        for number, parameter in enumerate(unit.parameters):
            name, at = parameter.name, parameter.at
            symbol = given.get(name)
            if symbol is None:
                notes = unit.annotations[number] if number < len(unit.annotations) else ()
                constant = core.Constant(name, at, parameter.arity, None, notes)
                symbol = ConstantSymbol(name, at, (0,) * parameter.arity, constant)
            self._declare(module, index, Kind.CONSTANT, name, symbol, at)

    def _variables(self, module: Elaboration, index: int, unit: syntax.Variables) -> None:
        given = module.environment.substitutions or {}
        for number, name in enumerate(unit.names):
            symbol = given.get(name.name)
            if symbol is None:
                notes = unit.annotations[number] if number < len(unit.annotations) else ()
                symbol = VariableSymbol(name.name, name.at, (), core.Variable(name.name, name.at, -1, notes))
            self._declare(module, index, Kind.VARIABLE, name.name, symbol, name.at)

    def _nested(self, module: Elaboration, index: int, tree: syntax.Module) -> None:
        if module.find_module(tree.name, index) is not None:
            self.problems.add(f"there are two modules {tree.name}", tree.at, "Give one of them another name.")
            return
        text = ModuleText(tree.name, tree, {}, module.text.shipped)
        nested = module.modules[tree.name] = NestedModule(text, module, index, index)
        outer = module.environment
        environment = Environment(
            outer.prefix, None, outer.context, outer.frame, outer.collector, outer.checked, outer.elaborations
        )
        nested.generic = self.elaborate(text, environment, module, index)

    # --- instances -------------------------------------------------------------------------------------------------

    def _unnamed_instance(self, module: Elaboration, index: int, unit: syntax.Instance) -> None:
        site = Site(module, index, None)
        environment = module.environment
        target = self._instantiate(unit, site, (), "", environment.context, environment.frame, environment.collector)
        if target is None:
            return
        for name, entry in target.names.items():
            if entry.local or _declares(entry.kind):
                continue
            present = module.find(name, index)
            if present is not None:
                # SANY keeps the first of two definitions alike in kind and arity, with a warning
                if present.kind is not entry.kind or present.symbol.arities != entry.symbol.arities:
                    self._is_new(module, index, name, unit.at)
                continue
            symbol = entry.symbol
            if entry.kind is Kind.DEFINITION and (unit.local or target.environment is not self.generic):
                symbol = AliasSymbol(name, symbol.at, symbol.arities, symbol)
            passed_on = entry.passed_on or of_the_community(target.text)
            module.names[name] = Entry(symbol, index, entry.kind, unit.local, entry.at, passed_on)

    def instance(
        self, unit: syntax.ModuleDefinition, site: Site, frame: Frame | None, collector: Collector | None
    ) -> InstanceSymbol:
        """The symbol of `I(x) == INSTANCE M`. With a collector, inside a LET: `frame` is what the LET sees."""
        parameters = tuple(
            ContextSymbol(parameter.name, parameter.at, (0,) * parameter.arity) for parameter in unit.parameters
        )
        outer = site.module.environment
        context = (*(() if collector is not None else outer.context), *parameters)
        target = self._instantiate(
            unit.instance, site, parameters, unit.name + "!", context, frame, collector or outer.collector
        )
        arities = tuple(parameter.arity for parameter in unit.parameters)
        if target is None:
            target = Elaboration(ModuleText(unit.instance.module, None, {}, True), self.generic, None, BEFORE)
        return InstanceSymbol(unit.name, unit.at, arities, parameters, target)

    def _instantiate(
        self,
        unit: syntax.Instance,
        site: Site,
        parameters: Sequence[ContextSymbol],
        prefix: str,
        context: tuple[ContextSymbol, ...],
        frame: Frame | None,
        collector: Collector | None,
    ) -> Elaboration | None:
        nested = site.module.find_module(unit.module, site.position)
        if nested is not None:
            itself = nested.generic
            assert itself is not None
        else:
            itself = self.external(unit.module, unit.at)
        declared = itself.declared()
        outside_let = site.locals is None
        if parameters:
            names: dict[str, Symbol] = {parameter.name: parameter for parameter in parameters}
            site = Site(site.module, site.position, Locals(names, site.locals))
        environment = Environment(site.module.environment.prefix + prefix, {}, context, frame, collector)
        environment.has_variables = any(entry.kind is Kind.VARIABLE for entry in declared.values())
        substitutions = self._substitutions(unit, site, itself, declared, environment)
        if site.module.environment.checked and outside_let:
            values = tuple((declared[name], symbol) for name, symbol in substitutions.items() if name in declared)
            self.instances.append(InstanceCheck(unit.at, itself, values))
        if nested is None and not declared:
            return itself
        environment.substitutions = substitutions
        if nested is not None:
            return self.elaborate(nested.text, environment, nested.owner, nested.position)
        return self.elaborate(itself.text, environment)

    def _substitutions(
        self,
        unit: syntax.Instance,
        site: Site,
        itself: Elaboration,
        declared: dict[str, Entry],
        environment: Environment,
    ) -> dict[str, Symbol]:
        given: dict[str, Symbol] = {}
        for substitution in unit.substitutions:
            entry = declared.get(substitution.name)
            if entry is None:
                self.problems.add(
                    f"module {unit.module} declares no constant or variable {substitution.name}",
                    substitution.at,
                    f"It declares {', '.join(declared)}." if declared else "It declares nothing to substitute.",
                )
                continue
            if substitution.name in given:
                self.problems.add(f"{substitution.name} is substituted twice", substitution.at)
            symbol = self._value(substitution, entry, site, environment)
            if len(symbol.arities) != len(entry.symbol.arities) or any(symbol.arities):
                self._wrong_arity(substitution.name, entry, symbol, substitution.at)
            given[substitution.name] = symbol
            value = substitution.value
            if isinstance(value, syntax.Apply) and site.find(value.name) is symbol:
                self._passed_on(environment, substitution.name, site, value.name, symbol)
        missing = []
        for name, entry in declared.items():
            if name in given:
                continue
            found = site.find(name)
            if found is None or isinstance(found, InstanceSymbol):
                missing.append(name)
                continue
            given[name] = found
            self._passed_on(environment, name, site, name, found)
            if len(found.arities) != len(entry.symbol.arities) or any(found.arities):
                self._wrong_arity(name, entry, found, unit.at)
        if missing:
            self.problems.add(
                f"nothing is substituted for {', '.join(missing)} of module {unit.module}",
                unit.at,
                f"Add WITH {', '.join(f'{name} <- ...' for name in missing)}, or define these names here.",
            )
        return given

    def _passed_on(self, environment: Environment, name: str, site: Site, outside: str, symbol: Symbol) -> None:
        """A variable of the instance around is put in the place of `name` as it is."""
        entry = site.module.find(outside, site.position)
        if entry is not None and entry.symbol is symbol:
            environment.passed[name] = stands_for(site.module, outside)

    def _value(self, substitution: syntax.Substitution, entry: Entry, site: Site, environment: Environment) -> Symbol:
        value = substitution.value
        if isinstance(value, syntax.Apply) and not value.prefix and not value.arguments:
            symbol = site.find(value.name)
            if symbol is not None and not isinstance(symbol, InstanceSymbol):
                return symbol
        arities = entry.symbol.arities
        if isinstance(value, syntax.Lambda):
            arities = (0,) * len(value.parameters)
        return SubstitutedSymbol(substitution.name, substitution.at, arities, value, site, environment)

    def _wrong_arity(self, name: str, entry: Entry, symbol: Symbol, at: Location) -> None:
        wanted, found = len(entry.symbol.arities), len(symbol.arities)
        self.problems.add(
            f"{name} {takes(wanted)}, but what is substituted for it {takes(found)}",
            at,
            "A constant operator is replaced by an operator with as many parameters."
            if wanted
            else "Substitute an expression: an operator applied to its arguments.",
        )


def _declares(kind: Kind) -> bool:
    return kind in (Kind.CONSTANT, Kind.VARIABLE)


def _article(kind: Kind) -> str:
    return {
        Kind.CONSTANT: "declared as a constant",
        Kind.VARIABLE: "declared as a variable",
        Kind.DEFINITION: "defined",
        Kind.INSTANCE: "the name of an instance",
    }[kind]


def _by_config(present: Entry) -> str:
    if present.kind is Kind.DEFINITION and isinstance(present.symbol, BuiltinSymbol):
        return f", or replace it in the configuration: {present.symbol.name} <- ..."
    return ""


def counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def takes(arity: int) -> str:
    return f"takes {counted(arity, 'argument')}" if arity else "is a value"
