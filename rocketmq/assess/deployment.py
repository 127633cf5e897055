"""A broker set as its files make it, and what of it decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.assess.acting import MasterSlave, count_of, keeps_in_process, master_slave_of, oddities
from rmqproof.rocketmq.assess.beside import beside_the_log
from rmqproof.rocketmq.assess.reading import Reading, Remark, Value, shown
from rmqproof.rocketmq.release_rules import Rules

MOST_REPLICAS = 3
"""Replicas that a model explores in seconds; more are asked to be assessed as three."""
ALL_ACK = -1
"""MixAll.ALL_ACK_IN_SYNC_STATE_SET: what a put asks for with allAckInSyncStateSet"""


@dataclass(frozen=True, slots=True)
class Deployment:
    """One broker set under Controller mode. Replicas 1..`replicas`, the last `learners` of them asyncLearner."""

    replicas: int
    all_ack: bool = False
    in_sync_replicas: int = 1
    min_in_sync_replicas: int = 1
    unclean_election: bool = False
    sync_flush: bool = False
    read_uncommitted: bool = False
    transient_pool: bool = False
    """A process that ends takes with it what it had not committed to its files (transientStorePoolEnable)."""
    learners: int = 0
    controllers: int = 3
    shipped_rules: Rules = ()
    """Rules of `spec/core/Rules.tla` that are as in a release; the others are repaired."""

    @property
    def full_replicas(self) -> int:
        """Replicas that may enter the SyncStateSet."""
        return self.replicas - self.learners

    def settings(self) -> tuple[str, ...]:
        """What decides, in the words of the files."""
        return (
            f"allAckInSyncStateSet={shown(self.all_ack)}",
            f"inSyncReplicas={self.in_sync_replicas}",
            f"minInSyncReplicas={self.min_in_sync_replicas}",
            f"enableElectUncleanMaster={shown(self.unclean_election)}",
            f"flushDiskType={'SYNC_FLUSH' if self.sync_flush else 'ASYNC_FLUSH'}",
            *(["readUnCommitted=true"] if self.read_uncommitted else []),
            *(["transientStorePoolEnable=true"] if self.transient_pool else []),
        )


def controllers_of(reading: Reading) -> int:
    """How many controllers vote. An empty list of peers is a controller alone."""
    if reading["controllerType"] == "jRaft":
        return len([peer for peer in str(reading["jRaftInitConf"]).split(",") if peer.strip()])
    return max(1, len([peer for peer in str(reading["controllerDLegerPeers"]).split(";") if peer.strip()]))


def deployment_of(
    brokers: Sequence[Reading], controller: Reading, replicas: int | None = None
) -> Deployment | MasterSlave:
    """The broker set of these files. With one file and no `replicas`: see `count_of`.

    Raise `TlaError` when the files contradict one another, or are of what nothing is said about.
    """
    first = brokers[0]
    for reading in brokers:
        _refuse(reading)
    for reading in brokers[1:]:
        if reading["enableControllerMode"] != first["enableControllerMode"]:
            raise TlaError(
                f"enableControllerMode is {shown(first['enableControllerMode'])} in {first.source} and "
                f"{shown(reading['enableControllerMode'])} in {reading.source}.",
                reading.values["enableControllerMode"].at or first.values["enableControllerMode"].at,
                "Give every replica of a broker set the same value.",
                "config",
            )
    if not first["enableControllerMode"]:
        return master_slave_of(brokers, replicas, MOST_REPLICAS)
    for name in ("allAckInSyncStateSet", "inSyncReplicas", "minInSyncReplicas", "flushDiskType"):
        for reading in brokers[1:]:
            if reading[name] != first[name]:
                raise TlaError(
                    f"{name} is {shown(first[name])} in {first.source} and {shown(reading[name])} in {reading.source}: "
                    "the promise would change with every election.",
                    reading.values[name].at,
                    "Give every replica of a broker set the same value.",
                    "config",
                )
    count = count_of(brokers, replicas, MOST_REPLICAS)
    learners = sum(bool(reading["asyncLearner"]) for reading in brokers)
    if learners == len(brokers):
        raise TlaError(
            "Every replica has asyncLearner=true: nobody may become master.",
            first.values["asyncLearner"].at,
            "Leave it out on at least one replica, and give a file for each.",
            "config",
        )
    asked = int(first["inSyncReplicas"])
    return Deployment(
        replicas=count,
        all_ack=bool(first["allAckInSyncStateSet"]) or asked == ALL_ACK,
        in_sync_replicas=max(1, asked),
        min_in_sync_replicas=max(1, int(first["minInSyncReplicas"])),
        unclean_election=bool(controller["enableElectUncleanMaster"]),
        sync_flush=first["flushDiskType"] == "SYNC_FLUSH",
        read_uncommitted=any(bool(reading["readUnCommitted"]) for reading in brokers),
        transient_pool=any(keeps_in_process(reading) for reading in brokers),
        learners=learners,
        controllers=controllers_of(controller),
    )


def _refuse(reading: Reading) -> None:
    """Raise `TlaError` for a file that is of another kind than is explored."""
    if reading["brokerConfigPaths"]:
        raise TlaError(
            "This is the file of a broker container: it names the files of its brokers, and sets nothing of them.",
            reading.values["brokerConfigPaths"].at,
            "Give the files of one broker set, which brokerConfigPaths names.",
            "config",
        )
    if reading["enableDLegerCommitLog"]:
        what = (
            "with enableControllerMode=true the broker exits when it starts (BrokerStartup.buildBrokerController)"
            if reading["enableControllerMode"]
            else "the log is replicated by DLedger's Raft, about which nothing is said here"
        )
        raise TlaError(
            f"enableDLegerCommitLog=true: {what}.",
            reading.values["enableDLegerCommitLog"].at,
            "Leave it out; a broker set that comes from DLedger starts without its old log.",
            "config",
        )


def contradictions(
    brokers: Sequence[Reading], controller: Reading, deployment: Deployment | MasterSlave
) -> Iterator[Remark]:
    """Settings that together do not do what they say. `controller`: the controller's file, or the name server's."""
    controlled = not isinstance(deployment, MasterSlave)
    yield from (
        oddities(brokers, controller, deployment)
        if isinstance(deployment, MasterSlave)
        else _contradictions(brokers, controller, deployment)
    )
    yield from beside_the_log(brokers, controlled)


def _contradictions(brokers: Sequence[Reading], controller: Reading, deployment: Deployment) -> Iterator[Remark]:
    first = brokers[0]

    def at(name: str) -> Value:
        return first.values[name]

    yield from _copies(deployment, first.values)
    if at("enableAutoInSyncReplicas").value:
        yield Remark("enableAutoInSyncReplicas has no effect in Controller mode.", at("enableAutoInSyncReplicas").at)
    if at("enableSlaveActingMaster").value:
        yield Remark(
            "enableSlaveActingMaster beside enableControllerMode: while the name server lists no master, the slave "
            "with the least brokerId delivers delayed messages and checks half ones "
            "(BrokerController.onMinBrokerChange; read, not seen), whomever the controller elects meanwhile. The "
            "answers are without it.",
            at("enableSlaveActingMaster").at,
            "Use one of the two.",
            True,
        )
    if at("syncFromLastFile").value:
        yield Remark(
            "syncFromLastFile=true: a replica with an empty disk copies from its master's last file on; what lies "
            "before is not on it when it is elected.",
            at("syncFromLastFile").at,
        )
    if not controller["notifyBrokerRoleChanged"]:
        yield Remark(
            "notifyBrokerRoleChanged=false: brokers learn a new role by polling only, so writes stop for up to "
            "syncBrokerMetadataPeriod longer.",
            controller.values["notifyBrokerRoleChanged"].at,
        )
    if at("brokerRole").at is not None:
        yield Remark("brokerRole has no effect in Controller mode: the controller decides.", at("brokerRole").at)
    if int(at("haMaxTimeSlaveNotCatchup").value) < 1000:
        yield Remark(
            f"haMaxTimeSlaveNotCatchup={at('haMaxTimeSlaveNotCatchup').value} milliseconds: slaves leave the "
            "SyncStateSet at every pause of the garbage collector.",
            at("haMaxTimeSlaveNotCatchup").at,
        )
    yield from _controllers(deployment, controller.values["controllerDLegerPeers"])


def _fewer_than_one(asked: int) -> str:
    """What a put waits for with such an inSyncReplicas."""
    if asked == ALL_ACK:
        return "every member of the SyncStateSet, as allAckInSyncStateSet=true does (MixAll.ALL_ACK_IN_SYNC_STATE_SET)"
    if asked == 0:
        return "no copy but the master's (CommitLog.handleHA)"
    return (
        "the copy of any one slave, in the SyncStateSet or not (GroupTransferService.doWaitTransfer); the answers are "
        "for no copy but the master's"
    )


def _copies(deployment: Deployment, at: Mapping[str, Value]) -> Iterator[Remark]:
    """How many copies are asked for."""
    asked = int(at["inSyncReplicas"].value)
    if asked < 1 and not at["allAckInSyncStateSet"].value:
        yield Remark(
            f"inSyncReplicas={asked} asks for {_fewer_than_one(asked)}.",
            at["inSyncReplicas"].at,
            "Set allAckInSyncStateSet=true, or inSyncReplicas to a number of copies.",
            True,
        )
    elif deployment.all_ack and at["inSyncReplicas"].at is not None:
        yield Remark(
            "inSyncReplicas has no effect: allAckInSyncStateSet=true asks every member of the SyncStateSet.",
            at["inSyncReplicas"].at,
        )
    for name, number in (
        ("minInSyncReplicas", deployment.min_in_sync_replicas),
        ("inSyncReplicas", 1 if deployment.all_ack else deployment.in_sync_replicas),
    ):
        if number > deployment.full_replicas:
            yield Remark(
                f"{name}={number} can never be met by {deployment.full_replicas} replicas: "
                "every put fails or times out.",
                at[name].at,
                f"Set {name} to at most {deployment.full_replicas}.",
                True,
            )
    if not deployment.all_ack and deployment.min_in_sync_replicas > deployment.in_sync_replicas:
        yield Remark(
            f"minInSyncReplicas={deployment.min_in_sync_replicas} is asked of the SyncStateSet before the append only; "
            f"the producer is answered after {deployment.in_sync_replicas} cop"
            f"{'y' if deployment.in_sync_replicas == 1 else 'ies'}.",
            at["minInSyncReplicas"].at,
            "Set inSyncReplicas as high, or allAckInSyncStateSet=true.",
        )


def _controllers(deployment: Deployment, peers: Value) -> Iterator[Remark]:
    if deployment.controllers == 2:
        yield Remark(
            "Two controllers need both to elect: that is less available than one.", peers.at, "Use one or three."
        )
    elif deployment.controllers % 2 == 0:
        yield Remark(
            f"{deployment.controllers} controllers bear no more losses than {deployment.controllers - 1}.", peers.at
        )
