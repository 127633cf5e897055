"""No files import each other in a circle; lazy imports and those for types are counted."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.sources import nodes_of

pytestmark = pytest.mark.xdist_group("sources")
ROOT = Path(__file__).parents[1]
PACKAGED = ("model", "conformance", "impl", "rocketmq", "rmqproof")
TOPS = (*PACKAGED, "bench", "tools", "tests")


def test_files_import_in_one_direction() -> None:
    imports = imports_of_files(ROOT)
    assert {"rmqproof", "rmqproof.model.tla.core", "tools.fuzz.generate"} <= imports.keys()
    found = [" ".join(sorted(circle)) for circle in circles_in(imports)]
    assert not found, f"{'; '.join(found)}: let what both need stand alone"


@pytest.mark.parametrize("lazy", ["import rmqproof.model.a", "from rmqproof.model import a", "from . import a"])
def test_a_cycle_is_seen(lazy: str, tmp_path: Path) -> None:
    straight, circular = tmp_path / "straight", tmp_path / "circular"
    for root, line in ((straight, "return 1"), (circular, lazy)):
        (root / "model").mkdir(parents=True)
        (root / "model" / "a.py").write_text("from rmqproof.model.b import f\n")
        (root / "model" / "b.py").write_text(f"def f():\n    {line}\n")
    assert not circles_in(imports_of_files(straight))
    assert circles_in(imports_of_files(circular)) == {frozenset(("rmqproof.model.a", "rmqproof.model.b"))}


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
    """For each file, as `rmqproof.model.tla.core`, the others that it imports."""
    files = {
        module_of(file.relative_to(root).with_suffix("").parts): file
        for top in TOPS
        for file in (root / top).rglob("*.py")
    }
    return {
        name: {other for other in imported(file, name, files) if other != name} for name, file in sorted(files.items())
    }


def module_of(parts: tuple[str, ...]) -> str:
    inside = ("rmqproof",) if parts[0] in PACKAGED and parts[0] != "rmqproof" else ()
    return ".".join((*inside, *(parts[:-1] if parts[-1] == "__init__" else parts)))


def imported(file: Path, name: str, files: Mapping[str, Path]) -> Iterator[str]:
    """A name that is imported from a package is its submodule, where there is one, and else the package's own."""
    folder = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = folder[: len(folder) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            inside = [f"{base}.{alias.name}" for alias in node.names]
            found = [name if name in files else base for name in inside]
        else:
            continue
        yield from (name for name in found if name in files)
