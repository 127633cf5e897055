"""Relays between the nodes of a real cluster: every connection goes through one, and can be held, slowed, cut, left
half open, each direction by itself.

A node listens at an address of its own (127.0.0.11), and everybody is told the address of its front (127.0.0.1, the
same port), where a relay listens. Whose connection it is tells /proc: the process that has the other end. Held bytes
wait, as in a partition that TCP outlives; a connection that is broken ends at both of its ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rmqproof.rocketmq.processes.java_process import HOST

T = TypeVar("T")
NOBODY = "?"
"""A connection whose process is none of the cluster's; nothing is done to it."""
_CHUNK = 1 << 14
Link = tuple[str, str]
"""From, to."""


@dataclass(slots=True)
class Pace:
    """What a direction of a link does to its bytes: they wait while it is `held`, `delay` seconds a piece, and pass at
    `rate` bytes a second at most (0: as fast as they come)."""

    held: bool = False
    delay: float = 0.0
    rate: float = 0.0


@dataclass(eq=False, slots=True)
class _Connection:
    source: str
    target: str
    writers: tuple[asyncio.StreamWriter, asyncio.StreamWriter]
    """Towards the source, towards the target."""
    swallowing: bool = False
    outlived: bool = False
    """Its source may end without its target's being told."""
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


