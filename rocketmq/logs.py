"""Log lines of RocketMQ's controller and brokers as events of spec/core/ControllerMode.tla.

Read are controller.log (or namesrv.log with an embedded controller), broker.log and store.log, as the shipped classes
write them: `2025-09-19 10:11:12 INFO <thread> - <message>`. One file is in order; files of one node are not ordered
among themselves, and seconds decide nothing. Most steps leave no line (appends, acknowledgements, puts, the confirm
offset), so what these logs can contradict is elections, epochs, roles and SyncStateSets. Offsets are bytes there and
messages in the model: they are left out.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event, Origin, RunError
from rmqproof.conformance.runs.mapping import RunMapping

CONTROLLER = "controller"
EPOCHS, ANSWERS = "epochFileCheckpoint", "admin.json"
"""Files beside the logs: a broker's epochs, and what the controller answered at the end."""
_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,6})?) (\w+) (.+?) - (.*)")
_ELECTED = (
    "ControllerElectsMaster", "BrokerRequestsElection", "AdministratorDesignatesMaster", "RestartedBrokerIsElected"
)  # fmt: skip
"""What a controller's line of an election can be. The last is two lines: by the repaired rule the answer to a broker's
own request makes it master in the same step, and the line of the broker tells of nothing more."""
DECIDED = re.compile(r"Event queue run event (\w+), get the result ControllerResult\{events=\[(.*)\], response=(.*)\}$")
APPLIED = re.compile(r"process event: term \d+, index \d+, request code (\d+) success with result "
                      r"ControllerResult\{events=\[(.*)\], response=(.*)\}$")  # fmt: skip
