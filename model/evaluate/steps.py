"""What the writers of actions hand on: what a step is called, which variables have values, what comes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.actions.naming import StepName
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import LocalFrame
from rmqproof.model.records import dataclass

Named = StepName[str]
"""The arguments are texts of code."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where an action stands: what has a value already, and what the step is called."""

    frame: LocalFrame
    named: Named

    def bind(self, index: int, code: Code) -> Progress:
        return replace(self, frame=self.frame.bind(index, code.text, code.shape))


@dataclass(frozen=True, slots=True)
class Then:
    """What comes after a formula. `size`: about how much code it is."""

    write: Callable[[Progress], None]
    size: int = 0
