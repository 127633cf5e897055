"""What processes that prove ask about at present, as they tell it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rmqproof.model.prove.ask import Asking
from rmqproof.model.prove.tasks import Task


@dataclass(frozen=True, slots=True)
class Doing:
    """What a process asks about, of which lemma, and for how many seconds by now."""

    lemma: str
    asking: Asking
    seconds: float


Told = Callable[[Sequence[Doing]], None]
"""Is told of what all processes ask about."""


@dataclass(slots=True)
class Heard:
    """What processes ask about, by their tasks, and since when. `told`: when there is news, and else every second."""

    told: Told | None = None
    _lemmas: dict[int, str] = field(default_factory=dict)
    _now: dict[int, tuple[Asking, float]] = field(default_factory=dict)

    def expect(self, task: Task, lemma: str) -> None:
        """The task, which has to live as long, is about this lemma."""
        self._lemmas[id(task)] = lemma

    def hear(self, task: Task, asking: Asking | None) -> None:
        """What `run_all` is told; None: nothing new."""
        if asking is not None:
            self._now[id(task)] = asking, time.monotonic()
        if self.told is not None:
            self.told([self._doing(one) for one in self._now])

    def end(self, task: Task) -> Doing | None:
        """What it asked about last, if it had come so far."""
        found = self._doing(id(task)) if id(task) in self._now else None
        self._now.pop(id(task), None)
        return found

    def _doing(self, task: int) -> Doing:
        asking, since = self._now[task]
        return Doing(self._lemmas[task], asking, time.monotonic() - since)


def place(last: Doing | None) -> str:
    """What a process that was stopped asked about last, in words; empty where it had not come so far."""
    return "" if last is None else f"{last.asking}, asked about for {last.seconds:.0f} s"
