"""Generated text as a tree: it has types, so that it can be shrunk, and its names are apart, so they can change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tools.fuzz.types import Name, Type


@dataclass(frozen=True, slots=True)
class Field:
    """A string as the field of a record."""

    name: Name


Part: TypeAlias = "str | Name | Field | Node"


@dataclass(frozen=True, slots=True)
class Node:
    """An expression. `bound` of a set: it has at most so many elements; None where that is not known."""

    type: Type
    parts: tuple[Part, ...]
    bound: int | None = field(default=None, compare=False)

    def children(self) -> Iterator[Node]:
        return (part for part in self.parts if isinstance(part, Node))

    def nodes(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for child in self.children():
            yield from child.nodes()

    def names(self) -> Iterator[Name]:
        for part in self.parts:
            if isinstance(part, Name):
                yield part
            elif isinstance(part, Field):
                yield part.name
            elif isinstance(part, Node):
                yield from part.names()

    def replaced(self, path: tuple[int, ...], by: Node) -> Node:
        """This tree with the node at a path of part numbers replaced."""
        if not path:
            return by
        first, *rest = path
        child = self.parts[first]
        assert isinstance(child, Node)
        parts = (*self.parts[:first], child.replaced(tuple(rest), by), *self.parts[first + 1 :])
        return Node(self.type, parts, self.bound)

    def paths(self) -> Iterator[tuple[tuple[int, ...], Node]]:
        """Every node with its path, the outer first."""
        yield (), self
        for i, part in enumerate(self.parts):
            if isinstance(part, Node):
                for path, node in part.paths():
                    yield (i, *path), node


LINE = "\v"
"""A part: a new line, further to the right than any line around it, as items of a junction must be."""


def text(node: Node, names: Mapping[Name, str], column: int = 2) -> str:
    if LINE in node.parts:
        column += 3
    return "".join(_written(part, names, column) for part in node.parts)


def _written(part: Part, names: Mapping[Name, str], column: int) -> str:
    match part:
        case Node():
            return text(part, names, column)
        case Field(name):
            return names[name]
        case Name(kind):
            return f'"{names[part]}"' if kind == "string" else names[part]
        case _:
            return "\n" + " " * column if part == LINE else part
