"""Which variables a formula speaks about, through the definitions that it uses."""

from __future__ import annotations

from collections.abc import Iterator

from rmqproof.model.prove.values import FunctionValue, RecordValue, Value
from rmqproof.model.tla import core
from rmqproof.model.tla.walk import children, reached, used_by


def _leads_to(node: core.Expression) -> Iterator[core.Expression]:
    """The parts of a node, and the bodies of the definitions that it uses."""
    yield from (definition.body for definition in used_by(node))
    yield from children(node)


Path = tuple[int, tuple[str, ...]]
"""A part of the state: a variable's index and the fields that lead to the part, whatever the keys of functions are."""


def paths_in(e: core.Expression) -> frozenset[Path]:
    """The parts of the state that a formula reads."""
    found: set[Path] = set()
    seen: set[int] = set()

    def visit(node: core.Expression) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        fields: list[str] = []
        base = node
        while isinstance(base, core.FieldAccess | core.FunctionApplication):
            if isinstance(base, core.FieldAccess):
                fields.append(base.field)
                base = base.record
            else:
                visit(base.argument)
                base = base.function
        if isinstance(base, core.VariableReference):
            found.add((base.variable.index, tuple(reversed(fields))))
            return
        if base is not node:
            visit(base)
            return
        for part in _leads_to(node):
            visit(part)

    visit(e)
    return frozenset(found)


def part_at(value: Value, fields: tuple[str, ...]) -> list[Value]:
    """The values that the fields lead to, one for each key of the functions on the way."""
    if isinstance(value, FunctionValue):
        return [part for entry in value.entries for part in part_at(entry.value, fields)]
    if fields and isinstance(value, RecordValue) and fields[0] in value.fields:
        return part_at(value.fields[fields[0]], fields[1:])
    return [value]


def same_parts(now: Value, then: Value, fields: tuple[str, ...]) -> bool:
    """Whether a part has surely the same value in two values of a variable."""
    if now is then:
        return True
    before, after = part_at(now, fields), part_at(then, fields)
    return len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True))


def reads_next(action: core.Expression) -> bool:
    """Whether the action reads the next state, but for saying what it is: `x' = e`, `x' \\in e` and UNCHANGED."""
    seen: set[int] = set()
    stack = [action]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        parts = list(_leads_to(node))
        if isinstance(node, core.Builtin):
            if node.operator == "'":
                return True
            if node.operator in ("=", "\\in") and _is_primed_variable(node.arguments[0]):
                parts = [node.arguments[1]]
        stack += parts
    return False


def _is_primed_variable(e: core.Expression) -> bool:
    return isinstance(e, core.Builtin) and e.operator == "'" and isinstance(e.arguments[0], core.VariableReference)


def speaks_of_next(e: core.Expression) -> bool:
    """Whether there is a prime or UNCHANGED in it."""
    return any(isinstance(node, core.Builtin) and node.operator in ("'", "UNCHANGED") for node in reached(e))
