"""A property that holds because what it assumes is never true is said to be trivial here, by each engine the same."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rmqproof import check, load
from rmqproof.model.checking.spark_kernel import CompiledKernel, CompiledRecipe, PythonRecipe, packed_decoder
from rmqproof.model.cli import main
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.kernel import kernel_of
from rmqproof.model.native.saved import Folder
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import Checkpoint
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import FindingKind, Result
from rmqproof.model.search.spark.search import SparkSearch
from rmqproof.model.search.spark.setting import Setting
from rmqproof.model.search.spark.store import Store
from rmqproof.model.search.spark.system_kernel import decode
from rmqproof.model.tla.core import Model
from rmqproof.model.tla.model import load_model
from tests.native.differential import FAST

Searching = Callable[[Model, int], Result]

SPEC = """---- MODULE Rising ----
EXTENDS Naturals, FiniteSets
CONSTANTS Limit, Late, People
VARIABLES x, seen, full
Init == x = 0 /\\ seen = {} /\\ full = FALSE
Up == x < Limit /\\ x' = x + 1 /\\ seen' = seen \\cup {x} /\\ full' = (x' = Late)
Again == x = Limit /\\ UNCHANGED <<x, seen, full>>
Next == Up \\/ Again
Spec == Init /\\ [][Next]_<<x, seen, full>>

