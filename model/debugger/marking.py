"""Breakpoints as a client sets them: each request has the whole list of its kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rmqproof.model.debugger.arguments import Arguments, BadRequest
from rmqproof.model.debugger.showing import View
from rmqproof.model.debugger.stops import CannotStop, Stop, Stops, Wanted
from rmqproof.model.debugger.walk import DEADLOCK, ERROR, VIOLATION

Json = dict[str, Any]
FILTERS = {
    VIOLATION: ("A property is violated", True),
    DEADLOCK: ("No step is possible", True),
    ERROR: ("Something cannot be evaluated", True),
}
"""What stops without a breakpoint: its words, and whether it does where the client says nothing."""


def filters() -> list[Json]:
    return [{"filter": name, "label": label, "default": default} for name, (label, default) in FILTERS.items()]


class Marks:
    """The breakpoints of a walk, by the list that they are in: a file's, of operators, of variables."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.stops = Stops(view.space)
        self._lists: dict[str, list[Stop]] = {}

    def lines(self, arguments: Arguments) -> list[Json]:
        """Of one file."""
        source = arguments.inner("source")
        if not source.has("path"):
            raise BadRequest("A breakpoint stands in a file: source.path is missing.")
        path = Path(source.text("path")).resolve()
        view = self.view
        found = []
        kept: list[Stop] = []
        for each in arguments.each("breakpoints"):
            line = each.number("line") - view.line
            column = each.number("column") - view.column if each.has("column") else None
            try:
                stop = self.stops.on_line(path, line, column, _wanted(each))
            except CannotStop as wrong:
                found.append({"verified": False, "line": line + view.line, "message": str(wrong)})
                continue
            kept.append(stop)
            found.append(self._shown(stop))
        self._keep(f"file {path}", kept)
        return found

    def operators(self, arguments: Arguments) -> list[Json]:
        found, kept = [], list[Stop]()
        for each in arguments.each("breakpoints"):
            found.append(self._made(kept, lambda each=each: self.stops.in_operator(each.text("name"), _wanted(each))))
        self._keep("operators", kept)
        return found

    def variables(self, arguments: Arguments) -> list[Json]:
        found, kept = [], list[Stop]()
        for each in arguments.each("breakpoints"):
            found.append(self._made(kept, lambda each=each: self.stops.on_change(each.text("dataId"), _wanted(each))))
        self._keep("variables", kept)
        return found

    def possible(self, arguments: Arguments) -> list[Json]:
        """Where breakpoints can stand."""
        view = self.view
        path = Path(arguments.inner("source").text("path", "")).resolve()
        first = arguments.number("line") - view.line
        last = arguments.number("endLine", arguments.number("line")) - view.line
        return [
            {key: value for key, value in view.place(at).items() if key != "source"}
            for at in self.stops.lines(path, first, last)
        ]

    def exceptions(self, arguments: Arguments) -> None:
        chosen = [*arguments.texts("filters"), *(each.text("filterId") for each in arguments.each("filterOptions"))]
        wrong = [name for name in chosen if name not in FILTERS]
        if wrong:
            raise BadRequest(f"{wrong[0]} is none of the filters {', '.join(FILTERS)}.")
        self.view.walk.filters = frozenset(chosen)

    def _made(self, kept: list[Stop], make: Any) -> Json:
        try:
            kept.append(make())
        except CannotStop as wrong:
            return {"verified": False, "message": str(wrong)}
        return self._shown(kept[-1])

    def _shown(self, stop: Stop) -> Json:
        return {"id": stop.number, "verified": True, **self.view.place(stop.at)}

    def _keep(self, name: str, stops: list[Stop]) -> None:
        self._lists[name] = stops
        self.view.walk.stops = [stop for each in self._lists.values() for stop in each]


def _wanted(each: Arguments) -> Wanted:
    return Wanted(each.text("condition", ""), each.text("hitCondition", ""), each.text("logMessage", ""))
