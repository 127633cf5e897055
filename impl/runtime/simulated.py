"""A whole cluster in one process, without sockets, time or disks: the same cores and the same storage.

Messages wait until somebody delivers or loses them; every disk is a `SimulatedFiles`. What may happen next is a list of
steps in a fixed order, so a choice of numbers is a schedule.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import BrokerConfig, Role
from rmqproof.impl.broker.readings import broker_rules
from rmqproof.impl.controller.config import ControllerConfig, controller_rules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import broker_outputs as outputs
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.codes import ConnectionState, PutStatus
from rmqproof.impl.core.controller_io import (
    BrokerChannelClosed,
    ControllerInput,
    ElectionNeeded,
    Notify,
    ScanInactiveMasters,
)
from rmqproof.impl.core.controller_messages import ApplyBrokerIdRequest, BrokerHeartbeatRequest, ControllerRequest
from rmqproof.impl.core.replication_messages import ToMaster, ToSlave, Transfer
from rmqproof.impl.core.writes import AppendLog, FlushLog, TruncateLog, WriteCheckpoint, WriteEpochFile
from rmqproof.impl.storage.broker_store import BrokerStore
from rmqproof.impl.storage.message import UNIQUE_KEY, Message
from rmqproof.impl.storage.simulated_files import Choose, SimulatedFiles, everything

NAME = "broker-a"
CLUSTER = "DefaultCluster"
SEGMENT = 1024
LATER = 20
"""By how many steps a flush waits longer than other things, so that there are unflushed bytes to lose."""
_WRITES = (AppendLog, FlushLog, TruncateLog, WriteEpochFile, WriteCheckpoint)
_NEVER = 2**60
"""A heartbeat's time-out in milliseconds: a broker is given up only when a step says so."""


@dataclass
class Machine:
    """A broker's disk, and its process while there is one."""

    files: SimulatedFiles
    store: BrokerStore
    core: Broker | None = None
    soon: deque[BrokerInput] = field(default_factory=deque)
    keys: dict[int, str] = field(default_factory=dict)
    lost: bool = False

    def ids(self) -> list[str]:
        """The messages of its log."""
        return [self.store.log[i].message.key for i in range(len(self.store.log))]


@dataclass
class _Stream:
    """One HA connection, with what is under way in both directions. An end that has closed it hears nothing more."""

    slave: int
    master: int
    to_master: deque[ToMaster] = field(default_factory=deque)
    to_slave: deque[ToSlave] = field(default_factory=deque)
    slave_open: bool = True
    master_open: bool = True


@dataclass(frozen=True)
class Step:
    """Something that may happen now."""

    name: str
    do: Callable[[], object]


