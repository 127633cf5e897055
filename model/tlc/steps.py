"""Which part of the next-state relation a step is, as TLC splits it: where its name stands, and with what arguments.

TLC takes a next-state relation apart (`tlc2.tool.impl.Tool.getActions`): at disjunctions, at `\\E` over a constant set,
inside of LET and of operators whose arguments are constants. What is left is an action; a step is by the first one, in
the order of the text, that gives its successor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rmqproof.model.evaluate.itf import from_itf, to_itf
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.report.behaviour import Behaviour, Step, Value
from rmqproof.model.report.value import Notation
from rmqproof.model.search.system import State
from rmqproof.model.tla import core
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.walk import reached, used_by
from rmqproof.model.tlc.places import place

UNNAMED = "Action"
Shown = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Part:
    """One action. `definition`: the operator in whose body it stands; `name` that of the operator, to TLC.

    `node`: itself; `formula`: the relation without its other disjuncts.
    """

    name: str
    module: str
    at: Location
    node: core.Expression = field(repr=False)
    formula: core.Expression = field(repr=False)
    definition: core.Definition | None = None

    @property
    def place(self) -> str:
        return place(self.at, self.module)


def parts_of(model: core.Model) -> tuple[Part, ...]:
    """The actions of a next-state relation, in the order of the text."""
    if model.next is None:
        return ()
    return tuple(_split(model.next, None, model.specification.name, set()))


def _split(node: core.Expression, definition: core.Definition | None, module: str, inside: set[int]) -> Iterator[Part]:
    match node:
        case core.Call() if id(node.definition) not in inside and all(map(is_constant, node.arguments)):
            called = node.definition
            for part in _split(called.body, called, called.module, inside | {id(called)}):
                yield replace(part, formula=replace(node, definition=_with_body(called, part.formula)))
            return
        case core.Builtin(operator="\\/"):
            for argument in node.arguments:
                yield from _split(argument, definition, module, inside)
            return
        case core.Quantified(kind="\\E") if all(b.domain is not None and is_constant(b.domain) for b in node.binders):
            for part in _split(node.body, definition, module, inside):
                yield replace(part, formula=replace(node, body=part.formula))
            return
        case core.Let() | core.Label():
            for part in _split(node.body, definition, module, inside):
                yield replace(part, formula=replace(node, body=part.formula))
            return
    name = definition.name if definition is not None else UNNAMED
    yield Part(name, module, node.at, node, node, definition)


def _with_body(definition: core.Definition, body: core.Expression) -> core.Definition:
    """A definition of its own: nodes go by what they bind, so it is no copy of the first."""
    return replace(definition, body=body)


def is_constant(node: core.Expression) -> bool:
    """Whether it speaks of no variable; what bound names stand for has been looked at where they are bound."""
    return not any(
        isinstance(part, core.VariableReference) or any(used.level > core.CONSTANT for used in used_by(part))
        for part in reached(node)
    )


class Steps:
    """What the steps of a behaviour are called."""

    def __init__(self, model: core.Model, system: Callable[[], PythonSystem], notation: Notation) -> None:
        self.parts = parts_of(model)
        self._made = system
        self._notation = notation
        self._names = frozenset(model.model_values)

    @property
    def _system(self) -> PythonSystem:
        return self._made()

    def title(self, behaviour: Behaviour, number: int) -> str:
        """`Step(p1) line 6, col 12 to …`, without a place where it is not known. `number` counts from 0."""
        step = behaviour.steps[number]
        part = self.part(behaviour, number)
        if part is None:
            return step.action or UNNAMED
        return f"{part.name}{self._arguments(step, part)} {part.place}"

    def back(self, behaviour: Behaviour) -> str:
        """The title of the step from the last state to the one where the behaviour repeats."""
        closed = self._closed(behaviour)
        return self.title(closed, len(behaviour.steps)) if closed is not None else UNNAMED

    def closing(self, behaviour: Behaviour) -> tuple[tuple[Value, ...], str | None, Part | None] | None:
        """The same step: its arguments, its name, its part. None: there is none, so that it stutters."""
        closed = self._closed(behaviour)
        if closed is None:
            return None
        last = closed.steps[-1]
        return last.arguments, last.action, self.part(closed, len(behaviour.steps))

    def _closed(self, behaviour: Behaviour) -> Behaviour | None:
        """The behaviour with that step at its end."""
        assert behaviour.loop is not None
        step = self._between(behaviour.steps[-1].state, behaviour.steps[behaviour.loop].state)
        if step is None:
            return None
        return replace(behaviour, steps=(*behaviour.steps, replace(step, index=len(behaviour.steps))))

    def _between(self, before: Shown, after: Shown) -> Step | None:
        """The first step from one state to the other."""
        try:
            wanted = self._system.values(self._state(after))
            for action, arguments, state in self._system.successors(self._state(before)):
                if self._system.values(state) == wanted:
                    return Step(0, self._system.actions[action], tuple(map(to_itf, arguments)), after)
        except (TlaError, RecursionError, ValueError):
            pass
        return None

    def part(self, behaviour: Behaviour, number: int) -> Part | None:
        """The action that a step is by; None where nothing fits."""
        step = behaviour.steps[number]
        if number == 0 or step.action is None:
            return None
        candidates = [part for part in self.parts if part.name == step.action] or list(self.parts)
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        before = behaviour.steps[number - 1].state
        return next((part for part in candidates if self._is(part, before, step.state)), candidates[0])

    def _is(self, part: Part, before: Shown, after: Shown) -> bool:
        try:
            states = [self._state(state) for state in (before, after)]
            return bool(getattr(self._system.evaluate_step(part.formula, *states), "truth", False))
        except (TlaError, RecursionError, ValueError):
            return False

    def _state(self, shown: Shown) -> State:
        return self._system.state([from_itf(shown[name], self._names) for name in self._system.variables])

    def _arguments(self, step: Step, part: Part) -> str:
        if part.name != step.action or part.definition is None or not part.definition.parameters:
            return ""
        return f"({','.join(map(self._notation.line, step.arguments))})" if step.arguments else ""
