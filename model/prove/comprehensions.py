"""Sets and functions that are made of the elements of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rmqproof.model.prove import builtins
from rmqproof.model.prove.defined import Demands, EachKind
from rmqproof.model.prove.environment import Context
from rmqproof.model.prove.fresh import PredicateSet, bound, finite
from rmqproof.model.prove.logic import Truth, conjunction
from rmqproof.model.prove.merge import equal, merge, quantify, tuple_of, type_of
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sets import Interval
from rmqproof.model.prove.shapes import shapes_of
from rmqproof.model.prove.values import Entry, FunctionValue, MapValue, SequenceValue, SetValue, Value
from rmqproof.model.tla import core
from rmqproof.model.types.domain import Type, join_all


class Translator(Protocol):
    """What is asked of `translate.Translator`."""

    demands: Demands

    def of(self, e: core.Expression, c: Context) -> Value: ...

    def condition(self, e: core.Expression, c: Context) -> Truth: ...

    def as_truth(self, value: Value, e: core.Expression) -> Truth: ...

    def under(self, premise: Truth, e: core.Expression, c: Context) -> Value: ...

    def bind(self, binder: core.Binder, value: Value, c: Context) -> Context: ...

    def domain(self, binder: core.Binder, c: Context, what: str, at: Any) -> SetValue: ...

    def demand_of(self, over: SequenceValue | SetValue, look: Callable[[Value], Any]) -> None: ...


def filtered(t: Translator, e: core.SetFilter, c: Context) -> SetValue:
    """`{x \\in S : p}`"""
    domain = t.domain(e.binder, c, "a set", e.at)
    elements = domain.elements()
    kinds = EachKind.of([domain], t.demands, e.body.at)

    def kept(x: Value) -> Truth:
        return t.as_truth(kinds.look(lambda: t.of(e.body, t.bind(e.binder, x, c))), e.body)

    if elements is not None:
        members = []
        for guard, x in elements:
            with t.demands.apart() as noted:
                truth = kept(x)
            t.demands.add(noted, guard)
            members.append((conjunction([guard, truth]), x))
        kinds.settle()
        return finite(members)
    t.demand_of(domain, kept)
    kinds.settle()
    quiet = t.demands.quietly(kept)
    return PredicateSet(
        domain.element, lambda x: conjunction([domain.contains(x), quiet(x)]), is_bounded=domain.is_bounded
    )


def mapped(t: Translator, e: core.SetMap, c: Context) -> SetValue:
    """`{f : x \\in S, ...}`"""
    domains = [t.domain(binder, c, "a set", e.at) for binder in e.binders]
    lists = [domain.elements() for domain in domains]
    kinds = EachKind.of(domains, t.demands, e.body.at)
    images = _Images(t, e, domains, c, kinds)
    if all(listed is not None for listed in lists):
        found: list[tuple[Truth, Context]] = [(True, c)]
        for binder, listed in zip(e.binders, lists, strict=True):
            found = [
                (conjunction([guard, g]), t.bind(binder, x, inner)) for guard, inner in found for g, x in listed or []
            ]
        members = []
        for guard, inner in found:
            with t.demands.apart() as noted:
                value = images.at(inner)
            t.demands.add(noted, guard)
            members.append((guard, value))
        kinds.settle()
        return finite(members)
    images.demand(0, c)
    kinds.settle()
    return t.demands.quietly(images.whole)()


class _Images:
    """What stands for the elements of sets that cannot be listed."""

    def __init__(self, t: Translator, e: core.SetMap, domains: list[SetValue], c: Context, kinds: EachKind) -> None:
        self.t, self.e, self.domains, self.c, self.kinds = t, e, domains, c, kinds

    def at(self, c: Context) -> Value:
        return self.kinds.look(lambda: self.t.of(self.e.body, c))

    def demand(self, number: int, c: Context) -> None:
        """What the body demands is demanded for all elements."""
        if number == len(self.domains):
            self.at(c)
            return
        binder = self.e.binders[number]
        self.t.demand_of(self.domains[number], lambda x: self.demand(number + 1, self.t.bind(binder, x, c)))

    def whole(self) -> SetValue:
        t, e, domains, type_ = self.t, self.e, self.domains, self._type()
        if len(domains) == 1 and domains[0].is_finite:

            @t.demands.quietly
            def of(x: Value) -> Value:
                return self.at(t.bind(e.binders[0], x, self.c))

            return PredicateSet(
                type_,
                lambda y: quantify(False, domains[0], lambda x: equal(of(x), y)),
                is_bounded=True,
                each=lambda universal, body: quantify(universal, domains[0], lambda x: body(of(x))),
            )

        @t.demands.quietly
        def contains(y: Value) -> Truth:
            def from_(number: int, inner: Context) -> Truth:
                if number == len(domains):
                    return equal(self.at(inner), y)
                binder = e.binders[number]
                return quantify(False, domains[number], lambda x: from_(number + 1, t.bind(binder, x, inner)))

            return from_(0, self.c)

        return PredicateSet(type_, contains)

    def _type(self) -> Type:
        found: list[Type] = []

        def from_(number: int, inner: Context) -> None:
            if number == len(self.domains):
                found.append(type_of(self.at(inner)))
                return
            for shape in shapes_of(self.domains[number].element):
                sample = bound(shape, f"sample!{number}").value
                if self.domains[number].contains(sample) is not False:
                    from_(number + 1, self.t.bind(self.e.binders[number], sample, inner))

        from_(0, self.c)
        return join_all(found)


def function(t: Translator, e: core.FunctionConstructor, c: Context) -> Value:
    """`[x \\in S |-> f]`, which is no recursive one."""
    if e.recursion is not None:
        raise Untranslatable("a recursive function", e.at)
    domains = [t.domain(binder, c, "a function", e.at) for binder in e.binders]
    if len(domains) == 1 and isinstance(domains[0], Interval) and domains[0].low == 1:
        interval = domains[0]
        most = None if interval.listed is None else max(interval.listed, default=0)
        length = merge(builtins.positive(interval.high), interval.high, 0)
        return SequenceValue(length, _body(t, e, interval, c), most)
    lists = [domain.elements() for domain in domains]
    if len(domains) == 1 and lists[0] is None and domains[0].is_finite:
        return MapValue(domains[0], _body(t, e, domains[0], c))
    if any(listed is None for listed in lists):
        raise Untranslatable("a function whose domain cannot be listed and is not 1..n", e.at)
    keys: list[tuple[Truth, tuple[Value, ...], Context]] = [(True, (), c)]
    for binder, listed in zip(e.binders, lists, strict=True):
        keys = [
            (conjunction([guard, g]), (*key, x), t.bind(binder, x, inner))
            for guard, key, inner in keys
            for g, x in listed or []
        ]
    entries = [
        Entry(guard, key[0] if len(key) == 1 else tuple_of(key), t.under(guard, e.body, inner))
        for guard, key, inner in keys
    ]
    return builtins.normal(FunctionValue(tuple(entries)))


def _body(t: Translator, e: core.FunctionConstructor, domain: SetValue, c: Context) -> Callable[[Value], Value]:
    """The value at an argument; what it demands in the domain is demanded now."""

    def at(x: Value) -> Value:
        return t.of(e.body, t.bind(e.binders[0], x, c))

    t.demand_of(domain, at)
    return t.demands.quietly(at)
