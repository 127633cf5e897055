"""Where a step can be stopped: the formulas that Init or Next is made of, and the steps that pass one of them.

A step passes a formula if it is made by a way through Init or Next on which that formula stands: as a conjunct, as the
disjunct that is taken, in the operator that is called. So the steps that pass it are those of the relation without the
ways beside it: one formula, compiled once, which is true or false of a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.substitute import substitute

Names = tuple[core.Binding, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A formula on a way through Init or Next. `names`: what is bound around it; `around`: the operators it is in."""

    node: core.Expression
    names: Names
    around: tuple[str, ...]
    head: Location | None = None
    """Where the operator's name stands of which it is the body."""
    leaf: bool = False

    @property
    def at(self) -> Location:
        return self.node.at

    @property
    def lines(self) -> tuple[int, int]:
        line, _, end, _ = self.at.in_file
        return line, end


def places_of(root: core.Expression, of: core.Definition | None = None) -> Iterator[Place]:
    """The places of a formula, each operator's once; what contains another place comes before it.

    `of`: it is a state formula of this definition, and its places are its conjuncts, those of what it calls.
    """
    waiting: list[tuple[core.Expression, Names, tuple[str, ...], Location | None]] = [
        (root, (), (of.name,) if of is not None else (), of.at if of is not None else None)
    ]
    entered: set[core.Definition] = set()
    while waiting:
        node, names, around, head = waiting.pop()
        inner = list(_inner(node)) if of is None or _is_conjunction(node) else []
        yield Place(node, names, around, head, leaf=not inner)
        for part, bound, called in reversed(inner):
            if called is None:
                waiting.append((part, (*names, *bound), around, None))
            elif called not in entered:
                entered.add(called)
                outer = names if called.local else ()
                waiting.append((part, (*outer, *bound), (*around, called.name), called.at))


def _is_conjunction(node: core.Expression) -> bool:
    match node:
        case core.Builtin(operator="/\\") | core.Label() | core.Call(arguments=()):
            return True
    return False


def _inner(node: core.Expression) -> Iterator[tuple[core.Expression, Names, core.Definition | None]]:
    """The formulas on the ways through one, with what is bound for them and the operator whose body they are."""
    match node:
        case core.Builtin(operator="/\\" | "\\/"):
            yield from ((part, (), None) for part in node.arguments)
        case core.Quantified(kind="\\E"):
            yield node.body, tuple(binding for binder in node.binders for binding in binder.bindings), None
        case core.If():
            yield from ((part, (), None) for part in (node.then, node.otherwise))
        case core.Case():
            yield from ((body, (), None) for _, body in node.arms)
            if node.other is not None:
                yield node.other, (), None
        case core.Let() | core.Label():
            yield node.body, (), None
        case core.Call(definition=called) if not called.recursive:
            yield called.body, tuple(name for name in called.parameters if not name.arity), called


