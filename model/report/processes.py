"""From a behaviour to a chart. What the processes are and who acts is a `Processes`; the rest is the same for all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Protocol

from rmqproof.model.report.behaviour import Behaviour, Step, Value
from rmqproof.model.report.chart import Arrow, Chart, Event, Lane, Legend, Life, Note, Strip, Tone, Turn
from rmqproof.model.report.messages import Message, messages
from rmqproof.model.report.text import changes_text, ending
from rmqproof.model.report.value import Notation, canonical, function_pairs

State = Mapping[str, Value]

_FAULT = re.compile(r"crash|lost|lose|loss|break|expire|fail|drop|partition|time_?out|stop|kill", re.IGNORECASE)
_LOSS = re.compile(r"lost|lose|loss|drop|discard", re.IGNORECASE)
_LONGEST_ARGUMENT = 14


class Processes(Protocol):
    """What a chart shows of a specification. `before` is the step before `step`."""

    @property
    def lanes(self) -> tuple[Lane, ...]: ...

    def actor(self, before: Step, step: Step) -> str:
        """The lane on which the step happens."""
        ...

    def exchanges(self, before: Step, step: Step) -> list[Arrow]:
        """Messages that are sent and received in this one step."""
        ...

    def route(self, message: Message, sender: str, receiver: str) -> Arrow | None:
        """The arrow of a message that was sent and ended in steps of these actors."""
        ...

    def standing(self, lane: str, state: State) -> list[Note]:
        """What to say about a process in the initial state."""
        ...

    def notes(self, lane: str, before: Step, step: Step) -> list[Note]:
        """What to say about what changed on a process."""
        ...

    def strips(self, lane: str, state: State) -> tuple[Strip, ...]:
        """The sequences of a process; drawn where they change, and all of them in the violating step."""
        ...

    def life(self, lane: str, state: State) -> Life: ...

    def legend(self, behaviour: Behaviour) -> Legend: ...


def chart_of(behaviour: Behaviour, processes: Processes) -> Chart:
    """The chart of a behaviour."""
    notation = Notation(behaviour.origin.model_values)
    steps = behaviour.steps
    first = "initially" if behaviour.initial else "before"
    actors = {0: ""} | {step.index: processes.actor(steps[step.index - 1], step) for step in steps[1:]}
    events = [
        Event(0, lane.name, first, tuple(processes.standing(lane.name, steps[0].state)), strips)
        for lane in processes.lanes
        if (strips := processes.strips(lane.name, steps[0].state)) or processes.standing(lane.name, steps[0].state)
    ]
    if not events:
        events = [Event(0, processes.lanes[0].name, first)]
    arrows: list[Arrow] = []
    for before, step in pairwise(steps):
        events += _events(behaviour, processes, notation, before, step, actors[step.index])
        arrows += processes.exchanges(before, step)
    for message in messages(behaviour):
        arrow = _arrow(processes, message, actors)
        if arrow is not None:
            lost = _LOSS.search(steps[message.ended].action or "") is not None
            arrows.append(replace(arrow, dropped=arrow.dropped or lost))
    words = ending(behaviour)
    return Chart(
        processes.lanes,
        tuple(events),
        tuple(arrows),
        tuple(_turns(behaviour, processes)),
        behaviour.loop,
        words.verdict,
        words.sentence,
        processes.legend(behaviour),
        behaviour.fairness,
    )


def short_title(step: Step, notation: Notation) -> str:
    """The action with those of its arguments that are short."""
    arguments = [notation.line(argument) for argument in step.arguments]
    shown = ", ".join(text for text in arguments if len(text) <= _LONGEST_ARGUMENT)
    name = step.action or "(step)"
    return f"{name}({shown})" if shown else name


def function_at(value: Value, argument: str) -> Value | None:
    """`value[argument]`, or None when `value` is no function with that argument."""
    for key, item in function_pairs(value) or []:
        if key == argument:
            return item
    return None


def _events(
    behaviour: Behaviour, processes: Processes, notation: Notation, before: Step, step: Step, actor: str
) -> list[Event]:
    violating = bool(behaviour.violated) and behaviour.loop is None and step.index + 1 == len(behaviour.steps)
    fault = step.action is not None and _FAULT.search(step.action) is not None
    tone = Tone.BAD if violating else Tone.FAULT if fault else Tone.PLAIN
    events = []
    for lane in processes.lanes:
        notes = tuple(processes.notes(lane.name, before, step))
        strips = processes.strips(lane.name, step.state)
        if not violating:
            strips = _changed(processes.strips(lane.name, before.state), strips, ticks=lane.name == actor)
        if lane.name == actor:
            tooltip = changes_text(behaviour, step.index)
            events.append(Event(step.index, actor, short_title(step, notation), notes, strips, tone, tooltip))
        elif notes or strips:
            events.append(Event(step.index, lane.name, "", notes, strips))
    return events


def _arrow(processes: Processes, message: Message, actors: Mapping[int, str]) -> Arrow | None:
    names = {lane.name for lane in processes.lanes}
    route = processes.route(message, actors[message.sent], actors[message.ended])
    return route if route and route.tail in names and route.head in names and message.sent > 0 else None


def _changed(before: tuple[Strip, ...], after: tuple[Strip, ...], ticks: bool) -> tuple[Strip, ...]:
    """The strips that are not as they were; new ticks alone count only when asked for."""
    old = {strip if ticks else _without_ticks(strip) for strip in before}
    return tuple(strip for strip in after if (strip if ticks else _without_ticks(strip)) not in old)


def _without_ticks(strip: Strip) -> Strip:
    return replace(strip, cells=tuple(replace(cell, ticked=False) for cell in strip.cells))


def _turns(behaviour: Behaviour, processes: Processes) -> list[Turn]:
    turns = []
    for lane in processes.lanes:
        last: Life | None = None
        for step in behaviour.steps:
            life = processes.life(lane.name, step.state)
            if life is not last:
                turns.append(Turn(lane.name, step.index, life))
            last = life
    return turns


def same(left: Value, right: Value) -> bool:
    """Whether TLA+ calls two values equal."""
    return canonical(left) == canonical(right)
