"""The operators of sets in C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.tla.walk import reached
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    BOOL,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Set,
    Tuple,
    Type,
    Union,
    includes,
    set_of,
)

from .builtin_logic import is_empty
from .context import Context
from .elements import added, each_element, element_in, insertion
from .loops import each, each_number, each_of_several, evaluated
from .membership import member_of_value
from .questions import is_endless, is_lazy
from .representation import domain_size, is_map, words
from .sets import collected, element_want, materialised
from .terms import Body, C, Env
from .unfolding import unfolded

# --- sets ----------------------------------------------------------------------------------------------------------


def _set(x: Context, e: core.Expression, env: Env, want: Type | None = None) -> C:
    value = x.only(e, x.compile(e, env, want), Set)
    if not isinstance(value.type, Set):
        raise x.refuse(e, "a set operator on what may be no set")
    return value


def _member(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    value = x.compile(e.arguments[0], env)
    if isinstance(value.type, Nothing):
        return C(f"((void)({value.code}), 0)", BOOL, True)
    statements, held = x.held(value)
    inside = x.member(e, held, e.arguments[1], env)
    code = f"({{ {statements} {inside.code}; }})" if statements else inside.code
    return C(code, BOOL, inside.risky or value.risky)


def _not_member(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = _member(x, e, env, want)
    return C(f"(!{a.code})", BOOL, a.risky)


def _set_operation(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
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
        wanted = element_want(x, want, natural.element)
        type_ = x.settle(set_of(wanted, natural.most, natural.full and wanted == natural.element))
        return combined(x, x.to(a, type_), x.to(b, type_), type_, "|")
    if name == "\\":
        if none_a or none_b:
            return x.after(b, a)
        exact = operators.difference(a.type, b.type)
        if _is_asked(x, right, b, env):
            return _filtered(x, e, a, right, env, negate=True)
        if x.universe_size(a.type.element) is not None and includes(a.type.element, b.type.element):
            result = combined(x, a, x.to(b, Set(a.type.element)), Set(a.type.element, a.type.most), "& ~")
            return x.to(result, exact) if isinstance(exact, Set) and exact.full else result
        return _filtered(x, e, a, right, env, negate=True)
    if none_a or none_b:
        return _with_nothing(x, e, a, b, env)
    if _is_asked(x, right, b, env):
        return _filtered(x, e, a, right, env, negate=False)
    if _is_asked(x, left, a, env):
        return _filtered(x, e, b, left, env, negate=False)
    if x.universe_size(a.type.element) is not None and includes(a.type.element, b.type.element):
        return combined(x, a, x.to(b, Set(a.type.element)), Set(a.type.element, a.type.most), "&")
    if x.universe_size(b.type.element) is not None and includes(b.type.element, a.type.element):
        return combined(x, x.to(a, Set(b.type.element)), b, Set(b.type.element, b.type.most), "&")
    return _filtered(x, e, a, right, env, negate=False)


def _is_asked(x: Context, e: core.Expression, value: C, env: Env) -> bool:
    """Whether TLC does not list a set of which an element may have no value."""
    return value.risky and is_lazy(unfolded(x, e, env)[0])


def _with_nothing(x: Context, e: core.Builtin, a: C, b: C, env: Env) -> C:
    """An intersection with a set that has no element: what is listed is asked of a described one all the same, which
    may not take its kind."""
    left, right = e.arguments
    described = [is_lazy(unfolded(x, operand, env)[0]) for operand in (left, right)]
    assert isinstance(a.type, Set)
    if isinstance(a.type.element, Nothing):
        return _filtered(x, e, b, left, env, negate=False) if described == [True, False] else x.after(b, a)
    return _filtered(x, e, a, right, env, negate=False) if described[1] else x.after(a, b)


def combined(x: Context, a: C, b: C, type_: Type, symbol: str) -> C:
    """The union (`|`), intersection (`&`) or difference (`& ~`) of two sets in the representation of `type_`."""
    assert isinstance(type_, Set)
    risky = a.risky or b.risky
    size = x.universe_size(type_.element)
    second, q = x.held(b)
    if size is None:
        # b is evaluated after a, into which its elements are put then
        made, r = x.started(a)
        y = x.name()
        if x.routines.structures.listed_size(type_.element) is not None and x.routines.structures.same(type_, q.type):
            insert = insertion(x.routines, type_)
            loop = f"for (I i_ = 0; i_ < {q.code}.n; i_++) {insert}(c, &{r}, {q.code}.a[i_]);"
        else:
            add = added(x.routines, type_, r, element_in(x.routines, type_, y))
            loop = each_element(x.routines, type_, q.code, y, add)
        return C.of(replace(made, statements=f"{made.statements} {second} {loop}"), type_, True)
    first, p = x.held(a)
    r = x.name()
    operations = " ".join(f"{r}.w[{k}] = {p.code}.w[{k}] {symbol} {q.code}.w[{k}];" for k in range(words(size)))
    return x.made(type_, r, f"{first} {second} {operations}", risky)


def _filtered(x: Context, e: core.Builtin, a: C, other: core.Expression, env: Env, negate: bool) -> C:
    """The elements of `a` that are in the other set, or are not."""
    assert isinstance(a.type, Set)
    statements, held = x.held(a)
    y, r = x.name(), x.name()
    before = evaluated(x, other, env)
    item = C(element_in(x.routines, a.type, y), a.type.element, lvalue=True)
    inside = x.member(e, item, other, env, True)
    test = f"!{inside.code}" if negate else inside.code
    type_ = Set(a.type.element, a.type.most)
    body = f"if ({test}) {{ {added(x.routines, type_, r, item.code)} }}"
    loop = each_element(x.routines, a.type, held.code, y, body)
    risky = a.risky or inside.risky or bool(before)
    return x.filled(type_, r, f"{statements} {before} {loop}", risky)


def _subset(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    a = _set(x, e.arguments[0], env)
    assert isinstance(a.type, Set)
    domain, inner = unfolded(x, e.arguments[1], env)
    if not is_lazy(domain):
        other = _set(x, domain, inner)
        if other.risky:
            return _subset_of_value(x, a, other)
        return _subset_of(x, e, a, domain, inner)
    before = evaluated(x, domain, inner)
    inside = _subset_of(x, e, a, domain, inner)
    return C(f"({{ {before} {inside.code}; }})", BOOL, True) if before else inside


def _subset_of(x: Context, e: core.Builtin, a: C, domain: core.Expression, env: Env) -> C:
    """`a \\subseteq domain`, when what TLC evaluates of the domain has been evaluated."""
    assert isinstance(a.type, Set)
    if isinstance(a.type.element, Nothing):
        return x.after(a, C("1", BOOL))
    whole = x.typed(domain, env)
    if operators.is_full(whole) and includes(operators.element_of(whole), a.type.element):
        return x.after(a, C("1", BOOL))
    if isinstance(whole, Set) and isinstance(whole.element, Nothing):
        return is_empty(x, a)
    size = x.universe_size(a.type.element)
    if size is not None and isinstance(whole, Set) and whole.element == a.type.element:
        b = _set(x, domain, env)
        if x.routines.structures.same(a.type, b.type):
            first, p = x.held(a)
            second, q = x.held(b)
            tests = " | ".join(f"({p.code}.w[{k}] & ~{q.code}.w[{k}])" for k in range(words(size)))
            return C(f"({{ {first} {second} ({tests}) == 0; }})", BOOL, a.risky or b.risky)
    statements, held = x.held(a)
    y, result, end = x.name(), x.name("q"), x.name("end")
    item = C(element_in(x.routines, a.type, y), a.type.element, lvalue=True)
    inside = x.member(e, item, domain, env, True)
    loop = each_element(x.routines, a.type, held.code, y, f"if (!{inside.code}) {{ {result} = 0; goto {end}; }}")
    code = f"({{ __label__ {end}; {statements} I {result} = 1; {loop} {end}:; {result}; }})"
    return C(code, BOOL, a.risky or inside.risky)


def _subset_of_value(x: Context, a: C, other: C) -> C:
    """`a \\subseteq other`, where `other` is evaluated, as in TLC, also if nothing is asked of it: it may fail."""
    assert isinstance(a.type, Set)
    first, held = x.held(a)
    second, value = x.held(other)
    if isinstance(a.type.element, Nothing):
        return C(f"({{ {first} (void)({other.code}); 1; }})", BOOL, True)
    y, result, end = x.name(), x.name("q"), x.name("end")
    item = C(element_in(x.routines, a.type, y), a.type.element, lvalue=True)
    inside = member_of_value(x, item, value)
    loop = each_element(x.routines, a.type, held.code, y, f"if (!{inside.code}) {{ {result} = 0; goto {end}; }}")
    return C(f"({{ __label__ {end}; {first} {second} I {result} = 1; {loop} {end}:; {result}; }})", BOOL, True)


def _cardinality(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    s = _set(x, e.arguments[0], env)
    assert isinstance(s.type, Set)
    type_ = operators.builtin("Cardinality", [s.type])
    if isinstance(s.type.element, Nothing):
        return x.after(s, C("0", type_))
    size = x.universe_size(s.type.element)
    if size is None:
        return x.part(s, ".n", type_)
    statements, h = x.held(s)
    bits = " + ".join(f"__builtin_popcountll({h.code}.w[{k}])" for k in range(words(size)))
    return C(f"({{ {statements} (I)({bits}); }})", type_, s.risky)


def _finite(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    items, outer = unfolded(x, e.arguments[0], env)
    if any(map(is_endless, reached(items))):  # to TLC it is not finite, though another part may be empty
        raise x.refuse(e, "IsFiniteSet of a set with a part that is not finite")
    return x.after(_set(x, items, outer), C("1", BOOL))


def _powerset(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    return materialised(x, e, env, want)


def _interval(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    low, high = (x.number(a, env) for a in e.arguments)
    natural = operators.interval(low.type, high.type)
    if isinstance(natural, Set) and isinstance(natural.element, Nothing):
        return x.compile(core.SetEnumeration(e.at, ()), env)
    return collected(x, lambda body: each_number(x, e, env, body), want, natural)


def _boolean(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    return collected(x, lambda body: each(x, e, env, body), None, operators.builtin("BOOLEAN", []))


def _union(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    sets, outer = unfolded(x, e.arguments[0], env)
    if isinstance(sets, core.SetMap):
        return collected(x, lambda body: each_of_several(x, sets, outer, body), want)

    def loop(body: Body) -> tuple[str, bool]:
        def inner(s: C) -> str:
            if not isinstance(s.type, Set):
                raise x.refuse(e, "UNION of a set of what may be no sets")
            if isinstance(s.type.element, Nothing):
                return ";"
            y = x.name()
            item = C(element_in(x.routines, s.type, y), s.type.element, lvalue=True)
            return each_element(x.routines, s.type, s.code, y, body(item))

        return each(x, e.arguments[0], env, inner)

    return collected(x, loop, want)


def _domain(x: Context, e: core.Builtin, env: Env, want: Type | None) -> C:
    return _domain_of(x, e, x.compile(e.arguments[0], env), env)


def _domain_of_several(x: Context, e: core.Builtin, f: C, env: Env) -> C:
    """The domain of a value of several kinds; one that is no function fails, as in TLC."""
    assert isinstance(f.type, Union)
    statements, held = x.held(f)
    kinds = [i for i, member in enumerate(f.type.members) if isinstance(member, Record | Tuple | Seq | Function)]
    if not kinds:
        raise x.refuse(e, "DOMAIN of what may be no function")
    found = [_domain_of(x, e, C(f"{held.code}.m{i}", f.type.members[i], lvalue=True), env) for i in kinds]
    domains = x.alike(found)
    result = x.name()
    cases = " ".join(f"case {i}: {x.into(s, result)} break;" for i, s in zip(kinds, domains, strict=True))
    partial = len(kinds) < len(f.type.members)
    default = f" default: {x.fail(e)}" if partial else ""
    risky = f.risky or partial or any(s.risky for s in domains)
    return x.structure(domains[0].type, result, f"{statements} switch ({held.code}.tag) {{ {cases}{default} }}", risky)


def _domain_of(x: Context, e: core.Builtin, f: C, env: Env) -> C:
    type_ = f.type
    if isinstance(type_, Union):
        return _domain_of_several(x, e, f, env)
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
        add = added(x.routines, result_type, s, i)
        loop = f"for (I {i} = 1, {i}n = {count}; {i} <= {i}n; {i}++) {{ {add} }}"
        risky = f.risky or x.may_overflow(result_type, most)
        return C(f"({{ {x.zero(result_type, s)} {loop} {s}; }})", result_type, risky)
    if isinstance(type_, Function):
        if isinstance(type_.key, Nothing):
            return x.after(f, x.compile(core.SetEnumeration(e.at, ()), env))
        if is_map(type_):
            return _domain_of_map(x, f, type_)
        size = domain_size(type_)
        result_type = x.settle(set_of(type_.key, None, type_.total))
        assert isinstance(result_type, Set)
        s = x.name()
        if x.universe_size(type_.key) is not None:
            if type_.total:
                fill = " ".join(
                    f"{s}.w[{k}] = {hex((1 << min(64, size - 64 * k)) - 1)}ULL;" for k in range(words(size))
                )
                return x.after(f, x.filled(result_type, s, fill))
            statements, h = x.held(f)
            copy = " ".join(f"{s}.w[{k}] = {h.code}.w[{k}];" for k in range(words(size)))
            return x.made(result_type, s, f"{statements} {copy}", f.risky)
    raise x.refuse(e, "DOMAIN of what may be no function")


def _domain_of_map(x: Context, f: C, type_: Function) -> C:
    """The arguments, which are in the order of elements."""
    structures = x.routines.structures
    is_vector = x.universe_size(type_.key) is None and structures.listed_size(type_.key) is None
    result = Set(type_.key, type_.most) if is_vector else x.settle(set_of(type_.key, type_.most))
    assert isinstance(result, Set)
    statements, held = x.held(f)
    s, i = x.name(), x.name("i")
    key = f"{held.code}.a[{i}].f0"
    take = f"{s}.a[{s}.n++] = {key};" if is_vector else added(x.routines, result, s, key)
    loop = f"for (I {i} = 0; {i} < {held.code}.n; {i}++) {{ {take} }}"
    return x.filled(result, s, f"{statements} {loop}", f.risky or not is_vector)


SETS: dict[str, Callable[[Context, core.Builtin, Env, Type | None], C]] = {
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
}
