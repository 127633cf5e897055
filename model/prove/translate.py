"""Expressions of the resolved tree as symbolic values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.prove import builtins, comprehensions
from rmqproof.model.prove.application import applied, updated
from rmqproof.model.prove.choose import Choices
from rmqproof.model.prove.counts import Counts
from rmqproof.model.prove.defined import Demands, EachKind, Ordered, by_kinds, has_value_at, operands_have_value
from rmqproof.model.prove.effort import Effort
from rmqproof.model.prove.environment import NO_NAMES, ByName, Closure, Context, Environment, Pending, State
from rmqproof.model.prove.fresh import finite
from rmqproof.model.prove.logic import Truth, conjunction, disjunction, equivalence, implication, negation, term
from rmqproof.model.prove.merge import equal, is_truth, kind, merge, quantify, some_truth, tuple_of
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.sequences import Scope
from rmqproof.model.prove.sets import EMPTY, Functions, Products, Records
from rmqproof.model.prove.terms import signature
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    RecordValue,
    SequenceValue,
    SetValue,
    UnionValue,
    Value,
)
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Atom

_DEEPEST = 150


@dataclass(eq=False)
class Translator:
    """Translates under given values of the constants.

    `axioms` collects what must be asserted beside the terms: what CHOOSE and SelectSeq are. `scope` collects, within
    bounds, the conditions under which the translation is exact; a model that satisfies them is a model. `demands`
    collects what must hold for what was translated to have a value: without bounds, or where that is wanted.
    Whatever translates raises `Untranslatable`, and `Unmade` where that takes more work than `effort` allows.
    """

    constants: dict[core.Constant, Value] = field(default_factory=dict)
    bounds: Bounds | None = None
    axioms: list[Truth] = field(default_factory=list)
    atoms: set[Atom] = field(default_factory=set)
    has_open_sets: bool = False
    """Some constants are any finite sets of names: then whatever is a set of names is finite."""
    demanding: bool = False
    """Within bounds, too, what must hold for a value is collected."""
    analysis: Analysis = field(default_factory=Analysis)
    possible: Callable[[Translator, core.Expression, Context], Truth] | None = None
    """What ENABLED of an action is in a state (`enabled.enabled`); None: it is refused."""
    effort: Effort = field(default_factory=Effort)
    """Every expression that is translated is counted here, once for each time."""
    _depth: int = 0

    def __post_init__(self) -> None:
        self.scope = Scope(self.bounds)
        self.choices = Choices(self.axioms, self.bounds)
        self.counts = Counts(self.axioms)
        self.demands = Demands(self.bounds is None or self.demanding)

    # --- entry -------------------------------------------------------------------------------------------------------

    def truth(
        self,
        e: core.Expression,
        environment: Environment = NO_NAMES,
        now: State | None = None,
        then: State | None = None,
    ) -> Truth:
        """The truth value of a formula in a state or a step. Raise `Untranslatable`."""
        return self.condition(e, Context(environment, now, then))

    def value(
        self,
        e: core.Expression,
        environment: Environment = NO_NAMES,
        now: State | None = None,
        then: State | None = None,
    ) -> Value:
        return self.of(e, Context(environment, now, then))

    # --- expressions -------------------------------------------------------------------------------------------------

    def condition(self, e: core.Expression, c: Context) -> Truth:
        return self.as_truth(self.of(e, c), e)

    def as_truth(self, value: Value, e: core.Expression) -> Truth:
        if value is NOWHERE:
            return some_truth()
        if isinstance(value, UnionValue):
            return self.by_kinds([value], lambda kinds: self.as_truth(kinds[0], e), e)
        if not is_truth(value):
            raise Untranslatable(f"{kind(value)} where a Boolean is needed", e.at)
        return value

    def set(self, e: core.Expression, c: Context) -> SetValue:
        return self.as_set(self.of(e, c), e)

    def as_set(self, value: Value, e: core.Expression) -> SetValue:
        if value is NOWHERE and self.bounds is not None:
            return EMPTY
        if isinstance(value, UnionValue):
            value = self.by_kinds([value], lambda kinds: self.as_set(kinds[0], e), e)
        if not isinstance(value, SetValue):
            raise Untranslatable(f"{kind(value)} where a set is needed", e.at)
        return value

    def of(self, e: core.Expression, c: Context) -> Value:
        rule = _RULES.get(type(e))
        if rule is None:
            raise Untranslatable(type(e).__name__, e.at)
        self.effort.spend(e.at)
        try:
            return rule(self, e, c)
        except Untranslatable as refusal:
            raise refusal.located(e.at) from None

    def atom(self, name: str, is_model: bool) -> AtomValue:
        atom = Atom(name, is_model)
        self.atoms.add(atom)
        return AtomValue.of(atom)

    def variable(self, e: core.VariableReference, c: Context) -> Value:
        if c.now is None:
            raise Untranslatable(f"the variable {e.variable.name} where there is no state", e.at)
        return c.now[e.variable.index]

    def function_set(self, e: core.FunctionSet, c: Context) -> SetValue:
        sets = (self.set(e.domain, c), self.set(e.range, c))
        return Functions(*(map(self.scope.listed, sets) if self.bounds is not None else sets))

    def unchanged(self, e: core.BoxAction | core.AngleAction, c: Context) -> Truth:
        return self.condition(core.Builtin(e.at, "UNCHANGED", (e.subscript,)), c)

    def conditional(self, e: core.If, c: Context) -> Value:
        condition = self.choices.named(self.condition(e.condition, c))
        if isinstance(condition, bool):
            return self.of(e.then if condition else e.otherwise, c)
        with self.demands.apart() as by_then:
            then = self.of(e.then, c)
        with self.demands.apart() as by_otherwise:
            otherwise = self.of(e.otherwise, c)
        self.demands.either(condition, by_then, by_otherwise)
        return merge(condition, then, otherwise)

    def changed(self, e: core.Except, c: Context) -> Value:
        result = self.of(e.function, c)
        for update in e.updates:
            path = [self.of(step, c) for step in update.path]
            result = self._updated(result, path, self.replacement(update, c), e)
        return result

    def _updated(
        self, target: Value, path: Sequence[Value], by: Callable[[Value, Truth], Value], e: core.Except
    ) -> Value:
        if not any(isinstance(value, UnionValue) for value in (target, *path)):
            return updated(target, path, by)
        return self.by_kinds([target, *path], lambda kinds: updated(kinds[0], kinds[1:], by), e)

    def constant(self, e: core.ConstantReference, c: Context) -> Value:
        constant = e.constant
        if constant not in self.constants:
            if constant.value is None:
                raise Untranslatable(
                    f"the constant {constant.name}, which has no value",
                    e.at,
                    f"Give it one in the configuration, or list it there: \\* UNBOUNDED {constant.name}",
                )
            self.constants[constant] = self.of(constant.value, Context(NO_NAMES, None, None))
        return self.constants[constant]

    def applied(self, function: Value, argument: Value, e: core.Expression) -> Value:
        if isinstance(function, UnionValue) or isinstance(argument, UnionValue):
            return self.by_kinds([function, argument], lambda kinds: self.applied(kinds[0], kinds[1], e), e)
        self.demands.note(has_value_at(function, argument), e.at)
        return applied(function, argument)

    def by_kinds(self, values: Sequence[Value], look: Callable[[list[Value]], Value], e: core.Expression) -> Value:
        """What is made of values, some of which are of one kind or another."""
        return by_kinds(values, look, self.demands, e.at)

    def looked_at(self, argument: Value | Pending | ByName, c: Context) -> Value:
        """The value of an argument; what it demands is demanded here."""
        if isinstance(argument, ByName):
            return self.of(argument.expression, c.within(argument.environment))
        if not isinstance(argument, Pending):
            return argument
        self.demands.add(argument.noted)
        return argument.value

    def under(self, premise: Truth, e: core.Expression, c: Context) -> Value:
        """The value; what it demands is demanded where the premise holds."""
        with self.demands.apart() as noted:
            value = self.of(e, c)
        self.demands.add(noted, premise)
        return value

    # --- operators ---------------------------------------------------------------------------------------------------

    def arguments(self, e: core.Call, c: Context) -> list[Value | Closure | Pending | ByName]:
        """What the parameters stand for: an expression where the operator primes it.

        An operator that is passed does not; `tla.resolve.specialise` saw to that.
        """
        by_name = self.analysis.by_name_parameters(e.definition)
        return [
            ByName(a, c.environment)
            if place in by_name and not e.definition.parameters[place].arity
            else self.argument(a, c)
            for place, a in enumerate(e.arguments)
        ]

    def argument(self, e: core.Expression, c: Context) -> Value | Closure | Pending:
        if isinstance(e, core.OperatorArgument) and isinstance(e.target, core.Binding):
            return c.environment.bindings[e.target]
        if isinstance(e, core.OperatorArgument | core.Lambda):
            return Closure(e, c.environment)
        with self.demands.apart() as noted:
            value = self.of(e, c)
        return Pending(value, noted) if noted else value

    def call(self, definition: core.Definition, arguments: Sequence[Any], c: Context, e: core.Expression) -> Value:
        outer = c.environment.definitions.get(definition, NO_NAMES)
        if definition.recursive:
            self._depth += 1
            if self._depth > _DEEPEST:
                raise Untranslatable(f"the recursion of {definition.name}, which does not end", e.at)
        try:
            if arguments:
                return self.of(
                    definition.body, c.within(outer.bind(dict(zip(definition.parameters, arguments, strict=True))))
                )
            if outer is NO_NAMES:
                return self.of(definition.body, c.within(outer))
            key = (definition, id(c.now), id(c.then), self.demands.wanted)
            if key not in outer.memo:
                with self.demands.apart() as noted:
                    value = self.of(definition.body, c.within(outer))
                outer.memo[key] = (Pending(value, noted), c.now, c.then)
            return self.looked_at(outer.memo[key][0], c)
        finally:
            if definition.recursive:
                self._depth -= 1

    def apply(self, closure: Closure, arguments: Sequence[Any], c: Context, e: core.Expression) -> Value:
        operator, inner = closure.operator, c.within(closure.environment)
        if isinstance(operator, core.Lambda):
            bound = dict(zip(operator.parameters, arguments, strict=True))
            return self.of(operator.body, inner.within(closure.environment.bind(bound)))
        if isinstance(operator.target, core.Definition):
            return self.call(operator.target, arguments, inner, e)
        raise Untranslatable("an operator parameter", e.at)

    def builtin(self, e: core.Builtin, c: Context) -> Value:
        match e.operator:
            case "/\\":
                return self._lazily(e.arguments, c, conjunction, False)
            case "\\/":
                return self._lazily(e.arguments, c, disjunction, True)
            case "=>":
                premise = self.condition(e.arguments[0], c)
                if premise is False:
                    return True
                with self.demands.apart() as noted:
                    conclusion = self.condition(e.arguments[1], c)
                self.demands.add(noted, premise)
                return implication(premise, conclusion)
            case "<=>":
                return equivalence(self.condition(e.arguments[0], c), self.condition(e.arguments[1], c))
            case "~":
                return negation(self.condition(e.arguments[0], c))
            case "'":
                if c.then is None:
                    raise Untranslatable("a prime where there is no step", e.at)
                return self.of(e.arguments[0], Context(c.environment, c.then, None))
            case "UNCHANGED":
                if c.then is None:
                    raise Untranslatable("UNCHANGED where there is no step", e.at)
                after = Context(c.environment, c.then, None)
                return equal(self.of(e.arguments[0], after), self.of(e.arguments[0], c))
            case "ENABLED" if self.possible is not None and e.stands_for is None:
                return self.possible(self, e.arguments[0], c)
            case "ENABLED":
                raise Untranslatable("ENABLED", e.at)
            case "\\cdot" | "[]" | "<>" | "~>" | "-+->":
                raise Untranslatable(f"the temporal operator {e.operator}", e.at)
            case "Sequences!SelectSeq":
                sequence = self.of(e.arguments[0], c)
                closure = self.argument(e.arguments[1], c)
                assert isinstance(closure, Closure)
                return self._selection(sequence, lambda x: self._kept(closure, x, c, e))
        few = self._few(e, c) if self.has_open_sets else None
        return self.operator(e.operator, [self.of(a, c) for a in e.arguments], e) if few is None else few

    def _few(self, e: core.Builtin, c: Context) -> Truth | None:
        """`Cardinality(S) <= 1` and the like."""
        match e.arguments:
            case (
                core.Builtin(operator="FiniteSets!Cardinality", arguments=(counted,)),
                core.Literal(value=int(number)),
            ):
                if not isinstance(number, bool):
                    return self.counts.compared(e.operator.rpartition("!")[2], self.set(counted, c), number)
        return None

    def operator(self, name: str, arguments: list[Value], e: core.Expression) -> Value:
        if any(isinstance(argument, UnionValue) for argument in arguments):
            return self.by_kinds(arguments, lambda kinds: self.operator(name, kinds, e), e)
        self.demands.note(operands_have_value(name, arguments), e.at)
        return builtins.apply(self, name, arguments)

    def _selection(self, sequence: Value, keep: Callable[[Value], Truth]) -> Value:
        if isinstance(sequence, SequenceValue):
            self.demand_of(sequence, lambda index: keep(sequence.at(index)))
        return self.choices.selection(sequence, self.demands.quietly(keep))

    def demand_of(self, over: SequenceValue | SetValue, look: Callable[[Value], Any]) -> None:
        """What looking demands is demanded for every element; the value itself is not wanted now."""

        def looked(x: Value) -> Truth:
            look(x)
            return True

        if self.demands.wanted:
            self.demands.every(True, over, looked)

    def _kept(self, closure: Closure, item: Value, c: Context, e: core.Expression) -> Truth:
        return self.as_truth(self.apply(closure, [item], c, e), e)

    def _lazily(
        self, parts: Iterable[core.Expression], c: Context, join: Callable[[list[Truth]], Truth], end: bool
    ) -> Truth:
        """Parts after one that decides are not looked at: they may have no value."""
        found: list[Truth] = []
        ordered = Ordered(self.demands)
        for part in parts:
            with self.demands.apart() as noted:
                truth = self.condition(part, c)
            if noted:
                ordered.add(noted, conjunction(negation(t) if end else t for t in found))
            if truth is end:
                return end
            found.append(truth)
        return join(found)

    # --- binders -----------------------------------------------------------------------------------------------------

    def bind(self, binder: core.Binder, value: Value, c: Context) -> Context:
        if not binder.is_tuple:
            return c.within(c.environment.bind({binder.bindings[0]: value}))
        names = {}
        for index, name in enumerate(binder.bindings, 1):
            names[name] = self.applied(value, index, e=core.Reference(name.at, name))
        return c.within(c.environment.bind(names))

    def domain(self, binder: core.Binder, c: Context, what: str, at: Any) -> SetValue:
        if binder.domain is None:
            raise Untranslatable(f"{what} without a domain", at, "Say from which set the variable comes.")
        return self.scope.listed(self.set(binder.domain, c))

    def quantified(self, e: core.Quantified, c: Context) -> Truth:
        universal = e.kind == "\\A"
        domains = [self.domain(binder, c, "a quantifier", e.at) for binder in e.binders]

        def from_(number: int, inner: Context) -> Truth:
            if number == len(domains):
                return self.as_truth(kinds.look(lambda: self.of(e.body, inner)), e.body)
            binder = e.binders[number]
            return self.demands.every(
                universal, domains[number], lambda x: from_(number + 1, self.bind(binder, x, inner))
            )

        kinds = EachKind.of(domains, self.demands, e.body.at)
        found = from_(0, c)
        kinds.settle()
        return found

    def choose(self, e: core.Choose, c: Context) -> Value:
        domain = self.domain(e.binder, c, "CHOOSE", e.at)

        def has_property(x: Value) -> Truth:
            return self.as_truth(kinds.look(lambda: self.of(e.body, self.bind(e.binder, x, c))), e.body)

        kinds = EachKind.of([domain], self.demands, e.body.at)
        exists = self.demands.quietly(self.is_extreme)(e, domain, c)
        self.demand_of(domain, has_property)
        quiet = self.demands.quietly(has_property)
        if self.demands.wanted:
            self.demands.note(quantify(False, domain, (lambda x: True) if exists else quiet), e.at)
        chosen = self.choices.chosen(domain, quiet, exists)
        kinds.settle()
        return chosen

    def is_extreme(self, e: core.Choose, domain: SetValue, c: Context) -> bool:
        """Whether it asks for the smallest or the largest of a set of numbers that has one unless it is empty.

        CHOOSE x \\in S : \\A y \\in S : x <= y, or y <= x. That there is one needs induction, so Z3 is told.
        """
        inside = e.body
        if not (domain.is_bounded and isinstance(inside, core.Quantified) and inside.kind == "\\A"):
            return False
        order = inside.body
        if len(inside.binders) != 1 or inside.binders[0].domain is None or e.binder.is_tuple:
            return False
        names = {e.binder.bindings[0], *inside.binders[0].bindings}
        if not (isinstance(order, core.Builtin) and order.operator.endswith(("!<=", "!>="))):
            return False
        sides = {a.binding for a in order.arguments if isinstance(a, core.Reference)}
        if sides != names:
            return False
        sample = z3.Int("extreme!")
        again = self.set(inside.binders[0].domain, c)
        return signature(term(again.contains(sample))) == signature(term(domain.contains(sample)))

    def replacement(self, update: core.Update, c: Context) -> Callable[[Value, Truth], Value]:
        """What stands for an old value, if there is one: the condition is that the path leads to it."""
        return lambda old, is_there: self.under(is_there, update.value, c.within(c.environment.bind({update.old: old})))

    def case(self, e: core.Case, c: Context) -> Value:
        """The first arm that is true, as TLC takes it; a value is demanded of a condition if none before it is true."""
        guards: list[tuple[Truth, Value]] = []
        before: Truth = True
        for guard, body in e.arms:
            with self.demands.apart() as noted:
                truth = self.condition(guard, c)
            self.demands.add(noted, before)
            if truth is not False:
                guards.append((truth, self.under(conjunction([before, truth]), body, c)))
            before = conjunction([before, negation(truth)])
            if before is False:
                break
        result: Value = NOWHERE
        if e.other is not None and before is not False:
            result = self.under(before, e.other, c)
        elif before is not False:
            self.demands.note(negation(before), e.at)
        for truth, value in reversed(guards):
            result = merge(truth, value, result)
        return result


def _bound(e: core.Reference | core.CallParameter, c: Context) -> Any:
    return c.environment.bindings[e.binding]


_RULES: dict[type[core.Expression], Callable[[Translator, Any, Context], Value]] = {
    core.Literal: lambda t, e, c: t.atom(e.value, False) if isinstance(e.value, str) else e.value,
    core.ModelValueLiteral: lambda t, e, c: t.atom(e.name, True),
    core.ConstantReference: lambda t, e, c: t.constant(e, c),
    core.VariableReference: lambda t, e, c: t.variable(e, c),
    core.Reference: lambda t, e, c: t.looked_at(_bound(e, c), c),
    core.Call: lambda t, e, c: t.call(e.definition, t.arguments(e, c), c, e),
    core.CallParameter: lambda t, e, c: t.apply(_bound(e, c), [t.argument(a, c) for a in e.arguments], c, e),
    core.Builtin: lambda t, e, c: t.builtin(e, c),
    core.Quantified: lambda t, e, c: t.quantified(e, c),
    core.Choose: lambda t, e, c: t.choose(e, c),
    core.If: lambda t, e, c: t.conditional(e, c),
    core.Case: lambda t, e, c: t.case(e, c),
    core.Let: lambda t, e, c: t.of(e.body, c.within(c.environment.let(e.definitions))),
    core.SetEnumeration: lambda t, e, c: finite([(True, t.of(item, c)) for item in e.items]),
    core.SetFilter: comprehensions.filtered,
    core.SetMap: comprehensions.mapped,
    core.FunctionConstructor: comprehensions.function,
    core.FunctionSet: lambda t, e, c: t.function_set(e, c),
    core.FunctionApplication: lambda t, e, c: t.applied(t.of(e.function, c), t.of(e.argument, c), e),
    core.FieldAccess: lambda t, e, c: t.applied(t.of(e.record, c), t.atom(e.field, False), e),
    core.Record: lambda t, e, c: RecordValue({name: t.of(value, c) for name, value in e.fields}),
    core.RecordSet: lambda t, e, c: Records({name: t.set(value, c) for name, value in e.fields}),
    core.TupleExpression: lambda t, e, c: tuple_of([t.of(item, c) for item in e.items]),
    core.Cartesian: lambda t, e, c: Products(tuple(t.set(factor, c) for factor in e.factors)),
    core.Except: lambda t, e, c: t.changed(e, c),
    core.Label: lambda t, e, c: t.of(e.body, c),
    core.BoxAction: lambda t, e, c: disjunction([t.condition(e.action, c), t.unchanged(e, c)]),
    core.AngleAction: lambda t, e, c: conjunction([t.condition(e.action, c), negation(t.unchanged(e, c))]),
}
