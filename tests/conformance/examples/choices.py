"""An implementation of an action that leaves a choice open."""

from __future__ import annotations

from collections.abc import Mapping

from rmqproof.conformance.adapter import Answer, Value


class Draw:
    """Takes the smallest ball."""

    def start(self, constants: Mapping[str, Value]) -> int:
        self.balls = constants["Balls"]
        self.initial(0)
        return 1

    def initial(self, index: int) -> None:
        self.urn = tuple(range(1, self.balls + 1))
        self.taken: tuple[int, ...] = ()

    def snapshot(self) -> object:
        return self.urn, self.taken

    def restore(self, snapshot: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        self.urn, self.taken = snapshot

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        return self.take(0)

    def take(self, position: int) -> Answer:
        if position >= len(self.urn):
            return Answer.REFUSED
        ball = self.urn[position]
        self.taken = (*self.taken, ball)
        self.urn = tuple(other for other in self.urn if other != ball)
        return Answer.PERFORMED

    def observe(self) -> Mapping[str, Value]:
        return {"urn": {"#set": list(self.urn)}, "taken": list(self.taken)}

    def elided(self) -> Mapping[str, str]:
        return {}


class ChoosingDraw(Draw):
    """Takes any ball."""

    def choices(self, action: str, arguments: tuple[Value, ...]) -> int:
        return len(self.urn)

    def perform_choice(self, action: str, arguments: tuple[Value, ...], choice: int) -> Answer:
        return self.take(choice)


class HalfChoosingDraw(ChoosingDraw):
    """Never takes the largest ball first."""

    def choices(self, action: str, arguments: tuple[Value, ...]) -> int:
        return max(1, len(self.urn) - 1)
