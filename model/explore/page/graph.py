"""The state graph of a small model, or the first part of a larger one, folded by an expression if wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rmqproof.model.explore.evaluation import Evaluation
from rmqproof.model.explore.space import Space
from rmqproof.model.search.system import State

_LONGEST = 60


def graph_json(space: Space, most: int, folding: Evaluation | None, identify: Callable[[State], int]) -> dict[str, Any]:
    """At most `most` states, level by level, with the way to each; edges with the actions that make them."""
    numbers: dict[State, list[int]] = {}
    level: list[State] = []
    edges: dict[tuple[State, State], list[str]] = {}
    for move in space.initial.moves[:most]:
        if move.state not in numbers and not move.outside:
            numbers[move.state] = [move.number]
            level.append(move.state)
    cut = False
    levels: dict[State, int] = dict.fromkeys(level, 0)
    while level:
        following: list[State] = []
        for state in level:
            for move in space.moves(state).moves:
                if move.outside:
                    continue
                if move.state not in numbers:
                    if len(numbers) >= most:
                        cut = True
                        continue
                    numbers[move.state] = [*numbers[state], move.number]
                    levels[move.state] = levels[state] + 1
                    following.append(move.state)
                edges.setdefault((state, move.state), []).append(move.title)
        level = following
    groups = {state: folding.found(state).text if folding is not None else str(identify(state)) for state in numbers}
    nodes: dict[str, dict[str, Any]] = {}
    for state, path in numbers.items():
        node = nodes.setdefault(
            groups[state],
            {"label": groups[state][:_LONGEST], "level": levels[state], "states": 0, "numbers": path, "bad": False},
        )
        node["states"] += 1
        node["bad"] = node["bad"] or any(not one.holds for one in space.properties(state))
        node["end"] = node.get("end", True) and not any(not move.outside for move in space.moves(state).moves)
        node.setdefault("ids", []).append(identify(state))
    places = {name: place for place, name in enumerate(nodes)}
    between: dict[tuple[int, int], list[str]] = {}
    for (one, other), titles in edges.items():
        known = between.setdefault((places[groups[one]], places[groups[other]]), [])
        known += [title for title in titles if title not in known]
    return {
        "nodes": list(nodes.values()),
        "edges": [{"from": one, "to": other, "titles": titles[:6]} for (one, other), titles in between.items()],
        "states": len(numbers),
        "cut": cut,
        "folded": folding is not None,
    }
