"""What settings do beside the log: consumers, POP, transactions, locks, heartbeats, files of another mode.

Each sentence is read from the classes of 5.3.3 that are named with it. `spec/` has a model of most: ConsumeQueues, Pop,
Transactions, QuorumLock, InSyncGap, PreOnline, EmptyUpgrade.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rmqproof.rocketmq.assess.reading import Reading, Remark, Value, shown

PERM_WRITE = 2
"""PermName.PERM_WRITE"""


def beside_the_log(brokers: Sequence[Reading], controlled: bool) -> Iterator[Remark]:
    """Remarks on the settings of one broker set. `controlled`: Controller mode."""
    for reading in brokers:
        yield from _of_the_store(reading.values)
        yield from _of_heartbeats(reading.values, controlled)
        yield from _of_pop(reading.values)
        yield from _of_transactions(reading.values)
        if controlled:
            yield from _of_acting_masters(reading.values)


def lock_without_members(at: dict[str, Value]) -> Iterator[Remark]:
    """AdminBrokerProcessor.lockBatchMQ asks the members that BrokerController.start reads from the name server, which
    it does only with enableSlaveActingMaster. The broker itself is taken out by its id, which a master has set to 0."""
    replicas = int(at["totalReplicas"].value)
    if at["lockInStrictMode"].value and replicas // 2 + 1 > 1 and at["brokerId"].value == 0:
        yield Remark(
            f"lockInStrictMode=true with totalReplicas={replicas}: without enableSlaveActingMaster a broker knows no "
            "other member to ask, so no majority grants a lock, and no ordered queue is consumed "
            "(AdminBrokerProcessor.lockBatchMQ, BrokerController.start; read, not seen).",
            at["lockInStrictMode"].at,
            "Set lockInStrictMode=false.",
            True,
        )


def _of_the_store(at: dict[str, Value]) -> Iterator[Remark]:
    if at["duplicationEnable"].value:
        yield Remark(
            "duplicationEnable=true: the store makes no HA service (DefaultMessageStore's constructor), so nothing is "
            "replicated. The answers are for false.",
            at["duplicationEnable"].at,
            "Leave it out.",
            True,
        )
    if at["transientStorePoolEnable"].value and at["flushDiskType"].value != "SYNC_FLUSH":
        yield Remark(
            "transientStorePoolEnable=true with flushDiskType=ASYNC_FLUSH: a master keeps messages in its process "
            "until they are committed to the file (DefaultMappedFile.appendMessageBuffer), and answers before; when "
            "its process ends they are gone. Slaves are sent only what is committed "
            "(DefaultMappedFile.getReadPosition), so a message with two copies is kept.",
            at["transientStorePoolEnable"].at,
            "Set it to false, or have every put wait for two copies (inSyncReplicas=2).",
            True,
        )
    if not int(at["brokerPermission"].value) & PERM_WRITE:
        yield Remark(
            f"brokerPermission={at['brokerPermission'].value}: the routes offer no queue of this broker for writing "
            "(BrokerController.registerBrokerAll), as an operator wants it before a broker set is emptied. The answers "
            "are for a set that takes puts.",
            at["brokerPermission"].at,
            "Set brokerPermission=6 when it is to take puts.",
        )


def _of_heartbeats(at: dict[str, Value], controlled: bool) -> Iterator[Remark]:
    name = "controllerHeartBeatTimeoutMills" if controlled else "brokerNotActiveTimeoutMillis"
    who = "controller" if controlled else "name server"
    acting = controlled or bool(at["enableSlaveActingMaster"].value)
    interval, patience = int(at["brokerHeartbeatInterval"].value), int(at[name].value)
    if acting and patience <= interval:
        yield Remark(
            f"{name}={patience} is not above brokerHeartbeatInterval={interval}: the {who} takes brokers for dead that "
            "run, between two heartbeats.",
            at[name].at or at["brokerHeartbeatInterval"].at,
            f"Set {name} to several times brokerHeartbeatInterval.",
            True,
        )


def _of_pop(at: dict[str, Value]) -> Iterator[Remark]:
    kept = at["popConsumerKVServiceEnable"]
    if kept.value and not at["popConsumerKVServiceInit"].value:
        yield Remark(
            "popConsumerKVServiceEnable=true without popConsumerKVServiceInit=true: BrokerController makes no "
            "PopConsumerService, so every POP request fails (PopMessageProcessor.processRequest).",
            kept.at,
            "Set both.",
            True,
        )
    elif kept.value:
        yield Remark(
            "popConsumerKVServiceEnable=true: who was given which message is kept in a RocksDB of this broker alone "
            "(PopConsumerService), while consumers' offsets are copied to slaves. After a switch what was handed out "
            "and not acknowledged is not handed out again until this broker is back (inferred).",
            kept.at,
            "Leave it out, and checkpoints are messages of the replicated log.",
            True,
        )
    if at["enablePopBufferMerge"].value:
        yield Remark(
            "enablePopBufferMerge=true: checkpoints and acknowledgements stay in the master's memory for a while "
            "(PopBufferMergeService); when its process ends or a slave is elected, what was acknowledged meanwhile is "
            "handed out again. A slave that has a group's offset and not yet the checkpoint, which "
            "SlaveSynchronize.syncConsumerOffset allows, skips that message when it is elected (CheckpointNotCopied).",
            at["enablePopBufferMerge"].at,
        )


def _of_transactions(at: dict[str, Value]) -> Iterator[Remark]:
    checks, period = at["transactionCheckMax"], int(at["transactionCheckInterval"].value)
    set_here = [at[name].at for name in _TRANSACTIONS if at[name].at is not None]
    if at["rejectTransactionMessage"].value:
        yield Remark(
            "rejectTransactionMessage=true: half messages are refused (SendMessageProcessor.sendMessage).",
            at["rejectTransactionMessage"].at,
        )
        return
    if checks.at is not None or at["transactionCheckInterval"].at is not None:
        yield Remark(
            f"A half message whose producer was asked {checks.value} times is laid aside in TRANS_CHECK_MAXTIME_TOPIC, "
            f"and no consumer gets it (TransactionalMessageServiceImpl.needDiscard): after {checks.value} rounds of "
            f"{shown(period)} milliseconds, should its producer be away so long.",
            checks.at or at["transactionCheckInterval"].at,
        )
    batch, patience = int(at["transactionOpBatchInterval"].value), int(at["transactionTimeOut"].value)
    if batch >= patience:
        yield Remark(
            f"transactionOpBatchInterval={batch} is not below transactionTimeOut={patience}: a half message is old "
            "enough to be checked before the broker has written that it is done "
            "(TransactionalMessageServiceImpl.batchSendOpMessage, check). It is put back, its producer is asked again, "
            "and what was committed can be stored for consumers twice (inferred).",
            at["transactionOpBatchInterval"].at or at["transactionTimeOut"].at,
            "Set transactionTimeOut to several times transactionOpBatchInterval.",
            True,
        )
    if set_here:
        yield Remark(
            "How far half messages were looked at is a consumer's offset, which slaves copy apart from the log "
            "(SlaveSynchronize.syncConsumerOffset). A slave that is elected with the offset and without the half "
            "message that was put back never asks for it again; no setting prevents it (OffsetAheadOfLog).",
            set_here[0],
        )


_TRANSACTIONS = ("transactionCheckMax", "transactionCheckInterval", "transactionTimeOut", "transactionOpBatchInterval")


def _of_acting_masters(at: dict[str, Value]) -> Iterator[Remark]:
    """Settings of SlaveActingMaster mode in the file of a broker in Controller mode."""
    if at["haMaxGapNotInSync"].at is not None:
        yield Remark(
            "haMaxGapNotInSync has no effect in Controller mode: who is in sync is who is in the SyncStateSet "
            "(AutoSwitchHAService.inSyncReplicasNums).",
            at["haMaxGapNotInSync"].at,
            "haMaxTimeSlaveNotCatchup decides who stays in it.",
        )
    if at["enableRemoteEscape"].value and not at["enableSlaveActingMaster"].value:
        yield Remark(
            "enableRemoteEscape has no effect in Controller mode (EscapeBridge.putMessage asks for "
            "enableSlaveActingMaster, too).",
            at["enableRemoteEscape"].at,
        )
    if at["skipPreOnline"].value:
        yield Remark(
            "skipPreOnline=true: a broker in Controller mode goes online before a controller has told it its role "
            "(BrokerController.start, startServiceWithoutCondition). It registers with the brokerId of its file, 0 "
            "unless set, and is then the master in the routes, though its store is fenced and refuses puts "
            "(ReplicasManager.setFenced; inferred).",
            at["skipPreOnline"].at,
            "Leave it out: it is a setting of SlaveActingMaster mode.",
            True,
        )
    yield from lock_without_members(at)
