"""Formulas that ask where the search is, or tell it something: TLCGet, TLCSet and what is built from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rmqproof.model.tla.core import Builtin, Call, Definition, Expression, Let, Model, OperatorArgument
from rmqproof.model.tla.walk import children

_GETTING = frozenset({"TLC!TLCGet", "TLCExt!TLCGetOrDefault", "TLCExt!TLCGetAndSet"})
_ASKING = _GETTING | {"TLC!TLCSet"}


def asks_the_search(model: Model) -> bool:
    """Whether any formula that the search evaluates leads to TLCGet or TLCSet."""
    definitions = (*model.invariants, *model.constraints, *model.action_constraints, *model.postconditions)
    roots: list[Expression] = [d.body for d in definitions if d.body is not None]
    roots += [node for node in (model.initial, model.next) if node is not None]
    roots += [d.body for d in (model.view, model.alias) if d is not None]
    roots += [prop.definition.body for prop in model.properties]
    return _reaches(roots, _ASKING)


def asks(node: Expression) -> bool:
    """Whether the value of the expression depends on where the search is."""
    return _reaches([node], _GETTING)


def tells(node: Expression) -> bool:
    """Whether the expression tells the search something, without asking it anything."""
    return _reaches([node], _ASKING) and not asks(node)


def _reaches(nodes: Iterable[Expression], operators: frozenset[str]) -> bool:
    roots = list(nodes)
    seen: set[Definition] = set()
    while roots:
        node = roots.pop()
        target: Any = None
        if isinstance(node, Builtin) and node.operator in operators:
            return True
        if isinstance(node, Call):
            target = node.definition
        elif isinstance(node, OperatorArgument):
            target = node.target
            if isinstance(target, str) and target in operators:
                return True
        inside = list(node.definitions) if isinstance(node, Let) else []
        for definition in (*inside, target):
            if isinstance(definition, Definition) and definition not in seen:
                seen.add(definition)
                roots.append(definition.body)
        roots += children(node)
    return False
