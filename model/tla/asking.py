"""Formulas that ask where the search is, or tell it or the world something: TLCGet, TLCSet, files that are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rmqproof.model.tla.conditions import always_asked
from rmqproof.model.tla.core import Builtin, Definition, Expression, Literal, Model
from rmqproof.model.tla.source import Location
from rmqproof.model.tla.walk import reached

_GETTING = frozenset({"TLC!TLCGet", "TLCExt!TLCGetOrDefault", "TLCExt!TLCGetAndSet"})
_ASKING = _GETTING | {"TLC!TLCSet"}
DRAWING = frozenset({"TLC!RandomElement", "Randomization!RandomSubset", "Randomization!RandomSetOfSubsets"})
"""Operators whose value is drawn at random."""
WRITING = frozenset(
    {
        *("Json!JsonSerialize", "Json!ndJsonSerialize", "IOUtils!Serialize", "IOUtils!IOSerialize"),
        *("CSV!CSVWrite", "CSV!CSVWriteRecord"),
    }
)
"""Operators that write a file."""
_KNOWN_EARLY = frozenset({"level", "duration", "revision"})


def asks_the_search(model: Model) -> bool:
    """Whether any formula that the search evaluates leads to TLCGet or TLCSet."""
    shown = [model.alias.body] if model.alias is not None else []
    return _reaches([*_searched(model), *shown], _ASKING)


def draws_in(model: Model) -> Location | None:
    """Where a formula that the search evaluates draws at random, or a constant in it; None: nothing does.

    What ALIAS draws is only shown.
    """
    found = (node for node in reached(*_searched(model)) if isinstance(node, Builtin) and node.operator in DRAWING)
    return next((node.at for node in found), None)


def writes_files(model: Model) -> bool:
    """Whether any formula of the model writes a file."""
    shown = [model.alias.body] if model.alias is not None else []
    assumed = (each.body for each in model.specification.assumptions)
    return _reaches([*_searched(model), *shown, *assumed], WRITING)


def _searched(model: Model) -> Iterator[Expression]:
    yield from (node for node in (model.initial, model.next) if node is not None)
    definitions = (*model.invariants, *model.constraints, *model.action_constraints, *model.postconditions)
    yield from (d.body for d in definitions if d.body is not None)
    if model.view is not None:
        yield model.view.body
    yield from model.fairness
    yield from (prop.definition.body for prop in model.properties)


def asks_of_states(model: Model) -> bool:
    """Whether the search is asked or told something in constraints of states and in invariants only, and both ask for
    nothing but `TLCGet("level")`, invariants in what they ask for whatever the state. With liveness constraints ask for
    nothing at all, so that the graph does not depend on it.

    ALIAS and POSTCONDITION are no part of the search.
    """
    elsewhere: list[Expression] = [node for node in (model.initial, model.next) if node is not None]
    elsewhere += [d.body for d in (*model.action_constraints, *([model.view] if model.view is not None else []))]
    elsewhere += [*model.fairness, *(prop.definition.body for prop in model.properties)]
    within = [d.body for d in model.constraints]
    asked = _ASKING if any(prop.liveness for prop in model.properties) else frozenset()
    always = [part for d in model.invariants for part in always_asked(d.body)]
    return not _reaches(elsewhere, _ASKING) and not _reaches(within, asked) and asks_only_levels([*within, *always])


def asks_only_levels(nodes: Iterable[Expression]) -> bool:
    """Whether all that the search is asked or told there is `TLCGet("level")`."""
    return all(is_level(node) for node in reached(*nodes) if isinstance(node, Builtin) and node.operator in _ASKING)


def is_level(node: Builtin) -> bool:
    """Whether it is `TLCGet("level")`."""
    key = node.arguments[0] if node.operator == "TLC!TLCGet" else None
    return isinstance(key, Literal) and key.value == "level"


def asks(node: Expression) -> bool:
    """Whether the value of the expression depends on where the search is."""
    return _reaches([node], _GETTING)


def tells(node: Expression) -> bool:
    """Whether the expression tells the search something, without asking it anything."""
    return _reaches([node], _ASKING) and not asks(node)


def asks_too_early(definition: Definition) -> bool:
    """Whether a definition asks for what TLC does not know yet when it reads the configuration."""
    return any(
        isinstance(node, Builtin)
        and node.operator == "TLC!TLCGet"
        and isinstance(node.arguments[0], Literal)
        and node.arguments[0].value not in _KNOWN_EARLY
        for node in reached(definition.body)
    )


def _reaches(nodes: Iterable[Expression], operators: frozenset[str]) -> bool:
    return any(isinstance(node, Builtin) and node.operator in operators for node in reached(*nodes))
