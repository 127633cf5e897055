"""Functions applied, and fields of records."""

from __future__ import annotations

from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.types.domain import (
    NOTHING,
    Atom,
    Enum,
    Function,
    Int,
    Nothing,
    Record,
    Seq,
    Tuple,
    Type,
    Union,
    includes,
    strings,
)

from .closed import is_closed
from .context import Context
from .functions import called, function_by_key
from .maps import finding
from .questions import comparable, known_value
from .ranks import rank_of, rank_within
from .representation import is_map
from .terms import C, Env, Kept, Recursion
from .unfolding import opened


def application(x: Context, e: core.FunctionApplication, env: Env, want: Type | None) -> C:
    if isinstance(e.function, core.Reference):
        own = env.bindings.get(e.function.binding)
        if isinstance(own, Recursion):
            return called(x, e, own, x.compile(e.argument, env), "s")
    whole, outer = opened(e.function, env)
    if isinstance(whole, core.FunctionConstructor) and whole.recursion is not None:
        return called(x, e, function_by_key(x, whole, outer), x.compile(e.argument, env), outer.current)
    if isinstance(whole, core.FunctionConstructor) and not x.has_form(whole, outer):
        return called(x, e, function_by_key(x, whole, outer), x.compile(e.argument, env), outer.current)
    function = x.compile(e.function, env)
    argument = x.compile(e.argument, env)
    if function.risky and isinstance(whole, core.FunctionConstructor) and isinstance(function.type, Function | Seq):
        # as in TLC the values at other arguments are not computed, and may fail
        by_key = function_by_key(x, whole, outer)
        table = x.compile(whole, outer) if is_closed(x, whole) else None
        if table is None or table.kept is None:
            return called(x, e, by_key, argument, outer.current)
        return _from_table(x, e, table.type, table.kept, by_key, argument)
    return applied(x, e, function, argument)


def _from_table(x: Context, e: core.Expression, type_: Type, table: Kept, by_key: Recursion, argument: C) -> C:
    """A constant function applied: from the value computed when the search started; if that failed, at whatever
    argument, its value here is computed alone."""
    name = x.name()
    statement = f"{x.c_type(argument.type)} {name} = {argument.code};"
    argument = C(name, argument.type, False, True)
    value = applied(x, e, C(table.place, type_, False, True), argument)
    alone = x.to(called(x, e, by_key, argument, "s"), value.type)
    return C(f"({{ {statement} {table.failure} ? {alone.code} : {value.code}; }})", value.type, True)


def applied(x: Context, e: core.Expression, function: C, argument: C) -> C:
    literal = known_value(e.argument if isinstance(e, core.FunctionApplication) else None, argument.type)
    if literal is not None and argument.risky and isinstance(function.type, Tuple | Record | Union):
        # its type has one value, but it may have none
        inner = _applied(x, e, function, replace(argument, risky=False), literal)
        return C(f"({{ (void)({argument.code}); {inner.code}; }})", inner.type, True)
    return _applied(x, e, function, argument, literal)


def _applied(x: Context, e: core.Expression, function: C, argument: C, literal: object) -> C:
    f_type = function.type
    if isinstance(f_type, Nothing) or isinstance(argument.type, Nothing):
        return x.failing(e, NOTHING)
    if isinstance(f_type, Seq | Tuple) and isinstance(argument.type, Union):
        number = next((m for m in argument.type.members if isinstance(m, Int)), None)
        if number is not None:
            argument = x.checked(e, argument, number)
    if isinstance(f_type, Union):
        functional = [(i, m) for i, m in enumerate(f_type.members) if isinstance(m, Function | Seq | Tuple | Record)]
        if isinstance(argument.type, Int):
            functional = [(i, m) for i, m in functional if not isinstance(m, Record)]
        if len(functional) == 1:
            i, member = functional[0]
            statements, f = x.held(function)
            inner = applied(x, e, C(f"{f.code}.m{i}", member, lvalue=True), argument)
            check = f"if ({f.code}.tag != {i}) {{ {x.fail(e)} }}"
            return x.behind(f"{statements} {check}", inner, risky=True)
        if isinstance(literal, str):
            return _union_field(x, e, function, literal)
        raise x.refuse(e, "application of a value of several kinds")
    if isinstance(f_type, Record):
        if isinstance(literal, str):
            return _record_field(x, e, function, literal)
        if isinstance(argument.type, Enum):
            from rmqproof.model.types.domain import as_function

            return applied(x, e, x.to(function, as_function(f_type)), argument)
    if isinstance(f_type, Tuple):
        if isinstance(literal, int) and 1 <= literal <= len(f_type.items):
            return x.part(function, f".f{literal - 1}", f_type.items[literal - 1])
        function = x.sequence(e, function)
        f_type = function.type
    if isinstance(f_type, Seq):
        if f_type.most == 0 or not isinstance(argument.type, Int):
            return x.failing(e, NOTHING)
        return _element(x, e, function, argument)
    if isinstance(f_type, Function):
        return _value_at(x, e, function, argument)
    raise x.refuse(e, "application of what may be no function")


