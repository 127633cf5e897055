"""What the compiler knows of a value before it runs: enough to choose the right Python operation.

`ANY` knows nothing, `NEVER` is the shape of no value. A shape is always true of every value it is given for.

These are not the types of `model.types`, which the C generator needs: those say how large a value can be, are found
without evaluating constants, trust what invariants claim until a value leaves it, and give a value of several kinds up
to a union; a shape says which Python object there is, has thunks and sets that are not enumerated, and is found where
the code is written, so that the shapes of variables cost the writing of Next again, and no other reading of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

from rmqproof.model.evaluate.values import Boolean, Domain, Function, ModelValue, Value
from rmqproof.model.records import dataclass

_DEPTH = 7
_SAMPLE = 500


@dataclass(frozen=True, slots=True)
class Shape:
    """`kind`: any, never, int, str, bool, model, set, seq (a Python tuple), fun (a `Function`), map (either), thunk,
    argument; truth: no value of TLA+, but a Python bool.

    `item`: of a set's elements, a sequence's items, a function's values. `domain`: of a `fun`, when it is always the
    same; `fields` then has a shape for each key. `named`: of records with different fields, the shapes of the fields
    that some of them have. `lazy`: may be a `LazySet` or `LazyFunction`. A thunk is called to
    get a value of shape `item`; an argument of an operator that was itself passed is such a thunk or the value.
    """

    kind: str
    item: Shape | None = None
    domain: Domain | None = None
    fields: tuple[Shape, ...] | None = None
    lazy: bool = False
    named: tuple[tuple[str, Shape], ...] | None = None

    @property
    def element(self) -> Shape:
        """The shape of elements, items or values."""
        if self.kind == "never":
            return NEVER
        return self.item if self.item is not None else ANY

    def field(self, key: Value) -> Shape:
        """The shape of the value at this key."""
        if self.domain is not None and self.fields is not None and key in self.domain.at:
            return self.fields[self.domain.at[key] - 1]
        if self.named is not None:
            for name, shape in self.named:
                if name == key:
                    return shape
        return self.element

    @property
    def record_fields(self) -> tuple[tuple[str, Shape], ...] | None:
        """The fields with their shapes, of a record or of records with different fields."""
        if self.named is not None:
            return self.named
        if self.domain is not None and self.fields is not None and all(type(key) is str for key in self.domain.keys):
            return tuple(zip(self.domain.keys, self.fields, strict=True))
        return None

    @property
    def delayed(self) -> bool:
        """Whether it may still have to be evaluated."""
        return self.kind in ("thunk", "argument")


ANY = Shape("any")
LAZY = Shape("any", lazy=True)
ARGUMENT = Shape("argument", LAZY)
NEVER = Shape("never")
INT = Shape("int")
STR = Shape("str")
BOOL = Shape("bool")
MODEL = Shape("model")
TRUTH = Shape("truth")


def set_of(item: Shape, lazy: bool = False) -> Shape:
    return Shape("set", item, lazy=lazy)


def seq_of(item: Shape) -> Shape:
    return Shape("seq", item)


def map_to(item: Shape) -> Shape:
    """A function of which only the values are known."""
    return Shape("map", item)


def fun_on(domain: Domain, fields: tuple[Shape, ...]) -> Shape:
    return Shape("fun", join_all(fields), domain, fields)


def thunk_of(item: Shape) -> Shape:
    return Shape("thunk", item)


def plain_shape(shape: Shape) -> Shape:
    return replace(shape, lazy=False) if shape.lazy else shape


def join(a: Shape, b: Shape) -> Shape:
    """The narrowest shape for values of either."""
    if a == b or b.kind == "never":
        return a
    if a.kind == "never":
        return b
    lazy = a.lazy or b.lazy
    if a.kind == b.kind and a.kind in ("set", "seq", "map"):
        return Shape(a.kind, join(a.element, b.element), lazy=lazy)
    if a.kind in _FUNCTIONS and b.kind in _FUNCTIONS:
        if a.kind == b.kind == "fun" and a.domain is b.domain and a.fields is not None and b.fields is not None:
            fields = tuple(join(x, y) for x, y in zip(a.fields, b.fields, strict=True))
            return Shape("fun", join_all(fields), a.domain, fields, lazy)
        kind = "fun" if a.kind == b.kind == "fun" else "map"
        if kind == "fun" and a.record_fields is not None and b.record_fields is not None:
            return records(_merged(a.record_fields, b.record_fields))
        return Shape(kind, join(a.element, b.element), lazy=lazy)
    if a.kind == b.kind:
        return Shape(a.kind, lazy=lazy)
    return Shape("any", lazy=lazy)


_FUNCTIONS = ("fun", "seq", "map")
_MOST_FIELDS = 40


def records(named: tuple[tuple[str, Shape], ...]) -> Shape:
    """The shape of records that have some of these fields."""
    return Shape("fun", join_all(shape for _, shape in named), named=named if len(named) <= _MOST_FIELDS else None)


def _merged(a: tuple[tuple[str, Shape], ...], b: tuple[tuple[str, Shape], ...]) -> tuple[tuple[str, Shape], ...]:
    fields = dict(a)
    for name, shape in b:
        fields[name] = join(fields[name], shape) if name in fields else shape
    return tuple(sorted(fields.items(), key=lambda pair: pair[0]))


def join_all(shapes: Any) -> Shape:
    return reduce(join, shapes, NEVER)


def bounded(shape: Shape, depth: int = _DEPTH) -> Shape:
    """The shape cut at a depth, so that a search for a fixed point ends."""
    if depth == 0:
        return ANY if shape.item is not None else shape
    if shape.item is None:
        return shape
    fields = None if shape.fields is None else tuple(bounded(field, depth - 1) for field in shape.fields)
    named = None
    if shape.named is not None:
        named = tuple((name, bounded(field, depth - 1)) for name, field in shape.named)
    return Shape(shape.kind, bounded(shape.item, depth - 1), shape.domain, fields, shape.lazy, named)


def shape_of(value: Value, depth: int = _DEPTH) -> Shape:
    """The shape of a value."""
    kind = type(value)
    if kind is int:
        return INT
    if kind is str:
        return STR
    if kind is Boolean:
        return BOOL
    if kind is ModelValue:
        return ANY if value.letter else MODEL  # typed model values are compared with care
    if depth == 0 or not isinstance(value, (frozenset, tuple)):
        return ANY if isinstance(value, (frozenset, tuple)) else LAZY
    if len(value) > _SAMPLE:
        return Shape("set" if kind is frozenset else "seq" if kind is tuple else "fun", ANY)
    if kind is frozenset:
        return set_of(join_all(shape_of(item, depth - 1) for item in value))
    if isinstance(value, Function):
        return fun_on(value[0], tuple(shape_of(item, depth - 1) for item in value[1:]))
    return seq_of(join_all(shape_of(item, depth - 1) for item in value))


def domain_element(shape: Shape) -> Shape:
    """The shape of the arguments of a function of this shape."""
    if shape.domain is not None:
        return join_all(shape_of(key) for key in shape.domain.keys)
    if shape.named is not None:
        return STR
    return INT if shape.kind == "seq" else NEVER if shape.kind == "never" else ANY


def fits(value: Value, shape: Shape) -> bool:
    """Whether the shape is true of the value (in normal form)."""
    kind = type(value)
    match shape.kind:
        case "any":
            return True
        case "int" | "str" | "bool" | "model":
            return kind is {"int": int, "str": str, "bool": Boolean, "model": ModelValue}[shape.kind]
        case "set":
            return kind is frozenset and all(fits(item, shape.element) for item in value)
        case "seq":
            return kind is tuple and all(fits(item, shape.element) for item in value)
        case "map":
            return isinstance(value, tuple) and all(
                fits(item, shape.element) for item in (value[1:] if isinstance(value, Function) else value)
            )
        case "fun" if isinstance(value, Function):
            if shape.domain is not None and value[0] is not shape.domain:
                return False
            return all(fits(item, shape.field(key)) for key, item in value.items())
    return False
