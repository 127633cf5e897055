"""VectorClocks: the entries of a log in a causal order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rmqproof.model.evaluate.faults import Fault
from rmqproof.model.evaluate.lazy import in_order
from rmqproof.model.evaluate.library.arguments import integer, mapping, sequence
from rmqproof.model.evaluate.library.operator import Operator
from rmqproof.model.evaluate.operations import apply
from rmqproof.model.evaluate.value_order import ordered
from rmqproof.model.evaluate.values import Value

Of = Callable[[Value], Value]


def causal_order(log: Value, clock: Of, node: Of, domain: Of) -> tuple[Value, ...]:
    """Each entry after what its clock says it has seen: for each node its first so many entries.

    The clocks must be without gaps. Among entries that may come next, those of the first node in order do.
    """
    by_node: dict[Value, list[tuple[int, Value, dict[Value, int]]]] = {}
    for entry in sequence(log, "CausalOrder"):
        seen = mapping(clock(entry), "CausalOrder")
        writer = node(entry)
        times = {other: integer(apply(seen, other), "CausalOrder") for other in in_order(domain(seen))}
        by_node.setdefault(writer, []).append((integer(apply(seen, writer), "CausalOrder"), entry, times))
    for entries in by_node.values():
        entries.sort(key=lambda entry: entry[0])
    writers = ordered(by_node)
    done = dict.fromkeys(writers, 0)
    result: list[Value] = []
    while len(result) < sum(map(len, by_node.values())):
        for writer in writers:
            if done[writer] < len(by_node[writer]):
                _, entry, times = by_node[writer][done[writer]]
                if all(done.get(other, 0) >= time for other, time in times.items() if other != writer):
                    result.append(entry)
                    done[writer] += 1
                    break
        else:
            raise Fault("CausalOrder: the vector clocks of the log have gaps, or contradict each other")
    return tuple(result)


OPERATORS: Final = {"VectorClocks!CausalOrder": Operator(causal_order)}
