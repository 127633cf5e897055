"""How a command ends that cannot do what it was asked for."""

from __future__ import annotations

import sys
from typing import NoReturn

from rich.console import Console

from rmqproof.model.api.errors import AdapterError, RmqproofError, RunUnreadable
from rmqproof.model.checking import exit_status


def leave(error: RmqproofError, console: Console, title: str = "") -> NoReturn:
    """Say what is wrong, below a title where there is one, and exit."""
    if title:
        console.print(title, style="bold red", markup=False)
    console.print(str(error), style="" if title else "bold red", markup=False, soft_wrap=True)
    sys.exit(status_of(error))


def status_of(error: RmqproofError) -> int:
    if isinstance(error, AdapterError):
        return exit_status.DIFFERS
    if isinstance(error, RunUnreadable):
        return exit_status.USAGE
    cause = error.__cause__
    if isinstance(cause, RecursionError):
        return exit_status.EVALUATION
    return exit_status.of_error(cause if isinstance(cause, Exception) else error)
