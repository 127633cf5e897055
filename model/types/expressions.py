"""The type of an expression, given the types of the variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rmqproof.model.tla import core

from . import operators
from .domain import (
    BOOL,
    EMPTY_SEQUENCE,
    NOTHING,
    UNKNOWN,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Unknown,
    exactly,
    function_of,
    join,
    join_all,
    members_of,
    model_values,
    set_of,
    strings,
)
from .narrowing import clamp, shallow, widen
from .primed import NONE_PASSED, Passed
from .truth import decided

if TYPE_CHECKING:
    pass

ROUNDS_BEFORE_WIDENING = 4
ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Closure:
    """An operator passed as an argument, with what its free names mean."""

    operator: core.OperatorArgument | core.Lambda
    scope: Scope


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean: bindings, and variables narrowed by a guard."""

    bindings: Mapping[core.Binding, Type | Closure] = field(default_factory=dict)
    narrowed: Mapping[core.Variable, Type] = field(default_factory=dict)

    def bind(self, more: Mapping[core.Binding, Type | Closure]) -> Scope:
        return replace(self, bindings={**self.bindings, **more}) if more else self

    def narrow(self, variable: core.Variable, type_: Type) -> Scope:
        return replace(self, narrowed={**self.narrowed, variable: type_})


@dataclass(slots=True)
class _Frame:
    """A recursive definition that is being typed."""

    arguments: list[Type]
    result: Type = NOTHING
    changed: bool = False


