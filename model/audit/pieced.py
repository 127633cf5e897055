"""The specification as pieces whose steps are remembered, and its mutants, which differ from it in some of them.

From a state of the specification the pieces that a mutant leaves as they are lead where they led, and the properties
that hold are known to hold there. So a mutant costs the compilation of the pieces that it changes, the steps of those,
and what comes of states that are new.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.audit.graph import Space
from rmqproof.model.audit.mutation import Mutant
from rmqproof.model.audit.pieces import Sign, pieces_of, with_piece
from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.search.system import State, StateProperty, StepProperty, Transition
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import reached, used_by

Steps = tuple[Transition, ...]
_BETWEEN = 64
"""States between two looks at the clock."""


class Unfit(Exception):
    """A mutant gives a variable a value of a kind that the code of the specification is not compiled for."""


def leads_to(nodes: Iterable[core.Expression]) -> frozenset[core.Definition]:
    """The definitions that these expressions use, and those that they use."""
    return frozenset(used for node in reached(*nodes) for used in used_by(node))


class _Like:
    """`search.system.System` but for its steps: variables, limits and properties of another."""

    def __init__(self, whole: PythonSystem) -> None:
        self.whole = whole
        self.variables, self.actions = whole.variables, whole.actions
        self.check_deadlock, self.has_constraints = whole.check_deadlock, whole.has_constraints
        self.invariants, self.initial_properties = whole.invariants, whole.initial_properties
        self.step_properties = whole.step_properties
        self.fingerprint, self.within, self.allowed = whole.fingerprint, whole.within, whole.allowed
        self.to_itf = whole.to_itf

    def key(self, state: State) -> Hashable:
        """What a state is remembered by: its fingerprint, where no other state has it."""
        key: Hashable = state[-1] if self.whole.plain_fingerprint else state[:-1]
        return key


class Pieced(_Like):
    """The specification. `steps` has for each state that was expanded those of each piece. `model.next` is some formula
    that may be divided (`divisible`)."""

    def __init__(self, model: core.Model, whole: PythonSystem) -> None:
        super().__init__(whole)
        self.model = model
        self.steps: dict[Hashable, tuple[Steps, ...]] = {}
        self.numbers: dict[Sign, int] = {}
        self.leads: list[frozenset[core.Definition]] = []
        self.parts: list[PythonSystem] = []
        assert model.next is not None
        for number, piece in enumerate(pieces_of(model.next)):
            self.numbers[piece.sign] = number
            self.leads.append(leads_to(piece.nodes))
            self.parts.append(whole.part(with_piece(model, piece), whole.runtime, whole.analysis, lambda _: False))
        self.asked = leads_to(asked_of(model))
        self.limits = leads_to(_limits_of(model))

    def initial_states(self) -> Iterator[State]:
        return self.whole.initial_states()

    def expanded(self, state: State) -> Iterator[Steps]:
        """The steps of each piece."""
        for part in self.parts:
            yield tuple(part.successors(state))

    def successors(self, state: State) -> list[Transition]:
        steps = self.steps[self.key(state)] = tuple(self.expanded(state))
        return [step for each in steps for step in each]

    def with_mutant(self, mutant: Mutant, model: core.Model, runtime: Runtime) -> Changed | None:
        """`model`, which is `mutant`, as what it changes; None where it changes where states begin or end.

        Raise `TlaError` where the mutant cannot be compiled.
        """
        return None if mutant.host in self.limits else Changed(self, mutant, model, runtime)


class Changed(_Like):
    """A mutant: the pieces with a number in `kept` do the steps that they did. Raise `Unfit` for a step that leads
    where their code is not compiled for."""

    def __init__(self, base: Pieced, mutant: Mutant, model: core.Model, runtime: Runtime) -> None:
        super().__init__(base.whole)
        self.base, self.host, self.model, self.runtime = base, mutant.host, model, runtime
        self.kept: list[int] = []
        self.changed: list[PythonSystem] = []
        self._analysis = Analysis()
        self._found: dict[Hashable, Steps] = {}
        assert model.next is not None
        for piece in pieces_of(model.next):
            number = base.numbers.get(piece.sign)
            if number is not None and self.host not in base.leads[number]:
                self.kept.append(number)
            else:
                self.changed.append(self._part(with_piece(model, piece)))
        self.narrow = all(part.shapes == self.whole.shapes for part in self.changed)
        self.asks_the_same = self.host not in base.asked
        if self.asks_the_same:
            self.invariants = [self._known(each) for each in self.whole.invariants]
            self.initial_properties = []
            self.step_properties = [self._known_step(each) for each in self.whole.step_properties]
        else:
            asked = self.asking()
            self.invariants, self.initial_properties = asked.invariants, asked.initial_properties
            self.step_properties = asked.step_properties

    def asking(self) -> PythonSystem:
        """A system without steps that has the mutant's formulas."""
        return self._part(replace(self.model, next=None))

    def _part(self, model: core.Model) -> PythonSystem:
        return self.whole.part(model, self.runtime, self._analysis, self._is_stale)

    def _is_stale(self, key: core.Constant | core.Definition) -> bool:
        """Whether what was found for a constant may be another value in the mutant."""
        if self.host is None:
            return False
        body = key.value if isinstance(key, core.Constant) else key.body
        return key is self.host or (body is not None and self.host in leads_to([body]))

    def _known(self, prop: StateProperty) -> StateProperty:
        """The property, which holds of each state of the specification."""
        holds, known, key = prop.holds, self.base.steps, self.key
        return replace(prop, holds=lambda state: key(state) in known or holds(state))

    def _known_step(self, prop: StepProperty) -> StepProperty:
        """The property, which holds of each step of the specification."""
        holds, known, key = prop.holds, self.base.steps, self.key

        def kept(before: State, after: State) -> bool:
            steps = known.get(key(before))
            if steps is not None:
                goal = key(after)
                if any(goal == key(step.state) for each in steps for step in each):
                    return True
            return holds(before, after)

        return replace(prop, holds=kept)

    def initial_states(self) -> Iterator[State]:
        return self.base.initial_states()

    def successors(self, state: State) -> list[Transition]:
        """Raise `TlaError`, `Unfit`."""
        key = self.key(state)
        known = self.base.steps.get(key)
        found: list[Transition] = []
        for number in self.kept:
            found.extend(known[number] if known is not None else self.base.parts[number].successors(state))
        found.extend(self._steps(key, state))
        return found

    def _steps(self, key: Hashable, state: State) -> Steps:
        """Those of the pieces that are changed."""
        steps = self._found.pop(key, None)
        if steps is None:
            steps = tuple(step for part in self.changed for step in part.successors(state))
            if not self.narrow and not all(self.whole.takes(step.state) for step in steps):
                raise Unfit
        return steps

    def is_same(self, space: Space, over: Callable[[], bool]) -> bool:
        """Whether each state of the specification, whose states `space` has, leads where it did; False also where that
        was not found out. Then the mutant has the same graph, and what the specification satisfies it satisfies."""
        if not self.asks_the_same:
            return False
        dropped = [number for number in range(len(self.base.parts)) if number not in set(self.kept)]
        try:
            for done, state in enumerate(space.states.values()):
                if done % _BETWEEN == 0 and over():
                    return False
                key = self.key(state)
                before = self.base.steps[key]
                steps = self._found[key] = self._steps(key, state)
                if {self.key(s.state) for s in steps} != {self.key(s.state) for n in dropped for s in before[n]}:
                    return False
        except (TlaError, RecursionError, Unfit):
            return False
        return True


def divisible(model: core.Model, system: PythonSystem) -> bool:
    """Whether the steps from a state are the same whenever they are asked for."""
    nodes = [*asked_of(model), *_limits_of(model), *([model.next] if model.next is not None else [])]
    return model.next is not None and not any(system.analysis.of(node).impure for node in nodes)


def asked_of(model: core.Model) -> Iterator[core.Expression]:
    """What is asked of states and steps."""
    for definition in model.invariants:
        yield core.Call(definition.at, definition)
    for prop in model.properties:
        yield from (*prop.initial, *prop.always, *prop.steps)


def _limits_of(model: core.Model) -> Iterator[core.Expression]:
    """What decides where states begin, which are left out and which are taken for one."""
    for definition in (*model.constraints, *model.action_constraints, model.view, model.symmetry):
        if definition is not None:
            yield core.Call(definition.at, definition)
    if model.initial is not None:
        yield model.initial
