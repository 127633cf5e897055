"""Broken copies of the two-phase commit and of its adapter, one changed rule each."""

from __future__ import annotations

from collections.abc import Mapping

from rmqproof.conformance.adapter import Answer, Snapshot, Value
from tests.conformance.examples.adapter import TwoPhaseAdapter
from tests.conformance.examples.two_phase import Cluster, Coordinator, Participant


class HastyCoordinator(Coordinator):
    def decide(self, wanted: str) -> str | None:
        if self.decision is not None or (wanted == "commit" and not self.votes):
            return None
        self.decision = wanted
        return wanted


class FickleCoordinator(Coordinator):
    def decide(self, wanted: str) -> str | None:
        if wanted == "commit" and self.votes != self.members:
            return None
        self.decision = wanted
        return wanted


class ForgetfulCoordinator(Coordinator):
    def on_vote(self, name: str) -> bool:
        if name not in self.votes and self.decision is None:
            self.votes = {name}
            return True
        return False


class SilentlyChangingCoordinator(Coordinator):
    def on_vote(self, name: str) -> bool:
        if self.decision is not None:
            self.votes.add(name)
            return False
        return super().on_vote(name)


class TiredCoordinator(Coordinator):
    """Hidden state: the number of messages decides, and no variable of the model shows it."""

    def on_vote(self, name: str) -> bool:
        return self.rounds < 2 and super().on_vote(name)


class OrderlyCoordinator(Coordinator):
    """Hidden state: the order of the votes decides, and the set of the votes does not show it."""

    def __init__(self, members: frozenset[str]) -> None:
        super().__init__(members)
        self.votes: set[str] = set()
        self.last = ""

    def on_vote(self, name: str) -> bool:
        if super().on_vote(name):
            self.last = name
            return True
        return False

    def decide(self, wanted: str) -> str | None:
        return None if wanted == "commit" and self.last == "p1" else super().decide(wanted)


class UnfaithfulParticipant(Participant):
    def give_up(self) -> bool:
        if self.status not in ("working", "prepared"):
            return False
        self.status = "aborted"
        return True


class EagerParticipant(Participant):
    def prepare(self) -> bool:
        if self.status not in ("working", "aborted"):
            return False
        self.status = "prepared"
        return True


class StubbornParticipant(Participant):
    def on_decision(self, decision: str) -> bool:
        if decision == "abort" and self.status == "prepared":
            return False
        return super().on_decision(decision)


class CrashingParticipant(Participant):
    def on_decision(self, decision: str) -> bool:
        if decision == "abort" and self.status == "working":
            raise RuntimeError("abort before prepare")
        return super().on_decision(decision)


class ReadyParticipant(Participant):
    def __init__(self, name: str) -> None:
        super().__init__(name, "prepared")


def with_parts(
    coordinator: type[Coordinator] = Coordinator, participant: type[Participant] = Participant
) -> type[TwoPhaseAdapter]:
    """The adapter of a cluster with these parts."""

    class Parts(Cluster):
        make_coordinator = coordinator
        make_participant = participant

    class Adapter(TwoPhaseAdapter):
        make = Parts

        def snapshot(self) -> Snapshot:
            cluster = self.cluster
            return (
                {**vars(cluster.coordinator), "votes": set(cluster.coordinator.votes)},
                {name: participant.status for name, participant in cluster.participants.items()},
                set(cluster.network),
            )

        def restore(self, snapshot: Snapshot) -> None:
            self.cluster = Parts(self.names)
            vars(self.cluster.coordinator).update({**snapshot[0], "votes": set(snapshot[0]["votes"])})
            for name, status in snapshot[1].items():
                self.cluster.participants[name].status = status
            self.cluster.network = set(snapshot[2])

        def elided(self) -> Mapping[str, str]:
            return {**super().elided(), "coordinator.last": "believed to decide nothing"}

    return Adapter


class SharingAdapter(TwoPhaseAdapter):
    def restore(self, snapshot: Snapshot) -> None:
        self.cluster = snapshot


class ForgettingAdapter(with_parts()):  # type: ignore[misc]
    """The snapshot leaves out the votes."""

    def snapshot(self) -> Snapshot:
        coordinator, *others = super().snapshot()
        return ({**coordinator, "votes": set()}, *others)


class UnaccountedFieldAdapter(TwoPhaseAdapter):
    def elided(self) -> Mapping[str, str]:
        return {name: why for name, why in super().elided().items() if name != "coordinator.rounds"}


class StaleFieldAdapter(TwoPhaseAdapter):
    def mapped(self) -> Mapping[str, str]:
        return {**super().mapped(), "coordinator.log": "messages"}


class BlindAdapter(TwoPhaseAdapter):
    def observe(self) -> Mapping[str, Value]:
        return {name: value for name, value in super().observe().items() if name != "messages"}


class UnreasonableAdapter(BlindAdapter):
    def elided(self) -> Mapping[str, str]:
        return {**super().elided(), "messages": " "}


class InventingAdapter(TwoPhaseAdapter):
    def observe(self) -> Mapping[str, Value]:
        return {**super().observe(), "leader": "p1"}


class HalfBlindAdapter(TwoPhaseAdapter):
    def observe(self) -> Mapping[str, Value]:
        shown = dict(super().observe())
        return {**shown, "coordinator": {"decision": shown["coordinator"]["decision"]}}


class UnsupportedAdapter(TwoPhaseAdapter):
    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        return Answer.UNSUPPORTED if action == "GiveUp" else super().perform(action, arguments)


class IdleAdapter(TwoPhaseAdapter):
    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        return Answer.UNSUPPORTED

    def elided(self) -> Mapping[str, str]:
        actions = ("Prepare", "GiveUp", "VoteArrives", "Decide", "DecisionArrives")
        return {**super().elided(), **dict.fromkeys(actions, "not written yet")}
