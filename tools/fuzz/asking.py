"""What asks where the search is, `TLCGet("level")` in invariants and constraints, and what prints.

An invariant that prints where it is violated, and Init that prints, have no form in machine code, which searches all
the same.
"""

from __future__ import annotations

from dataclasses import replace

from tools.fuzz.expressions import Expressions, Scope
from tools.fuzz.tree import Node, Part
from tools.fuzz.types import BOOLEAN, INTEGER, Name

LEVEL: tuple[Part, ...] = ('TLCGet("level")',)


def knowing_levels(scope: Scope) -> Scope:
    """Where the level of a state is an integer as others, which is drawn rather often."""
    return replace(scope, values=(*scope.values, (LEVEL, INTEGER), (LEVEL, INTEGER)))


def up_to_a_level(x: Expressions) -> Node:
    """Whether a state is near an initial one."""
    return Node(BOOLEAN, ("(", *LEVEL, x.random.choice((" < ", " <= ", " # ")), str(x.random.randint(2, 6)), ")"))


def about_levels(x: Expressions, depth: int, scope: Scope) -> Node:
    """An invariant of some of the states, by their level."""
    body, near = x.make(BOOLEAN, depth, knowing_levels(scope)), up_to_a_level(x)
    sign = x.random.choice((" => ", " \\/ ", " /\\ "))
    return Node(BOOLEAN, ("(", near, sign, body, ")") if x.chance(0.5) else ("(", body, sign, near, ")"))


def told(x: Expressions, body: Node, name: Name, scope: Scope) -> Node:
    """An invariant that prints where it is violated, or that holds then, since it prints."""
    print_: tuple[Part, ...] = x.random.choice((("Print(", name, ", FALSE)"), ("PrintT(", name, ")")))
    form = x.random.randrange(4)
    if form == 0:
        return Node(BOOLEAN, ("(", body, " => (", x.make(BOOLEAN, 1, scope), " \\/ ", *print_, "))"))
    if form == 1:
        return Node(BOOLEAN, ("(IF ", body, " THEN TRUE ELSE ", *print_, ")"))
    return Node(BOOLEAN, ("(", body, " \\/ ", *print_, ")"))


def printing(x: Expressions, init: Node, name: Name) -> Node:
    """An initial predicate that prints."""
    print_: tuple[Part, ...] = ("PrintT(", x.literal(x.base()), ")")
    if x.chance(0.5):
        return Node(BOOLEAN, ("(", *print_, " /\\ ", init, ")"))
    return Node(BOOLEAN, ("(", init, " /\\ PrintT(<<", name, ">>))"))
