"""Between which numbers the value of a term lies, as far as that can be seen from its form."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

import z3

from rmqproof.model.prove.logic import Number, identity

Range = tuple[int, int]


@dataclass(eq=False)
class Ranges:
    """`known` are the ranges of constants, by name."""

    known: dict[str, Range] = field(default_factory=dict)
    _found: dict[int, tuple[Any, Range | None]] = field(default_factory=dict)

    def of(self, number: Number) -> Range | None:
        """The smallest and the largest value; None where there may be no end of them."""
        if isinstance(number, int):
            return number, number
        key = identity(number)
        if key not in self._found:
            self._found[key] = (number, self._of(number))  # the term is kept, or its place would be another's
        return self._found[key][1]

    def _of(self, number: Any) -> Range | None:
        if z3.is_int_value(number):
            value = int(number.as_long())
            return value, value
        if not z3.is_app(number):
            return None
        operator = number.decl().kind()
        if operator == z3.Z3_OP_UNINTERPRETED:
            return self.known.get(number.decl().name()) if number.num_args() == 0 else None
        if operator == z3.Z3_OP_ITE:
            return self._choice(*number.children())
        if operator in (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL):
            total = self.of(number.arg(0))
            for place in range(1, number.num_args()):
                total = _combined(operator, total, self.of(number.arg(place)))
            return total
        return None

    def _choice(self, condition: Any, one: Any, other: Any) -> Range | None:
        decided = self.decided(condition)
        if decided is not None:
            return self.of(one if decided else other)
        a, b = self.of(one), self.of(other)
        if a is not None and b is not None and (z3.is_le(condition) or z3.is_lt(condition)):
            sides = [identity(side) for side in condition.children()]
            if sides == [identity(one), identity(other)]:
                return min(a[0], b[0]), min(a[1], b[1])
            if sides == [identity(other), identity(one)]:
                return max(a[0], b[0]), max(a[1], b[1])
        return joined([a, b])

    def decided(self, condition: Any) -> bool | None:
        """Whether a comparison of numbers is true or false, whatever they are."""
        if z3.is_not(condition):
            inside = self.decided(condition.arg(0))
            return None if inside is None else not inside
        if not z3.is_app(condition) or condition.num_args() != 2 or not z3.is_int(condition.arg(0)):
            return None
        a, b = self.of(condition.arg(0)), self.of(condition.arg(1))
        if a is None or b is None:
            return None
        if z3.is_le(condition):
            return True if a[1] <= b[0] else False if b[1] < a[0] else None
        if z3.is_lt(condition):
            return True if a[1] < b[0] else False if b[1] <= a[0] else None
        return False if z3.is_eq(condition) and (a[1] < b[0] or b[1] < a[0]) else None


def joined(ranges: list[Range | None]) -> Range | None:
    """The range of a value that is in one of these."""
    known = [found for found in ranges if found is not None]
    if not known or len(known) < len(ranges):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _combined(operator: int, a: Range | None, b: Range | None) -> Range | None:
    if a is None or b is None:
        return None
    if operator == z3.Z3_OP_ADD:
        return a[0] + b[0], a[1] + b[1]
    if operator == z3.Z3_OP_SUB:
        return a[0] - b[1], a[1] - b[0]
    ends = [x * y for x, y in product(a, b)]
    return min(ends), max(ends)
