"""Resolved expressions as short text, to be written down by hand in tests."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rmqproof.model.tla import core


def text(node: Any) -> str:
    """`(+ x 1)` for a builtin (without its module), `Op(a, b)` for a call, `$C` a constant, `%v` a variable."""
    match node:
        case core.Literal(value=value):
            return repr(value) if isinstance(value, str) else str(value)
        case core.ModelValueLiteral(name=name):
            return f"`{name}`"
        case core.ConstantReference(constant=constant):
            return f"${constant.name}"
        case core.VariableReference(variable=variable):
            return f"%{variable.name}"
        case core.Reference(binding=binding):
            return binding.name
        case core.Call(definition=definition, arguments=arguments):
            return _applied(definition.name, arguments)
        case core.CallParameter(binding=binding, arguments=arguments):
            return _applied(binding.name, arguments)
        case core.Builtin(operator=operator, arguments=arguments):
            return f"({' '.join([operator.rpartition('!')[2], *map(text, arguments)])})"
        case core.OperatorArgument(target=target):
            return f"@{target.name}"
        case core.Lambda(parameters=parameters, body=body):
            return f"(\\ {' '.join(p.name for p in parameters)} . {text(body)})"
        case core.Definition(name=name, parameters=parameters, body=body):
            return f"{_applied(name, parameters)} == {text(body)}"
        case core.Binding(name=name) | core.Constant(name=name) | core.Variable(name=name):
            return name
        case core.Binder(bindings=bindings, domain=domain):
            names = ",".join(b.name for b in bindings)
            return f"{names} in {text(domain)}"
        case core.Node() | core.Update():
            parts = [text(getattr(node, f.name)) for f in fields(node) if f.repr]
            return f"[{' '.join([type(node).__name__, *parts])}]"
        case tuple():
            return f"<{', '.join(map(text, node))}>"
        case None:
            return "-"
    return str(node)


def _applied(name: str, arguments: tuple[Any, ...]) -> str:
    return f"{name}({', '.join(map(text, arguments))})" if arguments else name
