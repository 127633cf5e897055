"""Questions about expressions and types that the compiler asks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product, starmap

from rmqproof.model.actions.listed_sets import DESCRIBED, ENDLESS
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import bound_names, with_definitions
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    as_function,
    kind,
    members_of,
    parts_of,
)

from .representation import Structures, compared_as
from .terms import C, Env

FUNCTIONAL = (Record, Seq, Tuple, Function)

LAZY = DESCRIBED - {"Real", "Any"}
"""Of what TLC only describes, what has a form in C."""


def bracketed(value: C) -> str:
    return value.code if value.lvalue else f"({value.code})"


def known_value(e: core.Expression | None, type_: Type) -> int | str | None:
    """The argument where it is known when compiling."""
    if isinstance(e, core.Literal) and not isinstance(e.value, bool):
        return e.value
    if isinstance(type_, Int) and type_.low == type_.high:
        return type_.low
    if isinstance(type_, Enum) and len(type_.atoms) == 1:
        atom = next(iter(type_.atoms))
        return None if atom.is_model else atom.name
    return None


def all_model(type_: Type) -> bool:
    return isinstance(type_, Nothing) or (isinstance(type_, Enum) and all(a.is_model for a in type_.atoms))


def comparable(a: Type, b: Type) -> bool:
    """Whether TLC surely can compare values of the two types."""
    if isinstance(a, Nothing) or isinstance(b, Nothing):
        return True
    kinds = compared_as(a) | compared_as(b)
    if any(len(each) == 1 for each in kinds):  # a typed model value
        return len(kinds) == 1
    if all_model(a) or all_model(b):
        return True
    if isinstance(a, Union) or isinstance(b, Union):
        return any(comparable(s, t) for s in members_of(a) for t in members_of(b))
    if isinstance(a, FUNCTIONAL) and isinstance(b, FUNCTIONAL):
        return True
    return kind(a) == kind(b)


def may_clash(value: Type, other: Type) -> bool:
    """Whether a value of the one type may be of another kind, somewhere in it, than each of the other type's values
    there is. TLC compares them, and ends with an error; what is only looked up in C is found or not.
    """
    kinds, others = compared_as(value), compared_as(other)
    if others and not kinds <= others:
        return True
    pairs = list(product(members_of(value), members_of(other)))
    if any(domains_may_clash(a, b) for a, b in pairs if isinstance(a, Record) == isinstance(b, Record)):
        return True
    return any(may_clash(part, of) for a, b in pairs if _alike(a, b) for part, of in _parts(a, b))


def sets_may_clash(a: Type, b: Type) -> bool:
    """Whether two sets, or domains, in one place of values of the two types may have elements of different kinds."""
    for one, other in product(members_of(a), members_of(b)):
        if isinstance(one, Set) and isinstance(other, Set):
            if _clash(one.element, other.element):
                return True
        elif domains_may_clash(one, other) or (_alike(one, other) and any(starmap(sets_may_clash, _parts(one, other)))):
            return True
    return False


def domains_may_clash(a: Type, b: Type) -> bool:
    """Whether the arguments of two functions may be of different kinds, where one of the two is no record."""
    if isinstance(a, Record) and isinstance(b, Record):
        return False
    full = [t for t in (a, b) if isinstance(t, FUNCTIONAL) and not (isinstance(t, Seq) and t.most == 0)]
    return len(full) == 2 and _clash(*(as_function(t).key for t in full))


def _clash(a: Type, b: Type) -> bool:
    return may_clash(a, b) or may_clash(b, a)


def _alike(a: Type, b: Type) -> bool:
    """Whether what the two types are made of stands in the same places."""
    if isinstance(a, Record) and isinstance(b, Record):
        return a.names == b.names
    if isinstance(a, Tuple | Seq) and isinstance(b, Tuple | Seq):
        return not (isinstance(a, Tuple) and isinstance(b, Tuple)) or len(a.items) == len(b.items)
    return type(a) is type(b) and isinstance(a, Set | Function)


def _parts(a: Type, b: Type) -> Iterable[tuple[Type, Type]]:
    """What two types that are alike are made of, place by place; the items of a tuple beside those of a sequence."""
    ones, others = parts_of(a), parts_of(b)
    count = max(len(ones), len(others))
    return zip(
        ones * count if isinstance(a, Seq) else ones, others * count if isinstance(b, Seq) else others, strict=False
    )


def narrower(target: Type, natural: Type, structures: Structures) -> Type:
    """`natural` if it lies in C as `target` does, else `target`."""
    return natural if structures.same(target, natural) else target


def uses_of(e: core.Expression, definition: core.Definition, loops: int) -> int:
    """How often `e` uses a definition; a use inside a loop counts twice."""
    count = 0
    if isinstance(e, core.Call) and e.definition is definition:
        count += 2 if loops else 1
    if isinstance(e, core.OperatorArgument) and e.target is definition:
        count += 2
    inner = loops
    if isinstance(
        e,
        core.Quantified
        | core.Choose
        | core.SetFilter
        | core.SetMap
        | core.FunctionConstructor
        | core.Lambda
        | core.Except,
    ):
        inner += 1
    if isinstance(e, core.Let):
        for part in e.definitions:
            count += uses_of(part.body, definition, loops + (1 if part.parameters else 0))
        return count + uses_of(e.body, definition, loops)
    for child in with_definitions(e):
        count += uses_of(child, definition, inner)
    return count


def as_written(e: core.Expression) -> core.Expression:
    """`e`, or for an operator of a module that computes what the module writes, a call of that definition."""
    if not isinstance(e, core.Builtin) or e.text is None:
        return e
    return core.Call(e.at, e.text, e.arguments)


def is_path(e: core.Expression) -> bool:
    """Whether it is a part of what a name stands for, `G[2]` or `m.type`, which lies where that lies."""
    match e:
        case core.Label(body=body):
            return is_path(body)
        case core.FunctionApplication(function=whole, argument=core.Literal() | core.Reference()):
            return is_path(whole)
    return isinstance(e, core.Reference | core.VariableReference)


def is_endless(e: core.Expression) -> bool:
    """Whether it is a set that cannot be enumerated."""
    return isinstance(e, core.Builtin) and operators.short_name(e.operator) in ENDLESS


def is_lazy(e: core.Expression) -> bool:
    """Whether the set is better walked or asked than built."""
    match e:
        case core.Label():
            return is_lazy(e.body)
        case core.FunctionSet() | core.RecordSet() | core.Cartesian():
            return True
        case core.Builtin():
            name = operators.short_name(e.operator)
            if name in ("\\cup", "\\union"):
                return any(is_lazy(a) for a in e.arguments)
            if name == "\\":
                return is_lazy(e.arguments[0])
            return name in LAZY
        case core.Call():
            return not e.definition.recursive and is_lazy(e.definition.body)
        case core.ConstantReference():
            return e.constant.value is not None and is_lazy(e.constant.value)
        case core.SetFilter():
            return e.binder.domain is not None and is_lazy(e.binder.domain)
        case core.Let():
            return False
    return False


def names_used(e: core.Expression, env: Env) -> tuple[list[core.Binding], list[core.Definition]]:
    """The bindings of `env` and its LET definitions that `e` itself uses; what those use is not looked at."""
    found: dict[core.Binding, None] = {}
    definitions: dict[core.Definition, None] = {}

    def walk(e: core.Expression) -> None:
        used: object = None
        if isinstance(e, core.Reference | core.CallParameter):
            used = e.binding
        elif isinstance(e, core.Call):
            used = e.definition
        elif isinstance(e, core.OperatorArgument):
            used = e.target
        if isinstance(used, core.Binding) and used in env.bindings:
            found[used] = None
        if isinstance(used, core.Definition) and used in env.local:
            definitions[used] = None
        for child in with_definitions(e):
            walk(child)

    walk(e)
    return list(found), list(definitions)


def has_free_names(e: core.Expression, bound: set[core.Binding]) -> bool:
    """Whether a name that is not bound in `e` or by `bound` occurs."""
    if isinstance(e, core.Reference | core.CallParameter) and e.binding not in bound:
        return True
    introduced = set(bound_names(e))
    if isinstance(e, core.Let):
        introduced.update(parameter for definition in e.definitions for parameter in definition.parameters)
    return any(has_free_names(child, bound | introduced) for child in with_definitions(e))


def construct_of(e: core.Expression) -> str:
    names = {
        core.TemporalQuantified: "a temporal quantifier",
        core.AngleAction: "<<A>>_v",
        core.Fairness: "a fairness condition",
        core.Lambda: "LAMBDA as a value",
        core.OperatorArgument: "an operator as a value",
    }
    return names.get(type(e), type(e).__name__)
