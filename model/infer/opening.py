"""What a search for an invariant begins with: the property, the words of the specification, its reachable states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from rmqproof.model.evaluate.system import PythonSystem, check_assumptions, sentence, system_of
from rmqproof.model.infer.dimensions import Dimension, Dimensions
from rmqproof.model.infer.domain_facts import domain_facts
from rmqproof.model.infer.finding import Conjunct, Stored
from rmqproof.model.infer.grammar import Atom, Grammar, Name, Operator, Term, names_of
from rmqproof.model.infer.harvest import harvested, wrapped
from rmqproof.model.infer.reachable import Reachable, reachable_states
from rmqproof.model.infer.sorts import Sort, element_sorts, sorts_of, type_of
from rmqproof.model.infer.stages import Stage, prefixes_in, stages_of
from rmqproof.model.infer.vocabulary import Vocabulary, read_words
from rmqproof.model.tla import core
from rmqproof.model.tla.model_files import ModelFiles
from rmqproof.model.tla.source import TlaError
from rmqproof.model.tla.walk import reached
from rmqproof.model.types.application import applied
from rmqproof.model.types.domain import Enum, Int, Type
from rmqproof.model.types.infer import infer_types
from rmqproof.model.types.typing import Scope, Typing

TYPES = ("TypeOK", "TypeInvariant", "TypeInv", "TypeCorrect", "TypesOK")
_NAMES = 3
_BETWEEN = 5.0
"""Seconds between two lines about the exploration."""
_NUMBERS = 4
"""Numbers that the specification writes become terms, so many at most."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, and how much may be done for it. `seconds`: of the whole search; `timeout`: of a question."""

    properties: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    resumed: tuple[str, ...] = ()
    """Conjuncts that an earlier search had found."""
    states: int = 20_000
    seconds: float = 1_800.0
    timeout: float = 10.0
    stored: Stored | None = None
    """States that are kept elsewhere, in which candidates have to hold, too."""


@dataclass(frozen=True, eq=False)
class Opened:
    """`system` is that of the specification itself; `given` are the conjuncts to begin with, the properties first.

    `spare`: what holds besides: the other invariants of the configuration, one about types, hints, what an earlier
    search had found; they become conjuncts if they are needed. `shapes`: which domains functions on 1..n have.
    """

    files: ModelFiles
    model: core.Model
    system: PythonSystem
    words: Vocabulary
    properties: tuple[str, ...]
    given: tuple[Conjunct, ...]
    reachable: Reachable
    stages: tuple[Stage, ...]
    spare: tuple[Conjunct, ...] = ()
    shapes: tuple[Conjunct, ...] = ()
    refused: tuple[str, ...] = ()
    """Hints that some reachable state falsifies."""

    def sentence(self, name: str) -> str:
        """What a user loses when a property fails."""
        definition = self.model.specification.definitions.get(name)
        return sentence(definition) if definition is not None else ""


