"""Ctrl-C, a request to terminate, and the end of the time that a search may take."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Stopped

GRACE = 3.0
"""Seconds in which a search may come to the end of a state before it is ended in the middle of it."""
AGAIN = 1.0


@contextmanager
def interruptible(control: Control) -> Iterator[None]:
    """The first Ctrl-C (or a request to terminate) ends the search between two states, a second one at once.

    Where that takes longer than `GRACE`, or the search has not noticed by then that its time is over, it is ended in
    the middle of a state.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        if control.stopped is Stopped.INTERRUPTED:
            raise KeyboardInterrupt
        control.interrupt()
        signal.setitimer(signal.ITIMER_REAL, GRACE, AGAIN)

    def alarm(number: int, frame: FrameType | None) -> None:
        control.alarm()

    handlers = {signal.SIGINT: interrupt, signal.SIGTERM: interrupt, signal.SIGALRM: alarm}
    try:
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    except ValueError:  # not in the main thread: the caller sees to signals
        yield
        return
    if control.max_seconds is not None:
        signal.setitimer(signal.ITIMER_REAL, control.max_seconds + GRACE, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def raising() -> Iterator[None]:
    """Ctrl-C, and a request to terminate, raise `KeyboardInterrupt`.

    So they do where whoever started the process had them ignored, as the shell does with a script's job in the
    background. What is raised while an object is deleted is lost, so it is raised again until this ends.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise KeyboardInterrupt

    def alarm(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    handlers = {signal.SIGINT: interrupt, signal.SIGTERM: interrupt, signal.SIGALRM: alarm}
    try:
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    except ValueError:  # not in the main thread: the caller sees to signals
        yield
        return
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
