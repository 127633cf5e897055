"""Defects of the controller that were reported and repaired, also in the releases that know brokers by address."""

from __future__ import annotations

import json
from typing import Any

from rmqproof.impl.core import controller_messages as messages
from rmqproof.rocketmq.java_fields import allocated, field_of
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen, alive, controller_state

_C, _B = "DefaultCluster", "broker-a"
_OLD_HEADERS = (
    "org.apache.rocketmq.remoting.protocol.header.controller",
    "org.apache.rocketmq.common.protocol.header.namesrv.controller",
)
_HEARD = "org.apache.rocketmq.controller.impl"


def _by_address(bench: Bench) -> bool:
    """Is it a release whose controller knows brokers by their addresses (up to 5.1.0)?"""
    return not hasattr(bench.jpype.JClass(f"{_HEARD}.manager.ReplicasInfoManager"), "getNextBrokerId")


def _registered(bench: Bench, manager: Any, address: str, living: frozenset[str]) -> Any:
    """The response header of a registration by address, once its events are applied."""
    header = bench.first_class(*(f"{each}.RegisterBrokerToControllerRequestHeader" for each in _OLD_HEADERS))
    lives = bench.jpype.JProxy("java.util.function.BiPredicate", dict={"test": lambda _, which: str(which) in living})
    try:
        result = manager.registerBroker(header(_C, _B, address), lives)
    except TypeError:  # 5.0.0 asks nobody who lives
        result = manager.registerBroker(header(_C, _B, address))
    for event in result.getEvents():
        manager.applyEvent(event)
    return result.getResponse()


def _old_manager(bench: Bench) -> Any:
    config = bench.jpype.JClass("org.apache.rocketmq.common.ControllerConfig")()
    return bench.jpype.JClass(f"{_HEARD}.manager.ReplicasInfoManager")(config)


def heartbeat_of_a_stranger(bench: Bench) -> Seen:
    java = bench.jpype.java.lang
    kind = bench.first_class(
        f"{_HEARD}.heartbeat.DefaultBrokerHeartbeatManager", f"{_HEARD}.DefaultBrokerHeartbeatManager"
    )
    heard = kind(bench.jpype.JClass("org.apache.rocketmq.common.ControllerConfig")())
    said = java.Integer(1), java.Long(0), java.Long(0)
    try:
        heard.onBrokerHeartbeat(_C, _B, "127.0.0.1:2", java.Long(2), java.Long(10_000), None, *said, java.Integer(1))
    except TypeError:  # 5.0.0
        heard.onBrokerHeartbeat(_C, "127.0.0.1:2", *said)
    try:
        active = bool(heard.isBrokerActive(_C, _B, java.Long(2)))
    except TypeError:
        active = bool(heard.isBrokerActive(_C, "127.0.0.1:2"))
    return Seen(
        not active,
        f"a heartbeat reaches a controller that did not register the broker, as after a change of leader: the broker "
        f"counts as {'alive' if active else 'dead'}",
    )


def dead_master_is_returned(bench: Bench) -> Seen:
    if _by_address(bench):
        manager = _old_manager(bench)
        _registered(bench, manager, "127.0.0.1:1", frozenset())
        master = _registered(bench, manager, "127.0.0.1:2", frozenset({"127.0.0.1:2"})).getMasterAddress()
        found = str(master or "")
    else:
        state = controller_state(1, 1, frozenset({1}), 1)
        answer, _ = bench.manager.ask(state, messages.RegisterBrokerRequest(_C, _B, 2, "127.0.0.1:2"), alive(2), False)
        found = str(answer.header.get("MasterAddress", ""))
    return Seen(found == "127.0.0.1:1", f"broker 1 is master and dead, broker 2 registers: it is told master {found!r}")


def new_address_is_a_new_broker(bench: Bench) -> Seen:
    if _by_address(bench):
        manager = _old_manager(bench)
        living = frozenset({"127.0.0.1:1", "127.0.0.1:9"})
        first = int(_registered(bench, manager, "127.0.0.1:1", living).getBrokerId())
        second = int(_registered(bench, manager, "127.0.0.1:9", living).getBrokerId())
        return Seen(
            first != second,
            f"a broker comes back with another address: it was brokerId {first} and is brokerId {second}, and the old "
            "address stays in the SyncStateSet",
        )
    state = controller_state(1, 1, frozenset({1}), 1)
    _, after = bench.manager.ask(state, messages.RegisterBrokerRequest(_C, _B, 1, "127.0.0.1:9"), alive(1, 2), False)
    assert after.replicas is not None
    known = [each[:2] for each in after.replicas.brokers]
    return Seen(len(known) > 3, f"broker 1 comes back with another address; registered are {known}")


def alter_without_a_master(bench: Bench) -> Seen:
    state = controller_state(3, 3, frozenset({1}), None)
    request = messages.AlterSyncStateSetRequest(_B, 1, 2, frozenset({1, 2}), 2)
    answer, _ = bench.manager.ask(state, request, alive(1, 2), False)
    raised = answer.raised.split(":")[0].split(".")[-1]
    what = f"{raised} is thrown" if raised else f"code {answer.code}"
    return Seen(
        bool(raised),
        f"the set has no master, the old one asks for [1, 2]: {what}",
    )


