"""The steps of an action: conditions, and the value that each variable gets.

The next state is computed, not constrained: `x' = e` gives x' the value of e, so that a step needs no equations between
sequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import TypeVar

from rmqproof.model.actions.form import (
    Arms,
    Assignment,
    Choice,
    Conjunction,
    Disjunction,
    Enter,
    Inside,
    Keep,
    Local,
    form_of,
)
from rmqproof.model.actions.names import NOTHING_PASSED, kept_parts, variable_of
from rmqproof.model.actions.naming import StepName
from rmqproof.model.prove.defined import Noted, all_of, without
from rmqproof.model.prove.environment import NO_NAMES, ByName, Context, Environment, Pending, State
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, conjunction, equivalence, negation
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.reads import speaks_of_next
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sets import as_set
from rmqproof.model.prove.shapes import shapes_of
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import AtomValue, Elements, SetValue, Value
from rmqproof.model.tla import core

T = TypeVar("T")


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One way to take an action."""

    conditions: tuple[Truth, ...] = ()
    assigned: dict[int, Value] = field(default_factory=dict)
    named: StepName[Value] = field(default_factory=StepName)
    demands: tuple[Noted, ...] = ()
    """What must hold for the conditions to have a value, under the conditions that stand before."""
    looked: Noted = field(default_factory=dict)
    """The same without those conditions."""
    valued: dict[int, Noted] = field(default_factory=dict)
    """What must hold for the new value of a variable to be one: who does not read it does not ask."""

    def read(self, variables: Iterable[int]) -> tuple[Noted, ...]:
        """What must hold where the new values of these variables are read."""
        return (*self.demands, *(self.valued[index] for index in variables if index in self.valued))

    def all_read(self) -> Step:
        return replace(self, demands=self.read(self.valued), valued={}) if self.valued else self

    @property
    def action(self) -> str:
        return self.named.name

    @property
    def arguments(self) -> tuple[Value, ...]:
        """Those of the action that has a name."""
        return self.named.arguments

    @property
    def title(self) -> str:
        """The action with its arguments, as far as they are known; empty without an action that has a name."""
        known = [a.known.name if isinstance(a, AtomValue) and a.known else "?" for a in self.arguments]
        return f"{self.action}({', '.join(known)})" if known else self.action

    def under(self, condition: Truth) -> Step | None:
        if condition is True:
            return self
        return None if condition is False else replace(self, conditions=(*self.conditions, condition))


_STUTTERING: StepName[Value] = StepName("Stuttering", final=True)


class _Then(list[Value]):
    """The next state as far as it is known."""

    def __getitem__(self, index: object) -> Value:
        assert isinstance(index, int)
        found = super().__getitem__(index)
        if found is None:
            raise Untranslatable("a primed variable before its value is given")
        return found


