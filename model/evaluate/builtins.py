"""The language's own operators, and the call of those of the standard modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TypeGuard

from rmqproof.model.actions.listed_sets import is_listed
from rmqproof.model.evaluate.binders import Loop, is_interval, loops, test_of
from rmqproof.model.evaluate.constants import is_small
from rmqproof.model.evaluate.equality import comparable, equality
from rmqproof.model.evaluate.expressions import unchanged
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.library.operator import Code, Operator
from rmqproof.model.evaluate.passing import callable_text
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import (
    ANY,
    BOOL,
    STR,
    TRUTH,
    Shape,
    domain_element,
    join,
    join_all,
    set_of,
)
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.standard import of_values
from rmqproof.model.tla.walk import bound_names

TEMPORAL = frozenset({"[]", "<>", "~>", "-+->"})


# --- conditions --------------------------------------------------------------------------------------------


def builtin(g: Generator, node: core.Builtin, env: Env, form: str) -> Code:
    operator, arguments = node.operator, node.arguments
    if operator in TEMPORAL:
        return Code("temporal()", TRUTH)
    test = language_condition(g, node, env)
    if test is not None:
        return Code(test, TRUTH)
    if operator == "'":
        return g.value(arguments[0], env.primed())
    lazy = lazy_union(g, arguments[0], env) if operator == "UNION" else None
    if lazy is not None:
        return lazy
    known = g.operators.get(operator)
    if known is not None:
        return library_text(g, node, known, env)
    return language_operator(g, operator, [g.value(argument, env) for argument in arguments], node)


def language_condition(g: Generator, node: core.Builtin, env: Env) -> str | None:
    """Text of a Python bool, for the operators of the language that give Booleans."""
    operator, arguments = node.operator, node.arguments
    match operator:
        case "/\\" | "\\/":
            word = " and " if operator == "/\\" else " or "
            return "(" + word.join(g.condition(argument, env) for argument in arguments) + ")"
        case "~":
            return f"(not {g.condition(arguments[0], env)})"
        case "=>":
            return f"(not {g.condition(arguments[0], env)} or {g.condition(arguments[1], env)})"
        case "<=>":
            return f"({g.condition(arguments[0], env)} == {g.condition(arguments[1], env)})"
        case "=":
            return equality(g, g.value(arguments[0], env), g.value(arguments[1], env), env)
        case "#":
            return f"(not {equality(g, g.value(arguments[0], env), g.value(arguments[1], env), env)})"
        case "\\in":
            return membership(g, arguments[0], arguments[1], env)
        case "\\notin":
            return f"(not {membership(g, arguments[0], arguments[1], env)})"
        case "\\subseteq":
            return subset(g, g.value(arguments[0], env), g.value(arguments[1], env))
        case "UNCHANGED":
            return unchanged(g, arguments[0], env)
        case "ENABLED":
            return g.forms.enabled(g, arguments[0], env, node.stands_for)
        case "\\cdot":
            return g.forms.composed(g, node, env)
    return None


def in_one_order(g: Generator, items: Code) -> Code:
    """The set; an error where its elements cannot be compared with each other."""
    if comparable(items.shape, items.shape) and not g.careful:
        return items
    return Code(f"comparable_set({items.text})", items.shape)


def membership(g: Generator, item: core.Expression, items: core.Expression, env: Env) -> str:
    return member_of(g, g.value(item, env), items, env)


def member_of(g: Generator, value: Code, items: core.Expression, env: Env) -> str:
    """value \\in items, for a value that is compiled already."""
    if isinstance(items, core.SetEnumeration) and items.items:
        codes = [g.value(item, env) for item in items.items]
        if not all(comparable(value.shape, code.shape) for code in codes):
            return f"among({value.text}, ({', '.join(code.text for code in codes)},))"
    if isinstance(items, core.Builtin) and items.operator == "SUBSET" and not value.shape.lazy:
        base = g.value(items.arguments[0], env)
        return subset(g, value, base) if value.shape.kind == "set" else f"member({value.text}, Powerset({base.text}))"
    text = _among_subsets(g, value, items, env)
    if text is not None:
        return text
    if not g.careful and not value.shape.lazy:
        text = by_structure(g, value, items, env)
        if text is not None:
            return text
    folded = g.fold(items, env)
    if is_union(items) and value.atom and _is_asked_in_parts(g, items, folded, env):
        parts = [contained(g, value, g.value(part, env), env) for part in _listed_first(g, items, env)]
        return f"({' or '.join(parts)})"
    code = folded if folded is not None else g.value(items, env)
    return contained(g, value, code, env)


def _among_subsets(g: Generator, value: Code, items: core.Expression, env: Env) -> str | None:
    """Membership in an intersection or a difference of subsets, for what may be no set: else None.

    Of no model value SUBSET S says whether it is in it, as in TLC; those that are left of it, listed, would.
    """
    items = _definition_of(g, items, env)
    if value.shape.kind == "set" or not isinstance(items, core.Builtin) or items.operator not in ("\\cap", "\\"):
        return None
    first, second = items.arguments
    described = _definition_of(g, first, env)
    if not isinstance(described, core.Builtin) or described.operator != "SUBSET" or not g.certain(second, env):
        return None
    held = g.temporary(value, env)
    if held is None:
        return None
    inside = member_of(g, Code(held[0], value.shape, value.atom), first, env)
    other = member_of(g, Code(held[1], value.shape, True), second, env)
    without = "not " if items.operator == "\\" else ""
    return f"({inside} and {without}{other})"


def _definition_of(g: Generator, items: core.Expression, env: Env) -> core.Expression:
    """What stands for the name of a set, where that is the same everywhere."""
    while isinstance(items, core.Call) and not items.arguments and not items.definition.recursive:
        if items.definition in env.lets or g.analysis.of_definition(items.definition).free:
            break
        items = items.definition.body
    return items


def _is_asked_in_parts(g: Generator, union: core.Builtin, folded: Code | None, env: Env) -> bool:
    if folded is not None:  # a constant: also where one of the two is not listed, which knows what it can be asked
        return any(_described(g, part, env) for part in union.arguments)
    return not g.careful and _all_certain(g, union.arguments, env) and _are_alike(g, union.arguments, env)


def _are_alike(g: Generator, sets: Sequence[core.Expression], env: Env) -> bool:
    """Whether two sets can be asked one by one: TLC compares elements of listed ones when it evaluates their union."""
    shapes = [g.value(items, env).shape for items in sets]
    listed = [shape.kind == "set" and (not shape.lazy or is_interval(e)) for shape, e in zip(shapes, sets, strict=True)]
    return not all(listed) or comparable(shapes[0].element, shapes[1].element)


def by_structure(g: Generator, value: Code, items: core.Expression, env: Env) -> str | None:
    """Membership part by part where the shape of the value says that it has the parts; else None.

    TLC has the value of all parts before it asks one: None, too, where a part may have none and is not always asked.
    """
    items = _definition_of(g, items, env)
    if isinstance(items, core.Call):
        return None
    shape = value.shape
    folded = g.fold(items, env)
    known = g.known(folded) if folded is not None else None
    if type(known) is frozenset:
        return None
    if is_union(items) and value.atom and folded is not None:
        return f"({' or '.join(member_of(g, value, part, env) for part in _listed_first(g, items, env))})"
    if isinstance(items, core.RecordSet) and shape.kind == "fun" and shape.domain is not None:
        fields = dict(items.fields)
        if not _all_certain(g, list(fields.values()), env):
            return None
        first = g.temporary(value, env)
        if first is None or set(shape.domain.keys) != set(fields):
            return None
        parts: list[str] = []
        for key in g.order[shape.domain.set]:
            place, text = shape.domain.at[key], first[1] if parts else first[0]
            parts.append(
                member_of(g, Code(f"{text}[{place}]", shape.field(key), not parts or value.atom), fields[key], env)
            )
        return f"({' and '.join(parts)})"
    if isinstance(items, core.FunctionSet) and shape.kind == "fun" and shape.domain is not None:
        domain = g.fold(items.domain, env)
        keys = g.known(domain) if domain is not None else None
        if keys != shape.domain.set:
            return None
        places = tuple(shape.domain.at[key] for key in g.order[shape.domain.set])
        as_they_stand = places == tuple(range(1, len(places) + 1))
        values = f"{value.text}[1:]" if as_they_stand else f"{g.constant(itemgetter(*places))}({value.text})"
        return _all_members(g, values, shape.element, items.range, env)
    if isinstance(items, core.Builtin) and items.operator == "Sequences!Seq" and shape.kind == "seq":
        return _all_members(g, value.text, shape.element, items.arguments[0], env)
    if isinstance(items, core.SetFilter) and folded is None:
        return _passes(g, value, items, env)
    return None


def _passes(g: Generator, value: Code, items: core.SetFilter, env: Env) -> str | None:
    """value \\in {x \\in S : P}, without building the set: it is in S and satisfies P."""
    binder = items.binder
    if binder.domain is None or is_listed(binder.domain):
        return None
    held = g.temporary(value, env)
    if held is None:
        return None
    first, name = held
    inside = member_of(g, Code(first, value.shape, value.atom), binder.domain, env)
    if binder.is_tuple:
        return f"({inside} and ({test_of(g, binder, value.shape, items.body, env)})({name}))"
    return f"({inside} and {g.condition(items.body, env.bind({binder.bindings[0]: Code(name, value.shape, True)}))})"


def _all_certain(g: Generator, parts: Sequence[core.Expression], env: Env) -> bool:
    return all(g.certain(part, env) for part in parts)


def _all_members(g: Generator, values: str, shape: Shape, items: core.Expression, env: Env) -> str | None:
    if not g.certain(items, env):
        return None
    name = env.names.fresh("v")
    test = member_of(g, Code(name, shape, True), items, env.no_walrus())
    if test == "True":
        return "True"
    held = g.temporary(Code(values), env)
    if held is None:
        return f"(not any(True for {name} in {values} if not {test}))"
    first, again = held  # what a comprehension iterates over must not assign temporaries
    return f"(({first},) and not any(True for {name} in {again} if not {test}))"


def is_union(items: core.Expression) -> TypeGuard[core.Builtin]:
    return isinstance(items, core.Builtin) and items.operator == "\\cup"


def _listed_first(g: Generator, union: core.Builtin, env: Env) -> Sequence[core.Expression]:
    """The two sets of a union as TLC asks them: one that is listed comes before one that is only described.

    It matters where the value cannot be compared with what one of them has: "none" \\in Nat \\cup {"none"}.
    """
    first, second = union.arguments
    return (second, first) if _described(g, first, env) and not _described(g, second, env) else (first, second)


def _described(g: Generator, items: core.Expression, env: Env) -> bool:
    folded = g.fold(items, env)
    return folded is not None and isinstance(g.known(folded), LazySet) and not is_interval(items)


def contained(g: Generator, value: Code, items: Code, env: Env) -> str:
    """value \\in items"""
    if g.careful:
        return f"member({value.text}, {items.text})"
    known = g.known(items)
    if isinstance(known, LazySet):
        if value.shape.lazy or not is_small(known) or not known:
            return f"({value.text} in {items.text})"
        listed = f"{value.text} in {g.constant(known.frozen)}"
        if comparable(value.shape, items.shape.element):
            return f"({listed})"
        return f"({listed} or {value.text} in {items.text})" if value.atom else f"({value.text} in {items.text})"
    if items.shape.kind == "set" and not items.shape.lazy and not value.shape.lazy:
        if comparable(value.shape, items.shape.element):
            return f"({value.text} in {items.text})"
        if value.atom and items.atom:
            return f"({value.text} in {items.text} or stranger({value.text}, {items.text}))"
    return f"member({value.text}, {items.text})"


def subset(g: Generator, a: Code, b: Code) -> str:
    sets = a.shape.kind in ("set", "never") and b.shape.kind in ("set", "never")
    if sets and comparable(a.shape, b.shape) and not g.careful:
        return f"({a.text} <= {b.text})"
    return f"is_subset({a.text}, {b.text})"


# --- values ------------------------------------------------------------------------------------------------


def language_operator(g: Generator, operator: str, codes: Sequence[Code], node: core.Expression) -> Code:
    match operator:
        case "SUBSET":
            return Code(f"Powerset({codes[0].text})", set_of(_as_set(codes[0].shape), lazy=True))
        case "UNION":
            return in_one_order(g, Code(f"big_union({codes[0].text})", set_of(codes[0].shape.element.element)))
        case "DOMAIN":
            return domain_of_function(codes[0])
        case "\\cup" | "\\cap" | "\\":
            return set_operation(g, operator, codes[0], codes[1])
        case "BOOLEAN":
            return g.value_code(frozenset({g.namespace["TRUE"], g.namespace["FALSE"]}))
        case "STRING":
            from rmqproof.model.evaluate.lazy_sets import Strings

            return Code(g.constant(Strings()), set_of(STR, lazy=True), True)
        case "TRUE" | "FALSE":
            return Code(operator, BOOL, True)
    module, _, name = operator.rpartition("!")
    if module:
        raise TlaError(
            f"{name} of module {module} is not implemented",
            node.at,
            "Replace it in the configuration by a definition of your own.",
            "evaluation",
        )
    raise TlaError(
        f"{operator} cannot be evaluated here",
        node.at,
        "Use an operator of the language or of a standard module that is listed in the documentation.",
        "evaluation",
    )


def lazy_union(g: Generator, node: core.Expression, env: Env) -> Code | None:
    """UNION of an enumeration or map of sets that are not enumerated themselves: neither is the union."""
    if isinstance(node, core.SetEnumeration):
        items = [g.value(item, env) for item in node.items]
        if not any(item.shape.lazy for item in items):
            return None
        element = join_all(item.shape.element if item.shape.kind == "set" else ANY for item in items)
        return Code(f"union_of(({''.join(f'{item.text}, ' for item in items)}))", set_of(element, lazy=True))
    if isinstance(node, core.SetMap):
        inner, clauses = loops(g, node.binders, env, Loop.IN_ORDER)
        body = g.value(node.body, inner)
        if not body.shape.lazy:
            return None
        element = body.shape.element if body.shape.kind == "set" else ANY
        # a set that is evaluated later keeps the values of this turn of the loop in a scope of its own
        names = ", ".join(code.text for b in bound_names(node) if isinstance(code := inner.bindings[b], Code))
        return Code(f"union_of([(lambda {names}: {body.text})({names}) {clauses}])", set_of(element, lazy=True))
    return None


def _as_set(shape: Shape) -> Shape:
    return set_of(shape.element) if shape.kind == "set" else set_of(ANY)


def domain_of_function(f: Code) -> Code:
    if f.shape.lazy or f.shape.kind not in ("fun", "seq", "map"):
        return Code(f"domain({f.text})", set_of(ANY, lazy=True) if f.shape.lazy else set_of(ANY))
    return Code(f"domain_set({f.text})", set_of(domain_element(f.shape)))


_SET_OPERATIONS = {"\\cup": ("|", "union"), "\\cap": ("&", "intersection"), "\\": ("-", "difference")}


def set_operation(g: Generator, operator: str, a: Code, b: Code) -> Code:
    symbol, helper = _SET_OPERATIONS[operator]
    sets = all(code.shape.kind == "set" and not code.shape.lazy for code in (a, b))
    element = a.shape.element if operator == "\\" else join(a.shape.element, b.shape.element)
    if operator != "\\" and not (a.shape.kind in ("set", "never") and b.shape.kind in ("set", "never")):
        element = ANY
    if sets and not g.careful and comparable(a.shape, b.shape):
        return Code(f"({a.text} {symbol} {b.text})", set_of(element))
    if not a.shape.lazy and not b.shape.lazy:
        return Code(f"{helper}({a.text}, {b.text})", set_of(element))
    return Code(f"{helper}({a.text}, {b.text})", set_of(element, lazy=True))


# --- standard modules --------------------------------------------------------------------------------------


def library_text(g: Generator, node: core.Builtin, operator: Operator, env: Env) -> Code:
    if g.careful and node.text is not None and node.operator not in of_values():
        # An argument without a value may not matter there; the faster function evaluates all of them.
        return g.value(core.Call(node.at, node.text, node.arguments), env)
    codes: list[Code] = []
    for place, argument in enumerate(node.arguments):
        if isinstance(argument, (core.OperatorArgument, core.Lambda)):
            codes.append(Code(callable_text(g, argument, env)))
        elif place in operator.delayed:
            codes.append(Code(f"(lambda: {g.value(argument, env.no_walrus()).text})"))
        else:
            codes.append(g.value(argument, env) if operator.lazy else g.plain(argument, env))
    if operator.placed:
        codes.append(g.value_code(node.at.short))
    code = apply_library(g, node.operator, operator, codes)
    if env.later and node.operator == "TLC!TLCGet":
        return Code(f"one_later({codes[0].text}, {code.text})", code.shape)
    return code


def apply_library(g: Generator, name: str, operator: Operator, codes: Sequence[Code]) -> Code:
    shape = TRUTH if operator.condition else operator.result([code.shape for code in codes])
    if operator.inline is not None and not g.careful:
        text = operator.inline(codes)
        if text is not None:
            return Code(text, shape)
    function: Callable[..., object] = operator.function
    if operator.runtime:
        from functools import partial

        function = g.namespace.get(f"runtime {name}") or partial(operator.function, g.runtime)
        g.namespace[f"runtime {name}"] = function
    return Code(f"{g.constant(function)}({', '.join(code.text for code in codes)})", shape)
