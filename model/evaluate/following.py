"""Recursive operators and functions that are followed: how deep they go is known at run time only.

Each becomes a Python function of what its body needs of the names around it, and of what comes `after`. There is one
for each way of calling it: which variables have a value by then, and which formulas its parameters stand for. The body
ends in several ways, which differ in the variables that got a value: in each, the function calls what comes after that
exit with those values. Which exits there are is found by writing the bodies until no new exit appears.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rmqproof.model.evaluate.action_writer import ActionWriter, Followed
from rmqproof.model.evaluate.arguments import Passed, passed
from rmqproof.model.evaluate.capture import capture, captured_parameters, received
from rmqproof.model.evaluate.guards import parameters_of, rule_of
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.lines import Lines
from rmqproof.model.evaluate.scope import ByName, Entry, Env, Frame, LocalFrame, operator_value
from rmqproof.model.evaluate.shape import LAZY, thunk_of
from rmqproof.model.evaluate.steps import Progress, Then
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError

_MOST = 100
"""Ways of calling that are written before one gives up."""


def recursive_call(
    writer: ActionWriter,
    definition: core.Definition,
    arguments: Sequence[core.Expression],
    env: Env,
    around: Env,
    at: Location,
    progress: Progress,
    then: Then,
) -> bool:
    """Follow a recursive operator; False, and nothing is written, where it is a mere test.

    `env` is that of the arguments, `around` that of the definition.
    """
    entries: dict[core.Binding, Entry] = {
        parameter: _argument(writer, definition, number, argument, env, progress)
        for number, (parameter, argument) in enumerate(zip(definition.parameters, arguments, strict=True))
    }
    inner = around.bind(entries)
    if writer.complete(progress) or not writer.effects.branches(definition.body, inner):
        return False
    if not progress.named.final and definition in writer.public and writer.effects.gives_value(definition.body, inner):
        codes = [writer.g.value(argument, writer.env(env, progress)) for argument in arguments if not _passed(argument)]
        texts = tuple(code.text for code in codes if code.atom and not code.shape.lazy)
        progress = replace(progress, named=progress.named.entering(definition.name, texts, final=True))
    _follow(writer, definition, definition.body, definition.name, inner, at, progress, then)
    return True


def _passed(argument: core.Expression) -> bool:
    """Whether an argument is an operator, which has no value."""
    return isinstance(argument, (core.Lambda, core.OperatorArgument))


def _argument(
    writer: ActionWriter,
    definition: core.Definition,
    number: int,
    argument: core.Expression,
    env: Env,
    progress: Progress,
) -> Entry:
    """What a parameter stands for. A value is found when it is needed: whether it ever is depends on the call."""
    if definition.parameters[number].arity:
        return operator_value(argument, env)
    if isinstance(argument, core.Reference):
        entry = env.bindings.get(argument.binding)
        if isinstance(entry, ByName) or (isinstance(entry, Code) and entry.shape.delayed):
            return entry
    stands_for = passed(writer, definition, number, argument, env, progress)
    if stands_for is Passed.EXPRESSION or (stands_for is Passed.WAYS and not _grows(writer, argument, env)):
        return ByName(argument, env)
    code = writer.g.value(argument, writer.env(env, progress).no_walrus())
    return Code(f"Thunk(lambda: {code.text})", thunk_of(LAZY))


def _grows(writer: ActionWriter, argument: core.Expression, env: Env) -> bool:
    """Whether a formula that is passed on contains one that was passed: then each call would have another one."""
    return any(isinstance(env.bindings.get(binding), ByName) for binding in writer.g.analysis.of(argument).free)


def application(writer: ActionWriter, node: core.FunctionApplication, env: Env, progress: Progress, then: Then) -> None:
    """`f[x]` as a formula: the body of a function is followed, as TLC does."""
    rule = rule_of(writer, node.function, env)
    if writer.complete(progress) or rule is None or not writer.effects.rule_branches(rule.function, rule.env):
        writer.test(node, env, progress, then)
        return
    for outer, domain in rule.applied:
        texts = [writer.g.value(part.node, writer.env(env.at(part.env), progress)).text for part in (outer, domain)]
        writer.out.add(writer.g.places.mark(node.at, f"argument_in({', '.join(texts)})"))
    argument = writer.g.plain(node.argument, writer.env(env, progress))
    name = env.names.fresh("argument")
    writer.out.add(f"{name} = {argument.text}")
    bound, lines = parameters_of(writer, rule.function, name, writer.env(env.at(rule.env), progress))
    for line in lines:
        writer.out.add(writer.g.places.mark(node.at, line))
    inner = env.at(rule.env).bind(bound)
    names = rule.definition in writer.public and writer.effects.gives_value(rule.function.body, rule.env)
    if names and not progress.named.final:
        assert rule.definition is not None
        progress = replace(progress, named=progress.named.entering(rule.definition.name, (name,)))
    recursion = rule.function.recursion
    if recursion is None:
        writer.act(rule.function.body, inner, progress, then)
        return
    itself = ByName(node.function, env)
    if isinstance(node.function, core.Reference):
        entry = env.bindings[node.function.binding]
        assert isinstance(entry, ByName)
        itself = entry
    title = recursion.name
    _follow(writer, rule.function, rule.function.body, title, inner.bind({recursion: itself}), node.at, progress, then)


def _follow(
    writer: ActionWriter,
    owner: core.Definition | core.FunctionConstructor,
    body: core.Expression,
    title: str,
    env: Env,
    at: Location,
    progress: Progress,
    then: Then,
) -> None:
    """Call the Python function of a body, written when it is first called in this way."""
    g, following = writer.g, writer.following
    facts = g.analysis.of(body)
    if isinstance(owner, core.FunctionConstructor):
        facts |= g.analysis.of(owner)
    captured, texts, capture_key = capture(g.analysis, g.values, facts, env)
    current = [] if env.current is None or env.current is writer.current else _readable(writer, env.current)
    given = sorted(progress.frame.texts)
    named = progress.named
    key = (
        *(owner, capture_key, tuple(index for index, _ in current), env.current is None, env.composed, tuple(given)),
        *(named.name, len(named.arguments), named.root, named.final),
    )
    followed = following.functions.get(key)
    if followed is None:
        name = f"follow_{writer.fresh()}"
        frame = LocalFrame({index: f"given_{index}" for index in given})
        labels = tuple(f"label_{number}" for number in range(len(named.arguments)))
        inner = _inside(env, captured)
        if current:
            inner = replace(inner, current=LocalFrame({index: f"now_{index}" for index, _ in current}))
        parameters = [
            *captured_parameters(len(texts)),
            *(f"now_{index}" for index, _ in current),
            *frame.texts.values(),
            *labels,
        ]
        inside = Progress(frame, replace(named, arguments=labels))
        followed = following.functions[key] = Followed(name, title, parameters, body, inner, inside)
        g.keep.append(owner)
        outermost = not following.unsettled
        following.unsettled.append(followed)
        if len(following.unsettled) > _MOST:
            raise TlaError(
                f"{title} is an action that calls itself with ever other formulas as arguments",
                at,
                "Recursion in actions is followed where the arguments are values, or formulas that stay the same.",
                "evaluation",
            )
        if outermost:
            _settle(writer)
    passed = [
        *texts,
        *(text for _, text in current),
        *(progress.frame.texts[index] for index in given),
        *named.arguments,
    ]
    _call(writer, followed, passed, at, progress, then)


def _readable(writer: ActionWriter, frame: Frame) -> list[tuple[int, str]]:
    """The variables that have a value in a state, with their texts."""
    texts = [(index, frame.read(index)) for index in range(len(writer.g.variables))]
    return [(index, text) for index, text in texts if text is not None]


def _inside(env: Env, captured: Sequence[tuple[Any, Entry]]) -> Env:
    """The environment of the body."""
    bindings, lets = received(captured)
    return replace(env, bindings=bindings, lets=lets, depth=0, walrus=True)


def _settle(writer: ActionWriter) -> None:
    """Write the bodies until every exit is known."""
    following = writer.following
    functions = following.unsettled
    try:
        while True:
            before = [len(functions), *(len(followed.exits) for followed in functions)]
            for followed in functions:  # grows meanwhile
                _write(writer, followed)
            if before == [len(functions), *(len(followed.exits) for followed in functions)]:
                break
        for followed in functions:
            following.lines += followed.lines
    finally:
        following.unsettled = []


def _write(writer: ActionWriter, followed: Followed) -> None:
    outside, writer.out = writer.out, Lines(1)
    progress = followed.progress

    def leave(reached: Progress) -> None:
        new = tuple(index for index in sorted(reached.frame.texts) if index not in progress.frame.texts)
        is_same = reached.named.same(progress.named)
        named = None if is_same else replace(reached.named, arguments=("",) * len(reached.named.arguments))
        if (new, named) not in followed.exits:
            followed.exits.append((new, named))
        values = [reached.frame.texts[index] for index in new]
        if not is_same:
            values += reached.named.arguments
        writer.out.add(f"after[{followed.exits.index((new, named))}]({', '.join(values)})")

    try:
        with writer.out.block(f"def {followed.name}({', '.join([*followed.parameters, 'after'])})"):
            writer.act(followed.body, followed.env, progress, Then(leave, 1))
        followed.lines = writer.out.lines
    finally:
        writer.out = outside


def _call(
    writer: ActionWriter, followed: Followed, passed: Sequence[str], at: Location, progress: Progress, then: Then
) -> None:
    """Call the function, with what comes after each of its exits."""
    names: list[str] = []
    for new, named in tuple(followed.exits):
        name = f"then_{writer.fresh()}"
        names.append(name)
        values: Mapping[int, str] = {index: f"{name}_{index}" for index in new}
        frame = progress.frame
        for index, text in values.items():
            frame = frame.bind(index, text)
        labels: tuple[str, ...] = ()
        reached = progress.named
        if named is not None:
            labels = tuple(f"{name}_label_{number}" for number in range(len(named.arguments)))
            reached = replace(named, arguments=labels)
        with writer.out.block(f"def {name}({', '.join([*values.values(), *labels])})"):
            then.write(Progress(frame, reached))
    after = f"({''.join(f'{name}, ' for name in names)})"
    writer.out.add(writer.g.places.mark(at, f"{followed.name}({', '.join([*passed, after])})"))
