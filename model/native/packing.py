"""Values to packed bits and back."""

from __future__ import annotations

from rmqproof.model.types.domain import (
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
    parts_of,
)

from .errors import NotCompilable
from .ranks import rank_of, value_of_rank
from .representation import domain_size, is_map, pairs_in, words
from .routines import Routines, size_of
from .value_order import position_of_rank, rank_at_position

UNROLLED = 8
"""Elements up to which each has a statement of its own; more are gone through in a loop."""
LONGEST = 8_000
"""Letters of statements for elements one by one; where they would be more, they are gone through in a loop, too."""
SCALAR = (Int, Bool, Enum, Text)


def bits_of(r: Routines, type_: Type) -> int:
    """The bits that a packed value takes."""
    match type_:
        case Nothing():
            return 0
        case Bool():
            return 1
        case Text():
            return 16
        case Int() | Enum():
            return max(0, (size_of(type_) - 1).bit_length())
        case Set():
            size = r.structures.universe_size(type_.element)
            if size is not None:
                return size
            listed = r.structures.listed_size(type_.element)
            each = bits_of(r, type_.element) if listed is None else (listed - 1).bit_length()
            return length_bits(0, type_.most or 0) + (type_.most or 0) * each
        case Seq():
            return length_bits(type_.least, type_.most or 0) + (type_.most or 0) * bits_of(r, type_.element)
        case Tuple() | Record():
            return sum(bits_of(r, item) for item in parts_of(type_))
        case Function() if is_map(type_):
            return bits_of(r, pairs_in(type_))
        case Function():
            size = domain_size(type_)
            return (0 if type_.total else size) + size * bits_of(r, type_.value)
        case Union():
            return length_bits(0, len(type_.members) - 1) + max(bits_of(r, member) for member in type_.members)
    raise NotCompilable(None, "a variable whose type is not known")


def packing(r: Routines, type_: Type, code: str, at: int) -> list[str]:
    """Statements that put the value at `code` into the bits of `w` from `at` on; those bits are zero before."""
    return _transfer(r, type_, code, at, True)


def unpacking(r: Routines, type_: Type, code: str, at: int) -> list[str]:
    """Statements that read it back; the memory at `code` is zero before."""
    return _transfer(r, type_, code, at, False)


Place = int | str
"""A number of bits, or an expression for one."""


def _after(at: Place, bits: int) -> Place:
    return at + bits if isinstance(at, int) else f"({at} + {bits})" if bits else at


def _transfer(r: Routines, type_: Type, code: str, at: Place, packing: bool) -> list[str]:
    match type_:
        case Nothing():
            return []
        case _ if isinstance(type_, SCALAR):
            return _scalar(r, type_, code, at, packing)
        case Set() if (size := r.structures.universe_size(type_.element)) is not None:
            return _bit_set(size, code, at, packing)
        case Set() | Seq():
            return _vector(r, type_, code, at, packing)
        case Tuple() | Record():
            steps = []
            for i, item in enumerate(parts_of(type_)):
                steps += _transfer(r, item, f"{code}.f{i}", at, packing)
                at = _after(at, bits_of(r, item))
            return steps
        case Function() if is_map(type_):
            return _vector(r, pairs_in(type_), code, at, packing, in_loop=True)
        case Function():
            return _function(r, type_, code, at, packing)
        case Union():
            width = length_bits(0, len(type_.members) - 1)
            tag = f"put_(w, {at}, {width}, (U){code}.tag);" if packing else f"{code}.tag = (I)get_(w, {at}, {width});"
            steps = [tag]
            for i, member in enumerate(type_.members):
                inner = _transfer(r, member, f"{code}.m{i}", _after(at, width), packing)
                steps += [f"if ({code}.tag == {i}) {{", *inner, "}"] if inner else []
            return steps
    raise NotCompilable(None, "a variable whose type is not known")


