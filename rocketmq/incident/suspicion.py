"""Reigns of masters, and what can have gone wrong in them."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.rocketmq.incident.timeline import Moment


@dataclass(frozen=True, slots=True)
class Reign:
    """`start`: where the master's log ended when it took over, None where no line says so; `members`: the SyncStateSet
    that the controller had before the election, None where it is not known."""

    epoch: int
    master: str
    at: float
    start: int | None
    members: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Suspicion:
    """`sure`: confirmed bytes are gone by the lines themselves; otherwise they can be. `known`: of docs/hazards.md."""

    what: str
    sure: bool
    known: tuple[str, ...] = ()
    advice: str = ""
    lines: tuple[Moment, ...] = ()
    models: tuple[str, ...] = ()
    """Configurations in spec/bugs whose counterexample this is."""
