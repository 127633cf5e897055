"""The check command, on systems written in Python in place of specifications."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.checking.check import Making
from rmqproof.model.checking.outcome import DeclaredProperty
from rmqproof.model.checking.subject import Subject
from rmqproof.model.cli import main
from rmqproof.model.search.system import StateProperty, Transition
from rmqproof.model.tla.library import bundled_models
from rmqproof.model.tla.source import TlaError
from tests.observing import wait_until


class Pair:
    """Two counters up to `limit`; in the middle of tests for everything around the search."""

    variables = ("x", "y")
    actions = ("IncrementX", "IncrementY", "Never")
    initial_properties = ()
    step_properties = ()
    has_constraints = False

    def __init__(self, limit: int = 3, bound: int | None = None, check_deadlock: bool = False) -> None:
        self.limit = limit
        self.invariants = [StateProperty("Small", lambda s: bound is None or s[0] <= bound, "The counter overflows.")]
        self.check_deadlock = check_deadlock

    def initial_states(self):
        yield 0, 0

    def successors(self, state):
        x, y = state
        if x < self.limit:
            yield Transition(0, ("one",), (x + 1, y))
        if y < self.limit:
            yield Transition(1, (), (x, y + 1))

    def fingerprint(self, state):
        return state[0] << 32 | state[1]

    def within(self, state):
        return True

    def allowed(self, before, after):
        return True


def subject(system: Pair, **more) -> Subject:
    properties = more.pop("properties", (DeclaredProperty("Small", "invariant", "The counter overflows."),))
    return Subject(
        system,
        "Pair",
        "identity",
        show=lambda state: dict(zip(("x", "y"), state, strict=True)),
        show_value=lambda value: value,
        properties=properties,
        **more,
    )


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run `rmqproof check` where every model is `opens[name]`; its files are made on demand."""
    monkeypatch.chdir(tmp_path)
    opens: dict[str, object] = {}

    def open_subject(files, deadlock, evaluations):
        made = opens[files.name]
        if isinstance(made, Exception):
            raise made
        return made() if callable(made) else made

    def invoke(*words: str, models: dict[str, object], configs: dict[str, str] | None = None):
        opens.update(models)
        for name in models:
            Path(f"{name}.tla").write_text("")
            Path(f"{name}.cfg").write_text((configs or {}).get(name, ""))
        return CliRunner().invoke(main, ["check", *words], catch_exceptions=False, obj=Making(open_subject))

    return invoke


def test_success(run):
    result = run("Pair.tla", models={"Pair": subject(Pair())})
    assert result.exit_code == 0, result.output
    assert "success" in result.stdout
    assert "25 states generated, 16 distinct, depth 7" in result.stdout
    assert "holds" in result.stdout
    assert "Never was enabled in no reachable state" in result.stdout


def test_violation_prints_the_behaviour_and_writes_it(run):
    result = run("Pair.tla", "--out", "traces", models={"Pair": subject(Pair(bound=1))})
    assert result.exit_code == 12
    assert "violated at depth 3" in result.stdout
    assert 'IncrementX("one")' in result.stdout
    assert "The counter overflows." in result.stdout
    trace = json.loads(Path("traces/Pair.itf.json").read_text())
    assert [state["x"] for state in trace["states"]] == [0, 1, 2]
    assert trace["#meta"]["violated"] == "Small"
    assert "Small is violated" in Path("traces/Pair.txt").read_text()


def test_json_on_stdout_is_nothing_but_json(run):
    result = run("Pair.tla", "--json", "-", "--out", "t", models={"Pair": subject(Pair(bound=1))})
    found = json.loads(result.stdout)
    assert result.exit_code == found["exitStatus"] == 12
    assert found["result"] == "safety failure"
    assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == (4, 4, 3)
    assert found["violated"] == "Small"
    assert found["trace"] == "t/Pair.itf.json"
    assert found["exhaustive"] is False
    assert found["properties"] == [
        {
            "name": "Small",
            "kind": "invariant",
            "verdict": "violated",
            "depth": 3,
            "trivial": False,
            "sentence": "The counter overflows.",
        }
    ]
    assert "violated at depth 3" in result.stderr


