"""Mutants of the cores in impl/: one changed operator, constant, condition or statement, or one assignment to an
attribute left out, each, and how one is imported in the place of the right module."""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MODULES = tuple(
    f"impl/{name}.py"
    for name in (
        "broker/broker", "broker/epoch_file", "broker/ha_client", "broker/ha_server", "broker/puts", "broker/roles",
        "broker/rules", "broker/sync_state_set", "controller/broker_set", "controller/controller",
        "controller/decisions", "controller/elect_policy", "controller/liveness",
    )
)  # fmt: skip
"""What the edges of ControllerMode's models drive. Not here: settings, timers, the readings that no model below has."""

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


Line = tuple[str, int]
"""A module of `MODULES` and a line of it."""


@dataclass(frozen=True)
class Mutant:
    """`place`: number of the node in a walk through the module's tree; `kind`: which of the changes there.

    `first` to `last` are the lines of the statement's head that it is in; none of them is executed unless it is.
    `at_import`: it stands outside of every function.
    """

    module: str
    place: int
    kind: str
    line: int
    before: str
    after: str
    first: int
    last: int
    at_import: bool

    @property
    def key(self) -> str:
        return f"{self.module}:{self.line}:{self.place}:{self.kind}"

    @property
    def head(self) -> list[Line]:
        return [(self.module, line) for line in range(self.first, self.last + 1)]


def mutants_of(module: str) -> Iterator[Mutant]:
    text = (ROOT / module).read_text(encoding="utf-8")
    tree = ast.parse(text)
    annotations = set(map(id, _annotations(tree)))
    above = {id(child): node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for place, node in enumerate(ast.walk(tree)):
        for kind in _kinds(node) if id(node) not in annotations else ():
            changed = ast.parse(text)
            there = list(ast.walk(changed))[place]
            before = _first_line(there)
            _change(there, kind)
            first, last = _head(node, above)
            inside = any(isinstance(n, ast.FunctionDef | ast.Lambda) for n in _around(node, above))
            yield Mutant(
                module, place, kind, getattr(node, "lineno", 0), before, _first_line(there), first, last, not inside
            )


def _around(node: ast.AST, above: dict[int, ast.AST]) -> Iterator[ast.AST]:
    """What contains a node and is executed before it. The defaults of a function belong to what is around it."""
    while (outer := above.get(id(node))) is not None:
        if not (isinstance(outer, ast.FunctionDef | ast.Lambda) and node is outer.args):
            yield outer
        node = outer


def _head(node: Any, above: dict[int, ast.AST]) -> tuple[int, int]:
    """The lines of the statement that a node is in, without the statements inside of that."""
    first, last = node.lineno, node.end_lineno
    statement = node
    while not isinstance(statement, ast.stmt):
        statement = above[id(statement)]
    if isinstance(node, ast.stmt) or not isinstance(statement, ast.Match):
        inner = getattr(statement, "body", None)
        first = min(first, statement.lineno)
        last = max(first, inner[0].lineno - 1 if inner else statement.end_lineno or first)
    return first, last


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
    elif isinstance(node, ast.Assign) and any(isinstance(n, ast.Attribute) for n in _targets(node)):
        yield "assignment"


def _targets(node: ast.Assign) -> list[ast.expr]:
    target = node.targets[0]
    return list(target.elts) if isinstance(target, ast.Tuple) else [target]


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
    elif kind == "assignment":  # what is assigned to keeps what it holds
        node.value = ast.parse(ast.unparse(node.targets[0]), mode="eval").body
    elif kind.startswith("condition"):
        node.test = ast.Constant(kind == "condition true")
    else:
        node.value = ast.Constant(None)


@cache
def _code(module: str) -> Any:
    return compile((ROOT / module).read_text(encoding="utf-8"), str(ROOT / module), "exec")


def changed_tree(mutant: Mutant) -> ast.Module:
    tree = ast.parse((ROOT / mutant.module).read_text(encoding="utf-8"))
    _change(list(ast.walk(tree))[mutant.place], mutant.kind)
    return ast.fix_missing_locations(tree)


def is_same_code(mutant: Mutant) -> bool:
    """Whether it compiles to the same code."""
    return bool(compile(deepcopy(changed_tree(mutant)), str(ROOT / mutant.module), "exec") == _code(mutant.module))


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the mutant in the place of its module."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = "rmqproof." + mutant.module.removesuffix(".py").replace("/", ".")
        self.path = ROOT / mutant.module
        self.tree = changed_tree(mutant)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__file__ = str(self.path)
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)
