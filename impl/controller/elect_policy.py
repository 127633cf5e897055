"""Who becomes master (`DefaultElectPolicy`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core.controller_messages import Members

Best: TypeAlias = Callable[[Sequence[tuple[int, BrokerLiveInfo]]], int]


def elect(
    clean: Members,
    unclean: Members | None,
    old_master: int | None,
    prefer: int | None,
    live: Callable[[int], BrokerLiveInfo | None],
    order: Sequence[int],
    best: Best,
) -> int | None:
    """The new master: from `clean`, and only if that has none, from `unclean` (None: not allowed).

    `live` gives what is known of a living broker, None for one that is not alive. `best` chooses among the living, who
    are in this `order`, others behind by their ids.
    """
    found = _elect_in(clean, old_master, prefer, live, order, best)
    if found is None and unclean is not None:
        found = _elect_in(unclean, old_master, prefer, live, order, best)
    return found


def _elect_in(
    members: Members,
    old_master: int | None,
    prefer: int | None,
    live: Callable[[int], BrokerLiveInfo | None],
    order: Sequence[int],
    best: Best,
) -> int | None:
    living = {member: info for member in members if (info := live(member)) is not None}
    if old_master in living and prefer in (None, old_master):
        return old_master
    if prefer is not None:
        return prefer if prefer in living else None
    if not living:
        return None

    def place(member: int) -> int:
        return order.index(member) if member in order else len(order) + member

    return best([(member, living[member]) for member in sorted(living, key=place)])
