"""Resolve expressions: every construct with its binders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.resolve.elaborate import counted
from rmqproof.model.tla.resolve.environment import Collector, InstanceSymbol, OperatorSymbol, Site, SubstitutedSymbol
from rmqproof.model.tla.resolve.references import References
from rmqproof.model.tla.resolve.symbols import BoundSymbol, LetPartSymbol, LetSymbol, Locals, RecursionSymbol, Symbol
from rmqproof.model.tla.source import Location

_Fresh = tuple[tuple[str, core.Binding, core.Expression | None], ...]


class Expressions(References):
    """`locals` changes while binders are entered and left."""

    old: core.Binding | None = None  # what @ stands for

    def expression(self, node: syntax.Expression) -> core.Expression:
        return _METHODS[type(node)](self, node)

    # --- literals and simple constructs ----------------------------------------------------------------------------

    def number(self, node: syntax.Number) -> core.Expression:
        return core.Literal(node.at, node.value)

    def decimal(self, node: syntax.Decimal) -> core.Expression:
        return self.problem(
            f"{node.text} is not an integer, and the checker computes with integers only",
            node.at,
            "Scale the unit so that whole numbers suffice.",
        )

    def text(self, node: syntax.Text) -> core.Expression:
        return core.Literal(node.at, node.value)

    def junction(self, node: syntax.Junction) -> core.Expression:
        return core.Builtin(node.at, node.operator, self._all(node.items))

    def cartesian(self, node: syntax.Cartesian) -> core.Expression:
        return core.Cartesian(node.at, self._all(node.factors))

    def if_(self, node: syntax.If) -> core.Expression:
        return core.If(
            node.at, self.expression(node.condition), self.expression(node.then), self.expression(node.otherwise)
        )

    def case(self, node: syntax.Case) -> core.Expression:
        arms = tuple([(self.expression(arm.guard), self.expression(arm.body)) for arm in node.arms])
        return core.Case(node.at, arms, None if node.other is None else self.expression(node.other))

    def set_enumeration(self, node: syntax.SetEnumeration) -> core.Expression:
        return core.SetEnumeration(node.at, self._all(node.items))

    def function_set(self, node: syntax.FunctionSet) -> core.Expression:
        return core.FunctionSet(node.at, self.expression(node.domain), self.expression(node.range))

    def function_application(self, node: syntax.FunctionApplication) -> core.Expression:
        function, arguments = node.function, node.arguments
        if len(arguments) > 1 and isinstance(function, syntax.Apply) and not function.prefix:
            self._check_function_arity(function, len(arguments), node.at)
        return core.FunctionApplication(node.at, self.expression(function), self._argument(arguments, node.at))

    def _check_function_arity(self, function: syntax.Apply, number: int, at: Location) -> None:
        symbol = self.find(function.name)
        wanted = 0
        if isinstance(symbol, OperatorSymbol) and isinstance(symbol.unit, syntax.FunctionDefinition):
            wanted = _width(symbol.unit)
        elif isinstance(symbol, LetSymbol):
            wanted = symbol.function_arity
        if wanted and wanted != number:
            self.problem(f"function {function.name} {_takes(wanted)}, not {counted(number, 'argument')}", at)

    def _argument(self, arguments: tuple[syntax.Expression, ...], at: Location) -> core.Expression:
        if len(arguments) == 1:
            return self.expression(arguments[0])
        whole = arguments[0].at.to(arguments[-1].at)
        return core.TupleExpression(whole, self._all(arguments))

    def field_access(self, node: syntax.FieldAccess) -> core.Expression:
        return core.FieldAccess(node.at, self.expression(node.record), node.field)

    def record(self, node: syntax.Record) -> core.Expression:
        return core.Record(node.at, self._fields(node.fields))

    def record_set(self, node: syntax.RecordSet) -> core.Expression:
        return core.RecordSet(node.at, self._fields(node.fields))

    def _fields(self, fields: tuple[syntax.RecordField, ...]) -> tuple[tuple[str, core.Expression], ...]:
        names: set[str] = set()
        for field in fields:
            if field.name in names:
                self.problem(f"field {field.name} is given twice", field.at)
            names.add(field.name)
        return tuple([(field.name, self.expression(field.value)) for field in fields])

    def tuple_(self, node: syntax.TupleExpression) -> core.Expression:
        return core.TupleExpression(node.at, self._all(node.items))

    def box_action(self, node: syntax.BoxAction) -> core.Expression:
        return core.BoxAction(node.at, self.expression(node.action), self.expression(node.subscript))

    def angle_action(self, node: syntax.AngleAction) -> core.Expression:
        return core.AngleAction(node.at, self.expression(node.action), self.expression(node.subscript))

    def fairness(self, node: syntax.Fairness) -> core.Expression:
        subscript, action = self.expression(node.subscript), self.expression(node.action)
        return core.Fairness(node.at, node.kind, subscript, action, stands_for=self.instance())

    def label(self, node: syntax.Label) -> core.Expression:
        wanted = [] if self.locals is None else self.locals.parameters_of_label()
        given = [parameter.name for parameter in node.parameters]
        if sorted(wanted) != sorted(given) and not self.is_part:
            form = f"{node.name}({', '.join(wanted)})" if wanted else node.name
            return self.problem(
                f"the parameters of label {node.name} must be the names that are bound around it",
                node.at,
                f"Write {form}::",
            )
        parameters: list[core.Expression] = []
        for parameter in node.parameters:
            symbol = self.find(parameter.name)
            assert isinstance(symbol, BoundSymbol)
            parameters.append(core.Reference(parameter.at, symbol.binding))
        self._label_stands(node)
        outer, labels = self.locals, self.labels
        self.locals, self.labels = Locals({}, outer, barrier=True), set()
        body = self.expression(node.body)
        self.locals, self.labels = outer, labels
        return core.Label(node.at, node.name, tuple(parameters), body)

    def _label_stands(self, node: syntax.Label) -> None:
        """A label names a part of a definition, and one part."""
        if self.is_part:
            return
        if self.nameless:
            self.problem(
                f"label {node.name} names a part of something that has no name itself",
                node.at,
                "Name the assumption or theorem (ASSUME Name == ...), or leave the label out.",
            )
        elif self.old is not None:
            self.problem(f"label {node.name} stands in an update of EXCEPT, whose parts have no names", node.at)
        elif node.name in self.labels:
            self.problem(f"there are two labels {node.name} side by side", node.at, "Give one of them another name.")
        self.labels.add(node.name)

    def _all(self, nodes: Iterable[syntax.Expression]) -> tuple[core.Expression, ...]:
        return tuple([self.expression(node) for node in nodes])

    # --- EXCEPT ----------------------------------------------------------------------------------------------------

    def except_(self, node: syntax.Except) -> core.Expression:
        function = self.expression(node.function)
        updates = []
        for update in node.updates:
            path = tuple([self._step(step) for step in update.path])
            before, self.old = self.old, core.Binding("@", update.at)
            value = self.expression(update.value)
            updates.append(core.Update(path, value, self.old))
            self.old = before
        return core.Except(node.at, function, tuple(updates))

    def _step(self, step: syntax.PathIndex | syntax.PathField) -> core.Expression:
        if isinstance(step, syntax.PathField):
            return core.Literal(step.at, step.name)
        return self._argument(step.arguments, step.at)

    def old_value(self, node: syntax.Old) -> core.Expression:
        if self.old is None:
            return self.problem("@ has a meaning only in an update of EXCEPT, right of the =", node.at)
        return core.Reference(node.at, self.old)

    # --- binders ---------------------------------------------------------------------------------------------------

    def _bind(
        self,
        identifiers: Iterable[syntax.Identifier | syntax.Parameter],
        given: tuple[core.Binding, ...] = (),
        binder: bool = True,
    ) -> tuple[core.Binding, ...]:
        """Enter a scope in which the names are bound; the caller restores `self.locals`."""
        names: dict[str, Symbol] = {}
        bindings: list[core.Binding] = []
        for identifier in identifiers:
            name, at = identifier.name, identifier.at
            arity = identifier.arity if isinstance(identifier, syntax.Parameter) else 0
            if name in names:
                self.problem(f"{name} is bound twice here", at)
            else:
                self.is_new(name, at)
            binding = given[len(bindings)] if given else core.Binding(name, at, arity)
            names[name] = BoundSymbol(name, at, (0,) * arity, binding)
            bindings.append(binding)
        self.locals = Locals(names, self.locals, binder, not binder)
        return tuple(bindings)

    def binders(self, bounds: tuple[syntax.Bound, ...]) -> tuple[core.Binder, ...]:
        """Resolve the domains outside, then enter the scope of all the names."""
        # `x, y \in S` gives two binders over one domain node
        domains = [None if bound.domain is None else self.expression(bound.domain) for bound in bounds]
        patterns = [
            (pattern, domain) for bound, domain in zip(bounds, domains, strict=True) for pattern in bound.patterns
        ]
        bindings = iter(self._bind([name for pattern, _ in patterns for name in _names(pattern)]))
        return tuple(
            [
                core.Binder(
                    tuple([next(bindings) for _ in _names(pattern)]),
                    isinstance(pattern, syntax.TuplePattern),
                    domain,
                )
                for pattern, domain in patterns
            ]
        )

    def _binder(self, pattern: syntax.Pattern, domain: syntax.Expression | None) -> core.Binder:
        resolved = None if domain is None else self.expression(domain)
        bindings = self._bind(_names(pattern))
        return core.Binder(bindings, isinstance(pattern, syntax.TuplePattern), resolved)

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """What is bound inside is not seen outside."""
        outer = self.locals
        yield
        self.locals = outer

    def quantified(self, node: syntax.Quantified) -> core.Expression:
        with self._scope():
            binders = self.binders(node.bounds)
            return core.Quantified(node.at, node.kind, binders, self.expression(node.body))

    def temporal_quantified(self, node: syntax.TemporalQuantified) -> core.Expression:
        with self._scope():
            bindings = self._bind(node.names)
            return core.TemporalQuantified(node.at, node.kind, bindings, self.expression(node.body))

    def choose(self, node: syntax.Choose) -> core.Expression:
        with self._scope():
            binder = self._binder(node.pattern, node.domain)
            return core.Choose(node.at, binder, self.expression(node.body))

    def set_filter(self, node: syntax.SetFilter) -> core.Expression:
        with self._scope():
            binder = self._binder(node.pattern, node.domain)
            return core.SetFilter(node.at, binder, self.expression(node.body))

    def set_map(self, node: syntax.SetMap) -> core.Expression:
        with self._scope():
            binders = self.binders(node.bounds)
            return core.SetMap(node.at, self.expression(node.body), binders)

    def function_constructor(self, node: syntax.FunctionConstructor) -> core.Expression:
        with self._scope():
            binders = self.binders(node.bounds)
            return core.FunctionConstructor(node.at, binders, self.expression(node.body))

    def lambda_(self, node: syntax.Lambda) -> core.Lambda:
        with self._scope():
            parameters = self._bind(node.parameters)
            return core.Lambda(node.at, parameters, self.expression(node.body))

    def lambda_as_value(self, node: syntax.Lambda) -> core.Expression:
        return self.problem("a LAMBDA is an operator, and a value is expected here", node.at)

    # --- definitions -----------------------------------------------------------------------------------------------

    def with_parameters(
        self, parameters: Iterable[syntax.Parameter | syntax.Identifier], given: tuple[core.Binding, ...] = ()
    ) -> tuple[core.Binding, ...]:
        """Enter the scope of an operator's parameters, bound to `given` where those exist already."""
        return self._bind(parameters, given, binder=False)

    def theorem(self, unit: syntax.Theorem) -> core.Theorem:
        outer = self.locals
        if not isinstance(unit.body, syntax.AssumeProve):
            return core.Theorem(unit.name, unit.at, self.expression(unit.body), comment=unit.comment)
        fresh, assumptions = self._assumed(unit.body)
        goal = self.expression(unit.body.goal)
        self.locals = outer
        return core.Theorem(unit.name, unit.at, goal, assumptions, fresh, unit.comment)

    def _assumed(self, node: syntax.AssumeProve) -> tuple[_Fresh, tuple[core.Expression, ...]]:
        """Resolve the assumptions, entering the scope of the new symbols."""
        fresh: list[tuple[str, core.Binding, core.Expression | None]] = []
        assumptions: list[core.Expression] = []
        for item in node.assumptions:
            if isinstance(item, syntax.NewSymbol):
                domain = None if item.domain is None else self.expression(item.domain)
                parameter = item.parameter
                binding = core.Binding(parameter.name, parameter.at, parameter.arity)
                symbol = BoundSymbol(parameter.name, parameter.at, (0,) * parameter.arity, binding)
                self.locals = Locals({parameter.name: symbol}, self.locals)
                fresh.append((item.kind, binding, domain))
            elif isinstance(item, syntax.AssumeProve):
                assumptions.append(self._nested_assumption(item))
            else:
                assumptions.append(self.expression(item))
        return tuple(fresh), tuple(assumptions)

    def _nested_assumption(self, node: syntax.AssumeProve) -> core.Expression:
        """`ASSUME NEW x, P PROVE Q` among assumptions means `\\A x : P => Q`."""
        outer = self.locals
        fresh, assumptions = self._assumed(node)
        body = core.Builtin(node.at, "=>", (core.Builtin(node.at, "/\\", assumptions), self.expression(node.goal)))
        self.locals = outer
        binders = tuple(core.Binder((binding,), False, domain) for _, binding, domain in fresh)
        return core.Quantified(node.at, "\\A", binders, body) if binders else body

    def function_body(self, unit: syntax.FunctionDefinition) -> core.Expression:
        """`f[x \\in S] == e`: the function, in whose body `f` is bound."""
        outer = self.locals
        recursion = core.Binding(unit.name, unit.at)
        binders = self.binders(unit.bounds)
        own = RecursionSymbol(unit.name, unit.at, (), recursion)
        self.locals = Locals({unit.name: own}, self.locals)
        body = self.expression(unit.body)
        self.locals = outer
        return core.FunctionConstructor(unit.at, binders, body, recursion if own.used else None)

    def let(self, node: syntax.Let) -> core.Expression:
        outer = self.locals
        collector = Collector()
        definitions: list[core.Definition] = []
        declared: dict[str, LetSymbol] = {}
        instances: list[InstanceSymbol] = []
        for unit in node.units:
            if isinstance(unit, syntax.Recursive):
                for parameter in unit.parameters:
                    self.is_new(parameter.name, parameter.at)
                    definition = core.Definition(parameter.name, self.module.text.name, parameter.at)
                    arities = _arities_in(node.units, parameter)
                    symbol = LetSymbol(parameter.name, parameter.at, arities, definition)
                    if len(arities) != parameter.arity:
                        self.problem(
                            f"{parameter.name} is declared RECURSIVE with {counted(parameter.arity, 'parameter')} "
                            f"and defined with {counted(len(arities), 'parameter')}",
                            parameter.at,
                        )
                    declared[parameter.name] = symbol
                    self.locals = Locals({parameter.name: symbol}, self.locals)
            elif isinstance(unit, syntax.OperatorDefinition | syntax.FunctionDefinition):
                definitions.append(self._let_definition(unit, declared.pop(unit.name, None)))
            elif isinstance(unit, syntax.ModuleDefinition):
                self.is_new(unit.name, unit.at)
                site = Site(self.module, self.position, self.locals)
                instance = self.run.elaborator.instance(unit, site, self.frame, collector)
                instances.append(instance)
                self.locals = Locals({unit.name: instance}, self.locals)
            else:
                self.problem("this cannot stand in a LET", unit.at, "LET holds definitions.")
        for name, symbol in declared.items():
            self.problem(f"{name} is declared RECURSIVE but never defined in this LET", symbol.definition.at)
        body = self.expression(node.body)
        self.run.drain(collector.queue)
        definitions += collector.definitions
        for instance in instances:  # what no definition reads is looked at, too, as in SANY
            for value in (instance.elaboration.environment.substitutions or {}).values():
                if isinstance(value, SubstitutedSymbol):
                    self.run.substitution(value)
        self.run.drain(collector.queue)
        self.locals = outer
        return core.Let(node.at, tuple(definitions), body)

    def _let_definition(
        self, unit: syntax.OperatorDefinition | syntax.FunctionDefinition, declared: LetSymbol | None
    ) -> core.Definition:
        outer = self.locals
        parameters = () if isinstance(unit, syntax.FunctionDefinition) else unit.parameters
        arities = tuple(parameter.arity for parameter in parameters)
        if declared is None:
            self.is_new(unit.name, unit.at)
            definition = core.Definition(unit.name, self.module.text.name, unit.at)
        else:
            definition = declared.definition
        definition.at = unit.at
        definition.comment = unit.comment
        definition.annotations = unit.annotations
        self.run.register(definition)
        labels, self.labels = self.labels, set()
        self.locals = Locals({}, self.locals, barrier=True)
        if isinstance(unit, syntax.FunctionDefinition):
            definition.body = self.function_body(unit)
        else:
            definition.parameters = self.with_parameters(parameters)
            definition.body = self.expression(unit.body)
        self.locals, self.labels = outer, labels
        if declared is None:
            width = 0 if isinstance(unit, syntax.OperatorDefinition) else _width(unit)
            declared = LetSymbol(unit.name, unit.at, arities, definition, width)
            self.locals = Locals({unit.name: declared}, outer)
        declared.unit, declared.scope = unit, self.locals
        return definition

    def local_part(self, symbol: LetPartSymbol) -> core.Definition:
        scope = Expressions(self.run, Site(self.module, self.position, symbol.scope), self.frame)
        scope.is_part = True
        definition = core.Definition(symbol.name, self.module.text.name, symbol.part.at)
        definition.parameters = scope.with_parameters(symbol.part.parameters)
        definition.body = scope.expression(symbol.part.body)
        self.run.register(definition)
        return definition


