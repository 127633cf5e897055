"""Logs of programs whose lines are not in the words of a specification: a `LogFormat` reads them.

A package that knows such a program offers its format as an entry point of the group `rmqproof.logs`, under the name by
which `rmqproof validate --mapping` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from rmqproof.conformance.runs.event import Event, RunError
from rmqproof.conformance.runs.event_order import Order
from rmqproof.conformance.runs.folding import Folding
from rmqproof.conformance.runs.mapping import RunMapping
from rmqproof.conformance.runs.model import RunModel
from rmqproof.conformance.runs.validation import Bounds

GROUP = "rmqproof.logs"
USUAL_FORMAT = "cluster"
"""Of the logs that `rmqproof` itself writes: those of its own programs."""
Read = Callable[[Sequence[Path], Mapping[str, Any] | None], tuple[Sequence[Event], RunMapping]]
Refine = Callable[[RunModel, Sequence[Event], Order, Bounds], tuple[Order, Folding | None]]


def _as_it_is(model: RunModel, events: Sequence[Event], order: Order, bounds: Bounds) -> tuple[Order, Folding | None]:
    return order, None


@dataclass(frozen=True, slots=True)
class Instead:
    """Another format of the same logs, by `name`: `why` it has an answer where the first one may find none.

    `suits(paths)`: these logs are what it is for; it is then asked at once, where no model is named.
    """

    name: str
    why: str
    suits: Callable[[Sequence[Path]], bool]


@dataclass(frozen=True, slots=True)
class LogFormat:
    """`read(paths, constants)`: the events of logs, and a mapping for them; raise `RunError`.

    `refine(model, events, order, bounds)`: what is known of the order of these events beside the order of each node and
    the messages, and how to take out of the states what a long run no longer needs.
    """

    read: Read
    refine: Refine = _as_it_is
    config: str = ""
    """The bundled configuration that the logs are compared with where none is named; "": the usual one."""
    config_of: Callable[[Sequence[Path]], str] | None = None
    """Which, where it depends on what is in the logs."""
    what: str = ""
    """Which logs these are, for the help."""
    instead: Instead | None = None
    wider: tuple[str, str] = ("", "")
    """Another bundled configuration, which has more behaviours than the usual one, and what they are: to be asked where
    the usual one refuses a run."""

    def usual_config(self, paths: Sequence[Path]) -> str:
        """Where none is named."""
        return self.config_of(paths) if self.config_of is not None else self.config


def installed_formats() -> Mapping[str, LogFormat]:
    """Those of the packages that are installed, by name."""
    return {entry.name: entry.load() for entry in entry_points(group=GROUP)}


def log_format(name: str) -> LogFormat:
    """Raise `RunError` where there is none of this name."""
    formats = installed_formats()
    if name not in formats:
        raise RunError(f"There are no logs called {name}. Known are: {', '.join(sorted(formats)) or 'none'}.")
    return formats[name]