@dataclass(eq=False)
class Steps:
    """Enumerates the steps of actions from the state `now`, which has `count` variables."""

    translator: Translator
    maker: Maker
    now: State
    named: frozenset[core.Definition] = frozenset()
    initial: bool = False
    """The predicate is one of initial states: it gives values to the variables themselves."""
    wanted: frozenset[str] | None = None
    """Only the actions with these titles; None for all."""
    valued: frozenset[int] | None = None
    """It is asked for these variables only whether their new values are ones; None for all."""
    alternatives: bool = False
    """Each part of a disjunction is looked at, as the explicit search does it, also where one before it is true."""
    lost: list[Noted] = field(default_factory=list)
    """What must hold so that the ways which the translation finds closed are closed."""
    _speaks: dict[int, tuple[core.Expression, bool]] = field(default_factory=dict)
    _fresh: Iterator[int] = field(default_factory=lambda: count(1))

    def of(self, action: core.Expression, environment: Environment = NO_NAMES) -> Iterator[Step]:
        """Every step; one that leaves a variable without a value is refused. Raise `Untranslatable`."""
        for step in self.walk(action, environment, Step()):
            if not self._is_wanted(step):
                continue
            missing = [index for index in range(len(self.now)) if index not in step.assigned]
            if missing:
                raise Untranslatable(f"a step that does not say what becomes of variable {missing[0] + 1}", action.at)
            yield step

    def context(self, environment: Environment, step: Step) -> Context:
        then = _Then(step.assigned.get(index) for index in range(len(self.now)))
        return Context(environment, then, None) if self.initial else Context(environment, self.now, then)

    def _looking(
        self, step: Step, e: core.Expression, look: Callable[[Context], T], environment: Environment
    ) -> tuple[T, Step]:
        """What `e` is in the step so far, and the step with what that demands."""
        if self._reads_next(e):
            step = step.all_read()
        found, new, under = self._noting(step, look, environment)
        if not new:
            return found, step
        return found, replace(step, demands=(*step.demands, under), looked=all_of([step.looked, new]))

    def _noting(self, step: Step, look: Callable[[Context], T], environment: Environment) -> tuple[T, Noted, Noted]:
        """What is found, what that demands beside what was demanded before, and the same under the conditions."""
        demands = self.translator.demands
        with demands.apart() as noted:
            found = look(self.context(environment, step))
        new = without(noted, step.looked)
        with demands.apart() as under:
            demands.add(new, conjunction(step.conditions) if new else True)
        return found, new, under

    def _reads_next(self, e: core.Expression) -> bool:
        if id(e) not in self._speaks:
            self._speaks[id(e)] = (e, speaks_of_next(e))
        return self._speaks[id(e)][1]

    def _truth(self, step: Step, e: core.Expression, environment: Environment) -> tuple[Truth, Step]:
        return self._looking(step, e, lambda c: self.translator.truth(e, environment, c.now, c.then), environment)

    def _under(self, step: Step, condition: Truth) -> Step | None:
        found = step.under(condition)
        if found is None:
            self.lost += step.demands
        return found

    def walk(self, e: core.Expression, environment: Environment, step: Step) -> Iterator[Step]:
        form = form_of(e, self.initial)
        match form:
            case Conjunction(parts=parts):
                step = replace(step, named=step.named.in_conjunction(len(parts)))
                if self._is_wanted(step) or not step.named.final:
                    yield from self._all(parts, environment, step, step.named)
            case Inside(body=body):
                yield from self.walk(body, environment, step)
            case Disjunction() if isinstance(e, core.BoxAction):
                yield from self.walk(e.action, environment, step)
                yield from self._unchanged(e.subscript, environment, replace(step, named=_STUTTERING))
            case Keep(kept=kept):
                yield from self._unchanged(kept, environment, step)
            case _ if not gives_values(e, self.initial):
                for part, names in self._parts(e, environment, step) if self.alternatives else ():
                    _, step = self._truth(step, part, names)
                truth, step = self._truth(step, e, environment)
                found = self._under(step, truth)
                if found is not None:
                    yield found
            case Disjunction(parts=parts):
                for part in parts:
                    yield from self.walk(part, environment, step)
            case Assignment(target=target) as given if (variable := self._target(target)) is not None:
                yield from self._assigned(variable, given, environment, step)
            case Choice(quantified=quantified):
                yield from self._exists(quantified, 0, environment, step)
            case Arms(arms=arms, otherwise=otherwise):
                yield from self._arms(e, arms, otherwise, environment, step)
            case Local(let=let):
                yield from self.walk(let.body, environment.let(let.definitions), step)
            case Enter(call=call):
                yield from self._call(call, environment, step)
            case _:
                raise Untranslatable(f"{type(e).__name__} in an action", e.at)

    def _parts(
        self, e: core.Expression, environment: Environment, step: Step
    ) -> Iterator[tuple[core.Expression, Environment]]:
        """The alternatives that a test has, with what names mean in them; itself where it has none."""
        match form_of(e, self.initial):
            case Inside(body=body):
                yield from self._parts(body, environment, step)
            case Local(let=let):
                yield from self._parts(let.body, environment.let(let.definitions), step)
            case Disjunction(parts=parts) if not isinstance(e, core.BoxAction):
                for part in parts:
                    yield from self._parts(part, environment, step)
            case Enter(call=call) if not call.definition.recursive:
                yield from self._parts(call.definition.body, self._entered(call, environment, step), step)
            case _:
                yield e, environment

    def _entered(self, call: core.Call, environment: Environment, step: Step) -> Environment:
        """What names mean in a definition that is called; what arguments demand is demanded where it looks at them."""
        context = self.context(environment, step)
        outer = environment.definitions.get(call.definition, NO_NAMES)
        if not call.arguments:
            return outer
        arguments = self.translator.arguments(call, context)
        return outer.bind(dict(zip(call.definition.parameters, arguments, strict=True)))

    def _arms(
        self,
        e: core.Expression,
        arms: Sequence[tuple[core.Expression, core.Expression]],
        otherwise: core.Expression | None,
        environment: Environment,
        step: Step,
    ) -> Iterator[Step]:
        if otherwise is None:
            raise Untranslatable("CASE without OTHER in an action", e.at)
        rest: Step | None = step
        for condition, body in arms:
            if rest is None:
                return
            truth, rest = self._truth(rest, condition, environment)
            under = self._under(rest, truth)
            if under is not None:
                yield from self.walk(body, environment, under)
            rest = self._under(rest, negation(truth))
        if rest is not None:
            yield from self.walk(otherwise, environment, rest)

    def _all(
        self, parts: tuple[core.Expression, ...], environment: Environment, step: Step, named: StepName[Value]
    ) -> Iterator[Step]:
        """The conjuncts, of a conjunction that began with this name."""
        if not parts:
            yield step
            return
        for first in self.walk(parts[0], environment, step):
            if parts[1:]:
                first = replace(first, named=named.after_conjunct(first.named))
            yield from self._all(parts[1:], environment, first, named)

    def _is_wanted(self, step: Step) -> bool:
        return self.wanted is None or not step.action or step.title in self.wanted

    def _call(self, e: core.Call, environment: Environment, step: Step) -> Iterator[Step]:
        definition = e.definition
        context = self.context(environment, step)
        arguments = self.translator.arguments(e, context)
        if definition in self.named:
            values = tuple(self._told(a, context) for a in arguments)
            step = replace(step, named=step.named.entering(definition.name, values))
        outer = environment.definitions.get(definition, NO_NAMES)
        # what the arguments demand is demanded where the action looks at them
        inner = outer.bind(dict(zip(definition.parameters, arguments, strict=True))) if arguments else outer
        yield from self.walk(definition.body, inner, step)

    def _told(self, argument: Value | Pending | ByName, context: Context) -> Value:
        """The value that the step's name shows, whether it is looked at or not."""
        if isinstance(argument, ByName):
            return self.translator.demands.quietly(self.translator.looked_at)(argument, context)
        return argument.value if isinstance(argument, Pending) else argument

    def _exists(self, e: core.Quantified, number: int, environment: Environment, step: Step) -> Iterator[Step]:
        if number == len(e.binders):
            yield from self.walk(e.body, environment, step)
            return
        binder = e.binders[number]
        where = binder.domain
        if where is None:
            raise Untranslatable("a quantifier without a domain", e.at, "Say from which set the variable comes.")
        whole, step = self._looking(step, where, lambda c: self.translator.set(where, c), environment)
        domain = self.translator.scope.listed(whole)
        elements = domain.elements()
        if elements is None:
            elements = self._chosen(domain, binder.bindings[0].name)
        for guard, value in elements:
            under = self._under(step, guard)
            if under is not None:
                bound, under = self._looking(under, where, partial(self.translator.bind, binder, value), environment)
                inner = bound.environment
                yield from self._exists(e, number + 1, inner, under)

    def _chosen(self, domain: SetValue, name: str) -> Elements:
        """Some element of a set that cannot be listed, of each shape that its elements have, and that it is one."""
        values = [self.maker.choose(s, f"{name}!{next(self._fresh)}") for s in shapes_of(domain.element)]
        return [(domain.contains(value), value) for value in values]

    def _assigned(
        self, variable: core.Variable, given: Assignment, environment: Environment, step: Step
    ) -> Iterator[Step]:
        index = variable.index
        values = given.value
        if given.operator == "\\subseteq":
            values = core.Builtin(values.at, "SUBSET", (values,))
        if index in step.assigned:
            step = step.all_read()
        if given.operator != "=" or index in step.assigned:
            value, step = self._looking(step, values, lambda c: self.translator.of(values, c), environment)
        else:
            step = step.all_read() if self._reads_next(values) else step
            with self.translator.demands.asked(self.valued is None or index in self.valued):
                value, new, wanted = self._noting(step, lambda c: self.translator.of(values, c), environment)
            step = replace(step, valued={**step.valued, index: wanted}) if new else step
        if given.operator != "=":
            domain = self.translator.scope.listed(as_set(value))
            elements = domain.elements()
            if elements is None:
                elements = self._chosen(domain, "chosen")
        else:
            elements = [(True, value)]
        for guard, item in elements:
            under = self._under(step, guard)
            if under is None:
                continue
            if index in under.assigned:
                again = self._under(under, equal(under.assigned[index], item))
                if again is not None:
                    yield again
            else:
                yield replace(under, assigned={**under.assigned, index: item})

    def _unchanged(self, e: core.Expression, environment: Environment, step: Step) -> Iterator[Step]:
        yield from self._each_kept([part for part, _ in kept_parts(e, NOTHING_PASSED)], environment, step)

    def _each_kept(self, parts: Sequence[core.Expression], environment: Environment, step: Step) -> Iterator[Step]:
        if not parts:
            yield step
            return
        for first in self._kept(parts[0], environment, step):
            yield from self._each_kept(parts[1:], environment, first)

    def _kept(self, e: core.Expression, environment: Environment, step: Step) -> Iterator[Step]:
        if not isinstance(e, core.VariableReference):
            same, step = self._truth(step, core.Builtin(e.at, "UNCHANGED", (e,)), environment)
            again = self._under(step, equivalence(same, True))
        elif e.variable.index not in step.assigned:
            index = e.variable.index
            again = replace(step, assigned={**step.assigned, index: self.now[index]})
        else:
            step = step.all_read()
            again = self._under(step, equal(step.assigned[e.variable.index], self.now[e.variable.index]))
        if again is not None:
            yield again

    # --- what an expression speaks about -----------------------------------------------------------------------------

    def _target(self, e: core.Expression) -> core.Variable | None:
        return variable_of(e, NOTHING_PASSED, primed=not self.initial)
