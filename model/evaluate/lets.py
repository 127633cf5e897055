"""LET: which definitions get a Python variable, and when it is computed."""

from __future__ import annotations

from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.strictness import needs, uses
from rmqproof.model.tla.core import Definition, Let


def let_entries(g: Generator, node: Let, env: Env) -> tuple[Env, list[tuple[str, str]]]:
    """The environment of the body, and the assignments (name, text) that have to come before it.

    A definition that is used once, or is constant, or looks at a state that is not complete yet, gets no variable.
    """
    prefix: list[tuple[str, str]] = []
    inner = env
    for definition in node.definitions:
        if not worth_a_variable(g, definition, node, env):
            continue
        code = g.eager_or_thunk(definition.body, inner, needs(node.body, definition))
        if code.atom:
            inner = inner.let(definition, code)
            continue
        name = env.names.fresh(definition.name)
        prefix.append((name, code.text))
        inner = inner.let(definition, Code(name, code.shape, True))
    return inner, prefix


def worth_a_variable(g: Generator, definition: Definition, node: Let, env: Env) -> bool:
    if definition.parameters or definition.recursive:
        return False
    facts = g.analysis.of_definition(definition)
    if facts.constant:
        return False
    if facts.primed and (env.next is None or not all(env.next.assigned(index) for index in facts.primed)):
        return False
    if facts.reads and (env.current is None or not all(env.current.assigned(index) for index in facts.reads)):
        return False
    count = uses(node.body, definition, g.analysis)
    for other in node.definitions:
        if definition in g.analysis.of_definition(other).zero:
            count += 2 if other.parameters else uses(other.body, definition, g.analysis)
    return count > 1
