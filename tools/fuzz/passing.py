"""Actions that are passed to operators, which say what else is true of the step."""

from __future__ import annotations

from collections.abc import Callable

from tools.fuzz.expressions import Expressions, Scope
from tools.fuzz.tree import Node, Part
from tools.fuzz.types import BOOLEAN, Name

Define = Callable[[Node, tuple[Part, ...]], Name]
"""Gives a body, with parameters before it, a name."""


def passed(x: Expressions, define: Define, one: Node, other: Node, scope: Scope) -> Node:
    """The action `one`, at times beside `other`, by way of operators. What is named is named once: see docs/fuzzing.md,
    TLC keeps the value of a parameter that was asked for it."""
    a, b = Name("local", 0), Name("local", 1)
    guard = Node(BOOLEAN, ("(", x.make(BOOLEAN, 1, scope.deeper(2)), " = TRUE)"))
    form = x.random.randrange(6)
    if form == 0:
        name = define(Node(BOOLEAN, ("(", a, " \\/ ", b, ")")), ("(", a, ", ", b, ")"))
        return Node(BOOLEAN, (name, "(", one, ", ", other, ")"))
    if form == 1:
        name = define(Node(BOOLEAN, ("(IF ", guard, " THEN ", a, " ELSE ", b, ")")), ("(", a, ", ", b, ")"))
        return Node(BOOLEAN, (name, "(", one, ", ", other, ")"))
    name = define(Node(BOOLEAN, ("(", guard, " /\\ ", a, ")") if x.chance(0.7) else (a,)), ("(", a, ")"))
    if form == 2:
        return Node(BOOLEAN, (name, "(", name, "(", one, "))"))
    if form == 3:
        around = define(Node(BOOLEAN, (name, "(", a, ")")), ("(", a, ")"))
        return Node(BOOLEAN, (around, "(", one, ")"))
    if form == 4:
        function = Name("local", 71)
        applies = define(Node(BOOLEAN, (function, "(", a, ")")), ("(", function, "(_), ", a, ")"))
        return Node(BOOLEAN, (applies, "(", name, ", ", one, ")"))
    return Node(BOOLEAN, (name, "(", one, ")"))
