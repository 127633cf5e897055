"""What a broker makes of its role when it starts: `BrokerController` and its `ReplicasManager`, over real files."""

from __future__ import annotations

from typing import Any

from rmqproof.rocketmq.java_fields import field_of
from rmqproof.rocketmq.message_store import MessageStore
from rmqproof.rocketmq.schedules.bench import Bench, Schedule, Seen
from rmqproof.rocketmq.schedules.broker_parts import BrokerParts
from rmqproof.rocketmq.schedules.copying import ALL_ACK, PAIR

_ALONE = frozenset({1})


def _started_again(bench: Bench, killed: MessageStore, **settings: Any) -> tuple[MessageStore, Any]:
    """Over the files of a master that was killed: the broker's store, and its `BrokerController`, initialized and not
    started. Its role is broker.conf's."""
    killed.store.shutdown()
    restarted = bench.store_in(killed.folder, **settings)
    restarted.config.setBrokerRole(bench.jpype.JClass("org.apache.rocketmq.store.config.BrokerRole").ASYNC_MASTER)
    controller = BrokerParts(bench.jpype, restarted).controller
    if not controller.initialize():
        raise RuntimeError("BrokerController.initialize says false")
    restarted.adopt(controller.getMessageStore())
    return restarted, controller


def _told_to_lead(
    bench: Bench, store: MessageStore, controller: Any, epoch: int, set_epoch: int, members: frozenset[int]
) -> None:
    """`ReplicasManager.changeToMaster`, of which the set is a part since 5.1.1."""
    manager, number = controller.getReplicasManager(), bench.jpype.java.lang.Long
    if store.by_address:
        manager.changeToMaster(epoch, set_epoch)
        return
    field_of(manager, "brokerControllerId").set(manager, number(1))
    told = bench.jpype.java.util.HashSet([number(each) for each in members])
    manager.changeToMaster(epoch, set_epoch, told)
    manager.setFenced(False)  # what start() does then


def puts_before_a_role(bench: Bench) -> Seen:
    with bench.store() as killed:
        killed.become_master(1, _ALONE)
        killed.put()
        restarted, _ = _started_again(bench, killed)
        before, status = restarted.end, restarted.put()
        end = restarted.end
        restarted.store.shutdown()
    return Seen(
        status == "PUT_OK" and end > before,
        f"a master was killed and starts again; nobody has told it its role, brokerRole is ASYNC_MASTER by default: a "
        f"put gets {status}, and its log goes from {before} to {end}",
    )


def set_of_the_answer_is_not_taken(bench: Bench) -> Seen:
    """What the controller answers when the master registers again."""
    with bench.store(**ALL_ACK) as killed:
        killed.become_master(1, _ALONE)
        killed.put()
        restarted, controller = _started_again(bench, killed, slaveTimeout=1_000, **ALL_ACK)
        _told_to_lead(bench, restarted, controller, 2, 5, PAIR)
        asked = len(restarted.asked)
        status = restarted.put()
        restarted.store.shutdown()
    return Seen(
        asked == 1 and status == "PUT_OK",
        f"a master restarts and is told that it is master, that the SyncStateSet is [1, 2] and its number 5: "
        f"acknowledgements ask {asked} of them, and a put that broker 2 does not have gets {status}",
    )


def refused_role_is_taken(bench: Bench) -> Seen:
    """The epochs began anew, as after a cleaning (F-1): `AutoSwitchHAService.changeToMaster` refuses a smaller one."""
    with bench.store() as killed:
        killed.become_master(7, _ALONE)
        killed.put()
        restarted, controller = _started_again(bench, killed)
        _told_to_lead(bench, restarted, controller, 1, 1, _ALONE)
        status, epochs = restarted.put(), [epoch for epoch, _ in restarted.entries]
        restarted.store.shutdown()
    return Seen(
        status == "PUT_OK" and epochs == [7],
        f"a broker whose epoch file ends with epoch 7 is told to lead epoch 1: a put gets {status}, and the epochs of "
        f"its file are {epochs}",
    )


BROKER_ROLES = (
    Schedule(
        "F-24",
        "a refused change of role has no consequence",
        "kill, ReplicasManager.changeToMaster with a smaller epoch, put",
        refused_role_is_taken,
    ),
    Schedule(
        "#6508",
        "a restarted master takes messages before its role is confirmed",
        "kill, BrokerController.initialize, put",
        puts_before_a_role,
        "RoleAfterRestart",
    ),
    Schedule(
        "#6342",
        "a restarted master takes the number of the SyncStateSet, and not the set",
        "ReplicasManager.changeToMaster, put",
        set_of_the_answer_is_not_taken,
        "SyncStateSetAtPromotion",
    ),
)
