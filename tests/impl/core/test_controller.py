"""The controller's core against RIP-44 and RocketMQ's own tests (ReplicasInfoManagerTest, DLedgerControllerTest)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rmqproof.impl.controller.config import (
    SHIPPED_CONTROLLER,
    ControllerConfig,
    ControllerRules,
    controller_rules,
)
from rmqproof.impl.controller.controller import Controller
from rmqproof.impl.core.codes import NO_BROKER_ID, ResponseCode
from rmqproof.impl.core.controller_io import (
    BrokerChannelClosed,
    CleanBrokerDataEvent,
    ControllerStep,
    ControllerTrace,
    ElectionNeeded,
    ElectMasterEvent,
    InactiveBrokers,
    LeaderChanged,
    Notify,
    ScanInactiveMasters,
    UpdateBrokerAddressEvent,
)
from rmqproof.impl.core.controller_messages import (
    AlterSyncStateSetRequest,
    ApplyBrokerIdRequest,
    BrokerHeartbeatRequest,
    CleanBrokerDataRequest,
    ElectMasterRequest,
    GetNextBrokerIdRequest,
    GetReplicaInfoRequest,
    GetSyncStateDataRequest,
    RegisterBrokerRequest,
)

SET = "broker-set-a"
CLUSTER = "cluster-a"
ALL = frozenset({1, 2, 3})


class Bench:
    """A controller and a clock."""

    def __init__(self, unclean: bool = False, rules: ControllerRules | None = None) -> None:
        self.controller = Controller(ControllerConfig(enable_elect_unclean_master=unclean), rules)
        self.now = 0

    def step(self, given: Any, order: tuple[int, ...] = ()) -> ControllerStep:
        return self.controller.step(given, self.now, order)

    def ask(self, given: Any, order: tuple[int, ...] = ()) -> Any:
        return self.step(given, order).response

    def register(self, broker_id: int) -> Any:
        assert self.ask(GetNextBrokerIdRequest(CLUSTER, SET)).next_broker_id == broker_id
        address = f"127.0.0.1:{9000 + broker_id}"
        assert self.ask(ApplyBrokerIdRequest(CLUSTER, SET, broker_id, f"{address};7")).code == ResponseCode.SUCCESS
        return self.ask(RegisterBrokerRequest(CLUSTER, SET, broker_id, address))

    def beat(self, broker_id: int, epoch: int = -1, offset: int = -1, priority: int = 2**31 - 1) -> None:
        self.step(
            BrokerHeartbeatRequest(CLUSTER, SET, "", broker_id, 10_000, epoch, offset, election_priority=priority)
        )

    def dead(self, *broker_ids: int) -> None:
        for broker_id in broker_ids:
            self.step(BrokerChannelClosed(SET, broker_id))

    def elect(self, broker_id: int, designate: bool = False, restarted: bool = False) -> Any:
        return self.ask(ElectMasterRequest(CLUSTER, SET, broker_id, designate, restarted))

    def alter(self, master: int, epoch: int, members: set[int], number: int) -> Any:
        return self.ask(AlterSyncStateSetRequest(SET, master, epoch, frozenset(members), number))

    def clean(self, ids: tuple[int, ...] | None, living: bool = False, name: str = SET) -> Any:
        return self.ask(CleanBrokerDataRequest(CLUSTER, name, ids, living))

    @property
    def state(self) -> tuple[int | None, int, int, frozenset[int]]:
        info = self.ask(GetReplicaInfoRequest(SET))
        return info.master_broker_id, info.master_epoch, info.sync_state_set_epoch, info.sync_state_set


def meta(unclean: bool = False) -> Bench:
    """Three registered brokers, 1 is master of epoch 1, all in the set, which has number 2."""
    bench = Bench(unclean)
    for broker_id in (1, 2, 3):
        told = bench.register(broker_id)
        assert (told.code, told.master_broker_id) == (ResponseCode.SUCCESS, None)
        bench.beat(broker_id)
    told = bench.elect(1)
    assert (told.code, told.master_broker_id, told.master_epoch, told.sync_state_set_epoch) == (0, 1, 1, 1)
    for other in (2, 3):
        told = bench.elect(other)
        assert told.code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST
        assert (told.master_broker_id, told.master_epoch) == (1, 1)
    told = bench.alter(1, 1, {1, 2, 3}, 1)
    assert (told.code, told.sync_state_set, told.sync_state_set_epoch) == (0, ALL, 2)
    return bench


def test_c1_after_setting_up() -> None:
    bench = meta()
    assert bench.state == (1, 1, 2, ALL)
    (shown,) = bench.ask(GetSyncStateDataRequest((SET, "unknown"))).broker_sets
    assert (len(shown.in_sync_replicas), len(shown.not_in_sync_replicas)) == (3, 0)


def test_c2_a_third_broker_registers_under_a_living_master() -> None:
    bench = Bench()
    for broker_id in (1, 2):
        bench.register(broker_id)
        bench.beat(broker_id)
    bench.elect(1)
    assert bench.elect(2).code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST
    assert bench.register(3).master_broker_id == 1
    bench.beat(3)
    assert bench.elect(3).code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST
    assert bench.state == (1, 1, 1, frozenset({1}))
    (shown,) = bench.ask(GetSyncStateDataRequest((SET,))).broker_sets
    assert (len(shown.in_sync_replicas), len(shown.not_in_sync_replicas)) == (1, 2)


def test_c3_only_one_lives_and_asks() -> None:
    bench = meta()
    bench.dead(1, 2)
    told = bench.elect(3)
    assert (told.code, told.master_broker_id) == (ResponseCode.SUCCESS, 3)
    assert bench.state == (3, 2, 3, frozenset({3}))


@pytest.mark.parametrize(
    ("name", "beats", "elected"),
    [
        ("C5 the epoch before the offset", {2: (1, 2, 9), 3: (0, 3, 9)}, 2),
        ("C6 the greater offset", {2: (1, 2, 9), 3: (1, 3, 9)}, 3),
        ("C7 the smaller priority number", {2: (1, 3, 2), 3: (1, 3, 1)}, 3),
        ("offsets further apart than an int (#10578)", {2: (1, 2**31 + 7, 9), 3: (1, 3, 9)}, 2),
    ],
)
def test_which_candidate_is_elected(name: str, beats: dict[int, tuple[int, int, int]], elected: int) -> None:
    bench = meta()
    for broker_id, (epoch, offset, priority) in beats.items():
        bench.beat(broker_id, epoch, offset, priority)
    bench.dead(1)
    told = bench.elect(NO_BROKER_ID)
    assert (told.code, told.master_broker_id, told.master_epoch) == (ResponseCode.SUCCESS, elected, 2), name


def test_c4_offsets_do_not_matter_while_the_old_master_lives() -> None:
    bench = meta()
    for broker_id in (1, 2, 3):
        bench.beat(broker_id, 1, broker_id)
    assert bench.elect(NO_BROKER_ID).code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST


def test_equal_candidates_are_told_apart_by_the_given_order() -> None:
    for order, elected in (((3, 2), 3), ((2, 3), 2), ((), 2)):
        bench = meta()
        bench.dead(1)
        assert bench.ask(ElectMasterRequest(CLUSTER, SET, NO_BROKER_ID), order).master_broker_id == elected


def test_c8_to_c11_an_administrator_designates() -> None:
    bench = meta()
    bench.dead(1)
    told = bench.elect(NO_BROKER_ID)
    new = told.master_broker_id
    assert told.code == ResponseCode.SUCCESS and new in (2, 3) and told.master_epoch == 2
    bench.beat(1)
    assert bench.alter(new, 2, {1, 2, 3}, told.sync_state_set_epoch).sync_state_set_epoch == 4
    bench.dead(1)
    assert bench.elect(1, designate=True).code == ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
    bench.beat(1)
    assert bench.elect(new, designate=True).code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST
    bench.dead(new)
    told = bench.elect(1, designate=True)
    assert (told.code, told.master_broker_id, told.master_epoch) == (ResponseCode.SUCCESS, 1, 3)


def test_c12_d3_nobody_can_be_elected() -> None:
    bench = meta()
    assert bench.alter(1, 1, {1}, 2).sync_state_set_epoch == 3
    bench.dead(1)
    assert bench.elect(NO_BROKER_ID).code == ResponseCode.CONTROLLER_MASTER_NOT_AVAILABLE
    assert bench.state == (None, 2, 3, frozenset({1}))
    assert bench.elect(NO_BROKER_ID).code == ResponseCode.CONTROLLER_MASTER_NOT_AVAILABLE
    assert bench.state[1] == 2, "once is enough (hazard F-5)"
    assert bench.elect(2).code == ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
    bench.beat(1)
    told = bench.elect(1)
    assert (told.code, told.master_broker_id, told.master_epoch) == (ResponseCode.SUCCESS, 1, 3)


def test_d4_unclean_election() -> None:
    bench = meta(unclean=True)
    bench.alter(1, 1, {1}, 2)
    bench.dead(1)
    told = bench.elect(NO_BROKER_ID)
    assert told.code == ResponseCode.SUCCESS and told.master_broker_id in (2, 3)
    assert bench.state == (told.master_broker_id, 2, 4, frozenset({told.master_broker_id}))


def test_c13_to_c19_cleaning() -> None:
    invalid = ResponseCode.CONTROLLER_INVALID_CLEAN_BROKER_METADATA
    bench = meta()
    assert bench.clean((1,)).code == invalid
    told = bench.clean(None)
    assert (told.code, told.remark) == (invalid, f"Broker {SET} is still alive, clean up failure")
    told = bench.clean((1, 2, 3), living=True, name="broker12")
    assert (told.code, told.remark) == (invalid, "Broker broker12 is not existed,clean broker data failure.")
    for ids, living in (((1,), False), ((1, 2, 3), False), ((1, 2, 3), True)):
        bench = meta()
        if not living:
            bench.dead(1, 2, 3)
        assert bench.clean(ids, living).code == ResponseCode.SUCCESS


def test_cleaning_keeps_what_must_not_be_given_out_twice() -> None:
    """Hazards F-1, F-2, F-3: the next id and the set survive, the epoch rises, and there is no master."""
    bench = meta()
    bench.dead(1, 2, 3)
    bench.clean(None)
    assert bench.ask(GetReplicaInfoRequest(SET)).code == ResponseCode.CONTROLLER_BROKER_METADATA_NOT_EXIST
    state = bench.controller.broker_set(SET)
    assert (state.master_epoch, state.sync_state_set_epoch, state.next_assign_broker_id) == (2, 3, 4)
    bench.register(4)
    assert bench.state == (None, 2, 3, ALL)


def test_cleaning_some_brokers_takes_them_out_of_the_set() -> None:
    bench = meta()
    bench.dead(1, 2)
    bench.clean((1, 2))
    assert bench.state == (None, 2, 3, frozenset({3})), "so who is left asks for an election"


def shipped(unclean: bool = False) -> Bench:
    return Bench(unclean, controller_rules(SHIPPED_CONTROLLER))


def test_a_request_without_an_id_before_the_first_election_is_decided_by_the_policy() -> None:
    """`ReplicasInfoManager.electMaster`: with an empty SyncStateSet nobody is found, and that is an event each time."""
    bench = shipped()
    for broker_id in (1, 2):
        bench.register(broker_id)
        bench.beat(broker_id)
    assert bench.elect(NO_BROKER_ID).code == ResponseCode.CONTROLLER_MASTER_NOT_AVAILABLE
    assert bench.elect(NO_BROKER_ID).code == ResponseCode.CONTROLLER_MASTER_NOT_AVAILABLE
    assert bench.state == (None, 2, 0, frozenset())
    unclean = shipped(unclean=True)
    for broker_id in (1, 2):
        unclean.register(broker_id)
        unclean.beat(broker_id, epoch=1, offset=broker_id)
    assert unclean.elect(NO_BROKER_ID).master_broker_id == 2


def test_the_first_election_as_shipped_takes_whoever_is_named() -> None:
    bench = shipped()
    bench.register(1)
    assert bench.elect(7, designate=True).master_broker_id == 7


def test_a_failed_election_is_recorded_once() -> None:
    """Hazard F-5: as shipped each retry of the controller raises the epoch."""
    for bench, epochs in ((meta(), 2), (meta(), 3)):
        if epochs == 3:
            bench.controller.rules = controller_rules(SHIPPED_CONTROLLER)
        bench.dead(1, 2, 3)
        bench.elect(NO_BROKER_ID)
        bench.elect(NO_BROKER_ID)
        assert bench.state[:2] == (None, epochs)


def test_a_set_keeps_the_cluster_of_its_first_broker() -> None:
    """`ReplicasInfoManager.handleApplyBrokerId`"""
    bench = Bench()
    bench.register(1)
    bench.ask(ApplyBrokerIdRequest("another", SET, 2, "h:1;7"))
    assert (
        bench.controller.broker_set(SET).cluster_name == CLUSTER and len(bench.controller.broker_set(SET).brokers) == 2
    )


def test_a_heartbeat_with_a_shorter_log_counts() -> None:
    """Hazard F-4: as shipped the greatest (epoch, maxOffset) ever reported stays, and the broker that lost its log is
    preferred (`DefaultBrokerHeartbeatManager.onBrokerHeartbeat`)."""
    for rules, master in ((None, 3), (controller_rules(SHIPPED_CONTROLLER), 2)):
        bench = meta()
        bench.controller.rules = rules or bench.controller.rules
        bench.beat(2, 1, 900)
        bench.beat(2, 1, 100)
        bench.beat(3, 1, 500)
        bench.dead(1)
        assert bench.elect(NO_BROKER_ID).master_broker_id == master


@pytest.mark.parametrize(
    ("two", "three", "repaired", "shipped_one"),
    [
        ((1, 5, 0), (1, 4, 0), 2, 2),
        ((1, 5, 0), (2, 4, 0), 3, 3),
        ((1, 5, 7), (1, 5, 6), 3, 3),
        ((1, 2**31, 0), (1, 0, 0), 2, 3),
        ((1, 2**31 + 1, 0), (1, 0, 0), 2, 3),
        ((1, 2**32, 0), (1, 0, 0), 2, 2),
        ((1, 5, 2**31 - 1), (1, 5, -(2**31)), 3, 2),
    ],
)
def test_the_best_candidate(
    two: tuple[int, int, int], three: tuple[int, int, int], repaired: int, shipped_one: int
) -> None:
    """`DefaultElectPolicy.comparator` computes with int; beyond it the shorter log is elected (#10578)."""
    for rules, master in ((None, repaired), (controller_rules(SHIPPED_CONTROLLER), shipped_one)):
        bench = meta()
        bench.controller.rules = rules or bench.controller.rules
        bench.beat(2, *two)
        bench.beat(3, *three)
        bench.dead(1)
        assert bench.elect(NO_BROKER_ID).master_broker_id == master


def test_the_scan_as_shipped_passes_over_a_set_of_which_nobody_lives() -> None:
    """`ReplicasInfoManager.scanNeedReelectBrokerSets`"""
    for rules, found in ((None, 1), (controller_rules(SHIPPED_CONTROLLER), 0)):
        bench = meta()
        bench.controller.rules = rules or bench.controller.rules
        bench.dead(1, 2, 3)
        assert len(bench.step(ScanInactiveMasters()).outputs) == found


def test_cleaning_some_brokers_as_shipped_leaves_number_and_master() -> None:
    """`handleCleanBrokerDataEvent` (hazard F-3); with isCleanLivingBroker `cleanBrokerData` does not read the ids."""
    bench = meta()
    bench.controller.rules = controller_rules(SHIPPED_CONTROLLER)
    bench.dead(1, 2)
    bench.clean((1, 2))
    assert bench.state == (1, 1, 2, frozenset({3}))
    bench.clean((1,), living=True)
    assert bench.ask(GetReplicaInfoRequest(SET)).code == ResponseCode.CONTROLLER_BROKER_METADATA_NOT_EXIST


def test_a_set_of_which_one_table_is_left_is_cleaned_no_further_as_shipped() -> None:
    """`handleCleanBrokerDataEvent` returns where `isContainsBroker` misses the brokers or the SyncStateSet."""
    bench = meta()
    bench.controller.rules = controller_rules(SHIPPED_CONTROLLER)
    assert bench.alter(1, 1, {1}, 2).code == ResponseCode.SUCCESS
    bench.dead(1)
    bench.clean((1,))  # nobody is in the SyncStateSet, so that table has lost the set
    left = bench.controller.broker_set(SET)
    assert (left.registered, set(left.brokers)) == (False, {2, 3})
    bench.controller.apply(CleanBrokerDataEvent(SET, (2,)))
    assert bench.controller.broker_set(SET) == left


def test_an_id_is_given_again_only_to_who_holds_it() -> None:
    """The address is part of the check code and no identity of its own (`applyBrokerId` compares the whole code)."""
    bench = Bench()
    bench.register(1)
    for code, answer in (("127.0.0.1:9001;7", 0), ("127.0.0.1:9001;8", 2014), ("127.0.0.1:9009;7", 2014)):
        assert bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 1, code)).code == answer


