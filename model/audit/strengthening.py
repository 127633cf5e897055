"""Invariants that could say more: a stronger one holds in every reachable state, too.

Only where the place is reached with its sign unchanged is the changed invariant a stronger one: under `~`, and to the
left of `=>`, the same change would make it weaker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rmqproof.model.audit.graph import Space
from rmqproof.model.audit.mutation import quoted, replaced
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError

_STRICTER = {"<=": "<", ">=": ">"}
_SEEN_THROUGH = ("/\\", "\\/")


@dataclass(frozen=True, slots=True)
class Stronger:
    """A change of an invariant. `holds`: the changed one holds in every reachable state; None: it has no value."""

    name: str
    sentence: str
    at: Location
    holds: bool | None


def stronger_invariants(
    model: core.Model, system: PythonSystem, space: Space, over: Callable[[], bool]
) -> Iterator[Stronger]:
    """Each invariant with each single change that makes it say more."""
    for invariant in model.invariants:
        if invariant.name in space.violated or invariant.level == core.CONSTANT:
            continue
        for host, node in _places(invariant, set()):
            for new, sentence in _changes(node):
                if over():
                    return
                yield Stronger(invariant.name, sentence, node.at, _holds(system, space, invariant, host, node, new))


def _holds(
    system: PythonSystem,
    space: Space,
    invariant: core.Definition,
    host: core.Definition,
    node: core.Expression,
    new: core.Expression,
) -> bool | None:
    before = host.body
    host.body = replaced(before, node, new)
    try:
        condition = system.careful_condition(invariant.body)
        return all(map(condition, space.looked_at()))
    except (TlaError, RecursionError):
        return None
    finally:
        host.body = before


def _places(host: core.Definition, seen: set[core.Definition]) -> Iterator[tuple[core.Definition, core.Expression]]:
    """The nodes whose truth makes the invariant true, each with the definition in which it stands."""
    if host in seen or host.recursive or not host.at.source.name.endswith(".tla"):
        return
    seen.add(host)
    pending = [host.body]
    while pending:
        node = pending.pop()
        yield host, node
        match node:
            case core.Builtin(operator="=>"):
                pending.append(node.arguments[1])
            case core.Builtin() if node.operator in _SEEN_THROUGH:
                pending.extend(reversed(node.arguments))
            case core.Quantified() | core.Let():
                pending.append(node.body)
            case core.If():
                pending.extend((node.otherwise, node.then))
            case core.Call() if not node.arguments:
                yield from _places(node.definition, seen)


def _changes(node: core.Expression) -> Iterator[tuple[core.Expression, str]]:
    match node:
        case core.Builtin(operator="\\/") if len(node.arguments) > 1:
            for place, argument in enumerate(node.arguments):
                rest = (*node.arguments[:place], *node.arguments[place + 1 :])
                new = rest[0] if len(rest) == 1 else core.Builtin(node.at, "\\/", rest)
                yield new, f"without the alternative {quoted(argument)}"
        case core.Builtin(operator="=>"):
            yield node.arguments[1], f"{quoted(node.arguments[1])} for {quoted(node)}"
        case core.Builtin() if node.operator.partition("!")[2] in _STRICTER:
            module, _, sign = node.operator.partition("!")
            stricter = core.Builtin(node.at, f"{module}!{_STRICTER[sign]}", node.arguments)
            yield stricter, f"{_STRICTER[sign]} for {sign} in {quoted(node)}"
        case core.Quantified(kind="\\E"):
            yield core.Quantified(node.at, "\\A", node.binders, node.body), f"\\A for \\E in {quoted(node)}"
