"""The ranks of values: their numbers in the universe of their type, by C functions there and back."""

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
    Tuple,
    Type,
    Union,
    cardinality,
    parts_of,
)

from .errors import NotCompilable
from .representation import domain_size
from .routines import Routines, size_of

LONGEST_LIST = 1024
LARGEST_LIST = 1 << 22
"""Values, and bytes, of a list of all values of a type."""


def rank_table(r: Routines, type_: Enum) -> str:
    """The name of a table from atoms to their ranks in the enumeration, -1 outside."""
    key = ("table", type_)
    if key not in r.names:
        for atom in r.atoms.sorted(type_.atoms):
            r.atoms.number(atom)
        r.tables.append((r.name("ranks", key), type_))
    return r.names[key]


def rank_of(r: Routines, type_: Type, code: str) -> str:
    """The rank of the value at `code`, which is in the type: an expression. A structure is at an lvalue."""
    match type_:
        case Int():
            return f"({code} - ({type_.low}LL))" if type_.low else code
        case Bool():
            return code
        case Nothing():
            return "(I)0"
        case Enum():
            return f"(I){rank_table(r, type_)}[{code}]"
    return f"{_rank(r, type_)}({r.structures.argument(type_, code)})"


def rank_within(r: Routines, type_: Type, code: str, risky: bool) -> str:
    """The rank, likewise. What failed, where that is noted only, has any value: its rank is that of some value then."""
    rank = rank_of(r, type_, code)
    return f"({{ I rank_ = {rank}; rank_ < 0 || rank_ >= {size_of(type_)} ? 0 : rank_; }})" if risky else rank


def value_of_rank(r: Routines, type_: Type, code: str) -> str:
    match type_:
        case Int():
            return f"({code} + ({type_.low}LL))" if type_.low else code
        case Bool():
            return code
        case Nothing():
            return "(I)0"
        case Enum():
            return f"(I){rank_table(r, type_)}_of[{code}]"
    if _is_listed(r, type_):
        return f"{_list(r, type_)}[{code}]"
    return f"{_unrank(r, type_)}({code})"


def _is_listed(r: Routines, type_: Type) -> bool:
    """Whether the values of the type are listed when the search starts, rather than computed from their ranks."""
    if not _is_branched(type_):
        return False
    size = cardinality(type_)
    return size is not None and size <= LONGEST_LIST and size * r.structures.size(type_) <= LARGEST_LIST


def _list(r: Routines, type_: Type) -> str:
    key = ("list", type_)
    if key not in r.names:
        unrank, size = _unrank(r, type_), max(1, size_of(type_))
        name = r.name("values", key)
        r.functions.append(f"static {r.structures.of(type_)} {name}[{size}];")
        r.initialisers.append(f"for (I i = 0; i < {size}; i++) {name}[i] = {unrank}(i);")
    return r.names[key]


def _rank(r: Routines, type_: Type) -> str:
    def write() -> str:
        return f"static inline I @({r.structures.parameter(type_, 'x')}) {{ {_ranking(r, type_)} }}"

    return r.routine("rank", ("rank", type_), write)


def _ranking(r: Routines, type_: Type) -> str:
    """Statements that return the rank of x, which is pointed at where it is a structure."""
    match type_:
        case Set():
            body = "return (I)x->w[0];"
        case Tuple() | Record():
            body = "I r = 0; "
            items = parts_of(type_)
            for i in r.atoms.part_order(type_):
                body += f"r = r * {size_of(items[i])} + {rank_of(r, items[i], f'x->f{i}')}; "
            body += "return r;"
        case Function():
            size, value = domain_size(type_), size_of(type_.value)
            inner = rank_of(r, type_.value, "x->a[i]")
            if type_.total:
                body = f"I r = 0; for (I i = 0; i < {size}; i++) r = r * {value} + {inner}; return r;"
            else:
                body = (
                    f"I r = 0; for (I i = 0; i < {size}; i++) r = r * {value + 1} + "
                    f"((x->w[i >> 6] >> (i & 63) & 1) ? 1 + {inner} : 0); return r;"
                )
        case Seq():
            value = size_of(type_.element)
            first = f"I p = 1; for (I n = 0; n < x->n; n++) {{ if (n >= {type_.least}) base += p; p *= {value}; }}"
            body = (
                f"I base = 0, r = 0; {first} for (I i = 0; i < x->n; i++) "
                f"r = r * {value} + {rank_of(r, type_.element, 'x->a[i]')}; return base + r;"
            )
        case Union():
            cases, base = "", 0
            for i in r.atoms.member_order(type_):
                cases += f"case {i}: return {base} + {rank_of(r, type_.members[i], f'x->m{i}')}; "
                base += size_of(type_.members[i])
            body = f"switch (x->tag) {{ {cases} }} return 0;"
        case _:
            raise NotCompilable(None, "a universe that cannot be counted")
    return body


def _unrank(r: Routines, type_: Type) -> str:
    def write() -> str:
        c_type = r.structures.of(type_)
        return (
            f"static inline {c_type} @(I r) {{ {c_type} x; memset(&x, 0, sizeof x); {_unranking(r, type_)}return x; }}"
        )

    return r.routine("unrank", ("unrank", type_), write)


def _unranking(r: Routines, type_: Type) -> str:
    """Statements that make x the value of rank r."""
    body = ""
    match type_:
        case Set():
            body += "x.w[0] = (U)r; "
        case Tuple() | Record():
            items = parts_of(type_)
            for i in reversed(r.atoms.part_order(type_)):
                size = max(1, size_of(items[i]))  # what has no value has a rank where that is not noticed at once
                body += f"x.f{i} = {value_of_rank(r, items[i], f'(r % {size})')}; r /= {size}; "
        case Function():
            size, value = domain_size(type_), max(1, size_of(type_.value))
            if type_.total:
                inner = value_of_rank(r, type_.value, f"(r % {value})")
                body += f"for (I i = {size - 1}; i >= 0; i--) {{ x.a[i] = {inner}; r /= {value}; }} "
            else:
                inner = value_of_rank(r, type_.value, "(d - 1)")
                body += (
                    f"for (I i = {size - 1}; i >= 0; i--) {{ I d = r % {value + 1}; r /= {value + 1}; "
                    f"if (d) {{ x.w[i >> 6] |= (U)1 << (i & 63); x.a[i] = {inner}; }} }} "
                )
        case Seq():
            value = size_of(type_.element)
            inner = value_of_rank(r, type_.element, f"(r % {max(1, value)})")
            value = max(1, value)
            body += (
                f"I p = 1, n = 0; for (; n < {type_.least}; n++) p *= {value}; "
                f"while (r >= p) {{ r -= p; p *= {value}; n++; }} x.n = n; "
                f"for (I i = n - 1; i >= 0; i--) {{ x.a[i] = {inner}; r /= {value}; }} "
            )
        case Union():
            for i in r.atoms.member_order(type_):
                size = size_of(type_.members[i])
                body += (
                    f"if (r < {size}) {{ x.tag = {i}; x.m{i} = {value_of_rank(r, type_.members[i], 'r')}; return x; "
                    f"}} r -= {size}; "
                )
        case _:
            raise NotCompilable(None, "a universe that cannot be counted")
    return body


def _is_branched(type_: Type) -> bool:
    """Whether a rank takes more to read than some divisions."""
    if isinstance(type_, Tuple | Record):
        return any(map(_is_branched, parts_of(type_)))
    return isinstance(type_, Union | Seq | Function)
