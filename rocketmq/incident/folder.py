"""The files of an incident: logs, epoch files and settings of its nodes, wherever they lie in a folder.

A file belongs to the broker after which its folder is named (`broker-2`), or to the one of which another file of its
folder tells: a log, or `brokerIdentity`.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import javaproperties

from rmqproof.conformance.runs.event import RunError
from rmqproof.rocketmq.epoch_files import EpochError, EpochFile, read_epochs
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.incident.diagnosis import Diagnosis, diagnose
from rmqproof.rocketmq.incident.timeline import Moment, in_order, moments_of
from rmqproof.rocketmq.logs import CONTROLLER, age_of, log_of, node_of, text_of

_LOGS = re.compile(r"(broker|store|controller|namesrv|broker_default)([-_].*)?\.log|controller.*\.log")
_EPOCHS = "epochFileCheckpoint"
_PRINTED = re.compile(r"^\d{4}-\d\d-\d\d \S+ INFO main - (\w+)=(.*)$", re.MULTILINE)
"""A setting, as `MixAll.printObjectProperties` writes it when a process starts."""


@dataclass(slots=True)
class Incident:
    """`epochs` and `settings` by node; `printed`: the settings that it wrote into its log when it started; `unread`:
    files that could not be read, with the reason."""

    logs: dict[Path, str] = field(default_factory=dict)
    epochs: dict[str, EpochFile] = field(default_factory=dict)
    settings: dict[str, dict[str, str]] = field(default_factory=dict)
    printed: dict[str, dict[str, str]] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def diagnosis(self) -> Diagnosis:
        return diagnose(self.moments, self.epochs, self.settings, self.printed)


def read_incident(folder: Path) -> Incident:
    """Raise `RocketmqError` where the folder has no log of RocketMQ."""
    found = Incident()
    by_folder: dict[Path, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            by_folder[log_of(path).parent].append(path)
    for inside, files in by_folder.items():
        _read_folder(found, inside, sorted(files, key=age_of, reverse=True), folder)
    if not found.moments:
        raise RocketmqError(
            f"No line of a log in {folder} tells of a role or an election.",
            "Give a folder with broker.log and store.log of each broker (in folders broker-1, …) and controller.log.",
        )
    found.moments = in_order(found.moments)
    return found


def _read_folder(found: Incident, inside: Path, files: list[Path], top: Path) -> None:
    broker = _broker_of(inside, files)
    for path in files:
        name = str(path.relative_to(top))
        try:
            if ".log" in path.name and _LOGS.fullmatch(f"{log_of(path).name}.log"):
                lines = text_of(path).splitlines()
                node = _node(path, lines, broker)
                found.logs[path] = node
                found.moments += moments_of(lines, node, name)
                if log_of(path).name == "broker":
                    found.printed.setdefault(node, {}).update(_PRINTED.findall("\n".join(lines)))
            elif path.name == _EPOCHS and broker is not None:
                found.epochs[broker] = read_epochs(str(path))
            elif path.suffix in (".conf", ".properties") and (owner := broker or _of_controller(path)):
                found.settings[owner] = javaproperties.loads(path.read_text(encoding="utf-8", errors="replace"))
        except (OSError, EOFError, zlib.error, RunError, EpochError) as error:
            found.unread.append(f"{name}: {error}")


def _node(path: Path, lines: list[str], broker: str | None) -> str:
    log = log_of(path).name
    if log.startswith("controller-"):  # one of several
        return log
    if broker is not None and not log.startswith((CONTROLLER, "namesrv")):
        return broker
    return CONTROLLER if log == "broker_default" else node_of(path, lines)


def _broker_of(inside: Path, files: list[Path]) -> str | None:
    match = re.search(r"(?:^|[^a-z])broker[-_]?(\d+)$", inside.name.lower())
    if match is not None:
        return f"b{match[1]}"
    for path in files:
        if path.name == "brokerIdentity":
            return f"b{path.read_text(encoding='utf-8').strip().rsplit('#', 1)[-1]}"
        if ".log" in path.name and log_of(path).name == "broker":
            try:
                return node_of(path, text_of(path).splitlines())
            except (OSError, EOFError, zlib.error, RunError):
                continue
    return None


def _of_controller(path: Path) -> str | None:
    return CONTROLLER if path.stem.startswith((CONTROLLER, "namesrv")) else None
