"""Holds `two_phase` to `TwoPhase.tla`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from rmqproof.conformance.adapter import Answer, Snapshot, Value
from rmqproof.conformance.fields import fields_of
from tests.conformance.examples.two_phase import Cluster


class TwoPhaseAdapter:
    make = Cluster

    def start(self, constants: Mapping[str, Value]) -> int:
        self.names = list(constants["Participant"]["#set"])
        self.initial(0)
        return 1

    def initial(self, index: int) -> None:
        self.cluster = self.make(self.names)

    def snapshot(self) -> Snapshot:
        return deepcopy(self.cluster)

    def restore(self, snapshot: Snapshot) -> None:
        self.cluster = deepcopy(snapshot)

    def perform(self, action: str, arguments: tuple[Value, ...]) -> Answer:
        done = getattr(self, f"do_{action}")(*arguments)
        return Answer.PERFORMED if done else Answer.REFUSED

    def do_Prepare(self, name: str) -> bool:
        done = self.cluster.participants[name].prepare()
        if done:
            self.cluster.network.add(("vote", name))
        return done

    def do_GiveUp(self, name: str) -> bool:
        return self.cluster.participants[name].give_up()

    def do_VoteArrives(self, message: Value) -> bool:
        return self.arrives(message, "vote", "from") and self.cluster.coordinator.on_vote(message["from"])

    def do_Decide(self, decision: str) -> bool:
        told = self.cluster.coordinator.decide(decision)
        if told is not None:
            self.cluster.network.add(("decision", told))
        return told is not None

    def do_DecisionArrives(self, name: str, message: Value) -> bool:
        arrives = self.arrives(message, "decision", "value")
        return arrives and self.cluster.participants[name].on_decision(message["value"])

    def arrives(self, message: Value, kind: str, content: str) -> bool:
        return message["type"] == kind and (kind, message[content]) in self.cluster.network

    def observe(self) -> Mapping[str, Value]:
        coordinator = self.cluster.coordinator
        return {
            "coordinator": {"decision": coordinator.decision or "none", "votes": {"#set": sorted(coordinator.votes)}},
            "state": {name: participant.status for name, participant in self.cluster.participants.items()},
            "messages": {"#set": [self.message(*item) for item in sorted(self.cluster.network)]},
        }

    def message(self, kind: str, content: str) -> dict[str, Any]:
        return {"type": kind, ("from" if kind == "vote" else "value"): content}

    def elided(self) -> Mapping[str, str]:
        return {
            "coordinator.members": "fixed from the start",
            "coordinator.rounds": "a counter for the operators, which decides nothing",
            "participants.name": "fixed from the start",
        }

    def fields(self) -> Iterable[str]:
        return fields_of(self.cluster)

    def mapped(self) -> Mapping[str, str]:
        return {
            "coordinator.decision": "coordinator.decision",
            "coordinator.votes": "coordinator.votes",
            "participants.status": "state",
            "network": "messages",
        }
