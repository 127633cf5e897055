"""Why a behaviour is fair: for each fairness condition, where on the cycle it is not enabled or is taken."""

from __future__ import annotations

from collections.abc import Sequence

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import And, Atom, Formula, Or, Truth
from rmqproof.model.search.system import State


@dataclass(frozen=True, slots=True)
class FairnessCondition:
    """WF or SF of one action. `text` as the specification has it, `bound` the values of quantified names in it."""

    strong: bool
    text: str
    bound: str
    enabled: Formula
    """A proposition of a state."""
    taken: Formula
    """A proposition of a step."""


def explain(
    conditions: Sequence[FairnessCondition], states: Sequence[State], loop: int, back: State
) -> tuple[str, ...]:
    """A line for each condition and its fate on the cycle `states[loop:]`, which a step to `back` closes; instances
    that fare alike share a line.

    Steps count from 1, as in the text of a behaviour: step n leads to the n-th state.
    """
    lines: dict[tuple[str, str], list[str]] = {}
    for condition in conditions:
        fate = _fate(condition, states, loop, back)
        lines.setdefault((condition.text, fate), [])
        if condition.bound:
            lines[condition.text, fate].append(condition.bound)
    return tuple(
        f"{text}: {fate}" + (f" ({'; '.join(bound)})" if bound else "") for (text, fate), bound in lines.items()
    )


def _fate(condition: FairnessCondition, states: Sequence[State], loop: int, back: State) -> str:
    indices = range(loop, len(states))
    for index in indices[:-1]:
        if holds(condition.taken, states[index], states[index + 1]):
            return f"taken at step {index + 2}"
    if len(indices) > 1 and holds(condition.taken, states[-1], back):
        return f"taken on the way back to step {loop + 1}"
    disabled = [index for index in indices if not holds(condition.enabled, states[index], states[index])]
    if not disabled:
        return "enabled for ever and never taken"
    if len(indices) == 1:
        return f"not enabled after step {disabled[0] + 1}"
    if len(disabled) == len(indices):
        return "never enabled on the cycle"
    where = f"not enabled after step {disabled[0] + 1}"
    return f"{where}, but enabled again and again and never taken" if condition.strong else where


def holds(proposition: Formula, before: State, after: State) -> bool:
    """The truth of a formula without temporal operators."""
    match proposition:
        case Truth(value):
            return value
        case Atom(predicate, positive):
            found = predicate.test(before, after) if predicate.step else predicate.test(before)
            return bool(found) is positive
        case And(parts):
            return all(holds(part, before, after) for part in parts)
        case Or(parts):
            return any(holds(part, before, after) for part in parts)
    raise AssertionError("a proposition has no temporal operators")
