"""The C functions on graphs under AddressSanitizer and UBSan: the comparisons with Python once more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.native.sanitized import MOVING, SANITIZERS, environment

SCRIPT = """
import sys
import pytest
from rmqproof.model.native import build
build.FLAGS = (*(flag for flag in build.FLAGS if not flag.startswith("-O")), "-O1", *sys.argv[1].split())
build.THOROUGH = ()
sys.exit(pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", "-k", "not store and not damaged", *sys.argv[2:]]))
"""
TESTS = ["tests/search/test_liveness_sources.py", "tests/search/test_liveness_storage.py"]


@pytest.mark.large
def test_graphs_under_sanitizers(tmp_path):
    command = [sys.executable, "-c", SCRIPT, f"{SANITIZERS} {MOVING}", *TESTS]
    root = Path(__file__).parents[2]
    found = subprocess.run(
        command, cwd=root, env=environment() | {"RMQPROOF_CACHE": str(tmp_path)}, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert " passed" in found.stdout or "100%" in found.stdout
