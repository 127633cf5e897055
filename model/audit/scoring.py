"""What the properties of a model say of each of its mutants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rmqproof.model.audit.graph import NO_VALUE, Space, explored
from rmqproof.model.audit.mutation import Mutant, mutated
from rmqproof.model.audit.pieced import Changed, Pieced, Unfit
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.report.value import Notation
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError


class Fate(StrEnum):
    """What became of a mutant. `OPEN`: another graph, in which nothing was violated as far as it was explored."""

    KILLED = "killed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant with what came of it. `killers` are the properties that it violates; `states` and `steps` are those that
    it has more and fewer, but for steps that change nothing; `witness` is a state, or a step, that only one of the two
    has, in words."""

    mutant: Mutant
    fate: Fate
    killers: tuple[str, ...] = ()
    more_states: int = 0
    fewer_states: int = 0
    more_steps: int = 0
    fewer_steps: int = 0
    witness: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    """The actions on the way to the witness."""

    @property
    def rank(self) -> tuple[int, int, int]:
        """The worst survivor first: one that reaches what the specification does not."""
        kind = 0 if self.more_states else 1 if self.fewer_states else 2
        return kind, -(self.more_states or self.fewer_states or self.more_steps + self.fewer_steps), self.mutant.number


Liveness = Callable[[Mutant, core.Model, Changed | PythonSystem, Space], tuple[str, ...] | None]
"""The liveness properties that a mutant violates, whose model, system and states these are; None where that was not
found out."""


@dataclass(slots=True)
class Original:
    """The specification as it is, and how far mutants are explored."""

    model: core.Model
    system: PythonSystem
    space: Space
    properties: tuple[str, ...]
    most: int
    over: Callable[[], bool]
    enough: int
    """As many states of a mutant are explored as may say which other properties notice it, once one has."""
    pieced: Pieced | None = None
    """The system by pieces, which explored `space`."""
    liveness: Liveness = field(default=lambda *_: ())


def silent(text: str) -> None:
    """Print and PrintT write nowhere: an audit explores a hundred models, and prints of its own."""


def tried(original: Original, mutants: Sequence[Mutant]) -> Iterator[Trial]:
    """What becomes of each, until the time is over."""
    for mutant in mutants:
        if original.over():
            return
        trial = tried_one(original, mutant)
        if trial is not None:
            yield trial


def tried_one(original: Original, mutant: Mutant) -> Trial | None:
    """None: the time was over before it was known."""
    with mutated(original.model, mutant) as model:
        try:
            system, space = _explored(original, mutant, model)
        except (TlaError, RecursionError):
            return Trial(mutant, Fate.KILLED, (NO_VALUE,))
        killers = tuple(space.violated)
        if killers:
            return Trial(mutant, Fate.KILLED, killers)
        if not space.whole and original.over():
            return None
        live = original.liveness(mutant, model, system, space) if space.whole else ()
    if live:
        return Trial(mutant, Fate.KILLED, live)
    return _compared(original, mutant, system, space, known=live is not None)


def _explored(original: Original, mutant: Mutant, model: core.Model) -> tuple[Changed | PythonSystem, Space]:
    """The states of a mutant, by what it changes where that is enough. Raise `TlaError`."""
    runtime, asked = Runtime(output=silent), original.properties
    changed = original.pieced.with_mutant(mutant, model, runtime) if original.pieced is not None else None
    if changed is not None:
        try:
            if changed.is_same(original.space, original.over):
                return changed, replace(original.space, violated={})
            return changed, explored(changed, asked, original.most, original.over, original.enough)
        except Unfit:
            pass
    system = system_of(model, runtime)
    return system, explored(system, asked, original.most, original.over, original.enough)


def _moves(new: Space, old: Space) -> Iterator[tuple[int, int]]:
    """Steps that only `new` has, and that change something: of others no formula of TLA+ can speak."""
    return (step for step in new.steps if step not in old.steps and step[0] != step[1])


def _compared(original: Original, mutant: Mutant, system: Changed | PythonSystem, space: Space, known: bool) -> Trial:
    """A survivor, and what is different about its graph."""
    old, new = original.space, space
    notation = Notation(original.model.model_values)

    def shown(of: Changed | PythonSystem, state: State) -> tuple[str, ...]:
        return tuple(f"{name} = {notation.line(value)}" for name, value in of.to_itf(state).items())

    more = [mark for mark in new.states if mark not in old.states]
    fewer = [mark for mark in old.states if mark not in new.states] if new.whole else []
    steps = list(_moves(new, old))
    gone = list(_moves(old, new)) if new.whole else []
    if not (more or fewer or steps or gone):
        fate = Fate.EQUIVALENT if new.whole else Fate.OPEN
        return Trial(mutant, fate)
    witness: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    if more:
        witness = shown(system, new.states[more[0]])
        path = tuple(system.actions[action] for action in new.path(more[0]))
    elif fewer:
        witness = shown(original.system, old.states[fewer[0]])
        path = tuple(original.system.actions[action] for action in old.path(fewer[0]))
    else:
        before, after = (steps or gone)[0]
        states, of = (new.states, system) if steps else (old.states, original.system)
        first, second = shown(of, states[before]), shown(of, states[after])
        changed = tuple(line for line in second if line not in first)
        witness = (*first, *(f"-> {line}" for line in changed or ("the same state",)))
    fate = Fate.SURVIVED if new.whole and known else Fate.OPEN
    return Trial(mutant, fate, (), len(more), len(fewer), len(steps), len(gone), witness, path)
