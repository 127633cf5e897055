"""Write down a long run of the reference implementation: `python -m bench.long_run --events 1000000 run.ndjson`.

The cores, the storage and the lines are those of a cluster of processes (docs/cluster.md); sockets and clocks are
simulated, so that the same arguments give the same run, and an hour of a cluster takes minutes. Faults come at random:
brokers die, with and without the unflushed end of their logs, connections break, requests and answers are lost,
controllers forget all heartbeats. In the end everything is repaired, and no acknowledged message is missing.

What such a run leaves out, so that it is a behaviour of the model and its states stay small:

- In LateAcks a batch is one step: the master sends it, the slave appends it, and none is ever under way. A slave of
  processes can have batches under way to it when it hears an answer of the controller, and append them afterwards. Here
  all that was sent to it arrives before the answer. `--late` leaves that out: such runs are behaviours of LateBatches.
- There are few puts (`_PUTS`): a master that gets more than its slaves copy leaves them behind for ever, nobody else
  can be elected, and the logs are long in the model's states, of which only what all brokers have is folded.

docs/conformance.md has what it costs to validate such runs.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any, TextIO

from rmqproof.impl.broker.config import Role
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import broker_outputs as outputs
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.controller_io import ControllerInput, ControllerTrace, ElectionNeeded, LeaderChanged, Notify
from rmqproof.impl.core.controller_messages import AlterSyncStateSetRequest, BrokerHeartbeatRequest
from rmqproof.impl.core.replication_messages import EpochFile, Transfer
from rmqproof.impl.core.writes import AppendLog, FlushLog, TruncateLog, WriteCheckpoint, WriteEpochFile
from rmqproof.impl.runtime.broker_trace import StepTrace
from rmqproof.impl.runtime.events import CONTROLLER, Event, Trace
from rmqproof.impl.runtime.observation import alter_record, broker_state, controller_state, epoch_file_state, name
from rmqproof.impl.runtime.simulated import NAME, Machine, SimulatedCluster, Step
from rmqproof.impl.storage.broker_store import BrokerStore
from rmqproof.impl.storage.simulated_files import Choose, everything
from rmqproof.model.search.collector import quiet_collector

_WRITES = (AppendLog, FlushLog, TruncateLog, WriteEpochFile, WriteCheckpoint)
_MILLISECONDS = 3
"""That a step takes by the clock of the lines."""
_PULLED = 32
_AGAIN = 100
"""Steps before a proposal is made again."""
_PUTS = 0.08
"""How likely a put is, a step: slaves can copy so many. With more they fall behind for ever, nobody can be elected but
the master, and every log grows in the model's states."""
_WAITING = 6
"""Puts that wait, at most."""
_TIMEOUT = 1_500
"""Steps that a producer waits."""


class _Lines(Trace):
    """A node's lines, into the file of the run."""

    def __init__(self, node: str, out: Callable[[Event], None], clock: Callable[[], int]) -> None:
        super().__init__(node, None)
        self._out, self._clock = out, clock
        self._file: list[Any] | None = None

    @property
    def on(self) -> bool:
        return True

    def write(
        self,
        action: str | None,
        arguments: tuple[Any, ...] = (),
        *,
        received: Iterable[str] = (),
        sent: Iterable[str] = (),
        state: Mapping[str, Any] | None = None,
        detail: Mapping[str, Any] | None = None,
        sequence: int | None = None,
    ) -> None:
        self.sequence = self.sequence + 1 if sequence is None else sequence
        self.last_action = action
        if state and "disk" in state:
            state = {**state, "disk": self._shorter(state["disk"])}
        self._out(
            Event(
                self.node,
                self.sequence,
                action,
                arguments,
                tuple(received),
                (f"{self.node}:{self.sequence}", *sent),
                state or {},
                detail or {},
                self.life,
                at=self._clock(),
            )
        )

    def _shorter(self, disk: Mapping[str, Any]) -> Mapping[str, Any]:
        """With what is new in the epoch file, which grows with the run."""
        file, before = disk["epochFile"], self._file
        self._file = file
        if before is None:
            return disk
        kept = 0
        if file == before:
            kept = len(file)
        else:
            both = enumerate(zip(before, file, strict=False))
            kept = next((n for n, (old, new) in both if old != new), min(len(before), len(file)))
        then = file[kept:]
        return {**disk, "epochFile": {"kept": kept, **({"then": then} if then else {})}}


class _Steps(StepTrace):
    """A broker's epoch file, which grows with the run, is looked at when it is another one."""

    _file: EpochFile | None = None
    _entries: list[dict[str, int]]

    def state(self) -> dict[str, Any]:
        file = self._core.epoch_file
        if file is not self._file:
            self._file, self._entries = file, epoch_file_state(file, self._log)
        return broker_state(self._core, self._log, self._keys, self._entries)


