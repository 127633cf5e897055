"""Expand many states on several processors.

The states to expand are cut into batches, in order. For each block of batches the process forks: every worker has, by
inheritance, the states, the fingerprints seen so far and warm caches, so that only what is new travels back (through a
pipe, pickled). The parent takes its share of the work too, and then takes in the batches in order, which makes the
result the one that a single worker gives.

A worker leaves the rest of a batch to the parent process when anything happens that ends a search: a violation, a
deadlock, an error. There the parent expands the states one by one and counts exactly as far as it has to.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import BinaryIO, NamedTuple

from rmqproof.model.records import dataclass
from rmqproof.model.search.fingerprint_set import FingerprintSet
from rmqproof.model.search.idle import Idle
from rmqproof.model.search.statistics import Counters
from rmqproof.model.search.system import State, System, intermediate_of

WORTH_FORKING = 0.4
"""Seconds of work for one process below which a block is not shared out."""
BLOCK_SECONDS = 1.5
"""Seconds that a block should take: how long Ctrl-C and a checkpoint may have to wait."""
BATCHES_EACH = 8
TAKING_IN = 0.3
"""What taking in a worker's batch costs, measured on protocols, as a part of what expanding it costs."""


class Candidate(NamedTuple):
    """A successor that was new when the block began: offset of its parent in the batch, and what is to be stored."""

    offset: int
    action: int
    fingerprint: int
    state: State


@dataclass(frozen=True, slots=True)
class Batch:
    """What expanding the parents `start … end - 1` of a block gave.

    `candidates` and `counters` are of the first `done` parents. `counters` None: the batch has to be expanded anew.
    `spoken`: of `Idle`, so far.
    """

    start: int
    end: int
    done: int
    candidates: list[Candidate]
    counters: Counters | None
    spoken: int = 0


