"""The library: models from files and text, overrides, typed results and errors."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rmqproof
from rmqproof import (
    Behaviour,
    ConfigError,
    EvaluationError,
    Function,
    Interrupted,
    Model,
    ModelValue,
    ParseError,
    SystemFailure,
    check,
    check_bounded,
    load,
    prove,
    simulate,
)
from rmqproof.model.cli import main
from rmqproof.model.search.result import Verdict

SPEC = """
---- MODULE Counter ----
EXTENDS Naturals, Sequences
CONSTANTS Limit, People
VARIABLES x, log
Init == x = 0 /\\ log = <<>>
Up(p) == x < Limit /\\ x' = x + 1 /\\ log' = Append(log, [by |-> p, seen |-> {x}])
Next == \\E p \\in People : Up(p)
\\* The counter is too large.
Small == x < 3
Spec == Init /\\ [][Next]_<<x, log>> /\\ WF_<<x, log>>(Next)
Ends == <>(x = Limit)
====
"""
CONFIG = "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\nCONSTANTS Limit = 2\nPeople = {p1, p2}"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def counter(**changes: object) -> Model:
    return load(SPEC, CONFIG, **changes)  # type: ignore[arg-type]


def test_a_success() -> None:
    result = check(counter(invariants=["Small"]))
    assert result
    assert (result.verdict, result.violated, result.behaviour) == (Verdict.SUCCESS, None, None)
    assert (result.distinct, result.generated, result.depth) == (7, 7, 3)
    assert result.holds == ("Small",)
    assert result.coverage["Up"].total == 6
    assert result.judged.examined == 7
    assert result.error is None
    assert result.raise_error() is result


def test_a_behaviour_has_python_values() -> None:
    result = check(counter(constants={"Limit": 3}, invariants=["Small"]))
    assert not result
    assert (result.verdict, result.violated) == (Verdict.SAFETY, "Small")
    assert isinstance(result.behaviour, Behaviour)
    assert result.behaviour.actions == ("Up", "Up", "Up")
    last = result.behaviour[-1]
    assert dict(last) == {"x": 3, "log": last["log"]}
    assert last.arguments == (ModelValue("p1"),)
    assert last.title == "Up(p1)"
    assert last["log"] == tuple({"by": "p1", "seen": frozenset([n])} for n in range(3))
    assert last["log"][2].seen == {2}
    assert isinstance(last["log"][0], Function)
    assert len({*last["log"]}) == 3
    with pytest.raises(TypeError):
        last["log"][0]["by"] = "p2"


def test_a_behaviour_in_every_form() -> None:
    result = check(counter(constants={"Limit": 3}, invariants=["Small"]))
    assert result.behaviour is not None
    assert [state["x"] for state in result.behaviour.itf()["states"]] == [0, 1, 2, 3]
    assert "Small is violated in step 4." in str(result.behaviour)
    assert "The counter is too large." in result._repr_html_()
    assert "<svg" in result._repr_html_() or "No diagram" in result._repr_html_()
    written = result.behaviour.write("trace.itf.json")
    assert json.loads(written.read_text())["#meta"]["violated"] == "Small"
    assert "Up(p1)" in result.behaviour.write("trace.txt").read_text()
    assert "<html" in result.behaviour.write(Path("trace.html")).read_text()


def test_json_is_what_the_command_writes(capsys: pytest.CaptureFixture[str]) -> None:
    Path("Counter.tla").write_text(SPEC)
    Path("Counter.cfg").write_text(CONFIG + "\nINVARIANT Small")
    with pytest.raises(SystemExit):
        main(["check", "Counter.tla", "--json", "-", "--quiet"])
    written = json.loads(capsys.readouterr().out)
    found = check("Counter.tla").json()
    assert found | {"seconds": 0} == written | {"seconds": 0}


@pytest.mark.parametrize("engine", ["python", "interpreter", "native", "auto"])
def test_every_engine(engine: str) -> None:
    result = check(counter(), engine=engine)
    assert (result.distinct, result.generated, result.depth) == (7, 7, 3)


def test_overrides() -> None:
    model = counter()
    assert check(model.override(constants={"People": "{p1}"})).distinct == 3
    assert check(model.override(constants={"People": frozenset(["p1", "p2", "p3"])})).distinct == 13
    assert check(model.override(constants={"Limit": "1 + 2"})).depth == 4
    assert check(model.override(constants={"People": range(1, 3)})).distinct == 7
    assert (
        check(
            model.override(operators={"Up": "UpOnce"}, definitions="UpOnce(p) == x < 1 /\\ x' = 1 /\\ UNCHANGED log")
        ).depth
        == 2
    )
    assert check(model.override(constraints=["x < 2"])).distinct == 3
    assert check(model.override(invariants=["x < 2"])).violated == "Invariant1"
    assert check(model.override(invariants={"Tiny": "x < 2"})).violated == "Tiny"
    assert check(model.override(deadlock=True)).verdict is Verdict.DEADLOCK
    assert check(model.override(properties={"Grows": "[][x' > x]_x"})).holds == ("Grows",)
    assert check(model.override(specification="Spec", properties=["Ends"])).holds == ("Ends",)
    assert check(model.override(properties=["Ends"])).verdict is Verdict.LIVENESS
    both = model.override(invariants=["Small", "x < 2"])
    assert both.invariants == ("Small", "Invariant1")
    assert both.override(without=["Invariant1"]).invariants == ("Small",)
    assert check(model.override(constants={"Limit": 1}).override(constants={"Limit": 0})).distinct == 1
    assert check(model).distinct == 7, "a model does not change"


def test_a_change_that_there_is_not() -> None:
    with pytest.raises(TypeError, match="no such change: invariant; there are constants, operators"):
        counter(invariant=["Small"])


def test_bounded() -> None:
    model = counter(constants={"Limit": 9}, invariants={"Low": "x < 3"}, properties={"Grows": "[][x' > x]_x"})
    assert check_bounded(model, 2)
    found = check_bounded(model, 4)
    assert (found.ok, found.violated, found.reason, found.left_out) == (False, "Low", "", {})
    assert found.behaviour is not None
    assert found.behaviour.actions == ("Up", "Up", "Up")
    assert found.behaviour[-1]["x"] == 3
    wrong = check_bounded(model.override(invariants={"Odd": "log[x] = 1"}, without=["Low"]), 1)
    assert isinstance(wrong.error, EvaluationError)
    with pytest.raises(ConfigError):
        check_bounded(load(SPEC, CONFIG), 1)


def test_a_countermodel_is_searched_for() -> None:
    spec = (
        "---- MODULE Steps ----\nEXTENDS Integers\nVARIABLE x\nInit == x = 0\nNext == x < 9 /\\ x' = x + 1\n"
        "Low == x < 5\nTHEOREM StaysLow == ASSUME Low, Next PROVE Low'\n===="
    )
    proof = prove(load(spec, init="Init", next="Next"), reach=20, remember=False, workers=1)["StaysLow"]
    assert proof.verdict == "refuted"
    assert proof.reached == "reachable: the explicit search meets it after 4 steps"


def test_modules_in_memory() -> None:
    other = "---- MODULE Other ----\nEXTENDS Naturals\nTwice(n) == 2 * n\n===="
    spec = "---- MODULE Root ----\nEXTENDS Other\nVARIABLE x\nInit == x = 1\nNext == x < 9 /\\ x' = Twice(x)\n===="
    assert check(load(spec, "INIT Init\nNEXT Next", modules={"Other": other}, deadlock=False)).distinct == 5


def test_no_file_stands_in_for_a_text() -> None:
    Path("Counter.cfg").write_text("INVARIANT Nonsense")
    with pytest.raises(ConfigError):
        check(load(SPEC))
    model = load(SPEC, init="Init", next="Next", constants={"Limit": 1, "People": "{p}"}, deadlock=False)
    assert check(model).distinct == 2


def test_errors_have_a_place_a_cause_and_a_remedy() -> None:
    with pytest.raises(ParseError) as parse:
        load(SPEC.replace("x < 3", "y < 3"), CONFIG)
    assert parse.value.place is not None
    assert (parse.value.place.line, parse.value.place.column) == (10, 10)
    assert parse.value.cause == "y is not known here"
    assert parse.value.remedy
    with pytest.raises(ConfigError, match="Nowhere"):
        counter(invariants=["Nowhere"])
    with pytest.raises(ConfigError):
        counter(constants={"Unknown": 3})
    with pytest.raises(SystemFailure, match="no such file"):
        load("Nowhere.tla")
    with pytest.raises(ParseError, match="no module"):
        load("nothing\nat all")
    with pytest.raises(TypeError):
        counter(constants={"Limit": object()})


def test_what_cannot_be_evaluated_is_a_result_that_says_so() -> None:
    result = check(counter(invariants={"Wrong": "log[1].by = x"}))
    assert (result.verdict, bool(result)) == (Verdict.ERROR, False)
    assert isinstance(result.error, EvaluationError)
    assert result.error.place is not None
    assert result.behaviour is not None
    assert len(result.behaviour) == 1
    with pytest.raises(EvaluationError):
        result.raise_error()


def test_a_limit_is_no_success() -> None:
    result = check(counter(), max_states=2, engine="python", workers=1)
    assert not result
    assert not result.exhaustive
    assert "limit of states" in result.message


def test_simulation_proves_nothing() -> None:
    result = simulate(counter(invariants=["Small"]), 10, seed=1)
    assert (result.verdict, result.seed, bool(result)) == (Verdict.SUCCESS, 1, False)
    again = simulate(counter(constants={"Limit": 5}, invariants=["Small"]), 10, seed=1)
    assert again.violated == "Small"


def test_interrupted_with_what_was_found() -> None:
    """A real Ctrl-C, between two states."""
    model = counter(constants={"Limit": 10**9})
    told: list[int] = []

    def interrupt(progress: object) -> None:
        if not told:
            signal.raise_signal(signal.SIGINT)
        told.append(1)

    with pytest.raises(KeyboardInterrupt) as caught:
        check(model, engine="python", workers=1, progress=interrupt, progress_seconds=0.0)
    assert isinstance(caught.value, Interrupted)
    assert caught.value.result.distinct >= 1
    assert not caught.value.result.exhaustive


def test_a_checkpoint_knows_overrides() -> None:
    check(counter(constants={"Limit": 50}), engine="python", workers=1, max_states=5, checkpoint="saved")
    with pytest.raises(ConfigError):
        check(counter(constants={"Limit": 51}), engine="python", workers=1, checkpoint="saved", resume=True)
    with pytest.raises(ConfigError, match="not ended"):
        check(counter(constants={"Limit": 50}), engine="python", checkpoint="saved")


def test_the_package_is_imported_in_no_time() -> None:
    code = "import sys, rmqproof; print(*sorted(n for n in sys.modules if n.startswith('rmqproof.') or n == 'lark'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "rmqproof.version"


def test_every_name_is_there() -> None:
    assert {name for name in rmqproof.__all__ if getattr(rmqproof, name, None) is None} == set()
    assert {*rmqproof.__all__} <= {*dir(rmqproof)}
    assert (Path(rmqproof.__file__).parent / "py.typed").is_file()
