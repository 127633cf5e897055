"""Each property of Changes and of ControllerChanges notices a slip of the pen that is named here."""

from __future__ import annotations

import re
from functools import cache

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

NOTICED = {
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
    "ElectionChanges": ("ChangesCleaned", "ControllerElectsMaster", "`InactiveMasterIsFound` left out"),
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
}
"""By property: a model, a definition, and how the sentence of the mutant begins."""
ELSEWHERE = {"TypeOK", "ControllerOnlyTypeOK", "ConfirmMonotone"}
"""Asked for by these models, and defined by other modules."""


def test_every_property_is_here() -> None:
    asked: set[str] = set()
    for name in ("ChangesThree", "ControllerChanges"):
        _, _, text = bundled(f"{name}.cfg").read_text(encoding="utf-8").partition("INVARIANTS")
        asked |= set(re.findall(r"\w+", text.partition("CHECK_DEADLOCK")[0])) - {"PROPERTIES"}
    assert asked - ELSEWHERE == set(NOTICED)


@cache
def opened(name: str) -> tuple[core.Model, PythonSystem, Pieced, Space, list[Mutant]]:
    (files,) = find_models([bundled(f"{name}.cfg")])
    model = files.load()
    system = system_of(model)
    pieced = Pieced(model, system)
    space = explored(pieced, (), 30_000, lambda: False)
    assert space.whole
    return model, system, pieced, space, mutants_of(model)


@pytest.mark.large
@pytest.mark.parametrize("name", sorted(NOTICED))
def test_a_slip_is_noticed(name: str) -> None:
    where, host, words = NOTICED[name]
    model, system, pieced, space, mutants = opened(where)
    mutant = next(each for each in mutants if each.where == host and each.sentence.startswith(words))
    original = Original(model, system, space, (name,), furthest(len(space.states)), lambda: False, 0, pieced)
    trial = tried_one(original, mutant)
    assert trial is not None
    assert trial.killers == (name,)
