"""The answer on a recorded run, for people and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from rmqproof.conformance.difference import Row
from rmqproof.conformance.runs.event import Event
from rmqproof.conformance.runs.explanation import Candidate, StateBefore, explain
from rmqproof.conformance.runs.pattern import shown
from rmqproof.conformance.runs.validation import Answer, Entry, Taken, Validation
from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.report.behaviour import Behaviour, Step
from rmqproof.model.report.itf import write_itf
from rmqproof.model.report.render import draw
from rmqproof.model.report.state_graph import Edge, Graph, state_graph_dot
from rmqproof.model.report.text import behaviour_text, step_title
from rmqproof.model.report.value import Notation

_LAST_STEPS = 6
_WRITTEN_STEPS = 300
_STATE_LINES = 40
_PICTURE_LAYERS = 3
_PICTURE_STATES = 40
_BOUNDS = {
    "hidden": "more steps without a line in a row than --hidden-steps",
    "width": "more possible states after an event than --width",
    "entries": "more states to look at than --max-states",
    "interrupted": "it was interrupted",
}


def coverage(result: Validation) -> Counter[str]:
    """The model's actions in the explanation, and how often each was taken."""
    return Counter(step.action for step in result.steps if step.action is not None)


def event_title(event: Event, result: Validation) -> str:
    notation = Notation(result.model.names)
    arguments = event.arguments
    if isinstance(arguments, tuple):
        return step_title(Step(1, event.action or "(a look at the state)", tuple(map(shown, arguments)), {}), notation)
    inside = ", ".join(f"{name} = {notation.line(shown(value))}" for name, value in arguments.items())
    return f"{event.action}({inside})" if inside else str(event.action)


def behaviour_of(result: Validation, steps: Sequence[Taken]) -> Behaviour:
    system = result.model.subject.system
    found = tuple(
        Step(number, step.action, tuple(map(to_itf, step.arguments)), system.to_itf(step.state))
        for number, step in enumerate(steps)
    )
    return Behaviour(tuple(system.variables), found, origin=result.model.subject.origin)


def answer_line(result: Validation) -> str:
    """In a sentence."""
    name = result.model.subject.name
    if result.answer is Answer.YES:
        return f"Yes: the run is a behaviour of {name}."
    if result.answer is Answer.NO:
        return f"No: the run is no behaviour of {name}."
    why = _BOUNDS.get(result.bound, result.bound)
    return f"Unknown: no explanation was found, but not everything was tried: {why}."


def summary(result: Validation) -> list[str]:
    """The answer and its numbers, a line each."""
    order, count = result.order, len(result.order.events)
    lines = [answer_line(result)]
    nodes = len({node for node, _ in order.nodes})  # packed events would be unpacked one by one
    silent = f", and {order.silent:,} lines that say nothing of the state" if order.silent else ""
    lines.append(
        f"events: {result.explained:,} of {count:,} explained, of {nodes} nodes{silent}, {result.seconds:,.1f} s"
    )
    if result.steps:
        taken = coverage(result)
        actions = result.model.domains.names
        unlogged = Counter(s.action for s in result.steps if s.tell is None and s.action is not None)
        states = len({(step.fingerprint, step.folded) for step in result.steps})
        lines.append(f"coverage: {len(taken)} of {len(actions)} actions, {states:,} different states")
        lines += [
            f"  {name} {times:,}" + (f" ({unlogged[name]:,} without a line)" if unlogged[name] else "")
            for name, times in taken.most_common()
        ]
    if result.widths:
        widest = max(result.widths)
        several = sum(width > 1 for width in result.widths)
        lines.append(
            f"ambiguity: at most {widest:,} possible states after an event, {several:,} of {len(result.widths):,} "
            f"layers with more than one, {result.widths[-1]:,} at the end"
        )
    lines.append(f"points that the search was at: {result.tried:,}")
    if result.hidden:
        lines.append(f"steps that need no line: {', '.join(sorted(result.hidden))}")
    if order.lost:
        lines.append(f"lost lines by the nodes' own counting: {order.lost} ({'; '.join(order.lost_at[:5])})")
    if result.lost:
        lines.append(f"lines taken to be lost in this explanation: {result.lost}")
    if order.unsent:
        lines.append(f"messages received that no line says were sent: {order.unsent}")
    return lines


