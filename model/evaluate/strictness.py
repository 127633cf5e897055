"""Whether an expression certainly evaluates a binding, so that its value may be computed beforehand."""

from __future__ import annotations

from collections.abc import Callable

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import children

_DEPTH = 4
ATOMS = (core.Literal, core.ModelValueLiteral, core.Reference, core.ConstantReference, core.VariableReference)
"""To evaluate one can neither fail nor take long."""
_FIRST_ONLY = frozenset({"/\\", "\\/", "=>"})
_WHOLE = (
    core.SetEnumeration,
    core.TupleExpression,
    core.Record,
    core.RecordSet,
    core.FunctionSet,
    core.Cartesian,
    core.FunctionApplication,
    core.FieldAccess,
)
"""All their parts are evaluated."""
_OTHER_STATE = frozenset({"'", "UNCHANGED", "ENABLED", "\\cdot"})


def needs(node: core.Expression, wanted: core.Binding | core.Definition, depth: int = _DEPTH) -> bool:
    """True only when evaluating the node always evaluates `wanted`, or fails before."""
    match node:
        case core.Reference():
            return node.binding is wanted
        case core.Builtin():
            if node.operator in _FIRST_ONLY:
                return bool(node.arguments) and needs(node.arguments[0], wanted, depth)
            if node.operator in _OTHER_STATE:
                return False
            return any(needs(argument, wanted, depth) for argument in node.arguments)
        case core.Call():
            if node.definition is wanted:
                return True
            return depth > 0 and any(
                not parameter.arity
                and needs(argument, wanted, depth - 1)
                and needs(node.definition.body, parameter, depth - 1)
                for parameter, argument in zip(node.definition.parameters, node.arguments, strict=True)
            )
        case core.If():
            return needs(node.condition, wanted, depth) or (
                needs(node.then, wanted, depth) and needs(node.otherwise, wanted, depth)
            )
        case core.Case():
            return bool(node.arms) and needs(node.arms[0][0], wanted, depth)
        case core.Quantified() | core.SetMap() | core.FunctionConstructor():
            return any(b.domain is not None and needs(b.domain, wanted, depth) for b in node.binders[:1])
        case core.Choose() | core.SetFilter():
            return node.binder.domain is not None and needs(node.binder.domain, wanted, depth)
        case core.Let() | core.Label():
            return needs(node.body, wanted, depth)
        case core.Except():
            return needs(node.function, wanted, depth)
    return isinstance(node, _WHOLE) and any(needs(child, wanted, depth) for child in children(node))


def uses(node: core.Expression, definition: core.Definition, analysis: Analysis) -> int:
    """How often a node evaluates a definition without parameters: 0, 1, or 2 for several times (or in a loop)."""
    if definition not in analysis.of(node).zero:
        return 0
    return min(2, _uses(node, definition, analysis))


def _uses(node: core.Expression, definition: core.Definition, analysis: Analysis) -> int:
    match node:
        case core.Call():
            if node.definition is definition:
                return 1
            if definition in analysis.of_definition(node.definition).zero:
                return 2
        case core.Quantified() | core.SetMap() | core.FunctionConstructor() | core.Choose() | core.SetFilter():
            return sum((2 if child is node.body else 1) * uses(child, definition, analysis) for child in children(node))
        case core.Lambda() | core.OperatorArgument():
            return 2
    return sum(uses(child, definition, analysis) for child in children(node))


_TOTAL = frozenset({"\\cup", "\\cap", "\\", "SUBSET", "=", "#", "\\in", "\\notin", "/\\", "\\/", "~", "=>", "<=>"})
_TOTAL_NAMES = frozenset({"+", "-", "*", "..", "<", "<=", ">", ">=", "Len", "Append", "\\o", "Cardinality", "Seq"})
_OF_PARTS = (
    core.SetEnumeration,
    core.TupleExpression,
    core.Record,
    core.If,
    core.Except,
    core.RecordSet,
    core.FunctionSet,
    core.Cartesian,
    core.Label,
)


def total(node: core.Expression, certain: Callable[[core.Expression], bool]) -> bool:
    """Whether the node has a value whenever its operands are of the right kinds, its parts being `certain`."""
    if isinstance(node, core.Builtin):
        known = node.operator in _TOTAL or node.operator.rpartition("!")[2] in _TOTAL_NAMES
        return known and all(map(certain, node.arguments))
    return isinstance(node, ATOMS) or (isinstance(node, _OF_PARTS) and all(map(certain, children(node))))


def safe(node: core.Expression) -> bool:
    """Whether the node has a value whenever its operands are of the right kinds."""
    return total(node, safe)
