"""A comparison of an implementation with a model, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from rmqproof.conformance.difference import Asked, Difference, rows
from rmqproof.conformance.exploration import Conformance
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.report.diagram import behaviour_dot
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import draw
from rmqproof.model.report.text import behaviour_text, step_title
from rmqproof.model.report.value import Notation, canonical

MOST_SHOWN = 10
"""Differences that are printed or written at most."""
_MOST_ROWS = 25
_MOST_ELIDED = 8


def path_to(result: Conformance, difference: Difference) -> tuple[Step, ...]:
    """The model's steps up to the state in which the action of a difference was asked for."""
    subject = result.subject
    shown: list[Step] = []
    state: Any = None
    for step in result.behaviours.get(difference.source, ()):
        arguments = tuple(to_itf(argument) for argument in step.arguments)
        shown.append(Step(len(shown), step.action, arguments, subject.system.to_itf(step.state)))
        state = step.state
    if state is None and difference.since:
        state = next(iter(subject.system.initial_states()), None)
        shown.append(Step(0, None, (), subject.system.to_itf(state)))
    for asked in difference.since:
        state = _after(result, state, asked)
        if state is None:
            break
        shown.append(Step(len(shown), asked.action, asked.arguments, subject.system.to_itf(state)))
    return tuple(shown)


def _after(result: Conformance, state: Any, asked: Asked) -> Any:
    system = result.subject.system
    wanted = tuple(map(canonical, asked.arguments))
    for action, arguments, target in system.successors(state):
        if system.actions[action] == asked.action and tuple(canonical(to_itf(a)) for a in arguments) == wanted:
            return target
    return None


def behaviour_of(result: Conformance, difference: Difference, observed: bool) -> Behaviour:
    """The path to a difference and its last step, as the model has it or as the implementation shows it."""
    path = path_to(result, difference)
    last = difference.observed if observed else difference.expected
    steps = list(path)
    if last is not None:
        before = steps[-1].state if steps else {}
        state = {**before, **(difference.expected or {}), **last}
        title = difference.asked.action if steps else None
        steps.append(Step(len(steps), title, difference.asked.arguments if steps else (), state))
    variables = tuple(result.subject.system.variables)
    shown = tuple(replace(s, state={n: s.state.get(n, {"#unserializable": "?"}) for n in variables}) for s in steps)
    return Behaviour(
        variables, shown, violated="What the model says" if observed else "", sentence=sentence(difference, result),
        origin=result.subject.origin,
    )  # fmt: skip


def sentence(difference: Difference, result: Conformance) -> str:
    """What a difference is, in one sentence."""
    notation = Notation(result.subject.origin.model_values)
    action = step_title(Step(1, difference.asked.action, difference.asked.arguments, {}), notation)
    text = f"{action}: {difference.kind}"
    return f"{text} ({difference.message})." if difference.message else f"{text}."


def difference_text(result: Conformance, difference: Difference, count: int = 1, width: int = 100) -> str:
    """The path, the action, and what differs, side by side."""
    lines = [sentence(difference, result)]
    if count > 1:
        lines.append(f"({count:,} differences of this kind; this is the first on a shortest path.)")
    path = path_to(result, difference)
    if path:
        behaviour = Behaviour(tuple(result.subject.system.variables), path, origin=result.subject.origin)
        again = len(path) - len(difference.since)
        note = f", without a restore from step {again} on" if difference.since and difference.source >= 0 else ""
        lines += ["", f"After {len(path)} states{note}:", behaviour_text(behaviour, width).plain.rstrip(), ""]
    table = rows(difference.changes(), result.subject.origin.model_values)
    if table:
        lines += _table(table[:_MOST_ROWS])
        if len(table) > _MOST_ROWS:
            lines.append(f"… and {len(table) - _MOST_ROWS} more parts.")
    elif difference.expected is not None and difference.before is not None and difference.observed is None:
        notation = Notation(result.subject.origin.model_values)
        step = step_title(Step(1, difference.asked.action, difference.asked.arguments, {}), notation)
        wanted = Behaviour(
            tuple(difference.expected),
            (
                Step(0, None, (), {name: difference.before[name] for name in difference.expected}),
                Step(1, difference.asked.action, difference.asked.arguments, difference.expected),
            ),
            origin=result.subject.origin,
        )
        lines.append(f"The model's step {step}:")
        lines += behaviour_text(wanted, width).plain.rstrip().split("\n2. ")[-1].split("\n")[1:]
    twin = result.twins.get(id(difference))
    if twin is not None:
        lines += ["", "To the same state of the model there is another path, after which it does as the model says:"]
        notation = Notation(result.subject.origin.model_values)
        for number, taken in enumerate(twin):
            shown = Step(number, taken.action, tuple(map(to_itf, taken.arguments)), {})
            lines.append(f"{number + 1}. {step_title(shown, notation)}")
    return "\n".join(lines)


