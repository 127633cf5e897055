"""What invariants and annotations claim about the variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rmqproof.model.tla import core

from . import operators
from .annotation import AnnotationError, parse_annotation
from .domain import Nothing, Type, Unknown, clamp, set_of
from .infer import Scope, Typing

TYPE_INVARIANT = re.compile(r"(^|!|_)Type(OK|Ok|Invariant|Inv|Correct|s)?$|^(TypeOK|TypeInv)", re.ASCII)


def claims_of(model: core.Model, typing: Typing) -> dict[core.Variable, Type]:
    """Claims by conjuncts `v \\in S` and `v \\subseteq S` of invariants and of definitions named like TypeOK.

    Only sets that do not depend on variables count.
    """
    claims: dict[core.Variable, Type] = {}

    def add(variable: core.Variable, type_: Type) -> None:
        if isinstance(type_, Unknown | Nothing):
            return
        claims[variable] = clamp(claims[variable], type_) if variable in claims else type_

    for variable in model.specification.variables:
        for annotation in variable.annotations:
            if annotation.kind == "type":
                try:
                    add(variable, parse_annotation(annotation.text))
                except AnnotationError:
                    continue
    named = [d for d in model.specification.definitions.values() if TYPE_INVARIANT.search(d.name) and not d.parameters]
    checked = [d for d in model.invariants if not d.parameters]
    for definition in {id(d): d for d in (*checked, *named)}.values():
        for part in conjuncts(definition.body):
            if isinstance(part, core.Builtin) and part.operator in ("\\in", "\\subseteq"):
                target, domain = part.arguments
                if isinstance(target, core.VariableReference) and is_constant(domain):
                    element = operators.element_of(typing.of(domain, Scope()))
                    add(target.variable, element if part.operator == "\\in" else set_of(element))
    return claims


def conjuncts(e: core.Expression) -> Iterator[core.Expression]:
    match e:
        case core.Builtin(operator="/\\"):
            for part in e.arguments:
                yield from conjuncts(part)
        case core.Call() if not e.arguments:
            yield from conjuncts(e.definition.body)
        case core.Label():
            yield from conjuncts(e.body)
        case _:
            yield e


def is_constant(e: core.Expression) -> bool:
    """Whether no variable occurs in `e` or the definitions it uses."""
    from .walk import children

    seen: set[int] = set()

    def free(e: core.Expression) -> bool:
        if isinstance(e, core.VariableReference):
            return False
        if isinstance(e, core.Call) and id(e.definition) not in seen:
            seen.add(id(e.definition))
            if not free(e.definition.body):
                return False
        return all(free(child) for child in children(e))

    return free(e)
