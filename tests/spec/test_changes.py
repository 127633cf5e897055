"""Each property that says what a step may change notices a slip of the pen that is named here."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from rmqproof.model.audit.audit import furthest
from rmqproof.model.audit.graph import Space, explored
from rmqproof.model.audit.mutation import Mutant, mutants_of
from rmqproof.model.audit.pieced import Pieced
from rmqproof.model.audit.scoring import Original, tried_one
from rmqproof.model.evaluate.system import PythonSystem, system_of
from rmqproof.model.tla import core
from rmqproof.model.tla.library import bundled
from rmqproof.model.tla.model_files import find_models

SPEC = Path(__file__).parents[2] / "spec"
PARTLY = {"ControllerRaft": 3_000, "RecordedChanges": 300, "AckChanges": 3_000}
"""States that are looked at of a large model; a mutant of it is explored by itself."""
NOTICED = {
    "AcksChange": ("AckChanges", "MasterReceivesLateAck", "`connection[m][s].ack < offset` left out"),
    "HalvesChange": ("HalfMessages", "WholeMessages", "# for ="),
    "ProposalsChange": ("Membership", "SyncStateSetIsChecked", "`behind # {}` left out"),
    "RaftLogsChange": ("ControllerRaft", "Decide", "`MayDecide(q)` left out"),
    "RecordedBrokersChange": (
        "RecordedChanges",
        "BrokerBecomesMaster",
        "`[epoch |-> epoch, master |-> b] \\in reigns`",
    ),
    "RecordedDecisionsChange": ("RecordedChanges", "ControllerElects", "UNCHANGED reigns for"),
    "RaftRolesChange": ("ControllerRaft", "LeaderIsElected", "`\\A c \\in Q : AsNew(log[q], log[c])` left out"),
    "ActingChanges": ("PopActing", "RouteChanges", "`away` left out"),
    "AttemptsChange": ("RegistrationProgress", "UnknownBrokerTakesNewIdentity", "`~Known(r)` left out"),
    "AcknowledgedCanBeRead": ("ChangesThree", "Larger", "THEN and ELSE"),
    "AcknowledgementsChange": (
        "ChangesThree",
        "AcknowledgePut",
        "\\cup for \\cap in `broker[b].waiting \\cap MessagesOn(b)`",
    ),
    "AliveChanges": ("ChangesThree", "HeartbeatArrives", "`Up(b)` left out"),
    "CleaningChanges": ("ChangesCleaned", "MetadataIsCleaned", "`MayBeCleaned` left out"),
    "CleaningsChange": ("ControllerChanges", "BrokersAreCleaned", '`t = "inSync" => left # {}` left out'),
    "ConfirmChanges": (
        "ChangesCleaned",
        "ConfirmAtPromotion",
        "THEN and ELSE swapped in `IF TrackConfirm \\/ broker[b].role ",
    ),
    "ConfirmFits": (
        "ChangesLateNotices",
        "TakeSlaveRole",
        "UNCHANGED disk for `disk' = IF TrackConfirm THEN disk ELSE [",
    ),
    "ConnectionsAgree": (
        "ChangesLateNotices",
        "TakeMastership",
        "UNCHANGED connection for `connection' = ConnectionsWithout({",
    ),
    "ConnectionsChange": (
        "ChangesLateNotices",
        "TakeSlaveRole",
        "UNCHANGED broker for `broker' = [broker EXCEPT ![b] = [@ EXC",
    ),
    "ElectedOneMayLead": ("ControllerChanges", "EligibleIn", "\\cup for \\cap in `living \\cap {prefer}`"),
    "ElectionChanges": ("ChangesCleaned", "ControllerFindsNoMaster", "`InactiveMasterIsFound` left out"),
    "FaultsAreCounted": ("ChangesThree", "DiskIsLost", "UNCHANGED used for `used' = [used EXCEPT !.lostDisks = @ + 1"),
    "FlushedFits": ("ChangesThree", "DiskIsLost", "1 for 0"),
    "HandshakesChange": (
        "ChangesThree",
        "SlaveConnectsAndTruncates",
        "update 1 left out of `[WithLog(@, Prefix(@.log, Smaller(poin",
    ),
    "InterruptionsChange": ("ChangesLateNotices", "HandshakeIsInterrupted", '`broker[s].role = "Slave"` left out'),
    "KnowledgeFitsRole": ("ChangesThree", "Promoted", "update 3 left out of `[broker[b] EXCEPT !.role = role, !.mas"),
    "KnownSetChanges": (
        "ChangesThree",
        "LearnSyncStateSet",
        "update 2 left out of `[broker EXCEPT ![b].sss = controller.s",
    ),
    "LogsChange": ("ChangesMinInSync", "MayAppend", "`MembersSuffice"),
    "LossesChange": ("ChangesLosses", "KeptByMachine", "0 for 1"),
    "LostDiskIsEmpty": ("ChangesThree", "DiskIsLost", "UNCHANGED disk for `disk' = [disk EXCEPT ![b] = [log |-> <<>"),
    "NobodyWaitsForAcknowledged": (
        "ChangesThree",
        "AcknowledgePut",
        "UNCHANGED broker for `broker' = [broker EXCEPT ![b].waiting ",
    ),
    "NothingElseIsKept": ("ChangesThree", "TwinAfterReconnect", "0 for 1"),
    "NoticesChange": ("ChangesLateNotices", "EventIsApplied", "UNCHANGED notices for `notices' = NoticesAfter(e)`"),
    "NumbersChange": ("ChangesThree", "StateAfter", "update 1 left out of `[controller EXCEPT !.masterEpoch = @ +"),
    "OwnersAreRecorded": ("ChangesThree", "ActsAsMaster", "update 1"),
    "ReadsChange": ("ChangesMinInSync", "ConsumerReads", "UNCHANGED used"),
    "RegistrationsChange": (
        "ControllerChanges",
        "BrokerIdIsApplied",
        '`"replicas" \\in tables \\/ b = FirstId` left out',
    ),
    "RequestsArePossible": (
        "ChangesThree",
        "EventIsApplied",
        "UNCHANGED requests for `requests' = StillPossible(rs, StateA",
    ),
    "RequestsChange": ("ChangesThree", "ControllerRejectsAlter", "`ShowRejections` left out"),
    "RolesChange": ("ChangesLateNotices", "ReceiveNotice", "`Running(b)` left out"),
    "StoredSetWasProposed": (
        "ChangesThree",
        "AlterCode",
        "`r.members \\subseteq controller.alive` for `~(r.members \\sub",
    ),
    "TablesFit": (
        "ControllerChanges",
        "BrokersAreCleaned",
        "UNCHANGED registered for `registered' = registered \\ gone`",
    ),
    "ConsumeQueuesChange": ("ConsumeQueues", "LogIsCut", "`\\A i \\in (n + 1)..Len(log) : ~log[i].read` left out"),
    "ContainersChange": ("Containers", "DeliverInContainer", "`b \\in WithMaster \\ {0}` left out"),
    "DiscoveryChanges": (
        "ControllerDiscovery",
        "AskForLeader",
        "`c \\in broker.available \\cap network.reached` left out",
    ),
    "EmptyUpgradeChanges": ("EmptyUpgrade", "BrokerStores", "`m <= OldMessages` left out"),
    "LocksChange": ("QuorumLockPair", "AnotherMemberGrants", "update 1 left out of `[entry EXCEPT ![b].owner = c]`"),
    "LogChanges": ("ReplicatedLog", "Read", "0 for 1"),
    "LogHeadsChange": ("LogHeadsLastFile", "BeginsAnew", "`kept <= slave.min` left out"),
    "MembersChange": ("SlaveActingMasterReturn", "SlaveGoesOnline", "`0 \\in others => Online(0)` left out"),
    "MetadataChanges": ("Metadata", "SlaveSynchronizes", "UNCHANGED table for"),
    "OffsetsAndMessagesChange": ("SlaveActingMasterEscape", "DeliverElsewhere", "`b # 0` left out"),
    "OrderedMessagesChange": ("OrderedMessages", "ConsumerHandles", "`s \\in serving` left out"),
    "PopChanges": ("Pop", "ConsumerAcks", "`m \\in given[c]` left out"),
    "PopLogChanges": ("Pop", "RevivalPasses", "`due` left out"),
    "PreOnlineChanges": ("PreOnline", "AttemptFails", "`~slave[s].connected` left out"),
    "RetriesChange": ("ClientRetries", "MessageIsSent", "`s \\in Tried` left out"),
    "RoutesChange": ("Routes", "MasterRegisters", "update 1 left out of `[route EXCEPT ![n] = b]`"),
    "TransactionsChange": ("TransactionsChecked", "HalfIsPassed", "`HasOp(i)` left out"),
    "UpgradeChanges": ("UpgradeAsShipped", "BecomeSlave", "`controller.master = Other(b)` left out"),
    "UpgradedEpochsAgree": (
        "UpgradeAligned",
        "SlaveAppends",
        "update 2 left out of `[@ EXCEPT !.log = Append(@, replica[",
    ),
    "UpgradedLogsChange": ("UpgradeAsShipped", "AcknowledgePut", "\\cap for \\cup in `acknowledged \\cup {id}`"),
    "NeedsFollowTheGap": ("InSyncGap", "near", "`connection[s].open` left out"),
    "ReplicasChange": ("InSyncGap", "MasterAppends", "UNCHANGED used"),
    "ConnectionsAndAnswersChange": ("InSyncGap", "MasterHears", "`connection[s].open` left out"),
    "RegistrationChanges": ("RegistrationCrash", "RegisterBroker", '`RegisterCode(r) = "SUCCESS"` left out'),
}
"""By property: a model, a definition, and how the sentence of the mutant begins."""
ELSEWHERE = {"TypeOK", "ControllerOnlyTypeOK", "ConfirmMonotone"}
"""Asked for by these models, and defined by other modules."""
OTHERS = {"NeedsFollowTheGap", "UpgradedEpochsAgree"}
"""Of the protocols beside the core, with other names."""


def test_every_property_is_here() -> None:
    asked: set[str] = set()
    for name in ("ChangesThree", "ControllerChanges"):
        _, _, text = bundled(f"{name}.cfg").read_text(encoding="utf-8").partition("INVARIANTS")
        asked |= set(re.findall(r"\w+", text.partition("CHECK_DEADLOCK")[0])) - {"PROPERTIES"}
    for config in (*(SPEC / "protocols").glob("*.cfg"), *(SPEC / "models").glob("*.cfg")):
        asked |= set(re.findall(r"\w+Changes?\b", config.read_text(encoding="utf-8").partition("PROPERTIES")[2]))
    assert asked - ELSEWHERE == NOTICED.keys() - OTHERS


@cache
def opened(name: str) -> tuple[core.Model, PythonSystem, Pieced, Space, list[Mutant]]:
    (files,) = find_models([bundled(f"{name}.cfg")])
    model = files.load()
    system = system_of(model)
    pieced = Pieced(model, system)
    space = explored(pieced, (), PARTLY.get(name, 30_000), lambda: False)
    assert space.whole or name in PARTLY
    return model, system, pieced, space, mutants_of(model)


@pytest.mark.large
@pytest.mark.parametrize("name", sorted(NOTICED))
def test_a_slip_is_noticed(name: str) -> None:
    where, host, words = NOTICED[name]
    model, system, pieced, space, mutants = opened(where)
    mutant = next(each for each in mutants if each.where == host and each.sentence.startswith(words))
    original = Original(
        model,
        system,
        space,
        (name,),
        furthest(len(space.states)),
        lambda: False,
        0,
        None if where in PARTLY else pieced,
    )
    trial = tried_one(original, mutant)
    assert trial is not None
    assert trial.killers == (name,)
