"""A run of processes that were killed, cut off and without power: a behaviour, and none with one thing wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from rmqproof.model.cli import main
from tests.rocketmq.runs.cluster_recording import LATE_ACKS

Line = dict[str, Any]
pytestmark = pytest.mark.large


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """Each node's lines in their order; nodes by the clock of the machine."""
    folder = tmp_path_factory.mktemp("chaos")
    done = CliRunner().invoke(main, ["chaos", "--seed", "3", "--steps", "12", "--no-validate", "--keep", str(folder)])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (folder / "run.ndjson").read_text(encoding="utf-8").splitlines()]
    return sorted(lines, key=lambda line: (line["at"], line["sequence"]))


def answer(lines: list[Line], tmp_path: Path) -> Validation:
    path = tmp_path / "run.ndjson"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return validate_runs([path], LATE_ACKS, "cluster", Bounds(entries=4 * len(lines)))


def late(lines: list[Line], action: str) -> Line:
    """A line with this action when two thirds of the run are over."""
    return next(line for line in lines[2 * len(lines) // 3 :] if line["action"] == action and "broker" in line["state"])


def confirms_one_more(lines: list[Line]) -> None:
    late(lines, "MasterReceivesAck")["state"]["disk"]["confirm"] += 1


def flushes_before_it_appends(lines: list[Line]) -> None:
    batch = late(lines, "SlaveAppendsBatch")
    flush = next(
        line
        for line in lines
        if (line["node"], line["action"]) == (batch["node"], "BytesAreFlushed") and line["sequence"] > batch["sequence"]
    )
    batch["sequence"], flush["sequence"] = flush["sequence"], batch["sequence"]


def loses_a_batch(lines: list[Line]) -> None:
    gone = late(lines, "SlaveAppendsBatch")
    lines.remove(gone)
    for line in lines:
        if line["node"] == gone["node"] and line["sequence"] > gone["sequence"]:
            line["sequence"] -= 1


def test_the_run_is_a_behaviour(recorded: list[Line], tmp_path: Path) -> None:
    assert answer(recorded, tmp_path).answer is Answer.YES


@pytest.mark.parametrize("change", [confirms_one_more, flushes_before_it_appends, loses_a_batch])
def test_a_long_run_with_one_thing_wrong_ends_in_no(
    change: Callable[[list[Line]], None], recorded: list[Line], tmp_path: Path
) -> None:
    lines: list[Line] = json.loads(json.dumps(recorded))
    change(lines)
    result = answer(lines, tmp_path)
    assert result.answer is Answer.NO and result.explained > len(result.order.events) / 3
