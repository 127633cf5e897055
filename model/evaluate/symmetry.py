"""SYMMETRY: fingerprints that do not depend on which model value is which.

The symmetry set is a union of `Permutations(S)`. As in TLC, the permutations that are tried are all compositions that
the given ones generate, one per set; a state's fingerprint is the smallest among those of its images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import factorial, prod
from operator import xor

from rmqproof.model.evaluate.canonical import Canonical, Permutation
from rmqproof.model.evaluate.values import Boolean, Function, Key, ModelValue, Order, Value, function, pairs_of
from rmqproof.model.tla.core import Builtin, Call, Definition, Expression
from rmqproof.model.tla.source import TlaError

_LIMIT = 500_000
"""Remembered images of values under a permutation; then the table starts afresh."""
LARGEST_GROUP = 50_000
"""Permutations that are listed at most."""
_MADE = 5_000
"""Permutations whose images of values are remembered; then the table starts afresh."""
LISTED = 24
"""Up to so many permutations are listed, and all of them tried."""


class Symmetry:
    """The images of states under a group of permutations of model values.

    `sets`: the group has all permutations of each of these sets, and what they make together, and no others; else it
    is empty.
    """

    def __init__(
        self,
        group: Callable[[], list[dict[Value, Value]]],
        sets: Sequence[Sequence[ModelValue]],
        tables: tuple[Mapping[Value, int], ...],
        listed: int = LISTED,
    ) -> None:
        self.sets = sets
        self.many = prod(factorial(len(values)) for values in sets) > listed
        """There are so many permutations that they are not listed."""
        self._tables = tables
        self._digests: list[ImageDigests] = []
        self._ranks: list[ImageRanks] = []
        self._made: dict[tuple[tuple[Value, Value], ...], Images] = {}
        self.group: list[dict[Value, Value]] = []
        """The permutations but the identity; none where there are `many`."""
        if self.many:
            self._canonical = Canonical(sets)
        else:
            self.group = group()
            images = [Images(permutation) for permutation in self.group]
            self._digests = [ImageDigests(table, images) for table in tables]

    def fingerprint(self, state: tuple[Value, ...]) -> int:
        """That of an image of the state, the same for all its images."""
        if self.many:
            return self._canonical_fingerprint(state[: len(self._tables)])
        found: Iterable[int] = (0,) * (len(self.group) + 1)
        for digests, value in zip(self._digests, state, strict=False):  # the state ends with its own fingerprint
            found = map(xor, digests[value], found)
        return min(found)

    def least(self, state: tuple[Value, ...], order: Order, compared: Sequence[int]) -> tuple[Value, ...]:
        """The least image of the state, of which VIEW is asked, as in TLC. Not where there are `many` permutations.

        `order` of values and `compared`, the order of variables, are the same for every state.
        """
        if not self._ranks:
            keys = Remembered(order)
            self._ranks = [ImageRanks(keys, self.group, self._images) for _ in self._tables]
        left: Sequence[int] = range(len(self.group) + 1)
        values = state[: len(self._tables)]
        for index in compared:
            found = self._ranks[index][values[index]]
            least = min([found[number] for number in left])
            left = [number for number in left if found[number] == least]
            if len(left) == 1:
                break
        if left[0] == 0:
            return values
        return tuple(map(self._images(self.group[left[0] - 1]).__getitem__, values))

    def _canonical_fingerprint(self, values: tuple[Value, ...]) -> int:
        def digest(permutation: Permutation) -> int:
            images = self._images(permutation)
            return reduce(xor, (table[images[value]] for table, value in zip(self._tables, values, strict=True)))

        return min(map(digest, self._canonical.permutations(values, self._images)))

    def _images(self, permutation: Permutation) -> Images:
        key = tuple(permutation.items())
        images = self._made.get(key)
        if images is None:
            if len(self._made) >= _MADE:
                self._made.clear()
            images = self._made[key] = Images(permutation)
        return images


class ImageDigests(dict[Value, tuple[int, ...]]):
    """The digests of a variable's value and of its images under each permutation."""

    __slots__ = ("_images", "_limit", "_table")

    def __init__(self, table: Mapping[Value, int], images: list[Images]) -> None:
        super().__init__()
        self._table, self._images = table, images
        self._limit = max(1_000, 2 * _LIMIT // (1 + len(images)))

    def __missing__(self, value: Value) -> tuple[int, ...]:
        if len(self) >= self._limit:
            self.clear()
        table = self._table
        digests = self[value] = (table[value], *[table[images[value]] for images in self._images])
        return digests


class Remembered(Order):
    """An order that remembers the keys of sets, sequences and functions, which many states have in common."""

    __slots__ = ("_keys",)

    def __init__(self, order: Order) -> None:
        super().__init__(order.words)
        self._keys: dict[Value, Key] = {}

    def key(self, value: Value) -> Key:
        kind = type(value)
        if kind is int or kind is str or kind is ModelValue or kind is Boolean:
            return super().key(value)
        key = self._keys.get(value)
        if key is None:
            if len(self._keys) >= _LIMIT:
                self._keys.clear()
            key = self._keys[value] = super().key(value)
        return key


class ImageRanks(dict[Value, tuple[int, ...]]):
    """Which place a variable's value, and its images under each permutation, have in the order of these images."""

    __slots__ = ("_group", "_images", "_keys", "_limit")

    def __init__(self, keys: Order, group: Sequence[Permutation], images: Callable[[Permutation], Images]) -> None:
        """`images`: those under a permutation of the group, which may be too large for all of them to be remembered."""
        super().__init__()
        self._keys, self._group, self._images = keys, group, images
        self._limit = 1 + 2 * _LIMIT // (1 + len(group))

    def __missing__(self, value: Value) -> tuple[int, ...]:
        if len(self) >= self._limit:
            self.clear()
        keys = list(map(self._keys.key, [value, *[self._images(permutation)[value] for permutation in self._group]]))
        places = {key: place for place, key in enumerate(sorted(set(keys)))}
        ranks = self[value] = tuple([places[key] for key in keys])
        return ranks


class Images(dict[Value, Value]):
    """The images of values under a permutation of model values, remembered."""

    __slots__ = ("permutation",)

    def __init__(self, permutation: Mapping[Value, Value]) -> None:
        super().__init__(permutation)
        self.permutation = permutation

    def __missing__(self, value: Value) -> Value:
        kind = type(value)
        if kind is int or kind is str or kind is ModelValue or kind is Boolean:
            return value
        if len(self) >= _LIMIT:
            self.clear()
            self.update(self.permutation)
        if kind is frozenset:
            image: Value = frozenset([self[item] for item in value])
        elif kind is tuple:
            image = tuple([self[item] for item in value])
        elif all(type(key) is str for key in value[0].keys):
            image = Function((value[0], *[self[item] for item in value[1:]]))
        else:
            image = function({self[key]: self[item] for key, item in pairs_of(value)})
        self[value] = image
        return image


def symmetry_of(
    permutations: Value, definition: Definition, tables: tuple[Mapping[Value, int], ...], listed: int = LISTED
) -> Symmetry:
    """Raise `TlaError` where the value of the definition is no set of permutations of model values."""
    remedy = "Use Permutations(S), or a union of such sets, of sets S of model values."
    if type(permutations) is not frozenset:
        raise TlaError(f"{definition.name} is not a set of permutations", definition.at, remedy, "config")
    generators: list[dict[Value, Value]] = []
    for permutation in permutations:
        if type(permutation) is not Function or not all(type(key) is ModelValue for key in permutation[0].keys):
            if permutation == ():
                continue
            raise TlaError(
                f"{definition.name} permutes values that are no model values", definition.at, remedy, "config"
            )
        moved = {key: item for key, item in pairs_of(permutation) if key is not item}
        if moved:
            generators.append(moved)
    sets = _whole_sets(generators)
    return Symmetry(
        lambda: _composed(sets, generators, definition) if sets else generated(generators, definition),
        sets,
        tables,
        listed,
    )


def symmetry_of_sets(sets: Sequence[Value], tables: tuple[Mapping[Value, int], ...]) -> Symmetry | None:
    """Where a symmetry set is the union of `Permutations(S)` for these values of S, and has too many elements to be
    listed; None where it has not, or is none."""
    values = [value for each in sets if type(each) is frozenset for value in each]
    if not all(type(each) is frozenset for each in sets) or not all(type(value) is ModelValue for value in values):
        return None
    many = prod(factorial(len(each)) for each in sets) > LISTED
    if not many or len(values) != len(set(values)):
        return None
    return Symmetry(list, [list(each) for each in sets if len(each) > 1], tables)


def permuted(body: Expression) -> list[Expression] | None:
    """The sets S of a union of `Permutations(S)`; None where it is written in another way."""
    match body:
        case Builtin(operator="TLC!Permutations", arguments=(items,)):
            return [items]
        case Builtin(operator="\\cup", arguments=(left, right)):
            first, second = permuted(left), permuted(right)
            return first + second if first is not None and second is not None else None
        case Call(definition=definition, arguments=()):
            return permuted(definition.body)
    return None


def _whole_sets(generators: list[dict[Value, Value]]) -> list[list[ModelValue]]:
    """The sets of which all permutations are among the generators, if there are no other generators; else none."""
    within: list[set[Value]] = []
    for generator in generators:
        touched = [values for values in within if not values.isdisjoint(generator)]
        within = [values for values in within if values not in touched] + [set(generator).union(*touched)]
    count = sum(factorial(len(values)) - 1 for values in within)
    different = {frozenset(generator.items()) for generator in generators}
    # a generator that moves values of two sets would have made them one
    return [list(values) for values in within] if len(different) == count else []


def _composed(
    sets: list[list[ModelValue]], generators: list[dict[Value, Value]], definition: Definition
) -> list[dict[Value, Value]]:
    """All compositions of the generators, which are all permutations of the sets; the identity is left out."""
    if prod(factorial(len(values)) for values in sets) > LARGEST_GROUP:
        raise _too_many(definition)
    choices = [[{}, *(each for each in generators if not each.keys().isdisjoint(values))] for values in sets]
    composed = [{key: item for part in chosen for key, item in part.items()} for chosen in product(*choices)]
    return [permutation for permutation in composed if permutation]


def _too_many(definition: Definition) -> TlaError:
    return TlaError(
        f"{definition.name} has more than {LARGEST_GROUP} permutations",
        definition.at,
        "Use smaller sets of model values, or no SYMMETRY.",
        "config",
    )


def generated(generators: list[dict[Value, Value]], definition: Definition) -> list[dict[Value, Value]]:
    """All compositions of the generators, the identity left out, in an order that does not change."""

    def key(permutation: Mapping[Value, Value]) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((a.name, b.name) for a, b in permutation.items()))

    known = {key(generator): generator for generator in generators}
    pending = list(known.values())
    while pending:
        permutation = pending.pop()
        for generator in generators:
            keys = {*permutation, *generator}
            composed = {k: generator.get(permutation.get(k, k), permutation.get(k, k)) for k in keys}
            composed = {k: item for k, item in composed.items() if k is not item}
            if composed and key(composed) not in known:
                known[key(composed)] = composed
                pending.append(composed)
                if len(known) > LARGEST_GROUP:
                    raise _too_many(definition)
    return [known[name] for name in sorted(known)]
