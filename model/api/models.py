"""A model from files or from text in memory, with whatever is to be otherwise than its configuration says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack

from rmqproof.model.api.errors import ConfigError, ParseError, SystemFailure, typed_errors
from rmqproof.model.api.values import to_tla
from rmqproof.model.tla import core
from rmqproof.model.tla.config import parse_config
from rmqproof.model.tla.model_files import ModelFiles, NoModel, find_models
from rmqproof.model.tla.source import Source, Texts, TlaError

_MODULE = re.compile(r"-{4,}[ \t]*MODULE[ \t]+(\w+)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_!]*")

_MEMORY = Path("<text>")
"""The folder of texts that were given: no file of the disk is looked for there."""

Formulas = Iterable[str] | Mapping[str, str]
"""Names of definitions, or formulas: of a mapping each by the name it gets, else called by their number."""


class Changes(TypedDict, total=False):
    """What is to be otherwise than the configuration says.

    `constants`: values as in `values.to_tla`, or TLA+ as a str. `operators`: a definition by the name of the one that
    takes its place, or by what it says. `invariants`, `properties` and `constraints` come in addition; `without` names
    those that are left out. `deadlock`: whether a state without successors is a failure. `definitions`: TLA+ that all
    these may speak of.
    """

    constants: Mapping[str, Any] | None
    operators: Mapping[str, str] | None
    invariants: Formulas
    properties: Formulas
    constraints: Formulas
    without: Iterable[str]
    init: str | None
    next: str | None
    specification: str | None
    deadlock: bool | None
    definitions: str


@dataclass(frozen=True)
class Model:
    """A specification with its configuration, read and resolved. Made by `load`."""

    files: ModelFiles = field(repr=False)
    name: str

    @cached_property
    def resolved(self) -> core.Model:
        """The tree that the engines work with."""
        with typed_errors():
            return self.files.load()

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.resolved.specification.variables)

    @property
    def constants(self) -> tuple[str, ...]:
        return tuple(constant.name for constant in self.resolved.specification.constants)

    @property
    def invariants(self) -> tuple[str, ...]:
        return tuple(definition.name for definition in self.resolved.invariants)

    @property
    def properties(self) -> tuple[str, ...]:
        """Step properties and liveness."""
        return tuple(prop.name for prop in self.resolved.properties)

    def override(self, **changes: Unpack[Changes]) -> Model:
        """The model with these `Changes`; this one stays as it is.

        Raise `ConfigError` or `ParseError` where that does not fit the specification.
        """
        if unknown := changes.keys() - Changes.__annotations__.keys():
            raise TypeError(
                f"no such change: {', '.join(sorted(unknown))}; there are {', '.join(Changes.__annotations__)}"
            )
        written = _Written(changes.get("definitions", ""))
        if (deadlock := changes.get("deadlock")) is not None:
            written.config += f"CHECK_DEADLOCK {to_tla(deadlock)}\n"
        constants = changes.get("constants") or {}
        written.constants(constants, changes.get("operators") or {})
        written.formulas("INVARIANT", changes.get("invariants", ()))
        written.formulas("PROPERTY", changes.get("properties", ()))
        written.formulas("CONSTRAINT", changes.get("constraints", ()))
        behaviours = {section: changes.get(section.lower()) for section in ("SPECIFICATION", "INIT", "NEXT")}
        for section, formula in behaviours.items():
            if isinstance(formula, str):
                written.formulas(section, [formula])
        files = self.files
        if written.definitions.strip():
            name = _fresh(files)
            text = f"---- MODULE {name} ----\nEXTENDS {files.spec.stem}\n{written.definitions}\n====\n"
            files = files.extended(name, text)
        changed = Model(files.overridden(written.config, changes.get("without", ())), self.name)
        unknown = {name for name, _ in changed.resolved.unknown_settings} & {*constants}
        if unknown:
            raise ConfigError(
                f"{', '.join(sorted(unknown))}: {self.name} declares no such constant",
                None,
                f"Its constants are {', '.join(self.constants)}." if self.constants else "It has no constants.",
            )
        return changed

    def __repr__(self) -> str:
        return f"<model {self.name}: {', '.join(self.variables)}>"


def load(
    spec: str | Path,
    config: str | Path | None = None,
    *,
    modules: Mapping[str, str] | None = None,
    search_path: Iterable[str | Path] = (),
    **changes: Unpack[Changes],
) -> Model:
    """Read a model.

    `spec` is a path to a .tla or .cfg file, or the text of a module; `config` a path, or the text of a configuration;
    by default the one that goes by the name of the specification. `modules`: texts of further modules, by name;
    `search_path`: folders with some. All else is to be otherwise: `Changes`.

    Raise `ParseError`, `ConfigError`, `SystemFailure`.
    """
    with typed_errors():
        files = _files(spec, config, modules or {}, tuple(Path(folder) for folder in search_path))
    model = Model(files, files.name)
    return model.override(**changes)


def _files(
    spec: str | Path, config: str | Path | None, modules: Mapping[str, str], search_path: tuple[Path, ...]
) -> ModelFiles:
    found = _MODULE.search(spec) if isinstance(spec, str) else None
    folder = _MEMORY if found is not None else Path(spec).parent if "\n" not in str(spec) else _MEMORY
    given = {folder / f"{name}.tla": text for name, text in modules.items()}
    written = isinstance(config, str) and not _is_path(config)
    if found is not None:
        path = folder / f"{found[1]}.tla"
        given[path] = str(spec)
        files = ModelFiles(path, None if written or config is None else Path(config))
    elif "\n" in str(spec):
        raise ParseError("This text is no module", None, "It begins with a line as ---- MODULE Name ----.")
    else:
        path = Path(spec)
        if not path.exists():
            raise SystemFailure(f"{path}: there is no such file", None, "Give a path, or the text of a module.")
        files = _of_path(path, None if written or config is None else Path(config))
    if written:
        beside = path.with_suffix(".cfg")
        given[beside] = str(config)
        files = replace(files, config=beside)
    return replace(files, texts=Texts.of(given), search_path=(*files.search_path, *search_path))


def _of_path(path: Path, config: Path | None) -> ModelFiles:
    try:
        (files,) = find_models([path], [config] if config is not None else [])
    except NoModel as error:
        if config is not None or path.suffix != ".tla":
            raise ConfigError(str(error)) from None
        return ModelFiles(path, None)  # what is to be checked may be given as overrides
    return files


def _is_path(config: str) -> bool:
    return "\n" not in config and config.endswith((".cfg", ".tla"))


class _Written:
    """Overrides as the text of a configuration, and the definitions that it names."""

    def __init__(self, definitions: str) -> None:
        self.definitions = definitions
        self.config = ""
        self._numbers = 0

    def constants(self, constants: Mapping[str, Any], operators: Mapping[str, str]) -> None:
        for name, value in constants.items():
            line = f"CONSTANT {name} = {to_tla(value)}"
            if not _is_config(line):
                line = f"CONSTANT {name} <- {self._defined(f'{name}_given', to_tla(value))}"
            self.config += f"{line}\n"
        for name, by in operators.items():
            called = by if _NAME.fullmatch(by) else self._defined(f"{name}_given", by)
            self.config += f"CONSTANT {name} <- {called}\n"

    def formulas(self, section: str, formulas: Formulas) -> None:
        named = formulas if isinstance(formulas, Mapping) else {formula: formula for formula in _several(formulas)}
        for name, formula in named.items():
            if _NAME.fullmatch(formula) and name == formula:
                called = name
            else:
                self._numbers += not _NAME.fullmatch(name)
                word = section.capitalize().replace("_", "")
                called = self._defined(name if _NAME.fullmatch(name) else f"{word}{self._numbers}", formula)
            self.config += f"{section} {called}\n"

    def _defined(self, name: str, formula: str) -> str:
        self.definitions += f"\n{name} ==\n  {formula}\n"
        return name


def _several(formulas: Iterable[str]) -> Iterable[str]:
    return [formulas] if isinstance(formulas, str) else formulas


def _is_config(line: str) -> bool:
    try:
        parse_config(Source("value", line))
    except TlaError:
        return False
    return True


def _fresh(files: ModelFiles) -> str:
    """A name for a module that extends the root."""
    name = f"{files.spec.stem}Changed"
    while files.texts.has(files.spec.with_name(f"{name}.tla")):
        name += "Again"
    return name
