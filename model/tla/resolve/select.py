"""Names of parts of definitions: `Inv!2`, `Op(x)!label`, `Thm!:`, `F!1!(e)`.

The parser writes a step of such a name as a name or an instance prefix that is no identifier: a number, `:`, `<<`,
`>>`, or `()` with arguments; a label is an identifier. A part becomes an operator of its own, whose parameters are
those of the definition and the bound names that the path enters. Source: Lamport, *TLA+ version 2*, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rmqproof.model.tla import syntax
from rmqproof.model.tla.resolve.symbols import OperatorSymbol

Step = tuple[str, int]  # its name and how many arguments it has


class NoSuchPart(Exception):
    """The path leads nowhere; the text says at which step and why."""


@dataclass(slots=True)
class _Place:
    """Where a path has led: an expression, the names that were bound on the way, LETs to stand in again."""

    node: syntax.Expression
    bound: list[syntax.Identifier]
    lets: list[syntax.Let]


def select(symbol: OperatorSymbol, path: Sequence[Step]) -> OperatorSymbol:
    """The operator that a path into the definition of `symbol` names. Raise `NoSuchPart`."""
    unit = symbol.unit
    if isinstance(unit.body, syntax.AssumeProve):
        raise NoSuchPart(f"{symbol.name} is an ASSUME ... PROVE")
    place = _Place(unit.body, [], [])
    for name, arguments in path:
        _take(place, name, arguments)
    body = place.node
    for let in reversed(place.lets):
        body = syntax.Let(body.at, let.units, body)
    own = unit.parameters if isinstance(unit, syntax.OperatorDefinition) else ()
    added = tuple(syntax.Parameter(identifier.at, identifier.name) for identifier in place.bound)
    name = "!".join([symbol.name, *(step for step, _ in path)])
    part = syntax.OperatorDefinition(body.at, name, (*own, *added), body)
    arities = (*symbol.arities, *(0 for _ in added))
    return OperatorSymbol(name, body.at, arities, part, symbol.home, symbol.position, is_part=True)


def _take(place: _Place, name: str, arguments: int) -> None:
    if name == ":":
        return
    node = place.node
    if name == "()" or name == "@":
        _enter(place, name, arguments)
    elif name in ("<<", ">>") or name.isdecimal():
        parts = _parts(place)
        number = {"<<": 1, ">>": len(parts)}.get(name) or int(name)
        if not 1 <= number <= len(parts):
            raise NoSuchPart(f"this has {len(parts)} parts, so there is no !{name}")
        place.node = parts[number - 1]
    else:
        label = _label(node, name)
        if label is None:
            raise NoSuchPart(f"there is no label {name}")
        if len(label.parameters) != arguments:
            raise NoSuchPart(f"label {name} has {len(label.parameters)} parameters")
        place.bound += label.parameters
        place.node = label.body


def _enter(place: _Place, name: str, arguments: int) -> None:
    """Enter the body of what binds names; `!(e)` gives them values."""
    node = place.node
    if isinstance(node, syntax.Label):
        node = node.body
    names: list[syntax.Identifier] = []
    if isinstance(node, syntax.Quantified | syntax.SetMap | syntax.FunctionConstructor):
        patterns = [pattern for bound in node.bounds for pattern in bound.patterns]
    elif isinstance(node, syntax.Choose | syntax.SetFilter):
        patterns = [node.pattern]
    else:
        raise NoSuchPart(f"nothing is bound where !{name} stands")
    for pattern in patterns:
        names += pattern.names if isinstance(pattern, syntax.TuplePattern) else (pattern,)
    if name == "@" or len(names) != arguments:
        raise NoSuchPart(f"{len(names)} names are bound here: write !({', '.join('...' for _ in names)})")
    place.bound += names
    place.node = node.body


def _parts(place: _Place) -> tuple[syntax.Expression, ...]:
    node = place.node
    while isinstance(node, syntax.Label):
        node = node.body
    if isinstance(node, syntax.Junction):
        return node.items
    if isinstance(node, syntax.Apply) and node.arguments:
        return node.arguments
    if isinstance(node, syntax.If):
        return node.condition, node.then, node.otherwise
    if isinstance(node, syntax.Let):
        place.lets.append(node)
        return (node.body,)
    if isinstance(node, syntax.Quantified | syntax.SetMap | syntax.FunctionConstructor):
        return tuple(bound.domain for bound in node.bounds if bound.domain is not None)
    if isinstance(node, syntax.Choose | syntax.SetFilter):
        return (node.domain,) if node.domain is not None else ()
    if isinstance(node, syntax.SetEnumeration | syntax.TupleExpression):
        return node.items
    if isinstance(node, syntax.Cartesian):
        return node.factors
    if isinstance(node, syntax.FunctionSet):
        return node.domain, node.range
    if isinstance(node, syntax.BoxAction | syntax.AngleAction):
        return node.action, node.subscript
    if isinstance(node, syntax.Fairness):
        return node.subscript, node.action
    if isinstance(node, syntax.FunctionApplication) and len(node.arguments) == 1:
        return node.function, node.arguments[0]
    raise NoSuchPart("the parts of this have no numbers")


def _label(node: syntax.Expression, name: str) -> syntax.Label | None:
    """The label below `node` that is not below another label."""
    waiting: list[object] = [node.body if isinstance(node, syntax.Label) and node.name != name else node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, syntax.Label):
            if item.name == name:
                return item
        elif isinstance(item, tuple):
            waiting.extend(item)
        elif isinstance(item, syntax.Node):
            waiting.extend(getattr(item, slot) for slot in item.__dataclass_fields__ if slot != "at")
    return None
