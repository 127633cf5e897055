"""Guards that TLC follows although they give no variable a value: \\A, recursive operators and functions.

Each way through such a guard counts as a step of its own; the ways are found at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rmqproof.model.evaluate.binders import Loop, loops
from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import (
    ByName,
    Entry,
    Env,
)
from rmqproof.model.evaluate.shape import ANY, LAZY, thunk_of
from rmqproof.model.evaluate.steps import Place, Then
from rmqproof.model.evaluate.values import Value
from rmqproof.model.tla.core import (
    Binder,
    Binding,
    Builtin,
    Call,
    Cartesian,
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
    here = writer.env(env, place)
    items = _known_elements(writer, node.binders, here)
    if items is not None:
        binding = node.binders[0].bindings[0]

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
    bound, clauses = loops(writer.g, node.binders, here, Loop.IN_ORDER)
    names = {binding: bound.bindings[binding] for binder in node.binders for binding in binder.bindings}
    item = "".join(f"{code.text}, " for code in names.values() if isinstance(code, Code))
    all_items = f"items_{writer.fresh()}"
    writer.out.add(f"{all_items} = [({item}) {clauses}]")

    def each(at: Place, start: str) -> None:
        """Write a function that goes through the elements from a number on, and call it.

        An element that gives variables their values is followed by a function of its own for the elements after it.
        """
        name, count = f"each_{writer.fresh()}", f"number_{writer.fresh()}"

        def following(reached: Place) -> None:
            if reached.frame.texts.keys() == at.frame.texts.keys():
                writer.out.add(f"{name}({count} + 1)")
            else:
                each(reached, f"{count} + 1")

        with writer.out.block(f"def {name}({count})"):
            with writer.out.block(f"if {count} == len({all_items})"):
                then.write(at)
                writer.out.add("return")
            writer.out.add(f"{item}= {all_items}[{count}]")
            inner = env.bind(names)
            if writer.complete(at):
                writer.test(node.body, inner, at, Then(following))
            else:
                writer.act(node.body, inner, at, Then(following))
        writer.out.add(f"{name}({start})")

    each(place, "0")


def _known_elements(writer: ActionWriter, binders: Sequence[Binder], env: Env) -> tuple[Value, ...] | None:
    """The few values of the one name that is bound, where its set is a constant."""
    if len(binders) != 1 or binders[0].is_tuple or len(binders[0].bindings) != 1 or binders[0].domain is None:
        return None
    known = writer.g.known(writer.g.value(binders[0].domain, env))
    return writer.g.order[known] if type(known) is frozenset and len(known) <= _UNROLLED else None


def branching(writer: ActionWriter, node: Expression, env: Env, entered: frozenset[Definition] = frozenset()) -> bool:
    """Whether following the formula can find several ways through it, or give a variable a value."""
    if reaches_assignment(writer, node, env):
        return True
    match node:
        case Builtin(operator="\\/"):
            return True
        case Quantified(kind="\\E"):
            return True
        case Quantified(kind="\\A") | Let() | Label():
            return branching(writer, node.body, env, entered)
        case Builtin(operator="/\\"):
            return any(branching(writer, argument, env, entered) for argument in node.arguments)
        case Builtin(operator="=>"):
            return branching(writer, node.arguments[1], env, entered)
        case If():
            return branching(writer, node.then, env, entered) or branching(writer, node.otherwise, env, entered)
        case Case():
            bodies = [body for _, body in node.arms] + ([node.other] if node.other is not None else [])
            return any(branching(writer, body, env, entered) for body in bodies)
        case Call():
            definition = node.definition
            return (
                len(entered) < 8
                and definition not in entered
                and branching(writer, definition.body, env, entered | {definition})
            )
        case FunctionApplication(function=FunctionConstructor() as function):
            return branching(writer, function.body, env, entered)
        case FunctionApplication(function=Call(arguments=(), definition=definition)):
            body = definition.body
            return isinstance(body, FunctionConstructor) and branching(writer, body.body, env, entered)
        case FunctionApplication(function=Reference(binding=binding)):
            return binding in writer.followed
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
        # what comes after may apply the same definition where the names around it mean something else
        del writer.followed[definition]
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
    here = writer.env(env, place)
    if isinstance(function, Call) and not function.arguments:
        constant = writer.g.analysis.of_definition(function.definition).constant
        if not (function.definition in writer.public and constant and _computed_once(writer, function, here)):
            function = function.definition.body
    if (
        writer.complete(place)
        or not isinstance(function, FunctionConstructor)
        or any(binder.domain is None for binder in function.binders)
        or not branching(writer, function.body, env)
    ):
        writer.test(node, env, place, then)
        return
    argument = writer.g.plain(node.argument, here)
    name, parameter = f"follow_{writer.fresh()}", env.names.fresh("argument")
    bound, lines = parameters_of(writer, function, parameter, here)
    owner = function.recursion if function.recursion is not None else function.binders[0].bindings[0]
    if function.recursion is not None:
        itself = writer.g.value(node.function, here)
        bound[function.recursion] = Code(itself.text, itself.shape, itself.atom)
    inner = env.bind(bound)
    writer.followed[owner] = name
    after = f"after_{writer.fresh()}"
    with writer.out.block(f"def {name}({parameter}, {after})"):
        for line in lines:
            writer.out.add(writer.g.places.mark(node.at, line))
        writer.act(function.body, inner, place, Then(lambda at: writer.out.add(f"{after}()")))
    del writer.followed[owner]  # what comes after may apply the same function
    continue_with(writer, name, [argument], place, then)


def _computed_once(writer: ActionWriter, function: Call, env: Env) -> bool:
    """Whether TLC computes a function that is a constant before it searches: none that is recursive, or that has a
    domain that TLC does not list, as of SUBSET and \\X."""
    body = function.definition.body
    if not isinstance(body, FunctionConstructor):
        return True
    if body.recursion is not None:
        return False
    domains = [binder.domain for binder in body.binders if binder.domain is not None]
    return not any(
        isinstance(domain, Cartesian) or isinstance(writer.g.known(writer.g.value(domain, env)), LazySet)
        for domain in domains
    )


def parameters_of(
    writer: ActionWriter, function: FunctionConstructor, argument: str, env: Env
) -> tuple[dict[Binding, Entry], list[str]]:
    """What the names that a function binds mean, and lines that take the argument apart and ask its domain."""
    single = len(function.binders) == 1 and (function.binders[0].is_tuple or len(function.binders[0].bindings) == 1)
    bound: dict[Binding, Entry] = {}
    lines: list[str] = []
    parts: list[str] = []
    for binder in function.binders:
        assert binder.domain is not None
        domain = writer.g.value(binder.domain, env)
        element = domain.shape.element
        names = {binding: env.names.fresh(binding.name) for binding in binder.bindings}
        if binder.is_tuple:
            whole = argument if single else env.names.fresh("part")
            parts.append(whole)
            item = element.element if element.kind in ("seq", "never") else ANY
            lines.append(f"argument_in({whole}, {domain.text})")
            lines.append(f"{''.join(f'{name}, ' for name in names.values())}= unpack({whole}, {len(names)})")
            bound |= {binding: Code(name, item, True) for binding, name in names.items()}
            continue
        for binding, fresh in names.items():
            name = argument if single else fresh
            parts.append(name)
            lines.append(f"argument_in({name}, {domain.text})")
            bound[binding] = Code(name, element, True)
    if not single:
        lines.insert(0, f"{''.join(f'{part}, ' for part in parts)}= unpack({argument}, {len(parts)})")
    return bound, lines
