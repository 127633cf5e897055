"""The parts of a configuration that are constants, so that TLC knows their values before it checks anything.

TLC evaluates every constant definition without parameters when it reads a specification. Where such a definition, a
declared constant or the word FALSE is a conjunct of the SPECIFICATION or of a property, or is itself what the
configuration names, it has to be TRUE: a false one would leave nothing to check, and is refused. A constant that is
written out (`1 = 2`) or that cannot be evaluated is checked like any state formula.
Source: TLC's `SpecProcessor` (`processConfigSpec`, `processConfigProps`, and those of the other sections).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rmqproof.model.tla import core
from rmqproof.model.tla.asking import asks
from rmqproof.model.tla.split import LevelOf, opened


def decided_in_specification(body: core.Expression, level_of: LevelOf) -> Iterator[core.Expression]:
    """The conjuncts of a SPECIFICATION that have to be TRUE. State formulas that are defined by name stay whole."""
    return _decided(body, lambda call: level_of(call) != core.STATE, frozenset())


def decided_in_property(body: core.Expression) -> Iterator[core.Expression]:
    """The conjuncts of a property that have to be TRUE."""
    return _decided(body, lambda call: True, frozenset())


def is_decided(definition: core.Definition) -> bool:
    """Whether TLC knows the value of what a configuration names before it checks anything."""
    constant = definition.level == core.CONSTANT and not definition.parameters and not definition.recursive
    return constant and not asks(definition.body)


def _decided(
    node: core.Expression, opens: Callable[[core.Call], bool], local: frozenset[core.Definition]
) -> Iterator[core.Expression]:
    if isinstance(node, core.Let):
        yield from _decided(node.body, opens, local | set(node.definitions))
    elif isinstance(node, core.Label):
        yield from _decided(node.body, opens, local)
    elif isinstance(node, core.ConstantReference) or (isinstance(node, core.Literal) and node.value is False):
        yield node
    elif isinstance(node, core.Builtin) and node.operator == "/\\":
        for argument in node.arguments:
            yield from _decided(argument, opens, local)
    elif isinstance(node, core.Call) and not node.definition.recursive:
        if not node.arguments and is_decided(node.definition) and node.definition not in local:
            yield node
        elif node.arguments or opens(node):
            yield from _decided(opened(node), opens, local)
