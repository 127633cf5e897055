"""A controller, brokers, their disks and the messages between them; no decision is taken here.

The world carries out what the cores ask for and delivers messages when it is told to. What the model calls budgets are
the environment's: how many messages producers send, how many faults happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.conformance.reference.disk import Disk
from rmqproof.conformance.reference.settings import BROKER_NAME, CLUSTER_NAME, Settings
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.parts import HaConnection
from rmqproof.impl.controller.broker_set import BrokerIdentity, BrokerSet
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core.broker_inputs import BrokerInput, MasterDisconnected, SlaveDisconnected
from rmqproof.impl.core.broker_outputs import BrokerOutput, CloseConnection, DisconnectHa, Event
from rmqproof.impl.core.codes import ConnectionState
from rmqproof.impl.core.controller_io import (
    AlterSyncStateSetEvent,
    ApplyBrokerIdEvent,
    ControllerEvent,
    ControllerInput,
    ControllerOutput,
    ControllerStep,
    ControllerTrace,
    ElectMasterEvent,
    Notify,
)
from rmqproof.impl.core.controller_messages import NotifyBrokerRoleChangedRequest
from rmqproof.impl.core.replication_messages import EpochEntry

HEARTBEAT_TIMEOUT = 10_000


@dataclass(frozen=True, slots=True)
class Alter:
    """An AlterSyncStateSet request under way. `basis` is a ghost: the set's number that it was computed from."""

    sender: int
    master_epoch: int
    sync_state_set_epoch: int
    members: frozenset[int]
    basis: int


@dataclass(frozen=True, slots=True)
class Logged:
    """An event that the controller's log holds and nobody has applied, with ghosts for the properties."""

    event: ControllerEvent
    sender: int | None
    master_epoch: int
    basis: int


@dataclass(frozen=True, slots=True)
class History:
    """Ghosts that the model's properties speak about."""

    acked: frozenset[int] = frozenset()
    thin: frozenset[int] = frozenset()
    consumed: frozenset[int] = frozenset()
    owners: tuple[frozenset[int], ...] = ()
    stale_alter: bool = False
    foreign_alter: bool = False
    elected_outside: bool = False


BUDGETS = {
    "puts": "MaxPuts",
    "alters": "MaxAlters",
    "crashes": "MaxCrashes",
    "losses": "MaxLosses",
    "lostDisks": "MaxLostDisks",
    "expiries": "MaxExpiries",
    "breaks": "MaxBreaks",
    "designations": "MaxDesignations",
    "failOvers": "MaxFailOvers",
    "cleans": "MaxCleans",
    "reads": "MaxReads",
}


