"""How deep expressions nest: Python refuses more than 200 parentheses, so deep parts become functions of their own."""

from __future__ import annotations

from rmqproof.model.tla.core import Definition, Expression, Label, Lambda, Let, OperatorArgument
from rmqproof.model.tla.walk import with_definitions

CUT = 16
"""After so many levels an expression is cut. A level of TLA+ takes up to twelve parentheses of Python."""


class Nesting:
    """The heights of expression trees, and the definitions that stand for what was cut off from them."""

    def __init__(self) -> None:
        self._heights: dict[int, tuple[Expression, int]] = {}
        self._parts: dict[int, Definition | None] = {}

    def part(self, node: Expression) -> Definition | None:
        """The definition, without parameters, that stands for the node where it is to be cut; None where it is not."""
        if id(node) in self._parts:
            return self._parts[id(node)]
        height = self.height(node)
        whole = height < CUT or height % CUT or isinstance(node, (Lambda, OperatorArgument, Let, Label))
        part = self._parts[id(node)] = None if whole else Definition("part", "", node.at, body=node)
        return part

    def height(self, node: Expression) -> int:
        """Levels below the node, called definitions aside. Without recursion: it may be very deep."""
        found = self._heights.get(id(node))
        if found is not None:
            return found[1]
        waiting = [(node, False)]
        while waiting:
            current, ready = waiting.pop()
            if id(current) in self._heights:
                continue
            inner = list(with_definitions(current))
            if ready:
                self._heights[id(current)] = (current, 1 + max((self._heights[id(i)][1] for i in inner), default=-1))
            else:
                waiting.append((current, True))
                waiting += [(child, False) for child in inner]
        return self._heights[id(node)][1]
