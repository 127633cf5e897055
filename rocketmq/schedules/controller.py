"""On `ReplicasInfoManager`, `DefaultElectPolicy`, `DefaultBrokerHeartbeatManager`."""

from __future__ import annotations

from rmqproof.impl.controller.liveness import BrokerLiveInfo
from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.controller_state import ControllerState
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state

_C, _B = "DefaultCluster", "broker-a"


def _cleaned(bench: Bench) -> ControllerState:
    request = messages.CleanBrokerDataRequest(_C, _B, None, True)
    return bench.manager.ask(controller_state(7, 9, frozenset({1}), 1), request, alive(2), False)[1]


def epochs_start_anew(bench: Bench) -> Seen:
    state = _cleaned(bench)
    request = messages.ApplyBrokerIdRequest(_C, _B, 1, "127.0.0.1:1;1")
    state = bench.manager.ask(state, request, alive(1), False)[1]
    state = bench.manager.ask(state, messages.ElectMasterRequest(_C, _B, 1), alive(1), False)[1]
    assert state.in_sync is not None
    epoch = state.in_sync.master_epoch
    return Seen(epoch <= 7, f"the epoch was 7; after a cleaning the next election gives epoch {epoch}")


def ids_start_anew(bench: Bench) -> Seen:
    answer, _ = bench.manager.ask(_cleaned(bench), messages.GetNextBrokerIdRequest(_C, _B), (), False)
    found = answer.header["NextBrokerId"]
    return Seen(found <= 3, f"ids 1 to 3 were given out; after a cleaning GetNextBrokerId says {found}")


def dead_master_stays(bench: Bench) -> Seen:
    state = controller_state(1, 1, frozenset({1, 2}), 1)
    state = bench.manager.ask(state, messages.CleanBrokerDataRequest(_C, _B, (1,)), alive(2), False)[1]
    assert state.in_sync is not None and state.replicas is not None
    master, left = state.in_sync.master_broker_id, [each[0] for each in state.replicas.brokers]
    return Seen(master == 1, f"broker 1 is cleaned; registered are {left}, and the master is {master}")


def failed_elections_raise_the_epoch(bench: Bench) -> Seen:
    state = controller_state(1, 1, frozenset({1}), 1)
    for _ in range(3):
        state = bench.manager.ask(state, messages.ElectMasterRequest(_C, _B, -1), alive(2), False)[1]
    assert state.in_sync is not None
    epoch = state.in_sync.master_epoch
    return Seen(epoch > 2, f"three tries to elect without a candidate: the epoch goes from 1 to {epoch}")


def first_election_checks_nothing(bench: Bench) -> Seen:
    request = messages.ElectMasterRequest(_C, _B, 99)
    answer, after = bench.manager.ask(controller_state(0, 0, frozenset(), None), request, (), False)
    assert after.in_sync is not None
    master = after.in_sync.master_broker_id
    return Seen(
        master == 99, f"nobody lives, and broker 99 was never registered: code {answer.code}, the master is {master}"
    )


def living_brokers_are_cleaned_whole(bench: Bench) -> Seen:
    state = controller_state(1, 1, frozenset({1, 2}), 1)
    after = bench.manager.ask(state, messages.CleanBrokerDataRequest(_C, _B, (3,), True), alive(1, 2), False)[1]
    return Seen(after.replicas is None, f"only id 3 is to be cleaned, with cleanLivingBroker: left is {after.replicas}")


def address_update_raises(bench: Bench) -> Seen:
    event = ("UPDATE_BROKER_ADDRESS", _B, _C, "127.0.0.1:9", 2)
    try:
        bench.manager.apply(ControllerState(_B), event)
    except bench.jpype.JException as error:
        return Seen(True, f"the set was cleaned in between: applyEvent throws {type(error).__name__.split('.')[-1]}")
    return Seen(False, "the event is ignored")


