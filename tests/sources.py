"""The project's own files, each parsed once in a process: what the tests of its structure look at."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

LookedAt = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def nodes_of(file: Path) -> tuple[LookedAt, ...]:
    """The imports and functions of a file, wherever they stand in it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, LookedAt))
