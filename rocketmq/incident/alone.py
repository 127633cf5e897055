"""A master that was cut off and took its set to be smaller than the controller did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rmqproof.rocketmq.incident.suspicion import Reign, Suspicion
from rmqproof.rocketmq.incident.timeline import Moment

_AT_ONCE = 1.0
"""Seconds: times of the logs are whole ones, and lines of several files in one second have no order."""


def smaller_set_than_agreed(moments: Sequence[Moment], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    """A master proposed a set without a broker, the controller never agreed, and that broker led next.

    5.4.0 to 5.5.1 count acknowledgements by the smaller set at once (AutoSwitchHAService.removeConnection).
    """
    for reign, following in pairwise(reigns):
        proposed = [each for each in moments if _without(each, reign, following)]
        left = next((each for each in moments if each.kind == "follows" and each.node == reign.master
                     and each.at >= following.at), None)  # fmt: skip
        end = left.at if left is not None else moments[-1].at
        inside = [each for each in proposed if reign.at <= each.at <= end and following.at <= each.at + _AT_ONCE]
        if inside and not any(_agreed(each, inside[0], following) for each in moments):
            yield from _suspicion(moments, reign, following, inside[0], left)


def _without(each: Moment, reign: Reign, following: Reign) -> bool:
    """Does the master propose a set without the next one?"""
    members = each.members or frozenset()
    other = following.master != reign.master and int(following.master[1:]) not in members
    return each.kind == "proposes" and each.node == reign.master and other


def _agreed(each: Moment, proposed: Moment, following: Reign) -> bool:
    return each.kind == "set" and each.members == proposed.members and proposed.at <= each.at <= following.at


def _suspicion(
    moments: Sequence[Moment], reign: Reign, following: Reign, proposed: Moment, left: Moment | None
) -> Iterator[Suspicion]:
    """Nothing where the master had written nothing that it cut."""
    after = left.at if left is not None else moments[-1].at
    cuts = [each for each in moments if each.kind == "cuts" and each.node == reign.master and each.at >= after][:1]
    ends = [each for each in moments if each.kind == "compares" and each.node == reign.master and each.at >= after][:1]
    gone = ends[0].values["end"] - cuts[0].values["to"] if cuts and ends else 0
    if ends and not gone > 0:
        return
    lost = f" When it followed it cut {gone} bytes, from {cuts[0].values['to']} on." if gone > 0 else ""
    what = (
        f"{reign.master} took the SyncStateSet to be {sorted(proposed.members or ())} and the controller did not: it "
        f"elected {following.master} in epoch {following.epoch}. 5.4.0 to 5.5.1 acknowledge by the smaller set at "
        f"once: what {reign.master} has acknowledged since is not on {following.master}.{lost}"
    )
    yield Suspicion(
        what,
        False,
        ("F-61",),
        f"Compare what producers have with what is there, from {proposed.line[:19]} until {reign.master} followed. "
        "minInSyncReplicas=2 refuses puts of a master that is alone.",
        (proposed, *([left] if left is not None else []), *ends, *cuts),
        ("InsufficientRemovalLoss",),
    )
