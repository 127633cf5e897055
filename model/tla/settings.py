"""Settings: constants with a default, which a configuration names only to change them.

TLA+ gives a constant no default, so a specification defines it, with a type annotation as a constant has one:

    \\* @type: Int;
    MaxCrashes == 0

and a configuration that is about crashes says `MaxCrashes = 1`, which TLC takes for a definition as for a constant.
Whoever asks for the constants of a model (proofs that leave some open, adapters, reports) is told of these too.
"""

from __future__ import annotations

from collections.abc import Set

from rmqproof.model.tla import core, syntax
from rmqproof.model.tla.resolve import Resolution
from rmqproof.model.tla.resolve.environment import OperatorSymbol
from rmqproof.model.tla.resolve.symbols import ConstantSymbol, Kind, Symbol

_TRUTHS = {"TRUE": True, "FALSE": False}


def make_settings(run: Resolution, apart: Set[str]) -> None:
    """Put a constant with its default in the place of each definition of a plain value that has a type annotation.

    `apart`: names that the configuration gives a meaning within a module (`Name = [Module] value`).
    """
    for name, entry in run.root.names.items():
        symbol = entry.symbol
        if entry.kind is not Kind.DEFINITION or not isinstance(symbol, OperatorSymbol) or name in apart:
            continue
        unit = symbol.unit
        if not isinstance(unit, syntax.OperatorDefinition) or unit.parameters or symbol.home.environment.context:
            continue
        annotated = any(annotation.kind == "type" for annotation in unit.annotations)
        value = _plain(unit.body) if annotated else None
        if value is not None:
            constant = core.Constant(name, unit.at, 0, value, unit.annotations)
            symbol.replacement = ConstantSymbol(name, unit.at, (), constant)


def constant_of(symbol: Symbol | None) -> core.Constant | None:
    """The constant that the symbol is, or that stands for it as a setting."""
    meant = symbol.replacement if isinstance(symbol, OperatorSymbol) else symbol
    if not isinstance(meant, ConstantSymbol) or symbol is None or meant.name != symbol.name:
        return None
    return meant.constant


def _plain(e: syntax.Expression) -> core.Expression | None:
    """A value that a configuration could give: a number, a truth value, a string, or a set of such."""
    match e:
        case syntax.Number() | syntax.Text():
            return core.Literal(e.at, e.value)
        case syntax.Apply(prefix=(), name=name, arguments=()) if name in _TRUTHS:
            return core.Literal(e.at, _TRUTHS[name])
        case syntax.SetEnumeration():
            items = [_plain(item) for item in e.items]
            if all(item is not None for item in items):
                return core.SetEnumeration(e.at, tuple(item for item in items if item is not None))
    return None
