"""What a controller is asked in every state besides what the actions of the specification ask: by administrators, by
brokers that it does not know, by brokers that come too late; and how it chooses where the specification leaves that
open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rmqproof.conformance.reference.settings import BROKER_NAME, CLUSTER_NAME
from rmqproof.conformance.reference.world import World
from rmqproof.impl.controller.broker_set import BrokerSet
from rmqproof.impl.controller.config import ControllerConfig, ControllerRules
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core import controller_messages as messages
from rmqproof.impl.core.codes import NO_BROKER_ID, ResponseCode
from rmqproof.impl.core.controller_io import (
    AlterSyncStateSetEvent,
    ApplyBrokerIdEvent,
    BrokerChannelClosed,
    ElectionNeeded,
    InactiveBrokers,
    LeaderChanged,
    UpdateBrokerAddressEvent,
)

_NOBODY = 999
_NO_SET = "nobody"


def must(condition: bool, otherwise: str) -> None:
    """Raise `AssertionError` with this text unless the condition holds."""
    if not condition:
        raise AssertionError(otherwise)


def ask_the_controller(world: World, b: int) -> None:
    """About broker b, and in general. The controller is not changed."""
    state = world.controller.broker_set(BROKER_NAME)
    living = {i for i in state.brokers if world.controller.alive(BROKER_NAME, i, world.now)}
    _administrators(world, state, living)
    _strangers(world)
    _expires(world, b)
    _by_default(world, state, b)
    if world.settings.controller_rules.decided_when_applied:
        for ids in ((b,), tuple(state.brokers)):
            for forced in (False, True):
                _clean(world, state, ids, forced, living)
        _moves(world, b)
        _stays(world, state, b, living)
        _fails(world, state, b)
        _ranks(world, state, b)


def _asked(world: World, request: Any) -> tuple[Any, Controller]:
    controller = world.controller.copy()
    return controller.step(request, world.now).response, controller


def _administrators(world: World, state: BrokerSet, living: set[int]) -> None:
    told, _ = _asked(world, messages.GetSyncStateDataRequest((BROKER_NAME, _NO_SET)))
    (shown,) = told.broker_sets
    must(
        (shown.master_broker_id, shown.master_address, shown.master_epoch, shown.sync_state_set_epoch)
        == (
            state.master_broker_id,
            state.address(state.master_broker_id),
            state.master_epoch,
            state.sync_state_set_epoch,
        ),
        "administrators are told of another master",
    )
    inside = {replica.broker_id for replica in shown.in_sync_replicas}
    outside = {replica.broker_id for replica in shown.not_in_sync_replicas}
    must(
        inside == state.sync_state_set & state.brokers.keys() and outside == state.brokers.keys() - inside,
        "administrators are told of another SyncStateSet",
    )
    replicas = (*shown.in_sync_replicas, *shown.not_in_sync_replicas)
    must({r.broker_id for r in replicas if r.alive} == living, "administrators are told that others live")
    for replica in replicas:
        address = world.settings.brokers[replica.broker_id].broker_address
        must(replica.broker_address == address == state.address(replica.broker_id), "a broker has another address")


def _strangers(world: World) -> None:
    """Of a set that nobody registered, and a broker that nobody knows, nothing is done."""
    members = frozenset({1})
    refused = {
        messages.GetReplicaInfoRequest(_NO_SET): ResponseCode.CONTROLLER_BROKER_METADATA_NOT_EXIST,
        messages.AlterSyncStateSetRequest(_NO_SET, 1, 0, members, 0): (
            ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED
        ),
        messages.ElectMasterRequest(CLUSTER_NAME, _NO_SET, 1): ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED,
        messages.RegisterBrokerRequest(CLUSTER_NAME, _NO_SET, 1, "x:1"): (
            ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED
        ),
        messages.RegisterBrokerRequest(CLUSTER_NAME, BROKER_NAME, _NOBODY, "x:1"): (
            ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED
        ),
        messages.CleanBrokerDataRequest(CLUSTER_NAME, _NO_SET): (ResponseCode.CONTROLLER_INVALID_CLEAN_BROKER_METADATA),
    }
    for request, code in refused.items():
        answer, controller = _asked(world, request)
        must(answer.code is code and controller.sets == world.controller.sets, f"{request} is not refused as it should")

    applied = world.controller.copy()
    identity = world.controller.broker_set(BROKER_NAME).brokers[1]
    for event in (
        AlterSyncStateSetEvent(_NO_SET, members),
        UpdateBrokerAddressEvent(CLUSTER_NAME, BROKER_NAME, "x:1", _NOBODY),
        ApplyBrokerIdEvent(CLUSTER_NAME, BROKER_NAME, "x:1", 1, identity.register_check_code),
    ):
        before = applied.broker_set(event.broker_name)
        applied.apply(event)
        must(applied.broker_set(event.broker_name) == before, f"{event} changes something")
    _, controller = _asked(world, messages.ApplyBrokerIdRequest(CLUSTER_NAME, _NO_SET, 1, "x:1;7"))
    if world.settings.controller_rules.decided_when_applied:
        found = controller.broker_set(_NO_SET)
        must(found.registered and found.address(1) == "x:1" and found.learners() == frozenset(), "an id is lost")
        fresh = (found.master_epoch, found.sync_state_set_epoch, found.master_broker_id)
        must(fresh == (0, 0, None), "a new set begins with something else")


def _expires(world: World, b: int) -> None:
    forgetful = world.controller.copy()
    forgetful.live = {}
    must(not forgetful.step(LeaderChanged(), world.now).outputs, "a fail-over is reported that forgets nobody")
    info = world.controller.live.get((BROKER_NAME, b))
    if info is not None:
        last = info.last_update + info.timeout_millis
        must(world.controller.alive(BROKER_NAME, b, last), "a broker is missed too early")
        must(not world.controller.alive(BROKER_NAME, b, last + 1), "a broker is missed too late")
        closed = world.controller.copy().step(BrokerChannelClosed(BROKER_NAME, b), world.now).outputs
        leads = world.controller.broker_set(BROKER_NAME).master_broker_id == b
        elections = [output for output in closed if isinstance(output, ElectionNeeded)]
        must(len(elections) == int(leads), "an election is not asked for, or for nothing")
        controller = world.controller.copy()
        controller.step(InactiveBrokers(), last)
        must((BROKER_NAME, b) in controller.live, "a broker is given up too early")


def _by_default(world: World, state: BrokerSet, b: int) -> None:
    """A controller of which nothing is said has RocketMQ's settings and the repaired rules."""
    alone = replace(state, master_broker_id=None, sync_state_set=frozenset({b}))
    elect = messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, b)
    answers = []
    for controller in (Controller(), Controller(ControllerConfig(), ControllerRules())):
        controller.sets, controller.live = {BROKER_NAME: alone}, world.controller.live
        answers.append((controller.step(elect, world.now), controller.broker_set(BROKER_NAME)))
    must(answers[0] == answers[1], "a controller without settings elects otherwise")


