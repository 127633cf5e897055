"""States and fingerprints on disk, checkpoints and what is resumed from them: nothing of it shows in a result."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.run import Run, Status
from rmqproof.model.native.saved import MANIFEST, Folder
from rmqproof.model.search.checkpoint import CheckpointError
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result, Stopped, Verdict
from rmqproof.model.tla.model import load_model
from tests.at_length import first
from tests.native.differential import FAST, Met, interpreted, outcome
from tests.observing import wait_until, written_again

SPECS = Path(__file__).parents[1] / "specs"
OWN = Path(__file__).parent / "specs"
MEBIBYTE = 1 << 20
LITTLE = 200_000
"""Bytes: less than the tables of a thousand states and what a round finds."""


def compiled(spec: Path, config: Path) -> tuple[NativeModel, PythonSystem]:
    model = load_model(spec, config)
    system = system_of(model)
    native = NativeModel(model, model.check_deadlock, flags=FAST, group=permutations_of(system))
    native.compile()
    return native, system


def two_phase_commit() -> tuple[NativeModel, PythonSystem]:
    return compiled(SPECS / "TwoPhaseCommit.tla", SPECS / "TwoPhaseCommit7.cfg")


@pytest.mark.parametrize("workers", first(1, [3, 1]))
def test_a_limit_of_memory_changes_no_count(workers: int) -> None:
    native, system = two_phase_commit()
    result = NativeSearch(native, system, workers=workers, memory=2 * MEBIBYTE).run()
    assert (result.verdict, result.distinct, result.total, result.depth) == (Verdict.SUCCESS, 296448, 2744706, 23)
    assert result.coverage == NativeSearch(native, system, workers=workers).run().coverage


def test_what_is_past_the_limit_is_on_disk() -> None:
    native, _ = two_phase_commit()
    with Run(native, 2, memory=2 * MEBIBYTE) as run:
        assert run.go(60) is Status.FINISHED
        n = run.numbers()
        assert n.spilled > 250_000 and n.filed > 200_000
        assert n.peak <= 2 * MEBIBYTE
        states = [words for words, _ in run.packed(0, n.distinct)]
        assert len(set(states)) == n.distinct


@pytest.mark.parametrize("spec", first(2, ["PaxosSymmetric", "DieHard", "Paxos"]))
def test_states_on_disk_are_those_of_the_python_engine(spec: str) -> None:
    native, system = compiled(SPECS / f"{spec}.tla", SPECS / f"{spec}.cfg")
    expected = interpreted(native.model)
    met = Met(system)
    result = NativeSearch(native, system, workers=2, memory=LITTLE, watch=met).run()
    assert outcome(result) == outcome(expected.result)
    if expected.result.exhaustive and native.group is None:
        assert set(met.states) == set(expected.states)


def in_parts(native: NativeModel, system: PythonSystem, folder: Folder, memory: int | None = None) -> Result:
    """A search that is stopped again and again, and resumed with another number of workers."""
    workers, most, resume = 1, 500, False
    while True:
        control = Control(max_states=most)
        search = NativeSearch(
            native, system, control=control, workers=workers, folder=folder, resume=resume, memory=memory
        )
        result = search.run()
        if result.stopped is not Stopped.STATES:
            return result
        assert folder.exists
        workers, most, resume = workers % 3 + 1, result.distinct * 3, True


@pytest.mark.parametrize("memory", [None, LITTLE])
@pytest.mark.parametrize("spec", ["Paxos", pytest.param("TwoPhaseCommit7", marks=pytest.mark.large), "PaxosSymmetric"])
def test_a_resumed_search_ends_as_one_that_was_never_stopped(tmp_path: Path, spec: str, memory: int | None) -> None:
    native, system = compiled(SPECS / f"{spec.rstrip('7')}.tla", SPECS / f"{spec}.cfg")
    expected = NativeSearch(native, system, workers=1).run()
    folder = Folder(tmp_path / "saved", "identity")
    assert outcome(in_parts(native, system, folder, memory)) == outcome(expected)
    assert not folder.path.exists()


VIOLATED = """---- MODULE Late ----
EXTENDS Naturals
VARIABLES a, b, c
Init == a = 0 /\\ b = 0 /\\ c = 0
Next ==
  \\/ a < 30 /\\ a' = a + 1 /\\ UNCHANGED <<b, c>>
  \\/ b < 30 /\\ b' = b + 1 /\\ UNCHANGED <<a, c>>
  \\/ c < 30 /\\ c' = c + 1 /\\ UNCHANGED <<a, b>>
