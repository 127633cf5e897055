"""Models that recorded runs are compared with are opened once in a process: that takes most of a small comparison.

A `conftest.py` that imports the fixture has it for the tests beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from rmqproof.conformance.runs import validate
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel, open_run_model
from rmqproof.conformance.runs.states import States
from rmqproof.model.tla.model_files import ModelFiles


@pytest.fixture(scope="session", autouse=True)
def models_are_opened_once() -> Iterator[None]:
    opened: dict[str, RunModel] = {}
    # as the Python engine does, which would be within a test of Hypothesis
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 6_000))

    def open_once(files: ModelFiles, mapping: RunMapping, command: str = "") -> RunModel:
        # the patch is there for tests of other folders, too, which write other texts into files of the same name
        now = [path.read_bytes() for path in (files.spec, files.config) if path is not None and path.is_file()]
        key = repr((files, files.texts.given, now, mapping, command))
        if key not in opened:
            opened[key] = open_run_model(files, mapping, command)
            opened[key].prepare(opened[key].domains.names)
            assert opened[key].footprints
        # everything that a comparison has met is its own
        return replace(opened[key], states=States(), _successors={}, _kept=0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validate, "open_run_model", open_once)
        yield
