"""Where each action of the protocol is taken: in a model of two brokers, and in one of three.

Of the models that explore the repaired rules, except for what only another rule makes possible: a controller that
decides before it applies (`ControllerAppliesEvent`), proposals that wait in a queue (`SendQueuedProposal`), a poll that
takes a proposal for void (`ForgetUnresolvedProposals`). `test_models`, which explores all of them, asks whether it is
so.
"""

from __future__ import annotations

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
    "InsufficientPollResolution": "ForgetUnresolvedProposals",
    "DecidedBeforeApplied": "ControllerAppliesEvent",
    "QueuedProposalOutlivesReign": "SendQueuedProposal",
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
    "InsufficientPollResolutionThree": "ForgetUnresolvedProposals",
    "DecidedBeforeAppliedThree": "ControllerAppliesEvent",
    "Issue9897": "SendQueuedProposal",
}

SPOKEN = {
    "TwoBrokersMinInSync": {"MinISRPromise"},
    "TwoBrokersMinInSyncCrash": {"MinISRPromise", "ConsumedStable"},
    "TwoBrokersLearner": {"LearnerNeverMaster"},
    "TwoBrokersLearnerCrash": {"LearnerNeverMaster", "ConsumedStable"},
    "TwoBrokersConsumers": {"ConsumedStable", "LogMatching"},
    "ThreeBrokersLearnerCrash": {"LearnerNeverMaster", "MinISRPromise", "ConsumedStable"},
    "ThreeBrokersMinInSync": {"MinISRPromise", "ConsumedStable"},
    "ThreeBrokersFlushLoss": {"ConsumedStable", "GrownSetLoses"},
    "ThreeBrokersCrash": {"FencedAlter", "SSSProposalMonotone"},
    "ThreeBrokersTwoElections": {"EpochFileCoversLog"},
    "ThreeBrokersSmall": {"LogMatching"},
}
"""The properties that could fail in a model, for whose sake it is there (`tests/spec/test_antecedents.py`)."""

UNTAKEN = {
    "ClientRetries": "",
    "ConsumeQueues": "",
    "Containers": "Commit Consume HandoverEnds MasterFindsItselfUnlisted NameserverRestarts Rebalance Register",
    "ControllerDiscovery": "",
    "EmptyUpgrade": "OffsetIsCorrected",
    "InSyncGap": "ConsumerReads DiskIsLost Flush MachineFails ProcessEnds ProcessStarts",
    "LogHeads": "",
    "LogHeadsLastFile": "",
    "MasterSlave": "ConsumerReads DiskIsLost",
    "Metadata": "SynchronizationEnds",
    "OrderedMessages": "",
    "Pop": "MasterRestarts RetryIsStored",
    "PopActing": "MasterRestarts RetryIsStored SlaveIsElected",
    "PopTwoConsumers": "CheckpointIsStored MasterRestarts RetryIsStored SlaveIsElected",
    "PreOnline": "",
    "QuorumLock": "",
    "QuorumLockPair": "",
    "RegistrationCrash": "",
    "RegistrationProgress": "",
    "Routes": "",
    "SlaveActingMaster": "DeliverElsewhere DeliverHere NameserverRestarts ProducerSends Register",
    "SlaveActingMasterEscape": "Commit Consume HandoverEnds MasterFindsItselfUnlisted NameserverRestarts "
    "Rebalance Register",
    "SlaveActingMasterMessages": "Commit Consume Rebalance",
    "SlaveActingMasterReturn": "Commit Consume DeliverElsewhere DeliverHere NameserverRestarts ProducerSends "
    "Rebalance Register",
    "TransactionsChecked": "",
    "Upgrade": "",
    "UpgradeAligned": "",
    "UpgradeAsShipped": "",
}
"""Of models of the protocols beside the core: the actions that they do not take; all others they do, among the first
10,000 states (`tests/spec/test_not_vacuous.py`)."""


def wanted(name: str) -> set[str]:
    """The actions that the model of this name has to take before it ends."""
    return set((TWO | THREE).get(name, "").split())
