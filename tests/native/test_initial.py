"""Init without a form in C: the Python engine finds the initial states, machine code goes on from there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.errors import NotCompilable
from rmqproof.model.native.saved import Folder
from rmqproof.model.search.control import Control, Tuning
from rmqproof.model.search.result import Result, Verdict
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.model_files import ModelFiles
from tests.native.differential import FAST, interpreted, outcome

LITTLE = 200_000
"""Bytes of memory: less than the tables of some thousand states take."""
MODULE = """---- MODULE Printing ----
EXTENDS Integers, FiniteSets, TLC
CONSTANT Far
VARIABLES x, y, z
Init == /\\ x \\in {7, 0, 3}
        /\\ PrintT(<<"x", x>>)
        /\\ \\/ y = Print("y", 1) /\\ z = {CHOOSE s \\in {"a", "b"} : TRUE}
           \\/ y = x /\\ z = {}
Next == \\/ x' = (x + 1) % 60 /\\ UNCHANGED <<y, z>>
        \\/ y' = (y + x) % 50 /\\ x' = x /\\ z' = z
        \\/ x = y /\\ x > 40 /\\ z' = {"a"} \\ z /\\ UNCHANGED <<x, y>>
Small == Cardinality(z) < 2 /\\ x < 60
Below == x + y < Far
Defined == 100 \\div (x - Far) # 0
Near == 4 \\div x # 0
==========================
"""
PRINTED = ['<<"x",', "0>>", '"y"', "1", '<<"x",', "3>>", '"y"', "1", '<<"x",', "7>>", '"y"', "1"]
BY_TLC = [
    ("CONSTANT Far = 200 INVARIANT Small", Verdict.SUCCESS, 12_024, 6_000, 55),
    ("CONSTANT Far = 100 INVARIANT Below", Verdict.SAFETY, 9_789, 4_986, 46),
    ("CONSTANT Far = 7 INVARIANT Below", Verdict.SAFETY, 5, 5, 1),
    ("CONSTANT Far = 60 CONSTRAINT Below", Verdict.SUCCESS, 6_912, 3_453, 55),
]
"""What TLC says: generated, distinct, depth."""


def files_of(folder: Path, asked: str) -> ModelFiles:
    (folder / "Printing.tla").write_text(MODULE)
    config = folder / "Printing.cfg"
    config.write_text("INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n" + asked.replace(" I", "\nI").replace(" C", "\nC"))
    return ModelFiles(folder / "Printing.tla", config)


def compiled(files: ModelFiles) -> tuple[NativeModel, PythonSystem]:
    model = files.load()
    system = system_of(model)
    group = permutations_of(system)
    native = NativeModel(model, model.check_deadlock, flags=FAST, group=group, backed=True)
    native.compile()
    return native, system


def counts(result: Result) -> tuple[object, ...]:
    depth = result.violation.depth if result.violation is not None else result.depth
    return result.verdict, result.total, result.distinct, depth


@pytest.mark.parametrize(("asked", "verdict", "generated", "distinct", "depth"), BY_TLC)
@pytest.mark.parametrize("workers", [1, 2])
def test_counts_are_those_of_tlc(
    asked: str, verdict: Verdict, generated: int, distinct: int, depth: int, workers: int, tmp_path: Path
) -> None:
    native, system = compiled(files_of(tmp_path, asked))
    assert not native.program.starts
    expected = interpreted(native.model).result
    for memory in (None, LITTLE):
        result = NativeSearch(native, system, workers=workers, memory=memory).run()
        assert outcome(result) == outcome(expected)
        assert counts(result) == (verdict, generated, distinct, depth)


def test_it_is_resumed_without_init(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As TLC, which prints nothing where it recovers."""
    native, system = compiled(files_of(tmp_path, BY_TLC[0][0]))
    folder = Folder(tmp_path / "saved", "this")
    stopped = NativeSearch(native, system, control=Control(max_states=900), workers=1, folder=folder).run()
    assert stopped.distinct < 6_000 and capsys.readouterr().out.split() == PRINTED
    result = NativeSearch(native, system, workers=1, folder=folder, resume=True).run()
    assert counts(result) == BY_TLC[0][1:] and not capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "during"),
    [("CONSTANT Far = 3 INVARIANT Defined", "invariant Defined"), ("CONSTANT Far = 1 CONSTRAINT Near", "constraint")],
)
def test_a_failure_at_an_initial_state_is_the_python_engine_s(asked: str, during: str, tmp_path: Path) -> None:
    native, system = compiled(files_of(tmp_path, asked))
    result, expected = NativeSearch(native, system).run(), interpreted(native.model).result
    assert result.failure is not None and expected.failure is not None
    assert result.failure.during == expected.failure.during == during
    assert (result.message, result.distinct, result.total) == (expected.message, expected.distinct, expected.total)


