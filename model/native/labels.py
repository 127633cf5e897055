"""Predicates of the liveness check in machine code: see search/liveness/graph.py."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.formula import Predicate
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped
from rmqproof.model.search.liveness.packed import PackedStates

from .kernel import Kernel, kernel_of
from .native_model import NativeModel

_BLOCK = 1 << 15
"""States between two questions whether to stop."""
_EVALUATED = 2
"""A stuttering step of which the truth is not known beforehand."""

_NOTHING = -1
"""What the truth of a step does not need."""


class _Label(ctypes.Structure):
    _fields_ = [*((name, ctypes.c_int32) for name in ("which", "still", "needs")), ("bits", ctypes.c_void_p)]


@dataclass(frozen=True, slots=True)
class NativeLabels:
    """`predicates` in the order in which the model was compiled with them (`NativeModel.labels`)."""

    native: NativeModel
    predicates: Sequence[Predicate]
    kernel: Kernel | None = None
    """That of the model, where it is open; else it is opened each time."""

    def fill(
        self, graph: BehaviourGraph, wanted: Sequence[tuple[Predicate, Any]], stop: Callable[[], bool]
    ) -> Sequence[Predicate]:
        """As `Labels.fill`. The graph's states are packed, as the model packs them. Raise `GraphStopped`."""
        states = graph.states
        assert isinstance(states, PackedStates)
        numbers = {
            predicate: number
            for number, (predicate, covered) in enumerate(zip(self.predicates, self.native.program.labels, strict=True))
            if covered
        }
        found = [(predicate, bits) for predicate, bits in wanted if predicate in numbers]
        if not found or not len(graph):
            return []
        columns = [buffer_of(bits) for _, bits in found]
        labels: tuple[list[_Label], list[_Label]] = ([], [])
        of_state = {predicate: place for place, predicate in enumerate(p for p, _ in found if not p.step)}
        for (predicate, _), column in zip(found, columns, strict=True):
            still = _EVALUATED if predicate.stuttering is None else int(predicate.stuttering)
            needs = of_state.get(predicate.needs, _NOTHING) if predicate.needs is not None else _NOTHING
            labels[predicate.step].append(_Label(numbers[predicate], still, needs, ctypes.addressof(column)))
        tables = [(_Label * max(1, len(part)))(*part) for part in labels]
        content, first, heads = buffer_of(states.numbers), buffer_of(graph.first), buffer_of(graph.heads)
        with kernel_of(self.native) if self.kernel is None else nullcontext(self.kernel) as kernel:
            for start in range(0, len(graph), _BLOCK):
                if stop():
                    raise GraphStopped
                end = min(len(graph), start + _BLOCK)
                kernel.label(content, first, heads, start, end, tables[0], len(labels[0]), tables[1], len(labels[1]))
        return [predicate for predicate, _ in found]


def truths(kernel: Kernel, states: Any, count: int, which: int = 0) -> bytearray:
    """A predicate of states, of so many in a buffer: for each two bits, as c/labels.c has them."""
    places = bytearray((count + 3) // 4 or 1)
    column = buffer_of(places)
    label, none = _Label(which, _EVALUATED, _NOTHING, ctypes.addressof(column)), buffer_of(b"")
    kernel.label(buffer_of(states), none, none, 0, count, (_Label * 1)(label), 1, (_Label * 1)(), 0)
    return places


def buffer_of(numbers: Any) -> Any:
    """Numbers that lie in memory, as something whose address C takes."""
    view = memoryview(numbers).cast("B") if len(numbers) else memoryview(bytearray(8))
    return (ctypes.c_char * view.nbytes).from_buffer(view)
