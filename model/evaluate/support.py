"""What generated code calls besides the operators of the language: loops, thunks, errors, memory of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import is_, itemgetter
from typing import Any, NoReturn

from rmqproof.model.evaluate.combined_sets import United, as_sorted, endless_in_order, runs_code
from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import LazySet, frozen, in_order, plain
from rmqproof.model.evaluate.lazy_sets import Interval
from rmqproof.model.evaluate.operations import member, set_needed, union
from rmqproof.model.evaluate.show import shorten
from rmqproof.model.evaluate.values import Value


class Unset:
    """Stands for the value of a variable that has none yet."""

    def __repr__(self) -> str:
        return "(no value yet)"


UNSET = Unset()


class Thunk:
    """An argument or LET definition that is evaluated when it is needed, once."""

    __slots__ = ("rule", "value")

    def __init__(self, rule: Callable[[], Value]) -> None:
        self.rule: Callable[[], Value] | None = rule
        self.value: Value = None

    def __call__(self) -> Value:
        if self.rule is not None:
            self.value = self.rule()
            self.rule = None
        return self.value


def now(argument: Value) -> Value:
    """The value of an argument that may be a thunk."""
    return argument() if type(argument) is Thunk else argument


def unpack(item: Value, count: int) -> tuple[Value, ...]:
    """The components of an element of a set that is bound by <<a, b>>."""
    item = plain(item)
    if type(item) is tuple and len(item) == count:
        return item
    raise Fault(f"a tuple of {count} is bound here, and an element of the set is {shorten(item)}")


def in_turn(items: Any) -> Iterator[Value]:
    """The elements in order."""
    if isinstance(items, LazySet):
        return items.elements()
    return iter(in_order(items))


def choose_from(elements: Iterable[Value], test: Callable[[Value], bool], items: Any) -> Value:
    """The first of the elements, already in order, that satisfies the test; `items` is the set, for the error."""
    for item in elements:
        if test(item):
            return item
    raise Fault(
        f"CHOOSE finds no element with this property in {shorten(items)}",
        "Guard the CHOOSE with an \\E of the same property.",
    )


def choose_unbounded() -> NoReturn:
    raise Fault(
        "CHOOSE without a set has no value that can be computed",
        "In the configuration, replace the definition by a model value: Name = Name.",
    )


def no_arm() -> NoReturn:
    raise Fault("no guard of this CASE is true", "Add an OTHER arm, or the missing guard.")


def no_value(name: str) -> NoReturn:
    raise Fault(
        f"variable {name} is read before it has a value",
        f"Assign it first: {name} = … in the initial predicate, {name}' = … in an action, before it is used.",
    )


def temporal() -> NoReturn:
    raise Fault(
        "a temporal formula stands where a value of one state or step is needed",
        "Temporal operators belong into a PROPERTY or the SPECIFICATION.",
    )


def fail(error: Exception) -> NoReturn:
    """Raise an error that the compiler found."""
    raise error


class Found(Exception):  # control flow, not an error
    """A step was found, and one is enough."""


def found() -> NoReturn:
    raise Found


def unassigned(names: Sequence[str], action: str) -> NoReturn:
    """A step that leaves variables without a value."""
    listed = ", ".join(names)
    plural = "variables" if len(names) > 1 else "variable"
    if action:
        raise Fault(
            f"action {action} leaves the {plural} {listed} without a next value",
            f"Add UNCHANGED {f'<<{listed}>>' if len(names) > 1 else listed}, or say what the new value is.",
        )
    raise Fault(f"the initial predicate gives the {plural} {listed} no value", f"Add {names[0]} = … to it.")


def memoised(function: Callable[[Value], Value], read: Sequence[int]) -> Callable[[Value], Value]:
    """The function of a state, with its last two results kept. `read`: the indices of the variables it reads.

    The two: most often those for the states before and after a step. What counts is that the variables have the very
    same values, so that a result also outlives the steps that leave them alone. The models of the protocol are as fast
    without; three invariants that ask one set of pairs are twice as slow.
    """
    pick = itemgetter(*read, read[0])  # a tuple, also of one
    state_1 = state_2 = value_1 = value_2 = None
    key_1: tuple[Value, ...] = ()
    key_2: tuple[Value, ...] = ()

    def kept(state: Value) -> Value:
        nonlocal state_1, state_2, value_1, value_2, key_1, key_2
        if state is state_1:
            return value_1
        if state is state_2:
            return value_2
        key = pick(state)
        if key_1 and all(map(is_, key, key_1)):
            return value_1
        if key_2 and all(map(is_, key, key_2)):
            return value_2
        value = function(state)
        state_2, key_2, value_2 = state_1, key_1, value_1
        state_1, key_1, value_1 = state, key, value
        return value

    return kept


def argument_in(argument: Value, items: Any) -> None:
    """An error unless the argument is in the domain of the function that is applied to it."""
    if not member(argument, items):
        raise Fault(f"the function is applied to {shorten(argument)}, which is not in its domain {shorten(items)}")


def one_later(key: Value, value: Value) -> Value:
    """TLCGet(key)', where TLCGet(key) is `value`: the next state is one level further."""
    return value + 1 if key == "level" else value


def below_one() -> NoReturn:
    """A sequence is applied to an index below one; the careful code says more."""
    raise IndexError


def union_of(sets: Sequence[Any]) -> Any:
    """The union of sets that may be lazy. TLC sorts them first: of several no element may be without a value."""
    for items in sets:
        set_needed(items, "UNION")
    if len(sets) > 1:
        sets = [frozen(items) if runs_code(items) and not items.infinite else items for items in sets]
    if any(isinstance(items, LazySet) and items.infinite for items in sets):
        endless_in_order(sets)
        return reduce(union, sets)
    if any(isinstance(items, LazySet) and not isinstance(items, Interval) for items in sets):
        return United(as_sorted(sets))
    return reduce(union, sets, frozenset())