def test_cleaning_as_shipped_forgets_everything() -> None:
    bench = meta()
    bench.controller.rules = controller_rules(SHIPPED_CONTROLLER)
    bench.dead(1, 2, 3)
    # `ReplicasInfoManager.cleanBrokerData`: without ids no master may be named, dead or not
    assert bench.clean(None).code == ResponseCode.CONTROLLER_INVALID_CLEAN_BROKER_METADATA
    bench.elect(NO_BROKER_ID)
    assert bench.clean(None).code == ResponseCode.SUCCESS
    bench.register(1)
    assert bench.state == (None, 0, 0, frozenset())


def test_a_dead_master_that_is_named_keeps_the_set_from_being_cleaned_without_ids_as_shipped() -> None:
    """`ReplicasInfoManager.cleanBrokerData`, alone on top of the repaired rules; a blank list of ids is none."""
    for reading, code in (
        (None, ResponseCode.SUCCESS),
        ("MayBeCleanedWithoutIds", 2009),
        ("MayBeCleanedAsShipped", 2009),
    ):
        for ids in (None, ()):
            bench = meta()
            bench.controller.rules = controller_rules({"MayBeCleaned": reading} if reading else {})
            bench.dead(1, 2, 3)
            assert bench.clean(ids).code == code


@pytest.mark.parametrize(
    ("name", "master", "epoch", "members", "number", "code"),
    [
        ("equal set", 1, 1, {1, 2, 3}, 2, 2013),
        ("equal set is asked before the master", 2, 9, {1, 2, 3}, 9, 2013),
        ("another master", 2, 1, {1, 2}, 2, 2002),
        ("the master is asked before the epoch", 2, 9, {1, 2}, 9, 2002),
        ("an older epoch", 1, 0, {1, 2}, 2, 2000),
        ("a newer epoch", 1, 2, {1, 2}, 2, 2000),
        ("the epoch is asked before the set's number", 1, 2, {1, 2}, 9, 2000),
        ("an older number", 1, 1, {1, 2}, 1, 2001),
        ("a newer number", 1, 1, {1, 2}, 3, 2001),
        ("an unknown member", 1, 1, {1, 7}, 2, 2003),
        ("without the master", 1, 1, {2, 3}, 2, 2013),
        ("good", 1, 1, {1, 2}, 2, 0),
    ],
)
def test_alter_sync_state_set(name: str, master: int, epoch: int, members: set[int], number: int, code: int) -> None:
    """RIP-44 "AlterSyncStateSet"; the order of `ReplicasInfoManager.alterSyncStateSet`."""
    bench = meta()
    before = bench.state
    assert bench.alter(master, epoch, members, number).code == code, name
    assert (bench.state == before) == (code != 0)


