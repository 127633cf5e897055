"""Names of parts of definitions: `Inv!2`, `Op(x)!label`, `Thm!:`, `F!1!(e)`, `Op(x)!1!Local(y)`.

The parser writes a step of such a name as a name or an instance prefix that is no identifier: a number, `:`, `<<`,
`>>`, `@`, or `()` with arguments; labels and the operators of a LET are names. A part becomes an operator of its own,
whose parameters are those of the definition and the names that the path enters. Source: Lamport, *TLA+ version 2*,
section 6; where that leaves a choice, what SANY does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from rmqproof.model.records import dataclass
from rmqproof.model.tla import syntax
from rmqproof.model.tla.resolve.environment import Definable

Step = tuple[str, int]  # its name and how many arguments it has

_NAMELESS = ("()", "@", ":", "<<", ">>")
_BINDING = syntax.Quantified | syntax.SetMap | syntax.FunctionConstructor
_CHOOSING = syntax.Choose | syntax.SetFilter


@dataclass(frozen=True, slots=True)
class _Other:
    """The last arm of a CASE, which has no condition to select."""

    body: syntax.Expression


Part = syntax.Expression | syntax.CaseArm | _Other | syntax.AssumeProve


class NoSuchPart(Exception):
    """The path leads nowhere; the text says at which step and why."""


@dataclass(slots=True)
class _Place:
    """Where a path has led: an expression, the names that were bound on the way, LETs to stand in again.

    `applied`: the steps have their arguments; otherwise the part is passed as an operator. `named`: the last step was
    the name of a definition or of a label, so that a name that follows is that of a label. `colon`: the last was `:`.
    """

    node: Part
    applied: bool
    bound: list[syntax.Parameter] = field(default_factory=list)
    lets: list[syntax.Let] = field(default_factory=list)
    named: bool = True
    colon: bool = False


def select(unit: Definable, path: Sequence[Step], applied: bool = True) -> syntax.OperatorDefinition:
    """The operator that a path into a definition names. Not `applied`: an operator is meant, and the steps have no
    arguments. Raise `NoSuchPart`."""
    if not applied and any(arguments for _, arguments in path):
        raise NoSuchPart("an operator is wanted here, so that no step can have arguments: write !@ for !(...)")
    place = _Place(_body(unit), applied)
    for number, (name, arguments) in enumerate(path):
        _take(place, name, arguments, number == len(path) - 1)
    body = place.node
    if isinstance(body, syntax.CaseArm | _Other):
        raise NoSuchPart("the parts of a CASE have names of two steps: !2!1 is its second condition, !2!2 that value")
    if isinstance(body, syntax.AssumeProve):
        raise NoSuchPart("an ASSUME ... PROVE is no expression")
    for let in reversed(place.lets):
        body = syntax.Let(body.at, let.units, body)
    name = "!".join([unit.name, *(step for step, _ in path)])
    return syntax.OperatorDefinition(body.at, name, (*_parameters(unit), *place.bound), body)


def _body(unit: Definable) -> syntax.Expression | syntax.AssumeProve:
    if isinstance(unit, syntax.FunctionDefinition):
        return syntax.FunctionConstructor(unit.at, unit.bounds, unit.body)
    return unit.body


def _parameters(unit: object) -> tuple[syntax.Parameter, ...]:
    return unit.parameters if isinstance(unit, syntax.OperatorDefinition) else ()


def _take(place: _Place, name: str, arguments: int, last: bool) -> None:
    named, colon = place.named, place.colon
    place.named = place.colon = False
    if colon and (name in _NAMELESS or name.isdecimal()):
        raise NoSuchPart("!: stands at the end, or before the name of an operator of a LET")
    if name == ":":
        if not named:
            raise NoSuchPart("!: follows only a name")
        place.named = last
        place.colon = True
    elif name == "()" or name == "@":
        _enter(place, name, arguments)
    elif name in ("<<", ">>") or name.isdecimal():
        _choose(place, name)
    elif named:
        _to_label(place, name, arguments)
        place.named = True
    else:
        _to_local(place, name, arguments)
        place.named = True


# --- labels and the operators of a LET -----------------------------------------------------------------------------


def _to_label(place: _Place, name: str, arguments: int) -> None:
    label, lets = _label(place.node, name)
    if label is None:
        remedy = ""
        let = _unlabelled(place.node)
        if isinstance(let, syntax.Let) and _defined(let, name) is not None:
            remedy = f"; the operator of the LET is !:!{name}"
        raise NoSuchPart(f"there is no label {name}{remedy}")
    if place.applied and len(label.parameters) != arguments:
        raise NoSuchPart(f"label {name} has {len(label.parameters)} parameters")
    place.bound += _as_parameters(label.parameters)
    place.lets += lets
    place.node = label.body


def _to_local(place: _Place, name: str, arguments: int) -> None:
    """Enter an operator that the LET here defines."""
    let = _unlabelled(place.node)
    if not isinstance(let, syntax.Let):
        raise NoSuchPart(f"!{name} stands where only an operator of a LET has a name, and this is no LET")
    unit = _defined(let, name)
    if unit is None:
        raise NoSuchPart(f"this LET defines no {name} whose parts have names")
    parameters = _parameters(unit)
    if place.applied and len(parameters) != arguments:
        raise NoSuchPart(f"{name} has {len(parameters)} parameters")
    place.lets.append(let)
    place.bound += parameters
    place.node = _body(unit)


def _defined(let: syntax.Let, name: str) -> syntax.OperatorDefinition | syntax.FunctionDefinition | None:
    for unit in let.units:
        if isinstance(unit, syntax.OperatorDefinition | syntax.FunctionDefinition) and unit.name == name:
            return unit
    return None


def _label(node: object, name: str) -> tuple[syntax.Label | None, tuple[syntax.Let, ...]]:
    """The label below `node` that is neither below another label nor in a definition of a LET; the LETs around it."""
    waiting: list[tuple[object, tuple[syntax.Let, ...]]] = [(node, ())]
    while waiting:
        item, lets = waiting.pop()
        below: Iterable[object] = ()
        if isinstance(item, syntax.Label):
            if item.name == name:
                return item, lets
        elif isinstance(item, syntax.Let):
            below, lets = (item.body,), (*lets, item)
        elif isinstance(item, syntax.AssumeProve):
            below = _clauses(item)
        elif isinstance(item, tuple):
            below = item
        elif isinstance(item, syntax.Node):
            below = [getattr(item, slot) for slot in item.__dataclass_fields__ if slot != "at"]
        waiting += ((part, lets) for part in below)
    return None, ()


# --- parts by number, and what binds names -------------------------------------------------------------------------


def _choose(place: _Place, name: str) -> None:
    """`!3`, `!<<` the first, `!>>` the second of two."""
    parts = _parts(place)
    if name == ">>" and len(parts) != 2:
        raise NoSuchPart(f"!>> is the second of two parts, and this has {len(parts)}")
    number = {"<<": 1, ">>": 2}.get(name) or int(name)
    if not 1 <= number <= len(parts):
        raise NoSuchPart(f"this has {len(parts) or 'no'} part{'' if len(parts) == 1 else 's'}, so there is no !{name}")
    part = parts[number - 1]
    if part is None:
        raise NoSuchPart("OTHER is no expression: the value beside it is the second part, !2")
    place.node = part


def _enter(place: _Place, name: str, arguments: int) -> None:
    """Enter the body of what binds names; `!(e)` gives them values."""
    node = _unlabelled(place.node)
    names: Iterable[syntax.Identifier]
    if isinstance(node, _BINDING):
        names = _names(pattern for bound in node.bounds for pattern in bound.patterns)
    elif isinstance(node, _CHOOSING):
        names = _names([node.pattern])
    elif isinstance(node, syntax.TemporalQuantified):
        names = node.names
    elif isinstance(node, syntax.Lambda):
        names = node.parameters
    else:
        raise NoSuchPart(f"nothing is bound where !{name} stands")
    bound = _as_parameters(names)
    if place.applied and (name == "@" or len(bound) != arguments):
        raise NoSuchPart(f"{len(bound)} names are bound here: write !({', '.join('...' for _ in bound)})")
    place.bound += bound
    place.node = node.body


def _parts(place: _Place) -> Sequence[Part | None]:
    node = _unlabelled(place.node)
    if isinstance(node, syntax.Junction):
        return node.items
    if isinstance(node, syntax.Apply):
        return (*(argument for outer in node.prefix for argument in outer.arguments), *node.arguments)
    if isinstance(node, syntax.If):
        return node.condition, node.then, node.otherwise
    if isinstance(node, syntax.Case):
        return node.arms if node.other is None else (*node.arms, _Other(node.other))
    if isinstance(node, syntax.CaseArm):
        return node.guard, node.body
    if isinstance(node, _Other):
        return None, node.body
    if isinstance(node, syntax.Let):
        place.lets.append(node)
        return (node.body,)
    if isinstance(node, _BINDING):
        return tuple(bound.domain for bound in node.bounds if bound.domain is not None)
    if isinstance(node, _CHOOSING):
        return (node.domain,) if node.domain is not None else ()
    if isinstance(node, syntax.AssumeProve):
        return _clauses(node)
    return _parts_of_data(node)


def _parts_of_data(node: object) -> Sequence[syntax.Expression]:
    if isinstance(node, syntax.SetEnumeration | syntax.TupleExpression):
        return node.items
    if isinstance(node, syntax.Record | syntax.RecordSet):
        return tuple(field.value for field in node.fields)
    if isinstance(node, syntax.FieldAccess):
        return node.record, syntax.Text(node.at, node.field)
    if isinstance(node, syntax.Cartesian):
        return node.factors
    if isinstance(node, syntax.FunctionSet):
        return node.domain, node.range
    if isinstance(node, syntax.Except):
        return (node.function,)  # not the updates: @ has no meaning outside of them
    if isinstance(node, syntax.BoxAction | syntax.AngleAction):
        return node.action, node.subscript
    if isinstance(node, syntax.Fairness):
        return node.subscript, node.action
    if isinstance(node, syntax.FunctionApplication):
        arguments = node.arguments
        if len(arguments) == 1:
            return node.function, arguments[0]
        return node.function, syntax.TupleExpression(arguments[0].at.to(arguments[-1].at), arguments)
    return ()


def _clauses(node: syntax.AssumeProve) -> Sequence[syntax.Expression | syntax.AssumeProve]:
    """What is said of new symbols has no meaning outside; what stands before the first has one."""
    clauses: list[syntax.Expression | syntax.AssumeProve] = []
    for item in node.assumptions:
        if isinstance(item, syntax.NewSymbol):
            return clauses
        clauses.append(item)
    return [*clauses, node.goal]


def _unlabelled(node: object) -> object:
    while isinstance(node, syntax.Label):
        node = node.body
    return node


def _names(patterns: Iterable[syntax.Pattern]) -> Iterator[syntax.Identifier]:
    for pattern in patterns:
        yield from pattern.names if isinstance(pattern, syntax.TuplePattern) else (pattern,)


def _as_parameters(names: Iterable[syntax.Identifier]) -> list[syntax.Parameter]:
    return [syntax.Parameter(name.at, name.name) for name in names]