@pytest.mark.parametrize("engine", ["auto", "native", "python"])
def test_it_is_printed_once(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the Python engine has begun, and where machine code gives up."""
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    files = files_of(tmp_path, BY_TLC[0][0])
    found = check(files, Options(engine=engine, tuning=Tuning(first_look=0.0))).result
    assert counts(found) == BY_TLC[0][1:] and capsys.readouterr().out.split() == PRINTED
    if engine == "native":
        monkeypatch.setattr(NativeSearch, "_searched", lambda self, run: (_ for _ in ()).throw(NotCompilable(None, "")))
        found = check(files, Options(engine=engine)).result
        assert found.engine == "python" and counts(found) == BY_TLC[0][1:]
        assert capsys.readouterr().out.split() == PRINTED


def test_the_layout_grows_with_what_init_finds(tmp_path: Path) -> None:
    """What is claimed of a variable is wrong of an initial state."""
    files = files_of(tmp_path, "CONSTANT Far = 200 INVARIANT Claim")
    files.spec.write_text(MODULE.replace("Below ==", "Claim == x < 99 /\\ y \\in 0..3\nBelow =="))
    native, system = compiled(files)
    expected = interpreted(native.model).result
    assert expected.verdict is Verdict.SAFETY and expected.initial == 6
    assert outcome(NativeSearch(native, system).run()) == outcome(expected) and native.growths


def test_without_a_value_the_python_engine_says_so(tmp_path: Path) -> None:
    files = files_of(tmp_path, BY_TLC[0][0])
    files.spec.write_text(MODULE.replace("y = x /\\ z = {}", "y = 2 \\div x /\\ z = {}"))
    found = check(files, Options(engine="native")).result
    assert found.engine == "python" and found.verdict is Verdict.ERROR and "0" in found.message


def test_elsewhere_it_is_refused(tmp_path: Path) -> None:
    """A kernel has nobody to ask."""
    files = files_of(tmp_path, BY_TLC[0][0])
    model = load_model(files.spec, files.config)
    native = NativeModel(replace(model), model.check_deadlock, flags=FAST)
    with pytest.raises(NotCompilable, match="PrintT"):
        native.compile()


def test_liveness_is_judged_by_the_python_engine_s_graph(tmp_path: Path) -> None:
    files = files_of(tmp_path, "CONSTANT Far = 200 PROPERTY Comes")
    module = MODULE.replace("Below ==", "Spec == Init /\\ [][Next]_<<x, y, z>> /\\ WF_x(x' = (x + 1) % 60)\nBelow ==")
    for formula, verdict in (("<>(x = 9)", Verdict.LIVENESS), ("[]<>(x < 60)", Verdict.SUCCESS)):
        files.spec.write_text(module.replace("Near ==", f"Comes == {formula}\nNear =="))
        for engine in ("python", "native"):
            found = check(files, Options(engine=engine)).result
            assert (found.verdict, found.distinct, found.engine) == (verdict, 6_000, engine), found.message


def test_there_may_be_no_initial_state(tmp_path: Path) -> None:
    files = files_of(tmp_path, BY_TLC[0][0])
    files.spec.write_text(MODULE.replace("x \\in {7, 0, 3}", "x \\in {n \\in {7, 0, 3} : n > 7}"))
    native, system = compiled(files)
    assert outcome(NativeSearch(native, system).run()) == outcome(interpreted(native.model).result)
