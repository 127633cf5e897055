"""The smallest change of settings that turns a yes into a no, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rmqproof.model.assess.broker_set import BrokerSet
from rmqproof.model.assess.deployment import MOST_REPLICAS, Deployment
from rmqproof.model.assess.examination import Answer, Explore, Task
from rmqproof.model.assess.faults import Faults
from rmqproof.model.assess.questions import Question


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One setting set otherwise. `cost` is what it takes from producers or from availability."""

    text: str
    cost: str
    fields: tuple[tuple[str, int | bool], ...]

    def applied(self, deployment: Deployment) -> Deployment:
        return replace(deployment, **dict(self.fields))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Advice:
    """`adjustments` together make the answer no; empty: no change of at most two settings does.

    `opened` are the questions that were answered no before and are answered yes with the change.
    """

    answer: Answer
    adjustments: tuple[Adjustment, ...]
    opened: tuple[Question, ...] = ()
    tried: int = 0


def adjustments(deployment: Deployment) -> Iterator[Adjustment]:
    """Every single change worth trying, the cheapest first."""
    full = deployment.full_replicas
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
