"""The edges of a store that was explored without them: every stored state is expanded once more."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from rmqproof.model.search.spark.kernel import Recipe
from rmqproof.model.search.spark.plan import Plan
from rmqproof.model.search.spark.report import Expanded
from rmqproof.model.search.spark.rows import MOST_BITS
from rmqproof.model.search.spark.runner import Part, Runner
from rmqproof.model.search.spark.store import Manifest, Store

TOGETHER = 50_000
"""States that a task expands at least, where levels are small."""


def derive_edges(store: Store, manifest: Manifest, recipe: Recipe, argument_words: int, runner: Runner) -> int:
    """Write the edge files that `--edges` would have written, and say so in the manifest. Returns how many edges.

    A level that was not expanded, as the last of a search that is not over, has no edges. Raise `StoreError`.
    """
    expanded = manifest.levels if manifest.finished else manifest.levels[:-1]
    plan = Plan(
        recipe=recipe,
        store=store,
        run=uuid.uuid4().hex,
        partitions=manifest.partitions,
        words=manifest.words,
        argument_words=argument_words,
        actions=tuple(manifest.actions),
        first=0,
        levels=0,
        bits=MOST_BITS,
        ranked=False,
        known=(),
        table_bytes=0,
        incoming_bytes=0,
        edges=True,
        ship=False,
    )
    found: dict[Part, int] = {}
    for report in runner.edges(plan, _groups(manifest, [level.number for level in expanded])):
        if isinstance(report, Expanded):
            found[report.level, report.part] = report.edges
    for level in expanded:
        level.edges = [found[level.number, part] for part in range(manifest.partitions)]
    manifest.edges = True
    store.save(manifest)
    return sum(found.values())


def _groups(manifest: Manifest, levels: Sequence[int]) -> list[list[Part]]:
    """All parts, in groups with enough to do for a task."""
    groups: list[list[Part]] = []
    states = TOGETHER
    for number in levels:
        for part, rows in enumerate(manifest.levels[number - 1].rows):
            if states >= TOGETHER:
                groups.append([])
                states = 0
            groups[-1].append((number, part))
            states += rows
    return groups
