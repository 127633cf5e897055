"""A real `DefaultMessageStore` with `AutoSwitchHAService`, as a broker in Controller mode has it, in its own folder.

What a `ReplicasManager` would do (roles, SyncStateSets) its caller does; the controller is not there. It listens on
loopback only. Messages to the controller are kept instead of sent: `proposed`. Up to 5.1.0 a broker is known by its
address, later by its brokerId: here a brokerId stands for both.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rmqproof.rocketmq.java_fields import field_of

_T = TypeVar("_T")
_WAIT_SECONDS = 60
ADDRESS_DIGITS = 40


def address_of(broker_id: int) -> str:
    """The identity of a broker in the releases that know addresses: 50 characters, as long as a handshake allows."""
    return f"127.0.0.1:{broker_id:0{ADDRESS_DIGITS}d}"


def id_of(identity: Any) -> int:
    """The brokerId of an identity, which is an address or a number."""
    return int(str(identity).rsplit(":", 1)[-1])


class MessageStore:
    """The store of one broker. `settings` are those of broker.conf's store part, by their names. Use as a context."""

    def __init__(
        self,
        jpype: Any,
        broker_id: int,
        folder: Path | None = None,
        fenced: bool = False,
        started: bool = True,
        **settings: Any,
    ) -> None:
        """`folder`: of an earlier store. `fenced`: no role is confirmed yet, as when a broker starts. Not `started`: it
        is loaded, and its threads do not run."""
        self._jpype, self._settings, self._fenced, self._started = jpype, settings, fenced, started
        find = jpype.JClass
        self.broker_id = broker_id
        self.folder = folder if folder is not None else Path(tempfile.mkdtemp(prefix="rmqproof-store-"))
        config = find("org.apache.rocketmq.store.config.MessageStoreConfig")()
        given = {
            "storePathRootDir": str(self.folder),
            "storePathCommitLog": str(self.folder / "commitlog"),
            "storePathEpochFile": str(self.folder / "epochFileCheckpoint"),  # up to 5.1.0 it is in the user's home
            "mappedFileSizeCommitLog": 1 << 20,
            "mappedFileSizeConsumeQueue": 20 * 1000,
            "haListenPort": 0,
            "slaveTimeout": 2_000,
            "timerWheelEnable": False,
            **settings,
        }
        for name, value in given.items():
            setter = f"set{name[0].upper()}{name[1:]}"
            if hasattr(config, setter):
                getattr(config, setter)(value)
        self._roles = find("org.apache.rocketmq.store.config.BrokerRole")
        config.setBrokerRole(self._roles.SYNC_MASTER)
        broker = find("org.apache.rocketmq.common.BrokerConfig")()
        broker.setEnableControllerMode(True)
        broker.setBrokerName("broker-a")
        broker.setBrokerClusterName("DefaultCluster")
        self.config, self.broker_config = config, broker
        stats = find("org.apache.rocketmq.store.stats.BrokerStatsManager")("DefaultCluster", False)
        listener = jpype.JProxy("org.apache.rocketmq.store.MessageArrivingListener", dict={"arriving": lambda *_: None})
        make = find("org.apache.rocketmq.store.DefaultMessageStore")
        arguments = config, stats, listener, broker
        try:
            self.store = make(*arguments, find("java.util.concurrent.ConcurrentHashMap")())
        except TypeError:  # without the table of topics, up to 5.1.1
            self.store = make(*arguments)
        self.ha = self.store.getHaService()
        self.by_address = hasattr(self.ha, "setLocalAddress")
        connection = find("org.apache.rocketmq.store.ha.autoswitch.AutoSwitchHAConnection")
        self.one_header = hasattr(connection, "MSG_HEADER_SIZE")
        """Have all packets of a master the header of a transfer (5.0.0)?"""
        self.proposed: list[frozenset[int]] = []

    def __enter__(self) -> MessageStore:
        self._jpype.java.lang.System.setProperty("java.net.preferIPv4Stack", "true")
        self._fence(self._fenced)
        self.store.load()
        self._on_loopback()
        self._named()
        consumer = self._jpype.JProxy("java.util.function.Consumer", dict={"accept": self._proposes})
        self.ha.registerSyncStateSetChangedListener(consumer)
        if self._started:
            self.store.start()
        return self

    def adopt(self, store: Any) -> None:
        """Start this one instead, which somebody else has made with the same settings, and loaded."""
        self.store, self.ha = store, store.getHaService()
        self._on_loopback()
        self._named()
        store.start()

    def _named(self) -> None:
        """The HA service knows which broker it is."""
        if self.by_address:
            self.ha.setLocalAddress(address_of(self.broker_id))
        else:
            of = getattr(self.ha, "setLocalBrokerId", None) or self.ha.setBrokerControllerId  # until 5.1.3
            of(self._jpype.java.lang.Long(self.broker_id))

    def __exit__(self, *_: object) -> None:
        """Nobody waits for its end: shutdown() sleeps for seconds. Its folder goes with the process's (`jvm.start`)."""
        threading.Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        with contextlib.suppress(Exception):
            self.store.shutdown()
            self.store.destroy()
        shutil.rmtree(self.folder, ignore_errors=True)

    def again(self, started: bool = True, clean: bool = True) -> MessageStore:
        """The process ends and starts again, without a role. Use as a context, within the first one.

        Not `clean`: the file is there that tells a start from it that the process was killed."""
        self.store.shutdown()
        if not clean:
            (self.folder / "abort").touch()
        return MessageStore(self._jpype, self.broker_id, self.folder, fenced=True, started=started, **self._settings)

    def _fence(self, fenced: bool) -> None:
        flags = self.store.getRunningFlags()
        if hasattr(flags, "makeFenced"):  # since 5.1.1
            flags.makeFenced(fenced)

    def _on_loopback(self) -> None:
        """The accepting socket of the HA service would listen on every address."""
        address = self._jpype.java.net.InetSocketAddress("127.0.0.1", int(self.config.getHaListenPort()))
        accepting = field_of(self.ha, "acceptSocketService").get(self.ha)
        if accepting is None:  # made in init(), which start() calls in some releases
            self.ha.init(self.store)
            accepting = field_of(self.ha, "acceptSocketService").get(self.ha)
        field_of(accepting, "socketAddressListen").set(accepting, address)

    def _proposes(self, members: Any) -> None:
        self.proposed.append(frozenset(id_of(each) for each in members))

    # --- what ReplicasManager does -----------------------------------------------------------------------------------

    def become_master(self, epoch: int, members: frozenset[int]) -> bool:
        """`ReplicasManager.changeToMaster`, the part that concerns the store."""
        self.learn(members)
        self.config.setBrokerRole(self._roles.SYNC_MASTER)
        self._fence(False)
        return self.hurried(lambda: bool(self.ha.changeToMaster(epoch)))

    def follow(self, port: int, epoch: int) -> bool:
        """`ReplicasManager.changeToSlave`, the part that concerns the store; the master's HA port is known at once."""
        self.config.setBrokerRole(self._roles.SLAVE)
        self._fence(False)
        done = bool(self.ha.changeToSlave("127.0.0.1:10911", epoch, self._jpype.java.lang.Long(self.broker_id)))
        self.ha.updateHaMasterAddress(f"127.0.0.1:{port}")
        return done

    def learn(self, members: frozenset[int]) -> None:
        """The controller's SyncStateSet reaches the broker (`changeSyncStateSet`)."""
        found = self._jpype.java.util.HashSet()
        for member in members:
            found.add(address_of(member) if self.by_address else self._jpype.java.lang.Long(member))
        self.ha.setSyncStateSet(found)

    def confirm(self, offset: int) -> None:
        """The master's confirmOffset arrives at a slave."""
        self.config.setBrokerRole(self._roles.SLAVE)
        where = self.ha.updateConfirmOffset if hasattr(self.ha, "updateConfirmOffset") else self.store.setConfirmOffset
        where(offset)

    def reconnects(self) -> bool:
        """Has the HA client noticed that its connection ended? Then it does not wait for its 5 s."""
        client = self.ha.getHAClient()
        if str(client.getCurrentState().name()) == "TRANSFER":
            return False
        client.wakeup()
        return True

    @contextlib.contextmanager
    def epochs_held(self) -> Iterator[None]:
        """Whoever else looks into the epoch cache waits meanwhile."""
        cache = field_of(self.ha, "epochCache").get(self.ha)
        lock = field_of(cache, "writeLock").get(cache)
        lock.lock()
        try:
            yield
        finally:
            lock.unlock()

    @property
    def checking(self) -> bool:
        """While the epochs are held: has `maybeExpandInSyncStateSet` found that a slave has what is confirmed? It looks
        for the last epoch's start then, and marks the set afterwards."""
        for frames in self._jpype.java.lang.Thread.getAllStackTraces().values():
            names = {str(each.getMethodName()) for each in frames}
            if {"maybeExpandInSyncStateSet", "lastEntry"} <= names:
                return True
        return False

    def stop_following(self) -> None:
        self.hurried(self.ha.getHAClient().shutdown)

    def wake_client(self, client: Any = None) -> None:
        client = client if client is not None else self.ha.getHAClient()
        if client is not None:
            client.wakeup()
            selector = field_of(client, "selector").get(client)
            if selector.isOpen():
                selector.wakeup()

    def hurried(self, change: Callable[[], _T]) -> _T:
        """The HA client's thread is joined; it may sit in a select of a second, or in its wait of 5 s."""
        client, done = self.ha.getHAClient(), threading.Event()

        def wake() -> None:
            while not done.wait(0.002):
                self.wake_client(client)

        waker = threading.Thread(target=wake, daemon=True)
        if client is not None:
            waker.start()
        try:
            return change()
        finally:
            done.set()
            if client is not None:
                waker.join()

    # --- what is seen ------------------------------------------------------------------------------------------------

    @property
    def port(self) -> int:
        """Of the HA service."""
        return int(self.config.getHaListenPort())

    @property
    def end(self) -> int:
        """Of the commit log."""
        return int(self.store.getMaxPhyOffset())

    @property
    def confirmed(self) -> int:
        """The confirmOffset that consumers are held to."""
        return int(self.store.getConfirmOffset())

    @property
    def dispatched(self) -> int:
        """Messages in the consume queue: what consumers can find."""
        return int(self.store.getMaxOffsetInQueue("topic", 0))

    @property
    def behind(self) -> int:
        """Bytes that are confirmed and not dispatched."""
        return max(int(self.store.dispatchBehindBytes()), 0)

    @property
    def entries(self) -> list[tuple[int, int]]:
        """Of the epoch file: epoch and start."""
        return [(int(each.getEpoch()), int(each.getStartOffset())) for each in self.ha.getEpochEntries()]

    @property
    def asked(self) -> frozenset[int]:
        """The set whose members an acknowledgement asks: the union while a proposal is under way."""
        return frozenset(id_of(each) for each in self.ha.getSyncStateSet())

    @property
    def connections(self) -> dict[int, int]:
        """The acknowledged offset of each slave that shook hands, by brokerId; -1 before its first."""
        found = {}
        for each in self.ha.getConnectionList().toArray():  # at once: connections come and go
            who = each.getSlaveAddress() if self.by_address else each.getSlaveId()
            if who is not None:
                found[id_of(who)] = int(each.getSlaveAckOffset())
        return found

    def put(self, body: bytes = b"message") -> str:
        """The status of a put whose producer waits: PUT_OK, FLUSH_SLAVE_TIMEOUT, …"""
        return self.status_of(self.begin_put(body))

    def begin_put(self, body: bytes = b"message") -> Any:
        """The message is appended; its producer waits for what `status_of` gives."""
        return self.store.asyncPutMessage(self.message(body))

    def message(self, body: bytes) -> Any:
        find = self._jpype.JClass
        message = find("org.apache.rocketmq.common.message.MessageExtBrokerInner")()
        message.setTopic("topic")
        message.setQueueId(0)
        message.putUserProperty("from", "rmqproof")
        message.setBody(self._jpype.JArray(self._jpype.JByte)(body))
        host = self._jpype.java.net.InetSocketAddress("127.0.0.1", 8123)
        message.setBornHost(host)
        message.setStoreHost(host)
        message.setBornTimestamp(self._jpype.java.lang.System.currentTimeMillis())
        return message

    def result_of(self, future: Any) -> Any:
        return future.get(_WAIT_SECONDS, self._jpype.JClass("java.util.concurrent.TimeUnit").SECONDS)

    def status_of(self, future: Any) -> str:
        """What the producer is told."""
        return str(self.result_of(future).getPutMessageStatus().name())

    def queue_offset_of(self, future: Any) -> int:
        """The place in the queue that the message got."""
        return int(self.result_of(future).getAppendMessageResult().getLogicsOffset())

    def bytes_of(self, start: int, end: int) -> bytes:
        """The commit log between two offsets of one file."""
        found = self.store.getCommitLog().getData(start)
        try:
            array = self._jpype.JArray(self._jpype.JByte)(min(end - start, int(found.getSize())))
            found.getByteBuffer().get(array)
            return bytes(array)
        finally:
            found.release()
