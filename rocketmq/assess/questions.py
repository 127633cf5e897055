"""What an operator asks, and the property of `spec/core/Operations.tla` that answers it."""

from __future__ import annotations

from dataclasses import dataclass

ACTING, LOCKS = "ActingOperations.tla", "LockOperations.tla"


@dataclass(frozen=True, slots=True)
class Question:
    """`property` is violated exactly where the answer is yes."""

    name: str
    text: str
    property: str
    answer: str
    yes: str
    """What it means when it happens."""
    deciding: tuple[str, ...] = ()
    """Settings of which one value answers yes and another no, whatever the broker set (tests hold it to the models)."""
    module: str = ""
    """Of `spec/`, where the question is one of SlaveActingMaster mode only; empty: it is asked of every broker set."""


QUESTIONS: tuple[Question, ...] = (
    Question(
        "lose-acknowledged",
        "Can an acknowledged message be lost?",
        "AcknowledgedIsKept",
        "lost",
        "A producer was told SEND_OK, and the message is gone.",
        (
            "allAckInSyncStateSet",
            "inSyncReplicas",
            "enableElectUncleanMaster",
            "flushDiskType",
            "brokerRole",
            "enableAutoInSyncReplicas",
            "transientStorePoolEnable",
        ),
    ),
    Question(
        "two-masters",
        "Can two masters accept writes at once?",
        "OneBrokerAcceptsPuts",
        "twoMasters",
        "Both append; what the old one appends and does not acknowledge is cut off later.",
        ("minInSyncReplicas",),
    ),
    Question(
        "read-truncated",
        "Can a consumer read what is later truncated?",
        "ConsumedIsKept",
        "readTruncated",
        "A consumer processed a message that no other consumer will ever see.",
        ("allAckInSyncStateSet", "enableElectUncleanMaster", "flushDiskType", "readUnCommitted"),
    ),
    Question(
        "majority-stalls",
        "Can writes stop while a majority of the replicas is up?",
        "MajorityServesWrites",
        "majorityStalls",
        "Writes stop until a replica that is down is back.",
        ("inSyncReplicas", "minInSyncReplicas", "enableElectUncleanMaster", "brokerRole", "enableAutoInSyncReplicas"),
    ),
    Question(
        "one-loss-stalls",
        "Can the loss of any one machine stop writes?",
        "WritesSurviveOneLoss",
        "oneLossStalls",
        "Writes stop until that one machine is back.",
        ("inSyncReplicas", "minInSyncReplicas", "enableElectUncleanMaster", "brokerRole", "enableAutoInSyncReplicas"),
    ),
    Question(
        "manual-repair",
        "Can a replica be stuck until somebody repairs it by hand?",
        "NoManualRepair",
        "manualRepair",
        "No restart helps: somebody has to choose a master, or to copy a disk.",
        ("enableElectUncleanMaster",),
    ),
    Question(
        "offsets-roll-back",
        "Can a consumer group's committed offset go back?",
        "CommittedOffsetKept",
        "",
        "What was consumed at the slave is consumed again from the master.",
        ("enableSlaveActingMaster", "totalReplicas", "skipPreOnline"),
        ACTING,
    ),
    Question(
        "message-stuck",
        "Can a delayed or half message stay undelivered while a slave acts for the master?",
        "DueCanBeDelivered",
        "",
        "It waits until the master is back.",
        ("enableRemoteEscape",),
        ACTING,
    ),
    Question(
        "message-dropped",
        "Can a delayed or half message count as delivered and be nowhere?",
        "SecondLevelKept",
        "",
        "Nobody delivers it any more.",
        (),
        ACTING,
    ),
    Question(
        "two-lock-holders",
        "Can two consumers hold the lock of one ordered queue?",
        "LockMutex",
        "",
        "Its messages are not handled in their order.",
        ("lockInStrictMode", "totalReplicas"),
        LOCKS,
    ),
)

LOG_QUESTIONS = tuple(question for question in QUESTIONS if not question.module)
"""What is asked of every broker set."""

ANSWERS = tuple(question.answer for question in LOG_QUESTIONS)
"""The fields of the variable `answers` of `spec/core/Assessment.tla`."""