class World:
    """Attributes hold immutable values, or cores that are copied before they take a step."""

    def __init__(self, settings: Settings, controller: Controller | None = None) -> None:
        """`controller`: another one than ours."""
        self.settings = settings
        self.controller = controller or Controller(settings.controller, settings.controller_rules)
        self.brokers: Mapping[int, Broker | None] = {}
        self.disks: Mapping[int, Disk] = {}
        self.links: Mapping[int, tuple[int, int]] = {}
        """The open connection of a slave: its master and the connection's number there."""
        self.alters: frozenset[Alter] = frozenset()
        self.hopeless: frozenset[Alter] = frozenset()
        """Requests that the model has forgotten, since they will be refused for ever. They may still come."""
        self.log: tuple[Logged, ...] = ()
        self.notices: frozenset[NotifyBrokerRoleChangedRequest] = frozenset()
        self.now = 0
        self.epoch_of: Mapping[int, int] = {}
        """Ghost: under which epoch each message was accepted."""
        self.history = History()
        self.used: Mapping[str, int] = dict.fromkeys(BUDGETS, 0)
        self.happened: list[tuple[str, tuple[int, ...]]] = []
        """The steps that the cores reported since the action began."""
        self._begin()

    def _begin(self) -> None:
        """The state in which the model begins: registered brokers, and a master of epoch 1 or nobody."""
        settings = self.settings
        first, members = settings.first_master, settings.first_members
        started = first is not None
        identities = {
            i: BrokerIdentity(config.broker_address, f"{config.broker_address};{i}", config.async_learner)
            for i, config in settings.brokers.items()
        }
        state = BrokerSet(
            CLUSTER_NAME,
            BROKER_NAME,
            registered=True,
            next_assign_broker_id=len(identities) + 1,
            brokers=identities,
            master_epoch=int(started),
            sync_state_set_epoch=int(started),
            sync_state_set=members,
            master_broker_id=first,
        )
        self.controller.sets = {BROKER_NAME: state}
        self.controller.live = {(BROKER_NAME, i): BrokerLiveInfo(HEARTBEAT_TIMEOUT, 0) for i in settings.brokers}
        self.history = History(
            owners=tuple(
                frozenset({first}) if epoch == 1 and first is not None else frozenset()
                for epoch in range(1, settings.limits["MaxEpoch"] + 1)
            )
        )
        brokers: dict[int, Broker | None] = {}
        disks: dict[int, Disk] = {}
        for i, config in settings.brokers.items():
            disks[i] = Disk(epoch_file=(EpochEntry(1, 0),) if i in members else ())
            disks[i], stored = disks[i].recover()
            broker, _ = Broker.start(config, settings.broker_rules, stored)
            broker.role = Role.FENCED
            if first is not None:
                broker.role = Role.MASTER if i == first else Role.SLAVE
                broker.master_epoch, broker.master_id = 1, first
                broker.master_address = settings.brokers[first].broker_address
            if i == first:
                broker.sync_state_set, broker.sync_state_set_epoch = members, 1
                others = sorted(members - {first})
                broker.connections = {
                    number: HaConnection(other, settings.brokers[other].async_learner, ack=0, next_offset=0)
                    for number, other in enumerate(others)
                }
                self.links = {other: (first, number) for number, other in enumerate(others)}
            elif i in members:
                broker.client_state, broker.reported_offset = ConnectionState.TRANSFER, 0
            brokers[i] = broker
        self.brokers, self.disks = brokers, disks

    # --- saving ------------------------------------------------------------------------------------------------------

    def saved(self) -> dict[str, Any]:
        """A state to go back to. Steps copy the cores, so that it stays what it is."""
        return dict(self.__dict__)

    def go_back(self, saved: Mapping[str, Any]) -> None:
        self.__dict__.update(saved)

    def plain(self) -> tuple[Any, ...]:
        """The state as plain data, without what never changes."""
        brokers = {i: None if broker is None else broker.state() for i, broker in self.brokers.items()}
        rest = {name: self.__dict__[name] for name in _PLAIN}
        return self.controller.state(), brokers, rest

    def set_plain(self, plain: tuple[Any, ...]) -> None:
        controller, brokers, rest = plain
        self.controller = self.controller.copy()
        self.controller.set_state(controller)
        made: dict[int, Broker | None] = {}
        for i, state in brokers.items():
            made[i] = None
            if state is not None:
                broker = Broker(self.settings.brokers[i], self.settings.broker_rules)
                broker.set_state(state)
                made[i] = broker
        self.brokers = made
        self.__dict__.update(rest)

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(self, broker_id: int, given: BrokerInput) -> list[BrokerOutput]:
        """One step of a broker whose process runs: writes are done, connections end, the rest is returned."""
        running = self.brokers[broker_id]
        assert running is not None
        broker = running.copy()
        self.brokers = {**self.brokers, broker_id: broker}
        return self.carry_out(broker_id, broker.step(given))

    def carry_out(self, broker_id: int, outputs: Iterable[BrokerOutput]) -> list[BrokerOutput]:
        rest: list[BrokerOutput] = []
        disk = before = self.disks[broker_id]
        ended: list[tuple[int, BrokerInput]] = []
        for output in outputs:
            disk = disk.after(output)
            if isinstance(output, Event):
                self.happened.append((output.action, output.arguments))
            elif isinstance(output, CloseConnection):
                ended += self._unlink(broker_id, output.connection)
            elif isinstance(output, DisconnectHa):
                ended += self._leave(broker_id)
            else:
                rest.append(output)
        if disk is not before:
            self.disks = {**self.disks, broker_id: disk}
        for other, given in ended:
            self.step_if_up(other, given)
        return rest

    def step_if_up(self, broker_id: int, given: BrokerInput) -> list[BrokerOutput]:
        return self.step(broker_id, given) if self.brokers[broker_id] is not None else []

    def ask(self, given: ControllerInput, order: tuple[int, ...] = ()) -> ControllerStep:
        """One step of the controller."""
        self.controller = self.controller.copy()
        before = self.controller.broker_set(BROKER_NAME)
        step = self.controller.step(given, self.now, order)
        self._note(step.outputs, before)
        return step

    def apply(self, event: ControllerEvent) -> None:
        self.controller = self.controller.copy()
        before = self.controller.broker_set(BROKER_NAME)
        self._note(self.controller.apply(event), before)

    def _note(self, outputs: Iterable[ControllerOutput], before: BrokerSet) -> None:
        for output in outputs:
            if isinstance(output, ControllerTrace):
                self.happened.append((output.action, output.arguments))
            elif isinstance(output, Notify) and self.settings.late_notices:
                self.notices |= {output.notification}

    # --- connections -------------------------------------------------------------------------------------------------

    def _unlink(self, master: int, number: int) -> list[tuple[int, BrokerInput]]:
        """A master closed a connection: its slave hears of it at once."""
        for slave, link in self.links.items():
            if link == (master, number):
                self.links = {other: kept for other, kept in self.links.items() if other != slave}
                return [(slave, MasterDisconnected())]
        return []

    def _leave(self, slave: int) -> list[tuple[int, BrokerInput]]:
        """A slave closed its connection: its master hears of it at once, or where connections stay half open, later."""
        link = self.links.get(slave)
        if link is None:
            return []
        self.links = {other: kept for other, kept in self.links.items() if other != slave}
        master, number = link
        return [] if self.settings.half_open else [(master, SlaveDisconnected(number))]

    def link(self, slave: int, master: int) -> int:
        """A new connection of a slave; the number that its master knows it by."""
        broker = self.brokers[master]
        assert broker is not None
        number = 1 + max(broker.connections, default=-1)
        self.links = {**self.links, slave: (master, number)}
        return number

    def break_link(self, slave: int) -> None:
        ended = self._leave(slave)
        self.step_if_up(slave, MasterDisconnected())
        for other, given in ended:
            self.step_if_up(other, given)

    def end_process(self, broker_id: int) -> None:
        """The process is gone with all it knew; its peers notice their connections end, those of its master perhaps
        later."""
        ended = self._leave(broker_id)
        for slave, (master, _) in self.links.items():
            if master == broker_id:
                self.links = {other: kept for other, kept in self.links.items() if other != slave}
                ended.append((slave, MasterDisconnected()))
        self.brokers = {**self.brokers, broker_id: None}
        for other, given in ended:
            self.step_if_up(other, given)

    # --- bookkeeping -------------------------------------------------------------------------------------------------

    def did(self, action: str, *arguments: int) -> bool:
        """Did the cores report this step?"""
        return (action, arguments) in self.happened

    def left(self, budget: str) -> bool:
        return self.used[budget] < self.settings.limits[BUDGETS[budget]]

    def use(self, budget: str) -> None:
        self.used = {**self.used, budget: self.used[budget] + 1}

    def epochs_left(self) -> bool:
        state = self.controller.broker_set(BROKER_NAME)
        return state.master_epoch + len(self.log) < self.settings.limits["MaxEpoch"]

    def forget_hopeless(self) -> None:
        """Requests that the controller will refuse for ever are no longer shown, as the model has it."""
        if self.settings.number_may_return and self.left("cleans"):
            return
        number = self.controller.broker_set(BROKER_NAME).sync_state_set_epoch
        possible = frozenset(alter for alter in self.alters if alter.sync_state_set_epoch >= number)
        self.hopeless |= self.alters - possible
        self.alters = possible

    def acts_as_master(self, broker_id: int) -> None:
        broker = self.brokers[broker_id]
        assert broker is not None
        owners = list(self.history.owners)
        owners[broker.master_epoch - 1] |= {broker_id}
        self.history = replace(self.history, owners=tuple(owners))

    def event_was_applied(self, logged: Logged, before: BrokerSet) -> None:
        """The ghosts of an applied event; `before` is the state that it met."""
        history = self.history
        if isinstance(logged.event, AlterSyncStateSetEvent):
            foreign = logged.sender != before.master_broker_id or logged.master_epoch != before.master_epoch
            self.history = replace(
                history,
                stale_alter=history.stale_alter or logged.basis != before.sync_state_set_epoch,
                foreign_alter=history.foreign_alter or foreign,
            )
        elif isinstance(logged.event, ElectMasterEvent):
            new = logged.event.new_master_broker_id
            outside = (
                new is not None
                and before.master_epoch > 0
                and not self.settings.controller.enable_elect_unclean_master
                and new not in before.sync_state_set
            )
            self.history = replace(history, elected_outside=history.elected_outside or outside)

    def register_again(self, identities: Mapping[int, BrokerIdentity]) -> None:
        """After the metadata was cleaned the brokers register as before; spec/protocols/Registration.tla shows how."""
        for broker_id, known in identities.items():
            self.controller.apply(
                ApplyBrokerIdEvent(
                    CLUSTER_NAME,
                    BROKER_NAME,
                    known.address,
                    broker_id,
                    known.register_check_code,
                    known.async_learner,
                )
            )


_PLAIN = ("disks", "links", "alters", "hopeless", "log", "notices", "now", "epoch_of", "history", "used")
