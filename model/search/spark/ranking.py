"""Renumber the order of a level, so that it has few bits again: the states of a level in order are 0, 1, 2, …"""

from __future__ import annotations

import numpy as np

from rmqproof.model.search.spark.store import Store, order_file, states_file


def renumber(store: Store, level: int, partitions: int) -> None:
    """Write each owner's renumbered order of a level beside its states.

    The driver holds 24 bytes for each state of the level while it does so.
    """
    orders = [
        store.columns(states_file(level, owner), ["order"]).column("order").to_numpy().view(np.uint64)
        for owner in range(partitions)
    ]
    everything = np.concatenate(orders)
    ranks = np.empty(len(everything), np.uint64)
    # every owner's states are in order already, and a stable sort makes use of such runs
    ranks[np.argsort(everything, kind="stable")] = np.arange(len(everything), dtype=np.uint64)
    start = 0
    for owner, part in enumerate(orders):
        store.write(order_file(level, owner), ranks[start : start + len(part)].tobytes())
        start += len(part)
