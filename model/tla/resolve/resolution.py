"""One run of the resolver: definitions are made when something refers to them, and their bodies wait in a queue."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.apply import apply_operator
from rmqproof.model.tla.by_name import ByName
from rmqproof.model.tla.library import Library
from rmqproof.model.tla.resolve.elaborate import Elaborator, InstanceCheck
from rmqproof.model.tla.resolve.environment import (
    END,
    BuiltinSymbol,
    Elaboration,
    Environment,
    InstanceSymbol,
    OperatorSymbol,
    Site,
    SubstitutedSymbol,
    Waiting,
)
from rmqproof.model.tla.resolve.expressions import Expressions
from rmqproof.model.tla.resolve.levels import NAMES, Levels
from rmqproof.model.tla.resolve.name_table import order_of_variables
from rmqproof.model.tla.resolve.problems import Problems, did_you_mean
from rmqproof.model.tla.resolve.select import Step, select
from rmqproof.model.tla.resolve.specialise import Specialiser
from rmqproof.model.tla.resolve.symbols import (
    AliasSymbol,
    ConstantSymbol,
    Frame,
    Kind,
    LetSymbol,
    Symbol,
    ValueSymbol,
    VariableSymbol,
)
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.stack import grow_stack

DEPTH = 300_000  # frames of Python for the deepest expression; they live on the heap, not on the C stack


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let expressions nest deeper than Python's default limit. Raise `TlaError` past the new one."""
    before = sys.getrecursionlimit()
    grow_stack()
    sys.setrecursionlimit(max(before, DEPTH))
    try:
        yield
    except RecursionError:
        raise TlaError("an expression nests too deeply", remedy="Give parts of it definitions of their own.") from None
    finally:
        sys.setrecursionlimit(before)


