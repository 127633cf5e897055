"""What Init and Next do: the states to which a formula leads (*Specifying Systems* 14.2.6; TLC's `Tool.getInitStates`,
`Tool.getNextStates`, `Tool.enabled`).

Conjuncts are met in the order in which they stand. `x' = e`, `x' \\in S` and UNCHANGED give a variable that has no
value yet its next one; disjunctions and \\E are ways to go, each of which counts, also where they are mere guards; IF,
CASE, LET, implications, \\A and definitions are followed; everything else is a test. When every variable has a value,
the conjuncts that remain are tests. `target` says which values are wanted: ways to others are left at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rmqproof.model.tla import core

from .evaluator import Evaluator
from .moment import UNSET, Environment, Late, Moment, Operator, State
from .problems import EvaluationError
from .sets import Described, Powerset, Rule, elements, member, plain, stored
from .values import Value, show

Called = tuple[tuple[str, tuple[core.Binding, ...], Environment], ...]
"""The definitions that were followed on the way: names, parameters, and what those stand for."""


@dataclass(frozen=True, slots=True)
class Way:
    """How far a formula has been followed. `initial`: the values are those of `at.now`, else of `at.after`."""

    at: Moment
    called: Called = ()
    initial: bool = False
    target: State | None = None

    @property
    def reached(self) -> State:
        found = self.at.now if self.initial else self.at.after
        assert found is not None
        return found

    @property
    def complete(self) -> bool:
        return UNSET not in self.reached

    def has(self, index: int) -> bool:
        return self.reached[index] is not UNSET

    def given(self, index: int, value: Value) -> Way | None:
        """With this value of a variable; None where another one is wanted."""
        if self.target is not None and self.target[index] != value:
            return None
        state = (*self.reached[:index], value, *self.reached[index + 1 :])
        at = Moment(state, None) if self.initial else Moment(self.at.now, state)
        return replace(self, at=at)


Item = tuple[core.Expression, Environment, bool]
"""A conjunct that is still to be met, and whether it is to stay unchanged."""


class Actions:
    """Follows formulas. `between` counts the states between the steps of compositions: TLC counts them as generated."""

    def __init__(self, evaluator: Evaluator, variables: int) -> None:
        self.evaluator, self.variables = evaluator, variables
        self.between = 0

    def initial(self, node: core.Expression, target: State | None = None) -> Iterator[Way]:
        """The ways to initial states."""
        return self.follow(node, {}, Way(Moment(self._nothing(), None), initial=True, target=target))

    def next(self, node: core.Expression, state: State, target: State | None = None) -> Iterator[Way]:
        """The ways from a state by an action. A `Way` may leave variables without a value."""
        return self.follow(node, {}, Way(Moment(state, self._nothing()), target=target))

    def _nothing(self) -> State:
        return (UNSET,) * self.variables

    def enabled(self, node: core.Expression, env: Environment, at: Moment) -> bool:
        """ENABLED A: a step of A is possible (16.2.4)."""
        start = Way(Moment(at.now, self._nothing()))
        return next(self.follow(node, env, start), None) is not None

    def composed(self, node: core.Builtin, env: Environment, at: Moment) -> bool:
        """A \\cdot B as a test of a step (16.2.3)."""
        first, second = node.arguments
        middles = self.follow(first, env, Way(Moment(at.now, self._nothing())))
        return any(self.evaluator.holds(second, env, Moment(way.reached, at.after)) for way in middles)

    # --- formulas ----------------------------------------------------------------------------------------------

    def conjunction(self, items: Sequence[Item], way: Way) -> Iterator[Way]:
        """The first item is followed; those after it too, as long as a variable has no value."""
        if not items:
            yield way
            return
        (node, env, stays), rest = items[0], items[1:]
        for reached in self.keep(node, env, way) if stays else self.follow(node, env, way):
            yield from self.others(rest, reached)

    def others(self, items: Sequence[Item], way: Way) -> Iterator[Way]:
        if not items or not way.complete or items[0][2]:
            yield from self.conjunction(items, way)
        elif self.evaluator.holds(items[0][0], items[0][1], way.at):
            yield from self.others(items[1:], way)

    def follow(self, node: core.Expression, env: Environment, way: Way) -> Iterator[Way]:
        """The ways on from `way` that satisfy the formula."""
        evaluator = self.evaluator
        match node:
            case core.Builtin(operator="/\\"):
                yield from self.conjunction([(part, env, False) for part in node.arguments], way)
            case core.Builtin(operator="\\/"):
                for part in node.arguments:
                    yield from self.follow(part, env, way)
            case core.Quantified(kind="\\E"):
                for inner in evaluator.bindings(node.binders, env, way.at):
                    yield from self.follow(node.body, inner, way)
            case core.Quantified():
                inside = evaluator.bindings(node.binders, env, way.at)
                yield from self.conjunction([(node.body, inner, False) for inner in inside], way)
            case core.If():
                chosen = node.then if evaluator.holds(node.condition, env, way.at) else node.otherwise
                yield from self.follow(chosen, env, way)
            case core.Case():
                yield from self.follow(evaluator.arm(node, env, way.at), env, way)
            case core.Let():
                yield from self.follow(node.body, evaluator.with_definitions(node, env), way)
            case core.Label():
                yield from self.follow(node.body, env, way)
            case core.Builtin(operator="=>"):
                if evaluator.holds(node.arguments[0], env, way.at):
                    yield from self.follow(node.arguments[1], env, way)
                else:
                    yield way
            case core.Builtin(operator="=" | "\\in" | "\\subseteq"):
                yield from self.assignment(node, env, way)
            case core.Call() | core.CallParameter() | core.Reference() | core.FunctionApplication():
                yield from self.named(node, env, way)
            case _ if not way.initial:
                yield from self.of_steps(node, env, way)
            case _:
                yield from self.test(node, env, way)

    def of_steps(self, node: core.Expression, env: Environment, way: Way) -> Iterator[Way]:
        """What only actions have."""
        match node:
            case core.Builtin(operator="UNCHANGED"):
                yield from self.keep(node.arguments[0], env, way)
            case core.BoxAction():
                yield from self.follow(node.action, env, way)
                yield from self.keep(node.subscript, env, way)
            case core.AngleAction():
                for reached in self.follow(node.action, env, way):
                    if not self.evaluator.unchanged(node.subscript, env, reached.at):
                        yield reached
            case core.Builtin(operator="\\cdot"):
                first, second = node.arguments
                start = Way(Moment(way.at.now, self._nothing()), way.called)
                for middle in self.follow(first, env, start):
                    self.between += 1
                    inside = replace(way, at=Moment(middle.reached, way.at.after), called=middle.called)
                    for reached in self.follow(second, env, inside):
                        yield replace(reached, at=Moment(way.at.now, reached.at.after))
            case _:
                yield from self.test(node, env, way)

    def test(self, node: core.Expression, env: Environment, way: Way) -> Iterator[Way]:
        if self.evaluator.holds(node, env, way.at):
            yield way

    # --- names -------------------------------------------------------------------------------------------------

    def named(self, node: core.Expression, env: Environment, way: Way) -> Iterator[Way]:
        """A definition, a parameter or a function is followed into what it stands for."""
        evaluator = self.evaluator
        match node:
            case core.Reference() if isinstance(env.get(node.binding), Late):
                late = env[node.binding]
                yield from self.follow(late.node, late.env, way)
            case core.Call():
                definition, around = node.definition, env.get(node.definition)
                if isinstance(around, Late):
                    yield from self.follow(around.node, around.env, way)
                elif around is None and not node.arguments and definition.level == core.CONSTANT:
                    yield from self.test(node, env, way)  # TLC knows its value (`SpecProcessor`)
                else:
                    inner = evaluator.called(definition, node.arguments, env)
                    called = (*way.called, (definition.name, definition.parameters, inner))
                    yield from self.follow(definition.body, inner, replace(way, called=called))
            case core.CallParameter():
                operator = env[node.binding]
                assert isinstance(operator, Operator)
                inner = evaluator.bound(operator.parameters, node.arguments, env, operator.env)
                called = (*way.called, (operator.name, operator.parameters, inner))
                yield from self.follow(operator.body, inner, replace(way, called=called))
            case core.FunctionApplication():
                function = evaluator.lazy(node.function, env, way.at)
                if not isinstance(function, Rule) or function.body_at is None:
                    yield from self.test(node, env, way)
                    return
                argument = evaluator.value(node.argument, env, way.at)
                if not member(argument, function.domain, evaluator.order):
                    raise EvaluationError(f"a function is applied to {show(argument)}, outside of its domain", node.at)
                yield from self.follow(*function.body_at(argument), way)
            case _:
                yield from self.test(node, env, way)

    # --- assignments -------------------------------------------------------------------------------------------

    def variable(self, node: core.Expression, env: Environment, primed: bool) -> int | None:
        """The variable that stands on the left, through definitions and arguments (`Tool.getPrimedVar`, `getVar`)."""
        match node:
            case core.VariableReference():
                return None if primed else node.variable.index
            case core.Builtin(operator="'"):
                return self.variable(node.arguments[0], env, False) if primed else None
            case core.Reference() if isinstance(env.get(node.binding), Late):
                return self.variable(env[node.binding].node, env[node.binding].env, primed)
            case core.Call() if not node.arguments and not node.definition.recursive:
                around = env.get(node.definition)
                inner = around.env if isinstance(around, Late) else {}
                return self.variable(node.definition.body, inner, primed)
            case core.Let():
                return self.variable(node.body, self.evaluator.with_definitions(node, env), primed)
        return None

    def assignment(self, node: core.Builtin, env: Environment, way: Way) -> Iterator[Way]:
        """x' = e, x' \\in S, x' \\subseteq S"""
        index = self.variable(node.arguments[0], env, primed=not way.initial)
        if index is None or way.has(index):
            yield from self.test(node, env, way)
            return
        evaluator = self.evaluator
        if node.operator == "=":
            values: Iterator[Value] = iter((evaluator.value(node.arguments[1], env, way.at),))
        else:
            items = evaluator.lazy(node.arguments[1], env, way.at)
            items = Powerset(evaluator.order, items) if node.operator == "\\subseteq" else items
            values = (
                self._wanted(items, way.target[index]) if way.target is not None else elements(items, evaluator.order)
            )
        for value in values:
            reached = way.given(index, stored(value, evaluator.order))
            if reached is not None:
                yield reached

    def _wanted(self, items: Any, value: Value) -> Iterator[Value]:
        """The value, where it is in the set."""
        if not isinstance(items, Described):
            return iter((value,) if value in items else ())
        try:
            return iter((value,) if items.contains(value) else ())
        except EvaluationError:  # a value of another kind: the set does not have it
            return iter(())

    def keep(self, node: core.Expression, env: Environment, way: Way) -> Iterator[Way]:
        """UNCHANGED (`Tool.processUnchanged`)."""
        index = self.variable(node, env, primed=False)
        if index is not None and not way.has(index):
            value = self.evaluator.value(node, env, Moment(way.at.now, None))
            reached = way.given(index, value)
            if reached is not None:
                yield reached
            return
        if index is not None and way.at.now is not None and way.at.now[index] is UNSET:
            yield way  # between the steps of a composition: any value, so this one
            return
        match node:
            case core.TupleExpression():
                yield from self.conjunction([(item, env, True) for item in node.items], way)
            case core.Call() if index is None and not node.arguments and not node.definition.recursive:
                around = env.get(node.definition)
                inner = around.env if isinstance(around, Late) else {}
                yield from self.keep(node.definition.body, inner, way)
            case core.Reference() if index is None and isinstance(env.get(node.binding), Late):
                yield from self.keep(env[node.binding].node, env[node.binding].env, way)
            case _:
                if self.evaluator.unchanged(node, env, way.at):
                    yield way


def called_with(way: Way, name: str, evaluator: Evaluator) -> list[tuple[Value, ...]]:
    """The arguments, operators left out, with which a definition of this name was followed; not those of a call with
    an argument that has no value, which nothing asked for on the way."""
    found = []
    for called, parameters, env in way.called:
        if called == name:
            values = [p for p in parameters if not p.arity]
            try:
                found.append(tuple(plain(evaluator.forced(env[p], way.at), evaluator.order) for p in values))
            except EvaluationError:
                continue
    return found