def rejection(result: Validation, width: int = 100) -> list[str]:
    """The event that is not explained, the states that are possible before it, and what is against each step."""
    if result.answer is Answer.YES:
        return []
    doubt = result.model.mapping.doubt
    lines: list[str] = ["", doubt] if doubt else []
    steps = result.steps
    if steps:
        lines += ["", f"The longest prefix that is explained has {result.explained} events. Its last steps:"]
        for number, step in enumerate(steps[-_LAST_STEPS:], len(steps) - len(steps[-_LAST_STEPS:])):
            title = step_title(
                Step(number, step.action, tuple(map(to_itf, step.arguments)), {}), Notation(result.model.names)
            )
            where = f"  {step.event.origin}" if step.event is not None else "  (no line)" if number else ""
            lines.append(f"  {number + 1}. {title}{where}")
    before = explain(result)
    for number, possible in enumerate(before, 1):
        if number == 1 or possible.event.origin != before[number - 2].event.origin:
            lines += [
                "",
                f"Not explained: {possible.event.origin}: {event_title(possible.event, result)}",
            ]
            if possible.event.text:
                lines.append(f"  {possible.event.text}")
        lines += ["", f"Possible state {number} of {len(_states(result.candidates))} before it:"]
        lines += _state_lines(result, possible, width)
        for candidate in possible.candidates:
            lines += _candidate_lines(result, candidate)
        if not possible.candidates:
            lines.append(
                f"  no step {possible.event.action} of arguments that the line allows, of those that were looked at"
            )
    return lines


def _states(entries: Sequence[Entry]) -> set[int]:
    return {entry.fingerprint for entry in entries}


def _state_lines(result: Validation, possible: StateBefore, width: int) -> list[str]:
    behaviour = behaviour_of(result, [Taken(lambda: possible.state, possible.entry.fingerprint)])
    lines = [f"  {line}" for line in behaviour_text(behaviour, width).plain.splitlines()[1:] if line.strip()]
    if len(lines) <= _STATE_LINES:
        return lines
    values = result.model.subject.system.values(possible.state)
    names = result.model.subject.system.variables
    return [f"      /\\ {name} = {shorten(value, 3 * width)}" for name, value in zip(names, values, strict=True)]


def _candidate_lines(result: Validation, candidate: Candidate) -> list[str]:
    notation = Notation(result.model.names)
    title = step_title(Step(1, candidate.action, tuple(map(to_itf, candidate.arguments)), {}), notation)
    if candidate.blame is not None:
        blame = candidate.blame
        place = f" ({blame.at})" if blame.at is not None else ""
        lines = [f"  {title} is not enabled; the first conjunct that is false, after {blame.passed} that are true:"]
        lines.append(f"      {blame.text}{place}")
        return lines + [f"        {name} is {value}" for name, value in blame.values]
    if candidate.rows:
        lines = [f"  {title} is enabled, and the state after it is another one:"]
        return lines + [
            f"      {row.path}: the model has {row.model}, the run {row.implementation}" for row in candidate.rows
        ]
    if candidate.meant:
        return [f"  {title} is enabled, and what its names stand for contradicts what they stood for before"]
    return [f"  {title} would explain what the line says of the state"]


def print_validation(result: Validation, console: Console) -> None:
    first, *others = summary(result)
    style = {Answer.YES: "bold green", Answer.NO: "bold red", Answer.UNKNOWN: "bold yellow"}[result.answer]
    console.print(first, style=style, markup=False, soft_wrap=True)
    for line in [*others, *rejection(result)]:
        console.print(line, markup=False, soft_wrap=True)


