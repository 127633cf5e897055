"""What TLC computes before it searches (`SpecProcessor.processConstants`): it is a value then, and is not followed."""

from __future__ import annotations

from rmqproof.model.tla import core

_LAZY = frozenset(["SUBSET", "Nat", "Int", "Real", "Seq", "STRING", "Any"])
"""Of these sets TLC lists no element before it must."""


def known_before(call: core.Call) -> bool:
    """Whether what is called is a constant without parameters, which is no LET's."""
    definition = call.definition
    return not call.arguments and definition.level == core.CONSTANT and not definition.local


def is_table(call: core.Call) -> bool:
    """Whether a function that is known before is known by its values, and not by its rule: TLC keeps the rule of one
    that is recursive, or of which a domain is no list of elements (`FcnLambdaValue`, `Reducible`)."""
    function = opened(call)
    if not isinstance(function, core.FunctionConstructor):
        return True
    domains = [binder.domain for binder in function.binders if binder.domain is not None]
    return function.recursion is None and all(map(_is_listed, domains))


def opened(e: core.Expression) -> core.Expression:
    """What stands behind names without parameters, LETs and labels."""
    while True:
        match e:
            case core.Call() if not e.arguments and not e.definition.recursive:
                e = e.definition.body
            case core.Let() | core.Label():
                e = e.body
            case core.ConstantReference() if e.constant.value is not None:
                e = e.constant.value
            case _:
                return e


def _is_listed(domain: core.Expression) -> bool:
    """Whether TLC has the elements of a set as soon as it has the set."""
    match opened(domain):
        case core.Cartesian() | core.FunctionSet() | core.RecordSet():
            return False
        case core.SetFilter(binder=binder):
            return binder.domain is not None and _is_listed(binder.domain)
        case core.Builtin(operator="\\cup" | "\\union", arguments=sets):
            return all(map(_is_listed, sets))
        case core.Builtin(operator="\\cap" | "\\intersect", arguments=sets):
            return any(map(_is_listed, sets))
        case core.Builtin(operator="\\", arguments=sets):
            return _is_listed(sets[0])
        case core.Builtin(operator="UNION", arguments=(sets,)):
            return _is_listed(sets) and all(map(_is_enumeration, _elements(opened(sets))))
        case core.Builtin(operator=operator):
            return operator.rpartition("!")[2] not in _LAZY
    return True


def _elements(sets: core.Expression) -> tuple[core.Expression, ...]:
    match sets:
        case core.SetEnumeration():
            return sets.items
        case core.SetMap():
            return (sets.body,)
    return ()


def _is_enumeration(e: core.Expression) -> bool:
    """Whether a set has its elements one by one, and not by their ends, as `1..3` has them."""
    e = opened(e)
    return _is_listed(e) and not (isinstance(e, core.Builtin) and e.operator.rpartition("!")[2] == "..")
