"""ENABLED, and action composition as a test."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.actions.naming import StepName
from rmqproof.model.evaluate.action_writer import ActionWriter, elsewhere
from rmqproof.model.evaluate.actions import follow
from rmqproof.model.evaluate.capture import capture, captured_parameters, received
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lines import Lines
from rmqproof.model.evaluate.scope import (
    ByName,
    Entry,
    Env,
    LocalFrame,
    Names,
    OperatorValue,
    WholeFrame,
)
from rmqproof.model.evaluate.steps import Progress, Then
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError


def enabled(g: Generator, node: core.Expression, env: Env, instance: tuple[str, str] | None = None) -> str:
    """Condition: whether some step of the action is possible."""
    if instance is not None:
        text = _abstract(g, node, env, instance[0])
        if text is not None:
            return text
    return _search(g, node, node, env, None)


def _abstract(g: Generator, node: core.Expression, env: Env, instance: str) -> str | None:
    """ENABLED as an instance writes it, where its variables are not those of the state; else None."""
    passed = node
    while isinstance(passed, core.Reference) and isinstance(entry := env.bindings.get(passed.binding), ByName):
        passed, env = entry.node, env.at(entry.env)
    facts = g.analysis.of(passed)
    names = [name for name in facts.free if name in env.bindings]
    found = g.abstract(passed, instance, names)
    if found is None:
        return None
    by_name = g.analysis.names_by_name(passed)
    if passed is not node or any(name in by_name or _is_action(g, env.bindings[name]) for name in names):
        raise TlaError(
            "ENABLED in an instance, of an action that is passed to an operator, is not evaluated where the variables "
            "of the instance are not those outside of it",
            node.at,
            "Write the action itself after ENABLED.",
            "evaluation",
        )
    g.keep.append(node)
    name = f"abstract_{len(g.keep)}"
    g.namespace[name] = found.test
    variables = range(len(g.variables))
    current = [(env.current.read(index) if env.current is not None else None) or "None" for index in variables]
    more = (*(expression for _, expression in found.standing), *(core.Reference(node.at, name) for name in names))
    values = [g.plain(expression, env).text for expression in more]
    return f"{name}(({', '.join([*current, *values])}, 0))"


def _is_action(g: Generator, entry: Entry) -> bool:
    return isinstance(entry, OperatorValue) or (isinstance(entry, ByName) and bool(g.analysis.of(entry.node).primed))


def composed(g: Generator, node: core.Builtin, env: Env) -> str:
    """Condition: whether a step is one of A \\cdot B, by way of some state that A leads to."""
    first, second = node.arguments
    return _search(g, node, first, env, second)


def _search(
    g: Generator, node: core.Expression, action: core.Expression, env: Env, after: core.Expression | None
) -> str:
    """Condition: whether the action has a step, to a state from which `after` is true of the known next state."""
    facts = g.analysis.of(node)
    if after is not None:
        env = elsewhere(g, env)
    captured, texts, key = capture(g.analysis, g.values, facts, env)
    current, current_key = g.pass_frame(env.current, frozenset(range(len(g.variables))))
    nxt, next_key = g.pass_frame(env.next, g.analysis.of(after).primed) if after is not None else ([], False)
    whole = ("enabled", id(node), current_key, next_key, key)
    name = g.searchers.get(whole)
    if name is None:
        bindings, lets = received(captured)
        known = current_key if isinstance(current_key, frozenset) else None
        start = WholeFrame("s", known) if current else None
        inner = Env(Names(), bindings, lets, start, composed=True)
        writer = ActionWriter(follow, g, Lines(1), initial=False, current=start)

        def leaf(progress: Progress) -> None:
            if after is None:
                writer.out.add("found()")
                return
            known = next_key if isinstance(next_key, frozenset) else None
            end = WholeFrame("n", known) if nxt else None
            with writer.out.block(f"if {g.condition(after, replace(inner, current=progress.frame, next=end))}"):
                writer.out.add("found()")

        writer.act(action, inner, Progress(LocalFrame({}), StepName("ENABLED", final=True)), Then(leaf))
        name = f"enabled_{writer.fresh()}"
        parameters = ["s"] * len(current) + ["n"] * len(nxt) + captured_parameters(len(texts))
        lines = "\n".join(f" {line}" for line in [*writer.following.lines, *writer.out.lines]) or "  pass"
        g.execute(
            name, f"def {name}({', '.join(parameters)}):\n try:\n{lines}\n except Found: return True\n return False\n"
        )
        g.searchers[whole] = name
        g.keep.append(node)
    return f"{name}({', '.join([*current, *nxt, *texts])})"
