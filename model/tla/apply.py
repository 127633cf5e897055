"""Apply an operator that was passed as an argument."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.tla import core


def apply_operator(operator: core.Expression, arguments: tuple[core.Expression, ...]) -> core.Expression:
    """An operator argument applied to arguments."""
    if isinstance(operator, core.OperatorArgument):
        if isinstance(operator.target, core.Definition):
            return core.Call(operator.at, operator.target, arguments)
        return core.CallParameter(operator.at, operator.target, arguments)
    if isinstance(operator, core.Lambda):
        body = operator.body
        if isinstance(body, core.Builtin) and _names(body.arguments) == operator.parameters:
            return replace(body, arguments=arguments)
        name = core.Definition("LAMBDA", "", operator.at, operator.parameters, operator.body)
        return core.Let(operator.at, (name,), core.Call(operator.at, name, arguments))
    return operator  # an error that has been noted


def _names(arguments: tuple[core.Expression, ...]) -> tuple[core.Binding | None, ...]:
    return tuple(argument.binding if isinstance(argument, core.Reference) else None for argument in arguments)
