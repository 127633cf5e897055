"""What formulas do besides having a value: lines that are printed, registers of TLCSet.

Where one engine has begun and another one goes on from the start, that happens once, as in TLC.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass


@dataclass(slots=True)
class Effects:
    """Those since a search began."""

    runtime: Runtime
    lines: int = 0
    """Printed so far."""
    registers: dict[Value, Value] = field(init=False)
    """As they were."""

    def __post_init__(self) -> None:
        self.registers = dict(self.runtime.registers)

    @contextmanager
    def noted(self, again: bool) -> Iterator[None]:
        """What is printed inside is counted, and the registers are as they were. `again`: it begins with what was
        printed before, which is left out."""
        output, met = self.runtime.output, 0

        def say(text: str) -> None:
            nonlocal met
            met += 1
            if met > self.lines or not again:
                output(text)
            self.lines = max(self.lines, met)

        self.runtime.output = say
        self.runtime.registers.clear()
        self.runtime.registers.update(self.registers)
        try:
            yield
        finally:
            self.runtime.output = output


@contextmanager
def unsaid(runtime: Runtime) -> Iterator[list[str]]:
    """What is printed inside is kept instead."""
    output, lines = runtime.output, list[str]()
    runtime.output = lines.append
    try:
        yield lines
    finally:
        runtime.output = output
