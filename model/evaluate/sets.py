"""Sets: enumerations, filters, maps, sets of functions, records and tuples."""

from __future__ import annotations

from rmqproof.model.evaluate.binders import Loop, is_interval, loops, test_of
from rmqproof.model.evaluate.builtins import in_one_order
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import (
    ANY,
    join_all,
    map_to,
    plain_shape,
    seq_of,
    set_of,
)
from rmqproof.model.tla import core


def enumeration(g: Generator, node: core.SetEnumeration, env: Env, form: str) -> Code:
    items = [g.value(item, env) for item in node.items]
    if len(items) == 1 and not is_interval(node.items[0]) and (g.careful or items[0].shape.lazy):
        return Code(f"single({items[0].text})", set_of(items[0].shape, lazy=True))
    items = [g.normal(item) for item in items]
    shape = set_of(join_all(item.shape for item in items))
    if not items:
        return g.value_code(frozenset())
    return in_one_order(g, Code(f"frozenset(({', '.join(item.text for item in items)},))", shape))


def set_filter(g: Generator, node: core.SetFilter, env: Env, form: str) -> Code:
    binder = node.binder
    assert binder.domain is not None
    domain = g.value(binder.domain, env)
    lazy = domain.shape.lazy or domain.shape.kind not in ("set", "never")
    known = g.known(domain)
    infinite = isinstance(known, LazySet) and known.infinite
    if infinite or lazy or binder.is_tuple:
        element = domain.shape.element if domain.shape.kind == "set" else ANY
        test = test_of(g, binder, element, node.body, env)
        if g.careful and not domain.shape.lazy:
            return Code(f"frozenset(filter({test}, ORDER.of({domain.text})))", set_of(element))
        return Code(f"filtered({domain.text}, {test})", set_of(element, lazy=domain.shape.lazy))
    inner, clauses = loops(g, (binder,), env, Loop.ANY_ORDER)
    bound = inner.bindings[binder.bindings[0]]
    assert isinstance(bound, Code)
    return Code(f"frozenset([{bound.text} {clauses} if {g.condition(node.body, inner)}])", set_of(bound.shape))


def set_map(g: Generator, node: core.SetMap, env: Env, form: str) -> Code:
    inner, clauses = loops(g, node.binders, env, Loop.ANY_ORDER)
    body = g.plain(node.body, inner)
    return in_one_order(g, Code(f"frozenset([{body.text} {clauses}])", set_of(body.shape)))


def function_set(g: Generator, node: core.FunctionSet, env: Env, form: str) -> Code:
    domain, range_ = g.value(node.domain, env), g.value(node.range, env)
    item = plain_shape(range_.shape.element) if range_.shape.kind == "set" else ANY
    return Code(f"function_set({domain.text}, {range_.text})", set_of(map_to(item), lazy=True))


def record_set(g: Generator, node: core.RecordSet, env: Env, form: str) -> Code:
    from rmqproof.model.evaluate.maps import record_shape

    codes = [g.value(value, env) for _, value in node.fields]
    names = tuple(name for name, _ in node.fields)
    shapes = {
        name: code.shape.element if code.shape.kind == "set" else ANY for name, code in zip(names, codes, strict=True)
    }
    sets = "".join(f"{code.text}, " for code in codes)
    return Code(f"Records({names!a}, ({sets}))", set_of(record_shape(shapes), lazy=True))


def cartesian(g: Generator, node: core.Cartesian, env: Env, form: str) -> Code:
    codes = [g.value(factor, env) for factor in node.factors]
    item = join_all(code.shape.element if code.shape.kind == "set" else ANY for code in codes)
    return Code(f"Products(({''.join(f'{code.text}, ' for code in codes)}))", set_of(seq_of(item), lazy=True))
