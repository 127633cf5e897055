"""What a task has to know: it travels to the workers with every job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rmqproof.model.search.spark.kernel import Recipe
from rmqproof.model.search.spark.store import Store


@dataclass(frozen=True, slots=True)
class Slice:
    """The rows from `start` to before `stop` of a file of a level's states; to its end without `stop`."""

    file: int
    start: int = 0
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Expand the states of level `first`, keep what is new among what they lead to, expand that, … for `levels` levels.

    `bits`: of an order, for the ordinal. `ranked`: the order of level `first` is in files of its own. `known`: for each
    owner, how many fingerprints it has up to level `first`. `table_bytes`: memory for the tables of a process.
    `incoming_bytes`: memory for what comes for an owner in a level. `run` tells this search from an earlier one in the
    same folder. `before`: expand only states whose order is below it, and keep nothing. `ship`: claim what is found;
    else only the edges are wanted. `slices`: what each part expands of level `first`.
    """

    recipe: Recipe
    store: Store
    run: str
    partitions: int
    words: int
    argument_words: int
    actions: tuple[str, ...]
    first: int
    levels: int
    bits: int
    ranked: bool
    known: tuple[int, ...]
    table_bytes: int
    incoming_bytes: int
    slices: tuple[tuple[Slice, ...], ...] = ()
    edges: bool = False
    before: int | None = None
    ship: bool = True

    def unranked(self) -> Plan:
        """For levels after the first: their order is in their files."""
        return replace(self, ranked=False)

    @property
    def spool(self) -> str:
        """What the spools of this job are called: orders with other bits mean something else."""
        return f"{self.run}-{self.bits}"


def balanced(rows: Sequence[int]) -> tuple[tuple[Slice, ...], ...]:
    """As many parts as files, with equally many states each. `rows`: of the files of a level."""
    parts, every = len(rows), sum(rows)
    ends = [every * (part + 1) // parts for part in range(parts)]
    found: list[list[Slice]] = [[] for _ in rows]
    part, done = 0, 0
    for file, count in enumerate(rows):
        start = 0
        while start < count:
            while done == ends[part]:
                part += 1
            stop = min(count, start + ends[part] - done)
            found[part].append(Slice(file, start, stop))
            done, start = done + stop - start, stop
    return tuple(map(tuple, found))
