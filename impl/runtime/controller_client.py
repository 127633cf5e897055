"""A broker's view of the controllers: find the leader, ask it, tell all of them that the broker lives."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rmqproof.impl.core.codes import ResponseCode
from rmqproof.impl.core.controller_messages import BrokerHeartbeatRequest, ControllerRequest, ControllerResponse
from rmqproof.impl.runtime.codes import AFTER
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import NodeAddress
from rmqproof.impl.runtime.remoting import Peer, Unreachable
from rmqproof.impl.wire.controller_codec import decode_response, encode_request
from rmqproof.impl.wire.errors import ProtocolError

REQUEST_TIMEOUT = 3.0
"""Seconds (RocketMQ's time-out of requests to the controller)."""


class ControllerClient:
    def __init__(self, controllers: Sequence[NodeAddress], gate: Gate) -> None:
        self._peers = [Peer(node.address, gate) for node in controllers]
        self._leader = 0

    async def ask(self, asked: ControllerRequest, after: str) -> tuple[ControllerResponse, str | None] | None:
        """The leader's answer, and the last event of the controller's trace that it knows about.

        None: no answer. The request may be applied nevertheless, even later; the next one goes to another controller.
        """
        command = encode_request(asked, 0)
        fields = {**command.ext_fields, AFTER: after}
        for _ in self._peers:
            try:
                answer = await self._peers[self._leader].call(command.code, fields, command.body, REQUEST_TIMEOUT)
            except Unreachable:
                self._try_next()
                return None
            if answer.code == ResponseCode.SYSTEM_ERROR:
                self._try_next()
                return None
            if answer.code != ResponseCode.CONTROLLER_NOT_LEADER:
                try:
                    return decode_response(asked, answer), answer.ext_fields.get(AFTER)
                except ProtocolError:
                    return None
            self._try_next()
        return None

    async def tell_all(self, heartbeat: BrokerHeartbeatRequest, after: str) -> None:
        """Heartbeats go to every controller; those that do not lead ignore them."""
        command = encode_request(heartbeat, 0)
        fields = {**command.ext_fields, AFTER: after}
        await asyncio.gather(*(peer.tell(command.code, fields) for peer in self._peers))

    async def close(self) -> None:
        await asyncio.gather(*(peer.close() for peer in self._peers))

    def _try_next(self) -> None:
        self._leader = (self._leader + 1) % len(self._peers)
