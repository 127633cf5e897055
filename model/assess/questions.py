"""What an operator asks, and the property of `spec/Operations.tla` that answers it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """`property` is violated exactly where the answer is yes."""

    name: str
    text: str
    property: str
    yes: str
    """What it means when it happens."""


QUESTIONS: tuple[Question, ...] = (
    Question(
        "lose-acknowledged",
        "Can an acknowledged message be lost?",
        "AcknowledgedIsKept",
        "A producer was told SEND_OK, and the message is gone.",
    ),
    Question(
        "two-masters",
        "Can two masters accept writes at once?",
        "OneBrokerAcceptsPuts",
        "Both append; what the old one appends and does not acknowledge is cut off later.",
    ),
    Question(
        "read-truncated",
        "Can a consumer read what is later truncated?",
        "ConsumedIsKept",
        "A consumer processed a message that no other consumer will ever see.",
    ),
    Question(
        "majority-stalls",
        "Can writes stop while a majority of the replicas is up?",
        "MajorityServesWrites",
        "Writes stop until a replica that is down is back.",
    ),
    Question(
        "one-loss-stalls",
        "Can the loss of any one machine stop writes?",
        "WritesSurviveOneLoss",
        "Writes stop until that one machine is back.",
    ),
    Question(
        "manual-repair",
        "Can a replica be stuck until somebody repairs it by hand?",
        "NoManualRepair",
        "No restart helps: somebody has to choose a master, or to copy a disk.",
    ),
)
