"""Models searched natively by a program that is built to show errors of memory. Run as a script:

    python -m tests.native.sanitized MOST_STATES 'FLAG FLAG …' MODEL.cfg …

Each with one worker, with two, and with two and little memory, which must agree; a line of counts for each model.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import system_of
from rmqproof.model.native.build import find_compiler
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.native.errors import NoCompiler, NotCompilable
from rmqproof.model.native.kernel import kernel_of
from rmqproof.model.native.simulate import NativeSimulation
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import Result
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.model_files import find_models
from rmqproof.model.tla.source import TlaError

SANITIZERS = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
MOVING = "-DALWAYS_MOVE"
"""Every growth moves, and growth happens all the time: see model/native/c/allocation.c."""
ROOT = Path(__file__).parents[2]
LITTLE = 200_000
"""Bytes of memory with which states and fingerprints go to files."""


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


def environment() -> dict[str, str]:
    """In which a program with sanitizers can be loaded."""
    return {
        **os.environ,
        "LD_PRELOAD": runtime(),
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def searched(configs: list[Path], most: int, flags: str, sanitized: bool) -> subprocess.CompletedProcess[str]:
    """This script in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tests.native.sanitized", str(most), flags, *map(str, configs)],
        cwd=ROOT,
        env=environment() if sanitized else dict(os.environ),
        capture_output=True,
        text=True,
    )


def counts(result: Result) -> tuple[object, ...]:
    violations = tuple((violation.name, violation.depth) for violation in result.violations)
    return result.verdict, result.distinct, result.total, result.depth, violations, result.message


def search(config: Path, most: int, flags: tuple[str, ...]) -> str:
    """A line about the model; raise `AssertionError` where two searches differ."""
    files = find_models([config])[0]
    try:
        model = load_model(files.spec, files.config)
        system = system_of(model)
        native = NativeModel(model, model.check_deadlock, flags=flags, group=permutations_of(system))
        native.compile()
        found = [
            NativeSearch(native, system, workers=workers, memory=memory, control=Control(max_states=most)).run()
            for workers, memory in ((1, None), (2, None), (2, LITTLE))
        ]
    except (TlaError, NotCompilable) as error:  # there may be no form with the bounds that a search finds to be needed
        return f"not searched: {str(error).splitlines()[0]}"
    if found[0].stopped is None:  # else a round more or less is searched
        for other in found[1:]:
            assert counts(other) == counts(found[0]), (counts(found[0]), counts(other))
    with kernel_of(native) as kernel:
        kernel.expand(kernel.initial().states)
        simulation = NativeSimulation(kernel, system, behaviours=5, depth=20, seed=1)
        simulation.run()
    result = found[0]
    return f"{result.verdict.value}, {result.distinct} distinct, {result.total} total, depth {result.depth}"


def main() -> None:
    flags = tuple(sys.argv[2].split())
    for config in sys.argv[3:]:
        print(f"{Path(config).stem}: {search(Path(config), int(sys.argv[1]), flags)}", flush=True)


if __name__ == "__main__":
    main()