TypeOK == a \\in 0..30 /\\ b \\in 0..30 /\\ c \\in 0..30
Never == ~(a = 20 /\\ b = 21 /\\ c > 19)
====
"""


def test_the_counterexample_is_the_same_after_resume_and_on_disk(tmp_path: Path) -> None:
    (tmp_path / "Late.tla").write_text(VIOLATED)
    (tmp_path / "Late.cfg").write_text("INIT Init\nNEXT Next\nINVARIANTS TypeOK Never\nCHECK_DEADLOCK FALSE\n")
    native, system = compiled(tmp_path / "Late.tla", tmp_path / "Late.cfg")
    expected = interpreted(native.model).result
    assert expected.verdict is Verdict.SAFETY
    for memory in (None, LITTLE):
        assert outcome(in_parts(native, system, Folder(tmp_path / "saved", "x"), memory)) == outcome(expected)


SCRIPT = """
import sys
from pathlib import Path
from tests.native.test_storage import two_phase_commit
from rmqproof.model.native.engine import NativeSearch
from rmqproof.model.native.saved import Folder
from rmqproof.model.search.control import Control
native, system = two_phase_commit()
folder = Folder(Path(sys.argv[1]), "identity")
control = Control(checkpoint_seconds=0)
search = NativeSearch(native, system, control=control, workers=2, folder=folder, resume=folder.exists, memory=4 << 20)
result = search.run()
print(result.verdict, result.distinct, result.total, result.depth)
"""


def test_a_search_survives_kills(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "saved", "identity")
    killed = 0
    output = ""
    while killed < 3 or not output:
        saved = written_again(folder.path / MANIFEST)
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(folder.path)], stdout=subprocess.PIPE, text=True, stderr=subprocess.PIPE
        )
        if killed < 3 and wait_until(saved, process):
            process.kill()
        output, errors = process.communicate()
        killed += process.returncode == -signal.SIGKILL
        assert process.returncode in (0, -signal.SIGKILL), errors
    assert output.split() == ["success", "296448", "2744706", "23"]


def stopped(tmp_path: Path) -> tuple[NativeModel, PythonSystem, Folder]:
    native, system = compiled(SPECS / "Paxos.tla", SPECS / "Paxos.cfg")
    folder = Folder(tmp_path / "saved", "identity", "Paxos.cfg")
    NativeSearch(native, system, workers=1, control=Control(max_states=300), folder=folder).run()
    return native, system, folder


@pytest.mark.parametrize("damage", ["states", "parents", "manifest", "identity", "missing"])
def test_a_checkpoint_that_is_not_what_was_saved_is_refused(tmp_path: Path, damage: str) -> None:
    native, system, folder = stopped(tmp_path)
    if damage in ("states", "parents"):
        content = bytearray((folder.path / damage).read_bytes())
        content[len(content) // 2] ^= 1
        (folder.path / damage).write_bytes(content)
    elif damage == "manifest":
        (folder.path / MANIFEST).write_text("{}")
    elif damage == "missing":
        (folder.path / "states").unlink()
    else:
        folder = Folder(folder.path, "another")
    with pytest.raises(CheckpointError, match="--resume"):
        NativeSearch(native, system, workers=1, folder=folder, resume=True).run()


def test_a_widened_layout_is_resumed(tmp_path: Path) -> None:
    native, system = compiled(OWN / "Wide.tla", OWN / "Wide.cfg")
    expected = interpreted(native.model).result
    folder = Folder(tmp_path / "saved", "identity")
    first = NativeSearch(
        native, system, workers=1, control=Control(max_states=expected.distinct - 1), folder=folder
    ).run()
    assert first.stopped is not None, "the model is explored in one round"
    fresh, system = compiled(OWN / "Wide.tla", OWN / "Wide.cfg")
    result = NativeSearch(fresh, system, workers=2, folder=folder, resume=True).run()
    assert outcome(result) == outcome(expected) and fresh.growths == native.growths
