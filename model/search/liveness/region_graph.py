"""The states in which solutions of problems begin, and the graphs of what they can reach without leaving a region.

The states are read, in the order of discovery, from a search that has stored no steps; only the steps inside of a
region are derived, by the kernel that the search had.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from rmqproof.model.records import dataclass
from rmqproof.model.search.kernel import PackedSteps
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.formula import FALSE, TRUE, Formula, Predicate, predicates_of
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphCode, GraphStopped, Labels
from rmqproof.model.search.liveness.packed import PackedStates, Packing, packed_graph
from rmqproof.model.search.liveness.regions import Region
from rmqproof.model.search.liveness.storage import Storage
from rmqproof.model.search.system import State

BLOCK = 1 << 16
"""States read together."""


class KnownStates(Protocol):
    """The states that a search has met, in the order of discovery."""

    def __len__(self) -> int: ...
    def read(self, first: int, count: int) -> Any:
        """Packed states (uint64 × words) as a buffer that can be written to. Raise `OSError`."""
        ...

    def before(self, number: int) -> int:
        """How many states precede this one on a shortest behaviour. Raise `OSError`."""
        ...

    def path(self, number: int) -> list[State]:
        """A shortest behaviour from an initial state to this one. Raise `OSError`."""
        ...

    def met(self, states: Any) -> bytearray:
        """For each packed state 1 where it is one of them; 0 also where that is not found out. Raise `OSError`."""
        ...


class RegionPacking(Packing, Protocol):
    def fingerprints(self, states: Any) -> bytes:
        """uint64 for each state."""
        ...


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search leaves behind, and what can be done with it. `labels`: predicates in machine code, those of
    states among them in `compiled` (None: any); `stop` is asked now and then: `GraphStopped` is raised. `goes_on`:
    the search has not ended, and steps to states that it has not met yet are left out."""

    known: KnownStates
    packing: RegionPacking
    code: GraphCode
    labels: Labels | None
    decode: Callable[[Sequence[int]], State]
    spans: Sequence[tuple[int, int]] | None
    storage: Storage
    stop: Callable[[], bool] = lambda: False
    compiled: frozenset[Predicate] | None = None
    goes_on: bool = False

    def quick(self, formula: Formula) -> bool:
        """Whether a formula of states can be asked of all of them."""
        return self.compiled is None or self.compiled.issuperset(predicates_of(formula))

    def evaluation(self, states: Any, *formulas: Formula) -> Evaluation:
        """The predicates of the formulas on a block of packed states."""
        view = memoryview(states).cast("B").cast("Q")
        graph = BehaviourGraph(PackedStates(view, self.packing.words, self.decode, None), labels=self.labels)
        evaluation = Evaluation(graph, self.stop)
        evaluation.prepare(*formulas)
        return evaluation


@dataclass(frozen=True, slots=True)
class Marked:
    """The states that satisfy a formula: a bit for each that is known, and how many there are."""

    bits: bytearray
    count: int


