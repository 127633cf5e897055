"""The HA stream over asyncio: the slave's one connection, and the master's many.

Neither knows the protocol; packets go to the core and come from it. Every packet has an id for the trace: the ports of
the connection, whose packet it is, and its number on the connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Protocol

from rmqproof.impl.core.broker_inputs import (
    BrokerInput,
    FromMaster,
    FromSlave,
    MasterConnected,
    MasterDisconnected,
    SlaveConnected,
    SlaveDisconnected,
)
from rmqproof.impl.core.replication_messages import ToMaster, ToSlave
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.remoting import READ_SIZE, listening
from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.ha import encode_to_master, encode_to_slave, from_master, from_slave
from rmqproof.impl.wire.rocketmq_ha import MastersEnd, SlavesEnd

CONNECT_TIMEOUT = 2.0

_log = logging.getLogger(__name__)


class Core(Protocol):
    """What the streams feed."""

    def feed(self, given: BrokerInput, received: tuple[str, ...] = ()) -> object: ...

    def has_more_for(self, number: int, idle: bool) -> bool:
        """Send what comes next to a slave; whether something was sent. `idle`: it is time for a heartbeat."""
        ...


class _Counted:
    """Numbers the packets of one connection in both directions."""

    def __init__(self, slave_port: int, master_port: int, mine: str, theirs: str) -> None:
        self._label = f"ha{slave_port}-{master_port}"
        self._mine, self._theirs = mine, theirs
        self._sent = self._received = 0

    def sent(self) -> str:
        self._sent += 1
        return f"{self._label}/{self._mine}{self._sent}"

    def received(self) -> str:
        self._received += 1
        return f"{self._label}/{self._theirs}{self._received}"


def _port(writer: asyncio.StreamWriter, which: str) -> int:
    return int(writer.get_extra_info(which)[1])


class SlaveStream:
    """The slave's connection to its master; at most one at a time."""

    def __init__(self, core: Core, gate: Gate, silence: float, rocketmq_wire: bool = False) -> None:
        """`rocketmq_wire`: the masters are brokers of RocketMQ, or understand what those do."""
        self._core = core
        self._gate = gate
        self._silence = silence
        self._rocketmq_wire = rocketmq_wire
        self._plain: SlavesEnd | None = None
        self._task: asyncio.Task[None] | None = None
        self._outgoing: asyncio.Queue[bytes] | None = None
        self._ids: _Counted | None = None

    @property
    def busy(self) -> bool:
        """A connection is open or being opened."""
        return self._task is not None

    def open(self, address: str) -> None:
        self.close()
        self._task = asyncio.create_task(self._run(address))

    def close(self) -> None:
        """End it; the core is not told, for it is the core that wants it."""
        task, self._task = self._task, None
        self._outgoing = self._ids = None
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    def id_of_next(self) -> str | None:
        return None if self._ids is None else self._ids.sent()

    def send(self, packet: ToMaster) -> None:
        if self._outgoing is not None:
            encoded = encode_to_master(packet) if self._plain is None else self._plain.encoded(packet)
            self._outgoing.put_nowait(encoded)

    async def _run(self, address: str) -> None:
        this = asyncio.current_task()
        writer: asyncio.StreamWriter | None = None
        sending: asyncio.Task[None] | None = None
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await self._gate.passing(address)
                host, port = address.rsplit(":", 1)
                reader, writer = await asyncio.open_connection(host, int(port))
            if self._task is not this:
                return
            self._ids = _Counted(_port(writer, "sockname"), int(port), "s", "m")
            self._outgoing = asyncio.Queue()
            self._plain = plain = SlavesEnd() if self._rocketmq_wire else None
            sending = asyncio.create_task(self._write(address, writer, self._outgoing, plain))
            self._core.feed(MasterConnected())
            decoder = from_master()
            while self._task is this:
                async with asyncio.timeout(self._silence):
                    data = await reader.read(READ_SIZE)
                    await self._gate.passing(address)
                if not data:
                    return
                for packet in decoder.feed(data):
                    if self._task is this and self._ids is not None:
                        self._core.feed(FromMaster(packet), (self._ids.received(),))
        except (OSError, TimeoutError, ProtocolError) as problem:
            _log.info("connection to master %s: %s", address, problem or "silence")
        finally:
            if sending is not None:
                sending.cancel()
            if writer is not None:
                writer.close()
            if self._task is this:
                self.close()
                self._core.feed(MasterDisconnected())

    async def _write(
        self,
        address: str,
        writer: asyncio.StreamWriter,
        outgoing: asyncio.Queue[bytes],
        plain: SlavesEnd | None,
    ) -> None:
        with contextlib.suppress(OSError):
            while True:
                try:
                    async with asyncio.timeout(None if plain is None else self._silence / 3):
                        data = await outgoing.get()
                except TimeoutError:
                    data = plain.reported if plain is not None else b""
                await self._gate.passing(address)
                writer.write(data)
                await writer.drain()


class MasterStreams:
    """The accepting side. It listens on every broker, whatever its role; the core refuses who must not copy."""

    def __init__(self, core: Core, heartbeat: float) -> None:
        self._core = core
        self._heartbeat = heartbeat
        self._count = 0
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._ids: dict[int, _Counted] = {}
        self._ends: dict[int, MastersEnd] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._changed = asyncio.Event()

    async def start(self, host: str, port: int, patience: float = 0.0) -> None:
        """See `remoting.listening`."""
        self._server = await listening(self._connected, host, port, patience)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def changed(self) -> None:
        """There may be something to send."""
        self._changed.set()
        self._changed = asyncio.Event()

    def id_of_next(self, number: int) -> str | None:
        ids = self._ids.get(number)
        return None if ids is None else ids.sent()

    def send(self, number: int, packet: ToSlave) -> None:
        writer = self._writers.get(number)
        if writer is not None and not writer.is_closing():
            sent = self._ends[number].sent(packet)
            if sent is not None:
                writer.write(encode_to_slave(sent))

    def close(self, number: int) -> None:
        """End a connection that the core has forgotten."""
        writer = self._writers.pop(number, None)
        self._ids.pop(number, None)
        self._ends.pop(number, None)
        if writer is not None:
            writer.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._count += 1
        number = self._count
        self._writers[number] = writer
        ids = self._ids[number] = _Counted(_port(writer, "peername"), _port(writer, "sockname"), "m", "s")
        end = self._ends[number] = MastersEnd()
        self._core.feed(SlaveConnected(number))
        sending = asyncio.create_task(self._send_loop(number, writer))
        decoder = from_slave()
        try:
            while data := await reader.read(READ_SIZE):
                for packet in decoder.feed(data):
                    received = (ids.received(),)
                    for told in end.received(packet):
                        if number in self._writers:
                            self._core.feed(FromSlave(number, told), received)
        except (OSError, ProtocolError) as problem:
            _log.info("a slave's connection ends: %s", problem)
        except asyncio.CancelledError:
            self.close(number)
        finally:
            sending.cancel()
            self._tasks.discard(task)
            if number in self._writers:
                self.close(number)
                self._core.feed(SlaveDisconnected(number))

    async def _send_loop(self, number: int, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while True:
                changed = self._changed
                if self._core.has_more_for(number, idle=False):
                    await writer.drain()
                    continue
                try:
                    async with asyncio.timeout(self._heartbeat):
                        await changed.wait()
                except TimeoutError:
                    self._core.has_more_for(number, idle=True)
                    await writer.drain()
