"""The compiled program where every growth moves what grows, and under AddressSanitizer and UBSan."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from rmqproof.model.tla.model_files import NoModel, find_models
from tests.native.sanitized import MOVING, ROOT, SANITIZERS, environment, searched

SPECS = Path(__file__).parents[1] / "specs"
OWN = Path(__file__).parent / "specs"
MOST = 150_000
"""States of a model that are searched."""
SCRIPT = """
import sys
from array import array
from pathlib import Path
from random import Random
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.native.kernel import kernel_of
from rmqproof.model.native.saved import Folder
from rmqproof.model.native.simulate import NativeSimulation
from rmqproof.model.search.control import Control
from rmqproof.model.tla.model import load_model
folder = Folder(Path(sys.argv[2]), "identity")
for spec, config in zip(sys.argv[3::2], sys.argv[4::2]):
    model = load_model(Path(spec), Path(config))
    system = system_of(model)
    compiled = NativeModel(model, model.check_deadlock, flags=tuple(sys.argv[1].split()), arguments=True)
    compiled.compile()
    for workers, memory in ((1, None), (2, None), (2, 200_000)):
        result = NativeSearch(compiled, system, workers=workers, memory=memory, keep_going=True).run()
        print(result.distinct, result.total, result.depth)
    control = Control(max_states=result.distinct // 2)
    options = {"memory": 200_000, "folder": folder, "keep_going": True}
    NativeSearch(compiled, system, workers=2, control=control, **options).run()
    result = NativeSearch(compiled, system, workers=1, resume=True, **options).run()
    print(result.distinct, result.total, result.depth)
    with kernel_of(compiled) as kernel:
        batch = kernel.expand(kernel.initial().states)
        kernel.check(batch.states)
        words = array("Q", batch.arguments)
        assert kernel.arguments(words[: kernel.argument_words]) is not None
        assert kernel.fingerprints(batch.states) == batch.fingerprints
        NativeSimulation(kernel, system, behaviours=20, depth=20, seed=1).run()
"""


def test_no_error_of_memory_or_arithmetic(tmp_path: Path) -> None:
    models = [SPECS / "Paxos.tla", SPECS / "Paxos.cfg", OWN / "Structures.tla", OWN / "Structures.cfg"]
    models += [OWN / f"{name}.{kind}" for name in ("Enabling", "GoesOn") for kind in ("tla", "cfg")]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, f"{SANITIZERS} {MOVING}", str(tmp_path / "saved"), *map(str, models)],
        capture_output=True,
        text=True,
        env=environment(),
    )
    assert run.returncode == 0, run.stderr[-3000:]
    lines = run.stdout.split("\n")
    assert lines[:4] == ["3921 23467 17"] * 4
    assert len(set(lines[4:8])) == 1


def test_a_violation_while_the_store_moves() -> None:
    """The states of a round were read where the store had been before it grew for that round's new states."""
    run = searched([OWN / "FarViolation.cfg"], MOST, f"-O0 {SANITIZERS} {MOVING}", sanitized=True)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout == "FarViolation: safety failure, 4951 distinct, 9732 total, depth 101\n"


def test_what_has_no_value_is_put_nowhere_else(tmp_path: Path) -> None:
    """Of a constant a failure is noted only: 0 in place of the value was once put into a set that begins at 5, and as
    a key into a function, which overwrote what lies beside them."""
    (tmp_path / "NoValue.tla").write_text(
        "---- MODULE NoValue ----\nEXTENDS Integers, Sequences, TLC\nVARIABLES x, y, z\n"
        "Elements == {Head(<<>>), 5}\nKeys == (Head(<<5>>) + Head(Tail(<<5>>))) :> 1\n"
        "Init == x = 0 /\\ y = {} /\\ z = 0\nNext == /\\ x = 0 /\\ x' = 1\n"
        "        /\\ y' = IF \\E i \\in {x} : i > 0 THEN Elements ELSE {}\n"
        "        /\\ z' = IF \\E i \\in {x} : i > 0 THEN Keys[10] ELSE 1\nSpec == Init /\\ [][Next]_<<x, y, z>>\n====\n"
    )
    (tmp_path / "NoValue.cfg").write_text("SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n")
    run = searched([tmp_path / "NoValue.cfg"], MOST, f"-O0 {SANITIZERS}", sanitized=True)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout == "NoValue: success, 2 distinct, 2 total, depth 2\n"


def test_nothing_depends_on_where_memory_is() -> None:
    """Without a sanitizer, too: what was left behind is overwritten, so that counts would differ."""
    configs = [
        OWN / f"{name}.cfg" for name in ("FarViolation", "Choices", "Logs", "Composed", "SymmetricSets", "Viewed")
    ]
    run = searched(configs, MOST, f"-O0 {MOVING}", sanitized=False)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout.startswith("FarViolation: safety failure, 4951 distinct, 9732 total, depth 101\n")
    assert run.stdout.count("\n") == len(configs)


def models() -> list[Path]:
    """All with a specification beside them, or named in them."""
    found = []
    for folder in (ROOT / "spec", OWN, SPECS, ROOT / "tests" / "evaluate" / "specs"):
        for config in sorted(folder.rglob("*.cfg")):
            with suppress(NoModel):
                found += [files.config for files in find_models([config]) if files.config is not None]
    return found


@pytest.mark.large
@pytest.mark.parametrize("config", models(), ids=lambda config: str(config.relative_to(ROOT)))
def test_every_model(config: Path) -> None:
    run = searched([config], MOST, f"-O0 {SANITIZERS} {MOVING}", sanitized=True)
    assert run.returncode == 0, run.stderr[-3000:]
