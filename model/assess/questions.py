"""What an operator asks, and the property of `spec/Operations.tla` that answers it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """`property` is violated exactly where the answer is yes."""

    name: str
    text: str
    property: str
    answer: str
    yes: str
    """What it means when it happens."""

    def raised_by(self, faults: object, broker_set: object) -> bool:
        return True


QUESTIONS: tuple[Question, ...] = (
    Question(
        "lose-acknowledged",
        "Can an acknowledged message be lost?",
        "AcknowledgedIsKept",
        "lost",
        "A producer was told SEND_OK, and the message is gone.",
    ),
    Question(
        "two-masters",
        "Can two masters accept writes at once?",
        "OneBrokerAcceptsPuts",
        "twoMasters",
        "Both append; what the old one appends and does not acknowledge is cut off later.",
    ),
    Question(
        "read-truncated",
        "Can a consumer read what is later truncated?",
        "ConsumedIsKept",
        "readTruncated",
        "A consumer processed a message that no other consumer will ever see.",
    ),
    Question(
        "majority-stalls",
        "Can writes stop while a majority of the replicas is up?",
        "MajorityServesWrites",
        "majorityStalls",
        "Writes stop until a replica that is down is back.",
    ),
    Question(
        "one-loss-stalls",
        "Can the loss of any one machine stop writes?",
        "WritesSurviveOneLoss",
        "oneLossStalls",
        "Writes stop until that one machine is back.",
    ),
    Question(
        "manual-repair",
        "Can a replica be stuck until somebody repairs it by hand?",
        "NoManualRepair",
        "manualRepair",
        "No restart helps: somebody has to choose a master, or to copy a disk.",
    ),
)

ANSWERS = ("lost", "twoMasters", "readTruncated", "majorityStalls", "oneLossStalls", "manualRepair")
"""The fields of the variable `answers` of `spec/Assessment.tla`."""
