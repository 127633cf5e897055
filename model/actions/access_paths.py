"""Parts of a state as an action names them, and what names in an action stand for, as far as that needs no state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from rmqproof.model.tla import core


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of an action, by its position."""

    action: str
    position: int


@dataclass(frozen=True, slots=True)
class Known:
    """A number, a string, a truth value, or the model value with this name."""

    value: int | str | bool


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the record that an argument is."""

    of: Argument | Field
    name: str


@dataclass(frozen=True, slots=True)
class Whose:
    """Every key `k` for which `variable[k] = value`."""

    variable: str
    value: Key


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any key. `number`: it is one key of those that a function is made for, as long as that is looked into."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class AccessPath:
    """A part of the state; as a key: the value that stands there before the step."""

    variable: str
    path: tuple[Key, ...] = ()

    def at(self, *keys: Key) -> AccessPath:
        return AccessPath(self.variable, (*self.path, *keys))


Key = Argument | Field | Known | AccessPath | Whose | Unknown
ANY = Unknown()


def may_overlap(one: AccessPath, other: AccessPath) -> bool:
    """Whether the two can have a part in common."""
    return one.variable == other.variable and all(map(may_equal, one.path, other.path))


def may_equal(one: Key, other: Key) -> bool:
    return not (isinstance(one, Known) and isinstance(other, Known)) or one == other


def put(access: AccessPath, change: Callable[[Key], Key]) -> AccessPath:
    """The same with other keys."""
    return AccessPath(access.variable, tuple(_put(key, change) for key in access.path))


def _put(key: Key, change: Callable[[Key], Key]) -> Key:
    match key:
        case AccessPath():
            return put(key, change)
        case Whose():
            return replace(key, value=_put(key.value, change))
        case Field():
            return key if change(_argument(key)) == _argument(key) else ANY
    return change(key)


def _argument(key: Argument | Field) -> Argument:
    while isinstance(key, Field):
        key = key.of
    return key


@dataclass(frozen=True, slots=True)
class Names:
    """What names stand for: a key, or an expression with what its names stand for."""

    bound: Mapping[core.Binding, Key | Passed] = field(default_factory=dict)
    lets: Mapping[core.Definition, Names] = field(default_factory=dict)

    def bind(self, more: Mapping[core.Binding, Key | Passed]) -> Names:
        return replace(self, bound={**self.bound, **more}) if more else self

    def let(self, definitions: Iterable[core.Definition]) -> Names:
        names = self
        for definition in definitions:
            names = replace(names, lets={**names.lets, definition: names})
        return names


@dataclass(frozen=True, slots=True)
class Passed:
    expression: core.Expression
    names: Names


@dataclass(slots=True)
class Resolver:
    """What expressions are, behind names.

    What is behind a call is entered once for the same names: what was found of it is found again by them, however often
    a parameter is used.
    """

    _known: dict[tuple[int, int], tuple[core.Expression, Names, Key | Passed | None]] = field(default_factory=dict)
    """One step behind an expression; it and the names are kept, so that their numbers stay theirs."""

    def entered(self, call: core.Call, names: Names) -> Names:
        definition = call.definition
        passed = {p: Passed(a, names) for p, a in zip(definition.parameters, call.arguments, strict=True)}
        return names.lets.get(definition, Names()).bind(passed)

    def opened(self, e: core.Expression, names: Names) -> Key | Passed:
        """Behind names, definitions, LETs, labels, and conditions that the constants decide."""
        while True:
            known = self._known.get((id(e), id(names)))
            if known is None:
                known = self._known[id(e), id(names)] = (e, names, self._behind(e, names))
            found = known[2]
            if found is None:
                return Passed(e, names)
            if not isinstance(found, Passed):
                return found
            e, names = found.expression, found.names

    def _behind(self, e: core.Expression, names: Names) -> Key | Passed | None:
        """One step further; None: it is what it is."""
        match e:
            case core.Reference():
                return names.bound.get(e.binding, ANY)
            case core.Call() as call if not call.definition.recursive:
                return Passed(call.definition.body, self.entered(call, names))
            case core.CallParameter():
                return self._operator(e, names)
            case core.Let(definitions=definitions, body=body):
                return Passed(body, names.let(definitions))
            case core.Label():
                return Passed(e.body, names)
            case core.ConstantReference():
                return None if e.constant.value is None else Passed(e.constant.value, names)
            case core.If() if (decided := self.decided(e.condition, names)) is not None:
                return Passed(e.then if decided else e.otherwise, names)
            case core.FieldAccess() | core.FunctionApplication():
                return self._part(e, names)
        return None

    def _operator(self, e: core.CallParameter, names: Names) -> Passed | None:
        """The body of an operator that was passed, with the arguments."""
        found = names.bound.get(e.binding)
        if not isinstance(found, Passed):
            return None
        match found.expression:
            case core.Lambda(parameters=parameters, body=body):
                outer = found.names
            case core.OperatorArgument(target=core.Definition() as definition) if not definition.recursive:
                parameters, body = definition.parameters, definition.body
                outer = found.names.lets.get(definition, Names())
            case _:
                return None
        arguments = [Passed(argument, names) for argument in e.arguments]
        return Passed(body, outer.bind(dict(zip(parameters, arguments, strict=True))))

    def _part(self, e: core.FieldAccess | core.FunctionApplication, names: Names) -> Key | Passed | None:
        """The field of a record that is written out, or the value of a function that is made by a rule."""
        whole = e.record if isinstance(e, core.FieldAccess) else e.function
        found = self.opened(whole, names)
        if not isinstance(found, Passed):
            return None
        match found.expression:
            case core.Record(fields=fields) if isinstance(e, core.FieldAccess):
                values = dict(fields)
                return Passed(values[e.field], found.names) if e.field in values else None
            case core.FunctionConstructor() as function if isinstance(e, core.FunctionApplication):
                binder = function.binders[0]
                if len(function.binders) > 1 or binder.is_tuple or function.recursion is not None:
                    return None
                return Passed(function.body, found.names.bind({binder.bindings[0]: Passed(e.argument, names)}))
        return None

    def access(self, e: core.Expression, names: Names) -> AccessPath | None:
        """The part of the state that an expression is, if it is one."""
        found = self.opened(e, names)
        if isinstance(found, AccessPath):
            return found
        if not isinstance(found, Passed):
            return None
        e, names = found.expression, found.names
        match e:
            case core.VariableReference():
                return AccessPath(e.variable.name)
            case core.FunctionApplication():
                return self._inside(e.function, self.key(e.argument, names), names)
            case core.FieldAccess():
                return self._inside(e.record, Known(e.field), names)
        return None

    def _inside(self, whole: core.Expression, key: Key, names: Names) -> AccessPath | None:
        outer = self.access(whole, names)
        if outer is not None:
            return outer.at(key)
        found = self.opened(whole, names)
        if isinstance(found, Passed) and isinstance(found.expression, core.Except):
            firsts = [self.key(update.path[0], found.names) for update in found.expression.updates]
            if not any(may_equal(key, first) for first in firsts):
                return self._inside(found.expression.function, key, found.names)
        return None

    def key(self, e: core.Expression, names: Names) -> Key:
        found = self.opened(e, names)
        if not isinstance(found, Passed):
            return found
        match found.expression:
            case core.Literal(value=value) | core.ModelValueLiteral(name=value):
                return Known(value)
            case core.FieldAccess(record=record, field=name):
                of = self.key(record, found.names)
                if isinstance(of, (Argument, Field)):
                    return Field(of, name)
        return self.access(found.expression, found.names) or ANY

    def listed(self, e: core.Expression, names: Names) -> list[Key] | None:
        """The elements of a set that is written out."""
        found = self.opened(e, names)
        if isinstance(found, Passed) and isinstance(found.expression, core.SetEnumeration):
            return [self.key(item, found.names) for item in found.expression.items]
        return None

    def decided(self, e: core.Expression, names: Names) -> bool | None:
        """What the constants say of a condition."""
        found = self.opened(e, names)
        if not isinstance(found, Passed):
            return None
        match found.expression:
            case core.Literal(value=bool() as value):
                return value
            case core.Builtin(operator="~", arguments=(inner,)):
                decided = self.decided(inner, found.names)
                return None if decided is None else not decided
            case core.Builtin(operator="/\\" | "\\/" as operator, arguments=parts):
                values = [self.decided(part, found.names) for part in parts]
                short = operator == "\\/"
                return short if short in values else None if None in values else not short
            case core.Builtin(operator="=" | "#" as operator, arguments=(one, other)):
                keys = self.key(one, found.names), self.key(other, found.names)
                if all(isinstance(key, Known) for key in keys):
                    return (keys[0] == keys[1]) == (operator == "=")
        return None