EXPIRED = re.compile(r"(?:The broker channel .* expired|Broker expired), brokerInfo .*brokerId=(\d+)\}?, expired \d+ms")
"""Where the table of heartbeats changes. The leader of JRaft says `The broker channel … expired` without a time, too,
of what was decided before; by then the broker may be in the table again."""
_ENTRY = re.compile(r"process event: term \d+, index (\d+), request code \d+( success with result .*)?")
_ROLLED_OVER = "otherdays"
_RAFT_THREAD = "JRaft-FSMCaller"
"""Of the thread that applies the entries of JRaft's log, one after another."""
RAFT = "raft"
"""The stream of what controllers on JRaft applied, in the order of their common log."""
_SET = re.compile(r"\bbrokerName[=:] *'?([^',\]} ]+)|inactive, broker ([^,]+), addr:")
_LAST_ID = re.compile(r"brokerId[:=](\d+)")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A line that matches tells of a step: action, arguments, what the state is afterwards."""

    pattern: re.Pattern[str]
    event: Callable[[re.Match[str], str], tuple[str, tuple[Any, ...], dict[str, Any], tuple[str, ...]] | None]


def _broker(text: str) -> str:
    return f"b{text}"


def _members(text: str) -> dict[str, list[str]]:
    return {"#set": [_broker(name) for name in re.findall(r"\d+", text)]}


def _controller_result(
    events: str, response: str
) -> tuple[str, tuple[Any, ...], dict[str, Any], tuple[str, ...]] | None:
    """What a request did to the replicated state."""
    epoch, number = re.search(r"masterEpoch=(\d+)", response), re.search(r"yncStateSetEpoch=(\d+)", response)
    if (found := re.search(r"AlterSyncStateSetEvent\{.*newSyncStateSet=\[([^\]]*)\]", events)) is not None:
        state: dict[str, Any] = {"sss": _members(found[1])}
        if number is not None:
            state["sssEpoch"] = int(number[1])
        return "ControllerAcceptsAlter", (), {"controller": state}, ()
    if (
        found := re.search(r"ElectMasterEvent\{newMasterElected=(true|false).*newMasterBrokerId=(\w+)", events)
    ) is not None:
        if found[1] == "false":
            return "ControllerFindsNoMaster", (), {"controller": {"master": "none"}}, ()
        state = {"master": _broker(found[2]), "sss": _members(found[2])}
        if epoch is not None:
            state["masterEpoch"] = int(epoch[1])
        if number is not None:
            state["sssEpoch"] = int(number[1])
        return _ELECTED[0], (), {"controller": state}, _ELECTED[1:]
    if "CleanBrokerDataEvent{" in events:
        return "MetadataIsCleaned", (), {}, ()
    return None


_CONTROLLER_RULES = (
    _Rule(DECIDED, lambda m, node: _controller_result(m[2], m[3])),
    _Rule(APPLIED, lambda m, node: _controller_result(m[2], m[3])),
    _Rule(
        EXPIRED,
        lambda m, node: ("HeartbeatExpires", (_broker(m[1]),), {}, ()),
    ),
    _Rule(  # its process ended: the connection of its heartbeats closes
        re.compile(r"Channel .* inactive, broker .*, addr:.*, id:(\d+)"),
        lambda m, node: ("HeartbeatExpires", (_broker(m[1]),), {}, ()),
    ),
    _Rule(  # the same by JRaft, when the entry about it is applied
        re.compile(r"onBrokerCloseChannel success, brokerIdentityInfo: .*brokerId=(\d+)"),
        lambda m, node: ("HeartbeatExpires", (_broker(m[1]),), {}, ()),
    ),
    _Rule(
        re.compile(r"new broker registered, .*brokerId[:=]\s*(\d+)"),
        lambda m, node: ("HeartbeatArrives", (_broker(m[1]),), {}, ()),
    ),
    _Rule(
        # of DLedger; a leader of JRaft knows the heartbeats
        re.compile(r"Start scheduling controller events"),
        lambda m, node: ("ControllerFailsOver", (), {}, ()),
    ),
)
_BROKER_RULES = (
    _Rule(
        re.compile(r"Begin to change to master, brokerName:.*, new Epoch:(\d+)"),
        lambda m, node: (
            "BecomeMaster", (node,), {"broker": {"masterEpoch": int(m[1]), "master": node}}, ("ReceiveNotice",)
        ),
    ),
    _Rule(
        re.compile(r"Begin to change to slave, .*newMasterBrokerId=(\d+), .*newMasterEpoch=(\d+)"),
        lambda m, node: (
            "BecomeSlave",
            (node,),
            {"broker": {"role": "Slave", "masterEpoch": int(m[2]), "master": _broker(m[1])}},
            ("ReceiveNotice",),
        ),
    ),
    _Rule(
        re.compile(r"SyncStateSet changed from \[[^\]]*\] to \[([^\]]*)\]"),
        lambda m, node: ("LearnSyncStateSet", (node,), {"broker": {"sss": _members(m[1])}}, ()),
    ),
    _Rule(
        re.compile(r"Notify the syncStateSet has been changed into \[([^\]]*)\]"),
        lambda m, node: ("ProposeExpand", (node, None), {}, ("ProposeShrink",)),
    ),
    _Rule(  # of AutoSwitchHAClient.doTruncate the one line that every release writes; the master's end writes it, too
        re.compile(r"AutoSwitchHAClient - change state to TRANSFER"),
        lambda m, node: ("SlaveConnectsAndTruncates", (node,), {}, ()),
    ),
    _Rule(
        re.compile(r"AutoSwitchHAClient close connection with master"),
        lambda m, node: ("ConnectionBreaks", (node,), {}, ()),
    ),
)  # fmt: skip
_REPEATED = frozenset(("HeartbeatArrives", "ControllerFailsOver", "LearnSyncStateSet", "ConnectionBreaks"))
"""Lines that are also written when nothing of the model changes."""
_ALWAYS = frozenset((*_ELECTED, "ControllerFindsNoMaster", "BecomeMaster", "BecomeSlave", "ReceiveNotice"))
"""Steps that always leave a line."""
VIEWS = {"controller": "controller", "broker": "broker[node]"}


def read_log(path: Path) -> list[Event]:
    """The events of one log file; lines that tell of no step are passed over. Raise `RunError`."""
    return [event for log in applied_once(whole_logs([path])) for event, _ in _read(*log)]


@dataclass(frozen=True, slots=True)
class LogLine:
    """`clock`: seconds; `thread`: who wrote it; `entry`: the entry of JRaft's log that was applied then."""

    origin: Origin
    clock: float
    thread: str
    message: str
    text: str
    entry: int | None = None

    @property
    def broker_set(self) -> str:
        """Empty where the line names none."""
        name = _SET.search(self.message)
        return (name[1] or name[2]) if name is not None else ""


