"""Apply an operator that was passed as an argument."""

from __future__ import annotations

from rmqproof.model.tla import core


def apply_operator(operator: core.Expression, arguments: tuple[core.Expression, ...]) -> core.Expression:
    """An operator argument applied to arguments."""
    if isinstance(operator, core.OperatorArgument):
        if isinstance(operator.target, core.Definition):
            return core.Call(operator.at, operator.target, arguments)
        if isinstance(operator.target, core.Binding):
            return core.CallParameter(operator.at, operator.target, arguments)
        return core.Builtin(operator.at, operator.target, arguments)
    if isinstance(operator, core.Lambda):
        name = core.Definition("LAMBDA", "", operator.at, operator.parameters, operator.body)
        return core.Let(operator.at, (name,), core.Call(operator.at, name, arguments))
    return operator  # an error that has been noted
