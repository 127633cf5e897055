"""The smallest change of settings that turns a yes into a no, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.deployment import MOST_REPLICAS, Deployment
from rmqproof.rocketmq.assess.examination import Answer, Explore, Task
from rmqproof.rocketmq.assess.faults import Faults
from rmqproof.rocketmq.assess.questions import Question


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One setting set otherwise. `cost` is what it takes from producers or from availability."""

    text: str
    cost: str
    fields: tuple[tuple[str, int | bool], ...]

    def applied(self, broker_set: BrokerSet) -> BrokerSet:
        return replace(broker_set, **dict(self.fields))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Advice:
    """`adjustments` together make the answer no; empty: no change of at most two settings does.

    `opened` are the questions that were answered no before and are answered yes with the change.
    """

    answer: Answer
    adjustments: tuple[Adjustment, ...]
    opened: tuple[Question, ...] = ()
    tried: int = 0


def adjustments(broker_set: BrokerSet) -> Iterator[Adjustment]:
    """Every single change worth trying, the cheapest first."""
    return _of_master_slave(broker_set) if isinstance(broker_set, MasterSlave) else _of_controller_mode(broker_set)


def _of_master_slave(broker_set: MasterSlave) -> Iterator[Adjustment]:
    replicas = broker_set.replicas
    if not broker_set.pulls_offsets:
        fields: dict[str, int | bool] = {}
        words = []
        if not broker_set.acting:
            words.append("enableSlaveActingMaster=true")
            fields["acting"] = True
        if broker_set.total_replicas <= 1:
            words.append(f"totalReplicas={replicas}")
            fields["total_replicas"] = replicas
        if broker_set.skip_pre_online:
            words.append("skipPreOnline=false")
            fields["skip_pre_online"] = False
        yield Adjustment(
            " with ".join(words), "a master that returns waits until it has its slaves' offsets", tuple(fields.items())
        )
    if broker_set.acting and not broker_set.remote_escape:
        yield Adjustment(
            "enableRemoteEscape=true",
            "delayed and half messages go to another broker set, and may arrive twice",
            (("remote_escape", True),),
        )
    if broker_set.acting and not (broker_set.strict_lock and broker_set.total_replicas == replicas):
        yield Adjustment(
            f"lockInStrictMode=true with totalReplicas={replicas}",
            "an ordered queue waits while no majority of the replicas is up",
            (("strict_lock", True), ("total_replicas", replicas)),
        )
    yield from _of_reads(broker_set)
    if not broker_set.sync_flush:
        yield Adjustment("flushDiskType=SYNC_FLUSH", "every put waits for the master's disk", (("sync_flush", True),))
    for number in range(max(2, broker_set.in_sync_replicas + broker_set.sync_master), replicas + 1):
        role = "" if broker_set.sync_master else "brokerRole=SYNC_MASTER with "
        yield Adjustment(
            f"{role}inSyncReplicas={number}",
            f"every put waits for {number} copies, and is refused while there are fewer replicas",
            (("sync_master", True), ("in_sync_replicas", number)),
        )
    if broker_set.degrades_with_lag:
        for number in range(broker_set.min_in_sync_replicas + 1, min(replicas, broker_set.in_sync_replicas) + 1):
            yield Adjustment(
                f"minInSyncReplicas={number}",
                f"puts are refused while fewer than {number} replicas keep up",
                (("min_in_sync_replicas", number),),
            )
    if broker_set.acting and broker_set.sync_master and not broker_set.auto_degrade:
        yield Adjustment(
            "enableAutoInSyncReplicas=true",
            "a message may have as few copies as minInSyncReplicas when it is acknowledged",
            (("auto_degrade", True),),
        )


def _of_reads(broker_set: BrokerSet) -> Iterator[Adjustment]:
    if broker_set.transient_pool:
        yield Adjustment(
            "transientStorePoolEnable=false", "puts are written to the mapped file itself", (("transient_pool", False),)
        )
    if broker_set.read_uncommitted:
        yield Adjustment(
            "readUnCommitted=false", "consumers wait until a message is confirmed", (("read_uncommitted", False),)
        )


