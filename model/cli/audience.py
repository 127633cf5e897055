"""The terminal as the audience of a check."""

from __future__ import annotations

from contextlib import AbstractContextManager

from rich.console import Console

from rmqproof.model.cli.progress_line import show_progress
from rmqproof.model.cli.time_left import TimeLeft
from rmqproof.model.records import dataclass
from rmqproof.model.search.control import Control


@dataclass(frozen=True, slots=True)
class Terminal:
    """See `Audience`. `quiet`: it shows warnings only. `left`: what is known of the end."""

    console: Console
    quiet: bool = False
    left: TimeLeft | None = None

    def say(self, text: str) -> None:
        if not self.quiet:
            self.console.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)

    def warn(self, text: str) -> None:
        self.console.print(text, style="yellow", markup=False, soft_wrap=True)

    def watching(self, control: Control, name: str) -> AbstractContextManager[None]:
        return show_progress(control, self.console, name, self.quiet, self.left)