def _clean(world: World, before: BrokerSet, ids: tuple[int, ...], forced: bool, living: set[int]) -> None:
    """Refused while one of them lives; else they are gone, and nobody counts on them."""
    answer, controller = _asked(world, messages.CleanBrokerDataRequest(CLUSTER_NAME, BROKER_NAME, ids, forced))
    found = controller.broker_set(BROKER_NAME)
    if not forced and living & set(ids):
        must(found == before and answer.code is not ResponseCode.SUCCESS, "a living broker is cleaned")
        return
    must(answer.code is ResponseCode.SUCCESS, "cleaning is refused")
    if len(ids) == len(before.brokers):
        must(not found.registered and not found.brokers, "cleaning all leaves some")
        return
    members, deposed = before.sync_state_set - set(ids), before.master_broker_id in ids
    must(
        found.brokers == {i: known for i, known in before.brokers.items() if i not in ids}
        and found.master_epoch == before.master_epoch + deposed
        and found.sync_state_set == members
        and found.sync_state_set_epoch == before.sync_state_set_epoch + (members != before.sync_state_set)
        and found.master_broker_id == (None if deposed else before.master_broker_id),
        "cleaning one broker leaves something else",
    )


def _moves(world: World, b: int) -> None:
    """A broker comes back at another address."""
    answer, controller = _asked(world, messages.RegisterBrokerRequest(CLUSTER_NAME, BROKER_NAME, b, "elsewhere:1"))
    state = world.controller.broker_set(BROKER_NAME)
    master = state.master_broker_id
    if master is not None and not world.controller.alive(BROKER_NAME, master, world.now):
        master = None
    must(answer.master_broker_id == master, "a registering broker is told of another master")
    before, found = world.controller.broker_set(BROKER_NAME), controller.broker_set(BROKER_NAME)
    moved = {**before.brokers, b: replace(before.brokers[b], address="elsewhere:1")}
    must(found == replace(before, brokers=moved), "a new address is not remembered, or something else")


