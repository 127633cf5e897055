"""Proposals of a master that was not answered in between: the second one takes the first one back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rmqproof.rocketmq.incident.suspicion import Reign, Suspicion
from rmqproof.rocketmq.incident.timeline import Moment


def taken_back(moments: Sequence[Moment], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    """A master takes members out of the set it knows, or adds some: what it proposes next contains what it proposed
    last, or is contained, once it has heard the answer. Where neither is so, both were made of the same set. Once a
    reign."""
    ends = [*(each.at for each in reigns[1:]), float("inf")]
    for reign, end in zip(reigns, ends, strict=False):  # no reign has one end
        own = [each for each in moments if each.node == reign.master and reign.at <= each.at < end]
        said = [each for each in own if each.kind in ("proposes", "set refused")]
        for first, second in pairwise(said):
            one, other = first.members or frozenset(), second.members or frozenset()
            if first.kind == second.kind == "proposes" and not (one <= other or other <= one):
                yield _suspicion(moments, reign, first, second)
                break


def _suspicion(moments: Sequence[Moment], reign: Reign, first: Moment, second: Moment) -> Suspicion:
    one, other = first.members or frozenset(), second.members or frozenset()
    before = [each for each in moments if each.kind == "set" and each.at <= first.at and each.members != one]
    shrinks = bool(before) and (before[-1].members or frozenset()) >= one | other
    what = (
        f"{reign.master} wanted the SyncStateSet {sorted(one)} and then {sorted(other)}: both were made of the set "
        "before the first. "
    )
    gone = ", ".join(f"b{each}" for each in sorted(one - other if not shrinks else other - one))
    if shrinks:
        what += f"If the controller took both, {gone} is in the set again although its connection has ended."
    else:
        what += f"If the controller took both, {gone} is out of the set again although it has all."
    return Suspicion(
        what,
        False,
        ("F-6", "#9897") if shrinks else ("F-6",),
        "Ask the controller for the set (mqadmin getSyncStateSet), and compare it with the connections of "
        f"{reign.master} (mqadmin haStatus). 5.4.0 repairs the first kind, not the second.",
        (first, second),
        ("Issue9897",) if shrinks else (),
    )
