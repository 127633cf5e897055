"""A compiled model as a file beside its shared object: what another process needs to read packed states.

JSON, so that nothing in it is run as code.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rmqproof.model.evaluate.values import Order
from rmqproof.model.records import dataclass
from rmqproof.model.tla.core import Model, Node, Variable
from rmqproof.model.tla.source import Location, Source
from rmqproof.model.types.domain import Atom, Enum, Record, Type

from .arguments import Signature
from .layout import Layout
from .representation import Atoms

FORMAT = 4


@dataclass(frozen=True, slots=True)
class Program:
    """C text, and what is needed to read its results."""

    source: str
    layout: Layout
    actions: tuple[str, ...]
    sites: tuple[Node, ...]
    """What can fail at run time, by the number that the program reports."""
    signatures: tuple[Signature, ...] = ()
    """The types of the arguments that a step can carry."""
    labels: tuple[bool, ...] = ()
    """Which of the liveness check's predicates have a form in C."""
    starts: bool = True
    """It finds the initial states; else a run is given them."""


class DescriptionError(Exception):
    """The file is no description of a compiled model, or one of another version; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a compiled model is called and how its states lie.

    Verdicts name properties by their place: `invariants`, `initial_properties`, `step_properties`; steps name their
    action by its place in `actions`. `library` is the path of the shared object.
    """

    model: str
    library: Path
    layout: Layout
    actions: tuple[str, ...]
    invariants: tuple[str, ...]
    initial_properties: tuple[str, ...]
    step_properties: tuple[str, ...]
    check_deadlock: bool
    signatures: tuple[Signature, ...] = ()
    """The types of the arguments that a step carries, by the number it begins with (see arguments.py)."""

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.layout.variables)

    def write(self, path: Path) -> None:
        """The description as a file. Raise `OSError`."""
        path.write_text(json.dumps(self.to_json(), indent=1), encoding="utf-8")

    def to_json(self) -> dict[str, Any]:
        layout = self.layout
        return {
            "format": FORMAT,
            "model": self.model,
            "library": str(self.library),
            "words": layout.words,
            "universe": layout.universe,
            "variables": [
                {"name": variable.name, "type": type_to_json(type_), "at": at, "bits": bits}
                for variable, type_, (at, bits) in zip(layout.variables, layout.types, layout.spans, strict=True)
            ],
            "atoms": [{"name": atom.name, "model": atom.is_model} for atom in layout.atoms.numbers],
            "order": list(layout.atoms.order.words),
            "actions": list(self.actions),
            "invariants": list(self.invariants),
            "initialProperties": list(self.initial_properties),
            "stepProperties": list(self.step_properties),
            "checkDeadlock": self.check_deadlock,
            "signatures": [
                None if signature is None else [type_to_json(type_) for type_ in signature]
                for signature in self.signatures
            ],
        }


def describe(model: Model, program: Program, library: Path, check_deadlock: bool) -> Description:
    """The description of a compiled model."""
    properties = model.properties
    return Description(
        model.specification.name,
        library,
        program.layout,
        program.actions,
        (*(d.name for d in model.invariants), *(p.name for p in properties for _ in p.always)),
        tuple(p.name for p in properties for _ in p.initial),
        tuple(p.name for p in properties for _ in p.steps),
        check_deadlock,
        program.signatures,
    )


def read_description(path: Path, library: Path | None = None) -> Description:
    """The description in a file; `library` where the shared object was moved. Raise `DescriptionError`, `OSError`."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DescriptionError(f"{path}: no description of a compiled model ({error}): compile it again") from error
    return description_of(content, path, library)


def description_of(content: dict[str, Any], path: Path, library: Path | None = None) -> Description:
    """The description that `to_json` gave; `path` is where it was read. Raise `DescriptionError`."""
    try:
        if content["format"] != FORMAT:
            raise DescriptionError(f"{path}: format {content['format']}, not {FORMAT}: compile the model again")
        nowhere = Location(Source(content["model"], ""), 1, 1, 1, 1)
        variables = tuple(Variable(v["name"], nowhere, i) for i, v in enumerate(content["variables"]))
        numbers = {Atom(a["name"], a["model"]): i for i, a in enumerate(content["atoms"])}
        atoms = Atoms(numbers, Order(content["order"]))
        layout = Layout(
            variables,
            tuple(type_from_json(v["type"]) for v in content["variables"]),
            tuple((v["at"], v["bits"]) for v in content["variables"]),
            atoms,
            content["universe"],
        )
        return Description(
            content["model"],
            library if library is not None else Path(content["library"]),
            layout,
            tuple(content["actions"]),
            tuple(content["invariants"]),
            tuple(content["initialProperties"]),
            tuple(content["stepProperties"]),
            content["checkDeadlock"],
            tuple(
                None if signature is None else tuple(type_from_json(type_) for type_ in signature)
                for signature in content["signatures"]
            ),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DescriptionError(f"{path}: no description of a compiled model ({error}): compile it again") from error


# --- types ------------------------------------------------------------------------------------------------------


def type_to_json(type_: Type) -> Any:
    """`[kind, field, …]`."""
    match type_:
        case Enum():
            return ["Enum", *([atom.name, atom.is_model] for atom in sorted(type_.atoms))]
        case Record():
            return ["Record", *([name, type_to_json(item)] for name, item in type_.fields)]
    parts = [getattr(type_, name) for name in type_.__dataclass_fields__]
    return [type(type_).__name__, *(_part_to_json(part) for part in parts)]


def _part_to_json(part: Any) -> Any:
    if isinstance(part, Type):
        return type_to_json(part)
    return {"all": [type_to_json(item) for item in part]} if isinstance(part, tuple) else part


_TYPES: dict[str, type[Type]] = {type_.__name__: type_ for type_ in Type.__subclasses__()}


def type_from_json(content: Any) -> Type:
    """Raise `KeyError`, `TypeError` or `ValueError` for what is no type."""
    name, *parts = content
    if name == "Enum":
        return Enum(frozenset(Atom(text, is_model) for text, is_model in parts))
    if name == "Record":
        return Record(tuple((field, type_from_json(item)) for field, item in parts))
    return _TYPES[name](*(_part_from_json(part) for part in parts))


def _part_from_json(part: Any) -> Any:
    if isinstance(part, list):
        return type_from_json(part)
    return tuple(type_from_json(item) for item in part["all"]) if isinstance(part, dict) else part
