"""Functions that are built, and the C functions that compute one value of a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types import operators
from rmqproof.model.types.domain import (
    NOTHING,
    Function,
    Nothing,
    Seq,
    Set,
    Tuple,
    Type,
    Unknown,
    cardinality,
    includes,
    join,
)

from . import parameters
from .captures import Captures
from .closed import is_closed
from .context import Context
from .loops import bind_element, nested
from .maps import putting
from .questions import comparable
from .ranks import rank_within
from .representation import is_map
from .terms import Bound, C, Env, Recursion

SPARSE = 16
"""A function that has at most one in so many of its possible arguments is made as a map."""


def function_constructor(x: Context, e: core.FunctionConstructor, env: Env, want: Type | None) -> C:
    recursion = function_by_key(x, e, env) if e.recursion is not None else None
    value_want = want.value if isinstance(want, Function) else want.element if isinstance(want, Seq) else None
    typed = x.settle(x.typed(e, env))
    if isinstance(typed, Seq) and typed.most == 0:
        empty = x.compile(core.TupleExpression(e.at, ()), env)
        loop, risky = nested(x, e.binders, env, lambda chosen, inner: "")  # the domain may have no value
        return C(f"({{ {loop} {empty.code}; }})", empty.type, True) if risky else empty
    found: list[tuple[C, C]] = []

    def value_at(chosen: list[C], inner: Env) -> C:
        if recursion is not None:
            return called(x, e, recursion, _key_of(x, chosen), env.current)
        return x.compile(e.body, inner, value_want)

    def explore(chosen: list[C], inner: Env) -> str:
        value = value_at(chosen, inner)
        found.append((_key_of(x, chosen), value))
        return ""

    nested(x, e.binders, env, explore)
    value_type: Type = NOTHING
    for _, value in found:
        value_type = join(value_type, value.type)
    if value_want is not None and includes(value_want, value_type):
        value_type = value_want
    value_type = x.settle(value_type)
    if isinstance(typed, Seq):
        result: Seq | Function = Seq(value_type, typed.least, typed.most)
    elif isinstance(typed, Function):
        # What is known of the domain is known of the type that inference found for it, not of a wider one.
        # No key is met where the set is known to be empty.
        key_type = typed.key if typed.total or not found else found[0][0].type
        result = held_function(x, Function(key_type, value_type, typed.total, _most(x, e, env)), want)
    else:
        raise x.refuse(e, "a function whose domain is not bounded")
    f = x.name()

    def fill(chosen: list[C], inner: Env) -> str:
        key, value = _key_of(x, chosen), x.to(value_at(chosen, inner), value_type)
        return _put(x, f, result, key, value, want)

    loop, risky = nested(x, e.binders, env, fill)
    risky = risky or any(value.risky for _, value in found) or is_map(result)
    risky = risky or (isinstance(result, Seq) and result.least != result.most)
    return x.filled(result, f, loop, risky)


def _key_of(x: Context, chosen: list[C]) -> C:
    """The argument of a function of these names: a tuple, where there are several."""
    if len(chosen) == 1:
        return chosen[0]
    type_ = Tuple(tuple(part.type for part in chosen))
    k = x.name()
    sets = " ".join(f"{k}.f{i} = {part.code};" for i, part in enumerate(chosen))
    return x.filled(type_, k, sets)


def _most(x: Context, e: core.FunctionConstructor, env: Env) -> int | None:
    """As many arguments can it have."""
    domains = [x.typed(binder.domain, env) for binder in e.binders if binder.domain is not None]
    return domains[0].most if len(domains) == 1 and isinstance(domains[0], Set) else None


def held_function(x: Context, type_: Function, want: Type | None) -> Function:
    """How a function of this type lies in C: where a variable is assigned as is wanted, if that is a map that may take
    it."""
    if type_.total:
        return type_
    if x.target >= 0 and isinstance(want, Function) and is_map(want) and includes(replace(want, most=None), type_):
        return want
    settled = x.settle(type_)
    assert isinstance(settled, Function)
    if type_.most is None or is_map(settled) or isinstance(want, Function):
        return settled
    # A place for each of a thousand arguments would be cleared, copied and united for one of them.
    size = cardinality(settled.key)
    return replace(settled, most=type_.most) if size is not None and size > SPARSE * max(1, type_.most) else settled


def _put(x: Context, f: str, type_: Seq | Function, key: C, value: C, want: Type | None) -> str:
    """Statements that make `value` the one at `key` of the function called `f`."""
    k = x.name()
    if isinstance(type_, Seq):
        bound = f"if ({k} < 1 || {k} > {type_.most}) {{ {x.widen()} }} else "
        put = f"{x.put(value, f'{f}.a[{k} - 1]')} if ({f}.n < {k}) {f}.n = {k};"
        return f"I {k} = {key.code}; {bound}{{ {put} }}"
    if is_map(type_):
        (first, place), (second, v) = x.held(x.to(key, type_.key)), x.held(value)
        return f"{first} {second} {put_in_map(x, type_, f, place.code, v.code, want)}"
    r = x.name("r")
    mark = "" if type_.total else f"{f}.w[{r} >> 6] |= (U)1 << ({r} & 63);"
    key_c = x.to(key, type_.key)
    return (
        f"{x.c_type(type_.key)} {k} = {key_c.code}; I {r} = {rank_within(x.routines, type_.key, k, key_c.risky)}; "
        f"{x.put(value, f'{f}.a[{r}]')} {mark}"
    )


def put_in_map(x: Context, type_: Function, f: str, key: str, value: str, want: Type | None) -> str:
    """A statement that makes the value the one at the key, names or paths both, of the map called `f`."""
    full = x.widen() if type_ is want else "fail_(c, WIDEN, -1);"
    return f"if (!{putting(x.routines, type_)}(&{f}, &{key}, &{value})) {{ {full} }}"


def function_by_key(x: Context, e: core.FunctionConstructor, env: Env) -> Recursion:
    """A C function that computes the value at a key: of a recursive function, or of one that is not computed as a
    whole."""
    recursion = e.recursion
    whole = x.settle(x.typed(e, env))
    if isinstance(whole, Seq):
        value: Type = whole.element
    elif isinstance(whole, Function):
        value = whole.value
    else:
        raise x.refuse(e, "a function whose domain is not bounded")

    def body(own: Recursion, inner: Env) -> C:
        inner = inner if recursion is None else inner.bind({recursion: own})
        return x.to(x.compile(e.body, inner, value), value)

    if not is_closed(x, e):
        return lifted_function(x, e, env, value, body)
    if (e, value) not in x.lifted:
        x.lifted[e, value] = (lifted_function(x, e, env, value, body).name, value, True)
    return Recursion(x.lifted[e, value][0], _key_type(x, e, env), value, ())


def _key_type(x: Context, e: core.FunctionConstructor, env: Env) -> Type:
    """The type of its arguments; of several a tuple."""
    types = [x.settle(operators.element_of(x.typed(b.domain, env))) for b in e.binders if b.domain is not None]
    return types[0] if len(types) == 1 else Tuple(tuple(types))


def lifted_function(
    x: Context, e: core.FunctionConstructor, env: Env, value: Type, body: Callable[[Recursion, Env], C]
) -> Recursion:
    """A C function of a key in the function's domain, with results of type `value`.

    `body` writes what it returns; it is given how the C function is called from there.
    """
    binders, key = e.binders, _key_type(x, e, env)
    if isinstance(key, Unknown | Nothing) or isinstance(value, Unknown | Nothing):
        raise x.refuse(e, "a recursive function whose type is not known")
    name = x.name("function")
    captures = Captures(x)
    inner = captures.scope(e, env)
    whole = parameters.inside(x, "key_", key)
    chosen = [whole]
    if len(binders) > 1:
        assert isinstance(key, Tuple)
        chosen = [C(f"{whole.code}.f{i}", t, False, True) for i, t in enumerate(key.items)]
    known: dict[core.Binding, Bound] = {}
    for binder, at in zip(binders, chosen, strict=True):
        known |= bind_element(x, binder, at)[1]
    target, x.target = x.target, -1
    x.lifting.append(e)
    outside = ""
    try:
        with x.apart():
            for binder, at in zip(binders, chosen, strict=True):
                if binder.domain is not None and not operators.is_full(x.typed(binder.domain, env)):
                    test = x.member(e, at, binder.domain, inner)
                    outside += f"if (!({test.code})) {{ {x.fail(e)} }} "
            result = body(Recursion(name, key, value, captures.inside), inner.bind(known))
            statements, held = x.held(result)
    finally:
        x.target = target
        x.lifting.pop()
    head = (
        f"static {x.c_type(value)} {name}(Ctx *c, const S *s{captures.declared}, {parameters.declared(x, 'key_', key)})"
    )
    x.prototypes.append(f"{head};")
    x.functions.append(
        f"{head} {{ (void)key_; if (++c->depth > DEEPEST) {{ c->depth--; fail_(c, DEEP, -1); "
        f"{x.zero(value, 'zero_')} return zero_; }} {outside}{statements} c->depth--; return {held.code}; }}"
    )
    return Recursion(name, key, value, captures.outside)


def called(x: Context, e: core.Expression, function: Recursion, argument: C, current: str) -> C:
    """The function's value in the state that `current` points at, "s" in a C function that was lifted."""
    if not comparable(argument.type, function.key):
        return x.failing(e, NOTHING)
    key = x.checked(e, argument, function.key) if argument.type != function.key else argument
    return C(parameters.call(x, function.name, current, [*function.captured, key]), function.value, True)
