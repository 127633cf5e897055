"""What a run's log says: events, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Origin:
    """A line of a log, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


Arguments = tuple[Any, ...] | Mapping[str, Any]
"""By position, or by the names of the action's parameters."""


@dataclass(frozen=True, slots=True)
class Accesses:
    """Parts of the model's state, by any names: two steps of which neither writes what the other accesses commute.

    "Commute" is: what is enabled stays enabled, and both orders end in one state, up to parts that no step reads.
    """

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()

    def __or__(self, other: Accesses) -> Accesses:
        return Accesses(self.reads | other.reads, self.writes | other.writes)

    def conflicts(self, other: Accesses) -> bool:
        return not (
            self.writes.isdisjoint(other.writes)
            and self.writes.isdisjoint(other.reads)
            and self.reads.isdisjoint(other.writes)
        )


@dataclass(frozen=True, slots=True)
class Event:
    """One step that a node wrote down, or what a node saw of its own state.

    `action`: the model's action; None where the line names none: then only what it says of the state has to hold.
    `arguments`: by position or by the action's parameter names; values are ITF in which null is "not known", a plain
    object speaks only of the keys that it has, and a string that stands for a value of the model is a `Symbol`.
    `state`: what is so after the step. Keys are variables, or what a mapping calls a field of the state.
    `sent`, `received`: names of messages; a receiving event comes after the sending one.
    `sequence`: counted by the node without gaps, where it counts; a gap means lost lines.
    """

    node: str
    action: str | None
    arguments: Arguments = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    sent: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    sequence: int | None = None
    clock: float | None = None
    """For the order in which orders are tried, never to decide between them."""
    may_stutter: bool = False
    """Where the model has no such step, nothing happened: a node may write down what it does again without effect."""
    alternatives: tuple[tuple[str, Arguments], ...] = ()
    """Other steps of the model that the line can mean, with their arguments."""
    stream: str = ""
    """Of several logs of one node, which: only lines of one log have an order."""
    parts: tuple[tuple[tuple[str, Any], ...], ...] = ((),)
    """One step of the node may be several of the model in a row: for each of them the constants that it takes in the
    place of the model's. Only after the last is the state as the line says."""
    accesses: Accesses | None = None
    """What the steps that the line can mean read and write; None: it is not known, so everything."""
    unlogged: tuple[tuple[str, Arguments], ...] | None = None
    """The steps without a line that can be needed right before this one; None: any."""
    lowest: int | None = None
    """The smallest `Offset` that the line's steps look at; None: they look at none."""
    highest: int | None = None
    """Where what they look at ends; None: with the log."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the line shows of its node's state, with what a step of the model is not held to."""
    origin: Origin = Origin("", 0)
    text: str = ""
    """The line as it was, for the report."""

    @property
    def steps(self) -> tuple[tuple[str, Arguments], ...]:
        """The steps that the line can mean, the one that it names first."""
        return (((self.action, self.arguments),) if self.action is not None else ()) + self.alternatives

    @property
    def says_nothing(self) -> bool:
        """The line is there for the order of others only."""
        return not self.steps and not self.state


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of the run for a value that the model names otherwise, such as a message's id: each has one value."""

    name: str

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Offset:
    """A position in a log, which the model may count from another message than the run does (see folding.py)."""

    number: int

    def __repr__(self) -> str:
        return str(self.number)


@dataclass(frozen=True, slots=True)
class GrowingList:
    """A list that grows with the run and has no symbols. `items`: what the line says of each entry; `values`: what that
    is in the whole state of the model, where the first of them may be folded (see folding.py)."""

    items: Sequence[Any]
    values: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.items)


class RunError(Exception):
    """A log that cannot be read as a run. `problems` are sentences with their places."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
