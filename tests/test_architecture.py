"""Which package may import which, and how long a function may be. Imports count with lazy and TYPE_CHECKING ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.sources import nodes_of

pytestmark = pytest.mark.xdist_group("sources")  # each file is parsed once
ROOT = Path(__file__).parents[1]
PRODUCT = ("bench", "conformance", "impl", "model", "rmqproof", "rocketmq", "tools")
LONGEST = 60
"""Lines of a function."""
ENGINES = "actions cache evaluate frames judge native prove records reference search tla types"

# a package, and what it may import; "model/" is left out before the checker's own
MAY_IMPORT = {
    "pluscal": "",
    "tla": "cache pluscal records",
    "actions": "records tla",
    "types": "actions records tla",
    "reference": "tla",
    "search": "records root",  # the path of the package, for the workers of Spark
    "evaluate": "actions frames records search tla",
    "judge": "evaluate records reference search tla",
    "native": "actions cache evaluate judge records search tla types",
    "prove": "actions cache evaluate native report search tla types",
    "report": "records tla root",  # the version
    "states": "evaluate native report search tla",
    "explore": "evaluate judge reference report search tla types root",
    "audit": "actions checking evaluate judge native report search tla",
    "debugger": "evaluate explore report search tla",
    "editor": "tla types root",
    "tlc": "checking evaluate report search tla root",
    "suite": "",
    "impl": "",
    "conformance": "actions evaluate native report search states tla root",
    "conformance.reference": "conformance impl evaluate tla",
    "checking": "evaluate judge native records report search tla root",
    "api": "checking conformance evaluate explore prove report search tla root",
    "infer": "actions api evaluate prove report search tla types",
    "rocketmq": "conformance conformance.reference evaluate impl report search tla",
    "rocketmq.runs": "actions conformance evaluate rocketmq search tla",
    "cli": f"{ENGINES} pluscal api audit checking conformance debugger editor explore infer report states suite"
    " tlc root",
    "rocketmq.assess": "checking evaluate native report rocketmq search tla",
    "rocketmq.commands": "checking cli conformance impl report rocketmq rocketmq.assess tla",
}


def test_arrows_point_one_way() -> None:
    found = arrows()
    wrong = {
        f"{place}: {package} imports {other}"
        for (package, other), place in found.items()
        if other not in MAY_IMPORT.get(package, "").split()
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_packages_have_no_cycle() -> None:
    """The checker's packages can be put in an order in which each imports only those before it."""
    arrows_of = {package: set(allowed.split()) - {"root"} for package, allowed in MAY_IMPORT.items()}
    arrows_of |= {"cache": set(), "frames": set(), "records": set()}
    placed: set[str] = set()
    while len(placed) < len(arrows_of):
        ready = {package for package, others in arrows_of.items() if package not in placed and others <= placed}
        assert ready, f"a cycle among {sorted(arrows_of.keys() - placed)}"
        placed |= ready


def test_files_have_no_cycle() -> None:
    """Nor can two files of a package need each other."""
    names = {module_of(file): file for file in python_files("conformance", "impl", "model", "rocketmq")}
    needs = {
        name: {other for other in modules_needed(file, name, names) if other != name} for name, file in names.items()
    }
    TopologicalSorter(needs).prepare()


def test_a_cycle_of_files_is_seen(tmp_path: Path) -> None:
    names = {}
    for name, other in (("a", "b"), ("b", "a")):
        names[f"rmqproof.{name}"] = tmp_path / f"{name}.py"
        names[f"rmqproof.{name}"].write_text(f"def f():\n    from . import {other}\n    from .{other} import g\n")
    needs = {name: set(modules_needed(file, name, names)) for name, file in names.items()}
    with pytest.raises(CycleError):
        TopologicalSorter(needs).prepare()


def test_functions_are_short() -> None:
    long = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {node.name} has {length} lines"
        for file in python_files(*PRODUCT, "tests")
        for node in nodes_of(file)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > LONGEST
    ]
    assert not long, "\n".join(long)


def test_nothing_depends_on_the_tests() -> None:
    for top in PRODUCT:
        for file in python_files(top):
            for node in nodes_of(file):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not [name for name in names if name.split(".")[0] == "tests"], file


def test_a_new_arrow_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "lazy.py"
    file.write_text("def f():\n    from rmqproof.model.tla import core\n    import rmqproof.conformance.runs\n")
    assert list(imported(file, ("model", "search", "lazy"))) == ["rmqproof.model.tla", "rmqproof.conformance.runs"]


def python_files(*tops: str) -> list[Path]:
    return [file for top in tops for file in sorted((ROOT / top).rglob("*.py"))]


def arrows() -> dict[tuple[str, str], str]:
    """(package, other package) to a place that imports it."""
    found: dict[tuple[str, str], str] = {}
    for top in ("model", "conformance", "impl", "rocketmq"):
        for file in sorted((ROOT / top).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            package = package_of(parts)
            for name in imported(file, parts):
                other = package_of(tuple(name.split(".")[1:]))
                if other != package:
                    found.setdefault((package, other), str(file.relative_to(ROOT)))
    return found


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(("rmqproof", *(parts[:-1] if parts[-1] == "__init__" else parts)))


def modules_needed(file: Path, name: str, names: Mapping[str, Path]) -> Iterator[str]:
    """The files among `names` that a file imports, anywhere in it; a package only for what stands in its own file."""
    here = name.split(".") if file.stem == "__init__" else name.split(".")[:-1]
    for node in nodes_of(file):
        if isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            for alias in node.names:
                found = f"{base}.{alias.name}" if f"{base}.{alias.name}" in names else base
                if found in names:
                    yield found
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)


def package_of(parts: tuple[str, ...]) -> str:
    """`("model", "tla", "core")` is of the package tla, `("impl", …)` of impl, `()` of the root."""
    if not parts or not (ROOT / parts[0]).is_dir():
        return "root"
    if parts[0] == "model" and len(parts) > 1:
        return parts[1]
    inner = ".".join(parts[:2])
    return inner if inner in MAY_IMPORT else parts[0]


def imported(file: Path, parts: tuple[str, ...]) -> Iterator[str]:
    """The modules of rmqproof that a file imports, anywhere in it."""
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("rmqproof"))
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = ("rmqproof", *parts)[: -node.level]
                yield ".".join([*base, *(node.module or "").split(".")]).rstrip(".")
            elif node.module is not None and node.module.split(".")[0] == "rmqproof":
                yield node.module