Log = tuple[Path, str, list[LogLine]]
"""Its (last) file, whose log it is, and its lines."""


def log_of(path: Path) -> Path:
    """The log that a file is, or a part of: `broker` of `broker.log`, of `broker.log.1.gz`, and of `broker.3.log.gz` in
    the folder `otherdays`, into which RocketMQ moves what was rolled over."""
    name = re.sub(r"(?<=.)(?:\.(?:log|gz|\d+))+$", "", path.name)
    return (path.parent.parent if path.parent.name == _ROLLED_OVER else path.parent) / name


def whole_logs(paths: Sequence[Path]) -> list[Log]:
    """The logs of these files, the parts of each in the order of their clocks. Raise `RunError`."""
    parts: dict[Path, list[Path]] = {}
    for path in dict.fromkeys(paths):
        parts.setdefault(log_of(path), []).append(path)
    found = []
    for files in parts.values():
        written = [path for path in files if path.stat().st_size] or files  # the newest one may have no line yet
        several = sorted(((path, *_lines(path)) for path in written), key=_begins)
        lines = [line for _, _, some in several for line in some]
        found.append((several[-1][0], several[-1][1], list(_with_entries(lines))))
    return found


def _begins(part: Log) -> tuple[float, int]:
    """Of a log's parts the oldest first, which has the largest number; several can begin in one second."""
    path, _, lines = part
    return lines[0].clock, -age_of(path)


def age_of(path: Path) -> int:
    """The number that a log has since it was rolled over, larger with each that came after it; 0: it is the newest."""
    return max((int(number) for number in re.findall(r"\.(\d+)(?=\.|$)", path.name)), default=0)


def _with_entries(lines: Sequence[LogLine]) -> Iterator[LogLine]:
    """With the entry of JRaft's log that was applied when a line of its thread was written."""
    entry: int | None = None
    for line in lines:
        applied = line.thread.startswith(_RAFT_THREAD)
        if applied and (begins := _ENTRY.match(line.message)) is not None:
            entry = int(begins[1])
        yield replace(line, entry=entry) if applied else line


def _lines(path: Path) -> tuple[str, list[LogLine]]:
    """Whose log it is, and its lines but for stack traces and those of other programs. Raise `RunError`."""
    try:
        lines = text_of(path).splitlines()
    except (OSError, EOFError, zlib.error) as error:
        raise RunError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    node = node_of(path, lines)
    found = []
    for number, line in enumerate(lines, 1):
        parts = _LINE.fullmatch(line)
        if parts is None:
            continue
        clock = datetime.fromisoformat(_with_micros(parts[1])).timestamp()
        found.append(LogLine(Origin(str(path), number), clock, parts[3], parts[4], line))
    if not found:
        raise RunError(f"{path}: no line looks like `2025-09-19 10:11:12 INFO thread - message`. Is it RocketMQ's log?")
    return node, found


def applied_once(logs: Sequence[Log]) -> list[Log]:
    """The logs with what controllers on JRaft have applied once, in a log of its own.

    Each of them applies every entry of their common log, and applies it again when it starts again, and each time
    writes the same. Raise `RunError` where two have done something else for one entry.
    """
    applied: dict[int, list[LogLine]] = {}
    whole: dict[int, LogLine] = {}
    rest: list[Log] = []
    for path, node, lines in logs:
        if node != CONTROLLER:
            rest.append((path, node, lines))
            continue
        rest.append((path, node, [line for line in lines if line.entry is None]))
        for entry, same in _applications(lines):
            last = next((line for line in same if (match := _ENTRY.match(line.message)) and match[2]), None)
            known = whole.get(entry)
            if last is not None and known is not None:
                _agree(entry, known, last)
            elif last is not None or entry not in applied:
                applied[entry] = same
                whole.update({entry: last} if last is not None else {})
    if applied:
        lines = [line for entry in sorted(applied) for line in applied[entry]]
        rest.append((Path(lines[0].origin.file), CONTROLLER, lines))
    return rest


