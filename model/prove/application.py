"""Application and EXCEPT of records, sequences and functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import z3

from rmqproof.model.prove.fresh import ArraySet
from rmqproof.model.prove.logic import Truth, at_most, conjunction, identity
from rmqproof.model.prove.merge import as_function, equal, is_number, kind, merge
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.sequences import replaced
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    Entry,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    Value,
)


def applied(function: Value, argument: Value) -> Value:
    """`function[argument]`; outside of the domain some value. Raise `Untranslatable`."""
    if function is NOWHERE or argument is NOWHERE:
        return NOWHERE
    if isinstance(function, RecordValue):
        if isinstance(argument, AtomValue) and argument.known is None:
            return applied(as_function(function), argument)
        return function.fields[_field(function, argument)]
    if isinstance(function, SequenceValue) and not is_number(argument):
        raise Untranslatable(f"the application of a sequence to {kind(argument)}")
    if isinstance(function, SequenceValue | MapValue):
        return function.at(argument)
    if isinstance(function, FunctionValue):
        found: Value = NOWHERE
        for entry in reversed(function.entries):
            found = merge(conjunction([entry.present, equal(entry.key, argument)]), entry.value, found)
        return found
    raise Untranslatable(f"the application of {kind(function)}")


def updated(
    target: Value, path: Sequence[Value], replacement: Callable[[Value, Truth], Value], is_there: Truth = True
) -> Value:
    """`target` with another value at `path`: the replacement of the old one. Raise `Untranslatable`.

    Where the path leads to nothing the target stays as it is; the replacement is told whether it leads to something.
    """
    if not path:
        return replacement(target, is_there)
    step, rest = path[0], path[1:]
    if target is NOWHERE or step is NOWHERE:
        return NOWHERE
    if isinstance(target, RecordValue) and isinstance(step, AtomValue) and step.known is None:
        target = as_function(target)
    if isinstance(target, RecordValue):
        name = _field(target, step)
        return RecordValue({**target.fields, name: updated(target.fields[name], rest, replacement, is_there)})
    if isinstance(target, SequenceValue):
        if not is_number(step):
            raise Untranslatable(f"EXCEPT of a sequence at {kind(step)}")
        is_there = conjunction([is_there, at_most(1, step), at_most(step, target.length)])
        return replaced(target, step, updated(target.at(step), rest, replacement, is_there))
    if isinstance(target, FunctionValue):
        entries = []
        for entry in target.entries:
            hit = equal(entry.key, step)
            value = entry.value
            if hit is not False:
                here = conjunction([is_there, entry.present, hit])
                value = merge(hit, updated(entry.value, rest, replacement, here), entry.value)
            entries.append(Entry(entry.present, entry.key, value))
        return FunctionValue(tuple(entries))
    if isinstance(target, MapValue):
        is_there = conjunction([is_there, target.domain.contains(step)])
        old = _made(target.at(step))
        changed = updated(old, rest, replacement, is_there)
        return MapValue(target.domain, lambda key: _changed(equal(key, step), changed, old, target.at(key)))
    raise Untranslatable(f"EXCEPT of {kind(target)}")


def _changed(hit: Truth, changed: Value, old: Value, here: Value) -> Value:
    """What is changed if it is hit, else what is here, in whose place `old` is if it is hit.

    Of a record what is not changed is said without asking whether it is hit.
    """
    if changed is old or _are_same(changed, old):
        return here
    if isinstance(changed, RecordValue) and isinstance(old, RecordValue) and isinstance(here, RecordValue):
        names = list(changed.fields)
        if set(names) == set(old.fields) == set(here.fields):
            parts = {n: _changed(hit, changed.fields[n], old.fields[n], here.fields[n]) for n in names}
            return RecordValue(parts)
    return merge(hit, changed, here)


def _made(value: Value) -> Value:
    """With its fields made, so that what is kept of it can be recognised."""
    return RecordValue({n: _made(v) for n, v in value.fields.items()}) if isinstance(value, RecordValue) else value


def _are_same(a: Value, b: Value) -> bool:
    """Whether they are the same name, number, truth value or set."""
    if isinstance(a, AtomValue) and isinstance(b, AtomValue):
        return identity(a.term) == identity(b.term)
    if isinstance(a, ArraySet) and isinstance(b, ArraySet):
        return identity(a.array) == identity(b.array)
    return z3.is_expr(a) and z3.is_expr(b) and identity(a) == identity(b)


def _field(record: RecordValue, name: Value) -> str:
    if isinstance(name, AtomValue) and name.known is not None and name.known.name in record.fields:
        return name.known.name
    raise Untranslatable("a field that the record does not have, or that is computed")