def test_json_into_a_file(run):
    result = run("Pair.tla", "--json", "r.json", "--quiet", models={"Pair": subject(Pair())})
    assert result.output == ""
    found = json.loads(Path("r.json").read_text())
    assert (found["result"], found["distinctStates"], found["message"]) == ("success", 16, "")
    assert found["coverage"]["IncrementX"] == {"enabled": 12, "total": 12, "distinct": 3}
    assert found["findings"][0]["subject"] == "Never"


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("success", 0, "As expected"),
        ("success depth 7 distinct 16 total 25", 0, "As expected"),
        ("success distinct 17", 1, "expected distinct 17, got 16"),
        ("safety failure Small", 1, "expected safety failure Small, got success"),
    ],
)
def test_expect(run, line, status, said):
    result = run("Pair.tla", "--expect", models={"Pair": subject(Pair())}, configs={"Pair": f"\\* EXPECT {line}\n"})
    assert result.exit_code == status
    assert said in result.stdout


def test_expected_violation_is_exit_status_0(run):
    configs = {"Pair": "\\* EXPECT safety failure Small depth 3"}
    result = run("Pair.tla", "--expect", models={"Pair": subject(Pair(bound=1))}, configs=configs)
    assert result.exit_code == 0
    configs = {"Pair": "\\* EXPECT safety failure Large depth 3"}
    result = run("Pair.tla", "--expect", models={"Pair": subject(Pair(bound=1))}, configs=configs)
    assert result.exit_code == 1
    assert "expected a safety failure of Large, got one of Small" in result.stdout


@pytest.mark.parametrize("config", ["", "\\* EXPECT peace", "\\* EXPECT success\n\\* EXPECT error"])
def test_expect_without_a_readable_line_is_wrong_usage(run, config):
    result = run("Pair.tla", "--expect", models={"Pair": subject(Pair())}, configs={"Pair": config})
    assert result.exit_code == 2
    assert "EXPECT" in result.stderr


def test_folder_gives_a_table(run):
    models = {"Good": subject(Pair()), "Bad": subject(Pair(bound=1)), "Large": subject(Pair(limit=5))}
    configs = {
        "Good": "\\* EXPECT success",
        "Bad": "\\* EXPECT safety failure Small",
        "Large": "\\* GROUP large\n\\* EXPECT deadlock failure",
    }
    result = run(".", "--expect", models=models, configs=configs)
    assert result.exit_code == 1
    assert "2 of 3 models as expected." in result.stdout
    assert "expected deadlock failure, got success" in result.stdout
    result = run(".", "--expect", "--group", "default", models=models, configs=configs)
    assert result.exit_code == 0
    assert "2 of 2 models as expected." in result.stdout
    result = run(".", models=models, configs=configs)
    assert result.exit_code == 12
    result = run(".", "--group", "huge", models=models, configs=configs)
    assert result.exit_code == 2


def test_configuration_names_its_specification(run, tmp_path):
    (tmp_path / "Other.cfg").write_text("\\* SPEC Pair.tla\n")
    models = {"Pair": subject(Pair()), "Other": subject(Pair())}
    (tmp_path / "Pair.tla").write_text("")
    result = run("Other.cfg", "--json", "-", models=models)
    assert result.exit_code == 0
    (tmp_path / "Other.tla").unlink()
    (tmp_path / "Other.cfg").write_text("\\* SPEC Pair.tla\n")
    result = CliRunner().invoke(main, ["check", "Other.cfg", "--json", "-"])
    assert json.loads(result.stdout)["specification"] == "Pair.tla"
    (tmp_path / "Other.cfg").write_text("")
    result = CliRunner().invoke(main, ["check", "Other.cfg"])
    assert result.exit_code == 2
    assert "SPEC" in result.stderr


def test_specification_without_its_configuration_names_the_others(run, tmp_path):
    (tmp_path / "Alone.tla").write_text("")
    (tmp_path / "Small.cfg").write_text("\\* SPEC Alone.tla\n")
    result = CliRunner().invoke(main, ["check", "Alone.tla"])
    assert result.exit_code == 2
    assert "Small.cfg" in result.stderr


