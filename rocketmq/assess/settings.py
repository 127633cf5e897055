"""The settings that decide what a broker set promises: names, types, defaults, where RocketMQ keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Choice = bool | int | str


class Side(Enum):
    """Whose file holds a setting."""

    BROKER = "broker"
    CONTROLLER = "controller"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `default` is RocketMQ's; `choices` are the names of an enumeration; `java_class` has the field.

    One that is not `usual` is shown only where a file sets it.
    """

    name: str
    side: Side
    default: Choice
    java_class: str
    choices: tuple[str, ...] = ()
    usual: bool = True

    def read(self, text: str) -> Choice | None:
        """The value as `MixAll.properties2Object` reads it, None where Java keeps the default in silence.

        A boolean is true only for `true` without blanks, in any case; a number must be all of the text.
        """
        if isinstance(self.default, bool):
            return text.lower() == "true"
        if isinstance(self.default, int):
            return int(text) if text.isascii() and text.lstrip("+-").isdigit() and len(text) < 20 else None
        if self.choices:
            return text if text in self.choices else None
        return text.strip()


_B, _C = Side.BROKER, Side.CONTROLLER

SETTINGS: tuple[Setting, ...] = (
    Setting("brokerName", _B, "", "BrokerIdentity"),
    Setting("brokerId", _B, 0, "BrokerIdentity"),
    Setting("enableControllerMode", _B, False, "BrokerConfig"),
    Setting("allAckInSyncStateSet", _B, False, "MessageStoreConfig"),
    Setting("inSyncReplicas", _B, 1, "MessageStoreConfig"),
    Setting("minInSyncReplicas", _B, 1, "MessageStoreConfig"),
    Setting("enableAutoInSyncReplicas", _B, False, "MessageStoreConfig"),
    Setting("totalReplicas", _B, 1, "MessageStoreConfig"),
    Setting("asyncLearner", _B, False, "MessageStoreConfig"),
    Setting("syncFromLastFile", _B, False, "MessageStoreConfig"),
    Setting("flushDiskType", _B, "ASYNC_FLUSH", "MessageStoreConfig", ("SYNC_FLUSH", "ASYNC_FLUSH")),
    Setting("brokerRole", _B, "ASYNC_MASTER", "MessageStoreConfig", ("ASYNC_MASTER", "SYNC_MASTER", "SLAVE")),
    Setting("haMaxTimeSlaveNotCatchup", _B, 15000, "MessageStoreConfig"),
    Setting("slaveReadEnable", _B, False, "BrokerConfig"),
    Setting("enableSlaveActingMaster", _B, False, "BrokerConfig"),
    Setting("enableRemoteEscape", _B, False, "BrokerConfig"),
    Setting("skipPreOnline", _B, False, "BrokerConfig"),
    Setting("lockInStrictMode", _B, False, "BrokerConfig"),
    Setting("enableElectUncleanMaster", _C, False, "ControllerConfig"),
    Setting("notifyBrokerRoleChanged", _C, True, "ControllerConfig"),
    Setting("controllerDLegerPeers", _C, "", "ControllerConfig"),
    Setting("jRaftInitConf", _C, "localhost:9880,localhost:9881,localhost:9882", "JraftConfig"),
    Setting("supportActingMaster", _C, False, "NamesrvConfig"),
    Setting("controllerType", _C, "DLedger", "ControllerConfig", ("DLedger", "jRaft")),
    *(
        Setting(name, _B, default, java_class, usual=False)
        for name, default, java_class in (
            ("readUnCommitted", False, "MessageStoreConfig"),
            ("transientStorePoolEnable", False, "MessageStoreConfig"),
            ("enableDLegerCommitLog", False, "MessageStoreConfig"),
            ("duplicationEnable", False, "MessageStoreConfig"),
            ("haMaxGapNotInSync", 1024 * 1024 * 256, "MessageStoreConfig"),
            ("brokerPermission", 6, "BrokerConfig"),
            ("brokerHeartbeatInterval", 1000, "BrokerConfig"),
            ("controllerHeartBeatTimeoutMills", 10_000, "BrokerConfig"),
            ("brokerNotActiveTimeoutMillis", 10_000, "BrokerConfig"),
            ("enablePopBufferMerge", False, "BrokerConfig"),
            ("popConsumerKVServiceEnable", False, "BrokerConfig"),
            ("popConsumerKVServiceInit", False, "BrokerConfig"),
            ("rejectTransactionMessage", False, "BrokerConfig"),
            ("transactionCheckMax", 15, "BrokerConfig"),
            ("transactionTimeOut", 6000, "BrokerConfig"),
            ("transactionCheckInterval", 30_000, "BrokerConfig"),
            ("transactionOpBatchInterval", 3000, "BrokerConfig"),
        )
    ),
)
"""In the order in which they are shown."""


def settings_of(side: Side) -> tuple[Setting, ...]:
    return tuple(setting for setting in SETTINGS if setting.side is side)