\\* Each of these could fail where x is Late, and nowhere else.
Assumes == x = Late => full
Inside == \\A p \\in People : x = Late => full
Nested == x >= 0 => (x > 1 => (x = Late => full))
Both == (x = Late => full) /\\ (x > Late => x > 3)
Chosen == IF x >= Late THEN full \\/ x > Late ELSE TRUE
Named == LET late == x = Late IN late => full
at(n) == x = n => full
Given == at(Late)
Denied == ~(x = Late) \\/ full
Subset == { y \\in seen : y >= Late } \\subseteq 0 .. Limit
Absent == 0 \\notin { q \\in People : x = Late }
NoneIn == ~\\E y \\in { z \\in {x} : z = Late } : ~full
Apart == { y \\in {x} : y = Late } \\cap { 99 } = {}
Leaps == [][x = Late => x' > x \\/ x = Limit]_x
AtLate == [](x = Late => full)

\\* These could fail anywhere.
Bounded == x <= Limit
Conjunct == x <= Limit /\\ (x = Late => full)
Flagged == ~(x = 100)
FlaggedIsIdle == x < Late
Unknown == x = 0 \\/ ~(10 \\div x = 99)
Everybody == \\A p \\in People : x <= Limit
Grows == [][x' > x]_x
Even == x % 2 = 0 => x >= 0
====
"""
LATE = ["Assumes", "Inside", "Nested", "Both", "Chosen", "Named", "Given", "Denied", "Subset", "Absent"]
LATE += ["NoneIn", "Apart", "Flagged"]
"""What is about the states in which x is Late, or above; of Flagged it is written down."""
OTHER = ["Bounded", "Conjunct", "Everybody", "Even", "Unknown"]
STEPS = ["Leaps", "AtLate", "Grows"]


def model(folder: Path, limit: int, late: int = 4, people: str = "{1, 2}") -> Model:
    (folder / "Rising.tla").write_text(SPEC)
    (folder / "Rising.cfg").write_text(
        f"SPECIFICATION Spec\nCONSTANTS Limit = {limit} Late = {late} People = {people}\n"
        f"INVARIANTS {' '.join(LATE + OTHER)}\nPROPERTIES {' '.join(STEPS)}\n"
    )
    return load_model(folder / "Rising.tla", folder / "Rising.cfg")


def trivial(result: Result) -> set[str]:
    assert result.exhaustive, result.message
    return {finding.subject for finding in result.findings if finding.kind is FindingKind.TRIVIAL}


def interpreted(model: Model, workers: int) -> Result:
    return BreadthFirst(system_of(model), workers=workers, block=2 if workers > 1 else None).run()


def compiled(model: Model, workers: int) -> Result:
    native = NativeModel(model, model.check_deadlock, flags=FAST)
    native.compile()
    return NativeSearch(native, system_of(model), workers=workers).run()


def partitioned(model: Model, partitions: int, native: bool = False, **setting: Any) -> Result:
    """As the Spark engine does it, in this process."""
    system, folder = system_of(model), setting.pop("folder", None) or Path(tempfile.mkdtemp()) / "store"
    control = Control(max_states=20 if setting.pop("stop", False) else None)
    given = Setting(Store(str(folder)), partitions, **setting)
    if not native:
        recipe = PythonRecipe.of(model, "rising", travels=False)
        return SparkSearch(system, recipe, recipe.kernel(), decode, given, control=control).run()
    of_model = NativeModel(model, model.check_deadlock, flags=FAST, arguments=True)
    of_model.compile()
    with kernel_of(of_model) as kernel:
        compiled_recipe = CompiledRecipe.of(kernel, travels=False)
        mine = CompiledKernel(kernel, compiled_recipe.tables)
        return SparkSearch(system, compiled_recipe, mine, packed_decoder(kernel, system), given, control=control).run()


def partitioned_code(model: Model, partitions: int) -> Result:
    return partitioned(model, partitions, native=True)


SEARCHES = [(interpreted, 1), (interpreted, 2), (compiled, 2), (partitioned, 3), (partitioned_code, 3)]


@pytest.mark.parametrize(("search", "workers"), SEARCHES)
def test_what_is_never_assumed_is_said(tmp_path: Path, search: Searching, workers: int) -> None:
    """Nothing where the state comes in which it is, and where nothing is assumed or that cannot be evaluated."""
    assert trivial(search(model(tmp_path, limit=3), workers)) == {*LATE, "Leaps", "AtLate"}
    assert trivial(search(model(tmp_path, limit=5), workers)) == set()


def test_a_quantifier_over_nobody_says_nothing(tmp_path: Path) -> None:
    assert trivial(interpreted(model(tmp_path, limit=5, people="{}"), 1)) == {"Inside", "Absent", "Everybody"}


def test_a_violated_property_is_not_trivial(tmp_path: Path) -> None:
    text = SPEC.replace("full' = (x' = Late)", "full' = FALSE")
    (tmp_path / "Rising.tla").write_text(text)
    (tmp_path / "Rising.cfg").write_text(
        "SPECIFICATION Spec\nCONSTANTS Limit = 5 Late = 4 People = {1}\nINVARIANTS Assumes Both\n"
    )
    rising = load_model(tmp_path / "Rising.tla", tmp_path / "Rising.cfg")
    result = BreadthFirst(system_of(rising), workers=1, keep_going=True).run()
    assert {violation.name for violation in result.violations} == {"Assumes", "Both"}
    assert not trivial(result)


def test_what_was_seen_before_a_resume_counts(tmp_path: Path) -> None:
    """x = 4 is met before the search is stopped, and never again."""
    rising = model(tmp_path, limit=40, late=4)
    system = system_of(rising)
    stopped = BreadthFirst(system, control=Control(max_states=20), workers=1)
    assert not stopped.run().exhaustive
    Checkpoint(tmp_path / "saved", "rising").save(stopped.search, 0.0)
    search = Checkpoint(tmp_path / "saved", "rising").load()
    assert search.expanded > 5
    assert trivial(BreadthFirst(system, workers=1, resume=search).run()) == set()
    search.spoken = 0
    forgetful = trivial(BreadthFirst(system, workers=1, resume=search).run())
    assert {"Assumes", "Leaps", "AtLate"} <= forgetful, "the test would have noticed"


def test_what_was_seen_before_a_resume_counts_in_machine_code(tmp_path: Path) -> None:
    rising = model(tmp_path, limit=40, late=4)
    native = NativeModel(rising, rising.check_deadlock, flags=FAST)
    native.compile()
    folder = Folder(tmp_path / "saved", "rising")
    stopped = NativeSearch(native, system_of(rising), control=Control(max_states=20), workers=1, folder=folder).run()
    assert not stopped.exhaustive
    resumed = NativeSearch(native, system_of(rising), workers=1, folder=folder, resume=True).run()
    assert trivial(resumed) == set()


@pytest.mark.parametrize("native", [False, True])
def test_what_was_seen_before_a_resume_counts_on_spark(tmp_path: Path, native: bool) -> None:
    rising, folder = model(tmp_path, limit=40, late=4), tmp_path / "store"
    stopped = partitioned(rising, 2, native, folder=folder, stop=True)
    assert not stopped.exhaustive
    resumed = partitioned(rising, 2, native, folder=folder, resume=True)
    assert trivial(resumed) == set()
    manifest = Store(str(folder)).load()
    assert manifest.spoken and manifest.finished, "what was kept is what says so"


def test_only_a_formula_about_a_state_takes_the_place_of_the_form() -> None:
    """One with a parameter, or about a step, is another definition that happens to have the name."""
    text = """---- MODULE Two ----
VARIABLE x
Init == x = 0
Next == UNCHANGED x
P == x = 1 => x = 2
PIsIdle(a) == FALSE
Q == x = 1 => x = 2
QIsIdle == x' # x
R == x = 1 => x = 2
RIsIdle == FALSE
===="""
    result = check(load(text, "INIT Init\nNEXT Next\nINVARIANTS P Q R"))
    assert {prop.name for prop in result.properties if prop.trivial} == {"P", "Q"}


def test_the_summary_and_the_json_say_so(tmp_path: Path) -> None:
    model(tmp_path, limit=3)
    path = str(tmp_path / "Rising.tla")
    result = CliRunner().invoke(main, ["check", path, "--engine", "python"], env={"COLUMNS": "100"})
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.output.splitlines() if line.strip()}
    assert "holds, trivial here" in lines["Assumes"] and "trivial" not in lines["Bounded"]
    assert "15 properties are trivial here, since what they assume is true in no reachable state" in result.output
    said = json.loads(CliRunner().invoke(main, ["check", path, "--json", "-"]).stdout)
    assert {p["name"] for p in said["properties"] if p["trivial"]} == {*LATE, "Leaps", "AtLate"}


def test_the_library_says_so() -> None:
    text = "---- MODULE One ----\nVARIABLE x\nInit == x = 0\nNext == UNCHANGED x\nP == x = 1 => x = 2\n===="
    result = check(load(text, "INIT Init\nNEXT Next\nINVARIANT P"))
    assert result.ok
    assert result.trivial == ("P is trivial here: what it assumes is true in no reachable state or step.",)
    assert [(prop.name, prop.trivial) for prop in result.properties if prop.kind == "invariant"] == [("P", True)]