class Passing:
    """The steps of a relation that pass one of some places. `condition`: what has to be true there besides."""

    def __init__(self, targets: set[Place], condition: Callable[[Names], core.Expression] | None = None) -> None:
        self._targets = {_key(place.at) for place in targets}
        self._condition = condition
        self._known: dict[core.Definition, core.Definition | None] = {}

    def formula(self, root: core.Expression) -> core.Expression | None:
        """The relation without the ways beside the places; None: no way passes them."""
        return self._through(root, ())

    def _through(self, node: core.Expression, names: Names) -> core.Expression | None:
        if _key(node.at) in self._targets:
            return node if self._condition is None else _all(node.at, [node, self._condition(names)])
        match node:
            case core.Builtin(operator="/\\"):
                parts = list(node.arguments)
                ways = [(number, self._through(part, names)) for number, part in enumerate(parts)]
                found = [
                    replace(node, arguments=(*parts[:number], way, *parts[number + 1 :]))
                    for number, way in ways
                    if way is not None
                ]
                return _any(node.at, found)
            case core.Builtin(operator="\\/"):
                return _any(node.at, [self._through(part, names) for part in node.arguments])
            case core.Quantified(kind="\\E"):
                bound = tuple(binding for binder in node.binders for binding in binder.bindings)
                body = self._through(node.body, (*names, *bound))
                return None if body is None else replace(node, body=body)
            case core.Let() | core.Label():
                body = self._through(node.body, names)
                return None if body is None else replace(node, body=body)
            case core.If():
                arms = [(node.condition, node.then), (_not(node.condition), node.otherwise)]
                return _any(node.at, [self._arm([guard], body, names) for guard, body in arms])
            case core.Case():
                return self._case(node, names)
            case core.Call() if not node.definition.recursive:
                return self._call(node, names)
        return None

    def _arm(self, guards: list[core.Expression], body: core.Expression, names: Names) -> core.Expression | None:
        way = self._through(body, names)
        return None if way is None else _all(body.at, [*guards, way])

    def _case(self, node: core.Case, names: Names) -> core.Expression | None:
        """The arm of the first guard that is true is taken, as in TLC."""
        found: list[core.Expression | None] = []
        before: list[core.Expression] = []
        for guard, body in node.arms:
            found.append(self._arm([*before, guard], body, names))
            before.append(_not(guard))
        if node.other is not None:
            found.append(self._arm(before, node.other, names))
        return _any(node.at, found)

    def _call(self, node: core.Call, names: Names) -> core.Expression | None:
        called = node.definition
        if called.local:  # its text sees what is bound around it, and what stands in LET is called by what LET defines
            given = dict(zip(called.parameters, node.arguments, strict=True))
            return self._through(substitute(called.body, given), names)
        if called not in self._known:
            self._known[called] = None
            body = self._through(called.body, tuple(name for name in called.parameters if not name.arity))
            self._known[called] = None if body is None else replace(called, body=body)
        way = self._known[called]
        return None if way is None else replace(node, definition=way)


def is_in(at: Location, file: Path) -> bool:
    return Path(at.source.name).resolve() == file


def _key(at: Location) -> tuple[str, int, int, int, int]:
    return at.source.name, at.line, at.column, at.end_line, at.end_column


def _all(at: Location, parts: list[core.Expression]) -> core.Expression:
    return core.Builtin(at, "/\\", tuple(parts))


def _not(node: core.Expression) -> core.Expression:
    return core.Builtin(node.at, "~", (node,))


def _any(at: Location, ways: Sequence[core.Expression | None]) -> core.Expression | None:
    found = [way for way in ways if way is not None]
    if len(found) < 2:
        return found[0] if found else None
    return core.Builtin(at, "\\/", tuple(found))


def on_line(places: list[Place], line: int, column: int | None = None) -> set[Place]:
    """The places that a breakpoint on a line is for: what stands on it, else the next one below in that file."""
    if column is not None:
        inside = [each for each in places if _contains(each.at, line, column)]
        if inside:
            return {min(inside, key=_extent)}
    heads = {each for each in places if each.head is not None and each.head.in_file[0] == line < each.lines[0]}
    if heads:
        return heads
    starting = [each for each in places if each.lines[0] == line]
    whole = [each for each in starting if each.lines[1] == line]
    if whole:
        return {each for each in whole if not any(_within(each, other) for other in whole)}
    if starting:
        return {min(starting, key=_extent)}
    leaves = [each for each in places if each.leaf and each.lines[0] < line <= each.lines[1]]
    if leaves:
        return {min(leaves, key=_extent)}
    below = [each.lines[0] for each in places if each.lines[0] > line]
    return on_line(places, min(below)) if below else set()


def _contains(at: Location, line: int, column: int) -> bool:
    first, start, last, end = at.in_file
    return (first, start) <= (line, column) < (last, max(end, start + 1))


def _extent(place: Place) -> tuple[int, int]:
    at = place.at
    return at.end_line - at.line, at.end_column - at.column


def _within(inner: Place, outer: Place) -> bool:
    return _key(inner.at) != _key(outer.at) and (
        (outer.at.line, outer.at.column) <= (inner.at.line, inner.at.column)
        and (inner.at.end_line, inner.at.end_column) <= (outer.at.end_line, outer.at.end_column)
        and inner.at.source.name == outer.at.source.name
    )
