"""The command line as a process of its own: `rmqproof`, and `python -m rmqproof`."""

from __future__ import annotations

import atexit
import os
import sys

from rmqproof.model.cli import main
from rmqproof.model.records import dataclass


@dataclass(slots=True)
class _Ending:
    """The end of the process. `leave` is called after whatever is registered later."""

    status: int | None = None
    """With which a command has ended; None: it has not, or in another way."""

    def leave(self) -> None:
        """End without taking every object apart, which is a seventh of a check of a small model."""
        if self.status is None:
            return
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):
            return  # Python has its own words for that
        os._exit(self.status)


def run() -> None:
    """Run the command line; the process ends with its exit status."""
    ending = _Ending()
    if not atexit._ncallbacks():  # what was registered before would not be done
        atexit.register(ending.leave)
    try:
        main()
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            ending.status = error.code or 0
        raise