def _stays(world: World, state: BrokerSet, b: int, living: set[int]) -> None:
    """While the master lives nobody else is elected, unless an administrator wants it."""
    master = state.master_broker_id
    if master is None or master not in living or master not in state.sync_state_set:
        return
    for by in (b, NO_BROKER_ID):
        answer, controller = _asked(world, messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, by))
        must(
            controller.broker_set(BROKER_NAME) == state
            and answer.code is ResponseCode.CONTROLLER_MASTER_STILL_EXIST
            and (answer.master_broker_id, answer.master_epoch) == (master, state.master_epoch)
            and (answer.sync_state_set, answer.sync_state_set_epoch)
            == (state.sync_state_set, state.sync_state_set_epoch),
            "a living master is replaced",
        )


def _fails(world: World, state: BrokerSet, b: int) -> None:
    """Where nobody can lead, a broker's request takes no master away; the controller's own does, once."""
    if not state.master_epoch or world.settings.controller.enable_elect_unclean_master:
        return
    nobody = world.controller.copy()
    nobody.live = {}
    failed = nobody.step(messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, b), world.now).response
    assert isinstance(failed, messages.ElectMasterResponse)
    refused = failed.code is ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
    must(refused and nobody.broker_set(BROKER_NAME) == state, "a broker's request takes the master away")
    nobody.step(messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, NO_BROKER_ID), world.now)
    gone = replace(state, master_broker_id=None, master_epoch=state.master_epoch + (state.master_broker_id is not None))
    rule = world.settings.controller_rules.inactive_master_is_found
    if rule is ControllerRules().inactive_master_is_found:
        must(nobody.broker_set(BROKER_NAME) == gone, "a dead master stays")


def _ranks(world: World, state: BrokerSet, b: int) -> None:
    """Of those that may lead, the newest epoch leads, then the longest log, then the smallest priority."""
    members = frozenset(state.brokers)
    if b not in members or len(members) < 2 or not state.master_epoch:
        return
    for better in ({"epoch": 9}, {"max_offset": 9}, {"election_priority": 1}):
        controller = world.controller.copy()
        for i in members:
            known = messages.BrokerHeartbeatRequest(CLUSTER_NAME, BROKER_NAME, "x:1", i, 10_000, 5, 5, 5, 5)
            controller.step(replace(known, **better) if i == b else known, world.now)  # type: ignore[arg-type]
        nobody = replace(state, master_broker_id=None, sync_state_set=members)
        controller.sets = {**controller.sets, BROKER_NAME: nobody}
        others = tuple(sorted(members - {b}))
        elect = messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, NO_BROKER_ID)
        later = controller.copy()
        controller.step(elect, world.now, others)
        must(controller.broker_set(BROKER_NAME).master_broker_id == b, f"{better} does not lead")
        for i in others:
            later.step(messages.BrokerHeartbeatRequest(CLUSTER_NAME, BROKER_NAME, "x:1", i, 10_000), world.now + 10_001)
        _keeps(later, nobody, b, others[0], world.now)
        tied = later.copy()
        later.step(elect, world.now + 10_001, (b, others[0]))
        must(later.broker_set(BROKER_NAME).master_broker_id == others[0], "who expired leads, or not the first")
        tied.step(elect, world.now + 10_001, (others[-1],))
        must(tied.broker_set(BROKER_NAME).master_broker_id == others[-1], "not the one that chance chose leads")


def _keeps(ranked: Controller, nobody: BrokerSet, best: int, master: int, now: int) -> None:
    """A living master stays although another one ranks before it; who restarted leads itself or not at all."""
    led = replace(nobody, master_broker_id=master)
    for request in (
        messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, best),
        messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, NO_BROKER_ID),
        messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, best, restarted=True),
    ):
        controller = ranked.copy()
        controller.sets = {**controller.sets, BROKER_NAME: led}
        controller.step(request, now, (best,))
        must(controller.broker_set(BROKER_NAME) == led, "a living master is replaced by a better one")
    for state in (led, nobody):
        controller = ranked.copy()
        controller.sets = {**controller.sets, BROKER_NAME: state}
        controller.step(messages.ElectMasterRequest(CLUSTER_NAME, BROKER_NAME, master, restarted=True), now, (best,))
        new = controller.broker_set(BROKER_NAME)
        elected = (new.master_broker_id, new.master_epoch) == (master, state.master_epoch + 1)
        must(elected, "who restarted is not elected anew")
