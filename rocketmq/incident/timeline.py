"""The lines of RocketMQ's logs that tell of elections, roles, SyncStateSets, copying and cutting, in one order.

Steps of the model are read by `rmqproof.rocketmq.logs`; here is what the model leaves out, too: offsets, starts, copies
that fail. The classes' logging configuration writes times as GMT+8, in seconds: lines of one second are in the order of
their file, and those of different files in no order that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone

from rmqproof.rocketmq.logs import CONTROLLER

ZONE = timezone(timedelta(hours=8))
_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.,\d]* (\w+) (.+?) - (.*)")
_WORDS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a line tells. `node`: controller, or b and the brokerId; `values`: its numbers by name; `members`: of a
    SyncStateSet. Of a start after a crash `since` is when the broker was silent from."""

    at: float
    node: str
    kind: str
    text: str
    place: str
    line: str
    values: Mapping[str, int] = field(default_factory=dict)
    members: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class _Telling:
    """A message of the classes. Groups of its pattern are numbers by their name; `members` is a list of ids."""

    kind: str
    pattern: re.Pattern[str]
    text: str


def _t(kind: str, pattern: str, text: str) -> _Telling:
    return _Telling(kind, re.compile(pattern), text)


_SET = r"\[(?P<members>[\d, ]*)\]"
_OF_CONTROLLER = (
    _t("elected", r"ElectMasterEvent\{newMasterElected=true.*newMasterBrokerId=(?P<broker>\d+).*?"
       r"masterEpoch=(?P<epoch>\d+), syncStateSetEpoch=(?P<number>\d+)",
       "elects broker {broker} in epoch {epoch}"),
    _t("no master", r"ElectMasterEvent\{newMasterElected=false", "finds no broker that may lead"),
    _t("set", r"AlterSyncStateSetEvent\{.*newSyncStateSet=" + _SET, "accepts the SyncStateSet {members}"),
    _t("cleaned", r"CleanBrokerDataEvent\{", "an administrator has metadata cleaned"),
    _t("registers", r"new broker registered, .*brokerId[:=]\s*(?P<broker>\d+)", "hears from broker {broker}"),
    _t("expired", r"(?:broker channel .* expired|Broker expired), brokerInfo .*brokerId=(?P<broker>\d+)",
       "has not heard from broker {broker} for long"),
    _t("expired", r"Channel .* inactive, broker .*, id:(?P<broker>\d+)", "has lost the connection of broker {broker}"),
    _t("expired", r"Channel .* inactive, broker identity info: BrokerIdentityInfo\{.*brokerId=(?P<broker>\d+)\}",
       "has lost the connection of broker {broker}"),
    _t("controller leads", r"Start scheduling controller events|Controller start leadership, term",
       "becomes the leader of the controllers"),
    _t("controller follows", r"Stop scheduling controller events|Controller stop leadership, term",
       "no longer leads the controllers"),
    _t("refused", r"Rejecting alter syncStateSet request because (?P<why>.*)", "refuses a SyncStateSet"),
)  # fmt: skip
_OF_BROKER = (
    _t("start", r"The broker\[.*\] boot success", "has started"),
    _t("unclean", r"last shutdown abnormally", "starts after a crash"),
    _t("leads", r"Change ha to master success.*newMasterEpoch:(?P<epoch>\d+), startOffset:(?P<start>\d+)",
       "leads in epoch {epoch}, from offset {start}"),
    _t("follows", r"Begin to change to slave, .*newMasterBrokerId=(?P<broker>\d+), .*newMasterEpoch=(?P<epoch>\d+)",
       "follows broker {broker} in epoch {epoch}"),
    _t("takes no role", r"newMasterEpoch (?P<epoch>\d+) < lastEpoch (?P<last>\d+), fail to change",
       "refuses a role of epoch {epoch}: it knows epoch {last}"),
    _t("promoted", r"TruncateOffset is (?P<cut>-?\d+), confirmOffset is (?P<confirm>-?\d+), "
       r"maxPhyOffset is (?P<end>-?\d+)", "is promoted: its log ends at {end}, confirmed up to {confirm}"),
    _t("cuts", r"Truncate commitLog to (?P<to>\d+)", "cuts its log at {to}, where dispatching stands"),
    _t("handshake", r"Receive handshake, masterMaxPosition (?P<end>-?\d+)", "hears the end of the master's log: {end}"),
    _t("compares", r"local epoch entries is \[.*epoch=(?P<epoch>\d+), startOffset=(?P<start>\d+), "
       r"endOffset=(?P<end>\d+)\}\]", "compares epochs: its log ends at {end}"),
    _t("cuts", r"truncate dirty files to (?P<to>\d+)", "cuts its log at {to}"),
    _t("cuts", r"Truncate slave log to (?P<to>-?\d+) success", "has no more than the master up to {to}; cuts the rest"),
    _t("loaded", r"load over, and the max phy offset = (?P<end>\d+)", "starts with a log that ends at {end}"),
    _t("no epochs", r"Error happen when init epoch entries from epochFile", "cannot read its epoch file"),
    _t("does not cut", r"Slave local epochCache is empty, skip truncate", "knows no epoch, and cuts nothing"),
    _t("no common point", r"Failed to find a consistent point", "has no entry in common with the master's epochs"),
    _t("no common point", r"master pushed offset not equal the max phy offset in slave, SLAVE: (?P<end>\d+) MASTER: "
       r"(?P<offset>\d+)", "is sent bytes from {offset}, and its log ends at {end}"),
    _t("caught up", r"The slave (?P<broker>\d+) has caught up, slaveMaxOffset: (?P<end>\d+), confirmOffset: "
       r"(?P<confirm>\d+)", "sees that broker {broker} has all up to {end}; confirmed is {confirm}"),
    _t("proposes", r"Notify the syncStateSet has been changed into " + _SET, "wants the SyncStateSet {members}"),
    _t("set refused", r"Error happen when change SyncStateSet.*newSyncStateSet:" + _SET,
       "does not get the SyncStateSet {members}"),
    _t("no copy", r"AutoSwitchHAClient close connection with master", "has lost its connection to the master"),
    _t("in set without connection", r"Slave (?P<broker>\d+) is still in syncStateSet, but has lost its connection",
       "has no connection to broker {broker} of the SyncStateSet: the confirmOffset stands"),
    _t("disk full", r"physic disk maybe full", "has little room on its disk"),
)  # fmt: skip


