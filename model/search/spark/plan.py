"""What a task has to know: it travels to the workers with every job."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.search.spark.kernel import Recipe
from rmqproof.model.search.spark.store import Store


@dataclass(frozen=True, slots=True)
class Plan:
    """Expand the states of level `first`, take in what they lead to, expand that, … for `levels` levels.

    `bits`: of an order, for the ordinal. `ranked`: the order of level `first` is in files of its own. `known`: for each
    owner, its states up to level `first`. `table_bytes`: memory for the tables of a process. `incoming_bytes`: memory
    for what comes for an owner in a level. `run` tells this search from an earlier one in the same folder. `before`:
    expand only states whose order is below it, and keep nothing. `ship`: send what is found to its owners; else only
    the edges are wanted.
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
    edges: bool = False
    before: int | None = None
    ship: bool = True
