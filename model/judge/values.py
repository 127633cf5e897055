"""Values of the engines as the reference evaluator has them, and back."""

from __future__ import annotations

from collections.abc import Iterable

from rmqproof.model.evaluate import values as engine
from rmqproof.model.reference.moment import State
from rmqproof.model.reference.values import Atom, Fun, Truth, Value, sequence, truth


def reference_value(value: engine.Value) -> Value:
    """The value of an engine, in normal form, as the reference evaluator has it."""
    kind = type(value)
    if kind is engine.Boolean:
        return truth(value.truth)
    if kind is engine.ModelValue:
        return Atom(value.name)
    if kind is frozenset:
        return frozenset(map(reference_value, value))
    if kind is tuple:
        return sequence(map(reference_value, value))
    if kind is engine.Function:
        return Fun({reference_value(key): reference_value(item) for key, item in value.items()})
    return value


def engine_value(value: Value) -> engine.Value:
    """The value of the reference evaluator as the engines have it."""
    kind = type(value)
    if kind is Truth:
        return engine.boolean(value is Truth.TRUE)
    if kind is Atom:
        return engine.model_value(value.name)
    if kind is frozenset:
        return frozenset(map(engine_value, value))
    if kind is Fun:
        return engine.function({engine_value(key): engine_value(item) for key, item in value.graph.items()})
    return value


def reference_state(values: Iterable[engine.Value]) -> State:
    """The values of the variables, in their order."""
    return tuple(map(reference_value, values))
