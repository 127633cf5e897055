"""The program that a liveness check compiles is left when the run is to stop."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.checking.liveness_graphs import CompiledGraphs, stoppable
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel
from rmqproof.model.native.graph_code import graph_code
from rmqproof.model.search.liveness.graph import GraphStopped
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.tla.model import load_model

SPECS = Path(__file__).parents[1] / "specs"
ENDLESS = """#!/bin/sh
test "$1" = --version && echo "endless 1" && exit
touch "$0.begun"
exec tail -f /dev/null
"""


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """There as soon as the compiler runs, which does not end by itself."""
    graph_code()  # which is the same for all models
    compiler = tmp_path / "cc"
    compiler.write_text(ENDLESS)
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    return tmp_path / "cc.begun"


def test_a_graph(begun: Path) -> None:
    model = load_model(SPECS / "Paxos.tla", SPECS / "Paxos.cfg")
    graphs = CompiledGraphs(model, system_of(model))
    with pytest.raises(GraphStopped):
        graphs.graph(True, Storage(None), lambda states: begun.exists(), lambda text: None)


def test_what_is_not_to_stop_goes_on() -> None:
    model = load_model(SPECS / "Paxos.tla", SPECS / "Paxos.cfg")
    native = NativeModel(model, model.check_deadlock)
    with stoppable(native, lambda: False):
        native.compile()
    assert native.library.exists()
