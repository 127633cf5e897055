"""What one step of a broker's core looks like in the trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.core import broker_inputs as inputs
from rmqproof.impl.core import broker_outputs as outputs
from rmqproof.impl.core.broker_inputs import BrokerInput
from rmqproof.impl.core.controller_messages import NotifyBrokerRoleChangedRequest
from rmqproof.impl.core.replication_messages import Transfer
from rmqproof.impl.core.writes import AppendLog, TruncateLog
from rmqproof.impl.runtime.events import Trace
from rmqproof.impl.runtime.observation import broker_state, name, notice_record
from rmqproof.impl.runtime.pending_step import OnDisk, PendingStep, PendingSteps
from rmqproof.impl.storage.commit_log import CommitLog

_HALF = "RestartedBrokerIsElected"


class PacketIds(Protocol):
    """Gives ids to the HA packets that a step sends, in their order."""

    def id_to_master(self) -> str | None: ...

    def id_to_slave(self, connection: int) -> str | None: ...

    def announced(self, connection: int) -> int | None:
        """The confirmOffset that the slave of a connection was told last."""
        ...


class StepTrace:
    """Writes the steps of one core. `keys`: the message id of each waiting put, by token."""

    def __init__(
        self,
        trace: Trace,
        core: Broker,
        log: CommitLog,
        keys: Mapping[int, str],
        ids: PacketIds,
        pending: PendingSteps | None = None,
    ) -> None:
        self.trace = trace
        self._pending = pending
        self._core = core
        self._log = log
        self._keys = keys
        self._ids = ids

    def state(self) -> dict[str, Any]:
        return broker_state(self._core, self._log, self._keys)

    def note(self, detail: Mapping[str, Any]) -> None:
        """A line without a step: what the node sees now."""
        if self.trace.on:
            self.trace.write(None, state=self.state(), detail=detail)

    def read(self, ids: Sequence[str]) -> None:
        """Consumers were given these messages."""
        if self.trace.on:
            self.trace.write("ConsumerReads", (name(self._core.id),), state=self.state(), detail={"ids": list(ids)})

    def on_disk(self) -> OnDisk | None:
        """What a step can change on the disk; None if nothing is recorded."""
        core = self._core
        return OnDisk(core.log_end, core.epoch_file, core.confirm_offset) if self.trace.on else None

    def begin(
        self,
        given: BrokerInput | None,
        found: Sequence[outputs.BrokerOutput],
        received: tuple[str, ...],
        before: OnDisk | None,
    ) -> None:
        """The writes of this step come next; the disk is still as it was `before`."""
        after = self.on_disk()
        if self._pending is None or before is None or after is None or before == after:
            return
        event = next((output for output in found if isinstance(output, outputs.Event)), None)
        half = event is None or event.action == _HALF
        self._pending.begin(
            PendingStep(
                sequence=self.trace.sequence + 1,
                action=None if event is None or half else event.action,
                arguments=() if event is None or half else self._arguments(event, given),
                received=received,
                link=name(self._core.copies_from),
                before=before,
                after=after,
            )
        )

    def write(
        self, given: BrokerInput | None, found: Sequence[outputs.BrokerOutput], received: tuple[str, ...]
    ) -> None:
        """The step that led from `given` to the outputs, which are done except for what leaves the node."""
        if not self.trace.on:
            return
        sent = self._sent(found)
        events = [output for output in found if isinstance(output, outputs.Event)]
        if not events:
            if sent:
                self.trace.write(None, received=received, sent=sent)
            return
        if events[0].action == _HALF:
            # The controller has written the step; this is its other half.
            half = {"half": _HALF}
            self.trace.write(None, received=received, sent=sent, state=self.state(), detail=half)
            return
        for event in events:
            last = event is events[-1]
            self.trace.write(
                event.action,
                self._arguments(event, given),
                received=received,
                sent=sent if last else (),
                state=self.state() if last else {},
                detail=self._detail(given, found) if last else {},
            )

    def _sent(self, found: Sequence[outputs.BrokerOutput]) -> list[str]:
        sent: list[str] = []
        for output in found:
            identity = None
            if isinstance(output, outputs.SendToMaster):
                identity = self._ids.id_to_master()
            elif isinstance(output, outputs.SendToSlave):
                identity = self._ids.id_to_slave(output.connection)
                if self._says_nothing_new(output):
                    continue
            if identity is not None:
                sent.append(identity)
        return sent

    def _says_nothing_new(self, output: outputs.SendToSlave) -> bool:
        """A header that keeps a connection awake is not worth a line."""
        packet = output.packet
        return (
            isinstance(packet, Transfer)
            and packet.entry is None
            and packet.confirm_offset == self._ids.announced(output.connection)
        )

    def _arguments(self, event: outputs.Event, given: BrokerInput | None) -> tuple[Any, ...]:
        """The event's arguments as the specification has them."""
        if event.action == "AcknowledgePut":
            broker_id, token = event.arguments
            return name(broker_id), self._keys[token]
        if event.action == "ReceiveNotice" and isinstance(given, NotifyBrokerRoleChangedRequest):
            return name(event.arguments[0]), notice_record(given)
        return tuple(map(name, event.arguments))

    def _detail(self, given: BrokerInput | None, found: Sequence[outputs.BrokerOutput]) -> dict[str, Any]:
        log = self._log
        detail: dict[str, Any] = {}
        for output in found:
            if isinstance(output, AppendLog):
                first = log.count_before(output.offset)
                detail["ids"] = [log[i].message.key for i in range(first, len(log))]
                detail["offset"] = output.offset
            elif isinstance(output, TruncateLog):
                detail["cut"] = output.offset
        if isinstance(given, inputs.FromSlave):
            detail["connection"] = given.connection
        return detail
