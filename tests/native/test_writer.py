"""The C text is written in a process of its own, which ends with the one who asked, and whose end is no harm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rmqproof.model.evaluate.values import Value
from rmqproof.model.native.errors import Cancelled, NoCompiler, NotCompilable
from rmqproof.model.native.native_model import NativeModel
from rmqproof.model.native.writer import Writer
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import Location, Source
from tests.native.test_program_cache import growing
from tests.observing import wait_until

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


@pytest.fixture
def native(tmp_path: Path) -> Iterator[NativeModel]:
    model = NativeModel(growing(tmp_path), False)
    model.writer = Writer(model)
    yield model
    model.writer.close()


def test_the_text_is_the_one_that_this_process_writes(native: NativeModel, tmp_path: Path) -> None:
    here = NativeModel(growing(tmp_path), False)
    for growths in ([], [0], [0, 0], [-1]):
        native.begin(growths)
        native.generate()
        here.begin(growths)
        here.generate()
        assert native.program.source == here.program.source
        assert native.program.layout.spans == here.program.layout.spans
        assert native.program.actions == here.program.actions and native.program.starts == here.program.starts
    assert native._report is None, "the types are known over there"


def test_what_was_met_widens_the_bounds_over_there(native: NativeModel, tmp_path: Path) -> None:
    states: list[Sequence[Value]] = [(tuple(range(20)), 20)]
    here = NativeModel(growing(tmp_path), False, met=lambda: states)
    native.met = here.met
    assert native._make_room() and here._make_room()
    assert native.growths == here.growths == [0, 0]


def test_what_it_says_when_bounds_grow_is_the_same(native: NativeModel, tmp_path: Path) -> None:
    here = NativeModel(growing(tmp_path), False)
    assert native._widen(0) == here._widen(0) and native._widen(-1) == here._widen(-1)


def test_what_has_no_form_in_c_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "Open.tla").write_text(
        "---- MODULE Open ----\nEXTENDS TLC\nVARIABLE x\nInit == x = 0\nNext == x' = 1 /\\ PrintT(x)\n====\n"
    )
    (tmp_path / "Open.cfg").write_text("INIT Init\nNEXT Next\n")
    model = NativeModel(load_model(tmp_path / "Open.tla", tmp_path / "Open.cfg"), False)
    model.writer = Writer(model)
    with pytest.raises(NotCompilable) as refused:
        model.generate()
    model.writer.close()
    assert refused.value.at is not None and refused.value.at.line == 5
    assert "PrintT" in refused.value.construct


class Double:
    """In the place of a model: what goes wrong while its text is written."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def begin(self, growths: Sequence[int]) -> None:
        pass

    def follow(self) -> str:
        return ""

    def narrow(self, states: Sequence[Sequence[Value]]) -> int | None:
        return None

    def written(self) -> tuple[dict[str, Any], bool]:
        match self.kind:
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "endless":
                while True:
                    pass
            case "foreign":

                class Foreign(Exception):
                    """Which has no name outside of this function."""

                raise Foreign("what nobody foresaw")
            case "refused":
                source = Source("There.tla", "")
                raise NotCompilable(Location(source, 3, 1, 3, 2), "a construct")
        raise AssertionError


def test_a_process_that_is_killed_is_said_to_be_no_more() -> None:
    writer = Writer(Double("killed"))
    for _ in range(2):
        with pytest.raises((NoCompiler, Cancelled)) as died:
            writer.written(())
        assert died.type is Cancelled or "is no more (signal 9)" in str(died.value)
    assert writer.closed


def test_who_closes_it_ends_it_whatever_it_does() -> None:
    writer = Writer(Double("endless"))
    writer.close()
    writer.close()
    with pytest.raises(ProcessLookupError):
        os.kill(writer.process, 0)
    with pytest.raises(Cancelled):
        writer.written(())


def test_errors_come_back_as_they_are_or_as_they_look() -> None:
    writer = Writer(Double("refused"))
    with pytest.raises(NotCompilable, match=r"There\.tla:3:1: a construct"):
        writer.written(())
    writer.close()
    writer = Writer(Double("foreign"))
    with pytest.raises(RuntimeError, match="what nobody foresaw"):
        writer.written(())
    writer.close()


def test_a_request_to_terminate_or_ctrl_c_is_for_the_one_who_asked() -> None:
    """The terminal sends Ctrl-C to both. The handlers of a search are not there; a request ends the process."""
    handled: list[int] = []
    before = {each: signal.signal(each, lambda number, _: handled.append(number)) for each in (2, 15)}
    try:
        writer = Writer(Double("refused"))
        os.kill(writer.process, signal.SIGINT)
        with pytest.raises(NotCompilable):
            writer.written(())
        os.kill(writer.process, signal.SIGTERM)
        with pytest.raises(NoCompiler, match="signal 15"):
            while True:
                with pytest.raises(NotCompilable):
                    writer.written(())
        assert not handled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


ASKING = """
from rmqproof.model.native.writer import Writer
from tests.native.test_writer import Double

writer = Writer.of(Double("endless"))
print(writer.process, flush=True)
writer.written(())
"""


def test_it_does_not_outlive_the_one_who_asked() -> None:
    """Even while it writes, and where that one had no time to end it."""
    words = [sys.executable, "-c", ASKING]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert process.stdout is not None
    writer = int(process.stdout.readline())
    assert _runs(writer)
    process.kill()
    process.communicate()
    assert wait_until(lambda: not _runs(writer))


def _runs(process: int) -> bool:
    """It is there, and more than a status that nobody has asked for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


WAITING = """
import sys
from rmqproof.model.native.choice import Compiling, Waiting
from rmqproof.model.search.control import Control, Tuning
from tests.native.test_writer import Compiled

compiling = Compiling(lambda: Compiled(sys.argv[1]), apart=True)
waiting = Waiting.on(Control(tuning=Tuning(first_look=0.0)), compiling)
waiting.say = lambda text: print("said:", text)
while waiting.alone and not waiting.moved:
    assert not waiting.should_stop(50, 40, 3, 5)
    assert compiling.apart
assert not waiting.should_stop(60, 50, 30, 5) and waiting.stopped is None
compiling.cancel()
print("alone:", waiting.alone)
"""


class Compiled(Double):
    """What of a model is compiled: its text alone."""

    writer: Writer | None = None
    building = much = large = False

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.cancelled = threading.Event()

    def compile(self) -> None:
        assert self.writer is not None
        self.writer.written(())


@pytest.mark.parametrize(
    ("kind", "reason"), [("killed", "no more (signal 9). The Python engine runs."), ("refused", "There.tla:3:1: a con")]
)
def test_a_search_goes_on_when_there_will_be_no_program(kind: str, reason: str) -> None:
    """Once it began anew, on all processors."""
    words = [sys.executable, "-c", WAITING, kind]
    run = subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
    said, alone = run.stdout.splitlines()
    assert reason in said and alone == "alone: False" and not run.stderr