@dataclass(slots=True)
class Typing:
    """Types of expressions, given the types of the variables."""

    variables: dict[core.Variable, Type]
    landmarks: tuple[int, ...] = ()
    passed: Passed = NONE_PASSED
    _memo: dict[object, Type] = field(default_factory=dict)
    _active: dict[core.Definition, _Frame] = field(default_factory=dict)
    local: set[core.Definition] = field(default_factory=set)
    """Definitions of LET, which may use the bindings around them."""
    _constants: dict[core.Constant, Type] = field(default_factory=dict)
    assigned: dict[tuple[int, bool], bool] = field(default_factory=dict)

    def of(self, e: core.Expression, scope: Scope) -> Type:
        match e:
            case core.Literal():
                if isinstance(e.value, bool):
                    return BOOL
                return exactly(e.value) if isinstance(e.value, int) else strings(e.value)
            case core.ModelValueLiteral():
                return model_values(e.name)
            case core.ConstantReference():
                return self.constant(e.constant)
            case core.VariableReference():
                narrowed = scope.narrowed.get(e.variable)
                return narrowed if narrowed is not None else self.variables.get(e.variable, UNKNOWN)
            case core.Reference():
                bound = scope.bindings.get(e.binding, UNKNOWN)
                return bound if isinstance(bound, Type) else UNKNOWN
            case core.Call():
                return self.call(e.definition, e.arguments, scope)
            case core.CallParameter():
                closure = scope.bindings.get(e.binding)
                if not isinstance(closure, Closure):
                    return UNKNOWN
                return self.apply_closure(closure, [self.argument(a, scope) for a in e.arguments], scope)
            case core.Builtin():
                return self.builtin(e, scope)
            case core.Quantified() | core.TemporalQuantified() | core.Fairness():
                return BOOL
            case core.BoxAction() | core.AngleAction():
                return BOOL
            case core.Choose():
                return self.bound(e.binder, scope)[1]
            case core.If():
                known = decided(self, e.condition, scope)
                if known is not None:
                    return self.of(e.then if known else e.otherwise, scope)
                then = self.of(e.then, self.narrowed(e.condition, scope))
                return join(then, self.of(e.otherwise, scope))
            case core.Case():
                bodies = [self.of(body, self.narrowed(guard, scope)) for guard, body in e.arms]
                return join_all(bodies if e.other is None else [*bodies, self.of(e.other, scope)])
            case core.Let():
                self.local.update(e.definitions)
                return self.of(e.body, scope)
            case core.SetEnumeration():
                return operators.enumeration([self.of(item, scope) for item in e.items])
            case core.SetFilter():
                return self.filtered(e, scope)
            case core.SetMap():
                inner, sizes, _ = self.bind_all(e.binders, scope)
                most = None
                if all(size is not None for size in sizes):
                    most = 1
                    for size in sizes:
                        most *= size or 0
                return set_of(self.of(e.body, inner), most)
            case core.FunctionConstructor():
                return self.function(e, scope)
            case core.FunctionSet():
                return operators.function_set(self.of(e.domain, scope), self.of(e.range, scope))
            case core.FunctionApplication():
                argument = self.of(e.argument, scope)
                return operators.apply(self.of(e.function, scope), argument, literal_of(e.argument, argument))
            case core.FieldAccess():
                return operators.apply(self.of(e.record, scope), strings(e.field), e.field)
            case core.Record():
                return Record.of({name: self.of(value, scope) for name, value in e.fields})
            case core.RecordSet():
                sets = {name: self.of(value, scope) for name, value in e.fields}
                element = Record.of({name: operators.element_of(s) for name, s in sets.items()})
                if any(isinstance(t, Nothing) for _, t in element.fields):
                    return Set(NOTHING, 0, True)
                return set_of(element, None, all(operators.is_full(s) for s in sets.values()))
            case core.TupleExpression():
                return Tuple(tuple(self.of(item, scope) for item in e.items)) if e.items else EMPTY_SEQUENCE
            case core.Cartesian():
                factors = [self.of(factor, scope) for factor in e.factors]
                product = Tuple(tuple(operators.element_of(f) for f in factors))
                return set_of(product, None, all(operators.is_full(f) for f in factors))
            case core.Except():
                return self.updated(e, scope)
            case core.Label():
                return self.of(e.body, scope)
        return UNKNOWN

    def constant(self, constant: core.Constant) -> Type:
        if constant not in self._constants:
            self._constants[constant] = UNKNOWN if constant.value is None else self.of(constant.value, Scope())
        return self._constants[constant]

    # --- operators --------------------------------------------------------------------------------------------

    def argument(self, e: core.Expression, scope: Scope) -> Type | Closure:
        if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Binding):
            passed_on = scope.bindings.get(e.target)
            if isinstance(passed_on, Closure):
                return passed_on
        if isinstance(e, core.OperatorArgument | core.Lambda):
            return Closure(e, scope)
        return self.of(e, scope)

    def call(self, definition: core.Definition, arguments: Sequence[core.Expression], scope: Scope) -> Type:
        return self.apply(definition, [self.argument(a, scope) for a in arguments], scope)

    def apply(self, definition: core.Definition, arguments: Sequence[Type | Closure], scope: Scope) -> Type:
        if definition.recursive:
            return self.recursive(definition, arguments, scope)[1]
        key = None
        if definition not in self.local and not self._active and not any(isinstance(a, Closure) for a in arguments):
            key = (definition, tuple(arguments), tuple(scope.narrowed.items()))
            if key in self._memo:
                return self._memo[key]
        inner = scope.bind(dict(zip(definition.parameters, arguments, strict=True)))
        result = shallow(self.of(definition.body, inner))
        if key is not None:
            self._memo[key] = result
        return result

    def recursive(
        self, definition: core.Definition, arguments: Sequence[Type | Closure], scope: Scope
    ) -> tuple[list[Type], Type]:
        """The types that the arguments take in the whole recursion, and the type of the result."""
        plain = [a if isinstance(a, Type) else UNKNOWN for a in arguments]
        frame = self._active.get(definition)
        if frame is not None:
            joined = [join(old, new) for old, new in zip(frame.arguments, plain, strict=True)]
            if joined != frame.arguments:
                frame.changed = True
                frame.arguments = joined
            return frame.arguments, frame.result
        frame = self._active[definition] = _Frame(plain)
        closures = {p: a for p, a in zip(definition.parameters, arguments, strict=True) if isinstance(a, Closure)}
        try:
            for turn in range(ROUNDS):
                frame.changed = False
                before = frame.arguments
                inner = scope.bind({**dict(zip(definition.parameters, before, strict=True)), **closures})
                result = join(frame.result, shallow(self.of(definition.body, inner)))
                if turn >= ROUNDS_BEFORE_WIDENING:
                    result = widen(frame.result, result, self.landmarks)
                    pairs = zip(before, frame.arguments, strict=True)
                    frame.arguments = [shallow(widen(old, new, self.landmarks)) for old, new in pairs]
                if result == frame.result and not frame.changed:
                    return frame.arguments, result
                frame.result = result
        finally:
            del self._active[definition]
        return [UNKNOWN for _ in plain], UNKNOWN

    def apply_closure(self, closure: Closure, arguments: Sequence[Type | Closure], scope: Scope) -> Type:
        operator = closure.operator
        if isinstance(operator, core.Lambda):
            outer = scope.bind(closure.scope.bindings)
            return self.of(operator.body, outer.bind(dict(zip(operator.parameters, arguments, strict=True))))
        if isinstance(operator.target, core.Definition):
            return self.apply(operator.target, arguments, scope.bind(closure.scope.bindings))
        if isinstance(operator.target, str):
            return operators.builtin(operator.target, [a if isinstance(a, Type) else UNKNOWN for a in arguments])
        return UNKNOWN

    def builtin(self, e: core.Builtin, scope: Scope) -> Type:
        name = operators.short_name(e.operator)
        if name in operators.BOOLEAN_OPERATORS:
            return BOOL
        if name == "'":
            # what a guard says of a variable is not so of its next value
            scope = replace(scope, narrowed={})
        given = [self.argument(a, scope) for a in e.arguments]
        found = operators.builtin(e.operator, [a if isinstance(a, Type) else UNKNOWN for a in given])
        if isinstance(found, Unknown) and e.text is not None:
            return self.apply(e.text, given, scope)
        return shallow(found)

    # --- binders ----------------------------------------------------------------------------------------------

    def bound(self, binder: core.Binder, scope: Scope) -> tuple[dict[core.Binding, Type | Closure], Type, Type]:
        """What the binder's names hold, the element type and the type of the domain."""
        domain = UNKNOWN if binder.domain is None else self.of(binder.domain, scope)
        element = operators.element_of(domain)
        if not binder.is_tuple:
            return {binder.bindings[0]: element}, element, domain
        names: dict[core.Binding, Type | Closure] = {
            name: operators.apply(element, exactly(i), i) for i, name in enumerate(binder.bindings, 1)
        }
        return names, element, domain

    def bind_all(
        self, binders: Sequence[core.Binder], scope: Scope
    ) -> tuple[Scope, list[int | None], list[tuple[Type, Type]]]:
        """The scope of the body, the largest sizes of the domains, and (element, domain) of each binder."""
        inner, sizes, types = scope, [], []
        for binder in binders:
            names, element, domain = self.bound(binder, scope)
            inner = inner.bind(names)
            sizes.append(domain.most if isinstance(domain, Set) else None)
            types.append((element, domain))
        return inner, sizes, types

    def filtered(self, e: core.SetFilter, scope: Scope) -> Type:
        names, element, domain = self.bound(e.binder, scope)
        if not isinstance(domain, Set):
            return Set(element)
        if not e.binder.is_tuple:
            inner = self.narrowed(e.body, scope.bind(names))
            narrowed = inner.bindings[e.binder.bindings[0]]
            if isinstance(narrowed, Type):
                return set_of(narrowed, domain.most)
        return set_of(element, domain.most)

    def function(self, e: core.FunctionConstructor, scope: Scope) -> Type:
        inner, _, types = self.bind_all(e.binders, scope)
        if len(types) == 1:
            key, domain = types[0]
            full = operators.is_full(domain)
        else:
            key = Tuple(tuple(element for element, _ in types))
            full = all(operators.is_full(domain) for _, domain in types)
        first = e.binders[0].domain
        value: Type = NOTHING

        def whole(value: Type) -> Type:
            if len(types) == 1 and first is not None and self.starts_at_one(first, scope) and isinstance(key, Int):
                return Seq(value, key.high if full and key.high is not None else 0, key.high)
            return function_of(key, value, full)

        if e.recursion is None:
            return whole(self.of(e.body, inner))
        for turn in range(ROUNDS):
            result = shallow(join(value, self.of(e.body, inner.bind({e.recursion: function_of(key, value, full)}))))
            if turn >= ROUNDS_BEFORE_WIDENING:
                result = widen(value, result, self.landmarks)
            if result == value:
                break
            value = result
        return whole(value)

    def starts_at_one(self, domain: core.Expression, scope: Scope) -> bool:
        """Whether the set is surely of the form 1..n, so that a function on it is a sequence."""
        match domain:
            case core.Builtin():
                name = operators.short_name(domain.operator)
                if name == "..":
                    return self.of(domain.arguments[0], scope) == exactly(1)
                if name == "DOMAIN":
                    return all(isinstance(t, Seq | Tuple) for t in members_of(self.of(domain.arguments[0], scope)))
            case core.Call() if not domain.arguments:
                return self.starts_at_one(domain.definition.body, scope)
            case core.ConstantReference() if domain.constant.value is not None:
                return self.starts_at_one(domain.constant.value, scope)
        return False

    def updated(self, e: core.Except, scope: Scope) -> Type:
        result = self.of(e.function, scope)
        for update in e.updates:
            result = self._update(result, update.path, update, scope)
        return result

    def _update(self, target: Type, path: tuple[core.Expression, ...], update: core.Update, scope: Scope) -> Type:
        if not path:
            return self.of(update.value, scope.bind({update.old: target}))
        argument = self.of(path[0], scope)
        return operators.update(
            target, argument, literal_of(path[0], argument), lambda old: self._update(old, path[1:], update, scope)
        )

    # --- guards -----------------------------------------------------------------------------------------------

    def narrowed(self, guard: core.Expression, scope: Scope) -> Scope:
        """The scope in which `guard` is known to hold."""
        match guard:
            case core.Builtin(operator="/\\"):
                for part in guard.arguments:
                    scope = self.narrowed(part, scope)
            case core.Builtin() if len(guard.arguments) == 2:
                name = operators.short_name(guard.operator)
                left, right = guard.arguments
                scope = self._narrow(left, name, right, scope)
                mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}.get(name)
                if mirrored is not None:
                    scope = self._narrow(right, mirrored, left, scope)
            case core.Call() if not guard.arguments and not guard.definition.recursive:
                return self.narrowed(guard.definition.body, scope)
            case core.Label():
                return self.narrowed(guard.body, scope)
        return scope

    def _narrow(self, target: core.Expression, name: str, other: core.Expression, scope: Scope) -> Scope:
        if not isinstance(target, core.VariableReference | core.Reference):
            return scope
        if name not in ("<", "<=", ">", ">=", "=", "\\in"):
            return scope
        old = self.of(target, scope)
        limit = self.of(other, scope)
        claim: Type | None = None
        if name == "\\in":
            claim = operators.element_of(limit)
        elif name == "=":
            claim = limit
        else:
            number = next((m for m in members_of(limit) if isinstance(m, Int)), None)
            if number is None or not isinstance(old, Int):
                return scope
            if name in ("<", "<="):
                claim = Int(None, None if number.high is None else number.high - (name == "<"))
            else:
                claim = Int(None if number.low is None else number.low + (name == ">"), None)
        if isinstance(claim, Nothing) or isinstance(old, Unknown):
            return scope
        new = clamp(old, claim)
        if new == old:
            return scope
        if isinstance(target, core.VariableReference):
            return scope.narrow(target.variable, new)
        return scope.bind({target.binding: new})


def literal_of(e: core.Expression, type_: Type) -> int | str | None:
    """The argument's value where it is a number or a string that is known."""
    if isinstance(e, core.Literal) and not isinstance(e.value, bool):
        return e.value
    if isinstance(type_, Int) and type_.low == type_.high:
        return type_.low
    return None
