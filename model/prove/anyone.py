"""What is known of a value that has brokers in it, where there may be any number of them.

It is said of every value of the type, so it must hold of some value even where there is no broker at all.
"""

from __future__ import annotations

import z3

from rmqproof.model.prove.brokers import SomeBroker
from rmqproof.model.prove.logic import Truth, conjunction, disjunction
from rmqproof.model.prove.merge import equal, quantify
from rmqproof.model.prove.sets import SetValue
from rmqproof.model.prove.values import AtomValue, Value, atom_sort
from rmqproof.model.types.domain import Record, Tuple, Type


def has_brokers(value: Value, type_: Type, everyone: SetValue) -> Truth:
    """That the value's parts are brokers, or one of the other names, where they are by its type."""
    match type_:
        case SomeBroker():
            others = [equal(value, AtomValue.of(atom)) for atom in sorted(type_.others)]
            return disjunction([everyone.contains(value), *others])
        case Record():
            return conjunction(has_brokers(value.fields[name], t, everyone) for name, t in type_.fields)
        case Tuple():
            return conjunction(has_brokers(value.at(i), t, everyone) for i, t in enumerate(type_.items, 1))
    return True


def first_broker() -> AtomValue:
    """A broker if there is any, by `any_broker`."""
    return AtomValue(z3.Const("some broker", atom_sort()))


def any_broker(everyone: SetValue) -> Truth:
    """What makes it one: without it nothing may be said of every value, for there may be no broker to be it."""
    return quantify(True, everyone, lambda x: everyone.contains(first_broker()))
