"""Where two behaviours part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rmqproof.model.report.behaviour import Behaviour
from rmqproof.model.report.difference import Change, state_changes
from rmqproof.model.report.text import changes_between, step_title
from rmqproof.model.report.value import Notation, canonical


class Parting(StrEnum):
    """In what two behaviours first differ."""

    VARIABLES = "variables"
    ACTION = "action"
    STATE = "state"
    LENGTH = "length"
    LOOP = "loop"


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first step that differs (its index), and in what; `changes` lead from the left state to the right one."""

    step: int
    parting: Parting
    changes: tuple[Change, ...] = ()


def first_difference(left: Behaviour, right: Behaviour) -> FirstDifference | None:
    """The first difference, or None: equal states and actions, whatever tool wrote them and in whatever shape.

    Actions are compared where both name one.
    """
    if set(left.variables) != set(right.variables):
        return FirstDifference(0, Parting.VARIABLES)
    for one, other in zip(left.steps, right.steps, strict=False):
        changes = tuple(state_changes(one.state, {name: other.state[name] for name in left.variables}))
        if changes:
            return FirstDifference(one.index, Parting.STATE, changes)
        if one.action and other.action:
            same = tuple(map(canonical, one.arguments)) == tuple(map(canonical, other.arguments))
            if one.action != other.action or not same:
                return FirstDifference(one.index, Parting.ACTION)
    shorter = min(len(left.steps), len(right.steps))
    if len(left.steps) != len(right.steps):
        return FirstDifference(shorter, Parting.LENGTH)
    return None if left.loop == right.loop else FirstDifference(shorter - 1, Parting.LOOP)


def comparison_text(left: Behaviour, right: Behaviour, width: int = 100) -> str:
    """The first difference in words; steps are numbered from 1."""
    found = first_difference(left, right)
    if found is None:
        return f"The traces are the same: {len(left.steps)} steps."
    model_values = left.origin.model_values | right.origin.model_values
    notation = Notation(model_values)
    number = found.step + 1
    lines = [] if found.step == 0 else [f"The first {found.step} steps are the same."]
    if found.parting is Parting.VARIABLES:
        only = [
            f"only the {side} has {', '.join(sorted(names))}"
            for side, names in (
                ("left", set(left.variables) - set(right.variables)),
                ("right", set(right.variables) - set(left.variables)),
            )
            if names
        ]
        return f"The traces have different variables: {'; '.join(only)}."
    if found.parting is Parting.LENGTH:
        side, more = ("left", left) if len(left.steps) > number - 1 else ("right", right)
        lines.append(f"Then the {side} goes on for {len(more.steps) - found.step} more, with:")
        lines.append(f"  {number}. {step_title(more.steps[found.step], notation)}")
        return "\n".join(lines)
    if found.parting is Parting.LOOP:
        ends = [f"step {loop + 1}" if loop is not None else "nowhere" for loop in (left.loop, right.loop)]
        return "\n".join([*lines, f"The left returns to {ends[0]}, the right to {ends[1]}."])
    titles = [step_title(behaviour.steps[found.step], notation) for behaviour in (left, right)]
    if titles[0] == titles[1]:
        lines.append(f"{number}. {titles[0]} leads to different states (- left, + right):")
    else:
        lines += [f"- {number}. {titles[0]}", f"+ {number}. {titles[1]}"]
    if found.changes:
        lines.append(changes_between(found.changes, model_values, width))
    return "\n".join(lines)
