"""Trees as short text, without places, to be written down by hand in tests."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rmqproof.model.tla import syntax
from rmqproof.model.tla.parser import parse_expression, parse_module
from rmqproof.model.tla.source import Source


def outline(node: Any) -> str:
    """`x`, `(+ x 1)`, `[/\\ p q]` for a list of bullets, `(If c a b)` for other nodes, `-` for nothing."""
    match node:
        case syntax.Apply(prefix=prefix, name=name, arguments=arguments):
            outer = "".join(
                (f"({p.name} {' '.join(map(outline, p.arguments))})" if p.arguments else p.name) + "!" for p in prefix
            )
            return outer + (f"({name} {' '.join(map(outline, arguments))})" if arguments else name)
        case syntax.Junction(operator=operator, items=items):
            return f"[{operator} {' '.join(map(outline, items))}]"
        case syntax.Number(value=value):
            return str(value)
        case syntax.Text(value=value):
            return repr(value)
        case syntax.Identifier(name=name):
            return name
        case syntax.Node():
            parts = [
                outline(getattr(node, entry.name))
                for entry in fields(node)
                if entry.name not in ("at", "comment", "annotations", "local")
            ]
            return f"({' '.join([type(node).__name__, *parts])})"
        case tuple():
            return f"<{' '.join(map(outline, node))}>"
        case None:
            return "-"
    return str(node)


def expression(text: str) -> str:
    return outline(parse_expression(text))


def module(*lines: str) -> syntax.Module:
    return parse_module(Source("Test.tla", "\n".join(["---- MODULE Test ----", *lines, "===="])))


def body(*lines: str) -> str:
    """The outline of the body of the last definition."""
    last = module(*lines).units[-1]
    assert isinstance(last, syntax.OperatorDefinition | syntax.FunctionDefinition | syntax.Assume | syntax.Theorem)
    return outline(last.body)
