"""Both ends of a remoting connection over asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import time
from collections.abc import Awaitable, Callable, Mapping

from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.remoting import Command, encode_command, frames, request

READ_SIZE = 64 * 1024

_log = logging.getLogger(__name__)


class Unreachable(Exception):
    """No answer: the peer is down, cut off, or too slow. Whether it acted on the request is not known."""


class Peer:
    """The client's end: one connection to an address, opened when needed and again after it broke."""

    def __init__(self, address: str, gate: Gate | None = None) -> None:
        self.address = address
        self._gate = gate or Gate()
        self._opaque = 0
        self._answers: dict[int, asyncio.Future[Command]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._connecting = asyncio.Lock()

    async def call(self, code: int, fields: Mapping[str, str], body: bytes = b"", timeout: float = 3.0) -> Command:
        """Send a request and wait for the answer; Unreachable after `timeout` seconds or a broken connection."""
        self._opaque += 1
        opaque = self._opaque
        answer: asyncio.Future[Command] = asyncio.get_running_loop().create_future()
        self._answers[opaque] = answer
        try:
            async with asyncio.timeout(timeout):
                await self._send(request(code, opaque, fields, body))
                return await answer
        except TimeoutError:
            raise Unreachable(f"{self.address} did not answer within {timeout} s") from None
        except OSError as problem:
            raise Unreachable(f"{self.address} cannot be reached: {problem}") from None
        finally:
            self._answers.pop(opaque, None)
            if answer.done() and not answer.cancelled():
                answer.exception()  # looked at, so that asyncio does not complain if the sending failed first

    async def tell(self, code: int, fields: Mapping[str, str], body: bytes = b"", timeout: float = 1.0) -> None:
        """Send a one-way request, if that is possible."""
        self._opaque += 1
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(timeout):
                await self._send(request(code, self._opaque, fields, body, one_way=True))

    async def close(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading
        self._drop()

    async def _send(self, command: Command) -> None:
        await self._gate.passing(self.address)
        async with self._connecting:
            if self._writer is None or self._writer.is_closing():
                host, port = self.address.rsplit(":", 1)
                reader, self._writer = await asyncio.open_connection(host, int(port))
                self._reading = asyncio.create_task(self._read(reader, self._writer))
        self._writer.write(encode_command(command))
        await self._writer.drain()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        decoder = frames()
        try:
            while data := await reader.read(READ_SIZE):
                await self._gate.passing(self.address)
                for command in decoder.feed(data):
                    waiting = self._answers.get(command.opaque)
                    if waiting is not None and not waiting.done():
                        waiting.set_result(command)
        except (OSError, ProtocolError) as problem:
            _log.info("connection to %s: %s", self.address, problem)
        finally:
            writer.close()
            if self._writer is writer:
                self._drop()

    def _drop(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(Unreachable(f"{self.address} closed the connection"))


class Caller:
    """The server's view of a connection: a name for it in this process."""

    def __init__(self, number: int) -> None:
        self.number = number


Connected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def listening(connected: Connected, host: str, port: int, patience: float = 0.0) -> asyncio.Server:
    """A server at an address. One that is in use is tried again for `patience` seconds; then OSError."""
    deadline = time.monotonic() + patience
    while True:
        try:
            return await asyncio.start_server(connected, host, port)
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.1)


Handler = Callable[[Command, Caller], Awaitable[Command | None]]
"""Answers a request; None for a one-way one, or one that is to get no answer."""


class Server:
    """The server's end. Requests of one connection are handled at the same time; each answer carries its `opaque`."""

    def __init__(self, handle: Handler, closed: Callable[[Caller], None] | None = None) -> None:
        self._handle = handle
        self._closed = closed
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._count = 0

    async def start(self, host: str, port: int, patience: float = 0.0) -> None:
        """See `listening`."""
        self._server = await listening(self._connected, host, port, patience)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self._count += 1
        caller = Caller(self._count)
        answering: set[asyncio.Task[None]] = set()
        decoder = frames()
        try:
            while data := await reader.read(READ_SIZE):
                for command in decoder.feed(data):
                    if not command.is_response:
                        answer = asyncio.create_task(self._answer(command, caller, writer))
                        answering.add(answer)
                        answer.add_done_callback(answering.discard)
        except (OSError, ProtocolError) as problem:
            _log.info("a client's connection ends: %s", problem)
        except asyncio.CancelledError:
            pass
        finally:
            for answer in list(answering):
                answer.cancel()
            writer.close()
            self._connections.discard(task)
            if self._closed is not None:
                self._closed(caller)

    async def _answer(self, command: Command, caller: Caller, writer: asyncio.StreamWriter) -> None:
        answer = await self._handle(command, caller)
        if answer is not None and not command.is_one_way and not writer.is_closing():
            writer.write(encode_command(answer))
            with contextlib.suppress(OSError):
                await writer.drain()
