"""The steps of an action: conditions, and the value that each variable gets.

The next state is computed, not constrained: `x' = e` gives x' the value of e, so that a step needs no equations between
sequences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from rmqproof.model.prove.environment import NO_NAMES, Environment
from rmqproof.model.prove.formulas import gives_values
from rmqproof.model.prove.fresh import Maker
from rmqproof.model.prove.logic import Truth, equivalence, negation
from rmqproof.model.prove.merge import equal
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sets import as_set
from rmqproof.model.prove.translate import Context, State, Translator
from rmqproof.model.prove.values import AtomValue, Value
from rmqproof.model.tla import core


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One way to take an action. `arguments` are those of the action that has a name."""

    conditions: tuple[Truth, ...] = ()
    assigned: dict[int, Value] = field(default_factory=dict)
    action: str = ""
    arguments: tuple[Value, ...] = ()

    @property
    def title(self) -> str:
        """The action with its arguments, as far as they are known; empty without an action that has a name."""
        known = [a.known.name if isinstance(a, AtomValue) and a.known else "?" for a in self.arguments]
        return f"{self.action}({', '.join(known)})" if known else self.action

    def under(self, condition: Truth) -> Step | None:
        if condition is True:
            return self
        return None if condition is False else replace(self, conditions=(*self.conditions, condition))


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
    _fresh: Iterator[int] = field(default_factory=lambda: count(1))

    def of(self, action: core.Expression, environment: Environment = NO_NAMES) -> Iterator[Step]:
        """Every step; one that leaves a variable without a value is refused. Raise `Untranslatable`."""
        for step in self.walk(action, environment, Step()):
            missing = [index for index in range(len(self.now)) if index not in step.assigned]
            if missing:
                raise Untranslatable(f"a step that does not say what becomes of variable {missing[0] + 1}", action.at)
            yield step

    def context(self, environment: Environment, step: Step) -> Context:
        then = _Then(step.assigned.get(index) for index in range(len(self.now)))
        return Context(environment, then, None) if self.initial else Context(environment, self.now, then)

    def walk(self, e: core.Expression, environment: Environment, step: Step) -> Iterator[Step]:
        translator = self.translator
        match e:
            case core.Builtin(operator="/\\"):
                yield from self._all(e.arguments, environment, step)
                return
            case core.Label():
                yield from self.walk(e.body, environment, step)
                return
            case core.BoxAction():
                yield from self.walk(e.action, environment, step)
                yield from self._unchanged(e.subscript, environment, replace(step, action="Stuttering"))
                return
            case core.Builtin(operator="UNCHANGED"):
                yield from self._unchanged(e.arguments[0], environment, step)
                return
        if not self._moves(e):
            context = self.context(environment, step)
            found = step.under(translator.truth(e, environment, context.now, context.then))
            if found is not None:
                yield found
            return
        match e:
            case core.Builtin(operator="\\/"):
                for part in e.arguments:
                    yield from self.walk(part, environment, step)
                return
            case core.Builtin(operator="=" | "\\in") if self._target(e.arguments[0]) is not None:
                yield from self._assigned(e, environment, step)
                return
            case core.Quantified(kind="\\E"):
                yield from self._exists(e, 0, environment, step)
                return
            case core.If():
                context = self.context(environment, step)
                condition = translator.truth(e.condition, environment, context.now, context.then)
                for part, truth in ((e.then, condition), (e.otherwise, negation(condition))):
                    under = step.under(truth)
                    if under is not None:
                        yield from self.walk(part, environment, under)
                return
            case core.Let():
                yield from self.walk(e.body, environment.let(e.definitions), step)
                return
            case core.Call():
                yield from self._call(e, environment, step)
                return
        raise Untranslatable(f"{type(e).__name__} in an action", e.at)

    def _all(self, parts: tuple[core.Expression, ...], environment: Environment, step: Step) -> Iterator[Step]:
        if not parts:
            yield step
            return
        for first in self.walk(parts[0], environment, step):
            yield from self._all(parts[1:], environment, first)

    def _call(self, e: core.Call, environment: Environment, step: Step) -> Iterator[Step]:
        definition = e.definition
        context = self.context(environment, step)
        arguments = [self.translator.argument(a, context) for a in e.arguments]
        if definition in self.named and not step.action and arguments:
            step = replace(step, action=definition.name, arguments=tuple(arguments))
        elif definition in self.named and not step.action and definition.body is not None:
            step = replace(step, action=definition.name) if not self._is_choice(definition) else step
        if step.action and self.wanted is not None and step.title not in self.wanted:
            return
        outer = environment.definitions.get(definition, NO_NAMES)
        inner = outer.bind(dict(zip(definition.parameters, arguments, strict=True))) if arguments else outer
        yield from self.walk(definition.body, inner, step)

    def _is_choice(self, definition: core.Definition) -> bool:
        """A disjunction of actions, as Next is: its parts give the names."""
        body = definition.body
        return isinstance(body, core.Builtin) and body.operator == "\\/"

    def _exists(self, e: core.Quantified, number: int, environment: Environment, step: Step) -> Iterator[Step]:
        if number == len(e.binders):
            yield from self.walk(e.body, environment, step)
            return
        binder = e.binders[number]
        context = self.context(environment, step)
        if binder.domain is None:
            raise Untranslatable("a quantifier without a domain", e.at, "Say from which set the variable comes.")
        domain = self.translator.scope.listed(self.translator.set(binder.domain, context))
        elements = domain.elements()
        if elements is None:
            value = self.maker.choose(domain.element, f"{binder.bindings[0].name}!{next(self._fresh)}")
            elements = [(domain.contains(value), value)]
        for guard, value in elements:
            under = step.under(guard)
            if under is not None:
                inner = self.translator.bind(binder, value, context.within(environment)).environment
                yield from self._exists(e, number + 1, inner, under)

    def _assigned(self, e: core.Builtin, environment: Environment, step: Step) -> Iterator[Step]:
        index = self._target(e.arguments[0])
        assert index is not None
        context = self.context(environment, step)
        value = self.translator.of(e.arguments[1], context)
        if e.operator == "\\in":
            domain = self.translator.scope.listed(as_set(value))
            elements = domain.elements()
            if elements is None:
                value = self.maker.choose(domain.element, f"chosen!{next(self._fresh)}")
                elements = [(domain.contains(value), value)]
        else:
            elements = [(True, value)]
        for guard, item in elements:
            under = step.under(guard)
            if under is None:
                continue
            if index in under.assigned:
                again = under.under(equal(under.assigned[index], item))
                if again is not None:
                    yield again
            else:
                yield replace(under, assigned={**under.assigned, index: item})

    def _unchanged(self, e: core.Expression, environment: Environment, step: Step) -> Iterator[Step]:
        match e:
            case core.TupleExpression():
                yield from self._each_unchanged(e.items, environment, step)
                return
            case core.Call() if not e.arguments:
                yield from self._unchanged(e.definition.body, environment, step)
                return
            case core.VariableReference():
                index = e.variable.index
                if index not in step.assigned:
                    yield replace(step, assigned={**step.assigned, index: self.now[index]})
                    return
                again = step.under(equal(step.assigned[index], self.now[index]))
                if again is not None:
                    yield again
                return
        context = self.context(environment, step)
        same = self.translator.truth(core.Builtin(e.at, "UNCHANGED", (e,)), environment, context.now, context.then)
        again = step.under(equivalence(same, True))
        if again is not None:
            yield again

    def _each_unchanged(
        self, parts: tuple[core.Expression, ...], environment: Environment, step: Step
    ) -> Iterator[Step]:
        if not parts:
            yield step
            return
        for first in self._unchanged(parts[0], environment, step):
            yield from self._each_unchanged(parts[1:], environment, first)

    # --- what an expression speaks about -----------------------------------------------------------------------------

    def _target(self, e: core.Expression) -> int | None:
        if self.initial:
            return e.variable.index if isinstance(e, core.VariableReference) else None
        if isinstance(e, core.Builtin) and e.operator == "'" and isinstance(e.arguments[0], core.VariableReference):
            return e.arguments[0].variable.index
        return None

    def _moves(self, e: core.Expression) -> bool:
        """Whether the expression can give a variable its value."""
        return gives_values(e, self.initial)