def _applications(lines: Sequence[LogLine]) -> Iterator[tuple[int, list[LogLine]]]:
    """Of each time that an entry is applied: its number, and the lines."""
    found: list[LogLine] = []
    for line in lines:
        if line.entry is None:
            continue
        begins = _ENTRY.match(line.message)
        if begins is not None and not begins[2] and found:
            yield found[0].entry or 0, found
            found = []
        found.append(line)
    if found:
        yield found[0].entry or 0, found


def _agree(entry: int, one: LogLine, other: LogLine) -> None:
    """Decisions that are not the same; what is only asked may be answered by each in its own way."""
    first, second = (APPLIED.match(line.message) for line in (one, other))
    if first is not None and second is not None and first[2] != second[2]:
        raise RunError(
            f"{other.origin}: entry {entry} of the controllers' log was decided as {second[2]!r}, and at {one.origin} "
            f"as {first[2]!r}. Replicas that disagree, or logs of two clusters."
        )


def _read(path: Path, node: str, lines: Sequence[LogLine]) -> list[tuple[Event, str]]:
    """The events of a log, each with the name of the broker set that it is of, empty where its line has none."""
    rules = _CONTROLLER_RULES if node == CONTROLLER else _BROKER_RULES
    found: list[tuple[Event, str]] = []
    mastered: set[int] = set()
    for line in lines:
        event = _event(rules, f"{line.thread} - {line.message}", node)
        if event is not None:
            stream = log_of(path).name if line.entry is None else RAFT
            event = _once_without_a_step(event, mastered)
            event = replace(event, clock=line.clock, stream=stream, origin=line.origin, text=line.text)
            found.append((event, line.broker_set))
    return found


def _once_without_a_step(event: Event, mastered: set[int]) -> Event:
    """A broker's line of becoming master can tell of no more than the controller's does (`_ELECTED`), but once an
    epoch: `ReplicasManager.changeToMaster` writes it of a larger one only. `mastered`: epochs with such a line."""
    if event.action != "BecomeMaster":
        return event
    epoch = event.state["broker"]["masterEpoch"]
    first = epoch not in mastered
    mastered.add(epoch)
    return replace(event, may_stutter=first)


def _of_one_set(found: Sequence[tuple[Event, str]]) -> list[Event]:
    """Those of the set that the logs of brokers are of, else of the only one that a controller speaks of."""
    of_brokers = {name for event, name in found if name and event.node != CONTROLLER}
    names = sorted(of_brokers or {name for _, name in found if name})
    if len(names) > 1:
        whose = "logs of brokers" if of_brokers else "logs of controllers"
        raise RunError(
            f"These {whose} are of {len(names)} broker sets: {', '.join(names)}. Give those of one, with a broker's."
        )
    return [event for event, name in found if not name or name in names]


def _from_the_start(events: Sequence[Event], started: bool) -> list[Event]:
    """With epochs as the model counts them: 1 is the first election, or with a first master (`started`) its own.

    A log that was rolled over begins with a later one. What brokers tell of epochs before it is left out.
    """
    first = 2 if started else 1
    of_controller = [event.state["controller"] for event in events if "controller" in event.state]
    masters = [state["masterEpoch"] for state in of_controller if "masterEpoch" in state][:1]
    masters = masters or sorted(
        event.state["broker"].get("masterEpoch", first) for event in events if _in_broker(event)
    )
    numbers = [state["sssEpoch"] for state in of_controller if "sssEpoch" in state]
    later = max(0, masters[0] - first) if masters else 0
    larger = max(0, numbers[0] - first) if numbers else 0
    if not later and not larger:
        return list(events)
    over: dict[str, float] = {}
    for event in events:
        if _in_broker(event) and event.state["broker"].get("masterEpoch", later + first) < later + first:
            over[event.node] = max(event.clock or 0.0, over.get(event.node, 0.0))
    kept = [event for event in events if event.node not in over or (event.clock or 0.0) > over[event.node]]
    return [_counted(event, {"masterEpoch": later, "sssEpoch": larger}) for event in kept]


