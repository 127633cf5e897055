"""Who hears of a check while it goes on. Nothing of what is heard decides anything."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from rmqproof.model.search.control import Control


class Audience(Protocol):
    """A terminal, a log, or nobody."""

    def say(self, text: str) -> None:
        """A change of plan: that another engine takes over, that the search starts over."""
        ...

    def warn(self, text: str) -> None:
        """What is otherwise than was asked for."""
        ...

    def watching(self, control: Control, name: str) -> AbstractContextManager[None]:
        """Around a search of the model `name`: `control` may be told to report its progress."""
        ...


class Silent:
    """An audience that hears nothing."""

    def say(self, text: str) -> None:
        pass

    def warn(self, text: str) -> None:
        pass

    def watching(self, control: Control, name: str) -> AbstractContextManager[None]:
        return nullcontext()


SILENT = Silent()