def available_workers() -> int:
    """The processors this process may use; 1 where a process cannot fork."""
    if not hasattr(os, "fork"):
        return 1
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class Team:
    """Decides how many states to expand at once, and expands them. `block` fixes how many."""

    def __init__(self, system: System, workers: int, seen: FingerprintSet, block: int | None = None) -> None:
        self.system = system
        self.workers = workers if hasattr(os, "fork") else 1
        self.seen = seen
        self._block = block
        self._mark = monotonic()
        self._expanded = 0
        self._rate = 0.0

    def block(self, expanded: int, remaining: int) -> int:
        """How many of the `remaining` states to expand together; 1: one after the other, in this process."""
        if self.workers < 2:
            return 1
        if self._block is not None:
            return min(remaining, self._block)
        now = monotonic()
        if now - self._mark > 0.1:
            self._rate = (expanded - self._expanded) / (now - self._mark)
            self._mark, self._expanded = now, expanded
        if remaining < 2 * self.workers or remaining < self._rate * WORTH_FORKING or not self._rate:
            return 1
        return min(remaining, max(2 * self.workers, int(self._rate * BLOCK_SECONDS)))

    def expand(self, parents: Sequence[State], idle: Idle) -> Iterator[Batch]:
        """The batches of `parents`, in order."""
        size = -(-len(parents) // (self.workers * BATCHES_EACH))
        spans = [(start, min(start + size, len(parents))) for start in range(0, len(parents), size)]
        owners = deal(len(spans), self.workers)
        own = [[span for span, owner in zip(spans, owners, strict=True) if owner == n] for n in range(self.workers)]
        members = [_Member(self, parents, mine, idle) for mine in own[1:]]
        try:
            shares = [iter(expand_spans(self.system, self.seen, parents, own[0], idle))]
            shares += [iter(member.batches()) for member in members]
            for owner in owners:
                yield next(shares[owner])
        finally:
            for member in members:
                member.end()


def deal(spans: int, workers: int) -> list[int]:
    """The worker of each span. Worker 0 is the parent process: it gets less, so much less as taking in will cost it."""
    others = workers - 1
    share = max(0.0, (1 / others - TAKING_IN) / (1 + 1 / others))
    owners: list[int] = []
    mine = 0
    for span in range(spans):
        if (span + 1) * share >= mine + 1:
            owners.append(0)
            mine += 1
        else:
            owners.append(1 + (span - mine) % others)
    return owners


def expand_spans(
    system: System, seen: FingerprintSet, parents: Sequence[State], spans: Sequence[tuple[int, int]], idle: Idle
) -> list[Batch]:
    """Expand these stretches of `parents`. Nothing is added to `seen`."""
    mine: set[int] = set()
    return [_expand_span(system, seen.seen, mine, parents, start, end, idle) for start, end in spans]


def _expand_span(
    system: System, seen: set[int], mine: set[int], parents: Sequence[State], start: int, end: int, idle: Idle
) -> Batch:
    counters = Counters.of(len(system.actions))
    candidates: list[Candidate] = []
    intermediate = intermediate_of(system)
    for offset in range(end - start):
        kept = len(candidates)
        generated, cut, between = counters.generated.copy(), counters.cut, intermediate[0]
        if not _expand_one(system, seen, mine, parents[start + offset], offset, counters, candidates, idle):
            del candidates[kept:]
            counters.generated, counters.cut = generated, cut
            return Batch(start, end, offset, candidates, counters, idle.spoken)
        counters.between += intermediate[0] - between
        for action, count in enumerate(counters.generated):
            if count != generated[action]:
                counters.enabled[action] += 1
    return Batch(start, end, end - start, candidates, counters, idle.spoken)


def _expand_one(
    system: System,
    seen: set[int],
    mine: set[int],
    parent: State,
    offset: int,
    counters: Counters,
    candidates: list[Candidate],
    idle: Idle,
) -> bool:
    """False when something happens that the parent process has to see to."""
    generated = counters.generated
    constrained, invariants, steps = system.has_constraints, system.invariants, system.step_properties
    any_successor = False
    try:
        for action, _, state in system.successors(parent):
            any_successor = True
            generated[action] += 1
            new = True
            if not constrained or (system.within(state) and system.allowed(parent, state)):
                fingerprint = system.fingerprint(state)
                new = fingerprint not in seen and fingerprint not in mine
                if new:
                    mine.add(fingerprint)
                    candidates.append(Candidate(offset, action, fingerprint, state))
            else:
                counters.cut += 1
            if new and not all(invariant.holds(state) for invariant in invariants):
                return False
            if not all(step.holds(parent, state) for step in steps):
                return False
            if new and idle.states:
                idle.meet(state)
            if idle.steps:
                idle.step(parent, state)
    except Exception:
        return False
    return any_successor or not system.check_deadlock


class _Member:
    """A forked worker and the pipe on which its batches come back."""

    def __init__(self, team: Team, parents: Sequence[State], spans: Sequence[tuple[int, int]], idle: Idle) -> None:
        self.team, self.parents, self.spans = team, parents, spans
        reader, writer = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            os.close(reader)
            _work(team, parents, spans, writer, idle)
        os.close(writer)
        self.pipe: BinaryIO = os.fdopen(reader, "rb")

    def batches(self) -> Iterator[Batch]:
        """The batches, once they are done. Those of a worker that died are to be expanded anew."""
        content = self.pipe.read()
        try:
            yield from pickle.loads(content)
        except (pickle.UnpicklingError, EOFError):
            for start, end in self.spans:
                yield Batch(start, end, 0, [], None)

    def end(self) -> None:
        self.pipe.close()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def _work(team: Team, parents: Sequence[State], spans: Sequence[tuple[int, int]], writer: int, idle: Idle) -> None:
    """The life of a forked worker: it never returns. Ctrl-C is the parent process's to handle."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.disable()
        batches = expand_spans(team.system, team.seen, parents, spans, idle)
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(batches, pipe, protocol=pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)
