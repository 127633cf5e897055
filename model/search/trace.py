"""Rebuild a behaviour from the fingerprints of its states, by replaying the system from an initial state."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.search.fingerprint_set import FingerprintSet
from rmqproof.model.search.result import Step
from rmqproof.model.search.system import Observing, State, System


class TraceError(Exception):
    """A state could not be found again: the system is not deterministic, or two states share a fingerprint."""


def behaviour_to(system: System, seen: FingerprintSet, index: int) -> tuple[Step, ...]:
    """The behaviour by which the search found state `index`: a shortest one.

    The search keeps the first state with a fingerprint, so the first match of the replay is the same state, also where
    a VIEW or SYMMETRY gives several states one fingerprint.
    """
    return replay(system, [seen.fingerprints[i] for i in seen.ancestry(index)])


def replay(system: System, fingerprints: Sequence[int]) -> tuple[Step, ...]:
    """The behaviour whose states have these fingerprints, the first being an initial state."""
    steps: list[Step] = []
    for level, fingerprint in enumerate(fingerprints):
        if isinstance(system, Observing):
            system.now(level, 0, 0, 0, level)
        steps.append(_successor(system, steps[-1].state, fingerprint) if steps else _initial(system, fingerprint))
    return tuple(steps)


def _initial(system: System, fingerprint: int) -> Step:
    for state in system.initial_states():
        if system.fingerprint(state) == fingerprint and system.within(state):
            return Step(None, (), state)
    raise TraceError(f"no initial state has the fingerprint {fingerprint:016x}")


def _successor(system: System, before: State, fingerprint: int) -> Step:
    for action, arguments, state in system.successors(before):
        if system.fingerprint(state) == fingerprint and system.within(state) and system.allowed(before, state):
            return Step(system.actions[action], arguments, state)
    raise TraceError(f"no successor has the fingerprint {fingerprint:016x}")
