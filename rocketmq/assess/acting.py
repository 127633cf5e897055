"""A broker set without a controller: brokerId 0 is its master, and with enableSlaveActingMaster a slave acts for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rmqproof.model.tla.source import TlaError
from rmqproof.rocketmq.assess.beside import lock_without_members
from rmqproof.rocketmq.assess.reading import Reading, Remark, Value, shown
from rmqproof.rocketmq.release_rules import Rules


@dataclass(frozen=True, slots=True)
class MasterSlave:
    """Replicas are brokerIds 0 to `replicas` - 1; the files may number them otherwise."""

    replicas: int
    sync_master: bool = False
    in_sync_replicas: int = 1
    min_in_sync_replicas: int = 1
    auto_degrade: bool = False
    sync_flush: bool = False
    read_uncommitted: bool = False
    acting: bool = False
    remote_escape: bool = False
    skip_pre_online: bool = False
    strict_lock: bool = False
    total_replicas: int = 1
    transient_pool: bool = False
    """A process that ends takes with it what it had not committed to its files (transientStorePoolEnable)."""
    shipped_rules: Rules = ()
    """Not empty: the rules are those of the Java snapshot."""

    @property
    def pulls_offsets(self) -> bool:
        """Whether a master that returns is isolated until it has its slaves' offsets (BrokerController.start)."""
        return self.acting and self.total_replicas > 1 and not self.skip_pre_online

    @property
    def degrades_with_lag(self) -> bool:
        """Whether a put asks for fewer copies while slaves are too far behind (CommitLog.calcNeedAckNums)."""
        return self.sync_master and self.acting and self.auto_degrade

    @property
    def learners(self) -> int:
        return 0

    @property
    def controllers(self) -> int:
        return 0

    def settings(self) -> tuple[str, ...]:
        """What decides, in the words of the files."""
        return (
            f"brokerRole={'SYNC_MASTER' if self.sync_master else 'ASYNC_MASTER'}",
            f"inSyncReplicas={self.in_sync_replicas}",
            f"minInSyncReplicas={self.min_in_sync_replicas}",
            f"enableAutoInSyncReplicas={shown(self.auto_degrade)}",
            f"flushDiskType={'SYNC_FLUSH' if self.sync_flush else 'ASYNC_FLUSH'}",
            f"enableSlaveActingMaster={shown(self.acting)}",
            f"enableRemoteEscape={shown(self.remote_escape)}",
            f"skipPreOnline={shown(self.skip_pre_online)}",
            f"lockInStrictMode={shown(self.strict_lock)}",
            f"totalReplicas={self.total_replicas}",
            *(["readUnCommitted=true"] if self.read_uncommitted else []),
            *(["transientStorePoolEnable=true"] if self.transient_pool else []),
        )


def is_master(reading: Reading) -> bool:
    """Every role but SLAVE gets brokerId 0 (BrokerStartup.buildBrokerController)."""
    return reading["brokerRole"] != "SLAVE"


def keeps_in_process(reading: Reading) -> bool:
    """DefaultMessageStore.isTransientStorePoolEnable, of a broker that may be master. With SYNC_FLUSH a put waits for
    the file, so that nothing that was answered is in the process alone."""
    return bool(reading["transientStorePoolEnable"]) and reading["flushDiskType"] != "SYNC_FLUSH"


def count_of(brokers: Sequence[Reading], replicas: int | None, most: int) -> int:
    """How many replicas these files stand for: `replicas`, a file each, what totalReplicas of a single file says, or
    two where nothing says it. Raise `TlaError` for more than `most`."""
    if replicas is None and len(brokers) > 1:
        replicas = len(brokers)
    said = brokers[0].values["totalReplicas"]
    count = replicas or (int(said.value) if said.at is not None else 2)
    if not 1 <= count <= most:
        raise TlaError(
            f"A broker set of {count} replicas is outside what is explored: 1 to {most}.",
            said.at if replicas is None else None,
            f"Use --replicas {most}: a story of three replicas is one of a larger set too.",
            "config",
        )
    return count


def nothing_says_how_many(brokers: Sequence[Reading], replicas: int | None) -> bool:
    return replicas is None and len(brokers) == 1 and brokers[0].values["totalReplicas"].at is None


