"""SYMMETRY by all permutations of sets of model values: which of them can make a state's canonical image.

With eight values there are 40,320 permutations, and most images of a state cannot be the canonical one. Each value is
given a colour that says how it occurs in the state, whatever it is called: in the image of the state its image has the
same. So only permutations that put the values in the order of their colours are tried, and of those that exchange
*twins* (values whose exchange leaves the state as it is) one. Two states have the same images among them exactly if
one is an image of the other, whether or not the colours tell all values apart. (Refinement of partitions, as in
programs that decide whether graphs are isomorphic.) `native/canonical.py` does the same in machine code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from zlib import crc32

from rmqproof.model.evaluate.values import Boolean, ModelValue, Value, pairs_of

ROUNDS = 3
"""How often colours are refined, at most."""
_REMEMBERED = 50_000
"""Colourings of values; then the table starts afresh."""
_WORD = (1 << 64) - 1
_SEPARATE = 0x9E3779B97F4A7C15

Colours = Mapping[Value, int]
Permutation = dict[Value, Value]
ImagesOf = Callable[[Permutation], Mapping[Value, Value]]
"""What gives the images of values under a permutation."""


def mixed(number: int) -> int:
    """A word that depends on each bit of `number`."""
    number = (number ^ number >> 31) * 0xD6E8FEB86659FD93 & _WORD
    return (number ^ number >> 32) * 0x9FB21C651E98DF25 & _WORD


def coloured(value: Value, colours: Colours) -> int:
    """A word that says how the value is made of others; of a value with a colour only that matters."""
    kind = type(value)
    if kind is int:
        return mixed(value & _WORD)
    if kind is ModelValue:
        found = colours.get(value)
        return found if found is not None else mixed(crc32(value.name.encode()))
    if kind is str:
        return mixed(~crc32(value.encode("utf-8", "surrogatepass")) & _WORD)
    if kind is Boolean:
        return mixed(_SEPARATE + value.truth)
    if kind is frozenset:
        return mixed(sum(mixed(coloured(item, colours)) for item in value) & _WORD)
    if kind is tuple:
        word = len(value)
        for item in value:
            word = mixed(word ^ coloured(item, colours)) + _SEPARATE & _WORD
        return word
    pairs = ((coloured(key, colours), coloured(item, colours)) for key, item in pairs_of(value))
    return mixed(sum(mixed(mixed(key) ^ item) for key, item in pairs) & _WORD)


class Canonical:
    """The permutations of `sets` that are tried for a state."""

    def __init__(self, sets: Sequence[Sequence[ModelValue]]) -> None:
        self.sets = [sorted(values, key=lambda value: value.name) for values in sets]
        self._first = {value: mixed(place + 1) for place, values in enumerate(self.sets) for value in values}
        self._known: dict[tuple[int, Value], dict[Value, int]] = {}

    def permutations(self, state: Sequence[Value], images: ImagesOf) -> Iterator[Permutation]:
        """Each maps every value of the sets, also one that stays."""
        colours = self._colours(state)
        blocks = []
        for values in self.sets:
            rest = sorted(values, key=lambda value: colours[value])
            while rest:
                block = [value for value in rest if colours[value] == colours[rest[0]]]
                blocks.append(_arrangements(_twins(block, state, images)))
                rest = rest[len(block) :]
        names = [value for values in self.sets for value in values]
        for chosen in product(*blocks):
            yield dict(zip((value for block in chosen for value in block), names, strict=True))

    def _colours(self, state: Sequence[Value]) -> dict[Value, int]:
        colours, told = self._refined(state, None), 0
        for _ in range(ROUNDS):
            before, told = told, len(set(colours.values()))
            if told == len(colours) or told == before:
                break
            colours = self._refined(state, colours)
        return colours

    def _refined(self, state: Sequence[Value], colours: dict[Value, int] | None) -> dict[Value, int]:
        """Each value by how it stands among the others, of which the colours are known. None: the first ones."""
        found = dict(self._first if colours is None else colours)
        for place, value in enumerate(state):
            for moved, word in self._singled_out(place, value, colours).items():
                found[moved] = mixed(found[moved] ^ word)
        return found

    def _singled_out(self, place: int, value: Value, colours: dict[Value, int] | None) -> dict[Value, int]:
        """For each value of the sets a word that says how it stands in the value of the variable number `place`."""
        if colours is None and (place, value) in self._known:
            return self._known[place, value]
        start = self._first if colours is None else colours
        found: dict[Value, int] = {}
        for moved in self._first:
            found[moved] = coloured(value, {**start, moved: mixed(start[moved] ^ _SEPARATE)})
        if colours is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[place, value] = found
        return found


def _twins(block: list[Value], state: Sequence[Value], images: ImagesOf) -> list[list[Value]]:
    """The values of a block, those together whose exchange leaves the state as it is."""
    classes: list[list[Value]] = []
    for value in block:
        for known in classes:
            image = images({value: known[0], known[0]: value})
            if all(image[part] == part for part in state):
                known.append(value)
                break
        else:
            classes.append([value])
    return classes


def _arrangements(classes: list[list[Value]]) -> list[list[Value]]:
    """The orders of all values, in each of which those of a class come one after the other."""
    if not classes:
        return [[]]
    found = []
    for place, chosen in enumerate(classes):
        rest = [*classes[:place], *([chosen[1:]] if len(chosen) > 1 else []), *classes[place + 1 :]]
        found += [[chosen[0], *order] for order in _arrangements(rest)]
    return found
