"""Bytes under the label of an earlier epoch: a broker's epoch file lacks an entry of its master's that it should have.

A slave that is behind has fewer entries than its master, and that is no fault: an entry is missed only where lines say
that the broker had it, or has bytes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rmqproof.rocketmq.epoch_files import Entry, EpochFile
from rmqproof.rocketmq.incident.suspicion import Reign, Suspicion
from rmqproof.rocketmq.incident.timeline import Moment


def missing_labels(
    moments: Sequence[Moment], epochs: Mapping[str, EpochFile], reigns: Sequence[Reign]
) -> Iterator[Suspicion]:
    """Of each broker beside the last master the newest entry that it should have."""
    master = reigns[-1].master if reigns else None
    if master is None or master not in epochs:
        return
    for name, file in epochs.items():
        there = {entry.epoch for entry in file.entries}
        lacks = [entry for entry in epochs[master].entries if entry.epoch not in there]
        if name == master or not there:
            continue
        for entry in reversed(lacks):
            found = _cut_and_forgotten(moments, name, entry, max(there)) or _labelled_before(
                moments, name, entry, max(there)
            )
            if found is not None:
                yield found
                break


def _cut_and_forgotten(moments: Sequence[Moment], name: str, entry: Entry, last: int) -> Suspicion | None:
    """It had the entry when it connected, and `AutoSwitchHAClient.doTruncate` cut its file where its log ends."""
    own = [each for each in moments if each.node == name]
    for number, each in enumerate(own):
        knew = each.kind == "compares" and (each.values.get("epoch"), each.values.get("start")) == _pair(entry)
        cut = next((it for it in own[number:] if it.kind == "cuts" and it.values["to"] <= entry.start), None)
        if knew and cut is not None:
            return Suspicion(
                f"{name} knew epoch {entry.epoch}, which begins at {entry.start}, and its epoch file ends with epoch "
                f"{last}: when it connected again it cut the entry at the end of its log. What it copies of that epoch "
                f"it holds for epoch {last}'s.",
                False,
                ("F-49", "#9942"),
                _advice(name),
                (each, cut),
                ("Issue9942",),
            )
    return None


def _labelled_before(moments: Sequence[Moment], name: str, entry: Entry, last: int) -> Suspicion | None:
    """It has bytes of the epoch, as its master says, which came with the label of the one before."""
    number = int(name[1:])
    has = [
        each
        for each in moments
        if each.kind == "caught up" and each.values["broker"] == number and each.values["end"] > entry.start
    ]
    began = [each for each in moments if each.kind == "leads" and each.values["epoch"] == entry.epoch]
    later = [each for each in has if not began or each.at >= began[0].at]
    if not later:
        return None
    return Suspicion(
        f"{name} has the log to {later[-1].values['end']} and no entry of epoch {entry.epoch}, which begins at "
        f"{entry.start}: it holds those bytes for epoch {last}'s. After a failover too much or too little is cut.",
        False,
        ("#9689",),
        _advice(name),
        (*began[:1], later[-1]),
        ("Issue9689",),
    )


def _pair(entry: Entry) -> tuple[int, int]:
    return entry.epoch, entry.start


def _advice(name: str) -> str:
    return (
        f"Before {name} may lead, stop it, remove its commit log, consume queues and epoch file, and start it: it "
        "copies all of it. 5.4.0 has the repair."
    )
