"""A compiled model in a process of its own: what ends that by a signal does not end the one that asked.

Calls go over two connections, so that a search can be asked for its numbers while it is under way. Each is served by a
thread here, too: a signal handler may raise where somebody waits for an answer, and the connection is none the worse.
"""

from __future__ import annotations

import queue
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import field
from importlib import resources
from pathlib import Path

from rmqproof.model.records import dataclass

from .build import executable
from .errors import Died, NoCompiler

NAME = 32
_NUMBER, _READ, _WRITTEN = 0, 1, 2
_STATUSES = {2: "the program cannot be loaded", 3: "the program is another one", 4: "there was no memory"}


@dataclass(frozen=True, slots=True)
class Written:
    """Memory that a function writes into."""

    content: bytearray

    @classmethod
    def numbers(cls, count: int) -> Written:
        """Of so many numbers of 64 bits."""
        return cls(bytearray(8 * count))


Argument = int | bytes | Written
"""A number (or an address over there), what the function reads, what it writes."""


@dataclass(slots=True)
class _Call:
    message: list[bytes]
    written: list[bytearray]
    done: threading.Event = field(default_factory=threading.Event)
    result: int | None = None


class Host:
    """A process with a compiled model. Close it."""

    def __init__(
        self, library: Path, files: Sequence[int] = (), say: Callable[[str], None] = lambda text: None
    ) -> None:
        """`files`: open files, which have the same numbers over there. Raise `NoCompiler`, `OSError`."""
        program = executable(resources.files(__package__).joinpath("c", "host.c").read_text(encoding="utf-8"), say)
        pairs = [socket.socketpair() for _ in range(2)]
        theirs = [there.fileno() for _, there in pairs]
        try:
            self._process = subprocess.Popen(
                [str(program), str(library), *map(str, theirs)],
                pass_fds=(*theirs, *files),
                stdin=subprocess.DEVNULL,
                # not in the group of the terminal: Ctrl-C is for the one who asked
                process_group=0,
            )
        except PermissionError as error:
            raise NoCompiler(
                f"{program} cannot be run: {error.strerror}. Set RMQPROOF_CACHE to another folder."
            ) from error
        finally:
            for _, there in pairs:
                there.close()
        self._filing, self._closed = threading.Lock(), False
        self._calls: list[queue.SimpleQueue[_Call | None]] = [queue.SimpleQueue() for _ in pairs]
        for (connection, _), calls in zip(pairs, self._calls, strict=True):
            threading.Thread(target=_converse, args=(connection, calls), name="host", daemon=True).start()

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    def call(self, name: str, *arguments: Argument, beside: bool = False) -> int:
        """What the function returns, in 64 bits, signed. `beside`: over the connection for calls that take long.

        Raise `Died`.
        """
        call = _Call(*_message(name, arguments))
        with self._filing:
            if self._closed:
                raise Died("it was closed")
            self._calls[beside].put(call)
        call.done.wait()
        if call.result is None:
            raise self._died()
        return call.result

    def _died(self) -> Died:
        status = self._process.wait()
        if status >= 0:
            return Died(_STATUSES.get(status, f"it ended with status {status}"), short_of_memory=status == 4)
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = "a signal"
        return Died(f"signal {-status}, {name}", short_of_memory=-status == signal.SIGKILL)

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        with self._filing:
            self._closed = True
        for calls in self._calls:
            calls.put(None)
        self._process.wait()


def _message(name: str, arguments: Sequence[Argument]) -> tuple[list[bytes], list[bytearray]]:
    head = [name.encode().ljust(NAME, b"\0"), struct.pack("=Q", len(arguments))]
    read: list[bytes] = []
    written: list[bytearray] = []
    for argument in arguments:
        if isinstance(argument, int):
            head.append(struct.pack("=QQ", _NUMBER, argument & (1 << 64) - 1))
        elif isinstance(argument, bytes):
            head.append(struct.pack("=QQ", _READ, len(argument)))
            read.append(argument)
        else:
            head.append(struct.pack("=QQ", _WRITTEN, len(argument.content)))
            written.append(argument.content)
    return [b"".join(head), *read], written


def _converse(connection: socket.socket, calls: queue.SimpleQueue[_Call | None]) -> None:
    """Send each call and take its answer, until there is a None; without an answer there is no result."""
    with connection:
        while (call := calls.get()) is not None:
            try:
                for part in call.message:
                    connection.sendall(part)
                result = bytearray(8)
                for content in (result, *call.written):
                    _receive(connection, content)
                call.result = struct.unpack("=q", result)[0]
            except OSError:
                pass
            finally:
                call.done.set()


def _receive(connection: socket.socket, content: bytearray) -> None:
    view = memoryview(content)
    while view:
        count = connection.recv_into(view)
        if not count:
            raise ConnectionError
        view = view[count:]
