"""The operators of sequences in C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import Int, Seq, Type, includes, join

from .application import applied
from .calls import apply_values, argument_of
from .context import Context
from .loops import each
from .representation import in_rank_order
from .terms import C, Closure, Env
from .value_order import comparing

# --- sequences ------------------------------------------------------------------------------------------------------


def _sequence(x: Context, e: core.Expression, env: Env, want: Type | None = None) -> C:
    return x.sequence(e, x.compile(e, env, want))


def _len(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    return x.part(s, ".n", operators.builtin("Len", [s.type]))


def _head(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    value = x.compile(e.arguments[0], env)
    return applied(x, e, value, C("1", Int(1, 1), lvalue=True))


def _tail(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    type_ = x.settle(operators.builtin("Tail", [s.type]))
    assert isinstance(type_, Seq) and isinstance(s.type, Seq)
    statements, h = x.held(s)
    r = x.name()
    take = (
        f"{statements} if ({h.code}.n < 1) {{ {x.fail(e)} }} else {{ {r}.n = {h.code}.n - 1; "
        f"for (I i_ = 0; i_ < {r}.n; i_++) {r}.a[i_] = {h.code}.a[i_ + 1]; }}"
    )
    return x.filled(type_, r, take, True)


def _append(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env, want)
    assert isinstance(s.type, Seq)
    hint = want.element if isinstance(want, Seq) else s.type.element
    value = x.compile(e.arguments[1], env, hint)
    element = join(s.type.element, value.type)
    if isinstance(want, Seq) and includes(want.element, element):
        element = want.element
    most = (s.type.most or 0) + 1
    type_ = x.settle(Seq(element, s.type.least + 1, most))
    assert isinstance(type_, Seq)
    start = x.to(s, Seq(type_.element, s.type.least, type_.most))
    item = x.to(value, type_.element)
    made, r = x.started(start)
    check = f"if ({r}.n >= {type_.most}) {{ {x.widen()} }} else" if (type_.most or 0) < most else ""
    put = x.put(item, f"{r}.a[{r}.n]")
    append = f"{check} {{ {put} {r}.n++; }}"
    made = replace(made, statements=f"{made.statements} {append}")
    return C.of(made, type_, start.risky or item.risky or bool(check))


def _concatenate(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a, b = (_sequence(x, argument, env, want) for argument in e.arguments)
    assert isinstance(a.type, Seq) and isinstance(b.type, Seq)
    if a.type.most == 0 or b.type.most == 0:
        return x.after(a, b) if a.type.most == 0 else x.after(b, a)
    element = join(a.type.element, b.type.element)
    if isinstance(want, Seq) and includes(want.element, element):
        element = want.element
    most = (a.type.most or 0) + (b.type.most or 0)
    type_ = x.settle(Seq(element, a.type.least + b.type.least, most))
    assert isinstance(type_, Seq)
    left, right = (x.to(v, x.settle(Seq(type_.element, 0, type_.most))) for v in (a, b))
    second, q = x.held(right)
    made, r = x.started(left)
    check = f"if ({r}.n + {q.code}.n > {type_.most}) {{ {x.widen()} }} else" if (type_.most or 0) < most else ""
    loop = f"{check} for (I i_ = 0; i_ < {q.code}.n; i_++) {r}.a[{r}.n++] = {q.code}.a[i_];"
    made = replace(made, statements=f"{second} {made.statements} {loop}")
    return C.of(made, type_, left.risky or right.risky or bool(check))


def _subsequence(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    low, high = (x.number(argument, env) for argument in e.arguments[1:])
    type_ = x.settle(operators.builtin("SubSeq", [s.type, low.type, high.type]))
    assert isinstance(type_, Seq) and isinstance(s.type, Seq)
    if s.type.most == 0 or type_.most == 0:
        empty = x.compile(core.TupleExpression(e.at, ()), env)
        check = f"(void)({s.code}); if (({low.code}) <= ({high.code})) {{ {x.fail(e)} }}"
        return C(f"({{ {check} {empty.code}; }})", empty.type, True)
    statements, h = x.held(s)
    r, m, n = x.name(), x.name(), x.name()
    take = (
        f"{statements} I {m} = {low.code}, {n} = {high.code}; if ({m} <= {n}) {{ "
        f"if ({m} < 1 || {n} > {h.code}.n) {{ {x.fail(e)} }} else if ({n} - {m} + 1 > {type_.most}) "
        f"{{ {x.widen()} }} else {{ "
        f"{r}.n = {n} - {m} + 1; for (I i_ = 0; i_ < {r}.n; i_++) {r}.a[i_] = {h.code}.a[{m} - 1 + i_]; }} }}"
    )
    return x.filled(type_, r, take, True)


def _select(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    assert isinstance(s.type, Seq)
    if s.type.most == 0:
        return s
    test = argument_of(x, e.arguments[1], env)
    if not isinstance(test, Closure):
        raise x.refuse(e, "SelectSeq by what is no operator")
    type_ = Seq(s.type.element, 0, s.type.most)
    statements, h = x.held(s)
    y, r, i = x.name(), x.name(), x.name("i")
    condition = x.boolean(e, apply_values(x, e, test, [C(y, s.type.element, lvalue=True)], env))
    take = (
        f"{statements} for (I {i} = 0; {i} < {h.code}.n; {i}++) {{ "
        f"{x.c_type(s.type.element)} {y} = {h.code}.a[{i}]; if ({condition.code}) {r}.a[{r}.n++] = {y}; }}"
    )
    return x.filled(type_, r, take, s.risky or condition.risky)


def _sort(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`SortSeq(s, less)`, by insertion as TLC sorts: what is asked, and of which two, is the same."""
    s = _sequence(x, e.arguments[0], env)
    assert isinstance(s.type, Seq)
    if s.type.most == 0:
        return s
    less = argument_of(x, e.arguments[1], env)
    if not isinstance(less, Closure):
        raise x.refuse(e, "SortSeq by what is no operator")
    statements, h = x.held(s)
    r, y, z, i, j = x.name(), x.name(), x.name(), x.name("i"), x.name("j")
    item = x.c_type(s.type.element)
    pair: list[C | Closure] = [C(name, s.type.element, lvalue=True) for name in (y, z)]
    condition = x.boolean(e, apply_values(x, e, less, pair, env))
    code = (
        f"({{ {statements} {x.c_type(s.type)} {r} = {h.code}; for (I {i} = 1; {i} < {r}.n; {i}++) {{ "
        f"{item} {y} = {r}.a[{i}]; I {j} = {i}; for (; {j} > 0; {j}--) {{ {item} {z} = {r}.a[{j} - 1]; "
        f"if (!({condition.code})) break; {r}.a[{j}] = {z}; }} {r}.a[{j}] = {y}; }} {r}; }})"
    )
    return C(code, s.type, s.risky or condition.risky)


