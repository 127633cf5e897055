"""How the world's state is shown as the variables of spec/core/ControllerMode.tla."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rmqproof.conformance.adapter import Value
from rmqproof.conformance.reference.disk import Disk
from rmqproof.conformance.reference.settings import BROKER_NAME, Settings
from rmqproof.conformance.reference.world import Logged, World
from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core.controller_io import AlterSyncStateSetEvent, ElectMasterEvent

_ROLES = {
    Role.FENCED: "Fenced",
    Role.SLAVE: "Slave",
    Role.PROMOTING: "Promoting",
    Role.LABELLED: "Labelled",
    Role.MASTER: "Master",
}

MAPPED: Mapping[str, str] = {
    "controller.sets.master_broker_id": "controller.master",
    "controller.sets.master_epoch": "controller.masterEpoch",
    "controller.sets.sync_state_set": "controller.sss",
    "controller.sets.sync_state_set_epoch": "controller.sssEpoch",
    "controller.live.last_update": "controller.alive",
    "controller.live.timeout_millis": "controller.alive",
    "now": "controller.alive",
    "log": "events",
    "disks.log": "disk.log",
    "disks.flushed": "disk.flushed",
    "disks.epoch_file": "disk.epochFile",
    "disks.confirm_offset": "disk.confirm",
    "disks.residue": "disk.residue",
    "disks.identity": "broker.role",
    "epoch_of": "disk.log",
    "brokers.log_end": "disk.log",
    "brokers.flushed": "disk.flushed",
    "brokers.epoch_file": "disk.epochFile",
    "brokers.confirm_offset": "disk.confirm",
    "brokers.role": "broker.role",
    "brokers.master_epoch": "broker.masterEpoch",
    "brokers.master_id": "broker.master",
    "brokers.sync_state_set": "broker.sss",
    "brokers.sync_state_set_epoch": "broker.sssEpoch",
    "brokers.pending": "broker.pending",
    "brokers.waiting": "broker.waiting",
    "brokers.client_state": "link",
    "brokers.connections.slave_id": "connection",
    "brokers.connections.ack": "connection.ack",
    "brokers.connections.transfer_epoch": "connection.transferEpoch",
    "brokers.connections.transfer_end": "connection.transferEnd",
    "brokers.connections.master_end": "connection.masterEnd",
    "brokers.queue": "requests",
    "alters": "requests",
    "notices": "notices",
    "history": "history",
    "used": "used",
}
"""Fields of the world, and the variable that shows each. What the core of a broker believes of its disk is shown only
where it is not so: then `disk` has a field that the model has not."""

ELIDED: Mapping[str, str] = {
    "brokers._out": "Empty between steps.",
    "brokers.config": "Never changes; made from the constants.",
    "brokers.rules": "Never changes; made from the replaced rules.",
    "brokers.master_address": "Says where the master is, not who: the model has no addresses.",
    "brokers.silent": "No controller of ours answers a restarted broker so.",
    "brokers.unknown_restart": "As brokers.silent.",
    "brokers.reported_offset": "What the slave acknowledged last: the ack at the other end of its connection.",
    "brokers.connections.async_learner": "Never changes; the constant Learners.",
    "brokers.connections.next_offset": "The end of the slave's log: a batch is sent and appended in one step.",
    "brokers.connections.last_label": "Saves headers that bring nothing; what the slave took of them is in its file.",
    "brokers.queue.computed_from": "A ghost in the requests (basis).",
    "brokers.waiting.offset": "Where the message lies; the log shows it.",
    "controller.config": "Never changes; made from the constants.",
    "controller.rules": "Never changes; made from the replaced rules.",
    "controller.live.epoch": "Ranks candidates of an election; in the model any of them may be elected.",
    "controller.live.max_offset": "As controller.live.epoch.",
    "controller.live.confirm_offset": "As controller.live.epoch.",
    "controller.live.election_priority": "As controller.live.epoch.",
    "controller.sets.broker_name": "There is one broker set.",
    "controller.sets.cluster_name": "There is one broker set.",
    "controller.sets.registered": "All brokers are registered; how they get there is spec/protocols/Registration.tla.",
    "controller.sets.next_assign_broker_id": "As controller.sets.registered.",
    "controller.sets.brokers": "As controller.sets.registered; the addresses identify nobody.",
    "links": "Which connection is whose: shown by link and connection, the numbers mean nothing.",
    "hopeless": "Requests that the model forgets, since they can only be refused; they are driven all the same.",
    "settings": "Never changes; made from the constants.",
    "happened": "What the cores reported in the last step, for the answer of perform().",
}

CONTAINERS = (
    {name[:end] for name in (*MAPPED, *ELIDED) for end, letter in enumerate(name) if letter == "."}
    - MAPPED.keys()
    - ELIDED.keys()
)
"""Fields that only hold others."""


class Observer:
    """Remembers what each part showed last, since most steps change few parts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._most = settings.limits["MaxPuts"]
        self._closed = {"open": False, "ack": -1, "transferEpoch": 0, "transferEnd": -1, "twin": -1, "masterEnd": -1}

    def observe(self, world: World) -> dict[str, Value]:
        settings = self.settings
        names = settings.names
        return {
            "controller": self._controller(world.controller, world.now),
            "events": [self._event(logged) for logged in world.log],
            "disk": {
                "#map": [[names[i - 1], self._disk(world.disks[i], world.brokers[i], world)] for i in world.disks]
            },
            "broker": {"#map": [[names[i - 1], self._broker(b, world.disks[i])] for i, b in world.brokers.items()]},
            "link": {
                "#map": [
                    [names[i - 1], settings.name_of(b.copies_from if b is not None else None)]
                    for i, b in world.brokers.items()
                ]
            },
            "connection": {"#map": [[names[i - 1], self._connections(b)] for i, b in world.brokers.items()]},
            "requests": {"#set": self._requests(world)},
            "notices": {
                "#set": [
                    {
                        "type": "NotifyBrokerRoleChanged",
                        "epoch": notice.master_epoch,
                        "master": settings.name_of(notice.master_broker_id),
                        "sss": settings.set_of(notice.sync_state_set),
                        "sssEpoch": notice.sync_state_set_epoch,
                    }
                    for notice in world.notices
                ]
            },
            "history": self._history(world),
            "used": dict(world.used),
        }

    def _controller(self, controller: Controller, now: int) -> Value:
        state = controller.broker_set(BROKER_NAME)
        settings = self.settings
        alive = frozenset(i for i in settings.brokers if controller.alive(BROKER_NAME, i, now))
        return {
            "masterEpoch": state.master_epoch,
            "master": settings.name_of(state.master_broker_id),
            "sss": settings.set_of(state.sync_state_set),
            "sssEpoch": state.sync_state_set_epoch,
            "alive": settings.set_of(alive),
        }

    def _event(self, logged: Logged) -> Value:
        settings, event = self.settings, logged.event
        if isinstance(event, AlterSyncStateSetEvent):
            kind, master, members = "AlterSyncStateSet", logged.sender, event.new_sync_state_set
        else:
            assert isinstance(event, ElectMasterEvent)
            kind, master, members = "ElectMaster", event.new_master_broker_id, event.sync_state_set
        return {
            "type": kind,
            "master": settings.name_of(master),
            "members": settings.set_of(members),
            "masterEpoch": logged.master_epoch,
            "basis": logged.basis,
        }

    def _disk(self, disk: Disk, broker: Broker | None, world: World) -> Value:
        def entries(body: bytes) -> Value:
            return [{"id": message, "epoch": world.epoch_of[message]} for message in body]

        shown: dict[str, Any] = {
            "log": entries(disk.log),
            "flushed": disk.flushed,
            "epochFile": [{"epoch": entry.epoch, "start": entry.start_offset} for entry in disk.epoch_file],
            "confirm": disk.confirm_offset,
            "residue": entries(disk.residue),
        }
        if broker is not None:  # what the core believes of its disk must be so
            believed = {
                "logEnd": (broker.log_end, len(disk.log)),
                "flushed": (broker.flushed, disk.flushed),
                "epochFile": (broker.epoch_file, disk.epoch_file),
                "confirm": (broker.confirm_offset, disk.confirm_offset),
            }
            shown |= {f"{name}OfTheCore": str(core) for name, (core, stored) in believed.items() if core != stored}
        return shown

    def _broker(self, broker: Broker | None, disk: Disk) -> Value:
        settings = self.settings
        if broker is None:
            role = "Down" if disk.identity else "Lost"
            empty: Value = {"#set": []}
            return {
                "role": role,
                "masterEpoch": 0,
                "master": settings.nobody,
                "sss": empty,
                "sssEpoch": 0,
                "pending": empty,
                "waiting": empty,
            }
        return {
            "role": _ROLES[broker.role],
            "masterEpoch": broker.master_epoch,
            "master": settings.name_of(broker.master_id),
            "sss": settings.set_of(broker.sync_state_set),
            "sssEpoch": broker.sync_state_set_epoch,
            "pending": settings.set_of(broker.pending),
            "waiting": {"#set": sorted(waiting.token for waiting in broker.waiting)},
        }

    def _connections(self, broker: Broker | None) -> Value:
        shown = []
        for i, name in enumerate(self.settings.names, 1):
            mine = [] if broker is None else [c for c in broker.connections.values() if c.slave_id == i]
            if not mine:
                shown.append([name, self._closed])
                continue
            newest = mine[-1]
            shown.append(
                [
                    name,
                    {
                        "open": True,
                        "ack": min(newest.ack, self._most),
                        "transferEpoch": newest.transfer_epoch,
                        "transferEnd": newest.transfer_end,
                        "twin": max((min(c.ack, self._most) for c in mine[:-1]), default=-1),
                        "masterEnd": newest.master_end,
                    },
                ]
            )
        return {"#map": shown}

    def _requests(self, world: World) -> list[Value]:
        settings = self.settings

        def shown(sender: int, epochs: tuple[int, int], members: frozenset[int], sent: bool, basis: int) -> Value:
            return {
                "type": "AlterSyncStateSet",
                "from": settings.name_of(sender),
                "masterEpoch": epochs[0],
                "sssEpoch": epochs[1],
                "members": settings.set_of(members),
                "sent": sent,
                "basis": basis,
            }

        found = [
            shown(a.sender, (a.master_epoch, a.sync_state_set_epoch), a.members, True, a.basis) for a in world.alters
        ]
        for i, broker in world.brokers.items():
            if broker is not None:
                found += [shown(i, (0, 0), q.members, False, q.computed_from) for q in broker.queue]
        return found

    def _history(self, world: World) -> Value:
        history, settings = world.history, self.settings
        return {
            "acked": {"#set": sorted(history.acked)},
            "thin": {"#set": sorted(history.thin)},
            "consumed": {"#set": sorted(history.consumed)},
            "owners": [settings.set_of(owners) for owners in history.owners],
            "staleAlter": history.stale_alter,
            "foreignAlter": history.foreign_alter,
            "electedOutside": history.elected_outside,
        }
