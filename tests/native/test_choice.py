"""Which engine runs, from the command line: what is told, what is saved, what is resumed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
from click.testing import CliRunner

from rmqproof.model.checking.check import check as checked
from rmqproof.model.checking.options import Options
from rmqproof.model.cli.commands.check import command
from rmqproof.model.native import build
from rmqproof.model.native.build import compiler_of, find_compiler
from rmqproof.model.native.choice import Compiling, Waiting
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.search.control import Control, Tuning
from rmqproof.model.search.result import Stopped
from rmqproof.model.tla.model_files import find_models

SPECS = Path(__file__).parents[1] / "specs"
OWN = Path(__file__).parent / "specs"
PAXOS = str(SPECS / "Paxos.cfg")
TWO_PHASE = str(SPECS / "TwoPhaseCommit7.cfg")


def check(*arguments: str, status: int = 0) -> tuple[dict[str, Any], str]:
    """The JSON, and what was told."""
    result = CliRunner().invoke(command, [*arguments, "--json", "-"])
    assert result.exit_code == status, result.output
    model: dict[str, Any] = json.loads(result.stdout)
    return model, result.stderr


def test_memory_checkpoint_and_resume(tmp_path: Path) -> None:
    folder = str(tmp_path / "saved")
    whole, _ = check(TWO_PHASE, "--engine", "native")
    part, _ = check(TWO_PHASE, "--engine", "native", "--checkpoint", folder, "--max-states", "9000", status=152)
    assert part["distinctStates"] < whole["distinctStates"]
    again = CliRunner().invoke(command, [TWO_PHASE, "--engine", "native", "--checkpoint", folder])
    assert again.exit_code != 0 and "Continue it with --resume" in again.output
    other = CliRunner().invoke(command, [TWO_PHASE, "--engine", "python", "--checkpoint", folder, "--resume"])
    assert other.exit_code != 0 and "native engine saved" in other.output
    rest, _ = check(TWO_PHASE, "--checkpoint", folder, "--resume", "--memory", "4m")
    names = ("result", "distinctStates", "totalStates", "stateDepth", "engine")
    assert [rest[name] for name in names] == [whole[name] for name in names]
    assert not Path(folder).exists()


def test_auto_stays_in_python_where_it_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is slow: what is small has a minute."""
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path))
    (files,) = find_models([SPECS / "DieHard.cfg"])
    result = checked(files, Options(tuning=Tuning(first_look=60.0))).result
    assert (result.engine, result.distinct) == ("python", 14)


