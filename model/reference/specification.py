"""What can be asked of a specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rmqproof.model.tla import core

from .actions import Actions, Way, called_with
from .evaluator import Evaluator
from .lasso import Lasso
from .library import Library
from .moment import UNSET, Moment, State
from .problems import EvaluationError
from .values import Order, Value


@dataclass(frozen=True, slots=True)
class Successor:
    """A state after a step. `way` has the definitions that were followed."""

    state: State
    way: Way

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the definitions that make the step, from the outermost one on."""
        return tuple(name for name, _, _ in self.way.called if name)


class Reference:
    """A model, evaluated directly.

    `budget`: how many expressions may be evaluated in all before `OutOfWork` is raised; `work` counts them. All methods
    raise `EvaluationError` where TLC would, and `NotInReference` for what is not covered.
    """

    def __init__(self, model: core.Model, budget: int | None = None) -> None:
        self.model = model
        self.variables = tuple(variable.name for variable in model.specification.variables)
        self.order = Order(model.words)
        self.evaluator = Evaluator(self.order, Library(self.order), budget)
        self.actions = Actions(self.evaluator, len(self.variables))
        self.evaluator.actions = self.actions

    @property
    def work(self) -> int:
        return self.evaluator.work

    @property
    def between(self) -> int:
        """The states met inside of action compositions, which TLC counts as generated."""
        return self.actions.between

    # --- states ------------------------------------------------------------------------------------------------

    def initial_states(self) -> Iterator[State]:
        """Each as often as TLC generates it, constraints not asked."""
        if self.model.initial is not None:
            for way in self.actions.initial(self.model.initial):
                yield self._whole(way)

    def successors(self, state: State) -> Iterator[Successor]:
        """Each as often as TLC generates it, constraints not asked."""
        if self.model.next is not None:
            for way in self.actions.next(self.model.next, state):
                yield Successor(self._whole(way), way)

    def is_initial(self, state: State) -> bool:
        """Whether the initial predicate leads to the state."""
        if self.model.initial is None:
            return False
        ways = self.actions.initial(self.model.initial, target=state)
        return any(self._whole(way) == state for way in ways)

    def steps(self, state: State, after: State) -> Iterator[Successor]:
        """The ways by which the next-state action leads from one state to the other; others are not gone."""
        if self.model.next is not None:
            for way in self.actions.next(self.model.next, state, target=after):
                yield Successor(self._whole(way), way)

    def arguments(self, successor: Successor, name: str) -> list[tuple[Value, ...]]:
        """With which arguments a definition of this name was followed on the way."""
        return called_with(successor.way, name, self.evaluator)

    def _whole(self, way: Way) -> State:
        if not way.complete:
            missing = [name for name, value in zip(self.variables, way.reached, strict=True) if value is UNSET]
            raise EvaluationError(f"no value is given to {', '.join(missing)}")
        return way.reached

    # --- formulas ----------------------------------------------------------------------------------------------

    def evaluate(
        self,
        node: core.Expression,
        env: Mapping[Any, Any] | None = None,
        state: State | None = None,
        after: State | None = None,
    ) -> Value:
        """The value of an expression of no state, of one, or of a step. `env`: what free bindings stand for."""
        return self.evaluator.value(node, env or {}, Moment(state, after))

    def holds(self, node: core.Expression, state: State | None = None, after: State | None = None) -> bool:
        """The truth of a formula without temporal operators."""
        return self.evaluator.holds(node, {}, Moment(state, after))

    def lasso_holds(self, node: core.Expression, states: list[State], loop: int, back: State | None = None) -> bool:
        """The truth of a temporal formula of the behaviour that goes on at `loop` after the last of the states, which
        leads `back` to that one, or to one that is taken for it."""
        return Lasso(self.evaluator, states, loop, back).holds(node, {})

    def put_in_order(self, state: State) -> None:
        """What TLC does to a state that is within the constraints; the same to what VIEW makes of it, after that.

        Raise `EvaluationError` where elements of a set cannot be put in order.
        """
        for value in state:
            self.order.put_in_order(value)

    def within(self, state: State) -> bool:
        """The state constraints."""
        return all(self.holds(constraint.body, state) for constraint in self.model.constraints)

    def allowed(self, state: State, after: State) -> bool:
        """The action constraints."""
        return all(self.holds(constraint.body, state, after) for constraint in self.model.action_constraints)
