"""The compiled program under AddressSanitizer and UBSan, where the compiler has them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.native.build import find_compiler
from rmqproof.model.native.errors import NoCompiler

SPECS = Path(__file__).parents[1] / "specs"
FLAGS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
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


def runtime() -> str:
    """The sanitizer's library, which must be loaded before all others."""
    try:
        compiler = find_compiler().command
    except NoCompiler:
        pytest.skip("no compiler")
    found = subprocess.run([*compiler, "-print-file-name=libasan.so"], capture_output=True, text=True).stdout.strip()
    if not os.path.isabs(found) or not Path(found).exists():
        pytest.skip("the compiler has no AddressSanitizer")
    return found


def test_no_error_of_memory_or_arithmetic(tmp_path: Path) -> None:
    own = Path(__file__).parent / "specs"
    models = [SPECS / "Paxos.tla", SPECS / "Paxos.cfg", own / "Structures.tla", own / "Structures.cfg"]
    models += [own / f"{name}.{kind}" for name in ("Enabling", "GoesOn") for kind in ("tla", "cfg")]
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime(),
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, FLAGS, str(tmp_path / "saved"), *map(str, models)],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    lines = run.stdout.split("\n")
    assert lines[:4] == ["3921 23467 17"] * 4
    assert len(set(lines[4:8])) == 1