def test_auto_moves_to_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where machine code was there first it is so the next time, if Python had taken as long as it has by default. It
    needs many times as long as a compiler here, also on a machine that has something else to do."""
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    text = (SPECS / "TwoPhaseCommit7.cfg").read_text(encoding="utf-8")
    (tmp_path / "Eight.cfg").write_text(text.replace("m7", "m7, m8").replace("SPEC ", f"SPEC {SPECS}/"))
    (files,) = find_models([tmp_path / "Eight.cfg"])
    for first_look in (1.5 * Tuning().first_look, 600.0):
        result = checked(files, Options(tuning=Tuning(first_look=first_look))).result
        assert (result.engine, result.distinct) == ("native", 1_745_408)


def test_what_python_alone_has_searched_has_some_longer_the_next_time() -> None:
    compiling = Compiling(lambda: pytest.fail("nothing is compiled"))
    assert Waiting.on(Control(), compiling).first_look == Tuning().first_look
    assert Waiting.on(Control(), compiling, 0.8).first_look == 1.5 * 0.8
    assert Waiting.on(Control(tuning=Tuning(first_look=0.0)), compiling, 1.0).first_look == 0.0
    assert Waiting.on(Control(), compiling, 3.0).first_look == 0.0, "what takes long is compiled at once"


class Slow:
    """A model that is compiled when it may be."""

    def __init__(self) -> None:
        self.may_end, self.building, self.cancelled = threading.Event(), True, threading.Event()
        self.begun, self.large = threading.Event(), False

    def compile(self) -> None:
        self.begun.set()
        assert self.may_end.wait(60)
        self.building = False


@pytest.fixture
def slow() -> Iterator[Slow]:
    """Nothing is compiled any more when the test is over."""
    model, others = Slow(), threading.enumerate()
    yield model
    model.may_end.set()
    for thread in threading.enumerate():
        if thread not in others and thread.name == "compile":
            thread.join()


def test_python_rests_while_something_is_compiled_and_no_end_is_in_sight(slow: Slow) -> None:
    compiling = Compiling(lambda: cast(NativeModel, slow))
    waiting = Waiting.on(Control(tuning=Tuning(first_look=0.0)), compiling)
    waiting.beside = 0.0
    assert not waiting.should_stop(50, 40, 3, 5), "the end is in sight"
    threading.Timer(0.1, slow.may_end.set).start()
    assert waiting.should_stop(50, 40, 30, 5) and waiting.moved and compiling.ended


def test_python_rests_while_the_text_is_written_and_other_threads_are_let_in_soon(slow: Slow) -> None:
    """Both want the interpreter: a search that goes on would take it from whoever writes the C text."""
    slow.building = False
    compiling = Compiling(lambda: cast(NativeModel, slow))
    waiting = Waiting.on(Control(tuning=Tuning(first_look=0.0)), compiling)
    waiting.beside = 60.0
    usual = sys.getswitchinterval()
    assert not waiting.should_stop(50, 40, 3, 5), "the end is in sight"
    assert waiting.compiling is compiling and compiling.writing
    threading.Timer(0.1, slow.may_end.set).start()
    assert waiting.should_stop(50, 40, 30, 5) and waiting.moved and not compiling.writing
    for thread in threading.enumerate():
        if thread.name == "compile":
            thread.join()
    assert sys.getswitchinterval() == usual


def test_python_does_not_rest_for_a_text_that_takes_long(slow: Slow) -> None:
    """It may be too deep for machine code in the end; the search of three states waited seven seconds for that."""
    slow.building = False
    waiting = Waiting.on(Control(tuning=Tuning(first_look=0.0)), Compiling(lambda: cast(NativeModel, slow)))
    waiting.beside = waiting.writing = 0.0
    assert not waiting.should_stop(50, 40, 3, 5), "the end is in sight"
    assert waiting.compiling is not None and waiting.compiling.writing
    assert not waiting.should_stop(50, 40, 30, 5)


def test_python_does_not_rest_for_what_takes_long_on_another_processor(slow: Slow) -> None:
    """Kafka's replication took eleven seconds, and Python alone needs five: it rested for nine."""
    compiling = Compiling(lambda: cast(NativeModel, slow))
    waiting = Waiting.on(Control(tuning=Tuning(first_look=0.0)), compiling)
    waiting.beside, waiting.writing = 0.0, 3600.0
    assert not waiting.should_stop(50, 40, 3, 5), "the end is in sight"
    compiling.parallel = compiling.much = slow.large = True
    assert not waiting.should_stop(50, 40, 30, 5), "the compiler has a large text"
    slow.building = False
    assert not waiting.should_stop(50, 40, 30, 5), "a large text is written"


def test_of_two_compilations_in_a_process_the_first_puts_the_switch_interval_back() -> None:
    """The second finds the short one, which is not the usual one."""
    usual, models, others = sys.getswitchinterval(), (Slow(), Slow()), threading.enumerate()
    for model in models:
        Compiling(partial(cast, NativeModel, model)).start()
        assert model.begun.wait(60)
    assert sys.getswitchinterval() < usual
    threads = [thread for thread in threading.enumerate() if thread not in others]
    models[0].may_end.set()
    threads[0].join()
    models[1].may_end.set()
    threads[1].join()
    assert sys.getswitchinterval() == usual


def test_who_rests_can_be_stopped(slow: Slow) -> None:
    waiting = Waiting.on(Control(tuning=Tuning(first_look=0.0)), Compiling(lambda: cast(NativeModel, slow)))
    waiting.beside = 0.0
    threading.Timer(0.1, waiting.outer.interrupt).start()
    assert waiting.should_stop(50, 40, 30, 5) and not waiting.moved
    assert waiting.stopped is Stopped.INTERRUPTED
    slow.may_end.set()


def test_no_compiler_is_one_line_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler_of.cache_clear()
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    try:
        result, told = check(PAXOS, "--checkpoint", str(tmp_path / "saved"))
        refused, _ = check(PAXOS, "--engine", "native", status=153)
    finally:
        compiler_of.cache_clear()
    assert result["engine"] == "python" and result["distinctStates"] == 3921
    lines = [line for line in " ".join(told.split("\n")).split(".") if "compiler" in line]
    assert "pip install ziglang" in " ".join(lines)
    assert refused["result"] == "error" and "pip install ziglang" in refused["message"]


