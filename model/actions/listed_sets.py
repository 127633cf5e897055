"""Which sets TLC lists (`SetEnumValue`, `IntervalValue`: `Reducible`), and which it keeps as they are described."""

from __future__ import annotations

from rmqproof.model.tla import core

_DESCRIBED = frozenset(["SUBSET", "Nat", "Int", "Real", "Seq", "STRING", "Any"])
"""Of these sets TLC lists no element before it must."""


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


def is_listed(domain: core.Expression) -> bool:
    """Whether TLC has the elements of a set as soon as it has the set (`Reducible`).

    Of {x \\in S : P(x)} it then asks P of every element of S; where S is only described, of those that are asked for
    (`Tool.evalImpl`, OPCODE_sso).
    """
    match opened(domain):
        case core.Cartesian() | core.FunctionSet() | core.RecordSet():
            return False
        case core.SetFilter(binder=binder):
            return binder.domain is not None and is_listed(binder.domain)
        case core.Builtin(operator="\\cup" | "\\union", arguments=sets):
            return all(map(is_listed, sets))
        case core.Builtin(operator="\\cap" | "\\intersect", arguments=sets):
            return any(map(is_listed, sets))
        case core.Builtin(operator="\\", arguments=sets):
            return is_listed(sets[0])
        case core.Builtin(operator="UNION", arguments=(sets,)):
            return is_listed(sets) and all(map(_is_enumeration, _elements(opened(sets))))
        case core.Builtin(operator=operator):
            return operator.rpartition("!")[2] not in _DESCRIBED
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
    return is_listed(e) and not (isinstance(e, core.Builtin) and e.operator.rpartition("!")[2] == "..")
