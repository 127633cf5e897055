"""What was walked, as a file: a trace for tools, a module that TLC and rmqproof check, a test for pytest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from rmqproof.model.evaluate.blame import written
from rmqproof.model.explore.session import NoSuchStep, Session
from rmqproof.model.report.itf import itf_text
from rmqproof.model.report.text import behaviour_text
from rmqproof.model.report.value import Notation
from rmqproof.model.tla import core
from rmqproof.model.tla.config import Config


def exported(session: Session, name: str) -> str:
    """The walk in the format that the file's name says. Raise `NoSuchStep` where there is none of that name."""
    for ending, write in FORMATS.items():
        if name.endswith(ending):
            return write(session, name.removesuffix(ending))
    raise NoSuchStep(f"{name}: a file's name ends in {', '.join(FORMATS)}.")


def as_itf(session: Session, name: str = "") -> str:
    return itf_text(session.behaviour)


def as_text(session: Session, name: str = "") -> str:
    return behaviour_text(session.behaviour).plain + "\n"


def as_module(session: Session, name: str = "") -> str:
    """A module with its configuration: it steps as the walk did, and holds each step to be one of the model."""
    files, behaviour = session.space.files, session.behaviour
    called = re.sub(r"\W", "_", Path(name).name) or f"{files.spec.stem}_walk"
    notation = session.space.notation
    declared = {constant.name for constant in session.space.model.specification.constants}
    values = [value for value in session.space.model.model_values if value not in declared]
    variables = ", ".join(behaviour.variables)
    rows = [
        "  [ "
        + ",\n    ".join(f"{variable} |-> {notation.line(value)}" for variable, value in step.state.items())
        + " ]"
        for step in behaviour.steps
    ]
    now = "\n".join(f"  /\\ {variable} = Walk[i].{variable}" for variable in behaviour.variables)
    following = "\n".join(f"  /\\ {variable}' = Walk[i + 1].{variable}" for variable in behaviour.variables)
    lines = [
        f"---- MODULE {called} ----",
        f"(* A walk through {files.spec.stem}, made by rmqproof: {' '.join(map(str, session.numbers))} *)",
        f"EXTENDS {files.spec.stem}, Naturals, Sequences, TLC",
        *([f"CONSTANTS {', '.join(values)}"] if values else []),
        "",
        "Walk == <<\n" + ",\n".join(rows) + "\n>>",
        "",
        f"WalkAt(i) ==\n{now}",
        "WalkInit == WalkAt(1)",
        f"WalkNext == \\E i \\in 1..(Len(Walk) - 1) :\n  /\\ WalkAt(i)\n{following}",
        f"WalkIsAllowed == [][{_next(session)}]_<<{variables}>>",
        "====",
        "",
        f"---- CONFIG {called} ----",
        *_configuration(files.configuration(), values),
        "====",
        "",
    ]
    return "\n".join(lines)


def as_test(session: Session, name: str = "") -> str:
    """A test that makes the same steps and expects the same last state and the same verdict."""
    files = session.space.files
    stem = re.sub(r"\W", "_", Path(name).stem.removeprefix("test_")) or "walk"
    config = f", {str(files.config)!r}" if files.config is not None else ""
    steps = "".join(f"        ({move.number}, {move.title!r}),\n" for move, _ in session.path[1:])
    state = "".join(f"        {variable!r}: {text!r},\n" for variable, text in session.texts.items())
    return (
        f'"""A walk through {files.spec.stem}, exported by rmqproof."""\n\n'
        "from rmqproof import explore, load\n\n\n"
        f"def test_{stem}() -> None:\n"
        f"    walk = explore(load({str(files.spec)!r}{config}))\n"
        f"    walk.start({session.numbers[0]})\n"
        f"    steps = [\n{steps}    ]\n"
        "    for number, title in steps:\n"
        "        assert walk.step(number).move.title == title\n"
        f"    assert walk.texts == {{\n{state}    }}\n"
        f"    assert walk.violated == {session.violated!r}\n"
    )


FORMATS: dict[str, Callable[[Session, str], str]] = {
    ".itf.json": as_itf,
    ".tla": as_module,
    ".py": as_test,
    ".txt": as_text,
}
"""By the ending of a file's name."""


def _next(session: Session) -> str:
    """The next-state action by its name, else as it is written."""
    node = session.space.model.next
    assert node is not None
    if isinstance(node, core.Call) and not node.arguments:
        return node.definition.name
    return written(node)


def _configuration(config: Config | None, values: list[str]) -> Iterator[str]:
    """The constants and what is to hold of a state; the walk says where states start and how they step."""
    yield "INIT WalkInit"
    yield "NEXT WalkNext"
    yield "PROPERTY WalkIsAllowed"
    yield "CHECK_DEADLOCK FALSE"
    yield from (f"CONSTANT {value} = {value}" for value in values)
    if config is None:
        return
    for item in config.assignments:
        module = f"[{item.module.text}] " if item.module is not None else ""
        arguments = f"({', '.join(map(_value, item.arguments))})" if item.arguments else ""
        yield f"CONSTANT {item.name.text}{arguments} = {module}{_value(item.value)}"
    for by in config.replacements:
        module = f"[{by.module.text}] " if by.module is not None else ""
        yield f"CONSTANT {by.name.text} <- {module}{by.by.text}"
    yield from (f"INVARIANT {name.text}" for name in config.names("INVARIANTS"))


def _value(node: core.Expression) -> str:
    match node:
        case core.ModelValueLiteral():
            return node.name
        case core.SetEnumeration():
            return "{" + ", ".join(map(_value, node.items)) + "}"
        case core.Literal(value=bool(value)):
            return "TRUE" if value else "FALSE"
        case core.Literal(value=str(value)):
            return Notation().line(value)
        case core.Literal():
            return str(node.value)
    raise AssertionError(node)
