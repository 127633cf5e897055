"""What an incident's timeline, epoch files and settings say together: reigns, bytes that can have been lost and by
which known behaviour, and what to do.

Offsets are bytes of the commit log. A statement rests on lines, which it names. What was confirmed is known only where
a master wrote it down (when a slave caught up), so what is found here is at least what was lost, and never all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rmqproof.rocketmq.epoch_files import EpochFile, compare
from rmqproof.rocketmq.incident.alone import smaller_set_than_agreed
from rmqproof.rocketmq.incident.labels import missing_labels
from rmqproof.rocketmq.incident.proposals import taken_back
from rmqproof.rocketmq.incident.suspicion import Reign, Suspicion
from rmqproof.rocketmq.incident.timeline import Moment
from rmqproof.rocketmq.logs import CONTROLLER


@dataclass(slots=True)
class Diagnosis:
    moments: list[Moment] = field(default_factory=list)
    reigns: list[Reign] = field(default_factory=list)
    suspicions: list[Suspicion] = field(default_factory=list)


def diagnose(
    moments: Sequence[Moment],
    epochs: Mapping[str, EpochFile] | None = None,
    settings: Mapping[str, Mapping[str, str]] | None = None,
    printed: Mapping[str, Mapping[str, str]] | None = None,
) -> Diagnosis:
    """`epochs`, `settings` and what was `printed` of them at the last start by broker, b1."""
    found = Diagnosis(list(moments), list(reigns_of(moments)))
    rules = (_confirmed_and_gone, _outside_the_set, _no_master, _cut_by_dispatch, _set_of_one, _never_back,
             _kept_without_epochs, taken_back)  # fmt: skip
    for rule in rules:
        found.suspicions += rule(moments, found.reigns)
    found.suspicions += smaller_set_than_agreed(moments, found.reigns, settings or {}, printed or {})
    found.suspicions += _crashed_together(moments, settings or {})
    found.suspicions += _of_epochs(epochs or {}, found.reigns)
    found.suspicions += missing_labels(moments, epochs or {}, found.reigns)
    found.suspicions += _of_settings(settings or {}, found.reigns)
    found.suspicions.sort(key=lambda each: not each.sure)
    return found


def reigns_of(moments: Sequence[Moment]) -> Iterator[Reign]:
    """By the controller's elections, or the brokers' own words where its log is missing."""
    starts = {(each.node, each.values["epoch"]): each for each in reversed(moments) if each.kind == "leads"}
    elections = [each for each in moments if each.kind == "elected"]
    members: frozenset[int] | None = None
    told = set()
    for each in moments:
        if each.kind == "set":
            members = each.members
        elif each.kind == "elected" and each.values["epoch"] not in told:
            master, epoch = f"b{each.values['broker']}", each.values["epoch"]
            led = starts.get((master, epoch))
            told.add(epoch)
            yield Reign(epoch, master, each.at, led.values["start"] if led else None, members)
            members = frozenset((each.values["broker"],))
    if not elections:
        for (node, epoch), led in sorted(starts.items(), key=lambda pair: pair[0][1]):
            yield Reign(epoch, node, led.at, led.values["start"])


def _confirmed_and_gone(moments: Sequence[Moment], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    """A master begins before what an earlier one had confirmed."""
    for reign in reigns:
        if reign.start is None:
            continue
        earlier = [
            each
            for each in moments
            if each.kind == "caught up" and each.node != reign.master and _epoch_at(reigns, each) < reign.epoch
            and each.values["confirm"] > reign.start
        ]  # fmt: skip
        if earlier:
            last = max(earlier, key=lambda each: each.values["confirm"])
            yield _gone(moments, reign, last)


def _gone(moments: Sequence[Moment], reign: Reign, last: Moment) -> Suspicion:
    """`last`: with which an earlier master wrote down what it had confirmed."""
    confirmed, start = last.values["confirm"], reign.start
    assert start is not None
    led = [each for each in moments if each.kind == "leads" and each.values["epoch"] == reign.epoch][:1]
    crashed = [
        each
        for each in moments
        if each.kind == "unclean" and each.node == reign.master and last.at <= each.at <= reign.at
    ][:1]
    what = (
        f"{confirmed - start} bytes are gone: {last.node} had confirmed its log up to {confirmed}, and "
        f"{reign.master} began epoch {reign.epoch} at {start}. Messages in between were acknowledged, or read by "
        "consumers."
    )
    if crashed:
        what += (
            f" {reign.master} had crashed in between: a machine that fails loses what it had not forced to its disk."
        )
    return Suspicion(
        what,
        True,
        ("F-64",) if crashed else ("F-13", "F-19", "F-68", "F-6"),
        f"Stop {last.node} before it cuts its log, if it has not: its commit log from {start} to {confirmed} is the "
        "last copy. Read those messages from the file and send them again.",
        (last, *crashed, *led),
    )


def _epoch_at(reigns: Sequence[Reign], moment: Moment) -> int:
    """The epoch of the master that writes at that time, by its elections."""
    found = [each.epoch for each in reigns if each.master == moment.node and each.at <= moment.at]
    return max(found, default=0)


def _outside_the_set(moments: Sequence[Moment], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    for reign in reigns:
        if reign.members is not None and int(reign.master[1:]) not in reign.members:
            lines = [each for each in moments if each.kind == "elected" and each.values["epoch"] == reign.epoch]
            yield Suspicion(
                f"{reign.master} was elected in epoch {reign.epoch} and was not in the SyncStateSet "
                f"{sorted(reign.members)}: what it lacked is lost.",
                True,
                ("F-4", "F-7"),
                "Set enableElectUncleanMaster=false, unless serving matters more than keeping.",
                tuple(lines[:1]),
            )


def _no_master(moments: Sequence[Moment], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    """The controller looked for a master in vain, and had not found one at the end."""
    last = [each for each in moments if each.kind in ("elected", "no master")]
    if last and last[-1].kind == "no master":
        members = reigns[-1].members if reigns else None
        yield Suspicion(
            "No broker of the SyncStateSet is heard: there is no master.",
            False,
            (),
            f"Start one of its members{' ' + str(sorted(members)) if members else ''}. Electing another one loses what "
            "only they have.",
            (last[-1],),
        )


def _cut_by_dispatch(moments: Sequence[Moment], _: Sequence[Reign]) -> Iterator[Suspicion]:
    """A broker that is promoted cuts its log where dispatching stands; that may be before what was confirmed."""
    for index, each in enumerate(moments):
        cut = each.values.get("cut", -1)
        before = [it for it in moments[:index] if it.kind == "caught up" and it.values["confirm"] > cut]
        if each.kind == "promoted" and cut >= 0 and before:
            confirmed = before[-1].values["confirm"]
            yield Suspicion(
                f"{each.node} cut its log at {cut} when it was promoted, where dispatching stood, and {confirmed} had "
                "been confirmed.",
                True,
                ("Z9",),
                "Look whether the other brokers have the bytes behind it; they cut them when they connect.",
                (each, before[-1]),
            )


def _set_of_one(moments: Sequence[Moment], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    """A master that was alone in the set when it was lost, and did not come back, had acknowledged what nobody else
    has."""
    alone: Moment | None = None
    lost: Moment | None = None
    for each in moments:
        if each.kind in ("set", "elected"):
            alone, lost = each, None
        elif each.kind == "expired" and alone is not None and each.node == alone.node:
            members = alone.members or {alone.values.get("broker")}
            lost = each if members == {each.values["broker"]} else lost
        elif each.kind == "registers" and lost is not None and each.values == lost.values:
            lost = None
    if alone is not None and lost is not None:
        name = f"b{lost.values['broker']}"
        yield Suspicion(
            f"{name} was alone in the SyncStateSet when the controller lost it: nobody else is known to have what it "
            "had acknowledged, and nobody else may lead.",
            False,
            ("F-16",),
            f"Bring {name} back with its disk. minInSyncReplicas=2 refuses puts while a master is alone.",
            (alone, lost),
        )


def _never_back(moments: Sequence[Moment], _: Sequence[Reign]) -> Iterator[Suspicion]:
    """A slave that could not follow its master, and did not later."""
    last: dict[str, Moment] = {}
    for each in moments:
        if each.kind in ("no common point", "cuts", "does not cut", "leads"):
            last[each.node] = each
    for node, each in last.items():
        if each.kind == "no common point":
            what = (
                "is sent bytes that do not follow its log" if each.values else "has no epoch in common with its master"
            )
            yield Suspicion(
                f"{node} {what}, and cannot copy: it has been out of the SyncStateSet since.",
                False,
                ("F-36", "F-62"),
                f"Once you know that the master has everything, remove {node}'s commit log, consume queues and epoch "
                "file, and start it: it copies all of it.",
                (each,),
            )


def _kept_without_epochs(moments: Sequence[Moment], _: Sequence[Reign]) -> Iterator[Suspicion]:
    """A slave with a log and without an epoch is served as a new one (`AutoSwitchHAClient.doTruncateCommitLog`)."""
    has: dict[str, list[Moment]] = {}
    for each in moments:
        if each.kind == "loaded":
            has[each.node] = [each]
        elif each.kind == "no epochs" and each.node in has:
            has[each.node].append(each)
        elif each.kind in ("cuts", "compares", "leads"):
            has.pop(each.node, None)
        elif each.kind == "does not cut" and has.get(each.node) and has[each.node][0].values["end"] > 0:
            lines = has.pop(each.node)
            end = lines[0].values["end"]
            yield Suspicion(
                f"{each.node} came back with a log to {end} and no epochs, and cut nothing: what it has and its master "
                "has not stays, and it may be elected.",
                False,
                ("F-8",),
                f"Compare the commit log of {each.node} with its master's to {end}. If they differ, stop it, remove "
                "its commit log, consume queues and epoch file, and start it: it copies all of it.",
                (*lines, each),
                ("UnreadableEpochFile",),
            )


def _crashed_together(moments: Sequence[Moment], settings: Mapping[str, Mapping[str, str]]) -> Iterator[Suspicion]:
    """All brokers were down at one time, after crashes."""
    crashed = [each for each in moments if each.kind == "unclean" and "since" in each.values]
    brokers = {each.node for each in moments if each.node.startswith("b")}
    for each in crashed:
        together = {it.node: it for it in crashed if it.values["since"] <= each.at and each.values["since"] <= it.at}
        flush = {settings.get(node, {}).get("flushDiskType", "ASYNC_FLUSH") for node in together}
        if len(brokers) > 1 and set(together) == brokers and "ASYNC_FLUSH" in flush:
            yield Suspicion(
                "All brokers were down at one time after crashes, with flushDiskType=ASYNC_FLUSH: if their machines "
                "failed, what was not forced to a disk is lost on all of them, acknowledged or not.",
                False,
                ("F-64",),
                "Compare what producers have with what is there. SYNC_FLUSH, or machines that do not fail together.",
                tuple(together[name] for name in sorted(together)),
            )
            return


def _of_epochs(epochs: Mapping[str, EpochFile], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    """Each broker's epoch file beside that of the last master."""
    master = reigns[-1].master if reigns else None
    if master is None or master not in epochs:
        return
    for name, file in epochs.items():
        if name != master:
            for warning in compare(epochs[master], file).warnings:
                yield Suspicion(f"Epoch file of {name} beside {master}'s: {warning}", False, ("F-12", "F-19", "F-62"))


def _of_settings(settings: Mapping[str, Mapping[str, str]], reigns: Sequence[Reign]) -> Iterator[Suspicion]:
    loose = [
        name
        for name, given in settings.items()
        if name != CONTROLLER
        and given.get("allAckInSyncStateSet", "false").lower() != "true"
        and int(given.get("inSyncReplicas", "1") or 1) < 2
    ]
    if loose and len(reigns) > 1:
        yield Suspicion(
            f"{', '.join(sorted(loose))}: allAckInSyncStateSet=false and inSyncReplicas=1: a master acknowledges what "
            f"it alone has. Each of the {len(reigns) - 1} changes of master can have lost what was not copied yet.",
            False,
            (),
            "Set allAckInSyncStateSet=true, or inSyncReplicas=2. `rmqproof assess broker.conf` shows what each is "
            "worth.",
        )
