"""Runs of ControllerMode written down as a cluster would, by walking through the model at random."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.rocketmq.runs.cluster import CONTROLLER

Line = dict[str, Any]
LATE_ACKS = ModelFiles(bundled("LateAcks.tla"), bundled("TwoBrokersLateAcks.cfg"))
LATE_BATCHES = ModelFiles(bundled("LateBatches.tla"), bundled("TwoBrokersLateBatches.cfg"))
CONTROLLER_MODE = ModelFiles(bundled("ControllerMode.tla"), bundled("TwoBrokers.cfg"))
_CONSTANTS = {
    "Broker": ["b1", "b2", "b3"], "NoBroker": "none", "FirstMaster": "none", "FirstSyncStateSet": [], "Learners": [],
    "FineSteps": True, "HalfOpen": True, "LateNotices": True, "ShowRejections": True, "TrackConfirm": True,
    "BatchSize": 1, "MaxPuts": 9, "MaxEpoch": 4, "MaxAlters": 5, "MaxCrashes": 2, "MaxLosses": 2, "MaxLostDisks": 1,
    "MaxExpiries": 1, "MaxBreaks": 2, "MaxDesignations": 1, "MaxFailOvers": 2, "MaxCleans": 0, "MaxReads": 6,
}  # fmt: skip
_ON_CONTROLLER = (
    "Controller", "Heartbeat", "BrokerRequestsElection", "RestartedBrokerIsElected", "Administrator",
)  # fmt: skip
_OFTEN = {
    "AppendPut": 12, "BytesAreFlushed": 12, "SlaveAppendsBatch": 20, "SlaveLearnsConfirmOffset": 12,
    "SlaveAppendsLateBatch": 4, "SlaveLearnsLateConfirm": 4,
    "MasterReceivesAck": 16, "MasterReceivesLateAck": 8, "SlaveConnectsAndTruncates": 20, "AcknowledgePut": 12,
    "HeartbeatArrives": 20, "RestartedBrokerIsElected": 20, "NewMasterRecordsEpoch": 20, "NewMasterOpensForPuts": 20,
    "BecomeSlave": 20, "ReceiveNotice": 10, "ProposeExpand": 12, "ControllerAcceptsAlter": 12, "LearnSyncStateSet": 12,
    "BrokerRestarts": 20, "ConsumerReads": 6, "ControllerElectsMaster": 10, "MasterNoticesLostConnection": 8,
}  # fmt: skip
_LATE = {"SlaveAppendsLateBatch": "SlaveAppendsBatch", "SlaveLearnsLateConfirm": "SlaveLearnsConfirmOffset"}
"""A node does not know that it is late."""
_NEVER = ("ControllerFailsOver", "BrokerRequestsElection")
"""`BrokerRequestsElection` for another broker is nothing that the implementation does."""
_WITHOUT_STATE = ("ProcessCrashes", "MachineCrashes", "DiskIsLost")


def open_walk(files: ModelFiles = LATE_ACKS) -> RunModel:
    """The model to walk through."""
    return open_run_model(files, RunMapping(constants=_CONSTANTS))


def walk(model: RunModel, seed: int, steps: int) -> list[Line]:
    """The lines of a random behaviour, in its order; `step` in the detail is the position in it."""
    system, random = model.subject.system, Random(seed)
    state = next(iter(system.initial_states()))
    # the first step is the one that the reader of such runs puts in front
    state = next(t for a, _, t in system.successors(state) if system.actions[a] == "ControllerFailsOver")
    lines: list[Line] = []
    counts: dict[str, int] = {}

    def write(line: Line, number: int) -> None:
        counts[line["node"]] = counts.get(line["node"], 0) + 1
        lines.append({**line, "sequence": counts[line["node"]], "detail": {"step": number}})

    for number in range(steps):
        choices = [t for t in system.successors(state) if system.actions[t.action] not in _NEVER]
        if not choices:
            break
        weights = [_OFTEN.get(system.actions[t.action], 1) for t in choices]
        action, arguments, target = random.choices(choices, weights)[0]
        name = system.actions[action]
        before, after = system.to_itf(state), system.to_itf(target)
        state = target
        if name == "ConnectionBreaks":
            continue
        for line in _lines(name, [to_itf(a) for a in arguments], before, after):
            write(line, number)
    return lines


def _lines(name: str, arguments: list[Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Line]:
    if name.startswith(_ON_CONTROLLER):
        line = {
            "node": CONTROLLER,
            "action": name,
            "arguments": arguments,
            "state": {"controller": after["controller"]},
        }
        if name != "RestartedBrokerIsElected":
            return [line]
        return [line, {"node": arguments[0], "action": None, "state": _broker(arguments[0], after)}]
    node = arguments[0]
    if name in ("MasterReceivesAck", "MasterReceivesLateAck"):
        node, name, arguments = _at(before["link"], arguments[0]), "MasterReceivesAck", arguments[:1]
    if name in _LATE:
        name, arguments = _LATE[name], arguments[:1]
    if name == "AcknowledgePut":
        arguments = [arguments[0], f"m{arguments[1]}"]
    state = {} if name in _WITHOUT_STATE else _broker(node, after)
    return [{"node": node, "action": name, "arguments": arguments, "state": state}]


def _broker(node: str, state: Mapping[str, Any]) -> dict[str, Any]:
    broker, disk = dict(_at(state["broker"], node)), _at(state["disk"], node)
    broker["waiting"] = {"#set": [f"m{id_}" for id_ in broker["waiting"]["#set"]]}
    log = disk["log"]["#tup"]
    last = log[-1] if log else None
    return {
        "broker": broker,
        "disk": {
            "logEnd": len(log),
            "lastEntry": None if last is None else {"id": f"m{last['id']}", "epoch": last["epoch"]},
            "flushed": disk["flushed"],
            "epochFile": disk["epochFile"]["#tup"],
            "confirm": disk["confirm"],
        },
        "link": _at(state["link"], node),
        "connection": {
            "#map": [
                [slave, {"open": True, "ack": end["ack"]}]
                for slave, end in _at(state["connection"], node)["#map"]
                if end["open"]
            ]
        },
    }


def _at(function: Any, key: str) -> Any:
    return next(value for name, value in function["#map"] if name == key)


def write_by_node(lines: list[Line], path: Path) -> Path:
    """A file with the lines of one node after those of another, without clocks or messages: their order is lost."""
    ordered = sorted(lines, key=lambda line: (line["node"], line["sequence"]))
    path.write_text("".join(json.dumps(line) + "\n" for line in ordered), encoding="utf-8")
    return path
