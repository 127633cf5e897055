"""A producer and consumer, which finds the master by asking the controllers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from rmqproof.impl.core.codes import RequestCode, ResponseCode
from rmqproof.impl.runtime.codes import ClientCode, ClientResponse
from rmqproof.impl.runtime.errors import ClusterError
from rmqproof.impl.runtime.layout import BROKER_NAME, NodeAddress
from rmqproof.impl.runtime.remoting import Peer, Unreachable
from rmqproof.impl.storage.message import UNIQUE_KEY, Message, messages_of, properties_text

TOPIC = "TopicTest"

_SENT_WITH = {
    "producerGroup": "rmqproof",
    "defaultTopic": "TBW102",
    "defaultTopicQueueNums": "1",
    "queueId": "0",
    "sysFlag": "0",
    "flag": "0",
    "reconsumeTimes": "0",
    "unitMode": "false",
    "batch": "false",
}
"""What a broker of RocketMQ wants to know, too (`SendMessageRequestHeader`)."""


@dataclass(frozen=True)
class PutResult:
    """`stored`: acknowledged. Otherwise `known` says whether the message is certainly not in the log."""

    stored: bool
    known: bool
    reason: str
    ordinal: int = -1


class Client:
    def __init__(self, controllers: Sequence[NodeAddress]) -> None:
        self._controllers = [Peer(node.address) for node in controllers]
        self._brokers: dict[str, Peer] = {}
        self._leader = 0

    async def master(self) -> str | None:
        """The address of the present master, None if there is none or no controller says so."""
        for _ in self._controllers:
            peer = self._controllers[self._leader]
            try:
                answer = await peer.call(
                    RequestCode.CONTROLLER_GET_REPLICA_INFO, {"brokerName": BROKER_NAME}, timeout=2
                )
            except Unreachable:
                answer = None
            if answer is not None and answer.code == ResponseCode.SUCCESS:
                return answer.ext_fields.get("masterAddress")
            self._leader = (self._leader + 1) % len(self._controllers)
        return None

    async def put(self, body: bytes, key: str, timeout: float = 10.0) -> PutResult:
        """Store a message once. What was certainly not stored is tried again until the time is over; a message whose
        fate is not known is never sent a second time."""
        deadline = time.monotonic() + timeout
        result = PutResult(False, True, "no controller answers, or there is no master")
        while time.monotonic() < deadline:
            address = await self.master()
            if address is not None:
                result = await self.put_at(address, body, key, max(0.5, deadline - time.monotonic()))
                if result.stored or not result.known:
                    return result
            await asyncio.sleep(0.1)
        return result

    async def put_at(self, address: str, body: bytes, key: str, timeout: float) -> PutResult:
        """Sent once to this broker, whoever leads."""
        fields = {
            **_SENT_WITH,
            "topic": TOPIC,
            "properties": properties_text({UNIQUE_KEY: key}),
            "bornTimestamp": str(time.time_ns() // 1_000_000),
        }
        try:
            answer = await self._broker(address).call(ClientCode.SEND_MESSAGE, fields, body, timeout)
        except Unreachable as problem:
            return PutResult(False, False, str(problem))
        reason = answer.remark or str(answer.code)
        if answer.code == ClientResponse.SUCCESS:
            return PutResult(True, True, reason, int(answer.ext_fields["queueOffset"]))
        return PutResult(False, answer.code != ClientResponse.FLUSH_SLAVE_TIMEOUT, reason)

    async def pull(self, address: str, first: int = 0, timeout: float = 5.0) -> list[Message]:
        """All messages from a number on that consumers may read at a broker; ClusterError if it does not serve."""
        found: list[Message] = []
        while True:
            fields = {"topic": TOPIC, "queueOffset": str(first), "maxMsgNums": "32"}
            try:
                answer = await self._broker(address).call(ClientCode.PULL_MESSAGE, fields, timeout=timeout)
            except Unreachable as problem:
                raise ClusterError(str(problem), "Ask another broker, or look at: rmqproof cluster status") from None
            if answer.code == ClientResponse.PULL_NOT_FOUND:
                return found
            if answer.code != ClientResponse.SUCCESS:
                raise ClusterError(f"{address} refuses to be read: {answer.remark}", "Ask another broker, or later.")
            found += messages_of(answer.body)
            first = int(answer.ext_fields["nextBeginOffset"])

    async def close(self) -> None:
        await asyncio.gather(*(peer.close() for peer in (*self._controllers, *self._brokers.values())))

    def _broker(self, address: str) -> Peer:
        return self._brokers.setdefault(address, Peer(address))
