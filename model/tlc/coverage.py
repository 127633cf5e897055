"""What TLC says with `-coverage`: of each action and property how often its expressions were evaluated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.checking.coverage import Asked, Counted, Coverage, Reason
from rmqproof.model.search.result import ActionCoverage, Result
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.walk import definitions_in
from rmqproof.model.tlc.messages import Code, Printer, now
from rmqproof.model.tlc.places import place, span
from rmqproof.model.tlc.steps import Part

_CODES = {
    Reason.INITIAL: Code.COVERAGE_OF_INITIAL,
    Reason.ACTION: Code.COVERAGE_OF_ACTION,
    Reason.PROPERTY: Code.COVERAGE_OF_PROPERTY,
    Reason.CONSTRAINT: Code.COVERAGE_OF_CONSTRAINT,
}


@dataclass(frozen=True, slots=True)
class _Head:
    """What an action is called. `at`: where the definition is that it is by; `inside` where it stands in that."""

    name: str
    at: Location | None
    module: str
    inside: str = ""

    @property
    def text(self) -> str:
        return f"{self.name} {_head(self.at, self.module)}{self.inside}"


def print_coverage(
    printer: Printer, coverage: Coverage, result: Result, parts: Sequence[Part], model: core.Model
) -> None:
    """`parts`: the actions into which TLC splits the next-state relation. Of properties it counts the invariants."""
    printer.say(Code.COVERAGE, f"The coverage statistics at {now()}")
    taken = {action.action: action for action in result.coverage}
    known = _heads(parts, taken.keys())
    properties = {prop.name for prop in model.properties}
    found = [(asked, _head_of(asked, known)) for asked in coverage.asked]
    for asked, head in sorted(found, key=lambda each: _order(*each)):
        if asked.reason is Reason.ACTION and asked.name not in taken:
            continue  # what leads to the actions is counted by the text's own commands
        if asked.reason is Reason.PROPERTY and asked.name in properties:
            continue
        numbers = _numbers(asked, taken, result)
        printer.say(_CODES[asked.reason], f"<{head.text}>{numbers}")
        for part in asked.parts:
            for depth, each in _told(part, outermost=asked.reason in (Reason.ACTION, Reason.INITIAL)):
                _say(printer, each, depth)
    printer.say(Code.COVERAGE_ENDS, "End of statistics.")


def _heads(parts: Sequence[Part], actions: Collection[str]) -> dict[str, _Head]:
    """Of each action that is one part alone, and the only one in it, what TLC calls that part."""
    found: dict[str, list[_Head]] = {}
    for part in parts:
        names = {called.name for called in definitions_in(part.node)} & set(actions) or {part.name}
        if part.definition is None or len(names) > 1:
            found.update((name, []) for name in names)
            continue
        body, made = part.definition.body.at, part.at.source.made_lines
        line, column, end_line, end_column = span(part.at)
        inside = "" if body == part.at or part.at.line in made else f" ({line} {column} {end_line} {end_column})"
        head = _Head(part.name, part.definition.at, part.definition.module, inside)
        found.setdefault(names.pop(), []).append(head)
    return {name: heads[0] for name, heads in found.items() if len(heads) == 1}


def _head_of(asked: Asked, known: Mapping[str, _Head]) -> _Head:
    own = _Head(asked.name, asked.at, asked.module)
    return known.get(asked.name, own) if asked.reason is Reason.ACTION else own


def _order(asked: Asked, head: _Head) -> tuple[int, int, int]:
    """Actions in the order of the text, constraints last."""
    at = head.at if asked.reason is Reason.ACTION else None
    return list(_CODES).index(asked.reason), at.line if at is not None else 0, at.column if at is not None else 0


def _head(at: Location | None, module: str) -> str:
    """Where the definition's name and parameters stand: up to `==`."""
    if at is None:
        return f"of module {module}"
    line = at.source.line(at.line)
    head = line[: line.index("==")].rstrip() if "==" in line else line.rstrip()
    return place(Location(at.source, at.line, at.column, at.line, len(head) + 1), module)


def _numbers(asked: Asked, taken: dict[str, ActionCoverage], result: Result) -> str:
    """States that were new, and all that were found."""
    if asked.reason is Reason.PROPERTY:
        return ""
    if asked.reason is Reason.ACTION:
        action = taken[asked.name]
        return f": {action.distinct}:{action.total}"
    if asked.reason is Reason.INITIAL:
        return f": {min(result.initial, result.distinct)}:{result.initial}"
    return f": {result.distinct}:{max((part.count for part in asked.parts), default=0)}"


def _told(part: Counted, outermost: bool, depth: int = 0) -> Iterator[tuple[int, Counted]]:
    """The lines of an expression: what joins the parts of an action is left out, and parts that say nothing more."""
    if outermost and part.joins and part.parts:
        for inner in part.parts:
            yield from _told(inner, True, depth)
        return
    yield depth, part
    if any(inner.count != part.count for inner in part.all()):
        for inner in part.parts:
            yield from _told(inner, False, depth + 1)


def _say(printer: Printer, part: Counted, depth: int) -> None:
    text = f"  {'|' * depth}{place(part.at, part.module)}: {part.count}"
    if part.cost > part.count:
        printer.say(Code.COVERAGE_COST, f"{text}:{part.cost}")
    else:
        printer.say(Code.COVERAGE_COUNT, text)
