"""Settings beside the log: what they do not do, or do otherwise than they seem."""

from __future__ import annotations

import pytest

from rmqproof.rocketmq.assess.acting import MasterSlave
from rmqproof.rocketmq.assess.deployment import Deployment, contradictions, deployment_of
from rmqproof.rocketmq.assess.faults import Fault, Faults
from rmqproof.rocketmq.assess.questions import QUESTIONS
from rmqproof.rocketmq.assess.reading import empty_reading
from rmqproof.rocketmq.assess.settings import Side
from rmqproof.rocketmq.assess.state_space import Explore
from tests.rocketmq.assess.test_reading import reading

CONTROLLED = "enableControllerMode=true\n"
ACTING = "enableSlaveActingMaster=true\nenableRemoteEscape=true\ntotalReplicas=2\n"
QUORUM = ACTING + "brokerRole=SYNC_MASTER\ninSyncReplicas=2\n"
NAMESERVER = "supportActingMaster=true"
(READ,) = (question for question in QUESTIONS if question.name == "read-truncated")


def said(text: str) -> dict[str, bool]:
    """The sentences, and whether each is serious."""
    broker, other = reading(text), reading(NAMESERVER, Side.CONTROLLER)
    remarks = [*broker.remarks, *contradictions([broker], other, deployment_of([broker], other))]
    return {remark.sentence: remark.serious for remark in remarks}


@pytest.mark.parametrize(
    ("mode", "text", "words", "serious"),
    [
        (CONTROLLED, "haMaxGapNotInSync=1", "no effect in Controller mode", False),
        (QUORUM, "haMaxGapNotInSync=0", "every put is refused: 2 copies are asked of 1 replica", True),
        (QUORUM, "haMaxGapNotInSync=0\nenableAutoInSyncReplicas=true", "the master's copy alone", True),
        (
            QUORUM,
            "haMaxGapNotInSync=0\nenableAutoInSyncReplicas=true\nminInSyncReplicas=2",
            "every put is refused: 2 copies",
            True,
        ),
        (ACTING, "haMaxGapNotInSync=0", "no effect without brokerRole=SYNC_MASTER", False),
        (CONTROLLED, "inSyncReplicas=0", "no copy but the master's (CommitLog.handleHA)", True),
        (CONTROLLED, "inSyncReplicas=-1", "every member of the SyncStateSet", True),
        (CONTROLLED, "inSyncReplicas=-2", "the copy of any one slave", True),
        (CONTROLLED, "enableSlaveActingMaster=true", "delivers delayed messages and checks half ones", True),
        (CONTROLLED, "duplicationEnable=true", "nothing is replicated", True),
        (CONTROLLED, "transientStorePoolEnable=true", "keeps messages in its process", True),
        (CONTROLLED, "brokerPermission=4", "offer no queue of this broker for writing", False),
        (CONTROLLED, "controllerHeartBeatTimeoutMills=1000", "takes brokers for dead that run", True),
        (ACTING, "brokerNotActiveTimeoutMillis=500", "the name server takes brokers for dead", True),
        (CONTROLLED, "brokerHeartbeatInterval=20000", "takes brokers for dead that run", True),
        (CONTROLLED, "popConsumerKVServiceEnable=true", "every POP request fails", True),
        (CONTROLLED, "popConsumerKVServiceEnable=true\npopConsumerKVServiceInit=true", "RocksDB of this broker", True),
        (CONTROLLED, "enablePopBufferMerge=true", "stay in the master's memory", False),
        (CONTROLLED, "rejectTransactionMessage=true", "half messages are refused", False),
        (CONTROLLED, "transactionCheckMax=3", "asked 3 times is laid aside", False),
        (CONTROLLED, "transactionTimeOut=3000", "is not below transactionTimeOut=3000", True),
        (CONTROLLED, "transactionTimeOut=7000", "no setting prevents it", False),
        (CONTROLLED, "enableRemoteEscape=true", "no effect in Controller mode", False),
        (CONTROLLED, "skipPreOnline=true", "online before a controller has told it its role", True),
        (CONTROLLED, "lockInStrictMode=true\ntotalReplicas=3", "no ordered queue is consumed", True),
        ("totalReplicas=2\n", "lockInStrictMode=true", "no ordered queue is consumed", True),
    ],
)
def test_a_setting_that_is_not_what_it_seems(mode: str, text: str, words: str, serious: bool) -> None:
    before, after = said(mode), said(mode + text)
    new = {sentence: grave for sentence, grave in after.items() if sentence not in before}
    found = [grave for sentence, grave in new.items() if words in sentence]
    assert found == [serious], new


@pytest.mark.parametrize(
    "text",
    [
        CONTROLLED,
        QUORUM + "haMaxGapNotInSync=1048576",
        CONTROLLED + "transientStorePoolEnable=true\nflushDiskType=SYNC_FLUSH",
        CONTROLLED + "controllerHeartBeatTimeoutMills=5000",
        "brokerNotActiveTimeoutMillis=500",
        ACTING + "lockInStrictMode=true",
    ],
)
def test_nothing_is_said_of_the_others(text: str) -> None:
    assert said(text) == {}


def test_a_row_for_what_a_file_sets() -> None:
    rows = [value.setting.name for value in reading("readUnCommitted=true").shown()]
    assert "readUnCommitted" in rows and "haMaxGapNotInSync" not in rows
    assert "readUnCommitted" not in [value.setting.name for value in empty_reading(Side.BROKER, "none").shown()]


@pytest.mark.parametrize("uncommitted", [False, True])
def test_what_is_dispatched_before_it_is_confirmed_is_read_and_truncated(uncommitted: bool) -> None:
    text = CONTROLLED + "allAckInSyncStateSet=true\n" + ("readUnCommitted=true" if uncommitted else "")
    deployment = deployment_of([reading(text)], empty_reading(Side.CONTROLLER, "none"))
    assert isinstance(deployment, Deployment)
    (answer,) = Explore()(deployment, Faults((Fault.PROCESS_CRASH,)), (READ,))
    assert answer.yes is uncommitted


def test_without_a_controller_what_is_not_flushed_is_read() -> None:
    """A slave that is read while its master is down may have what the master has not flushed, whatever is set."""
    lengths = []
    for uncommitted in (False, True):
        broker_set = MasterSlave(2, sync_flush=True, read_uncommitted=uncommitted)
        (answer,) = Explore()(broker_set, Faults((Fault.MACHINE_CRASH,)), (READ,))
        assert answer.behaviour is not None
        lengths.append([str(step.action) for step in answer.behaviour.steps])
    confirmed, any_time = lengths
    assert len(any_time) < len(confirmed), (any_time, confirmed)
