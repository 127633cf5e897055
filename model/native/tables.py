"""Constant sets of any size, as tables in the order of values: gone through and asked, never passed on."""

from __future__ import annotations

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.types.domain import BOOL, Nothing, Set, Type

from .closed import is_closed, key_of
from .context import Context
from .conversion import converting
from .questions import may_clash
from .representation import Capacity
from .representation import may_clash as element_may_clash
from .terms import Body, C, Env, Loop, type_of_elements
from .value_order import comparing

LARGEST_VECTOR = 4 * Capacity().vector


@dataclass(frozen=True, slots=True)
class Table:
    """`risky`: it may have no value."""

    name: str
    element: Type
    risky: bool

    @property
    def raised(self) -> str:
        return f"raise_(c, {self.name}bad);" if self.risky else ""


def is_table(x: Context, e: core.Expression, env: Env) -> bool:
    """Whether the set is a constant of which it is not known that it is small.

    Where several values had too little room, a table may be what has too little. A table is sorted without asking
    whether its elements can be compared, so those that may not be go into a vector.
    """
    if x.capacity.vector > LARGEST_VECTOR or not is_closed(x, e):
        return False
    type_ = x.typed(e, env)
    if not isinstance(type_, Set) or isinstance(type_.element, Nothing):
        return False
    if type_.most is not None and type_.most <= x.capacity.vector:
        return False
    element = x.settle(type_.element)
    return x.universe_size(element) is None and not element_may_clash(element)


def table_of(x: Context, e: core.Expression, filled: Loop) -> Table:
    """The table of a constant set, filled when the search starts. The loop may meet an element several times."""
    key = ("table", key_of(e))
    if key not in x.tables:
        with x.aiming(-1), x.apart():
            x.tables[key] = _written(x, filled)
    table: Table = x.tables[key]
    return table


def _written(x: Context, filled: Loop) -> Table:
    element = x.settle(type_of_elements(filled))
    name, c_type = x.name("table"), x.c_type(element)

    risks: list[bool] = []

    def put(candidate: C) -> str:
        value = x.to(candidate, element)
        risks.append(value.risky)
        return f"{name} = more_(c, {name}, {name}n, &{name}room, sizeof *{name}); {name}[{name}n++] = {value.code};"

    loop, risky = filled(put)
    risky = risky or any(risks)
    orders = [
        comparing(x.routines, element, *places)
        for places in (
            (f"*(const {c_type} *)p", f"*(const {c_type} *)q"),
            (f"{name}[i]", "y" if x.routines.structures.is_scalar(element) else "*y"),
            (f"{name}[n_ - 1]", f"{name}[i]"),
        )
    ]
    y = x.routines.structures.parameter(element, "y")
    x.constants.append(f"static {c_type} *{name}; static I {name}n, {name}room, {name}bad __attribute__((unused));")
    x.functions.append(
        f"static int {name}compare(const void *p, const void *q) {{ "
        f"return {orders[0]}; }}\n"
        f"static __attribute__((unused)) I {name}has({y}) {{ for (I low = 0, high = {name}n; low < high;) {{ "
        f"I i = (low + high) / 2; int o = {orders[1]}; if (!o) return 1; "
        f"if (o < 0) low = i + 1; else high = i; }} return 0; }}"
    )
    x.initialisers.append(
        f"if (!{name}) {{ {x.computed_at_start(name, loop, risky)} "
        f"if ({name}n) {{ qsort({name}, (size_t){name}n, sizeof *{name}, {name}compare); I n_ = 1; "
        f"for (I i = 1; i < {name}n; i++) if ({orders[2]}) {name}[n_++] = {name}[i]; "
        f"{name}n = n_; }} }}"
    )
    return Table(name, element, risky)


def each_row(x: Context, table: Table, body: Body) -> tuple[str, bool]:
    """A loop over the elements, and whether there may be none because the set has no value."""
    element, name = x.name(), table.name
    inner = body(C(f"(*{element})", table.element, lvalue=True))
    turn = f"const {x.c_type(table.element)} *{element} = &{name}[{element}i]; {inner}"
    loop = f"for (I {element}i = 0; {element}i < {name}n; {element}i++) {{ {turn} }}"
    return f"{{ {table.raised} {loop} }}", table.risky


def in_table(x: Context, candidate: C, table: Table) -> C | None:
    """Whether the candidate is in the set; None where TLC may fail to compare it."""
    if may_clash(candidate.type, table.element):
        return None
    y = x.name()
    convert = converting(x.routines, candidate.type, table.element, candidate.code, f"&{y}")
    found = f"{convert} ? {table.name}has({x.routines.structures.argument(table.element, y)}) : 0"
    return C(f"({{ {table.raised} {x.zero(table.element, y)} {found}; }})", BOOL, table.risky or candidate.risky)
