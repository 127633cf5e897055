"""Mutation testing of the cores in impl/ by the conformance tests alone.

    python -m tests.conformance.reference.mutants results.ndjson [--sample N] [--seed S] [--module impl/broker/rules.py]

Each mutant is one changed operator, constant or statement. It is imported in a process of its own in the place of the
right module, and performs the edges of small models, the smallest first, until the first difference. A result is a line
of the file; what is in the file already is not tried again.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.util
import json
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.conformance.reference.grounds import first_difference, ground

ROOT = Path(__file__).parents[3]
MODULES = tuple(
    f"impl/{name}.py"
    for name in (
        "broker/broker", "broker/epoch_file", "broker/ha_client", "broker/ha_server", "broker/puts", "broker/roles",
        "broker/rules", "broker/sync_state_set", "controller/broker_set", "controller/controller",
        "controller/decisions", "controller/elect_policy", "controller/liveness",
    )
)  # fmt: skip
"""What the edges of ControllerMode's models drive. Not here: settings, timers, the readings that no model below has."""
MODELS = (
    "Cleaned", "Learner", "Again", "First", "Flush", "Cut", "Notices", "Confirm", "Restart", "Grow", "CutTwo",
    "bugs/WeakExpandFixed", "bugs/HazardF17Fixed", "bugs/HazardF6Fixed", "bugs/InsufficientIdentity",
)  # fmt: skip
SECONDS = 240
"""Processor time of a mutant; one that needs more hangs, which is caught."""

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """`place`: number of the node in a walk through the module's tree; `kind`: which of the changes there."""

    module: str
    place: int
    kind: str
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        return f"{self.module}:{self.line}:{self.place}:{self.kind}"


def mutants_of(module: str) -> Iterator[Mutant]:
    text = (ROOT / module).read_text(encoding="utf-8")
    tree = ast.parse(text)
    annotations = set(map(id, _annotations(tree)))
    for place, node in enumerate(ast.walk(tree)):
        for kind in _kinds(node) if id(node) not in annotations else ():
            changed = ast.parse(text)
            there = list(ast.walk(changed))[place]
            before = _first_line(there)
            _change(there, kind)
            yield Mutant(module, place, kind, getattr(node, "lineno", 0), before, _first_line(there))


def _annotations(tree: ast.AST) -> Iterator[ast.AST]:
    """What only a type checker reads."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            inside = getattr(node, name, None)
            if isinstance(inside, ast.AST):
                yield from ast.walk(inside)


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def _kinds(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare):
        yield from (f"compare {n}" for n, operator in enumerate(node.ops) if type(operator) in _SWAPS)
    elif isinstance(node, ast.BoolOp) or (isinstance(node, ast.BinOp) and type(node.op) in _SWAPS):
        yield "operator"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not"
    elif isinstance(node, ast.Constant) and (type(node.value) is int or type(node.value) is bool):
        yield "constant"
    elif isinstance(node, ast.Name) and node.id in _NAMES and isinstance(node.ctx, ast.Load):
        yield "name"
    elif isinstance(node, ast.If | ast.IfExp) and ast.unparse(node.test) != "TYPE_CHECKING":
        yield from ("condition true", "condition false")
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "statement"


def _change(node: Any, kind: str) -> None:
    if kind.startswith("compare"):
        place = int(kind.split()[1])
        node.ops[place] = _SWAPS[type(node.ops[place])]()
    elif kind == "operator":
        node.op = _SWAPS[type(node.op)]()
    elif kind == "not":
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    elif kind == "constant":
        node.value = not node.value if type(node.value) is bool else node.value + 1
    elif kind == "name":
        node.id = _NAMES[node.id]
    elif kind.startswith("condition"):
        node.test = ast.Constant(kind == "condition true")
    else:
        node.value = ast.Constant(None)


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the mutant in the place of its module."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = "rmqproof." + mutant.module.removesuffix(".py").replace("/", ".")
        self.path = ROOT / mutant.module
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        _change(list(ast.walk(tree))[mutant.place], mutant.kind)
        self.tree = ast.fix_missing_locations(tree)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__file__ = str(self.path)
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)


def is_equivalent(mutant: Mutant) -> bool:
    """Whether it compiles to the same code."""
    text = (ROOT / mutant.module).read_text(encoding="utf-8")
    tree = ast.parse(text)
    _change(list(ast.walk(tree))[mutant.place], mutant.kind)
    one, other = (compile(ast.fix_missing_locations(deepcopy(t)), "m", "exec") for t in (ast.parse(text), tree))
    return one == other


def outcome(mutant: Mutant) -> str:
    """What caught it, or `survived`; in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        said = "survived"
        try:
            sys.meta_path.insert(0, _Instead(mutant))
            said = _performed()
        except BaseException as error:  # whatever the mutant does is a difference
            said = f"raises {type(error).__name__}: {error}"[:200]
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    return said or "hangs"


def _performed() -> str:
    from rmqproof.conformance.reference import ReferenceAdapter

    for config in MODELS:
        found = first_difference(config, ReferenceAdapter)
        if found.difference is not None:
            return f"{config}: {found.caught_by}, {found.difference.kind.name}, after {found.edges} edges"
    return "survived"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", choices=MODULES, action="append")
    given = parser.parse_args(words)
    chosen = [mutant for module in given.module or MODULES for mutant in mutants_of(module)]
    total = len(chosen)
    if given.sample is not None:
        chosen = Random(given.seed).sample(chosen, min(given.sample, total))
    done = _read(given.results)
    assert not any(name.startswith("rmqproof.impl") for name in sys.modules), "a mutant has to be imported first"
    for config in MODELS:
        ground(config)
    with given.results.open("a", encoding="utf-8") as file:
        for number, mutant in enumerate(chosen, 1):
            if mutant.key not in done:
                said = "equivalent" if is_equivalent(mutant) else outcome(mutant)
                line = {"mutant": mutant.key, "before": mutant.before, "after": mutant.after, "outcome": said}
                file.write(json.dumps(line) + "\n")
                file.flush()
                done[mutant.key] = said
                print(f"{number}/{len(chosen)} of {total}: {mutant.key}: {said}", file=sys.stderr)
    _summary([done[mutant.key] for mutant in chosen])


def _read(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {line["mutant"]: line["outcome"] for line in lines}


def _summary(outcomes: Sequence[str]) -> None:
    survived = sum(said == "survived" for said in outcomes)
    equivalent = sum(said == "equivalent" for said in outcomes)
    tried = len(outcomes) - equivalent
    print(f"{len(outcomes)} mutants, {equivalent} of them the same code; {tried - survived} of {tried} caught")


if __name__ == "__main__":
    main()