def test_alter_sync_state_set_wants_all_members_alive() -> None:
    bench = meta()
    bench.dead(2)
    assert bench.alter(1, 1, {1, 2}, 2).code == ResponseCode.CONTROLLER_BROKER_NOT_ALIVE
    assert bench.alter(1, 1, {1, 3}, 2).code == ResponseCode.SUCCESS


def test_a_learner_is_never_elected_first() -> None:
    """#10013."""
    bench = Bench()
    bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 1, "a;1", async_learner=True))
    assert bench.elect(1).code == ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
    assert bench.elect(9).code == ResponseCode.CONTROLLER_ELECT_MASTER_FAILED, "who is not registered leads nobody"
    bench.controller.rules = controller_rules({"FirstElected": "FirstElectedAsShipped"})
    assert bench.elect(1).master_broker_id == 1


def test_a_restarted_master_gets_a_new_epoch() -> None:
    """Repaired: it may have lost the end of its log, and requests of its earlier life may still be under way."""
    bench = meta()
    told = bench.elect(1, restarted=True)
    assert (told.code, told.master_epoch, told.sync_state_set, told.restarted) == (0, 2, frozenset({1}), True)
    assert bench.elect(2, restarted=True).code == ResponseCode.CONTROLLER_ELECT_MASTER_FAILED
    step = bench.step(ElectMasterRequest(CLUSTER, SET, 1, restarted=True))
    assert not any(isinstance(output, Notify) for output in step.outputs)
    assert ControllerTrace("RestartedBrokerIsElected", SET, (1,)) in step.outputs


