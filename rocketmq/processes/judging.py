"""What a real cluster has left, held to the specification: logs, epoch files, and the controller's last answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rmqproof.conformance.runs.report import rejection
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import find_models
from rmqproof.rocketmq.logs import ANSWERS, EPOCHS
from rmqproof.rocketmq.processes.cluster import RealCluster

FORMAT, TRACE_FORMAT = "rocketmq-run", "rocketmq-trace"
"""As `rmqproof validate --mapping` calls them."""
_ENTRIES = 50_000
_LINES = 40


def save_answers(cluster: RealCluster, folder: Path) -> None:
    """Who leads and who is in the SyncStateSet, by the controllers, as brokerIds."""
    master = cluster.master()
    content = {
        "master": cluster.id_of(master) if master is not None else None,
        "syncStateSet": sorted(cluster.sync_state_set() or ()),
    }
    (folder / ANSWERS).write_text(json.dumps(content) + "\n", encoding="utf-8")


def files_of(folder: Path) -> list[Path]:
    """What of collected logs tells of the run; a name server beside controllers of their own does not."""
    found = sorted(folder.rglob("*.log")) + sorted(folder.rglob(EPOCHS)) + sorted(folder.rglob(ANSWERS))
    return [path for path in found if path.name != "namesrv.log"]


def config_for(version: str) -> str:
    """The rules of a release."""
    major, minor, *_ = (int(part) for part in version.split("."))
    return "RecordedUpTo53.cfg" if (major, minor) < (5, 4) else "RecordedSince54.cfg"


def judged(folder: Path, version: str) -> Validation:
    """Whether the run is a behaviour of RecordedRun with the release's rules. Raise `RunError`."""
    (files,) = find_models([bundled(config_for(version))])
    return validate_runs(files_of(folder), files, FORMAT, Bounds(entries=_ENTRIES))


def judged_steps(folder: Path) -> Validation:
    """Whether what traced nodes wrote is a behaviour of TracedRun. Raise `RunError`."""
    (files,) = find_models([bundled("Traced.cfg")])
    return validate_runs(sorted(folder.glob("*.ndjson")), files, TRACE_FORMAT, Bounds(entries=_ENTRIES))


def lines_of(found: Validation, by: str = "by logs, epoch files and the controller's answers") -> Sequence[str]:
    """The answer in a sentence, and of a no the line and what is against it."""
    count = len(found.order.events)
    name = found.model.subject.name
    if found.answer is Answer.YES:
        return [f"{by} it is a behaviour of {name}: {count} events"]
    if found.answer is Answer.UNKNOWN:
        return [f"whether it is a behaviour of {name} is not known: {found.explained} of {count} events are explained"]
    told = rejection(found)
    start = next((number for number, line in enumerate(told) if line.startswith("Not explained")), 0)
    return [f"it is no behaviour of {name}: {found.explained} of {count} events are explained", *told[start:][:_LINES]]
