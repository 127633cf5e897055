"""In which order the fields of a record are shown that somebody wrote, as in an ALIAS: values have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rmqproof.model.tla import core


def in_written_order(fields: Mapping[str, Any], node: core.Expression) -> dict[str, Any]:
    """The fields of the value of this expression, those that it writes in its order, then the others."""
    order = [name for name in dict.fromkeys(_written(node)) if name in fields]
    return {name: fields[name] for name in (*order, *(name for name in fields if name not in order))}


def _written(root: core.Expression) -> Iterator[str]:
    """Of the records that the value can be made of, from left to right."""
    met: set[core.Definition] = set()
    left: list[core.Expression] = [root]
    while left:
        match left.pop():
            case core.Record(fields=fields):
                yield from (name for name, _ in fields)
            case core.Let(body=body) | core.Label(body=body):
                left.append(body)
            case core.If(then=then, otherwise=otherwise):
                left += [otherwise, then]
            case core.Call(definition=definition) if definition not in met:
                met.add(definition)
                left.append(definition.body)
            case core.Builtin(operator="TLC!@@", arguments=arguments):
                left += reversed(arguments)