class RelayNetwork:
    """The fronts of a cluster, in a thread of their own. `owners`: the process ids of the nodes, asked at each
    connection."""

    def __init__(self, owners: Callable[[], Mapping[str, int]]) -> None:
        self._owners = owners
        self._paces: dict[Link, Pace] = {}
        self._connections: set[_Connection] = set()
        self._servers: list[asyncio.Server] = []
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relays", daemon=True)
        self._thread.start()

    # --- what others ask of it -----------------------------------------------------------------------------------

    def add(
        self, node: str, front: int, target: tuple[str, int], rewritten: Callable[[bytes], bytes] | None = None
    ) -> None:
        """Listen for a node. `rewritten`: of each frame that goes to it."""

        async def listen() -> None:
            async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await self._serve(node, front, target, rewritten, reader, writer)

            self._servers.append(await asyncio.start_server(connected, HOST, front))

        self._do(listen())

    def pace(self, links: Iterable[Link], held: bool = False, delay: float = 0.0, rate: float = 0.0) -> None:
        """From now on, for these directions."""
        wanted = {link: Pace(held, delay, rate) for link in links}

        async def change() -> None:
            self._paces.update(wanted)
            self._wake()

        self._do(change())

    def heal(self) -> None:
        """Everything passes again; what is half open ends."""

        async def change() -> None:
            self._paces.clear()
            for each in list(self._connections):
                each.outlived = False
                if each.swallowing:
                    self._close(each)
            self._wake()

        self._do(change())

    def break_off(self, one: str, other: str) -> int:
        """End their connections, both ends; how many there were."""
        return self._do(self._ended(one, other, half=False))

    def leave_half_open(self, one: str, other: str) -> int:
        """End their connections at the side that was connected to; the other one hears nothing of it."""
        return self._do(self._ended(one, other, half=True))

    def outlive(self, source: str, target: str) -> int:
        """The connections that a node has opened to another one stay open there when it ends, until everything is
        healed: a machine that fails closes none. How many there are."""

        async def change() -> int:
            met = [each for each in self._connections if (each.source, each.target) == (source, target)]
            for each in met:
                each.outlived = True
            return len(met)

        return self._do(change())

    def links(self) -> list[Link]:
        """Who is connected to whom."""

        async def found() -> list[Link]:
            return sorted({(each.source, each.target) for each in self._connections})

        return self._do(found())

    def close(self) -> None:
        async def end() -> None:
            for server in self._servers:
                server.close()
            for each in list(self._connections):
                self._close(each)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        if self._thread.is_alive():
            self._do(end())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    # --- in the thread ---------------------------------------------------------------------------------------------

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        done: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        return done.result(30)

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _ended(self, one: str, other: str, half: bool) -> int:
        met = [each for each in self._connections if {each.source, each.target} == {one, other}]
        for each in met:
            if half:
                each.swallowing = True
                each.writers[1].close()
            else:
                self._close(each)
        return len(met)

    def _close(self, connection: _Connection) -> None:
        self._connections.discard(connection)
        for writer in connection.writers:
            writer.close()
        for task in connection.tasks:
            task.cancel()

    async def _serve(
        self,
        node: str,
        front: int,
        target: tuple[str, int],
        rewritten: Callable[[bytes], bytes] | None,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        peer = writer.get_extra_info("peername")
        source = owner_of(peer[1], front, self._owners()) or NOBODY
        try:
            await self._passing(source, node)  # a connection is not opened through a partition
            farther, towards = await asyncio.open_connection(*target)
        except (OSError, asyncio.CancelledError):
            writer.close()
            return
        connection = _Connection(source, node, (writer, towards))
        self._connections.add(connection)
        change = _Frames(rewritten).feed if rewritten is not None else None
        connection.tasks = [
            asyncio.ensure_future(self._pump(connection, reader, towards, (source, node), change)),
            asyncio.ensure_future(self._pump(connection, farther, writer, (node, source), None)),
        ]
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait(connection.tasks, return_when=asyncio.FIRST_COMPLETED)
            while connection.swallowing and connection in self._connections and not connection.tasks[0].done():
                await asyncio.wait(connection.tasks[:1])
            while connection.outlived and connection in self._connections:
                await self._changed.wait()
        self._close(connection)

    async def _pump(
        self,
        connection: _Connection,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        link: Link,
        change: Callable[[bytes], bytes] | None,
    ) -> None:
        """Until its end, which waits as its bytes do."""
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(_CHUNK):
                if connection.swallowing:
                    continue
                await self._passing(*link)
                pace = self._paces.get(link)
                if pace is not None and (pace.delay or pace.rate):
                    await asyncio.sleep(pace.delay + (len(data) / pace.rate if pace.rate else 0.0))
                writer.write(change(data) if change is not None else data)
                await writer.drain()
            await self._passing(*link)

    async def _passing(self, source: str, target: str) -> None:
        while (pace := self._paces.get((source, target))) is not None and pace.held:
            await self._changed.wait()


class _Frames:
    """Whole frames of remoting (a length, then so many bytes), changed one by one; the length stays."""

    def __init__(self, change: Callable[[bytes], bytes]) -> None:
        self._change, self._left = change, b""

    def feed(self, data: bytes) -> bytes:
        self._left += data
        out = b""
        while len(self._left) >= 4:
            end = 4 + int.from_bytes(self._left[:4], "big")
            if len(self._left) < end:
                break
            frame, self._left = self._left[:end], self._left[end:]
            changed = self._change(frame)
            assert len(changed) == len(frame)
            out += changed
        return out


def owner_of(port: int, front: int, owners: Mapping[str, int]) -> str | None:
    """Whose socket it is that leads from one port of loopback to another; None where it is nobody's."""
    inode = None
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        parts = line.split()
        if int(parts[1].rpartition(":")[2], 16) == port and int(parts[2].rpartition(":")[2], 16) == front:
            inode = parts[9]
    if inode is None:
        return None
    wanted = f"socket:[{inode}]"
    for name, pid in owners.items():
        with contextlib.suppress(OSError):
            for file in Path(f"/proc/{pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    if str(file.readlink()) == wanted:
                        return name
    return None


def five_digits(text: bytes, ports: Mapping[int, int]) -> bytes:
    """The ports of addresses on loopback replaced by others; all have five digits."""
    for one, other in ports.items():
        text = text.replace(f"{HOST}:{one}".encode(), f"{HOST}:{other}".encode())
    return text


class Ports:
    """Ports below those that the system gives to outgoing connections, so that a node that is down keeps its own."""

    def __init__(self) -> None:
        self._given: set[int] = set()

    def take(self, *beside: int) -> int:
        """One that is free with those at these distances, on every address of loopback."""
        while True:
            port = random.randint(12000, 31900)
            all_of_it = {port, *(port + distance for distance in beside)}
            if not all_of_it & self._given and all(map(_free, all_of_it)):
                self._given |= all_of_it
                return port


def _free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True
