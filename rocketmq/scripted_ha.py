"""Both ends of the HA stream, byte by byte in our hands: each sends and reads when it is told to."""

from __future__ import annotations

import contextlib
import socket

from rmqproof.impl.core.replication_messages import Acknowledge, Handshake, HandshakeReply, ToSlave, Transfer
from rmqproof.impl.wire.ha import AddressHandshake, encode_to_master, encode_to_slave, from_master
from rmqproof.rocketmq.message_store import MessageStore, address_of

_WAIT_SECONDS = 30
_HEADER, _WIDE_HEADER = 20, 36


class ScriptedSlave:
    """A connection to a master's HA port. Use as a context."""

    def __init__(self, master: MessageStore, broker_id: int) -> None:
        self.broker_id = broker_id
        self._by_address, self._one_header = master.by_address, master.one_header
        self._socket = socket.create_connection(("127.0.0.1", master.port), timeout=_WAIT_SECONDS)
        self._decoder = from_master()
        self._read: list[ToSlave] = []

    def __enter__(self) -> ScriptedSlave:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def greeting(self, learner: bool = False) -> bytes:
        """The bytes of its handshake."""
        if self._by_address:
            return encode_to_master(AddressHandshake(address_of(self.broker_id), async_learner=learner))
        return encode_to_master(Handshake(self.broker_id, 0, async_learner=learner), with_epoch=False)

    def handshake(self, learner: bool = False) -> HandshakeReply:
        self._socket.sendall(self.greeting(learner))
        if self._one_header:
            return self._wide_reply()
        found = self.packet()
        assert isinstance(found, HandshakeReply), found
        return found

    def _wide_reply(self) -> HandshakeReply:
        """The reply of 5.0.0: behind the header of a handshake are 16 bytes that say nothing."""
        head = self._exactly(_WIDE_HEADER)
        body = self._exactly(int.from_bytes(head[4:8], "big"))
        (found,) = self._decoder.feed(head[:_HEADER] + body)
        assert isinstance(found, HandshakeReply), found
        return found

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            found = self._socket.recv(size - len(data))
            if not found:
                raise ConnectionError("the master closed the connection")
            data += found
        return data

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def acknowledge(self, offset: int) -> None:
        self._socket.sendall(encode_to_master(Acknowledge(offset)))

    def receive(self, size: int) -> bytes:
        """The master's next bytes, whatever they are."""
        return self._exactly(size)

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


class ScriptedMaster:
    """A master's HA port; what a slave sends is read and not looked at. Use as a context."""

    def __init__(self, slave: MessageStore) -> None:
        """TypeError for a slave that reads other packets than those that are sent here."""
        if slave.one_header:
            raise TypeError("this release has other packets, which a master of ours does not send")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(_WAIT_SECONDS)
        self._connection: socket.socket | None = None
        self.port = int(self._listening.getsockname()[1])

    def __enter__(self) -> ScriptedMaster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._listening.close()

    def accept(self) -> None:
        """A slave connects, and has sent the beginning of its handshake."""
        self._connection, _ = self._listening.accept()
        self._connection.settimeout(_WAIT_SECONDS)
        self._connection.recv(1 << 16)

    def send(self, *packets: ToSlave) -> None:
        assert self._connection is not None
        for packet in packets:
            self._connection.sendall(encode_to_slave(packet))

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.close()
            self._connection = None
