"""Sets: enumerations, filters, maps, sets of functions, records and tuples."""

from __future__ import annotations

from rmqproof.model.evaluate.binders import Loop, binder_targets, elements, loops
from rmqproof.model.evaluate.builtins import comparable
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
from rmqproof.model.tla.core import (
    Cartesian,
    FunctionSet,
    RecordSet,
    SetEnumeration,
    SetFilter,
    SetMap,
)


def enumeration(g: Generator, node: SetEnumeration, env: Env) -> Code:
    items = [g.plain(item, env) for item in node.items]
    shape = set_of(join_all(item.shape for item in items))
    if not items:
        return g.value_code(frozenset())
    return _comparable(g, Code(f"frozenset(({', '.join(item.text for item in items)},))", shape))


def _comparable(g: Generator, items: Code) -> Code:
    """The set; an error where its elements cannot be compared with each other."""
    if comparable(items.shape, items.shape) and not g.careful:
        return items
    return Code(f"comparable_set({items.text})", items.shape)


def set_filter(g: Generator, node: SetFilter, env: Env) -> Code:
    binder = node.binder
    assert binder.domain is not None
    domain = g.value(binder.domain, env)
    lazy = domain.shape.lazy or domain.shape.kind not in ("set", "never")
    known = g.known(domain)
    infinite = isinstance(known, LazySet) and known.size is None
    if infinite or (lazy and not binder.is_tuple):
        element = domain.shape.element if domain.shape.kind == "set" else ANY
        name = env.names.fresh("item")
        if binder.is_tuple:
            names = [env.names.fresh(binding.name) for binding in binder.bindings]
            bound_tuple = {b: Code(text, ANY, True) for b, text in zip(binder.bindings, names, strict=True)}
            test = g.condition(node.body, env.no_walrus().bind(bound_tuple))
            test = f"[{test} for {', '.join(names)}, in (unpack({name}, {len(names)}),)][0]"
        else:
            inner = env.no_walrus().bind({binder.bindings[0]: Code(name, element, True)})
            test = g.condition(node.body, inner)
        return Code(f"filtered({domain.text}, lambda {name}: {test})", set_of(element, lazy=domain.shape.lazy))
    iterated, element = elements(g, binder.domain, env.no_walrus(), Loop.ANY_ORDER)
    if not binder.is_tuple:
        inner, clauses = loops(g, (binder,), env, Loop.ANY_ORDER)
        bound = inner.bindings[binder.bindings[0]]
        assert isinstance(bound, Code)
        return Code(f"frozenset([{bound.text} {clauses} if {g.condition(node.body, inner)}])", set_of(bound.shape))
    whole = env.names.fresh("whole")
    more, _ = binder_targets(g, binder, element, "", env)
    names = [code.text for code in more.values()]
    inner = env.bind(more)
    unpacked = f"for {', '.join(names)}{',' if len(names) == 1 else ''} in (unpack({whole}, {len(names)}),)"
    body = g.condition(node.body, inner)
    return Code(f"frozenset([{whole} for {whole} in {iterated} {unpacked} if {body}])", set_of(element))


def set_map(g: Generator, node: SetMap, env: Env) -> Code:
    inner, clauses = loops(g, node.binders, env, Loop.ANY_ORDER)
    body = g.plain(node.body, inner)
    return _comparable(g, Code(f"frozenset([{body.text} {clauses}])", set_of(body.shape)))


def function_set(g: Generator, node: FunctionSet, env: Env) -> Code:
    domain, range_ = g.value(node.domain, env), g.value(node.range, env)
    item = plain_shape(range_.shape.element) if range_.shape.kind == "set" else ANY
    return Code(f"function_set({domain.text}, {range_.text})", set_of(map_to(item), lazy=True))


def record_set(g: Generator, node: RecordSet, env: Env) -> Code:
    from rmqproof.model.evaluate.maps import record_shape

    codes = [g.value(value, env) for _, value in node.fields]
    names = tuple(name for name, _ in node.fields)
    shapes = {
        name: code.shape.element if code.shape.kind == "set" else ANY for name, code in zip(names, codes, strict=True)
    }
    sets = "".join(f"{code.text}, " for code in codes)
    return Code(f"Records({names!a}, ({sets}))", set_of(record_shape(shapes), lazy=True))


def cartesian(g: Generator, node: Cartesian, env: Env) -> Code:
    codes = [g.value(factor, env) for factor in node.factors]
    item = join_all(code.shape.element if code.shape.kind == "set" else ANY for code in codes)
    return Code(f"Products(({''.join(f'{code.text}, ' for code in codes)}))", set_of(seq_of(item), lazy=True))
