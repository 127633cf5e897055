"""Copies of a specification that say the same in another order: definitions, actions, operands.

The order in which TLC meets successors changes with it, so a search that ends early ends elsewhere; a whole search
has the same states. What is read first decides the order of strings, so definitions that bring new ones stay put.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tools.fuzz.naming import is_apart
from tools.fuzz.specification import Definition, Role, Specification
from tools.fuzz.tree import LINE, Node, Part
from tools.fuzz.types import Name
from tools.fuzz.verdict import ERROR, Report

COMMUTATIVE = (" /\\ ", " \\/ ", " <=> ", " = ", " # ")


def can_be_permuted(spec: Specification) -> bool:
    """Not where the order of what is read or met decides: words with two meanings, VIEW, SYMMETRY."""
    return is_apart(spec) and not spec.with_role(Role.VIEW) and not spec.with_role(Role.SYMMETRY)


def permuted(spec: Specification, random: Random) -> Specification:
    main = spec.main
    definitions = _ordered(main.definitions, {name for name in spec.all_names() if name.kind == "string"}, spec, random)
    definitions = [replace(each, body=_swapped(each.body, random)) for each in definitions]
    return replace(spec, modules=(*spec.modules[:-1], replace(main, definitions=tuple(definitions))))


def differs(original: Report, copy: Report) -> bool:
    """Whether the two cannot both be right. An operand that has no value may come before one that decides."""
    if original.verdict == ERROR or copy.verdict == ERROR:
        return False
    if "success" in (original.verdict, copy.verdict):
        return original.differs(copy)
    return False  # which of two violations is met first may be another


def _ordered(
    definitions: tuple[Definition, ...], strings: set[Name], spec: Specification, random: Random
) -> list[Definition]:
    """In another order in which each stands behind those that it uses."""
    for module in spec.modules[:-1]:
        for definition in module.definitions:
            strings -= set(definition.line().names())
    kept = 0
    for place, definition in enumerate(definitions, 1):
        new = strings & set(definition.line().names())
        if new:
            kept, strings = place, strings - new
    ordered, waiting = list(definitions[:kept]), list(definitions[kept:])
    while waiting:
        names = {each.name for each in waiting}
        free = [each for each in waiting if not (set(each.body.names()) & names) - {each.name}]
        chosen = random.choice(free)
        ordered.append(chosen)
        waiting.remove(chosen)
    return ordered


def _swapped(node: Node, random: Random) -> Node:
    """With the operands of some operators the other way round, and the items of some junctions in another order.

    Not where something is primed: what comes first may give a variable its value.
    """
    parts = tuple(_swapped(part, random) if isinstance(part, Node) else part for part in node.parts)
    node = Node(node.type, parts, node.bound)
    if _primes(node) and not _is_choice(parts):
        return node
    match parts:
        case ("(", Node() as a, str(sign), Node() as b, ")") if sign in COMMUTATIVE:
            return Node(node.type, ("(", b, sign, a, ")"), node.bound) if random.random() < 0.5 else node
        case ("(", *items, last) if items and items[0] == LINE and _is_junction(items):
            groups = [items[i : i + 3] for i in range(0, len(items), 3)]
            random.shuffle(groups)
            return Node(node.type, ("(", *(part for group in groups for part in group), last), node.bound)
    return node


def _is_junction(items: list[Part]) -> bool:
    """LINE, a sign and an expression, again and again, with the same sign."""
    if len(items) % 3:
        return False
    signs = {items[i + 1] for i in range(0, len(items), 3)}
    lines, nodes = items[::3], items[2::3]
    return signs in ({"/\\ "}, {"\\/ "}) and all(part == LINE for part in lines) and all(type(n) is Node for n in nodes)


def _is_choice(parts: tuple[Part, ...]) -> bool:
    """A disjunction: its items have nothing to do with each other."""
    return "\\/ " in parts or " \\/ " in parts


def _primes(node: Node) -> bool:
    return any("'" in part for each in node.nodes() for part in each.parts if isinstance(part, str))
