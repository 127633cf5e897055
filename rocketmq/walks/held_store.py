"""A broker's store whose threads do nothing until they are told to: the grain of spec/core/ControllerMode.tla.

What is held, and by what of RocketMQ's own:
- a batch: HA flow control with nothing left for this second; `FlowMonitor` does not run, so no second begins;
- heartbeats and time-outs: intervals of days;
- what is dispatched to consumers: all that is in the log. It is no part of the model, and in 5.3.3
  `doReput` is busy for as long as a message waits for its confirmation;
- a producer's answer: `GroupTransferService` does not run, its `doWaitTransfer` is called for one request at a time;
- the check for the SyncStateSet behind an ack: the connection counts as a learner's until `propose` asks;
- the checkpoint, which has the confirmOffset: it is flushed when the process is killed;
- the proposal of a connection that ends: it forgets whose it is before.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.java_fields import field_of
from rmqproof.rocketmq.message_store import MessageStore

_DAYS = 10**9
_SOON = 2_000
_BODY = re.compile(rb"rmqproof-(\d{4})")
_HELD = {
    "readUnCommitted": True,
    "haFlowControlEnable": True,
    "maxHaTransferByteInSecond": 0,
    "haSendHeartbeatInterval": _DAYS,
    "haHousekeepingInterval": _DAYS,
    "haMaxTimeSlaveNotCatchup": 1000,
    "slaveTimeout": _DAYS // 1000,
    "mappedFileSizeCommitLog": 1 << 16,
    "mappedFileSizeConsumeQueue": 20 * 100,
    "maxHashSlotNum": 100,
    "maxIndexNum": 400,
    "messageIndexEnable": False,
}


_SERVICES = (
    *("reputMessageService", "flushConsumeQueueService", "storeStatsService", "allocateMappedFileService"),
    *("scheduledExecutorService", "scheduledCleanQueueExecutorService", "commitLog.flushManager.flushCommitLogService"),
    *("commitLog.flushManager.commitRealTimeService", "commitLog.flushDiskWatcher", "haService.acceptSocketService"),
    *("haService.haConnectionStateNotificationService", "haService.haClient"),
    *("haService.haClient.flowMonitor", "consumeQueueStore.flushConsumeQueueService"),
)


def stop_threads(store: Any) -> None:
    """Of the services that a store has, as far as the release has them. Nobody waits for their ends."""
    for connection in store.getHaService().getConnectionList().toArray():
        connection.shutdown()
    store.getHaService().getConnectionList().clear()
    for path in _SERVICES:
        value = store
        try:
            for name in path.split("."):
                value = field_of(value, name).get(value)
        except (KeyError, AttributeError):
            continue  # another release
        if hasattr(value, "shutdownNow"):
            value.shutdownNow()
        elif hasattr(value, "makeStop"):
            value.makeStop()
            value.wakeup()


class HeldStore(MessageStore):
    """One broker. `waiting`: the producers that have no answer, by message id."""

    def __init__(self, jpype: Any, broker_id: int, folder: Path | None = None, **settings: Any) -> None:
        super().__init__(jpype, broker_id, folder, fenced=folder is not None, **{**_HELD, **settings})
        self.waiting: dict[int, tuple[Any, Any]] = {}
        self.epoch = 0
        self.is_master = False

    def __enter__(self) -> HeldStore:
        super().__enter__()
        self._transfers = field_of(self.ha, "groupTransferService").get(self.ha)
        self._transfers.shutdown()
        self._asked_now = field_of(self._transfers, "requestsRead")
        self._asked_later = field_of(self._transfers, "requestsWrite")
        kind = self._transfers.getClass()
        self._transfer = kind.getDeclaredMethod("doWaitTransfer")
        self._transfer.setAccessible(True)
        self._marked = field_of(self.ha, "remoteSyncStateSet")
        self._nothing = self._jpype.JProxy("java.lang.Runnable", dict={"run": lambda: None})
        return self

    def __exit__(self, *_: object) -> None:
        self.abandon()

    def abandon(self) -> None:
        """Its threads are told to stop, and nobody waits for them: shutdown() sleeps for seconds."""
        with contextlib.suppress(self._jpype.JException):
            self.ha.getHAClient() is not None and self.ha.getHAClient().closeMaster()
        self.forget_connections()
        stop_threads(self.store)
        shutil.rmtree(self.folder, ignore_errors=True)

    def killed(self) -> Path:
        """kill -9: a copy of its files as they are, for the process that starts next."""
        self.store.getStoreCheckpoint().flush()
        copy = Path(tempfile.mkdtemp(prefix="rmqproof-store-"))
        shutil.copytree(self.folder, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("lock"))
        self.abandon()
        return copy

    # --- roles: the order of ReplicasManager -------------------------------------------------------------------------

    def lead(self, epoch: int, members: frozenset[int]) -> None:
        self.epoch = epoch
        self.learn(members)
        if self.is_master:
            self.ha.changeToMasterWhenLastRoleIsMaster(epoch)
            return
        self._waking(lambda: self.ha.changeToMaster(epoch))
        self.config.setBrokerRole(self._roles.SYNC_MASTER)
        self._fence(False)
        self.is_master = True

    def follow_nobody_yet(self, epoch: int) -> None:
        """Slave of a new master; where it listens comes later."""
        self.epoch, self.is_master = epoch, False
        self.config.setBrokerRole(self._roles.SLAVE)
        self._fence(False)
        number = self._jpype.java.lang.Long(self.broker_id)
        self._waking(lambda: self.ha.changeToSlave("127.0.0.1:10911", epoch, number))

    def go_on_following(self, epoch: int) -> None:
        self.epoch = epoch
        self.ha.changeToSlaveWhenMasterNotChange("127.0.0.1:10911", epoch)

    def forget_connections(self) -> None:
        """They propose nothing when they end."""
        for connection in self.ha.getConnectionList().toArray():
            field_of(connection, "slaveId").setLong(connection, -1)

    def proposals_are_handed_over(self) -> None:
        """`notifySyncStateSetChanged` has one thread for all: what was there before this is done."""
        field_of(self.ha, "executorService").get(self.ha).submit(self._nothing).get()

    def _waking(self, change: Callable[[], object]) -> None:
        self.forget_connections()
        self.hurried(change)

    # --- producers ---------------------------------------------------------------------------------------------------

    def append(self, number: int) -> bool:
        before = self.end
        future = self.begin_put(b"rmqproof-%04d" % number)
        requests = list(self._asked_later.get(self._transfers))
        self._asked_later.set(self._transfers, self._jpype.java.util.LinkedList())
        if self.end == before:
            return False
        self.waiting[number] = future, requests[0] if requests else None
        return True

    def answer(self, number: int) -> str:
        """Let the service look at this producer's request; what its producer is told, or nothing."""
        future, request = self.waiting[number]
        if not future.isDone():
            if request is None or not self._may_answer(request):
                return ""
            self._look_at(request)
        del self.waiting[number]
        return self.status_of(future)

    def _may_answer(self, request: Any) -> bool:
        """The same question with a deadline that is near: the service would wait for its request."""
        kind = self._jpype.JClass("org.apache.rocketmq.store.CommitLog$GroupCommitRequest")
        asked = kind(request.getNextOffset(), _SOON, request.getAckNums())
        self._look_at(asked)
        return str(asked.future().get().name()) == "PUT_OK"

    def _look_at(self, request: Any) -> None:
        asked = self._jpype.java.util.LinkedList()
        asked.add(request)
        self._asked_now.set(self._transfers, asked)
        self._transfer.invoke(self._transfers)

    # --- what is seen ------------------------------------------------------------------------------------------------

    def messages(self) -> list[int]:
        end = self.end
        return [int(each) for each in _BODY.findall(self.bytes_of(0, end))] if end > 0 else []

    @property
    def local(self) -> frozenset[int]:
        return frozenset(int(each) for each in self.ha.getLocalSyncStateSet())

    @property
    def marked(self) -> frozenset[int]:
        if not self.ha.isSynchronizingSyncStateSet():
            return frozenset()
        return frozenset(int(each) for each in self._marked.get(self.ha))

    @property
    def stored_confirm(self) -> int:
        """As it was stored; getConfirmOffset gives more where the master is alone."""
        log = self.store.getCommitLog()
        return max(int(field_of(log, "confirmOffset").get(log)), 0)

    def connection_of(self, slave: int) -> Any:
        """The newest connection of a slave, or None."""
        found = [each for each in self.ha.getConnectionList().toArray() if int(each.getSlaveId()) == slave]
        return found[-1] if found else None
