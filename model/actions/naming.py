"""What a step is called: the operator whose body makes it, with its arguments.

Next itself gives a name only where nothing inside of it does. Below a conjunction with a name, and after a conjunct
that gave the step another one, the name stays. `arguments` are an engine's own: texts, compiled expressions, values.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from rmqproof.model.records import dataclass

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class StepName(Generic[A]):
    """`root`: it is the name of the whole relation so far; `final`: it stays whatever is entered."""

    name: str = ""
    arguments: tuple[A, ...] = ()
    root: bool = True
    final: bool = False

    def entering(self, operator: str, arguments: tuple[A, ...] = (), final: bool = False) -> StepName[A]:
        """Inside an operator that gives steps a name."""
        return self if self.final else StepName(operator, arguments, root=not self.name, final=final)

    def in_conjunction(self, parts: int) -> StepName[A]:
        """At the first of several conjuncts."""
        return replace(self, final=not self.root) if parts > 1 else self

    def after_conjunct(self, reached: StepName[A]) -> StepName[A]:
        """At a later conjunct of a conjunction that began with this name."""
        return reached if self.same(reached) else reached.settled()

    def settled(self) -> StepName[A]:
        return replace(self, final=True)

    def same(self, other: StepName[A]) -> bool:
        return self.name == other.name and self.arguments == other.arguments
