"""Put a configuration's constants and replacements into a resolution, before bodies are resolved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rmqproof.model.tla import core
from rmqproof.model.tla.config import Assignment, Config, Name, Replacement
from rmqproof.model.tla.resolve import Resolution
from rmqproof.model.tla.resolve.elaborate import takes
from rmqproof.model.tla.resolve.environment import BuiltinSymbol, InstanceSymbol
from rmqproof.model.tla.resolve.language import LANGUAGE
from rmqproof.model.tla.resolve.symbols import AliasSymbol, ConstantSymbol, Kind, Symbol, ValueSymbol, VariableSymbol
from rmqproof.model.tla.settings import constant_of, make_settings
from rmqproof.model.tla.source import Location, TlaError
from rmqproof.model.tla.standard import standard_operators


def apply_constants(run: Resolution, config: Config) -> tuple[Name, ...]:
    """Return the names with a value that the specification does not know: TLC passes over them, and so do we.

    Raise `TlaError` of kind `config`.
    """
    run.has_replacements = bool(config.replacements or config.assignments)
    items: list[Assignment | Replacement] = [*config.assignments, *config.replacements]
    make_settings(run, {item.name.text for item in items if item.module is not None})
    replaced = {replacement.name.text for replacement in config.replacements if replacement.module is None}
    _no_name_twice(config)
    unused = [
        assignment.name
        for assignment in config.assignments
        if assignment.module is None and run.find(assignment.name.text) is None
    ]
    known = [assignment for assignment in config.assignments if assignment.name not in unused]
    for assignments in _by_name(known):
        _assign(run, assignments)
    for replacement in config.replacements:
        _replace(run, replacement, replaced)
    _all_have_values(run, config, unused)
    return tuple(unused)


def _no_name_twice(config: Config) -> None:
    """The same line twice does no harm."""
    seen: dict[tuple[str, str], Assignment | Replacement] = {}
    items: list[Assignment | Replacement] = [item for item in config.assignments if not item.arguments]
    for item in (*items, *config.replacements):
        key = (item.name.text, item.module.text if item.module else "")
        first = seen.setdefault(key, item)
        if first is not item and _meaning(first) != _meaning(item):
            raise _error(
                f"{item.name.text} is given a meaning twice",
                item.name.at,
                f"The first is at {first.name.at}; keep one.",
            )


def _meaning(item: Assignment | Replacement) -> tuple[str, str]:
    if isinstance(item, Replacement):
        return "<-", item.by.text
    return "=", str(_plain(item.value))


def _plain(value: core.Expression) -> object:
    """A value of a configuration without places."""
    if isinstance(value, core.Literal):
        return value.value
    if isinstance(value, core.ModelValueLiteral):
        return ("model value", value.name)
    assert isinstance(value, core.SetEnumeration)
    return [_plain(item) for item in value.items]


def _by_name(assignments: Iterable[Assignment]) -> Iterable[list[Assignment]]:
    """`F(1) = 2` and `F(2) = 3` together."""
    groups: dict[tuple[str, str], list[Assignment]] = {}
    for assignment in assignments:
        key = (assignment.name.text, assignment.module.text if assignment.module else "")
        groups.setdefault(key, []).append(assignment)
    return groups.values()


def _assign(run: Resolution, assignments: list[Assignment]) -> None:
    first = assignments[0]
    name, at = first.name.text, first.name.at
    symbol = _known(run, first.name) if first.module is None else None
    arity = len(first.arguments)
    value = ValueSymbol(name, at, (0,) * arity, first.value if not arity else None)
    if arity:
        value.cases = tuple((assignment.arguments, assignment.value) for assignment in assignments)
        if any(len(assignment.arguments) != arity for assignment in assignments):
            raise _error(f"{name} is given values for different numbers of arguments", at)
    if first.module is not None:
        _in_module(run, first.name, first.module, value, first.name)
        return
    assert symbol is not None
    if isinstance(symbol, VariableSymbol | InstanceSymbol):
        kind = "variable" if isinstance(symbol, VariableSymbol) else "name of an instance"
        raise _error(f"{name} is a {kind}, and values are given to constants", at, "Delete this line.")
    fitting = _fitting(symbol, value, first.name)
    constant = constant_of(symbol)
    if constant is not None and not symbol.arities:
        constant.value = first.value
    else:
        run.replace(symbol, fitting)


def _replace(run: Resolution, replacement: Replacement, replaced: set[str]) -> None:
    name, by = replacement.name, replacement.by
    if replacement.module is None and by.text in replaced:
        raise _error(
            f"{name.text} is replaced by {by.text}, which is replaced itself",
            by.at,
            f"Replace {name.text} by what stands for {by.text}.",
        )
    target = _target(run, by)
    if replacement.module is not None:
        _in_module(run, name, replacement.module, target, by)
        return
    symbol = _known(run, name)
    if isinstance(symbol, VariableSymbol | InstanceSymbol):
        raise _error(f"{name.text} is neither a constant nor a definition", name.at, "Delete this line.")
    run.replace(_shared(symbol), _fitting(symbol, target, by))


def _fitting(symbol: Symbol, target: Symbol, by: Name) -> Symbol:
    """What stands for the symbol: something with as many parameters, or a value, as in TLC whatever the arguments."""
    if isinstance(target, ValueSymbol) and not target.arities:
        return replace(target, arities=symbol.arities)
    if len(symbol.arities) != len(target.arities):
        shown = f"{by.text}(…)" if isinstance(target, ValueSymbol) else by.text
        raise _error(
            f"{symbol.name} {takes(len(symbol.arities))}, but {shown} {takes(len(target.arities))}",
            by.at,
            "What replaces an operator has as many parameters.",
        )
    return target


def _shared(symbol: Symbol) -> Symbol:
    """A standard module's operator is one and the same in every instance: to replace it is to do so everywhere."""
    source = symbol
    while isinstance(source, AliasSymbol):
        source = source.source
    return source if isinstance(source, BuiltinSymbol) else symbol


