"""A controller process: remoting server, Raft replica, timers of the leader."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any

from rmqproof.impl.controller.config import ControllerConfig, controller_rules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.controller.liveness import expired
from rmqproof.impl.core.codes import RequestCode, ResponseCode
from rmqproof.impl.core.controller_io import (
    BrokerChannelClosed,
    ControllerInput,
    ElectionNeeded,
    InactiveBrokers,
    LeaderChanged,
    Notify,
    ScanInactiveMasters,
)
from rmqproof.impl.core.controller_messages import BrokerHeartbeatRequest, NotifyBrokerRoleChangedRequest
from rmqproof.impl.runtime.codes import AFTER, ClientResponse, OperatorCode
from rmqproof.impl.runtime.events import CONTROLLER, Trace
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import BROKER_NAME, HOST, Layout, NodeAddress, ha_address
from rmqproof.impl.runtime.observation import controller_state
from rmqproof.impl.runtime.raft import Applied, Entry, Machine, Replica
from rmqproof.impl.runtime.remoting import Caller, Peer, Server, listening
from rmqproof.impl.wire.controller_codec import decode_request, encode_request, encode_response, refusal_code
from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.remoting import Command, response

_log = logging.getLogger(__name__)


class ControllerNode:
    """`run` returns when the node was told to stop."""

    def __init__(self, layout: Layout, node: NodeAddress) -> None:
        self._layout = layout
        self._node = node
        self._settings = layout.settings
        self._gate = Gate()
        self._server = Server(self._handle, self._channel_closed)
        self._stopped = asyncio.Event()
        self._heartbeats_from: dict[int, tuple[str, int]] = {}
        """The broker whose heartbeats come over a connection, by the connection's number."""
        self._newest: dict[tuple[str, int], int] = {}
        self._peers: dict[str, Peer] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._leader_since = 0.0

    def stop(self) -> None:
        self._stopped.set()

    def block(self, addresses: list[str]) -> None:
        """The node cannot reach these from now on."""
        self._gate.block(addresses)

    async def run(self) -> None:
        settings, patience = self._settings, self._layout.patience(self._node.name)
        # PySyncObj says nothing if it cannot have its port.
        (await listening(_hang_up, HOST, self._node.raft_port, patience)).close()
        trace_file = self._layout.trace_folder / f"{self._node.name}.ndjson" if settings.trace else None
        trace = Trace(CONTROLLER, trace_file, self._node.name)
        config = ControllerConfig(enable_elect_unclean_master=settings.unclean_election)
        machine = Machine(Controller(config, controller_rules(settings.rules)), trace)
        others = [other.raft_address for other in self._layout.controllers if other.name != self._node.name]
        self._replica = Replica(
            machine,
            self._node.raft_address,
            others,
            self._layout.store(self._node.name),
            self._layout.secret(),
            self._gate,
            self._elected,
        )
        try:
            await self._server.start(HOST, self._node.port, patience)
            self._spawn(self._scan())
            await self._stopped.wait()
        finally:
            await self._server.stop()
            for task in list(self._tasks):
                task.cancel()
            self._replica.stop()
            trace.close()

    # Requests

    async def _handle(self, command: Command, caller: Caller) -> Command | None:
        match command.code:
            case RequestCode.CONTROLLER_GET_METADATA_INFO:
                return response(command, ResponseCode.SUCCESS, self._metadata())
            case RequestCode.GET_CONTROLLER_CONFIG:
                text = f"enableElectUncleanMaster={str(self._settings.unclean_election).lower()}\n"
                return response(command, ResponseCode.SUCCESS, body=text.encode())
            case OperatorCode.STATUS:
                return response(command, ResponseCode.SUCCESS, body=json.dumps(self._status()).encode())
            case OperatorCode.BLOCK:
                self._gate.block(json.loads(command.body))
                return response(command, ResponseCode.SUCCESS)
            case OperatorCode.STOP:
                self._stopped.set()
                return response(command, ResponseCode.SUCCESS)
            case RequestCode.UPDATE_CONTROLLER_CONFIG:
                remark = "the settings of a cluster are given when it is made"
                return response(command, ResponseCode.CONTROLLER_INVALID_REQUEST, remark=remark)
            case RequestCode.REGISTER_BROKER:
                return response(command, ResponseCode.SUCCESS, self._as_name_server())
        try:
            asked = decode_request(command)
        except ProtocolError as problem:
            return response(command, refusal_code(problem), remark=str(problem))
        if isinstance(asked, NotifyBrokerRoleChangedRequest):
            remark = f" request type {command.code} not supported"
            return response(command, ClientResponse.REQUEST_CODE_NOT_SUPPORTED, remark=remark)
        if not self._replica.is_leader:
            remark = f"the leader is {self._leader_name()}"
            return response(command, ResponseCode.CONTROLLER_NOT_LEADER, remark=remark)
        if isinstance(asked, BrokerHeartbeatRequest):
            key = (asked.broker_name, asked.broker_id)
            self._heartbeats_from[caller.number] = key
            self._newest[key] = caller.number
        applied = await self._replicate(asked, command.ext_fields.get(AFTER))
        if applied is not None and isinstance(asked, BrokerHeartbeatRequest):
            return response(command, ResponseCode.SUCCESS, remark="Heart beat success")
        if applied is None or applied.response is None:
            return response(command, ResponseCode.SYSTEM_ERROR, remark="no majority of controllers answered in time")
        answer = encode_response(command, applied.response)
        fields = {**answer.ext_fields, AFTER: f"{CONTROLLER}:{applied.sequence}"}
        return response(command, answer.code, fields, answer.body, answer.remark)

    async def _replicate(self, given: ControllerInput, after: str | None = None) -> Applied | None:
        """Take a step in every replica; as leader do what comes out of it."""
        applied = await self._replica.replicate(Entry(given, _milliseconds(), after=after))
        if applied is None:
            return None
        self._execute(applied)
        for event in applied.undecided:
            later = await self._replica.replicate(Entry(None, _milliseconds(), event, after))
            if later is None:
                return None
            self._execute(later)
            applied = Applied(applied.response, (), (), later.sequence)
        return applied

    def _execute(self, applied: Applied) -> None:
        for output in applied.outputs:
            match output:
                case ElectionNeeded():
                    self._spawn(self._replicate(output.request, f"{CONTROLLER}:{applied.sequence}"))
                case Notify():
                    self._spawn(self._notify(output, applied.sequence))

    async def _notify(self, output: Notify, sequence: int) -> None:
        peer = self._peers.setdefault(output.broker_address, Peer(output.broker_address, self._gate))
        command = encode_request(output.notification, 0)
        fields = {**command.ext_fields, AFTER: f"{CONTROLLER}:{sequence}"}
        await peer.tell(command.code, fields, command.body)

    # The leader's timers

    def _elected(self) -> None:
        _log.info("leader in term %d", self._replica.term)
        self._leader_since = time.monotonic()
        self._spawn(self._replicate(LeaderChanged()))

    async def _scan(self) -> None:
        """Give up silent brokers, and look for masters that are gone; a new leader waits for heartbeats first."""
        while True:
            await asyncio.sleep(self._settings.scan_period)
            if not self._replica.is_leader:
                continue
            if expired(self._controller.live, _milliseconds()):
                await self._replicate(InactiveBrokers())
            settled = time.monotonic() - self._leader_since > 4 * self._settings.heartbeat_period
            if settled and self._a_master_is_gone():
                await self._replicate(ScanInactiveMasters())

    def _a_master_is_gone(self) -> bool:
        controller, now = self._controller, _milliseconds()
        return any(controller.needs_election(name, now) for name in controller.sets)

    def _channel_closed(self, caller: Caller) -> None:
        """The connection of a broker's heartbeats ended: a killed process is noticed at once."""
        key = self._heartbeats_from.pop(caller.number, None)
        if key is None or self._newest.get(key) != caller.number or self._stopped.is_set():
            return
        if self._replica.is_leader:
            self._spawn(self._replicate(BrokerChannelClosed(*key)))

    # Telling

    @property
    def _controller(self) -> Controller:
        return self._replica.machine.controller

    def _leader_name(self) -> str:
        leader = self._replica.leader
        return next((node.name for node in self._layout.controllers if node.raft_address == leader), "not known")

    def _as_name_server(self) -> dict[str, str]:
        """A broker of RocketMQ learns from its name server where its master sends the log from; this controller can be
        named as one, for nothing else. The HA port is the broker's port + 1."""
        known = self._controller.sets.get(BROKER_NAME)
        master = known.address(known.master_broker_id) if known is not None else None
        return {} if master is None else {"masterAddr": master, "haServerAddr": ha_address(master)}

    def _metadata(self) -> dict[str, str]:
        leader = next((node for node in self._layout.controllers if node.raft_address == self._replica.leader), None)
        fields = {
            "group": "rmqproof",
            "isLeader": str(self._replica.is_leader).lower(),
            "peers": ";".join(f"{node.name}:{node.address}" for node in self._layout.controllers),
        }
        if leader is not None:
            fields |= {"controllerLeaderId": leader.name, "controllerLeaderAddress": leader.address}
        return fields

    def _status(self) -> dict[str, Any]:
        return {
            "name": self._node.name,
            "kind": "controller",
            "leader": self._replica.is_leader,
            "term": self._replica.term,
            "applied": self._replica.applied,
            "blocked": sorted(self._gate.blocked),
            **controller_state(self._controller, BROKER_NAME),
        }

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("a task failed", exc_info=task.exception())


async def _hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000
