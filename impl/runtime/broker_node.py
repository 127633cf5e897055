"""A broker process: feeds the core with what happens, does what it wants done, and writes the trace."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Coroutine
from typing import Any, NoReturn

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.caught_up import CaughtUpTimes
from rmqproof.impl.broker.config import BrokerConfig, FlushDiskType, Role
from rmqproof.impl.broker.readings import broker_rules
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import broker_outputs as outputs
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.codes import ConnectionState, RequestCode
from rmqproof.impl.core.controller_messages import (
    BrokerHeartbeatRequest,
    ControllerRequest,
    NotifyBrokerRoleChangedRequest,
)
from rmqproof.impl.core.replication_messages import Acknowledge, ToSlave, Transfer
from rmqproof.impl.core.writes import AppendLog, FlushLog, TruncateLog, WriteCheckpoint, WriteEpochFile
from rmqproof.impl.runtime.broker_clients import Clients, Puts
from rmqproof.impl.runtime.broker_trace import StepTrace
from rmqproof.impl.runtime.codes import AFTER, ClientCode, ClientResponse, OperatorCode
from rmqproof.impl.runtime.controller_client import ControllerClient
from rmqproof.impl.runtime.events import Trace
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.ha import MasterStreams, SlaveStream
from rmqproof.impl.runtime.layout import BROKER_NAME, CLUSTER_NAME, HOST, Layout, NodeAddress, ha_address
from rmqproof.impl.runtime.observation import name
from rmqproof.impl.runtime.pending_step import PendingSteps, settle
from rmqproof.impl.runtime.registration import register_identity
from rmqproof.impl.runtime.remoting import Caller, Server
from rmqproof.impl.storage.broker_store import BrokerStore
from rmqproof.impl.storage.files import RealFiles
from rmqproof.impl.wire.controller_codec import decode_request
from rmqproof.impl.wire.errors import ProtocolError
from rmqproof.impl.wire.remoting import Command, response

_log = logging.getLogger(__name__)

_ENDS = ("ProcessCrashes", "MachineCrashes")
_WRITES = (AppendLog, FlushLog, TruncateLog, WriteEpochFile, WriteCheckpoint)


class BrokerNode:
    """`run` returns when the node was told to stop. DamagedFile if its store cannot be opened."""

    def __init__(self, layout: Layout, node: NodeAddress) -> None:
        self._layout = layout
        self._node = node
        self._settings = settings = layout.settings
        self._gate = Gate()
        self._server = Server(self._handle)
        self._controllers = ControllerClient(layout.controllers, self._gate)
        self._slave = SlaveStream(self, self._gate, settings.ha_silence, settings.rocketmq_wire)
        self._slaves = MasterStreams(self, settings.ha_heartbeat)
        self._caught_up = CaughtUpTimes(int(settings.not_caught_up * 1000))
        self._reign = (Role.FENCED, 0)
        """Role and epoch to which the caught-up times belong."""
        self._proposed: dict[int, float] = {}
        """When a member was last proposed to leave."""
        self._stopped = asyncio.Event()
        self._unflushed = asyncio.Event()
        self._puts = Puts(self._follow_up, settings.slave_timeout)
        self._announced: dict[int, int] = {}
        """The confirmOffset that each slave was told last, by connection."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._core: Broker | None = None
        self._trace = Trace(node.name, None)
        self._pending: PendingSteps | None = None

    @property
    def core(self) -> Broker:
        assert self._core is not None
        return self._core

    # --- life --------------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        self._stopped.set()

    def block(self, addresses: list[str]) -> None:
        """The node cannot reach these from now on."""
        self._gate.block(addresses)

    async def run(self) -> None:
        settings = self._settings
        patience = self._layout.patience(self._node.name)
        erased_always = not settings.rules.get("ResidueAfterTruncation")
        self._store = BrokerStore(
            RealFiles(), self._layout.store(self._node.name), settings.segment_size, residue_allowed=not erased_always
        )
        await self._server.start(HOST, self._node.port, patience)
        try:
            broker_id = await self._identify()
            if broker_id is None:
                return
            self._start_core(broker_id)
            await self._slaves.start(HOST, self._node.port + 1, patience)
            for timer in (self._keep_in_touch(), self._heartbeats(), self._flushes(), self._housekeeping()):
                self._spawn(timer)
            await self._stopped.wait()
        finally:
            await self._server.stop()
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._slave.close()
            await self._slaves.stop()
            await self._controllers.close()
            self._store.close()
            if self._core is not None:
                self._trace.write("ProcessCrashes", (name(self.core.id),), detail={"clean": True})
            self._trace.close()
            if self._pending is not None:
                self._pending.close()

    async def _identify(self) -> int | None:
        """The brokerId from the disk or from the controller; None if the node is stopped before that."""
        identifying = asyncio.ensure_future(
            register_identity(self._store, self._controllers, self._node.address, self._settings.poll_period)
        )
        stopping = asyncio.ensure_future(self._stopped.wait())
        await asyncio.wait((identifying, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not identifying.done():
            identifying.cancel()
            return None
        return identifying.result()

    def _start_core(self, broker_id: int) -> None:
        settings = self._settings
        if settings.trace:
            path = self._layout.trace_folder / f"{name(broker_id)}.ndjson"
            self._trace = Trace(name(broker_id), path)
            self._pending = PendingSteps(path)
            begun = self._pending.unwritten(self._trace)
            if begun is not None:
                settle(begun, self._store, self._trace)
            if self._trace.life and self._trace.last_action not in _ENDS:
                self._trace.write("ProcessCrashes", (name(broker_id),), detail={"written": "by the next life"})
        config = BrokerConfig(
            broker_id=broker_id,
            cluster_name=CLUSTER_NAME,
            broker_name=BROKER_NAME,
            broker_address=self._node.address,
            all_ack_in_sync_state_set=settings.all_ack,
            in_sync_replicas=settings.in_sync_replicas,
            min_in_sync_replicas=settings.min_in_sync_replicas,
            flush_disk_type=FlushDiskType.SYNC_FLUSH if settings.sync_flush else FlushDiskType.ASYNC_FLUSH,
            controller_heart_beat_timeout_mills=int(settings.heartbeat_timeout * 1000),
        )
        self._core, first = Broker.start(config, broker_rules(settings.rules), self._store.stored())
        log = self._store.log
        self._steps = StepTrace(self._trace, self._core, log, self._puts.keys, self, self._pending)
        self._clients = Clients(self._core, log, self._puts, self._follow_up, self._steps, self._node.port)
        if self._trace.life == 0:
            # The first start of all is the model's initial state, not a step.
            self._perform(None, [output for output in first if not isinstance(output, outputs.Event)], ())
            self._steps.note({"started": self._node.name})
        else:
            self._perform(None, first, ())

    def id_to_master(self) -> str | None:
        return self._slave.id_of_next()

    def id_to_slave(self, connection: int) -> str | None:
        return self._slaves.id_of_next(connection)

    def announced(self, connection: int) -> int | None:
        """See `broker_trace.PacketIds`."""
        return self._announced.get(connection)

    # --- the core ----------------------------------------------------------------------------------------------------

    def feed(self, given: BrokerInput, received: tuple[str, ...] = ()) -> list[outputs.BrokerOutput]:
        """One step of the core, and all that it wants done."""
        if isinstance(given, inputs.Put):
            put = self._puts.record(given, self._store.log)
            if put is None:
                return []
            given = put
        if isinstance(given, inputs.FromMaster) and not self._can_follow(given.packet):
            self._slave.close()
            given = inputs.MasterDisconnected()
        copied_from, before = self.core.copies_from, self._steps.on_disk()
        try:
            self._note_time(given)
            found = self.core.step(given)
            self._steps.begin(given, found, received, before)
            self._perform(given, found, received)
        except Exception:
            self._fail()
        if isinstance(given, inputs.MasterDisconnected) and copied_from is not None:
            self._steps.note({"noticed": "ConnectionBreaks"})
        if isinstance(given, inputs.FromSlave) or any(isinstance(output, _WRITES) for output in found):
            self._slaves.changed()
        return found

    def _can_follow(self, packet: ToSlave) -> bool:
        """Whether the bytes of a batch are whole messages for the end of this log; the core does not look at them."""
        if not isinstance(packet, Transfer) or not packet.body:
            return True
        empty = not self._store.log.end and self.core.rules.empty_log_takes_any_offset
        if packet.offset != self._store.log.end and not empty:
            return True  # the core ends the connection
        try:
            self._store.log.messages_in(packet.offset, packet.body)
        except ValueError as problem:
            _log.error("a batch from the master cannot be appended: %s", problem)
            return False
        return True

    def _fail(self) -> NoReturn:
        """A broker in which a step failed must not go on: its disk may differ from what it believes."""
        _log.critical("the broker ends because a step failed", exc_info=True)
        os._exit(70)

    def _perform(self, given: BrokerInput | None, found: list[outputs.BrokerOutput], received: tuple[str, ...]) -> None:
        """Writes first, in their order; then the trace, so that nothing is seen outside that is not in it; then the
        rest. What a kill leaves between the first two is settled by the next life (pending_step.py)."""
        for output in found:
            if isinstance(output, _WRITES):
                self._store.do(output)
                if isinstance(output, FlushLog):
                    self._unflushed.set()
        self._steps.write(given, found, received)
        for output in found:
            self._do(output)

    def _do(self, output: outputs.BrokerOutput) -> None:
        match output:
            case outputs.ToController():
                self._spawn(self._ask(output.request))
            case outputs.ConnectHa():
                if output.master_address is not None:
                    self._slave.open(ha_address(output.master_address))
            case outputs.DisconnectHa():
                self._slave.close()
            case outputs.SendToMaster():
                self._slave.send(output.packet)
            case outputs.SendToSlave(connection, Transfer() as packet):
                body = self._store.log.read(packet.offset, packet.offset + packet.size)
                self._announced[connection] = packet.confirm_offset
                if packet.size:
                    slave = self.core.connections[connection].slave_id
                    self._caught_up = self._caught_up.sent(slave, self.core.log_end, _milliseconds())
                self._slaves.send(
                    connection, Transfer(packet.offset, packet.size, packet.entry, packet.confirm_offset, body)
                )
            case outputs.SendToSlave():
                self._slaves.send(output.connection, output.packet)
            case outputs.CloseConnection():
                self._slaves.close(output.connection)
            case outputs.PutAnswer():
                self._puts.answered(output)
            case outputs.FollowUp():
                asyncio.get_running_loop().call_soon(self._follow_up, output.input)

    def _follow_up(self, given: BrokerInput) -> list[outputs.BrokerOutput]:
        return [] if self._stopped.is_set() else self.feed(given)

    # --- the controller ----------------------------------------------------------------------------------------------

    async def _ask(self, asked: ControllerRequest) -> None:
        after = f"{self._trace.node}:{self._trace.sequence}"
        if isinstance(asked, BrokerHeartbeatRequest):
            await self._controllers.tell_all(asked, after)
            return
        answered = await self._controllers.ask(asked, after)
        if answered is not None and not self._stopped.is_set():
            answer, sender = answered
            self.feed(answer, () if sender is None else (sender,))  # type: ignore[arg-type]

    # --- timers ------------------------------------------------------------------------------------------------------

    async def _keep_in_touch(self) -> None:
        while True:
            self.feed(inputs.Register() if self.core.role is Role.FENCED else inputs.PollController())
            if self.core.role is Role.FENCED:
                self.feed(inputs.PollController())
            await asyncio.sleep(self._settings.poll_period)

    async def _heartbeats(self) -> None:
        while True:
            self.feed(inputs.SendHeartbeat())
            await asyncio.sleep(self._settings.heartbeat_period)

    async def _flushes(self) -> None:
        """Whatever was appended becomes durable shortly afterwards, many appends at once."""
        while True:
            await self._unflushed.wait()
            await asyncio.sleep(self._settings.flush_period)
            self._unflushed.clear()
            if self._store.log.flushed < self._store.log.end:
                self.feed(inputs.LogFlushed(self._store.log.flush()))
            elif self.core.flushed < self._store.log.flushed:
                self.feed(inputs.LogFlushed(self._store.log.flushed))

    async def _housekeeping(self) -> None:
        """Connect, report, shrink, save: what is tried again and again."""
        saved = 0.0
        while True:
            await asyncio.sleep(min(0.2, self._settings.poll_period))
            core, now = self.core, time.monotonic()
            if core.role is Role.SLAVE and core.client_state is ConnectionState.READY and not self._slave.busy:
                self.feed(inputs.ConnectToMaster())
            if core.role is Role.SLAVE:
                self.feed(inputs.ReportOffset())
            self._shrink(now)
            self._expand(now)
            if now - saved > 1:
                self._store.save_checkpoint()
                saved = now

    def _shrink(self, now: float) -> None:
        """Propose that late members leave; not the same one again while the answer may be under way."""
        core = self.core
        if self._reign != (core.role, core.master_epoch):
            self._caught_up = CaughtUpTimes(int(self._settings.not_caught_up * 1000))
            self._reign = (core.role, core.master_epoch)
            self._proposed.clear()
        if core.role is not Role.MASTER:
            return
        late = self._caught_up.left_behind(core.sync_state_set, core.id, core.acks(), core.log_end, _milliseconds())
        for member in late:
            if now - self._proposed.get(member, 0.0) > 2 * self._settings.poll_period:
                self._proposed[member] = now
                self.feed(inputs.ShrinkSyncStateSet(member))

    def _expand(self, now: float) -> None:
        """A slave that has caught up and is no member: its proposal was lost, or came too early."""
        core = self.core
        if core.role is not Role.MASTER:
            return
        for slave, ack in core.acks().items():
            late = now - self._proposed.get(slave, 0.0) > 2 * self._settings.poll_period
            if ack >= 0 and slave >= 0 and slave not in core.sync_state_set and late:
                self._proposed[slave] = now
                self.feed(inputs.ExpandSyncStateSet(slave))

    def _note_time(self, given: BrokerInput) -> None:
        """What an acknowledgement says about the time when its slave had caught up."""
        if isinstance(given, inputs.FromSlave) and isinstance(given.packet, Acknowledge):
            connection = self.core.connections.get(given.connection)
            if connection is not None and connection.slave_id >= 0:
                self._caught_up = self._caught_up.acknowledged(
                    connection.slave_id, given.packet.offset, self.core.log_end, _milliseconds()
                )

    def has_more_for(self, number: int, idle: bool) -> bool:
        """See `ha.Core`."""
        connection = self.core.connections.get(number)
        if connection is None or connection.next_offset < 0:
            return False
        boundary = self._store.log.boundary(connection.next_offset, self.core.config.ha_transfer_batch_size)
        if _sends(self.feed(inputs.SendBatch(number, boundary))):
            return True
        if idle or self._announced.get(number) != self.core.rules.read_limit(self.core):
            self.feed(inputs.SendConfirmOffset(number))
        return False

    # --- requests -----------------------------------------------------------------------------------------------------

    async def _handle(self, command: Command, caller: Caller) -> Command | None:
        match command.code:
            case OperatorCode.STATUS:
                return response(command, ClientResponse.SUCCESS, body=json.dumps(self._status()).encode())
            case OperatorCode.BLOCK:
                self._gate.block(json.loads(command.body))
                return response(command, ClientResponse.SUCCESS)
            case OperatorCode.STOP:
                self._stopped.set()
                return response(command, ClientResponse.SUCCESS)
        if self._core is None:
            return response(command, ClientResponse.SERVICE_NOT_AVAILABLE, remark="the broker has no brokerId yet")
        match command.code:
            case ClientCode.SEND_MESSAGE:
                return await self._clients.send_message(command)
            case ClientCode.PULL_MESSAGE:
                return self._clients.pull_message(command)
            case RequestCode.GET_BROKER_EPOCH_CACHE:
                return self._clients.epoch_cache(command)
            case RequestCode.EXCHANGE_BROKER_HA_INFO:
                return self._ha_info(command)
            case OperatorCode.LOSE_TAIL:
                self._lose_tail(float(command.ext_fields.get("kept", "0")))
            case RequestCode.NOTIFY_BROKER_ROLE_CHANGED:
                return self._notified(command)
        remark = f"the request code {command.code} is not supported"
        return response(command, ClientResponse.REQUEST_CODE_NOT_SUPPORTED, remark=remark)

    def _ha_info(self, command: Command) -> Command:
        """A slave asks where this broker sends its log from (`AdminBrokerProcessor.updateBrokerHaInfo`)."""
        address = self._node.address
        fields = {
            "masterAddress": address,
            "masterHaAddress": ha_address(address),
            "masterFlushOffset": str(self._store.log.flushed),
        }
        return response(command, ClientResponse.SUCCESS, fields)

    def _notified(self, command: Command) -> Command:
        try:
            notice = decode_request(command)
        except ProtocolError as problem:
            return response(command, ClientResponse.SYSTEM_ERROR, remark=str(problem))
        assert isinstance(notice, NotifyBrokerRoleChangedRequest)
        after = command.ext_fields.get(AFTER)
        self.feed(notice, () if after is None else (after,))
        return response(command, ClientResponse.SUCCESS)

    # --- operators ---------------------------------------------------------------------------------------------------

    def _lose_tail(self, kept: float) -> None:
        """What a machine without power leaves: the flushed messages, and of the others this part, from the front."""
        log = self._store.log
        flushed = log.count_before(log.flushed)
        count = flushed + int(kept * (len(log) - flushed))
        lost = len(log) - count
        log.truncate(log.end_of(count))
        arguments: tuple[Any, ...] = (name(self.core.id), count) if lost else (name(self.core.id),)
        self._trace.write("MachineCrashes" if lost else "ProcessCrashes", arguments, detail={"lost": lost})
        os._exit(1)

    def _status(self) -> dict[str, Any]:
        status: dict[str, Any] = {"name": self._node.name, "kind": "broker", "blocked": sorted(self._gate.blocked)}
        if self._core is not None:
            log = self._store.log
            status |= {
                "id": self.core.id,
                "messages": len(log),
                "readable": log.count_before(self.core.rules.read_limit(self.core)),
                **self._steps.state(),
            }
        return status

    def _spawn(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.critical("the broker ends because a task failed", exc_info=task.exception())
            os._exit(70)


def _milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000


def _sends(found: list[outputs.BrokerOutput]) -> bool:
    return any(isinstance(output, outputs.SendToSlave) for output in found)