def test_liveness_is_never_a_success_unless_left_out(run):
    properties = (DeclaredProperty("Small", "invariant"), DeclaredProperty("Ends", "liveness", checked=False))
    models = {"Pair": subject(Pair(), properties=properties)}
    result = run("Pair.tla", "--json", "-", models=models)
    assert result.exit_code == 77
    found = json.loads(result.stdout)
    assert found["result"] == "error"
    assert "Ends" in found["message"]
    assert [p["verdict"] for p in found["properties"]] == ["holds", "not checked"]
    result = run("Pair.tla", "--ignore-liveness", models=models)
    assert result.exit_code == 0
    assert "not checked" in result.stdout
    models = {"Pair": subject(Pair(bound=1), properties=properties)}
    assert run("Pair.tla", models=models).exit_code == 12


def test_false_assumption(run):
    result = run("Pair.tla", models={"Pair": subject(Pair(), false_assumption=lambda: "Positive is false.")})
    assert result.exit_code == 10
    assert "assumption failure" in result.stdout
    assert "Positive" in result.stdout


@pytest.mark.parametrize(
    ("kind", "status"), [("parse", 150), ("config", 151), ("evaluation", 75), ("assert", 14), ("system", 153)]
)
def test_errors_of_loading(run, kind, status):
    result = run("Pair.tla", "--json", "-", models={"Pair": TlaError("no such thing", remedy="Do it.", kind=kind)})
    assert result.exit_code == status
    found = json.loads(result.stdout)
    assert found["result"] == "error"
    assert found["message"] == "no such thing\nDo it."


class Failing(Pair):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def successors(self, state):
        if state == (1, 1):
            raise self.error
        return super().successors(state)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TlaError("applied to nothing", kind="evaluation"), 75),
        (TlaError("Assert", kind="assert"), 14),
        (RecursionError(), 75),
        (MemoryError(), 153),
    ],
)
def test_errors_of_evaluation_show_the_behaviour(run, error, status):
    result = run("Pair.tla", models={"Pair": subject(Failing(error))})
    assert result.exit_code == status
    assert "IncrementX" in result.stdout
    assert "not decided (explored to depth 4)" in result.stdout


@pytest.mark.parametrize(("at", "status"), [((1, 0), 76), ((0, 0), 75)])
def test_error_in_an_invariant_is_76_and_of_an_initial_state_75(run, at, status):
    def fails(state):
        if state == at:
            raise TlaError("cannot compare", kind="evaluation")
        return True

    system = Pair()
    system.invariants = [StateProperty("Small", fails)]
    result = run("Pair.tla", models={"Pair": subject(system)})
    assert result.exit_code == status
    assert "In invariant Small:" in result.stdout


def test_deadlock(run):
    result = run("Pair.tla", models={"Pair": subject(Pair(check_deadlock=True))})
    assert result.exit_code == 11
    assert "deadlock failure" in result.stdout


def test_simulation(run):
    words = ("Pair.tla", "--simulate", "50", "--depth", "5", "--seed", "7")
    result = run(*words, models={"Pair": subject(Pair(bound=2))})
    assert result.exit_code == 12
    assert "seed 7" in result.stdout
    again = run(*words, models={"Pair": subject(Pair(bound=2))})
    assert [line for line in again.stdout.splitlines() if "states/s" not in line] == [
        line for line in result.stdout.splitlines() if "states/s" not in line
    ]
    result = run("Pair.tla", "--simulate", "5", "--json", "-", models={"Pair": subject(Pair())})
    found = json.loads(result.stdout)
    assert (found["result"], found["exhaustive"], found["distinctStates"]) == ("success", False, None)
    assert found["behaviours"] == 5
    assert [p["verdict"] for p in found["properties"]] == ["not decided"]
    assert "nothing is proved" in found["message"]


def test_limits(run):
    result = run("Pair.tla", "--max-states", "5", models={"Pair": subject(Pair())})
    assert result.exit_code == 152
    assert "nothing is proved" in result.stdout


def test_continue_reports_each_property(run):
    system = Pair(bound=1)
    system.invariants.append(StateProperty("Low", lambda s: s[1] < 3))
    properties = tuple(DeclaredProperty(p.name, "invariant") for p in system.invariants)
    result = run("Pair.tla", "--continue", models={"Pair": subject(system, properties=properties)})
    assert result.exit_code == 12
    assert "violated at depth 3" in result.stdout
    assert "violated at depth 4" in result.stdout


