"""`conform --engine spark` reports what the local engine reports."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from rmqproof.conformance.difference import Kind
from rmqproof.conformance.domains import ActionDomains
from rmqproof.conformance.performer import Effort, Expansion, ModelStep, Performer, Task
from rmqproof.conformance.subject import open_model
from rmqproof.model.cli import main
from rmqproof.model.search.spark.session import spark_session
from rmqproof.model.tla.library import bundled
from tests.conformance.examples import broken
from tests.conformance.examples.adapter import TwoPhaseAdapter

EXAMPLES = Path(__file__).parent / "examples"
ROOT = Path(__file__).parents[2]
TWO_PHASE = (str(EXAMPLES / "TwoPhase.tla"), "--adapter")
RIGHT = "tests.conformance.examples.adapter:TwoPhaseAdapter"
WRONG = "tests.conformance.test_conform_spark:Forgetful"
DIFFERENT_ANYWAY = ("seconds", "edgesPerSecond", "workers")


Forgetful = broken.with_parts(broken.ForgetfulCoordinator)


def outcome(tmp_path: Path, *words: str) -> tuple[int, dict[str, Any]]:
    file = tmp_path / "out.json"
    done = CliRunner().invoke(main, ["conform", *words, "--json", str(file)])
    assert file.exists(), done.output
    document = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    return done.exit_code, {key: value for key, value in document.items() if key not in DIFFERENT_ANYWAY}


def test_a_master_without_spark_is_refused() -> None:
    done = CliRunner().invoke(main, ["conform", TWO_PHASE[0], "--master", "local[2]"])
    assert done.exit_code == 2 and "--engine spark" in done.output


@pytest.mark.parametrize(("line", "distinct"), [("VIEW Seen", 45), ("SYMMETRY Alike", 34)])
def test_a_store_with_fewer_states_than_the_model_is_refused(tmp_path: Path, line: str, distinct: int) -> None:
    """VIEW and SYMMETRY make one state of several, and an implementation is held to each of them."""
    text = (EXAMPLES / "TwoPhase.tla").read_text(encoding="utf-8").replace("CONSTANT P", "EXTENDS TLC\nCONSTANT P", 1)
    defined = "Seen == <<coordinator, state>>\nAlike == Permutations(Participant)\n"
    (tmp_path / "TwoPhase.tla").write_text(text.replace("Spec ==", f"{defined}\nSpec ==", 1), encoding="utf-8")
    config = (EXAMPLES / "TwoPhase.cfg").read_text(encoding="utf-8")
    (tmp_path / "TwoPhase.cfg").write_text(f"{config}\n{line}\n", encoding="utf-8")
    model, store = str(tmp_path / "TwoPhase.tla"), str(tmp_path / "store")
    file = tmp_path / "checked.json"
    CliRunner().invoke(main, ["check", model, "--engine", "spark", "--store", store, "--edges", "--json", str(file)])
    assert json.loads(file.read_text(encoding="utf-8"))["distinctStates"] == distinct
    done = CliRunner().invoke(main, ["conform", model, "--adapter", RIGHT, "--engine", "spark", "--store", store])
    assert done.exit_code == 153 and "VIEW or SYMMETRY identify" in " ".join(done.output.split())


# --- the steps are what is handed in ---------------------------------------------------------------------------------


def expanded(ways: Callable[[list[ModelStep]], list[ModelStep]]) -> Expansion:
    """The initial state of two-phase commit with other steps than the Python engine's."""
    subject = open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")
    performer = Performer(subject, TwoPhaseAdapter, ActionDomains(subject.system), Effort(probes=0, step_seconds=0))
    (first,) = performer.initial().reached
    found = [
        ModelStep(subject.system.actions[a], arguments, s) for a, arguments, s in subject.system.successors(first.state)
    ]
    return performer.expand(Task(0, first.state, first.snapshot), ways(found))


def test_the_steps_that_are_handed_in_are_performed_and_no_others() -> None:
    right = expanded(lambda ways: ways)
    assert not right.differences and sum(right.tally.edges.values()) == 5
    (gone,) = expanded(lambda ways: ways[1:]).differences
    assert gone.kind is Kind.PERFORMED
    (other,) = expanded(lambda ways: [ways[0]._replace(target=ways[1].target), *ways[1:]]).differences
    assert other.kind is Kind.STATE
    found = expanded(lambda ways: [ways[0]._replace(action="VoteArrives"), *ways[1:]]).differences
    assert Kind.PERFORMED in {difference.kind for difference in found} and len(found) == 2


def test_a_step_taken_twice_is_told_of_by_the_first_task_in_order() -> None:
    """Whatever the order in which tasks are tried, and however often."""
    subject = open_model(EXAMPLES / "TwoPhase.tla", EXAMPLES / "TwoPhase.cfg")
    performer = Performer(subject, TwoPhaseAdapter, ActionDomains(subject.system), Effort(probes=0, step_seconds=0))
    (first,) = performer.initial().reached
    level = [
        Task(n, r.state, r.snapshot)
        for n, r in enumerate(performer.expand(Task(0, first.state, first.snapshot)).reached, 1)
    ]
    last = [{r.fingerprint for r in performer.expand(task).reached} for task in reversed(level)]
    again = [{r.fingerprint for r in performer.expand(task).reached} for task in level]
    alone = []
    for task in level:
        performer = Performer(subject, TwoPhaseAdapter, ActionDomains(subject.system), Effort(probes=0, step_seconds=0))
        alone.append({r.fingerprint for r in performer.expand(task).reached})
    assert last == alone[::-1] and set().union(*again) == set().union(*alone)
    assert again[0] == alone[0]


