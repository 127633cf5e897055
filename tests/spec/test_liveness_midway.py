"""Liveness is checked while a search goes on: what is found then is violated, and where nothing is, nothing changes."""

from __future__ import annotations

import io
import json
import math
import random
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.checking.outcome import Outcome
from rmqproof.model.cli import main
from rmqproof.model.cli.models import ModelFiles, find_models
from rmqproof.model.search.control import Tuning
from rmqproof.model.search.result import Result
from tests.spec.test_liveness_engines import CASES, SMALL
from tools.fuzz.generate import generate
from tools.fuzz.specification import Role

ROOT = Path(__file__).parents[2]
LIVENESS = 13
"""The exit status."""
ALWAYS = Tuning(watched=0, recorded=0, growth=1.0, patience=math.inf, rest=0.0, slice=0.0)
"""After every state in Python, at every pause of machine code."""
SOMETIMES = replace(ALWAYS, growth=1.3)
ENGINES = ["python", "native"]
GRID = """---- MODULE Grid ----
EXTENDS Naturals
CONSTANT Most
VARIABLES x, y, lamp
vars == <<x, y, lamp>>
Init == x = 0 /\\ y = 0 /\\ lamp = FALSE
Right == x < Most /\\ x' = x + 1 /\\ UNCHANGED <<y, lamp>>
Up == y < Most /\\ y' = y + 1 /\\ UNCHANGED <<x, lamp>>
Flip == lamp' = ~lamp /\\ UNCHANGED <<x, y>>
Next == Right \\/ Up \\/ Flip
Busy == Init /\\ [][Next]_vars /\\ WF_vars(Next)
Fair == Init /\\ [][Next]_vars /\\ WF_vars(Right) /\\ WF_vars(Up)
Arrives == <>(x = Most /\\ y = Most)
Leads == x = 1 ~> x = Most
Stays == <>[](x = Most)
Climbs == []<><<Up>>_vars
====
"""


