"""A specification of its own variables, and an instance of it, whose variables are what the variables here make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tools.fuzz.actions import Variable, conjunction
from tools.fuzz.expressions import Expressions, Scope
from tools.fuzz.specification import Definition, Module, Role
from tools.fuzz.tree import Node, Part
from tools.fuzz.types import BOOLEAN, Name, Type

_LISTED = 1000
"""Values of a type that are gone through in each step."""
Numbered = Callable[[], Name]
"""A name for another definition."""


def refinement(
    x: Expressions,
    variables: list[Variable],
    state: Scope,
    name: Numbered,
    extends: tuple[str | Name, ...],
    lively: bool,
) -> tuple[Module, list[Definition]]:
    """The module, and what stands where it is an instance: that, and a property or two; `lively`: one may be fair.

    Fair is only what speaks of variables as they are: TLC has ENABLED of nothing else that an instance is given.
    """
    module, instance = Name("module", 3), name()
    types = [_type(x, variables) for _ in range(x.random.choice((1, 1, 2)))]
    theirs = [Name("variable", 20 + i) for i in range(len(types))]
    given: list[Node] = []
    plain = True
    for variable, type in zip(theirs, types, strict=True):
        alike = [each.name for each in variables if each.type == type]
        is_plain = bool(alike) and x.chance(0.5)
        plain = plain and is_plain
        mapped = Node(type, (x.random.choice(alike),)) if is_plain else x.make(type, 2, state)
        given.append(Node(type, (variable, " <- ", mapped)))
    fair = lively and plain and x.chance(0.5)
    inside, formulas = _specification(x, theirs, types, name, fair)
    outside = [Definition(instance, Node(BOOLEAN, ("INSTANCE ", module, " WITH ", *x.commas(given))))]
    for i, formula in enumerate(formulas):
        body = Node(BOOLEAN, (instance, "!", formula))
        outside.append(Definition(name(), body, role=Role.PROPERTY, safe=i == 0 and not fair))
    return Module(module, extends, (), tuple(theirs), tuple(inside)), outside


def _type(x: Expressions, variables: list[Variable]) -> Type:
    return x.random.choice(variables).type if x.chance(0.6) else x.small_type()


def _specification(
    x: Expressions, theirs: list[Name], types: list[Type], name: Numbered, fair: bool
) -> tuple[list[Definition], list[Name]]:
    """Definitions of the module, and those of them that are properties."""
    state = Scope(values=tuple(((each,), type) for each, type in zip(theirs, types, strict=True)), state=True)
    primed = replace(state, values=(*state.values, *(((each, "'"), type) for (each,), type in state.values)))
    begun, step, whole, tuple_ = name(), name(), name(), name()
    starts = [_among(x, (each,), type, state) for each, type in zip(theirs, types, strict=True)]
    steps: list[Part] = []
    for i in range(x.random.choice((1, 2, 3))):
        steps += [" \\/ "] if i else []
        steps.append(_step(x, theirs, types, state, primed))
    listed = x.commas([Node(type, (each,)) for each, type in zip(theirs, types, strict=True)])
    inside = [
        Definition(begun, conjunction(starts)),
        Definition(step, Node(BOOLEAN, ("(", *steps, ")"))),
        Definition(tuple_, Node(BOOLEAN, ("<<", *listed, ">>"))),
    ]
    parts: list[Part] = [begun, " /\\ "] if x.chance(0.7) else []
    parts += ["[][", step, "]_", tuple_]
    if fair:
        parts += [" /\\ ", x.random.choice(("WF_", "SF_")), tuple_, "(", step, ")"]
    inside.append(Definition(whole, Node(BOOLEAN, tuple(parts))))
    formulas = [whole]
    if x.fair and x.chance(0.5):
        formulas.append(name())
        promised = x.random.choice((("[]<>",), ("<>[]",), ("<>",)))
        inside.append(Definition(formulas[-1], Node(BOOLEAN, (*promised, "(", x.make(BOOLEAN, 2, state), " = TRUE)"))))
    return inside, formulas


def _all(x: Expressions, type: Type) -> Node:
    """All values of a type, or a few where TLC would not list them."""
    return x.domain(type) if x.universe.sizes(type) <= _LISTED else x.small_domain(type)


def _among(x: Expressions, value: tuple[Part, ...], type: Type, scope: Scope) -> Node:
    """That it is one of some values; of all of them mostly."""
    among = _all(x, type) if x.chance(0.6) else x.small_set(type, 2, scope)
    return Node(BOOLEAN, (*value, " \\in ", among))


def _step(x: Expressions, theirs: list[Name], types: list[Type], state: Scope, primed: Scope) -> Node:
    """What the variables of a step may be: it is asked, and assigns nothing."""
    found: list[Node] = [x.make(BOOLEAN, 1, state)] if x.chance(0.3) else []
    for each, type in zip(theirs, types, strict=True):
        form = x.random.randrange(4)
        after: tuple[Part, ...] = (each, "'")
        if form == 0:
            found.append(Node(BOOLEAN, (*after, " = ", x.make(type, 2, state))))
        elif form == 1:
            found.append(x.make(BOOLEAN, 2, primed))
        elif form == 2:
            bound = x.local(primed)
            inner = primed.bound((bound, type))
            test = x.make(BOOLEAN, 1, inner)
            chosen: tuple[Part, ...] = ("\\E ", bound, " \\in ", _all(x, type), " : ", *after, " = ", bound)
            found.append(Node(BOOLEAN, (*chosen, " /\\ (", test, " = TRUE)")))
        else:
            found.append(_among(x, after, type, state))
    return conjunction(found)
