"""Sets of model values whose elements the text does not tell apart: exchanging them maps each graph to itself."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached

_EVEN = frozenset({"Naturals", "Integers", "Reals", "Sequences", "FiniteSets", "Bags"})
_EVEN_OF_TLC = frozenset({":>", "@@", "Assert", "Print", "PrintT", "TLCEval"})
"""Operators to which exchanged values are alike: no order of them is seen, none is chosen, none is written."""


def interchangeable(model: core.Model) -> Iterator[core.Constant]:
    """Constants that are sets of model values none of which anything names, where nothing is chosen."""
    nodes = list(reached(*_formulas(model)))
    if not all(map(_is_even, nodes)):
        return
    named, used = _named(nodes), {node.constant for node in nodes if isinstance(node, core.ConstantReference)}
    for constant in model.specification.constants:
        if constant.value is None or not isinstance(constant.value, core.SetEnumeration):
            continue
        elements = {item.name for item in constant.value.items if isinstance(item, core.ModelValueLiteral)}
        others = [each.value for each in used if each is not constant and each.value is not None]
        if len(constant.value.items) == len(elements) > 1 and not elements & (named | _named(reached(*others))):
            yield constant


def _formulas(model: core.Model) -> Iterator[core.Expression]:
    yield from (part for part in (model.initial, model.next) if part is not None)
    yield from model.fairness
    for definition in (
        *model.invariants, *model.constraints, *model.action_constraints, *(p.definition for p in model.properties),
        *(each for each in (model.view, model.alias) if each is not None), *model.postconditions,
    ):  # fmt: skip
        yield core.Call(definition.at, definition)


def _named(nodes: Iterator[core.Expression] | list[core.Expression]) -> set[str]:
    return {node.name for node in nodes if isinstance(node, core.ModelValueLiteral)}


def _is_even(node: core.Expression) -> bool:
    if isinstance(node, core.Choose):
        return False
    if not isinstance(node, core.Builtin) or "!" not in node.operator:
        return True
    module, _, name = node.operator.partition("!")
    return module in _EVEN or (module == "TLC" and name in _EVEN_OF_TLC)