def master_slave_of(brokers: Sequence[Reading], replicas: int | None, most: int) -> MasterSlave:
    """The broker set of these files. Raise `TlaError` when they contradict one another."""
    masters = [reading for reading in brokers if is_master(reading)]
    if len(brokers) == 1 and not masters:
        raise TlaError(
            "This is a slave's file, and what a broker set promises is decided by its master's.",
            brokers[0].values["brokerRole"].at,
            "Give the master's file, too.",
            "config",
        )
    if len(brokers) > 1 and len(masters) != 1:
        what = "none" if not masters else "more than one"
        raise TlaError(
            f"Of these files {what} is a master's (brokerRole is not SLAVE).",
            brokers[-1].values["brokerRole"].at,
            "Give the files of one broker set: one master's and its slaves'.",
            "config",
        )
    master = masters[0]
    slaves = [reading for reading in brokers if reading is not master] or [master]
    for name in ("brokerName", "enableSlaveActingMaster", "lockInStrictMode"):
        for reading in slaves:
            if reading[name] != master[name]:
                raise TlaError(
                    f"{name} is {shown(master[name])} in {master.source} and {shown(reading[name])} in "
                    f"{reading.source}.",
                    reading.values[name].at or master.values[name].at,
                    "Give every replica of a broker set the same value.",
                    "config",
                )
    count = count_of(brokers, replicas, most)
    return MasterSlave(
        replicas=count,
        sync_master=master["brokerRole"] == "SYNC_MASTER",
        in_sync_replicas=max(1, int(master["inSyncReplicas"])),
        min_in_sync_replicas=max(1, int(master["minInSyncReplicas"])),
        auto_degrade=bool(master["enableAutoInSyncReplicas"]),
        sync_flush=master["flushDiskType"] == "SYNC_FLUSH",
        read_uncommitted=any(bool(reading["readUnCommitted"]) for reading in brokers),
        acting=bool(master["enableSlaveActingMaster"]),
        remote_escape=any(bool(reading["enableRemoteEscape"]) for reading in slaves),
        skip_pre_online=bool(master["skipPreOnline"]),
        strict_lock=bool(master["lockInStrictMode"]),
        total_replicas=int(master["totalReplicas"]),
        transient_pool=keeps_in_process(master),
    )


def oddities(brokers: Sequence[Reading], nameserver: Reading, broker_set: MasterSlave) -> Iterator[Remark]:
    """Settings that together do not do what they say."""
    master = next((reading for reading in brokers if is_master(reading)), brokers[0])
    at = master.values
    if broker_set.acting and not nameserver["supportActingMaster"]:
        yield Remark(
            "supportActingMaster is not true on the name server: clients are not sent to the member that acts.",
            nameserver.values["supportActingMaster"].at or at["enableSlaveActingMaster"].at,
            "Set supportActingMaster=true there; it is taken for granted here.",
            True,
        )
    if broker_set.acting and not broker_set.remote_escape:
        yield Remark(
            "enableRemoteEscape=false: while a slave acts, delayed and half messages wait, and POP's revival goes over "
            "messages that were not acknowledged in time, since it can store them nowhere (PopReviveService.rePutCK); "
            "nobody is given them again (CheckpointPassedOver).",
            at["enableSlaveActingMaster"].at,
            "Set enableRemoteEscape=true on the slaves.",
        )
    yield from _copies(broker_set, at)
    yield from _members(broker_set, at)
    if not broker_set.acting:
        yield from lock_without_members(at)
    yield from _gap(broker_set, at)
    if broker_set.degrades_with_lag and broker_set.replicas > 1:
        copies = max(1, broker_set.min_in_sync_replicas)
        yield Remark(
            "enableAutoInSyncReplicas=true: a slave whose log is more than haMaxGapNotInSync="
            f"{at['haMaxGapNotInSync'].value} bytes behind its master's is not counted (DefaultHAService."
            f"isInSyncSlave), so a put is answered with {copies} cop{'y' if copies == 1 else 'ies'} while slaves lag. "
            "The answers are for such slaves, too.",
            at["enableAutoInSyncReplicas"].at,
            "Set minInSyncReplicas to the copies that a message must have.",
            broker_set.in_sync_replicas > copies,
        )
    for reading in brokers:
        yield from _of_file(reading)


