"""Parts of a broker beside its store: a `BrokerController` that is not started, with the store in it, and of its
services those that are asked for. It answers on loopback."""

from __future__ import annotations

import contextlib
from typing import Any

from rmqproof.rocketmq.java_fields import field_of
from rmqproof.rocketmq.message_store import MessageStore

_BROKER = "org.apache.rocketmq.broker"
_REMOTING = "org.apache.rocketmq.remoting"
_ALL_CONSUMER_OFFSET, _END_TRANSACTION, _POP = 43, 37, 200050
_READ_AND_WRITE = 6
_COMMIT = 2 << 2
HALF, SYSTEM_GROUP = "RMQ_SYS_TRANS_HALF_TOPIC", "CID_RMQ_SYS_TRANS"


class BrokerParts:
    """Use as a context, within that of its store."""

    def __init__(self, jpype: Any, store: MessageStore, **settings: Any) -> None:
        """`settings`: of broker.conf."""
        self._jpype, self._store = jpype, store
        find = jpype.JClass
        server, client = find(f"{_REMOTING}.netty.NettyServerConfig")(), find(f"{_REMOTING}.netty.NettyClientConfig")()
        server.setBindAddress("127.0.0.1")
        server.setListenPort(0)
        config = store.broker_config
        config.setBrokerIP1("127.0.0.1")
        config.setBrokerId(store.broker_id)
        for name, value in {"transactionOpBatchInterval": 10, **settings}.items():
            setter = f"set{name[0].upper()}{name[1:]}"
            if hasattr(config, setter):
                getattr(config, setter)(value)
        self.controller = find(f"{_BROKER}.BrokerController")(config, server, client, store.config)
        self.controller.setMessageStore(store.store)
        metrics = "brokerMetricsManager"
        with contextlib.suppress(KeyError, TypeError):  # of the controller since 5.4.0, static before, none in 5.0.0
            made = find(f"{_BROKER}.metrics.BrokerMetricsManager")(self.controller)
            field_of(self.controller, metrics).set(self.controller, made)
        self._server = find(f"{_REMOTING}.netty.NettyRemotingServer")(server)
        self._service: Any = None

    def __enter__(self) -> BrokerParts:
        pool = self._jpype.java.util.concurrent.Executors.newCachedThreadPool()
        answering = self._jpype.JClass(f"{_BROKER}.processor.AdminBrokerProcessor")(self.controller)
        self._server.registerProcessor(_ALL_CONSUMER_OFFSET, answering, pool)
        self._server.start()
        self.controller.getBrokerOuterAPI().start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._service is not None:
            self._service.close()
        self.controller.getBrokerOuterAPI().shutdown()
        self._server.shutdown()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{int(self._server.localListenPort())}"

    # --- offsets -----------------------------------------------------------------------------------------------------

    def copies_offsets(self, master: BrokerParts) -> None:
        """`SlaveSynchronize.syncConsumerOffset`, which a slave does every ten seconds."""
        slave = self._jpype.JClass(f"{_BROKER}.slave.SlaveSynchronize")(self.controller)
        slave.setMasterAddr(master.address)
        copy = slave.getClass().getDeclaredMethod("syncConsumerOffset")
        copy.setAccessible(True)
        copy.invoke(slave)

    def offset(self, group: str, topic: str) -> int:
        return int(self.controller.getConsumerOffsetManager().queryOffset(group, topic, 0))

    def put_back(self, group: str, topic: str) -> None:
        """As if the group had read nothing."""
        self.controller.getConsumerOffsetManager().commitOffset("", group, topic, 0, 0)

    def messages(self, topic: str) -> int:
        """In queue 0, that consumers can find."""
        return int(self._store.store.getMaxOffsetInQueue(topic, 0))

    # --- transactions ------------------------------------------------------------------------------------------------

    def transactions(self) -> Any:
        """`TransactionalMessageServiceImpl`, over this store."""
        if self._service is None:
            queue = f"{_BROKER}.transaction.queue"
            bridge = self._jpype.JClass(f"{queue}.TransactionalMessageBridge")(self.controller, self._store.store)
            self._service = self._jpype.JClass(f"{queue}.TransactionalMessageServiceImpl")(bridge)
            self.controller.setTransactionalMessageService(self._service)
        return self._service

    def half_message(self) -> Any:
        """Stored; its producer's local transaction goes on. The put's future."""
        message = self._store.message(b"half")
        properties = self._jpype.JClass("org.apache.rocketmq.common.message.MessageAccessor")
        properties.putProperty(message, "PGROUP", "producers")
        properties.putProperty(message, "TRAN_MSG", "true")
        return self.transactions().asyncPrepareMessage(message)

    def commits(self, half: Any) -> int:
        """The producer ends its transaction; the response's code."""
        appended = half.getAppendMessageResult()
        header = self._jpype.JClass(f"{_REMOTING}.protocol.header.EndTransactionRequestHeader")()
        long = self._jpype.java.lang.Long
        header.setProducerGroup("producers")
        header.setTranStateTableOffset(long(appended.getLogicsOffset()))
        header.setCommitLogOffset(long(appended.getWroteOffset()))
        header.setCommitOrRollback(self._jpype.java.lang.Integer(_COMMIT))
        command = self._jpype.JClass(f"{_REMOTING}.protocol.RemotingCommand")
        request = command.createRequestCommand(_END_TRANSACTION, header)
        request.makeCustomHeaderToNet()
        processor = self._jpype.JClass(f"{_BROKER}.processor.EndTransactionProcessor")(self.controller)
        return int(processor.processRequest(None, request).getCode())

    def checks_transactions(self) -> None:
        """One round of `TransactionalMessageCheckService`, in which every half message is old enough."""
        listener = self._jpype.JClass(f"{_BROKER}.transaction.queue.DefaultTransactionalMessageCheckListener")()
        listener.setBrokerController(self.controller)
        self.transactions().check(0, 15, listener)

    # --- POP ---------------------------------------------------------------------------------------------------------

    def pops(self, group: str) -> bool:
        """Is a consumer given a message of queue 0, for a minute?"""
        find, java = self._jpype.JClass, self._jpype.java.lang
        topic = find("org.apache.rocketmq.common.TopicConfig")("topic", 1, 1, _READ_AND_WRITE)
        self.controller.getTopicConfigManager().getTopicConfigTable().put("topic", topic)
        header = find(f"{_REMOTING}.protocol.header.PopMessageRequestHeader")()
        header.setConsumerGroup(group)
        header.setTopic("topic")
        header.setQueueId(java.Integer(0))
        header.setMaxMsgNums(1)
        header.setInvisibleTime(60_000)
        header.setPollTime(0)
        header.setBornTime(java.System.currentTimeMillis())
        request = find(f"{_REMOTING}.protocol.RemotingCommand").createRequestCommand(_POP, header)
        request.makeCustomHeaderToNet()
        channel = find("io.netty.channel.embedded.EmbeddedChannel")()
        context = self._jpype.JProxy("io.netty.channel.ChannelHandlerContext", dict={"channel": lambda: channel})
        processor = self.controller.getPopMessageProcessor()
        answer = processor.processRequest(context, request) or channel.readOutbound()
        return int(answer.getCode()) == 0

    def leads(self) -> None:
        """A master's brokerId is 0 then, as `ReplicasManager.changeToMaster` has it."""
        self._store.broker_config.setBrokerId(0)

    def commits_what_was_popped(self) -> None:
        """`PopBufferMergeService` runs, as in a broker that is started."""
        self.controller.getPopMessageProcessor().getPopBufferMergeService().start()
