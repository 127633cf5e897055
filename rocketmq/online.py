"""A running cluster, looked at through its administration's requests; nothing is changed.

Asked are a name server (GET_BROKER_CLUSTER_INFO), each broker (GET_BROKER_CONFIG, GET_BROKER_EPOCH_CACHE) and the
controllers that the brokers name (GET_CONTROLLER_CONFIG, CONTROLLER_GET_SYNC_STATE_DATA), as mqadmin does.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.impl.core.codes import RequestCode
from rmqproof.impl.runtime.remoting import Peer, Unreachable
from rmqproof.impl.wire.remoting import Command
from rmqproof.rocketmq.epoch_files import Entry, EpochFile
from rmqproof.rocketmq.errors import RocketmqError

_BROKER_CONFIG, _CLUSTER_INFO, _EPOCHS, _CONTROLLER_CONFIG = 26, 106, 1007, 1010
_SUCCESS = 0
_PATIENCE = 5.0


@dataclass(slots=True)
class OnlineBroker:
    """`settings`: the text that the broker gives, all of its settings; `id` is its brokerId for the name server (0: the
    master)."""

    address: str
    id: int
    settings: str
    epochs: EpochFile | None = None


@dataclass(slots=True)
class Online:
    """A broker set. `members`: addresses of the SyncStateSet, None where no controller says; `silent`: what did not
    answer."""

    name: str
    brokers: list[OnlineBroker] = field(default_factory=list)
    controllers: list[str] = field(default_factory=list)
    controller_settings: str = ""
    master: str | None = None
    members: list[str] | None = None
    silent: list[str] = field(default_factory=list)


def look_at(name_server: str, broker_set: str | None = None) -> Online:
    """The broker set of that name, or the only one. Raise `RocketmqError`."""
    return asyncio.run(_look_at(name_server, broker_set))


async def _look_at(name_server: str, broker_set: str | None) -> Online:
    info = await _asked(name_server, _CLUSTER_INFO, {})
    if info is None:
        raise RocketmqError(f"No name server answers at {name_server}.", "Give HOST:PORT of one (9876 by default).")
    table: Mapping[str, Any] = (lenient_json(info.body) or {}).get("brokerAddrTable") or {}
    if broker_set is None and len(table) == 1:
        broker_set = next(iter(table))
    if broker_set is None or broker_set not in table:
        known = ", ".join(sorted(table)) or "none"
        raise RocketmqError(f"Which broker set? {name_server} knows {known}.", "Name it: --broker-name NAME.")
    found = Online(broker_set)
    for broker_id, address in sorted(table[broker_set]["brokerAddrs"].items()):
        await _look_at_broker(found, int(broker_id), address)
    for controller in found.controllers:
        await _look_at_controller(found, controller)
    return found


async def _look_at_broker(found: Online, broker_id: int, address: str) -> None:
    answer = await _asked(address, _BROKER_CONFIG, {})
    if answer is None:
        found.silent.append(f"broker {address}")
        return
    broker = OnlineBroker(address, broker_id, answer.body.decode("latin-1"))
    epochs = await _asked(address, _EPOCHS, {"brokerName": found.name})
    if epochs is not None:
        broker.epochs = epochs_of(address, lenient_json(epochs.body))
    found.brokers.append(broker)
    match = re.search(r"^controllerAddr=(.*)$", broker.settings, re.MULTILINE)
    for controller in match[1].split(";") if match is not None else ():
        # as Properties.store writes them
        plain = controller.replace("\\", "").strip()
        if plain and plain not in found.controllers:
            found.controllers.append(plain)


async def _look_at_controller(found: Online, address: str) -> None:
    settings = await _asked(address, _CONTROLLER_CONFIG, {})
    if settings is None:
        found.silent.append(f"controller {address}")
        return
    found.controller_settings = found.controller_settings or settings.body.decode("latin-1")
    body = json.dumps([found.name]).encode()
    answer = await _asked(address, RequestCode.CONTROLLER_GET_SYNC_STATE_DATA, {}, body)
    table = (lenient_json(answer.body) or {}).get("replicasInfoTable") if answer is not None else None
    if table and found.name in table:
        state = table[found.name]
        found.master = state.get("masterAddress")
        found.members = sorted(each["brokerAddress"] for each in state.get("inSyncReplicas") or ())


async def _asked(address: str, code: int, fields: Mapping[str, str], body: bytes = b"") -> Command | None:
    peer = Peer(address)
    try:
        answer = await peer.call(code, fields, body, _PATIENCE)
    except (Unreachable, ValueError):
        return None
    finally:
        await peer.close()
    return answer if answer.code == _SUCCESS else None


def epochs_of(name: str, read: Mapping[str, Any] | None) -> EpochFile | None:
    """Of an EpochEntryCache."""
    if read is None or not read.get("epochList"):
        return None
    entries = [Entry(each["epoch"], each["startOffset"], each["endOffset"]) for each in read["epochList"]]
    return EpochFile(name, tuple(entries), entries[0].start, None).ending_at(None, read.get("maxOffset"))


_BARE_KEY = re.compile(rb"([{,]\s*)(-?\d+)(\s*:)")


def lenient_json(text: bytes) -> Any:
    """What fastjson writes: keys that are numbers have no quotes. None for what is no JSON otherwise."""
    try:
        return json.loads(_BARE_KEY.sub(rb'\1"\2"\3', text))
    except ValueError:
        return None


def differences(found: Online) -> Sequence[tuple[EpochFile, EpochFile]]:
    """The master's epochs with those of each slave."""
    masters = [broker.epochs for broker in found.brokers if broker.address == found.master or broker.id == 0]
    if not masters or masters[0] is None:
        return []
    others = [broker.epochs for broker in found.brokers if broker.epochs is not None]
    return [(masters[0], each) for each in others if each is not masters[0]]
