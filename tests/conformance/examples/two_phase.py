"""Two-phase commit as somebody might have written it, knowing nothing of rmqproof. The adapter is `adapter.py`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Coordinator:
    members: frozenset[str]
    decision: str | None = None
    votes: set[str] = field(default_factory=set)
    rounds: int = 0

    def on_vote(self, name: str) -> bool:
        """Whether the vote told us anything."""
        self.rounds += 1
        if self.decision is not None or name in self.votes:
            return False
        self.votes.add(name)
        return True

    def decide(self, wanted: str) -> str | None:
        """The message for the participants, or None where the decision cannot be taken."""
        if self.decision is not None or (wanted == "commit" and self.votes != self.members):
            return None
        self.decision = wanted
        return wanted


@dataclass
class Participant:
    name: str
    status: str = "working"

    def prepare(self) -> bool:
        if self.status != "working":
            return False
        self.status = "prepared"
        return True

    def give_up(self) -> bool:
        if self.status != "working":
            return False
        self.status = "aborted"
        return True

    def on_decision(self, decision: str) -> bool:
        if self.status not in ("working", "prepared") or (decision == "commit" and self.status != "prepared"):
            return False
        self.status = "committed" if decision == "commit" else "aborted"
        return True


class Cluster:
    """All of them, and the messages on the network."""

    def __init__(self, names: list[str]) -> None:
        self.coordinator = self.make_coordinator(frozenset(names))
        self.participants = {name: self.make_participant(name) for name in names}
        self.network: set[tuple[str, str]] = set()

    make_coordinator = Coordinator
    make_participant = Participant
