"""Values of a type of which nothing else is known, and the sets among them.

To quantify over a set that cannot be listed takes a value of which nothing is known but that it is an element; such a
value may be a set again. So both are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import product
from typing import Any

import z3

from rmqproof.model.prove.logic import Truth, at_most, choice, conjunction, disjunction, identity, negation, same, term
from rmqproof.model.prove.merge import (
    Items,
    as_function,
    as_sequence,
    close,
    deeper,
    equal,
    is_number,
    is_truth,
    quantify,
    surely_equal,
    tuple_of,
    type_of,
)
from rmqproof.model.prove.open_sets import OpenSets, is_one, is_typed
from rmqproof.model.prove.open_types import EveryElement, SomeElement
from rmqproof.model.prove.refusal import Untranslatable
from rmqproof.model.prove.scope import Bounds
from rmqproof.model.prove.shapes import Known, places_of, shaped, shapes_of
from rmqproof.model.prove.terms import free_variables, signature
from rmqproof.model.prove.values import (
    NOWHERE,
    AtomValue,
    Elements,
    Entry,
    FunctionValue,
    MapValue,
    RecordValue,
    SequenceValue,
    SetValue,
    UnionValue,
    Value,
    atom_sort,
)
from rmqproof.model.types.domain import (
    Atom,
    Bool,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Text,
    Tuple,
    Type,
    Union,
    all_parts,
    cardinality,
    join,
    join_all,
    parts_of,
)
from rmqproof.model.types.rendering import render

_MASK = 64
"""A set of elements of a type with at most so many values is a truth value for each of them."""


class SymbolicSet(SetValue):
    """What all sets have in common."""

    def quantify(self, universal: bool, body: Callable[[Value], Truth]) -> Truth:
        return self._over_shapes(universal, body, False)

    def _over_shapes(self, universal: bool, body: Callable[[Value], Truth], well_formed: bool) -> Truth:
        parts: list[Truth] = []
        for shape in shapes_of(self.element):
            with deeper() as depth:
                variable = bound(shape, f"x!{depth}")
                guard = conjunction([*(() if well_formed else variable.constraints), self.contains(variable.value)])
                if guard is not False:
                    parts.append(close(universal, variable.leaves, guard, body(variable.value)))
        return conjunction(parts) if universal else disjunction(parts)

    def same(self, other: SetValue) -> Truth:
        if self is other:
            return True
        return conjunction([quantify(True, self, other.contains), quantify(True, other, self.contains)])

    def merged(self, condition: Truth, other: SetValue) -> SetValue:
        left, right = self.elements(), other.elements()
        if left is not None and right is not None:
            negated = z3.Not(condition)
            return finite(
                [(conjunction([condition, g]), v) for g, v in left] + [(conjunction([negated, g]), v) for g, v in right]
            )
        return PredicateSet(
            join_all([self.element, other.element]),
            lambda x: choice(condition, self.contains(x), other.contains(x)),
            is_bounded=self.is_finite and other.is_finite,
        )


@dataclass(frozen=True, eq=False)
class FiniteSet(SymbolicSet):
    members: tuple[tuple[Truth, Value], ...]

    def has(self, value: Value) -> Truth:
        return disjunction(
            conjunction([guard, equal(member, value)]) for guard, member in self.members if guard is not False
        )

    @property
    def element(self) -> Type:
        return join_all([type_of(member) for _, member in self.members])

    @property
    def is_finite(self) -> bool:
        return True

    def elements(self) -> Elements:
        return [(guard, member) for guard, member in self.members if guard is not False]


@dataclass(frozen=True, eq=False)
class PredicateSet(SymbolicSet):
    """`well_formed`: the predicate holds of values of the element type only."""

    element_type: Type
    predicate: Callable[[Value], Truth]
    well_formed: bool = False
    is_bounded: bool = False
    each: Callable[[bool, Callable[[Value], Truth]], Truth] | None = None
    """How to quantify over the elements, where there is a better way than over all values of the type."""

    def has(self, value: Value) -> Truth:
        return self.predicate(value)

    @property
    def element(self) -> Type:
        return self.element_type

    @property
    def is_finite(self) -> bool:
        return self.is_bounded and (self.each is not None or isinstance(self.element_type, Text))

    def quantify(self, universal: bool, body: Callable[[Value], Truth]) -> Truth:
        if self.each is not None:
            return self.each(universal, body)
        return self._over_shapes(universal, body, self.well_formed)


@dataclass(frozen=True, eq=False)
class ArraySet(SymbolicSet):
    """A set of names that cannot be listed: a Z3 array of truth values."""

    element_type: Type
    array: Any
    is_finite: bool = False
    whole: str = ""
    """It is the open set that is the value of this constant, not one of some of its elements."""

    def has(self, value: Value) -> Truth:
        if not isinstance(value, AtomValue):
            raise Untranslatable("an element of another kind than the set has")
        return z3.Select(self.array, value.term)

    @property
    def element(self) -> Type:
        return self.element_type

    @property
    def key(self) -> Type:
        return EveryElement(self.whole) if self.whole else self.element_type

    @property
    def is_whole(self) -> bool:
        return bool(self.whole)

    @property
    def is_bounded(self) -> bool:
        return self.is_finite

    def same(self, other: SetValue) -> Truth:
        return same(self.array, other.array) if isinstance(other, ArraySet) else super().same(other)

    def merged(self, condition: Truth, other: SetValue) -> SetValue:
        if not isinstance(other, ArraySet):
            return super().merged(condition, other)
        element = join(self.element_type, other.element_type)
        return ArraySet(element, choice(condition, self.array, other.array), self.is_finite and other.is_finite)


def some_element(of: SetValue, name: str, property_: Callable[[Value], Truth] = lambda x: True) -> Truth:
    """That the value of this name, of one shape or another, is an element with the property."""
    parts: list[Truth] = []
    for shape in shapes_of(of.element):
        sample = bound(shape, name).value
        inside = of.contains(sample)
        if inside is not False:
            parts.append(conjunction([inside, property_(sample)]))
    return disjunction(parts)


def finite(elements: Elements) -> FiniteSet:
    """The set of these elements; those that are known to be the same are kept once."""
    kept: Elements = []
    for guard, value in elements:
        if guard is False:
            continue
        for place, (other, member) in enumerate(kept):
            if surely_equal(member, value):
                kept[place] = (disjunction([other, guard]), member)
                break
        else:
            kept.append((guard, value))
    return FiniteSet(tuple(kept))


@dataclass(eq=False)
class Fresh:
    """A new value. `constraints` are what its representation demands (a length is not negative), not assumptions."""

    value: Value
    constraints: list[Truth] = field(default_factory=list)
    leaves: list[Any] = field(default_factory=list)


@dataclass(eq=False)
class Maker:
    """Makes values from Z3 constants, or from functions of the bound variables `parameters`."""

    bounds: Bounds | None = None
    constraints: list[Truth] = field(default_factory=list)
    """What the representations of the values that were made demand."""
    known: Mapping[str, Atom] = field(default_factory=dict)
    """Atoms that are no constants but these, by the names that the constants would have."""
    atoms: dict[str, Enum] = field(default_factory=dict)
    """The constants that stand for atoms, by name."""
    open_sets: OpenSets = field(default_factory=dict)
    """The constants that are any finite sets of names."""
    demands: bool = True
    """Whether `constraints` gets what is demanded; not where that was said of all values before."""
    _named: set[str] = field(default_factory=set)
    """The arrays of which it is said which sets they are."""

    def make(self, type_: Type, name: str, parameters: tuple[Any, ...] = ()) -> Value:
        """A value of the type. Raise `Untranslatable` for types without a representation."""
        match type_:
            case Bool():
                return _leaf(name, z3.BoolSort(), parameters)
            case Int():
                number = _leaf(name, z3.IntSort(), parameters)
                if self.bounds is not None and self.bounds.as_inferred:
                    self.demand(_within(type_, number), parameters)
                return number
            case Known():
                return AtomValue.of(type_.atom)
            case Enum() if name in self.known and not parameters:
                return AtomValue.of(self.known[name])
            case Enum() | Text():
                if isinstance(type_, Enum) and not parameters:
                    self.atoms[name] = type_
                among = type_.atoms if isinstance(type_, Enum) and not self.open_sets else None
                value = AtomValue(_leaf(name, atom_sort(), parameters), among=among)
                self.demand(self.one_of(value, type_), parameters)
                return value
            case Record():
                if parameters and self.bounds is None:
                    return RecordValue(_Fields(type_, name, parameters, self.open_sets))
                return RecordValue({n: self.make(t, f"{name}.{n}", parameters) for n, t in type_.fields})
            case Tuple():
                items = [self.make(t, f"{name}[{i}]", parameters) for i, t in enumerate(type_.items, 1)]
                return tuple_of(items)
            case Seq():
                return self.sequence(type_, name, parameters)
            case Set():
                return self.set(type_, name, parameters)
            case Function() if constants_of(type_.key) is not None:
                return self.function(type_, name, parameters)
            case Function(key=EveryElement(of=whole)) if whole in self.open_sets and type_.total:
                return self.map(type_, self.open_sets[whole], name, parameters)
            case Union():
                return self.one_of_shapes(type_, name, parameters)
            case Nothing():
                return NOWHERE
        raise Untranslatable(f"a value of the type {render(type_)}")

    def one_of_shapes(self, type_: Union, name: str, parameters: tuple[Any, ...]) -> UnionValue:
        """A value of each shape, and Boolean values that say which of them it is."""
        shapes = shapes_of(type_)
        found: list[tuple[Truth, Value]] = []
        not_before: list[Truth] = []
        for number, shape in enumerate(shapes, 1):
            is_it = True if number == len(shapes) else _leaf(f"{name} is {number}", z3.BoolSort(), parameters)
            found.append((conjunction([*not_before, is_it]), self.make(shape, f"{name}|{number}", parameters)))
            not_before.append(negation(is_it))
        return UnionValue(tuple(found))

    def choose(self, type_: Type, name: str, parameters: tuple[Any, ...] = ()) -> Value:
        """An element of a set that cannot be listed. Raise `Untranslatable` where bounds would hide some of them."""
        if self.bounds is not None and self.bounds.as_configured and not _within_bounds(type_):
            raise Untranslatable(f"a choice among all of {render(type_)}, in a search of bounded depth")
        return self.make(type_, name, parameters)

    def demand(self, constraint: Truth, parameters: tuple[Any, ...]) -> None:
        if constraint is not True and self.demands:
            self.constraints.append(close(True, list(parameters), True, constraint))

    def sequence(self, type_: Seq, name: str, parameters: tuple[Any, ...]) -> SequenceValue:
        most = type_.most
        if self.bounds is not None:
            most = self.bounds.length if most is None else min(most, self.bounds.length)
        if most == 0 or isinstance(type_.element, Nothing):
            return tuple_of(())
        length = _leaf(f"{name}.length", z3.IntSort(), parameters)
        self.demand(at_most(0, length), parameters)
        if self.bounds is None:
            open_sets = self.open_sets
            return SequenceValue(
                length, lambda index: _item(type_.element, f"{name}.at", (*parameters, index), open_sets)
            )
        assert most is not None
        self.demand(at_most(length, most), parameters)
        items = [self.make(type_.element, f"{name}[{i}]", parameters) for i in range(1, most + 1)]
        return SequenceValue(length, Items(tuple(items)), most)

    def set(self, type_: Set, name: str, parameters: tuple[Any, ...]) -> SetValue:
        listed = constants_of(type_.element)
        if listed is None and self.bounds is not None:
            if isinstance(type_.element, Int):
                listed = list(range(self.bounds.low, self.bounds.high + 1))
            else:
                size = self.bounds.size if type_.most is None else min(type_.most, self.bounds.size)
                shapes = shapes_of(type_.element)
                names = [f"{name}|{number}" for number in range(1, len(shapes) + 1)] if len(shapes) > 1 else [name]
                listed = []
                for shape, called in zip(shapes, names, strict=True):
                    every = constants_of(shape) if self.bounds.as_inferred else None
                    some = (self.make(shape, f"{called}({i})", parameters) for i in range(1, size + 1))
                    listed += some if every is None else every
        if listed is not None:
            guards = [_leaf(f"{name} has {i}", z3.BoolSort(), parameters) for i in range(len(listed))]
            return FiniteSet(tuple(zip(guards, listed, strict=True)))
        element = type_.element
        if isinstance(element, Text) and self.bounds is None:
            array = _leaf(name, z3.ArraySort(atom_sort(), z3.BoolSort()), parameters)
            return ArraySet(element, array, bool(self.open_sets))

        def contains(value: Value) -> Truth:
            parts = [(guard, self._has(each, element, name, parameters)) for guard, each in shaped(value)]
            return disjunction(conjunction(part) for part in parts)

        self._of_every_member(element, contains, parameters)
        return PredicateSet(element, contains)

    def _has(self, value: Value, element: Type, name: str, parameters: tuple[Any, ...]) -> Truth:
        """Whether a new set has a value without alternatives: a predicate of its leaves, one for each shape."""
        shapes = shapes_of(element)
        found: list[Truth] = []
        for fits, place in places_of(value, shapes):
            nameless = _Nameless(self._array)
            with nameless.bound:
                leaves = flatten(value, shapes[place], nameless)
                arguments = [term(argument) for argument in (*parameters, *leaves)]
                sorts = [argument.sort() for argument in arguments]
                called = name if len(shapes) == 1 else f"{name}|{place + 1}"
                has = z3.Function(f"{called} has", *sorts, z3.BoolSort())(*arguments)
                has = close(False, nameless.arrays, conjunction(nameless.same), has) if nameless.arrays else has
            found.append(conjunction([fits, has]))
        return disjunction(found)

    def _array(self, of: SetValue) -> Any | None:
        """A Z3 array that is the set; None for one that a bound variable is in, or where there is nowhere to say so.

        It is called by what is in the set, so that nothing else is called so, whoever makes it.
        """
        with deeper() as depth:
            name = z3.Const(f"x!{depth}", atom_sort())
            member = of.contains(AtomValue(name))
            if not self.demands or not all(name.eq(other) for other in free_variables(member)):
                return None
            array = _some_array(f"set!{sha256(signature(member).encode()).hexdigest()}")
            if array.decl().name() not in self._named:
                self._named.add(array.decl().name())
                self.constraints.append(z3.ForAll([name], z3.Select(array, name) == term(member)))
            return array

    def _of_every_member(self, type_: Type, contains: Callable[[Value], Truth], parameters: tuple[Any, ...]) -> None:
        """Demand that the elements of open sets that the members speak of are elements."""
        if not self.open_sets:
            return
        for shape in shapes_of(type_):
            member = Maker(demands=False).make(shape, "member!")
            typed = is_typed(member, shape, self.open_sets)
            if typed is not True:
                with suppress(Untranslatable):  # then every question about a member is refused
                    self.demand(close(True, _variables(member, shape), contains(member), typed), parameters)

    def one_of(self, value: AtomValue, type_: Type) -> Truth:
        """That the atom is one of those of the type; an element of open sets only where there is any."""
        if isinstance(type_, Enum):
            return disjunction(equal(value, AtomValue.of(atom)) for atom in sorted(type_.atoms))
        if isinstance(type_, SomeElement) and type_.sets <= self.open_sets.keys():
            return is_one(value, type_, self.open_sets)
        return True

    def map(self, type_: Function, whole: SetValue, name: str, parameters: tuple[Any, ...]) -> MapValue:
        """A function of all elements of an open set."""
        key = z3.Const(f"key!{len(parameters)}", atom_sort())
        self._of_every_key(type_.value, f"{name}[]", (*parameters, key))
        plain = Maker(self.bounds, open_sets=self.open_sets, demands=False)
        return MapValue(whole, lambda at: plain.make(type_.value, f"{name}[]", (*parameters, _atom(at))))

    def _of_every_key(self, type_: Type, name: str, parameters: tuple[Any, ...]) -> None:
        """Demand what the representation of the values demands."""
        if isinstance(type_, Record):
            for field_name, field_type in type_.fields:
                self._of_every_key(field_type, f"{name}.{field_name}", parameters)
        elif isinstance(type_, Union):
            for number, shape in enumerate(shapes_of(type_), 1):
                self._of_every_key(shape, f"{name}|{number}", parameters)
        else:
            self.make(type_, name, parameters)

    def function(self, type_: Function, name: str, parameters: tuple[Any, ...]) -> FunctionValue:
        keys = constants_of(type_.key) or []
        entries = []
        for place, key in enumerate(keys):
            present = True if type_.total else _leaf(f"{name} at {place}", z3.BoolSort(), parameters)
            entries.append(Entry(present, key, self.make(type_.value, f"{name}[{_name(key, place)}]", parameters)))
        return FunctionValue(tuple(entries))


def _atom(key: Value) -> Any:
    if not isinstance(key, AtomValue):
        raise Untranslatable("the application of a function of names to something else")
    return key.term


def _item(type_: Type, name: str, parameters: tuple[Any, ...], open_sets: OpenSets) -> Value:
    """What stands at an index of a sequence without bounds.

    A record is a term of its own, of which the fields are functions: then Z3 uses what is said of all items for each
    item that is spoken about, whichever of its fields that is.
    """
    if isinstance(type_, Record):
        return RecordValue(_Fields(type_, name, (_leaf(name, item_sort(), parameters),), open_sets))
    return Maker(open_sets=open_sets, demands=False).make(type_, name, parameters)


def item_sort() -> Any:
    """The sort of records in sequences without bounds."""
    return z3.DeclareSort("Item")


class _Fields(Mapping[str, Value]):
    """The fields of an item of a sequence, made when they are asked for."""

    def __init__(self, type_: Record, name: str, parameters: tuple[Any, ...], open_sets: OpenSets) -> None:
        self._type, self._name, self._parameters, self._open_sets = type_, name, parameters, open_sets

    def __getitem__(self, field_name: str) -> Value:
        type_ = self._type.field(field_name)
        if type_ is None:
            raise KeyError(field_name)
        return Maker(open_sets=self._open_sets, demands=False).make(
            type_, f"{self._name}.{field_name}", self._parameters
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._type.names)

    def __len__(self) -> int:
        return len(self._type.fields)


def _within(type_: Int, number: Any) -> Truth:
    low = True if type_.low is None else at_most(type_.low, number)
    return conjunction([low, True if type_.high is None else at_most(number, type_.high)])


def _within_bounds(type_: Type) -> bool:
    """Whether bounds leave out no value of the type."""
    match type_:
        case Seq():
            return type_.most == 0 or isinstance(type_.element, Nothing)
        case Set():
            return constants_of(type_.element) is not None
        case Function():
            return _within_bounds(type_.value)
    return all(map(_within_bounds, parts_of(type_)))


def _name(key: Value, place: int) -> str:
    return key.known.name if isinstance(key, AtomValue) and key.known is not None else str(place)


def _leaf(name: str, sort: Any, parameters: tuple[Any, ...]) -> Any:
    if not parameters:
        return z3.Const(name, sort)
    arguments = [term(parameter) for parameter in parameters]
    return z3.Function(name, *(argument.sort() for argument in arguments), sort)(*arguments)


def constants_of(type_: Type) -> list[Value] | None:
    """All values of a small type; None for others."""
    size = cardinality(type_)
    if size is None or size > _MASK:
        return None
    match type_:
        case Bool():
            return [False, True]
        case Int():
            assert type_.low is not None and type_.high is not None
            return list(range(type_.low, type_.high + 1))
        case Enum():
            return [AtomValue.of(atom) for atom in sorted(type_.atoms)]
        case Nothing():
            return []
        case Set():
            items = constants_of(type_.element)
            if items is None:
                return None
            chosen = product([False, True], repeat=len(items))
            return [FiniteSet(tuple((True, i) for i, c in zip(items, pick, strict=True) if c)) for pick in chosen]
        case Tuple():
            columns = [constants_of(item) for item in type_.items]
            return [tuple_of(row) for row in product(*(c for c in columns if c is not None))]
        case Record():
            fields = [constants_of(t) for _, t in type_.fields]
            rows = product(*(f for f in fields if f is not None))
            return [RecordValue(dict(zip(type_.names, row, strict=True))) for row in rows]
        case Union():
            return [value for member in type_.members for value in constants_of(member) or []]
    return None


# --- as a list of terms --------------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Nameless:
    """Sets of names that are no Z3 arrays, such as those made by a filter, in a value that is looked for in a set.

    For one that has no `named` array of its own, an array is bound of which it is said that it is the same.
    """

    named: Callable[[SetValue], Any | None]
    arrays: list[Any] = field(default_factory=list)
    same: list[Truth] = field(default_factory=list)
    bound: ExitStack = field(default_factory=ExitStack)

    def array(self, of: SetValue) -> Any:
        named = self.named(of)
        if named is not None:
            return named
        array = _some_array(f"x!{self.bound.enter_context(deeper())}")
        self.arrays.append(array)
        self.same.append(ArraySet(Text(), array).same(of))
        return array


def _some_array(name: str) -> Any:
    return z3.Const(name, z3.ArraySort(atom_sort(), z3.BoolSort()))


def flatten(value: Value, type_: Type, nameless: _Nameless | None = None) -> list[Any]:
    """The Z3 terms that a value of the type consists of, in a fixed order.

    A set that is no term is refused, or gets one that is `nameless`.
    """
    match type_:
        case Bool() | Int():
            if not (is_truth(value) or is_number(value)):
                raise Untranslatable("an element of another kind than the set has")
            return [term(value)]
        case Enum() | Text():
            if not isinstance(value, AtomValue):
                raise Untranslatable("an element of another kind than the set has")
            return [value.term]
        case Record():
            if not isinstance(value, RecordValue) or set(value.fields) != set(type_.names):
                raise Untranslatable("an element of another kind than the set has")
            return [leaf for name, field_ in type_.fields for leaf in flatten(value.fields[name], field_, nameless)]
        case Tuple():
            sequence = as_sequence(value)
            return [leaf for i, item in enumerate(type_.items, 1) for leaf in flatten(sequence.at(i), item, nameless)]
        case Set():
            listed = constants_of(type_.element)
            if listed is not None and isinstance(value, SetValue):
                return [term(value.contains(item)) for item in listed]
            if isinstance(value, ArraySet):
                return [value.array]
            if nameless is not None and isinstance(type_.element, Text) and isinstance(value, SetValue):
                return [nameless.array(value)]
        case Seq(most=0):
            return []
        case Function() if type_.total and (keys := constants_of(type_.key)) is not None:
            function = as_function(value) if isinstance(value, RecordValue) else value
            entries = function.entries if isinstance(function, FunctionValue) else ()
            at = [[e.value for e in entries if e.present is True and surely_equal(e.key, key)] for key in keys]
            if len(entries) != len(keys) or any(len(values) != 1 for values in at):
                raise Untranslatable("an element of another kind than the set has")
            return [leaf for (each,) in at for leaf in flatten(each, type_.value, nameless)]
    raise Untranslatable(f"an unbounded set of elements of the type {render(type_)}")


def bound(type_: Type, name: str) -> Fresh:
    """A bound variable of the type, and the Z3 constants to quantify over."""
    maker = Maker()
    value = maker.make(type_, name)
    return Fresh(value, list(maker.constraints), _variables(value, type_))


def _variables(value: Value, type_: Type) -> list[Any]:
    """The leaves of a new value, without the atoms that its type knows."""
    known = {identity(AtomValue.of(part.atom).term) for part in all_parts(type_) if isinstance(part, Known)}
    return [leaf for leaf in flatten(value, type_) if identity(leaf) not in known]