def the_scan_raises(bench: Bench) -> Seen:
    state = controller_state(1, 1, frozenset({1}), 1)
    state = ControllerState(_B, None, state.in_sync)
    try:
        bench.manager.scan(state, alive(2))
    except bench.jpype.JException as error:
        return Seen(True, f"a set without replicas: the scan throws {type(error).__name__.split('.')[-1]}")
    return Seen(False, "the scan passes over it")


def offsets_overflow(bench: Bench) -> Seen:
    behind, ahead = BrokerLiveInfo(0, 0, 1, 0), BrokerLiveInfo(0, 0, 1, 3 * 2**30)
    chosen = bench.manager.elect(frozenset({1, 2}), None, None, None, ((1, behind), (2, ahead)))
    return Seen(chosen == 1, f"broker 1 has nothing, broker 2 has 3 GiB: elected is broker {chosen}")


def reports_do_not_follow_a_cut(bench: Bench) -> Seen:
    find, java = bench.jpype.JClass, bench.jpype.java.lang
    config = find("org.apache.rocketmq.common.ControllerConfig")()
    heard = find("org.apache.rocketmq.controller.impl.heartbeat.DefaultBrokerHeartbeatManager")(config)
    for offset in (1000, 400):
        heard.onBrokerHeartbeat(
            _C,
            _B,
            "127.0.0.1:2",
            java.Long(2),
            java.Long(10_000),
            None,
            java.Integer(1),
            java.Long(offset),
            java.Long(offset),
            java.Integer(1),
        )
    known = int(heard.getBrokerLiveInfo(_C, _B, java.Long(2)).getMaxOffset())
    return Seen(known == 1000, f"a broker says 1000, is cut, and says 400: known is {known}")


def old_request_after_cleaning(bench: Bench) -> Seen:
    """Found when the real class took a step that the model refused (`conform spec/models/TwoBrokersCleaned.cfg`)."""
    request = messages.AlterSyncStateSetRequest(_B, 1, 1, frozenset({1, 2}), 1)
    state = _cleaned(bench)
    for broker_id in (1, 2):
        applied = messages.ApplyBrokerIdRequest(_C, _B, broker_id, f"127.0.0.1:{broker_id};1")
        state = bench.manager.ask(state, applied, alive(1, 2), False)[1]
    state = bench.manager.ask(state, messages.ElectMasterRequest(_C, _B, 1), alive(1, 2), False)[1]
    answer, after = bench.manager.ask(state, request, alive(1, 2), False)
    assert after.in_sync is not None
    members = sorted(after.in_sync.sync_state_set)
    return Seen(
        answer.code == 0,
        f"a request of epoch 1 waits, the epoch was 7 meanwhile, a cleaning: code {answer.code}, the set is {members}",
    )


def applied_after_its_state_has_changed(bench: Bench) -> Seen:
    """Both are decided in the same state; the log has the election first."""
    state = controller_state(1, 1, frozenset({1, 2}), 1)
    elect = messages.ElectMasterRequest(_C, _B, -1)
    alter = messages.AlterSyncStateSetRequest(_B, 1, 1, frozenset({1, 2, 3}), 1)
    codes = [
        bench.manager.ask(state, elect, alive(2), False)[0].code,
        bench.manager.ask(state, alter, alive(1, 2, 3), False)[0].code,
    ]
    after = bench.manager.apply(state, ("ELECT_MASTER_EVENT", _B, 2))
    after = bench.manager.apply(after, ("ALTER_SYNC_STATE_SET_EVENT", _B, frozenset({1, 2, 3})))
    assert after.in_sync is not None
    master, members = after.in_sync.master_broker_id, sorted(after.in_sync.sync_state_set)
    return Seen(
        members == [1, 2, 3] and master == 2,
        f"an election and a request of the master before it are decided in one state, codes {codes}: applied one after "
        f"the other the master is {master}, the set {members}",
    )


