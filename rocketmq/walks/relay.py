"""Between a real slave and a real master: what the slave sends waits here, what the master sends passes."""

from __future__ import annotations

import contextlib
import selectors
import socket
from collections.abc import Callable

from rmqproof.impl.core.codes import ConnectionState
from rmqproof.impl.core.replication_messages import Transfer
from rmqproof.impl.wire.ha import from_master

_GREETING, _ACK = 16, 12


class Relay:
    """One connection of a slave. Both sockets are on loopback."""

    def __init__(self, patience: float = 20) -> None:
        """`patience`: seconds that either end has for what is waited for."""
        self._patience = patience
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(patience)
        self.port = int(self._listening.getsockname()[1])
        self._slave: socket.socket | None = None
        self._master: socket.socket | None = None
        self._decoder = from_master()

    def connect(self, master_port: int) -> None:
        """The slave has been told of this port: its handshake goes to the master, and the reply to it."""
        slave, _ = self._listening.accept()
        slave.settimeout(self._patience)
        self._slave = slave
        greeting = self._packet_of_slave()
        self._master = socket.create_connection(("127.0.0.1", master_port), timeout=self._patience)
        self._master.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        slave.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._master.sendall(greeting)
        self._pass_packet()

    def _pass_packet(self) -> Transfer | None:
        """The master's next packet, whole, goes to the slave."""
        assert self._master is not None and self._slave is not None
        read = b""
        while True:
            data = self._master.recv(1 << 16)
            if not data:
                raise ConnectionError("the master closed the connection")
            read += data
            found = list(self._decoder.feed(data))
            if found:
                self._slave.sendall(read)
                return found[0] if isinstance(found[0], Transfer) else None

    def batch(self, send: Callable[[], None]) -> Transfer | None:
        """What the master sends when it is let. What it sent beyond that before, heartbeats, is dropped."""
        assert self._master is not None
        while _readable(self._master):
            list(self._decoder.feed(self._master.recv(1 << 16)))
        send()
        return self._pass_packet()

    def reported(self, ask: Callable[[], None]) -> int:
        """The offset that the slave reported last; `ask`: make it report where nothing lies here."""
        assert self._slave is not None
        reports = [each for each in self._waiting() if len(each) == _ACK]
        while not reports:
            ask()
            reports = [each for each in (self._packet_of_slave(), *self._waiting()) if len(each) == _ACK]
        self._packet = reports[-1]
        return int.from_bytes(self._packet[4:], "big")

    def _waiting(self) -> list[bytes]:
        found = []
        assert self._slave is not None
        while _readable(self._slave):
            found.append(self._packet_of_slave())
        return found

    def _packet_of_slave(self) -> bytes:
        """A handshake or a report; a slave whose select ends early sends its handshake again."""
        assert self._slave is not None
        state = _exactly(self._slave, 4)
        size = _GREETING if int.from_bytes(state, "big") == ConnectionState.HANDSHAKE else _ACK
        return state + _exactly(self._slave, size - 4)

    def deliver(self) -> None:
        """The report goes to the master."""
        assert self._master is not None
        self._master.sendall(self._packet)

    def masters_end(self) -> socket.socket:
        """It stays open when this is closed; whoever has it closes it."""
        assert self._master is not None
        found, self._master = self._master, None
        return found

    def close(self) -> None:
        for each in (self._slave, self._master, self._listening):
            if each is not None:
                with contextlib.suppress(OSError):
                    each.close()


def _readable(source: socket.socket) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(source, selectors.EVENT_READ)
        return bool(selector.select(0))


def _exactly(source: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        found = source.recv(size - len(data))
        if not found:
            raise ConnectionError("the connection was closed")
        data += found
    return data
