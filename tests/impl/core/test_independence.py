"""An implementation that shares code with its specification proves nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import rmqproof.impl

ROOT = Path(rmqproof.impl.__file__).resolve().parent
FORBIDDEN = ("rmqproof.model", "rmqproof.conformance", "rmqproof.spec", "model", "conformance")
PURE = ("core", "broker", "controller")
WORLDLY = {"asyncio", "os", "random", "socket", "subprocess", "threading", "time", "pathlib", "io"}


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _sources(folder: Path) -> list[Path]:
    found = sorted(folder.rglob("*.py"))
    assert found
    return found


def test_the_implementation_knows_nothing_of_the_model() -> None:
    for path in _sources(ROOT):
        for name in _imports(path):
            assert not any(name == f or name.startswith(f"{f}.") for f in FORBIDDEN), f"{path} imports {name}"


def test_the_cores_have_no_clock_no_chance_no_disk_and_no_network() -> None:
    for part in PURE:
        for path in _sources(ROOT / part):
            assert not {name.split(".")[0] for name in _imports(path)} & WORLDLY, path