def _target(run: Resolution, by: Name) -> Symbol:
    symbol = run.find(by.text)
    if isinstance(symbol, InstanceSymbol):
        raise _error(f"{by.text} is the name of an instance, not of an operator", by.at)
    if symbol is not None:
        return symbol
    if LANGUAGE.get(by.text) == 0:
        is_truth = by.text in ("TRUE", "FALSE")
        node = core.Literal(by.at, by.text == "TRUE") if is_truth else core.Builtin(by.at, by.text)
        return ValueSymbol(by.text, by.at, (), node)
    for operator in standard_operators().values():
        if operator.name == by.text and run.knows_module(operator.module):
            entry = run.elaborator.generic.elaborations[operator.module].names.get(by.text)
            if entry is not None:
                return entry.symbol
    raise _unknown(run, by)


def _in_module(run: Resolution, name: Name, module: Name, target: Symbol, by: Name) -> None:
    if not run.knows_module(module.text):
        raise _error(f"the specification does not use module {module.text}", module.at)
    symbol = run.find_in_module(module.text, name.text)
    if symbol is None:
        raise _error(f"module {module.text} defines no {name.text}", name.at)
    run.replace_everywhere(symbol, _fitting(symbol, target, by))


def _known(run: Resolution, name: Name) -> Symbol:
    symbol = run.find(name.text)
    if symbol is None:
        raise _unknown(run, name)
    return symbol


def _unknown(run: Resolution, name: Name) -> TlaError:
    remedy = run.suggest(name.text) or "Define it there, or delete it here."
    return _error(f"{name.text} is not defined in module {run.root.text.name}", name.at, remedy)


def _all_have_values(run: Resolution, config: Config, unused: list[Name]) -> None:
    missing = [
        entry.symbol
        for entry in run.root.names.values()
        if entry.kind is Kind.CONSTANT
        and isinstance(entry.symbol, ConstantSymbol)
        and entry.symbol.constant.value is None
        and entry.symbol.replacement is None
    ]
    if not missing:
        return
    lines = [
        f"    CONSTANT {symbol.name} <- Operator" if symbol.arities else f"    CONSTANT {symbol.name} = {symbol.name}"
        for symbol in missing
    ]
    names = ", ".join(symbol.name for symbol in missing)
    are = "constant {} has" if len(missing) == 1 else "constants {} have"
    remedy = "\n    ".join(["Add, with the values that you want (a name is a value that equals only itself):", *lines])
    if unused:
        strange = ", ".join(name.text for name in unused)
        remedy += f"\n    The configuration gives a value to {strange}, which the specification does not declare."
    raise TlaError(f"{config.source.name}: {are.format(names)} no value", missing[0].at, remedy, "config")


def _error(message: str, at: Location, remedy: str = "") -> TlaError:
    return TlaError(message, at, remedy, "config")
