"""Which lines of RocketMQ's logs tell of which step of spec/core/RecordedRun.tla, 5.1.1 to 5.5.1."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rmqproof.conformance.runs.event import Arguments
from rmqproof.rocketmq.epoch_files import UNBOUNDED
from rmqproof.rocketmq.logs import APPLIED, DECIDED, EXPIRED

LEARNED, END = "learned", "end"
VIEWS = {
    "masterEpoch": "controller.masterEpoch",
    "sssEpoch": "controller.sssEpoch",
    "sss": "controller.sss",
    "master": "controller.master",
    "epochFile": "disk[node].epochFile",
    "heard": "heard[node].file",
    "number": "broker[node].sssEpoch",
}
"""What lines say of a state, by its name, and where RecordedRun has it."""
_ENTRY = re.compile(r"EpochEntry\{epoch=(\d+), startOffset=(\d+), endOffset=(\d+)\}")
_OLD = ("HeartbeatIsOld", (None,))
File = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What a line tells. `stream`: of which it is instead of its file's; `after`, `tells`: names of what another line
    must have told of before, and of what this one tells others; `file`: an epoch file that it shows."""

    action: str | None
    arguments: tuple[Any, ...] = ()
    state: dict[str, Any] = field(default_factory=dict)
    stream: str = ""
    after: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    file: File | None = None
    end: int | None = None
    """Where the log ends to which the file belongs."""
    may_stutter: bool = False
    unlogged: tuple[tuple[str, Arguments], ...] = ()


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    told: Callable[[re.Match[str], str], Told | None]


def told_by(message: str, node: str, of_controller: bool) -> Told | None:
    """None for a line that tells of nothing."""
    for rule in _OF_CONTROLLER if of_controller else _OF_BROKER:
        match = rule.pattern.search(message)
        if match is not None:
            return rule.told(match, node)
    return None


def broker(text: str) -> str:
    return f"b{text}"


def members(text: str) -> dict[str, list[str]]:
    return {"#set": [broker(name) for name in re.findall(r"\d+", text)]}


def entries(text: str) -> tuple[File, int | None]:
    """A file, and where its last entry ends; None where that is not said."""
    found = [(int(epoch), int(start), int(end)) for epoch, start, end in _ENTRY.findall(text)]
    end = found[-1][2] if found else UNBOUNDED
    return tuple((epoch, start) for epoch, start, _ in found), end if end != UNBOUNDED else None


def as_value(file: File) -> list[dict[str, int]]:
    return [{"epoch": epoch, "start": start} for epoch, start in file]


# --- the controller ------------------------------------------------------------------------------------------------


def _decided(events: str, response: str) -> Told | None:
    number = re.search(r"yncStateSetEpoch=(\d+)", response)
    state: dict[str, Any] = {"sssEpoch": int(number[1])} if number is not None else {}
    found = re.search(r"AlterSyncStateSetEvent\{.*newSyncStateSet=\[([^\]]*)\]", events)
    if found is not None:
        new = members(found[1])
        heard = tuple(("HeartbeatIsRecent", (name,)) for name in new["#set"])
        return Told("ControllerStores", (new,), {**state, "sss": new}, unlogged=heard)
    found = re.search(r"ElectMasterEvent\{newMasterElected=(true|false).*newMasterBrokerId=(\w+)", events)
    if found is None:
        return None
    if found[1] == "false":
        return Told("ControllerElectsNobody", (), {"master": "none"}, unlogged=(_OLD,))
    return _elected(broker(found[2]), response, state)


def _elected(new: str, response: str, state: dict[str, Any]) -> Told:
    epoch, named = re.search(r"masterEpoch=(\d+)", response), re.search(r"masterBrokerId=(\d+)", response)
    state |= {"master": broker(named[1]) if named is not None else new, "sss": {"#set": [new]}}
    if epoch is not None:
        state["masterEpoch"] = int(epoch[1])
    return Told("ControllerElects", (new,), state, unlogged=(_OLD, ("HeartbeatIsRecent", (new,))))


def _heartbeat(action: str) -> Callable[[re.Match[str], str], Told]:
    return lambda m, node: Told(action, (broker(m[1]),))


