"""Guards that TLC follows although they give no variable a value: \\A, recursive operators and functions.

Each way through such a guard counts as a step of its own; the ways are found at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rmqproof.model.evaluate.binders import Loop, elements
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import (
    ByName,
    Entry,
    Env,
)
from rmqproof.model.evaluate.shape import LAZY, thunk_of
from rmqproof.model.evaluate.steps import Place, Then
from rmqproof.model.tla.core import (
    Binding,
    Builtin,
    Call,
    Case,
    Definition,
    Expression,
    FunctionApplication,
    FunctionConstructor,
    If,
    Label,
    Let,
    Quantified,
    Reference,
)

if TYPE_CHECKING:
    from rmqproof.model.evaluate.actions import ActionWriter

_UNROLLED = 64


def forall(writer: ActionWriter, node: Quantified, env: Env, place: Place, then: Then) -> None:
    if writer.complete(place) or not branching(writer, node.body, env):
        writer.test(node, env, place, then)
        return
    simple = len(node.binders) == 1 and not node.binders[0].is_tuple and len(node.binders[0].bindings) == 1
    if not simple or node.binders[0].domain is None:
        writer.test(node, env, place, then)
        return
    here = writer.env(env, place)
    binding = node.binders[0].bindings[0]
    code = writer.g.value(node.binders[0].domain, here)
    known = writer.g.known(code)
    if type(known) is frozenset and len(known) <= _UNROLLED:
        items = writer.g.order[known]

        def unroll(number: int) -> Then:
            if number == len(items):
                return then
            inner = env.bind({binding: writer.g.value_code(items[number])})
            size = (len(items) - number) * writer.g.analysis.of(node.body).size + then.size
            if number == 0:
                return Then(lambda at: writer.act(node.body, inner, at, unroll(1)), size)
            return Then(
                lambda at: (
                    writer.test(node.body, inner, at, unroll(number + 1))
                    if writer.complete(at)
                    else writer.act(node.body, inner, at, unroll(number + 1))
                ),
                size,
            )

        unroll(0).write(place)
        return
    iterated, element = elements(writer.g, node.binders[0].domain, here, Loop.IN_ORDER)
    all_items = f"items_{writer.fresh()}"
    writer.out.add(f"{all_items} = tuple({iterated})")

    def each(at: Place, start: str) -> None:
        """Write a function that goes through the elements from a number on, and call it.

        An element that gives variables their values is followed by a function of its own for the elements after it.
        """
        name, count, item = f"each_{writer.fresh()}", f"number_{writer.fresh()}", f"item_{writer.fresh()}"

        def following(reached: Place) -> None:
            if reached.frame.texts.keys() == at.frame.texts.keys():
                writer.out.add(f"{name}({count} + 1)")
            else:
                each(reached, f"{count} + 1")

        with writer.out.block(f"def {name}({count})"):
            with writer.out.block(f"if {count} == len({all_items})"):
                then.write(at)
                writer.out.add("return")
            writer.out.add(f"{item} = {all_items}[{count}]")
            inner = env.bind({binding: Code(item, element, True)})
            if writer.complete(at):
                writer.test(node.body, inner, at, Then(following))
            else:
                writer.act(node.body, inner, at, Then(following))
        writer.out.add(f"{name}({start})")

    each(place, "0")


def branching(writer: ActionWriter, node: Expression, env: Env, depth: int = 0) -> bool:
    """Whether following the formula can find several ways through it, or give a variable a value."""
    if reaches_assignment(writer, node, env):
        return True
    match node:
        case Builtin(operator="\\/"):
            return True
        case Quantified(kind="\\E"):
            return True
        case Quantified(kind="\\A") | Let() | Label():
            return branching(writer, node.body, env, depth)
        case Builtin(operator="/\\"):
            return any(branching(writer, argument, env, depth) for argument in node.arguments)
        case Builtin(operator="=>"):
            return branching(writer, node.arguments[1], env, depth)
        case If():
            return branching(writer, node.then, env, depth) or branching(writer, node.otherwise, env, depth)
        case Case():
            bodies = [body for _, body in node.arms] + ([node.other] if node.other is not None else [])
            return any(branching(writer, body, env, depth) for body in bodies)
        case Call():
            return (
                depth < 8 and not node.definition.recursive and branching(writer, node.definition.body, env, depth + 1)
            )
        case FunctionApplication(function=FunctionConstructor() as function):
            return branching(writer, function.body, env, depth)
        case FunctionApplication(function=Call(arguments=(), definition=definition)):
            body = definition.body
            return depth < 8 and isinstance(body, FunctionConstructor) and branching(writer, body.body, env, depth + 1)
    return False


def reaches_assignment(writer: ActionWriter, node: Expression, env: Env) -> bool:
    """Whether a variable may get its value in the formula."""
    facts = writer.g.analysis.of(node)
    if facts.reads if writer.initial else facts.primed:
        return True
    for binding in facts.free:
        entry = env.bindings.get(binding)
        if isinstance(entry, ByName):
            primes = binding in facts.by_name and bool(writer.g.analysis.of(entry.node).reads)
            if primes or reaches_assignment(writer, entry.node, entry.env):
                return True
    return False


def recursive_call(writer: ActionWriter, node: Call, env: Env, place: Place, then: Then) -> None:
    """A recursive operator that is a mere guard: the ways through it are found at run time."""
    definition = node.definition
    known = writer.followed.get(definition)
    if known is None and (
        writer.complete(place)
        or any(parameter.arity for parameter in definition.parameters)
        or not branching(writer, definition.body, env)
    ):
        writer.test(node, env, place, then)
        return
    here = writer.env(env, place)
    inside = here.no_walrus()
    arguments = [Code(f"Thunk(lambda: {writer.g.value(argument, inside).text})") for argument in node.arguments]
    if known is None:
        known = f"follow_{writer.fresh()}"
        names = [env.names.fresh(parameter.name) for parameter in definition.parameters]
        bound: dict[Binding, Entry] = {
            parameter: Code(name, thunk_of(LAZY), True)
            for parameter, name in zip(definition.parameters, names, strict=True)
        }
        follow(writer, definition, known, names, definition.body, env.bind(bound), place)
        continue_with(writer, known, arguments, place, then)
        del writer.followed[definition]
        return
    continue_with(writer, known, arguments, place, then)


def follow(
    writer: ActionWriter,
    owner: Definition | Binding,
    name: str,
    names: Sequence[str],
    body: Expression,
    env: Env,
    place: Place,
) -> None:
    """Write a Python function that calls `after` for every way through a formula."""
    writer.followed[owner] = name
    after = f"after_{writer.fresh()}"
    with writer.out.block(f"def {name}({', '.join([*names, after])})"):
        writer.act(body, env, place, Then(lambda at: writer.out.add(f"{after}()")))


def continue_with(writer: ActionWriter, name: str, arguments: Sequence[Code], place: Place, then: Then) -> None:
    after = f"then_{writer.fresh()}"
    with writer.out.block(f"def {after}()"):
        then.write(place)
    writer.out.add(f"{name}({', '.join([*(code.text for code in arguments), after])})")


def application(writer: ActionWriter, node: FunctionApplication, env: Env, place: Place, then: Then) -> None:
    """`f[x]` as a formula: the body of a function definition is followed, as TLC does."""
    function = node.function
    if isinstance(function, Reference) and function.binding in writer.followed:
        argument = writer.g.plain(node.argument, writer.env(env, place))
        continue_with(writer, writer.followed[function.binding], [argument], place, then)
        return
    if (
        isinstance(function, Call)
        and not function.arguments
        and not (function.definition in writer.public and writer.g.analysis.of_definition(function.definition).constant)
    ):
        function = function.definition.body
    if (
        writer.complete(place)
        or not isinstance(function, FunctionConstructor)
        or len(function.binders) > 1
        or function.binders[0].is_tuple
        or len(function.binders[0].bindings) > 1
        or function.binders[0].domain is None
        or not branching(writer, function.body, env)
    ):
        writer.test(node, env, place, then)
        return
    here = writer.env(env, place)
    argument = writer.g.plain(node.argument, here)
    domain = writer.g.value(function.binders[0].domain, here)
    binding = function.binders[0].bindings[0]
    name, parameter = f"follow_{writer.fresh()}", env.names.fresh(binding.name)
    bound: dict[Binding, Entry] = {binding: Code(parameter, domain.shape.element, True)}
    owner = function.recursion if function.recursion is not None else binding
    if function.recursion is not None:
        itself = writer.g.value(node.function, here)
        bound[function.recursion] = Code(itself.text, itself.shape, itself.atom)
    checked = f"argument_in({parameter}, {domain.text})"
    inner = env.bind(bound)
    writer.followed[owner] = name
    after = f"after_{writer.fresh()}"
    with writer.out.block(f"def {name}({parameter}, {after})"):
        writer.out.add(writer.g.places.mark(node.at, checked))
        writer.act(function.body, inner, place, Then(lambda at: writer.out.add(f"{after}()")))
    continue_with(writer, name, [argument], place, then)
    del writer.followed[owner]
