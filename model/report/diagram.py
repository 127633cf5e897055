"""A behaviour as a space-time diagram, whatever specification it is of.

What the processes of a specification are called and what passes between them is a `Vocabulary`. A package that knows a
specification offers one as an entry point of the group `rmqproof.vocabularies`; of any other the processes are guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.guess import Guess
from rmqproof.model.report.processes import Processes, chart_of
from rmqproof.model.report.space_time import space_time_dot

GROUP = "rmqproof.vocabularies"
Vocabulary = Callable[[Behaviour], Processes | None]
"""The processes of a behaviour, or None when it is of a specification that this vocabulary does not know."""


def installed_vocabularies() -> tuple[Vocabulary, ...]:
    """Those of the packages that are installed, by their names."""
    from importlib.metadata import entry_points  # takes as long as a check of a small model

    return tuple(entry.load() for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def processes_of(behaviour: Behaviour, vocabularies: Iterable[Vocabulary] | None = None) -> Processes:
    """As the first of these vocabularies that knows the specification has them, else guessed. None: the installed."""
    for vocabulary in installed_vocabularies() if vocabularies is None else vocabularies:
        processes = vocabulary(behaviour)
        if processes is not None:
            return processes
    return Guess(behaviour)


def behaviour_dot(behaviour: Behaviour, vocabularies: Iterable[Vocabulary] | None = None) -> str:
    """The diagram as DOT, for `render`."""
    return space_time_dot(chart_of(behaviour, processes_of(behaviour, vocabularies)))