def test_brokers_are_notified_of_an_election() -> None:
    bench = meta()
    bench.dead(1)
    step = bench.step(ElectMasterRequest(CLUSTER, SET, NO_BROKER_ID))
    told = [output for output in step.outputs if isinstance(output, Notify)]
    assert [notice.broker_id for notice in told] == [1, 2, 3]
    assert told[0].notification.master_broker_id == 2
    assert (told[0].notification.master_epoch, told[0].notification.sync_state_set) == (2, frozenset({2}))


def test_registration_of_ids() -> None:
    """RIP-44 "Broker registration"; ids are accepted in order, once, and again under the same check code."""
    bench = Bench()
    invalid = ResponseCode.CONTROLLER_BROKER_ID_INVALID
    unknown = ResponseCode.CONTROLLER_BROKER_NEED_TO_BE_REGISTERED
    assert bench.ask(RegisterBrokerRequest(CLUSTER, SET, 1, "a")).code == unknown
    assert bench.elect(1).code == unknown
    assert bench.alter(1, 1, {1}, 1).code == ResponseCode.CONTROLLER_ALTER_SYNC_STATE_SET_FAILED
    assert bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 2, "a;1")).code == invalid
    assert bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 1, "a;1")).code == ResponseCode.SUCCESS
    assert bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 1, "a;1")).code == ResponseCode.SUCCESS
    assert bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 1, "b;1")).code == invalid
    assert bench.ask(ApplyBrokerIdRequest(CLUSTER, SET, 3, "b;1")).code == invalid
    assert bench.ask(GetNextBrokerIdRequest(CLUSTER, SET)).next_broker_id == 2
    assert bench.ask(RegisterBrokerRequest(CLUSTER, SET, 2, "b")).code == unknown


