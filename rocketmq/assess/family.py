"""Broker sets that one compiled program explores: what of a deployment is a constant, and what lies in the state.

`spec/core/Assessment.tla` reads the settings from its state, and a class of faults is what is used of the budgets at
the start. So programs differ only by the replicas, the rules and the bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.faults import BUDGETS, Fault, Faults, loses_its_pool
from rmqproof.rocketmq.assess.scenario import Bounds, bounds_under, constants_of, written
from rmqproof.rocketmq.release_rules import Rules

MODULE = "Assessment.tla"
SHIPPED_MODULE = "AssessmentAsReleased.tla"

_FROM_STATE = {
    "AllAck": "AllAckOfSettings",
    "InSyncReplicas": "InSyncReplicasOfSettings",
    "MinInSyncReplicas": "MinInSyncReplicasOfSettings",
    "UncleanElection": "UncleanElectionOfSettings",
    "HalfOpen": "HalfOpenOfSettings",
    "WithLog": "WithLogOfSettings",
    "DurableEnd": "DurableEndOfSettings",
    "KeptByMachine": "KeptByMachineOfSettings",
    "DispatchLimit": "DispatchLimitOfSettings",
    "ConfirmAfterFlush": "ConfirmAfterFlushOfSettings",
    "MayAcknowledge": "MayAcknowledgeBySettings",
}
"""Constants and rules, and what stands in their place."""

_AS_SHIPPED = ("ConfirmAfterFlush", "MayAcknowledge")
"""Rules of the Java that read the settings themselves."""


@dataclass(frozen=True, slots=True)
class Family:
    """`budgets`: the most of each fault that a member may have."""

    replicas: int
    learners: int
    shipped_rules: Rules
    bounds: Bounds
    budgets: tuple[tuple[str, int], ...]

    @property
    def module(self) -> str:
        return SHIPPED_MODULE if self.shipped_rules else MODULE

    def configuration(self) -> str:
        """The text of its .cfg. The questions are in the variable `answers`, so nothing is to be violated."""
        constants = constants_of(Deployment(self.replicas, learners=self.learners), dict(self.budgets), self.bounds)
        shipped = dict(self.shipped_rules)
        replaced = shipped | _FROM_STATE | {name: shipped[name] for name in _AS_SHIPPED if name in shipped}
        kept = {name: value for name, value in constants.items() if name not in replaced}
        return written("SPECIFICATION AssessmentSpec\nSYMMETRY AlikeSlaves", kept, replaced, ())


@dataclass(frozen=True, slots=True)
class Member:
    """Where the exploration of one broker set under one class of faults starts: values of `settings`, and for the
    fields of `used` that are not 0 what is used up."""

    settings: tuple[tuple[str, bool | int], ...]
    used: tuple[tuple[str, int], ...]


def family_of(deployment: Deployment, faults: Faults) -> Family:
    """One for all single faults; others have budgets of their own."""
    budgets = faults.budgets(deployment.replicas, deployment.transient_pool)
    if len(faults.classes) == 1 and Fault.POWER_LOSS not in faults.classes:
        budgets = {name: 1 for fault in Fault if fault is not Fault.POWER_LOSS for name in fault.budgets(1)}
    return Family(
        deployment.replicas,
        deployment.learners,
        deployment.shipped_rules,
        bounds_under(faults),
        tuple(sorted(budgets.items())),
    )


def member_of(deployment: Deployment, faults: Faults) -> Member:
    """Settings that decide nothing under these faults have one value, so that equal broker sets are explored once."""
    budgets = faults.budgets(deployment.replicas, deployment.transient_pool)
    lossy = bool(budgets.get("MaxLosses"))
    most = deployment.replicas + 1  # more can be met no better than that
    settings: dict[str, bool | int] = {
        "allAck": deployment.all_ack,
        "acks": 1 if deployment.all_ack else min(deployment.in_sync_replicas, most),
        "minimum": min(deployment.min_in_sync_replicas, most),
        "unclean": deployment.unclean_election,
        "syncFlush": deployment.sync_flush and lossy,
        "readAll": deployment.read_uncommitted,
        "lossy": lossy,
        "pool": loses_its_pool(deployment.transient_pool, faults),
        "halfOpen": bool(budgets.get("MaxBreaks")),
    }
    family = family_of(deployment, faults)
    used = {BUDGETS[name]: number - budgets.get(name, 0) for name, number in family.budgets}
    return Member(tuple(settings.items()), tuple((name, number) for name, number in used.items() if number))