def _in_broker(event: Event) -> bool:
    return "masterEpoch" in event.state.get("broker", {})


def _counted(event: Event, before: Mapping[str, int]) -> Event:
    state = {
        whose: {name: value - before.get(name, 0) if name in before else value for name, value in parts.items()}
        for whose, parts in event.state.items()
    }
    return replace(event, state=state)


def text_of(path: Path) -> str:
    """The text of a log; one that was rolled over is compressed. Raise `OSError`, `EOFError`, `zlib.error`."""
    content = path.read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    return content.decode("utf-8", errors="replace")


def _with_micros(time: str) -> str:
    """Seconds with a fraction of six digits, which every Python reads."""
    whole, mark, fraction = time.replace(",", ".").partition(".")
    return f"{whole}.{fraction:0<6}" if mark else whole


def _event(rules: Sequence[_Rule], message: str, node: str) -> Event | None:
    for rule in rules:
        match = rule.pattern.search(message)
        told = rule.event(match, node) if match is not None else None
        if told is not None:
            action, arguments, state, others = told
            alternatives = tuple((other, arguments[:1] if other == "ReceiveNotice" else arguments) for other in others)
            return Event(node, action, arguments, state, may_stutter=action in _REPEATED, alternatives=alternatives)
    return None


def node_of(path: Path, lines: Sequence[str]) -> str:
    """Whose log it is: by the file's name, its folder's, or what it says. Raise `RunError` where nothing tells."""
    name = path.name.lower()
    if "controller" in name or "namesrv" in name:
        return CONTROLLER
    for text in (log_of(path).name, log_of(path).parent.name):
        found = re.search(r"(?:^|[^a-z])(?:broker|b)[-_]?(\d+)", text.lower())
        if found is not None:
            return _broker(found[1])
    for line in lines:
        if "Begin to change to slave" in line and (found := _LAST_ID.search(line)) is not None:
            return _broker(found[1])
    raise RunError(f"{path}: nothing says whose log this is. Put it into a folder named after the broker, as broker-2.")


def read_logs(paths: Sequence[Path], constants: Mapping[str, Any] | None = None) -> tuple[list[Event], RunMapping]:
    """The events of these logs, and a mapping for them: the brokers that occur, and steps that leave no line.

    A controller has several broker sets: those that no broker's log is of are left out. Epochs are told from where the
    logs begin. Budgets of the model are those of its configuration, or `constants`. Raise `RunError`.
    """
    events = _of_one_set([found for log in applied_once(whole_logs(paths)) for found in _read(*log)])
    events = _from_the_start(events, (constants or {}).get("FirstMaster", "none") not in ("none", None))
    brokers = sorted(set(re.findall(r"'(b\d+)'", repr([(e.node, e.arguments, e.state) for e in events]))))
    fitting: dict[str, Any] = {"Broker": brokers, "NoBroker": "none", "FirstMaster": "none", "FirstSyncStateSet": []}
    for name, actions in (
        ("MaxEpoch", (*_ELECTED, "ControllerFindsNoMaster")),
        ("MaxExpiries", ("HeartbeatExpires",)),
        ("MaxAlters", ("ControllerAcceptsAlter",)),
        ("MaxFailOvers", ("ControllerFailsOver",)),
        ("MaxBreaks", ("ConnectionBreaks",)),
    ):
        fitting[name] = sum(event.action in actions for event in events) + 2
    return events, RunMapping(state=dict(VIEWS), logged=_ALWAYS, constants={**fitting, **(constants or {})})
