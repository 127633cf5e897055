"""Our reference implementation and the classes of a release, side by side, with random and boundary inputs.

Run as a process of its own; what is compared is in `COMPARISONS`. A difference that has been looked at is counted with
its reason (`EXPLAINED`); one that has not is a failure.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random
from time import monotonic
from types import SimpleNamespace
from typing import Any, NoReturn, TextIO

from rmqproof.impl.broker import epoch_file
from rmqproof.impl.broker.config import Role
from rmqproof.impl.broker.readings import SHIPPED_BROKER, broker_rules
from rmqproof.impl.controller.config import SHIPPED_CONTROLLER, controller_rules
from rmqproof.impl.controller.elect_policy import elect
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.replication_messages import EpochEntry
from rmqproof.impl.storage.epoch_file import decode_epoch_file, encode_epoch_file
from rmqproof.rocketmq.calls import Call
from rmqproof.rocketmq.comparing_wire import acks, ha_packets, puts, requests
from rmqproof.rocketmq.controller_state import Liveness
from rmqproof.rocketmq.errors import RocketmqError
from rmqproof.rocketmq.java import find_java
from rmqproof.rocketmq.java_fields import allocated, field_of
from rmqproof.rocketmq.pair import Pair
from rmqproof.rocketmq.random_calls import questions
from rmqproof.rocketmq.releases import Release
from rmqproof.rocketmq.replaying import differences_of_ours
from rmqproof.rocketmq.schedules.bench import Bench
from rmqproof.rocketmq.schedules.epochs import cache

_SHIPPED = controller_rules(SHIPPED_CONTROLLER)
_SHIPPED_BROKER = broker_rules(SHIPPED_BROKER)
_OFFSETS = (0, 1, 50, 100, 101, 2**31, 2**40, 2**63 - 2)


@dataclass(slots=True)
class Compared:
    """Counts by what was compared. `explained`: differences by their reason; `unexplained`: some of the others."""

    made: Counter[str] = field(default_factory=Counter)
    explained: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    unexplained: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0

    def take(self, pair: Pair) -> None:
        self.made[pair.what] += 1
        if pair.theirs == pair.ours:
            return
        if pair.reason:
            self.explained[f"{pair.what}: {pair.reason}"] += 1
            return
        self.different[pair.what] += 1
        if len(self.unexplained) < 40 and self.different[pair.what] <= 5:
            shown = {"what": pair.what, "given": pair.given, "theirs": str(pair.theirs), "ours": str(pair.ours)}
            self.unexplained.append(shown)


# --- the controller --------------------------------------------------------------------------------------------------


def controller(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`ReplicasInfoManager`: code, remark, answer and state of each request, as one."""
    for question in questions(random.randrange(2**32), count):
        call = Call(*question, *bench.manager.ask(*question))
        found = differences_of_ours(call)
        what = f"controller, {type(call.request).__name__.removesuffix('Request')}"
        yield Pair(what, str(call), "", ", ".join(found), why_controller(call, found))


def why_controller(call: Call, found: list[str]) -> str:
    """The reason of a difference of our controller, or nothing."""
    if found == ["remark"]:
        return "another wording of the remark"
    if isinstance(call.request, messages.AlterSyncStateSetRequest) and found == ["code", "remark"]:
        named = re.findall(r"replicas \{(\d+)\}", call.answer.remark)
        if named and len(call.request.new_sync_state_set) > 1:
            return "which of two wrong members is named first is the order of a HashSet"
    overflow = (
        isinstance(call.request, messages.ElectMasterRequest) and _far_apart(call.living) and call.answer.code == 0
    )
    return "offsets over 2 GiB apart: the comparator is no order (#10579)" if overflow else ""


def _far_apart(living: Liveness) -> bool:
    """Are there three candidates, and two of them further apart than an int can say?"""
    offsets = [info.max_offset for _, info in living]
    return len(offsets) > 2 and max(offsets) - min(offsets) >= 2**31