def _table(found: list[Any]) -> list[str]:
    console = Console(width=110, highlight=False, color_system=None, markup=False, emoji=False)
    table = Table(box=None, pad_edge=False, show_edge=False)
    for title in ("part", "model", "implementation"):
        table.add_column(title, overflow="fold")
    for row in found:
        table.add_row(*(row.path, row.model, row.implementation))
    with console.capture() as captured:
        console.print(table)
    return [line.rstrip() for line in captured.get().rstrip().split("\n")]


def summary(result: Conformance) -> list[str]:
    """The numbers, a line each."""
    tally, total = result.tally, sum(result.model.edges.values())
    whole = "" if result.model.whole else " (as far as it was explored)"
    rate = result.edges / result.edge_seconds if result.edge_seconds else 0.0
    lines = [
        f"model: {result.model.states:,} distinct states, {total:,} edges{whole}, depth {result.depth}",
        f"performed: {result.edges:,} of {total:,} edges from {result.expanded:,} states, "
        f"{rate:,.0f} edges/s, {result.seconds:,.1f} s, {result.workers} worker{'s' if result.workers > 1 else ''}",
        f"asked for, not allowed, refused and nothing changed: {sum(tally.asked.values()):,}",
        f"without a restore: {result.paths:,} whole paths ({result.path_steps:,} steps), {tally.probes:,} probes "
        f"after edges ({tally.probe_steps:,} steps)",
    ]
    taken = [name for name in result.actions if tally.edges.get(name)]
    never = [name for name in result.actions if not result.model.edges.get(name)]
    lines.append(f"actions: {len(taken)} of {len(result.actions)} performed")
    if never:
        lines.append(f"  never enabled in this model: {', '.join(never)}")
    for (action, reason), count in sorted(tally.left.items()):
        if count:
            lines.append(f"  not performed: {count:,} edges of {action}: {reason or 'unsupported, without a reason'}")
    if result.cut:
        lines.append(f"  only a sample of the arguments was asked for: {', '.join(sorted(result.cut))}")
    if result.stopped == "lost":
        lines.append("  stopped: the implementation died or hung too often")
    if result.model.whole and not result.stopped and result.states < result.model.states:
        lines.append(
            f"  the implementation was in {result.states:,} of {result.model.states:,} states of the model: the others "
            "lie behind steps that it did not take"
        )
    return lines


def verdict(result: Conformance) -> str:
    """The last line."""
    if result.differences:
        groups = len(result.groups())
        return f"The implementation differs from {result.subject.name}: {groups} difference{'s' * (groups > 1)}."
    if result.problems:
        return "No success: " + " ".join(result.problems)
    if result.stopped:
        why = "Interrupted" if result.stopped == "interrupted" else "Stopped at --max-states"
        return f"{why} after {result.edges:,} edges: no difference so far, which proves nothing about the others."
    left = sum(result.tally.left.values())
    return f"The implementation performs {'every edge' if not left else 'the other edges'} of {result.subject.name}."


