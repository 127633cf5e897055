"""Which sets TLC lists (`SetEnumValue`, `IntervalValue`: `Reducible`), and which it keeps as they are described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from rmqproof.model.tla import core

ENDLESS = frozenset(["Nat", "Int", "Real", "Seq", "STRING", "Any"])
"""These sets nobody can enumerate."""
DESCRIBED = ENDLESS | {"SUBSET"}
"""Of these sets TLC lists no element before it must."""
Passed: TypeAlias = Mapping[core.Binding, tuple[core.Expression, "Passed"]]


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
    (`Tool.evalImpl`, OPCODE_sso), and of all before a quantifier or a CHOOSE goes through them
    (`EnumerableValue.elements`). A parameter of which the argument is not seen counts as listed.
    """
    return _is_listed(domain, {})


def _is_listed(e: core.Expression, passed: Passed) -> bool:
    """`passed`: what the parameters stand for, and what the parameters in that stand for."""
    match opened(e):
        case core.Reference(binding=binding) if binding in passed:
            return _is_listed(*passed[binding])
        case core.Call(definition=definition, arguments=arguments) if not definition.recursive:
            inner = dict(zip(definition.parameters, ((argument, passed) for argument in arguments), strict=True))
            return _is_listed(definition.body, {**passed, **inner})
        case core.Cartesian() | core.FunctionSet() | core.RecordSet():
            return False
        case core.SetFilter(binder=binder):
            return binder.domain is not None and _is_listed(binder.domain, passed)
        case core.Builtin(operator=operator, arguments=sets):
            return _is_operator_listed(operator, sets, passed)
    return True


def _is_operator_listed(operator: str, sets: tuple[core.Expression, ...], passed: Passed) -> bool:
    match operator:
        case "\\cup" | "\\union":
            return all(_is_listed(items, passed) for items in sets)
        case "\\cap" | "\\intersect":
            return any(_is_listed(items, passed) for items in sets)
        case "\\":
            return _is_listed(sets[0], passed)
        case "UNION":
            several = _elements(opened(sets[0]))
            return _is_listed(sets[0], passed) and all(_is_enumeration(items, passed) for items in several)
    return operator.rpartition("!")[2] not in DESCRIBED


def _elements(sets: core.Expression) -> tuple[core.Expression, ...]:
    match sets:
        case core.SetEnumeration():
            return sets.items
        case core.SetMap():
            return (sets.body,)
    return ()


def _is_enumeration(e: core.Expression, passed: Passed) -> bool:
    """Whether a set has its elements one by one, and not by their ends, as `1..3` has them."""
    found = opened(e)
    return _is_listed(e, passed) and not (isinstance(found, core.Builtin) and found.operator.rpartition("!")[2] == "..")