def _scalar(r: Routines, type_: Type, code: str, at: Place, packing: bool) -> list[str]:
    width = bits_of(r, type_)
    if isinstance(type_, Text):
        rank, back = code, "{}"
    else:
        rank, back = rank_of(r, type_, code), value_of_rank(r, type_, "{}")
    if packing:
        return [f"put_(w, {at}, {width}, (U)({rank}));"] if width else []
    return [f"{code} = {back.format(f'(I)get_(w, {at}, {width})' if width else '(I)0')};"]


def _bit_set(size: int, code: str, at: Place, packing: bool) -> list[str]:
    steps = []
    for k in range(words(size)):
        for part in (0, 32):
            width = min(32, size - k * 64 - part)
            if width <= 0:
                continue
            position = _after(at, k * 64 + part)
            if packing:
                bits = f"{code}.w[{k}] >> {part} & {(1 << width) - 1}ULL"
                steps.append(f"put_(w, {position}, {width}, {bits});")
            else:
                steps.append(f"{code}.w[{k}] |= get_(w, {position}, {width}) << {part};")
    return steps


def _vector(r: Routines, type_: Set | Seq, code: str, at: Place, packing: bool, in_loop: bool = False) -> list[str]:
    """How many there are, then each; of a set in a listed universe its rank. `in_loop`: many are, whatever they are."""
    least, most = type_.least if isinstance(type_, Seq) else 0, type_.most or 0
    listed = r.structures.listed_size(type_.element) if isinstance(type_, Set) else None
    each = bits_of(r, type_.element) if listed is None else (listed - 1).bit_length()
    width = length_bits(least, most)

    def element(place: str, position: Place) -> list[str]:
        if listed is not None and packing:
            return [f"put_(w, {position}, {each}, (U){rank_at_position(r, type_.element, place)});"]
        if listed is not None:
            return [f"{place} = {position_of_rank(r, type_.element, f'(I)get_(w, {position}, {each})')};"]
        return _transfer(r, type_.element, place, position, packing)

    steps = []
    if packing and width:
        steps.append(f"put_(w, {at}, {width}, (U)({code}.n - {least}));")
    elif not packing:
        steps.append(f"{code}.n = {least}{f' + (I)get_(w, {at}, {width})' if width else ''};")
    loop = most > UNROLLED and (in_loop or listed is not None or isinstance(type_.element, SCALAR))
    if not loop and most > 1:
        loop = most * sum(map(len, element(f"{code}.a[0]", _after(at, width)))) > LONGEST
    if loop:
        name = _index(code)
        inner = element(f"{code}.a[{name}]", f"({_after(at, width)} + {name} * {each})")
        return [*steps, f"for (I {name} = 0; {name} < {code}.n; {name}++) {{", *inner, "}"]
    for i in range(most):
        inner = element(f"{code}.a[{i}]", _after(at, width + i * each))
        steps += inner if i < least else [f"if ({code}.n > {i}) {{", *inner, "}"] if inner else []
    return steps


def _index(code: str) -> str:
    """A name for the places of the parts of what is at `code`: loops around it are over what it is part of."""
    return f"i{code.count('[')}_"


def _function(r: Routines, type_: Function, code: str, at: Place, packing: bool) -> list[str]:
    """Of a partial function which arguments it has, then a value for each of the universe."""
    size, each = domain_size(type_), bits_of(r, type_.value)
    steps = []
    if not type_.total:
        steps = _bit_set(size, code, at, packing)
        at = _after(at, size)
    if not type_.total and size > UNROLLED and isinstance(type_.value, SCALAR):
        name = _index(code)
        inner = _scalar(r, type_.value, f"{code}.a[{name}]", f"({at} + {name} * {each})", packing)
        for k in range(words(size)):
            steps.append(f"for (U w_ = {code}.w[{k}]; w_; w_ &= w_ - 1) {{ I {name} = {64 * k} + __builtin_ctzll(w_);")
            steps += [*inner, "}"]
        return steps
    for i in range(size):
        inner = _transfer(r, type_.value, f"{code}.a[{i}]", _after(at, i * each), packing)
        if not type_.total and inner:
            inner = [f"if ({code}.w[{i >> 6}] >> {i & 63} & 1) {{", *inner, "}"]
        steps += inner
    return steps


def length_bits(least: int, most: int) -> int:
    return (most - least).bit_length()
