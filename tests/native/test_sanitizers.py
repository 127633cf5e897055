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
from pathlib import Path
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch
from rmqproof.model.tla.model import load_model
for spec, config in zip(sys.argv[2::2], sys.argv[3::2]):
    model = load_model(Path(spec), Path(config))
    compiled = NativeModel(model, model.check_deadlock, flags=tuple(sys.argv[1].split()))
    compiled.compile()
    for workers in (1, 2):
        result = NativeSearch(compiled, system_of(model), workers=workers).run()
        print(result.distinct, result.total, result.depth)
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


def test_no_error_of_memory_or_arithmetic() -> None:
    own = Path(__file__).parent / "specs"
    models = [SPECS / "Paxos.tla", SPECS / "Paxos.cfg", own / "Structures.tla", own / "Structures.cfg"]
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime(),
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, FLAGS, *map(str, models)], capture_output=True, text=True, env=environment
    )
    assert run.returncode == 0, run.stderr[-3000:]
    lines = run.stdout.split("\n")
    assert lines[:2] == ["3921 23467 17"] * 2
    assert lines[2] == lines[3]