def test_a_new_address_is_recorded() -> None:
    bench = meta()
    bench.ask(RegisterBrokerRequest(CLUSTER, SET, 1, "elsewhere:1"))
    assert bench.ask(GetReplicaInfoRequest(SET)).master_address == "elsewhere:1"
    bench.controller.apply(UpdateBrokerAddressEvent(CLUSTER, SET, "x", 9))
    assert 9 not in bench.controller.broker_set(SET).brokers, "hazard F-26: no such broker, no harm"


def test_heartbeats_expire() -> None:
    """`scanNotActiveBroker`, `scanNeedReelectBrokerSets`; a broker is alive up to and at its time-out."""
    bench = meta()
    bench.now = 10_000
    assert bench.step(InactiveBrokers()).outputs == ()
    assert bench.elect(NO_BROKER_ID).code == ResponseCode.CONTROLLER_MASTER_STILL_EXIST
    bench.beat(2)
    bench.now = 10_001
    outputs = bench.step(InactiveBrokers()).outputs
    gone = [o.arguments for o in outputs if isinstance(o, ControllerTrace)]
    assert gone == [(1,), (3,)]
    assert [o.request for o in outputs if isinstance(o, ElectionNeeded)] == [
        ElectMasterRequest(CLUSTER, SET, NO_BROKER_ID)
    ]
    assert any(isinstance(output, ElectionNeeded) for output in bench.step(ScanInactiveMasters()).outputs)
    assert bench.elect(NO_BROKER_ID).master_broker_id == 2
    assert bench.step(ScanInactiveMasters()).outputs == ()


