"""What a model has otherwise than its configuration says: constants, operators, what is to hold, without another file.

An override is written as a configuration is. What it gives a name takes the place of what the configuration gives
that name; what it names under INVARIANT, PROPERTY and the like comes in addition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from rmqproof.model.records import dataclass
from rmqproof.model.tla import core
from rmqproof.model.tla.config_entries import Assignment, Config, Replacement
from rmqproof.model.tla.source import Source

_NAME = Path("overrides")
"""What messages call the text."""
_BEHAVIOUR = {"SPECIFICATION": ("INIT", "NEXT"), "INIT": ("SPECIFICATION",), "NEXT": ("SPECIFICATION",)}
"""What one section leaves no room for."""

Item = TypeVar("Item", Assignment, Replacement)


@dataclass(frozen=True, slots=True)
class Overrides:
    """`text`: in the language of configurations. `without`: names that are left out of every list."""

    text: str = ""
    without: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.without)

    def applied(self, config: Config | None) -> Config | None:
        """The configuration with these overrides. Raise `TlaError` of kind `config` for a text that is none."""
        if not self:
            return config
        from rmqproof.model.tla.config import parse_config  # which imports a parser

        over = parse_config(Source.of(_NAME, self.text))
        if config is None:
            return _without(over, self.without)
        return _without(_merged(config, over), self.without)

    def joined(self, text: str, without: Iterable[str] = ()) -> Overrides:
        """These and more; what the text gives a name is what counts."""
        given = set(map(_given, text.splitlines()))
        kept = [line for line in self.text.splitlines() if (name := _given(line)) is None or name not in given]
        return Overrides("\n".join([*kept, text]).strip(), self.without.union(without))


NONE = Overrides()


def _given(line: str) -> str | None:
    """What a line of overrides gives: a constant, or one of the sections that stand once."""
    found = re.match(r"CONSTANT (\w+) (?:=|<-)|(SPECIFICATION|INIT|NEXT|CHECK_DEADLOCK) ", line)
    return None if found is None else found[1] or found[2]


def _merged(config: Config, over: Config) -> Config:
    given = {_key(item) for item in over.assignments} | {_key(item) for item in over.replacements}
    assignments = _in_place(config.assignments, over.assignments, given)
    replacements = _in_place(config.replacements, over.replacements, given)
    gone = {other for section in over.single for other in _BEHAVIOUR.get(section, ())}
    single = {section: name for section, name in config.single.items() if section not in gone} | over.single
    lists = {section: list(names) for section, names in config.lists.items()}
    for section, names in over.lists.items():
        known = lists.setdefault(section, [])
        known += [name for name in names if name.text not in {other.text for other in known}]
    atoms = [atom for item in assignments for value in (*item.arguments, item.value) for atom in _atoms(value)]
    return replace(
        config,
        assignments=assignments,
        replacements=replacements,
        single=single,
        lists=lists,
        check_deadlock=config.check_deadlock if over.check_deadlock is None else over.check_deadlock,
        model_values=list(dict.fromkeys(name for name, is_model in atoms if is_model)),
        atoms=[name for name, _ in atoms],
    )


def _without(config: Config, names: frozenset[str]) -> Config:
    if not names:
        return config
    kept = {section: [name for name in listed if name.text not in names] for section, listed in config.lists.items()}
    return replace(config, lists={section: listed for section, listed in kept.items() if listed})


def _in_place(old: Iterable[Item], new: Iterable[Item], given: set[tuple[str, str]]) -> list[Item]:
    """The old items, each that is given anew where the old one stood; what there was nothing of comes last."""
    fresh: dict[tuple[str, str], list[Item]] = {}
    for item in new:
        fresh.setdefault(_key(item), []).append(item)
    found: list[Item] = []
    for item in old:
        key = _key(item)
        found += fresh.pop(key, []) if key in given else [item]
    return found + [item for items in fresh.values() for item in items]


def _key(item: Assignment | Replacement) -> tuple[str, str]:
    return item.name.text, item.module.text if item.module is not None else ""


def _atoms(value: core.Expression) -> Iterator[tuple[str, bool]]:
    """The strings and model values of a configuration's value; whether it is a model value."""
    if isinstance(value, core.ModelValueLiteral):
        yield value.name, True
    elif isinstance(value, core.Literal) and isinstance(value.value, str):
        yield value.value, False
    elif isinstance(value, core.SetEnumeration):
        for item in value.items:
            yield from _atoms(item)
