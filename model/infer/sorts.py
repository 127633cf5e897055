"""Sets over which a specification's formulas quantify, and those in its state: candidates quantify over them, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.actions.facts import Analysis
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Boolean, Function, ModelValue, Value
from rmqproof.model.infer.dimensions import Dimension, Dimensions
from rmqproof.model.infer.writing import Unwritten, text_of
from rmqproof.model.tla import core
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import reached
from rmqproof.model.types.domain import (
    BOOL,
    NOTHING,
    UNKNOWN,
    Atom,
    Enum,
    Int,
    Record,
    Set,
    Tuple,
    Type,
    function_of,
    join_all,
    members_of,
)

_LARGEST = 24
"""A set with more elements is no domain of candidates: there would be too many bindings."""


@dataclass(frozen=True, slots=True)
class Sort:
    """A set, by its shortest text in the specification. `stem`: what names of its elements begin with."""

    text: str
    type: Type
    elements: frozenset[Value] | None
    """Of a constant set; None for one in the state."""
    stem: str
    dimensions: frozenset[Dimension] = frozenset()
    """What its elements are of."""


def sorts_of(
    model: core.Model, system: PythonSystem, formulas: Collection[core.Expression], dimensions: Dimensions
) -> list[Sort]:
    """The constant sets over which these formulas quantify, the most used first."""
    found: dict[frozenset[Value], list[tuple[str, core.Expression]]] = {}
    for domain in _domains(formulas):
        if not Analysis().of(domain).constant:
            continue
        try:
            text = text_of(domain, {}, model.specification.definitions)
            elements = system.constant(domain)
        except (Unwritten, TlaError, RecursionError):
            continue
        if isinstance(elements, frozenset) and 0 < len(elements) <= _LARGEST:
            found.setdefault(elements, []).append((text, domain))
    taken = names_in(model)
    sorts = []
    for elements, domains in sorted(found.items(), key=lambda item: (-len(item[1]), min(t for t, _ in item[1]))):
        text = min((t for t, _ in domains), key=lambda t: (len(t), t))
        stem = next(s for s in (*_stems(text), "_") if s not in taken)
        taken.add(stem)
        of = dimensions.of_elements([domain for _, domain in domains])
        sorts.append(Sort(text, join_all([type_of(e) for e in elements]), elements, stem, of))
    return sorts


def names_in(model: core.Model) -> set[str]:
    """The names that a specification declares and defines."""
    declared = [c.name for c in model.specification.constants]
    return {*model.specification.definitions, *declared, *(v.name for v in model.specification.variables)}


def element_sorts(
    model: core.Model, types: Mapping[core.Variable, Type], taken: Collection[str], dimensions: Dimensions
) -> list[Sort]:
    """The sets of records that variables are: one for each kind of record, told by a string that stands in a field.

    Kinds that no string tells apart are left out. `taken`: what names may not begin with.
    """
    used = {*names_in(model), *taken}
    bound = next(name for name in ("x_", "each_", "element_") if name not in used)
    sorts = []
    for variable, type_ in types.items():
        kinds = members_of(type_.element) if isinstance(type_, Set) else ()
        for kind in kinds:
            tag = _tag(kind, kinds) if isinstance(kind, Record) else None
            if not isinstance(kind, Record) or (len(kinds) > 1 and tag is None):
                continue
            text = variable.name
            if len(kinds) > 1 and tag is not None:
                text = f'{{{bound} \\in {variable.name} : {bound}.{tag[0]} = "{tag[1]}"}}'
            stem = next(s for s in (*_stems(tag[1] if tag is not None else variable.name), "_") if s not in used)
            used.add(stem)
            sorts.append(Sort(text, kind, None, stem, frozenset({dimensions.variable(variable).values})))
    return sorts


def _tag(kind: Record, kinds: Sequence[Type]) -> tuple[str, str] | None:
    """The field, and the string in it, by which one kind of record is told from the others, which have it, too."""
    for name, value in kind.fields:
        others = [other.field(name) if isinstance(other, Record) else None for other in kinds if other is not kind]
        atoms = {atom for other in others if isinstance(other, Enum) for atom in other.atoms}
        if isinstance(value, Enum) and len(value.atoms) == 1 and all(isinstance(o, Enum) for o in others):
            (atom,) = value.atoms
            if not atom.is_model and atom not in atoms:
                return name, atom.name
    return None


def _domains(formulas: Collection[core.Expression]) -> Iterator[core.Expression]:
    seen: set[int] = set()
    for formula in formulas:
        for node in reached(formula):
            binders: tuple[core.Binder, ...] = ()
            if isinstance(node, core.Quantified | core.FunctionConstructor):
                binders = node.binders
            for binder in binders:
                if binder.domain is not None and not binder.is_tuple and id(binder.domain) not in seen:
                    seen.add(id(binder.domain))
                    yield binder.domain


def _stems(text: str) -> Iterator[str]:
    letters = [c for c in text if c.isalpha()] or ["i"]
    yield letters[0].lower()
    yield from ("i", "j", "k", "e", "u", "w", "z")
    yield from (f"{letters[0].lower()}{letters[0].lower()}", "elem", "item")


def type_of(value: Value) -> Type:
    """The type of a value of the Python engine."""
    if isinstance(value, Boolean):
        return BOOL
    if isinstance(value, ModelValue):
        return Enum(frozenset({Atom(value.name, True)}))
    if isinstance(value, str):
        return Enum(frozenset({Atom(value)}))
    if isinstance(value, int):
        return Int(value, value)
    if isinstance(value, frozenset):
        return Set(join_all([type_of(item) for item in value]) if value else NOTHING)
    if isinstance(value, Function):
        pairs = list(value.items())
        if all(isinstance(key, str) for key, _ in pairs):
            return Record.of({str(key): type_of(item) for key, item in pairs})
        return function_of(join_all([type_of(k) for k, _ in pairs]), join_all([type_of(v) for _, v in pairs]), True)
    if isinstance(value, tuple):
        return Tuple(tuple(type_of(item) for item in value))
    return UNKNOWN
