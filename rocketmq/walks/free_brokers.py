"""Brokers of a story that is to be seen as the classes tell it: what a walk holds back so that a step is the model's,
the proposal of a connection that ends, happens here; and machines fail."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.walks.brokers import Brokers, CannotTake, State, map_of
from rmqproof.rocketmq.walks.held_store import HeldStore

TAKEN = frozenset(
    [
        *("AppendPut", "AcknowledgePut", "SlaveConnectsAndTruncates", "SlaveAppendsBatch", "MasterReceivesAck"),
        *("ProposeExpand", "ProposeShrink", "LearnSyncStateSet", "BecomeMaster", "BecomeSlave", "ReceiveNotice"),
        *("ConnectionBreaks", "ProcessCrashes", "MachineCrashes", "DiskIsLost", "BrokerRestarts", "BytesAreFlushed"),
        *("ConsumerReads", "SendQueuedProposal", "RestartedBrokerIsElected", "BrokerRestartsWithWritten"),
        *("EpochFileIsUnreadable", "BackupOfEpochFileIsRead", "ExpandIsChecked", "ExpandIsMarked"),
    ]
)
"""Steps that are carried out on the classes."""
ENDS = "ConnectionEnds"
"""A `ProposeShrink` by the end of the slave's connection."""
_OF_ANOTHER_CHECKSUM = "1\n1\n1-0\n"