def test_the_ziglang_wheel_is_used_when_it_is_all_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def answer(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, "clang version 18\n", "")

    compiler_of.cache_clear()
    monkeypatch.delenv("CC", raising=False)
    wheel = ModuleType("ziglang")
    wheel.__spec__ = ModuleSpec("ziglang", None)
    monkeypatch.setitem(sys.modules, "ziglang", wheel)
    monkeypatch.setattr("shutil.which", lambda name, **_: name if name == sys.executable else None)
    monkeypatch.setattr("subprocess.run", answer)
    try:
        assert find_compiler().command == (sys.executable, "-m", "ziglang", "cc")
    finally:
        compiler_of.cache_clear()
    assert asked == [[sys.executable, "-m", "ziglang", "cc", "--version"]]


def test_a_layout_that_is_widened_is_told_and_is_as_wide_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path))
    first, told = check(str(OWN / "Wide.cfg"), "--engine", "native")
    assert "the layout is widened and the search starts over" in " ".join(told.split())
    second, told = check(str(OWN / "Wide.cfg"), "--engine", "native")
    assert "widened" not in told
    names = ("result", "distinctStates", "totalStates", "stateDepth", "engine")
    assert [first[name] for name in names] == [second[name] for name in names]


def test_what_is_compiled_for_the_next_time_is_known_to_be_there() -> None:
    known: list[str] = []
    slow = Slow()
    compiling = Compiling(lambda: cast(NativeModel, slow))
    compiling.start()
    compiling.go_on(lambda: known.append("it is there"))
    assert not known
    slow.may_end.set()
    compiling.result()
    assert known == ["it is there"]
    compiling._leave(lambda: known.append("it is not"))
    Compiling(lambda: cast(NativeModel, slow))._leave(lambda: known.append("it is not"))
    assert known == ["it is there", "it is not"]


def test_the_search_and_the_check_of_liveness_share_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    (tmp_path / "Clock.tla").write_text(
        """---- MODULE Clock ----
EXTENDS Naturals
VARIABLE x
Next == x' = (x + 1) % 4
Spec == x = 0 /\\ [][Next]_x /\\ WF_x(Next)
Returns == []<>(x = 0)
====
"""
    )
    (tmp_path / "Clock.cfg").write_text("SPECIFICATION Spec\nPROPERTY Returns\n")
    result, _ = check(str(tmp_path / "Clock.cfg"), "--engine", "native")
    assert (result["result"], result["engine"], result["distinctStates"]) == ("success", "native", 4)
    assert len(list((tmp_path / "cache").glob("*.json"))) == 1


MANY = """---- MODULE Many ----
EXTENDS Naturals, Sequences
VARIABLES turn, list
vars == <<turn, list>>
TypeOK == turn \\in 0..35 /\\ list \\in Seq(0..35) /\\ Len(list) <= 1
Init == turn = 0 /\\ list = <<>>
Take(i) == turn = i /\\ turn' = (turn + 1) % 36 /\\ list' = IF Len(list) < 3 THEN Append(list, i) ELSE <<>>
Next == \\E i \\in 0..35 : Take(i)
Spec == Init /\\ [][Next]_vars /\\ \\A i \\in 0..35 : WF_vars(Take(i))
Again == \\A i \\in 0..35 : []<>(turn = i)
====
"""


def test_the_program_for_the_graph_alone_begins_as_wide_as_the_search_had_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has more predicates than are compiled with a search, so it is another one; it is compiled in haste."""
    monkeypatch.setenv("RMQPROOF_CACHE", str(tmp_path / "cache"))
    flags: list[tuple[str, ...]] = []
    made = build.compiled

    def compiled(text: str, options: tuple[str, ...] = (), *rest: Any) -> Path:
        flags.append(options)
        return made(text, options, *rest)

    monkeypatch.setattr(build, "compiled", compiled)
    (tmp_path / "Many.tla").write_text(MANY)
    (tmp_path / "Many.cfg").write_text("SPECIFICATION Spec\nPROPERTY Again\n")
    result, told = check(str(tmp_path / "Many.cfg"), "--engine", "native")
    assert result["result"] == "success", told
    assert " ".join(told.split()).count("the layout is widened") == 1
    of_model = [options for options in flags if options]  # what is the same for all models has none
    assert [build.HASTY[0] in options for options in of_model] == [False, False, True]
