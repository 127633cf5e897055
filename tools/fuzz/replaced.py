"""Definitions for which the configuration puts others: what stands in the module is meant by nobody."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tools.fuzz.specification import Definition, Module, Role, Specification
from tools.fuzz.tree import Node
from tools.fuzz.types import BOOLEAN, INTEGER, MODEL, Name, SetOf, Type

SHARE = 0.15
"""Of the specifications."""
_DECOYS = ("{}", "0", '"d"', "<<>>", "[decoy \\in {1} |-> {decoy}]", "(CHOOSE decoy \\in {} : TRUE)", "(0 = {})")
"""No value that is looked at is one of these."""


def replaced(spec: Specification) -> Specification:
    """Of a share of the specifications: one that means the same, some of whose definitions are in other words.

    Drawn apart, so that the other specifications are what they were.
    """
    random = Random(f"replaced {spec.seed}")
    if random.random() >= SHARE:
        return spec
    reached = {spec.main.name, *(each for each in spec.main.extends if isinstance(each, Name))}
    open_ = [
        definition
        for module in spec.modules
        if module.name in reached
        for definition in module.definitions
        if definition.role is Role.HELPER and not _is_other(definition)
    ]
    chosen = random.sample(open_, min(len(open_), random.choice((1, 1, 2, 3))))
    others = {each.name: Name("definition", 1000 + index) for index, each in enumerate(chosen)}
    decoys = {each.name: random.choice(_DECOYS) for each in chosen}
    modules = tuple(_with(module, others, decoys) for module in spec.modules)
    given = [Node(MODEL, (name, " <- ", other)) for name, other in others.items()]
    in_one = _in_one_module(spec, random) if random.random() < 0.6 else None
    if in_one is not None:
        definition, line = in_one
        first, *rest = modules
        modules = (replace(first, definitions=(*first.definitions, definition)), *rest)
        given.append(line)
    return replace(spec, modules=modules, given=(*spec.given, *given))


def _in_one_module(spec: Specification, random: Random) -> tuple[Definition, Node] | None:
    """Another definition, in the first module, and the line that puts it in the place of one in a module of which there
    is an instance."""
    first, *others = spec.modules
    replaceable = [
        (module, each)
        for module in others
        if first.name in module.extends and module is not spec.main
        for each in module.definitions
        if each.role is Role.HELPER and not _is_other(each) and _a_value(each.body.type) is not None
    ]
    if not replaceable:
        return None
    module, each = random.choice(replaceable)
    other = replace(each, name=Name("definition", 2000), body=Node(each.body.type, (_a_value(each.body.type) or "",)))
    return other, Node(MODEL, (each.name, " <- [", module.name, "] ", other.name))


def _a_value(type: Type) -> str | None:
    return "TRUE" if type == BOOLEAN else "1" if type == INTEGER else "{}" if isinstance(type, SetOf) else None


def _is_other(definition: Definition) -> bool:
    """A function, which calls itself by its name, or an instance."""
    head, body = "".join(map(str, definition.head[:1])), definition.body.parts[:1]
    return head.startswith("[") or body == ("INSTANCE ",)


def _with(module: Module, others: dict[Name, Name], decoys: dict[Name, str]) -> Module:
    found: list[Definition] = []
    for each in module.definitions:
        if each.name in others:
            found.append(replace(each, body=Node(each.body.type, (decoys[each.name],))))
            found.append(replace(each, name=others[each.name], before=()))
        else:
            found.append(each)
    return replace(module, definitions=tuple(found))