def marked(searched: Searched, formulas: Sequence[Formula]) -> dict[Formula, Marked]:
    """The known states that satisfy each of some formulas of states."""
    known, code = searched.known, searched.code
    wanted = [formula for formula in dict.fromkeys(formulas) if formula not in (TRUE, FALSE)]
    bits = {formula: bytearray(len(known) // 8 + 1) for formula in wanted}
    counts = dict.fromkeys(wanted, 0)
    for first, states in _blocks(searched):
        if not wanted:
            break
        evaluation = searched.evaluation(states, *wanted)
        for formula in wanted:
            counts[formula] += code.mark(evaluation, formula, first, bits[formula])
    found = {formula: Marked(bits[formula], counts[formula]) for formula in wanted}
    if TRUE in formulas:
        found[TRUE] = Marked(bytearray(b"\xff") * (len(known) // 8 + 1), len(known))
    if FALSE in formulas:
        found[FALSE] = Marked(bytearray(len(known) // 8 + 1), 0)
    return found


def together(some: Sequence[Marked]) -> Marked:
    """What is marked in any of them."""
    bits = 0
    for each in some:
        bits |= int.from_bytes(each.bits, "little")
    return Marked(bytearray(bits.to_bytes(len(some[0].bits), "little")), bits.bit_count())


def somewhere(searched: Searched, formula: Formula, first: int = 0) -> int | None:
    """A known state, from number `first` on, that satisfies a formula of states; None: there is none."""
    if formula == FALSE:
        return None
    for start, states in _blocks(searched, first):
        bits = bytearray(BLOCK // 8)
        if searched.code.mark(searched.evaluation(states, formula), formula, 0, bits):
            return start + next(8 * i + bit for i, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1)
    return None


def _blocks(searched: Searched, first: int = 0) -> Iterator[tuple[int, Any]]:
    known = searched.known
    for start in range(first, len(known), BLOCK):
        if searched.stop():
            raise GraphStopped
        yield start, known.read(start, min(BLOCK, len(known) - start))


@dataclass(slots=True)
class RegionGraph:
    """The graph of a region. `numbers`: of its first states, the initial ones, where they stand among those that are
    known; None: they are initial states of the system."""

    graph: BehaviourGraph
    numbers: array[int] | None


def region_graph(searched: Searched, region: Region, begun: Marked | None, most: int | None = None) -> RegionGraph:
    """What can be reached inside of a region from `begun`, or where that is None from the system's initial states.

    With `most` no steps are derived any more once there are so many states: those that are there are true.
    Raise `GraphStopped`, `TooSmall`, `NotEvaluated`, `TooLarge`.
    """
    numbers: array[int] | None = None
    if begun is None:
        first = _initial(searched, region)
    else:
        numbers, first = _marked_states(searched, begun)
    packing = _Inside(searched, region.stay, first, most)
    graph = packed_graph(packing, searched.code, searched.decode, searched.spans, searched.storage, packing.stop)
    graph.labels = searched.labels
    return RegionGraph(graph, numbers)


@dataclass(slots=True)
class _Columns:
    """As `PackedSteps`."""

    count: int
    states: bytes
    fingerprints: bytes
    parents: bytes
    inside: bytes
    verdicts: bytes
    outcomes: bytes


@dataclass(slots=True)
class _Inside:
    """Successors as far as they satisfy `stay`."""

    searched: Searched
    stay: Formula
    first: Any
    most: int | None
    known: int = 0

    @property
    def words(self) -> int:
        return self.searched.packing.words

    def stop(self, known: int) -> bool:
        self.known = known
        return self.searched.stop()

    def initial(self) -> Any:
        return self.first

    def expand(self, states: Any) -> Any:
        if self.most is not None and self.known >= self.most:
            rows = memoryview(states).nbytes // (8 * self.words)
            return _Columns(0, b"", b"", b"", b"", b"", bytes(rows))
        return _restricted(self.searched, self.searched.packing.expand(states), self.stay)


def _restricted(searched: Searched, steps: PackedSteps, stay: Formula) -> Any:
    if not steps.count or (stay == TRUE and not searched.goes_on):
        return steps
    inside = bytearray(steps.inside)
    if stay != TRUE:
        evaluation = searched.evaluation(bytearray(steps.states), stay)
        searched.code.keep(evaluation, stay, inside)
    if searched.goes_on:
        inside = _both(inside, searched.known.met(steps.states))
    return _Columns(
        *(steps.count, steps.states, steps.fingerprints, steps.parents, bytes(inside), steps.verdicts, steps.outcomes)
    )


def _both(some: bytearray, others: bytearray) -> bytearray:
    """1 where both have it."""
    found = int.from_bytes(some, "little") & int.from_bytes(others, "little")
    return bytearray(found.to_bytes(len(some), "little"))


def _initial(searched: Searched, region: Region) -> Any:
    (entry,) = region.entries
    return _restricted(searched, searched.packing.initial(), entry)


def _marked_states(searched: Searched, begun: Marked) -> tuple[array[int], _Columns]:
    """Their numbers, and the states as the successors of nothing."""
    words = searched.packing.words
    numbers: array[int] = array("I")
    content = bytearray()
    for first, states in _blocks(searched):
        count = memoryview(states).nbytes // (8 * words)
        if not any(begun.bits[first // 8 : (first + count) // 8 + 1]):
            continue
        some, numbered = searched.code.gather(begun.bits, first, count, words, states)
        content += some
        numbers.frombytes(numbered)
    count = len(numbers)
    fingerprints = searched.packing.fingerprints(content)
    return numbers, _Columns(count, bytes(content), fingerprints, bytes(4 * count), b"\1" * count, bytes(count), b"\0")
