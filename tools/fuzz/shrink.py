"""Makes a specification smaller as long as it still shows something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tools.fuzz.specification import NEEDED, Definition, Module, Role, Specification
from tools.fuzz.tree import LINE, Node
from tools.fuzz.types import BOOLEAN, INTEGER, Name, Sequence, SetOf, Type

Test = Callable[[Specification], bool]


def shrunk(spec: Specification, shows: Test, attempts: int = 1500) -> Specification:
    """The smallest specification found in so many attempts. `shows` must hold for `spec`."""
    again = True
    while again and attempts > 0:
        again = False
        for candidate in _candidates(spec):
            attempts -= 1
            if attempts <= 0:
                break
            if shows(candidate):
                spec, again = candidate, True
                break
    return spec


def _candidates(spec: Specification) -> Iterator[Specification]:
    """Smaller specifications, those that lose most first."""
    yield from _without_definitions(spec)
    yield from _without_modules(spec)
    for m, module in enumerate(spec.modules):
        for d, definition in enumerate(module.definitions):
            for body in _smaller(definition.body):
                yield _with_definition(spec, m, d, replace(definition, body=body))
    if len(spec.given) > 1:
        for i in range(len(spec.given)):
            constants = set(spec.given[i].names())
            if not constants & _used(spec):
                yield _without_constant(spec, i)
    for i, variable in enumerate(spec.main.variables):
        if variable not in _used(spec):
            names = spec.main.variables[:i] + spec.main.variables[i + 1 :]
            yield replace(spec, modules=(*spec.modules[:-1], replace(spec.main, variables=names)))


def _used(spec: Specification) -> set[Name]:
    return {name for each in spec.definitions() for name in each.body.names()}


def _without_constant(spec: Specification, i: int) -> Specification:
    name = next(spec.given[i].names())
    modules = tuple(
        replace(module, constants=tuple(each for each in module.constants if each != name)) for module in spec.modules
    )
    return replace(spec, modules=modules, given=spec.given[:i] + spec.given[i + 1 :])


def _without_definitions(spec: Specification) -> Iterator[Specification]:
    used = _used(spec)
    unused = {each.name for each in spec.definitions() if each.role is Role.HELPER and each.name not in used}
    if unused:
        yield _keeping(spec, lambda each: each.name not in unused)
    for each in spec.definitions():
        if each.role is Role.SPECIFICATION or (each.role not in NEEDED and each.name not in used):
            yield _keeping(spec, lambda other, gone=each.name: other.name != gone)  # type: ignore[misc]
    if not spec.deadlock:
        return
    yield replace(spec, deadlock=False)


def _keeping(spec: Specification, keep: Callable[[Definition], bool]) -> Specification:
    modules = tuple(
        replace(module, definitions=tuple(each for each in module.definitions if keep(each))) for module in spec.modules
    )
    return replace(spec, modules=modules)


def _without_modules(spec: Specification) -> Iterator[Specification]:
    """Without a module of which there is no instance; what it declares and defines goes to the main one."""
    used = _used(spec)
    for module in spec.modules[:-1]:
        if module.name in used:
            continue
        if any(module.name in other.extends for other in spec.modules[:-1]):
            continue
        main = spec.main
        extends = tuple(each for each in main.extends if each != module.name)
        extends = (*(each for each in module.extends if each not in extends), *extends)
        merged = Module(
            main.name,
            extends,
            module.constants + main.constants,
            main.variables,
            module.definitions + main.definitions,
        )
        if module.constants and module.name not in main.extends:
            merged = replace(merged, constants=main.constants, definitions=main.definitions)
        yield replace(spec, modules=(*(m for m in spec.modules[:-1] if m != module), merged))


def _with_definition(spec: Specification, m: int, d: int, definition: Definition) -> Specification:
    module = spec.modules[m]
    definitions = (*module.definitions[:d], definition, *module.definitions[d + 1 :])
    changed = replace(module, definitions=definitions)
    return replace(spec, modules=(*spec.modules[:m], changed, *spec.modules[m + 1 :]))


def _smaller(body: Node) -> Iterator[Node]:
    for path, node in body.paths():
        size = sum(1 for _ in node.nodes())
        for simple in _simplest(node.type):
            if size > 1 or (node.parts != simple.parts and not _is_simple(node)):
                yield body.replaced(path, simple)
        if size > 1:
            for below, child in node.paths():
                if below and child.type == node.type:
                    yield body.replaced(path, child)
        yield from _without_parts(body, path, node)


def _without_parts(body: Node, path: tuple[int, ...], node: Node) -> Iterator[Node]:
    """Without one item of a junction."""
    starts = [i for i, part in enumerate(node.parts) if part == LINE]
    if len(starts) < 2:
        return
    for start in starts:
        yield body.replaced(path, Node(node.type, node.parts[:start] + node.parts[start + 3 :], node.bound))


def _is_simple(node: Node) -> bool:
    return any(node.parts == simple.parts for simple in _simplest(node.type))


def _simplest(type: Type) -> Iterator[Node]:
    if type == BOOLEAN:
        yield Node(type, ("TRUE",))
        yield Node(type, ("FALSE",))
    elif type == INTEGER:
        yield Node(type, ("0",))
        yield Node(type, ("1",))
    elif isinstance(type, SetOf):
        yield Node(type, ("{}",), 0)
    elif isinstance(type, Sequence):
        yield Node(type, ("<<>>",))
