"""A run of `python -m bench.long_run`: a behaviour, and none with one thing wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from bench.long_run import record
from rmqproof.conformance.runs.validate import validate_runs
from rmqproof.conformance.runs.validation import Answer, Bounds, Validation
from tests.rocketmq.runs.cluster_recording import LATE_ACKS


def recorded(events: int, seed: int) -> list[str]:
    out = io.StringIO()
    assert record(events, seed, out, every=150) == len(out.getvalue().splitlines()) >= events
    return out.getvalue().splitlines(True)


def answer(lines: list[str], tmp_path: Path) -> Validation:
    path = tmp_path / "run.ndjson"
    path.write_text("".join(lines), encoding="utf-8")
    return validate_runs([path], LATE_ACKS, "cluster", Bounds(ahead=32))


def test_the_same_seed_gives_the_same_run() -> None:
    assert recorded(300, 3) == recorded(300, 3) != recorded(300, 4)


@pytest.mark.large
def test_a_run_is_a_behaviour_and_its_layers_are_forgotten(tmp_path: Path) -> None:
    found = answer(recorded(1_200, 2), tmp_path)
    assert found.answer is Answer.YES
    assert len(found.layers) < 100 < len(found.widths) == len(found.order.events) + 1
    assert len(found.steps) >= len(found.order.events)
    middle = found.steps[len(found.steps) // 2]
    assert found.model.subject.system.fingerprint(middle.state) == middle.fingerprint


@pytest.mark.large
@pytest.mark.parametrize("field", ["confirm", "flushed", "logEnd"])
def test_a_run_with_one_number_altered_is_refused(field: str, tmp_path: Path) -> None:
    lines = recorded(1_200, 2)
    place = next(
        number for number in range(len(lines) // 2, len(lines)) if '"action":"SlaveAppendsBatch"' in lines[number]
    )
    line = json.loads(lines[place])
    line["state"]["disk"][field] += 1
    lines[place] = json.dumps(line) + "\n"
    found = answer(lines, tmp_path)
    assert found.answer is Answer.NO and found.explained > len(found.order.events) / 4