_OF_CONTROLLER = (
    _Rule(DECIDED, lambda m, node: _decided(m[2], m[3])),
    _Rule(APPLIED, lambda m, node: _decided(m[2], m[3])),
    _Rule(EXPIRED, _heartbeat("BrokerExpires")),
    _Rule(re.compile(r"onBrokerCloseChannel success, brokerIdentityInfo: .*brokerId=(\d+)"),
          _heartbeat("BrokerExpires")),
    _Rule(re.compile(r"Channel .* inactive, broker .*, addr:.*, id:(\d+)"), _heartbeat("BrokerExpires")),
    _Rule(re.compile(r"new broker registered, .*brokerId[:=]\s*(\d+)"), _heartbeat("BrokerRegisters")),
    _Rule(re.compile(r"Start scheduling controller events"),  # a leader of JRaft knows the heartbeats
          lambda m, node: Told("AnotherControllerLeads")),
)  # fmt: skip


# --- brokers ---------------------------------------------------------------------------------------------------------


def _master(m: re.Match[str], node: str) -> Told:
    return Told("BrokerBecomesMaster", (node, int(m[1])), tells=(f"{node} begins {m[1]}",))


def _slave(m: re.Match[str], node: str) -> Told:
    return Told("BrokerBecomesSlave", (node, broker(m[1]), int(m[2])))


def _answers(m: re.Match[str], node: str) -> Told:
    file, _ = entries(m[2])
    return Told(
        "MasterAnswersHandshake", (node, int(m[1])), {"epochFile": as_value(file)}, tells=(f"{m[1]} {file}",), file=file
    )


def _hears(m: re.Match[str], node: str) -> Told:
    file, _ = entries(m[2])
    return Told("SlaveHearsAnswer", (node, int(m[1])), {"heard": as_value(file)}, after=(f"{m[1]} {file}",))


def _shows(m: re.Match[str], node: str) -> Told:
    file, end = entries(m[1])
    return Told(None, (), {"epochFile": as_value(file)}, file=file, end=end)


_OF_BROKER = (
    _Rule(re.compile(r"Begin to change to master, brokerName:.*, new Epoch:(\d+)"), _master),
    _Rule(re.compile(r"Begin to change to slave, .*newMasterBrokerId=(\d+), .*newMasterEpoch=(\d+)"), _slave),
    _Rule(re.compile(r"SyncStateSet changed from \[[^\]]*\] to \[([^\]]*)\]"),
          lambda m, node: Told("BrokerLearnsSet", (node, members(m[1])))),
    _Rule(re.compile(r"Notify the syncStateSet has been changed into \[([^\]]*)\]"),
          lambda m, node: Told("BrokerProposes", (node, members(m[1])))),
    _Rule(re.compile(r"The slave (\d+) has caught up, slaveMaxOffset: (\d+), confirmOffset: (\d+), epoch: (\d+), "
                     r"leader epoch startOffset: (\d+)"),
          lambda m, node: Told("SlaveIsCaughtUp", (node, broker(m[1]), *map(int, m.groups()[1:])))),
    _Rule(re.compile(r"TruncateOffset is (-?\d+), confirmOffset is -?\d+, maxPhyOffset is (\d+)"),
          lambda m, node: Told("LogIsExamined", (node, int(m[1]), int(m[2])))),
    _Rule(re.compile(r"Change ha to master success.*newMasterEpoch:(\d+), startOffset:(\d+)"),
          lambda m, node: Told("EpochBegins", (node, int(m[1]), int(m[2])),
                               after=(f"{node} begins {m[1]}",), tells=(f"entry {m[1]}",))),
    _Rule(re.compile(r"Master build handshake header: .*maxOffset:(\d+), epochEntries:\[(.*)\]"), _answers),
    _Rule(re.compile(r"Receive handshake, masterMaxPosition (\d+), masterEpochEntries:\[(.*)\]"), _hears),
    _Rule(re.compile(r"local epoch entries is \[(.*)\]"), _shows),
    _Rule(re.compile(r"truncateOffset is (-?\d+)"),
          lambda m, node: Told("SlaveTruncates", (node, None, int(m[1])))),
    _Rule(re.compile(r"Slave local epochCache is empty"),
          lambda m, node: Told("SlaveCutsNothing", (node,))),
    _Rule(re.compile(r"Slave report current offset (\d+)"),
          lambda m, node: Told("SlaveReports", (node, int(m[1])))),
)  # fmt: skip
HEARTBEATS = ("BrokerRegisters", "BrokerExpires", "AnotherControllerLeads")
STARTS = {
    "broker": (re.compile(r"^rocketmqHome="), re.compile(r"^Set user specified name server address")),
    "store": (re.compile(r"^last shutdown (?:ab)?normally, store path"),),
}
"""By the file: the line that a broker's process writes once, before anything that is told of here; the first of these
of which there is one."""
