"""What somebody gives us of an implementation, so that it can be compared with a specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Protocol, runtime_checkable

Value = Any
"""A value of the model as ITF JSON has it: int, str, bool, list for `{"#tup": [...]}`, and the tagged forms
`{"#set": [...]}`, `{"#map": [[key, value], ...]}`, `{"#tup": [...]}`, `{"#bigint": "..."}`; a record is a plain object.
A model value (`b1`) is its name."""

Snapshot = Any
"""Opaque to the checker; picklable. `restore` may be called with the same snapshot many times."""


class Answer(Enum):
    """What became of an action that was asked for."""

    PERFORMED = "performed"
    REFUSED = "refused"
    """The implementation would not take this step here. Its state must be as before."""
    UNSUPPORTED = "unsupported"
    """The adapter cannot drive this action at all; it is reported, and counts as not performed."""


class ImplementationGone(Exception):
    """Raised by an adapter whose implementation has ended by itself: a process that died, a connection that broke.

    The text says how. The adapter is closed, and another one made.
    """


class Adapter(Protocol):
    """One implementation, driven one step at a time.

    The checker explores the model, and for every distinct state and every action asks the implementation to take the
    same step from its own snapshot of that state; what `observe` shows must be the model's next state, and a step
    that the model does not allow must be refused and change nothing.
    """

    def start(self, constants: Mapping[str, Value]) -> int:
        """Build the implementation for the model's constants; the number of its initial states (usually 1).

        Leaves the implementation in the first of them. An operator that the configuration replaces (`Rule <- Other`)
        is among the constants as `"Rule": "Other"`.
        """
        ...

    def initial(self, index: int) -> None:
        """Go to initial state `index`, counted from 0."""
        ...

    def snapshot(self) -> Snapshot: ...

    def restore(self, snapshot: Snapshot) -> None: ...

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        """Take the step that the model calls `action(arguments)`.

        The model may have several next states for the same action and arguments; the implementation's must be one.
        """
        ...

    def observe(self) -> Mapping[str, Value]:
        """The model's variables, as far as the implementation has them."""
        ...

    def elided(self) -> Mapping[str, str]:
        """What is left out of the comparison, each with the reason.

        The abstraction is total: every variable of the model is observed or listed here, and every action that answers
        UNSUPPORTED is listed here by its name. A path such as `connection.transferEpoch` names a field inside of a
        variable; functions, sequences and sets on the way are passed through. Fields of the implementation that
        the model knows nothing of are listed by their own names (see `Accountable`).
        """
        ...


@runtime_checkable
class Accountable(Protocol):
    """An adapter that gives account of every field of the implementation's state. Optional.

    Then a field that is neither mapped nor elided is a failure, and so is a mapped one that does not exist.
    """

    def fields(self) -> Iterable[str]:
        """The names of all fields of the state, taken from the implementation itself (see `fields_of`)."""
        ...

    def mapped(self) -> Mapping[str, str]:
        """The variable of the model (or a path into it) that shows each field."""
        ...


@runtime_checkable
class Choosing(Protocol):
    """An adapter that can be made to take each of several steps that an action allows. Optional.

    Without it the implementation takes the one it wants, and the others count as not performed. With it each of the
    model's next states must be the outcome of some choice.
    """

    def choices(self, action: str, arguments: tuple[Value, ...]) -> int:
        """How many different steps the implementation could take for this action in its present state."""
        ...

    def perform_choice(self, action: str, arguments: tuple[Value, ...], choice: int) -> Answer:
        """Take the step with this number, counted from 0."""
        ...


@runtime_checkable
class Introduced(Protocol):
    """An adapter that is told of the model before `start`. Optional."""

    def introduce(self, model: str, variables: tuple[str, ...], actions: tuple[str, ...]) -> None: ...


@runtime_checkable
class Closeable(Protocol):
    """An adapter that holds something to be given back: a process, a connection. Optional."""

    def close(self) -> None:
        """Give it back; also after the implementation has ended. Raises nothing."""
        ...
