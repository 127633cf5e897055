"""The behaviour graph of a system whose states are packed into words, by a function that gives successors as columns.

States are numbered as any breadth-first search meets them, so that what is found in the graph does not depend on who
explored it. Only packed states are kept; the system's states are made from them when a predicate asks for one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import field
from typing import Any, Protocol

from rmqproof.model.records import dataclass
from rmqproof.model.search.kernel import Code, NotEvaluated, PackedSteps, TooSmall
from rmqproof.model.search.liveness.decoded_states import DecodedStates
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphCode, GraphStopped, Key, Stop
from rmqproof.model.search.liveness.storage import Numbers, Storage
from rmqproof.model.search.system import State

BLOCK = 2048
"""States expanded together."""
WORD = 63
"""Bits of a word that are used."""


class Packing(Protocol):
    """What makes successors. Verdicts and outcomes are `Code`s."""

    @property
    def words(self) -> int: ...
    def initial(self) -> PackedSteps: ...
    def expand(self, states: Any) -> PackedSteps: ...


@dataclass(slots=True)
class PackedStates(DecodedStates):
    """The states of a graph, decoded when they are asked for. `spans`: bit and bits of each variable, None where
    states are not packed by variables."""

    numbers: Numbers
    words: int
    decode: Callable[[Sequence[int]], State]
    spans: Sequence[tuple[int, int]] | None
    _decoded: dict[int, State] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers) // self.words

    def make(self, index: int) -> State:
        return self.decode(self.numbers[index * self.words : (index + 1) * self.words])

    def __iter__(self) -> Iterator[State]:
        return (self[number] for number in range(len(self)))

    def keys(self, variables: frozenset[int] | None) -> Key:
        """The bits of these variables, by number of the state."""
        numbers, words = self.numbers, self.words
        masks = _masks(self.spans, variables, words) if self.spans is not None and variables is not None else None
        if masks is None:
            return lambda number: tuple(numbers[number * words : (number + 1) * words])
        if not masks:
            return lambda number: 0
        if len(masks) == 1:
            ((word, mask),) = masks
            return lambda number: numbers[number * words + word] & mask

        def bits(number: int) -> Hashable:
            start = number * words
            return tuple([numbers[start + word] & mask for word, mask in masks])

        return bits


def _masks(spans: Sequence[tuple[int, int]], variables: frozenset[int], words: int) -> list[tuple[int, int]]:
    """The words in which the variables lie, each with their bits."""
    found = [0] * words
    for variable in variables:
        at, bits = spans[variable]
        for bit in range(at, at + bits):
            found[bit // WORD] |= 1 << bit % WORD
    return [(word, mask) for word, mask in enumerate(found) if mask]


def packed_graph(
    packing: Packing,
    code: GraphCode,
    decode: Callable[[Sequence[int]], State],
    spans: Sequence[tuple[int, int]] | None,
    storage: Storage,
    stop: Stop = lambda states: False,
) -> BehaviourGraph:
    """Explore the states inside the constraints; states with one fingerprint are one.

    Raise `GraphStopped` when `stop` says so, `TooSmall`, `NotEvaluated`, `TooLarge`.
    """
    words = packing.words
    numbering = code.numbering(words)
    states, first, heads = storage.column("Q"), storage.column("Q"), storage.column("I")
    first.append(0)
    found = packing.initial()
    _refuse_failures(found)
    block = numbering.initial(found)
    states.extend_bytes(block.states)
    initial = list(dict.fromkeys(block.heads.cast("I")))
    expanded = 0
    while expanded < len(numbering):
        if stop(len(numbering)):
            raise GraphStopped
        rows = min(BLOCK, len(numbering) - expanded)
        found = packing.expand(states.read(expanded * words, (expanded + rows) * words))
        _refuse_failures(found)
        block = numbering.take(found, rows, expanded, len(heads))
        states.extend_bytes(block.states)
        heads.extend_bytes(block.heads)
        first.extend_bytes(block.ends)
        expanded += rows
    packed = PackedStates(states.finished(), words, decode, spans)
    return BehaviourGraph(packed, initial, first.finished(), heads.finished(), packed.keys, storage, code)


def _refuse_failures(steps: PackedSteps) -> None:
    for column in (steps.outcomes, steps.verdicts):
        if Code.TOO_SMALL in column:
            raise TooSmall
        if Code.NOT_EVALUATED in column:
            raise NotEvaluated("something has no value")
