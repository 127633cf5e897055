"""Which check catches each broken copy: the model, the action at which it differs first, how, and after how many edges
of a breadth-first search. Numbers move with the models; the order of magnitude must not."""

from __future__ import annotations

from typing import NamedTuple


class Caught(NamedTuple):
    config: str
    action: str
    kind: str
    edges: int


CAUGHT: dict[str, Caught] = {
    "truncation point one too far": Caught("Notices", "SlaveConnectsAndTruncates", "STATE", 114),
    "truncation point one too early": Caught("Notices", "SlaveConnectsAndTruncates", "STATE", 152),
    "no truncation at all": Caught("Notices", "SlaveConnectsAndTruncates", "STATE", 114),
    "the master's end of the entry is not looked at": Caught("CutTwo", "SlaveConnectsAndTruncates", "STATE", 163),
    "missing epoch check in the handshake": Caught("Restart", "SlaveConnectsAndTruncates", "PERFORMED", 71),
    "missing role check in the handshake": Caught("Notices", "SlaveConnectsAndTruncates", "PERFORMED", 29),
    "the slave keeps its own epoch file": Caught("Cleaned", "SlaveConnectsAndTruncates", "STATE", 2),
    "the slave takes the master's whole epoch file": Caught("Flush", "SlaveConnectsAndTruncates", "STATE", 155),
    "a fresh connection counts as acknowledged": Caught("Cleaned", "SlaveConnectsAndTruncates", "STATE", 2),
    "truncation leaves the bytes on the disk": Caught("Notices", "SlaveConnectsAndTruncates", "STATE", 114),
    "batch one message too large": Caught("Confirm", "SlaveAppendsBatch", "STATE", 8),
    "every batch has the newest label": Caught("Flush", "SlaveAppendsBatch", "STATE", 191),
    "an epoch without bytes is not announced": Caught("Again", "SlaveAppendsBatch", "REFUSED", 47),
    "headers are not recorded": Caught("Again", "SlaveAppendsBatch", "REFUSED", 47),
    "the announced confirmOffset is not cut to the own log": Caught(
        "Flush", "SlaveLearnsConfirmOffset", "PERFORMED", 214
    ),
    "ack before flush": Caught("Flush", "MasterReceivesAck", "PERFORMED", 8),
    "the confirmed set alone acknowledges": Caught("bugs/WeakExpandFixed", "AcknowledgePut", "PERFORMED", 32),
    "the minimum of replicas is not asked again": Caught(
        "bugs/MinInSyncAskedOnceFixed", "AcknowledgePut", "PERFORMED", 19
    ),
    "one copy fewer than needed": Caught("Notices", "AcknowledgePut", "PERFORMED", 9),
    "copies of brokers outside of the set count": Caught("Learner", "AcknowledgePut", "PERFORMED", 388),
    "an offset one less is enough": Caught("Notices", "AcknowledgePut", "PERFORMED", 9),
    "a slave acknowledges puts": Caught("Notices", "AppendPut", "PERFORMED", 2),
    "puts are appended with too few members": Caught("bugs/MinInSyncAskedOnceFixed", "AppendPut", "PERFORMED", 12),
    "a put is refused after the first one": Caught("Confirm", "AppendPut", "REFUSED", 4),
    "confirmOffset is the largest ack": Caught("Notices", "MasterReceivesAck", "STATE", 147),
    "confirmOffset passes a member without a connection": Caught("Notices", "MasterReceivesAck", "STATE", 147),
    "the master's flush does not move the confirmOffset": Caught("Flush", "BytesAreFlushed", "STATE", 29),
    "consumers read to the end of the log": Caught("Flush", "SlaveAppendsBatch", "STATE", 3),
    "consumers read by the confirmed set": Caught("Grow", "ProposeExpand", "REFUSED", 152),
    "expand without the guard": Caught("bugs/WeakExpandFixed", "ProposeExpand", "PERFORMED", 6),
    "expand a learner": Caught("Learner", "ProposeExpand", "PERFORMED", 30),
    "expand only a slave that is ahead": Caught("bugs/WeakExpandFixed", "ProposeExpand", "REFUSED", 11),
    "only the last proposal is remembered": Caught("bugs/LastProposalOnlyFixed", "ProposeExpand", "STATE", 236),
    "proposals are not remembered": Caught("bugs/WeakExpandFixed", "ProposeExpand", "STATE", 11),
    "an unchanged set resolves proposals": Caught("bugs/WeakExpandFixed", "ForgetUnresolvedProposals", "PERFORMED", 20),
    "proposals wait in a queue": Caught("bugs/WeakExpandFixed", "ProposeExpand", "STATE", 11),
    "a new set does not resolve proposals": Caught("bugs/WeakExpandFixed", "LearnSyncStateSet", "STATE", 29),
    "a set with the same number is learned": Caught("Cleaned", "LearnSyncStateSet", "PERFORMED", 3),
    "an equal epoch is obeyed": Caught("Notices", "ReceiveNotice", "PERFORMED", 16),
    "demotion keeps connections": Caught("Notices", "BecomeSlave", "STATE", 5),
    "demotion keeps the SyncStateSet": Caught("Notices", "BecomeSlave", "STATE", 5),
    "puts before the epoch is recorded": Caught("Notices", "NewMasterRecordsEpoch", "STATE", 13),
    "a new master does not record its epoch": Caught("Notices", "NewMasterRecordsEpoch", "STATE", 13),
    "the epoch begins one too late": Caught("Notices", "NewMasterRecordsEpoch", "STATE", 13),
    "an epoch that had no bytes keeps its entry": Caught("Notices", "NewMasterRecordsEpoch", "STATE", 13),
    "a new master cuts to the confirmOffset": Caught("Notices", "BecomeMaster", "STATE", 42),
    "waiting puts survive a demotion": Caught("Notices", "BecomeSlave", "STATE", 19),
    "a restarted master goes on in its epoch": Caught("Restart", "RestartedBrokerIsElected", "REFUSED", 35),
    "a fenced broker obeys late notifications": Caught("Restart", "ReceiveNotice", "PERFORMED", 56),
    "notifications are ignored": Caught("Notices", "ReceiveNotice", "REFUSED", 5),
    "recovery drops an entry that begins at the end": Caught("Again", "Init", "INITIAL", 0),
    "recovery confirms the whole log": Caught("SettingsUnclean", "BrokerRestarts", "STATE", 26),
    "own flush confirms": Caught("Notices", "BytesAreFlushed", "CHANGED", 9),
    "a slave reports unflushed bytes": Caught("Flush", "MasterReceivesAck", "PERFORMED", 8),
    "acks are recorded one too small": Caught("Notices", "MasterReceivesAck", "STATE", 22),
    "AlterSyncStateSet without the check of the master": Caught(
        "bugs/WeakAlterCheckFixed", "ControllerAcceptsAlter", "PERFORMED", 123
    ),
    "AlterSyncStateSet takes dead members": Caught(
        "bugs/WeakAlterCheckFixed", "ControllerAcceptsAlter", "PERFORMED", 93
    ),
    "AlterSyncStateSet refuses everything": Caught("bugs/WeakExpandFixed", "ControllerAcceptsAlter", "REFUSED", 19),
    "a learner leads first": Caught("bugs/Issue10013Fixed", "BrokerRequestsElection", "PERFORMED", 2),
    "whoever lives is eligible": Caught("Again", "ControllerFindsNoMaster", "REFUSED", 5),
    "no unclean election where it is allowed": Caught("SettingsUnclean", "ControllerElectsMaster", "REFUSED", 39),
    "a new master inherits the set": Caught("Notices", "AdministratorDesignatesMaster", "STATE", 1),
    "a master is never missed": Caught("Again", "ControllerFindsNoMaster", "REFUSED", 5),
    "cleaning forgets the epoch": Caught("Cleaned", "MetadataIsCleaned", "STATE", 6),
    "cleaning keeps the epoch": Caught("Cleaned", "MetadataIsCleaned", "STATE", 6),
    "cleaning keeps the set's number": Caught("Cleaned", "MetadataIsCleaned", "STATE", 6),
    "cleaning keeps the master": Caught("Cleaned", "MetadataIsCleaned", "STATE", 6),
    "decisions are applied later": Caught("Again", "ControllerFindsNoMaster", "STATE", 5),
    "an election keeps the epoch": Caught("Again", "ControllerFindsNoMaster", "STATE", 5),
    "an election keeps the set's number": Caught("Again", "BrokerRequestsElection", "STATE", 23),
    "nobody elected empties the set": Caught("Again", "ControllerFindsNoMaster", "STATE", 5),
    "a restarted broker always wins": Caught("bugs/Issue10013Fixed", "RestartedBrokerIsElected", "PERFORMED", 2),
    "a restarted master is not elected anew": Caught("Restart", "RestartedBrokerIsElected", "REFUSED", 35),
    "nobody is ever missed": Caught("Again", "HeartbeatExpires", "REFUSED", 1),
    "the confirmOffset is not written down": Caught("Notices", "MasterReceivesAck", "STATE", 22),
    "batches claim another offset": Caught("Notices", "SlaveAppendsBatch", "REFUSED", 8),
    "oldest common entry instead of the newest": Caught("Reconnect", "SlaveConnectsAndTruncates", "STATE", 1129),
    "batch across the end of an epoch": Caught("Batches", "SlaveAppendsBatch", "STATE", 1326),
    "a header's entry is appended without dropping an empty one": Caught("Again", "SlaveAppendsBatch", "STATE", 47),
    "confirmOffset moves back": Caught("bugs/Issue6728Fixed", "MasterReceivesAck", "STATE", 675),
    "AlterSyncStateSet without the check of the set's number": Caught(
        "bugs/LastProposalOnlyFixed", "ControllerAcceptsAlter", "PERFORMED", 647
    ),
    "recovery keeps the whole epoch file": Caught("bugs/RecoveryKeepsEpochFileFixed", "BrokerRestarts", "STATE", 1807),
    "a new master starts with itself": Caught("bugs/Issue6342Fixed", "BecomeMaster", "STATE", 20),
    "recovery keeps a confirmOffset behind the log": Caught("bugs/Issue6703Fixed", "BrokerRestarts", "STATE", 45),
    "a living master is replaced": Caught("Notices", "ControllerElectsMaster", "PERFORMED", 2),
    "the reply to a proposal is not learned": Caught("bugs/WeakExpandFixed", "LearnSyncStateSet", "REFUSED", 30),
}