def _element(x: Context, e: core.Expression, function: C, argument: C) -> C:
    assert isinstance(function.type, Seq) and isinstance(argument.type, Int)
    type_ = function.type
    safe = (
        argument.type.low is not None
        and argument.type.low >= 1
        and argument.type.high is not None
        and argument.type.high <= type_.least
    )
    if safe and not function.risky and not argument.risky:
        element = x.part(function, f".a[({argument.code}) - 1]", type_.element)
        return replace(element, lvalue=element.lvalue and argument.lvalue)
    f, i = x.name("f"), x.name("i")
    check = f"I {i} = {argument.code}; if ({i} < 1 || {i} > {f}->n) {{ {x.fail(e)} {i} = 1; }}"
    return _inside_of(x, function, f, check, f"{f}->a[{i} - 1]", type_.element, True)


def _inside_of(x: Context, whole: C, name: str, statements: str, part: str, type_: Type, risky: bool) -> C:
    """`part`, of this type, of what `name` points at, which is `whole`: nothing is copied but what is small."""
    before, held = ("", whole) if whole.lvalue else x.held(whole)
    statements = f"{before} const {x.c_type(whole.type)} *{name} = &({held.code}); {statements}"
    value = x.behind(statements, C(part, type_, False, True), risky=risky)
    return replace(value, code=f"(*({{ {statements} &{part}; }}))") if whole.lvalue else value


def _value_at(x: Context, e: core.Expression, function: C, argument: C) -> C:
    type_ = function.type
    assert isinstance(type_, Function)
    fits = includes(type_.key, argument.type)
    if isinstance(type_.key, Nothing):
        return x.failing(e, NOTHING)
    if not fits and not comparable(argument.type, type_.key):
        return x.failing(e, type_.value) if x.c_type(type_.value) == "I" else _refused_key(x, e)
    if is_map(type_):
        return _in_map(x, e, function, type_, argument)
    f, k, r = x.name("f"), x.name("k"), x.name("r")
    rank = rank_within(x.routines, type_.key, k, argument.risky)
    same = x.routines.structures.same(type_.key, argument.type)
    if fits and same:
        key = f"{x.c_type(type_.key)} {k} = {argument.code}; I {r} = {rank};"
    else:
        given, convert = x.converted(argument, type_.key, k)
        bad = "" if fits else f" {{ {x.fail(e)} }}"
        key = f"{given} {x.zero(type_.key, k)} I {r} = 0; if ({convert}) {r} = {rank}; else{bad or ' ;'}"
    present = ""
    if not type_.total:
        present = f"if (!({f}->w[{r} >> 6] >> ({r} & 63) & 1)) {{ {x.fail(e)} }}"
    risky = function.risky or argument.risky or not fits or not type_.total
    if fits and same and type_.total and argument.lvalue and function.lvalue and not argument.risky:
        rank_here = rank_of(x.routines, type_.key, argument.code)
        return C(f"{function.code}.a[{rank_here}]", type_.value, risky, True)
    return _inside_of(x, function, f, f"{key} {present}", f"{f}->a[{r}]", type_.value, risky)


def _in_map(x: Context, e: core.Expression, function: C, type_: Function, argument: C) -> C:
    """The value of a map at the argument, which may be none of its arguments."""
    f, k, r = x.name("f"), x.name("k"), x.name("r")
    (given, convert), find = x.converted(argument, type_.key, k), finding(x.routines, type_)
    found = (
        f"{given} {x.zero(type_.key, k)} I {r} = -1; if ({convert}) {r} = {find}({f}, &{k}); "
        f"if ({r} < 0) {{ {x.fail(e)} {r} = 0; }}"
    )
    return _inside_of(x, function, f, found, f"{f}->a[{r}].f1", type_.value, True)


def _refused_key(x: Context, e: core.Expression) -> C:
    raise x.refuse(e, "a function applied to a value of another kind")


def field_access(x: Context, e: core.FieldAccess, env: Env, want: Type | None) -> C:
    record = x.compile(e.record, env)
    if isinstance(record.type, Union):
        return _union_field(x, e, record, e.field)
    if isinstance(record.type, Record):
        return _record_field(x, e, record, e.field)
    if isinstance(record.type, Function):
        key = C(str(x.routines.atoms.number(Atom(e.field))), strings(e.field), lvalue=True)
        return _value_at(x, e, record, key)
    if isinstance(record.type, Nothing):
        return C(record.code, NOTHING, True)
    raise x.refuse(e, f"field {e.field} of what may be no record")


def _record_field(x: Context, e: core.Expression, record: C, name: str) -> C:
    assert isinstance(record.type, Record)
    if name not in record.type.names:
        return x.failing(e, NOTHING)
    i = record.type.names.index(name)
    return x.part(record, f".f{i}", record.type.fields[i][1])


def _union_field(x: Context, e: core.Expression, record: C, name: str) -> C:
    assert isinstance(record.type, Union)
    statements, r = x.held(record)
    found: list[tuple[int, C]] = []
    for i, member in enumerate(record.type.members):
        if isinstance(member, Record) and name in member.names:
            found.append((i, _record_field(x, e, C(f"{r.code}.m{i}", member, lvalue=True), name)))
        elif isinstance(member, Function):
            raise x.refuse(e, "a field of a value of several kinds")
    if not found:
        return x.failing(e, NOTHING)
    values = x.alike([value for _, value in found])
    result = x.name()
    cases = " ".join(f"case {i}: {x.into(v, result)} break;" for (i, _), v in zip(found, values, strict=True))
    all_have = len(found) == len(record.type.members)
    default = "" if all_have else f"default: {x.fail(e)}"
    chosen = f"{statements} switch ({r.code}.tag) {{ {cases} {default} }}"
    return x.structure(values[0].type, result, chosen, record.risky or not all_have)
