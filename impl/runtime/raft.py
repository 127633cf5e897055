"""The replicated controller: the Raft library PySyncObj holds the log, every replica takes the same steps of the core.

What is replicated is the request with the time at which the leader took it (as in JRaft mode), so that a request is
evaluated and applied in one step, in the order of the log.

PySyncObj unpickles what its port receives, and a pickle can run any code. Its messages are therefore encrypted and
authenticated with the cluster's secret (`password`, Fernet): what was not made with it is dropped before it is decoded.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pysyncobj import SyncObj, SyncObjConf, SyncObjConsumer, replicated
from pysyncobj.node import TCPNode
from pysyncobj.tcp_connection import CONNECTION_STATE
from pysyncobj.transport import TCPTransport

from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core.controller_io import (
    ControllerEvent,
    ControllerInput,
    ControllerOutput,
    ControllerStep,
    ControllerTrace,
    InactiveBrokers,
    LeaderChanged,
)
from rmqproof.impl.core.controller_messages import AlterSyncStateSetRequest, ControllerResponse
from rmqproof.impl.runtime.events import CONTROLLER, Trace
from rmqproof.impl.runtime.gate import Gate
from rmqproof.impl.runtime.layout import BROKER_NAME
from rmqproof.impl.runtime.observation import alter_record, controller_state, name

REPLICATION_TIMEOUT = 5.0
"""Seconds that a request waits for a majority (RocketMQ's controllers wait as long)."""
LEADER = 2
"""PySyncObj's number for that state."""


@dataclass(frozen=True)
class Entry:
    """One command of the log: an input at a time (milliseconds), or a decision that is applied later (as shipped)."""

    given: ControllerInput | None
    now: int
    decided: ControllerEvent | None = None
    after: str | None = None
    """The last event of the sender's trace."""


@dataclass(frozen=True)
class Applied:
    """What became of an entry, and the number of the last event of the controller's trace then."""

    response: ControllerResponse | None
    outputs: tuple[ControllerOutput, ...]
    undecided: tuple[ControllerEvent, ...]
    sequence: int


class Machine(SyncObjConsumer):  # type: ignore[misc]
    """The replicated state: the core, the greatest time it was given, the number of events."""

    def __init__(self, controller: Controller, trace: Trace) -> None:
        super().__init__()
        self.controller = controller
        self._trace = trace
        self._now = 0
        self._sequence = 0

    def _serialize(self) -> Any:
        return pickle.dumps((self.controller.state(), self._now, self._sequence))

    def _deserialize(self, data: Any) -> None:
        state, self._now, self._sequence = pickle.loads(data)
        self.controller.set_state(state)

    @replicated  # type: ignore[untyped-decorator]
    def apply(self, data: bytes) -> Applied:
        """Called on every replica in the order of the log."""
        entry: Entry = pickle.loads(data)
        self._now = max(self._now, entry.now)
        if entry.decided is not None:
            step = ControllerStep(outputs=tuple(self.controller.apply(entry.decided)))
            self._write(step, entry)
        else:
            assert entry.given is not None
            before = ControllerStep()
            if not isinstance(entry.given, LeaderChanged):
                # What is expired is given up first, so that the table never holds a broker that does not count.
                before = self.controller.step(InactiveBrokers(), self._now)
                self._write(before, Entry(InactiveBrokers(), self._now))
            step = self.controller.step(entry.given, self._now)
            self._write(step, entry)
            step = ControllerStep(step.response, before.outputs + step.outputs, step.undecided)
        return Applied(step.response, step.outputs, step.undecided, self._sequence)

    def _write(self, step: ControllerStep, entry: Entry) -> None:
        traces = [output for output in step.outputs if isinstance(output, ControllerTrace)]
        for trace in traces:
            self._sequence += 1
            if not self._trace.on or self._sequence <= self._trace.sequence:
                continue  # a replica that starts again takes the steps of its log again
            alters = isinstance(entry.given, AlterSyncStateSetRequest) and trace.action.endswith("Alter")
            self._trace.write(
                trace.action,
                (alter_record(entry.given),) if alters else tuple(map(name, trace.arguments)),  # type: ignore[arg-type]
                received=() if entry.after is None else (entry.after,),
                state=controller_state(self.controller, BROKER_NAME) if trace is traces[-1] else {},
                detail={"code": step.response.code.name} if step.response is not None else {},
                sequence=self._sequence,
            )


class _GatedTransport(TCPTransport):  # type: ignore[misc]
    """TCP that keeps no connection to nodes behind the gate."""

    gate: Gate

    def _cut(self, node: Any) -> bool:
        return node is not None and getattr(node, "address", None) in self.gate.blocked

    def _shouldConnect(self, node: Any) -> bool:
        return bool(super()._shouldConnect(node)) and not self._cut(node)

    def _connectIfNecessarySingle(self, node: Any) -> Any:
        return False if self._cut(node) else super()._connectIfNecessarySingle(node)

    def _onTick(self) -> None:
        for node, connection in list(self._connections.items()):
            if self._cut(node) and connection.state != CONNECTION_STATE.DISCONNECTED:
                connection.disconnect()
        super()._onTick()

    def _onIncomingMessageReceived(self, connection: Any, message: Any) -> None:
        if isinstance(message, str) and message in self.gate.blocked:
            connection.disconnect()
            self._unknownConnections.discard(connection)
            return
        super()._onIncomingMessageReceived(connection, message)

    def send(self, node: Any, message: Any) -> Any:
        return False if self._cut(node) else super().send(node, message)


class Replica:
    """This node's part of the Raft group. PySyncObj runs in a thread of its own; this class is used from asyncio."""

    def __init__(
        self,
        machine: Machine,
        own: str,
        others: Iterable[str],
        folder: Path,
        secret: str,
        gate: Gate,
        elected: Callable[[], None],
    ) -> None:
        """`own` and `others` are Raft addresses; `secret` is the cluster's."""
        if not secret:
            raise ValueError("without a secret anybody could send code to this port")
        self.machine = machine
        self._loop = asyncio.get_running_loop()
        folder.mkdir(parents=True, exist_ok=True)

        def changed(_: int, new: int) -> None:
            if new == LEADER:
                self._loop.call_soon_threadsafe(elected)

        transport = type("GatedTransport", (_GatedTransport,), {"gate": gate})
        configuration = SyncObjConf(
            autoTickPeriod=0.02,
            raftMinTimeout=0.8,
            raftMaxTimeout=1.8,
            appendEntriesPeriod=0.15,
            connectionTimeout=2.5,
            connectionRetryTime=0.3,
            leaderFallbackTimeout=2.5,
            appendEntriesUseBatch=False,
            commandsWaitLeader=False,
            password=secret,
            bindAddress=own,
            bindRetryTime=0.1,
            maxBindRetries=300,
            journalFile=str(folder / "raft.journal"),
            fullDumpFile=str(folder / "raft.dump"),
            useFork=False,
            dynamicMembershipChange=False,
            onStateChanged=changed,
        )
        self._raft = SyncObj(
            TCPNode(own), [TCPNode(other) for other in others], configuration, [machine], transportClass=transport
        )

    @property
    def is_leader(self) -> bool:
        return bool(self._raft._isLeader())

    @property
    def leader(self) -> str | None:
        """The Raft address of the leader, as far as this node knows."""
        found = self._raft._getLeader()
        return None if found is None else str(found.address)

    @property
    def term(self) -> int:
        return int(self._raft.raftCurrentTerm)

    @property
    def applied(self) -> int:
        return int(self._raft.raftLastApplied)

    async def replicate(self, entry: Entry) -> Applied | None:
        """Put an entry into the log and wait until it is applied; None if it is not known whether it will be."""
        done: asyncio.Future[Applied | None] = self._loop.create_future()

        def applied(result: Applied | None, error: int) -> None:
            self._loop.call_soon_threadsafe(_resolve, done, result if error == 0 else None)

        self.machine.apply(pickle.dumps(entry), callback=applied)
        try:
            return await asyncio.wait_for(done, REPLICATION_TIMEOUT)
        except TimeoutError:
            return None

    def stop(self) -> None:
        self._raft.destroy_synchronous()


def _resolve(future: asyncio.Future[Applied | None], result: Applied | None) -> None:
    if not future.done():
        future.set_result(result)


__all__ = ["CONTROLLER", "Applied", "Entry", "Machine", "Replica"]
