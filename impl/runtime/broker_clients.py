"""What a broker answers to producers and consumers, in RocketMQ's request codes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import broker_outputs as outputs
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.codes import PutStatus
from rmqproof.impl.runtime.broker_trace import StepTrace
from rmqproof.impl.runtime.codes import ClientResponse
from rmqproof.impl.runtime.layout import BROKER_NAME, CLUSTER_NAME, HOST
from rmqproof.impl.storage.commit_log import CommitLog
from rmqproof.impl.storage.message import Message, properties_of_text
from rmqproof.impl.wire.remoting import Command, response

LARGEST_PULL = 32
"""Messages in one answer to PULL_MESSAGE, at most."""
_CODES = {
    PutStatus.PUT_OK: ClientResponse.SUCCESS,
    PutStatus.FLUSH_SLAVE_TIMEOUT: ClientResponse.FLUSH_SLAVE_TIMEOUT,
    PutStatus.SERVICE_NOT_AVAILABLE: ClientResponse.SERVICE_NOT_AVAILABLE,
    PutStatus.IN_SYNC_REPLICAS_NOT_ENOUGH: ClientResponse.SYSTEM_ERROR,
}

Feed = Callable[[BrokerInput], list[outputs.BrokerOutput]]


@dataclass
class _Put:
    """A producer's request until the core has answered it, even if the producer is gone."""

    message: Message
    answer: asyncio.Future[outputs.PutAnswer]
    timer: asyncio.TimerHandle


class Puts:
    """The puts under way. `keys`: the message id of each, by token."""

    def __init__(self, feed: Feed, slave_timeout: float) -> None:
        self._feed = feed
        self._slave_timeout = slave_timeout
        self._count = 0
        self._waiting: dict[int, _Put] = {}
        self.keys: dict[int, str] = {}

    async def put(self, message: Message, life: int) -> outputs.PutAnswer:
        self._count += 1
        token, loop = self._count, asyncio.get_running_loop()
        timer = loop.call_later(self._slave_timeout, self._feed, inputs.PutTimedOut(token))
        put = self._waiting[token] = _Put(message, loop.create_future(), timer)
        self.keys[token] = message.key or f"put{life}.{token}"
        self._feed(inputs.Put(token, b""))
        return await put.answer

    def record(self, given: inputs.Put, log: CommitLog) -> inputs.Put | None:
        """The put with its record for the end of the log, which may have moved since the request came."""
        put = self._waiting.get(given.token)
        return None if put is None else inputs.Put(given.token, log.encode(put.message), given.admitted)

    def answered(self, answer: outputs.PutAnswer) -> None:
        put = self._waiting.pop(answer.token, None)
        self.keys.pop(answer.token, None)
        if put is not None:
            put.timer.cancel()
            if not put.answer.done():
                put.answer.set_result(answer)


class Clients:
    """Answers for one core."""

    def __init__(self, core: Broker, log: CommitLog, puts: Puts, feed: Feed, trace: StepTrace, port: int) -> None:
        self._core = core
        self._log = log
        self._puts = puts
        self._feed = feed
        self._trace = trace
        self._port = port

    async def send_message(self, command: Command) -> Command:
        """Answered by the rule of acknowledgement and nothing else."""
        now = time.time_ns() // 1_000_000
        try:
            message = Message(
                topic=command.ext_fields.get("topic", ""),
                body=command.body,
                properties=properties_of_text(command.ext_fields.get("properties", "")),
                queue_offset=len(self._log),
                born_time=now,
                store_time=now,
                store_host=(HOST, self._port),
            )
            self._log.encode(message)
        except ValueError as problem:
            return response(command, ClientResponse.MESSAGE_ILLEGAL, remark=str(problem))
        answer = await self._puts.put(message, self._trace.trace.life)
        fields = {"msgId": message.key, "queueId": "0"}
        if answer.offset >= 0:
            fields["queueOffset"] = str(self._log.count_before(answer.offset))
        return response(command, _CODES[answer.status], fields, remark=answer.status.value)

    def pull_message(self, command: Command) -> Command:
        """Messages from the number `queueOffset` on, as far as consumers may read here."""
        log = self._log
        try:
            first = int(command.ext_fields.get("queueOffset", "0"))
            count = min(int(command.ext_fields.get("maxMsgNums", "32")), LARGEST_PULL)
        except ValueError:
            return response(command, ClientResponse.SYSTEM_ERROR, remark="queueOffset or maxMsgNums is not a number")
        answers = [output for output in self._feed(inputs.Read()) if isinstance(output, outputs.ReadAnswer)]
        limit = answers[0].limit if answers else None
        if limit is None:
            return response(command, ClientResponse.SERVICE_NOT_AVAILABLE, remark="the broker is fenced")
        readable = log.count_before(limit)
        last = min(first + max(count, 0), readable)
        fields = {"nextBeginOffset": str(max(first, last)), "minOffset": "0", "maxOffset": str(readable)}
        if not 0 <= first < last:
            return response(command, ClientResponse.PULL_NOT_FOUND, fields)
        self._trace.read([log[i].message.key for i in range(first, last)])
        body = b"".join(log.read(log[i].start, log[i].end) for i in range(first, last))
        return response(command, ClientResponse.SUCCESS, fields, body)

    def epoch_cache(self, command: Command) -> Command:
        """GET_BROKER_EPOCH_CACHE; the body as RocketMQ's EpochEntryCache."""
        entries = self._core.epoch_file
        ends = [entry.start_offset for entry in entries[1:]] + [2**63 - 1]
        body = {
            "brokerId": self._core.id,
            "brokerName": BROKER_NAME,
            "clusterName": CLUSTER_NAME,
            "epochList": [
                {"endOffset": end, "epoch": entry.epoch, "startOffset": entry.start_offset}
                for entry, end in zip(entries, ends[: len(entries)], strict=True)
            ],
            "maxOffset": self._core.log_end,
        }
        return response(command, ClientResponse.SUCCESS, body=json.dumps(body).encode())
