"""Conditions that types decide: what a model's constants switch off is never looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import with_definitions

from . import operators
from .application import argument_type
from .domain import Enum, Int, Nothing, Set, Type
from .typing import Scope, Typing

DEEPEST = 12


def decided(typing: Typing, e: core.Expression, scope: Scope, initial: bool = False) -> bool | None:
    """The value of a conjunct of Next, or of Init, where constants and types tell it.

    A conjunct that may assign a variable is never decided by types: they are only claims about what is assigned.
    """
    return None if speaks_of_assigned(typing, e, initial) else truth(typing, e, scope)


def arms_left(
    arms: Sequence[tuple[core.Expression, core.Expression]],
    otherwise: core.Expression | None,
    decide: Callable[[core.Expression], bool | None],
) -> tuple[list[tuple[core.Expression, core.Expression]], core.Expression | None]:
    """The arms of a CASE or an IF that may be taken, and what is taken where none is; `decide` as `decided`."""
    left: list[tuple[core.Expression, core.Expression]] = []
    for condition, body in arms:
        known = decide(condition)
        if known is True:
            return left, body
        if known is None:
            left.append((condition, body))
    return left, otherwise


def speaks_of_assigned(typing: Typing, e: core.Expression, initial: bool) -> bool:
    """Whether the next state (in Init: any variable) occurs in `e`, or might through a parameter."""
    key = (id(e), initial)
    if key not in typing.assigned:
        typing.assigned[key] = e, True  # while it is not known: a recursive definition
        typing.assigned[key] = e, _speaks(typing, e, initial)
    return typing.assigned[key][1]


def _speaks(typing: Typing, e: core.Expression, initial: bool) -> bool:
    match e:
        case core.Builtin(operator="'" | "UNCHANGED"):
            return True
        case core.VariableReference():
            return initial
        case core.Reference():
            return initial or typing.passed.may_be_next(e.binding)  # a parameter may stand for a variable
        case core.CallParameter() | core.BoxAction() | core.AngleAction() | core.OperatorArgument():
            return True
        case core.Call():
            level = core.STATE if initial else core.ACTION
            if e.definition.level >= level or speaks_of_assigned(typing, e.definition.body, initial):
                return True
    return any(speaks_of_assigned(typing, child, initial) for child in with_definitions(e))


def truth(typing: Typing, e: core.Expression, scope: Scope, depth: int = 0) -> bool | None:
    """The value of a condition where constants and types tell it, else None."""
    if depth > DEEPEST:
        return None
    match e:
        case core.Literal():
            return e.value if isinstance(e.value, bool) else None
        case core.Label():
            return truth(typing, e.body, scope, depth)
        case core.ConstantReference():
            return None if e.constant.value is None else truth(typing, e.constant.value, scope, depth + 1)
        case core.Call() if not e.definition.recursive and not e.arguments and not e.definition.local:
            return truth(typing, e.definition.body, scope, depth + 1)
        case core.Call() if not e.definition.recursive and not e.definition.local and _small(e.definition.body):
            given = {
                p: argument_type(typing, a, scope) for p, a in zip(e.definition.parameters, e.arguments, strict=True)
            }
            return truth(typing, e.definition.body, scope.bind(given), depth + 1)
        case core.If():
            condition = truth(typing, e.condition, scope, depth)
            if condition is not None:
                return truth(typing, e.then if condition else e.otherwise, scope, depth)
        case core.Quantified():
            for binder in e.binders:
                if binder.domain is not None and _is_empty(typing.of(binder.domain, scope)):
                    return e.kind == "\\A"
        case core.Builtin():
            return _builtin(typing, e, scope, depth)
    return None


def _small(e: core.Expression) -> bool:
    """Whether it is worth looking into an operator's body."""
    return isinstance(e, core.Literal | core.Builtin | core.If | core.ConstantReference)


def _is_empty(type_: Type) -> bool:
    return isinstance(type_, Set) and isinstance(type_.element, Nothing)


def _builtin(typing: Typing, e: core.Builtin, scope: Scope, depth: int) -> bool | None:
    name = operators.short_name(e.operator)
    match name:
        case "/\\" | "\\/":
            deciding = name == "\\/"
            answers = [truth(typing, part, scope, depth) for part in e.arguments]
            if deciding in answers:
                return deciding
            return None if None in answers else not deciding
        case "~":
            answer = truth(typing, e.arguments[0], scope, depth)
            return None if answer is None else not answer
        case "=>":
            left, right = (truth(typing, part, scope, depth) for part in e.arguments)
            if left is False or right is True:
                return True
            return False if left is True and right is False else None
        case "=" | "#" | "/=":
            same = _same(typing.of(e.arguments[0], scope), typing.of(e.arguments[1], scope))
            return same if same is None or name == "=" else not same
        case "<" | "<=" | ">" | ">=":
            a, b = (typing.of(part, scope) for part in e.arguments)
            return _less(b, a, name == ">=") if name in (">", ">=") else _less(a, b, name == "<=")
        case "\\in" | "\\notin":
            if _is_empty(typing.of(e.arguments[1], scope)):
                return name == "\\notin"
    return None


def _same(a: Type, b: Type) -> bool | None:
    match a, b:
        case Int(), Int():
            if a.low is not None and a.low == a.high == b.low == b.high:
                return True
            apart = (a.high is not None and b.low is not None and a.high < b.low) or (
                b.high is not None and a.low is not None and b.high < a.low
            )
            return False if apart else None
        case Enum(), Enum():
            if not a.atoms & b.atoms:
                return False
            return True if len(a.atoms) == 1 and a.atoms == b.atoms else None
    return True if _is_empty(a) and _is_empty(b) else None


def _less(a: Type, b: Type, or_equal: bool) -> bool | None:
    if not isinstance(a, Int) or not isinstance(b, Int):
        return None
    if a.high is not None and b.low is not None and (a.high < b.low or (or_equal and a.high == b.low)):
        return True
    if a.low is not None and b.high is not None and (a.low > b.high or (not or_equal and a.low == b.high)):
        return False
    return None
