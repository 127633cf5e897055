"""What a real cluster has left, held to the specification: logs, epoch files, and the controller's last answers."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.report import rejection
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import find_models
from rmqproof.rocketmq.logs import ANSWERS, EPOCHS
from rmqproof.rocketmq.processes.cluster import RealCluster
from rmqproof.rocketmq.tracing.rules import FEWER, config_of_release

FORMAT, TRACE_FORMAT = "rocketmq-run", "rocketmq-trace"
"""As `rmqproof validate --mapping` calls them."""
_ENTRIES = 50_000
_ORDERS = 4
"""States looked at for each step, on average, before it is not known whether steps are a behaviour."""
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


def judged(folder: Path, version: str) -> Validation:
    """Whether the run is a behaviour of RecordedRun with the release's rules. Raise `RunError`."""
    (files,) = find_models([bundled(config_of_release(version, traced=False))])
    return validate_runs(files_of(folder), files, FORMAT, Bounds(entries=_ENTRIES))


def steps_until_now(traces: Path, to: Path, written: float = 1.0) -> Path:
    """`to`, with the lines of all nodes whose steps have begun by now: nodes go on while their files are read one after
    another, and what a master was told last could be there without the step of who told it. `written`: seconds in which
    a step that has begun is written down. What a producer was told begins with its waiting: of that it is the end."""
    now = time.monotonic_ns()  # the clock of System.nanoTime
    time.sleep(written)
    to.mkdir()
    for path in sorted(traces.glob("*.ndjson")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        there = (line for line in lines if line.endswith("\n") and _moment(json.loads(line)) <= now)
        (to / path.name).write_text("".join(there), encoding="utf-8")
    return to


def _moment(line: dict[str, Any]) -> int:
    return int(line["ended" if line["step"] == "answer" else "began"])


def judged_steps(folder: Path, version: str) -> Validation:
    """Whether what traced nodes wrote is a behaviour of TracedRun with the release's rules. Raise `RunError`."""
    (files,) = find_models([bundled(config_of_release(version))])
    paths = sorted(folder.glob("*.ndjson"))
    steps = sum(path.read_bytes().count(b"\n") for path in paths)
    return validate_runs(paths, files, TRACE_FORMAT, Bounds(entries=_ENTRIES + _ORDERS * steps))


def with_fewer_copies(found: Validation) -> Sequence[Event]:
    """Where copies were enough for the rules of the release, and not for what is promised."""
    return [step.event for step in found.steps if step.action == FEWER and step.event is not None]


def promise_not_kept(fewer: Sequence[Event]) -> str:
    """In a sentence, with the known behaviour."""
    return (
        f"{len(fewer)} times copies were enough that not all members of the stored SyncStateSet had, first at "
        f"{fewer[0].origin}: this is the behaviour of InsufficientRemoval (F-61)"
    )


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
