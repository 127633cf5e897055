"""How far candidates go, one stage after the other: simple ones first, others where those exclude nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.infer.grammar import Name
from rmqproof.model.infer.writing import Unwritten, text_of
from rmqproof.model.tla import core

Names = tuple[Name, ...]
_LONGEST = 6
"""So many names has the longest prefix of a property that candidates have, too."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The prefixes of candidates, the level of their atoms, and how many literals they have."""

    prefixes: tuple[Names, ...]
    level: int
    literals: int


def stages_of(names: Sequence[Name], own: Collection[Names]) -> list[Stage]:
    """The stages. `own`: the prefixes that the properties have."""
    two, three = (tuple(prefixes(names, most)) for most in (2, 3))
    mine = tuple(prefix for prefix in own if len(prefix) > 2)
    found = [Stage(two, 0, 3), Stage(mine, 0, 4), Stage(two, 1, 3), Stage(three, 0, 4)]
    return [stage for stage in [*found, Stage(three, 1, 4)] if stage.prefixes]


def prefixes(names: Sequence[Name], most: int) -> Iterator[Names]:
    """The lists of at most so many names: of each sort the first ones. Short lists come first."""
    sorts = list(dict.fromkeys(name.sort for name in names))
    by_sort = [[name for name in names if name.sort is sort] for sort in sorts]

    def chosen(place: int, left: int) -> Iterator[Names]:
        if place == len(by_sort):
            yield ()
            return
        for number in range(min(left, len(by_sort[place])) + 1):
            for rest in chosen(place + 1, left - number):
                yield (*by_sort[place][:number], *rest)

    yield from sorted(chosen(0, most), key=len)


def prefixes_in(
    formulas: Collection[core.Expression],
    names: Sequence[Name],
    domains: Mapping[str, str],
    known: Mapping[str, core.Definition],
) -> list[Names]:
    """The prefixes of the universal formulas in these, through the definitions and conjunctions around them.

    `domains`: the text of every constant set to that of its sort.
    """
    found: list[Names] = []
    stack = list(formulas)
    while stack:
        formula = stack.pop()
        if isinstance(formula, core.Call) and not formula.definition.recursive:
            stack.append(formula.definition.body)
        elif isinstance(formula, core.Builtin) and formula.operator == "/\\":
            stack += formula.arguments
        elif isinstance(formula, core.Quantified) and formula.kind == "\\A":
            sorts = list(_domains(formula, domains, known))
            count = {text: sorts.count(text) for text in sorts}
            prefix = tuple(
                name
                for text, number in count.items()
                for name in [name for name in names if name.sort.text == text][:number]
            )
            if len(prefix) <= _LONGEST and prefix not in found:
                found.append(prefix)
    return found


def _domains(
    formula: core.Expression, domains: Mapping[str, str], known: Mapping[str, core.Definition]
) -> Iterator[str]:
    while isinstance(formula, core.Quantified) and formula.kind == "\\A":
        for binder in formula.binders:
            if binder.domain is not None and not binder.is_tuple:
                try:
                    text = text_of(binder.domain, {}, known)
                except Unwritten:
                    continue
                if text in domains:
                    yield domains[text]
        formula = formula.body
