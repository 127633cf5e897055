"""The parts of an expression of the core tree, the names that it binds for them, and the tree made anew.

Every walk over the tree goes through here. The bodies of a LET's definitions are met where they are used; a walk
that has to see them all the same asks for `with_definitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from rmqproof.model.tla import core

_Parts = Iterable[core.Expression]


def children(node: core.Expression) -> Iterable[core.Expression]:
    """The parts of `node` in the order of the text. The bodies of a LET's definitions are not among them."""
    return _PARTS[type(node)](node)


def with_definitions(node: core.Expression) -> Iterator[core.Expression]:
    """The parts of `node`, and the bodies of a LET's definitions before them."""
    if isinstance(node, core.Let):
        yield from (definition.body for definition in node.definitions)
    yield from children(node)


def reached(*nodes: core.Expression) -> Iterator[core.Expression]:
    """The nodes, all their parts, and what the definitions contain that they lead to, each definition once.

    The parts of a node come in the order of the text, and before the definition that it uses.
    """
    waiting = [*reversed(nodes)]
    entered: set[core.Definition] = set()
    while waiting:
        node = waiting.pop()
        yield node
        for definition in used_by(node):
            if definition not in entered:
                entered.add(definition)
                waiting.append(definition.body)
        waiting.extend(reversed(list(children(node))))


def used_by(node: core.Expression) -> tuple[core.Definition, ...]:
    """The definitions that the node itself names: applied, passed as an argument, or those of a LET."""
    match node:
        case core.Call(definition=used) | core.OperatorArgument(target=core.Definition() as used):
            return (used,)
        case core.Let(definitions=definitions):
            return definitions
    return ()


def definitions_in(expression: core.Expression) -> Iterator[core.Definition]:
    """The definitions that the expression names, those of its LETs included."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield from used_by(node)
        waiting.extend(children(node))


def bound_names(node: core.Expression) -> Iterator[core.Binding]:
    """The names that `node` binds for its parts. None of them occurs in the domain that it ranges over."""
    match node:
        case core.Quantified() | core.SetMap() | core.FunctionConstructor():
            for binder in node.binders:
                yield from binder.bindings
            if isinstance(node, core.FunctionConstructor) and node.recursion is not None:
                yield node.recursion
        case core.Choose() | core.SetFilter():
            yield from node.binder.bindings
        case core.Lambda():
            yield from node.parameters
        case core.TemporalQuantified():
            yield from node.bindings
        case core.Except():
            yield from (update.old for update in node.updates)


def literals(node: core.Expression, seen: set[int]) -> Iterator[int | str]:
    """The numbers and strings in `node` and in the definitions it uses; `seen` holds the ids of definitions done."""
    used: object = None
    match node:
        case core.Literal(value=value) if not isinstance(value, bool):
            yield value
        case core.FieldAccess():
            yield node.field
        case core.Record() | core.RecordSet():
            yield from (name for name, _ in node.fields)
        case core.ConstantReference() if node.constant.value is not None:
            yield from literals(node.constant.value, seen)
        case core.Call():
            used = node.definition
        case core.OperatorArgument():
            used = node.target
    if isinstance(used, core.Definition) and id(used) not in seen:
        seen.add(id(used))
        yield from literals(used.body, seen)
    for child in with_definitions(node):
        yield from literals(child, seen)


def _domains(binders: Iterable[core.Binder]) -> Iterator[core.Expression]:
    seen: set[int] = set()
    for binder in binders:
        if binder.domain is not None and id(binder.domain) not in seen:
            seen.add(id(binder.domain))
            yield binder.domain


def _updates(node: core.Except) -> Iterator[core.Expression]:
    yield node.function
    for update in node.updates:
        yield from update.path
        yield update.value


def _arms(node: core.Case) -> Iterator[core.Expression]:
    for guard, body in node.arms:
        yield guard
        yield body
    if node.other is not None:
        yield node.other


_PARTS: dict[type[Any], Callable[[Any], _Parts]] = {
    core.Literal: lambda _: (),
    core.ModelValueLiteral: lambda _: (),
    core.ConstantReference: lambda _: (),
    core.VariableReference: lambda _: (),
    core.Reference: lambda _: (),
    core.Call: lambda node: node.arguments,
    core.CallParameter: lambda node: node.arguments,
    core.Builtin: lambda node: node.arguments,
    core.OperatorArgument: lambda _: (),
    core.Lambda: lambda node: (node.body,),
    core.Quantified: lambda node: chain(_domains(node.binders), (node.body,)),
    core.TemporalQuantified: lambda node: (node.body,),
    core.Choose: lambda node: chain(_domains((node.binder,)), (node.body,)),
    core.If: lambda node: (node.condition, node.then, node.otherwise),
    core.Case: _arms,
    core.Let: lambda node: (node.body,),
    core.SetEnumeration: lambda node: node.items,
    core.SetFilter: lambda node: chain(_domains((node.binder,)), (node.body,)),
    core.SetMap: lambda node: chain((node.body,), _domains(node.binders)),
    core.FunctionConstructor: lambda node: chain(_domains(node.binders), (node.body,)),
    core.FunctionSet: lambda node: (node.domain, node.range),
    core.FunctionApplication: lambda node: (node.function, node.argument),
    core.FieldAccess: lambda node: (node.record,),
    core.Record: lambda node: [value for _, value in node.fields],
    core.RecordSet: lambda node: [value for _, value in node.fields],
    core.TupleExpression: lambda node: node.items,
    core.Cartesian: lambda node: node.factors,
    core.Except: _updates,
    core.BoxAction: lambda node: (node.action, node.subscript),
    core.AngleAction: lambda node: (node.action, node.subscript),
    core.Fairness: lambda node: (node.subscript, node.action),
    core.Label: lambda node: (node.body,),
}


def rebuild(node: core.Expression, change: Callable[[core.Expression], core.Expression]) -> core.Expression:
    """`node` made anew with `change` applied to its parts; the bodies of a LET's definitions stay."""
    return standing_for(_REBUILT[type(node)](node, change), node.stands_for, node.stands_also)


