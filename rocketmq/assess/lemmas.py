"""Which lemmas, proved for all sizes, stand behind a no: about its rules, and for some about the whole protocol."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rmqproof.model.tla.library import bundled
from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.broker_set import BrokerSet
from rmqproof.rocketmq.assess.examination import Answer
from rmqproof.rocketmq.assess.faults import Fault

ACK, CONFIRM, CONTROLLER, EPOCH = "AckPolicyLemmas", "ConfirmOffsetLemmas", "ControllerLemmas", "EpochFileLemmas"
_LOSES_TAILS = {Fault.MACHINE_CRASH, Fault.POWER_LOSS}
_LOSES_BYTES = _LOSES_TAILS | {Fault.DISK_LOSS}


@dataclass(frozen=True, slots=True)
class Lemma:
    """A theorem of a module of `spec/lemmas`, declared as proved: of a rule, or of the whole protocol.

    `whole`: of how many brokers the latter is proved (docs/proved.md); empty for a rule.
    """

    module: str
    name: str
    whole: str = ""

    def place(self) -> str:
        """Its name and module, and what it is about if that is more than a rule."""
        return f"{self.name} of {self.module}" + (f", about the whole protocol of {self.whole}" if self.whole else "")

    def sentence(self) -> str:
        return _sentences(bundled(f"{self.module}.tla"))[self.name]


def behind(answer: Answer) -> tuple[Lemma, ...]:
    """The lemmas about the rules that make this answer no; none for another answer."""
    if answer.yes is not False or answer.deployment.shipped_rules:
        return ()
    return tuple(_behind(answer.question.name, answer.deployment, set(answer.faults.classes)))


def theorem(broker_set: BrokerSet, faults: Collection[Fault]) -> Lemma | None:
    """What says of the whole protocol, for every number of messages and epochs, that nothing acknowledged is lost.

    Of those that lead an epoch below the last one of their file nothing is said (hazard F-24).
    """
    if isinstance(broker_set, MasterSlave) or broker_set.transient_pool or _LOSES_TAILS.intersection(faults):
        return None
    if broker_set.all_ack:
        proved = not broker_set.unclean_election and Fault.DISK_LOSS not in faults
        return _whole("AllAck") if proved else None
    if broker_set.in_sync_replicas != broker_set.replicas:
        return None
    if not broker_set.unclean_election:
        return _whole("CleanCopies")
    noticed = Fault.BROKER_PARTITION not in faults  # else a connection may be half open
    return _whole("AllCopies") if noticed else None


def _whole(about: str) -> Lemma:
    return Lemma(f"{about}Lemmas", f"{about}InvImpliesAcknowledgedIsKept", "any number of brokers")


def _behind(question: str, broker_set: BrokerSet, faults: set[Fault]) -> Iterator[Lemma]:
    if isinstance(broker_set, MasterSlave):
        if question == "two-lock-holders" and broker_set.strict_lock:
            yield Lemma(ACK, "MajoritiesIntersect")
        return
    clean = not broker_set.unclean_election
    if question == "lose-acknowledged":
        if whole := theorem(broker_set, faults):
            yield whole
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
