"""Where each action of the protocol is taken: in a model of two brokers, and in one of three.

Of the models that explore the repaired rules, except for what only another rule makes possible: a controller that
decides before it applies (`ControllerAppliesEvent`), proposals that wait in a queue (`SendQueuedProposal`), a poll that
takes a proposal for void (`ForgetUnresolvedProposals`).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rmqproof.model.checking.check import check
from rmqproof.model.checking.options import Options
from rmqproof.model.tla.model_files import DEFAULT_GROUP, find_models

SPEC = Path(__file__).parents[2] / "spec"

TWO = {
    "TwoBrokersFirstElection": "BrokerRequestsElection ControllerAcceptsAlter ControllerFailsOver "
    "ControllerRejectsAlter ControllerFindsNoMaster HeartbeatArrives LearnSyncStateSet ProposeExpand BecomeMaster "
    "BrokerRestarts ProcessCrashes RestartedBrokerIsElected AppendPut AcknowledgePut",
    "TwoBrokersCleaned": "MetadataIsCleaned ControllerElectsMaster HeartbeatExpires BecomeSlave MasterReceivesAck "
    "SlaveAppendsBatch SlaveConnectsAndTruncates",
    "TwoBrokersFlushLoss": "BytesAreFlushed MachineCrashes",
    "TwoBrokersLostDisk": "DiskIsLost ProposeShrink",
    "TwoBrokersInterrupted": "HandshakeIsInterrupted",
    "TwoBrokersFineSteps": "AdministratorDesignatesMaster ConnectionBreaks MasterNoticesLostConnection "
    "NewMasterOpensForPuts NewMasterRecordsEpoch ReceiveNotice",
    "TwoBrokersConsumers": "ConsumerReads SlaveLearnsConfirmOffset",
    "bugs/InsufficientPollResolution": "ForgetUnresolvedProposals",
    "bugs/DecidedBeforeApplied": "ControllerAppliesEvent",
    "bugs/QueuedProposalOutlivesReign": "SendQueuedProposal",
}
THREE = {
    "ThreeBrokersFirstElection": "BrokerRequestsElection ControllerAcceptsAlter ControllerFailsOver "
    "ControllerRejectsAlter HeartbeatArrives LearnSyncStateSet ProposeExpand BecomeMaster",
    "ThreeBrokersCleaned": "MetadataIsCleaned ControllerElectsMaster HeartbeatExpires BecomeSlave MasterReceivesAck "
    "SlaveAppendsBatch SlaveConnectsAndTruncates AppendPut AcknowledgePut BrokerRestarts ProcessCrashes "
    "RestartedBrokerIsElected",
    "ThreeBrokersTwoElections": "MachineCrashes BytesAreFlushed ControllerFindsNoMaster",
    "ThreeBrokersLostDisk": "DiskIsLost ProposeShrink",
    "ThreeBrokersInterrupted": "HandshakeIsInterrupted",
    "ThreeBrokersFineSteps": "AdministratorDesignatesMaster ConnectionBreaks MasterNoticesLostConnection "
    "NewMasterOpensForPuts NewMasterRecordsEpoch ReceiveNotice",
    "ThreeBrokersFlushLoss": "ConsumerReads SlaveLearnsConfirmOffset",
    "bugs/InsufficientPollResolutionThree": "ForgetUnresolvedProposals",
    "bugs/DecidedBeforeAppliedThree": "ControllerAppliesEvent",
    "bugs/Issue9897": "SendQueuedProposal",
}


@cache
def taken(name: str) -> frozenset[str]:
    """The actions that the model takes before it ends."""
    (files,) = find_models([SPEC / f"{name}.cfg"])
    assert files.group == DEFAULT_GROUP
    outcome = check(files, Options(workers=1))
    return frozenset(action.action for action in outcome.result.coverage if action.total)


def actions() -> set[str]:
    """The names in the protocol's next-state action, and that of the interrupted handshake."""
    text = (SPEC / "ControllerMode.tla").read_text(encoding="utf-8")
    (body,) = re.findall(r"^Next ==\n(.*?)^\n", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"(?:: |\\/ )(\w+)\(?", body)) - {"Next"} | {"HandshakeIsInterrupted"}


@pytest.mark.parametrize("models", [TWO, THREE], ids=["two", "three"])
def test_the_table_names_every_action(models: dict[str, str]) -> None:
    assert set(" ".join(models.values()).split()) == actions()


@pytest.mark.parametrize("brokers", ["{b1, b2}", "{b1, b2, b3}"])
def test_a_model_has_so_many_brokers(brokers: str) -> None:
    for name in TWO if brokers == "{b1, b2}" else THREE:
        assert f"  Broker = {brokers}\n" in (SPEC / f"{name}.cfg").read_text(encoding="utf-8"), name


@pytest.mark.parametrize("name", [*TWO, *THREE])
def test_an_action_is_taken_where_the_table_says(name: str) -> None:
    assert set((TWO | THREE)[name].split()) <= taken(name)


def test_an_action_that_is_not_taken_is_found() -> None:
    assert "MachineCrashes" not in taken("TwoBrokersCleaned")