class SimulatedCluster:
    """Brokers 1..n of one set and one controller. Nobody was ever elected."""

    def __init__(self, brokers: int, rules: Mapping[str, str] | None = None, all_ack: bool = True) -> None:
        self._rules = dict(rules or {})
        self._all_ack = all_ack
        self.controller = Controller(ControllerConfig(), controller_rules(self._rules))
        self.now = 0
        self.machines: dict[int, Machine] = {}
        self.requests: list[tuple[int, ControllerRequest]] = []
        self.answers: list[tuple[int, BrokerInput]] = []
        self.streams: dict[int, _Stream] = {}
        self._streams_made = 0
        self._puts = 0
        self.acknowledged: dict[str, int] = {}
        self.consumed: dict[int, str] = {}
        self.epoch_of: dict[str, int] = {}
        """The epoch in which a message was accepted."""
        self.masters: dict[int, set[int]] = {}
        """Who opened for puts in an epoch."""
        for number in range(1, brokers + 1):
            code = f"{_address(number)};0"
            self._ask_controller(ApplyBrokerIdRequest(CLUSTER, NAME, number, code))
            files = SimulatedFiles()
            self.machines[number] = Machine(files, self._opened(files))
            self.restart(number)

    # --- what may happen ---------------------------------------------------------------------------------------------

    def possible(self) -> list[Step]:
        """Progress, as time and the network bring it; no faults. The order is fixed."""
        steps: list[Step] = []

        def add(name: str, do: Callable[..., object], *arguments: Any) -> None:
            steps.append(Step(name, partial(do, *arguments)))

        for number, machine in self.machines.items():
            core = machine.core
            if core is None:
                continue
            if machine.soon:
                add(f"b{number} goes on", self._go_on, number)
            if machine.store.log.flushed < machine.store.log.end or core.flushed < machine.store.log.flushed:
                add(f"b{number} flushes", self.flush, number)
            if (NAME, number) not in self.controller.live:
                add(f"b{number} sends a heartbeat", self._feed, number, inputs.SendHeartbeat())
            if core.role is Role.FENCED:
                add(f"b{number} registers", self._feed, number, inputs.Register())
            if self._has_news(core):
                add(f"b{number} polls", self._feed, number, inputs.PollController())
            if core.role is Role.SLAVE and core.client_state is ConnectionState.READY and not self._own_stream(number):
                add(f"b{number} connects", self._feed, number, inputs.ConnectToMaster())
            for slave in self._late_to_join(core):
                add(f"b{number} proposes b{slave} again", self._feed, number, inputs.ExpandSyncStateSet(slave))
        for index in range(len(self.requests)):
            add(f"request {index} arrives", self._request_arrives, index)
        for index in range(len(self.answers)):
            add(f"answer {index} arrives", self._answer_arrives, index)
        for key, stream in self.streams.items():
            if stream.to_master and stream.master_open:
                add(f"packet to b{stream.master}", self._to_master, key)
            if stream.to_slave and stream.slave_open:
                add(f"packet to b{stream.slave}", self._to_slave, key)
            if stream.master_open and self._would_send(stream.master, key):
                add(f"b{stream.master} sends to b{stream.slave}", self._send, key)
            if stream.slave_open != stream.master_open:
                add(f"end of a connection b{stream.slave}-b{stream.master}", self._notice_end, key)
        state = self.controller.broker_set(NAME)
        if self.controller.rules.inactive_master_is_found(state, self.controller.is_alive_in(NAME, self.now)):
            add("the controller looks for masters", self._ask_controller, ScanInactiveMasters())
        return steps

    def work(self, most: int) -> int:
        """Take up to this many steps of progress, in turn by their names, flushing late; how many were taken."""
        waited: dict[str, int] = {}
        for count in range(most):
            steps = self.possible()
            if not steps:
                return count
            step = min(steps, key=lambda one: waited.get(one.name, -1) + (LATER if one.name.endswith("flushes") else 0))
            waited[step.name] = count
            self.take(step)
        return most

    def take(self, step: Step) -> None:
        self.now += 1
        step.do()

    # --- clients -----------------------------------------------------------------------------------------------------

    def put(self, number: int) -> str | None:
        """A producer sends a message to a broker; its id, None if there is no process."""
        machine = self.machines[number]
        if machine.core is None:
            return None
        self._puts += 1
        key = f"m{self._puts}"
        machine.keys[self._puts] = key
        message = Message("T", b"", {UNIQUE_KEY: key}, queue_offset=len(machine.store.log))
        self.epoch_of[key] = machine.core.master_epoch
        self._feed(number, inputs.Put(self._puts, machine.store.log.encode(message)))
        return key

    def read(self, number: int) -> None:
        """A consumer reads all that it may."""
        machine = self.machines[number]
        if machine.core is None:
            return
        for output in self._feed(number, inputs.Read()):
            if isinstance(output, outputs.ReadAnswer) and output.limit is not None:
                for place, key in enumerate(machine.ids()[: machine.store.log.count_before(output.limit)]):
                    self.consumed.setdefault(place, key)

    # --- faults ------------------------------------------------------------------------------------------------------

    def crash(self, number: int, survives: Choose = everything) -> None:
        """The process ends; with `survives` other than everything, the machine: of the unflushed a part is left."""
        machine = self.machines[number]
        if machine.core is None:
            return
        machine.core = None
        machine.soon.clear()
        self._reopen(machine, survives)
        for stream in self.streams.values():
            if stream.slave == number:
                stream.slave_open = False
            if stream.master == number:
                stream.master_open = False
        self.answers = [answer for answer in self.answers if answer[0] != number]

    def _reopen(self, machine: Machine, survives: Choose) -> None:
        machine.files = machine.files.after_machine_crash(survives)
        machine.store = self._opened(machine.files)

    def restart(self, number: int) -> None:
        machine = self.machines[number]
        if machine.core is not None or machine.lost:
            return
        config = BrokerConfig(
            number,
            broker_address=_address(number),
            all_ack_in_sync_state_set=self._all_ack,
            controller_heart_beat_timeout_mills=_NEVER,
        )
        machine.core, found = Broker.start(config, broker_rules(self._rules), machine.store.stored())
        self._perform(number, found)

    def lose_disk(self, number: int) -> bool:
        """Only while another member of the SyncStateSet has its disk; whether it was done."""
        members = self.controller.broker_set(NAME).sync_state_set
        if not any(one != number and not self.machines[one].lost for one in members):
            return False
        self.crash(number)
        self.machines[number].lost = True
        return True

    def give_up(self, number: int) -> None:
        """The controller takes the broker for dead."""
        self._ask_controller(BrokerChannelClosed(NAME, number))

    def break_stream(self, index: int) -> None:
        """A connection ends for its slave; the master notices later."""
        for stream in list(self.streams.values())[index % max(1, len(self.streams)) :][:1]:
            if stream.slave_open:
                stream.slave_open = False
                self._feed(stream.slave, inputs.MasterDisconnected())

    def lose_request(self, index: int) -> None:
        if self.requests:
            del self.requests[index % len(self.requests)]

    def lose_answer(self, index: int) -> None:
        if self.answers:
            del self.answers[index % len(self.answers)]

    def shrink(self, number: int, member: int) -> None:
        """A broker's timer says that a member has not kept up."""
        self._feed(number, inputs.ShrinkSyncStateSet(member))

    def flush(self, number: int) -> None:
        machine = self.machines[number]
        if machine.core is not None:
            self._feed(number, inputs.LogFlushed(machine.store.log.flush()))

    # --- what must hold ----------------------------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """What the specification's properties say about this state; empty while all is well."""
        found: list[str] = []
        logs = {number: machine.ids() for number, machine in self.machines.items() if not machine.lost}
        for member in sorted(self.controller.broker_set(NAME).sync_state_set & logs.keys()):
            missing = self.acknowledged.keys() - set(logs[member])
            if missing:
                found.append(f"AckedDurability: b{member} can be elected and lacks {sorted(missing)}")
            unread = [key for place, key in self.consumed.items() if key not in logs[member][place : place + 1]]
            if unread:
                found.append(f"ConsumedStable: b{member} can be elected and lacks {sorted(unread)} at its place")
        for epoch, who in self.masters.items():
            if len(who) > 1:
                found.append(f"OneMasterPerEpoch: {sorted(who)} were masters of epoch {epoch}")
        numbers = sorted(logs)
        for i, one in enumerate(numbers):
            for other in numbers[i + 1 :]:
                place = self._differ(logs[one], logs[other])
                if place is not None:
                    found.append(f"LogMatching: b{one} and b{other} differ before message {place}")
        return found

    def _differ(self, one: list[str], other: list[str]) -> int | None:
        """A place where the epochs agree although the logs differ up to there."""
        same = True
        for place, (left, right) in enumerate(zip(one, other, strict=False)):
            same = same and left == right
            if not same and self.epoch_of[left] == self.epoch_of[right]:
                return place
        return None

    # --- inside ------------------------------------------------------------------------------------------------------

    def _opened(self, files: SimulatedFiles) -> BrokerStore:
        residue = "ResidueAfterTruncation" in self._rules
        return BrokerStore(files, Path("/store"), SEGMENT, residue_allowed=residue)

    def _ask_controller(self, given: ControllerInput) -> Any:
        step = self.controller.step(given, self.now)
        for output in step.outputs:
            self._controller_output(output)
        for event in step.undecided:
            for output in self.controller.apply(event):
                self._controller_output(output)
        return step.response

    def _controller_output(self, output: Any) -> None:
        if isinstance(output, ElectionNeeded):
            self._ask_controller(output.request)
        elif isinstance(output, Notify):
            self.answers.append((output.broker_id, output.notification))

    def _has_news(self, core: Broker) -> bool:
        """Would an answer to a poll change something? Only to keep the list of steps short."""
        state = self.controller.broker_set(NAME)
        if core.role is Role.MASTER and state.master_epoch == core.master_epoch:
            return state.sync_state_set_epoch > core.sync_state_set_epoch
        return state.master_epoch > core.master_epoch and (
            core.role is not Role.FENCED or state.master_broker_id is None
        )

    def _late_to_join(self, core: Broker) -> list[int]:
        """Slaves that may be proposed and for which nothing is under way."""
        if core.role is not Role.MASTER or any(number == core.id for number, _ in self.requests + self.answers):
            return []
        rules = core.rules
        return [s for s in core.acks() if s >= 0 and s not in core.sync_state_set and rules.expand_guard(core, s)]

    def _go_on(self, number: int) -> None:
        self._feed(number, self.machines[number].soon.popleft())

    def _own_stream(self, number: int) -> bool:
        return any(stream.slave == number and stream.slave_open for stream in self.streams.values())

    def _feed(self, number: int, given: BrokerInput) -> list[outputs.BrokerOutput]:
        core = self.machines[number].core
        if core is None:
            return []
        found = core.step(given)
        self._perform(number, found)
        return found

    def _perform(self, number: int, found: list[outputs.BrokerOutput]) -> None:
        machine = self.machines[number]
        for output in found:
            match output:
                case AppendLog() | FlushLog() | TruncateLog() | WriteEpochFile() | WriteCheckpoint():
                    machine.store.do(output)
                case outputs.ToController(BrokerHeartbeatRequest() as heartbeat):
                    self._ask_controller(heartbeat)
                case outputs.ToController():
                    self.requests.append((number, output.request))
                case outputs.ConnectHa():
                    self._connect(number, output.master_id)
                case outputs.DisconnectHa():
                    for stream in self.streams.values():
                        if stream.slave == number:
                            stream.slave_open = False
                case outputs.SendToMaster():
                    for stream in self.streams.values():
                        if stream.slave == number and stream.slave_open:
                            stream.to_master.append(output.packet)
                case outputs.SendToSlave():
                    self.streams[output.connection].to_slave.append(self._with_body(machine, output.packet))
                case outputs.CloseConnection():
                    self.streams[output.connection].master_open = False
                case outputs.PutAnswer():
                    if output.status is PutStatus.PUT_OK:
                        self.acknowledged[machine.keys[output.token]] = machine.store.log.count_before(output.offset)
                case outputs.FollowUp():
                    machine.soon.append(output.input)
                case outputs.Event("NewMasterOpensForPuts"):
                    assert machine.core is not None
                    self.masters.setdefault(machine.core.master_epoch, set()).add(number)

    def _with_body(self, machine: Machine, packet: ToSlave) -> ToSlave:
        if not isinstance(packet, Transfer):
            return packet
        body = machine.store.log.read(packet.offset, packet.offset + packet.size)
        return Transfer(packet.offset, packet.size, packet.entry, packet.confirm_offset, body)

    def _connect(self, slave: int, master: int) -> None:
        if self.machines[master].core is None or self._own_stream(slave):
            return
        self._streams_made += 1
        self.streams[self._streams_made] = _Stream(slave, master)
        self._feed(master, inputs.SlaveConnected(self._streams_made))
        self._feed(slave, inputs.MasterConnected())

    def _request_arrives(self, index: int) -> None:
        number, request = self.requests.pop(index)
        answer = self._ask_controller(request)
        if answer is not None and self.machines[number].core is not None:
            self.answers.append((number, answer))

    def _answer_arrives(self, index: int) -> None:
        number, answer = self.answers.pop(index)
        self._feed(number, answer)

    def _to_master(self, key: int) -> None:
        stream = self.streams[key]
        self._feed(stream.master, inputs.FromSlave(key, stream.to_master.popleft()))

    def _to_slave(self, key: int) -> None:
        stream = self.streams[key]
        packet = stream.to_slave.popleft()
        if self._own_stream(stream.slave):
            self._feed(stream.slave, inputs.FromMaster(packet))

    def _next_batch(self, number: int, key: int) -> BrokerInput | None:
        machine = self.machines[number]
        core = machine.core
        connection = core.connections.get(key) if core is not None else None
        if core is None or connection is None or connection.next_offset < 0:
            return None
        return inputs.SendBatch(key, machine.store.log.boundary(connection.next_offset, 200))

    def _would_send(self, number: int, key: int) -> bool:
        core, batch = self.machines[number].core, self._next_batch(number, key)
        return core is not None and batch is not None and bool(core.copy().step(batch))

    def _send(self, key: int) -> None:
        master = self.streams[key].master
        batch = self._next_batch(master, key)
        if batch is not None:
            self._feed(master, batch)
            self._feed(master, inputs.SendConfirmOffset(key))

    def _notice_end(self, key: int) -> None:
        stream = self.streams[key]
        if stream.slave_open:
            stream.slave_open = False
            self._feed(stream.slave, inputs.MasterDisconnected())
        else:
            stream.master_open = False
            self._feed(stream.master, inputs.SlaveDisconnected(key))
        if not stream.slave_open and not stream.master_open:
            del self.streams[key]


def _address(number: int) -> str:
    return f"b{number}:10911"
