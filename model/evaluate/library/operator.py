"""What the compiler has to know of a built-in operator."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from rmqproof.model.evaluate.draws import Draws
from rmqproof.model.evaluate.shape import ANY, Shape
from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass


class Code(NamedTuple):
    """A Python expression, what it evaluates to, and whether it may be repeated (a name or a constant)."""

    text: str
    shape: Shape = ANY
    atom: bool = False


@dataclass(frozen=True, slots=True)
class Operator:
    """A built-in operator.

    `function`: its meaning, with every check; raises `Fault`. Arguments are values in normal form, or with `lazy` may
    be lazy sets and functions; for a parameter that is an operator, a Python callable on values.
    `condition`: the function returns a Python bool instead of TRUE or FALSE.
    `shape`: of the result, given the shapes of the arguments. `inline`: Python text for the same where the shapes
    allow it, or None. `runtime`: the function's first argument is the `Runtime`. `delayed`: the places of arguments
    that arrive as Python callables without parameters, which evaluate them. `placed`: the last argument is where in the
    text the operator is applied, empty where it is passed to another.
    """

    function: Callable[..., Value]
    shape: Shape | Callable[[Sequence[Shape]], Shape] = ANY
    inline: Callable[[Sequence[Code]], str | None] | None = None
    condition: bool = False
    lazy: bool = False
    runtime: bool = False
    delayed: frozenset[int] = frozenset()
    placed: bool = False

    def result(self, arguments: Sequence[Shape]) -> Shape:
        return self.shape if isinstance(self.shape, Shape) else self.shape(arguments)


@dataclass(slots=True)
class Runtime:
    """What operators of TLC may ask of the search: it sets these as it goes on. `level` 0: no state yet."""

    level: int = 0
    generated: int = 0
    distinct: int = 0
    queue: int = 0
    diameter: int = 0
    duration: int = 0
    registers: dict[Value, Value] = field(default_factory=dict)
    seed: int = 0
    deadlock: bool = True
    """Whether a state without successors is an error."""
    exit: bool = False
    """Whether the search was asked to end."""
    output: Callable[[str], Any] = print
    """Where Print and PrintT write."""
    draws: Draws = field(default_factory=Draws)
    files: dict[str, str] = field(default_factory=dict)
    """What was read, by its whole name, with the SHA-256 of what was there."""

    def read(self, path: str, encoding: str = "utf-8") -> str:
        """The text of a file, which is from now on one on which the model depends. Raise `OSError`, `ValueError`."""
        return io.TextIOWrapper(io.BytesIO(self.read_bytes(path)), encoding=encoding).read()

    def read_bytes(self, path: str) -> bytes:
        """The content of a file, likewise. Raise `OSError`, `ValueError`."""
        content = Path(path).read_bytes()
        self.files[os.path.abspath(path)] = sha256(content).hexdigest()
        return content