@pytest.fixture(autouse=True)
def compiled_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests compile more than they run."""
    monkeypatch.setenv("RMQPROOF_CFLAGS", "-O0")


def grid(folder: Path, specification: str, formula: str, most: int = 60) -> ModelFiles:
    (folder / "Grid.tla").write_text(GRID)
    config = folder / "Grid.cfg"
    config.write_text(f"SPECIFICATION {specification}\nPROPERTY {formula}\nCONSTANT Most = {most}\n")
    return ModelFiles(folder / "Grid.tla", config)


def counts(result: Result) -> tuple[int, int, int]:
    return result.distinct, result.total, result.depth


def compare(files: ModelFiles, options: Options, tuning: Tuning = ALWAYS) -> tuple[Outcome, Outcome]:
    """What is found at the end alone, and with looks in between: a violation that was replayed, or the same."""
    end = check(files, replace(options, final_liveness=True))
    midway = check(files, replace(options, tuning=tuning))
    assert not midway.result.judged.refuted
    if midway.result.verdict != end.result.verdict:
        assert midway.result.verdict == "liveness failure"
        assert end.result.verdict not in ("success", "liveness failure"), "what comes later is not met"
    elif end.result.verdict != "liveness failure":
        assert counts(midway.result) == counts(end.result)
        assert midway.result.findings == end.result.findings
    return end, midway


@pytest.mark.parametrize("engine", [*ENGINES, "auto"])
@pytest.mark.parametrize(("specification", "formula", "config", "verdict"), CASES)
def test_small_specifications(tmp_path, specification, formula, config, verdict, engine):
    (tmp_path / "Turns.tla").write_text(SMALL)
    path = tmp_path / "Turns.cfg"
    path.write_text(f"{config}\nSPECIFICATION {specification}\nPROPERTY {formula}\nCHECK_DEADLOCK FALSE\n")
    _, midway = compare(ModelFiles(tmp_path / "Turns.tla", path), Options(engine, workers=1))
    assert midway.result.verdict == verdict
    assert midway.result.judged.replayed or verdict == "success"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("specification", "formula", "length"),
    [("Busy", "Arrives", 2), ("Busy", "Leads", 4), ("Busy", "Stays", 2), ("Busy", "Climbs", 2)],
)
def test_a_search_ends_at_a_cycle(tmp_path, specification, formula, length, engine):
    """Something happens for ever, near the first states: no state violates it by standing still."""
    files = grid(tmp_path, specification, formula)
    end, midway = compare(files, Options(engine, workers=1), replace(ALWAYS, watched=200, recorded=200))
    found, whole = midway.result, end.result
    assert (found.verdict, midway.status) == ("liveness failure", LIVENESS) == (whole.verdict, end.status)
    assert whole.exhaustive and whole.distinct == 2 * 61 * 61 and not whole.queue
    assert not found.exhaustive and found.stopped is None and 200 <= found.distinct < whole.distinct
    assert 0 < found.queue < found.distinct and found.total < whole.total
    assert found.judged.replayed == whole.judged.replayed == 1
    assert [(v.name, v.depth) for v in whole.violations] == [(formula, length)]
    assert [(v.name, v.depth) for v in found.violations] == [(formula, length)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("formula", ["Arrives", "Leads", "Stays"])
def test_what_is_not_violated_is_looked_at_in_vain(tmp_path, formula, engine):
    """The queue has states from which the way is not known, and in which it is not fair to stay."""
    end, midway = compare(grid(tmp_path, "Fair", formula, 15), Options(engine, workers=1), SOMETIMES)
    assert midway.result.verdict == "success" == end.result.verdict and midway.result.exhaustive


@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": 1, "memory": 1 << 16}], ids=["workers", "files"])
def test_with_several_workers_and_with_states_on_disk(tmp_path, options):
    _, midway = compare(grid(tmp_path, "Busy", "Arrives"), Options("native", **options), replace(ALWAYS, watched=200))
    assert midway.result.verdict == "liveness failure" and midway.result.queue


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_left_to_be_resumed(tmp_path, engine):
    """As after a violated invariant; and a search that is resumed is looked at where machine code goes on."""
    files, saved = grid(tmp_path, "Busy", "Arrives"), tmp_path / "saved"
    tuning = replace(ALWAYS, watched=200, recorded=200)
    options = Options(engine, workers=1, checkpoint=saved, tuning=tuning)
    assert check(files, options).result.verdict == "liveness failure"
    assert not saved.exists() or not list(saved.glob("*"))
    first = check(files, replace(options, max_states=100)).result
    assert first.stopped is not None
    again = check(files, replace(options, resume=True)).result
    assert again.verdict == "liveness failure" and again.exhaustive is (engine == "python")


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_to_go_on_after_a_violation_goes_on(tmp_path, engine):
    files = grid(tmp_path, "Busy", "Arrives", 15)
    found = check(files, Options(engine, workers=1, keep_going=True, tuning=ALWAYS)).result
    assert found.verdict == "liveness failure" and found.exhaustive


def test_an_invariant_that_is_violated_later_is_not_met(tmp_path):
    files = grid(tmp_path, "Busy", "Arrives", 15)
    config = files.config
    config.write_text(f"{config.read_text()}INVARIANT Low\n")
    files.spec.write_text(GRID.replace("====", "Low == x + y < 12\n===="))
    end, midway = compare(files, Options("python"))
    assert (end.result.verdict, midway.result.verdict) == ("safety failure", "liveness failure")
    low, arrives = midway.properties[0], midway.properties[1]
    assert (low.name, str(low.standing), str(arrives.standing)) == ("Low", "not decided", "violated")


def test_a_check_is_left_where_it_takes_too_long(tmp_path):
    """Then the search goes on, and what it comes to is what counts."""
    files = grid(tmp_path, "Busy", "Arrives", 40)
    for engine in ENGINES:
        tuning = replace(SOMETIMES, watched=200, recorded=200, patience=-1.0)
        found = check(files, Options(engine, workers=1, tuning=tuning)).result
        assert found.verdict == "liveness failure" and found.exhaustive


def test_the_report_is_that_of_a_search_that_has_not_ended(tmp_path):
    """As with an invariant: states found so far, states in the queue, the other properties not decided."""
    files = grid(tmp_path, "Busy", "Arrives", 400)
    told = tmp_path / "told.json"
    arguments = ["check", str(files.spec), "--engine", "python", "--json", str(told)]
    ran = CliRunner().invoke(main, arguments)
    said = json.loads(told.read_text())
    assert ran.exit_code == LIVENESS == said["exitStatus"]
    assert (said["result"], said["violated"], said["exhaustive"]) == ("liveness failure", "Arrives", False)
    assert said["distinctStates"] >= 1 << 17 and 0 < said["queue"] < said["distinctStates"]
    assert {each["name"]: each["verdict"] for each in said["properties"]} == {
        "Arrives": "violated",
        "deadlock": "not decided",
    }
    assert f"{said['queue']:,} left to expand" in " ".join(ran.output.split())


MODELS = ["bugs/Issue10875", "bugs/Issue9717", "bugs/ExpiredHead", "bugs/InsufficientCleaning", "bugs/Issue5712"]
FIXED = ["bugs/Issue4450Fixed", "bugs/IdleSlaveExpelledFixed"]


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        *(pytest.param(name, "python", marks=pytest.mark.large) for name in (*MODELS[1:], *FIXED)),
        (MODELS[0], "python"),
        pytest.param("bugs/Issue9717", "native", marks=pytest.mark.large),
        pytest.param("bugs/Issue4450Fixed", "native", marks=pytest.mark.large),
    ],
)
def test_models_of_the_protocol(name, engine):
    (files,) = find_models([ROOT / "spec" / f"{name}.cfg"])
    end, midway = compare(files, Options(engine, workers=1), SOMETIMES)
    assert midway.result.verdict == end.result.verdict
    assert (midway.result.verdict == "liveness failure") is (name in MODELS)
    assert midway.result.judged.replayed == end.result.judged.replayed


def with_properties(count: int) -> list[int]:
    """Seeds of random specifications with temporal properties."""
    draw, found = random.Random(20), []
    while len(found) < count:
        seed = draw.randrange(10**6)
        if generate(seed).with_role(Role.PROPERTY):
            found.append(seed)
    return found


@pytest.mark.parametrize(
    "seed",
    [seed if i < 10 else pytest.param(seed, marks=pytest.mark.large) for i, seed in enumerate(with_properties(25))],
)
def test_random_specifications(tmp_path, seed):
    (files,) = find_models((generate(seed).write(tmp_path),), ())
    with redirect_stdout(io.StringIO()):  # what the specification prints
        compare(files, Options("python", workers=1))