def opened(files: ModelFiles, wish: Wish, tell: Callable[[str], None]) -> Opened:
    """Read the specification and explore it. Raise `TlaError`.

    `Opened.reachable.violated` has a property that does not hold.
    """
    model = files.load()
    if model.initial is None or model.next is None:
        raise TlaError(
            "there is nothing to explore: the configuration names no initial states and steps",
            remedy="Write SPECIFICATION Spec, or INIT and NEXT, into the configuration.",
            kind="config",
        )
    system = system_of(model)
    for name, at in check_assumptions(model, system):
        raise TlaError(f"the assumption {name or 'here'} is false", at, kind="evaluation")
    properties = _properties(model, wish.properties)
    formulas = [model.initial, model.next, *(d.body for d in properties), *(d.body for d in model.invariants)]
    dimensions = Dimensions(formulas)
    sorts = sorts_of(model, system, formulas, dimensions)
    inferred = infer_types(model).variables
    types = {variable: inferred[variable] for variable in model.specification.variables}
    sorts += element_sorts(model, types, [sort.stem for sort in sorts], dimensions)
    domains = _same_sets(model, system, sorts)
    facts = domain_facts(
        types, sorts, [n for n in _first(names_of(sorts, 1)) if n.sort.elements is not None], dimensions
    )
    said = [*dict.fromkeys((*wish.hints, *wish.resumed)), *facts]
    words = words_of(files, model, system, types, formulas, sorts, dimensions, domains, said)
    bodies = [d.body for d in properties]
    stages = stages_of(words.names, prefixes_in(bodies, words.names, domains, model.specification.definitions))
    tell(f"{len(words.atoms):,} atoms over {', '.join(name.text for name in words.names) or 'no names'}")
    tests = {d.name: system.state_condition(d.body) for d in properties}
    end = monotonic() + wish.seconds / 4
    reachable = reachable_states(system, tests, wish.states, lambda: monotonic() > end, _now_and_then(tell))
    remedy = ": see --states and --store" if wish.stored is None else ""
    others = "" if reachable.whole else f", and there are more{remedy}"
    tell(f"{len(reachable.states):,} reachable states{others}")
    definitions = words.model.specification.definitions
    given = [Conjunct(d.name, definitions[d.name].body, d.name) for d in properties]
    names = {d.name for d in properties}
    support = [d for d in dict.fromkeys((*model.invariants, *_type_invariants(model))) if d.name not in names]
    named = [Conjunct(d.name, definitions[d.name].body, d.name) for d in support]
    more = [Conjunct(text, definition.body) for text, definition in zip(said, words.hints, strict=True)]
    begun = len(more) - len(facts)
    holding, refused = _sorted(system, reachable, [*named, *more[:begun]], wish.stored)
    return Opened(
        files, model, system, words, tuple(d.name for d in properties), tuple(given), reachable, tuple(stages),
        tuple(holding), tuple(more[begun:]), tuple(refused),
    )  # fmt: skip


def _now_and_then(tell: Callable[[str], None]) -> Callable[[int, int], None]:
    """What tells how many states there are, every few seconds."""
    told = monotonic()

    def say(states: int, depth: int) -> None:
        nonlocal told
        if monotonic() > told + _BETWEEN:
            told = monotonic()
            tell(f"{states:,} states, depth {depth}")

    return say


def _sorted(
    system: PythonSystem, reachable: Reachable, conjuncts: Sequence[Conjunct], stored: Stored | None
) -> tuple[list[Conjunct], list[str]]:
    """Those that hold in the reachable states, and the texts of the others."""
    plain = PythonSystem(system.model)
    holding, refused = [], []
    for conjunct in conjuncts:
        test = plain.state_condition(conjunct.formula)
        if all(test(state) for state in reachable.states):
            holding.append(conjunct)
        else:
            refused.append(conjunct.text)
    if stored is not None and holding:
        failing = stored.failing([conjunct.text for conjunct in holding])
        refused += [conjunct.text for conjunct, state in zip(holding, failing, strict=True) if state is not None]
        holding = [conjunct for conjunct in holding if conjunct.text not in refused]
    return holding, refused


def _properties(model: core.Model, wanted: Sequence[str]) -> list[core.Definition]:
    """The definitions that are to be implied: those named, else the invariants but that about types."""
    if not wanted:
        found = [d for d in model.invariants if d.name not in TYPES] or list(model.invariants)
        if not found:
            raise TlaError(
                "no property is named",
                remedy="Name one with --property, or write INVARIANT into the configuration.",
                kind="config",
            )
        return found
    definitions = {**model.specification.definitions, **{d.name: d for d in model.invariants}}
    for name in wanted:
        if name not in definitions:
            raise TlaError(f"there is no definition {name}", remedy="Name a formula about states.", kind="config")
        definition = definitions[name]
        if definition.level > core.STATE or definition.parameters:
            raise TlaError(f"{name} is no formula about states", definition.at, "Name an invariant.", "config")
    return [definitions[name] for name in wanted]


def _type_invariants(model: core.Model) -> Iterator[core.Definition]:
    for name in TYPES:
        definition = model.specification.definitions.get(name)
        if definition is not None and definition.level == core.STATE and not definition.parameters:
            yield definition


def hints_in(file: Path) -> tuple[str, ...]:
    """The conjuncts that a file has, one a line. Raise `TlaError`."""
    try:
        lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise TlaError(f"{file}: {error}", kind="system") from None
    return tuple(line.removeprefix("/\\").strip() for line in lines if line and not line.startswith("\\*"))


