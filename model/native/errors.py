"""Why the native engine does not take a model."""

from __future__ import annotations

from rmqproof.model.tla.source import Location


class NotCompilable(Exception):
    """`construct` at `at` has no form in machine code; the Python engine takes over."""

    def __init__(self, at: Location | None, construct: str) -> None:
        super().__init__(f"{at}: {construct}" if at is not None else construct)
        self.at = at
        self.construct = construct

    def __reduce__(self) -> tuple[type[NotCompilable], tuple[Location | None, str]]:
        return NotCompilable, (self.at, self.construct)


class NoCompiler(Exception):
    """There is no C compiler, or it failed; the message says what to do."""


class Cancelled(Exception):
    """The compiler was told to end."""


class Died(Exception):
    """The process with the compiled program is no more. `short_of_memory`: perhaps for want of it."""

    def __init__(self, how: str, short_of_memory: bool = False) -> None:
        super().__init__(how)
        self.how = how
        self.short_of_memory = short_of_memory
