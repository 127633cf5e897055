"""A slave's end of the HA stream, byte by byte in our hands: it sends and reads when it is told to."""

from __future__ import annotations

import socket

from rmqproof.impl.core.replication_messages import Acknowledge, Handshake, HandshakeReply, ToSlave, Transfer
from rmqproof.impl.wire.ha import encode_to_master, from_master

_WAIT_SECONDS = 60


class ScriptedSlave:
    """A connection to a master's HA port. Use as a context."""

    def __init__(self, port: int, broker_id: int) -> None:
        self.broker_id = broker_id
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_WAIT_SECONDS)
        self._decoder = from_master()
        self._read: list[ToSlave] = []

    def __enter__(self) -> ScriptedSlave:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def handshake(self, learner: bool = False) -> HandshakeReply:
        packet = Handshake(self.broker_id, 0, async_learner=learner)
        self._socket.sendall(encode_to_master(packet, with_epoch=False))
        found = self.packet()
        assert isinstance(found, HandshakeReply), found
        return found

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def acknowledge(self, offset: int) -> None:
        self._socket.sendall(encode_to_master(Acknowledge(offset)))

    def packet(self) -> ToSlave:
        """The next packet of the master; it is waited for."""
        while not self._read:
            data = self._socket.recv(1 << 16)
            if not data:
                raise ConnectionError("the master closed the connection")
            self._read += self._decoder.feed(data)
        return self._read.pop(0)

    def transfer(self) -> Transfer:
        """The next packet with bytes of the log."""
        while True:
            found = self.packet()
            if isinstance(found, Transfer) and found.body:
                return found
