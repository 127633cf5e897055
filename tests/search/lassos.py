"""A naive check of temporal formulas: every short lasso of a small graph, the formula evaluated point by point.

Formulas are nested tuples: ("p", set of states), ("not", f), ("and", f, g), ("or", f, g), ("always", f),
("eventually", f), ("leads", f, g), ("box", steps): always only these steps or stuttering, ("angle", steps): some step
is one of these and no stuttering, ("wf", steps), ("sf", steps).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rmqproof.model.search.liveness.formula import (
    Atom,
    Formula,
    Predicate,
    always,
    conjunction,
    disjunction,
    eventually,
    negation,
)

Steps = frozenset[tuple[int, int]]
Tree = tuple[Any, ...]


def lassos(edges: Steps, initial: frozenset[int], prefix: int, cycle: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Words with the index that the last state returns to: at most `prefix` states, then at most `cycle`."""
    after: dict[int, list[int]] = {}
    for tail, head in edges:
        after.setdefault(tail, []).append(head)
    words = [(start,) for start in initial]
    for length in range(1, prefix + cycle + 1):
        for word in words:
            for loop in range(max(0, length - cycle), min(length, prefix + 1)):
                if (word[-1], word[loop]) in edges:
                    yield word, loop
        words = [(*word, head) for word in words for head in after.get(word[-1], ())]


def holds(tree: Tree, word: tuple[int, ...], loop: int) -> bool:
    """Whether the behaviour satisfies the formula."""
    return _at(tree, word, loop, 0)


def _at(tree: Tree, word: tuple[int, ...], loop: int, place: int) -> bool:
    def later(inner: Tree) -> Iterator[bool]:
        return (_at(inner, word, loop, i) for i in range(min(place, loop), len(word)) if i >= place or i >= loop)

    def steps(start: int) -> list[tuple[int, int]]:
        last = len(word) - 1
        places = [i for i in range(len(word)) if i >= start or i >= loop]
        return [(word[i], word[i + 1] if i < last else word[loop]) for i in places]

    match tree:
        case ("p", states):
            return word[place] in states
        case ("not", inner):
            return not _at(inner, word, loop, place)
        case ("and", left, right):
            return _at(left, word, loop, place) and _at(right, word, loop, place)
        case ("or", left, right):
            return _at(left, word, loop, place) or _at(right, word, loop, place)
        case ("always", inner):
            return all(later(inner))
        case ("eventually", inner):
            return any(later(inner))
        case ("leads", left, right):
            return _at(("always", ("or", ("not", left), ("eventually", right))), word, loop, place)
        case ("box", allowed):
            return all(step in allowed or step[0] == step[1] for step in steps(place))
        case ("angle", wanted):
            return any(step in wanted and step[0] != step[1] for step in steps(place))
    kind, action = tree
    moving = {step for step in action if step[0] != step[1]}
    recurring = word[loop:]
    enabled = [state in {tail for tail, _ in moving} for state in recurring]
    taken = any(step in moving for step in steps(loop) if step[0] != step[1])
    return taken or not (all(enabled) if kind == "wf" else any(enabled))


def formula_of(tree: Tree) -> Formula:
    """The same formula for the search."""
    match tree:
        case ("p", states):
            return Atom(Predicate(lambda state: state in states))
        case ("not", inner):
            return negation(formula_of(inner))
        case ("and", left, right):
            return conjunction((formula_of(left), formula_of(right)))
        case ("or", left, right):
            return disjunction((formula_of(left), formula_of(right)))
        case ("always", inner):
            return always(formula_of(inner))
        case ("eventually", inner):
            return eventually(formula_of(inner))
        case ("leads", left, right):
            return always(disjunction((negation(formula_of(left)), eventually(formula_of(right)))))
        case ("box", allowed):
            return always(Atom(Predicate(lambda before, after: (before, after) in allowed or before == after, True)))
        case ("angle", wanted):
            test = lambda before, after: (before, after) in wanted and before != after  # noqa: E731
            return eventually(Atom(Predicate(test, True)))
    kind, action = tree
    moving = {step for step in action if step[0] != step[1]}
    enabled = Atom(Predicate(lambda state: any(tail == state for tail, _ in moving)))
    taken = Atom(Predicate(lambda before, after: (before, after) in moving, True))
    if kind == "wf":
        return always(eventually(disjunction((negation(enabled), taken))))
    return disjunction((eventually(always(negation(enabled))), always(eventually(taken))))
