"""Draws what restricts a search, or shows it otherwise: CONSTRAINT, ACTION_CONSTRAINT, VIEW, SYMMETRY, ALIAS.

All of them stand beside each other. What each may read is what TLC lets it read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tools.fuzz.actions import Variable
from tools.fuzz.asking import knowing_levels, up_to_a_level
from tools.fuzz.expressions import Expressions, Scope
from tools.fuzz.interchange import Interchange
from tools.fuzz.specification import Role
from tools.fuzz.tree import Field, Node, Part
from tools.fuzz.types import BOOLEAN, Name

Declare = Callable[[Node, Role], Name]
"""Defines what stands in the configuration."""


@dataclass(frozen=True, slots=True)
class Restrictions:
    """`nodes` is the set of all model values; `moved`, if any are to be exchanged, has its parts. `asked`: whether
    constraints may ask for the level."""

    x: Expressions
    variables: list[Variable]
    state: Scope
    nodes: Name
    moved: Interchange | None
    asked: bool
    declare: Declare

    def draw(self) -> bool:
        """Whether states that differ are one to the search: there is a VIEW or SYMMETRY."""
        often = 2.0 if self.moved is not None else 1.0
        if self.asked and self.x.chance(0.4):
            self.declare(up_to_a_level(self.x), Role.CONSTRAINT)
        if self.x.chance(0.15 * often):
            self._constraint()
        if self.x.chance(0.1 * often):
            self._action_constraint()
        viewed = self.x.chance(0.12 if self.moved is None else 0.4)
        if viewed:
            self.declare(self._view(), Role.VIEW)
        if self.x.chance(0.08 * often):
            self._alias()
        if self.moved is not None:
            self.declare(self.moved.permutations(self.x.random), Role.SYMMETRY)
        elif self.x.chance(0.05):
            self.declare(Node(BOOLEAN, ("Permutations(", self.nodes, ")")), Role.SYMMETRY)
            return True
        return viewed or self.moved is not None

    def _constraint(self) -> None:
        first = self.variables[0]
        asking = knowing_levels(self.state) if self.asked else self.state
        test = self.x.make(BOOLEAN, 2, asking)
        body = ("(", test, " \\/ ", first.name, " = ", self.x.literal(first.type), ")")
        self.declare(Node(BOOLEAN, body), Role.CONSTRAINT)

    def _action_constraint(self) -> None:
        name = self.variables[0].name
        primed = tuple(((each.name, "'"), each.type) for each in self.variables)
        test = self.x.make(BOOLEAN, 2, replace(self.state, values=(*self.state.values, *primed)))
        self.declare(Node(BOOLEAN, ("(", test, " \\/ ", name, "' # ", name, ")")), Role.ACTION_CONSTRAINT)

    def _view(self) -> Node:
        """Some of the variables, and what is asked of the state; TLC refuses one that reads no variable."""
        first, *others = self.x.random.sample(self.variables, len(self.variables))
        shown: list[Node] = [Node(first.type, (first.name,))]
        shown += [Node(each.type, (each.name,)) for each in others if self.x.chance(0.5)]
        shown += [self.x.make(self.x.near(self.state), 2, self.state)] if self.x.chance(0.8) else []
        if len(shown) == 1 and self.x.chance(0.5):
            return shown[0]
        return Node(BOOLEAN, ("<<", *self.x.commas(shown), ">>"))

    def _alias(self) -> None:
        """It changes how a behaviour is shown, and nothing else. It has a value in every state."""
        risk, self.x.risk = self.x.risk, 0.0
        one, other = self.x.universe.strings[:2]
        body: tuple[Part, ...] = ("[", Field(one), " |-> ", self.variables[-1].name, ", ", Field(other), " |-> ")
        self.declare(Node(BOOLEAN, (*body, self.x.well_typed(self.x.near(self.state), 2, self.state), "]")), Role.ALIAS)
        self.x.risk = risk
