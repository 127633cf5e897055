"""What atoms are worth in states: a row for every binding of the names, as bits, one for each literal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import TRUE
from rmqproof.model.infer.grammar import Name
from rmqproof.model.infer.vocabulary import Vocabulary
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

State = tuple[Any, ...]


@dataclass(eq=False)
class Space:
    """The atoms over some names. `known`: the different rows of the states that were shown to it."""

    words: Vocabulary
    system: PythonSystem
    names: tuple[Name, ...]
    level: int = 0
    known: set[int] = field(default_factory=set)
    shown: int = 0
    """So many states of the sample were shown."""
    _atoms: list[int] = field(default_factory=list)
    _rows: Callable[[State], Any] | None = None
    _memo: dict[State, frozenset[int]] = field(default_factory=dict)

    def rows(self, state: State) -> frozenset[int]:
        """The rows of a state: the literals that hold, as bits, by binding. Atoms without a value are given up."""
        found = self._memo.get(state)
        if found is None:
            found = self._memo[state] = self._evaluated(state)
        return found

    @property
    def mask(self) -> int:
        """The literals over these names, as bits."""
        return sum(3 << 2 * atom for atom in self.words.over(self.names, self.level))

    def show(self, states: Sequence[State]) -> None:
        """Let these, the sample, be among the reachable states."""
        for state in states[self.shown :]:
            self.known |= self._evaluated(state)
        self.shown = len(states)

    def _evaluated(self, state: State) -> frozenset[int]:
        while True:
            if self._rows is None:
                self._atoms = self.words.over(self.names, self.level)
                self._rows = self.system.careful_value(self._node(self._atoms))
            try:
                values = self._rows(state)
                break
            except TlaError:
                self._give_up(state)
        bits = [(1 << 2 * atom, 2 << 2 * atom) for atom in self._atoms]
        return frozenset(
            sum(yes if value is TRUE else no for value, (no, yes) in zip(row, bits, strict=True)) for row in values
        )

    def _node(self, atoms: Iterable[int]) -> core.Expression:
        bindings, binders = self.words.bound(self.names)
        items = tuple(self.words.call(atom, bindings) for atom in atoms)
        body = core.TupleExpression(self.words.at, items)
        return core.SetMap(self.words.at, body, binders) if binders else core.SetEnumeration(self.words.at, (body,))

    def _give_up(self, state: State) -> None:
        """Find the atoms that have no value in a state, or one that is no truth value."""
        bad = set()
        for atom in self._atoms:
            try:
                self.system.careful_value(self._node([atom]))(state)
            except TlaError:
                bad.add(atom)
        if not bad:
            raise TlaError("the atoms of candidates have values one by one, and not together", kind="system")
        self.words.without_value |= bad
        self._rows = None