def standing_for(
    node: core.Expression, what: tuple[str, str] | None, also: tuple[tuple[str, str], ...] = ()
) -> core.Expression:
    """`node`, said to stand in the place of an instance's variable (None: nothing more is said)."""
    return node if what is None or node.stands_for == what else replace(node, stands_for=what, stands_also=also)


Change = Callable[[core.Expression], core.Expression]


def _same(node: core.Expression, _: Change) -> core.Expression:
    return node


def _binders(binders: Iterable[core.Binder], change: Change) -> tuple[core.Binder, ...]:
    done: dict[int, core.Expression] = {}
    result = []
    for binder in binders:
        domain = binder.domain
        if domain is not None:
            if id(domain) not in done:
                done[id(domain)] = change(domain)
            domain = done[id(binder.domain)]
        result.append(core.Binder(binder.bindings, binder.is_tuple, domain))
    return tuple(result)


def _binder(binder: core.Binder, change: Change) -> core.Binder:
    return _binders((binder,), change)[0]


def _fields(fields: Iterable[tuple[str, core.Expression]], change: Change) -> tuple[tuple[str, core.Expression], ...]:
    return tuple([(name, change(value)) for name, value in fields])


def _except(node: core.Except, change: Change) -> core.Expression:
    updates = [core.Update(tuple([change(a) for a in u.path]), change(u.value), u.old) for u in node.updates]
    return core.Except(node.at, change(node.function), tuple(updates))


def _case(node: core.Case, change: Change) -> core.Expression:
    arms = tuple([(change(guard), change(body)) for guard, body in node.arms])
    return core.Case(node.at, arms, None if node.other is None else change(node.other))


_REBUILT: dict[type[Any], Callable[[Any, Change], core.Expression]] = {
    core.Literal: _same,
    core.ModelValueLiteral: _same,
    core.ConstantReference: _same,
    core.VariableReference: _same,
    core.Reference: _same,
    core.OperatorArgument: _same,
    core.Call: lambda n, f: core.Call(n.at, n.definition, tuple([f(a) for a in n.arguments])),
    core.CallParameter: lambda n, f: core.CallParameter(n.at, n.binding, tuple([f(a) for a in n.arguments])),
    core.Builtin: lambda n, f: core.Builtin(n.at, n.operator, tuple([f(a) for a in n.arguments]), text=n.text),
    core.Lambda: lambda n, f: core.Lambda(n.at, n.parameters, f(n.body)),
    core.Quantified: lambda n, f: core.Quantified(n.at, n.kind, _binders(n.binders, f), f(n.body)),
    core.TemporalQuantified: lambda n, f: core.TemporalQuantified(n.at, n.kind, n.bindings, f(n.body)),
    core.Choose: lambda n, f: core.Choose(n.at, _binder(n.binder, f), f(n.body)),
    core.If: lambda n, f: core.If(n.at, f(n.condition), f(n.then), f(n.otherwise)),
    core.Case: _case,
    core.Let: lambda n, f: core.Let(n.at, n.definitions, f(n.body)),
    core.SetEnumeration: lambda n, f: core.SetEnumeration(n.at, tuple([f(a) for a in n.items])),
    core.SetFilter: lambda n, f: core.SetFilter(n.at, _binder(n.binder, f), f(n.body)),
    core.SetMap: lambda n, f: core.SetMap(n.at, f(n.body), _binders(n.binders, f)),
    core.FunctionConstructor: lambda n, f: core.FunctionConstructor(
        n.at, _binders(n.binders, f), f(n.body), n.recursion
    ),
    core.FunctionSet: lambda n, f: core.FunctionSet(n.at, f(n.domain), f(n.range)),
    core.FunctionApplication: lambda n, f: core.FunctionApplication(n.at, f(n.function), f(n.argument)),
    core.FieldAccess: lambda n, f: core.FieldAccess(n.at, f(n.record), n.field),
    core.Record: lambda n, f: core.Record(n.at, _fields(n.fields, f)),
    core.RecordSet: lambda n, f: core.RecordSet(n.at, _fields(n.fields, f)),
    core.TupleExpression: lambda n, f: core.TupleExpression(n.at, tuple([f(a) for a in n.items])),
    core.Cartesian: lambda n, f: core.Cartesian(n.at, tuple([f(a) for a in n.factors])),
    core.Except: _except,
    core.BoxAction: lambda n, f: core.BoxAction(n.at, f(n.action), f(n.subscript)),
    core.AngleAction: lambda n, f: core.AngleAction(n.at, f(n.action), f(n.subscript)),
    core.Fairness: lambda n, f: core.Fairness(n.at, n.kind, f(n.subscript), f(n.action)),
    core.Label: lambda n, f: core.Label(n.at, n.name, tuple([f(a) for a in n.bindings]), f(n.body)),
}
