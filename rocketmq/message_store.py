"""A real `DefaultMessageStore` with `AutoSwitchHAService`, as a broker in Controller mode has it, in its own folder.

What a `ReplicasManager` would do (roles, SyncStateSets) its caller does; the controller is not there. It listens on
loopback only. Messages to the controller are kept instead of sent: `proposed`.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

from rmqproof.rocketmq.java_fields import field_of

_WAIT_SECONDS = 60


class MessageStore:
    """The store of one broker. `settings` are those of broker.conf's store part, by their names. Use as a context."""

    def __init__(self, jpype: Any, broker_id: int, **settings: Any) -> None:
        self._jpype = jpype
        find = jpype.JClass
        self.broker_id = broker_id
        self.folder = Path(tempfile.mkdtemp(prefix="rmqproof-store-"))
        config = find("org.apache.rocketmq.store.config.MessageStoreConfig")()
        given = {
            "storePathRootDir": str(self.folder),
            "storePathCommitLog": str(self.folder / "commitlog"),
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
        config.setBrokerRole(find("org.apache.rocketmq.store.config.BrokerRole").SYNC_MASTER)
        broker = find("org.apache.rocketmq.common.BrokerConfig")()
        broker.setEnableControllerMode(True)
        broker.setBrokerName("broker-a")
        broker.setBrokerClusterName("DefaultCluster")
        self.config = config
        stats = find("org.apache.rocketmq.store.stats.BrokerStatsManager")("DefaultCluster", False)
        listener = jpype.JProxy("org.apache.rocketmq.store.MessageArrivingListener", dict={"arriving": lambda *_: None})
        topics = find("java.util.concurrent.ConcurrentHashMap")()
        make = find("org.apache.rocketmq.store.DefaultMessageStore")
        self.store = make(config, stats, listener, broker, topics)
        self.ha = self.store.getHaService()
        self.proposed: list[frozenset[int]] = []

    def __enter__(self) -> MessageStore:
        self.store.load()
        self._jpype.java.lang.System.setProperty("java.net.preferIPv4Stack", "true")
        self._on_loopback()
        self.ha.setLocalBrokerId(self._jpype.java.lang.Long(self.broker_id))
        consumer = self._jpype.JProxy("java.util.function.Consumer", dict={"accept": self._proposes})
        self.ha.registerSyncStateSetChangedListener(consumer)
        self.store.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):
            self.store.shutdown()
            self.store.destroy()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _on_loopback(self) -> None:
        """The accepting socket of the HA service would listen on every address."""
        address = self._jpype.java.net.InetSocketAddress("127.0.0.1", 0)
        accepting = field_of(self.ha, "acceptSocketService").get(self.ha)
        if accepting is None:  # made in init(), which start() calls in some releases
            self.ha.init(self.store)
            accepting = field_of(self.ha, "acceptSocketService").get(self.ha)
        field_of(accepting, "socketAddressListen").set(accepting, address)

    def _proposes(self, members: Any) -> None:
        self.proposed.append(frozenset(int(each) for each in members))

    # --- what ReplicasManager does -----------------------------------------------------------------------------------

    def become_master(self, epoch: int, members: frozenset[int]) -> bool:
        """`ReplicasManager.changeToMaster`, the part that concerns the store."""
        self.learn(members)
        return bool(self.ha.changeToMaster(epoch))

    def learn(self, members: frozenset[int]) -> None:
        """The controller's SyncStateSet reaches the broker (`changeSyncStateSet`)."""
        found = self._jpype.java.util.HashSet()
        for member in members:
            found.add(self._jpype.java.lang.Long(member))
        self.ha.setSyncStateSet(found)

    # --- what is seen ------------------------------------------------------------------------------------------------

    @property
    def port(self) -> int:
        return int(self.config.getHaListenPort())

    @property
    def end(self) -> int:
        """Of the commit log."""
        return int(self.store.getMaxPhyOffset())

    @property
    def asked(self) -> frozenset[int]:
        """The set whose members an acknowledgement asks: the union while a proposal is under way."""
        return frozenset(int(each) for each in self.ha.getSyncStateSet())

    @property
    def connections(self) -> dict[int, int]:
        """The acknowledged offset of each connected slave, by brokerId; -1 before its first."""
        return {int(each.getSlaveId()): int(each.getSlaveAckOffset()) for each in self.ha.getConnectionList()}

    def put(self, body: bytes = b"message") -> str:
        """The status of a put whose producer waits: PUT_OK, FLUSH_SLAVE_TIMEOUT, …"""
        return self.status_of(self.begin_put(body))

    def begin_put(self, body: bytes = b"message") -> Any:
        """The message is appended; its producer waits for what `status_of` gives."""
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
        return self.store.asyncPutMessage(message)

    def status_of(self, future: Any) -> str:
        """What the producer is told."""
        find = self._jpype.JClass
        result = future.get(_WAIT_SECONDS, find("java.util.concurrent.TimeUnit").SECONDS)
        return str(result.getPutMessageStatus().name())
