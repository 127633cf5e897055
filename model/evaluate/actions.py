"""Actions and initial predicates: Python code that finds states. What a formula does is `model.actions`' to say.

Code is written in continuation style: `act` writes the code for a formula and calls `then` to write what comes after
it, with the variables that have values by then.
"""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.actions.beforehand import known_before
from rmqproof.model.actions.form import (
    Apply,
    Arms,
    Assignment,
    Changing,
    Choice,
    Composition,
    Conjunction,
    Disjunction,
    Enter,
    EnterParameter,
    ForEach,
    Inside,
    Keep,
    Local,
    Parameter,
    form_of,
)
from rmqproof.model.actions.names import kept_parts
from rmqproof.model.evaluate.action_writer import ActionWriter
from rmqproof.model.evaluate.arguments import Passed, passed
from rmqproof.model.evaluate.assignments import assignment, keep
from rmqproof.model.evaluate.following import application, recursive_call
from rmqproof.model.evaluate.guards import forall
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import (
    ByName,
    Entry,
    Env,
    OperatorValue,
    operator_value,
)
from rmqproof.model.evaluate.steps import Progress, Then
from rmqproof.model.tla import core


def follow(writer: ActionWriter, node: core.Expression, env: Env, progress: Progress, then: Then) -> None:
    """See `ActionWriter.act`."""
    match form_of(node, writer.initial):
        case Conjunction(parts=parts):
            writer.conjunction(parts, env, progress, then)
        case Disjunction(parts=parts):
            writer.branches([(None, part, env) for part in parts], progress, then)
        case Arms(arms=arms, otherwise=otherwise):
            writer.arms(node, arms, otherwise, env, progress, then)
        case Choice() as choice:
            writer.choice(choice, env, progress, then)
        case ForEach(quantified=quantified):
            forall(writer, quantified, env, progress, then)
        case Local(let=let):
            writer.let(let, env, progress, then)
        case Inside(body=body):
            writer.act(body, env, progress, then)
        case Enter(call=call):
            _call(writer, call, env, progress, then)
        case EnterParameter(call=parameter_call):
            _call_parameter(writer, parameter_call, env, progress, then)
        case Parameter(reference=reference) if (found := env.passed(reference.binding)) is not None:
            writer.act(*found, progress, then)
        case Assignment() as given:
            assignment(writer, node, given, env, progress, then)
        case Keep(kept=kept):
            keep(writer, list(kept_parts(kept, env)), progress, then)
        case Changing(step=step):
            writer.changing(step, env, progress, then)
        case Composition(first=first, second=second):
            writer.composition(first, second, env, progress, then)
        case Apply(application=applied):
            application(writer, applied, env, progress, then)
        case _:
            writer.test(node, env, progress, then)


def _call(writer: ActionWriter, node: core.Call, env: Env, progress: Progress, then: Then) -> None:
    definition = node.definition
    known = definition in env.lets and not writer.effects.branches(definition.body, env)
    if known or _is_value(writer, node, env, progress):  # TLC does not keep the value of a LET that it follows
        writer.test(node, env, progress, then)
        return
    if definition.recursive:
        if not recursive_call(writer, definition, node.arguments, env, env, node.at, progress, then):
            writer.test(node, env, progress, then)
        return
    entries = {
        parameter: _argument(writer, definition, number, argument, env, progress)
        for number, (parameter, argument) in enumerate(zip(definition.parameters, node.arguments, strict=True))
    }
    inner = env.bind(entries)
    if not progress.named.final and definition in writer.public and writer.effects.gives_value(definition.body, inner):
        texts: list[str] = []
        for entry in entries.values():
            if isinstance(entry, Code) and not entry.shape.delayed:
                texts.append(f"plain({entry.text})" if entry.shape.lazy else entry.text)
        progress = replace(progress, named=progress.named.entering(definition.name, tuple(texts)))

    def back(reached: Progress) -> None:
        then.write(reached)

    writer.act(definition.body, replace(inner, depth=env.depth + 1), progress, Then(back, then.size))


def _is_value(writer: ActionWriter, node: core.Call, env: Env, progress: Progress) -> bool:
    """Whether a call is evaluated beforehand: also one that TLC follows, where there is one way through it."""
    if writer.g.fold(node, writer.env(env, progress)) is None:
        return False
    return known_before(node) or not writer.effects.branches(node.definition.body, env)


def _argument(
    writer: ActionWriter,
    definition: core.Definition,
    number: int,
    argument: core.Expression,
    env: Env,
    progress: Progress,
) -> Entry:
    """What a parameter stands for. A value is found here, or where something needs it, once for the whole call."""
    if definition.parameters[number].arity:
        return operator_value(argument, env)
    if passed(writer, definition, number, argument, env, progress) is not Passed.VALUE:
        return ByName(argument, env)
    here = writer.env(env, progress)
    code = writer.g.value(argument, here)
    if code.atom:
        return code
    code = writer.g.eager_or_thunk(argument, here, False)
    name = env.names.fresh(definition.parameters[number].name)
    writer.out.add(f"{name} = {code.text}")
    return Code(name, code.shape, True)


def _call_parameter(writer: ActionWriter, node: core.CallParameter, env: Env, progress: Progress, then: Then) -> None:
    entry = env.bindings[node.binding]
    assert isinstance(entry, OperatorValue)
    target = entry.target
    while not isinstance(target, (core.Definition, core.Lambda)) and entry.env is not None:
        bound = entry.env.bindings[target] if target is not None else None
        assert isinstance(bound, OperatorValue)
        entry, target = bound, bound.target
    if entry.env is None or not isinstance(target, (core.Definition, core.Lambda)):
        writer.test(node, env, progress, then)
        return
    if isinstance(target, core.Definition) and target.recursive:
        around = env.at(entry.env)
        if not recursive_call(writer, target, node.arguments, env, around, node.at, progress, then):
            writer.test(node, env, progress, then)
        return
    arguments: dict[object, Entry] = {}
    for parameter, argument in zip(target.parameters, node.arguments, strict=True):
        arguments[parameter] = operator_value(argument, env) if parameter.arity else ByName(argument, env)
    inner = env.at(entry.env).bind(arguments)  # type: ignore[arg-type]
    if isinstance(target, core.Definition) and target in writer.public:
        progress = replace(progress, named=progress.named.entering(target.name))
    writer.act(target.body, inner, progress, then)
