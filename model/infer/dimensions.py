"""Which numbers a specification compares with each other: epochs with epochs, and offsets with offsets.

As in the inference of units of measure, what is compared, assigned, chosen from one set or passed to one parameter is
of one dimension, by the structure of values: the keys and the values of a function, each field of a record, the
elements of a set. Numbers that are written, and constants that are numbers, have none of their own. An operator is
looked at with the arguments of each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import children

_KEYS, _VALUES = "keys", "values"
"""The parts of a function, and the values of a set."""
_COMPARED = frozenset(("=", "#", "\\subseteq", "Naturals!<", "Naturals!<=", "Naturals!>", "Naturals!>="))
_COMBINED = frozenset(("\\cup", "\\cap", "\\", "Naturals!+", "Naturals!-", "Sequences!\\o", "TLC!@@"))
"""Both sides are of one dimension; here so is what comes out."""
_AS_FIRST = frozenset(("'", "Naturals!%", "Integers!-.", "Sequences!Tail"))


@dataclass(eq=False, slots=True)
class Dimension:
    """A class of values; `parts` of structured ones. `known` says which class it has become."""

    _into: Dimension | None = None
    _parts: dict[str, Dimension] = field(default_factory=dict)

    def known(self) -> Dimension:
        found = self
        while found._into is not None:
            found = found._into
        if found is not self:
            self._into = found
        return found

    def part(self, name: str) -> Dimension:
        return self.known()._parts.setdefault(name, Dimension())

    @property
    def keys(self) -> Dimension:
        return self.part(_KEYS)

    @property
    def values(self) -> Dimension:
        """Of a function, or the elements of a set."""
        return self.part(_VALUES)

    def of_field(self, name: str) -> Dimension:
        return self.part(f".{name}")

    def is_same(self, other: Dimension) -> bool:
        return self.known() is other.known()

    def join(self, other: Dimension) -> Dimension:
        one, two = self.known(), other.known()
        if one is two:
            return one
        two._into = one
        for name, part in two._parts.items():
            parts = one.known()._parts  # a part may be what it is a part of
            if name in parts:
                parts[name].join(part)
            else:
                parts[name] = part
        return one.known()


@dataclass(frozen=True, eq=False, slots=True)
class _Operator:
    """What an operator parameter stands for."""

    argument: core.OperatorArgument | core.Lambda
    scope: Mapping[core.Binding, Dimension | _Operator]


_Scope = Mapping[core.Binding, Dimension | _Operator]


class Dimensions:
    """Of what a model says in these formulas."""

    def __init__(self, formulas: Sequence[core.Expression]) -> None:
        self._variables: dict[core.Variable, Dimension] = {}
        self._constants: dict[core.Constant, Dimension] = {}
        self._bound: dict[core.Binding, Dimension] = {}
        self._calls: dict[tuple[object, ...], Dimension] = {}
        self._inside: dict[tuple[object, ...], tuple[_Scope, Dimension]] = {}
        """Of operators in a LET, with the scope in which they are applied."""
        self._entered: dict[core.Definition, tuple[tuple[Dimension, ...], Dimension]] = {}
        self._elements: dict[core.Expression, list[Dimension]] = {}
        self._given: dict[core.Definition, list[Sequence[Dimension]]] = {}
        for formula in formulas:
            self.of(formula, {})

    def variable(self, variable: core.Variable) -> Dimension:
        return self._variables.setdefault(variable, Dimension())

    def of_elements(self, domains: Sequence[core.Expression]) -> frozenset[Dimension]:
        """What the names are of that are bound to elements of these sets, in all places where they are."""
        return frozenset(found.known() for domain in domains for found in self._elements.get(domain, ()))

    def of_arguments(self, definition: core.Definition) -> tuple[frozenset[Dimension], ...]:
        """For each parameter what an operator is applied to; empty where it is not applied."""
        return tuple(
            frozenset(d.known() for d in column) for column in zip(*self._given.get(definition, ()), strict=True)
        )

    def of(self, e: core.Expression, scope: _Scope) -> Dimension:
        """What the value of an expression is of; a new dimension for what has none of its own."""
        form = _FORMS.get(type(e))
        if form is not None:
            return form(self, e, scope)
        for part in children(e):
            self.of(part, scope)
        return Dimension()

    def applied(self, definition: core.Definition, arguments: Sequence[Dimension]) -> Dimension:
        """Of the value of an operator at arguments of these."""
        key = (definition, *(id(argument.known()) for argument in arguments))
        if key not in self._calls:
            self._given.setdefault(definition, []).append(arguments)
            self._calls[key] = self._enter(definition, arguments, {})
        return self._calls[key]

    def _enter(
        self, definition: core.Definition, arguments: Sequence[Dimension | _Operator], scope: _Scope
    ) -> Dimension:
        if definition in self._entered:
            before, result = self._entered[definition]
            for one, other in zip(before, arguments, strict=True):
                if isinstance(other, Dimension):
                    one.join(other)
            return result
        result = Dimension()
        plain = tuple(a if isinstance(a, Dimension) else Dimension() for a in arguments)
        self._entered[definition] = plain, result
        try:
            given = dict(zip(definition.parameters, arguments, strict=True))
            inner = {**scope, **given} if given else scope
            return result.join(self.of(definition.body, inner))
        finally:
            del self._entered[definition]

    def _call(self, e: core.Call, scope: _Scope) -> Dimension:
        arguments = [self._argument(a, scope) for a in e.arguments]
        plain = [a for a in arguments if isinstance(a, Dimension)]
        if len(plain) < len(arguments):
            return self._enter(e.definition, arguments, scope)
        if not e.definition.local:
            return self.applied(e.definition, plain)
        key = (e.definition, id(scope), *(id(argument.known()) for argument in plain))
        if key not in self._inside:
            self._inside[key] = scope, self._enter(e.definition, plain, scope)
        return self._inside[key][1]

    def _argument(self, e: core.Expression, scope: _Scope) -> Dimension | _Operator:
        if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Binding):
            return scope.get(e.target, Dimension())
        if isinstance(e, core.OperatorArgument | core.Lambda):
            return _Operator(e, scope)
        return self.of(e, scope)

    def _passed(self, operator: Dimension | _Operator | None, arguments: Sequence[Dimension]) -> Dimension:
        if not isinstance(operator, _Operator):
            return Dimension()
        argument = operator.argument
        target = argument if isinstance(argument, core.Lambda) else argument.target
        if isinstance(target, core.Definition):
            return self._enter(target, arguments, operator.scope)
        if isinstance(target, core.Binding):
            return self._passed(operator.scope.get(target), arguments)
        return self.of(target.body, {**operator.scope, **dict(zip(target.parameters, arguments, strict=True))})

    def _parameter(self, e: core.CallParameter, scope: _Scope) -> Dimension:
        arguments = [self._argument(a, scope) for a in e.arguments]
        return self._passed(scope.get(e.binding), [a if isinstance(a, Dimension) else Dimension() for a in arguments])

    def _constant(self, e: core.ConstantReference, scope: _Scope) -> Dimension:
        value = e.constant.value
        if isinstance(value, core.Literal) and type(value.value) is int:
            return Dimension()
        return self._constants.setdefault(e.constant, Dimension())

    def _reference(self, e: core.Reference, scope: _Scope) -> Dimension:
        found = scope.get(e.binding)
        return found if isinstance(found, Dimension) else self._bound.setdefault(e.binding, Dimension())

    def _bind(self, binders: Sequence[core.Binder], scope: _Scope) -> tuple[_Scope, list[Dimension]]:
        """The scope with the names of binders, and of what their elements are."""
        inner, elements = dict(scope), []
        for binder in binders:
            element = Dimension()
            if binder.domain is not None:
                element = self.of(binder.domain, scope).values
                self._elements.setdefault(binder.domain, []).append(element)
            elements.append(element)
            for place, binding in enumerate(binder.bindings):
                inner[binding] = element.part(f"#{place + 1}") if binder.is_tuple else element
        return inner, elements

    def _builtin(self, e: core.Builtin, scope: _Scope) -> Dimension:
        arguments = [self._argument(a, scope) for a in e.arguments]
        of = [a if isinstance(a, Dimension) else Dimension() for a in arguments]
        operator = e.operator
        if operator in _COMBINED:
            return of[0].join(of[1])
        if operator in _AS_FIRST:
            return of[0]
        result = Dimension()
        if operator in _COMPARED:
            of[0].join(of[1])
        match operator.rpartition("!")[2]:
            case "\\in" | "\\notin":
                of[1].values.join(of[0])
            case "..":
                result.values.join(of[0]).join(of[1])
            case "SUBSET":
                result.values.join(of[0])
            case "UNION" | "Head":
                return of[0].values
            case "DOMAIN":
                result.values.join(of[0].keys)
            case "Len":
                return of[0].keys
            case "Cardinality":
                return of[0].part("size")
            case "Append":
                of[0].values.join(of[1])
                return of[0]
            case "SubSeq":
                of[0].keys.join(of[1]).join(of[2])
                return of[0]
            case "SelectSeq":
                self._passed(arguments[1], [of[0].values])
                return of[0]
            case "Seq":
                result.values.values.join(of[0].values)
            case ":>":
                result.keys.join(of[0])
                result.values.join(of[1])
            case _:
                for argument in arguments:
                    if isinstance(argument, _Operator):
                        self._passed(argument, [Dimension() for _ in range(_arity(argument.argument))])
        return result

    def _except(self, e: core.Except, scope: _Scope) -> Dimension:
        whole = self.of(e.function, scope)
        for update in e.updates:
            place = whole
            for step in update.path:
                place = self._at(place, step, scope)
            place.join(self.of(update.value, {**scope, update.old: place}))
        return whole

    def _at(self, whole: Dimension, step: core.Expression, scope: _Scope) -> Dimension:
        """Of what is at an argument, a field or a place."""
        if isinstance(step, core.Literal) and isinstance(step.value, str):
            return whole.of_field(step.value)
        if isinstance(step, core.Literal) and f"#{step.value}" in whole.known()._parts:
            return whole.part(f"#{step.value}")
        whole.keys.join(self.of(step, scope))
        return whole.values

    def _function(self, e: core.FunctionConstructor, scope: _Scope) -> Dimension:
        result = Dimension()
        inner, elements = self._bind(e.binders, scope)
        names = [binding for binder in e.binders for binding in binder.bindings]
        if len(names) == 1:
            result.keys.join(elements[0])
        else:
            for place, name in enumerate(names):
                found = inner[name]
                if isinstance(found, Dimension):
                    result.keys.part(f"#{place + 1}").join(found)
        if e.recursion is not None:
            inner = {**inner, e.recursion: result}
        result.values.join(self.of(e.body, inner))
        return result

    def _tuple(self, e: core.TupleExpression, scope: _Scope) -> Dimension:
        result = Dimension()
        for place, item in enumerate(e.items):
            name = _VALUES if len(e.items) == 1 else f"#{place + 1}"
            result.part(name).join(self.of(item, scope))
        return result


def _arity(e: core.OperatorArgument | core.Lambda) -> int:
    return len(e.parameters) if isinstance(e, core.Lambda) else e.arity


def _joined(parts: Iterator[Dimension]) -> Dimension:
    result = Dimension()
    for part in parts:
        result.join(part)
    return result


def _quantified(of: Dimensions, e: core.Quantified, scope: _Scope) -> Dimension:
    of.of(e.body, of._bind(e.binders, scope)[0])
    return Dimension()


def _choose(of: Dimensions, e: core.Choose, scope: _Scope) -> Dimension:
    inner, elements = of._bind((e.binder,), scope)
    of.of(e.body, inner)
    return elements[0]


def _filter(of: Dimensions, e: core.SetFilter, scope: _Scope) -> Dimension:
    result = Dimension()
    result.values.join(_choose(of, core.Choose(e.at, e.binder, e.body), scope))
    return result


def _map(of: Dimensions, e: core.SetMap, scope: _Scope) -> Dimension:
    result = Dimension()
    result.values.join(of.of(e.body, of._bind(e.binders, scope)[0]))
    return result


def _case(of: Dimensions, e: core.Case, scope: _Scope) -> Dimension:
    for guard, _ in e.arms:
        of.of(guard, scope)
    bodies = [*(body for _, body in e.arms), *([e.other] if e.other is not None else [])]
    return _joined(of.of(body, scope) for body in bodies)


def _if(of: Dimensions, e: core.If, scope: _Scope) -> Dimension:
    of.of(e.condition, scope)
    return of.of(e.then, scope).join(of.of(e.otherwise, scope))


def _set(of: Dimensions, e: core.SetEnumeration, scope: _Scope) -> Dimension:
    result = Dimension()
    result.values.join(_joined(of.of(item, scope) for item in e.items))
    return result


def _functions(of: Dimensions, e: core.FunctionSet, scope: _Scope) -> Dimension:
    result = Dimension()
    result.values.keys.join(of.of(e.domain, scope).values)
    result.values.values.join(of.of(e.range, scope).values)
    return result


def _record(of: Dimensions, e: core.Record, scope: _Scope) -> Dimension:
    result = Dimension()
    for name, value in e.fields:
        result.of_field(name).join(of.of(value, scope))
    return result


def _records(of: Dimensions, e: core.RecordSet, scope: _Scope) -> Dimension:
    result = Dimension()
    for name, value in e.fields:
        result.values.of_field(name).join(of.of(value, scope).values)
    return result


def _product(of: Dimensions, e: core.Cartesian, scope: _Scope) -> Dimension:
    result = Dimension()
    for place, factor in enumerate(e.factors):
        result.values.part(f"#{place + 1}").join(of.of(factor, scope).values)
    return result


_FORMS: dict[type, Callable[[Dimensions, Any, _Scope], Dimension]] = {
    core.VariableReference: lambda of, e, scope: of.variable(e.variable),
    core.ConstantReference: Dimensions._constant,
    core.Reference: Dimensions._reference,
    core.Call: Dimensions._call,
    core.CallParameter: Dimensions._parameter,
    core.Builtin: Dimensions._builtin,
    core.Quantified: _quantified,
    core.Choose: _choose,
    core.If: _if,
    core.Case: _case,
    core.Let: lambda of, e, scope: of.of(e.body, scope),
    core.Label: lambda of, e, scope: of.of(e.body, scope),
    core.SetEnumeration: _set,
    core.SetFilter: _filter,
    core.SetMap: _map,
    core.FunctionConstructor: Dimensions._function,
    core.FunctionSet: _functions,
    core.FunctionApplication: lambda of, e, scope: of._at(of.of(e.function, scope), e.argument, scope),
    core.FieldAccess: lambda of, e, scope: of.of(e.record, scope).of_field(e.field),
    core.Record: _record,
    core.RecordSet: _records,
    core.TupleExpression: Dimensions._tuple,
    core.Cartesian: _product,
    core.Except: Dimensions._except,
}
