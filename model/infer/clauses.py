"""Clauses that hold in every known row and exclude a given one: small sets that meet every set of a family."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

_MOST_ROWS = 4_000
_MOST_STEPS = 60_000


def hitting_sets(family: Collection[int], allowed: int, cost: Sequence[int], largest: int, most: int) -> list[int]:
    """Sets of at most `largest` of the allowed elements that meet each set of the family, as bits, the cheapest first.

    None of them has another as a part. Where there are sets of n elements, those of more than n + 1 are not looked for.
    `most` of them, at most, are found of each size.
    """
    rows = sorted({row & allowed for row in family}, key=lambda row: (row.bit_count(), row))[:_MOST_ROWS]
    if not rows:
        return [0]
    if rows[0] == 0:
        return []
    found: list[int] = []
    smallest = largest
    for size in range(1, largest + 1):
        if size > smallest + 1:
            break
        search = _Search(rows, cost, size, most)
        search.extend(0, 0, 0)
        new = [each for each in search.found if not any(part & each == part for part in found)]
        if new and not found:
            smallest = size
        found += new
    if len(rows) == _MOST_ROWS:
        found = [each for each in found if all(row & each for row in family)]
    return sorted(found, key=lambda each: sum(cost[i] for i in elements(each)))


@dataclass(slots=True)
class _Search:
    rows: Sequence[int]
    cost: Sequence[int]
    size: int
    most: int
    found: list[int] = field(default_factory=list)
    steps: int = 0

    def extend(self, chosen: int, excluded: int, start: int) -> None:
        """All sets of exactly `size` elements with those chosen and without those excluded."""
        self.steps += 1
        if len(self.found) >= self.most or self.steps > _MOST_STEPS:
            return
        left = self.size - chosen.bit_count()
        place = next((i for i in range(start, len(self.rows)) if not self.rows[i] & chosen), None)
        if place is None:
            if left == 0:
                self.found.append(chosen)
            return
        if left == 0:
            return
        open_ = self.rows[place] & ~excluded
        if left == 1:
            for row in self.rows[place + 1 :]:
                if not row & chosen:
                    open_ &= row
                    if not open_:
                        return
        for element in sorted(elements(open_), key=self.cost.__getitem__):
            self.extend(chosen | 1 << element, excluded, place + 1)
            excluded |= 1 << element


def elements(bits: int) -> list[int]:
    """The elements of a set of bits."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
