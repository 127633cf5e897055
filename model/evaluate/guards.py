"""Which formulas TLC follows although they may give no variable a value, and how \\A is followed.

Each way through such a formula counts as a step of its own; the ways are found at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.actions.beforehand import is_table, known_before
from rmqproof.model.evaluate.action_writer import ActionWriter
from rmqproof.model.evaluate.binders import Loop, loops
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import ByName, Entry, Env
from rmqproof.model.evaluate.shape import ANY
from rmqproof.model.evaluate.steps import Progress, Then
from rmqproof.model.evaluate.values import Value
from rmqproof.model.records import dataclass
from rmqproof.model.tla import core

_UNROLLED = 64


def forall(writer: ActionWriter, node: core.Quantified, env: Env, progress: Progress, then: Then) -> None:
    if writer.complete(progress) or not writer.effects.branches(node.body, env):
        writer.test(node, env, progress, then)
        return
    here = writer.env(env, progress)
    items = _known_elements(writer, node.binders, here)
    if items is None:
        _for_all_found(writer, node, env, progress, then)
        return
    binding = node.binders[0].bindings[0]

    def unroll(number: int) -> Then:
        if number == len(items):
            return then
        inner = env.bind({binding: writer.g.value_code(items[number])})
        size = (len(items) - number) * writer.g.analysis.of(node.body).size + then.size
        return Then(lambda at: _body(writer, node, inner, at, unroll(number + 1)), size)

    unroll(0).write(progress)


def _body(writer: ActionWriter, node: core.Quantified, env: Env, progress: Progress, then: Then) -> None:
    (writer.test if writer.complete(progress) else writer.act)(node.body, env, progress, then)


def _for_all_found(writer: ActionWriter, node: core.Quantified, env: Env, progress: Progress, then: Then) -> None:
    """Go through elements that are known at run time only."""
    here = writer.env(env, progress)
    bound, clauses = loops(writer.g, node.binders, here, Loop.IN_ORDER)
    bindings = [binding for binder in node.binders for binding in binder.bindings]
    collected = [code for binding in bindings if isinstance(code := bound.bindings[binding], Code)]
    item = "".join(f"{code.text}, " for code in collected)
    all_items = f"items_{writer.fresh()}"
    writer.out.add(f"{all_items} = [({item}) {clauses}]")

    def each(at: Progress, start: str) -> None:
        """Write a function that goes through the elements from a number on, and call it.

        An element that gives variables their values is followed by a function of its own for the elements after it.
        """
        name, count = f"each_{writer.fresh()}", f"number_{writer.fresh()}"
        # names of its own: a variable may have got the value of an element before
        own = [env.names.fresh(binding.name) for binding in bindings]

        def following(reached: Progress) -> None:
            if reached.frame.texts.keys() == at.frame.texts.keys():
                writer.out.add(f"{name}({count} + 1)")
            else:
                each(reached, f"{count} + 1")

        with writer.out.block(f"def {name}({count})"):
            with writer.out.block(f"if {count} == len({all_items})"):
                then.write(at)
                writer.out.add("return")
            writer.out.add(f"{''.join(f'{text}, ' for text in own)}= {all_items}[{count}]")
            inner = env.bind(
                {
                    binding: Code(text, code.shape, True)
                    for binding, text, code in zip(bindings, own, collected, strict=True)
                }
            )
            _body(writer, node, inner, at, Then(following))
        writer.out.add(f"{name}({start})")

    each(progress, "0")


def _known_elements(writer: ActionWriter, binders: Sequence[core.Binder], env: Env) -> tuple[Value, ...] | None:
    """The few values of the one name that is bound, where its set is a constant."""
    if len(binders) != 1 or binders[0].is_tuple or len(binders[0].bindings) != 1 or binders[0].domain is None:
        return None
    known = writer.g.known(writer.g.value(binders[0].domain, env))
    return writer.g.order[known] if type(known) is frozenset and len(known) <= _UNROLLED else None


@dataclass(frozen=True, slots=True)
class Rule:
    """A function by the expression that defines it. `definition`: what it is called, where it has a name.

    `applied`: what functions that have this one as their value were applied to, with their domains.
    """

    function: core.FunctionConstructor
    env: Env
    definition: core.Definition | None
    applied: tuple[tuple[ByName, ByName], ...] = ()


def rule_of(writer: ActionWriter, node: core.Expression, env: Env) -> Rule | None:
    """The rule of a function; None where it is known by its value, or can be any."""
    definition: core.Definition | None = None
    applied: tuple[tuple[ByName, ByName], ...] = ()
    while True:
        match node:
            case core.FunctionConstructor():
                bounded = all(binder.domain is not None for binder in node.binders)
                return Rule(node, env, definition, applied) if bounded else None
            case core.FunctionApplication():
                rule = rule_of(writer, node.function, env)
                if rule is None or rule.function.recursion is not None or not _has_one_name(rule.function):
                    return None
                binder, argument = rule.function.binders[0], ByName(node.argument, env)
                assert binder.domain is not None
                definition = rule.definition
                applied += (*rule.applied, (argument, ByName(binder.domain, rule.env)))
                node, env = rule.function.body, rule.env.bind({binder.bindings[0]: argument})
            case core.Reference(binding=binding):
                entry = env.bindings.get(binding)
                if not isinstance(entry, ByName):
                    return None
                node, env = entry.node, env.at(entry.env)
            case core.Call(definition=called, arguments=arguments) if not called.recursive:
                definition = called
                if known_before(node) and writer.g.analysis.of_definition(called).constant and is_table(node):
                    return None
                node, env = called.body, env.bind(writer.g.entries_by_name(called, arguments, env))
            case core.Let():
                node = node.body
            case core.Label():
                node = node.body
            case _:
                return None


def _has_one_name(function: core.FunctionConstructor) -> bool:
    return len(function.binders) == 1 and not function.binders[0].is_tuple and len(function.binders[0].bindings) == 1


def parameters_of(
    writer: ActionWriter, function: core.FunctionConstructor, argument: str, env: Env
) -> tuple[dict[core.Binding, Entry], list[str]]:
    """What the names that a function binds mean, and lines that take the argument apart and ask its domain."""
    single = len(function.binders) == 1 and (function.binders[0].is_tuple or len(function.binders[0].bindings) == 1)
    bound: dict[core.Binding, Entry] = {}
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