def _copies(broker_set: MasterSlave, at: dict[str, Value]) -> Iterator[Remark]:
    """How many copies are asked for."""
    if not broker_set.sync_master:
        for name in ("inSyncReplicas", "minInSyncReplicas", "enableAutoInSyncReplicas"):
            if at[name].at is not None:
                yield Remark(
                    f"{name} has no effect: brokerRole=ASYNC_MASTER waits for no slave.",
                    at[name].at,
                    "Set brokerRole=SYNC_MASTER on the master.",
                    True,
                )
    elif broker_set.auto_degrade and not broker_set.acting:
        yield Remark(
            "enableAutoInSyncReplicas has no effect without enableSlaveActingMaster.",
            at["enableAutoInSyncReplicas"].at,
            "Set enableSlaveActingMaster=true.",
            True,
        )


def _members(broker_set: MasterSlave, at: dict[str, Value]) -> Iterator[Remark]:
    """What totalReplicas says."""
    if broker_set.strict_lock and broker_set.total_replicas // 2 + 1 <= 1:
        yield Remark(
            f"lockInStrictMode has no effect: totalReplicas={broker_set.total_replicas}, so one member is a majority.",
            at["lockInStrictMode"].at,
            f"Set totalReplicas={broker_set.replicas}.",
            True,
        )
    if broker_set.total_replicas != broker_set.replicas and at["totalReplicas"].at is not None:
        yield Remark(
            f"totalReplicas={broker_set.total_replicas}, and there are {broker_set.replicas} replicas.",
            at["totalReplicas"].at,
        )
    if broker_set.acting and broker_set.total_replicas <= 1:
        yield Remark(
            f"totalReplicas={broker_set.total_replicas}: a master that returns goes online at once, without pulling "
            "consumer offsets from its slaves.",
            at["totalReplicas"].at or at["enableSlaveActingMaster"].at,
            f"Set totalReplicas={broker_set.replicas}.",
            True,
        )


def _of_file(reading: Reading) -> Iterator[Remark]:
    """What is in one broker's file alone."""
    if reading["allAckInSyncStateSet"]:
        yield Remark(
            "allAckInSyncStateSet has no effect without enableControllerMode.",
            reading.values["allAckInSyncStateSet"].at,
            "Use inSyncReplicas, or Controller mode.",
            True,
        )
    if reading["brokerRole"] == "SLAVE" and reading["brokerId"] == 0:
        yield Remark(
            "brokerRole=SLAVE with brokerId=0: RocketMQ does not start it.",
            reading.values["brokerId"].at or reading.values["brokerRole"].at,
            "Give a slave a brokerId above 0.",
            True,
        )
    if is_master(reading) and reading["brokerId"] != 0 and reading.values["brokerId"].at is not None:
        yield Remark(
            f"brokerId={reading['brokerId']} has no effect: brokerRole={reading['brokerRole']} makes it 0.",
            reading.values["brokerId"].at,
            "Set brokerRole=SLAVE if this is a slave.",
            True,
        )


def _gap(broker_set: MasterSlave, at: dict[str, Value]) -> Iterator[Remark]:
    """haMaxGapNotInSync, as CommitLog.asyncPutMessage and DefaultHAService.inSyncReplicasNums read it."""
    gap = at["haMaxGapNotInSync"]
    if gap.at is None:
        return
    if not (broker_set.sync_master and broker_set.acting):
        yield Remark(
            "haMaxGapNotInSync has no effect without brokerRole=SYNC_MASTER and enableSlaveActingMaster "
            "(CommitLog.asyncPutMessage).",
            gap.at,
        )
    elif int(gap.value) <= 0 and broker_set.in_sync_replicas > 1:
        asked = max(1, broker_set.min_in_sync_replicas) if broker_set.auto_degrade else broker_set.in_sync_replicas
        yield Remark(
            f"haMaxGapNotInSync={gap.value}: no slave is ever in sync (DefaultHAService.isInSyncSlave), so "
            + (
                f"every put is refused: {asked} copies are asked of 1 replica."
                if asked > 1
                else "enableAutoInSyncReplicas asks for the master's copy alone, always."
            ),
            gap.at,
            "Leave it out, and it is 256 MiB.",
            True,
        )
