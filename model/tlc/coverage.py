"""What TLC says with `-coverage`: of each action and property how often its expressions were evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.checking.coverage import Asked, Counted, Coverage, Reason
from rmqproof.model.search.result import ActionCoverage, Result
from rmqproof.model.tla.source import Location
from rmqproof.model.tlc.messages import Code, Printer, now
from rmqproof.model.tlc.places import place

_CODES = {
    Reason.INITIAL: Code.COVERAGE_OF_INITIAL,
    Reason.ACTION: Code.COVERAGE_OF_ACTION,
    Reason.PROPERTY: Code.COVERAGE_OF_PROPERTY,
    Reason.CONSTRAINT: Code.COVERAGE_OF_CONSTRAINT,
}


def print_coverage(printer: Printer, coverage: Coverage, result: Result) -> None:
    printer.say(Code.COVERAGE, f"The coverage statistics at {now()}")
    taken = {action.action: action for action in result.coverage}
    for asked in sorted(coverage.asked, key=_order):
        if asked.reason is Reason.ACTION and asked.name not in taken:
            continue  # what leads to the actions is counted by the text's own commands
        numbers = _numbers(asked, taken, result)
        printer.say(_CODES[asked.reason], f"<{asked.name} {_head(asked)}>{numbers}")
        for part in asked.parts:
            for depth, each in _told(part, outermost=asked.reason in (Reason.ACTION, Reason.INITIAL)):
                _say(printer, each, depth)
    printer.say(Code.COVERAGE_ENDS, "End of statistics.")


def _order(asked: Asked) -> tuple[int, int, int]:
    """Actions in the order of the text, constraints last."""
    at = asked.at if asked.reason is Reason.ACTION else None
    return list(_CODES).index(asked.reason), at.line if at is not None else 0, at.column if at is not None else 0


def _head(asked: Asked) -> str:
    """Where the definition's name and parameters stand: up to `==`."""
    at = asked.at
    if at is None:
        return f"of module {asked.module}"
    line = at.source.line(at.line)
    head = line[: line.index("==")].rstrip() if "==" in line else line.rstrip()
    return place(Location(at.source, at.line, at.column, at.line, len(head) + 1), asked.module)


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