def last_layers(result: Validation) -> Graph:
    """The states of the last layers and the steps between them; the event that is not explained hangs on the last."""
    layers = result.layers[-_PICTURE_LAYERS:]
    system, notation = result.model.subject.system, Notation(result.model.names)
    numbers: dict[tuple[int, int], int] = {}
    states: list[dict[str, Any]] = []
    edges: list[Edge] = []
    for number, layer in enumerate(layers):
        for entry in layer:
            if (number, entry.fingerprint) not in numbers and len(states) < _PICTURE_STATES:
                numbers[number, entry.fingerprint] = len(states)
                states.append(system.to_itf(result.state(entry)))
    for number, layer in enumerate(layers):
        for entry, link in layer.items():
            source_layer = number - (link.event is not None)
            if link.before is None or source_layer < 0:
                continue
            tail = numbers.get((source_layer, link.before.entry.fingerprint))
            head = numbers.get((number, entry.fingerprint))
            if tail is None or head is None:
                continue
            where = "no line"
            if link.event is not None:
                origin = result.order.events[link.event].origin
                where = f"{Path(origin.file).name}:{origin.line}"
            step = Step(1, link.action or "(no step)", tuple(map(to_itf, link.arguments)), {})
            edge = Edge(tail, head, f"{step_title(step, notation)}  {where}")
            if edge not in edges:
                edges.append(edge)
    last = frozenset(n for (layer, _), n in numbers.items() if layer == len(layers) - 1)
    violated = ""
    if result.answer is not Answer.YES and result.candidates:
        events = result.events_after(result.candidates[0])
        violated = f"{event_title(events[0], result)} at {events[0].origin}" if events else ""
    initial = {
        (n, entry.fingerprint) for n, layer in enumerate(layers) for entry in layer if layer[entry].before is None
    }
    first = frozenset(number for key, number in numbers.items() if key in initial and layers[0] is result.layers[0])
    return Graph(
        tuple(system.variables), tuple(states), tuple(edges), first, last if violated else frozenset(),
        f"The next event, {violated}," if violated else "", True, result.model.subject.origin,
    )  # fmt: skip


def write_files(result: Validation, folder: Path) -> tuple[list[Path], str]:
    """The explanation as ITF and text, of a long run its end, and the last layers as a picture; the files, and what is
    to be said where the picture is none."""
    folder.mkdir(parents=True, exist_ok=True)
    text, itf, picture = folder / "validation.txt", folder / "explained.itf.json", folder / "last-layers.svg"
    last = result.steps[-_WRITTEN_STEPS:]
    content = [*summary(result), *rejection(result), ""]
    if len(last) < len(result.steps):
        content.append(f"The last {len(last):,} of {len(result.steps):,} states:")
    content.append(behaviour_text(behaviour_of(result, last)).plain)
    text.write_text("\n".join(content) + "\n", encoding="utf-8")
    written = [text]
    if result.steps:
        write_itf(behaviour_of(result, last), itf)
        written.append(itf)
    graph, problem = last_layers(result), ""
    if graph.states:
        dot = state_graph_dot(graph).replace("is violated in the red states", "is explained in none of the red states")
        drawn = draw(dot, picture)
        written += [drawn.path] if drawn.path is not None else []
        problem = drawn.problem
    return written, problem


def to_json(result: Validation) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "result": result.answer.value,
        "message": summary(result)[0],
        "specification": result.model.subject.origin.specification,
        "config": result.model.subject.origin.config,
        "events": len(result.order.events),
        "explained": result.explained,
        "seconds": round(result.seconds, 3),
        "tried": result.tried,
        "actions": dict(coverage(result)),
        "statesPerLayer": list(result.widths),
        "hiddenActions": sorted(result.hidden),
        "lostLines": result.lost,
        "bound": result.bound,
        "doubt": result.model.mapping.doubt if result.answer is not Answer.YES else "",
        "notExplained": list(_unexplained(result)),
    }


def _unexplained(result: Validation) -> Iterator[dict[str, Any]]:
    if result.answer is Answer.YES:
        return
    for possible in explain(result):
        yield {
            "file": possible.event.origin.file,
            "line": possible.event.origin.line,
            "event": event_title(possible.event, result),
            "state": result.model.subject.system.to_itf(possible.state),
            "candidates": [_candidate_json(candidate) for candidate in possible.candidates],
        }


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    found: dict[str, Any] = {"action": candidate.action, "arguments": [to_itf(value) for value in candidate.arguments]}
    if candidate.blame is not None:
        found["falseConjunct"] = candidate.blame.text
        found["at"] = str(candidate.blame.at)
        found["trueBefore"] = candidate.blame.passed
        found["values"] = dict(candidate.blame.values)
    if candidate.rows:
        found["rows"] = [_row_json(row) for row in candidate.rows]
    return found


def _row_json(row: Row) -> dict[str, str]:
    return {"part": row.path, "model": row.model, "run": row.implementation}