def policy(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`DefaultElectPolicy.elect`, with offsets whose difference has more than 32 bits."""
    for state, _, living, _ in questions(random.randrange(2**32), count):
        if state.in_sync is None or state.replicas is None:
            continue
        members, everyone = state.in_sync.sync_state_set, frozenset(each[0] for each in state.replicas.brokers)
        unclean = everyone if random.random() < 0.5 else None
        old, prefer = state.in_sync.master_broker_id, random.choice((None, None, 1, 2, 99))
        theirs = bench.manager.elect(members, unclean, old, prefer, living)
        ours = elect(members, unclean, old, prefer, dict(living).get, (), _SHIPPED.best_candidate)
        reason = "offsets over 2 GiB apart: the comparator is no order (#10579)" if _far_apart(living) else ""
        yield Pair("DefaultElectPolicy.elect", f"{members} {unclean} {old} {prefer} {living}", theirs, ours, reason)


# --- the epoch file --------------------------------------------------------------------------------------------------


def _entries(random: Random) -> list[EpochEntry]:
    epochs = sorted(random.sample((0, 1, 2, 3, 5, 9, 2**31 - 1), random.randrange(5)))
    starts = sorted(random.sample(_OFFSETS, len(epochs)))
    return [EpochEntry(epoch, start) for epoch, start in zip(epochs, starts, strict=True)]


def _plain(found: Any) -> tuple[EpochEntry, ...]:
    return tuple(EpochEntry(int(e.getEpoch()), int(e.getStartOffset())) for e in found.getAllEntries())


def epochs(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`EpochFileCache`: appending, cutting, looking up, and the consistent point of two files."""
    java_entry = bench.jpype.JClass("org.apache.rocketmq.remoting.protocol.EpochEntry")
    for _ in range(count):
        entries = _entries(random)
        file = tuple(entries)
        offset, epoch = random.choice(_OFFSETS), random.choice((-1, 0, 1, 2, 4, 9, 2**31 - 2))
        given = f"{[tuple(e) for e in entries]} offset {offset} epoch {epoch}"

        def made() -> Any:
            return cache(bench, None, *entries)  # noqa: B023

        found = made()
        found.appendEntry(java_entry(epoch, offset))
        ours = epoch_file.append_as_shipped(file, EpochEntry(epoch, offset))
        yield Pair("EpochFileCache.appendEntry", given, _plain(found), ours)
        cuts: list[tuple[str, int, Callable[..., Any]]] = [
            ("truncateSuffixByOffset", offset, epoch_file.truncate_suffix_by_offset),
            ("truncateSuffixByEpoch", epoch, epoch_file.truncate_suffix_by_epoch),
            ("truncatePrefixByOffset", offset, epoch_file.truncate_prefix_by_offset),
        ]
        for name, where, function in cuts:
            found = made()
            getattr(found, name)(where)
            yield Pair(f"EpochFileCache.{name}", given, _plain(found), function(file, where))
        entry = made().findEpochEntryByOffset(offset)
        theirs = None if entry is None else EpochEntry(int(entry.getEpoch()), int(entry.getStartOffset()))
        yield Pair("EpochFileCache.findEpochEntryByOffset", given, theirs, epoch_file.entry_at(file, offset))
        entry = made().nextEntry(epoch)
        theirs = None if entry is None else EpochEntry(int(entry.getEpoch()), int(entry.getStartOffset()))
        yield Pair("EpochFileCache.nextEntry", given, theirs, epoch_file.next_entry(file, epoch))
        yield _consistent_point(bench, random, entries)


def _consistent_point(bench: Bench, random: Random, entries: list[EpochEntry]) -> Pair:
    other = _entries(random) if random.random() < 0.4 else entries[: random.randrange(len(entries) + 1)]
    ends = random.choice(_OFFSETS), random.choice(_OFFSETS)
    local, remote = cache(bench, None, *entries), cache(bench, None, *other)
    local.setLastEpochEntryEndOffset(ends[0])
    remote.setLastEpochEntryEndOffset(ends[1])
    theirs = int(local.findConsistentPoint(remote))
    ours = epoch_file.find_consistent_point(tuple(entries), ends[0], tuple(other), ends[1])
    return Pair("EpochFileCache.findConsistentPoint", f"{entries} to {ends[0]}, {other} to {ends[1]}", theirs, ours)


def files(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """The epoch file: written by both, and with damages read by both. RocketMQ's backup is not there."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "epochFileCheckpoint")
        for _ in range(count):
            for each in Path(folder).iterdir():
                each.unlink()
            entries = _entries(random)
            cache(bench, file, *entries)
            if entries:
                yield Pair("epoch file, written", str(entries), file.read_bytes(), encode_epoch_file(entries))
            content = _damaged(random, encode_epoch_file(entries))
            file.write_bytes(content)
            for each in Path(folder).glob("*.bak"):
                each.unlink()
            again = cache(bench, file)
            try:
                theirs: Any = _plain(again) if again.initCacheFromFile() else "unreadable"
            except bench.jpype.JException:
                theirs = "unreadable"
            try:
                ours: Any = tuple(decode_epoch_file(content))
            except ValueError:
                ours = "unreadable"
            reason = "ours refuses what RocketMQ's reader lets pass (F-41)" if ours == "unreadable" else ""
            yield Pair("epoch file, read", repr(content), theirs, ours, reason)


def _damaged(random: Random, content: bytes) -> bytes:
    at = random.randrange(len(content) + 1)
    match random.randrange(6):
        case 0:
            return content
        case 1:
            return content[:at]
        case 2:
            return content[:at] + random.choice((b"0", b"9", b"-", b"\n", b"x", b" ")) + content[at:]
        case 3:
            return content[:at] + content[at + 1 :]
        case 4:
            lines = content.split(b"\n")
            lines[1:2] = [b"0"]  # RocketMQ's word for "do not check"
            return b"\n".join(lines)
        case _:
            return content.replace(b"\n", b"\r\n")


# --- the confirmOffset -----------------------------------------------------------------------------------------------


def confirm_offsets(bench: Bench, random: Random, count: int) -> Iterator[Pair]:
    """`AutoSwitchHAService.computeConfirmOffset` of a master with three messages.

    Random are the members, the connections with their acks, two of one slave among them, and what was confirmed before.
    """
    with bench.store(allAckInSyncStateSet=True) as store:
        store.become_master(1, frozenset({1}))
        for _ in range(3):
            store.put()
        connections, end = store.ha.getConnectionList(), store.end
        acks = (-1, 0, 1, end // 3, end - 1, end, end + 1, 2**40)
        for _ in range(count):
            members = frozenset({1, *random.sample((2, 3, 4), random.randrange(4))})
            known = [(random.choice((2, 3, 4)), random.choice(acks)) for _ in range(random.randrange(5))]
            old = random.choice((0, 1, end // 2, end))
            store.learn(members)
            for slave, ack in known:
                connections.add(_connection(bench, slave, ack))
            store.store.setConfirmOffset(old)
            theirs = int(store.ha.computeConfirmOffset())
            connections.clear()
            made = {number: SimpleNamespace(slave_id=slave, ack=ack) for number, (slave, ack) in enumerate(known)}
            # what the rule reads of a broker
            master: Any = SimpleNamespace(id=1, role=Role.MASTER, log_end=end, confirm_offset=old, connections=made)
            ours = _SHIPPED_BROKER.confirm_with(master, members, members, dict(known))
            given = f"members {sorted(members)}, acks {known}, before {old}, end {end}"
            yield Pair("AutoSwitchHAService.computeConfirmOffset", given, theirs, ours)


def _connection(bench: Bench, slave: int, ack: int) -> Any:
    made = allocated(bench.jpype, "org.apache.rocketmq.store.ha.autoswitch.AutoSwitchHAConnection")
    field_of(made, "slaveId").set(made, bench.jpype.java.lang.Long(slave))
    field_of(made, "slaveAckOffset").setLong(made, ack)
    return made


COMPARISONS: dict[str, tuple[Callable[[Bench, Random, int], Iterator[Pair]], float]] = {
    "controller": (controller, 4),
    "policy": (policy, 4),
    "epochs": (epochs, 1),
    "files": (files, 1),
    "confirm offsets": (confirm_offsets, 1),
    "requests": (requests, 4),
    "HA packets": (ha_packets, 1),
    "HA acks": (acks, 1),
    "puts": (puts, 1 / 8),
}
"""Each with how often it is made, as a share: `epochs` yields seven comparisons at a time, `files`, requests and
acks two, packets four. Puts wait for what does not come."""


# --- running ---------------------------------------------------------------------------------------------------------


def compare(release: Release, java: Path | None, count: int, seed: int) -> Compared:
    """At least `count` comparisons. Raise `RocketmqError`."""
    find_java(java)
    command = [sys.executable, "-m", "rmqproof.rocketmq.comparing"]
    done = subprocess.run(command, input=pickle.dumps((release, java, count, seed)), capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RocketmqError(
            f"The comparison ended with status {done.returncode}: {said[-1] if said else 'nothing was said'}",
            "Try another Java: --java /path/to/jdk.",
        )
    found = json.loads(done.stdout)
    return Compared(
        Counter(found["made"]),
        Counter(found["explained"]),
        Counter(found["different"]),
        found["unexplained"],
        found["seconds"],
    )


def in_own_jvm(main: Callable[[TextIO], None]) -> NoReturn:
    """Run `main` with what this process prints, which what Java prints does not come between, and end the process."""
    try:
        with os.fdopen(os.dup(1), "w") as answers:
            os.dup2(2, 1)
            main(answers)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


@contextmanager
def bench_of(release: Release, java: Path | None) -> Iterator[Bench]:
    """With the JVM of this process, which can have one only."""
    from rmqproof.rocketmq import jvm

    with tempfile.TemporaryDirectory(prefix="rmqproof-jvm-", ignore_cleanup_errors=True) as home:
        yield Bench(jvm.start(release, find_java(java), Path(home)))


def _main(answers: TextIO) -> None:
    release, java, count, seed = pickle.load(sys.stdin.buffer)
    result, times = Compared(), max(1, -(-count // 30))
    with bench_of(release, java) as bench:
        started = monotonic()
        for number, (function, share) in enumerate(COMPARISONS.values()):
            for pair in function(bench, Random(f"{seed}:{number}"), max(1, round(times * share))):
                result.take(pair)
    result.seconds = monotonic() - started
    json.dump({each.name: getattr(result, each.name) for each in fields(result)}, answers)


if __name__ == "__main__":
    in_own_jvm(_main)
