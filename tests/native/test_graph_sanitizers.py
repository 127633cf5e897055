"""The C functions on graphs under AddressSanitizer and UBSan: the comparisons with Python once more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.native.test_sanitizers import FLAGS, runtime

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
    environment = {**os.environ, "RMQPROOF_CACHE": str(tmp_path), "LD_PRELOAD": runtime()}
    environment["ASAN_OPTIONS"] = "detect_leaks=0"
    command = [sys.executable, "-c", SCRIPT, FLAGS, *TESTS]
    root = Path(__file__).parents[2]
    found = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    assert " passed" in found.stdout or "100%" in found.stdout
