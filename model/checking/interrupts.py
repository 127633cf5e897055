"""Ctrl-C, a request to terminate, and the end of the time that a search may take."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from rmqproof.model.search.control import Control, Halted
from rmqproof.model.search.result import Stopped

AGAIN = 1.0
TOGETHER = 0.2
"""Signals within so many seconds are one: who hands a Ctrl-C on, as `timeout` and `uv run` do, sends it to the process
and to its group."""
_HAS_ALARM = hasattr(signal, "setitimer")
"""Where there is none, as on Windows, nothing ends a search in the middle of a state."""


@contextmanager
def interruptible(control: Control) -> Iterator[None]:
    """The first Ctrl-C (or a request to terminate) ends the search between two states, a second one at once.

    Where that takes longer than `Tuning.grace`, or the search has not noticed by then that its time is over, it is
    ended in the middle of a state.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        if control.stopped is Stopped.INTERRUPTED:
            raise KeyboardInterrupt
        control.interrupt()
        _ring(control.tuning.grace)

    def alarm(number: int, frame: FrameType | None) -> None:
        control.alarm()

    try:
        before = _handled(interrupt, alarm)
    except ValueError:  # not in the main thread: the caller sees to signals
        yield
        return
    if control.max_seconds is not None:
        _ring(control.max_seconds + control.tuning.grace)
    try:
        with _lost(Halted, control.go_on_halting):
            yield
    finally:
        _ring(0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _lost(kind: type[BaseException], then: Callable[[], None]) -> Iterator[None]:
    """Call `then` where such an exception was raised while an object was deleted, which Python only tells of."""
    before = sys.unraisablehook

    def hook(told: sys.UnraisableHookArgs) -> None:
        if isinstance(told.exc_value, kind):
            then()
        else:
            before(told)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def raising() -> Iterator[None]:
    """Ctrl-C, and a request to terminate, raise `KeyboardInterrupt`.

    So they do where whoever started the process had them ignored, as the shell does with a script's job in the
    background. What is raised while an object is deleted is lost, so it is raised again until this ends.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        _ring(AGAIN)
        raise KeyboardInterrupt

    def alarm(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = _handled(interrupt, alarm)
    except ValueError:  # not in the main thread: the caller sees to signals
        yield
        return
    try:
        with _lost(KeyboardInterrupt, lambda: None):
            yield
    finally:
        _ring(0)
        for number, handler in before.items():
            signal.signal(number, handler)


Handler = Callable[[int, FrameType | None], None]


def once(handler: Handler, clock: Callable[[], float] = monotonic) -> Handler:
    """The handler, called once for a signal that comes several times at once."""
    last = -math.inf

    def told(number: int, frame: FrameType | None) -> None:
        nonlocal last
        now = clock()
        if now >= last + TOGETHER:
            last = now
            handler(number, frame)

    return told


def _handled(interrupt: Handler, alarm: Handler) -> dict[signal.Signals, Any]:
    """Have them handle their signals; what did before. Raise `ValueError` outside of the main thread."""
    told = once(interrupt)
    handlers: dict[signal.Signals, Handler] = {signal.SIGINT: told, signal.SIGTERM: told}
    if _HAS_ALARM:
        handlers[signal.SIGALRM] = alarm
    return {number: signal.signal(number, handler) for number, handler in handlers.items()}


def _ring(seconds: float) -> None:
    """An alarm after so many seconds, and then again and again; 0: none."""
    if _HAS_ALARM:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN if seconds else 0)
