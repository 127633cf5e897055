"""Check temporal properties on a behaviour graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.asking_product import asking_product
from rmqproof.model.search.liveness.automaton import Automaton
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.fair_cycle import Lasso, fair_lasso
from rmqproof.model.search.liveness.formula import (
    TRUE,
    Formula,
    Predicate,
    conjunction,
    negation,
    predicates_of,
)
from rmqproof.model.search.liveness.graph import BehaviourGraph, Product
from rmqproof.model.search.liveness.moments import Moments
from rmqproof.model.search.liveness.problem import problems
from rmqproof.model.search.liveness.product import product


@dataclass(frozen=True, slots=True)
class TemporalProperty:
    """`formula` holds of every behaviour that is fair. `sentence` says what breaks for a user when it does not.

    `atoms`: what is asked of a state where the property is written, though it may not matter for the formula's truth.
    As in TLC, each has to have a value in every state.
    """

    name: str
    formula: Formula
    sentence: str = ""
    atoms: tuple[Predicate, ...] = ()


class LivenessCheck:
    """`fairness` is what may be assumed of every behaviour. `stop` is asked now and then: `GraphStopped` is raised."""

    def __init__(
        self,
        graph: BehaviourGraph,
        fairness: Formula,
        stop: Callable[[], bool] = lambda: False,
        moments: Moments | None = None,
    ) -> None:
        self.graph = graph
        self.fairness = fairness
        self.evaluation = Evaluation(graph, stop, moments)
        self._products: dict[Formula, tuple[Automaton, Product]] = {}

    def counterexample(self, formula: Formula) -> Lasso | None:
        """A fair behaviour that does not satisfy the formula; None when all do. Raise what a predicate raises."""
        wanted = conjunction([self.fairness, negation(formula)])
        self.evaluation.prepare(wanted)
        for problem in problems(wanted):
            lasso = fair_lasso(self._product(problem.rest), problem, self.evaluation)
            if lasso is not None:
                return lasso
        return None

    def violated(self, properties: Sequence[TemporalProperty]) -> list[tuple[TemporalProperty, Lasso]]:
        """The properties that do not hold, each name once. Raise what a predicate raises."""
        self.evaluation.everywhere([atom for prop in properties for atom in prop.atoms])
        found: dict[str, tuple[TemporalProperty, Lasso]] = {}
        for prop in properties:
            if prop.name not in found:
                lasso = self.counterexample(prop.formula)
                if lasso is not None:
                    found[prop.name] = (prop, lasso)
        return list(found.values())

    def _product(self, rest: Formula) -> Product:
        if rest not in self._products:
            if rest != TRUE:
                self._products = {key: value for key, value in self._products.items() if key == TRUE}
            automaton, moments = Automaton(rest), self.evaluation.moments
            asking = [predicate for predicate in predicates_of(rest) if predicate.asks and not predicate.step]
            if asking and moments is not None:
                found = asking_product(self.graph, automaton, self.evaluation, asking, moments)
            else:
                found = product(self.graph, automaton, self.evaluation)
            self._products[rest] = (automaton, found)
        return self._products[rest][1]
