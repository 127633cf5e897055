"""Between the checker and an adapter: what dies, hangs or raises becomes a difference, and is made anew."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Mapping
from math import ceil
from types import FrameType
from typing import Any, TypeVar

from rmqproof.conformance.adapter import (
    Adapter,
    Answer,
    Choosing,
    Closeable,
    ImplementationGone,
    Introduced,
    Snapshot,
    Value,
)
from rmqproof.conformance.difference import Kind

AdapterFactory = Callable[[], Adapter]
_Returned = TypeVar("_Returned")
STEP_SECONDS = 30.0
"""How long one call of an adapter may take, where nothing else is said."""
START_SECONDS = 60.0
"""How long making and starting an adapter may take, whatever the limit of a call: a virtual machine boots then."""
_TICKS = 4
"""Looks at the clock within the limit: a call ends at most a quarter of it late."""


class Broke(Exception):
    """A call of the adapter that did not come back as it should. `message`: which, and how."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(kind, message)
        self.kind, self.message = kind, message

    def __str__(self) -> str:
        return self.message


class SaidByAnother(Exception):
    """What an implementation in another process answered with; where it was noticed is of no interest."""


class StepTooLong(BaseException):
    """Raised within a call that takes too long; an adapter that catches every `Exception` does not catch it.

    `words`: what there is to say of the implementation that hangs.
    """

    words = ""


class Watch:
    """A limit for calls, of this process's main thread; in other threads, with 0 seconds, and where a system has no
    alarms, there is none.

    A call that never comes back from C is not interrupted.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._busy = self._armed = False
        self._late = 0
        self._most = _TICKS

    def arm(self) -> None:
        has_alarm = hasattr(signal, "setitimer")
        if self.seconds > 0 and has_alarm and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGALRM, self._tick)
            self._timer = signal.setitimer(signal.ITIMER_REAL, *2 * (self.seconds / _TICKS,))
            self._armed = True

    def disarm(self) -> None:
        if self._armed:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            signal.setitimer(signal.ITIMER_REAL, *self._timer)

    def begin(self, at_least: float = 0) -> None:
        """A call begins, which may take the limit, or `at_least` seconds where those are more."""
        self._late = 0
        self._most = _TICKS * max(1, ceil(at_least / self.seconds)) if self._armed else _TICKS
        self._busy = True

    def end(self) -> None:
        self._busy = False

    def _tick(self, _number: int, _frame: FrameType | None) -> None:
        if self._busy:
            self._late += 1
            if self._late > self._most:
                self._late = 0
                raise StepTooLong


class Guard:
    """An adapter, every call of which ends within the limit, in an answer or in `Broke`.

    One whose implementation is gone or hangs is closed, and made anew where the next `initial` or `restore` wants it.
    `lost`: how often that was so.
    """

    def __init__(self, make: AdapterFactory, step_seconds: float = STEP_SECONDS) -> None:
        self._make = make
        self._watch = Watch(step_seconds)
        self._told: tuple[str, tuple[str, ...], tuple[str, ...]] | None = None
        self._gone = False
        self.lost = 0
        self._watch.arm()
        try:
            self.adapter = self._called("making the adapter", make, at_least=START_SECONDS)
        except BaseException:
            self._watch.disarm()
            raise
        self.chooses = isinstance(self.adapter, Choosing)

    def close(self) -> None:
        try:
            self._close()
        finally:
            self._watch.disarm()

    def introduce(self, model: str, variables: tuple[str, ...], actions: tuple[str, ...]) -> None:
        self._told = (model, variables, actions)

    def start(self, constants: Mapping[str, Value]) -> int:
        self._constants = constants
        if isinstance(self.adapter, Introduced) and self._told is not None:
            self._called("introduce()", self.adapter.introduce, *self._told, at_least=START_SECONDS)
        return self._called("start()", self.adapter.start, constants, at_least=START_SECONDS)

    def initial(self, index: int) -> None:
        self._alive()
        self._called("initial()", self.adapter.initial, index)

    def snapshot(self) -> Snapshot:
        return self._called("snapshot()", self.adapter.snapshot)

    def restore(self, snapshot: Snapshot) -> None:
        self._alive()
        self._called("restore()", self.adapter.restore, snapshot)

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        return self._called("", self.adapter.perform, action, arguments)

    def observe(self) -> Mapping[str, Value]:
        return self._called("observe()", self.adapter.observe)

    def elided(self) -> Mapping[str, str]:
        return self._called("elided()", self.adapter.elided)

    def choices(self, action: str, arguments: tuple[Value, ...]) -> int:
        assert isinstance(self.adapter, Choosing)
        return self._called("choices()", self.adapter.choices, action, arguments)

    def perform_choice(self, action: str, arguments: tuple[Value, ...], choice: int) -> Answer:
        assert isinstance(self.adapter, Choosing)
        return self._called("", self.adapter.perform_choice, action, arguments, choice)

    def account(self, ask: Callable[..., list[str]], *arguments: Any) -> list[str]:
        """What `ask(adapter, ...)` finds, where the adapter gives account of its fields."""
        return self._called("fields()", ask, self.adapter, *arguments)

    # --- what may go wrong -----------------------------------------------------------------------------------------

    def _called(self, what: str, call: Callable[..., _Returned], *arguments: Any, at_least: float = 0) -> _Returned:
        if self._gone:
            raise Broke(Kind.DIED, "the implementation is gone")
        self._watch.begin(at_least)
        try:
            return call(*arguments)
        except StepTooLong as late:
            self._lose()
            words = f"{what}: " if what else ""
            seconds = max(self._watch.seconds, at_least)
            raise Broke(Kind.HUNG, f"{words}it took more than {seconds:g} s{late.words}") from None
        except ImplementationGone as gone:
            self._lose()
            raise Broke(Kind.DIED, f"{what}: {gone}" if what else str(gone)) from None
        except (Exception, SystemExit) as error:
            raise Broke(Kind.CRASHED, f"{what}: {_told(error)}" if what else _told(error)) from error
        finally:
            self._watch.end()

    def _alive(self) -> None:
        if self._gone:
            self._gone = False
            try:
                self.adapter = self._called("making the adapter again", self._make, at_least=START_SECONDS)
                self.start(self._constants)
            except Broke:
                self.lost += 1
                self._gone = True
                raise

    def _lose(self) -> None:
        self._watch.end()
        self.lost += 1
        self._close()
        self._gone = True

    def _close(self) -> None:
        made: object = getattr(self, "adapter", None)  # there is none when making it fails
        if isinstance(made, Closeable):
            made.close()


def _told(error: BaseException) -> str:
    """An exception with the place where it was raised; one that says all itself needs none."""
    if isinstance(error, SaidByAnother):
        return str(error)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace is not None else ""
    return f"{type(error).__name__}: {error}{place}"