def test_checkpoint_and_resume(run):
    models = {"Pair": subject(Pair(limit=9))}
    assert run("Pair.tla", "--checkpoint", "saved", "--max-states", "20", models=models).exit_code == 152
    refused = run("Pair.tla", "--checkpoint", "saved", models=models)
    assert refused.exit_code == 2
    assert "--resume" in refused.stderr
    resumed = run("Pair.tla", "--checkpoint", "saved", "--resume", "--json", "-", models=models)
    found = json.loads(resumed.stdout)
    assert (found["distinctStates"], found["totalStates"], found["stateDepth"]) == (100, 181, 19)
    assert not Path("saved").exists()
    missing = run("Pair.tla", "--checkpoint", "saved", "--resume", models=models)
    assert missing.exit_code == 2
    assert "there is no checkpoint in this folder" in missing.stderr


def test_checkpoint_of_other_fingerprints_is_refused(run):
    run("Pair.tla", "--checkpoint", "saved", "--max-states", "20", models={"Pair": subject(Pair(limit=9))})
    changed = Pair(limit=9)
    changed.fingerprint = lambda state: state[1] << 32 | state[0]
    result = run("Pair.tla", "--checkpoint", "saved", "--resume", models={"Pair": subject(changed)})
    assert result.exit_code == 2
    assert "other fingerprints" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("Pair.tla", "--resume"),
        ("Nothing.tla",),
        ("Pair.tla", "--workers", "0"),
        ("Pair.tla", "--frobnicate"),
        ("notes.txt",),
        ("Pair.tla", "--simulate", "3", "--checkpoint", "x"),
    ],
)
def test_wrong_usage(run, words):
    Path("notes.txt").write_text("")
    assert run(*words, models={"Pair": subject(Pair())}).exit_code == 2


def test_without_a_model_the_protocol_is_checked(run):
    protocol = {path.stem: subject(Pair(bound=99)) for path in bundled_models()}
    result = run("--quiet", models=protocol)
    assert "TwoBrokers" in result.stdout
    assert result.exit_code == 1  # Pair is none of the protocol's models, so nothing is as expected


GATE = """
import time
from pathlib import Path
from rmqproof.model.cli import main
from rmqproof.model.checking.check import Making
from rmqproof.model.search.control import Control
from tests.cli.test_check import Pair, subject

class Heard(Control):
    def interrupt(self):
        Control.interrupt(self)
        Path("open").touch()

class Gate(Pair):
    # In the middle of the search a state is expanded only once the interrupt has been heard.
    def successors(self, state):
        if sum(state) == 20:
            Path("at the gate").touch()
            while not Path("open").exists():
                time.sleep(0.005)
        return super().successors(state)

main(obj=Making(lambda files, deadlock, evaluations: subject(Gate(limit={limit})), Heard))
"""


def start(tmp_path: Path, limit: int, *words: str) -> subprocess.Popen[str]:
    (tmp_path / "Pair.tla").write_text("")
    (tmp_path / "Pair.cfg").write_text("")
    script = GATE.format(limit=limit)
    command = [sys.executable, "-c", script, "check", "Pair.tla", "--checkpoint", "saved", "--grace", "1000000", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=tmp_path, text=True, env=os.environ | {"COLUMNS": "200"}, **pipes)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_interrupted_prints_saves_and_is_resumed(tmp_path, number, workers):
    process = start(tmp_path, 40, "--workers", workers)
    assert wait_until((tmp_path / "at the gate").exists, process), process.communicate()
    process.send_signal(number)
    output, errors = process.communicate()
    assert process.returncode == 130, output + errors
    assert "success" not in output
    assert "interrupted" in output
    assert "left to expand" in output
    assert "Traceback" not in errors
    resumed = start(tmp_path, 40, "--resume", "--json", "-", "--workers", workers)
    output, _ = resumed.communicate()
    found = json.loads(output)
    assert (found["result"], found["distinctStates"], found["totalStates"]) == ("success", 41 * 41, 1 + 2 * 40 * 41)
