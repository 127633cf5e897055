"""`rmqproof infer --store`: candidates that hold in the states explored here are asked of all that a store has."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.cli.commands.infer import command as infer
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.states.looking import first_state, first_states
from rmqproof.model.states.reading import Opened
from rmqproof.model.states.stored_states import StoredStates
from rmqproof.model.tla.model_files import find_models

pytestmark = pytest.mark.xdist_group("spark")
PROTOCOLS = Path(__file__).parents[2] / "infer" / "protocols"
LOCK = PROTOCOLS / "MessageLock.cfg"
FORMULAS = (
    "holding \\cap grant = {}",
    "release = {}",
    "\\A c \\in holding : c \\notin request",
    "IF holding = {} THEN TRUE ELSE 1 \\in request",
    "IF free THEN TRUE ELSE free.no",
)
"""The last has no value in some states."""
INTERRUPTED = """
import os, signal
from threading import Event
from types import SimpleNamespace
from rmqproof.model.states import stored_states

cancelled, ended = Event(), Event()

def job(*question, careful):
    os.kill(os.getpid(), signal.SIGINT)
    assert cancelled.wait(60)
    ended.set()
    return []

stored_states.first_states = job
session = SimpleNamespace(sparkContext=SimpleNamespace(cancelAllJobs=cancelled.set))
try:
    stored_states.StoredStates(None, lambda: session).failing(["TRUE"])
except KeyboardInterrupt:
    print("interrupted", ended.is_set())
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored") / "store"
    given = ("--engine", "spark", "--hand-over", str(10**9), "--partitions", "2", "--store", str(folder))
    assert CliRunner().invoke(check, [str(LOCK), *given]).exit_code == 0
    return folder


def test_formulas_asked_together_have_the_answers_of_each_alone(store, spark) -> None:
    opened = Opened.at(str(store))
    expressions = [f"~({formula})" for formula in FORMULAS[:3]]
    found = first_states(spark, opened, expressions)
    assert found == [first_state(spark, opened, each) for each in expressions]
    assert [each is None for each in found] == [True, False, False]


def test_a_state_in_which_a_formula_fails_is_one_of_the_model(store, spark) -> None:
    (files,) = find_models([LOCK])
    system = system_of(files.load())
    reached, new = set(system.initial_states()), set(system.initial_states())
    while new:
        new = {step.state for state in new for step in system.successors(state)} - reached
        reached |= new
    failing = StoredStates(Opened.at(str(store)), lambda: spark).failing(FORMULAS)
    assert [state is None for state in failing] == [True, False, False, False, False]
    assert all((*state[:-1], 0) in {(*each[:-1], 0) for each in reached} for state in failing[1:])


def test_what_is_false_in_a_stored_state_is_no_conjunct(store, spark, tmp_path) -> None:
    """It holds in the two states that are explored here; an invariant is found all the same."""
    hints = tmp_path / "hints"
    hints.write_text("release = {}\n")
    given = ["--states", "2", "--store", str(store), "--hints", str(hints), "--out", str(tmp_path), "--json", "-"]
    result = CliRunner().invoke(infer, [str(LOCK.with_suffix(".tla")), *given])
    assert result.exit_code == 0, result.output
    assert "80 states in the store" in result.stderr
    assert "not used, for it does not hold in every reachable state: release = {}" in result.stderr
    assert "candidates hold in all 80 states" in result.stderr
    assert "release = {}" not in json.loads(result.stdout)["invariant"]


def test_a_property_that_fails_in_a_stored_state(spark, tmp_path) -> None:
    """A shortest behaviour from the store shows it, where the two states that are explored here do not."""
    spec, kept = tmp_path / "MessageLock.tla", tmp_path / "store"
    text = LOCK.with_suffix(".tla").read_text()
    spec.write_text(text.replace("Spec ==", "NothingBack == release = {}\n\nSpec =="))
    spec.with_suffix(".cfg").write_text(LOCK.read_text())
    given = ("--engine", "spark", "--hand-over", str(10**9), "--partitions", "2", "--store", str(kept))
    assert CliRunner().invoke(check, [str(spec), *given]).exit_code == 0
    given = ("--property", "NothingBack", "--states", "2", "--store", str(kept), "--out", str(tmp_path), "--json", "-")
    result = CliRunner().invoke(infer, [str(spec), *given])
    assert result.exit_code == 12, result.output
    found = json.loads(result.stdout)
    assert found["violated"] == "NothingBack"
    assert [step["action"] for step in found["counterexample"]] == [None, "Ask", "Serve", "Take", "GiveBack"]


def test_ctrl_c_ends_the_job() -> None:
    """Whoever waits for it is interrupted when it has ended, and not who talks to Spark. In a process of its own."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["interrupted", "True"]), done.stderr


def test_a_store_of_another_model_is_refused(store, tmp_path) -> None:
    given = ["--store", str(store), "--out", str(tmp_path)]
    result = CliRunner().invoke(infer, [str(PROTOCOLS / "LockServer.tla"), *given])
    assert result.exit_code == 153
    assert "it is of another specification" in result.output
    result = CliRunner().invoke(infer, [str(LOCK.with_suffix(".tla")), "--store", str(tmp_path / "none")])
    assert result.exit_code == 153
    assert "Traceback" not in result.output
