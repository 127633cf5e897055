"""Where commands print: a terminal is filled to its width; what is piped has whole lines, without trailing blanks."""

from __future__ import annotations

import re
from typing import IO, Any

from rich.console import Console

WIDTH = 100
"""Columns over which values are laid out where there is no terminal."""
_WIDEST = 100_000
"""Columns that no line reaches."""
_TRAILING = re.compile(r"[ \t]+((?:\x1b\[[0-9;]*m)*)$", re.MULTILINE)


class OutputConsole(Console):
    """A console that breaks no line of text; it lays tables out to its width only where that is a terminal's.

    Who reads a pipe looks for `file:line:column`, and for the lines that the one who wrote them meant.
    """

    @property
    def piped(self) -> bool:
        """Also where colours are forced, as CI systems do."""
        return not self.file.isatty()

    def print(self, *objects: Any, **how: Any) -> None:
        if not self.piped:
            super().print(*objects, **how)
            return
        width = self.width
        with self.capture() as captured:
            self.width = _WIDEST
            try:
                super().print(*objects, **(how | {"soft_wrap": True}))
            finally:
                self.width = width
        self.file.write(_TRAILING.sub(r"\1", captured.get()))
        self.file.flush()


def open_console(errors: bool = False, to: IO[str] | None = None) -> Console:
    """The standard output's, or with `errors` that of what is said beside it."""
    made = OutputConsole(stderr=errors, file=to, highlight=False, emoji=False)
    if made.piped:
        made.width = WIDTH
    return made


def breaks_lines(console: Console) -> bool:
    """Whether sentences are to be broken to its width."""
    return not (isinstance(console, OutputConsole) and console.piped)
