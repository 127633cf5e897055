"""A broker is killed between a write of a step and the step's line: the recorded run is a behaviour all the same."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds
from rmqproof.impl.runtime.cluster import Cluster
from rmqproof.impl.runtime.events import events_in
from rmqproof.impl.runtime.merging import merge_traces
from tests import impl
from tests.impl.runtime.test_cluster import FOREVER, Running
from tests.rocketmq.runs.cluster_recording import LATE_ACKS

KILLING = Path(next(iter(impl.__path__))) / "runtime" / "killing"
ARMED = "RMQPROOF_TEST_ARMED"


async def dies(cluster: Cluster, name: str) -> None:
    """Wait for it; then the operator notices, and starts it again."""

    async def ended() -> bool:
        return not cluster.running(name)

    await cluster.until(ended)
    cluster._write_end(name)
    await cluster.restart(name)


async def killed_three_times(folder: Path, armed: Path) -> None:
    async with Running(folder, 1, 2) as running:
        await running.members("b1", "b2")
        await running.put("m1")
        cluster, master = running.cluster, await running.master()
        (slave,) = {"b1", "b2"} - {master}
        armed.write_text(f"{slave} AppendLog")  # of a batch
        putting = asyncio.create_task(running.client.put(b"x", "at the slave", FOREVER))
        await dies(cluster, slave)
        await putting
        await running.members("b1", "b2")
        armed.write_text(f"{master} AppendLog")
        putting = asyncio.create_task(running.client.put(b"x", "at the master", 1.0))
        await dies(cluster, master)
        await putting
        await running.members("b1", "b2")
        master = await running.master()
        (slave,) = {"b1", "b2"} - {master}
        armed.write_text(f"{slave} WriteEpochFile")  # when it is elected
        await cluster.kill(master)
        await dies(cluster, slave)
        await cluster.restart(master)
        await running.members("b1", "b2")
        await running.put("last")


def test_steps_that_were_begun_are_settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(KILLING))
    monkeypatch.setenv(ARMED, str(tmp_path / "armed"))
    asyncio.run(killed_three_times(tmp_path / "D", tmp_path / "armed"))
    run = tmp_path / "run.ndjson"
    merge_traces(tmp_path / "D" / "traces", run)
    settled = [event.action for event in events_in(run) if event.detail.get("written") == "by the next life"]
    assert {"AppendPut", "SlaveAppendsBatch", "NewMasterRecordsEpoch"} <= set(settled)
    result = validate_runs([run], LATE_ACKS, "cluster", Bounds(entries=50_000))
    assert result.answer is Answer.YES
    # What went wrong before: the bytes are on the disk, and no line says how they came there.
    lines, missing = [], 0
    for line in map(json.loads, run.read_text().splitlines()):
        missing = missing if line["node"] == node_of(lines) else 0
        if line["action"] == "SlaveAppendsBatch" and line.get("detail", {}).get("written"):
            missing += 1
        else:
            lines.append({**line, "sequence": line["sequence"] - missing})
    run.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert validate_runs([run], LATE_ACKS, "cluster", Bounds(entries=50_000)).answer is Answer.NO


def node_of(lines: list[dict[str, Any]]) -> str | None:
    """The node of the last line."""
    return lines[-1]["node"] if lines else None
