"""Loops over the elements of sets in C, and elements added."""

from __future__ import annotations

from rmqproof.model.types.domain import Nothing, Set

from .ranks import rank_within, value_of_rank
from .representation import COPIED, in_rank_order, words
from .routines import Routines
from .value_order import comparing, held_type, position_of, rank_at_position, value_at_position


def element_in(r: Routines, set_type: Set, variable: str) -> str:
    """The element, an lvalue, in the body of a loop by `each_element`."""
    return f"(*{variable})" if _is_pointed_at(r, set_type) else variable


def _is_pointed_at(r: Routines, set_type: Set) -> bool:
    """Whether the elements of a vector are too large to be copied in each turn of a loop."""
    structures, element = r.structures, set_type.element
    if structures.universe_size(element) is not None or structures.listed_size(element) is not None:
        return False
    return not structures.is_scalar(element) and structures.size(element) > COPIED


def each_element(r: Routines, set_type: Set, code: str, variable: str, body: str, among: str = "") -> str:
    """A loop over the elements of the set at `code` (an lvalue), in their order; in the body `element_in` is the
    element.

    `among`: of a bit set, only those that are in the set of this name, too.
    """
    element = r.structures.of(set_type.element)
    size = r.structures.universe_size(set_type.element)
    i = f"{variable}_i"
    if r.structures.listed_size(set_type.element) is not None:
        value = value_at_position(r, set_type.element, f"{code}.a[{i}]")
        return f"for (I {i} = 0; {i} < {code}.n; {i}++) {{ {element} {variable} = {value}; {body} }}"
    if _is_pointed_at(r, set_type):
        turn = f"const {element} *{variable} = &{code}.a[{i}]; {body}"
        return f"for (I {i} = 0; {i} < {code}.n; {i}++) {{ {turn} }}"
    if size is None:
        return f"for (I {i} = 0; {i} < {code}.n; {i}++) {{ {element} {variable} = {code}.a[{i}]; {body} }}"
    if isinstance(set_type.element, Nothing):
        return f"for (I {i} = 0; {i} < 0; {i}++) {{ {element} {variable} = 0; {body} }}"
    if not in_rank_order(set_type.element):
        rank = rank_at_position(r, set_type.element, f"{variable}_p")
        word = f"({code}.w[{i} >> 6] & {among}.w[{i} >> 6])" if among else f"{code}.w[{i} >> 6]"
        return (
            f"for (I {variable}_p = 0; {variable}_p < {size}; {variable}_p++) {{ I {i} = {rank}; "
            f"if ({word} >> ({i} & 63) & 1) {{ "
            f"{element} {variable} = {value_of_rank(r, set_type.element, i)}; {body} }} }}"
        )
    word = f"{variable}_w"
    k = f"{variable}_k"
    part = f" & {among}.w[{k}]" if among else ""
    return (
        f"for (I {k} = 0; {k} < {words(size)}; {k}++) "
        f"for (U {word} = {code}.w[{k}]{part}; {word}; {word} &= {word} - 1) "
        f"{{ I {i} = {k} * 64 + __builtin_ctzll({word}); "
        f"{element} {variable} = {value_of_rank(r, set_type.element, i)}; {body} }}"
    )


def added(r: Routines, set_type: Set, code: str, value: str, risky: bool = False) -> str:
    """A statement that adds `value`, an lvalue of the element type, to the set at `code`.

    `risky`: it may have failed.
    """
    if r.structures.listed_size(set_type.element) is not None:
        value = position_of(r, set_type.element, value, risky)
    if r.structures.universe_size(set_type.element) is None:
        return f"{insertion(r, set_type)}(c, &{code}, {r.structures.argument(held_type(r, set_type), value)});"
    if isinstance(set_type.element, Nothing):
        return ";"
    rank = rank_within(r, set_type.element, value, risky)
    return f"{{ I r_ = {rank}; {code}.w[r_ >> 6] |= (U)1 << (r_ & 63); }}"


def insertion(r: Routines, set_type: Set) -> str:
    """The name of a function that puts an element, or its position in the universe, into a vector."""

    def write() -> str:
        held = held_type(r, set_type)
        x = "x" if r.structures.is_scalar(held) else "*x"
        compare, type_, element = (
            comparing(r, held, "s->a[i - 1]", x, checked=True),
            r.structures.of(set_type),
            r.structures.parameter(held, "x"),
        )
        return (
            f"static void @(Ctx *c, {type_} *s, {element}) {{ I i = s->n; "
            f"while (i > 0) {{ int o = {compare}; if (o == 0) return; if (o < 0) break; i--; }} "
            f"if (s->n >= {set_type.most or 0}) {{ fail_(c, WIDEN, -1); return; }} "
            f"for (I j = s->n; j > i; j--) s->a[j] = s->a[j - 1]; s->a[i] = {x}; s->n++; }}"
        )

    return r.routine("insert", ("insert", r.structures.key(set_type)), write)
