"""Functions, records and tuples: constructors, application, EXCEPT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rmqproof.model.evaluate.binders import Loop, binder_targets, loop_clauses, starts_at_one
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import (
    ANY,
    LAZY,
    Shape,
    fun_on,
    join,
    join_all,
    map_to,
    plain_shape,
    records,
    seq_of,
)
from rmqproof.model.evaluate.values import domain_of, is_sequence_domain, record_domain
from rmqproof.model.tla import core

_UNROLLED = 16
"""Functions with at most so many values are rebuilt value by value when one of them changes."""


# --- tuples and records ------------------------------------------------------------------------------------


def tuple_value(g: Generator, node: core.TupleExpression, env: Env, form: str) -> Code:
    items = [g.plain(item, env) for item in node.items]
    if not items:
        return g.value_code(())
    return Code(f"({''.join(f'{item.text}, ' for item in items)})", seq_of(join_all(item.shape for item in items)))


def record_shape(shapes: Mapping[str, Shape]) -> Shape:
    domain = record_domain(tuple(shapes))
    return fun_on(domain, tuple(plain_shape(shapes[key]) for key in domain.keys))


def record(g: Generator, node: core.Record, env: Env, form: str) -> Code:
    codes = {name: g.plain(value, env) for name, value in node.fields}
    domain = record_domain(tuple(codes))
    values = "".join(f", {codes[key].text}" for key in domain.keys)
    shape = fun_on(domain, tuple(codes[key].shape for key in domain.keys))
    return Code(f"Function(({g.constant(domain)}{values}))", shape)


# --- constructor -------------------------------------------------------------------------------------------


def constructor(g: Generator, node: core.FunctionConstructor, env: Env, form: str) -> Code:
    if node.recursion is not None:
        return lazy_constructor(g, node, env, node.recursion.name)
    binders = node.binders
    simple = len(binders) == 1 and not binders[0].is_tuple and len(binders[0].bindings) == 1
    if g.careful:
        return lazy_constructor(g, node, env, "")
    if not simple:
        return product_constructor(g, node, env)
    binder = binders[0]
    assert binder.domain is not None
    domain = g.value(binder.domain, env)
    if domain.shape.lazy and g.known(domain) is None and not starts_at_one(binder.domain):
        return lazy_constructor(g, node, env, "")
    if domain.shape.lazy and not starts_at_one(binder.domain):
        return lazy_constructor(g, node, env, "")
    known = g.known(domain)
    if type(known) is frozenset:
        return on_constant_domain(g, node, known, domain.shape.element, env)
    inner, clauses = loop_clauses(g, binders, env, Loop.ANY_ORDER)
    bound = inner.bindings[binder.bindings[0]]
    assert isinstance(bound, Code)
    body = g.plain(node.body, inner)
    if starts_at_one(binder.domain):
        return Code(f"tuple([{body.text} {clauses[0]}])", seq_of(body.shape))
    return Code(f"function({{{bound.text}: {body.text} {clauses[0]}}})", map_to(body.shape))


def on_constant_domain(
    g: Generator, node: core.FunctionConstructor, items: frozenset[object], element: Shape, env: Env
) -> Code:
    """The function on a set that is known: its loop goes through the keys in the order in which it keeps its values."""
    sequence = is_sequence_domain(items)
    keys = tuple(range(1, len(items) + 1)) if sequence else domain_of(items).keys
    outside = env.no_walrus()
    bound, clauses = binder_targets(g, node.binders[0], element, g.constant(keys), outside)
    body = g.plain(node.body, outside.bind(bound))
    values = f"[{body.text} {clauses[0]}]"
    if sequence:
        return Code(f"tuple({values})", seq_of(body.shape))
    domain = domain_of(items)
    return Code(f"Function(({g.constant(domain)}, *{values}))", fun_on(domain, (body.shape,) * len(keys)))


def product_constructor(g: Generator, node: core.FunctionConstructor, env: Env) -> Code:
    """Several variables: the arguments are tuples."""
    inner, clauses = loop_clauses(g, node.binders, env, Loop.ANY_ORDER)
    names = []
    for binder in node.binders:
        for binding in binder.bindings:
            code = inner.bindings[binding]
            assert isinstance(code, Code)
            names.append((binder, code.text))
    body = g.plain(node.body, inner)
    if len(node.binders) == 1 and node.binders[0].is_tuple:
        key = f"({', '.join(name for _, name in names)},)"
    else:
        parts: list[str] = []
        for binder in node.binders:
            own = [name for owner, name in names if owner is binder]
            parts += [f"({', '.join(own)},)"] if binder.is_tuple else own
        key = f"({', '.join(parts)},)"
    return Code(f"function({{{key}: {body.text} {' '.join(clauses)}}})", map_to(body.shape))


def lazy_constructor(g: Generator, node: core.FunctionConstructor, env: Env, own_name: str) -> Code:
    """A function that is evaluated argument by argument: a recursive one, or one on a set that may be infinite."""
    outside = env.no_walrus()
    domains = [g.value(binder.domain, outside) for binder in node.binders if binder.domain is not None]
    itself, argument = env.names.fresh(own_name or "f"), env.names.fresh("x")
    bound = {}
    if node.recursion is not None:
        bound[node.recursion] = Code(itself, LAZY, True)
    binders = node.binders
    if len(binders) == 1 and not binders[0].is_tuple and len(binders[0].bindings) == 1:
        shape = domains[0].shape.element if domains[0].shape.kind == "set" else ANY
        bound[binders[0].bindings[0]] = Code(argument, shape, True)
        body = g.value(node.body, outside.bind(bound))
        rule, domain = body.text, domains[0].text
    else:
        targets: list[str] = []
        factors: list[str] = []
        for binder, code in zip(binders, domains, strict=True):
            names = [env.names.fresh(binding.name) for binding in binder.bindings]
            bound |= {b: Code(name, ANY, True) for b, name in zip(binder.bindings, names, strict=True)}
            targets += [f"({', '.join(names)},)"] if binder.is_tuple else names
            factors += [code.text] * (1 if binder.is_tuple else len(names))
        body = g.value(node.body, outside.bind(bound))
        whole = len(binders) == 1 and binders[0].is_tuple
        target = targets[0] if whole else f"({', '.join(targets)},)"
        domain = factors[0] if whole else f"Products(({', '.join(factors)},))"
        rule = f"[{body.text} for {target} in ({argument},)][0]"
    return Code(f"LazyFunction({domain}, lambda {itself}, {argument}: {rule})", Shape("any", lazy=True))


# --- application -------------------------------------------------------------------------------------------


def application(g: Generator, node: core.FunctionApplication, env: Env, form: str) -> Code:
    f, argument = g.value(node.function, env), g.value(node.argument, env)
    return applied(g, f, argument, env)


def applied(g: Generator, f: Code, argument: Code, env: Env) -> Code:
    shape = f.shape
    if shape.lazy:
        return Code(f"apply({f.text}, {argument.text})", LAZY)
    if g.careful or argument.shape.lazy:
        return Code(f"apply({f.text}, {argument.text})", shape.element)
    known = g.known(argument)
    if shape.kind == "fun":
        if shape.domain is not None:
            if known is not None and known in shape.domain.at:
                return Code(f"{f.text}[{shape.domain.at[known]}]", shape.field(known), f.atom)
            return Code(f"{f.text}[{g.constant(shape.domain.at)}[{argument.text}]]", shape.element)
        names = g.temporary(f, env)
        if names is not None:
            return Code(f"{names[0]}[{names[1]}[0].at[{argument.text}]]", shape.field(known))
    if shape.kind == "seq" and argument.shape.kind == "int":
        if type(known) is int and known > 0:
            return Code(f"{f.text}[{known - 1}]", shape.element)
        index = g.temporary(argument, env)
        if index is not None:
            return Code(f"({f.text}[{index[1]} - 1] if {index[0]} > 0 else below_one())", shape.element)
        return Code(f"apply_sequence({f.text}, {argument.text})", shape.element)
    if shape.kind == "any" and argument.shape.kind == "str":
        names = g.temporary(f, env)
        if names is not None:
            return Code(f"{names[0]}[{names[1]}[0].at[{argument.text}]]")
    return Code(f"apply({f.text}, {argument.text})", shape.element)


def field_access(g: Generator, node: core.FieldAccess, env: Env, form: str) -> Code:
    record_code = g.value(node.record, env)
    if g.careful or record_code.shape.lazy:
        return Code(
            f"field({record_code.text}, {node.field!a})",
            LAZY if record_code.shape.lazy else record_code.shape.field(node.field),
        )
    return _field(g, record_code, node.field, env)


def _field(g: Generator, f: Code, name: str, env: Env) -> Code:
    shape = f.shape
    if shape.kind == "fun" and shape.domain is not None and name in shape.domain.at:
        return Code(f"{f.text}[{shape.domain.at[name]}]", shape.field(name), f.atom)
    names = g.temporary(f, env)
    if names is None:
        return Code(f"field({f.text}, {name!a})", shape.field(name))
    return Code(f"{names[0]}[{names[1]}[0].at[{name!a}]]", shape.field(name))


# --- EXCEPT ------------------------------------------------------------------------------------------------


def except_value(g: Generator, node: core.Except, env: Env, form: str) -> Code:
    code = g.value(node.function, env)
    for update in node.updates:
        code = updated(g, code, update, env)
    return code


def updated(g: Generator, f: Code, update: core.Update, env: Env) -> Code:
    """The function with one update done."""
    keys = [g.plain(step, env) for step in update.path]
    if not g.careful and env.walrus and not f.shape.lazy:
        fast = _update_in_place(g, f, keys, update, env)
        if fast is not None:
            return fast
    name = env.names.fresh("old")
    inner_shape = _at_path(g, f.shape, keys)
    inner = env.no_walrus().bind({update.old: Code(name, inner_shape, True)})
    value = g.value(update.value, inner)
    path = "".join(f"{key.text}, " for key in keys)
    if f.shape.lazy:
        return Code(f"except_path({f.text}, ({path}), lambda {name}: {value.text})", LAZY)
    return Code(
        f"except_path({f.text}, ({path}), lambda {name}: {value.text})", _changed(g, f.shape, keys, value.shape)
    )


def _at_path(g: Generator, shape: Shape, keys: Sequence[Code]) -> Shape:
    for key in keys:
        known = g.known(key)
        shape = shape.field(known) if known is not None and type(known) is str else shape.element
    return shape


def _changed(g: Generator, shape: Shape, keys: Sequence[Code], new: Shape) -> Shape:
    """The shape of a function after EXCEPT."""
    if not keys:
        return plain_shape(new)
    if shape.kind == "never":
        return shape
    if shape.kind not in ("fun", "seq", "map"):
        return ANY
    known = g.known(keys[0])
    if shape.domain is not None and shape.fields is not None:
        fields = list(shape.fields)
        if known is not None:
            if known in shape.domain.at:
                at = shape.domain.at[known] - 1
                fields[at] = _changed(g, fields[at], keys[1:], new)
            return fun_on(shape.domain, tuple(fields))
        return fun_on(shape.domain, tuple(join(field, _changed(g, field, keys[1:], new)) for field in fields))
    if shape.named is not None and type(known) is str:
        changed = dict(shape.named)
        if known in changed:
            changed[known] = _changed(g, changed[known], keys[1:], new)
        return records(tuple(changed.items()))
    item = shape.element
    return Shape(shape.kind, join(item, _changed(g, item, keys[1:], new)))


def _update_in_place(g: Generator, f: Code, keys: Sequence[Code], update: core.Update, env: Env) -> Code | None:
    """Python text that rebuilds the tuple, where the shapes say that it is a `Function`; else None."""
    shape = f.shape
    key, rest = keys[0], keys[1:]
    if shape.kind not in ("fun", "seq") or (shape.kind == "seq" and key.shape.kind != "int"):
        return None
    named = g.temporary(f, env)
    if named is None:
        return None
    first, again = named
    if shape.kind == "seq":
        index = g.temporary(key, env, "at")
        if index is None:
            return None
        old = Code(f"{again}[{index[1]} - 1]", shape.element, True)
        inner = _inner_update(g, old, rest, update, env)
        text = f"put_in_sequence({again}, {index[1]}, {inner.text}) if len({first}) >= {index[0]} > 0 else {again}"
        return Code(f"({text})", _changed(g, shape, keys[:1], inner.shape))
    known = g.known(key)
    if shape.domain is not None and known is not None:
        if known not in shape.domain.at:
            return None
        at = str(shape.domain.at[known])
        at_first = at
    else:
        if not env.walrus:
            return None
        places = f"{g.constant(shape.domain.at)}" if shape.domain is not None else f"{again}[0].at"
        at = env.names.fresh("at")
        at_first = f"({at} := {places}[{key.text}])"
    field_shape = shape.field(known) if known is not None else shape.element
    old = Code(f"{again}[{at}]", field_shape, True)
    inner = _inner_update(g, old, rest, update, env)
    result = _changed(g, shape, keys[:1], inner.shape)
    if shape.domain is not None and at == at_first and len(shape.domain.keys) <= _UNROLLED:
        count = len(shape.domain.keys)
        if first == again:
            items = [f"{again}[{i}]" if str(i) != at else inner.text for i in range(1, count + 1)]
            return Code(f"Function(({g.constant(shape.domain)}, {', '.join(items)}))", result)
    return Code(f"put({first}, {at_first}, {inner.text})", result)


def _inner_update(g: Generator, old: Code, rest: Sequence[Code], update: core.Update, env: Env) -> Code:
    """The new value at a place whose old value is `old`; `rest` is the path inside it."""
    if not rest:
        return g.plain(update.value, env.bind({update.old: old}))
    inner = _update_in_place(g, old._replace(atom=False), rest, update, env)
    if inner is not None:
        return inner
    name = env.names.fresh("old")
    shape = _at_path(g, old.shape, rest)
    body = g.value(update.value, env.no_walrus().bind({update.old: Code(name, shape, True)}))
    path = "".join(f"{step.text}, " for step in rest)
    text = f"except_path({old.text}, ({path}), lambda {name}: {body.text})"
    return Code(text, _changed(g, old.shape, rest, body.shape))
