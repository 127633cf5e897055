"""A formula as an automaton that reads the steps of a behaviour.

A state of the automaton is the set of formulas that the rest of the behaviour must satisfy. A move reads one step: it
says which propositions that step must satisfy, what must hold from the next state on, and which promises (`<>f`) it
keeps rather than puts off. A behaviour satisfies the formula when the automaton can read it keeping each promise
infinitely often. The construction is the usual one for linear temporal logic, with marks on the moves (Couvreur,
FM 1999).
"""

from __future__ import annotations

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import (
    Always,
    And,
    Eventually,
    Formula,
    Or,
    Truth,
    conjunction,
    disjunction,
    is_proposition,
)


@dataclass(frozen=True, slots=True)
class Move:
    """Where every step in `needs` holds of a step, to state `target`. `kept`: bit i for the promise `promises[i]`."""

    needs: tuple[Formula, ...]
    target: int
    kept: int


class Automaton:
    """States are numbers, 0 is the first; `moves` are computed when they are asked for."""

    def __init__(self, formula: Formula) -> None:
        self.promises: list[Eventually] = []
        _promises(formula, self.promises)
        self.all_kept = (1 << len(self.promises)) - 1
        self._states: list[frozenset[Formula]] = []
        self._numbers: dict[frozenset[Formula], int] = {}
        self._moves: dict[int, tuple[Move, ...]] = {}
        self._number(frozenset([formula]) - {Truth(True)})

    @property
    def trivial(self) -> bool:
        """It accepts everything."""
        return not self._states[0]

    def moves(self, state: int) -> tuple[Move, ...]:
        if state not in self._moves:
            found: dict[Move, None] = {}
            self._expand(list(self._states[state]), frozenset(), (), frozenset(), frozenset(), found)
            self._moves[state] = tuple(found)
        return self._moves[state]

    def _number(self, obligations: frozenset[Formula]) -> int:
        if obligations not in self._numbers:
            self._numbers[obligations] = len(self._states)
            self._states.append(obligations)
        return self._numbers[obligations]

    def _expand(
        self,
        todo: list[Formula],
        done: frozenset[Formula],
        needs: tuple[Formula, ...],
        after: frozenset[Formula],
        late: frozenset[Eventually],
        found: dict[Move, None],
    ) -> None:
        while todo:
            formula = todo.pop()
            if formula in done:
                continue
            done |= {formula}
            if is_proposition(formula):
                if formula == Truth(False):
                    return
                if formula != Truth(True) and formula not in needs:
                    needs = (*needs, formula)
                continue
            match formula:
                case And(parts):
                    todo += parts
                case Or(parts):
                    plain = disjunction(part for part in parts if is_proposition(part))
                    for part in (plain, *(part for part in parts if not is_proposition(part))):
                        self._expand([*todo, part], done, needs, after, late, found)
                    return
                case Always(body):
                    after |= {formula}
                    todo.append(body)
                case Eventually(body):
                    self._expand([*todo, body], done, needs, after, late, found)
                    after |= {formula}
                    late |= {formula}
        whole = conjunction(needs)
        if whole == Truth(False):
            return
        kept = sum(1 << i for i, promise in enumerate(self.promises) if promise not in late)
        found[Move(needs, self._number(after), kept)] = None


def _promises(formula: Formula, found: list[Eventually]) -> None:
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                _promises(part, found)
        case Always(body):
            _promises(body, found)
        case Eventually(body):
            if formula not in found:
                found.append(formula)
            _promises(body, found)
