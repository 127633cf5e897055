"""Which files import each other in a circle, inside a package; lazy imports and those for types are counted.

What stands in `REMAINING` is a debt: the list only gets shorter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOPS = ("model", "conformance", "impl", "rocketmq")

# the package, and the files of one circle in it
REMAINING = (
    # to be equal, to be quantified over, and to be a set, a sequence or new are said of one another
    ("model.prove", "fresh merge open_sets sets values"),
    ("model.reference", "actions evaluator library"),
    ("model.tla.resolve", "expressions references resolution"),
    # a whole, and its parts that name it in their types
    ("model.api", "behaviour errors result"),
    ("model.tla.resolve", "environment symbols"),
    ("model.search.liveness", "code graph packed product"),
    ("impl.broker", "broker ha_client ha_server puts roles rules sync_state_set"),
    ("impl.controller", "controller decisions"),
)


def test_files_import_in_one_direction() -> None:
    circle = {f"{package}.{name}": f"{package}: {names}" for package, names in REMAINING for name in names.split()}
    files = imports_of_files(ROOT)
    rest: dict[str, set[str]] = {}
    for name, others in files.items():
        known = circle.get(name, name)
        rest.setdefault(known, set()).update({circle.get(other, other) for other in others} - {known})
    cycle = cycle_in(rest)
    assert cycle is None, f"{' -> '.join(cycle or ())}: let what both need stand alone"


@pytest.mark.parametrize("lazy", ["import rmqproof.model.a", "from rmqproof.model import a", "from . import a"])
def test_a_cycle_is_seen(lazy: str, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "a.py").write_text("from rmqproof.model.b import f\n")
    (tmp_path / "model" / "b.py").write_text("def f():\n    return 1\n")
    assert cycle_in(imports_of_files(tmp_path)) is None
    (tmp_path / "model" / "b.py").write_text(f"def f():\n    {lazy}\n")
    assert set(cycle_in(imports_of_files(tmp_path)) or ()) == {"model.a", "model.b"}


def cycle_in(imports: Mapping[str, set[str]]) -> list[str] | None:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return None


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
