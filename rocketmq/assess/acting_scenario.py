"""A broker set without a controller under a class of faults, as configurations of the modules that speak about it."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.tla.library import BUNDLED
from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.faults import Fault, Faults, loses_its_pool
from rmqproof.rocketmq.assess.questions import ACTING, LOCKS, Question
from rmqproof.rocketmq.assess.scenario import written

LOG_MODULE = "MasterSlave.tla"

_MISSED = {"MaxSilences": "MaxExpiries"}
"""Constants with another name in `spec/core/Cluster.tla`: here it is the nameserver that loses sight."""


def acting_module(question: Question) -> str:
    """Nobody but brokerId 0 appends to its log: whether another one takes puts is asked of who acts for it."""
    return question.module or (ACTING if question.name == "two-masters" else LOG_MODULE)


def acting_property(question: Question) -> str:
    return "NothingWrittenToActing" if question.name == "two-masters" else question.property


def acting_bounds(module: str, faults: Faults) -> str:
    if module == ACTING:
        return "1 delayed or half message, 1 message consumed, 1 queue and consumer group"
    if module == LOCKS:
        return "1 queue, 2 consumers, any number of requests"
    return f"{_puts(faults)} message{'s' if _puts(faults) > 1 else ''}, 1 read"


def _puts(faults: Faults) -> int:
    """When every machine fails, one message tells; more would only repeat what single faults show."""
    return 1 if Fault.POWER_LOSS in faults.classes else 2


def acting_configuration(broker_set: MasterSlave, faults: Faults, module: str, properties: Sequence[str]) -> str:
    """The text of a .cfg of `module` with these properties."""
    budgets = faults.budgets(broker_set.replicas, broker_set.transient_pool)
    constants, replaced = (
        _acting(broker_set, faults, budgets)
        if module == ACTING
        else _locks(broker_set, faults, budgets)
        if module == LOCKS
        else _log(broker_set, faults, budgets)
    )
    about = (f"{', '.join(broker_set.settings())}; {faults}.", f"SPEC {BUNDLED}{module}")
    return written("SPECIFICATION Spec", constants, replaced, properties, about)


Parts = tuple[dict[str, object], dict[str, str]]
"""Constants, and rules with what takes their place."""


def _log(broker_set: MasterSlave, faults: Faults, budgets: dict[str, int]) -> Parts:
    constants: dict[str, object] = {
        "MaxId": broker_set.replicas - 1,
        "SyncMaster": _boolean(broker_set.sync_master),
        "InSyncReplicas": broker_set.in_sync_replicas,
        "MinInSyncReplicas": broker_set.min_in_sync_replicas,
        "AutoDegrade": _boolean(broker_set.auto_degrade),
        "ActingMaster": _boolean(broker_set.acting),
        "SyncFlush": _boolean(broker_set.sync_flush and bool(budgets.get("MaxLosses"))),
        "MaxPuts": _puts(faults),
        "MaxReads": 1,
    }
    for name in ("MaxCrashes", "MaxLosses", "MaxLostDisks", "MaxSilences", "MaxBreaks"):
        constants[name] = budgets.get(_MISSED.get(name, name), 0)
    replaced = {"KeptAtHandshake": "KeptAsShipped"} if broker_set.shipped_rules else {}
    if broker_set.degrades_with_lag:
        replaced["NeededWith"] = "NeededWhileSlavesLag"
    if loses_its_pool(broker_set.transient_pool, faults):
        replaced["KeptByMachine"] = "KeptByPool"
    if broker_set.read_uncommitted:
        replaced["Shown"] = "ShownUncommitted"
    return constants, replaced


def _acting(broker_set: MasterSlave, faults: Faults, budgets: dict[str, int]) -> Parts:
    """A machine that fails, or its disk, is a process that ends: what is read from a slave is on its disk."""
    ends = sum(budgets.get(name, 0) for name in ("MaxCrashes", "MaxLosses", "MaxLostDisks"))
    constants: dict[str, object] = {
        "MaxId": broker_set.replicas - 1,
        "MaxOffset": 1,
        "MaxMessages": 1,
        "RemoteEscape": _boolean(broker_set.remote_escape),
        "MaxCrashes": broker_set.replicas if Fault.POWER_LOSS in faults.classes else ends,
        "MaxSilences": budgets.get("MaxExpiries", 0),
        "MaxNameserverRestarts": 0,
    }
    replaced = {} if broker_set.pulls_offsets else {"PreOnlineDone": "PreOnlineIsSkipped"}
    if not broker_set.pulls_offsets or broker_set.shipped_rules:
        # who does not wait for a pull has nobody stop taking commits
        replaced |= {"ServesOffsets": "ServesOffsetsAsShipped", "RegistersAtOnce": "RegistersAtOnceAsShipped"}
    return constants, replaced


def _locks(broker_set: MasterSlave, faults: Faults, budgets: dict[str, int]) -> Parts:
    ends = sum(budgets.get(name, 0) for name in ("MaxCrashes", "MaxLosses"))
    constants: dict[str, object] = {
        "Consumer": "{c1, c2}",
        "NoConsumer": "nobody",
        "TotalReplicas": broker_set.replicas,
        "ConfiguredReplicas": broker_set.total_replicas,
        "Strict": _boolean(broker_set.strict_lock),
        "MaxRestarts": broker_set.replicas if Fault.POWER_LOSS in faults.classes else ends,
    }
    replaced = {"GrantsNeeded": "GrantsOfSettings"}
    if broker_set.shipped_rules:
        replaced["VotesAfterRestart"] = "VotesAsShipped"
    return constants, replaced


def _boolean(value: bool) -> str:
    return "TRUE" if value else "FALSE"
