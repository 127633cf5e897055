"""A behaviour: the states of one run of a specification, with the actions that led to them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from rmqproof.model.api.errors import typed_errors
from rmqproof.model.api.values import Function, from_itf
from rmqproof.model.report.behaviour import Behaviour as Shown


@dataclass(frozen=True)
class State(Mapping[str, Any]):
    """The variables' values: `state["log"]`. `number` counts from 1.

    `action` is what led here, None in an initial state, called with `arguments`.
    """

    number: int
    action: str | None
    arguments: tuple[Any, ...]
    variables: Function = field(repr=False)

    def __getitem__(self, variable: str) -> Any:
        return self.variables[variable]

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    @property
    def title(self) -> str:
        """`Send(b1, 2)`."""
        if self.action is None:
            return "initial state"
        return f"{self.action}({', '.join(map(repr, self.arguments))})" if self.arguments else self.action


@dataclass(frozen=True)
class Behaviour(Sequence[State]):
    """States in their order. `shown`: as reports have them, with values in the Informal Trace Format."""

    shown: Shown = field(repr=False)

    @cached_property
    def states(self) -> tuple[State, ...]:
        names = self.shown.origin.model_values
        return tuple(
            State(
                step.index + 1,
                step.action,
                tuple(from_itf(argument, names) for argument in step.arguments),
                Function((name, from_itf(value, names)) for name, value in step.state.items()),
            )
            for step in self.shown.steps
        )

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions, one for each state but the first."""
        return tuple(state.action or "" for state in self.states[1:])

    @property
    def loop(self) -> int | None:
        """For a liveness property: the index of the state to which the last one returns."""
        return self.shown.loop

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[State, ...]: ...
    def __getitem__(self, index: int | slice) -> State | tuple[State, ...]:
        return self.states[index]

    def __len__(self) -> int:
        return len(self.shown.steps)

    def itf(self) -> dict[str, Any]:
        """The behaviour in the Informal Trace Format, which Apalache, Quint and trace viewers read."""
        from rmqproof.model.report.itf import itf_text

        document: dict[str, Any] = json.loads(itf_text(self.shown))
        return document

    def text(self, width: int = 100) -> str:
        """The steps as the command line prints them: what changed in each."""
        from rmqproof.model.report.text import behaviour_text

        return behaviour_text(self.shown, width).plain

    def svg(self) -> str:
        """The picture: processes side by side, messages between them. Raise `SystemFailure` without Graphviz."""
        from rmqproof.model.report.diagram import behaviour_dot
        from rmqproof.model.report.render import picture

        with typed_errors():
            return picture(behaviour_dot(self.shown), "svg").decode("utf-8")

    def html(self) -> str:
        """A page that needs nothing else: the picture and the steps."""
        from rmqproof.model.report.html import html_text

        return html_text(self.shown)

    def write(self, path: str | Path) -> Path:
        """Write it in the format that the name's ending says: .itf.json, .txt, .html, .svg, .png, .pdf or .dot."""
        from rmqproof.model.report.diagram import behaviour_dot
        from rmqproof.model.report.itf import write_itf
        from rmqproof.model.report.render import render

        path = Path(path)
        with typed_errors():
            if path.suffix == ".json":
                write_itf(self.shown, path)
            elif path.suffix == ".txt":
                path.write_text(self.text() + "\n", encoding="utf-8")
            elif path.suffix == ".html":
                path.write_text(self.html(), encoding="utf-8")
            else:
                render(behaviour_dot(self.shown), path)
        return path

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from rmqproof.model.report.html import fragment

        return fragment(self.shown)
