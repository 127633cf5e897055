"""Steps of the reference implementation that are chosen by numbers: more brokers, epochs and faults than any explored
model has."""

from __future__ import annotations

from typing import Any

from rmqproof.conformance.adapter import Answer
from rmqproof.conformance.reference import ReferenceAdapter

NAMES = ["b1", "b2", "b3"]
CONSTANTS: dict[str, Any] = {
    "Broker": {"#set": NAMES},
    "NoBroker": "none",
    "FirstMaster": "b1",
    "FirstSyncStateSet": {"#set": ["b1", "b2"]},
    "Learners": {"#set": []},
    "AllAck": True,
    "InSyncReplicas": 1,
    "MinInSyncReplicas": 1,
    "UncleanElection": False,
    "BatchSize": 2,
    "FineSteps": True,
    "HalfOpen": True,
    "LateNotices": True,
    "ShowRejections": True,
    "TrackConfirm": True,
    "MaxPuts": 20,
    "MaxEpoch": 20,
    "MaxAlters": 30,
    "MaxCrashes": 6,
    "MaxLosses": 6,
    "MaxLostDisks": 0,
    "MaxExpiries": 8,
    "MaxBreaks": 8,
    "MaxDesignations": 6,
    "MaxFailOvers": 3,
    "MaxCleans": 0,
    "MaxReads": 10,
}
OF_ONE = [
    "HeartbeatArrives",
    "HeartbeatExpires",
    "ControllerElectsMaster",
    "AdministratorDesignatesMaster",
    "BecomeMaster",
    "RestartedBrokerIsElected",
    "NewMasterRecordsEpoch",
    "NewMasterOpensForPuts",
    "BecomeSlave",
    "LearnSyncStateSet",
    "AppendPut",
    "ConsumerReads",
    "SlaveConnectsAndTruncates",
    "SlaveAppendsBatch",
    "SlaveLearnsConfirmOffset",
    "MasterReceivesAck",
    "BytesAreFlushed",
    "ProcessCrashes",
    "BrokerRestarts",
    "ConnectionBreaks",
]
OF_TWO = ["BrokerRequestsElection", "ProposeExpand", "ProposeShrink", "MasterNoticesLostConnection"]
STEPS: list[tuple[str, tuple[Any, ...]]] = [
    *((action, (b,)) for action in OF_ONE for b in NAMES),
    *((action, (b, c)) for action in OF_TWO for b in NAMES for c in NAMES),
    ("ControllerFindsNoMaster", ()),
    ("ControllerFailsOver", ()),
]
OTHERS = ["ControllerAcceptsAlter", "ControllerRejectsAlter", "ReceiveNotice", "AcknowledgePut", "MachineCrashes"]


def take(adapter: ReferenceAdapter, choice: int, which: int) -> Answer:
    """One step; messages that are under way, waiting puts and kept tails are chosen by `which`."""
    if choice < len(STEPS):
        return adapter.perform(*STEPS[choice])
    action, b = OTHERS[choice - len(STEPS)], NAMES[which % 3]
    shown = adapter.observe()
    if action == "MachineCrashes":
        disk = dict(shown["disk"]["#map"])[b]
        room = len(disk["log"]) - disk["flushed"]
        return adapter.perform(action, (b, disk["flushed"] + which % room)) if room else Answer.REFUSED
    if action == "AcknowledgePut":
        waiting = [(b, i) for b, known in shown["broker"]["#map"] for i in known["waiting"]["#set"]]
        return adapter.perform(action, waiting[which % len(waiting)]) if waiting else Answer.REFUSED
    kept = shown["notices" if action == "ReceiveNotice" else "requests"]["#set"]
    if not kept:
        return Answer.REFUSED
    message = sorted(kept, key=str)[which % len(kept)]
    return adapter.perform(action, (b, message) if action == "ReceiveNotice" else (message,))