def print_result(result: Conformance, console: Console, elided: Mapping[str, str]) -> None:
    for line in summary(result):
        console.print(line, markup=False, soft_wrap=True)
    if len(elided) > _MOST_ELIDED:
        console.print(f"  left out, each with a reason in elided(): {', '.join(elided)}", style="dim", markup=False)
    for name, reason in elided.items() if len(elided) <= _MOST_ELIDED else ():
        console.print(f"  left out: {name}: {reason}", style="dim", markup=False, soft_wrap=True)
    for number, (difference, count) in enumerate(result.groups()[:MOST_SHOWN], 1):
        console.print()
        console.print(f"Difference {number}", style="bold red")
        console.print(difference_text(result, difference, count), markup=False, soft_wrap=True)
    more = len(result.groups()) - MOST_SHOWN
    if more > 0:
        console.print(f"\n… and {more} more.", markup=False)
    console.print()
    console.print(verdict(result), style="bold green" if result.conforms else "bold red", markup=False, soft_wrap=True)


def write_files(result: Conformance, folder: Path) -> tuple[list[Path], str]:
    """Each difference as text, as ITF (the model's step and the implementation's) and as a picture; the files, and what
    is to be said where a picture is none."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    problem = ""
    for number, (difference, count) in enumerate(result.groups()[:MOST_SHOWN], 1):
        base = folder / f"difference-{number}"
        text = base.with_suffix(".txt")
        text.write_text(difference_text(result, difference, count) + "\n", encoding="utf-8")
        written.append(text)
        for observed, name in ((False, "model"), (True, "implementation")):
            behaviour = behaviour_of(result, difference, observed)
            if (difference.observed if observed else difference.expected) is not None and behaviour.steps:
                itf = folder / f"difference-{number}.{name}.itf.json"
                write_itf(behaviour, itf)
                written.append(itf)
        shown = behaviour_of(result, difference, difference.observed is not None)
        if shown.steps:
            drawn = draw(behaviour_dot(shown), base.with_suffix(".svg"))
            written += [drawn.path] if drawn.path is not None else []
            problem = problem or drawn.problem
    return written, problem


def to_json(result: Conformance) -> dict[str, Any]:
    """The result for programs."""
    notation = Notation(result.subject.origin.model_values)
    return {
        "result": "conforms" if result.conforms else "differs" if result.differences else "incomplete",
        "message": verdict(result),
        "specification": result.subject.origin.specification,
        "config": result.subject.origin.config,
        "distinctStates": result.model.states,
        "statesReached": result.states,
        "statesExpanded": result.expanded,
        "stateDepth": result.depth,
        "edges": sum(result.model.edges.values()),
        "edgesPerformed": result.edges,
        "seconds": round(result.seconds, 3),
        "edgesPerSecond": round(result.edges / result.edge_seconds, 1) if result.edge_seconds else 0,
        "workers": result.workers,
        "stopped": result.stopped,
        "actions": [
            {
                "name": name,
                "edges": result.model.edges.get(name, 0),
                "performed": result.tally.edges.get(name, 0),
                "refused": result.tally.asked.get(name, 0),
            }
            for name in result.actions
        ],
        "notPerformed": [
            {"action": action, "edges": count, "reason": reason}
            for (action, reason), count in sorted(result.tally.left.items())
        ],
        "paths": result.paths,
        "pathSteps": result.path_steps,
        "probes": result.tally.probes,
        "probeSteps": result.tally.probe_steps,
        "differences": [
            {
                "kind": difference.kind.name.lower(),
                "action": difference.asked.action,
                "arguments": list(difference.asked.arguments),
                "count": count,
                "message": difference.message,
                "path": [step_title(step, notation) for step in path_to(result, difference)],
                "rows": [
                    {"part": row.path, "model": row.model, "implementation": row.implementation}
                    for row in rows(difference.changes(), result.subject.origin.model_values)
                ],
            }
            for difference, count in result.groups()
        ],
    }
