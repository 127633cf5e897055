"""A broker set under a class of faults, as a configuration of `spec/core/Operations.tla`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.tla.library import BUNDLED
from rmqproof.rocketmq.assess.deployment import Deployment
from rmqproof.rocketmq.assess.faults import Fault, Faults, loses_its_pool

REPAIRED_MODULE = "Operations.tla"
SHIPPED_FOLDER = f"{BUNDLED}bugs"
"""Of what came and went with releases."""
SHIPPED_MODULE = "OperationsAsReleased.tla"


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a search goes: messages, elections, changes of the SyncStateSet, reads."""

    puts: int = 1
    epochs: int = 3
    alters: int = 2
    reads: int = 1

    def __str__(self) -> str:
        return (
            f"{self.puts} message, {self.epochs} epochs, {self.alters} changes of the SyncStateSet, {self.reads} read"
        )


BOUNDS = Bounds()
AFTER_POWER_LOSS = Bounds(epochs=2, alters=0)
"""When every machine fails, one election afterwards tells; more would only repeat what single faults show."""

_FLUSH = {
    True: {"DurableEnd": "DurableEndSyncFlush"},
    False: {"DurableEnd": "DurableEndAsyncFlush", "ConfirmAfterFlush": "ConfirmAfterAsyncFlush"},
}


def module_of(deployment: Deployment) -> str:
    """The specification that a configuration of `deployment` belongs to."""
    return SHIPPED_MODULE if deployment.shipped_rules else REPAIRED_MODULE


def bounds_under(faults: Faults) -> Bounds:
    return AFTER_POWER_LOSS if Fault.POWER_LOSS in faults.classes else BOUNDS


def constants_of(deployment: Deployment, budgets: Mapping[str, int], bounds: Bounds) -> dict[str, object]:
    """The constants of `spec/core/Cluster.tla`: healthy at first, every full replica in the SyncStateSet, b1 master."""
    brokers = [f"b{number}" for number in range(1, deployment.replicas + 1)]
    constants: dict[str, object] = {
        "Broker": _set(brokers),
        "NoBroker": "none",
        "FirstMaster": "b1",
        "FirstSyncStateSet": _set(brokers[: deployment.full_replicas]),
        "Learners": _set(brokers[deployment.full_replicas :]),
        "AllAck": _boolean(deployment.all_ack),
        "InSyncReplicas": deployment.in_sync_replicas,
        "MinInSyncReplicas": deployment.min_in_sync_replicas,
        "UncleanElection": _boolean(deployment.unclean_election),
        "BatchSize": 1,
        "FineSteps": "FALSE",
        "HalfOpen": _boolean("MaxBreaks" in budgets),
        "LateNotices": "FALSE",
        "ShowRejections": "FALSE",
        "TrackConfirm": "FALSE",
        "MaxPuts": bounds.puts,
        "MaxEpoch": bounds.epochs,
        "MaxAlters": bounds.alters,
        "MaxReads": bounds.reads,
    }
    for name in ("Crashes", "Losses", "LostDisks", "Expiries", "Breaks", "Designations", "FailOvers", "Cleans"):
        constants[f"Max{name}"] = budgets.get(f"Max{name}", 0)
    return constants


def configuration(deployment: Deployment, faults: Faults, properties: Sequence[str], bounds: Bounds = BOUNDS) -> str:
    """The text of a .cfg for one broker set under one class of faults."""
    budgets = faults.budgets(deployment.replicas, deployment.transient_pool)
    replaced = {"MayAcknowledge": "MayAcknowledgeBySettings"}
    replaced |= dict(deployment.shipped_rules)
    replaced |= _FLUSH[deployment.sync_flush] if budgets.get("MaxLosses") else {}
    if loses_its_pool(deployment.transient_pool, faults):
        replaced["KeptByMachine"] = "KeptByPool"
    if deployment.read_uncommitted:
        replaced["DispatchLimit"] = "DispatchLimitUncommitted"
    about = [f"{', '.join(deployment.settings())}; {faults}.", f"SPEC {BUNDLED}{module_of(deployment)}"]
    if deployment.shipped_rules:
        about.append(f"LIBRARY {SHIPPED_FOLDER}")
    return written("SPECIFICATION Spec", constants_of(deployment, budgets, bounds), replaced, properties, about)


def written(
    behaviours: str,
    constants: Mapping[str, object],
    replaced: Mapping[str, str],
    properties: Sequence[str],
    about: Sequence[str] = (),
) -> str:
    """A .cfg. `behaviours` is its SPECIFICATION line, `about` the comments at its head."""
    lines = [*(f"\\* {line}" for line in about), behaviours, "CONSTANTS"]
    lines += [f"  {name} = {value}" for name, value in constants.items()]
    lines += [f"  {name} <- {rule}" for name, rule in replaced.items()]
    if properties:
        lines += ["INVARIANTS", *(f"  {name}" for name in properties)]
    return "\n".join([*lines, "CHECK_DEADLOCK FALSE"]) + "\n"


def _set(names: Sequence[str]) -> str:
    return "{" + ", ".join(names) + "}"


def _boolean(value: bool) -> str:
    return "TRUE" if value else "FALSE"
