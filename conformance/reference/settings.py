"""A model's constants, read as settings of the implementation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.conformance.abstraction import AbstractionError
from rmqproof.conformance.adapter import Value
from rmqproof.impl.broker.config import BrokerConfig, FlushDiskType
from rmqproof.impl.broker.readings import BROKER_READINGS, broker_rules
from rmqproof.impl.broker.rules import BrokerRules
from rmqproof.impl.controller.config import CONTROLLER_READINGS, ControllerConfig, ControllerRules, controller_rules

BROKER_NAME = "broker-a"
CLUSTER_NAME = "DefaultCluster"
_OF_THE_WORLD = {"LogAfterRestart", "RoleAfterLostDisk", "NumberMayReturn"}
"""Rules that say what a disk or an administrator does, not what a core does: `Disk.recover`, whether the identity is
lost with the disk, whether old requests may be valid again after a cleaning."""


@dataclass(frozen=True)
class Settings:
    """`names[i]` is the model's name of the brokerId i + 1. `limits` are the model's budgets, by their constants."""

    names: tuple[str, ...]
    nobody: str
    first_master: int | None
    first_members: frozenset[int]
    learners: frozenset[int]
    fine_steps: bool
    half_open: bool
    late_notices: bool
    show_rejections: bool
    identity_apart: bool
    cleans_living: bool
    number_may_return: bool
    limits: Mapping[str, int]
    brokers: Mapping[int, BrokerConfig]
    broker_rules: BrokerRules
    controller: ControllerConfig
    controller_rules: ControllerRules

    def id_of(self, name: Value) -> int:
        return self.names.index(name) + 1

    def name_of(self, broker_id: int | None) -> str:
        return self.nobody if broker_id is None else self.names[broker_id - 1]

    def ids_of(self, members: Value) -> frozenset[int]:
        return frozenset(self.id_of(name) for name in members["#set"])

    def set_of(self, members: frozenset[int]) -> Value:
        return {"#set": [self.names[member - 1] for member in sorted(members)]}


def replaced_rules(constants: Mapping[str, Value]) -> dict[str, str]:
    """The rules that the configuration replaces, by the name of the reading. A reading that is a constant comes as its
    value; then it is the first one of the rule that is known, since all constant readings of a rule are equal.

    ValueError for a rule that neither the cores nor the disk have.
    """
    found: dict[str, str] = {}
    for name, value in constants.items():
        if name in _CONSTANTS or name.startswith("Max") or name in _OF_THE_WORLD:
            continue
        readings = BROKER_READINGS.get(name) or CONTROLLER_READINGS.get(name)
        if readings is None:
            raise AbstractionError([f"{name}: the reference implementation has no such setting or rule"])
        found[name] = value if isinstance(value, str) else next(iter(readings))
    return found


_CONSTANTS = {
    "Broker",
    "NoBroker",
    "FirstMaster",
    "FirstSyncStateSet",
    "Learners",
    "AllAck",
    "InSyncReplicas",
    "MinInSyncReplicas",
    "UncleanElection",
    "BatchSize",
    "FineSteps",
    "HalfOpen",
    "LateNotices",
    "ShowRejections",
    "TrackConfirm",
}


def settings_of(
    constants: Mapping[str, Value],
    broker_changes: Mapping[str, Any] | None = None,
    controller_changes: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings. Changes put other rules in the places of those that the configuration asks for.

    Raise `AbstractionError` for constants of another specification than the protocol's, and a rule in a reading that
    the cores do not have.
    """
    missing = sorted({*_CONSTANTS, "MaxLosses"} - {*constants})
    if missing:
        raise AbstractionError(
            [
                f"The reference implementation is one of RocketMQ's Controller mode; the model has no constant "
                f"{', '.join(missing)}. Name the implementation of this model with --adapter."
            ]
        )
    replaced = replaced_rules(constants)
    try:
        of_broker, of_controller = broker_rules(replaced), controller_rules(replaced)
    except ValueError as error:
        raise AbstractionError([f"{error}."]) from None
    names = tuple(sorted(constants["Broker"]["#set"]))
    learners = frozenset(names.index(name) + 1 for name in constants["Learners"]["#set"])
    first = constants["FirstMaster"]
    flush = FlushDiskType.ASYNC_FLUSH if constants["MaxLosses"] > 0 else FlushDiskType.SYNC_FLUSH
    common: dict[str, Any] = {
        "cluster_name": CLUSTER_NAME,
        "broker_name": BROKER_NAME,
        "all_ack_in_sync_state_set": constants["AllAck"],
        "in_sync_replicas": constants["InSyncReplicas"],
        "min_in_sync_replicas": constants["MinInSyncReplicas"],
        "ha_transfer_batch_size": constants["BatchSize"],
        "flush_disk_type": flush,
        "keep_confirm_offset": constants["TrackConfirm"],
    }
    return Settings(
        names=names,
        nobody=constants["NoBroker"],
        first_master=None if first == constants["NoBroker"] else names.index(first) + 1,
        first_members=frozenset(names.index(name) + 1 for name in constants["FirstSyncStateSet"]["#set"]),
        learners=learners,
        fine_steps=constants["FineSteps"],
        half_open=constants["HalfOpen"],
        late_notices=constants["LateNotices"],
        show_rejections=constants["ShowRejections"],
        identity_apart=constants.get("RoleAfterLostDisk", "Lost") != "Lost",
        cleans_living=constants.get("MayBeCleaned")
        is True,  # MayBeCleanedAsShipped: a constant, with isCleanLivingBroker
        number_may_return="NumberMayReturn" in constants,
        limits={name: value for name, value in constants.items() if name.startswith("Max")},
        brokers={
            i: BrokerConfig(i, broker_address=f"{name}:10911", async_learner=i in learners, **common)
            for i, name in enumerate(names, 1)
        },
        broker_rules=replace(of_broker, **(broker_changes or {})),
        controller=ControllerConfig(enable_elect_unclean_master=constants["UncleanElection"]),
        controller_rules=replace(of_controller, **(controller_changes or {})),
    )
