"""`rmqproof check --engine spark --store` and the questions that `rmqproof states` answers."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pyarrow.dataset
import pyarrow.parquet
import pytest
from click.testing import CliRunner

from rmqproof.model.cli.commands.check import command as check
from rmqproof.model.cli.commands.states import command as states
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.explore.page.views import ModelViews
from rmqproof.model.explore.space import open_space
from rmqproof.model.report.itf import read_itf
from rmqproof.model.states import looking
from rmqproof.model.states.looking import compiled_question, first_state
from rmqproof.model.states.reading import Opened, reader_of
from rmqproof.model.states.stored_states import StoredStates
from rmqproof.model.tla.source import TlaError

pytestmark = pytest.mark.xdist_group("spark")
SPEC = Path(__file__).parents[2] / "specs" / "TwoPhaseCommit.cfg"


def run(command, *arguments: object):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def search(store: Path, config: Path = SPEC, partitions: int = 3, *more: str):
    """Without a session: all in this process."""
    arguments = ("--engine", "spark", "--hand-over", 10**9, "--partitions", partitions, "--store", store, *more)
    return run(check, config, *arguments, "--expect")


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("states") / "store"
    result = search(folder, SPEC, 3, "--edges")
    assert result.exit_code == 0, result.output
    return folder


def lines(output: str) -> list[list[str]]:
    return [line.split() for line in output.splitlines() if line.strip()]


def test_a_jump_of_the_explorer_looks_at_the_store(store, spark):
    """The way is a shortest one from the beginning, and is walked in the model."""
    opened = Opened.at(str(store))
    space = open_space(opened.reading.files())
    views = ModelViews(space, stored=StoredStates(opened, lambda: spark))
    assert views.model()["stored"] == 1568
    found = views.find(None, "Cardinality(heard) = 2")
    assert (len(found["steps"]), found["anew"], found["lookedAt"]) == (5, True, 1568)
    last = views.walk([step["number"] for step in found["steps"]])["steps"][-1]
    assert views.values("Cardinality(heard)", [[None, last["to"]]])["values"][0]["text"] == "2"
    assert views.find(last["to"], "FALSE") == {"steps": None, "lookedAt": 1568, "whole": True, "anew": True}
    assert views.find(last["to"], "decision' # decision")["anew"] is False
    with pytest.raises(TlaError, match="no value"):
        views.find(None, "Managers[1]")


def test_machine_code_finds_in_a_store_what_the_python_engine_finds(store, spark, monkeypatch):
    opened = Opened.at(str(store))
    expressions = ['Cardinality(heard) = 3 /\\ decision = "aborted"', 'decision = "never heard of"']
    assert all(compiled_question(opened, opened.reading.asking(each), False) for each in expressions)
    found = [first_state(spark, opened, each) for each in expressions]
    assert [place is None for place in found] == [False, True]
    monkeypatch.setattr(looking, "compiled_question", lambda *_: None)
    assert [first_state(spark, opened, each) for each in expressions] == found


def test_info(store):
    output = run(states, "info", store).output
    assert "TwoPhaseCommit" in output
    assert "1,568 distinct states in 14 levels and 3 partitions; 8,258 generated; the search is over" in output


def test_the_data_set_is_plain_parquet(store):
    """Another tool reads it: states, and every step inside the constraints."""
    table = pyarrow.dataset.dataset(store / "states", partitioning="hive").to_table()
    assert (table.num_rows, set(table.column("level").to_pylist())) == (1568, set(range(1, 15)))
    assert len(set(table.column("fingerprint").to_pylist())) == 1568
    initial = table.filter(pyarrow.compute.field("level") == 1)
    assert initial.column("parent").to_pylist() == [None] * initial.num_rows
    steps = pyarrow.dataset.dataset(store / "edges", partitioning="hive").to_table()
    manifest = json.loads((store / "manifest.json").read_text())["store"]
    assert steps.num_rows == 8258 - 1 == sum(manifest["counters"]["generated"])
    assert set(steps.column("target").to_pylist()) <= set(table.column("fingerprint").to_pylist())


def test_each_step_has_its_action_and_arguments(store):
    """Those with which the Python engine takes it, in the states and in the edges."""
    opened = Opened.at(str(store))
    reader = reader_of(opened.reading)
    rows = pyarrow.dataset.dataset(store / "states", partitioning="hive").to_table().to_pylist()
    steps = {}
    for row in rows:
        taken = reader.system.successors(reader.state(row["state"]))
        steps[row["fingerprint"]] = [
            (reader.system.actions[step.action], json.dumps([to_itf(value) for value in step.arguments]))
            for step in taken
        ]
    for row in rows:
        found = (row["action"], row["arguments"])
        assert found == ((None, None) if row["parent"] is None else steps[row["parent"]][row["ordinal"]])
    edges = pyarrow.dataset.dataset(store / "edges", partitioning="hive").to_table().to_pylist()
    for edge in edges:
        assert (edge["action"], edge["arguments"]) == steps[edge["source"]][edge["ordinal"]]
    assert {edge["arguments"] for edge in edges if edge["action"] == "Prepare"} == {f'["m{i}"]' for i in (1, 2, 3, 4)}


@pytest.mark.parametrize("kernel", ["native", "python"])
def test_edges_that_are_derived_later_are_those_of_the_search(tmp_path, monkeypatch, kernel):
    if kernel == "python":
        monkeypatch.setenv("CC", "no-compiler")
    config = SPEC.with_name("DieHard.cfg")  # a search that ends in a level
    both = [tmp_path / "searched", tmp_path / "derived"]
    assert search(both[0], config, 2, "--edges").exit_code == search(both[1], config, 2).exit_code
    assert "it has no edges" in run(states, "sql", both[1], "SELECT count(*) FROM edges").output
    assert run(states, "edges", both[1]).exit_code == 0
    levels = sorted(path.relative_to(both[1]) for path in both[1].glob("edges/*"))
    assert len(levels) > 4
    for level in levels:  # a search writes with the states of a file some of another's
        tables = [pyarrow.dataset.dataset(folder / level).to_table() for folder in both]
        rows = [table.sort_by([("source", "ascending"), ("ordinal", "ascending")]).to_pylist() for table in tables]
        assert rows[0] == rows[1]
    manifests = [json.loads((folder / "manifest.json").read_text())["store"]["levels"] for folder in both]
    for found in (level for levels in manifests for level in levels):
        found["edges"] = found["edges"] and sum(found["edges"])
    assert manifests[0] == manifests[1]
    assert "has its edges already" in run(states, "edges", both[1]).output


def test_edges_that_are_derived_on_spark(spark, store, tmp_path):
    assert search(tmp_path / "derived").exit_code == 0
    result = run(states, "edges", "--hand-over", "0", tmp_path / "derived")
    assert (result.exit_code, result.output) == (0, "8,257 edges of 1,568 states\n")
    columns = ["source", "action", "arguments", "ordinal", "target"]
    found, expected = (
        pyarrow.dataset.dataset(folder / "edges", partitioning="hive").to_table(columns).to_pylist()
        for folder in (tmp_path / "derived", store)
    )
    assert sorted(map(str, found)) == sorted(map(str, expected))


def test_levels_and_actions(spark, store):
    levels = lines(run(states, "levels", store).output)
    assert levels[1][:2] == ["1", "1"]
    assert sum(int(row[1].replace(",", "")) for row in levels[1:]) == 1568
    actions = lines(run(states, "actions", store).output)
    assert sum(int(row[1].replace(",", "")) for row in actions[1:]) == 1568


def test_values(spark, store):
    every = run(states, "values", store)
    assert every.exit_code == 0, every.output
    rows = {row[0]: row[1:] for row in lines(every.output)[1:]}
    assert set(rows) == {"vote", "decision", "heard", "sent"}
    assert rows["decision"][0] == "3"
    one = run(states, "values", store, "decision").output
    found = dict(re.findall(r"^\s*([\d,]+)\s+\d+\s+\"(\w+)\"", one, re.MULTILINE))
    assert set(found.values()) == {"open", "committed", "aborted"}
    assert sum(int(count.replace(",", "")) for count in found) == 1568
    assert "There is no variable nothing" in run(states, "values", store, "nothing").output


def test_find(spark, store, tmp_path):
    trace = tmp_path / "found.itf.json"
    result = run(states, "find", store, 'decision = "committed"', "-o", trace)
    assert result.exit_code == 0, result.output
    behaviour = read_itf(trace)
    assert behaviour.steps[-1].state["decision"] == "committed"
    assert all(step.state["decision"] != "committed" for step in behaviour.steps[:-1])
    both = 'decision = "committed" /\\ decision = "aborted"'
    none = run(states, "find", store, both)
    assert (none.exit_code, none.output) == (1, "No state satisfies it among 1,568.\n")


def test_an_expression_without_a_value(spark, store):
    result = run(states, "find", store, "decision = 7")
    assert result.exit_code == 75
    assert "RmqproofQuestion.tla:4:1: " in result.output
    assert "Traceback" not in result.output


def test_an_expression_that_is_wrong(spark, store):
    result = run(states, "find", store, "nothingLikeThis")
    assert result.exit_code == 150
    assert "nothingLikeThis" in result.output


def test_graph(spark, store, tmp_path):
    result = run(states, "graph", store, 'decision = "committed"', "-o", tmp_path / "around.dot")
    assert result.exit_code == 0, result.output
    text = (tmp_path / "around.dot").read_text()
    assert text.startswith("digraph states")
    assert "committed" in text


def test_sql(spark, store):
    output = run(states, "sql", store, "SELECT count(*) AS n, count(DISTINCT target) AS t FROM edges").output
    assert lines(output)[1] == ["8257", "1567"]
    assert run(states, "sql", store, "SELEC").exit_code == 2


def test_a_store_differs_from_another(spark, store, tmp_path):
    """The same model in another number of partitions, and one with a rule less."""
    same = tmp_path / "same"
    assert search(same, partitions=2).exit_code == 0
    assert run(states, "diff", store, same).exit_code == 0
    text = SPEC.with_suffix(".tla").read_text()
    changed = text.replace("heard = Managers", "heard \\subseteq Managers")
    assert changed != text
    (tmp_path / "TwoPhaseCommit.tla").write_text(changed)
    config = re.sub(r"EXPECT.*", "", SPEC.read_text())
    (tmp_path / "TwoPhaseCommit.cfg").write_text(config)
    run(
        check, tmp_path / "TwoPhaseCommit.cfg", "--engine", "spark", "--hand-over", 10**9, "--store", tmp_path / "other"
    )
    result = run(states, "diff", store, tmp_path / "other")
    assert result.exit_code == 1
    assert "The shortest path to a state that only the second store has:" in result.output


@pytest.mark.parametrize("question", [["levels"], ["values"], ["find", 'decision = "committed"']])
def test_a_damaged_file_is_named(spark, store, tmp_path, question):
    """As long as before: it is found when it is read."""
    folder = tmp_path / "damaged"
    shutil.copytree(store, folder)
    for path in folder.glob("states/level=00009/*.parquet"):
        content = bytearray(path.read_bytes())
        for place in range(4, len(content) // 2, 7):
            content[place] ^= 0x55
        path.write_bytes(content)
    result = run(states, question[0], folder, *question[1:])
    assert result.exit_code == 153, result.output
    assert re.search(r"states/level=00009/part-0000\d.parquet: this store cannot be used", result.output)
    assert "Traceback" not in result.output


def test_no_store(tmp_path):
    result = run(states, "info", tmp_path)
    assert result.exit_code == 153
    assert "there is no store here" in result.output
