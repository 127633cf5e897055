"""What is told of a step that no candidate excludes: whether it can be reached, and what would come nearest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.infer.clauses import elements
from rmqproof.model.infer.finding import Finding
from rmqproof.model.infer.induction import Breach
from rmqproof.model.infer.opening import Opened
from rmqproof.model.infer.stages import prefixes
from rmqproof.model.infer.vocabulary import Clause
from rmqproof.model.prove.countermodel import Countermodel
from rmqproof.model.prove.reach import reach
from rmqproof.model.report.behaviour import Behaviour, Origin, Step

_LITERALS, _SHOWN = 3, 3


@dataclass(frozen=True, slots=True)
class Near:
    """A candidate that excludes a step, and is false in so many reachable states, first after so many steps."""

    text: str
    states: int
    steps: int


def step_of(start: Opened, breach: Breach, broken: str, command: str = "") -> Behaviour:
    """The step as a behaviour of two states, of which the first need not be reachable."""
    names = [variable.name for variable in start.model.specification.variables]
    steps = []
    for index, state in enumerate((breach.before, breach.after)):
        shown = dict(zip(names, map(to_itf, state), strict=True))
        arguments = tuple(map(to_itf, breach.arguments)) if index else ()
        steps.append(Step(index, (breach.action or None) if index else None, arguments, shown))
    values = frozenset(str(value) for value in start.model.model_values)
    origin = Origin(command=command, model_values=values)
    return Behaviour(tuple(names), tuple(steps), None, broken, "", origin, initial=False)


def reached(start: Opened, breach: Breach, seconds: float) -> str:
    """Whether the state before the step is reachable, in words."""
    found = start.reachable
    steps = found.steps_to(breach.before)
    if steps is not None:
        return f"reachable: it was met {steps} steps from an initial state"
    if found.whole:
        return f"not reachable: it is none of the {len(found.states):,} reachable states of this model"
    counter = Countermodel({}, now=breach.before, then=breach.after)
    return str(reach(start.model, counter, seconds))


def nearest(start: Opened, finding: Finding, breach: Breach) -> list[Near]:
    """The candidates that exclude the state before a step and are false in the fewest reachable states."""
    found: dict[str, Near] = {}
    for clause in _close(finding, breach):
        text = start.words.text(clause)
        if text in found:
            continue
        holds = finding.test_of(clause)
        failing = [place for place, state in enumerate(start.reachable.states) if not holds(state)]
        if failing:
            steps = min(start.reachable.depth[place] for place in failing)
            found[text] = Near(text, len(failing), steps)
    return sorted(found.values(), key=lambda near: (near.states, len(near.text)))[:_SHOWN]


def _close(finding: Finding, breach: Breach) -> Iterator[Clause]:
    """For each binding a clause that leaves few of the known rows, chosen one literal after the other."""
    for names in prefixes(finding.words.names, 2):
        space = finding.space(names, 0)
        for row in sorted(space.rows((*breach.before, 0))):
            left, chosen = {(known ^ row) & space.mask for known in space.known}, 0
            while left and chosen.bit_count() < _LITERALS:
                best = max(elements(space.mask), key=lambda x: sum(r >> x & 1 for r in left), default=-1)
                if best < 0 or not any(r >> best & 1 for r in left):
                    break  # no literal tells these from the state
                chosen |= 1 << best
                left = {r for r in left if not r >> best & 1}
            if chosen:
                yield space.against(row, elements(chosen))