@dataclass(slots=True)
class FreeBrokers(Brokers):
    """`acked`: messages whose producers were told PUT_OK, `thin`: those that were on too few brokers then, `consumed`:
    messages before the confirmOffset of a broker when a consumer read from it."""

    acked: set[int] = field(default_factory=set)
    thin: set[int] = field(default_factory=set)
    consumed: set[int] = field(default_factory=set)
    logs: dict[str, list[int]] = field(default_factory=dict)
    """Of brokers that do not run, what was left."""
    files: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    half_open: list[socket.socket] = field(default_factory=list)
    checked: list[frozenset[int]] = field(default_factory=list)
    """Proposals of the check for slaves that lag."""
    sent: dict[str, int] = field(default_factory=dict)
    """How many of a master's connections' proposals were sent."""
    checks: dict[tuple[str, str], tuple[threading.Thread, contextlib.ExitStack]] = field(default_factory=dict)
    """Checks whether a slave has caught up, by master and slave, that have not marked yet, and what holds them."""
    notes: list[str] = field(default_factory=list)
    """What was done beside the model's steps."""

    def perform(self, action: str, arguments: tuple[Any, ...], before: State, after: State) -> None:
        """Raise `CannotTake`, also for a step that is none of `TAKEN`."""
        if action not in TAKEN | {ENDS}:
            raise CannotTake(f"{action} is no step that can be carried out here")
        Brokers.perform(self, action, arguments, before, after)

    def end(self) -> None:
        for pair in list(self.checks):
            self._let_mark(*pair)
        for each in self.half_open:
            each.close()
        Brokers.end(self)

    def _before_its_end(self, master: str, slave: str, connection: Any) -> None:
        """The class proposes."""

    def _AcknowledgePut(self, name: str, number: int, before: State, after: State) -> None:
        Brokers._AcknowledgePut(self, name, number, before, after)
        self.acked.add(number)
        holders = [each for each in self.ids if number in self.log_of(each)]
        if len(holders) < self.settings.get("minInSyncReplicas", 1):
            self.thin.add(number)

    def _shrunk(self, master: HeldStore, members: frozenset[int]) -> None:
        master.proposed.append(members)
        self.checked.append(members)

    def _SendQueuedProposal(self, request: Mapping[str, Any], before: State, after: State) -> None:
        """The numbers that `ReplicasManager` puts on it are the model's. Connections' proposals have one thread, so
        they leave in their order; the check for slaves that lag has another one."""
        name, members = request["from"], self._set(request["members"])
        waiting = [each for each in self._at(name).proposed if each not in self.checked]
        queue = waiting[self.sent.get(name, 0) :]
        if members in self.checked:
            return
        if queue[:1] != [members]:
            first = sorted(queue[0]) if queue else "nothing"
            raise CannotTake(f"{name} sends {first} before {sorted(members)}: connections' proposals have one thread")
        self.sent[name] = self.sent.get(name, 0) + 1

    def _SlaveConnectsAndTruncates(self, name: str, before: State, after: State) -> None:
        Brokers._SlaveConnectsAndTruncates(self, name, before, after)
        wanted = map_of(map_of(after["connection"])[self.masters[name]])[name]["ack"]
        if wanted >= 0:  # in the model a handshake brings it along
            self.notes.append(f"the first report of {name} arrives")
            self._deliver_ack(name, wanted * self.size)

    def _SlaveAppendsBatch(self, name: str, before: State, after: State) -> None:
        connection = self._at(self.masters[name]).connection_of(self._at(name).broker_id)
        if int(connection.getSlaveAckOffset()) < 0:
            self.notes.append(f"{name} reports its end first: a connection sends nothing before")
            self._deliver_ack(name)
        Brokers._SlaveAppendsBatch(self, name, before, after)
        passed, slave = self.transferred, self._at(name)
        if passed is not None and passed.body:
            self._until(lambda: slave.end >= passed.offset + len(passed.body), f"the append of {name}")

    def _ProposeShrink(self, name: str, other: str, before: State, after: State) -> None:
        """By the check for slaves that lag, or by the end of a connection, which may have been before."""
        store = self._at(name)
        members = self._set(map_of(before["broker"])[name]["sss"]) - {self.ids[other]}
        if store.connection_of(self.ids[other]) is None and store.marked:
            with contextlib.suppress(CannotTake):
                self._expect(name, members)
        if members not in store.proposed:
            if store.marked:
                raise CannotTake(f"the check of {name} for slaves that lag waits for the answer to the last proposal")
            Brokers._ProposeShrink(self, name, other, before, after)
        self._expect(name, members)

    def _ConnectionEnds(self, name: str, other: str, before: State, after: State) -> None:
        """A shrink for which nothing else was needed of the slave's connection: it ends."""
        if self.masters.get(other) == name:
            self.notes.append(f"the connection of {other} ends")
            self._leave(other)
            self._expect(name, self._set(map_of(before["broker"])[name]["sss"]) - {self.ids[other]})
            return
        self._ProposeShrink(name, other, before, after)

    def _ProposeExpand(self, name: str, other: str, before: State, after: State) -> None:
        Brokers._ProposeExpand(self, name, other, before, after)
        self._expect(name, self._set(map_of(before["broker"])[name]["sss"]) | {self.ids[other]})

    def _ExpandIsChecked(self, name: str, other: str, before: State, after: State) -> None:
        """Its thread waits for the epoch cache, between what it has found and its mark."""
        held = contextlib.ExitStack()
        held.enter_context(self._at(name).epochs_held())
        check = threading.Thread(target=Brokers._ProposeExpand, args=(self, name, other, before, after), daemon=True)
        self.checks[name, other] = check, held
        check.start()
        self._until(lambda: self._at(name).checking or not check.is_alive(), "the end of the check")
        if not check.is_alive():
            raise CannotTake(f"{name} does not find that {other} has caught up")

    def _ExpandIsMarked(self, checked: Mapping[str, Any], before: State, after: State) -> None:
        self._let_mark(checked["master"], checked["slave"])
        self._expect(checked["master"], self._set(checked["members"]))

    def _let_mark(self, name: str, other: str) -> None:
        check, held = self.checks.pop((name, other))
        held.close()
        check.join()

    def _expect(self, name: str, members: frozenset[int]) -> None:
        """Its last proposal; the class's one thread for them has handed over all that were made."""
        store = self._at(name)
        store.proposals_are_handed_over()
        if store.proposed[-1:] != [members]:
            last = sorted(store.proposed[-1]) if store.proposed else "nothing"
            raise CannotTake(f"{name} proposes {last} and not {sorted(members)}")

    def _ReceiveNotice(self, name: str, notice: Mapping[str, Any], before: State, after: State) -> None:
        if notice["master"] == name:
            self._lead(name, notice["epoch"], self._set(notice["sss"]))
        else:
            self._obey(name, notice["master"], notice["epoch"], before)

    def _ConsumerReads(self, name: str, before: State, after: State) -> None:
        """What lies before the confirmOffset, which bounds what is dispatched (`readUnCommitted=false`)."""
        store = self._at(name)
        self.consumed.update(store.messages()[: max(store.confirmed, 0) // self.size])

    def _ConnectionBreaks(self, name: str, before: State, after: State) -> None:
        master = self.masters[name]
        if not map_of(map_of(after["connection"])[master])[name]["open"]:
            Brokers._ConnectionBreaks(self, name, before, after)
            return
        self.notes.append(f"the connection of {name} is half open: its master does not notice")
        self.half_open.append(self.relays[name].masters_end())
        self._forget(name)

    def _RestartedBrokerIsElected(self, name: str, before: State, after: State) -> None:
        """With the epoch and the set of the controller's answer, as `ReplicasManager.brokerElect` takes them."""
        told = after["controller"]
        self._lead(name, told["masterEpoch"], self._set(told["sss"]))

    # --- machines ----------------------------------------------------------------------------------------------------

    def _BrokerRestartsWithWritten(self, name: str, before: State, after: State) -> None:
        self._BrokerRestarts(name, before, after)

    def _EpochFileIsUnreadable(self, name: str, before: State, after: State) -> None:
        for file in self._epoch_files(name):
            file.write_text(_OF_ANOTHER_CHECKSUM, encoding="ascii")
        self.files[name] = []

    def _BackupOfEpochFileIsRead(self, name: str, before: State, after: State) -> None:
        """Where there is one: the file of one change has none."""
        written = self._epoch_files(name)[0]
        written.write_text(_OF_ANOTHER_CHECKSUM, encoding="ascii")
        kind = self.jpype.JClass("org.apache.rocketmq.store.ha.autoswitch.EpochFileCache")
        cache = kind(str(written))
        cache.initCacheFromFile()
        self.files[name] = [(int(each.getEpoch()), int(each.getStartOffset())) for each in cache.getAllEntries()]

    def _epoch_files(self, name: str) -> list[Path]:
        """The file, and its backup."""
        return sorted(self.folders[name].glob("epochFileCheckpoint*"))

    def _ProcessCrashes(self, name: str, before: State, after: State) -> None:
        self._remember(name)
        Brokers._ProcessCrashes(self, name, before, after)

    def _BytesAreFlushed(self, name: str, before: State, after: State) -> None:
        self._at(name).store.getCommitLog().flush()

    def _MachineCrashes(self, name: str, kept: int, before: State, after: State) -> None:
        """Of the bytes that were not forced to the disk those from `kept` on are gone: zeros in the file."""
        store = self._at(name)
        forced = int(store.store.getCommitLog().getFlushedWhere())
        left = kept * self.size
        if left < forced:
            raise CannotTake(f"{name} has forced {forced} bytes to the disk, and {left} are to be left")
        self._ProcessCrashes(name, before, after)
        for file in sorted((self.folders[name] / "commitlog").iterdir()):
            start = max(left - int(file.name), 0)
            size = file.stat().st_size
            if start < size:
                with file.open("r+b") as stream:
                    stream.seek(start)
                    stream.write(bytes(size - start))
        self.logs[name] = self.logs[name][:kept]

    def _DiskIsLost(self, name: str, before: State, after: State) -> None:
        self._ProcessCrashes(name, before, after)
        shutil.rmtree(self.folders[name])
        self.folders[name] = Path(tempfile.mkdtemp(prefix="rmqproof-store-"))
        self.logs[name], self.files[name] = [], []
        if map_of(after["broker"])[name]["role"] != "Down":
            self._BrokerRestarts(name, before, after)

    def _remember(self, name: str) -> None:
        store = self._at(name)
        self.logs[name], self.files[name] = store.messages(), store.entries

    # --- what is there -----------------------------------------------------------------------------------------------

    def log_of(self, name: str) -> list[int]:
        store = self.stores[name]
        return store.messages() if store is not None else self.logs[name]

    def heartbeat_of(self, name: str) -> tuple[int, int]:
        """Epoch and end of log, as its last heartbeat says; of a broker that does not run, what it left."""
        store = self.stores[name]
        if store is not None:
            return store.epoch, store.end
        return self.files[name][-1][0] if self.files[name] else 0, len(self.logs[name]) * self.size

    def seen(self) -> dict[str, Any]:
        """As plain data: of each broker log, epoch file, confirmOffset and sets, and what producers and consumers
        have."""
        return {
            "brokers": {name: self._seen_of(name, store) for name, store in self.stores.items()},
            "acked": sorted(self.acked),
            "thin": sorted(self.thin),
            "consumed": sorted(self.consumed),
            "heartbeats": {name: self.heartbeat_of(name) for name in self.ids},
        }

    def _seen_of(self, name: str, store: HeldStore | None) -> dict[str, Any]:
        if store is None:
            return {"log": self.logs[name], "epochFile": self._in_messages(self.files[name])}
        acks = {}
        for other, number in self.ids.items():
            connection = store.connection_of(number)
            if connection is not None:
                acks[other] = int(connection.getSlaveAckOffset()) // self.size
        found = {
            "log": store.messages(),
            "epochFile": self._in_messages(store.entries),
            "confirm": max(store.confirmed, 0) // self.size,
            "acks": acks,
        }
        if store.is_master:
            found["sss"] = [name for name, number in self.ids.items() if number in store.local]
            found["pending"] = [name for name, number in self.ids.items() if number in store.marked]
        return found

    def _in_messages(self, entries: list[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(epoch, start // self.size) for epoch, start in entries]
