"""The level of an expression whose definitions have theirs: constant, state function, action or temporal formula."""

from __future__ import annotations

from rmqproof.model.tla import core
from rmqproof.model.tla.core import ACTION, CONSTANT, STATE, TEMPORAL
from rmqproof.model.tla.walk import children

_TEMPORAL = frozenset(("[]", "<>", "~>", "-+->"))
_ACTION = frozenset(("'", "UNCHANGED", "\\cdot"))


def expression_level(node: core.Expression) -> int:
    """Parameters and bound variables count as constants, and every argument as one that matters."""
    match node:
        case core.VariableReference():
            return STATE
        case core.Builtin(operator="ENABLED"):
            return STATE
        case core.Builtin(operator=operator) if operator in _TEMPORAL:
            return TEMPORAL
        case core.Builtin(operator=operator) if operator in _ACTION:
            return ACTION
        case core.BoxAction() | core.AngleAction():
            return ACTION
        case core.Fairness() | core.TemporalQuantified():
            return TEMPORAL
        case core.Call():
            return max((definition_level(node.definition), *map(expression_level, node.arguments)))
        case core.OperatorArgument(target=core.Definition() as target):
            return definition_level(target)
    return max(map(expression_level, children(node)), default=CONSTANT)


def definition_level(definition: core.Definition) -> int:
    """The level that a definition has, its parameters counted as constants."""
    if definition.name == "LAMBDA":  # made where it is applied, maybe before levels were known
        return max(definition.level, expression_level(definition.body))
    return definition.level
