"""Machine code in the process that asks, where it goes wrong: a word and a status, never a signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.native.test_choice import PAXOS

COMMAND = "from rmqproof.model.cli import main; main()"
GRAPHS = "from rmqproof.model.native.graph_code import graph_code; graph_code().numbering(1)"


def run(tmp_path: Path, number: signal.Signals, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, with a compiler for whose programs to ask for memory is a signal."""
    header = tmp_path / "bad.h"
    header.write_text(
        "#include <signal.h>\n#include <stdlib.h>\n"
        f"static inline void *bad_(void) {{ raise({number.value}); return 0; }}\n#define calloc(count, size) bad_()\n"
    )
    environment = {**os.environ, "CC": f"cc -include {header}", "RMQPROOF_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_a_simulation(tmp_path: Path, number: signal.Signals) -> None:
    said = run(tmp_path, number, COMMAND, "check", PAXOS, "--engine", "native", "--simulate", "10", "--depth", "10")
    assert said.returncode == 153, said.stderr
    assert f"Signal {number.value}: machine code went wrong" in said.stderr
    assert "Traceback" not in said.stderr


def test_the_graphs_of_liveness(tmp_path: Path) -> None:
    said = run(tmp_path, signal.SIGFPE, GRAPHS)
    assert said.returncode == 153, said.stderr
    assert said.stderr.startswith(f"\nSignal {signal.SIGFPE.value}: machine code went wrong, and the run ends.")


def test_who_has_a_handler_keeps_it(tmp_path: Path) -> None:
    said = run(tmp_path, signal.SIGSEGV, f"import faulthandler; faulthandler.enable(); {GRAPHS}")
    assert said.returncode == -signal.SIGSEGV
    assert "Fatal Python error" in said.stderr