def test_a_slave_that_is_missed_needs_no_election() -> None:
    bench = meta()
    outputs = bench.step(BrokerChannelClosed(SET, 2)).outputs
    assert not any(isinstance(output, ElectionNeeded) for output in outputs)
    assert bench.step(BrokerChannelClosed(SET, 2)).outputs == ()


def test_a_new_leader_has_heard_nobody() -> None:
    bench = meta()
    bench.step(LeaderChanged())
    assert not any(bench.controller.alive(SET, i, 0) for i in (1, 2, 3))
    assert bench.step(LeaderChanged()).outputs == ()


def test_decided_before_applied() -> None:
    """Hazard F-21: decisions on a state that is no more. As shipped the log applies them all the same."""
    bench = meta()
    bench.controller.rules = replace(ControllerRules(), decided_when_applied=False)
    bench.dead(1)
    first = bench.step(ElectMasterRequest(CLUSTER, SET, NO_BROKER_ID))
    second = bench.step(ElectMasterRequest(CLUSTER, SET, NO_BROKER_ID))
    assert first.undecided == second.undecided == (ElectMasterEvent(SET, 2, frozenset({2})),)
    assert bench.state == (1, 1, 2, ALL)
    for step in (first, second):
        bench.controller.apply(step.undecided[0])
    assert bench.state == (2, 3, 4, frozenset({2}))


def test_a_copy_does_not_see_later_steps() -> None:
    bench = meta()
    copy = bench.controller.copy()
    kept = copy.state()
    bench.dead(1)
    bench.elect(2)
    assert copy.state() == kept
    copy.set_state(bench.controller.state())
    assert copy.broker_set(SET) == bench.controller.broker_set(SET)


def test_unknown_readings_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="FirstElected has no reading Wrong; there are FirstElectedAsDesigned"):
        controller_rules({"FirstElected": "Wrong"})
