"""An implementation in another process, in any language: JSON lines over its standard streams or over TCP.

The messages are written down in docs/how-to/conform-another-language.md; here is the side of the checker.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from rmqproof.conformance.adapter import Answer, ImplementationGone, Snapshot, Value
from rmqproof.conformance.guard import SaidByAnother, StepTooLong
from rmqproof.conformance.loading import LoadingError

PROTOCOL = 1
_MOST_BYTES = 64 * 1024 * 1024
"""Of a line."""
_LAST_WORDS = 5
"""Lines of standard error that are shown of a process that ended, but for the calls that Java and Node.js list."""
_FRAME = re.compile(r"\s+(?:at \S|\.\.\. \d+ more)")
_ERROR_BYTES = 8192
_ENDING_SECONDS = 5.0
"""How long a process that has closed its standard output may take to end."""


class ForeignError(SaidByAnother):
    """The implementation answered with an error, or with something that is no answer."""


class Channel(Protocol):
    """A way to the implementation and back."""

    def exchange(self, line: bytes) -> bytes:
        """The answer to a line, with its end; less where there is none. Raise `OSError`."""
        ...

    def ended(self) -> str:
        """How it ended, once there is no answer."""
        ...

    def last_words(self) -> str:
        """What it said last elsewhere; empty, or beginning with a semicolon."""
        ...

    def close(self) -> None: ...


class ProcessChannel:
    """A child process: requests on its standard input, answers on its standard output."""

    def __init__(self, command: list[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        try:
            # a session of its own: Ctrl-C is ours, and what it starts itself ends with it
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise LoadingError(f"{shlex.join(command)} cannot be run: {error.strerror}.") from None

    def exchange(self, line: bytes) -> bytes:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return self._process.stdout.readline(_MOST_BYTES)

    def ended(self) -> str:
        try:
            status = self._process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            return f"the process has closed its standard output{self.last_words()}"
        how = f"ended with exit status {status}" if status >= 0 else f"was killed by {_signal(-status)}"
        return f"the process {how}{self.last_words()}"

    def last_words(self) -> str:
        text = self._end_of_errors().decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip() and not _FRAME.match(line)][-_LAST_WORDS:]
        return "; its last lines on standard error: " + " | ".join(lines) if lines else ""

    def _end_of_errors(self) -> bytes:
        start = max(0, os.fstat(self._errors.fileno()).st_size - _ERROR_BYTES)
        if hasattr(os, "pread"):  # the process, where it lives, goes on writing where it was
            return os.pread(self._errors.fileno(), _ERROR_BYTES, start)
        self._errors.seek(start)
        return self._errors.read(_ERROR_BYTES)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert stream is not None
                stream.close()
        self._process.wait()
        self._errors.close()


class SocketChannel:
    """A connection to a server, which holds an implementation of its own for each connection."""

    def __init__(self, host: str, port: int) -> None:
        self._name = f"{host}:{port}"
        try:
            self._socket = socket.create_connection((host, port))
        except OSError as error:
            raise ImplementationGone(f"nobody answers at {self._name}: {error.strerror or error}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")

    def exchange(self, line: bytes) -> bytes:
        self._socket.sendall(line)
        return self._lines.readline(_MOST_BYTES)

    def ended(self) -> str:
        return f"the connection to {self._name} broke"

    def last_words(self) -> str:
        return ""

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self._lines.close()
        with contextlib.suppress(OSError):
            self._socket.close()


class ForeignAdapter:
    """An adapter whose implementation is behind a channel.

    One that takes no snapshots is brought back by its steps from the initial state; then it has to be deterministic.
    """

    def __init__(self, connect: Callable[[], Channel]) -> None:
        self._connect = connect
        self._channel: Channel | None = None
        self._model: dict[str, Any] = {}
        self._elided: dict[str, str] = {}
        self._snapshots = False
        self._way: tuple[int, tuple[tuple[str, tuple[Value, ...]], ...]] = (0, ())
        """The initial state and the steps since, where it takes no snapshots."""

    def introduce(self, model: str, variables: tuple[str, ...], actions: tuple[str, ...]) -> None:
        self._model = {"model": model, "variables": list(variables), "actions": list(actions)}

    def start(self, constants: Mapping[str, Value]) -> int:
        self._channel = self._connect()
        hello = self._ask("hello", protocol=PROTOCOL, **self._model, constants=dict(constants))
        if hello.get("protocol") != PROTOCOL:
            raise ForeignError(f"hello: it speaks protocol {hello.get('protocol')!r}, and this is {PROTOCOL}")
        self._snapshots = hello.get("snapshots") is True
        elided = hello.get("elided", {})
        if not isinstance(elided, dict) or not all(isinstance(reason, str) for reason in elided.values()):
            raise ForeignError(f"hello: elided is {_short(elided)}, and not an object of reasons")
        self._elided = elided
        count = hello.get("initial", 1)
        self.initial(0)
        return count if type(count) is int else 0

    def initial(self, index: int) -> None:
        self._ask("initial", index=index)
        self._way = (index, ())

    def snapshot(self) -> Snapshot:
        if not self._snapshots:
            return self._way
        answer = self._ask("snapshot")
        if "snapshot" not in answer:
            raise ForeignError(f"snapshot: the answer {_short(answer)} has no field snapshot")
        return answer["snapshot"]

    def restore(self, snapshot: Snapshot) -> None:
        if self._snapshots:
            self._ask("restore", snapshot=snapshot)
            return
        index, steps = snapshot
        self.initial(index)
        for action, arguments in steps:
            if self.perform(action, arguments) is not Answer.PERFORMED:
                raise ForeignError(
                    f"{action} was performed before, and on the same way from the initial state it is no more: "
                    "without snapshots the implementation has to do the same each time"
                )

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        said = self._ask("perform", action=action, arguments=list(arguments)).get("answer")
        try:
            answer = Answer(said)
        except ValueError:
            raise ForeignError(
                f"perform: the answer {_short(said)} is none of performed, refused, unsupported"
            ) from None
        if answer is Answer.PERFORMED and not self._snapshots:
            index, steps = self._way
            self._way = (index, (*steps, (action, arguments)))
        return answer

    def observe(self) -> Mapping[str, Value]:
        state = self._ask("observe").get("state")
        if not isinstance(state, dict):
            raise ForeignError(f"observe: the state {_short(state)} is no object with the model's variables")
        return state

    def elided(self) -> Mapping[str, str]:
        return self._elided

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    def _ask(self, do: str, **content: Any) -> dict[str, Any]:
        if self._channel is None:
            raise ImplementationGone("it was not started")
        request = json.dumps({"do": do, **content}, separators=(",", ":")).encode("ascii") + b"\n"
        try:
            line = self._channel.exchange(request)
        except OSError:
            line = b""
        except StepTooLong as late:
            late.words = self._channel.last_words()
            raise
        if not line.endswith(b"\n"):
            if len(line) >= _MOST_BYTES:
                raise ForeignError(f"{do}: a line of more than {_MOST_BYTES:,} bytes")
            raise ImplementationGone(self._channel.ended())
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            said = _short(line.decode("utf-8", "replace").rstrip())
            raise ForeignError(f"{do}: the answer {said} is no JSON; what it logs belongs on standard error") from None
        if not isinstance(answer, dict):
            raise ForeignError(f"{do}: the answer {_short(answer)} is no object")
        if "error" in answer:
            raise ForeignError(f"{do}: {answer['error']}")
        return answer


def command_adapter(command: str) -> Callable[[], ForeignAdapter]:
    """What makes the adapter of a program, given as a command line. Raise `LoadingError` where there is none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LoadingError(f"{command!r} is no command: {error}.") from None
    if not words or shutil.which(words[0]) is None:
        raise LoadingError(f"{command!r} is no command: there is no program {words[0] if words else ''!r}.")
    return lambda: ForeignAdapter(lambda: ProcessChannel(words))


def address_adapter(address: str) -> Callable[[], ForeignAdapter]:
    """What makes the adapter of a server, given as HOST:PORT. Raise `LoadingError` for what is no address."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdecimal() or not 0 < int(port) < 65536:
        raise LoadingError(f"{address!r} is no address: write HOST:PORT.")
    return lambda: ForeignAdapter(lambda: SocketChannel(host.strip("[]"), int(port)))


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