class _Sent(tuple[int, Any]):
    """A request of a broker, or an answer to it, as `SimulatedCluster` has them, with the line after which it was
    sent."""

    after: str


def _sent(number: int, content: Any, after: str) -> _Sent:
    found = _Sent((number, content))
    found.after = after
    return found


class _Packets:
    """The ids of what is under way on a connection, to the master and to the slave."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.to_master: deque[str] = deque()
        self.to_slave: deque[str] = deque()
        self._count = 0

    def new(self, way: deque[str]) -> str:
        self._count += 1
        found = f"ha{self.number}/{self._count}"
        way.append(found)
        return found


class _Ids:
    """`broker_trace.PacketIds` of one broker."""

    def __init__(self, cluster: RecordedCluster, number: int) -> None:
        self._cluster, self._number = cluster, number

    def id_to_master(self) -> str | None:
        for key, stream in self._cluster.streams.items():
            if stream.slave == self._number and stream.slave_open:
                packets = self._cluster.packets[key]
                return packets.new(packets.to_master)
        return None

    def id_to_slave(self, connection: int) -> str | None:
        packets = self._cluster.packets.get(connection)
        return None if packets is None else packets.new(packets.to_slave)

    def announced(self, connection: int) -> int | None:
        return self._cluster.announced.get(connection)


class RecordedCluster(SimulatedCluster):
    """A simulated cluster that writes its lines."""

    def __init__(self, brokers: int, out: Callable[[Event], None], late: bool = False) -> None:
        """`late`: what the controller answers may overtake batches."""
        self._out, self._late = out, late
        self.lines: dict[int, _Lines] = {}
        self.traces: dict[int, StepTrace] = {}
        self.packets: dict[int, _Packets] = {}
        self.keys: dict[int, dict[int, str]] = {}
        self.announced: dict[int, int] = {}
        """The confirmOffset that the slave of a connection was told last."""
        self.proposed: dict[str, int] = {}
        """When a broker proposed anew that somebody joins."""
        self.next_read = 0
        self.now = 0
        self._sends: dict[int, dict[int, bool]] = {}
        """By broker and connection: whether it has something to send, since its last step."""
        self.controller_lines = _Lines(CONTROLLER, out, self._clock)
        super().__init__(brokers)

    def _clock(self) -> int:
        return 1_763_736_000_000 + _MILLISECONDS * self.now

    # --- lines -------------------------------------------------------------------------------------------------------

    def restart(self, number: int) -> None:
        machine = self.machines[number]
        if machine.core is not None or machine.lost:
            return
        lines = self.lines.get(number)
        if lines is None:
            lines = self.lines[number] = _Lines(name(number), self._out, self._clock)
        else:
            lines.life += 1
            if lines.last_action not in ("ProcessCrashes", "MachineCrashes", "DiskIsLost"):
                lines.write("ProcessCrashes", (name(number),))
        super().restart(number)

    def crash_machine(self, number: int, kept: float) -> None:
        """The machine loses power: of what was not flushed this part is left."""
        machine = self.machines[number]
        if machine.core is None:
            return
        log = machine.store.log
        flushed = log.count_before(log.flushed)
        count = flushed + int(kept * (len(log) - flushed))
        lost = len(log) - count
        log.truncate(log.end_of(count))
        arguments: tuple[Any, ...] = (name(number), count) if lost else (name(number),)
        self.lines[number].write("MachineCrashes" if lost else "ProcessCrashes", arguments, detail={"lost": lost})
        self.crash(number)

    def _reopen(self, machine: Machine, survives: Choose) -> None:
        """The log, which grows with the run, is not read again: nothing of it is lost."""
        assert survives is everything
        machine.store.log.flush()
        machine.store = BrokerStore(machine.files, machine.store.folder, log=machine.store.log)

    def read(self, number: int) -> None:
        """A consumer reads on."""
        machine = self.machines[number]
        if machine.core is None:
            return
        log = machine.store.log
        for output in self._feed(number, inputs.Read()):
            if isinstance(output, outputs.ReadAnswer) and output.limit is not None:
                last = min(self.next_read + _PULLED, log.count_before(output.limit))
                if last > self.next_read:
                    ids = [log[place].message.key for place in range(self.next_read, last)]
                    self.traces[number].read(ids)
                    self.consumed.update(enumerate(ids, self.next_read))
                    self.next_read = last

    def _feed(self, number: int, given: BrokerInput, received: tuple[str, ...] = ()) -> list[outputs.BrokerOutput]:
        core = self.machines[number].core
        if core is None:
            return []
        copied_from = core.copies_from
        found = core.step(given)
        self._perform(number, found, given, received)
        if isinstance(given, inputs.MasterDisconnected) and copied_from is not None:
            self.traces[number].note({"noticed": "ConnectionBreaks"})
        return found

    def _perform(
        self,
        number: int,
        found: list[outputs.BrokerOutput],
        given: BrokerInput | None = None,
        received: tuple[str, ...] = (),
    ) -> None:
        """Writes, then the lines, then the rest, as `BrokerNode`."""
        self._sends[number] = {}
        machine, core, log = self.machines[number], self.machines[number].core, self.machines[number].store.log
        assert core is not None
        keys = self.keys.setdefault(number, {})
        if isinstance(given, inputs.Put):
            keys[given.token] = machine.keys[given.token]
        for output in found:
            if isinstance(output, _WRITES):
                machine.store.do(output)
        first = self.lines[number].sequence == 0 and given is None
        if given is None:
            keys.clear()
            self.traces[number] = _Steps(self.lines[number], core, log, keys, _Ids(self, number))
        if first:
            self.traces[number].note({"started": name(number)})
        else:
            self.traces[number].write(given, found, received)
        after = f"{self.lines[number].node}:{self.lines[number].sequence}"
        rest = [output for output in found if not isinstance(output, _WRITES)]
        for output in rest:
            match output:
                case outputs.ToController(BrokerHeartbeatRequest() as heartbeat):
                    self._ask_controller(heartbeat, after)
                case outputs.ToController():
                    self.requests.append(_sent(number, output.request, after))
                case outputs.SendToSlave(connection, Transfer() as packet):
                    self.announced[connection] = packet.confirm_offset
                    super()._perform(number, [output])
                case outputs.PutAnswer():
                    super()._perform(number, [output])
                    keys.pop(output.token, None)
                case _:
                    super()._perform(number, [output])

    def _ask_controller(self, given: ControllerInput, after: str | None = None) -> Any:
        step = self.controller.step(given, self.now)
        self._write(step.outputs, given, after, step.response)
        for output in step.outputs:
            self._controller_output(output)
        assert not step.undecided
        return step.response

    def _write(self, found: Iterable[Any], given: ControllerInput, after: str | None, response: Any) -> None:
        traces = [output for output in found if isinstance(output, ControllerTrace)]
        for trace in traces:
            alters = isinstance(given, AlterSyncStateSetRequest) and trace.action.endswith("Alter")
            self.controller_lines.write(
                trace.action,
                (alter_record(given),) if alters else tuple(map(name, trace.arguments)),  # type: ignore[arg-type]
                received=() if after is None else (after,),
                state=controller_state(self.controller, NAME) if trace is traces[-1] else {},
                detail={"code": response.code.name} if response is not None else {},
            )

    def _controller_output(self, output: Any) -> None:
        after = f"{CONTROLLER}:{self.controller_lines.sequence}"
        if isinstance(output, ElectionNeeded):
            self._ask_controller(output.request, after)
        elif isinstance(output, Notify):
            self.answers.append(_sent(output.broker_id, output.notification, after))

    def _request_arrives(self, index: int) -> None:
        request = self.requests.pop(index)
        assert isinstance(request, _Sent)
        number, content = request
        answer = self._ask_controller(content, request.after)
        if answer is not None and self.machines[number].core is not None:
            self.answers.append(_sent(number, answer, f"{CONTROLLER}:{self.controller_lines.sequence}"))

    def _answer_arrives(self, index: int) -> None:
        answer = self.answers.pop(index)
        assert isinstance(answer, _Sent)
        number, content = answer
        # a batch is one step in LateAcks: what its master sent before is not overtaken by what the controller decides
        for key in [key for key, stream in self.streams.items() if stream.slave == number and not self._late]:
            while key in self.streams and self.streams[key].to_slave:
                self._to_slave(key)
        self._feed(number, content, (answer.after,))

    def _connect(self, slave: int, master: int) -> None:
        self.packets[self._streams_made + 1] = _Packets(self._streams_made + 1)
        super()._connect(slave, master)

    def _would_send(self, number: int, key: int) -> bool:
        known = self._sends.setdefault(number, {})
        if key not in known:
            known[key] = super()._would_send(number, key)
        return known[key]

    def _to_master(self, key: int) -> None:
        stream = self.streams[key]
        received = (self.packets[key].to_master.popleft(),)
        self._feed(stream.master, inputs.FromSlave(key, stream.to_master.popleft()), received)

    def _to_slave(self, key: int) -> None:
        stream = self.streams[key]
        packet, received = stream.to_slave.popleft(), (self.packets[key].to_slave.popleft(),)
        if self._own_stream(stream.slave):
            self._feed(stream.slave, inputs.FromMaster(packet), received)

    def forget_streams(self) -> None:
        for key in [key for key in self.packets if key not in self.streams]:
            del self.packets[key]
            self.announced.pop(key, None)

    def possible(self) -> list[Step]:
        """As a broker does, that has one request under way while it is fenced."""
        asking = {f"b{number}" for number, _ in (*self.requests, *self.answers)}
        return [
            step for step in super().possible() if step.name.split()[0] not in asking or step.name[-9:] != "registers"
        ]


class _Schedule:
    """Load and faults from a seed."""

    def __init__(self, cluster: RecordedCluster, seed: int, every: int) -> None:
        self.cluster, self.random, self.every = cluster, Random(f"long run {seed}"), every
        self.down: list[tuple[int, int]] = []
        """When a broker comes back, and which."""
        self.waiting: deque[tuple[int, int, int]] = deque()
        """When a put was sent, to whom, its token."""

    def masters(self) -> list[int]:
        machines = self.cluster.machines.items()
        return [n for n, machine in machines if machine.core is not None and machine.core.role is Role.MASTER]

    def step(self) -> None:
        cluster, random = self.cluster, self.random
        for number in self.masters():
            core = cluster.machines[number].core
            assert core is not None
            if len(core.waiting) < _WAITING and random.random() < _PUTS:
                cluster.put(number)
                self.waiting.append((cluster.now, number, cluster._puts))
            if random.random() < 0.01:
                cluster.read(number)
        while self.waiting and self.waiting[0][0] + _TIMEOUT < cluster.now:
            _, number, token = self.waiting.popleft()
            cluster._feed(number, inputs.PutTimedOut(token))
        if random.random() < 1 / self.every:
            self.fault()
        while self.down and self.down[0][0] <= cluster.now:
            cluster.restart(self.down.pop(0)[1])
        self.work()

    def work(self) -> int:
        """One step of progress; how many there were to choose from."""
        steps = self.cluster.possible()
        if steps:
            weights = [0.3 if step.name.endswith("flushes") else 1.0 for step in steps]
            self.cluster.take(self.random.choices(steps, weights)[0])
        else:
            self.cluster.now += 1
        return len(steps)

    def fault(self) -> None:
        cluster, random = self.cluster, self.random
        running = [number for number, machine in cluster.machines.items() if machine.core is not None]
        kind = random.choices(("kill", "power", "blackout", "silent", "break", "lose", "controllers", "shrink"),
                              (4, 4, 1, 3, 4, 4, 2, 1))[0]  # fmt: skip
        back = cluster.now + random.randrange(20, 400)
        if kind == "blackout":
            kept = random.random()
            for number in running:
                cluster.crash_machine(number, kept)
                self.down.append((back, number))
        elif kind in ("kill", "power") and running:
            number = random.choice(running)
            if kind == "kill":
                cluster.crash(number)
            else:
                cluster.crash_machine(number, random.random())
            cluster.give_up(number)
            self.down.append((back, number))
        elif kind == "silent" and running:
            cluster.give_up(random.choice(running))
        elif kind == "break":
            cluster.break_stream(random.randrange(8))
        elif kind == "lose":
            for _ in range(random.randrange(1, 4)):
                cluster.lose_request(random.randrange(8))
                cluster.lose_answer(random.randrange(8))
        elif kind == "controllers":
            cluster._ask_controller(LeaderChanged())
        elif kind == "shrink":
            for number in self.masters():
                cluster.shrink(number, random.choice(list(cluster.machines)))
        self.down.sort()

    def repair(self) -> None:
        """Everything runs and has nothing more to do."""
        for number in self.cluster.machines:
            self.cluster.restart(number)
        while self.work():
            pass


def record(events: int, seed: int, out: TextIO, brokers: int = 3, every: int = 600, late: bool = False) -> int:
    """Write a run of at least so many lines; how many there are. `every`: steps from one fault to the next, on
    average; `late`: the controller's answers may overtake batches. Raise `AssertionError` where an acknowledged message
    is missing in the end."""
    count = 0

    def write(event: Event) -> None:
        nonlocal count
        count += 1
        out.write(event.line() + "\n")

    cluster = RecordedCluster(brokers, write, late)
    schedule = _Schedule(cluster, seed, every)
    while count < events:
        schedule.step()
        if cluster.now % 1_000 == 0:
            cluster.forget_streams()
    schedule.repair()
    problems = cluster.problems()
    assert not problems, problems[:3]
    return count


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.long_run", description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--brokers", type=int, default=3)
    parser.add_argument("--every", type=int, default=600, help="steps from one fault to the next, on average")
    parser.add_argument("--late", action="store_true", help="the controller's answers may overtake batches")
    given = parser.parse_args(arguments)
    with open(given.file, "w", encoding="utf-8") as out, quiet_collector():
        print(
            f"{record(given.events, given.seed, out, given.brokers, given.every, given.late):,} lines in {given.file}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
