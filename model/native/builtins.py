"""The built-in operators in C."""

from __future__ import annotations

from collections.abc import Callable

from rmqproof.model.tla import core
from rmqproof.model.tla.types import operators
from rmqproof.model.tla.types.domain import (
    BOOL,
    NOTHING,
    Atom,
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
    Unknown,
    as_function,
    cardinality,
    includes,
    join,
    join_all,
    set_of,
    strings,
)

from .expression import Expressions
from .questions import comparable
from .representation import domain_size, universe_size, words
from .terms import C, Closure, Env

CHECKED = {"+": "add", "-": "sub", "*": "mul"}
COMPARISONS = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}


def compile_builtin(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    """The value of a built-in operator."""
    name = operators.short_name(e.operator)
    arguments = e.arguments
    compiler = COMPILERS.get(name)
    if compiler is not None:
        return compiler(x, e, env, want)
    if name in COMPARISONS:
        a, b = (x.number(argument, env) for argument in arguments)
        return C(f"({a.code} {COMPARISONS[name]} {b.code})", BOOL, a.risky or b.risky)
    if name in ("Nat", "Int", "Seq", "STRING"):
        raise x.refuse(e, f"{name} as a value")
    raise x.refuse(e, f"the operator {e.operator}")


# --- logic ---------------------------------------------------------------------------------------------------------


def _junction(symbol: str) -> Callable[[Expressions, core.Builtin, Env, Type | None], C]:
    def compile_junction(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
        parts = [x.condition(argument, env) for argument in e.arguments]
        return C(f"({f' {symbol} '.join(part.code for part in parts)})", BOOL, any(part.risky for part in parts))

    return compile_junction


def _not(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = x.condition(e.arguments[0], env)
    return C(f"(!{a.code})", BOOL, a.risky)


def _implies(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a, b = (x.condition(argument, env) for argument in e.arguments)
    return C(f"(!{a.code} || {b.code})", BOOL, a.risky or b.risky)


def _equivalent(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a, b = (x.condition(argument, env) for argument in e.arguments)
    return C(f"(!{a.code} == !{b.code})", BOOL, a.risky or b.risky)


def _equals(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    left, right = e.arguments
    a = x.compile(left, env)
    b = x.compile(right, env, a.type)
    return equal(x, e, a, b)


def equal(x: Expressions, e: core.Expression, a: C, b: C) -> C:
    risky = a.risky or b.risky
    if isinstance(a.type, Nothing) or isinstance(b.type, Nothing):
        # One of them has no value: to compute it fails.
        return C(f"((void)({a.code}), (void)({b.code}), 0)", BOOL, True)
    if not comparable(a.type, b.type):
        raise x.refuse(e, "equality of values of different kinds")
    type_ = x.settle(join(a.type, b.type))
    if isinstance(type_, Unknown):
        raise x.refuse(e, "equality of values whose type is not known")
    if isinstance(type_, Int | Bool):
        return C(f"({a.code} == {b.code})", BOOL, risky)
    if isinstance(type_, Enum) or x.c_type(type_) == "I":
        return C(f"({a.code} == {b.code})", BOOL, risky)
    if isinstance(a.type, Seq) and isinstance(b.type, Seq) and 0 in (a.type.most, b.type.most):
        empty, other = (b, a) if b.type.most == 0 else (a, b)
        return x.after(empty, C(f"(({other.code}).n == 0)", BOOL, other.risky))
    if isinstance(a.type, Set) and isinstance(b.type, Set):
        for one, other in ((a, b), (b, a)):
            if isinstance(one.type, Set) and isinstance(one.type.element, Nothing):
                return x.after(one, _is_empty(x, other))
    left, right = x.to(a, type_), x.to(b, type_)
    risky = left.risky or right.risky or isinstance(type_, Union)
    return C(f"{x.conversions.equal(type_)}(c, {left.code}, {right.code})", BOOL, risky)


def _is_empty(x: Expressions, s: C) -> C:
    assert isinstance(s.type, Set)
    if isinstance(s.type.element, Nothing):
        return x.after(s, C("1", BOOL))
    size = universe_size(s.type.element)
    if size is None:
        return C(f"(({s.code}).n == 0)", BOOL, s.risky)
    statements, h = x.held(s)
    tests = " | ".join(f"{h.code}.w[{k}]" for k in range(words(size)))
    return C(f"({{ {statements} ({tests}) == 0; }})", BOOL, s.risky)


def _differs(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = _equals(x, e, env, want)
    return C(f"(!{a.code})", BOOL, a.risky)


# --- numbers -------------------------------------------------------------------------------------------------------


def _arithmetic(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    name = operators.short_name(e.operator)
    a, b = (x.number(argument, env) for argument in e.arguments)
    type_ = operators.builtin(e.operator, [a.type, b.type])
    risky = a.risky or b.risky
    small = isinstance(type_, Int) and type_.low is not None and type_.high is not None
    small = small and isinstance(type_, Int) and abs(type_.low or 0) < 1 << 62 and abs(type_.high or 0) < 1 << 62
    if name in CHECKED:
        if small and all(_is_small(v.type) for v in (a, b)):
            return C(f"({a.code} {name} {b.code})", type_, risky)
        r = x.name()
        code = (
            f"({{ I {r}; if (__builtin_{CHECKED[name]}_overflow({a.code}, {b.code}, &{r})) {{ "
            f"{x.fail(e)} {r} = 0; }} {r}; }})"
        )
        return C(code, type_, True)
    p, q = x.name(), x.name()
    if name in ("\\div", "%"):
        positive = isinstance(b.type, Int) and b.type.low is not None and b.type.low > 0
        bad = f"{q} == 0" if name == "\\div" else f"{q} <= 0"
        check = "" if positive else f"if ({bad}) {{ {x.fail(e)} {q} = 1; }}"
        function = "div_" if name == "\\div" else "mod_"
        return C(
            f"({{ I {p} = {a.code}, {q} = {b.code}; {check} {function}({p}, {q}); }})", type_, risky or not positive
        )
    code = f"({{ I {p} = 1; if (!power_({a.code}, {b.code}, &{p})) {{ {x.fail(e)} }} {p}; }})"
    return C(code, type_, True)


def _is_small(type_: Type) -> bool:
    return (
        isinstance(type_, Int)
        and type_.low is not None
        and type_.high is not None
        and max(abs(type_.low), abs(type_.high)) < 1 << 62
    )


def _negative(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = x.number(e.arguments[0], env)
    return C(f"(-({a.code}))", operators.builtin(e.operator, [a.type]), a.risky)


# --- sets ----------------------------------------------------------------------------------------------------------


def _set(x: Expressions, e: core.Expression, env: Env, want: Type | None = None) -> C:
    value = x.compile(e, env, want)
    if not isinstance(value.type, Set):
        raise x.refuse(e, "a set operator on what may be no set")
    return value


def _member(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    value = x.compile(e.arguments[0], env)
    if isinstance(value.type, Nothing):
        return C(f"((void)({value.code}), 0)", BOOL, True)
    statements, held = x.held(value)
    inside = x.member(e, held, e.arguments[1], env)
    code = f"({{ {statements} {inside.code}; }})" if statements else inside.code
    return C(code, BOOL, inside.risky or value.risky)


def _not_member(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = _member(x, e, env, want)
    return C(f"(!{a.code})", BOOL, a.risky)


def _set_operation(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    name = operators.short_name(e.operator)
    left, right = e.arguments
    a = _set(x, left, env, want)
    hint = a.type if not isinstance(operators.element_of(a.type), Nothing) else want
    b = _set(x, right, env, hint)
    assert isinstance(a.type, Set) and isinstance(b.type, Set)
    none_a, none_b = isinstance(a.type.element, Nothing), isinstance(b.type.element, Nothing)
    if name in ("\\cup", "\\union"):
        if none_a or none_b:
            return x.after(a, b) if none_a else x.after(b, a)
        natural = operators.union(a.type, b.type)
        assert isinstance(natural, Set)
        wanted = x._element_want(want, natural.element)
        type_ = x.settle(set_of(wanted, natural.most, natural.full and wanted == natural.element))
        return _combine(x, x.to(a, _most(type_)), x.to(b, _most(type_)), type_, "|")
    if name == "\\":
        if none_a or none_b:
            return x.after(b, a)
        exact = operators.difference(a.type, b.type)
        if universe_size(a.type.element) is not None and includes(a.type.element, b.type.element):
            result = _combine(x, a, x.to(b, Set(a.type.element)), Set(a.type.element, a.type.most), "& ~")
            return x.to(result, exact) if isinstance(exact, Set) and exact.full else result
        return _filtered(x, e, a, right, env, negate=True)
    if none_a or none_b:
        return x.after(b, a) if none_a else x.after(a, b)
    if universe_size(a.type.element) is not None and includes(a.type.element, b.type.element):
        return _combine(x, a, x.to(b, Set(a.type.element)), Set(a.type.element, a.type.most), "&")
    if universe_size(b.type.element) is not None and includes(b.type.element, a.type.element):
        return _combine(x, x.to(a, Set(b.type.element)), b, Set(b.type.element, b.type.most), "&")
    return _filtered(x, e, a, right, env, negate=False)


def _most(type_: Type) -> Type:
    """The type of an operand of a union: it may be as large as the union."""
    return type_


def _combine(x: Expressions, a: C, b: C, type_: Type, symbol: str) -> C:
    assert isinstance(type_, Set)
    risky = a.risky or b.risky
    size = universe_size(type_.element)
    first, p = x.held(a)
    second, q = x.held(b)
    r = x.name()
    if size is None:
        y = x.name()
        add = x.conversions.add(type_, r, y)
        loop = x.conversions.each(type_, q.code, y, add)
        code = f"({{ {first} {second} {x.c_type(type_)} {r} = {p.code}; {loop} {r}; }})"
        return C(code, type_, True)
    operations = " ".join(f"{r}.w[{k}] = {p.code}.w[{k}] {symbol} {q.code}.w[{k}];" for k in range(words(size)))
    return C(f"({{ {first} {second} {x.c_type(type_)} {r}; {operations} {r}; }})", type_, risky)


def _filtered(x: Expressions, e: core.Builtin, a: C, other: core.Expression, env: Env, negate: bool) -> C:
    """The elements of `a` that are in the other set, or are not."""
    assert isinstance(a.type, Set)
    statements, held = x.held(a)
    y, r = x.name(), x.name()
    inside = x.member(e, C(y, a.type.element, place=True), other, env)
    test = f"!{inside.code}" if negate else inside.code
    type_ = Set(a.type.element, a.type.most)
    body = f"if ({test}) {{ {x.conversions.add(type_, r, y)} }}"
    loop = x.conversions.each(a.type, held.code, y, body)
    return C(f"({{ {statements} {x.zero(type_, r)} {loop} {r}; }})", type_, a.risky or inside.risky)


def _subset(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = _set(x, e.arguments[0], env)
    assert isinstance(a.type, Set)
    domain, inner = x.unfolded(e.arguments[1], env)
    if isinstance(a.type.element, Nothing):
        return x.after(a, C("1", BOOL))
    whole = x.typed(domain, inner)
    if operators.is_full(whole) and includes(operators.element_of(whole), a.type.element):
        return x.after(a, C("1", BOOL))
    if isinstance(whole, Set) and isinstance(whole.element, Nothing):
        return _is_empty(x, a)
    size = universe_size(a.type.element)
    if size is not None and isinstance(whole, Set) and whole.element == a.type.element:
        b = _set(x, domain, inner)
        if x.structures.same(a.type, b.type):
            first, p = x.held(a)
            second, q = x.held(b)
            tests = " | ".join(f"({p.code}.w[{k}] & ~{q.code}.w[{k}])" for k in range(words(size)))
            return C(f"({{ {first} {second} ({tests}) == 0; }})", BOOL, a.risky or b.risky)
    statements, held = x.held(a)
    y, result, end = x.name(), x.name("q"), x.name("end")
    inside = x.member(e, C(y, a.type.element, place=True), domain, inner)
    loop = x.conversions.each(a.type, held.code, y, f"if (!{inside.code}) {{ {result} = 0; goto {end}; }}")
    code = f"({{ __label__ {end}; {statements} I {result} = 1; {loop} {end}:; {result}; }})"
    return C(code, BOOL, a.risky or inside.risky)


def _cardinality(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _set(x, e.arguments[0], env)
    assert isinstance(s.type, Set)
    type_ = operators.builtin("Cardinality", [s.type])
    if isinstance(s.type.element, Nothing):
        return x.after(s, C("0", type_))
    size = universe_size(s.type.element)
    if size is None:
        return C(f"({s.code}).n", type_, s.risky)
    statements, h = x.held(s)
    bits = " + ".join(f"__builtin_popcountll({h.code}.w[{k}])" for k in range(words(size)))
    return C(f"({{ {statements} (I)({bits}); }})", type_, s.risky)


def _finite(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    return x.after(_set(x, e.arguments[0], env), C("1", BOOL))


def _powerset(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    return x.materialised(e, env)


def _interval(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    low, high = (x.number(a, env) for a in e.arguments)
    natural = operators.interval(low.type, high.type)
    if isinstance(natural, Set) and isinstance(natural.element, Nothing):
        return x.compile(core.SetEnumeration(e.at, ()), env)
    return x.collected(lambda body: x._each_number(e, env, body), want, natural)


def _boolean(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    return x.collected(lambda body: x.each(e, env, body), None, operators.builtin("BOOLEAN", []))


def _union(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    def loop(body: Callable[[C], str]) -> tuple[str, bool]:
        def inner(s: C) -> str:
            if not isinstance(s.type, Set):
                raise x.refuse(e, "UNION of a set of what may be no sets")
            if isinstance(s.type.element, Nothing):
                return ";"
            y = x.name()
            return x.conversions.each(s.type, s.code, y, body(C(y, s.type.element, place=True)))

        return x.each(e.arguments[0], env, inner)

    return x.collected(loop, want)


def _domain(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    f = x.compile(e.arguments[0], env)
    type_ = f.type
    if isinstance(type_, Record):
        items = tuple(core.Literal(e.at, name) for name in type_.names)
        return x.after(f, x.compile(core.SetEnumeration(e.at, items), env))
    if isinstance(type_, Tuple | Seq):
        if isinstance(type_, Seq) and type_.most == 0:
            return x.after(f, x.compile(core.SetEnumeration(e.at, ()), env))
        most = len(type_.items) if isinstance(type_, Tuple) else type_.most or 0
        result = set_of(Int(1, most), None, isinstance(type_, Tuple) or type_.least == type_.most)
        result_type = x.settle(result)
        assert isinstance(result_type, Set)
        s, i = x.name(), x.name("i")
        count = f"((void)({f.code}), {most})" if isinstance(type_, Tuple) else f"({f.code}).n"
        add = x.conversions.add(result_type, s, i)
        loop = f"for (I {i} = 1, {i}n = {count}; {i} <= {i}n; {i}++) {{ {add} }}"
        return C(f"({{ {x.zero(result_type, s)} {loop} {s}; }})", result_type, f.risky)
    if isinstance(type_, Function):
        if isinstance(type_.key, Nothing):
            return x.after(f, x.compile(core.SetEnumeration(e.at, ()), env))
        size = domain_size(type_)
        result_type = x.settle(set_of(type_.key, None, type_.total))
        assert isinstance(result_type, Set)
        s = x.name()
        if universe_size(type_.key) is not None:
            if type_.total:
                fill = " ".join(
                    f"{s}.w[{k}] = {hex((1 << min(64, size - 64 * k)) - 1)}ULL;" for k in range(words(size))
                )
                return x.after(f, C(f"({{ {x.zero(result_type, s)} {fill} {s}; }})", result_type))
            statements, h = x.held(f)
            copy = " ".join(f"{s}.w[{k}] = {h.code}.w[{k}];" for k in range(words(size)))
            return C(f"({{ {statements} {x.zero(result_type, s)} {copy} {s}; }})", result_type, f.risky)
    raise x.refuse(e, "DOMAIN of what may be no function")


# --- sequences ------------------------------------------------------------------------------------------------------


def _sequence(x: Expressions, e: core.Expression, env: Env, want: Type | None = None) -> C:
    return x.sequence(e, x.compile(e, env, want))


def _len(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    return C(f"({s.code}).n", operators.builtin("Len", [s.type]), s.risky)


def _head(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    value = x.compile(e.arguments[0], env)
    return x.applied(e, value, C("1", Int(1, 1), place=True))


def _tail(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    type_ = x.settle(operators.builtin("Tail", [s.type]))
    assert isinstance(type_, Seq) and isinstance(s.type, Seq)
    statements, h = x.held(s)
    r = x.name()
    code = (
        f"({{ {statements} {x.zero(type_, r)} if ({h.code}.n < 1) {{ {x.fail(e)} }} else {{ {r}.n = {h.code}.n - 1; "
        f"for (I i_ = 0; i_ < {r}.n; i_++) {r}.a[i_] = {h.code}.a[i_ + 1]; }} {r}; }})"
    )
    return C(code, type_, True)


def _append(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
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
    r = x.name()
    check = f"if ({r}.n >= {type_.most}) {{ {x.widen()} }} else" if (type_.most or 0) < most else ""
    code = f"({{ {x.c_type(type_)} {r} = {start.code}; {check} {r}.a[{r}.n++] = {item.code}; {r}; }})"
    return C(code, type_, start.risky or item.risky or bool(check))


def _concatenate(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
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
    r = x.name()
    check = f"if ({r}.n + {q.code}.n > {type_.most}) {{ {x.widen()} }} else" if (type_.most or 0) < most else ""
    code = (
        f"({{ {second} {x.c_type(type_)} {r} = {left.code}; {check} "
        f"for (I i_ = 0; i_ < {q.code}.n; i_++) {r}.a[{r}.n++] = {q.code}.a[i_]; {r}; }})"
    )
    return C(code, type_, left.risky or right.risky or bool(check))


def _subsequence(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
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
    code = (
        f"({{ {statements} I {m} = {low.code}, {n} = {high.code}; {x.zero(type_, r)} if ({m} <= {n}) {{ "
        f"if ({m} < 1 || {n} > {h.code}.n) {{ {x.fail(e)} }} else if ({n} - {m} + 1 > {type_.most}) "
        f"{{ {x.widen()} }} else {{ "
        f"{r}.n = {n} - {m} + 1; for (I i_ = 0; i_ < {r}.n; i_++) {r}.a[i_] = {h.code}.a[{m} - 1 + i_]; }} }} {r}; }})"
    )
    return C(code, type_, True)


def _select(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _sequence(x, e.arguments[0], env)
    assert isinstance(s.type, Seq)
    if s.type.most == 0:
        return s
    test = x.argument(e.arguments[1], env)
    if not isinstance(test, Closure):
        raise x.refuse(e, "SelectSeq by what is no operator")
    type_ = Seq(s.type.element, 0, s.type.most)
    statements, h = x.held(s)
    y, r, i = x.name(), x.name(), x.name("i")
    condition = x.apply_values(e, test, [C(y, s.type.element, place=True)], env)
    code = (
        f"({{ {statements} {x.zero(type_, r)} for (I {i} = 0; {i} < {h.code}.n; {i}++) {{ "
        f"{x.c_type(s.type.element)} {y} = {h.code}.a[{i}]; if ({condition.code}) {r}.a[{r}.n++] = {y}; }} {r}; }})"
    )
    return C(code, type_, s.risky or condition.risky)


# --- TLC, next states -------------------------------------------------------------------------------------------------


def _single(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`a :> b`"""
    key, value = (x.compile(argument, env) for argument in e.arguments)
    if not isinstance(key.type, Int) and cardinality(key.type) is None:
        raise x.refuse(e, "a function whose domain is not bounded")
    if isinstance(key.type, Int) and (key.type.low is None or key.type.high is None):
        raise x.refuse(e, "a function whose domain is not bounded")
    type_ = Function(key.type, value.type, cardinality(key.type) == 1)
    domain_size(type_)
    f, k, r = x.name(), x.name("k"), x.name("r")
    mark = "" if type_.total else f"{f}.w[{r} >> 6] |= (U)1 << ({r} & 63);"
    code = (
        f"({{ {x.zero(type_, f)} {x.c_type(key.type)} {k} = {key.code}; I {r} = {x.conversions.rank(key.type, k)}; "
        f"{f}.a[{r}] = {value.code}; {mark} {f}; }})"
    )
    result = C(code, type_, key.risky or value.risky)
    if isinstance(type_.key, Int) and type_.key == Int(1, 1):
        return x.to(result, Seq(value.type, 1, 1))
    return result


def _override(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`f @@ g`: f where it is defined, else g."""
    a, b = (x.compile(argument, env) for argument in e.arguments)
    for one, other in ((a, b), (b, a)):
        if isinstance(one.type, Seq) and one.type.most == 0:
            return x.after(one, other)
    if not all(isinstance(v.type, Function | Seq | Tuple | Record) for v in (a, b)):
        raise x.refuse(e, "@@ of what may be no function")
    f, g = as_function(a.type), as_function(b.type)
    key = join(f.key, g.key)
    partial = x.settle(Function(key, join(f.value, g.value), False))
    assert isinstance(partial, Function)
    size = domain_size(partial)
    left, right = x.to(a, partial), x.to(b, partial)
    first, p = x.held(left)
    r = x.name()
    code = (
        f"({{ {first} {x.c_type(partial)} {r} = {right.code}; for (I i_ = 0; i_ < {size}; i_++) "
        f"if ({p.code}.w[i_ >> 6] >> (i_ & 63) & 1) {{ {r}.w[i_ >> 6] |= (U)1 << (i_ & 63); "
        f"{r}.a[i_] = {p.code}.a[i_]; }} {r}; }})"
    )
    result = C(code, partial, left.risky or right.risky)
    natural = x.settle(operators.override(a.type, b.type))
    return x.to(result, natural) if natural != partial and isinstance(natural, Function | Record | Seq) else result


def _primed(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    """`e'`: `e` with the next state's variables."""
    if env.primed is None and not env.after:
        raise x.refuse(e, "a prime where there is no next state")
    return x.compile(e.arguments[0], env.shifted(), want)


def _unchanged(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    same = core.Builtin(e.at, "=", (core.Builtin(e.at, "'", e.arguments), e.arguments[0]))
    return x.condition(same, env)


def _assert(x: Expressions, e: core.Builtin, env: Env, want: Type | None) -> C:
    condition = x.condition(e.arguments[0], env)
    return C(f"({{ if (!{condition.code}) {{ {x.fail(e)} }} 1; }})", BOOL, True)


COMPILERS: dict[str, Callable[[Expressions, core.Builtin, Env, Type | None], C]] = {
    "/\\": _junction("&&"),
    "\\/": _junction("||"),
    "~": _not,
    "=>": _implies,
    "<=>": _equivalent,
    "=": _equals,
    "#": _differs,
    "/=": _differs,
    "+": _arithmetic,
    "-": _arithmetic,
    "*": _arithmetic,
    "\\div": _arithmetic,
    "%": _arithmetic,
    "^": _arithmetic,
    "-.": _negative,
    "\\in": _member,
    "\\notin": _not_member,
    "\\cup": _set_operation,
    "\\union": _set_operation,
    "\\cap": _set_operation,
    "\\intersect": _set_operation,
    "\\": _set_operation,
    "\\subseteq": _subset,
    "Cardinality": _cardinality,
    "IsFiniteSet": _finite,
    "SUBSET": _powerset,
    "UNION": _union,
    "..": _interval,
    "BOOLEAN": _boolean,
    "DOMAIN": _domain,
    "Len": _len,
    "Head": _head,
    "Tail": _tail,
    "Append": _append,
    "\\o": _concatenate,
    "\\circ": _concatenate,
    "SubSeq": _subsequence,
    "SelectSeq": _select,
    ":>": _single,
    "@@": _override,
    "'": _primed,
    "UNCHANGED": _unchanged,
    "Assert": _assert,
}

__all__ = ["NOTHING", "Atom", "compile_builtin", "join_all", "strings"]
