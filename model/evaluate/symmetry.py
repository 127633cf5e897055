"""SYMMETRY: fingerprints that do not depend on which model value is which.

The symmetry set is a union of `Permutations(S)`. As in TLC, the permutations that are tried are all compositions that
the given ones generate, one per set; a state's fingerprint is the smallest among those of its images.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rmqproof.model.evaluate.fingerprint import fingerprint
from rmqproof.model.evaluate.values import Function, ModelValue, Value, function, pairs_of
from rmqproof.model.tla.core import Definition
from rmqproof.model.tla.source import TlaError

if TYPE_CHECKING:
    from rmqproof.model.evaluate.system import InterpretedSystem

_LIMIT = 500_000
_LARGEST_GROUP = 50_000


class Symmetry:
    """The images of states under a group of permutations of model values."""

    def __init__(self, group: list[dict[Value, Value]], tables: tuple[Mapping[Value, int], ...]) -> None:
        self.group = group
        self.tables = tables
        self._images: list[dict[Value, Value]] = [{} for _ in group]

    def fingerprint(self, state: tuple[Value, ...]) -> int:
        """The smallest fingerprint of an image of the state."""
        values = state[:-1]
        best = fingerprint(values, self.tables)  # type: ignore[arg-type]
        for number, permutation in enumerate(self.group):
            images = self._images[number]
            found = 0
            for table, value in zip(self.tables, values, strict=True):
                image = images.get(value)
                if image is None:
                    if len(images) >= _LIMIT:
                        images.clear()
                    image = images[value] = permuted(value, permutation)
                found ^= table[image]
            if found < best:
                best = found
        return best


def permuted(value: Value, permutation: Mapping[Value, Value]) -> Value:
    """The value with its model values exchanged."""
    kind = type(value)
    if kind is ModelValue:
        return permutation.get(value, value)
    if kind is frozenset:
        return frozenset(permuted(item, permutation) for item in value)
    if kind is tuple:
        return tuple(permuted(item, permutation) for item in value)
    if kind is Function:
        if all(type(key) is str for key in value[0].keys):
            return Function((value[0], *(permuted(item, permutation) for item in value[1:])))
        return function({permuted(key, permutation): permuted(item, permutation) for key, item in pairs_of(value)})
    return value


def symmetry_of(system: InterpretedSystem, definition: Definition) -> Symmetry:
    """Raise `TlaError` where the definition is no set of permutations of model values."""
    permutations = system.constant(definition.body)
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
    return Symmetry(generated(generators, definition), system.tables)


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