def _of_controller_mode(deployment: Deployment) -> Iterator[Adjustment]:
    full = deployment.full_replicas
    yield from _of_reads(deployment)
    if deployment.unclean_election:
        yield Adjustment(
            "enableElectUncleanMaster=false",
            "no master while no member of the SyncStateSet is up",
            (("unclean_election", False),),
        )
    for number in range(deployment.min_in_sync_replicas + 1, full + 1):
        yield Adjustment(
            f"minInSyncReplicas={number}",
            f"puts are refused while fewer than {number} replicas are in the SyncStateSet",
            (("min_in_sync_replicas", number),),
        )
    if deployment.all_ack:
        yield Adjustment(
            f"allAckInSyncStateSet=false with inSyncReplicas={full}",
            f"every put waits for {full} copies, however small the SyncStateSet is",
            (("all_ack", False), ("in_sync_replicas", full)),
        )
    else:
        yield Adjustment(
            "allAckInSyncStateSet=true",
            "every put waits for every member of the SyncStateSet",
            (("all_ack", True),),
        )
        for number in range(deployment.in_sync_replicas + 1, full + 1):
            yield Adjustment(
                f"inSyncReplicas={number}", f"every put waits for {number} copies", (("in_sync_replicas", number),)
            )
    if not deployment.sync_flush:
        yield Adjustment("flushDiskType=SYNC_FLUSH", "every put waits for the master's disk", (("sync_flush", True),))
    if deployment.min_in_sync_replicas > 1:
        yield Adjustment(
            "minInSyncReplicas=1", "a message may have one copy when it is acknowledged", (("min_in_sync_replicas", 1),)
        )
    if deployment.replicas < MOST_REPLICAS:
        yield Adjustment("a third replica", "one more machine", (("replicas", deployment.replicas + 1),))
    if not deployment.unclean_election:
        yield Adjustment(
            "enableElectUncleanMaster=true",
            "a replica that lags may become master, and what it lacks is lost",
            (("unclean_election", True),),
        )


def advise(explore: Explore, answers: Sequence[Answer]) -> tuple[Advice, ...]:
    """The advice on each yes among the answers to one broker set under one class of faults.

    One change is tried for all of them together, and a search ends as soon as it helps none.
    """
    left = [answer for answer in answers if answer.yes]
    were = tuple(answer.question for answer in answers if answer.yes is False)
    found: dict[str, Advice] = {}
    tried = 0
    if left:
        deployment, faults = left[0].deployment, left[0].faults
        singles = list(adjustments(deployment))
        for chosen in [*((single,) for single in singles), *_pairs(singles)]:
            changed = deployment
            for adjustment in chosen:
                changed = adjustment.applied(changed)
            tried += 1
            results = Task(explore, changed, faults, tuple(answer.question for answer in left))()
            solved = [answer for answer, result in zip(left, results, strict=True) if result.yes is False]
            if solved:
                opened = _opened(explore, changed, faults, were)
                found |= {answer.question.name: Advice(answer, chosen, opened, tried) for answer in solved}
                left = [answer for answer in left if answer not in solved]
            if not left:
                break
    found |= {answer.question.name: Advice(answer, (), (), tried) for answer in left}
    return tuple(found[answer.question.name] for answer in answers if answer.yes)


def _opened(explore: Explore, changed: BrokerSet, faults: Faults, were: tuple[Question, ...]) -> tuple[Question, ...]:
    """Questions whose answer turns from no to yes."""
    return tuple(after.question for after in Task(explore, changed, faults, were)() if after.yes) if were else ()


def _pairs(singles: list[Adjustment]) -> Iterator[tuple[Adjustment, Adjustment]]:
    """Two changes of different settings."""
    for one, other in combinations(singles, 2):
        if {name for name, _ in one.fields}.isdisjoint(name for name, _ in other.fields):
            yield one, other
