"""Where a search by one worker would have ended: the counts up to there, and the behaviour that shows it.

The first event in order says which step that is. Which of the parent's successors up to it were new is known from the
files of the next level, and the step itself is taken again in Python, which gives the violation or the error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rmqproof.model.search.kernel import Disagreement
from rmqproof.model.search.result import Failure, PropertyKind, Step, Violation
from rmqproof.model.search.spark.report import Event
from rmqproof.model.search.spark.store import OWNED, Store, fingerprints_file, states_file
from rmqproof.model.search.statistics import Counters
from rmqproof.model.search.system import State, System, intermediate_of

Decode = Callable[[Any], State]
"""From a record of the store (bytes) to a state of the system."""


@dataclass(slots=True)
class Ending:
    """`counters`: of the last parent's steps up to the end."""

    counters: Counters
    violation: Violation | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """Behaviours from the files of a store. `partitions`: of its owners."""

    store: Store
    partitions: int
    system: System
    decode: Decode

    def behaviour(self, level: int, fingerprint: int) -> tuple[Step, ...]:
        """The behaviour by which the state of `level` was found. Raise `Disagreement`."""
        records: list[tuple[Any, int]] = []
        for number in range(level, 0, -1):
            record, ordinal, parent = self._row(number, fingerprint)
            records.append((record, ordinal))
            if parent is not None:
                fingerprint = parent
        records.reverse()
        steps = [Step(None, (), self.decode(records[0][0]))]
        for record, ordinal in records[1:]:
            steps.append(self._step(steps[-1].state, self.decode(record), ordinal))
        return tuple(steps)

    def _row(self, level: int, fingerprint: int) -> tuple[bytes, int, int | None]:
        name = fingerprints_file(level, fingerprint % self.partitions)
        wanted = int(np.uint64(fingerprint).view(np.int64))
        row = self.store.row(name, "fingerprint", wanted, ["part"], OWNED)
        if row is not None:
            name = states_file(level, row["part"])
            row = self.store.row(name, "fingerprint", wanted, ["state", "ordinal", "parent"])
        if row is None:
            raise self.store.refuse(name, f"it lacks the state {fingerprint:016x}, from which a later one was reached")
        parent = row["parent"]
        return row["state"], row["ordinal"], parent % (1 << 64) if parent is not None else None

    def _step(self, before: State, after: State, ordinal: int) -> Step:
        for number, (action, arguments, state) in enumerate(self.system.successors(before)):
            if number == ordinal:
                if state != after:
                    break
                return Step(self.system.actions[action], arguments, state)
        raise Disagreement("The kernel takes a step that the system does not")


def ending(system: System, past: Past, level: int, event: Event, last: int, new: frozenset[int]) -> Ending:
    """Take the steps of the state of `level` that `event` leaves, up to number `last`.

    `new`: the numbers of those that led to new states. Raise `Disagreement` when nothing is wrong with them.
    """
    behaviour = past.behaviour(level, event.parent)
    parent = behaviour[-1].state
    counters = Counters.of(len(system.actions))
    between = intermediate_of(system)
    before = between[0]
    enabled: set[int] = set()
    during, step = "successors", None
    try:
        for number, (action, arguments, state) in enumerate(system.successors(parent)):
            step = Step(system.actions[action], arguments, state)
            counters.reserve(len(system.actions))
            counters.generated[action] += 1
            enabled.add(action)
            during = "constraint"
            inside = not system.has_constraints or (system.within(state) and system.allowed(parent, state))
            counters.cut += not inside
            if inside:
                during = "fingerprint"
                system.fingerprint(state)
            if not inside or number in new:
                for invariant in system.invariants:
                    during = f"invariant {invariant.name}"
                    if not invariant.holds(state):
                        found = Violation(
                            PropertyKind.INVARIANT, invariant.name, invariant.sentence, (*behaviour, step)
                        )
                        return Ending(counters, found)
            for prop in system.step_properties:
                during = f"step property {prop.name}"
                if not prop.holds(parent, state):
                    return Ending(counters, Violation(PropertyKind.STEP, prop.name, prop.sentence, (*behaviour, step)))
            during, step = "successors", None
            if number >= last:
                raise Disagreement(f"The kernel finds {event.verdict.name} where the system does not")
    except Disagreement:
        raise
    except Exception as error:
        return Ending(counters, failure=Failure(error, during, behaviour + ((step,) if step is not None else ())))
    counters.between += between[0] - before
    if enabled or not system.check_deadlock:
        raise Disagreement(f"The kernel finds {event.verdict.name} where the system does not")
    return Ending(counters, Violation(PropertyKind.DEADLOCK, "deadlock", "", behaviour))