def the_counter_stops(bench: Bench) -> Seen:
    state = controller_state(1, 1, frozenset({1}), 1)
    state, asked = _applied(bench, state, 5, "9")[1], []
    for address in ("7", "8"):
        answer, _ = bench.manager.ask(state, messages.GetNextBrokerIdRequest(_C, _B), (), False)
        proposed = int(answer.header["NextBrokerId"])
        code, state = _applied(bench, state, proposed, address)
        asked.append((proposed, code))
    return Seen(
        all(code != 0 for _, code in asked) and len({told for told, _ in asked}) == 1,
        f"ids 1, 2 and 3 are taken, then 5; two newcomers ask for an id and apply for it, (id, code): {asked}",
    )


def _applied(bench: Bench, state: ControllerState, broker_id: int, address: str) -> tuple[int, ControllerState]:
    request = messages.ApplyBrokerIdRequest(_C, _B, broker_id, f"127.0.0.1:{address};1")
    answer, after = bench.manager.ask(state, request, alive(1), False)
    return answer.code, after


def an_old_channel_closes(bench: Bench) -> Seen:
    find, java = bench.jpype.JClass, bench.jpype.java.lang
    config = find("org.apache.rocketmq.common.ControllerConfig")()
    heard = find("org.apache.rocketmq.controller.impl.heartbeat.DefaultBrokerHeartbeatManager")(config)
    if hasattr(heard, "initialize"):
        heard.initialize()
    channels = [find("io.netty.channel.embedded.EmbeddedChannel")() for _ in range(2)]
    who = _C, _B, "127.0.0.1:2", java.Long(2), java.Long(10_000)
    for channel in channels:
        heard.onBrokerHeartbeat(*who, channel, java.Integer(1), java.Long(0), java.Long(0), java.Integer(1))
    heard.onBrokerChannelClose(channels[0])
    active = bool(heard.isBrokerActive(_C, _B, java.Long(2)))
    return Seen(
        not active,
        "a broker has come back on a second channel, then the first one is closed: it counts as "
        f"{'alive' if active else 'dead'}",
    )


CONTROLLER = (
    Schedule(
        "F-21",
        "a decision is applied after its state has changed",
        "decide two, apply both",
        applied_after_its_state_has_changed,
    ),
    Schedule("F-46", "the counter of brokerIds stops", "apply for 5, ask for ids", the_counter_stops),
    Schedule("#11045", "a broker is dead when an earlier channel of it closes", "close", an_old_channel_closes),
    Schedule("F-1", "a cleaning resets the epochs", "clean, apply, elect", epochs_start_anew, "EpochAfterClean"),
    Schedule("F-2", "a cleaning forgets the next brokerId", "clean, ask for an id", ids_start_anew, "NextIdAfterClean"),
    Schedule("F-3", "a cleaning leaves a dead master as master", "clean id 1", dead_master_stays, "MasterAfterClean"),
    Schedule("F-4", "a reported offset does not follow a truncation", "two heartbeats", reports_do_not_follow_a_cut),
    Schedule("F-5", "a failed election raises the epoch each time", "elect thrice", failed_elections_raise_the_epoch),
    Schedule("F-23", "the first election checks nothing", "elect 99", first_election_checks_nothing, "FirstElected"),
    Schedule("F-26", "an address update after a cleaning raises an error", "apply the event", address_update_raises),
    Schedule("F-27", "cleaning living brokers ignores the list", "clean id 3", living_brokers_are_cleaned_whole),
    Schedule("F-43", "the scan raises an error after a partial cleaning", "scan", the_scan_raises),
    Schedule("#10578", "offsets over 2 GiB apart are ranked the wrong way (F-44)", "elect", offsets_overflow),
    Schedule(
        "NumberMayReturn",
        "a cleaning makes an old AlterSyncStateSet valid again",
        "clean, elect, alter",
        old_request_after_cleaning,
        "NumberMayReturn",
    ),
)