# --- the controller on JRaft -----------------------------------------------------------------------------------------

_NO_JRAFT = Seen(False, "this release has no controller on JRaft")


def _has_jraft(bench: Bench) -> bool:
    try:
        bench.jpype.JClass(f"{_HEARD}.JRaftController")
    except TypeError:
        return False
    return True


def scan_never_runs(bench: Bench) -> Seen:
    if not _has_jraft(bench):
        return _NO_JRAFT
    find = bench.jpype.JClass
    asked: list[str] = []

    def apply(_: Any) -> None:
        asked.append("apply")
        raise RuntimeError("nothing is replicated here")

    dict_of_node = {"isLeader": lambda: True, "apply": apply}
    controller = allocated(bench.jpype, f"{_HEARD}.JRaftController")
    field_of(controller, "node").set(controller, bench.jpype.JProxy("com.alipay.sofa.jraft.Node", dict=dict_of_node))
    config = find("org.apache.rocketmq.common.ControllerConfig")()
    heard = find(f"{_HEARD}.heartbeat.RaftBrokerHeartBeatManager")(config)
    heard.setController(controller)
    waits = int(config.getJraftConfig().getjRaftScanWaitTimeoutMs())
    field_of(heard, "firstReceivedHeartbeatTime").set(
        heard, bench.jpype.java.lang.Long(int(bench.jpype.java.lang.System.currentTimeMillis()) - 10 * waits)
    )
    scan = heard.getClass().getDeclaredMethod("scanNotActiveBroker")
    scan.setAccessible(True)
    try:
        scan.invoke(heard)
    except bench.jpype.JException:
        assert asked  # what our node raised
    heard.shutdown()
    return Seen(
        not asked,
        f"the first heartbeat came long ago: the scan for dead brokers {'asks' if asked else 'asks nothing'}",
    )


def scan_reports_the_living(bench: Bench) -> Seen:
    if not _has_jraft(bench):
        return _NO_JRAFT
    find, java = bench.jpype.JClass, bench.jpype.java.lang
    manager = find(f"{_HEARD}.manager.RaftReplicasInfoManager")(find("org.apache.rocketmq.common.ControllerConfig")())
    task = "org.apache.rocketmq.controller.impl.task"
    identity = find(f"{_HEARD}.heartbeat.BrokerIdentityInfo")
    info = find(f"{_HEARD}.heartbeat.BrokerLiveInfo")
    now = int(java.System.currentTimeMillis())
    header = "org.apache.rocketmq.remoting.protocol.header.controller"
    for broker_id in (1, 2):
        found = manager.applyBrokerId(
            find(f"{header}.register.ApplyBrokerIdRequestHeader")(_C, _B, java.Long(broker_id), f"code-{broker_id}")
        )
        for event in found.getEvents():
            manager.applyEvent(event)
    policy = find("org.apache.rocketmq.controller.elect.impl.DefaultElectPolicy")()
    elected = manager.electMaster(
        find(f"{header}.ElectMasterRequestHeader").ofBrokerTrigger(_C, _B, java.Long(1)), policy
    )
    for event in elected.getEvents():
        manager.applyEvent(event)

    def reported(living: tuple[int, ...]) -> list[str]:
        field_of(manager, "brokerLiveTable").get(manager).clear()
        for each in living:
            live = info(_B, f"127.0.0.1:{each}", each, now, 10_000, None, 1, 0, java.Integer(1), 0)
            manager.onBrokerHeartBeat(
                find(f"{task}.RaftBrokerHeartBeatEventRequest")(identity(_C, _B, java.Long(each)), live)
            )
        request = find(f"{task}.CheckNotActiveBrokerRequest")()
        body = bytes(manager.checkNotActiveBroker(request).getBody()).decode()
        return [str(each.get("brokerName")) for each in json.loads(body)]

    both, dead = reported((1,)), reported((2,))
    return Seen(
        both == [_B] and dead == [],
        f"the scan reports {both or 'nothing'} while the master lives, {dead or 'nothing'} when only the slave does",
    )


CONTROLLERS = (
    Schedule(
        "#5712", "a controller does not hear brokers that it did not register", "heartbeat", heartbeat_of_a_stranger
    ),
    Schedule("#5631", "a broker is told a master that is dead", "register", dead_master_is_returned),
    Schedule("#4808", "a broker with a new address is a new broker", "register twice", new_address_is_a_new_broker),
    Schedule(
        "#7293", "a change of the set without a master raises an error", "alter", alter_without_a_master, "AlterCode"
    ),
    Schedule(
        "#9717", "on JRaft the scan for dead brokers never runs", "scan", scan_never_runs, "InactiveMasterIsFound"
    ),
    Schedule(
        "#10875",
        "on JRaft the scan takes the living for the dead",
        "scan",
        scan_reports_the_living,
        "InactiveMasterIsFound",
    ),
)
