"""C functions that tell whether values of a type are equal."""

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
from .representation import domain_size, each_argument, is_map, pairs_in, words
from .routines import Routines
from .value_order import held_type, may_compare


def equality(r: Routines, type_: Type) -> str:
    """The name of a function of (c, a, b): structures are pointed at."""

    def write() -> str:
        a, b = (r.structures.parameter(type_, name) for name in ("a", "b"))
        return f"static inline int @(Ctx *c, {a}, {b}) {{ {_equal(r, type_)} }}"

    return r.routine("equal", ("equal", type_), write)


def equal_at(r: Routines, type_: Type, a: str, b: str) -> str:
    """Whether the values at two places are equal."""
    given = r.structures.argument
    return f"{equality(r, type_)}(c, {given(type_, a)}, {given(type_, b)})"


def _equal(r: Routines, type_: Type) -> str:
    """Statements that return whether a and b are equal."""
    match type_:
        case Int() | Bool() | Enum() | Text() | Nothing():
            return "return a == b;"
        case Set() if (size := r.structures.universe_size(type_.element)) is not None:
            return f"{_same_words(size)} return 1;"
        case Set() | Seq():
            inner = equal_at(r, held_type(r, type_), "a->a[i]", "b->a[i]")
            return f"if (a->n != b->n) return 0; for (I i = 0; i < a->n; i++) if (!{inner}) return 0; return 1;"
        case Tuple() | Record():
            items = parts_of(type_)  # what differs first decides whether the rest can be compared
            tests = [equal_at(r, items[i], f"a->f{i}", f"b->f{i}") for i in r.atoms.part_order(type_)]
            return f"return {' && '.join(tests) or '1'};"
        case Function() if is_map(type_):
            return _equal(r, pairs_in(type_))
        case Function():
            same = "" if type_.total else _same_words(domain_size(type_))
            different = f"if (!{equal_at(r, type_.value, 'a->a[i]', 'b->a[i]')}) return 0;"
            return f"{same} {each_argument(type_, '(*a)', 'i', different)} return 1;"
        case Union():
            cases = " ".join(
                f"case {i}: return {equal_at(r, member, f'a->m{i}', f'b->m{i}')};"
                for i, member in enumerate(type_.members)
            )
            return (
                f"if (a->tag != b->tag) {{ if (!({may_compare(type_)})) fail_(c, EVALUATE, -1); return 0; }} "
                f"switch (a->tag) {{ {cases} }} return 0;"
            )
    raise NotCompilable(None, "equality of values whose type is not known")


def _same_words(size: int) -> str:
    return " ".join(f"if (a->w[{k}] != b->w[{k}]) return 0;" for k in range(words(size)))