class Resolution:
    """Reads `spec` and the modules it needs. Replacements come before `finish`; then the tree is complete.

    Raise `TlaError`: of kind `parse` when modules are wrong, `system` when a file cannot be read.
    """

    def __init__(self, library: Library, spec: Path) -> None:
        self.library = library
        self.spec = spec
        self.has_replacements = False  # whoever replaces a symbol sets it
        self.problems = Problems()
        self.elaborator = Elaborator(library, self.problems)
        self.definitions: list[core.Definition] = []
        self.levels = Levels(self.definitions, self.problems)
        self.by_name = ByName()
        self._queue: Waiting = []
        self._selected: dict[tuple[OperatorSymbol, tuple[Step, ...], bool], OperatorSymbol] = {}
        self._values: dict[tuple[str, str], Symbol] = {}
        self._meant: dict[tuple[str, str], Symbol] = {}
        with deep_recursion():
            text = library.root(spec)
            self.root: Elaboration = self.elaborator.elaborate(text, self.elaborator.generic)

    # --- names of the root module, for the configuration -----------------------------------------------------------

    def find(self, name: str) -> Symbol | None:
        """What `name` (or `I!Op`, when the instance has no parameters) means at the end of the root module."""
        first, *path = name.split("!") if name.strip("!") else [name]
        entry = self.root.find(first, END)
        symbol = None if entry is None else entry.symbol
        for part in path:
            if not isinstance(symbol, InstanceSymbol) or symbol.parameters:
                return None
            symbol = symbol.member(part)
        return symbol

    def named(self, name: str, symbol: Symbol, at: Location) -> core.Definition | None:
        """A definition called `name` for a symbol without parameters; None for the name of an instance."""
        target = self.final(symbol)
        if isinstance(target, InstanceSymbol):
            return None
        if isinstance(target, OperatorSymbol) and not target.home.environment.context:
            definition = self.definition(target)
            if definition.name == name:
                return definition
        scope = Expressions(self, Site(self.root, END, None), None)
        body = scope.invoke(symbol, (), {}, at)
        comment = ""
        if isinstance(body, core.Call):
            comment, at = body.definition.comment, body.definition.at
        definition = core.Definition(name, self.root.text.name, at, (), body, comment=comment)
        self.register(definition)
        return definition

    def suggest(self, name: str) -> str:
        return did_you_mean(name, self.root.visible(END))

    def find_in_module(self, module: str, name: str) -> Symbol | None:
        found = self.elaborator.generic.elaborations.get(module)
        entry = found.names.get(name) if found is not None else None
        return entry.symbol if entry is not None else None

    def replace(self, symbol: Symbol, target: Symbol) -> None:
        """`symbol <- target`: for everybody who means this very symbol, also in instances of its module with constants
        and variables of their own; the name that an INSTANCE gives it stands apart."""
        symbol.replacement = target
        if isinstance(symbol, OperatorSymbol):
            self._meant[_origin(symbol)] = target

    def replace_everywhere(self, symbol: Symbol, target: Symbol) -> None:
        """`symbol <- [module] target`: whoever instantiates the module."""
        self._values[_origin(symbol)] = target

    def knows_module(self, name: str) -> bool:
        return name in self.elaborator.generic.elaborations

    # --- symbols ---------------------------------------------------------------------------------------------------

    def final(self, symbol: Symbol) -> Symbol:
        """The symbol behind aliases and replacements."""
        for _ in range(1000):
            if symbol.replacement is not None:
                symbol = symbol.replacement
            elif isinstance(symbol, AliasSymbol):
                # the alias stands apart from what replaces its source by name
                symbol = symbol.source
                if isinstance(symbol, OperatorSymbol | BuiltinSymbol):
                    return self._values.get(_origin(symbol), symbol)
            else:
                target = self._instead(symbol)
                if target is None:
                    break
                symbol = target
        return symbol

    def _instead(self, symbol: Symbol) -> Symbol | None:
        if not (self._values or self._meant) or not isinstance(symbol, OperatorSymbol | BuiltinSymbol):
            return None
        origin = _origin(symbol)
        return self._values.get(origin) or self._meant.get(origin)

    def register(self, definition: core.Definition) -> None:
        self.definitions.append(definition)

    def definition(self, symbol: OperatorSymbol) -> core.Definition:
        """The definition of a module's operator; its body comes when the queue is drained."""
        if symbol.definition is not None:
            return symbol.definition
        unit, environment = symbol.unit, symbol.home.environment
        context, frame = _frame(environment)
        parameters = unit.parameters if isinstance(unit, syntax.OperatorDefinition) else ()
        own = tuple(core.Binding(parameter.name, parameter.at, parameter.arity) for parameter in parameters)
        definition = core.Definition(
            environment.prefix + symbol.name,
            symbol.home.text.name,
            unit.at,
            (*context, *own),
            comment="" if isinstance(unit, syntax.Assume) else unit.comment,
            annotations=() if isinstance(unit, syntax.Assume | syntax.Theorem) else unit.annotations,
        )
        symbol.definition = definition
        if symbol.recursive:
            self.levels.declared_recursive.add(definition)
        self._enqueue(environment, symbol, definition, frame)
        return definition

    def selected(self, symbol: OperatorSymbol, path: tuple[Step, ...], applied: bool) -> OperatorSymbol:
        """An operator for a part of a definition. Raise `NoSuchPart`."""
        key = (symbol, path, applied)
        if key not in self._selected:
            part = select(symbol.unit, path, applied)
            arities = (*symbol.arities, *(parameter.arity for parameter in part.parameters[len(symbol.arities) :]))
            # a part of a function's definition can name the function
            position = symbol.position + 1
            self._selected[key] = OperatorSymbol(part.name, part.at, arities, part, symbol.home, position, is_part=True)
        return self._selected[key]

    def substitution(self, symbol: SubstitutedSymbol) -> core.Definition:
        """A definition for the expression that stands for a constant or variable of an instance."""
        if symbol.definition is None:
            context, frame = _frame(symbol.environment)
            if isinstance(symbol.value, syntax.Lambda):
                own = tuple(core.Binding(name.name, name.at) for name in symbol.value.parameters)
            else:
                own = tuple(core.Binding(f"_{number + 1}", symbol.value.at) for number in range(len(symbol.arities)))
            symbol.definition = core.Definition(
                symbol.environment.prefix + symbol.name,
                symbol.site.module.text.name,
                symbol.value.at,
                (*context, *own),
            )
            self._enqueue(symbol.environment, symbol, symbol.definition, frame)
        return symbol.definition

    def stand_in(self, symbol: ConstantSymbol) -> core.Definition:
        """What to call for a constant operator that has no value."""
        if symbol.stand_in is None:
            at = symbol.constant.at
            parameters = tuple(core.Binding(f"_{number + 1}", at) for number in range(len(symbol.arities)))
            body = core.ConstantReference(at, symbol.constant)
            symbol.stand_in = core.Definition(symbol.name, self.root.text.name, at, parameters, body)
            self.register(symbol.stand_in)
        return symbol.stand_in

    def value(self, symbol: ValueSymbol, arguments: tuple[core.Expression, ...], at: Location) -> core.Expression:
        if not symbol.arities:
            assert symbol.value is not None
            return symbol.value
        if symbol.definition is None:
            parameters = tuple(core.Binding(f"_{n}", at, arity) for n, arity in enumerate(symbol.arities, 1))
            arms = tuple((_equal(parameters, wanted, at), value) for wanted, value in symbol.cases)
            body = symbol.value if symbol.value is not None else core.Case(at, arms, None)
            symbol.definition = core.Definition(symbol.name, self.root.text.name, at, parameters, body)
            self.register(symbol.definition)
        return core.Call(at, symbol.definition, arguments)

    def _enqueue(
        self, environment: Environment, symbol: Symbol, definition: core.Definition, frame: Frame | None
    ) -> None:
        self.register(definition)
        if environment.collector is not None:
            environment.collector.definitions.append(definition)
            environment.collector.queue.append((symbol, definition, frame))
        else:
            self._queue.append((symbol, definition, frame))

    def drain(self, queue: Waiting) -> None:
        """Resolve the bodies that wait, and those that they bring about."""
        while queue:
            symbol, definition, frame = queue.pop(0)
            if isinstance(symbol, OperatorSymbol):
                self._resolve_operator(symbol, definition, frame)
            elif isinstance(symbol, SubstitutedSymbol):
                self._resolve_substitution(symbol, definition, frame)

    def _resolve_operator(self, symbol: OperatorSymbol, definition: core.Definition, frame: Frame | None) -> None:
        unit = symbol.unit
        scope = Expressions(self, Site(symbol.home, symbol.position, None), frame)
        scope.is_part = symbol.is_part
        if isinstance(unit, syntax.OperatorDefinition):
            if unit.parameters:
                own = definition.parameters[len(definition.parameters) - len(unit.parameters) :]
                scope.with_parameters(unit.parameters, own)
            definition.body = scope.expression(unit.body)
        elif isinstance(unit, syntax.FunctionDefinition):
            definition.body = scope.function_body(unit)
        elif isinstance(unit.body, syntax.AssumeProve):
            definition.body = core.Literal(unit.at, True)
        else:
            definition.body = scope.expression(unit.body)

    def _resolve_substitution(
        self, symbol: SubstitutedSymbol, definition: core.Definition, frame: Frame | None
    ) -> None:
        scope = Expressions(self, symbol.site, frame)
        arity = len(symbol.arities)
        if not arity:
            definition.body = scope.expression(symbol.value)
            return
        if isinstance(symbol.value, syntax.Lambda):
            own = definition.parameters[len(definition.parameters) - arity :]
            scope.with_parameters(symbol.value.parameters, own)
            definition.body = scope.expression(symbol.value.body)
            return
        operator = scope.operator_argument(symbol.value, arity, symbol.name)
        own = definition.parameters[len(definition.parameters) - arity :]
        definition.body = apply_operator(operator, tuple(core.Reference(symbol.value.at, b) for b in own))

    # --- the whole -------------------------------------------------------------------------------------------------

    def finish(self) -> core.Specification:
        """Resolve everything that the root module can see. Raise `TlaError` with all that is wrong."""
        with deep_recursion():
            for module in self.elaborator.order:
                if not module.text.shipped:
                    for operator in module.operators:
                        self.definition(operator)
            self.drain(self._queue)
            for check in self.elaborator.instances:
                for _, symbol in check.values:
                    if isinstance(symbol, SubstitutedSymbol):
                        self.substitution(symbol)
            definitions = self._named()
            assumptions = self._assumptions()
            theorems = self._theorems()
            self.drain(self._queue)
            self.problems.raise_any()
            self.levels.compute()
            self._check_levels(assumptions, theorems)
            self._raise_levels()
            assumptions, theorems = self._specialise(assumptions, theorems)
        constants: list[core.Constant] = []
        variables: list[core.Variable] = []
        for entry in self.root.names.values():
            setting = entry.symbol.replacement if entry.kind is Kind.DEFINITION else None
            if entry.kind is Kind.CONSTANT and isinstance(entry.symbol, ConstantSymbol):
                constants.append(entry.symbol.constant)
            elif isinstance(setting, ConstantSymbol) and setting.name == entry.symbol.name:
                constants.append(setting.constant)
            elif entry.kind is Kind.VARIABLE and isinstance(entry.symbol, VariableSymbol):
                entry.symbol.variable.index = len(variables)
                variables.append(entry.symbol.variable)
        indices = {variable.name: variable.index for variable in variables}
        compared = order_of_variables(self.root, self.elaborator.generic.elaborations)
        return core.Specification(
            self.root.text.name,
            tuple(constants),
            tuple(variables),
            definitions,
            assumptions,
            theorems,
            tuple([indices[name] for name in compared]),
        )

    def _specialise(
        self, assumptions: tuple[core.Assumption, ...], theorems: tuple[core.Theorem, ...]
    ) -> tuple[tuple[core.Assumption, ...], tuple[core.Theorem, ...]]:
        """Nowhere is an operator passed that looks behind the value of its argument."""
        if not any(parameter.arity for definition in self.definitions for parameter in definition.parameters):
            return assumptions, theorems
        rewrite = Specialiser(self.by_name, self.problems).specialised
        for definition in self.definitions:
            definition.body = rewrite(definition.body)
        assumptions = tuple([replace(assumption, body=rewrite(assumption.body)) for assumption in assumptions])
        theorems = tuple([replace(theorem, goal=rewrite(theorem.goal)) for theorem in theorems])
        self.problems.raise_any()
        return assumptions, theorems

    def _raise_levels(self) -> None:
        """What the configuration puts in place of a constant may be of any level: only the text is judged."""
        if self.problems.found and self.has_replacements:
            Resolution(self.library, self.spec).finish()
            self.problems.found.clear()
        self.problems.raise_any()

    def _named(self) -> dict[str, core.Definition]:
        found = {}
        for name, entry in self.root.names.items():
            symbol = entry.symbol.source if isinstance(entry.symbol, AliasSymbol) else entry.symbol
            if entry.symbol.replacement is None and isinstance(symbol, OperatorSymbol) and not symbol.home.text.shipped:
                found[name] = self.definition(symbol)
        return found

    def _assumptions(self) -> tuple[core.Assumption, ...]:
        found = []
        for unit, module, position in self.root.assumptions:
            scope = Expressions(self, Site(module, position, None), module.environment.frame)
            scope.nameless = not unit.name
            found.append(core.Assumption(unit.name, unit.at, scope.expression(unit.body), unit.axiom))
        return tuple(found)

    def _theorems(self) -> tuple[core.Theorem, ...]:
        found = []
        for unit, module, position in self.root.theorems:
            if not module.text.shipped:
                scope = Expressions(self, Site(module, position, None), module.environment.frame)
                scope.nameless = not unit.name
                found.append(scope.theorem(unit))
        return tuple(found)

    def _check_levels(self, assumptions: tuple[core.Assumption, ...], theorems: tuple[core.Theorem, ...]) -> None:
        for theorem in theorems:
            for part in (*theorem.assumptions, theorem.goal):
                self.levels.check(part)
        for check in self.elaborator.instances:
            self._check_instance(check, self._is_constant_module(check.module))
        for assumption in assumptions:
            if self.levels.check(assumption.body) > core.CONSTANT:
                self.problems.add(
                    "an assumption speaks of constants only, and this one mentions variables",
                    assumption.at,
                    "Make it an invariant, or a theorem.",
                )

    def _is_constant_module(self, module: Elaboration) -> bool:
        """A module of constant definitions over constants: its constants may stand for anything."""
        return all(entry.kind is not Kind.VARIABLE for entry in module.declared().values()) and all(
            self.levels.level(symbol.definition).level == core.CONSTANT
            for symbol in module.operators
            if symbol.definition is not None
        )

    def _check_instance(self, check: InstanceCheck, of_constants: bool) -> None:
        for entry, symbol in check.values:
            if entry.symbol.arities and self._looks_behind(symbol):
                self.problems.add(
                    f"constant {entry.symbol.name} of module {check.module.text.name} is an operator on values, "
                    f"and what is substituted for it primes its argument or looks at it in other states",
                    symbol.at if isinstance(symbol, SubstitutedSymbol) else check.at,
                    "A constant operator is replaced by one whose result depends on the values of its arguments only.",
                )
            if of_constants:
                continue
            highest = core.STATE if entry.kind is Kind.VARIABLE else core.CONSTANT
            level = self._level(symbol)
            if level > highest:
                self.problems.add(
                    f"{entry.symbol.name} of module {check.module.text.name} is {_article(entry.kind)}, "
                    f"and {NAMES[level]} is substituted for it",
                    symbol.at if isinstance(symbol, SubstitutedSymbol) else check.at,
                    "Substitute a state function." if highest == core.STATE else "Substitute a constant.",
                )

    def _level(self, symbol: Symbol) -> int:
        """The level of what is substituted, whatever the configuration puts in its place."""
        while isinstance(symbol, AliasSymbol):
            symbol = symbol.source
        if isinstance(symbol, VariableSymbol):
            return core.STATE
        if isinstance(symbol, OperatorSymbol | SubstitutedSymbol) and symbol.definition is not None:
            return self.levels.level(symbol.definition).level
        return core.CONSTANT

    def _looks_behind(self, symbol: Symbol) -> bool:
        while isinstance(symbol, AliasSymbol):
            symbol = symbol.source
        if isinstance(symbol, OperatorSymbol | SubstitutedSymbol | LetSymbol):
            return symbol.definition is not None and self.by_name.of_operator(symbol.definition)
        return False


