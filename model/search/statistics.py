"""Counts per action, the collision probability, and the findings that follow from counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.search.fingerprint_set import FingerprintSet
from rmqproof.model.search.result import ActionCoverage, Collision, Finding, FindingKind
from rmqproof.model.search.system import System

OBSERVE_FROM = 1e-10
"""TLC looks at the fingerprints themselves only when the optimistic chance is at least this."""


@dataclass(slots=True)
class Counters:
    """What a search counts; the lists are indexed by action.

    `initial`: generated initial states; `cut`: generated states that the constraints cut; `between`: states between the
    actions that a step is composed of.
    """

    generated: list[int] = field(default_factory=list)
    distinct: list[int] = field(default_factory=list)
    enabled: list[int] = field(default_factory=list)
    initial: int = 0
    cut: int = 0
    between: int = 0

    @classmethod
    def of(cls, actions: int) -> Counters:
        return cls([0] * actions, [0] * actions, [0] * actions)

    @property
    def total(self) -> int:
        """Generated states, initial ones and those between composed actions included."""
        return self.initial + sum(self.generated) + self.between

    def add(self, other: Counters) -> None:
        for mine, theirs in (
            (self.generated, other.generated),
            (self.distinct, other.distinct),
            (self.enabled, other.enabled),
        ):
            for action, count in enumerate(theirs):
                mine[action] += count
        self.initial += other.initial
        self.cut += other.cut
        self.between += other.between

    def rearranged(self, given: Sequence[str], wanted: Sequence[str]) -> Counters:
        """These counts, by the actions `given`, as counts by the actions `wanted`."""
        found = Counters.of(len(wanted))
        positions = {name: position for position, name in enumerate(given)}
        for mine, theirs in (
            (self.generated, found.generated),
            (self.distinct, found.distinct),
            (self.enabled, found.enabled),
        ):
            for position, name in enumerate(wanted):
                if name in positions:
                    theirs[position] = mine[positions[name]]
        found.initial, found.cut, found.between = self.initial, self.cut, self.between
        return found

    def reserve(self, actions: int) -> None:
        """Have place for so many actions: code that is compiled when something fails may know more of them."""
        for counts in (self.generated, self.distinct, self.enabled):
            counts.extend([0] * (actions - len(counts)))

    def coverage(self, actions: Sequence[str]) -> tuple[ActionCoverage, ...]:
        self.reserve(len(actions))
        return tuple(
            ActionCoverage(name, self.enabled[i], self.generated[i], self.distinct[i]) for i, name in enumerate(actions)
        )


def collision(seen: FingerprintSet, total: int) -> Collision:
    """TLC's two estimates of the chance that a state was missed because two shared a fingerprint."""
    distinct = len(seen)
    optimistic = distinct * ((total - distinct) / 2.0**64)
    if optimistic < OBSERVE_FROM:
        return Collision(optimistic)
    distance = seen.smallest_distance()
    return Collision(optimistic, 1.0 / distance if distance else None)


def findings(system: System, counters: Counters, distinct: int, idle: Sequence[str] = ()) -> tuple[Finding, ...]:
    """What an exhaustive search has to say beyond its verdict. `idle`: the properties that had nothing to say."""
    found: list[Finding] = []
    if distinct == 0:
        why = "every initial state is cut by the constraints" if counters.initial else "there is no initial state"
        found.append(
            Finding(FindingKind.NO_STATES, "", f"No state was explored: {why}. Every property holds of nothing.")
        )
        return tuple(found)
    for name, generated in zip(system.actions, counters.generated, strict=True):
        if generated == 0:
            found.append(
                Finding(
                    FindingKind.ACTION_NEVER_TAKEN, name, f"{name} was enabled in no reachable state of this model."
                )
            )
    generated = sum(counters.generated)
    found += [
        Finding(
            FindingKind.TRIVIAL, name, f"{name} is trivial here: what it assumes is true in no reachable state or step."
        )
        for name in idle
    ]
    if system.has_constraints and generated:
        if counters.cut >= generated:
            found.append(
                Finding(
                    FindingKind.CONSTRAINT_CUT_EVERYTHING, "", "The constraints cut every state after the initial ones."
                )
            )
        elif counters.cut == 0:
            found.append(
                Finding(
                    FindingKind.CONSTRAINT_CUT_NOTHING, "", "The constraints cut no state: they are not needed here."
                )
            )
    if not (system.invariants or system.step_properties or system.initial_properties or system.check_deadlock):
        found.append(Finding(FindingKind.NO_PROPERTIES, "", "No property was given: the states were only counted."))
    return tuple(found)
