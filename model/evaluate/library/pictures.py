"""SVG: pictures of states as text."""

from __future__ import annotations

import math
from typing import Final

from rmqproof.model.evaluate.library.arguments import integer, mapping, record_fields, refuse, string
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.shape import STR
from rmqproof.model.evaluate.values import Value, pairs_of, record


def element_to_string(element: Value) -> str:
    """Underscores in the names of attributes stand for hyphens."""
    operator = "SVGElemToString"
    fields = record_fields(element, operator)
    name = string(fields.get("name", ""), operator)
    attributes = "".join(
        f" {key.replace('_', '-')}='{string(value, operator)}'"
        for key, value in record_fields(fields.get("attrs", ()), operator).items()
    )
    text = string(fields.get("innerText", ""), operator).replace("<<", "&lt;&lt;").replace(">>", "&gt;&gt;")
    children = "".join(element_to_string(child) for _, child in pairs_of(mapping(fields.get("children", ()), operator)))
    return f"<{name}{attributes}>{text}{children}</{name}>"


def node_of_ring_network(cx: Value, cy: Value, r: Value, n: Value, m: Value) -> Value:
    """The n-th of m places on a circle, coordinates cut to integers."""
    x, y, radius, place, places = (integer(value, "NodeOfRingNetwork") for value in (cx, cy, r, n, m))
    angle = 2 * math.pi / places * place
    return record(x=int(x + radius * math.cos(angle)), y=int(y + radius * math.sin(angle)))


def nodes_of_directed_multi_graph(nodes: Value, edges: Value, options: Value) -> Value:
    refuse("SVG!NodesOfDirectedMultiGraph", "no layout of graphs is computed")


OPERATORS: Final = {
    "SVG!SVGElemToString": Operator(element_to_string, STR),
    "SVG!NodeOfRingNetwork": Operator(node_of_ring_network),
    "SVG!NodesOfDirectedMultiGraph": Operator(nodes_of_directed_multi_graph),
}
