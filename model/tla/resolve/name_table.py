"""The order in which TLC keeps the variables of a specification.

TLC numbers them as they stand in a table of all names of the root module, a `java.util.Hashtable` that SANY fills
(`tla2sany.semantic.Context`), not as they are declared. It compares states in this order: what the least image of a
state is, of which a VIEW beside SYMMETRY is asked, depends on it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rmqproof.model.tla import syntax
from rmqproof.model.tla.library import ModuleText
from rmqproof.model.tla.resolve.environment import Elaboration, InstanceSymbol
from rmqproof.model.tla.resolve.symbols import Kind
from rmqproof.model.tla.standard import TLC_MODULES

_BUILT_IN = 72
"""Names that are in the table before any module is read: those of the language's own operators."""
_PLACES = 191
"""The size of the table then."""
_FULL = 0.75
"""So much of the table may be filled before it is made larger."""
_EXTENDED = {
    "FiniteSetsExt": ("Folds", "Functions"),
    "Combinatorics": ("Naturals",),
    "Statistics": ("Naturals",),
    "VectorClocks": ("Naturals", "Sequences", "Functions"),
}
"""What modules of the community's extend in the release of December 2024; what others use they instantiate locally."""


def of_the_community(text: ModuleText) -> bool:
    """Whether it is one of the shipped modules that do not come with TLC."""
    return text.shipped and text.name not in TLC_MODULES


def order_of_variables(root: Elaboration, modules: Mapping[str, Elaboration]) -> list[str]:
    """The variables of the root module, those it extends included; `modules` are all that were read, by name."""
    variables = {name for name, entry in root.names.items() if entry.kind is Kind.VARIABLE}
    places = _PLACES
    table: defaultdict[int, list[str]] = defaultdict(list)  # only the variables in it, the newest of a place first
    for number, name in enumerate(_names(root, modules), _BUILT_IN):
        if number >= int(places * _FULL):
            places = 2 * places + 1
            table = _moved(table, places)
        if name in variables:
            table[hashed(name) % places].insert(0, name)
    return [name for place in sorted(table) for name in reversed(table[place])]


def _moved(table: Mapping[int, Sequence[str]], places: int) -> defaultdict[int, list[str]]:
    moved: defaultdict[int, list[str]] = defaultdict(list)
    for place in sorted(table, reverse=True):
        for name in table[place]:
            moved[hashed(name) % places].insert(0, name)
    return moved


def hashed(name: str) -> int:
    """As `String.hashCode` of Java, without its sign."""
    code = 0
    for letter in name:
        code = (31 * code + ord(letter)) & 0xFFFFFFFF
    return code & 0x7FFFFFFF


def _names(root: Elaboration, modules: Mapping[str, Elaboration]) -> Iterator[str]:
    """Those of the root module in the order in which they came to be; `I!Op` for each definition of an instance."""
    passed_on = _of_community_modules(root, modules)
    units = root.text.tree.units if root.text.tree is not None else ()
    for name, entry in root.names.items():
        if entry.passed_on and name not in passed_on:
            continue
        if entry.kind is not Kind.INSTANCE:
            yield name
        elif isinstance(entry.symbol, InstanceSymbol):
            if entry.position < 0 or not isinstance(units[entry.position], syntax.Instance):
                yield name  # INSTANCE without a name brings only what is defined in an instance
            yield from _members(entry.symbol, f"{name}!", modules)
    yield from root.modules


def _members(instance: InstanceSymbol, prefix: str, modules: Mapping[str, Elaboration]) -> Iterator[str]:
    module = instance.elaboration
    passed_on = _of_community_modules(module, modules)
    for name, entry in module.names.items():
        if entry.local or entry.kind in (Kind.CONSTANT, Kind.VARIABLE) or (entry.passed_on and name not in passed_on):
            continue
        yield prefix + name
        if isinstance(entry.symbol, InstanceSymbol):
            yield from _members(entry.symbol, f"{prefix}{name}!", modules)


def _of_community_modules(module: Elaboration, modules: Mapping[str, Elaboration]) -> set[str]:
    """The names that reach the module from modules of the community's, in the release of which `_EXTENDED` speaks."""
    found = set[str]()
    pending, seen = [module], {module.text.name}
    while pending:
        module = pending.pop()
        extended = list[str]()
        if of_the_community(module.text):
            found.update(name for name, entry in module.names.items() if not entry.passed_on and entry.position >= 0)
            extended += _EXTENDED.get(module.text.name, ())
        elif module.text.tree is not None:
            tree = module.text.tree
            extended = [name.name for name in tree.extends]
            extended += [unit.module for unit in tree.units if isinstance(unit, syntax.Instance)]
        for name in extended:
            if name not in seen and name in modules:
                seen.add(name)
                pending.append(modules[name])
    return found
