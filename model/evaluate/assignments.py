"""Actions that give variables their next values: `x' = e`, `x' \\in S`, `x' \\subseteq S`, UNCHANGED."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rmqproof.model.evaluate.binders import Loop, elements
from rmqproof.model.evaluate.expressions import unchanged
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import (
    ByName,
    Env,
    LocalFrame,
    Names,
)
from rmqproof.model.evaluate.shape import NEVER, join, plain_shape, set_of
from rmqproof.model.evaluate.steps import Place, Then
from rmqproof.model.tla.core import (
    Builtin,
    Call,
    Expression,
    Let,
    Reference,
    TupleExpression,
    VariableReference,
)

if TYPE_CHECKING:
    from rmqproof.model.evaluate.actions import ActionWriter


def variable_of(writer: ActionWriter, node: Expression, env: Env, primed: bool) -> int | None:
    """The variable that a node is, through definitions without parameters and arguments."""
    match node:
        case VariableReference():
            return None if primed else node.variable.index
        case Builtin(operator="'"):
            return variable_of(writer, node.arguments[0], env, False) if primed else None
        case Reference():
            entry = env.bindings.get(node.binding)
            return variable_of(writer, entry.node, entry.env, primed) if isinstance(entry, ByName) else None
        case Call() if not node.arguments and not node.definition.recursive:
            return variable_of(writer, node.definition.body, env, primed)
        case Let():
            return variable_of(writer, node.body, env, primed)
    return None


def assignment(writer: ActionWriter, node: Builtin, env: Env, place: Place, then: Then) -> None:
    index = variable_of(writer, node.arguments[0], env, primed=not writer.initial)
    if index is None:
        writer.test(node, env, place, then)
        return
    here = writer.env(env, place)
    if place.frame.assigned(index):
        writer.test(node, env, place, then)
        return
    right = node.arguments[1]
    if node.operator == "=":
        code = writer.g.plain(right, here)
        bind(writer, index, code, place, then)
        return
    if node.operator == "\\subseteq":
        code = writer.g.value(right, here)
        iterated, element = f"Powerset({code.text})", set_of(plain_shape(code.shape.element))
    else:
        iterated, element = elements(writer.g, right, here, Loop.IN_ORDER)
    name = env.names.fresh(writer.g.variables[index])
    with writer.out.block(f"for {name} in {writer.g.places.mark(node.at, iterated)}"):
        bind(writer, index, Code(name, element, True), place, then)


def bind(writer: ActionWriter, index: int, code: Code, place: Place, then: Then) -> None:
    writer.assigned[index] = join(writer.assigned.get(index, NEVER), code.shape)
    if not code.atom:
        name = Names(writer.fresh()).fresh(writer.g.variables[index])
        writer.out.add(f"{name} = {code.text}")
        code = Code(name, code.shape, True)
    then.write(place.bind(index, code))


def keep(writer: ActionWriter, node: Expression, env: Env, place: Place, then: Then) -> None:
    index = variable_of(writer, node, env, primed=False)
    if index is not None:
        if not place.frame.assigned(index):
            text = env.current.read(index) if env.current is not None else None
            if text is None:
                writer.out.add(writer.g.places.mark(node.at, f"no_value({writer.g.variables[index]!a})"))
                return
            shape = env.current.shapes.get(index) if isinstance(env.current, LocalFrame) else None
            then.write(place.bind(index, Code(text, shape or writer.g.shapes[index], True)))
        elif env.current is not None and not env.current.assigned(index):
            # the state between of A \\cdot B, of which A says nothing here: that it has this value is one that there is
            then.write(place)
        else:
            here = writer.env(env, place)
            with writer.out.block(f"if {unchanged(writer.g, node, here)}"):
                then.write(place)
        return
    match node:
        case TupleExpression():
            unchanged_all(writer, node.items, env, place, then)
        case Call() if not node.arguments:
            keep(writer, node.definition.body, env, place, then)
        case Reference() if isinstance(env.bindings.get(node.binding), ByName):
            entry = env.bindings[node.binding]
            assert isinstance(entry, ByName)
            keep(writer, entry.node, env.at(entry.env), place, then)
        case _:
            here = writer.env(env, place)
            with writer.out.block(f"if {writer.g.places.mark(node.at, unchanged(writer.g, node, here))}"):
                then.write(place)


def unchanged_all(writer: ActionWriter, items: Sequence[Expression], env: Env, place: Place, then: Then) -> None:
    if not items:
        then.write(place)
        return
    rest = Then(lambda at: unchanged_all(writer, items[1:], env, at, then), then.size + len(items))
    keep(writer, items[0], env, place, rest)
