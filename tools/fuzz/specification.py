"""A generated specification: its parts, and how it is written as modules and a configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tools.fuzz.tree import Node, Part, text
from tools.fuzz.types import BOOLEAN, Name


class Role(StrEnum):
    """What a definition is for. All but `HELPER` stand in the configuration, in its words."""

    HELPER = "helper"
    INIT = "INIT"
    NEXT = "NEXT"
    SPECIFICATION = "SPECIFICATION"
    INVARIANT = "INVARIANT"
    PROPERTY = "PROPERTY"
    CONSTRAINT = "CONSTRAINT"
    ACTION_CONSTRAINT = "ACTION_CONSTRAINT"
    VIEW = "VIEW"
    SYMMETRY = "SYMMETRY"
    ALIAS = "ALIAS"


NEEDED = (Role.INIT, Role.NEXT, Role.SPECIFICATION)


@dataclass(frozen=True, slots=True)
class Definition:
    """`head` before ` == ` without the name: parameters with parentheses. `before`: a line as RECURSIVE."""

    name: Name
    body: Node
    head: tuple[Part, ...] = ()
    role: Role = Role.HELPER
    before: tuple[Part, ...] = ()
    safe: bool = False
    """A property of initial states and steps alone, though it is not written as one."""

    def line(self) -> Node:
        before = (*self.before, "\n") if self.before else ()
        return Node(BOOLEAN, (*before, self.name, *self.head, " == ", self.body))


@dataclass(frozen=True, slots=True)
class Module:
    """`constants` and `variables` are declared; `instances` are lines that come before all definitions."""

    name: Name
    extends: tuple[str | Name, ...]
    constants: tuple[Name, ...] = ()
    variables: tuple[Name, ...] = ()
    definitions: tuple[Definition, ...] = ()

    def text(self, names: Mapping[Name, str]) -> str:
        extended = ", ".join(names[each] if isinstance(each, Name) else each for each in self.extends)
        lines = [f"---- MODULE {names[self.name]} ----", f"EXTENDS {extended}"]
        if self.constants:
            lines.append("CONSTANTS " + ", ".join(names[each] for each in self.constants))
        if self.variables:
            lines.append("VARIABLES " + ", ".join(names[each] for each in self.variables))
        lines += [text(definition.line(), names) for definition in self.definitions]
        return "\n".join([*lines, "====", ""])


@dataclass(frozen=True, slots=True)
class Specification:
    """The last module is the one that is checked. `given`: the constants' values, lines of the configuration."""

    seed: int
    modules: tuple[Module, ...]
    given: tuple[Node, ...]
    deadlock: bool = True
    words: Mapping[Name, str] = field(default_factory=dict)
    """What the names are called."""

    @property
    def main(self) -> Module:
        return self.modules[-1]

    def definitions(self) -> Iterator[Definition]:
        for module in self.modules:
            yield from module.definitions

    def with_role(self, role: Role) -> list[Definition]:
        return [each for each in self.definitions() if each.role is role]

    def config(self, names: Mapping[Name, str]) -> str:
        lines = []
        specification = self.with_role(Role.SPECIFICATION)
        for role in Role:
            if role is Role.HELPER or (specification and role in (Role.INIT, Role.NEXT)):
                continue
            for definition in self.with_role(role):
                lines.append(f"{role} {names[definition.name]}")
        if not self.deadlock:
            lines.append("CHECK_DEADLOCK FALSE")
        if self.given:
            lines.append("CONSTANTS")
            lines += ["  " + text(each, names) for each in self.given]
        return "\n".join([*lines, ""])

    def files(self, names: Mapping[Name, str] | None = None) -> dict[str, str]:
        """File name to text."""
        names = self.words if names is None else names
        written = {f"{names[module.name]}.tla": module.text(names) for module in self.modules}
        written[f"{names[self.main.name]}.cfg"] = self.config(names)
        return written

    def write(self, folder: Path, names: Mapping[Name, str] | None = None) -> Path:
        """Write the files; return the main module's."""
        folder.mkdir(parents=True, exist_ok=True)
        names = self.words if names is None else names
        for name, content in self.files(names).items():
            (folder / name).write_text(content, encoding="utf-8")
        return folder / f"{names[self.main.name]}.tla"

    def all_names(self) -> set[Name]:
        found: set[Name] = set()
        for module in self.modules:
            found |= {module.name, *module.constants, *module.variables}
            for definition in module.definitions:
                found |= set(definition.line().names())
        for each in self.given:
            found |= set(each.names())
        return found
