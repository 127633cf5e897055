"""Bound variables: the `for … in …` clauses of comprehensions and statements."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from rmqproof.model.evaluate.combined_sets import Listed
from rmqproof.model.evaluate.constants import is_small
from rmqproof.model.evaluate.generator import Generator
from rmqproof.model.evaluate.lazy import LazySet
from rmqproof.model.evaluate.library.operator import Code
from rmqproof.model.evaluate.scope import Env
from rmqproof.model.evaluate.shape import ANY, INT, Shape, domain_element
from rmqproof.model.tla.core import Binder, Binding, Builtin, Expression, Literal
from rmqproof.model.tla.source import TlaError


class Loop(Enum):
    """Whether the order in which elements come can be seen, and whether those of a filter are tested one by one."""

    ANY_ORDER = 0
    IN_ORDER = 1
    ONE_BY_ONE = 2


_WORTH_SORTING = 1000
"""A constant set of at most so many elements is gone through in order even where that makes no difference."""
_INTERVALS = frozenset({"Naturals!..", "Integers!..", "Reals!.."})


def is_interval(node: Expression) -> bool:
    return isinstance(node, Builtin) and node.operator in _INTERVALS


def elements(
    g: Generator, node: Expression, env: Env, order: Loop, held: list[tuple[str, str]] | None = None
) -> tuple[str, Shape]:
    """Text to iterate over the elements of a set, and the shape of an element.

    `held`: a place for the name and text of the set, when other loops are around this one. As in TLC it is evaluated
    before them, which may be an error, and listed unless it is a powerset or an interval.
    """
    ordered = order is not Loop.ANY_ORDER or g.careful
    code = g.value(node, env)
    known = g.known(code)
    if isinstance(known, Listed):
        known = known.frozen
    if type(known) is frozenset:
        large = len(known) > _WORTH_SORTING and not ordered
        return g.constant(known if large else g.order[known]), code.shape.element
    if isinstance(known, LazySet) and is_small(known):
        return g.constant(tuple(known.elements())), code.shape.element
    if isinstance(known, LazySet) and held is None:
        iterated = "ORDER.one_by_one" if order is Loop.ONE_BY_ONE else "iterate"
        return g.places.mark(node.at, f"{iterated}({code.text})"), code.shape.element
    if is_interval(node):
        assert isinstance(node, Builtin)
        low, high = (g.value(argument, env) for argument in node.arguments)
        if low.shape == high.shape == INT:
            text = f"range({low.text}, {high.text} + 1)"
            text = text if g.evaluations is None else g.evaluations.before(g, node.at, text)
            return text if held is None or (low.atom and high.atom) else _hold(held, text, env), INT
    if isinstance(node, Builtin) and node.operator == "DOMAIN" and not g.careful:
        function = g.value(node.arguments[0], env)
        if function.atom or held is None:
            if function.shape.kind == "seq":
                return f"range(1, len({function.text}) + 1)", INT
            if function.shape.kind == "fun" and function.atom:
                keys = f"ORDER[{function.text}[0].set]" if ordered else f"{function.text}[0].keys"
                return keys, domain_element(function.shape)
    listed = code.shape.kind == "set" and not code.shape.lazy
    if held is not None and not (code.atom and listed):
        text = code.text if listed else g.places.mark(node.at, f"begun({code.text})")
        code = Code(_hold(held, text, env), code.shape, True)
    if listed:
        return (f"ORDER[{code.text}]" if ordered else code.text), code.shape.element
    element = code.shape.element if code.shape.kind in ("set", "never") else ANY
    if order is Loop.ONE_BY_ONE:
        iterated = f"ORDER.one_by_one({code.text})"
    else:
        iterated = f"ORDER.of({code.text})" if ordered else f"iterate({code.text})"
    return g.places.mark(node.at, iterated), element


def _hold(held: list[tuple[str, str]], text: str, env: Env) -> str:
    name = env.names.fresh("items")
    held.append((name, text))
    return name


def binder_targets(
    g: Generator, binder: Binder, element: Shape, iterated: str, env: Env
) -> tuple[dict[Binding, Code], list[str]]:
    """Names for the bindings of a binder, and its `for` clauses without the bodies."""
    if not binder.is_tuple:
        clauses: list[str] = []
        bound: dict[Binding, Code] = {}
        for binding in binder.bindings:
            name = env.names.fresh(binding.name)
            bound[binding] = Code(name, element, True)
            clauses.append(f"for {name} in {iterated}")
        return bound, clauses
    names = [env.names.fresh(binding.name) for binding in binder.bindings]
    item = element.element if element.kind in ("seq", "never") else ANY
    bound = {binding: Code(name, item, True) for binding, name in zip(binder.bindings, names, strict=True)}
    target = ", ".join(names) + ("," if len(names) == 1 else "")
    if element.kind != "seq" or g.careful:
        hidden = env.names.fresh("item")
        unpacked = g.places.mark(binder.bindings[0].at, f"unpack({hidden}, {len(names)})")
        iterated = f"({unpacked} for {hidden} in {iterated})"
    return bound, [f"for {target} in {iterated}"]


def loop_clauses(
    g: Generator, binders: Sequence[Binder], env: Env, order: Loop, walrus: bool = False
) -> tuple[Env, list[str]]:
    """The environment inside the loops, and one `for` clause a variable.

    Sets that are gone through several times are computed before: `walrus` says that this is an assignment, a line of
    its own among the clauses; else it is a clause as well.
    """
    outside = env if walrus else env.no_walrus()
    bound: dict[Binding, Code] = {}
    clauses: list[str] = []
    before: list[tuple[str, str]] = []
    for binder in binders:
        if binder.domain is None:
            raise TlaError(
                f"{', '.join(b.name for b in binder.bindings)} ranges over everything, which cannot be enumerated",
                binder.bindings[0].at,
                "Give the set of its values: x \\in S.",
                "evaluation",
            )
        again = bool(clauses) or (len(binder.bindings) > 1 and not binder.is_tuple)
        iterated, element = elements(g, binder.domain, outside, order, before if again else None)
        more, texts = binder_targets(g, binder, element, iterated, env)
        bound |= more
        clauses += texts
    held = [f"{name} = {text}" if walrus else f"for {name} in ({text},)" for name, text in before]
    return env.bind(bound), held + clauses


def loops(g: Generator, binders: Sequence[Binder], env: Env, order: Loop) -> tuple[Env, str]:
    """The environment inside the loops, and the clauses of a comprehension."""
    inner, clauses = loop_clauses(g, binders, env, order)
    return inner, " ".join(clauses)


def starts_at_one(node: Expression) -> bool:
    """Whether the node is 1..n."""
    return is_interval(node) and isinstance(node.arguments[0], Literal) and node.arguments[0].value == 1  # type: ignore[union-attr]


def test_of(g: Generator, binder: Binder, element: Shape, body: Expression, env: Env) -> str:
    """A Python function that says of an element of the binder's set whether the body is true of it."""
    inner = env.no_walrus()
    if not binder.is_tuple:
        name = env.names.fresh(binder.bindings[0].name)
        return f"lambda {name}: {g.condition(body, inner.bind({binder.bindings[0]: Code(name, element, True)}))}"
    item = env.names.fresh("item")
    bound, (clause,) = binder_targets(g, binder, ANY, f"({item},)", inner)
    return f"lambda {item}: [{g.condition(body, inner.bind(bound))} {clause}][0]"
