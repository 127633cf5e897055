"""The graph of all states of a small model, as DOT: states as nodes, steps as edges, none left out.

It is a multigraph: two actions between the same two states are two edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rmqproof.model.report.behaviour import Origin, Value
from rmqproof.model.report.box import EDGE, FAINT, FILL, FONT, INK, font, shortened
from rmqproof.model.report.chart import Tone
from rmqproof.model.report.dot_text import html, quoted
from rmqproof.model.report.value import Notation
from rmqproof.model.tla.source import TlaError

MOST_NODES = 500
COLOURS = ("#2563eb", "#b45309", "#15803d", "#9333ea", "#be123c", "#0e7490", "#4d7c0f", "#c026d3", "#475569", "#92400e")
"""Of actions: dark enough to read as text."""
_WIDEST = 320
_TEXT = 9


@dataclass(frozen=True, slots=True)
class Edge:
    """A step between states, which are given by their positions in `Graph.states`."""

    tail: int
    head: int
    action: str
    arguments: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """States (ITF values by variable), steps in the order in which they were found, initial states.

    `violating`: states in which the property `violated` is false. `whole` is false where the exploration was cut.
    `deadlocks`: states from which no step leads on, where there should be one.
    """

    variables: tuple[str, ...]
    states: tuple[Mapping[str, Value], ...]
    edges: tuple[Edge, ...]
    initial: frozenset[int]
    violating: frozenset[int] = frozenset()
    violated: str = ""
    whole: bool = True
    origin: Origin = field(default_factory=Origin)
    deadlocks: frozenset[int] = frozenset()


def state_graph_dot(graph: Graph, names_only: bool = False, most: int = MOST_NODES) -> str:
    """The graph as DOT, for `render`. `names_only` labels states by number alone.

    Raise `TlaError` for more than `most` states: nobody can read such a picture.
    """
    if len(graph.states) > most or not graph.whole:
        raise TlaError(
            f"The state graph has more than {most:,} states, and a picture of it could not be read.",
            remedy="Make the constants of the model smaller, or allow more with --limit.",
            kind="system",
        )
    notation = Notation(graph.origin.model_values)
    lines = [
        "digraph states {",
        f'  graph [rankdir=TB fontname="{FONT}" nodesep=0.3 ranksep=0.5 pad=0.25 bgcolor="white"]',
        f'  node [shape=plain fontname="{FONT}" fontsize={_TEXT}]',
        f'  edge [fontname="{FONT}" fontsize={_TEXT - 1} color="{EDGE[Tone.PLAIN]}" fontcolor="{FAINT}" arrowsize=0.6]',
    ]
    for number, state in enumerate(graph.states):
        lines.append(
            f"  {number} [label={_node(graph, notation, number, state, names_only)} {_tooltip(notation, state)}]"
        )
    for number in sorted(graph.initial):
        lines += [
            f'  "to {number}" [shape=point width=0.08 color="{INK}"]',
            f'  "to {number}" -> {number} [color="{INK}"]',
        ]
    lines += _ranks(graph)
    lines += _edges(graph, notation)
    if graph.violated and graph.violating:
        caption = font(f"{graph.violated} is violated in the red states", 11, EDGE[Tone.BAD], bold=True)
        lines.append(f"  label=<{caption}>")
    return "\n".join([*lines, "}", ""])


def describe(graph: Graph) -> str:
    """How large the graph is, in one line."""
    pairs = Counter((edge.tail, edge.head) for edge in graph.edges)
    parallel = sum(count - 1 for count in pairs.values())
    stuck = len(graph.deadlocks)
    more = f", {stuck} deadlock{'s' if stuck > 1 else ''}" if stuck else ""
    return (
        f"{len(graph.states)} states, {len(graph.edges)} steps" + (f" ({parallel} parallel)" if parallel else "") + more
    )


def _node(graph: Graph, notation: Notation, number: int, state: Mapping[str, Value], names_only: bool) -> str:
    tone = Tone.BAD if number in graph.violating or number in graph.deadlocks else Tone.PLAIN
    border = 2 if tone is Tone.BAD or number in graph.initial else 1
    colour = EDGE[tone] if tone is Tone.BAD else INK if number in graph.initial else EDGE[tone]
    rows = [f'<TR><TD ALIGN="CENTER">{font(str(number + 1), _TEXT, FAINT, bold=True)}</TD></TR>']
    if not names_only:
        for name, value in state.items():
            text = shortened(f"{name} = {notation.line(value)}", _TEXT, _WIDEST)
            rows.append(f'<TR><TD ALIGN="LEFT">{font(text, _TEXT, INK)}</TD></TR>')
    if number in graph.deadlocks:
        rows.append(f'<TR><TD ALIGN="CENTER">{font("deadlock", _TEXT, EDGE[Tone.BAD], bold=True)}</TD></TR>')
    rows.append('<TR><TD HEIGHT="3"></TD></TR>')
    return (
        f'<<TABLE BORDER="{border}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2" STYLE="ROUNDED" COLOR="{colour}"'
        f' BGCOLOR="{FILL[tone]}">{"".join(rows)}</TABLE>>'
    )


def _ranks(graph: Graph) -> list[str]:
    """States at one distance from the initial ones stand in one row."""
    rows: dict[int, list[int]] = {}
    for number, depth in _depths(graph).items():
        rows.setdefault(depth, []).append(number)
    return [f"  {{ rank=same; {'; '.join(map(str, row))} }}" for row in rows.values()]


def _edges(graph: Graph, notation: Notation) -> list[str]:
    depths = _depths(graph)
    colours = {action: COLOURS[i % len(COLOURS)] for i, action in enumerate(_actions(graph))}
    lines = []
    loops: dict[int, list[str]] = {}
    for edge in graph.edges:
        text, colour = _label(notation, edge), colours[edge.action]
        if edge.tail == edge.head:
            loops.setdefault(edge.tail, []).append(f'<FONT COLOR="{colour}">{html(text)}</FONT>')
            continue
        back = " constraint=false" if depths.get(edge.head, 0) <= depths.get(edge.tail, 0) else ""
        label = f"<{html(text)} >" if text else '""'
        lines.append(f'  {edge.tail} -> {edge.head} [label={label} color="{colour}" fontcolor="{colour}"{back}]')
    # The steps that change nothing: one loop with a line for each of them.
    for number, texts in loops.items():
        lines.append(f'  {number} -> {number} [label=<{"<BR/>".join(texts)}> color="{EDGE[Tone.PLAIN]}"]')
    return lines


def _depths(graph: Graph) -> dict[int, int]:
    after: dict[int, list[int]] = {}
    for edge in graph.edges:
        after.setdefault(edge.tail, []).append(edge.head)
    depths = dict.fromkeys(sorted(graph.initial), 0)
    row = list(depths)
    while row:
        row = list(dict.fromkeys(head for tail in row for head in after.get(tail, ()) if head not in depths))
        depths |= dict.fromkeys(row, max(depths.values()) + 1)
    return depths


def _actions(graph: Graph) -> list[str]:
    return list(dict.fromkeys(edge.action for edge in graph.edges))


def _label(notation: Notation, edge: Edge) -> str:
    arguments = ", ".join(notation.line(argument) for argument in edge.arguments)
    return shortened(f"{edge.action}({arguments})" if arguments else edge.action, _TEXT - 1, _WIDEST)


def _tooltip(notation: Notation, state: Mapping[str, Value]) -> str:
    return "tooltip=" + quoted("\n".join(f"/\\ {name} = {notation.line(value)}" for name, value in state.items()))
