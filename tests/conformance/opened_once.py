"""Models that recorded runs are compared with are opened once in a process: that takes most of a small comparison.

A `conftest.py` that imports the fixture has it for the tests beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.conformance.runs import validate
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.conformance.runs.states import States


@pytest.fixture(scope="session", autouse=True)
def models_are_opened_once() -> Iterator[None]:
    opened: dict[str, RunModel] = {}
    # as the interpreter does, which would be within a test of Hypothesis
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 6_000))

    def open_once(spec: Path, config: Path | None, mapping: RunMapping, command: str = "") -> RunModel:
        key = repr((spec, config, mapping, command))
        if key not in opened:
            opened[key] = open_run_model(spec, config, mapping, command)
            opened[key].prepare(opened[key].domains.names)
        # everything that a comparison has met is its own
        return replace(opened[key], states=States(), _successors={}, _kept=0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validate, "open_run_model", open_once)
        yield
