"""Which files import each other in a circle, inside a package; lazy imports and those for types are counted.

What stands in `WHOLES` is one thing in several files, and the list is exact: who breaks a circle takes it out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOPS = ("model", "conformance", "impl", "rocketmq")

WHOLES = {
    "what is equal, a set or new is said of one another": "model.prove: fresh merge sets",
}
"""Why the files of a circle are one thing, and which they are."""


def test_files_import_in_one_direction() -> None:
    wholes = {circle_of(text) for text in WHOLES.values()}
    found = circles_in(imports_of_files(ROOT))
    new = [" ".join(sorted(circle)) for circle in found - wholes]
    assert not new, f"{'; '.join(new)}: let what both need stand alone"
    gone = [" ".join(sorted(circle)) for circle in wholes - found]
    assert not gone, f"{'; '.join(gone)}: no such circle is left, so take it out of the list"


def circle_of(text: str) -> frozenset[str]:
    package, names = text.split(":")
    return frozenset(f"{package}.{name}" for name in names.split())


@pytest.mark.parametrize("lazy", ["import rmqproof.model.a", "from rmqproof.model import a", "from . import a"])
def test_a_cycle_is_seen(lazy: str, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "a.py").write_text("from rmqproof.model.b import f\n")
    (tmp_path / "model" / "b.py").write_text("def f():\n    return 1\n")
    assert not circles_in(imports_of_files(tmp_path))
    (tmp_path / "model" / "b.py").write_text(f"def f():\n    {lazy}\n")
    assert circles_in(imports_of_files(tmp_path)) == {frozenset(("model.a", "model.b"))}


def circles_in(imports: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """The strongly connected components of more than one file."""
    reached = {name: _reached(name, imports) for name in imports}
    circles = {frozenset(other for other in reached[name] if name in reached[other]) for name in imports}
    return {circle for circle in circles if len(circle) > 1}


def _reached(name: str, imports: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for other in imports[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def imports_of_files(root: Path) -> dict[str, set[str]]:
    """For each file, as `model.tla.core`, the files of the same tree that it imports."""
    files = {}
    for top in TOPS:
        for file in sorted((root / top).rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return {
        name: {other for other in imported(file, file.relative_to(root).parts[:-1], files) if other != name}
        for name, file in files.items()
    }


def imported(file: Path, folder: tuple[str, ...], files: Mapping[str, Path]) -> Iterator[str]:
    """A name that is imported from a package is its submodule, where there is one, and else the package's own."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [alias.name.removeprefix("rmqproof.") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([(node.module or "").removeprefix("rmqproof.")] if node.module else [])])
            inside = [f"{base}.{alias.name}" for alias in node.names]
            found = [name if name in files else base for name in inside]
        else:
            continue
        yield from (name for name in found if name in files)
