"""Bodies of Python functions: what can be statements instead of one expression is faster that way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from rmqproof.model.evaluate.binders import Loop, loop_clauses
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lets import let_entries
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import ANY, NEVER, Shape, join
from rmqproof.model.tla.core import Builtin, Case, Expression, If, Label, Let, Quantified

_DEEPEST = 14
"""Levels of indentation after which an expression is written as one (CPython nests at most 20 loops)."""


class Lines:
    """Lines of Python with their indentation."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def add(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    def enter(self, clauses: Sequence[str]) -> int:
        """Begin the loops of these clauses (see `binders.loop_clauses`); how many they are."""
        loops = 0
        for clause in clauses:
            is_loop = clause.startswith("for ")
            self.add(f"{clause}:" if is_loop else clause)
            self.depth += is_loop
            loops += is_loop
        return loops

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block under `head`."""
        self.add(head + ":")
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.add("pass")
        self.depth -= 1


def body_lines(g: Generator, node: Expression, env: Env, form: str) -> tuple[list[str], Shape]:
    """The body of a function that returns the node's value, or its truth as a Python bool."""
    out = Lines()
    if form == "condition":
        if _disjunctive(node):
            decide(g, node, env, out, True)
            out.add("return False")
        else:
            decide(g, node, env, out, False)
            out.add("return True")
        return out.lines, ANY
    shape = give(g, node, env, out)
    return out.lines, shape


def _disjunctive(node: Expression) -> bool:
    while isinstance(node, (Let, Label)):
        node = node.body
    return (isinstance(node, Builtin) and node.operator == "\\/") or (
        isinstance(node, Quantified) and node.kind == "\\E"
    )


def decide(g: Generator, node: Expression, env: Env, out: Lines, answer: bool) -> None:
    """Return `answer` when the node has this truth, else go on: FALSE is found in a conjunction part by part."""
    if out.depth < _DEEPEST and g.fold(node, env) is None:
        match node:
            case Builtin(operator="/\\" | "\\/" as operator) if (operator == "\\/") is answer:
                for argument in node.arguments:
                    decide(g, argument, env, out, answer)
                return
            case Builtin(operator="=>") if not answer:
                with out.block(f"if {g.condition(node.arguments[0], env)}"):
                    decide(g, node.arguments[1], env, out, answer)
                return
            case If():
                with out.block(f"if {g.condition(node.condition, env)}"):
                    decide(g, node.then, env, out, answer)
                with out.block("else"):
                    decide(g, node.otherwise, env, out, answer)
                return
            case Let():
                decide(g, node.body, _assign_lets(g, node, env, out), out, answer)
                return
            case Label():
                decide(g, node.body, env, out, answer)
                return
            case Quantified(kind="\\A" | "\\E" as kind) if _bounded(node) and (kind == "\\E") is answer:
                inner = _enter_loops(g, node, env, out)
                before = len(out.lines)
                decide(g, node.body, inner, out, answer)
                if len(out.lines) == before:  # the body is known
                    out.add("pass")
                out.depth -= _loop_count(node)
                return
    condition = g.condition(node, env)
    if condition != str(not answer):
        out.add(f"if {condition}: return True" if answer else f"if not {condition}: return False")


def give(g: Generator, node: Expression, env: Env, out: Lines) -> Shape:
    """Return the value of the node."""
    if out.depth < _DEEPEST and g.fold(node, env) is None:
        match node:
            case If():
                with out.block(f"if {g.condition(node.condition, env)}"):
                    then = give(g, node.then, env, out)
                return join(then, give(g, node.otherwise, env, out))
            case Case():
                shape = NEVER
                for guard, body in node.arms:
                    with out.block(f"if {g.condition(guard, env)}"):
                        shape = join(shape, give(g, body, env, out))
                if node.other is None:
                    out.add(f"return {g.places.mark(node.at, 'no_arm()')}")
                    return shape
                return join(shape, give(g, node.other, env, out))
            case Let():
                return give(g, node.body, _assign_lets(g, node, env, out), out)
            case Label():
                return give(g, node.body, env, out)
    code = g.value(node, env)
    out.add(f"return {code.text}")
    return code.shape


def _assign_lets(g: Generator, node: Let, env: Env, out: Lines) -> Env:
    inner, prefix = let_entries(g, node, env)
    for name, text in prefix:
        out.add(f"{name} = {text}")
    return inner


def _bounded(node: Quantified) -> bool:
    return all(binder.domain is not None for binder in node.binders)


def _loop_count(node: Quantified) -> int:
    return sum(1 if binder.is_tuple else len(binder.bindings) for binder in node.binders)


def _enter_loops(g: Generator, node: Quantified, env: Env, out: Lines) -> Env:
    inner, clauses = loop_clauses(g, node.binders, env, Loop.ANY_ORDER, walrus=True)
    out.enter(clauses)
    return replace(inner, walrus=env.walrus)
