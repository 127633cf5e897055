"""Names, applications and operator arguments: from what was written to what it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.algorithms import left_alone
from rmqproof.model.tla.other_languages import meant_by_name
from rmqproof.model.tla.resolve.elaborate import Elaborator, counted, takes
from rmqproof.model.tla.resolve.environment import (
    BuiltinSymbol,
    Elaboration,
    InstanceSymbol,
    OperatorSymbol,
    Site,
    SubstitutedSymbol,
    Waiting,
    highest_level,
    stands_for,
)
from rmqproof.model.tla.resolve.language import LANGUAGE
from rmqproof.model.tla.resolve.levels import Levels
from rmqproof.model.tla.resolve.problems import Problems, did_you_mean
from rmqproof.model.tla.resolve.select import NoSuchPart, Step, select
from rmqproof.model.tla.resolve.symbols import (
    BoundSymbol,
    ConstantSymbol,
    ContextSymbol,
    Frame,
    Kind,
    LetPartSymbol,
    LetSymbol,
    Locals,
    RecursionSymbol,
    Symbol,
    ValueSymbol,
    VariableSymbol,
)
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.standard import standard_operators
from rmqproof.model.tla.walk import standing_for

Given = dict[ContextSymbol, core.Expression]


class Definitions(Protocol):
    """What the run that reads a module makes of symbols; definitions wait there for their bodies."""

    problems: Problems
    levels: Levels
    elaborator: Elaborator

    def final(self, symbol: Symbol) -> Symbol: ...
    def register(self, definition: core.Definition) -> None: ...
    def definition(self, symbol: OperatorSymbol) -> core.Definition: ...
    def selected(self, symbol: OperatorSymbol, path: tuple[Step, ...], applied: bool) -> OperatorSymbol: ...
    def substitution(self, symbol: SubstitutedSymbol) -> core.Definition: ...
    def stand_in(self, symbol: ConstantSymbol) -> core.Definition: ...
    def value(self, symbol: ValueSymbol, arguments: tuple[core.Expression, ...], at: Location) -> core.Expression: ...
    def drain(self, queue: Waiting) -> None: ...


class References:
    """Resolves names at one place: a module's unit, with local names and the frame of the definition around."""

    def __init__(self, run: Definitions, site: Site, frame: Frame | None) -> None:
        self.run = run
        self.module: Elaboration = site.module
        self.position = site.position
        self.locals: Locals | None = site.locals
        self.frame = frame
        self.nameless = False  # no definition, but an assumption or a theorem without a name
        self.labels: set[str] = set()  # those that stand side by side here

    is_part: bool = False  # of a definition, whose names have become parameters and which has been checked as a whole

    def expression(self, node: syntax.Expression) -> core.Expression:
        raise NotImplementedError

    def local_part(self, symbol: LetPartSymbol) -> core.Definition:
        raise NotImplementedError

    def lambda_(self, node: syntax.Lambda) -> core.Lambda:
        raise NotImplementedError

    def problem(self, message: str, at: Location, remedy: str = "") -> core.Expression:
        """Note an error and go on with something in its place."""
        self.run.problems.add(message, at, remedy)
        return core.Literal(at, False)

    # --- names -----------------------------------------------------------------------------------------------------

    def find(self, name: str) -> Symbol | None:
        if self.locals is not None:
            symbol = self.locals.find(name)
            if symbol is not None:
                return symbol
        entry = self.module.find(name, self.position)
        return entry.symbol if entry is not None else None

    def unknown(self, name: str, at: Location) -> core.Expression:
        later = self.module.names.get(name)
        if later is not None and later.at is not None:
            if later.position == self.position:
                return self.problem(
                    f"{name} is used in its own definition",
                    at,
                    f"Where it is meant to be recursive, put RECURSIVE {_declaration(later.symbol)} before it.",
                )
            return self.problem(
                f"{name} is used before its definition in line {later.at.line}",
                at,
                f"Move the definition up, or put RECURSIVE {_declaration(later.symbol)} before this unit."
                if later.kind is Kind.DEFINITION
                else "Move the declaration up.",
            )
        providers = [operator.module for operator in standard_operators().values() if operator.name == name]
        if providers:
            return self.problem(
                f"{name} is not known here", at, f"It is an operator of module {providers[0]}: EXTENDS {providers[0]}."
            )
        names = list(self.module.visible(self.position))
        if self.locals is not None:
            names += self.locals.all_names()
        remedy = (
            left_alone(at.source)
            or meant_by_name(name)
            or did_you_mean(name, names)
            or "Declare or define it above, or extend the module that defines it."
        )
        return self.problem(f"{name} is not known here", at, remedy)

    def is_new(self, name: str, at: Location) -> None:
        """A bound name or a definition of a LET must not hide another name.

        In a part of a definition one may: the parameters of a LET's operator are those of the part, too.
        """
        if self.is_part:
            return
        present = self.find(name)
        if present is None:
            if name in LANGUAGE:
                self.problem(f"{name} is part of the language and cannot be bound", at)
            return
        entry = self.module.find(name, self.position)
        if entry is not None and entry.symbol is present and entry.passed_on:
            return
        where = f" at {present.at}" if present.at is not None else " in a module that is extended"
        self.problem(
            f"{name} already has a meaning{where}", at, "Choose another name: in TLA+ names do not hide names."
        )

    # --- applications ----------------------------------------------------------------------------------------------

    def apply(self, node: syntax.Apply) -> core.Expression:
        name, arguments, at = node.name, node.arguments, node.at
        if node.prefix:
            found = self._follow(node)
            if isinstance(found, core.Literal):
                return found
            symbol, given, arguments = found
            return self.call(symbol, arguments, given, at)
        arity = LANGUAGE.get(name)
        if arity is not None:
            return self._language(name, arity, arguments, at)
        symbol_found = self.find(name)
        if symbol_found is None:
            for argument in arguments:
                if not isinstance(argument, syntax.Lambda):
                    self.expression(argument)
            return self.unknown(name, at)
        called = self.call(symbol_found, arguments, {}, at)
        if self.locals is not None and self.locals.find(name) is symbol_found:
            return called  # the module may declare the name further down
        places = stands_for(self.module, name)
        called = standing_for(called, places[0], places[1:]) if places else called
        highest = highest_level(self.module, name) if not arguments else None
        if highest is not None:
            self.run.levels.put_in_place(called, highest)
        return called

    def instance(self) -> tuple[str, str] | None:
        """The instance in which this is written, if it is one that puts something in the place of variables."""
        module: Elaboration | None = self.module
        while module is not None:
            if module.environment.substitutions is not None:
                return module.environment.prefix, ""
            module = module.owner
        return None

    def _language(self, name: str, arity: int, arguments: Sequence[syntax.Expression], at: Location) -> core.Expression:
        if name == "TRUE" or name == "FALSE":
            return core.Literal(at, name == "TRUE")
        if len(arguments) != arity:
            return self.problem(f"{name} {takes(arity)}, not {counted(len(arguments), 'argument')}", at)
        if name == "/\\" or name == "\\/":
            return core.Builtin(at, name, tuple([self.expression(a) for a in _flat(name, arguments)]))
        if name == "\\X":
            return core.Cartesian(at, tuple([self.expression(a) for a in arguments]))
        stands_for = self.instance() if name == "ENABLED" else None
        return core.Builtin(at, name, tuple([self.expression(a) for a in arguments]), stands_for=stands_for)

    def _follow(
        self, node: syntax.Apply, unapplied: list[ContextSymbol] | None = None
    ) -> tuple[Symbol, Given, tuple[syntax.Expression, ...]] | core.Literal:
        """What `I(x)!J!Op` names, what the instances' parameters are there, and the arguments.

        Where an operator is passed, instances may stay without arguments: their parameters are added to `unapplied`.
        """
        given: Given = {}
        instance: InstanceSymbol | None = None
        path = ""
        for number, part in enumerate(node.prefix):
            symbol = self.find(part.name) if instance is None else instance.member(part.name)
            path += part.name
            if symbol is None:
                return self._no_instance(part, path, instance)
            if not isinstance(symbol, InstanceSymbol):
                return self._part(node, number, symbol, given, unapplied is None)
            if unapplied is not None and not part.arguments:
                unapplied += symbol.parameters
                instance = symbol
                path += "!"
                continue
            if len(part.arguments) != len(symbol.arities):
                return self._failed(
                    f"instance {path} {takes(len(symbol.arities))}, not {counted(len(part.arguments), 'argument')}",
                    part.at,
                )
            values = self.arguments(symbol, part.arguments)
            given.update(zip(symbol.parameters, values, strict=True))
            instance = symbol
            path += "!"
        assert instance is not None
        found, module = instance.member(node.name), instance.elaboration
        if found is None or isinstance(found, InstanceSymbol):
            if module.text.tree is None and not module.names:
                return core.Literal(node.at, False)  # its module is missing, which has been said
            remedy = did_you_mean(node.name, (name for name, entry in module.names.items() if not entry.local))
            return self._failed(f"module {module.text.name} defines no {node.name}", node.at, remedy)
        return found, given, node.arguments

    def _part(
        self, node: syntax.Apply, number: int, symbol: Symbol, given: Given, applied: bool
    ) -> tuple[Symbol, Given, tuple[syntax.Expression, ...]] | core.Literal:
        """`Op(x)!2`, where `Op` is the prefix `number`: a part of a definition. Not `applied`: it is passed itself."""
        symbol = self.run.final(symbol)
        steps = [*((part.name, part.arguments) for part in node.prefix[number + 1 :]), (node.name, node.arguments)]
        path = tuple((name, len(arguments)) for name, arguments in steps)
        part: Symbol
        if not applied and node.prefix[number].arguments:
            return self._failed(f"an operator is wanted here, and {symbol.name} has arguments", node.at)
        try:
            if isinstance(symbol, OperatorSymbol):
                part = self.run.selected(symbol, path, applied)
            elif isinstance(symbol, LetSymbol) and symbol.unit is not None:
                unit = select(symbol.unit, path, applied)
                arities = (*symbol.arities, *(parameter.arity for parameter in unit.parameters[len(symbol.arities) :]))
                part = LetPartSymbol(unit.name, unit.at, arities, unit, symbol.scope)
            else:
                return self._failed(
                    f"{symbol.name} is not the name of an instance, nor of a definition whose parts have names", node.at
                )
        except NoSuchPart as problem:
            return self._failed(
                f"{symbol.name} has no such part: {problem}", node.at, "Give the part a definition of its own."
            )
        arguments = [*node.prefix[number].arguments, *(argument for _, more in steps for argument in more)]
        return part, given, tuple(arguments)

    def _no_instance(self, part: syntax.InstancePrefix, path: str, instance: InstanceSymbol | None) -> core.Literal:
        if instance is None:
            self.unknown(part.name, part.at)
            return core.Literal(part.at, False)
        return self._failed(f"{path} is not known", part.at)

    def _failed(self, message: str, at: Location, remedy: str = "") -> core.Literal:
        self.problem(message, at, remedy)
        return core.Literal(at, False)

    def call(
        self, symbol: Symbol, arguments: Sequence[syntax.Expression], given: Given, at: Location
    ) -> core.Expression:
        if isinstance(symbol, InstanceSymbol):
            return self.problem(
                f"{symbol.name} is the name of an instance, not an expression",
                at,
                f"Name an operator: {symbol.name}!Op.",
            )
        if len(arguments) != len(symbol.arities):
            for argument in arguments:
                if not isinstance(argument, syntax.Lambda):
                    self.expression(argument)
            defined = f" It is defined at {symbol.at}." if symbol.at is not None else ""
            if not arguments:
                remedy = f"An operator is not a value: apply it, {_application(symbol)}."
                return self.problem(
                    f"{symbol.name} {takes(len(symbol.arities))}, but has none here", at, remedy + defined
                )
            if not symbol.arities:
                remedy = f"A function is applied with brackets: {symbol.name}[...]."
                return self.problem(f"{symbol.name} takes no arguments in parentheses", at, remedy + defined)
            return self.problem(
                f"{symbol.name} {takes(len(symbol.arities))}, not {counted(len(arguments), 'argument')}",
                at,
                defined.strip(),
            )
        return self.invoke(symbol, self.arguments(symbol, arguments), given, at)

    def arguments(self, symbol: Symbol, arguments: Sequence[syntax.Expression]) -> tuple[core.Expression, ...]:
        if not any(symbol.arities):
            return tuple([self.expression(a) for a in arguments])
        # lists, not generators, wherever expressions recurse: a generator would use the C stack
        return tuple(
            [
                self.operator_argument(argument, arity, symbol.name) if arity else self.expression(argument)
                for argument, arity in zip(arguments, symbol.arities, strict=True)
            ]
        )

    def operator_argument(self, node: syntax.Expression, arity: int, taker: str) -> core.Expression:
        """An operator with `arity` parameters, passed to `taker`."""
        if isinstance(node, syntax.Lambda):
            if len(node.parameters) != arity:
                return self.problem(
                    f"{taker} wants an operator with {counted(arity, 'parameter')}, "
                    f"and this LAMBDA has {len(node.parameters)}",
                    node.at,
                )
            return self.lambda_(node)
        if isinstance(node, syntax.Apply) and not node.arguments:
            if not node.prefix and node.name in LANGUAGE:
                if LANGUAGE[node.name] == arity:
                    names = parameters_of(arity, node.at)
                    return core.Lambda(node.at, names, core.Builtin(node.at, node.name, references(names)))
            else:
                given: Given = {}
                unapplied: list[ContextSymbol] = []
                symbol: Symbol | None
                if node.prefix:
                    found = self._follow(node, unapplied)
                    if isinstance(found, core.Literal):
                        return found
                    if any(part.arguments for part in node.prefix):  # as SANY: a selector has none here
                        return self.problem(
                            f"an operator that is passed to {taker} cannot name an instance with arguments",
                            node.at,
                            "Write LAMBDA x : ... with the whole expression.",
                        )
                    symbol, given, _ = found
                else:
                    symbol = self.find(node.name)
                    if symbol is None and node.name == "-":
                        symbol = self.find("-.")
                    if symbol is None:
                        return self.unknown(node.name, node.at)
                arities = (*(len(parameter.arities) for parameter in unapplied), *symbol.arities)
                if arities == (0,) * arity and not isinstance(symbol, InstanceSymbol):
                    return self.as_operator(symbol, given, node.at, unapplied)
                return self.problem(
                    f"{taker} wants an operator with {counted(arity, 'parameter')}, and {symbol.name} "
                    f"{takes(len(arities)) if not any(arities) else 'itself takes an operator'}",
                    node.at,
                )
        return self.problem(
            f"{taker} wants an operator with {counted(arity, 'parameter')} here, not an expression",
            node.at,
            "Name an operator, or write LAMBDA x : ...",
        )

    # --- what a symbol becomes -------------------------------------------------------------------------------------

    def as_operator(
        self, symbol: Symbol, given: Given, at: Location, unapplied: Sequence[ContextSymbol] = ()
    ) -> core.Expression:
        """An operator as an argument; the parameters of instances that stand without arguments come first."""
        symbol = self.run.final(symbol)
        arity = len(symbol.arities)
        if not unapplied:
            if isinstance(symbol, BoundSymbol):
                return core.OperatorArgument(at, symbol.binding, arity)
            if isinstance(symbol, LetSymbol):
                return core.OperatorArgument(at, symbol.definition, arity)
            if isinstance(symbol, OperatorSymbol) and not symbol.home.environment.context:
                return core.OperatorArgument(at, self.run.definition(symbol), arity)
            if isinstance(symbol, ContextSymbol):
                value = self._context(symbol, given, at)
                if isinstance(value, core.OperatorArgument | core.Lambda):
                    return value
        first = {parameter: core.Binding(parameter.name, at) for parameter in unapplied}
        own = parameters_of(arity, at)
        given = {**given, **{parameter: core.Reference(at, binding) for parameter, binding in first.items()}}
        body = self.invoke(symbol, references(own), given, at)
        return core.Lambda(at, (*first.values(), *own), body)

    def invoke(
        self, symbol: Symbol, arguments: tuple[core.Expression, ...], given: Given, at: Location
    ) -> core.Expression:
        """`symbol` applied to resolved arguments, as many as it takes."""
        symbol = self.run.final(symbol)
        if isinstance(symbol, BoundSymbol):
            if isinstance(symbol, RecursionSymbol):
                symbol.used = True
            if symbol.arities:
                return core.CallParameter(at, symbol.binding, arguments)
            return core.Reference(at, symbol.binding)
        if isinstance(symbol, VariableSymbol):
            return core.VariableReference(at, symbol.variable)
        if isinstance(symbol, BuiltinSymbol):
            text = self.run.definition(symbol.text) if symbol.text is not None else None
            return core.Builtin(at, symbol.operator.qualified, arguments, text)
        if isinstance(symbol, OperatorSymbol):
            if isinstance(symbol.unit, syntax.Theorem) and isinstance(symbol.unit.body, syntax.AssumeProve):
                return self.problem(f"{symbol.name} is an ASSUME ... PROVE and cannot stand in an expression", at)
            definition = self.run.definition(symbol)
            context = self._contexts(symbol.home.environment.context, given, at)
            return core.Call(at, definition, (*context, *arguments))
        if isinstance(symbol, LetSymbol):
            return core.Call(at, symbol.definition, arguments)
        if isinstance(symbol, LetPartSymbol):
            definition = self.local_part(symbol)
            return core.Let(at, (definition,), core.Call(at, definition, arguments))
        if isinstance(symbol, ConstantSymbol):
            if not symbol.arities:
                return core.ConstantReference(at, symbol.constant)
            return core.Call(at, self.run.stand_in(symbol), arguments)
        if isinstance(symbol, ContextSymbol):
            return self._of_context(symbol, arguments, given, at)
        if isinstance(symbol, SubstitutedSymbol):
            if isinstance(symbol.value, syntax.Number):
                return core.Literal(symbol.value.at, symbol.value.value)
            if isinstance(symbol.value, syntax.Text):
                return core.Literal(symbol.value.at, symbol.value.value)
            definition = self.run.substitution(symbol)
            context = self._contexts(symbol.environment.context, given, at)
            return core.Call(at, definition, (*context, *arguments))
        if isinstance(symbol, ValueSymbol):
            return self.run.value(symbol, arguments, at)
        raise AssertionError(type(symbol))

    def _contexts(self, context: tuple[ContextSymbol, ...], given: Given, at: Location) -> tuple[core.Expression, ...]:
        return tuple(self._context(symbol, given, at) for symbol in context)

    def _context(self, symbol: ContextSymbol, given: Given, at: Location) -> core.Expression:
        """The value that an instance's parameter has here, or the operator."""
        value = given.get(symbol)
        if value is not None:
            return value
        binding = self.frame.find(symbol) if self.frame is not None else None
        assert binding is not None, f"{symbol.name} at {at}: no frame binds it"
        if symbol.arities:
            return core.OperatorArgument(at, binding, len(symbol.arities))
        return core.Reference(at, binding)

    def _of_context(
        self, symbol: ContextSymbol, arguments: tuple[core.Expression, ...], given: Given, at: Location
    ) -> core.Expression:
        value = self._context(symbol, given, at)
        if not symbol.arities:
            return value
        if isinstance(value, core.OperatorArgument) and isinstance(value.target, core.Binding):
            return core.CallParameter(at, value.target, arguments)
        raise AssertionError(symbol.name)


def _flat(name: str, arguments: Sequence[syntax.Expression]) -> list[syntax.Expression]:
    """The operands of a chain `a /\\ b /\\ c`, which the parser nests to the left."""
    operands: list[syntax.Expression] = []
    left, right = arguments
    while True:
        operands.append(right)
        if not (isinstance(left, syntax.Apply) and left.name == name and not left.prefix and len(left.arguments) == 2):
            break
        left, right = left.arguments
    operands.append(left)
    operands.reverse()
    return operands


def _application(symbol: Symbol) -> str:
    return f"{symbol.name}({', '.join('...' for _ in symbol.arities)})"


def _declaration(symbol: Symbol) -> str:
    return f"{symbol.name}({', '.join('_' for _ in symbol.arities)})" if symbol.arities else symbol.name


def parameters_of(arity: int, at: Location) -> tuple[core.Binding, ...]:
    """Names for the parameters of an operator that has none of its own."""
    return tuple(core.Binding(f"_{number + 1}", at) for number in range(arity))


def references(names: Sequence[core.Binding]) -> tuple[core.Expression, ...]:
    return tuple(core.Reference(name.at, name) for name in names)
