"""The brokers of spec/core/ControllerMode.tla on real stores: each action's part, and what is seen of them afterwards.

The controller's part, and what `ReplicasManager` knows of it, are the model's: they say with which epoch and which set
a broker is told to lead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

from rmqproof.impl.core.replication_messages import Transfer
from rmqproof.rocketmq.java_fields import field_of
from rmqproof.rocketmq.walks.held_store import HeldStore
from rmqproof.rocketmq.walks.relay import Relay

_REPORT_SECONDS = 3
State = Mapping[str, Any]
"""A state of the model as ITF JSON."""


class CannotTake(Exception):
    """The class does not take this step here; the text says what it did instead."""


@dataclass(slots=True)
class Brokers:
    """The stores of one walk. `size`: bytes of a message, all are alike."""

    jpype: Any
    settings: dict[str, Any]
    size: int
    ids: dict[str, int]
    nobody: str
    stores: dict[str, HeldStore | None] = field(default_factory=dict)
    folders: dict[str, Any] = field(default_factory=dict)
    relays: dict[str, Relay] = field(default_factory=dict)
    masters: dict[str, str] = field(default_factory=dict)
    ended: dict[tuple[str, str], Any] = field(default_factory=dict)
    """Connections that have ended and proposed nothing, by master and slave."""
    """Whom a connected slave copies from."""
    transferred: Transfer | None = None
    """The last batch, or header alone, that passed."""
    patience: int = 20
    """Seconds that the classes' own threads have."""

    # --- the beginning -----------------------------------------------------------------------------------------------

    def begin(self, state: State) -> None:
        """Make the stores, and the roles and connections of the initial state."""
        for name, broker_id in self.ids.items():
            self.stores[name] = self._store(broker_id).__enter__()
        links = map_of(state["link"])
        roles = map_of(state["broker"])
        for name, known in roles.items():
            if known["role"] == "Master":
                self._at(name).lead(known["masterEpoch"], self._set(known["sss"]))
        for name, known in roles.items():
            if known["role"] == "Slave":
                self._at(name).follow_nobody_yet(known["masterEpoch"])
                if links[name] != self.nobody:
                    self._connect(name, links[name])
                    self._deliver_ack(name)
        for name, known in roles.items():  # as InSync at the beginning: both files say that epoch 1 begins at 0
            if known["role"] == "Slave" and map_of(state["disk"])[name]["epochFile"]["#tup"]:
                entry = self.jpype.JClass("org.apache.rocketmq.remoting.protocol.EpochEntry")(1, 0)
                cache = field_of(self._at(name).ha, "epochCache").get(self._at(name).ha)
                if not cache.getEntrySize():
                    cache.appendEntry(entry)

    def end(self) -> None:
        for relay in self.relays.values():
            relay.close()
        for store in self.stores.values():
            if store is not None:
                store.abandon()

    def _store(self, broker_id: int, folder: Any = None) -> HeldStore:
        return HeldStore(self.jpype, broker_id, folder, haTransferBatchSize=self.size, **self.settings)

    def _at(self, name: str) -> HeldStore:
        found = self.stores[name]
        assert found is not None, f"{name} does not run"
        return found

    def _set(self, members: Any) -> frozenset[int]:
        return frozenset(self.ids[each] for each in members["#set"])

    def _until(self, condition: Callable[[], bool], what: str) -> None:
        end = monotonic() + self.patience
        while not condition():
            if monotonic() > end:
                raise CannotTake(f"{what} did not come within {self.patience} s")
            sleep(0.0005)

    # --- steps -------------------------------------------------------------------------------------------------------

    def perform(self, action: str, arguments: tuple[Any, ...], before: State, after: State) -> None:
        """Raise `CannotTake`."""
        step = getattr(self, f"_{action}", None)
        if step is not None:
            step(*arguments, before, after)

    def _AppendPut(self, name: str, before: State, after: State) -> None:
        if not self._at(name).append(before["used"]["puts"] + 1):
            raise CannotTake("the put was refused")

    def _AcknowledgePut(self, name: str, number: int, before: State, after: State) -> None:
        status = self._at(name).answer(number)
        if status != "PUT_OK":
            raise CannotTake(f"the producer gets {status or 'no answer'}")

    def _SlaveConnectsAndTruncates(self, name: str, before: State, after: State) -> None:
        self._connect(name, map_of(before["broker"])[name]["master"])

    def _connect(self, name: str, master: str) -> None:
        slave, old = self._at(name), self.relays.get(name)
        if old is not None:
            old.close()
        relay = self.relays[name] = Relay(self.patience)
        slave.ha.updateHaMasterAddress(f"127.0.0.1:{relay.port}")
        relay.connect(self._at(master).port)
        client = slave.ha.getHAClient()
        self._until(lambda: str(client.getCurrentState().name()) != "HANDSHAKE", "the end of the handshake")
        if str(client.getCurrentState().name()) != "TRANSFER":
            raise CannotTake(f"{name} ends the connection in the handshake")
        self.masters[name] = master
        self._until(lambda: self._at(master).connection_of(slave.broker_id) is not None, "the connection")
        connection = self._at(master).connection_of(slave.broker_id)
        field_of(connection, "flowMonitor").get(connection).shutdown()
        field_of(connection, "isAsyncLearner").setBoolean(connection, True)

    def _SlaveAppendsBatch(self, name: str, before: State, after: State) -> None:
        master = self._at(self.masters[name])
        connection = master.connection_of(self._at(name).broker_id)
        monitor = field_of(connection, "flowMonitor").get(connection)
        writer = field_of(connection, "writeSocketService").get(connection)

        more = _length(after, name) > _length(before, name)
        begins = self._transferred_epoch(before, name) != self._transferred_epoch(after, name)
        if more and self._at(name).end >= master.end:
            messages = len(self._at(name).messages()), len(master.messages())
            raise CannotTake(f"{name} has {messages[0]} messages, its master {messages[1]}: there is nothing to send")

        def send() -> None:
            used = int(field_of(monitor, "transferredByte").get(monitor).get())
            if more:
                master.config.setMaxHaTransferByteInSecond(self.size + used)
            elif master.end > self._at(name).end and (begins or _number(connection, "currentTransferEpoch") < 0):
                # the header alone with which another epoch begins; one byte is enough for that
                master.config.setMaxHaTransferByteInSecond(1 + used)
            else:  # a header alone is a heartbeat
                master.config.setHaSendHeartbeatInterval(-1)
            writer.wakeup()
            master.ha.getWaitNotifyObject().wakeupAll()

        self.transferred = self.relays[name].batch(send)
        master.config.setHaSendHeartbeatInterval(10**9)
        master.config.setMaxHaTransferByteInSecond(0)

    def _transferred_epoch(self, state: State, slave: str) -> int:
        return int(map_of(map_of(state["connection"])[self.masters[slave]])[slave]["transferEpoch"])

    def _MasterReceivesAck(self, name: str, before: State, after: State) -> None:
        master = self.masters[name]
        ack = map_of(map_of(after["connection"])[master])[name]["ack"]
        self._deliver_ack(name, ack * self.size)

    def _deliver_ack(self, name: str, wanted: int | None = None) -> None:
        """`wanted`: the offset that the model has; a report of before the last batch may be the first that comes."""
        slave, master, relay = self._at(name), self._at(self.masters[name]), self.relays[name]
        connection = master.connection_of(slave.broker_id)

        def ask() -> None:
            slave.config.setHaSendHeartbeatInterval(-1)
            slave.wake_client()

        offset, end = relay.reported(ask), monotonic() + _REPORT_SECONDS
        while wanted is not None and offset != wanted and monotonic() < end:
            offset = relay.reported(ask)
        slave.config.setHaSendHeartbeatInterval(10**9)
        relay.deliver()
        self._until(lambda: int(connection.getSlaveAckOffset()) == offset, "the ack")

    def _ProposeExpand(self, name: str, other: str, before: State, after: State) -> None:
        master = self._at(name)
        connection = master.connection_of(self.ids[other])
        learner = field_of(connection, "isAsyncLearner")
        learner.setBoolean(connection, False)
        method = connection.getClass().getDeclaredMethod("maybeExpandInSyncStateSet", self.jpype.java.lang.Long.TYPE)
        method.setAccessible(True)
        try:
            method.invoke(connection, self.jpype.java.lang.Long(connection.getSlaveAckOffset()))
        finally:
            learner.setBoolean(connection, True)

    def _ProposeShrink(self, name: str, other: str, before: State, after: State) -> None:
        """Its connection has ended; or its last caught-up time is long ago, that of the others is now."""
        master, ended = self._at(name), self.ended.pop((name, other), None)
        if ended is not None and master.connection_of(self.ids[other]) is None:
            field_of(ended, "slaveId").setLong(ended, self.ids[other])
            master.ha.getConnectionCount().incrementAndGet()  # it was counted down when it ended
            master.ha.removeConnection(ended)
            return
        times = field_of(master.ha, "connectionCaughtUpTimeTable").get(master.ha)
        now = self.jpype.java.lang.System.currentTimeMillis()
        for broker_id in self.ids.values():
            past = broker_id == self.ids[other]
            times.put(self.jpype.java.lang.Long(broker_id), self.jpype.java.lang.Long(0 if past else now))
        self._shrunk(master, frozenset(int(each) for each in master.ha.maybeShrinkSyncStateSet()))

    def _shrunk(self, master: HeldStore, members: frozenset[int]) -> None:
        """What `ReplicasManager.checkSyncStateSetAndDoReport` would send."""

    def _LearnSyncStateSet(self, name: str, before: State, after: State) -> None:
        self._at(name).learn(self._set(before["controller"]["sss"]))

    def _BecomeMaster(self, name: str, before: State, after: State) -> None:
        told = before["controller"]
        self._lead(name, told["masterEpoch"], self._set(told["sss"]))

    def _lead(self, name: str, epoch: int, members: frozenset[int]) -> None:
        store = self._at(name)
        changes = not store.is_master
        if changes:
            self._leave(name)
            # else `truncateInvalidMsg` cuts, and with it goes an entry that begins at the end of the log (F-76)
            self._until(lambda: store.behind == 0, f"the dispatch of {name}")
        store.lead(epoch, members)
        if changes:
            self._lose_slaves(name)

    def _BecomeSlave(self, name: str, before: State, after: State) -> None:
        told = before["controller"]
        self._obey(name, told["master"], told["masterEpoch"], before)

    def _obey(self, name: str, master: str, epoch: int, before: State) -> None:
        store, known = self._at(name), map_of(before["broker"])[name]
        if known["role"] == "Slave" and known["master"] == master:
            store.go_on_following(epoch)
            return
        self._leave(name)
        store.follow_nobody_yet(epoch)
        self._lose_slaves(name)

    def _lose_slaves(self, name: str) -> None:
        """A change of its role has ended their connections."""
        for slave, master in list(self.masters.items()):
            if master == name:
                self._forget(slave)

    def _ConnectionBreaks(self, name: str, before: State, after: State) -> None:
        self._leave(name)

    def _leave(self, slave: str) -> None:
        """The slave's connection ends, and its master knows it."""
        master = self.masters.get(slave)
        if master is not None and self.stores[master] is not None:
            store = self._at(master)
            connection = store.connection_of(self.ids[slave])
            if connection is not None:
                self._before_its_end(master, slave, connection)
            self._forget(slave)
            self._until(
                lambda: connection not in list(store.ha.getConnectionList().toArray()), "the end of the connection"
            )

    def _before_its_end(self, master: str, slave: str, connection: Any) -> None:
        """It would propose a set without its slave, which is a step of its own."""
        field_of(connection, "slaveId").setLong(connection, -1)
        self.ended[master, slave] = connection

    def _forget(self, slave: str) -> None:
        if self.masters.pop(slave, None) is None:
            return
        store = self.stores[slave]
        self.relays.pop(slave).close()
        if store is not None:
            client = store.ha.getHAClient()
            client.updateHaMasterAddress(None)
            self._until(lambda: str(client.getCurrentState().name()) != "TRANSFER", "the slave's end of the connection")

    def _ProcessCrashes(self, name: str, before: State, after: State) -> None:
        store = self._at(name)
        self.folders[name] = store.killed()
        self.stores[name] = None
        self._leave(name)
        self._lose_slaves(name)

    def _BrokerRestarts(self, name: str, before: State, after: State) -> None:
        self.stores[name] = self._store(self.ids[name], self.folders.pop(name)).__enter__()

    # --- what is seen ------------------------------------------------------------------------------------------------

    def differences(self, state: State) -> list[str]:
        """Where the classes are not in this state, as sentences."""
        found: list[str] = []
        for name in self.ids:
            store = self.stores[name]
            if store is not None:
                found += [f"{name}.{each}" for each in self._of_broker(name, store, state)]
        return found

    def _of_broker(self, name: str, store: HeldStore, state: State) -> list[str]:
        disk, known = map_of(state["disk"])[name], map_of(state["broker"])[name]
        master = known["role"] == "Master"
        pairs: list[tuple[str, Any, Any]] = [
            ("log", [each["id"] for each in disk["log"]["#tup"]], store.messages()),
            ("end", len(disk["log"]["#tup"]) * self.size, store.end),
            (
                "epochFile",
                [(each["epoch"], each["start"] * self.size) for each in disk["epochFile"]["#tup"]],
                store.entries,
            ),
            ("waiting", sorted(known["waiting"]["#set"]), sorted(store.waiting)),
        ]
        if master:
            pairs += [
                ("sss", self._set(known["sss"]), store.local),
                ("pending", self._set(known["pending"]), store.marked),
                ("confirm", disk["confirm"] * self.size, store.stored_confirm),
            ]
        connections = map_of(map_of(state["connection"])[name])
        for other, each in connections.items():
            pairs += self._of_connection(store, other, each)
        return [f"{what}: model {wanted}, class {seen}" for what, wanted, seen in pairs if wanted != seen]

    def _of_connection(self, store: HeldStore, other: str, wanted: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
        if other not in self.ids or self.ids[other] == store.broker_id:
            return []
        connection = store.connection_of(self.ids[other])
        pairs: list[tuple[str, Any, Any]] = [(f"connection {other}", wanted["open"], connection is not None)]
        if connection is None or not wanted["open"]:
            return pairs
        ack = wanted["ack"]
        pairs.append((f"ack of {other}", ack * self.size if ack > 0 else ack, int(connection.getSlaveAckOffset())))
        if wanted["masterEnd"] >= 0:  # a batch with bytes was sent; what it chose, it chose then
            end = wanted["transferEnd"]
            pairs += [
                (f"transferEpoch to {other}", wanted["transferEpoch"], _number(connection, "currentTransferEpoch")),
                (
                    f"transferEnd to {other}",
                    end * self.size if end > 0 else end,
                    _number(connection, "currentTransferEpochEndOffset"),
                ),
                (
                    f"masterEnd to {other}",
                    wanted["masterEnd"] * self.size,
                    _number(connection, "lastMasterMaxOffset"),
                ),
            ]
        return pairs


def _number(value: Any, name: str) -> int:
    return int(field_of(value, name).get(value))


def _length(state: State, name: str) -> int:
    """Of a broker's log, in messages."""
    return len(map_of(state["disk"])[name]["log"]["#tup"])


def not_at_this_grain(action: str, arguments: tuple[Any, ...], state: State) -> str:
    """Why the classes cannot take a step in a state, or nothing."""
    if action == "SlaveAppendsBatch":
        (name,) = arguments
        master = map_of(state["link"])[name]
        if map_of(map_of(state["connection"])[master])[name]["ack"] < 0:
            return "a connection sends nothing before the slave's first report; the model's does"
    return ""


def map_of(value: Any) -> dict[str, Any]:
    """A function of the model whose arguments are model values."""
    return dict(value["#map"])
