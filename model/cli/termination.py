"""A request to terminate ends a command as Ctrl-C does, at whatever it is: what it has begun is put away."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def requests_raise() -> Iterator[None]:
    """SIGTERM raises `KeyboardInterrupt` here. Processes that are forked meanwhile end by it as ever."""
    try:
        before = signal.signal(signal.SIGTERM, _interrupt)
    except ValueError:  # not in the main thread: the caller sees to signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _hold() -> None:
    """A signal that comes while a process is forked would reach the child between its two ways to take it."""
    if signal.getsignal(signal.SIGTERM) is _interrupt:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


def _let_go() -> None:
    if signal.getsignal(signal.SIGTERM) is _interrupt:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _as_ever() -> None:
    if signal.getsignal(signal.SIGTERM) is _interrupt:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold, after_in_parent=_let_go, after_in_child=_as_ever)
