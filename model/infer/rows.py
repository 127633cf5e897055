"""What atoms are worth in states: a row for every binding of the names, as bits, one for each literal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import TRUE
from rmqproof.model.infer.grammar import Name
from rmqproof.model.infer.vocabulary import Clause, Vocabulary
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError

State = tuple[Any, ...]


@dataclass(eq=False)
class Space:
    """The atoms over some names, each with a place of its own. A row has the bits of the atoms that are true.

    `known`: the different rows of the states that were shown to it.
    """

    words: Vocabulary
    system: PythonSystem
    names: tuple[Name, ...]
    level: int = 0
    known: set[int] = field(default_factory=set)
    shown: int = 0
    """So many states of the sample were shown."""
    _rows: Callable[[State], Any] | None = None
    _memo: dict[State, frozenset[int]] = field(default_factory=dict)
    _mask: tuple[int, int] = (0, -1)
    """What `mask` says, and how many atoms had no value then."""

    def __post_init__(self) -> None:
        self.atoms = self.words.over(self.names, self.level)
        self._place = {atom: place for place, atom in enumerate(self.atoms)}
        self._asked: list[int] = []

    def rows(self, state: State) -> frozenset[int]:
        """The rows of a state, one for each binding. Atoms without a value are given up."""
        found = self._memo.get(state)
        if found is None:
            found = self._memo[state] = self._evaluated(state)
        return found

    @property
    def mask(self) -> int:
        """The atoms that have a value, as bits."""
        given_up = self.words.without_value
        if self._mask[1] != len(given_up):
            self._mask = (sum(1 << place for atom, place in self._place.items() if atom not in given_up), len(given_up))
        return self._mask[0]

    def fails(self, clause: Clause, state: State) -> bool:
        """Whether a clause over these names is false in the state, but for its atoms that were given up."""
        rows = self.rows(state)
        literals = [literal for literal in clause.literals if literal >> 1 not in self.words.without_value]
        denied = sum(1 << self._place[literal >> 1] for literal in literals if not literal & 1)
        affirmed = sum(1 << self._place[literal >> 1] for literal in literals if literal & 1)
        return any(row & denied == denied and not row & affirmed for row in rows)

    def against(self, row: int, atoms: Iterable[int]) -> Clause:
        """The clause that says that one of the atoms at these places is not what it is in the row."""
        literals = frozenset(2 * self.atoms[place] + (not row >> place & 1) for place in atoms)
        return self.words.trimmed(Clause(self.names, literals))

    def show(self, states: Sequence[State]) -> None:
        """Let these, the sample, be among the reachable states."""
        for state in states[self.shown :]:
            self.known |= self._evaluated(state)
        self.shown = len(states)

    def _evaluated(self, state: State) -> frozenset[int]:
        while True:
            if self._rows is None:
                self._asked = [atom for atom in self.atoms if atom not in self.words.without_value]
                self._rows = self.system.careful_value(self._node(self._asked))
            try:
                values = self._rows(state)
                break
            except TlaError:
                self._give_up(state)
        places = [self._place[atom] for atom in self._asked]
        return frozenset(_bits(places, row) for row in values)

    def _node(self, atoms: Iterable[int]) -> core.Expression:
        bindings, binders = self.words.bound(self.names)
        items = tuple(self.words.call(atom, bindings) for atom in atoms)
        body = core.TupleExpression(self.words.at, items)
        return core.SetMap(self.words.at, body, binders) if binders else core.SetEnumeration(self.words.at, (body,))

    def _give_up(self, state: State) -> None:
        """Find the atoms that have no value in a state, or one that is no truth value."""
        half = len(self._asked) // 2
        bad = {atom for part in (self._asked[:half], self._asked[half:]) for atom in self._without_value(part, state)}
        if not bad:
            raise TlaError("the atoms of candidates have values one by one, and not together", kind="system")
        self.words.without_value |= bad
        self._rows = None

    def _without_value(self, atoms: Sequence[int], state: State) -> Iterator[int]:
        """They are few: where half of the atoms have their values none of them is asked by itself."""
        try:
            self.system.careful_value(self._node(atoms))(state)
        except TlaError:
            half = len(atoms) // 2
            if not half:
                yield from atoms
                return
            yield from self._without_value(atoms[:half], state)
            yield from self._without_value(atoms[half:], state)


def _bits(places: Sequence[int], values: Sequence[Any]) -> int:
    """The places, in ascending order, of the values that are TRUE."""
    digits = bytearray(b"0" * (places[-1] + 1 if places else 1))
    for place, value in zip(places, values, strict=True):
        if value is TRUE:
            digits[-1 - place] = ord("1")
    return int(digits, 2)
