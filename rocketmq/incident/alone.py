"""A master that counted its copies by a smaller SyncStateSet than the controller's (F-61)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rmqproof.rocketmq.incident.suspicion import Reign, Suspicion
from rmqproof.rocketmq.incident.timeline import Moment

Settings = Mapping[str, Mapping[str, str]]
_SINCE_54 = frozenset(("enableSplitMetadata", "priorityOrderAsc", "useSeparateRetryQueue"))
"""Settings that brokers have, and so print when they start, since 5.4.0."""
_ALL = 100
"""Settings that a broker prints, at least; fewer are the rest of a log."""


def smaller_set_than_agreed(
    moments: Sequence[Moment], reigns: Sequence[Reign], settings: Settings, printed: Settings
) -> Iterator[Suspicion]:
    """A master dropped a broker from its set when its connection ended, the controller never agreed, and that broker
    led next.

    5.4.0 to 5.5.1 count acknowledgements by the smaller set at once (`AutoSwitchHAService.removeConnection`); releases
    before ask both sets. It is the last set that the master wanted before it followed: with the broker in it again,
    nothing was acknowledged without it. `settings` are those of broker.conf, `printed` what brokers wrote when they
    started; by broker.
    """
    for reign, following in pairwise(reigns):
        if following.master == reign.master or not _counts_by_its_set(reign.master, settings, printed):
            continue
        left = next((each for each in moments if each.kind == "follows" and each.node == reign.master
                     and each.at >= following.at), None)  # fmt: skip
        end = left.at if left is not None else moments[-1].at
        wanted = [each for each in moments if each.kind == "proposes" and each.node == reign.master
                  and reign.at <= each.at <= end]  # fmt: skip
        if not wanted or not _lacks(wanted[-1], following, settings.get(reign.master, {})):
            continue
        if not any(_agreed(each, wanted[-1], following) for each in moments):
            yield from _suspicion(moments, reign, following, wanted[-1], left)


def _counts_by_its_set(master: str, settings: Settings, printed: Settings) -> bool:
    """By what is known of its release and its settings; where nothing is, it may."""
    written = printed.get(master, {})
    if len(written) >= _ALL and not _SINCE_54 & written.keys():
        return False
    known = {**written, **settings.get(master, {})}
    all_ack = known.get("allAckInSyncStateSet", "false" if master in settings else "true")
    return all_ack.strip().lower() == "true"


def _lacks(wanted: Moment, following: Reign, settings: Mapping[str, str]) -> bool:
    """Is it the controller's set without the next master, and large enough for puts?"""
    members = wanted.members or frozenset()
    smaller = following.members is None or members < following.members
    least = settings.get("minInSyncReplicas", "1").strip()
    return (
        smaller and int(following.master[1:]) not in members and not (least.isdecimal() and int(least) > len(members))
    )


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
