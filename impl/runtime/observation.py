"""What a node's state is called in the specification: for the trace, and for `status`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rmqproof.impl.broker.broker import Broker
from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.epoch_file import entry_at
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core.controller_messages import AlterSyncStateSetRequest, NotifyBrokerRoleChangedRequest
from rmqproof.impl.core.replication_messages import EpochFile
from rmqproof.impl.runtime.events import NOBODY, itf_set
from rmqproof.impl.storage.commit_log import CommitLog

ROLES = {
    Role.FENCED: "Fenced",
    Role.SLAVE: "Slave",
    Role.PROMOTING: "Promoting",
    Role.LABELLED: "Labelled",
    Role.MASTER: "Master",
}


def name(broker_id: int | None) -> str:
    return NOBODY if broker_id is None else f"b{broker_id}"


def names(broker_ids: Iterable[int]) -> dict[str, list[str]]:
    return itf_set(map(name, broker_ids))


def epoch_file_state(file: EpochFile, log: CommitLog) -> list[dict[str, int]]:
    return [{"epoch": entry.epoch, "start": log.count_before(entry.start_offset)} for entry in file]


def broker_state(
    broker: Broker, log: CommitLog, keys: Mapping[int, str], epoch_file: list[dict[str, int]] | None = None
) -> dict[str, Any]:
    """The model's variables of one broker. `keys`: the message id of each waiting put, by token; `epoch_file`: what
    `epoch_file_state` says, where it is known."""

    def messages(offset: int) -> int:
        return log.count_before(offset) if offset >= 0 else offset

    return {
        "broker": {
            "role": ROLES[broker.role],
            "masterEpoch": broker.master_epoch,
            "master": name(broker.master_id),
            "sss": names(broker.sync_state_set),
            "sssEpoch": broker.sync_state_set_epoch,
            "pending": names(broker.pending),
            "waiting": itf_set(keys[waiting.token] for waiting in broker.waiting),
        },
        "disk": {
            "logEnd": len(log),
            "lastEntry": _last_entry(broker, log),
            "flushed": messages(broker.flushed),
            "epochFile": epoch_file_state(broker.epoch_file, log) if epoch_file is None else epoch_file,
            "confirm": messages(broker.confirm_offset),
        },
        "link": name(broker.copies_from),
        "connection": {
            "#map": [
                [name(connection.slave_id), {"open": True, "ack": messages(connection.ack)}]
                for connection in broker.connections.values()
                if connection.slave_id >= 0
            ]
        },
    }


def _last_entry(broker: Broker, log: CommitLog) -> dict[str, Any] | None:
    """The epoch is that of the epoch file; while a master has not recorded its own, still the one before."""
    if not len(log):
        return None
    last = log[len(log) - 1]
    entry = entry_at(broker.epoch_file, last.start)
    return {"id": last.message.key, "epoch": entry.epoch if entry is not None else 0}


def controller_state(controller: Controller, broker_name: str) -> dict[str, Any]:
    """The model's variable `controller`."""
    state = controller.broker_set(broker_name)
    return {
        "controller": {
            "masterEpoch": state.master_epoch,
            "master": name(state.master_broker_id),
            "sss": names(state.sync_state_set),
            "sssEpoch": state.sync_state_set_epoch,
            "alive": names(broker_id for found, broker_id in controller.live if found == broker_name),
        }
    }


def alter_record(request: AlterSyncStateSetRequest) -> dict[str, Any]:
    """An element of the model's `requests`."""
    return {
        "type": "AlterSyncStateSet",
        "from": name(request.master_broker_id),
        "masterEpoch": request.master_epoch,
        "sssEpoch": request.sync_state_set_epoch,
        "members": names(request.new_sync_state_set),
        "sent": True,
        "basis": request.sync_state_set_epoch,
    }


def notice_record(notice: NotifyBrokerRoleChangedRequest) -> dict[str, Any]:
    """An element of the model's `notices`."""
    return {
        "type": "NotifyBrokerRoleChanged",
        "epoch": notice.master_epoch,
        "master": name(notice.master_broker_id),
        "sss": names(notice.sync_state_set),
        "sssEpoch": notice.sync_state_set_epoch,
    }
