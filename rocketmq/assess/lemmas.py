"""Which lemmas, proved for all sizes, stand behind a no: about its rules; the protocol around them is explored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.faults import Fault

ACK, CONFIRM, CONTROLLER, EPOCH = "AckPolicyLemmas", "ConfirmOffsetLemmas", "ControllerLemmas", "EpochFileLemmas"
_LOSES_BYTES = {Fault.MACHINE_CRASH, Fault.POWER_LOSS, Fault.DISK_LOSS}


@dataclass(frozen=True, slots=True)
class Lemma:
    """A theorem of a module of `spec/lemmas`, declared as proved."""

    module: str
    name: str

    def sentence(self) -> str:
        return _sentences(bundled(f"{self.module}.tla"))[self.name]


def behind(answer: Answer) -> tuple[Lemma, ...]:
    """The lemmas about the rules that make this answer no; none for another answer."""
    if answer.yes is not False or answer.deployment.shipped_rules:
        return ()
    return tuple(_behind(answer.question.name, answer.deployment, set(answer.faults.classes)))


def _behind(question: str, broker_set: BrokerSet, faults: set[Fault]) -> Iterator[Lemma]:
    if isinstance(broker_set, MasterSlave):
        if question == "two-lock-holders" and broker_set.strict_lock:
            yield Lemma(ACK, "MajoritiesIntersect")
        return
    clean = not broker_set.unclean_election
    if question == "lose-acknowledged":
        if broker_set.all_ack and clean:
            yield Lemma(ACK, "AllAckHoldsEverywhere")
            yield Lemma(CONTROLLER, "ElectedFromTheSet")
        elif broker_set.in_sync_replicas > 1 and (faults & _LOSES_BYTES or broker_set.transient_pool):
            yield Lemma(ACK, "AckedHasCopies")
            yield Lemma(ACK, "CopiesSurviveFewerLosses")
    elif question == "read-truncated" and broker_set.all_ack and clean:
        yield Lemma(CONFIRM, "ConfirmNeverBeyondMember")
        yield Lemma(CONFIRM, "CleanElectionKeepsConfirm")
        yield Lemma(EPOCH, "NothingConfirmedIsCut")


@cache
def _sentences(module: Path) -> dict[str, str]:
    """By theorem the first sentence of the comment above it."""
    found: dict[str, str] = {}
    comment: list[str] = []
    for line in module.read_text(encoding="utf-8").splitlines():
        if line.startswith("\\*"):
            comment.append(line.removeprefix("\\*").strip())
        else:
            if match := re.match(r"THEOREM (\w+)", line):
                found[match[1]] = re.split(r"\s(?:EXPECT|BOUNDS|USES)\b", " ".join(comment))[0].strip()
            comment = []
    return found
