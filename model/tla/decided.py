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

Substituted = Callable[[core.Definition], bool]
"""Whether something stands in a definition for what its module declares. TLC finds in an instance's formula the
definitions of the module, and knows the values of those that are constants there."""


def decided_in_specification(
    body: core.Expression, level_of: LevelOf, substituted: Substituted
) -> Iterator[core.Expression]:
    """The conjuncts of a SPECIFICATION that have to be TRUE. State formulas that are defined by name stay whole."""
    return _decided(body, lambda call: level_of(call) != core.STATE, substituted)


def decided_in_property(body: core.Expression, substituted: Substituted) -> Iterator[core.Expression]:
    """The conjuncts of a property that have to be TRUE."""
    return _decided(body, lambda call: True, substituted)


def is_decided(definition: core.Definition) -> bool:
    """Whether TLC knows the value of what a configuration names before it checks anything."""
    constant = definition.level == core.CONSTANT and not definition.parameters and not definition.recursive
    return constant and not asks(definition.body)


def _decided(
    body: core.Expression, opens: Callable[[core.Call], bool], substituted: Substituted
) -> Iterator[core.Expression]:
    def conjuncts(
        node: core.Expression, local: frozenset[core.Definition], instanced: bool
    ) -> Iterator[core.Expression]:
        if isinstance(node, core.Let):
            yield from conjuncts(node.body, local | set(node.definitions), instanced)
        elif isinstance(node, core.Label):
            yield from conjuncts(node.body, local, instanced)
        elif isinstance(node, core.ConstantReference) or (isinstance(node, core.Literal) and node.value is False):
            yield node
        elif isinstance(node, core.Builtin) and node.operator == "/\\":
            for argument in node.arguments:
                yield from conjuncts(argument, local, instanced)
        elif isinstance(node, core.Call) and not node.definition.recursive:
            known = not node.arguments and is_decided(node.definition) and node.definition not in local
            if known and not (instanced and substituted(node.definition)):
                yield node
            elif node.arguments or opens(node):
                yield from conjuncts(opened(node), local, instanced or "!" in node.definition.name)

    return conjuncts(body, frozenset(), False)
