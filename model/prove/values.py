"""TLA+ values whose parts are Z3 terms: what the translation computes with.

    integer, Boolean      Python's, or a Z3 term
    string, model value   `AtomValue`
    record                `RecordValue`
    tuple, sequence, function on 1..n      `SequenceValue`: a length and what stands at an index
    other functions       `FunctionValue`: finitely many keys, each with the condition that it is in the domain
    functions on sets that are not listed  `MapValue`: a domain, and the value at a key
    sets                  `SetValue`
    a value of one kind or another         `UnionValue`: several values, each with the condition that it is that

`NOWHERE` is what stands where no value is given: at an index of the empty sequence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import z3

from rmqproof.model.evaluate.values import letter_of
from rmqproof.model.prove.logic import Number, Truth, conjunction, disjunction, same
from rmqproof.model.types.domain import Atom, Type

Value = Any


class Nowhere:
    """The value of what has none."""

    def __repr__(self) -> str:
        return "NOWHERE"


NOWHERE = Nowhere()


@dataclass(frozen=True, eq=False, slots=True)
class RecordValue:
    fields: Mapping[str, Value]


@dataclass(frozen=True, eq=False, slots=True)
class SequenceValue:
    """`at` gives the value at an index; outside 1..length it may give anything. `most`: never longer than this."""

    length: Number
    at: Callable[[Number], Value]
    most: int | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """A key of a function, and when it is in the domain. Entries of one function that are there have different keys."""

    present: Truth
    key: Value
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class FunctionValue:
    entries: tuple[Entry, ...]


Elements = list[tuple[Truth, Value]]


class SetValue(ABC):
    """A set: what is in it, and where they can be listed, its elements with the conditions that they are."""

    def contains(self, value: Value) -> Truth:
        """Whether it is an element. Raise `Untranslatable` for a kind of value of which TLA+ does not say."""
        return one_of_kinds(value, self.has) if isinstance(value, UnionValue) else self.has(value)

    @abstractmethod
    def has(self, value: Value) -> Truth:
        """The same of a value of one kind."""

    @property
    @abstractmethod
    def element(self) -> Type:
        """The type of the elements."""

    def elements(self) -> Elements | None:
        """The elements and when each of them is one; None where there is no end of them."""
        return None

    @property
    def key(self) -> Type:
        """The type of the keys of a function that has this domain."""
        return self.element

    @property
    def is_whole(self) -> bool:
        """Whether it has, of a type whose values cannot be listed, all."""
        return False

    @property
    def is_bounded(self) -> bool:
        """Numbers within an interval, or finitely many: where there is one, there is a smallest and a largest."""
        return False

    @property
    def is_finite(self) -> bool:
        """Whether it is an open set, or made of one; or a set that is listed."""
        return False

    @abstractmethod
    def quantify(self, universal: bool, body: Callable[[Value], Truth]) -> Truth:
        """`\\A x \\in self : body(x)`, or `\\E`, where the elements cannot be listed."""

    @abstractmethod
    def same(self, other: SetValue) -> Truth: ...

    @abstractmethod
    def merged(self, condition: Truth, other: SetValue) -> SetValue:
        """This set where the condition holds, the other where not."""


@dataclass(frozen=True, eq=False, slots=True)
class MapValue:
    """A function whose domain cannot be listed. At what is not in it, it may give anything."""

    domain: SetValue
    at: Callable[[Value], Value]


@dataclass(frozen=True, eq=False, slots=True)
class UnionValue:
    """One of several values of different kinds: that of which the condition holds, of which there is exactly one."""

    alternatives: tuple[tuple[Truth, Value], ...]


def one_of_kinds(value: UnionValue, test: Callable[[Value], Truth]) -> Truth:
    """Whether the value, whichever it is, passes a test."""
    return disjunction(conjunction([guard, test(alternative)]) for guard, alternative in value.alternatives)


# --- atoms ---------------------------------------------------------------------------------------------------------


def atom_sort() -> Any:
    """The sort of strings and model values. That the known ones differ is an axiom of its own: `distinct`."""
    return z3.DeclareSort("Atom")


def same_atom(a: AtomValue, b: AtomValue) -> Truth:
    return a.known == b.known if a.known is not None and b.known is not None else same(a.term, b.term)


def is_untyped(atom: Atom) -> bool:
    """Whether it is a model value that TLC compares with every value; a typed one (`A_p1`) has its own kind."""
    return atom.is_model and not letter_of(atom.name)


@dataclass(frozen=True, eq=False, slots=True)
class AtomValue:
    """A string or a model value; `known` is None where only Z3 knows which."""

    term: Any
    known: Atom | None = None
    among: frozenset[Atom] | None = None
    """It is one of these, as far as that is known by its type."""

    @property
    def is_model(self) -> bool:
        """Whether it is surely a model value without a type, which is different from whatever is none."""
        return self.among is not None and all(map(is_untyped, self.among))

    @classmethod
    def of(cls, atom: Atom) -> AtomValue:
        return _known_atom(atom)


@cache
def _known_atom(atom: Atom) -> AtomValue:
    return AtomValue(z3.Const(atom.name if atom.is_model else f'"{atom.name}"', atom_sort()), atom, frozenset({atom}))


def distinct(atoms: Iterable[Atom]) -> Any:
    """That these atoms differ from one another, and which of them are strings."""
    known = [AtomValue.of(atom) for atom in sorted(atoms)]
    is_string = z3.Function("is a string", atom_sort(), z3.BoolSort())
    kinds = [is_string(k.term) if k.known and not k.known.is_model else z3.Not(is_string(k.term)) for k in known]
    return z3.And(z3.Distinct(*(k.term for k in known), z3.Const("no atom", atom_sort())), *kinds)