def _names(pattern: syntax.Pattern) -> tuple[syntax.Identifier, ...]:
    return pattern.names if isinstance(pattern, syntax.TuplePattern) else (pattern,)


def _arities_in(units: tuple[syntax.Unit, ...], declared: syntax.Parameter) -> tuple[int, ...]:
    """The arities of the parameters that a RECURSIVE operator has in its definition."""
    for unit in units:
        if isinstance(unit, syntax.OperatorDefinition) and unit.name == declared.name:
            return tuple(parameter.arity for parameter in unit.parameters)
    return (0,) * declared.arity


def _width(unit: syntax.FunctionDefinition) -> int:
    """How many arguments a function is defined with."""
    return sum(len(bound.patterns) for bound in unit.bounds)


def _takes(number: int) -> str:
    return f"takes {counted(number, 'argument')}"


_METHODS: dict[type[Any], Callable[[Expressions, Any], core.Expression]] = {
    syntax.Number: Expressions.number,
    syntax.Decimal: Expressions.decimal,
    syntax.Text: Expressions.text,
    syntax.Apply: Expressions.apply,
    syntax.Junction: Expressions.junction,
    syntax.Cartesian: Expressions.cartesian,
    syntax.Quantified: Expressions.quantified,
    syntax.TemporalQuantified: Expressions.temporal_quantified,
    syntax.Choose: Expressions.choose,
    syntax.If: Expressions.if_,
    syntax.Case: Expressions.case,
    syntax.Let: Expressions.let,
    syntax.Lambda: Expressions.lambda_as_value,
    syntax.SetEnumeration: Expressions.set_enumeration,
    syntax.SetFilter: Expressions.set_filter,
    syntax.SetMap: Expressions.set_map,
    syntax.FunctionConstructor: Expressions.function_constructor,
    syntax.FunctionSet: Expressions.function_set,
    syntax.FunctionApplication: Expressions.function_application,
    syntax.Record: Expressions.record,
    syntax.RecordSet: Expressions.record_set,
    syntax.FieldAccess: Expressions.field_access,
    syntax.TupleExpression: Expressions.tuple_,
    syntax.Except: Expressions.except_,
    syntax.Old: Expressions.old_value,
    syntax.BoxAction: Expressions.box_action,
    syntax.AngleAction: Expressions.angle_action,
    syntax.Fairness: Expressions.fairness,
    syntax.Label: Expressions.label,
}
