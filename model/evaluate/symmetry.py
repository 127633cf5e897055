"""SYMMETRY: fingerprints that do not depend on which model value is which.

The symmetry set is a union of `Permutations(S)`. As in TLC, the permutations that are tried are all compositions that
the given ones generate, one per set; a state's fingerprint is the smallest among those of its images.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import xor

from rmqproof.model.evaluate.values import Boolean, Function, ModelValue, Value, function, pairs_of
from rmqproof.model.tla.core import Definition
from rmqproof.model.tla.source import TlaError

_LIMIT = 500_000
"""Remembered images of values under a permutation; then the table starts afresh."""
_LARGEST_GROUP = 50_000


class Symmetry:
    """The images of states under a group of permutations of model values."""

    def __init__(self, group: list[dict[Value, Value]], tables: tuple[Mapping[Value, int], ...]) -> None:
        self.group = group
        images = [Images(permutation) for permutation in group]
        self._digests = [ImageDigests(table, images) for table in tables]

    def fingerprint(self, state: tuple[Value, ...]) -> int:
        """The smallest fingerprint of an image of the state, itself among them."""
        found: Iterable[int] = (0,) * (len(self.group) + 1)
        for digests, value in zip(self._digests, state, strict=False):  # the state ends with its own fingerprint
            found = map(xor, digests[value], found)
        return min(found)


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


def symmetry_of(permutations: Value, definition: Definition, tables: tuple[Mapping[Value, int], ...]) -> Symmetry:
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
    return Symmetry(generated(generators, definition), tables)


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
                if len(known) > _LARGEST_GROUP:
                    raise TlaError(
                        f"{definition.name} has more than {_LARGEST_GROUP} permutations",
                        definition.at,
                        "Use smaller sets of model values, or no SYMMETRY.",
                        "config",
                    )
    return [known[name] for name in sorted(known)]
