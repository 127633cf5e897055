"""The debug adapter under `@vscode/debugadapter-testsupport`, VS Code's client for tests of adapters.

`make debugger` fetches it into out/npm and runs this; NODE_PATH may name another folder of modules.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rmqproof import check, load

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "docs" / "tutorial" / "Lock.tla"
PACKAGE = "@vscode/debugadapter-testsupport"


@pytest.fixture(scope="module")
def modules() -> str:
    """Where Node finds the client."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js")
    folders = [*filter(None, os.environ.get("NODE_PATH", "").split(os.pathsep)), str(ROOT / "out/npm/node_modules")]
    if not any((Path(folder) / PACKAGE).is_dir() for folder in folders):
        pytest.skip(f"{PACKAGE} is not here: `make debugger` fetches it")
    return os.pathsep.join(folders)


def test_by_the_client_of_vs_code(modules: str, tmp_path: Path) -> None:
    behaviour = check(load(LOCK)).behaviour
    assert behaviour is not None
    trace = tmp_path / "lock.itf.json"
    trace.write_text(json.dumps(behaviour.itf()))
    # the client starts `runtime executable`, without a shell: an executable of its own is what an editor starts
    adapter = tmp_path / "adapter.py"
    adapter.write_text(
        "import sys\nfrom rmqproof.model.cli import main\nsys.argv = ['rmqproof', 'debug-adapter']\nmain()\n"
    )
    script = Path(__file__).with_name("vscode_client.js")
    command = ["node", str(script), sys.executable, json.dumps(str(adapter)), str(LOCK), str(trace)]
    ran = subprocess.run(
        command, env={**os.environ, "NODE_PATH": modules}, cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "passed" in ran.stdout.splitlines()
