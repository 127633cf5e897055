"""Actions that give variables their next values: `x' = e`, `x' \\in S`, `x' \\subseteq S`, UNCHANGED."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.actions.form import Assignment
from rmqproof.model.actions.names import variable_of
from rmqproof.model.evaluate.action_writer import ActionWriter
from rmqproof.model.evaluate.binders import Loop, elements
from rmqproof.model.evaluate.expressions import unchanged
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env, LocalFrame, Names
from rmqproof.model.evaluate.shape import plain_shape, set_of
from rmqproof.model.evaluate.steps import Progress, Then
from rmqproof.model.tla import core


def assignment(
    writer: ActionWriter, node: core.Expression, given: Assignment, env: Env, progress: Progress, then: Then
) -> None:
    variable = variable_of(given.target, env, primed=not writer.initial)
    if variable is None or progress.frame.assigned(variable.index):
        writer.test(node, env, progress, then)
        return
    here = writer.env(env, progress)
    if given.operator == "=":
        bind(writer, variable.index, writer.g.plain(given.value, here), progress, then)
        return
    if given.operator == "\\subseteq":
        code = writer.g.value(given.value, here)
        iterated, element = f"Powerset({code.text})", set_of(plain_shape(code.shape.element))
    else:
        iterated, element = elements(writer.g, given.value, here, Loop.ONE_BY_ONE)
    name = env.names.fresh(variable.name)
    with writer.out.block(f"for {name} in {writer.g.places.mark(node.at, iterated)}"):
        bind(writer, variable.index, Code(name, element, True), progress, then)


def bind(writer: ActionWriter, index: int, code: Code, progress: Progress, then: Then) -> None:
    writer.assign(index, code.shape)
    if not code.atom:
        name = Names(writer.fresh()).fresh(writer.g.variables[index])
        writer.out.add(f"{name} = {code.text}")
        code = Code(name, code.shape, True)
    then.write(progress.bind(index, code))


def keep(writer: ActionWriter, parts: Sequence[tuple[core.Expression, Env]], progress: Progress, then: Then) -> None:
    """Write UNCHANGED of the parts, one after the other, and `then`."""
    if not parts:
        then.write(progress)
        return
    rest = Then(lambda reached: keep(writer, parts[1:], reached, then), then.size + len(parts) - 1)
    node, env = parts[0]
    variable = variable_of(node, env, primed=False)
    if variable is None:
        _test_kept(writer, node, env, progress, rest)
    elif not progress.frame.assigned(variable.index):
        _keep_variable(writer, node, variable, env, progress, rest)
    elif env.current is not None and not env.current.assigned(variable.index):
        # the state between of A \\cdot B, of which A says nothing here: that it has this value is one that there is
        rest.write(progress)
    else:
        _test_kept(writer, node, env, progress, rest)


def _test_kept(writer: ActionWriter, node: core.Expression, env: Env, progress: Progress, then: Then) -> None:
    here = writer.env(env, progress)
    with writer.out.block(f"if {writer.g.places.mark(node.at, unchanged(writer.g, node, here))}"):
        then.write(progress)


def _keep_variable(
    writer: ActionWriter, node: core.Expression, variable: core.Variable, env: Env, progress: Progress, then: Then
) -> None:
    text = env.current.read(variable.index) if env.current is not None else None
    if text is None:
        writer.out.add(writer.g.places.mark(node.at, f"no_value({variable.name!a})"))
        return
    shape = env.current.shapes.get(variable.index) if isinstance(env.current, LocalFrame) else None
    then.write(progress.bind(variable.index, Code(text, shape or writer.g.shapes[variable.index], True)))
