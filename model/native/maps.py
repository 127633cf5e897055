"""Maps in C: functions over universes too large for a place for each argument, as vectors of pairs."""

from __future__ import annotations

from rmqproof.model.types.domain import Function

from .routines import Routines
from .value_order import comparing


def finding(r: Routines, type_: Function) -> str:
    """The name of a function of (the map, an argument), both by address: which of the pairs is of that argument, -1
    where none is."""

    def write() -> str:
        c_type, key = r.structures.of(type_), r.structures.of(type_.key)
        compare = comparing(r, type_.key, "f->a[at].f0", "*k")
        return (
            f"static inline I @(const {c_type} *f, const {key} *k) {{ I low = 0, high = f->n; while (low < high) {{ "
            f"I at = (low + high) / 2; int o = {compare}; if (o == 0) return at; "
            f"if (o < 0) low = at + 1; else high = at; }} return -1; }}"
        )

    return r.routine("find", ("find", r.structures.key(type_)), write)


def putting(r: Routines, type_: Function) -> str:
    """The name of a function of (the map, an argument, a value), all by address, that makes the value the one at the
    argument; it is false where there is no room for one more."""

    def write() -> str:
        compare, c_type = comparing(r, type_.key, "f->a[i - 1].f0", "*k"), r.structures.of(type_)
        key, value = r.structures.of(type_.key), r.structures.of(type_.value)
        return (
            f"static int @({c_type} *f, const {key} *k, const {value} *v) {{ I i = f->n; while (i > 0) {{ "
            f"int o = {compare}; if (o == 0) {{ f->a[i - 1].f1 = *v; return 1; }} "
            f"if (o < 0) break; i--; }} if (f->n >= {type_.most or 0}) return 0; "
            f"for (I j = f->n; j > i; j--) f->a[j] = f->a[j - 1]; "
            f"f->a[i].f0 = *k; f->a[i].f1 = *v; f->n++; return 1; }}"
        )

    return r.routine("put", ("put", r.structures.key(type_)), write)
