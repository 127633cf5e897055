"""ENABLED, and action composition as a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rmqproof.model.evaluate.actions import ActionWriter
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import (
    Entry,
    Env,
    LocalFrame,
    Names,
    WholeFrame,
)
from rmqproof.model.evaluate.statements import Lines
from rmqproof.model.evaluate.steps import Named, Place, Then
from rmqproof.model.tla.core import (
    Builtin,
    Definition,
    Expression,
)
from rmqproof.model.tla.source import TlaError


def enabled(g: Generator, node: Expression, env: Env, instance: tuple[str, str] | None = None) -> str:
    """Condition: whether some step of the action is possible."""
    if instance is not None:
        _refuse_abstract(node, instance[0])
    facts = g.analysis.of(node)
    captured, texts, key = g.capture(replace(facts, primed=frozenset()), env)
    current, current_key = g.pass_frame(env.current, frozenset(range(len(g.variables))))
    whole = ("enabled", id(node), current_key, key)
    name = g.searchers.get(whole)
    if name is None:
        names = Names()
        out = Lines(1)
        bindings: dict[object, Entry] = {}
        lets: dict[object, Code] = {}
        for bound, entry in captured:
            done = entry._replace(atom=True) if isinstance(entry, Code) else entry
            if isinstance(bound, Definition):
                assert isinstance(done, Code)
                lets[bound] = done
            else:
                bindings[bound] = done
        known = current_key if isinstance(current_key, frozenset) else None
        inner = Env(names, bindings, lets, WholeFrame("s", known) if current else None)  # type: ignore[arg-type]
        writer = ActionWriter(g, out, initial=False, current=inner.current)
        named = Named("ENABLED", final=True)
        writer.act(node, inner, Place(LocalFrame({}), named), Then(lambda at: out_add(writer, "found()")))
        name = f"enabled_{writer.fresh()}"
        parameters = ["s"] * len(current) + texts_parameters(texts)
        lines = "\n".join(f" {line}" for line in [*writer.following.lines, *writer.out.lines]) or "  pass"
        g.execute(
            name, f"def {name}({', '.join(parameters)}):\n try:\n{lines}\n except Found: return True\n return False\n"
        )
        g.searchers[whole] = name
        g.keep.append(node)
    return f"{name}({', '.join([*current, *texts])})"


def _refuse_abstract(node: Expression, instance: str) -> None:
    from rmqproof.model.evaluate.abstract_enabled import needs_variables

    if needs_variables(node, instance):
        raise TlaError(
            "ENABLED in an instance is evaluated only where a variable of its own stands for each of its variables",
            node.at,
            "Here an expression stands for one, or one variable for two: say without ENABLED what it means. "
            "WF and SF are not concerned.",
            "evaluation",
        )


def out_add(writer: ActionWriter, text: str) -> None:
    writer.out.add(text)


def texts_parameters(texts: Sequence[str]) -> list[str]:
    return [f"c{number}" for number in range(len(texts))]


def composed(g: Generator, node: Builtin, env: Env) -> str:
    """Condition: A \\cdot B as a test of a step: some state is between."""
    first, second = node.arguments
    raise TlaError(
        "action composition is evaluated only where it gives variables their next values",
        first.at.to(second.at),
        "Use it as a disjunct or conjunct of the next-state relation.",
        "evaluation",
    )