# --- on Spark --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def session() -> Iterator[object]:
    """One session for these tests; its Python workers can import them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))
        with spark_session("local[2]") as found:
            yield found


@pytest.mark.large
@pytest.mark.usefixtures("session")
def test_the_report_is_that_of_the_local_engine(tmp_path: Path) -> None:
    store = ("--engine", "spark", "--master", "local[2]", "--store", str(tmp_path / "store"))
    mine = outcome(tmp_path, *TWO_PHASE, RIGHT, "--workers", "1")
    assert outcome(tmp_path, *TWO_PHASE, RIGHT, *store) == mine
    assert mine[0] == 0
    # the store is there now, and is used for a wrong implementation
    mine = outcome(tmp_path, *TWO_PHASE, WRONG, "--workers", "1")
    assert outcome(tmp_path, *TWO_PHASE, WRONG, *store) == mine
    assert mine[0] == 1
    other = CliRunner().invoke(main, ["conform", str(bundled("TwoBrokersCleaned.cfg")), *store])
    assert other.exit_code == 153 and "another specification" in other.output


@pytest.mark.large
@pytest.mark.usefixtures("session")
def test_the_reference_implementation_on_spark(tmp_path: Path) -> None:
    model = str(bundled("TwoBrokersCleaned.cfg"))
    mine = outcome(tmp_path, model, "--workers", "1")
    assert outcome(tmp_path, model, "--engine", "spark", "--master", "local[2]") == mine
    assert mine[0] == 0


@pytest.mark.large
@pytest.mark.usefixtures("session")
def test_steps_that_a_constraint_cuts_are_performed_too(tmp_path: Path) -> None:
    text = (EXAMPLES / "TwoPhase.tla").read_text(encoding="utf-8")
    few = "Few == Cardinality(messages) < 3\nCalm == coordinator' = coordinator \\/ messages' = messages\n"
    text = text.replace("CONSTANT P", "EXTENDS FiniteSets, Naturals\nCONSTANT P").replace(
        "Spec ==", f"{few}\nSpec ==", 1
    )
    (tmp_path / "TwoPhase.tla").write_text(text, encoding="utf-8")
    config = (EXAMPLES / "TwoPhase.cfg").read_text(encoding="utf-8")
    (tmp_path / "TwoPhase.cfg").write_text(f"{config}\nCONSTRAINT Few\nACTION_CONSTRAINT Calm\n", encoding="utf-8")
    words = (str(tmp_path / "TwoPhase.tla"), "--adapter", RIGHT)
    mine = outcome(tmp_path, *words, "--workers", "1")
    assert outcome(tmp_path, *words, "--engine", "spark", "--master", "local[2]") == mine
    assert mine[0] == 0 and mine[1]["edges"] < 105


def without_one(edges: list[dict[str, Any]]) -> None:
    del edges[0]


def led_elsewhere(edges: list[dict[str, Any]]) -> None:
    edges[0]["target"] = edges[0]["source"]


def led_nowhere(edges: list[dict[str, Any]]) -> None:
    edges[0]["target"] = 1


def from_nowhere(edges: list[dict[str, Any]]) -> None:
    edges[0]["source"] = 1


def named_otherwise(edges: list[dict[str, Any]]) -> None:
    edge = next(edge for edge in edges if edge["action"] in ("Prepare", "GiveUp"))
    edge["action"] = {"Prepare": "GiveUp", "GiveUp": "Prepare"}[edge["action"]]


def with_other_arguments(edges: list[dict[str, Any]]) -> None:
    edge = next(edge for edge in edges if edge["arguments"] in ('["p1"]', '["p2"]'))
    edge["arguments"] = {'["p1"]': '["p2"]', '["p2"]': '["p1"]'}[edge["arguments"]]


@pytest.fixture(scope="module")
def stored(session: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stored") / "store"
    words = ["conform", *TWO_PHASE, RIGHT, "--engine", "spark", "--master", "local[2]", "--store", str(folder)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.large
@pytest.mark.parametrize(
    "change", [without_one, led_elsewhere, led_nowhere, from_nowhere, named_otherwise, with_other_arguments]
)
def test_a_stored_edge_that_is_wrong_is_a_difference(
    change: Callable[[list[dict[str, Any]]], None], stored: Path, tmp_path: Path
) -> None:
    """The implementation is right, and held to what is in the edge data set."""
    files = sorted((stored / "edges").glob("level=00003/*.parquet"))
    file = next(file for file in files if pq.ParquetFile(file).metadata.num_rows > 2)
    before = file.read_bytes()
    table = pq.ParquetFile(file).read()
    edges = table.to_pylist()
    change(edges)
    try:
        pq.write_table(pa.Table.from_pylist(edges, schema=table.schema), file)
        words = (*TWO_PHASE, RIGHT, "--engine", "spark", "--master", "local[2]", "--store", str(stored))
        status, found = outcome(tmp_path, *words)
    finally:
        file.write_bytes(before)
    assert status == 1 and found["differences"], found