def _article(kind: Kind) -> str:
    return "a variable" if kind is Kind.VARIABLE else "a constant"


def _origin(symbol: Symbol) -> tuple[str, str]:
    """The module and name where an operator was first defined."""
    if isinstance(symbol, AliasSymbol):
        return _origin(symbol.source)
    if isinstance(symbol, BuiltinSymbol):
        return symbol.operator.module, symbol.operator.name
    if isinstance(symbol, OperatorSymbol):
        return symbol.home.text.name, symbol.name
    return "", symbol.name


def _frame(environment: Environment) -> tuple[tuple[core.Binding, ...], Frame | None]:
    """New bindings for the parameters of the instances around, for one definition."""
    if not environment.context:
        return (), environment.frame
    bindings = {
        symbol: core.Binding(symbol.name, symbol.at, len(symbol.arities))  # type: ignore[arg-type]
        for symbol in environment.context
    }
    return tuple(bindings.values()), Frame(bindings, environment.frame)


def _equal(parameters: tuple[core.Binding, ...], values: tuple[core.Expression, ...], at: Location) -> core.Expression:
    pairs = zip(parameters, values, strict=True)
    return core.Builtin(
        at, "/\\", tuple(core.Builtin(at, "=", (core.Reference(at, binding), value)) for binding, value in pairs)
    )
