"""Whether an expression certainly evaluates a binding, so that its value may be computed beforehand."""

from __future__ import annotations

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.tla.core import (
    Binding,
    Builtin,
    Call,
    Cartesian,
    Case,
    Choose,
    ConstantReference,
    Definition,
    Except,
    Expression,
    FieldAccess,
    FunctionApplication,
    FunctionConstructor,
    FunctionSet,
    If,
    Label,
    Lambda,
    Let,
    Literal,
    ModelValueLiteral,
    OperatorArgument,
    Quantified,
    Record,
    RecordSet,
    Reference,
    SetEnumeration,
    SetFilter,
    SetMap,
    TupleExpression,
    VariableReference,
)
from rmqproof.model.tla.walk import children

_DEPTH = 4
_FIRST_ONLY = frozenset({"/\\", "\\/", "=>"})
_OTHER_STATE = frozenset({"'", "UNCHANGED", "ENABLED", "\\cdot"})


def needs(node: Expression, wanted: Binding | Definition, depth: int = _DEPTH) -> bool:
    """True only when evaluating the node always evaluates `wanted`, or fails before."""
    match node:
        case Reference():
            return node.binding is wanted
        case Builtin():
            if node.operator in _FIRST_ONLY:
                return bool(node.arguments) and needs(node.arguments[0], wanted, depth)
            if node.operator in _OTHER_STATE:
                return False
            return any(needs(argument, wanted, depth) for argument in node.arguments)
        case Call():
            if node.definition is wanted:
                return True
            return depth > 0 and any(
                not parameter.arity
                and needs(argument, wanted, depth - 1)
                and needs(node.definition.body, parameter, depth - 1)
                for parameter, argument in zip(node.definition.parameters, node.arguments, strict=True)
            )
        case If():
            return needs(node.condition, wanted, depth) or (
                needs(node.then, wanted, depth) and needs(node.otherwise, wanted, depth)
            )
        case Case():
            return bool(node.arms) and needs(node.arms[0][0], wanted, depth)
        case Quantified() | SetMap() | FunctionConstructor():
            return any(b.domain is not None and needs(b.domain, wanted, depth) for b in node.binders[:1])
        case Choose() | SetFilter():
            return node.binder.domain is not None and needs(node.binder.domain, wanted, depth)
        case Let() | Label():
            return needs(node.body, wanted, depth)
        case SetEnumeration() | TupleExpression():
            return any(needs(item, wanted, depth) for item in node.items)
        case Record() | RecordSet():
            return any(needs(value, wanted, depth) for _, value in node.fields)
        case FunctionSet():
            return needs(node.domain, wanted, depth) or needs(node.range, wanted, depth)
        case Cartesian():
            return any(needs(factor, wanted, depth) for factor in node.factors)
        case FunctionApplication():
            return needs(node.function, wanted, depth) or needs(node.argument, wanted, depth)
        case FieldAccess():
            return needs(node.record, wanted, depth)
        case Except():
            return needs(node.function, wanted, depth)
        case _:
            return False


def uses(node: Expression, definition: Definition, analysis: Analysis) -> int:
    """How often a node evaluates a definition without parameters: 0, 1, or 2 for several times (or in a loop)."""
    if definition not in analysis.of(node).zero:
        return 0
    return min(2, _uses(node, definition, analysis))


def _uses(node: Expression, definition: Definition, analysis: Analysis) -> int:
    match node:
        case Call():
            if node.definition is definition:
                return 1
            if definition in analysis.of_definition(node.definition).zero:
                return 2
        case Quantified() | SetMap() | FunctionConstructor() | Choose() | SetFilter():
            return sum((2 if child is node.body else 1) * uses(child, definition, analysis) for child in children(node))
        case Lambda() | OperatorArgument():
            return 2
    return sum(uses(child, definition, analysis) for child in children(node))


_TOTAL = frozenset({"\\cup", "\\cap", "\\", "SUBSET", "=", "#", "\\in", "\\notin", "/\\", "\\/", "~", "=>", "<=>"})
_TOTAL_NAMES = frozenset({"+", "-", "*", "..", "<", "<=", ">", ">=", "Len", "Append", "\\o", "Cardinality"})


def safe(node: Expression) -> bool:
    """Whether the node has a value whenever its operands are of the right kinds."""
    match node:
        case Literal() | ModelValueLiteral() | Reference() | ConstantReference() | VariableReference():
            return True
        case Builtin():
            total = node.operator in _TOTAL or node.operator.rpartition("!")[2] in _TOTAL_NAMES
            return total and all(map(safe, node.arguments))
        case SetEnumeration() | TupleExpression() | Record() | If() | Except():
            return all(map(safe, children(node)))
    return False