# --- words -----------------------------------------------------------------------------------------------------------


def words_of(
    files: ModelFiles,
    model: core.Model,
    system: PythonSystem,
    types: Mapping[core.Variable, Type],
    formulas: Sequence[core.Expression],
    sorts: Sequence[Sort],
    dimensions: Dimensions,
    domains: Mapping[str, str],
    hints: Sequence[str] = (),
) -> Vocabulary:
    """The atoms that candidates are made of. Raise `TlaError`."""
    names = names_of(sorts, _NAMES)
    constant = [sort for sort in sorts if sort.elements is not None]
    constants = list(_constants(model, system, sorts, formulas))
    grammar = Grammar(types, sorts, dimensions, constants, list(_operators(model, dimensions)))
    found: dict[str, Atom] = {}
    for atom in (
        *grammar.atoms(names, _NAMES),
        *harvested(model, formulas, names, domains, dimensions),
        *grammar.quantified(_first(names), 1),
        *wrapped(model, formulas, names, constant, domains, dimensions),
    ):
        found.setdefault(atom.text, atom)
    return read_words(files, found.values(), names, hints)


def _first(names: Sequence[Name]) -> list[Name]:
    """The first name of each sort."""
    return [name for name in names if name.text == name.sort.stem]


def _constants(
    model: core.Model, system: PythonSystem, sorts: Sequence[Sort], formulas: Sequence[core.Expression]
) -> Iterator[Term]:
    """Constants that are names or numbers, and the numbers that formulas have."""
    elements = {element for sort in sorts for element in sort.elements or ()}
    for constant in model.specification.constants:
        if constant.value is None or constant.arity:
            continue
        value = system.constant(constant.value)
        if isinstance(type_of(value), Enum | Int) and value not in elements:
            yield Term(constant.name, type_of(value), cost=1)
    for definition in model.specification.definitions.values():
        if definition.level != core.CONSTANT or definition.parameters or definition.local:
            continue
        if isinstance(definition.body, core.Choose):
            yield Term(definition.name, type_of(system.constant(definition.body)), cost=1)
    numbers: dict[int, int] = {}
    for formula in formulas:
        for node in reached(formula):
            if isinstance(node, core.Literal) and type(node.value) is int:
                numbers[node.value] = numbers.get(node.value, 0) + 1
    for number in sorted(numbers, key=lambda n: (-numbers[n], n))[:_NUMBERS]:
        yield Term(str(number) if number >= 0 else f"({number})", Int(number, number), cost=1)


def _operators(model: core.Model, dimensions: Dimensions) -> Iterator[Operator]:
    """The operators of one argument that the formulas apply, in the order of their names."""
    typing = infer_types(model).typing()
    for name, definition in sorted(model.specification.definitions.items()):
        given = dimensions.of_arguments(definition)
        if len(given) == 1 and "!" not in name and not definition.recursive and definition.level <= core.STATE:
            yield _operator(name, definition, typing, dimensions)


def _operator(name: str, definition: core.Definition, typing: Typing, dimensions: Dimensions) -> Operator:
    def type_at(argument: Type) -> Type:
        return applied(typing, definition, [argument], Scope())

    def dimension_at(argument: Dimension) -> Dimension:
        return dimensions.applied(definition, [argument])

    (given,) = dimensions.of_arguments(definition)
    return Operator(name, definition.level == core.STATE, given, type_at, dimension_at)


def _same_sets(model: core.Model, system: PythonSystem, sorts: Sequence[Sort]) -> dict[str, str]:
    """The text of every domain to that of the sort with the same elements."""
    found = {sort.text: sort.text for sort in sorts if sort.elements is not None}
    named = {c.name: c.value for c in model.specification.constants if c.value is not None and not c.arity}
    for definition in model.specification.definitions.values():
        if definition.level == core.CONSTANT and not definition.parameters:
            named[definition.name] = definition.body
    for name, body in named.items():
        try:
            value = system.constant(body)
        except TlaError:
            continue
        for sort in sorts:
            if value == sort.elements:
                found[name] = sort.text
    return found
