"""How often each expression of a model is evaluated: the careful code, with a counter before every expression.

That code evaluates only what is needed, in TLC's order, and remembers nothing, so a count is what one would count by
hand. Variables, names, literals and what is constant are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

from rmqproof.model.evaluate.deep_stack import deeply
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.locate import located
from rmqproof.model.evaluate.program import Program, State
from rmqproof.model.evaluate.shape import ANY, Shape
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.value_order import use
from rmqproof.model.search.system import StateProperty, StepProperty
from rmqproof.model.tla.core import Definition, Expression, Model
from rmqproof.model.tla.source import Location

INITIAL = ""
"""The reason of what is evaluated for initial states."""


class Place(NamedTuple):
    """A stretch of a module."""

    module: str
    """The name of its source."""
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, at: Location) -> Place:
        return cls(at.source.name, at.line, at.column, at.end_line, at.end_column)


class Evaluations:
    """The counters. `reason` is what code is being written for: an action, a property; None: it is not counted."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._evaluated: dict[tuple[str, Place], tuple[str, count[int]]] = {}
        self._followed: dict[tuple[str, Place], tuple[str, count[int]]] = {}

    def before(self, g: Generator, at: Location, text: str) -> str:
        """The text of an expression, with its counter before it."""
        name = self._name(g, at, self._evaluated, "E")
        return f"({text} if {name}() else 0)" if name else text

    def at_start(self, g: Generator, at: Location) -> str:
        """A statement to stand before the code of a part of an action; empty where nothing is counted."""
        name = self._name(g, at, self._followed, "F")
        return f"{name}()" if name else ""

    def _name(
        self, g: Generator, at: Location, table: dict[tuple[str, Place], tuple[str, count[int]]], stem: str
    ) -> str:
        if self.reason is None:
            return ""
        key = self.reason, Place.of(at)
        if key not in table:
            counter = count(1)  # its values are true, and it counts without a line of Python
            table[key] = f"{stem}{len(table)}", counter
            g.namespace[table[key][0]] = counter.__next__
        return table[key][0]

    @contextmanager
    def written_for(self, reason: str | None) -> Iterator[None]:
        before, self.reason = self.reason, reason
        try:
            yield
        finally:
            self.reason = before

    def counts(self) -> Counter[tuple[str, Place]]:
        """By reason and place; what there is code for and was never evaluated is there with 0.

        A part of an action is followed, or evaluated where it is a mere test: then both counters may have it.
        """
        found: Counter[tuple[str, Place]] = Counter()
        for table in (self._evaluated, self._followed):
            for key, (_, counter) in table.items():
                found[key] = max(found[key], _reached(counter))
        return found


def _reached(counter: count[int]) -> int:
    """How often it was asked. Its text (`count(3)`) is the next number."""
    return int(repr(counter)[len("count(") : -1]) - 1


class CountingSystem(PythonSystem):
    """The model as a transition system that counts evaluations: slower than `PythonSystem`, and finds the same."""

    def __init__(self, model: Model, runtime: Runtime | None = None) -> None:
        self.evaluations = Evaluations()
        super().__init__(model, runtime)
        self.idle, self.idle_steps = [], []  # formulas that nobody wrote
        self._constraints = [self._tested(d.name, d.body, False) for d in model.constraints]
        self._action_constraints = [self._tested(d.name, d.body, True) for d in model.action_constraints]

    def generator(self, shapes: list[Shape], careful: bool = True, eager: bool = True) -> Generator:  # type: ignore[override]
        g = super().generator([ANY] * len(self.variables), careful=True)
        g.evaluations = self.evaluations
        return g

    def _compile(self) -> Program:
        self._shapes = [ANY] * len(self.variables)
        self._careful = self._program(self.generator(self._shapes)).linked()
        return self._careful

    def patient(self) -> Program:
        return self.careful()

    def _state_property(self, name: str, node: Expression, definition: Definition) -> StateProperty:
        made = super()._state_property(name, node, definition)
        return StateProperty(name, self._tested(name, node, False), made.sentence)

    def _step_property(self, name: str, node: Expression, definition: Definition) -> StepProperty:
        made = super()._step_property(name, node, definition)
        return StepProperty(name, self._tested(name, node, True), made.sentence)

    def _tested(self, name: str, node: Expression, step: bool) -> Callable[..., bool]:
        """A formula as a test that is counted for this name."""
        test: Callable[..., Any] | None = None

        def run(*states: State) -> bool:
            nonlocal test
            use(self.order)
            try:
                if test is None:
                    with self.evaluations.written_for(name):
                        test = self.careful().test(node, step, "condition")
                return bool(deeply(test, *states))
            except Exception as raised:
                raise located(raised, self.places, node.at) from raised

        return run
