"""State graphs as DOT."""

from __future__ import annotations

import pytest

from rmqproof.model.report.behaviour import Origin
from rmqproof.model.report.render import picture
from rmqproof.model.report.state_graph import Edge, Graph, describe, state_graph_dot
from rmqproof.model.tla.source import TlaError


def _graph(**rest: object) -> Graph:
    fields: dict[str, object] = {
        "variables": ("x", "who"),
        "states": tuple({"x": number, "who": {"#set": ["m1"]}} for number in range(3)),
        "edges": (
            Edge(0, 1, "Add", ("m1", 1)),
            Edge(0, 1, "Jump", ()),
            Edge(1, 1, "Wait", ()),
            Edge(1, 1, "Rest", ()),
            Edge(1, 2, "Add", ("m1", 1)),
            Edge(2, 0, "Reset", ()),
        ),
        "initial": frozenset({0}),
        "origin": Origin(model_values=frozenset({"m1"})),
    }
    return Graph(**(fields | rest))  # type: ignore[arg-type]


def test_parallel_edges_are_kept() -> None:
    drawn = picture(state_graph_dot(_graph()), "plain").decode()
    edges = [line.split()[1:3] for line in drawn.splitlines() if line.startswith("edge")]
    assert edges.count(["0", "1"]) == 2
    assert edges.count(["1", "1"]) == 1  # two steps that change nothing, in one loop
    assert describe(_graph()) == "3 states, 6 steps (2 parallel)"


def test_labels() -> None:
    dot = state_graph_dot(_graph())
    assert "Add(m1, 1)" in dot
    assert "who = {m1}" in dot
    assert "Wait" in dot and "Rest" in dot
    names = state_graph_dot(_graph(), names_only=True)
    assert ">who = {m1}<" not in names


def test_violating_states_are_red() -> None:
    dot = state_graph_dot(_graph(violating=frozenset({2}), violated="Small"))
    red = [line for line in dot.splitlines() if 'COLOR="#dc2626" BGCOLOR="#fef2f2"' in line]
    assert [line.split()[0] for line in red] == ["2"]
    assert "Small is violated in the red states" in dot
    assert "is violated" not in state_graph_dot(_graph())


def test_rows_are_distances_from_the_start() -> None:
    lines = picture(state_graph_dot(_graph()), "plain").decode().splitlines()
    heights = {line.split()[1]: float(line.split()[3]) for line in lines if line.startswith("node")}
    assert heights["0"] > heights["1"] > heights["2"]


@pytest.mark.parametrize("rest", [{}, {"whole": False}])
def test_too_large_a_graph_is_not_drawn(rest: dict[str, bool]) -> None:
    with pytest.raises(TlaError) as caught:
        state_graph_dot(_graph(**rest), most=3 if rest else 2)
    assert "could not be read" in caught.value.message
    assert "--limit" in caught.value.remedy


def test_characters_that_mean_something_to_graphviz() -> None:
    states = ({"x": 'a "b" <c> \\n & {d}', "who": {"#set": []}},)
    graph = _graph(states=states, edges=(Edge(0, 0, "A", ('"',)),))
    assert b"&lt;c&gt;" in picture(state_graph_dot(graph), "svg")
