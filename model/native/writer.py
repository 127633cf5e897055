"""The C text of a model, written in a process of its own: the search in Python goes on at full speed meanwhile.

That process is forked from the one that searches: it has the model as it is there, and nothing is read again. It does
nothing but write texts, in memory; whoever asked keeps them and compiles them. It ends with the one who asked, whatever
way that ends.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from .errors import Cancelled, NoCompiler

if TYPE_CHECKING:
    from rmqproof.model.evaluate.values import Value

_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM) if hasattr(signal, "SIGALRM") else ()
"""Signals that mean something else here than in the process that searches."""


class Writing(Protocol):
    """Whose texts are written, under bounds that grow: see `NativeModel`."""

    def begin(self, growths: Sequence[int]) -> None: ...

    def follow(self) -> str: ...

    def narrow(self, states: Sequence[Sequence[Value]]) -> int | None: ...

    def written(self) -> tuple[dict[str, Any], bool]: ...


class Writer:
    """The process. Close it."""

    def __init__(self, native: Writing) -> None:
        """`native`: the model that is written there. Raise `OSError` where there can be no further process."""
        ours, theirs = socket.socketpair()
        reader, self._life = os.pipe()
        self._closing, self._ended = threading.Lock(), ""
        self.closed = False
        """It is no more, or is about to end."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)
        try:
            self.process = os.fork()
            if self.process == 0:
                ours.close()
                os.close(self._life)
                _serve(native, theirs, reader)
        except OSError:
            ours.close()
            os.close(self._life)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            theirs.close()
            os.close(reader)
        self._stream = ours.makefile("rwb")
        ours.close()

    @classmethod
    def of(cls, native: Writing) -> Writer | None:
        """None where a text is better written by whoever asks for it.

        A process that forks while it has several threads may be left with a lock that nobody opens.
        """
        if not hasattr(os, "fork") or threading.active_count() > 1:
            return None
        try:
            return cls(native)
        except OSError:
            return None

    def narrow(self, growths: Sequence[int], states: Sequence[Sequence[Value]]) -> int | None:
        """As `Writing.narrow` over there, once this was widened. Raise as `written`."""
        found: int | None = self._ask("narrow", growths, states)
        return found

    def follow(self, growths: Sequence[int]) -> str:
        """What the last of these growths widens, in words. Raise as `written`."""
        said: str = self._ask("follow", growths)
        return said

    def written(self, growths: Sequence[int]) -> tuple[dict[str, Any], bool]:
        """As `Writing.written` over there.

        Raise what that raises, `NoCompiler` where the process is no more, and `Cancelled` where it was closed.
        """
        found: tuple[dict[str, Any], bool] = self._ask("written", growths)
        return found

    def _ask(self, *question: Any) -> Any:
        try:
            pickle.dump(question, self._stream)
            self._stream.flush()
            answer, error = pickle.load(self._stream)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            if self.closed:
                raise Cancelled from None
            self.close()
            raise NoCompiler(f"The process that writes the C text is no more ({self._ended}).") from None
        if error is not None:
            raise error
        return answer

    def close(self) -> None:
        """End the process, whatever it does. May be called from any thread, and again."""
        with self._closing:
            if self.closed:
                return
            self.closed = True
            os.kill(self.process, signal.SIGKILL)
            try:
                status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
            except ChildProcessError:  # somebody else waits for all processes
                status = 0
            self._ended = f"signal {-status}" if status < 0 else f"status {status}"
            os.close(self._life)


def _serve(native: Writing, connection: socket.socket, life: int) -> NoReturn:
    """The life of the process: it answers questions until nobody asks any more, and never returns."""
    try:
        gc.freeze()  # what was there before is no garbage, and stays shared as long as it is not looked at
        for number in _HANDLED:
            signal.signal(number, signal.SIG_IGN if number is signal.SIGINT else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
        threading.Thread(target=_end_with, args=(life,), daemon=True).start()
        stream = connection.makefile("rwb")
        while True:
            name, growths, *more = pickle.load(stream)
            pickle.dump(_answer(native, name, growths, more), stream)
            stream.flush()
    finally:
        os._exit(0)


def _end_with(life: int) -> None:
    """End the process as soon as nobody can write into the pipe: the one who asked has ended."""
    os.read(life, 1)
    os._exit(0)


def _answer(native: Writing, name: str, growths: list[int], more: list[Any]) -> tuple[Any, Exception | None]:
    """What was found, or the error."""
    answers: dict[str, Callable[..., Any]] = {
        "narrow": native.narrow,
        "follow": native.follow,
        "written": native.written,
    }
    try:
        native.begin(growths)
        return answers[name](*more), None
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return None, RuntimeError(repr(error))
        return None, error
