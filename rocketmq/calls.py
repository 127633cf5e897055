"""Requests to a real controller with their answers, kept: to be asked of other releases, and of our controller."""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.controller_state import ControllerState, InSync, Liveness, RealAnswer, Replicas


@dataclass(frozen=True, slots=True)
class Call:
    """One request in one state, what was answered, and the state after its events. `living`: who was alive, with what
    their heartbeats had said; `unclean`: enableElectUncleanMaster."""

    before: ControllerState
    request: messages.ControllerRequest
    living: Liveness
    unclean: bool
    answer: RealAnswer
    after: ControllerState

    @property
    def question(self) -> tuple[Any, ...]:
        return self.before, self.request, self.living, self.unclean


_REQUESTS = {
    kind.__name__: kind
    for kind in (
        messages.GetNextBrokerIdRequest,
        messages.ApplyBrokerIdRequest,
        messages.RegisterBrokerRequest,
        messages.ElectMasterRequest,
        messages.AlterSyncStateSetRequest,
        messages.GetReplicaInfoRequest,
        messages.GetSyncStateDataRequest,
        messages.CleanBrokerDataRequest,
    )
}


def note(folder: Path, call: Call) -> None:
    """Add a call to this process's file."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{os.getpid()}.ndjson").open("a", encoding="utf-8") as file:
        file.write(json.dumps(to_json(call), separators=(",", ":")) + "\n")


def read_calls(path: Path) -> list[Call]:
    """The different calls of a folder or of a file (`.ndjson`, `.ndjson.xz`), in a fixed order."""
    files = sorted(path.glob("**/*.ndjson*")) if path.is_dir() else [path]
    found: dict[str, Call] = {}
    for file in files:
        for line in _lines(file):
            found.setdefault(line, of_json(json.loads(line)))
    return [found[line] for line in sorted(found)]


def write_calls(path: Path, calls: Iterable[Call]) -> None:
    """A compressed file; the same calls give the same bytes."""
    lines = sorted(json.dumps(to_json(call), separators=(",", ":")) for call in calls)
    path.write_bytes(lzma.compress(("\n".join(lines) + "\n").encode(), preset=9 | lzma.PRESET_EXTREME))


def _lines(file: Path) -> Iterator[str]:
    content = file.read_bytes()
    text = (lzma.decompress(content) if file.suffix == ".xz" else content).decode("utf-8")
    yield from (line for line in text.splitlines() if line)


# --- JSON ------------------------------------------------------------------------------------------------------------


def to_json(call: Call) -> dict[str, Any]:
    return {
        "before": _state(call.before),
        "request": {"type": type(call.request).__name__, **_plain(asdict(call.request))},
        "living": [[broker_id, *_info(info)] for broker_id, info in call.living],
        "unclean": call.unclean,
        "answer": _plain(asdict(call.answer)),
        "after": _state(call.after),
    }


def of_json(found: dict[str, Any]) -> Call:
    request = dict(found["request"])
    kind = _REQUESTS[request.pop("type")]
    given = {each.name: _typed(each.name, request[each.name]) for each in fields(kind)}
    answer = found["answer"]
    events = tuple(tuple(_event(part) for part in event) for event in answer["events"])
    return Call(
        _read_state(found["before"]),
        kind(**given),
        tuple(
            (broker_id, BrokerLiveInfo(0, 0, epoch, offset, confirm, priority))
            for broker_id, epoch, offset, confirm, priority in found["living"]
        ),
        found["unclean"],
        RealAnswer(answer["code"], answer["remark"], answer["header"], answer["body"], events, answer["raised"]),
        _read_state(found["after"]),
    )


def _info(info: BrokerLiveInfo) -> tuple[int, int, int, int]:
    return info.epoch, info.max_offset, info.confirm_offset, info.election_priority


def _typed(name: str, value: Any) -> Any:
    if name == "new_sync_state_set":
        return frozenset(value)
    return tuple(value) if isinstance(value, list) else value


def _event(part: Any) -> Any:
    return frozenset(part) if isinstance(part, list) else part


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case frozenset():
            return sorted(value)
        case list() | tuple():
            return [_plain(item) for item in value]
    return value


def _state(state: ControllerState) -> dict[str, Any]:
    found: dict[str, Any] = _plain(asdict(state))
    return found


def _read_state(found: dict[str, Any]) -> ControllerState:
    replicas, in_sync = found["replicas"], found["in_sync"]
    return ControllerState(
        found["broker_name"],
        None if replicas is None else Replicas(**{**replicas, "brokers": tuple(map(tuple, replicas["brokers"]))}),
        None if in_sync is None else InSync(**{**in_sync, "sync_state_set": frozenset(in_sync["sync_state_set"])}),
    )
