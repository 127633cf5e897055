"""The model that an implementation or a run is held to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rmqproof.model.evaluate.itf import to_itf
from rmqproof.model.evaluate.system import PythonSystem, check_assumptions, system_of
from rmqproof.model.report.behaviour import Origin
from rmqproof.model.tla.config import Replacement
from rmqproof.model.tla.config_file import config_of
from rmqproof.model.tla.core import CONSTANT, ConstantReference, Model
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from rmqproof.version import VERSION


@dataclass(frozen=True, slots=True)
class ModelSubject:
    """A model ready to be compared with. `constants` are ITF values by name; a replaced operator is there with the
    name of the one that replaces it."""

    system: PythonSystem
    constants: Mapping[str, Any]
    origin: Origin
    name: str
    replaced: Mapping[str, str] = field(default_factory=dict)
    """The operators that the configuration replaces, and by which."""

    @property
    def model(self) -> Model:
        return self.system.model


def open_model(
    spec: Path, config: Path | None, command: str = "", name: str = "", search_path: Sequence[Path] = ()
) -> ModelSubject:
    """Load a model without its VIEW and SYMMETRY: states that those identify are different ones to an implementation.

    `name` is what messages call it, by default that of its configuration.
    Raise `TlaError`, also for an assumption that is false.
    """
    return open_files(ModelFiles(spec, config, search_path=tuple(search_path)), command, name)


def open_files(files: ModelFiles, command: str = "", name: str = "") -> ModelSubject:
    """As `open_model`, of texts and overrides too."""
    spec, config = files.spec, files.config or config_of(files.spec, files.texts)
    model = files.load()
    if model.initial is None or model.next is None:
        raise TlaError(
            f"{config or spec}: the model has no {'initial states' if model.initial is None else 'steps'}",
            None,
            "Add SPECIFICATION to its configuration, or INIT and NEXT; name the configuration with --config.",
            "config",
        )
    system = system_of(replace(model, view=None, symmetry=None))
    for assumption, at in check_assumptions(model, system):
        raise TlaError(
            f"the assumption {assumption} is false".replace("  ", " "), at, "Change the constants.", "assert"
        )
    origin = Origin(
        specification=str(spec),
        config=str(config) if config is not None else "",
        command=command,
        tool=f"rmqproof {VERSION}",
        model_values=frozenset(model.model_values),
    )
    configuration = files.configuration()
    replacements = configuration.replacements if configuration is not None else []
    replaced = {each.name.text: each.by.text for each in replacements if each.module is None}
    return ModelSubject(system, _constants(system, replacements), origin, name or (config or spec).stem, replaced)


def _constants(system: PythonSystem, replacements: Sequence[Replacement]) -> dict[str, Any]:
    """The values that the configuration gives, as ITF."""
    found: dict[str, Any] = {}
    for constant in system.model.specification.constants:
        if constant.value is not None:
            found[constant.name] = to_itf(system.constant(ConstantReference(constant.at, constant)))
    definitions = system.model.specification.definitions
    for replacement in replacements:
        by = definitions.get(replacement.by.text)
        if by is not None and not by.parameters and by.level == CONSTANT:
            try:
                found[replacement.name.text] = to_itf(system.constant(by.body))
                continue
            except TlaError:
                pass  # a formula that has no value is known by its name
        found[replacement.name.text] = replacement.by.text
    return found