def in_order(moments: Iterable[Moment]) -> list[Moment]:
    """By time; in one second the controllers come first, which others follow."""
    return sorted(moments, key=lambda moment: (moment.at, not moment.node.startswith(CONTROLLER)))


def moments_of(lines: Iterable[str], node: str, name: str) -> list[Moment]:
    """Of one file. A message that is repeated at once is told once."""
    tellings = _OF_CONTROLLER if node.startswith(CONTROLLER) else _OF_BROKER
    found: list[Moment] = []
    last, before_silence = "", ""
    for number, line in enumerate(lines, 1):
        parts = _LINE.fullmatch(line.rstrip("\n"))
        if parts is None:
            continue
        if last and last != parts[1] and _clock(parts[1]) - _clock(last) > _SILENCE:
            before_silence = last
        last = parts[1]
        for telling in tellings:
            match = telling.pattern.search(parts[4])
            if match is None:
                continue
            moment = _moment(telling, match, parts[1], node, f"{name}:{number}", line.rstrip("\n"))
            if moment.kind == "unclean" and before_silence:
                moment = replace(moment, values={"since": int(_clock(before_silence))})
            if not (found and moment.kind in _REPEATED and _same(found, moment)):
                found.append(moment)
            break
    return found


def _clock(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE).timestamp()


_SILENCE = 2
"""Seconds without a line, after which a process that starts has begun to write."""
_REPEATED = ("in set without connection", "no common point", "no copy", "handshake", "set refused", "disk full",
             "refused", "no master", "takes no role")  # fmt: skip


def _same(found: Sequence[Moment], moment: Moment) -> bool:
    last = [each for each in found[-4:] if each.kind == moment.kind]
    return bool(last) and last[-1].text == moment.text


def _moment(telling: _Telling, match: re.Match[str], clock: str, node: str, place: str, line: str) -> Moment:
    groups = match.groupdict()
    members = frozenset(map(int, _WORDS.findall(groups["members"]))) if groups.get("members") is not None else None
    values = {name: int(text) for name, text in groups.items() if name not in ("members", "why") and text is not None}
    shown = "{" + ", ".join(map(str, sorted(members))) + "}" if members is not None else ""
    text = telling.text.format(**values, members=shown)
    return Moment(_clock(clock), node, telling.kind, text, place, line, values, members)