def _of_set(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`SetToSeq(S)`: the elements in their order."""
    types: list[Seq] = []
    r, j = x.name(), x.name("j")
    listed = operators.builtin("SetToSeq", [x.typed(e.arguments[0], env)])

    def put(element: C) -> str:
        type_ = x.settle(Seq(element.type, 0, listed.most if isinstance(listed, Seq) else None))
        assert isinstance(type_, Seq)
        types.append(type_)
        if in_rank_order(element.type):
            sift = ""
        else:
            after = f"{comparing(x.routines, element.type, element.code, f'{r}.a[{j} - 1]')} < 0"
            sift = f"for (; {j} > 0 && {after}; {j}--) {r}.a[{j}] = {r}.a[{j} - 1]; "
        place = f"I {j} = {r}.n++; {sift}{r}.a[{j}] = {element.code};"
        return f"if ({r}.n >= {type_.most}) {{ {x.widen()} }} else {{ {place} }}"

    loop, risky = each(x, e.arguments[0], env, put)
    if not types:
        empty = x.compile(core.TupleExpression(e.at, ()), env)
        return C(f"({{ {loop} {empty.code}; }})", empty.type, risky)
    return x.filled(types[0], r, loop, True)


SEQUENCES: dict[str, Callable[[Context, core.Builtin, Env, Type | None], C]] = {
    "Len": _len,
    "Head": _head,
    "Tail": _tail,
    "Append": _append,
    "\\o": _concatenate,
    "\\circ": _concatenate,
    "SubSeq": _subsequence,
    "SelectSeq": _select,
    "SortSeq": _sort,
    "SetToSeq": _of_set,
}
