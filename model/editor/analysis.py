"""A module as it stands in an editor, saved or not. No protocol of editors here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from rmqproof.model.tla import core
from rmqproof.model.tla.algorithms import declared_at
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.findings import static_findings
from rmqproof.model.tla.library import Library
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.model_files import NoModel, find_models
from rmqproof.model.tla.resolve import Resolution
from rmqproof.model.tla.source import Location, Source, Texts, TlaError
from rmqproof.model.types.infer import infer_types
from rmqproof.model.types.rendering import render
from rmqproof.model.types.typing import Scope

_WORD = re.compile(r"[A-Za-z0-9_]*[A-Za-z_][A-Za-z0-9_]*(?:![A-Za-z0-9_]+)*")
_LEVELS = ("constant", "state function", "action", "temporal formula")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something at a place. `warning`: it may be meant so."""

    message: str
    at: Location
    remedy: str = ""
    warning: bool = False


@dataclass(frozen=True)
class Module:
    """The module in a file. `texts`: what editors have of files, by path."""

    path: Path
    texts: Mapping[Path, str] = field(default_factory=dict)

    @cached_property
    def problems(self) -> tuple[Diagnostic, ...]:
        """What is wrong in the module and in what it extends; else what is wrong or suspicious in its model.

        Of a configuration what is wrong in it.
        """
        if self.path.suffix == ".cfg":
            return tuple(self._problems_of_configuration())
        return tuple(self._problems()) if self.path.suffix == ".tla" else ()

    def _problems_of_configuration(self) -> Iterator[Diagnostic]:
        try:
            (files,) = find_models([self.path])
            replace(files, texts=Texts.of(self.texts)).load()
        except TlaError as error:
            if error.kind == "config" or (error.at is not None and Path(error.at.source.name) == self.path):
                yield from _told(error)
        except (NoModel, OSError, UnicodeDecodeError, RecursionError):
            return

    def _problems(self) -> Iterator[Diagnostic]:
        given = Texts.of(self.texts)
        try:
            run = Resolution(Library([self.path.parent], given), self.path)
        except TlaError as error:
            yield from _told(error)
            return
        except (OSError, UnicodeDecodeError, RecursionError):
            return
        try:
            run.finish()
        except TlaError as error:
            for each in run.problems.found or [error]:
                yield from _told(each)
            return
        try:
            model = self._model
        except TlaError as error:
            yield from _told(error)
            return
        if model is not None:
            for finding in static_findings(model):
                yield Diagnostic(finding.message, finding.at, warning=True)

    @cached_property
    def _model(self) -> core.Model | None:
        """The model, where there is a configuration. Raise `TlaError`."""
        given = Texts.of(self.texts)
        return load_model(self.path, texts=given) if config_of(self.path, given) is not None else None

    @cached_property
    def _specification(self) -> core.Specification | None:
        """What there is to know of names; None while something is wrong."""
        try:
            model = self._model
            if model is not None:
                return model.specification
            return Resolution(Library([self.path.parent], Texts.of(self.texts)), self.path).finish()
        except (TlaError, OSError, UnicodeDecodeError, RecursionError):
            return None

    def word(self, line: int, column: int) -> str:
        """The name at a place, lines and columns from 1; empty where there is none."""
        text = self.texts.get(self.path)
        lines = (text if text is not None else self.path.read_text(encoding="utf-8")).splitlines()
        if not 1 <= line <= len(lines):
            return ""
        found = (word for word in _WORD.finditer(lines[line - 1]) if word.start() < column <= word.end() + 1)
        return next((word[0] for word in found), "")

    def definition(self, name: str) -> Location | None:
        """Where a name is defined or declared; of a module beside this one where it begins."""
        specification = self._specification
        if specification is None:
            return self._module(name)
        places = {variable.name: declared_at(variable.name, variable.at) for variable in specification.variables}
        places |= {constant.name: constant.at for constant in specification.constants}
        found = specification.definitions.get(name)
        return found.at if found is not None else places.get(name) or self._module(name)

    def _module(self, name: str) -> Location | None:
        """Where the module of this name begins in its file; None where there is no such file."""
        path = self.path.parent / f"{name}.tla"
        try:
            source = Source(str(path), self.texts.get(path) or path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            return None
        found = re.search(rf"\bMODULE\s+({re.escape(name)})\b", source.text)
        if found is None:
            return None
        line = source.text.count("\n", 0, found.start(1)) + 1
        column = found.start(1) - source.text.rfind("\n", 0, found.start(1))
        return Location(source, line, column, line, column + len(name))

    def about(self, name: str) -> str:
        """What a name is: its values, its parameters, the comment above it. Empty where it is not known."""
        specification = self._specification
        if specification is None:
            return ""
        for variable in specification.variables:
            if variable.name == name:
                return f"VARIABLE {name}{self._type(core.VariableReference(variable.at, variable))}"
        for constant in specification.constants:
            if constant.name == name:
                return f"CONSTANT {name}{self._type(core.ConstantReference(constant.at, constant))}"
        definition = specification.definitions.get(name)
        if definition is None:
            return ""
        parameters = ", ".join(parameter.name for parameter in definition.parameters)
        head = f"{name}({parameters})" if parameters else name
        kind = _LEVELS[definition.level]
        whole = not definition.parameters and definition.level <= core.STATE
        found = self._type(core.Call(definition.at, definition)) if whole else ""
        said = f"\n\n{definition.comment.strip()}" if definition.comment.strip() else ""
        return f"{head}{found}  ({kind} of {definition.module}){said}"

    def _type(self, node: core.Expression) -> str:
        """`: type`, where a configuration says what the constants are."""
        model = self._model
        if model is None or model.initial is None:
            return ""
        return f" : {render(infer_types(model).typing().of(node, Scope()))}"


def _told(error: TlaError) -> Iterator[Diagnostic]:
    if error.at is not None:
        yield Diagnostic(error.message, error.at, error.remedy)
