"""A model to prove things of, and which of its constants are open."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import z3

from rmqproof.model.prove.effort import effort_of
from rmqproof.model.prove.fresh import ArraySet, Maker
from rmqproof.model.prove.logic import Truth
from rmqproof.model.prove.merge import quantify, type_of
from rmqproof.model.prove.open_sets import first
from rmqproof.model.prove.open_types import Configured, opened
from rmqproof.model.prove.state import atoms_of, unbounded
from rmqproof.model.prove.translate import Translator
from rmqproof.model.prove.values import Value, atom_sort
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.types.domain import Atom, Enum, Set, Text, Type, join_all
from rmqproof.model.types.infer import infer_types

_UNBOUNDED = re.compile(r"^[ \t]*\\\*[ \t]*UNBOUNDED[ \t]+(.*)$", re.MULTILINE)
NOTHING_OPEN: Configured = {}


@dataclass(frozen=True, eq=False)
class Subject:
    """A model to prove things of. `free` are the constants that may have any value of their kind."""

    model: core.Model
    free: tuple[core.Constant, ...] = ()
    types: Mapping[core.Variable, Type] = field(default_factory=dict)
    open_sets: tuple[core.Constant, ...] = ()
    """Those that are any finite sets of names. Countermodels are looked for with what the configuration gives them."""
    larger: Callable[[], Subject] | None = None
    """The same with one element more in its open set, if it has one such set."""
    most: int | None = None
    """So many expressions may be translated for one question; None: any number."""

    @property
    def shapes(self) -> dict[core.Variable, Type]:
        """The types of the variables without the bounds that the configuration brings."""
        is_fixed = not self.free and not self.open_sets
        return {variable: unbounded(type_, is_fixed) for variable, type_ in self.types.items()}

    def for_seconds(self, seconds: float) -> Subject:
        """The same where no question takes more work to make than goes with so many seconds for its answer."""
        return replace(self, most=effort_of(seconds))

    def elements(self, constant: core.Constant) -> frozenset[Atom]:
        """The names that the configuration has in a set."""
        assert constant.value is not None
        return atoms_of(type_of(Translator().value(constant.value)))

    def free_type(self, constant: core.Constant) -> Type:
        """The type of a constant that the configuration leaves open: as its value there, without bounds.

        A model value, or a set of them, may be any that the configuration has.
        """
        assert constant.value is not None
        found = unbounded(type_of(Translator().value(constant.value)))
        every = [type_of(Translator().value(c.value)) for c in self.model.specification.constants if c.value]
        members: list[Type] = [t.element for t in every if isinstance(t, Set) and isinstance(t.element, Enum)]
        if isinstance(found, Enum) and all(atom.is_model for atom in found.atoms):
            alone: list[Type] = [t for t in every if isinstance(t, Enum)]
            return join_all([*members, *alone])
        return Set(join_all(members)) if isinstance(found, Set) else found


def subject_of(model: core.Model, config_text: str = "") -> Subject:
    """The model, and the constants that lines `\\* UNBOUNDED Name …` of its configuration leave open.

    Raise `TlaError` where such a line names something else: it would leave nothing open, and what is proved be less.
    """
    names = {name for line in _UNBOUNDED.findall(config_text) for name in line.split()}
    constants = tuple(c for c in model.specification.constants if c.name in names and c.value is not None)
    unknown = names - {constant.name for constant in constants}
    if unknown:
        raise TlaError(
            f"the line \\* UNBOUNDED names {', '.join(sorted(unknown))}, which the configuration gives no value",
            remedy="It lists constants, and settings that a configuration may give a value.",
            kind="config",
        )
    types: dict[core.Variable, Type] = {}
    if model.specification.variables:
        found = infer_types(model).variables
        types = {variable: found[variable] for variable in model.specification.variables}
    return Subject(model, constants, types)


def open_set(name: str) -> ArraySet:
    """Some finite set of names, as the value of this constant."""
    array = z3.Const(name, z3.ArraySort(atom_sort(), z3.BoolSort()))
    return ArraySet(Text(), array, is_finite=True, whole=name)


def has_first(name: str, whole: ArraySet) -> Truth:
    """What makes `open_sets.first` an element: nothing else may be said of every value, for there may be none."""
    return quantify(True, whole, lambda x: whole.contains(first(name)))


def open_sets(subject: Subject, translator: Translator, maker: Maker) -> Configured:
    """Let open sets be any finite sets; what the configuration has in them."""
    found: dict[str, frozenset[Atom]] = {}
    for constant in subject.open_sets:
        whole = open_set(constant.name)
        maker.open_sets = {**maker.open_sets, constant.name: whole}
        maker.constraints.append(has_first(constant.name, whole))
        translator.constants[constant] = whole
        translator.has_open_sets = True
        found[constant.name] = subject.elements(constant)
    return found


def open_constants(
    subject: Subject, translator: Translator, maker: Maker, some: Configured = NOTHING_OPEN
) -> dict[core.Constant, Value]:
    """Give each open constant some value of its type."""
    for constant in subject.free:
        translator.constants[constant] = maker.make(opened(subject.free_type(constant), some), constant.name)
    return {constant: translator.constants[constant] for constant in subject.free}
