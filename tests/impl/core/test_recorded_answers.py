"""impl under the shipped rules answers every request as RocketMQ's own `ReplicasInfoManager` did (see recording.py)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rmqproof.impl.controller.config import SHIPPED_CONTROLLER, ControllerConfig, controller_rules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from tests.impl.core.recording import ANSWERS, FAR_AWAY, SET

SETS = {"new_sync_state_set"}


def request_of(said: list[Any]) -> messages.ControllerRequest:
    kind = getattr(messages, said[0])
    values = [
        frozenset(v) if name in SETS else tuple(v) if isinstance(v, list) else v
        for name, v in zip(kind.__dataclass_fields__, said[1:], strict=True)
    ]
    found: messages.ControllerRequest = kind(*values)
    return found


def state_of(controller: Controller) -> dict[str, Any] | None:
    """The set as the class has it; None if it is not there."""
    known = controller.broker_set(SET)
    if not known.registered:
        return None
    return {
        "cluster": known.cluster_name,
        "next": known.next_assign_broker_id,
        "brokers": [[i, each.address, each.register_check_code] for i, each in sorted(known.brokers.items())],
        "epochs": [known.master_epoch, known.sync_state_set_epoch],
        "set": sorted(known.sync_state_set),
        "master": known.master_broker_id,
    }


def told_state(state: dict[str, Any]) -> dict[str, Any] | None:
    replicas, in_sync = state["replicas"], state["in_sync"]
    if replicas is None or in_sync is None:
        return None
    return {
        "cluster": replicas["cluster_name"],
        "next": replicas["next_assign_broker_id"],
        "brokers": [list(each) for each in replicas["brokers"]],
        "epochs": [in_sync["master_epoch"], in_sync["sync_state_set_epoch"]],
        "set": in_sync["sync_state_set"],
        "master": in_sync["master_broker_id"],
    }


def answer_of(response: Any) -> dict[str, Any]:
    """What the answer says, under the names of the Java headers."""
    found: dict[str, Any] = {"code": int(response.code)}
    if isinstance(response, messages.GetNextBrokerIdResponse):
        found["NextBrokerId"] = response.next_broker_id
    elif isinstance(response, messages.AlterSyncStateSetResponse):
        if response.sync_state_set_epoch:
            found |= {"NewSyncStateSetEpoch": response.sync_state_set_epoch, "set": sorted(response.sync_state_set)}
    elif hasattr(response, "master_broker_id") and response.master_broker_id is not None:
        found |= {"MasterBrokerId": response.master_broker_id, "MasterEpoch": response.master_epoch}
        found |= {"MasterAddress": response.master_address} if response.master_address is not None else {}
    return found


def told_answer(said: list[Any], names: set[str]) -> dict[str, Any]:
    code, header, body = said
    found = {name: value for name, value in header.items() if name in names}
    if "NewSyncStateSetEpoch" in found:
        if not found["NewSyncStateSetEpoch"]:
            del found["NewSyncStateSetEpoch"]
        else:
            found["set"] = sorted(body["syncStateSet"])
    if found.get("MasterBrokerId") is None:
        found.pop("MasterEpoch", None)
    return {"code": code, **found}


NAMES = {"NextBrokerId", "NewSyncStateSetEpoch", "MasterBrokerId", "MasterEpoch", "MasterAddress"}
LATER: Mapping[str, tuple[str, ...]] = {"5.5.1": ("BestCandidate",)}
"""Rules that a release has no longer as the Java of 5.3.1: offsets are compared as long (#10578)."""
RELEASES = sorted(ANSWERS.glob("ReplicasInfoManager-*.json.gz"))


@pytest.mark.parametrize("path", RELEASES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_every_request_is_answered_as_the_class_did(path: Path) -> None:
    walks = json.loads(gzip.decompress(path.read_bytes()))
    assert sum(map(len, walks)) > 5_000
    version = path.name.removesuffix(".json.gz").rpartition("-")[2]
    rules = {rule: reading for rule, reading in SHIPPED_CONTROLLER.items() if rule not in LATER.get(version, ())}
    codes = set()
    for number, walk in enumerate(walks):
        controller = Controller(
            ControllerConfig(enable_elect_unclean_master=walk[0]["unclean"]) if walk else None,
            controller_rules(rules),
        )
        for place, step in enumerate(walk):
            where = (number, place, step["request"], state_of(controller), step["living"])
            controller.live = {
                (SET, i): BrokerLiveInfo(FAR_AWAY, 0, epoch, offset, 0, priority)
                for i, epoch, offset, priority in step["living"]
            }
            response = controller.step(request_of(step["request"]), 0).response
            assert answer_of(response) == told_answer(step["answer"], NAMES), where
            assert state_of(controller) == told_state(step["state"]), where
            codes.add(step["answer"][0])
    assert {0, 2000, 2001, 2002, 2003, 2004, 2006, 2009, 2010, 2011, 2012, 2013, 2014} <= codes
